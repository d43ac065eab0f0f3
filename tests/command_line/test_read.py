"""Files that the command line reads, by pyarrow and by the standard library alike."""

import csv
import gzip
import io
import json
import sys
import tracemalloc
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sklearn_entropy_metrics import (
    EntropyBalance,
    ProbabilityBalance,
    information_report,
)
from sklearn_entropy_metrics.__main__ import main
from sklearn_entropy_metrics.command_line import messages
from sklearn_entropy_metrics.command_line.read import blocks, csv_files, lines

pytestmark = pytest.mark.usefixtures("reader")


P_DOG = [0.2, 0.6] * 5


def test_labels_are_text_and_whole_numbers_are_sorted(run, tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_text("y,p\n10,9\n9,10\n-1,-1\n01,1\n1,1\n")
    arguments = ("report", path, "--true", "y", "--pred", "p", "--format", "json")
    classes = json.loads(run(*arguments))["p"]["classes"]
    assert list(classes) == ["-1", "01", "1", "9", "10"]
    assert [row["support"] for row in classes.values()] == [1] * 5
    path.write_text("y,p\n10,9\n9,10\nten,10\n")
    assert list(json.loads(run(*arguments))["p"]["classes"]) == ["10", "9", "ten"]


def test_chunks_give_what_one_shot_gives(run, tmp_path):
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 12, 200_000)
    y_pred = np.where(rng.random(200_000) < 0.7, y_true, rng.integers(0, 12, 200_000))
    weight = rng.integers(0, 8, 200_000) / 4
    path = tmp_path / "long.csv"
    rows = zip(y_true, y_pred, weight, strict=True)
    path.write_text(
        "y,p,w\n" + "".join(f"class {t},class {p},{w}\n" for t, p, w in rows)
    )
    assert path.stat().st_size > 3 * lines._BLOCK
    named = [[f"class {label}" for label in y] for y in (y_true, y_pred)]
    arguments = ("report", path, "--true", "y", "--pred", "p")
    assert run(*arguments) == information_report(*named)
    text = run(*arguments, "--weights", "w")
    assert text == information_report(
        *named, sample_weight=weight, confidence_level=None
    )


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_blocks_end_anywhere(size, monkeypatch, run, tmp_path):
    monkeypatch.setattr(lines, "_BLOCK", size)
    cells = ["naïve", "日本", 'say "a,b"', "two\r\nlines", "\u2028", "x"] * 3
    text = io.StringIO(newline="")
    shifted = cells[1:] + cells[:1]
    csv.writer(text).writerows([["y", "p"], *zip(cells, shifted, strict=True)])
    path = tmp_path / "odd.csv"
    path.write_bytes(text.getvalue().encode("utf-8-sig"))
    report = json.loads(
        run("report", path, "--true", "y", "--pred", "p", "--format", "json")
    )["p"]
    del report["perplexities"]
    assert report == information_report(cells, shifted, output_dict=True)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends(end, last, run, tmp_path):
    path = tmp_path / "ends.csv"
    text = end.join(["y,p", "a,a", "", "b,a", "b,b"]) + (end if last else "")
    path.write_text(text, newline="")
    text = run("report", path, "--true", "y", "--pred", "p")
    assert text == information_report(["a", "b", "b"], ["a", "a", "b"])


def test_probabilities_of_many_blocks_are_those_of_one(run, tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    p = np.round(0.3 + 0.3 * y + 0.1 * rng.random(300), 3)
    path = tmp_path / "binary.csv"
    rows = "".join(f"{a},{b},{c}\n" for a, b, c in zip(y, p, y, strict=True))
    path.write_text("y,p,w\n" + rows)
    arguments = ("report", path, "--true", "y", "--proba", "p", "--labels", "0", "1")
    whole = run(*arguments)
    expected = ProbabilityBalance.from_probabilities(y, p)
    assert f"{expected.information:.3f}" in whole
    monkeypatch.setattr(lines, "_BLOCK", 64)
    assert run(*arguments) == whole


def test_one_column_of_probabilities_is_that_of_the_second_label(run, tmp_path):
    path = tmp_path / "binary.csv"
    y = ["no", "yes"] * 5
    rows = "".join(f"{t},{p}\n" for t, p in zip(y, P_DOG, strict=True))
    path.write_text("y,p_yes\n" + rows)
    arguments = ("report", path, "--true", "y", "--proba", "p_yes", "--format", "json")
    for labels, p_second in (
        (["no", "yes"], P_DOG),
        (["yes", "no"], P_DOG),
    ):
        report = json.loads(run(*arguments, "--labels", *labels))["probabilities"]
        balance = EntropyBalance.from_probabilities(y, p_second, labels=labels)
        factor = report["perplexities"]["information_transfer_factor"]
        assert factor == pytest.approx(balance.information_transfer_factor, rel=1e-12)
        assert report["accuracy"]["accuracy"] == pytest.approx(
            0.7 if labels[1] == "yes" else 0.3
        )


def test_probabilities_that_do_not_sum_to_one_are_told_of(capsys, tmp_path):
    path = tmp_path / "sums.csv"
    path.write_text("y,a,b\na,.5,.2\nb,.1,.9\n")
    main(f"report {path} --true y --proba a b --labels a b --format json".split())
    printed = capsys.readouterr()
    assert printed.err.count("do not sum to one") == 1
    report = json.loads(printed.out)["probabilities"]
    assert report["task"]["n_samples"] == 2


BAD = {
    "empty": (b"", "bad.csv: the file is empty"),
    "blank": (b"\n\n", "bad.csv: the file is empty"),
    "header only": (b"y,p,w\n", "no rows below the header"),
    "no column": (b"y,q,w\na,a,1\n", "no column 'p'. The columns are 'y', 'q', 'w'."),
    "column twice": (b"y,p,p,w\na,a,a,1\n", "several columns are called 'p'"),
    "short row": (b"y,p,w\na,a,1\nb,b\n", "line 3: the row has 2 instead of 3 cells"),
    "long row": (b"y,p,w\na,a,1\n\nb,b,1,1\n", "line 4: the row has 4 instead of 3"),
    "empty cell": (b"y,p,w\na,a,1\n,b,1\n", "line 3, column 'y': the cell is empty"),
    "empty prediction": (b"y,p,w\na,,1\n", "line 2, column 'p': the cell is empty"),
    "empty weight": (b"y,p,w\na,a,\n", "line 2, column 'w': the cell is empty"),
    "open quote": (b'y,p,w\na,a,1\n"b,b,1\n', "line 3: unexpected end of data"),
    "text after quote": (b'y,p,w\n"a"b,a,1\n', "line 2: ',' expected after"),
    "long cell": (b"y,p,w\n" + b"a" * 140_000 + b",a,1\n", "line 2: field larger than"),
    "not UTF-8": (b"y,p,w\na,a,1\na,\xe9,1\n", "line 3: the byte 0xe9 is not UTF-8"),
    "half a character": (b"y,p,w\na,a,1\na,\xc3", "line 3: the byte 0xc3 is not UTF-8"),
    "NUL": (b"y,p,w\na,a,1\na\0,a,1\n", "line 3: there is a NUL character"),
    "UTF-16": ("y,p,w\na,a,1\n".encode("utf-16"), "line 1: the byte 0xff is not"),
    "unknown label": (b"y,p,w\na,a,1\nb,b,1\nb,c,1\n", "line 4 ('b', 'c', 1): labels"),
    "unknown truth": (b"y,p,w\na,a,1\nc,b,1\nd,b,1\n", "Missing: 'c'."),
    "text for weight": (b"y,p,w\na,a,1\na,a,x\n", "line 3, column 'w': 'x' is not a"),
    "negative weight": (b"y,p,w\na,a,1\na,b,-2\n", "line 3 ('a', 'b', -2): sample_we"),
    "NaN for weight": (b"y,p,w\na,a,1\na,b,nan\n", "line 3, column 'w': 'nan' is not"),
    "infinite weight": (
        b"y,p,w\na,a,1\na,b,inf\n",
        "column 'w': 'inf' is not a number",
    ),
    "huge weight": (b"y,p,w\na,a,1\na,b,1e999\n", "line 3 ('a', 'b', inf): sample_"),
    "grouped digits": (b"y,p,w\na,a,1_000\n", "line 2, column 'w': '1_000' is not a"),
    "other digits": (
        "y,p,w\na,a,1\na,a,١\n".encode(),
        "line 3, column 'w': '١' is not",
    ),
    "zero weights": (b"y,p,w\na,a,0\na,b,0\n", "all weights in column 'w' are zero"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_file(name, fail, tmp_path):
    content, message = BAD[name]
    path, output = tmp_path / "bad.csv", tmp_path / "output"
    path.write_bytes(content)
    output.write_text("what was there")
    for command in ("report", "plot"):
        kept = output if command == "report" else output.with_suffix(".svg")
        kept.write_text("what was there")
        told = fail(
            *(1, command, path, "--true", "y", "--pred", "p", "--weights", "w"),
            *("--labels", "a", "b", "-o", kept),
        )
        assert told.startswith("sklearn-entropy-metrics: error: ")
        assert str(path) in told
        assert message in told
        assert told.count("\n") == 1
        assert kept.read_text() == "what was there"
    assert sorted(tmp_path.iterdir()) == [path, output, output.with_suffix(".svg")]


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("x", "line 4, column 'b': 'x' is not a number"),
        ("", "line 4, column 'b': the cell is empty"),
        ("1.5", "line 4 ('b', 0.1, 1.5): y_proba must lie between 0 and 1"),
        ("-0.5", "line 4 ('b', 0.1, -0.5): y_proba must lie between 0 and 1"),
        ("nan", "line 4, column 'b': 'nan' is not a number"),
        ("0_1", "line 4, column 'b': '0_1' is not a number"),
        ("٠.٩", "line 4, column 'b': '٠.٩' is not a number"),
    ],
)
def test_bad_probabilities(cell, message, fail, tmp_path):
    path = tmp_path / "bad.csv"
    text = f"y,a,b\na,1,0\na,1,0\nb,.1,{cell}\nb,.1,.9\nb,3,3\n"
    path.write_text(text, encoding="utf-8")
    told = fail(1, *f"report {path} --true y --proba a b --labels a b".split())
    assert message in told


def test_probabilities_next_to_nothing(run, tmp_path):
    # All but certain: the share of the other class is subnormal.
    path = tmp_path / "proba.csv"
    rows = ["a,1,0"] * 999 + ["a,1,1e-322"] + ["b,0,1"] * 1000
    path.write_text("y,a,b\n" + "\n".join(rows))
    arguments = f"report {path} --true y --proba a b --labels a b --format json"
    report = json.loads(run(*arguments.split()))["probabilities"]
    assert report["transfer"] == pytest.approx(dict.fromkeys(report["transfer"], 1))
    assert report["triangle"] == pytest.approx(
        {"divergence": 0, "mutual_information": 1, "variation_of_information": 0}
    )
    for value in report["confusion_entropy"].values():
        assert value == pytest.approx(0)


@pytest.mark.parametrize("cells", ["1,2,0.5", "1.,+2,.5", "1e0,20E-1, 5e-1 "])
def test_forms_of_plain_numbers(cells, run, tmp_path):
    path = tmp_path / "weights.csv"
    rows = zip("aab", "abb", cells.split(","), strict=True)
    path.write_text("y,p,w\n" + "".join(",".join(row) + "\n" for row in rows))
    text = run(*f"report {path} --true y --pred p --weights w".split())
    expected = information_report(
        [*"aab"], [*"abb"], sample_weight=[1, 2, 0.5], confidence_level=None
    )
    assert text == expected
    path.write_text(cells + "\n1,2,3\n4,5,6\n")
    report = run(*f"report {path} --matrix".split())
    assert report == information_report(
        table=[[1, 2, 0.5], [1, 2, 3], [4, 5, 6]], confidence_level=None
    )


def test_an_endless_line_does_not_fill_the_memory(monkeypatch, fail, tmp_path):
    monkeypatch.setattr(lines, "_BLOCK", 10)
    monkeypatch.setattr(lines, "_LONGEST", 100)
    path = tmp_path / "endless.csv"
    path.write_text("y,p\na,b\n" + "a" * 500)
    told = fail(1, *f"report {path} --true y --pred p".split())
    assert "line 3: the line has more than 100 characters" in told


def test_errors_far_into_a_file_have_their_line(monkeypatch, fail, tmp_path):
    monkeypatch.setattr(lines, "_BLOCK", 1 << 16)
    path = tmp_path / "long.csv"
    rows = ["y,p", *["a,b"] * 70_000, '"a\nb",b', "a,?"]
    path.write_text("\n".join(rows))
    told = fail(1, *f"report {path} --true y --pred p --labels a b".split())
    assert "line 70003 ('a\\nb', 'b')" in told
    rows[-2] = "a,b"
    path.write_text("\n".join(rows))
    told = fail(1, *f"report {path} --true y --pred p --labels a b".split())
    assert "line 70003 ('a', '?')" in told


def test_files_that_cannot_be_read(fail, tmp_path):
    options = ("--true", "y", "--pred", "p")
    assert "missing.csv" in fail(1, "report", tmp_path / "missing.csv", *options)
    assert str(tmp_path) in fail(1, "report", tmp_path, *options)
    broken = tmp_path / "broken.csv.gz"
    broken.write_bytes(gzip.compress(b"y,p\na,b\n" * 100)[:-20])
    assert f"{broken}: " in fail(1, "report", broken, *options)
    broken.write_bytes(b"y,p\na,b\n")
    assert "Not a gzipped file" in fail(1, "report", broken, *options)


def test_progress_is_shown_on_standard_error_only(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(messages, "_PATIENCE", 0)
    monkeypatch.setattr(messages, "_INTERVAL", 0)
    monkeypatch.setattr(lines, "_BLOCK", 1000)
    path = tmp_path / "long.csv"
    path.write_text("y,p\n" + "a,b\nb,b\n" * 1000)
    arguments = ["report", str(path), "--true", "y", "--pred", "p"]
    main(arguments)  # no terminal
    assert capsys.readouterr().err == ""
    main([*arguments, "--progress"])
    printed = capsys.readouterr()
    assert printed.out == information_report(["a", "b"] * 1000, ["b", "b"] * 1000)
    shown = [line for line in printed.err.split("\r") if line.strip()]
    assert len(shown) == 9
    assert shown[1].split("]")[1].split() == ["25%", "499", "rows"]
    assert shown[-1].split("]")[1].split() == ["100%", "2,000", "rows"]
    assert printed.err.endswith("\r")  # and the line is blank again
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    main(arguments)
    assert capsys.readouterr().err == printed.err
    main([*arguments, "--no-progress"])
    assert capsys.readouterr().err == ""


PLAIN = {
    "unquoted": "y,p\n" + "a,b\nb,b\n" * 50,
    "quoted": '"y","p"\n' + '"a","b"\n"b","b"\n' * 50,
    "some quoted": 'y,p\n"a",b\n"b","b"\n' + "a,b\nb,b\n" * 49,
    "line ends of two characters": "y,p\r\n" + "a,b\r\nb,b\r\n" * 50,
    "more columns": "id,y,t,p\n"
    + "".join(f'{i},a,"x, ""{i}""",b\n{i}.,b,,b\n' for i in range(50)),
    "columns in another order": "p,y\n" + "b,a\nb,b\n" * 50,
    "no end": "y,p\n" + "\n".join(["a,b\nb,b"] * 50),
}


@pytest.mark.parametrize("name", PLAIN)
def test_pyarrow_reads_plain_files(name, reader, monkeypatch, run, tmp_path):
    if reader == "pyarrow":
        monkeypatch.setattr(csv_files, "_next_block", lambda opened, *args: None)
    monkeypatch.setattr(lines, "_BLOCK", 300)
    path = tmp_path / "plain.csv.gz"
    path.write_bytes(gzip.compress(PLAIN[name].encode()))
    text = run("report", path, "--true", "y", "--pred", "p")
    assert text == information_report(["a", "b"] * 50, ["b", "b"] * 50)


def test_pyarrow_comes_back_after_a_block_that_is_not_plain(
    reader, monkeypatch, run, tmp_path
):
    read, calls = csv_files._next_block, []

    def count(*args):
        block = read(*args)
        calls.append(block)
        return block

    monkeypatch.setattr(csv_files, "_next_block", count)
    monkeypatch.setattr(lines, "_BLOCK", 400)
    path = tmp_path / "blank.csv"
    path.write_text("y,p\n" + "a,b\nb,b\n" * 500 + "\n" + "a,b\nb,b\n" * 500)
    text = run("report", path, "--true", "y", "--pred", "p")
    assert text == information_report(["a", "b"] * 1000, ["b", "b"] * 1000)
    n_read = sum(len(block.places) for block in calls if block is not None)
    assert (n_read < 300) == (reader == "pyarrow")


def test_weights_and_probabilities_by_both_readers(reader, monkeypatch, run, tmp_path):
    rng = np.random.default_rng(0)
    y = rng.choice([*"ab"], 300)
    p = np.round(rng.random(300), 3)
    w = np.round(5 * rng.random(300), 2)
    path = tmp_path / "weights.csv"
    rows = zip(y, y[::-1], p, w, strict=True)
    path.write_text("y,q,p,w\n" + "".join(f"{a},{b},{c},{d}\n" for a, b, c, d in rows))
    monkeypatch.setattr(lines, "_BLOCK", 500)
    if reader == "pyarrow":
        monkeypatch.setattr(csv_files, "_next_block", lambda opened, *args: None)
    options = ["--pred", "q", "--proba", "p", "--labels", "a", "b", "--weights", "w"]
    text = run("report", path, "--true", "y", *options)
    assert text == information_report(
        y, y[::-1], y_proba=p, sample_weight=w, confidence_level=None
    )


def test_memory_does_not_grow_with_the_file(monkeypatch, run, tmp_path):
    pa = pytest.importorskip("pyarrow")
    monkeypatch.setattr(lines, "_BLOCK", 1 << 14)
    path = tmp_path / "long.csv"
    arguments = "report", path, "--true", "y", "--pred", "p"
    peaks = []
    for n_rows in (5_000, 5_000, 50_000):  # the first one imports
        path.write_text(
            "id,y,p\n" + "".join(f"{i},a,b\n{i},b,b\n" for i in range(n_rows))
        )
        tracemalloc.start()
        run(*arguments)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < peaks[1] + path.stat().st_size / 10
    assert pa.total_allocated_bytes() < path.stat().st_size / 10


def outcome(path, columns):
    """Rows with their numbers, how often they are there and where, or what is wrong."""
    found, places = Counter(), []
    try:
        for block in csv_files.read_csv(path, None, columns, messages.Progress(False)):
            places.extend(block.places)
            counts = block.counts
            counts = np.ones(len(block.labels[0])) if counts is None else counts
            groups = [] if block.groups is None else [block.groups]
            rows = zip(*block.labels, *groups, *block.numbers, strict=True)
            for row, count in zip(rows, counts.tolist(), strict=True):
                found[row] += count
    except ValueError as error:
        return str(error)
    return +found, places  # rows without samples are none


# Plain cells, those that are read all the same, and those that are not.
TEXTS = ["a", "b", '"a"', '"a""b"', 'a"b', "a ", "é", "\x01", '"a,b"', '"a\nb"', "\t"]
TEXTS += ['"a"b', '"', '""', "", '"""', 'a"', '"a', "a,b", "a\rb", "NA"]
NUMBERS = ["1", '"2"', " 2 ", "+2", ".5e1", "-0", "1.0", "3e0"]
NUMBERS += ["-1", "0.5", "1_0", "nan", "inf", "1e999", "٣", "0x1", "", "1 2", "1e16"]
ENDS = ["\n"] * 9 + ["\r\n", "\r", "\n\n", "", ",a\n"]
WANTED = {
    "labels": blocks.Columns(["y", "p"], []),
    "weights": blocks.Columns(["y", "p"], ["n"]),
    "counts": blocks.Columns(["y", "p"], [], counts="n"),
    "groups": blocks.Columns(["y", "p"], [], group="n"),
    "classes": blocks.Columns(["y", "p"], [], classes=frozenset("ab")),
    "one": blocks.Columns(["y", "y"], []),
}
CASES = [
    (name, n_columns)
    for n_columns in (2, 3)
    for name, columns in WANTED.items()
    if set(columns.names) <= set("ypn"[:n_columns])
]


def lines_of(cells, n_columns):
    third = NUMBERS if n_columns == 3 else []
    columns = [st.sampled_from(cells)] * 2 + [st.sampled_from(third)] * bool(third)
    return st.tuples(st.tuples(*columns).map(",".join), st.sampled_from(ENDS)).map(
        "".join
    )


def test_quotes_of_a_column_that_is_wanted_twice(reader, tmp_path):
    path = tmp_path / "twice.csv"
    path.write_text('y,p\n"b",b\na,"a"b\n', encoding="utf-8")
    assert "line 3: ',' expected after" in outcome(str(path), WANTED["one"])


@pytest.mark.parametrize("reader", ["pyarrow"], indirect=True)
@pytest.mark.parametrize(("name", "n_columns"), CASES)
@given(data=st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_readers_find_the_same(reader, name, n_columns, data, tmp_path):
    columns = WANTED[name]
    usual = st.sampled_from(["a,b,1\n", '"b",b,"2"\n', "b,b,3\n"])
    if n_columns == 2:
        usual = st.sampled_from(["a,b\n", '"b",b\n', "b,b\n"])
    odd = lines_of(data.draw(st.sampled_from([TEXTS[:8], TEXTS])), n_columns)
    text = data.draw(st.lists(usual, max_size=30))
    text += data.draw(st.lists(st.one_of(usual, odd), max_size=6))
    path = tmp_path / "any.csv"
    header = ",".join("ypn"[:n_columns]) + "\n"
    path.write_text(header + "".join(text), encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_BLOCK", data.draw(st.sampled_from([1 << 20, 40, 7])))
        by_pyarrow = outcome(str(path), columns)
        patch.setitem(sys.modules, "pyarrow.csv", None)
        assert outcome(str(path), columns) == by_pyarrow
