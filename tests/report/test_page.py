"""The report as a page, in notebooks and as Markdown."""

import re

import numpy as np
import pytest
from sklearn.metrics import roc_curve

from sklearn_entropy_metrics import (
    PhiDeltaDisplay,
    ProbabilityBalanceDisplay,
    datasets,
    information_report,
)
from sklearn_entropy_metrics.report.markdown import _code

TABLE = np.array([[80, 15, 5], [10, 60, 10], [5, 5, 50]])
RUDE = [
    "<script>alert('1')</script> & \"more\"",
    "</style><u>",
    "</title>`|*_\n\u202e\x00",
]
SHOWN = [*RUDE[:2], r"</title>`|*_\n\u202e\x00"]


def cells(page):
    return re.findall(r"<td(?: class=\"([^\"]*)\")?>([^<]*)</td>", page)


def matrix_of(page):
    table = re.search(r'<table class="cells">.*?</table>', page, re.S)[0]
    return cells(table)


def test_the_page_is_whole_and_loads_nothing(read_html):
    page = information_report(table=TABLE).to_html()
    assert page.startswith("<!doctype html>")
    html = read_html(page)
    assert html["title"] == ["Information report"]
    tags = {tag for tag, _ in html.attributes}
    assert "svg" in tags
    assert not tags & {"script", "link", "img", "iframe", "object", "image"}
    for _, attributes in html.attributes:
        for name in ("href", "xlink:href", "src"):
            assert attributes.get(name, "#").startswith("#")
    assert not re.search(r"url\((?!#)|@import", page)


def test_identifiers_of_several_pictures_are_distinct(read_html):
    y_true, y_pred = np.indices((2, 2)).reshape(2, -1).repeat(10, axis=1)
    proba = np.where(y_pred == 1, 0.8, 0.3)
    page = information_report(
        y_true, {"a": y_pred, "b": y_pred}, y_proba={"a": proba}
    ).to_html()
    html = read_html(page)
    named = [
        attributes["id"] for _, attributes in html.attributes if "id" in attributes
    ]
    assert len(named) == len(set(named)) > 0
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', page)) <= set(named)


def test_no_picture_repeats_the_paragraph_above(pyplot):
    y_true, y_pred = np.indices((2, 2)).reshape(2, -1).repeat(10, axis=1)
    proba = np.where(y_pred == 1, 0.8, 0.3)
    display = ProbabilityBalanceDisplay.from_predictions(y_true, proba)
    title = "The probabilities provide"
    assert display.ax_.get_title(loc="left").startswith(title)
    page = information_report(y_true, y_pred, y_proba=proba).to_html()
    assert not re.search(f"{title}[^<>]*</text>", page)


@pytest.mark.parametrize("show", ["to_html", "_repr_html_"])
def test_labels_are_escaped(show, read_html):
    report = information_report(table=TABLE, target_names=RUDE)
    html = read_html(getattr(report, show)())
    assert {"script", "u"}.isdisjoint(tag for tag, _ in html.attributes)
    assert set(SHOWN) <= set(html["th"])


def test_a_file_holds_what_is_returned(tmp_path):
    path = tmp_path / "report.html"
    page = information_report(table=TABLE, target_names=RUDE).to_html(path)
    assert path.read_text(encoding="utf-8") == page


def test_pages_are_the_same_every_time_whatever_the_style(pyplot):
    page = information_report(table=TABLE).to_html()
    with pyplot.style.context("dark_background"):
        assert information_report(table=TABLE).to_html() == page
    assert pyplot.get_fignums() == []


def test_the_matrix_prints_every_count_and_colours_what_chance_does_not_explain():
    table = np.array([[50, 0, 9], [1, 60, 0], [0, 30, 40]])
    found = matrix_of(information_report(table=table).to_html())
    assert [int(text) for _, text in found] == table.ravel().tolist()
    styles = [style.split()[0] if style else "" for style, _ in found]
    assert all(styles[i].startswith("hit") for i in (0, 4, 8))
    assert styles[7] == ""  # 30 of 70 where 27 are expected
    assert all(styles[i].startswith("less") for i in (1, 2, 3, 5, 6))


def test_errors_that_chance_does_not_explain_are_not_green():
    table = np.array([[50, 0, 0], [0, 50, 0], [40, 0, 10]])
    found = matrix_of(information_report(table=table).to_html())
    assert found[6][0].startswith("miss")


def test_nothing_is_coloured_where_nothing_is_known():
    page = information_report(table=[[3785, 0], [215, 0]]).to_html()
    assert {style for style, _ in matrix_of(page)} == {"diagonal", ""}
    assert "No cell is coloured" in page


def test_many_classes_show_the_worst_and_what_they_were_called():
    table = 9 * np.eye(60, dtype=int)
    table[7] = 0
    table[7, 58] = 8
    page = information_report(table=table).to_html()
    found = np.reshape([int(text) for _, text in matrix_of(page)], (10, 15))
    assert "10 of 60 classes, and what they were most often called." in page
    shown = re.findall(r'<th scope="col">(\d+)</th>', page)
    row = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].index(7)
    assert found[row, shown.index("58")] == 8
    assert found.sum() == table[:10].sum()
    few = table[:, :3] + 1
    page = information_report(table=few, pred_labels=list("abc")).to_html()
    assert len(matrix_of(page)) == 10 * 3
    assert "most often called" not in information_report(table=TABLE).to_html()


@pytest.mark.parametrize(("n_classes", "n_cells"), [(25, 25 * 25), (26, 10 * 15)])
def test_a_matrix_of_up_to_25_classes_is_whole(n_classes, n_cells):
    page = information_report(table=9 * np.eye(n_classes, dtype=int) + 1).to_html()
    assert len(matrix_of(page)) == n_cells


@pytest.mark.parametrize("label", ["class {}", "<&\"'>" * 40 + "{}"])
def test_no_page_is_too_large(label):
    rng = np.random.default_rng(0)
    table = rng.integers(0, 9, (50, 50)) + 99 * np.eye(50, dtype=int)
    names = [label.format(i) for i in range(50)]
    report = information_report(table=table, target_names=names)
    assert len(report.to_html().encode()) < 300_000


def test_rectangular_tables_have_a_page(read_html):
    report = information_report(
        table=[[30, 5, 4], [3, 40, 9]], labels=["a", "b"], pred_labels=["a", "b", "?"]
    )
    html = read_html(report.to_html())
    assert "?" in html["th"]
    assert "nan" not in report.to_html()


def test_one_class_has_a_page():
    assert "nothing to draw" in information_report(table=[[5]]).to_html()


def test_several_predictions_on_one_page(read_html):
    y_true, y_pred = np.indices((2, 2)).reshape(2, -1).repeat(10, axis=1)
    report = information_report(y_true, {RUDE[0]: y_pred, "perfect": y_true})
    html = read_html(report.to_html())
    assert {RUDE[0], "perfect"} <= set(html["h2"])
    assert report.to_markdown().count("## Information report") == 2


def test_markdown_survives_rude_labels():
    report = information_report(table=TABLE, target_names=RUDE)
    lines = report.to_markdown().splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert all(row.endswith("|") for row in rows)
    heads = [i for i, line in enumerate(rows) if set(line) <= set("|-: ")]
    widths = {row.count("|") for row in rows[heads[0] - 1 : heads[1] - 1]}
    assert len(widths) == 1
    assert "<script>" not in report.to_markdown()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("plain", "`plain`"),
        ("a|b", "<code>a&#124;b</code>"),
        ("`x`", "<code>&#96;x&#96;</code>"),
        ("@someone", "<code>&#64;someone</code>"),
    ],
)
def test_names_in_markdown_are_code(name, shown):
    assert _code(name) == shown


def test_long_names_are_cut():
    report = information_report(["x" * 300, "y"], ["y", "y"])
    text = report.to_markdown()
    assert "| Classes | support |" in text
    assert f"<code>{'x' * 40}&#8230;{'x' * 19}</code>" in text
    assert f">{'x' * 40}…{'x' * 19}<" in report.to_html()


def test_what_is_undefined_is_not_drawn():
    title = "Which class it favours"
    page = information_report(["a", "b", "a"], ["a", "b", "b"]).to_html()
    assert title in page
    assert "“Yes” is &#x27;b&#x27;." in page
    assert title not in information_report([0, 0, 0], [0, 1, 0]).to_html()


def test_clusters_are_not_called_right_or_wrong():
    y_true, y_pred = ["a"] * 30 + ["b"] * 30, [0] * 25 + [1] * 35
    page = information_report(y_true, y_pred, pred_labels=[0, 1]).to_html()
    assert "Orange: predictions that are more frequent" in page
    assert "Green" not in page
    assert "hit" not in {style for style, _ in matrix_of(page)}


def test_many_predictions_have_a_small_page():
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 3, 200)
    predictions = {f"model {i}": rng.permutation(y_true) for i in range(12)}
    page = information_report(y_true, predictions).to_html()
    assert len(page.encode()) < 300_000


def test_markdown_lists_confusions_and_mentions_nobody():
    heard = datasets.load_miller_nicely()
    table = dict(zip(heard.names, heard.matrices, strict=True))["+12 dB"]
    labels = [f"@{label}" for label in heard.labels]
    said = information_report(table=table, labels=labels).to_markdown()
    assert "**Systematic confusions**\n\n- 41 of 284 '@\u200bp' were called" in said
    assert "@p" not in said
    right = information_report(table=np.diag([50, 60, 70])).to_markdown()
    assert "Systematic confusions" not in right


def test_the_curve_is_that_of_the_second_class(monkeypatch):
    drawn = []
    plot = PhiDeltaDisplay.from_roc

    def spy(fpr, tpr, **options):
        drawn.append((fpr, tpr))
        return plot(fpr, tpr, **options)

    monkeypatch.setattr(PhiDeltaDisplay, "from_roc", spy)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100)
    yes = np.clip(rng.normal(0.3 + 0.4 * y, 0.2), 0, 1)
    information_report(y, yes > 0.5, y_proba=np.c_[1 - yes, yes]).to_html()
    np.testing.assert_allclose(drawn[0], roc_curve(y, yes)[:2])
