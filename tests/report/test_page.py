"""The report as a page, in notebooks and as Markdown."""

import copy
import pickle
import re
from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sklearn_entropy_metrics import (
    EntropyBalance,
    ProbabilityBalance,
    information_report,
    measure,
)
from sklearn_entropy_metrics.score.report.heat_map import cell_information
from sklearn_entropy_metrics.score.report.markdown import code
from sklearn_entropy_metrics.score.report.names import shorten
from sklearn_entropy_metrics.score.report.triangle import Point, draw_triangle

TABLE = np.array([[30, 5, 1], [3, 40, 2], [8, 1, 20]])
NAMES = ["cat", "dog", "owl"]
RUDE = "<script>alert('1')</script> & \"more\""


def report_of(table=TABLE, **kwargs):
    return information_report(table=table, **kwargs)


def rude_report():
    return report_of(target_names=[RUDE, "</style><b>", "</title>`|*_\n\u202e\x00"])


def report_names():
    """The names of the rude report as they are shown."""
    return [RUDE, "</style><b>", r"</title>`|*_\n\u202e\x00"]


def bold_probabilities(n=200):
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 3, n)
    logits = 12 * np.eye(3)[y_true] + 8 * rng.normal(size=(n, 3))
    proba = np.exp(logits - logits.max(axis=1, keepdims=True))
    return y_true, proba / proba.sum(axis=1, keepdims=True)


def points(page):
    """Where the points of the triangle are, in the order ΔH', 2MI', VI'."""
    found = re.findall(r'class="point" transform="translate\(([\d.]+) ([\d.]+)\)', page)
    x, y = np.array(found, dtype=float).T
    information = (390 - y) / 329
    divergence = (x - 70) / 380 - information / 2
    return np.column_stack([divergence, information, 1 - divergence - information])


def test_it_is_a_text_like_any_other():
    report = report_of(target_names=NAMES)
    assert isinstance(report, str)
    assert report.splitlines()[0] == "Task"
    assert report == str(report)
    for twin in (pickle.loads(pickle.dumps(report)), copy.deepcopy(report)):
        assert twin == report
        assert twin.to_html() == report.to_html()


def test_the_page_is_whole(read_html):
    page = report_of(target_names=NAMES).to_html()
    assert page.lower().startswith("<!doctype html>")
    found = read_html(page.partition(">")[2])
    assert found["title"][0] == "Information report"
    assert ("meta", {"charset": "utf-8"}) in found.attributes
    tags = [tag for tag, _ in found.attributes]
    assert "svg" in tags
    assert tags.count("h1") == 1
    assert not {"script", "link", "img", "iframe", "object"} & set(tags)


def test_nothing_is_loaded_from_anywhere(read_html):
    y_true, proba = bold_probabilities()
    page = information_report(y_true, proba.argmax(axis=1), y_proba=proba).to_html()
    found = read_html(page.partition(">")[2])
    for _, attributes in found.attributes:
        assert not {"src", "href", "xlink:href", "srcset"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
    assert not re.search(r"url\(|@import|https?:", page)
    (policy,) = (one["content"] for _, one in found.attributes if "http-equiv" in one)
    assert "default-src 'none'" in policy


def test_a_file_holds_what_is_returned(tmp_path):
    report = rude_report()
    for path in (tmp_path / "report.html", str(tmp_path / "again.html")):
        page = report.to_html(path)
        with open(path, encoding="utf-8") as file:
            assert file.read() == page == report.to_html()


@pytest.mark.parametrize("show", ["to_html", "_repr_html_"])
def test_labels_are_escaped(show, read_html):
    report = rude_report()
    html = getattr(report, show)()
    assert "<script" not in html
    assert "</style><b>" not in html
    assert "\x00" not in html
    assert "\u202e" not in html
    found = read_html(html.partition(">")[2] if show == "to_html" else html)
    assert set(report_names()) <= set(found["th"])  # whole among the classes
    tooltips = [one.get("title") for tag, one in found.attributes if tag == "td"]
    assert f"{RUDE} → {RUDE}: 30, +42.0\u00a0%" in tooltips


def test_notes_are_escaped(read_html):
    report = information_report([RUDE] * 30, [RUDE] * 30, confidence_level=None)
    assert "<script" not in report.to_html()
    (note,) = read_html(report._repr_html_())["li"][-1:]
    assert "one class only" in note
    assert "<script>alert(" in note
    assert "<script" not in report.to_markdown()


def test_labels_that_no_encoding_takes(tmp_path):
    report = report_of([[3, 1], [1, 3]], target_names=["a\udc80", "b"])
    assert r"a\udc80" in report.to_html(tmp_path / "page.html")
    report.to_markdown().encode()


def test_notebooks_get_no_second_page(read_html):
    part = report_of()._repr_html_()
    tags = [tag for tag, _ in read_html(part).attributes]
    assert tags[0] == "article"
    assert not {"html", "head", "body", "title", "meta"} & {
        tag for tag, _ in read_html(re.sub("<svg.*?</svg>", "", part)).attributes
    }
    style = re.search("<style>(.*?)</style>", part, re.S)[1]
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.S)
    selectors = re.findall(r"([^{}]+)\{", style)
    assert len(selectors) > 40
    for selector in selectors:  # what else is in the notebook keeps its looks
        assert selector.strip().startswith((".sem-report", "@media"))


def test_main_numbers_in_words():
    report = report_of(target_names=NAMES)
    numbers = report_of(output_dict=True)
    page = report.to_html().replace("\u00a0", " ")
    found = numbers["intervals"]["normalized_information"]
    low, high = (f"{100 * found[end]:.1f} %" for end in ("low", "high"))
    observed, corrected = (
        f"{100 * found[key]:.1f} %" for key in ("plug_in", "estimate")
    )
    sentence = (
        f"{observed}, or {corrected} when corrected for the number of samples (95 % "
        f"interval: {low} to {high})."
    )
    assert sentence in page
    assert f"<b>{corrected}</b> of the information is transferred" in page
    balance = EntropyBalance.from_confusion_matrix(TABLE)
    assert f"one of {balance.remaining_true_classes:.2f} equally likely" in page
    assert "110 samples of 3 classes" in page


def test_all_numbers_are_on_the_page(read_html):
    y_true, proba = bold_probabilities()
    given = {"y_true": y_true, "y_pred": proba.argmax(axis=1), "y_proba": proba}
    cells = read_html(information_report(**given, digits=5)._repr_html_())["td"]
    numbers = information_report(**given, output_dict=True)
    values = [
        *numbers["transfer"].values(),
        *numbers["triangle"].values(),
        *numbers["confusion_entropy"].values(),
        *(x for row in numbers["classes"].values() for x in row.values()),
        numbers["accuracy"]["best_relabelling"],
        numbers["probabilities"]["stated_information"],
    ]
    for value in values:
        assert (str(value) if isinstance(value, int) else f"{value:.5f}") in cells
    for found in numbers["intervals"].values():
        assert f"{found['estimate']:.5f}" in cells
        assert f"{found['low']:.5f} to {found['high']:.5f}" in cells


@pytest.mark.parametrize("table", [TABLE, [[30, 5, 4], [3, 40, 9]], [[5, 0], [0, 5]]])
def test_the_points_of_the_triangle(table):
    balance = EntropyBalance.from_confusion_matrix(table)
    page = report_of(table).to_html()
    expected = balance.joint_fractions, balance.true_fractions, balance.pred_fractions
    np.testing.assert_allclose(points(page), expected, rtol=0, atol=1e-3)
    tooltips = re.findall(r"<title>([^<]*)</title></g>", page)[:3]
    for tooltip, (_, information, _) in zip(tooltips, expected, strict=True):
        assert f"{100 * information:.1f}\u00a0% transferred" in tooltip


@pytest.mark.parametrize("place", [0, 1, 2])
def test_grid_lines_are_where_coordinates_are_equal(place):
    """A point with 0.2 of a coordinate lies on the line of the tick 0.2."""
    name = ["imbalance", "information", "loss"][place]
    fractions = np.full(3, 0.4)
    fractions[place] = 0.2
    picture = draw_triangle([Point(fractions, "")], "")
    line = re.search(rf'class="{name}"><path class="grid" d="M([^M]*)M', picture)[1]
    start, stop = np.array(line.split(), dtype=float).reshape(2, 2)
    place = re.search(r"translate\(([\d.]+) ([\d.]+)\)\"><circle", picture)
    to_point, along = np.array(place.groups(), dtype=float) - start, stop - start
    distance = along[0] * to_point[1] - along[1] * to_point[0]
    assert abs(distance) / np.hypot(*along) < 0.2


def test_undefined_points_are_left_out():
    picture = draw_triangle([Point([np.nan] * 3, "")], "", guides=True)
    assert "point" not in picture
    assert "nan" not in picture


@given(hnp.arrays(np.int64, (3, 4), elements=st.integers(0, 50)))
def test_the_cells_share_out_the_mutual_information(table):
    if not table.any():
        table[0, 0] = 1
    bits = cell_information(table)
    balance = EntropyBalance.from_confusion_matrix(table)
    assert bits.sum() == pytest.approx(balance.mutual_information, abs=1e-12)
    assert (bits.sum(axis=1) > -1e-12).all()  # no class takes information away
    p = table / table.sum()
    lift = p - np.outer(p.sum(axis=1), p.sum(axis=0))
    assert (bits[lift > 1e-9] >= 0).all()
    assert (bits[lift < -1e-9] <= 0).all()
    assert (bits[table == 0] == 0).all()


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e300])
def test_cells_of_any_magnitude(scale):
    np.testing.assert_allclose(
        cell_information(np.array([[3, 1], [1, 4]]) * scale),
        cell_information(np.array([[3, 1], [1, 4]])),
        rtol=1e-12,
    )


def heat_map(page):
    return re.search('<table class="cells.*?</table>', page, re.S)[0]


def test_the_heat_map(read_html):
    found = read_html(heat_map(report_of(target_names=NAMES).to_html()))
    assert found["td"] == [str(x) for x in TABLE.ravel()]
    bits = cell_information(TABLE)
    shares = 100 * bits / bits.sum()
    assert found["small"] == [
        f"{x:+.1f}\u00a0%".replace("-", "−") for x in shares.ravel()
    ]
    cells = [one for tag, one in found.attributes if tag == "td"]
    for one, x in zip(cells, bits.ravel(), strict=True):
        assert one["class"][0] == ("p" if x > 0 else "n")
    assert [i for i, one in enumerate(cells) if "hit" in one["class"]] == [0, 4, 8]
    assert cells[1]["title"] == f"cat → dog: 5, −{-shares[0, 1]:.1f}\u00a0%"
    strongest = np.abs(bits).argmax()
    assert cells[strongest]["class"] == "p9 hit"


def contrast(one, other):
    """How far apart two colours are to readers, as the guidelines for pages have it."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color):
    color = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    return color @ [0.2126, 0.7152, 0.0722]


def color_of(text):
    return np.array([int(text[i : i + 2], 16) / 255 for i in (0, 2, 4)])


def test_texts_can_be_read_on_every_shade_in_the_light_and_in_the_dark():
    style = re.search("<style>(.*?)</style>", report_of().to_html(), re.S)[1]
    light, dark = style.split("@media screen and (prefers-color-scheme:dark)")
    for part in (light, dark):
        body = re.findall(r"body\{.*?background:#(\w+);color:#(\w+)", part)[-1]
        ground, ink = (color_of(text * (6 // len(text))) for text in body)
        shades = re.findall(r"\.[pn]\d\{background:#(\w{6})(\w\w)\}", part)
        assert len(shades) == 18
        for color, opacity in shades:
            alpha = int(opacity, 16) / 255
            cell = alpha * color_of(color) + (1 - alpha) * ground
            assert contrast(cell, ink) > 4.5
            assert contrast(cell, 0.9 * ink + 0.1 * cell) > 4.5  # small texts
            assert contrast(cell, ground) > 1.05  # the palest one can be seen
        for color in re.findall(r"--(?:information|loss|imbalance):#(\w{6})", part):
            assert contrast(color_of(color), ground) > 4


def test_small_screens_and_paper_are_thought_of():
    page = report_of().to_html()
    assert '<meta name="viewport" content="width=device-width' in page
    style = re.search("<style>(.*?)</style>", page, re.S)[1]
    assert {"print", "(max-width: 500px)"} <= set(
        re.findall(r"@media ([^{]*?) \{", style)
    )
    assert "print-color-adjust: exact" in style


def test_rectangular_tables():
    page = report_of(
        [[30, 5, 4], [3, 40, 9]], labels=["no", "yes"], pred_labels=["no", "yes", "?"]
    ).to_html()
    assert 'title="yes → ?: 9, +6.1\u00a0%"' in page
    assert heat_map(page).count("hit") == 2
    assert "of the predictions are right" not in page  # no accuracy
    assert "nan" not in page.replace("dominant", "")


def test_no_information_to_share():
    page = report_of([[90, 0], [10, 0]]).to_html()
    assert "no information to distribute" in page
    assert "nan" not in page
    assert ">90</td>" in heat_map(page)


def test_one_class_on_each_side():
    page = report_of([[7]], confidence_level=None).to_html()
    assert "no entropy" in page
    assert "nan" not in page
    assert "<svg" in page


@pytest.mark.parametrize("n_classes", [13, 24, 25, 50, 51])
def test_many_classes(n_classes):
    rng = np.random.default_rng(0)
    table = rng.integers(0, 9, (n_classes, n_classes))
    table[3, 2] = 7
    names = [f"class {i}" for i in range(n_classes)]
    page = report_of(table, target_names=names).to_html()
    assert ('<table class="cells' in page) == (n_classes <= 50)
    if n_classes <= 50:
        counts = re.findall(r"<td[^>]*>(\d+)</td>", heat_map(page))
        assert len(counts) == (np.count_nonzero(table) if n_classes <= 24 else 0)
        assert "class 3 → class 2: 7," in page
    else:
        assert "more than 50 classes" in page
        assert "and 1 more classes" in page


@pytest.mark.parametrize(
    "label", ["plain", "a rather long name of a class", "<&\"'🦉>" * 300]
)
def test_no_page_is_too_large(label):
    rng = np.random.default_rng(0)
    table = rng.integers(10**6, 10**12, (50, 50))
    page = report_of(table, target_names=[f"{label} {i}" for i in range(50)]).to_html()
    assert len(page.encode()) < 300_000
    tooltips = re.findall(r'<td class="[^"]*" title="([^"]*)">', page)
    assert len(tooltips) == 2500
    assert len(set(tooltips)) > 2000  # they tell the cells apart


def test_shortened_names_keep_both_ends():
    assert shorten("short", 5) == "short"
    assert shorten("abcdefghijkl", 7) == "abcd…kl"
    for length in range(3, 12):
        assert len(shorten("abcdefghijklmnop", length)) == length


def test_the_balance_of_the_log_loss():
    y_true, proba = bold_probabilities()
    balance = ProbabilityBalance.from_probabilities(y_true, proba)
    page = information_report(y_true, proba.argmax(axis=1), y_proba=proba).to_html()
    bars = re.search('<svg class="bars".*?</svg>', page)[0]
    widths = [float(x) for x in re.findall(r' width="([\d.]+)"', bars)]
    decided = min(balance.decision_information, balance.information)
    parts = [
        decided,
        balance.information - decided,
        balance.entropy - balance.information,
        max(balance.miscalibration, 0),
    ]
    np.testing.assert_allclose(
        np.array(widths) / sum(widths), np.array(parts) / sum(parts), atol=1e-3
    )
    assert f"log loss {balance.log_loss:.2f}" in bars
    assert f"added by miscalibration: {balance.miscalibration:.2f} bits" in bars
    plain = information_report(y_true, proba.argmax(axis=1)).to_html()
    assert 'class="bars"' not in plain


def test_probabilities_of_one_class_have_a_page():
    given = {"y_proba": np.ones((3, 1)), "confidence_level": None}
    page = information_report([0, 0, 0], [0, 0, 0], **given).to_html()
    assert "nan" not in page
    assert "log loss 0.00" in page


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("n_samples", [2, 3, 5])
def test_hardly_any_samples(seed, n_samples):
    """Whatever the table, its page has no number that is none."""
    rng = np.random.default_rng(seed)
    table = rng.multinomial(n_samples, np.full(9, 1 / 9)).reshape(3, 3)
    report = report_of(table)
    for text in (report.to_html(), report.to_markdown()):
        assert not re.search(r"\b(nan|inf)\b", text)


def test_doubts_are_told():
    few = information_report(list("aabbccd"), list("aabcccd"))
    assert '<ul class="doubts"><li>Few samples' in few.to_html()
    assert "> Few samples" in few.to_markdown()
    enough = report_of(10 * TABLE)
    assert '<ul class="doubts fine"><li>Nothing stands out' in enough.to_html()
    without = report_of(10 * TABLE, confidence_level=None)
    assert "no intervals to judge by" in without.to_html()
    assert "% interval" not in without.to_html() + without.to_markdown()


def cells_of_markdown(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_markdown_has_the_numbers():
    report = report_of(target_names=NAMES, digits=4)
    numbers = report_of(output_dict=True)
    lines = report.to_markdown().splitlines()
    assert lines[0] == "## Information report"
    rows = {
        cells_of_markdown(line)[0]: cells_of_markdown(line)
        for line in lines
        if line.startswith("|")
    }
    found = numbers["intervals"]["normalized_information"]
    assert rows["normalized information (NI)"][1:] == [
        f"{found['plug_in']:.4f}",
        f"{found['estimate']:.4f}",
        f"{found['low']:.4f} to {found['high']:.4f}",
    ]
    assert rows["`dog`"][1:] == [
        f"{numbers['classes']['1'][key]:.4f}"
        for key in ("phi", "delta", "confusion_entropy")
    ] + ["45"]
    assert lines.count("</details>") == 2


def test_markdown_of_rude_labels():
    text = rude_report().to_markdown()
    rows = [line for line in text.splitlines() if line.startswith("| <code>")]
    assert [len(cells_of_markdown(row)) for row in rows] == [5, 5, 5]
    assert "<script" not in text
    for row, name in zip(rows, report_names(), strict=True):
        cell = re.fullmatch("<code>(.*)</code>", cells_of_markdown(row)[0])[1]
        assert not re.search(r"[|`*\[\]<>@]", cell)
        assert unescape(cell) == name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a b-c", "`a b-c`"),
        ("ünï 猫", "`ünï 猫`"),
        ("@all", "<code>&#64;all</code>"),
        ("a|b", "<code>a&#124;b</code>"),
        ("a ", "<code>a </code>"),
        ("", "<code></code>"),
    ],
)
def test_names_in_markdown_are_code(name, shown):
    assert code(name) == shown


def test_more_than_fifty_classes_in_markdown():
    text = report_of(np.eye(60, dtype=int) * 9).to_markdown()
    assert "… and 10 more classes" in text
    assert text.count("| `") == 50


def test_the_table_is_nobody_elses():
    table = TABLE.copy()
    report = report_of(table)
    page = report.to_html()
    table[:] = 1
    assert report.to_html() == page


def test_measures_of_the_page_are_those_of_the_package():
    page = report_of(TABLE).to_html()
    assert f"<td>{measure.normalized_information(TABLE):.3f}</td>" in page
