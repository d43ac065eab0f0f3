"""Confusion matrices and Parquet files that the command line reads."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from sklearn_entropy_metrics import EntropyBalance, datasets, information_report

MEG = Path(datasets.__file__).parent / "data" / "meg"

# Valverde-Albacete and Peláez-Moreno (2014), Table 1: k_X|Y, μ, accuracy, EMA, NIT. In
# all rows k = 5 and k_X = 4.950.
TABLE_1 = """\
2.562 1.932 0.680 0.390 0.386
2.447 2.023 0.632 0.409 0.405
2.589 1.912 0.628 0.386 0.382
2.430 2.037 0.622 0.412 0.407
2.723 1.818 0.565 0.367 0.364
2.682 1.846 0.542 0.373 0.369
2.730 1.813 0.539 0.366 0.363
3.629 1.364 0.472 0.276 0.273
2.995 1.653 0.443 0.334 0.331
4.801 1.031 0.242 0.208 0.206
"""


def test_meg_matrices_give_the_published_table(run):
    files = [MEG / f"C{number:02d}.csv" for number in range(1, 11)]
    header, *rows = run("report", "--matrix", *files).splitlines()
    assert header.split() == ["k", "k_X", "k_X|Y", "μ", "accuracy", "EMA", "NIT", "NI"]
    cells = [row.split() for row in rows]
    assert [row[0] for row in cells] == [file.stem for file in files]
    assert {tuple(row[1:3]) for row in cells} == {("5", "4.950")}
    assert [row[3:8] for row in cells] == [row.split() for row in TABLE_1.splitlines()]


MATRICES = {
    "bare": ("5,1\n2,7\n", "01"),
    "header": ("a,b\n5,1\n2,7\n", "ab"),
    "side": ("a,5,1\nb,2,7\n", "ab"),
    "both": ("true,a,b\na,5,1\nb,2,7\n", "ab"),
    "different labels": ("true,y1,y2\na,5,1\nb,2,7\n", "ab"),
    "numbers": ("true,0,1\n0,5,1\n1,2,7\n", "01"),
    "numbers, empty corner": (",7,8\n0,5,1\n1,2,7\n", "01"),
    "text over numbers": (",a,b\n0,5,1\n1,2,7\n", "01"),
    "columns exchanged": ("true,b,a\na,1,5\nb,7,2\n", "ab"),
    "numbers exchanged": (",1,0\n0,1,5\n1,7,2\n", "01"),
}


@pytest.mark.parametrize("name", MATRICES)
def test_labels_of_matrices(name, run, tmp_path):
    text, labels = MATRICES[name]
    path = tmp_path / "matrix.csv"
    path.write_text(text)
    y_true = list(labels[0] * 6 + labels[1] * 9)
    y_pred = list(labels[0] * 5 + labels[1] + labels[0] * 2 + labels[1] * 7)
    assert run("report", path, "--matrix") == information_report(y_true, y_pred)


BAD_MATRICES = {
    "empty": ("", "the file is empty"),
    "header only": ("a,b\n", "no rows below the header"),
    "text": ("5,1\n3,x\n", "line 2, column '2': 'x' is not a number"),
    "text in the corner": ("5x,1\n3,7\n", "line 1, column '1': '5x' is not a number"),
    "text at the side": (",a,b\na,1,2\nb,x,3\n", "line 3, column '2': 'x' is not"),
    "empty cell": ("5,1\n,7\n", "line 2, column '1': the cell is empty"),
    "empty label": ("t,a,b\nx,5,1\n,2,7\n", "labels must be different, and not empty"),
    "label twice": ("t,a,b\nx,5,1\nx,2,7\n", "labels must be different"),
    "negative": ("5,-1\n3,7\n", "line 1, column '2': counts must be non-negative"),
    "NaN": ("5,1\n3,nan\n", "line 2, column '2': 'nan' is not a number"),
    "infinite": ("5,1\n3,inf\n", "line 2, column '2': 'inf' is not a number"),
    "huge": ("5,1\n3,1e999\n", "line 2, column '2': counts must be non-negative"),
    "grouped digits": ("5,1_000\n3,7\n", "line 1, column '2': '1_000' is not a number"),
    "grouped on top": ("1_000,2_000\n3,7\n", "line 1, column '1': '1_000' is not a"),
    "other digits": ("١,٢\n٣,٤\n", "line 1, column '1': '١' is not a number"),
    "zero": ("0,0\n0,0\n", "all cells of the matrix are zero"),
    "ragged": ("5,1\n3\n", "line 2: the row has 1 instead of 2 cells"),
    "numbers at the side": ("t,a,b\n0,5,1\n1,2,7\n", "first column may hold labels"),
    "numbers on top": ("0,1\n5,1\n2,7\n", "first row may hold labels"),
    "labels out of place": (",a,b\nb,5,1\nc,2,7\n", "not in the same places"),
}


@pytest.mark.parametrize("name", BAD_MATRICES)
def test_bad_matrix(name, fail, tmp_path):
    text, message = BAD_MATRICES[name]
    path = tmp_path / "matrix.csv"
    path.write_text(text, encoding="utf-8")
    assert message in fail(1, "report", path, "--matrix")


def test_matrices_of_weights_and_with_a_reject_class(run, tmp_path):
    reject, weights = tmp_path / "reject.csv", tmp_path / "weights.csv"
    reject.write_text("true,a,b,?\na,5,1,2\nb,0,7,1\n")
    weights.write_text("0.25,0.25\n0,0.5\n")
    reports = json.loads(run("report", "--matrix", reject, weights, "--format=json"))
    balance = EntropyBalance.from_confusion_matrix([[5, 1, 2], [0, 7, 1]])
    transfer = reports["reject"]["transfer"]
    assert transfer["mutual_information"] == balance.mutual_information
    assert reports["reject"]["perplexities"]["n_pred_classes"] == 3
    assert reports["reject"]["accuracy"]["accuracy"] is None
    assert reports["weights"]["accuracy"]["accuracy"] == 0.75
    assert reports["weights"]["task"]["n_samples"] == 1.0
    assert "nan" in run("report", "--matrix", reject)


def test_matrices_of_the_same_name_keep_their_folders(run, tmp_path):
    paths = [tmp_path / folder / "matrix.csv" for folder in ("a", "b")]
    for path in paths:
        path.parent.mkdir()
        path.write_text("5,1\n2,7\n")
    reports = json.loads(run("report", "--matrix", *paths, "--format", "json"))
    assert list(reports) == list(map(str, paths))


@pytest.fixture
def parquet(tmp_path):
    """Write columns to a Parquet file in small groups of rows."""
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    def write(**columns):
        path = tmp_path / "table.parquet"
        parquet.write_table(pa.table(columns), path, row_group_size=4)
        return path

    return write


def test_parquet(parquet, run):
    y_true = ["cat"] * 6 + ["dog"] * 2 + ["owl"] * 2
    y_pred = ["cat"] * 5 + ["dog"] + ["dog", "owl", "owl", "owl"]
    weight = [1, 0.5, 2, 0, 1, 1, 3, 1, 1, 1]
    y_proba = [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]] * 5
    a, b, c = zip(*y_proba, strict=True)
    path = parquet(y=y_true, p=y_pred, w=weight, a=a, b=b, c=c)
    options = ("--true", "y", "--pred", "p", "--weights", "w", "--proba", "a", "b", "c")
    text = run("report", path, *options, "--labels", "cat", "dog", "owl")
    assert text == information_report(
        y_true, y_pred, y_proba=y_proba, sample_weight=weight, confidence_level=None
    )


def test_labels_of_parquet_files(parquet, run):
    import pyarrow as pa

    numbers = [10, 9, 9, 1, 1]
    categories = pa.array(map(str, numbers)).dictionary_encode()
    path = parquet(y=numbers, p=[float(n) for n in numbers], q=categories)
    arguments = ("report", path, "--true", "y", "--pred", "p", "q", "--format", "json")
    reports = json.loads(run(*arguments))
    assert list(reports["p"]["classes"]) == ["1", "9", "10"]
    assert reports["p"]["accuracy"]["accuracy"] == 1
    assert reports["q"] == reports["p"]
    path = parquet(y=[True, False], p=[True, True])
    assert "False" in run("report", path, "--true", "y", "--pred", "p")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"y": ["a"] * 6, "p": ["a"] * 5 + [None]},
            "row 6, column 'p': the cell is em",
        ),
        ({"y": ["a", ""], "p": ["a", "a"]}, "row 2, column 'y': the cell is empty"),
        (
            {"y": ["a"] * 6, "p": ["a"] * 5 + [""]},
            "row 6, column 'p': the cell is em",
        ),
        (
            {"y": ["a"] * 6, "p": [1.0] * 4 + [0.5, 1]},
            "row 5, column 'p': 0.5 is not a",
        ),
        ({"y": ["a"], "p": [b"a"]}, "row 1, column 'p': b'a' is not a class label"),
        (
            {"y": ["a"], "p": ["a"], "w": ["1"]},
            "row 1, column 'w': '1' is not a number",
        ),
        ({"y": ["a"], "p": ["a"], "w": [-1]}, "row 1 ('a', 'a', -1): sample_weight"),
        ({"y": ["a"], "q": ["a"]}, "no column 'p'. The columns are 'y', 'q'"),
        ({"y": np.array([], "U1"), "p": np.array([], "U1")}, "there are no rows"),
    ],
)
def test_bad_parquet(columns, message, parquet, fail):
    weights = ("--weights", "w") if "w" in columns else ()
    path = parquet(**columns)
    told = fail(1, "report", path, "--true", "y", "--pred", "p", *weights)
    assert message in told


def test_parquet_without_its_reader(monkeypatch, fail, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = tmp_path / "table.parquet"
    told = fail(1, "report", path, "--true", "y", "--pred", "p")
    assert "package pyarrow" in told


def test_broken_parquet(fail, tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "table.parquet"
    path.write_bytes(b"y,p\na,b\n" * 10)
    assert str(path) in fail(1, "report", path, "--true", "y", "--pred", "p")
