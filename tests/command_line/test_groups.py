"""The command line: counts, groups, comparisons, and what it tells of labels."""

import csv
import io
import json

import numpy as np
import pytest

from sklearn_entropy_metrics import compare_models, information_report
from sklearn_entropy_metrics.__main__ import main

RNG = np.random.default_rng(0)
# True labels, two predictions, a probability, a group and a count.
ROWS = [
    (y, p, q, str(round(x, 2)), g, int(n))
    for y, p, q, x, g, n in zip(
        RNG.choice([*"abc"], 60),
        RNG.choice([*"abc"], 60),
        RNG.choice([*"abc"], 60),
        RNG.random(60),
        RNG.choice(["9", "10"], 60),
        RNG.integers(0, 5, 60),
        strict=True,
    )
]
WRITTEN_OUT = [row[:-1] for row in ROWS for _ in range(row[-1])]
Y, P, Q, X, G = map(list, zip(*WRITTEN_OUT, strict=True))


@pytest.fixture
def counted(tmp_path):
    """A file with a column of counts."""
    return write(tmp_path / "counted.csv", "ypqxgn", ROWS)


@pytest.fixture
def written_out(tmp_path):
    """The same samples, a row for each."""
    return write(tmp_path / "rows.csv", "ypqxg", WRITTEN_OUT)


def write(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def of_group(group, *columns):
    """The rows of a group."""
    return [[c for c, g in zip(x, G, strict=True) if g == group] for x in columns]


COMMANDS = {
    "report": "report {} --true y --pred p",
    "several": "report {} --true y --pred p q --format json",
    "groups": "report {} --true y --pred p q --by g",
    "csv": "report {} --true y --pred p --by g --format csv",
    "labels": "report {} --true y --pred p --labels c b a",
    "smoothing": "report {} --true y --pred p --smoothing empirical_bayes",
    "compare": "compare {} --true y --pred p q",
    "compare groups": "compare {} --true y --pred p q --by g --format json",
}


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("name", COMMANDS)
def test_counts_are_the_rows_written_out(name, counted, written_out, run):
    command = COMMANDS[name]
    text = run(*command.format(counted).split(), "--counts", "n")
    assert text == run(*command.format(written_out).split())
    assert "nan" not in text


def test_counts_of_probabilities(run, tmp_path):
    rows = [row for row in ROWS if row[0] in "ab"]
    counted = write(tmp_path / "counted.csv", "ypqxgn", rows)
    rows = [row[:-1] for row in rows for _ in range(row[-1])]
    written_out = write(tmp_path / "rows.csv", "ypqxg", rows)
    options = ["--true", "y", "--proba", "x", "--labels", "a", "b"]
    text = run("report", counted, *options, "--counts", "n")
    assert text == run("report", written_out, *options)


def test_counts_of_many_classes_are_dense_like_their_rows(run, tmp_path):
    # 130 classes have more cells than there are rows, but fewer than samples.
    y = [str(i) for i in range(130)]
    path = write(tmp_path / "many.csv", "ypn", [(i, i, 200) for i in y])
    text = run("report", path, "--true", "y", "--pred", "p", "--counts", "n")
    expected = information_report(table=200 * np.eye(130, dtype=int), labels=y)
    assert text == expected
    assert "No intervals" not in text


def test_huge_counts_are_exact_or_refused(run, fail, tmp_path):
    path = write(tmp_path / "huge.csv", "ypn", [("a", "a", 2**52), ("b", "b", 1)])
    arguments = "report", path, "--true", "y", "--pred", "p", "--counts", "n"
    report = json.loads(run(*arguments, "--format", "json"))["p"]
    assert [row["support"] for row in report["classes"].values()] == [2**52, 1]
    path = write(path, "ypn", [("a", "a", 2**52), ("b", "b", 2**52)])
    assert "sum to less than 2**53" in fail(1, *arguments)
    arguments = "compare", path, "--true", "y", "--pred", "p", "n", "--counts", "n"
    assert "working_memory" in fail(1, *arguments)


BAD_COUNTS = {
    "1.5": "counts must be whole numbers from 0 to less than 2**53, got 1.5 instead",
    "-2": "counts must be whole numbers from 0 to less than 2**53, got -2 instead",
    "1e16": "counts must be whole numbers from 0 to less than 2**53, got 1000000",
    "x": "'x' is not a number",
    "": "the cell is empty",
    "٣": "'٣' is not a number",
}


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("cell", BAD_COUNTS)
def test_bad_counts(cell, fail, tmp_path):
    path = write(tmp_path / "bad.csv", "ypn", [("a", "a", 1), ("b", "b", cell)])
    arguments = "--true", "y", "--pred", "p", "--counts", "n"
    told = fail(1, "report", path, *arguments)
    assert f"line 3, column 'n': {BAD_COUNTS[cell]}" in told


def test_counts_that_are_all_zero(run, fail, tmp_path):
    rows = [("a", "a", "u", 0), ("b", "b", "u", 0), ("a", "a", "v", 0)]
    path = write(tmp_path / "zero.csv", "ypgn", rows)
    arguments = "report", path, "--true", "y", "--pred", "p", "--counts", "n"
    assert "all counts in column 'n' are zero" in fail(1, *arguments)
    # A group without samples is none.
    write(path, "ypgn", [*rows, ("b", "b", "v", 2), ("a", "b", "v", 1)])
    reports = json.loads(run(*arguments, "--by", "g", "--format", "json"))
    assert list(reports) == ["v"]
    arguments = "report", path, "--true", "y", "--pred", "p", "--weights", "n"
    told = fail(1, *arguments, "--by", "g")
    assert "all weights in column 'n' are zero where column 'g' is 'u'" in told


def test_parquet_counts_and_groups(run, fail, tmp_path, written_out):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    y, p, _, _, g, n = map(list, zip(*ROWS, strict=True))
    path = tmp_path / "counted.parquet"
    columns = {"y": y, "p": p, "g": list(map(int, g)), "n": n}
    parquet.write_table(pa.table(columns), path, row_group_size=7)
    options = "--true", "y", "--pred", "p", "--by", "g"
    text = run("report", path, *options, "--counts", "n")
    assert text == run("report", written_out, *options)
    parquet.write_table(pa.table(columns | {"n": [0.5] * 60}), path)
    told = fail(1, "report", path, *options, "--counts", "n")
    assert "row 1, column 'n': counts must be whole" in told


@pytest.mark.usefixtures("reader")
def test_each_group_has_the_report_of_its_rows(written_out, run):
    arguments = "report", written_out, "--true", "y", "--pred", "p", "--by", "g"
    reports = json.loads(run(*arguments, "--format", "json"))
    assert list(reports) == ["9", "10"]  # by value
    for group, names in reports.items():
        del names["p"]["perplexities"]
        expected = information_report(*of_group(group, Y, P), output_dict=True)
        assert names == {"p": expected}
    texts = [information_report(*of_group(group, Y, P)) for group in ("9", "10")]
    assert run(*arguments) == (f"g = 9\n=====\n{texts[0]}\ng = 10\n======\n{texts[1]}")
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv"))))
    assert [(row["group"], row["name"]) for row in rows] == [("9", "p"), ("10", "p")]
    interval = reports["10"]["p"]["intervals"]["normalized_information"]
    assert float(rows[1]["intervals.normalized_information.low"]) == interval["low"]


def test_groups_with_classes_of_their_own(run, capsys, tmp_path):
    rows = [("a", "a", "u"), ("b", "b", "u"), ("a", "a", "v"), ("c", "c ", "v")]
    path = write(tmp_path / "groups.csv", "ypg", rows)
    main(f"report {path} --true y --pred p --by g --format json".split())
    reports = json.loads(capsys.readouterr().out)
    assert list(reports["u"]["p"]["classes"]) == ["a", "b"]
    assert list(reports["v"]["p"]["classes"]) == ["a", "c", "c "]
    labels = ["--labels", "a", "b", "c", "c "]
    reports = json.loads(
        run(*f"report {path} --true y --pred p --by g --format json".split(), *labels)
    )
    assert list(reports["u"]["p"]["classes"]) == labels[1:]


@pytest.mark.usefixtures("reader")
def test_bad_groups(fail, tmp_path):
    rows = [("a", "a", "u"), ("b", "b", ""), ("a", "x", "u")]
    path = write(tmp_path / "groups.csv", "ypg", rows)
    arguments = "report", path, "--true", "y", "--pred", "p", "--by"
    assert "line 3, column 'g': the cell is empty" in fail(1, *arguments, "g")
    assert "there is no column 'h'" in fail(1, *arguments, "h")
    write(path, "ypg", [*rows[:1], ("b", "b", "v"), *rows[2:]])
    told = fail(1, *arguments, "g", "--labels", "a", "b")
    assert "line 4 ('a', 'x'): labels" in told


def test_plots_have_a_point_for_each_group(written_out, run, monkeypatch, tmp_path):
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    found = []
    save = Figure.savefig

    def save_and_look(figure, *args, **kwargs):
        save(figure, *args, **kwargs)
        found[:] = [text.get_text() for text in figure.findobj(Text)]

    monkeypatch.setattr(Figure, "savefig", save_and_look)
    arguments = "plot", written_out, "--true", "y", "--by", "g"
    arguments += "-o", tmp_path / "groups.svg"
    run(*arguments, "--pred", "p")
    assert {"9", "10"} <= set(found)
    run(*arguments, "--pred", "p", "q")
    assert {"9: p", "9: q", "10: p", "10: q"} <= set(found)


def test_pages_have_a_chapter_for_each_group(written_out, run, read_html):
    arguments = "report", written_out, "--true", "y", "--by", "g", "--format"
    page = run(*arguments, "html", "--pred", "p")
    assert read_html(page.partition(">")[2])["h2"] == ["9", "10"]
    text = run(*arguments, "markdown", "--pred", "p", "q")
    for name in ("9: p", "9: q", "10: p", "10: q"):
        assert f"## Information report: `{name}`" in text


def records(items):
    return [vars(item) for item in items]


@pytest.mark.usefixtures("reader")
def test_compare(written_out, run):
    arguments = "compare", written_out, "--true", "y", "--pred", "p", "q"
    expected = compare_models(Y, {"p": P, "q": Q}, random_state=0)
    found = json.loads(run(*arguments, "--format", "json"))
    assert found == {
        "models": records(expected.models),
        "pairs": records(expected.pairs),
    }
    text = run(*arguments)
    assert text.startswith(repr(expected))
    (pair,) = expected.pairs
    line = text.splitlines()[-1]
    assert line.startswith(f"{pair.a} - {pair.b} ")
    assert line.split()[-1] == f"{pair.adjusted_p_value:.4f}"
    groups = json.loads(run(*arguments, "--by", "g", "--format", "json"))
    assert list(groups) == ["9", "10"]
    y, p, q = of_group("10", Y, P, Q)
    expected = compare_models(y, {"p": p, "q": q}, random_state=0)
    assert groups["10"]["models"] == records(expected.models)


@pytest.mark.usefixtures("reader")
def test_compare_with_weights_and_labels(run, fail, tmp_path):
    y, p, q, _, _, n = zip(*ROWS, strict=True)
    path = write(tmp_path / "weights.csv", "ypqn", zip(y, p, q, n, strict=True))
    arguments = "compare", path, "--true", "y", "--pred", "p", "q", "--weights", "n"
    arguments += "--format", "json", "--labels"
    found = json.loads(run(*arguments, *"abcd"))
    expected = compare_models(
        y, {"p": p, "q": q}, sample_weight=n, labels=[*"abcd"], random_state=0
    )
    for one, other in zip(found["models"], records(expected.models), strict=True):
        assert one == pytest.approx(other, abs=1e-12)
    assert "Missing: 'c'" in fail(1, *arguments, *"ab")


def test_compare_says_in_which_group_something_is_wrong(fail, capsys, tmp_path):
    rows = [("a", "a", "b", "u"), ("b", "b", "b", "u")] * 9
    path = write(tmp_path / "small.csv", "ypqg", [*rows, ("a", "a", "b", "v")])
    arguments = "compare", path, "--true", "y", "--pred", "p", "q", "--by", "g"
    assert "error: g = v: method='delta' needs at least 2" in fail(1, *arguments)
    write(path, "ypqg", rows + [("a", "a", "b", "v")] * 9)
    main([*map(str, arguments), "--format", "json"])
    printed = capsys.readouterr()
    assert "warning: g = v: p and 2 more: The metric is undefined" in printed.err
    assert json.loads(printed.out)["v"]["models"][0]["estimate"] is None


def test_compare_shows_its_progress_on_terminals(written_out, capsys, monkeypatch):
    arguments = ["compare", str(written_out), "--true", "y", "--pred", "p", "q"]
    main([*arguments, "--progress"])
    assert "1 of 1 pairs" in capsys.readouterr().err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    main(arguments)
    assert "1 of 1 pairs" in capsys.readouterr().err
    main([*arguments, "--no-progress"])
    assert capsys.readouterr().err == ""


def test_no_prediction_changes_what_is_found_for_others(capsys, tmp_path):
    """A trailing blank in one column changes nothing that is said of two others."""
    rows = list(zip(Y, P, Q, RNG.permutation(Q), strict=True))
    spoiled = [(y, p, q, f"{r} ") for y, p, q, r in rows]
    found = []
    for number, some in enumerate((rows, spoiled)):
        path = write(tmp_path / f"{number}.csv", "ypqr", some)
        arguments = f"{path} --true y --pred p q r --format json".split()
        main(["compare", *arguments])
        comparison = json.loads(capsys.readouterr().out)
        main(["report", *arguments])
        found.append((comparison, json.loads(capsys.readouterr().out)))
    (one, reports), (other, spoiled_reports) = found
    for name in "pq":
        assert reports[name] == spoiled_reports[name]
        model, same = (
            next(m for m in c["models"] if m["name"] == name) for c in (one, other)
        )
        for key in ("estimate", "low", "high", "standard_error"):
            assert model[key] == pytest.approx(same[key], abs=1e-12)
    pair, same = (
        next(x for x in c["pairs"] if {x["a"], x["b"]} == {"p", "q"})
        for c in (one, other)
    )
    for key in ("difference", "low", "high", "p_value"):
        assert pair[key] == pytest.approx(same[key], abs=1e-12)


TOLD = {
    "blanks": (
        "y,p\na,a\nb,b \nb,b\n",
        ["labels in column 'p' begin or end with blanks, such as 'b '."],
    ),
    "blanks in both": (
        "y,p\na\t,a\n b,a\nb,b\n",
        ["labels in column 'y' begin or end with blanks, such as ' b'."],
    ),
    "numbers": (
        "y,p\n0,0.0\n1,1.0\n1,0\n",
        ["columns 'y' and 'p' have labels '0' and '0.0'."],
    ),
    "numbers apart": (
        "y,p\n0,0.0\n1,1.0\n1,0.0\n",
        [
            "columns 'y' and 'p' have labels '0' and '0.0'.",
            "columns 'y' and 'p' share no label. Got '0', '1' and '0.0', '1.0'.",
        ],
    ),
    "nothing in common": (
        "y,p\ncat,1\ndog,2\n",
        ["columns 'y' and 'p' share no label. Got 'cat', 'dog' and '1', '2'."],
    ),
    "nothing": ("y,p\n01,1\n1,01\n1.5,1\nA,a\na,A\n", []),
}


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("command", ["report", "compare"])
@pytest.mark.parametrize("name", TOLD)
def test_doubtful_labels_are_told_of(name, command, capsys, tmp_path):
    text, messages = TOLD[name]
    path = tmp_path / "doubtful.csv"
    path.write_text(text)
    pred = ["p", "y"] if command == "compare" else ["p"]
    main([command, str(path), "--true", "y", "--pred", *pred])
    printed = capsys.readouterr()
    told = [line for line in printed.err.splitlines() if str(path) in line]
    assert len(told) == len(messages)
    for line, message in zip(told, messages, strict=True):
        assert line.startswith("sklearn-entropy-metrics: warning: ")
        assert message in line
    assert printed.out


def test_a_header_of_one_cell_is_told_of_if_it_is_wanted(capsys, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("y;p\na;a\nb;b\n")
    main(["report", str(path), "--true", "y;p", "--pred", "y;p"])
    told = capsys.readouterr().err
    assert "there is one column only. Cells seem to be separated by ';'" in told


def test_blanks_of_groups_are_told_of(capsys, tmp_path):
    rows = [("a", "a", "u"), ("b", "b", "u "), ("a", "b", "u")]
    path = write(tmp_path / "groups.csv", "ypg", rows)
    main(
        [
            "report",
            str(path),
            *["--true", "y", "--pred", "p", "--by", "g", "--labels", "a", "b"],
        ]
    )
    assert "labels in column 'g' begin or end with blanks" in capsys.readouterr().err


def test_labels_that_are_named_are_meant(run, capsys, tmp_path):
    path = tmp_path / "named.csv"
    path.write_text("y,p\n0,0.0\n1,1 \n1,0\n")
    arguments = "report", path, "--true", "y", "--pred", "p", "--labels"
    assert "1 " in run(*arguments, "0", "1", "0.0", "1 ")
    path.write_text("y,p\n0,0.0\n1,1 \n1,1 \n")
    main([*map(str, arguments), "0", "1", "0.0", "1 "])
    (told,) = capsys.readouterr().err.splitlines()
    assert "columns 'y' and 'p' share no label" in told


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(
    ("suffix", "text", "separator"),
    [
        ("csv", "y;p\na;a\n", "';'"),
        ("csv", "y\tp\na\ta\n", "'tab'"),
        ("csv", "y|p\na|a\n", "'|'"),
        ("tsv", "y,p\na,a\n", "','"),
        ("csv", "y;p;w\na;a;0,5\n", "';'"),
    ],
)
def test_a_wrong_separator_is_told(suffix, text, separator, fail, tmp_path):
    path = tmp_path / f"results.{suffix}"
    path.write_text(text)
    told = fail(1, "report", path, "--true", "y", "--pred", "p")
    assert "there is no column 'y'" in told
    assert f"try --delimiter {separator}." in told
    path.write_text(text.replace("y", "1").replace("p", "2").replace("a", "3"))
    told = fail(1, "report", path, "--matrix")
    if "0,5" not in text:
        assert f"try --delimiter {separator}." in told
