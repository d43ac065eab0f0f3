"""Files of all kinds, what is read from them, and what is wrong with them."""

import csv
import gzip
import io
import json
import sys
import tracemalloc

import numpy as np
import pytest

from sklearn_entropy_metrics import (
    EntropyBalance,
    compare_models,
    compare_segments,
    contingency_table,
    information_report,
)
from sklearn_entropy_metrics.__main__ import main

pl = pytest.importorskip("polars")

RNG = np.random.default_rng(0)
# True labels, two predictions, a group and a count.
ROWS = [
    (*map(str, row), int(n))
    for *row, n in zip(
        RNG.choice([*"abc"], 60),
        RNG.choice([*"abc"], 60),
        RNG.choice([*"abc"], 60),
        RNG.choice(["9", "10"], 60),
        RNG.integers(0, 5, 60),
        strict=True,
    )
]
WRITTEN_OUT = [row[:-1] for row in ROWS for _ in range(row[-1])]
Y, P, Q, G = map(list, zip(*WRITTEN_OUT, strict=True))
COLUMNS = "--true", "y", "--pred", "p"


def write(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


@pytest.fixture
def rows(tmp_path):
    """A file of labels and groups, a row for each sample."""
    return write(tmp_path / "rows.csv", "ypqg", WRITTEN_OUT)


@pytest.fixture
def report(run):
    """Run `report` on a file; give the numbers of each prediction."""

    def run_report(*arguments):
        return json.loads(run("report", *arguments, "--format", "json"))

    return run_report


def table_of(report):
    """Support and recall tell tables of two classes apart."""
    return {name: row["support"] for name, row in report["classes"].items()}


class TestKinds:
    def frame(self):
        return pl.DataFrame({"y": Y, "p": P, "g": G, "w": list(range(len(Y)))})

    @pytest.mark.parametrize(
        "name",
        ["a.csv.gz", "a.txt", "a.tsv", "a.parquet", "a.jsonl.gz"],
    )
    def test_by_name(self, name, run, tmp_path):
        path, buffer = tmp_path / name, io.BytesIO()
        if "json" in name:
            self.frame().write_ndjson(buffer)
        elif "parquet" in name:
            self.frame().write_parquet(buffer)
        else:
            self.frame().write_csv(buffer, separator="\t" if "tsv" in name else ",")
        content = buffer.getvalue()
        path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
        assert run("report", path, *COLUMNS) == information_report(Y, P)

    def test_compressed_without_saying_so(self, run, tmp_path):
        path = tmp_path / "a.csv"
        path.write_bytes(gzip.compress(self.frame().write_csv().encode()))
        assert run("report", path, *COLUMNS) == information_report(Y, P)
        zstd = b"(\xb5/\xfd\x00Xa\x00\x00y,p\na,a\nb,b\n"
        path.write_bytes(zstd)
        assert run("report", path, *COLUMNS) == information_report([*"ab"], [*"ab"])

    @pytest.mark.parametrize("delimiter", ["tab", ";"])
    def test_delimiters(self, delimiter, run, tmp_path):
        path = tmp_path / "a.csv"
        path.write_text(
            self.frame().write_csv(separator=";" if delimiter == ";" else "\t")
        )
        text = run("report", path, *COLUMNS, "--delimiter", delimiter)
        assert text == information_report(Y, P)

    @pytest.mark.parametrize("ends", ["\r\n", "\n\n", "\n"])
    def test_lines(self, ends, run, tmp_path):
        """Blank lines are none; quotes, byte-order marks and line ends are."""
        path = tmp_path / "a.csv"
        cells = zip(Y, P, strict=True)
        lines = ['"y",z,p', *(f'"{y}","x, ""x""\n",{p}' for y, p in cells)]
        path.write_bytes(b"\xef\xbb\xbf" + ends.join([*lines, "", ""]).encode())
        assert run("report", path, *COLUMNS) == information_report(Y, P)

    def test_standard_input(self, run, monkeypatch):
        for content in (self.frame().write_csv().encode(), b"y,p\n\xe4,\xe4\nb,b\n"):
            encoding = "latin-1" if b"\xe4" in content else "utf8"
            stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(content)))
            monkeypatch.setattr(sys, "stdin", stdin)
            text = run("report", "-", *COLUMNS, "--encoding", encoding)
            expected = (Y, P) if encoding == "utf8" else ([*"äb"], [*"äb"])
            assert text == information_report(*expected)

    def test_several_files_and_patterns(self, run, fail, tmp_path):
        frame = self.frame()
        frame[:50].write_csv(tmp_path / "1.csv")
        frame[50:].select("p", "w", "y").write_parquet(tmp_path / "2.parquet")
        expected = information_report(Y, P)
        files = tmp_path / "1.csv", tmp_path / "2.parquet"
        assert run("report", *files, *COLUMNS) == expected
        assert run("report", tmp_path / "[12].*", *COLUMNS) == expected
        assert run("report", tmp_path / "[12].*", files[0], *COLUMNS) == expected
        assert "no file is called" in fail(1, "report", tmp_path / "*.tsv", *COLUMNS)
        files[0].rename(tmp_path / "[12].csv")  # a name, not a pattern
        run("report", tmp_path / "[12].csv", *COLUMNS)

    @pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
    def test_encodings(self, encoding, report, fail, tmp_path):
        path = tmp_path / "a.csv"
        content = "y,p\nKäse,Käse\nb,b\n".encode(encoding)
        for some in (content, gzip.compress(content)):
            path.write_bytes(some)
            found = report(path, *COLUMNS, "--encoding", encoding)
            assert list(found["p"]["classes"]) == ["Käse", "b"]
        path.write_bytes(content)
        named = (
            "such as --encoding latin-1"
            if encoding == "latin-1"
            else "--encoding utf-16"
        )
        assert named in fail(1, "report", path, *COLUMNS)

    @pytest.mark.slow
    def test_memory_does_not_grow_with_the_file(self, run, tmp_path):
        path = tmp_path / "long.csv"
        path.write_text("y,p\n" + "a,b\nb,b\n" * 1_000_000)
        tracemalloc.start()
        run("report", path, *COLUMNS)
        assert tracemalloc.get_traced_memory()[1] < path.stat().st_size / 2
        tracemalloc.stop()


class TestLabels:
    @pytest.mark.parametrize(
        ("true", "pred", "classes"),
        [
            (["10", "9", "-1"], ["10", "9", "9"], ["-1", "9", "10"]),
            (["0", "1", "1"], ["0.0", "1.", "0"], ["0", "1"]),
            (["01", "1", "2"], ["1", "1", "2"], ["01", "1", "2"]),
            (["0", "1", "?"], ["0", "0.0", "?"], ["0", "0.0", "1", "?"]),
            (["1.5", "10", "9"], ["9"] * 3, ["1.5", "10", "9"]),
            (["1" * 19, "1" * 20, "2"], ["2"] * 3, ["1" * 19, "1" * 20, "2"]),
            (["NA", "nan", "1e3"], ["NA"] * 3, ["1e3", "NA", "nan"]),
        ],
    )
    def test_numbers_if_all_are(self, true, pred, classes, report, tmp_path):
        path = write(tmp_path / "a.csv", "yp", zip(true, pred, strict=True))
        found = report(path, *COLUMNS)["p"]
        assert list(found["classes"]) == classes
        reversed_ = ["--labels", *reversed(classes)]
        found = report(path, *COLUMNS, *reversed_)["p"]
        assert list(found["classes"]) == reversed_[1:]

    def test_types_of_parquet_files(self, report, tmp_path):
        path = tmp_path / "a.parquet"
        pl.DataFrame(
            {
                "y": [10, 9, 9, 1] * 20,
                "p": [10.0, 9.0, 9.0, 1.0] * 20,
                "q": pl.Series(["10", "9", "9", "1"] * 20, dtype=pl.Categorical),
            }
        ).write_parquet(path)
        reports = report(path, *COLUMNS, "q")["reports"]
        assert reports["p"] == reports["q"]
        assert reports["p"]["accuracy"]["accuracy"] == 1
        assert list(reports["p"]["classes"]) == ["1", "9", "10"]

    @pytest.mark.slow
    def test_no_prediction_changes_another(self, capsys, tmp_path):
        """A blank, or a text among numbers, in one column is nothing to two others."""
        y, p, q, r = RNG.integers(0, 3, (4, 60))
        whole = list(zip(y, p * 1.0, q, r, strict=True))
        spoiled = [(y, p, q, f"{r} ") for y, p, q, r in whole]
        found = []
        for some in (whole, spoiled):
            path = write(tmp_path / "a.csv", "ypqr", some)
            arguments = f"{path} --true y --pred p q r --format json".split()
            main(["compare", *arguments, "--metric", "accuracy"])
            comparison = json.loads(capsys.readouterr().out)
            main(["report", *arguments])
            found.append((comparison, json.loads(capsys.readouterr().out)["reports"]))
        (one, reports), (other, others) = found
        for name in "pq":
            assert reports[name] == others[name]
            model, same = (
                next(m for m in c["models"] if m["name"] == name) for c in (one, other)
            )
            assert model["estimate"] == pytest.approx(same["estimate"], abs=1e-12)
        pair, same = (
            next(x for x in c["pairs"] if {x["a"], x["b"]} == {"p", "q"})
            for c in (one, other)
        )
        assert pair["p_value"] == pytest.approx(same["p_value"], abs=1e-12)

    DOUBTS = {  # noqa: RUF012
        "y,p\na,a\nb,b \nb,b\n": ["'p' begin or end with blanks, such as 'b '."],
        "y,p\na\t,a\n b,a\nb,b\n": ["'y' begin or end with blanks, such as ' b'."],
        "y,p\ncat,1\ndog,2\n": ["'p' share no label. Got 'cat', 'dog' and '1', '2'."],
        "y,p\n0,0.0\n1,1.0\n1,0.0\n": [],
        "y,p\n01,1\n1,01\n1.5,1\nA,a\na,A\n": [],
    }

    @pytest.mark.parametrize("command", ["report", "compare"])
    @pytest.mark.parametrize("text", DOUBTS)
    def test_doubts(self, text, command, capsys, tmp_path):
        path = tmp_path / "doubtful.csv"
        rows = [line.split(",") for line in text.splitlines()[1:]]
        write(path, "ypq", [(y, p, y.strip()) for y, p in rows])
        pred = ["p", "q"] if command == "compare" else ["p"]
        main([command, str(path), "--true", "y", "--pred", *pred])
        said = capsys.readouterr().err.splitlines()
        said = [line for line in said if str(path) in line]
        for line, message in zip(said, self.DOUBTS[text], strict=True):
            assert message in line
            assert line.startswith("sklearn-entropy-metrics: warning: ")


class TestAmounts:
    @pytest.mark.parametrize(
        "command",
        [
            "report {} --true y --pred p",
            "report {} --true y --pred p q --format json",
            "report {} --true y --pred p --by g --full",
            "report {} --true y --pred p --labels c b a",
            "compare {} --true y --pred p q --format json",
        ],
    )
    def test_counts_are_the_rows_written_out(self, command, rows, run, tmp_path):
        counted = write(tmp_path / "counted.csv", "ypqgn", ROWS)
        text = run(*command.format(counted).split(), "--counts", "n")
        assert text == run(*command.format(rows).split())
        assert "nan" not in text

    def test_huge_counts_are_exact(self, report, tmp_path):
        rows = [("a", "a", 2**52), ("b", "b", 1)]
        path = write(tmp_path / "huge.csv", "ypn", rows)
        found = report(path, *COLUMNS, "--counts", "n")["p"]
        assert table_of(found) == {"a": 2**52, "b": 1}

    def test_weights_have_intervals(self, report, run, tmp_path):
        weight = RNG.random(len(Y)).round(3)
        rows = zip(Y, P, weight, strict=True)
        path = write(tmp_path / "weights.csv", "ypw", rows)
        found = report(path, *COLUMNS, "--weights", "w")["p"]
        expected = information_report(Y, P, sample_weight=weight, output_dict=True)
        for name, numbers in expected["intervals"].items():
            assert found["intervals"][name] == pytest.approx(numbers, abs=1e-12)

    def test_of_comparisons(self, run, tmp_path):
        weight = RNG.random(len(Y)).round(3)
        rows = zip(Y, P, Q, weight, strict=True)
        path = write(tmp_path / "weights.csv", "ypqw", rows)
        arguments = *COLUMNS, "q", "--weights", "w", "--format", "json"
        found = json.loads(run("compare", path, *arguments, "--labels", *"abcd"))
        expected = compare_models(
            Y, {"p": P, "q": Q}, sample_weight=weight, labels=[*"abcd"], random_state=0
        )
        for one, other in zip(found["models"], expected.models, strict=True):
            assert one == pytest.approx(vars(other), abs=1e-12)


class TestSegments:
    def test_are_compared(self, rows, run, report):
        expected = compare_segments(Y, P, G, random_state=0)
        found = report(rows, *COLUMNS, "--by", "g")
        names = [segment["name"] for segment in found["segments"]]
        assert names == list(found["reports"]) == ["9", "10"]  # by value
        for segment in expected.segments:
            (own,) = (one for one in found["segments"] if one["name"] == segment.name)
            assert own == pytest.approx(vars(segment), abs=1e-12)
        assert found["overall"] == pytest.approx(vars(expected.overall), abs=1e-12)
        for name in ("separation", "independence", "sufficiency"):
            bits = getattr(expected, name).bits
            assert found["tests"][name]["bits"] == pytest.approx(bits, abs=1e-12)
        own = [[c for c, g in zip(x, G, strict=True) if g == "9"] for x in (Y, P)]
        assert found["reports"]["9"] == information_report(*own, output_dict=True)
        text = run("report", rows, *COLUMNS, "--by", "g")
        assert text.startswith(expected.summary()[:20])
        assert len(text.splitlines()) < 18
        full = run("report", rows, *COLUMNS, "--by", "g", "--full")
        assert full.startswith(text)
        assert information_report(*own) in full

    def test_have_the_same_classes(self, capsys, tmp_path):
        some = [("a", "a", "u"), ("b", "b", "u"), ("a", "a", "v"), ("c", "c", "v")]
        path = write(tmp_path / "segments.csv", "ypg", some * 4)
        main(["report", str(path), *COLUMNS, "--by", "g", "--format", "json"])
        found = json.loads(capsys.readouterr().out)["reports"]
        assert [list(one["classes"]) for one in found.values()] == [[*"abc"]] * 2

    def test_without_samples_are_none(self, report, fail, tmp_path):
        some = [("a", "a", "u", 0), ("b", "b", "v", 40), ("a", "b", "v", 40)]
        some += [("b", "b", "w", 40), ("a", "a", "w", 40)]
        path = write(tmp_path / "zero.csv", "ypgn", some)
        found = report(path, *COLUMNS, "--by", "g", "--counts", "n")
        assert list(found["reports"]) == ["v", "w"]
        write(path, "ypgn", some[:3])
        said = fail(1, "report", path, *COLUMNS, "--by", "g", "--counts", "n")
        assert "two segments or more. Got ['v']." in said
        write(path, "ypgn", some[:1])
        said = fail(1, "report", path, *COLUMNS, "--counts", "n")
        assert "none of a weight or count above 0" in said


BAD = {
    "empty": (b"", "bad.csv: the file is empty"),
    "header only": (b"y,p,w\n", "bad.csv: there are no samples"),
    "no column": (b"y,q,w\na,a,1\n", "no column 'p'. The columns are 'y', 'q', 'w'."),
    "semicolons": (b"y;p;w\na;a;1\n", 'Say --delimiter ";"'),
    "short row": (b"y,p,w\na,a,1\nb,b\n", "row 2, column 'w': the cell is empty"),
    "long row": (b"y,p,w\na,a,1\n\nb,b,1,1\n", "found more fields than"),
    "empty label": (b"y,p,w\na,a,1\n,b,1\n", "row 2, column 'y': the cell is empty"),
    "empty quotes": (b'y,p,w\na,"",1\n', "row 1, column 'p': the cell is empty"),
    "open quote": (b'y,p,w\na,a,1\n"b,b,1\n', "could not parse"),
    "not UTF-8": (b"y,p,w\na,a,1\na,\xe9,1\n", "the text is not UTF-8"),
    "UTF-16": ("y,p,w\na,a,1\n".encode("utf-16"), "--encoding utf-16"),
    "unknown label": (b"y,p,w\na,a,1\nb,b,1\nb,c,1\n", "Got 'c' besides"),
    "text": (b"y,p,w\na,a,1\na,a,x\n", "row 2, column 'w': the cell must hold a non-n"),
    "infinite": (b"y,p,w\na,a,1\na,b,1e999\n", "finite number. Got '1e999'"),
    "grouped digits": (b"y,p,w\na,a,1_000\n", "finite number. Got '1_000'"),
    "zero weights": (b"y,p,w\na,a,0\na,b,0\n", "none of a weight or count above 0"),
}


class TestBad:
    @pytest.mark.parametrize("name", BAD)
    def test_file(self, name, fail, tmp_path):
        content, message = BAD[name]
        path, output = tmp_path / "bad.csv", tmp_path / "output.svg"
        path.write_bytes(content)
        output.write_text("what was there")
        columns = (*COLUMNS, "--weights", "w", "--labels", "a", "b", "-o", output)
        said = fail(1, "report", path, *columns)
        assert said.startswith(f"sklearn-entropy-metrics: error: {path}")
        assert message in said
        assert said.count("\n") == 1
        assert output.read_text() == "what was there"
        assert sorted(tmp_path.iterdir()) == [path, output]

    @pytest.mark.parametrize("cell", ["1.5", "1e16", ""])
    def test_counts(self, cell, fail, tmp_path):
        path = write(tmp_path / "bad.csv", "ypn", [("a", "a", 1), ("b", "b", cell)])
        said = fail(1, "report", path, *COLUMNS, "--counts", "n")
        assert "row 2, column 'n': the cell" in said
        assert (f"Got '{cell}'" if cell else "is empty") in said

    @pytest.mark.parametrize("cell", ["", "1.5", "nan"])
    def test_probabilities(self, cell, fail, tmp_path):
        path = tmp_path / "bad.csv"
        path.write_text(f"y,a,b\na,1,0\na,1,0\nb,.1,{cell}\nb,.1,.9\nb,3,3\n")
        arguments = f"report {path} --true y --pred y --proba b --labels a b".split()
        assert "bad.csv, row 3, column 'b': the cell" in fail(1, *arguments)

    def test_the_file_and_the_row_are_named(self, fail, tmp_path):
        good = write(tmp_path / "good.csv", "yp", [("a", "a")] * 3)
        bad = write(tmp_path / "bad.csv", "yp", [("a", "a")] * 70_000 + [("a", "")])
        for command, columns in (("report", COLUMNS), ("compare", (*COLUMNS, "y"))):
            said = fail(1, command, good, bad, *columns)
            assert f"error: {bad}, row 70001, column 'p': the cell is empty" in said

    def test_missing_rows_are_left_out_and_counted(self, capsys, tmp_path):
        path = tmp_path / "missing.csv"
        path.write_text('y,p,w\na,a,1\n\nb,,1\n"",b,1\nb,b,\nb,a,2\nb,b,1\n')
        for command, pred in (("report", ["p"]), ("compare", ["p", "y"])):
            arguments = [command, str(path), "--true", "y", "--pred", *pred]
            main([*arguments, "--weights", "w", "--drop-missing", "--format", "json"])
            printed = capsys.readouterr()
            assert "rows left out because a cell is empty: 3." in printed.err
        main(["report", str(path), *COLUMNS, "--drop-missing"])
        expected = information_report([*"abbb"], [*"abab"])
        assert capsys.readouterr().out == expected

    def test_typed_files(self, fail, tmp_path):
        path = tmp_path / "a.parquet"
        for pred, message in (
            (["a", None], "row 2, column 'p': the cell is empty"),
            ([1.0, np.nan], "row 2, column 'p': the cell"),
            ([[1], [2]], "cannot cast"),
        ):
            frame = pl.DataFrame({"y": ["a", "b"], "p": pred}, strict=False)
            frame.write_parquet(path)
            assert message in fail(1, "report", path, *COLUMNS)
        path.write_bytes(b"y,p\na,b\n" * 10)
        assert str(path) in fail(1, "report", path, *COLUMNS)
        lines = tmp_path / "a.ndjson"
        lines.write_text('{"y": 1, "p": 2}\n{"y": 1, ')
        assert str(lines) in fail(1, "report", lines, *COLUMNS)

    def test_files_that_cannot_be_read(self, fail, tmp_path):
        assert "missing.csv" in fail(1, "report", tmp_path / "missing.csv", *COLUMNS)
        assert str(tmp_path) in fail(1, "report", tmp_path, *COLUMNS)
        broken = tmp_path / "broken.csv.gz"
        broken.write_bytes(gzip.compress(b"y,p\na,b\n" * 10_000)[:-20])
        assert f"{broken}: " in fail(1, "report", broken, *COLUMNS)

    @pytest.mark.parametrize("package", ["polars", "narwhals"])
    def test_missing_packages_are_named(self, package, monkeypatch, fail, rows):
        monkeypatch.setitem(sys.modules, package, None)
        for name in [name for name in sys.modules if ".command_line." in name]:
            monkeypatch.delitem(sys.modules, name)
        for name in ("read", "commands"):  # there if they were imported before
            path = f"sklearn_entropy_metrics.command_line.{name}"
            monkeypatch.delattr(path, raising=False)
        said = fail(1, "report", rows, *COLUMNS)
        assert package in said
        assert "extra" in said


MATRICES = {
    "bare": ("5,1\n2,7\n", "01"),
    "both": ("true,a,b\na,5,1\nb,2,7\n", "ab"),
    "different labels": ("true,y1,y2\na,5,1\nb,2,7\n", "ab"),
    "numbers": ("true,0,1\n0,5,1\n1,2,7\n", "01"),
    "numbers, empty corner": (",7,8\n0,5,1\n1,2,7\n", "01"),
    "columns exchanged": ("true,b,a\na,1,5\nb,7,2\n", "ab"),
}
BAD_MATRICES = {
    "empty": ("", "the file is empty"),
    "header only": ("a,b\n", "the first column may hold labels"),
    "text": ("5,1\n3,x\n", "row 2, column 2: the cell must hold a non-negative"),
    "text in the corner": ("5x,1\n3,7\n", "first row may hold labels"),
    "text at the side": (",a,b\na,1,2\nb,x,3\n", "row 3, column 2: the cell must"),
    "empty cell": ("5,1\n,7\n", "row 2, column 1: the cell must hold"),
    "empty label": (
        "t,a,b\nx,5,1\n,2,7\n",
        "the first column must be different, and not empty. Got ''.",
    ),
    "grouped digits": ("5,1_000\n3,7\n", "Got '1_000'"),
    "zero": ("0,0\n0,0\n", "all cells of the matrix are zero"),
    "semicolons": ("5;1\n3;7\n", 'Say --delimiter ";"'),
    "header alone": ("a,b\n5,1\n2,7\n", "first column may hold labels"),
    "side alone": ("a,5,1\nb,2,7\n", "first row may hold labels"),
}


class TestMatrices:
    @pytest.mark.parametrize("name", MATRICES)
    def test_labels(self, name, run, tmp_path):
        text, labels = MATRICES[name]
        path = tmp_path / "matrix.csv"
        path.write_text(text)
        expected = information_report(table=[[5, 1], [2, 7]], labels=[*labels])
        assert run("report", path, "--matrix") == expected

    @pytest.mark.parametrize("name", BAD_MATRICES)
    def test_bad(self, name, fail, tmp_path):
        text, message = BAD_MATRICES[name]
        path = tmp_path / "matrix.csv"
        path.write_text(text, encoding="utf-8")
        assert message in fail(1, "report", path, "--matrix")

    def test_shares_and_a_reject_class(self, report, tmp_path):
        reject, shares = tmp_path / "reject.csv", tmp_path / "shares.csv"
        reject.write_text("true,a,b,?\na,5,1,2\nb,0,7,1\n")
        shares.write_text("0.25,0.25\n0,0.5\n")
        reports = report("--matrix", reject, shares)
        balance = EntropyBalance.from_confusion_matrix([[5, 1, 2], [0, 7, 1]])
        transfer = reports["reject"]["transfer"]
        assert transfer["mutual_information"] == balance.mutual_information
        assert reports["shares"]["accuracy"]["accuracy"] == 0.75
        assert reports["shares"]["intervals"] == {}

    def test_smoothing_knows_the_hits(self, report, tmp_path):
        """The table of labels with a reject class, and the same from a file."""
        y_true, y_pred = [*"aaaaabbbb"], [*"aa?abbbb?"]
        names = {"labels": [*"ab"], "pred_labels": [*"?ab"]}
        table = contingency_table(y_true, y_pred, **names)
        path = tmp_path / "reject.csv"
        write(path, ["", *"?ab"], [("a", *table[0]), ("b", *table[1])])
        found = report("--matrix", path, "--smoothing", "empirical_bayes")["reject"]
        expected = EntropyBalance.from_predictions(
            y_true, y_pred, smoothing="empirical_bayes", **names
        )
        assert found["transfer"]["mutual_information"] == pytest.approx(
            expected.mutual_information, abs=1e-12
        )

    def test_of_the_same_name_keep_their_folders(self, report, tmp_path):
        paths = [tmp_path / folder / "matrix.csv" for folder in ("a", "b")]
        for path in paths:
            path.parent.mkdir()
            path.write_text("5,1\n2,7\n")
        assert list(report("--matrix", *paths)) == list(map(str, paths))
