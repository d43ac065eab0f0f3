"""The benchmarks run and write their page; how fast anything is, is not tested here."""

import importlib
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from sklearn_entropy_metrics.measure import normalized_information as information

ROOT = Path(__file__).parents[2]
COUNTING = ("int64, 10 classes", "confusion_matrix")


@pytest.fixture
def benchmarks(monkeypatch):
    """Give a module of the benchmarks, which are not installed, by its name."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT)])
    return lambda name: importlib.import_module(f"benchmarks.{name}")


def rows_of(text):
    """The cells of the table of a page, without the header."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line[2:-2].split(" | ")] for line in lines[2:]]


def number(cell):
    return float(cell.split()[0].replace(",", ""))


@pytest.mark.slow
def test_everything_runs_and_has_its_row(benchmarks, tmp_path, capsys):
    main, cases = benchmarks("__main__"), benchmarks("cases").CASES
    folder = tmp_path / "new" / "folder"
    main.main(["--quick", "--output", str(folder)])
    text = (folder / "benchmarks.md").read_text(encoding="utf-8")
    rows = rows_of(text)
    assert [row[:2] for row in rows] == [[case.name, case.peer] for case in cases]
    for case, row in zip(cases, rows, strict=True):
        if benchmarks("peers").is_installed(case.needs):
            assert case.least or number(row[2]) > 0  # a slope may be anything
        else:
            assert row[2] == "not installed"
    pictures = re.findall(r"!\[.+\]\((.+)\)", text)
    assert len(pictures) == 2
    assert text.index(pictures[-1]) < text.index("| What |")
    assert {path.name for path in folder.iterdir()} == {"benchmarks.md", *pictures}
    assert "quick run" in text
    output = capsys.readouterr()
    n_steps = len(cases) + 2
    assert [line.split(":")[0] for line in output.err.splitlines()] == [
        f"{step} of {n_steps}" for step in range(1, n_steps + 1)
    ]
    for row in rows:
        line = "".join(row)
        assert line.replace(" ", "") in output.out.replace(" ", "")


def test_a_word_chooses_and_writes_nothing_by_default(benchmarks, capsys, monkeypatch):
    main = benchmarks("__main__")
    monkeypatch.setattr(main, "DOCS", None)  # would fail if it were used
    main.main(["--quick", "-k", "MEMORY"])
    lines = capsys.readouterr().out.splitlines()[3:]
    assert len(lines) == sum("memory" in case.name for case in main.CASES) > 2
    assert all("memory" in line for line in lines)


def test_a_word_that_nothing_has(benchmarks):
    with pytest.raises(SystemExit, match="'nonsense'"):
        benchmarks("__main__").main(["-k", "nonsense"])


@pytest.mark.slow
def test_peers_are_optional(benchmarks, tmp_path, monkeypatch):
    main, curves = benchmarks("__main__"), benchmarks("curves")
    absent = {"pycm", "torchmetrics"}
    for module in (main, curves):
        monkeypatch.setattr(module, "is_installed", lambda name: name not in absent)
    for name in absent:
        monkeypatch.setitem(sys.modules, name, None)  # importing it is an error
    main.main(["--quick", "-k", "classes", "--output", str(tmp_path)])
    rows = rows_of((tmp_path / "benchmarks.md").read_text(encoding="utf-8"))
    assert len(rows) > len(absent)
    assert [row[:2] for row in rows if row[2] == "not installed"] == [
        ["int64, 10 classes", "PyCM"],
        ["int64, 10 classes", "torchmetrics"],
    ]
    picture = (tmp_path / "benchmarks_classes.svg").read_text(encoding="utf-8")
    assert "mutual_info_score" in picture
    assert "PyCM" not in picture


def test_a_package_that_is_not_there(benchmarks):
    is_installed = benchmarks("peers").is_installed
    assert is_installed("numpy")
    assert not is_installed("no_such_package")


@pytest.mark.parametrize(
    ("name", "limit", "least", "ratio", "expected"),
    [
        ("ours", 1 / 15, 0.0, 1 / 38, ["38 × faster", "at least 15 × faster"]),
        (
            "ours",
            1 / 15,
            0.0,
            1 / 14.5,
            ["14.5 × faster", "at least 15 × faster, missed"],
        ),
        ("ours", 1 / 400, 0.0, 1 / 1234.4, ["1,234 × faster", "at least 400 × faster"]),
        ("ours", 1.5, 0.0, 0.8, ["1.25 × faster", "at most 1.5 × the time"]),
        ("ours, memory", 8, 0.0, 2.66, ["2.66 × the memory", "at most 8 × the memory"]),
        ("ours, memory", 1 / 3, 0.0, 0.5, ["2 × less", "at least 3 × less, missed"]),
        ("growth", 1.1, 0.9, 1.02, ["1.02", "0.9 to 1.1"]),
        ("growth", 1.1, 0.9, 0.89, ["0.89", "0.9 to 1.1, missed"]),
        ("ours", None, 0.0, 70.0, ["70 × the time", ""]),
        ("ours", 6, 0.0, None, ["not installed", "at most 6 × the time"]),
    ],
)
def test_a_row_says_whether_the_promise_holds(
    benchmarks, name, limit, least, ratio, expected
):
    case = benchmarks("cases").Case(name, "theirs", limit, None, least=least)
    row = benchmarks("page").row
    assert list(row(case, ratio, judge=True)) == [name, "theirs", *expected]
    assert "missed" not in row(case, ratio, judge=False)[3]


def test_a_slow_peer_is_left_out_from_there_on(benchmarks, monkeypatch):
    curves, timing = benchmarks("curves"), benchmarks("timing")

    def fake_time(function, seconds):
        n_samples = len(function.args[0])
        return 5.0 if function.func == slow and n_samples >= 1000 else 0.001

    slow = curves.PEERS[1].function
    for module in (curves, timing):
        monkeypatch.setattr(module, "best_time", fake_time)
    monkeypatch.setattr(curves, "PEERS", curves.PEERS[:2])
    lines = curves.measure(curves.CURVES[0], timing.QUICK)
    ours, theirs = (dict(lines[peer.name]) for peer in curves.PEERS)
    assert list(theirs) == [100, 300]
    assert list(ours) == [size for size, _ in curves.CURVES[0].sizes if size <= 10**5]


def test_pages_of_equal_measurements_are_equal(benchmarks, tmp_path):
    curves = benchmarks("curves")
    lines = {peer.name: [(100, 0.1), (1000, 0.2)] for peer in curves.PEERS}
    contents = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        curves.draw(curves.CURVES[0], lines, folder)
        contents.append((folder / curves.CURVES[0].file).read_bytes())
    assert contents[0] == contents[1]
    assert b"<dc:date>" not in contents[0]


def test_the_page_of_the_site_is_up_to_date(benchmarks):
    """It may have been measured elsewhere, but it has the rows of today."""
    text = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    expected = [
        [case.name, case.peer, benchmarks("page").row(case, None, judge=False)[3]]
        for case in benchmarks("cases").CASES
    ]
    found = [[*row[:2], row[3].removesuffix(", missed")] for row in rows_of(text)]
    assert found == expected
    for picture in re.findall(r"!\[.+\]\((.+)\)", text):
        assert (ROOT / "docs" / picture).stat().st_size < 100_000


@pytest.mark.slow
def test_coverage_runs_and_writes_its_tables(benchmarks, tmp_path, capsys, monkeypatch):
    coverage = benchmarks("coverage")
    tables = {"known", "real", "averages", "not promised"}
    few = [
        cell
        for i, cell in enumerate(coverage.cells())
        if i % 9 == 0 or cell.group not in tables
    ]
    monkeypatch.setattr(coverage, "cells", lambda: few)
    coverage.main(["--quick", "--output", str(tmp_path)])
    text = (tmp_path / "coverage.md").read_text(encoding="utf-8")
    output = capsys.readouterr()
    titles = re.findall(r"^\*\*(.+)\*\*$", text, flags=re.MULTILINE)
    assert len(titles) == len(set(titles)) == 17
    assert all(title in output.out for title in titles)
    page = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
    assert titles == re.findall(r"^\*\*(.+)\*\*$", page, flags=re.MULTILINE)
    assert "cells" in output.err


def coverage_table(title):
    """Rows of the table of the page of coverage that has this title, by their names."""
    page = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
    (lines,) = re.findall(rf"^\*\*{title}.*\*\*\n\n((?:\|.*\n)+)", page, re.MULTILINE)
    rows = [[c.strip() for c in x.strip("|").split("|")] for x in lines.splitlines()]
    cells = {name: row for name, *row in rows[2:]}
    return {
        name: np.array([x.replace("–", "nan") for x in row], dtype=float)
        for name, row in cells.items()
    }


class TestPromises:
    """What docs/intervals.md promises is what the experiment has found."""

    @pytest.mark.parametrize("truths", ["108 distributions", "30 real classifiers"])
    def test_main_measures(self, truths):
        covered = coverage_table(f"{truths}: share of 95 %")
        for name in ("NI", "EMA", "VI", "CEN", "accuracy", "MCC"):
            assert (covered[name] >= 0.93).all(), name
        assert covered["NIT"].mean() >= 0.92
        cells = coverage_table(f"{truths}: share of cells")
        for name in ("NI", "EMA"):
            assert (cells[name] >= 0.85).all(), name
            assert cells[name].mean() >= 0.95, name

    def test_intervals_are_not_just_long(self):
        """Before rare classes were cared for, intervals of NI were this long."""
        width = coverage_table("108 distributions: mean width")["NI"]
        before = [0.563, 0.474, 0.409, 0.275, 0.193, 0.096]
        assert (width <= 1.1 * np.array(before)).all()

    def test_rare_classes(self):
        for name, row in coverage_table("Rare class of two").items():
            *cells, mean = row
            assert mean >= 0.92, name
            assert min(cells) >= 0.88, name

    def test_averages(self):
        for name, row in coverage_table("More measures of 3 to 10 classes").items():
            assert (row[1:] >= 0.9).all(), name  # from five samples per cell on

    def test_groups_folds_and_probabilities(self):
        for title in ("Forty groups", "Folds, pooled"):
            for name, row in coverage_table(title).items():
                if name.endswith(("by groups", "as n / 1.45")):
                    assert (row >= 0.9).all(), name
        assert (coverage_table("Probabilities")["information"] >= 0.91).all()

    def test_pairs(self):
        table = coverage_table("Two classifiers of ten classes")
        for name, row in table.items():
            if name.endswith("covered"):  # from four samples per cell on
                assert (row[1:] >= 0.92).all(), name
        rejected = table["scattered and concentrated: p ≤ .05"]
        assert (rejected <= [0.20, 0.10, 0.10]).all()


def test_the_page_of_intervals_says_what_was_found():
    page = " ".join((ROOT / "docs" / "intervals.md").read_text("utf-8").split())
    truths = "108 distributions", "30 real classifiers"
    tables = [coverage_table(f"{truth}: share of 95 %") for truth in truths]
    information = [table[name] for table in tables for name in ("NI", "EMA")]
    low, high = 100 * np.min(np.stack(information)), 100 * np.max(np.stack(information))
    assert f"**NI and EMA**: {low:.1f} to {high:.1f} % contain" in page
    rare = np.stack(list(coverage_table("Rare class of two").values()))
    assert f"10 to 50 positives: {100 * rare[:, -1].min():.1f} % or more" in page
    assert f"{100 * rare[:, :-1].min():.1f} % in the worst case" in page
    pairs = coverage_table("Two classifiers of ten classes")
    covered = np.stack([row for name, row in pairs.items() if "covered" in name])
    assert f"of ten classes: {100 * covered[:, 1:].min():.1f} % or more" in page
    assert f"but only {100 * covered[:, 0].min():.1f} % with one" in page
    rates = coverage_table("More measures of 3 to 10 classes")
    averages = np.stack(list(rates.values()))
    assert f"balanced accuracy**: {100 * averages[:, 1:].min():.1f} % or more" in page
    assert f"it is {100 * averages[:, 0].min():.1f} % for the worst" in page
    groups, folds = coverage_table("Forty groups"), coverage_table("Folds, pooled")
    least = {
        words: 100 * min(row.min() for name, row in table.items() if words in name)
        for words, table in {
            "by groups": groups,
            "as if independent": groups,
            "as n / 1.45": folds,
        }.items()
    }
    assert f"with `groups`, {least['by groups']:.1f} % or more" in page
    assert f"without, as few as {least['as if independent']:.1f} %" in page
    assert f"**Folds**: {least['as n / 1.45']:.1f} % or more" in page
    said = coverage_table("Probabilities")
    assert f"**Probabilities**: {100 * said['information'].min():.1f} % or more" in page
    assert f"{100 * said['miscalibration'].min():.1f} % or more the true misc" in page


def test_the_paper_says_what_was_found_and_promised(benchmarks):
    paper = " ".join((ROOT / "paper" / "paper.md").read_text("utf-8").split())
    truths = "108 distributions", "30 real classifiers"
    found = np.stack([coverage_table(f"{one}: share of 95 %")["NI"] for one in truths])
    low, high = f"{100 * found.min():.1f}", f"{100 * found.max():.1f}"
    assert f"in {low} to {high} % of cases" in paper
    cases = {(case.name, case.peer): case for case in benchmarks("cases").CASES}
    times = f"{1 / cases[COUNTING].limit:.0f}"  # as on the page, tested above
    page = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    (row,) = [row for row in rows_of(page) if tuple(row[:2]) == COUNTING]
    assert number(row[2]) >= int(times)
    assert f"at least {times} times as fast as scikit-learn's confusion" in paper
    body = paper.partition("# Summary")[2]  # which has no other number
    assert set(re.findall(r"(?<!\w)\d[\d.]*\d", body)) == {"95", low, high, times}


def test_the_page_of_small_samples_has_the_errors_found():
    page = (ROOT / "docs" / "small_samples.md").read_text(encoding="utf-8")
    printed = {name.strip('`"'): cells for name, *cells in rows_of(page)}
    errors = coverage_table("108 distributions: root-mean-square error")
    for ours, theirs in (("observed", "none"), ("corrected", "empirical_bayes")):
        expected = list(map(float, printed[theirs]))
        assert errors[ours].tolist() == expected


def test_pseudo_counts_do_as_badly_as_printed(benchmarks):
    """Of 20 data sets per distribution, where the page has errors of 400."""
    page = (ROOT / "docs" / "small_samples.md").read_text(encoding="utf-8")
    printed = {name: cells for name, *cells in rows_of(page)}
    coverage = benchmarks("coverage")
    rng = np.random.default_rng(0)
    for added, name in [(1, "add 1 to every cell"), (0.5, "add ½ to every cell")]:
        for ratio, expected in zip(coverage.RATIOS, printed[name], strict=True):
            squares = []
            for truth in coverage.promised():
                n_samples = round(ratio * truth.size)
                if n_samples >= coverage.FEWEST:
                    cells = rng.multinomial(n_samples, truth.ravel(), 20) + added
                    estimates = information(cells.reshape(-1, *truth.shape))
                    squares.append(np.mean((estimates - information(truth)) ** 2))
            error = np.sqrt(np.mean(squares))
            assert error == pytest.approx(float(expected), rel=0.08)


def test_the_page_of_cross_validation_says_what_was_found():
    page = " ".join((ROOT / "docs" / "cross_validation.md").read_text("utf-8").split())
    folds = coverage_table("Folds, pooled")
    for words, ending in [
        ("fitted to all samples", "as n / 1.45"),
        ("counted as $n$ samples,", "as n samples"),
        ("Intervals of deep trees contain it", "deep trees, as n / 1.45"),
        ("contains the true value", "5 x 5 folds, as 5 n samples"),
    ]:
        found = 100 * np.stack(
            [folds[f"{name}, {ending}"] for name in ("NI", "accuracy")]
        )
        assert f"{words} in {found.min():.1f} to {found.max():.1f} %" in page


def test_corrected_estimates_were_closer_than_plug_in_ones():
    errors = coverage_table("108 distributions: root-mean-square error")
    ratio = errors["corrected"] / errors["observed"]
    assert (ratio <= [0.85, 0.85, 0.85, 0.95, 1, 1.02]).all()


def test_truths_of_coverage_are_distributions(benchmarks):
    coverage, real = benchmarks("coverage"), benchmarks("real_tables")
    known, others = list(coverage.promised()), [t for _, t in coverage.not_promised()]
    for name, words in [
        ("intervals", "distributions"),
        ("small_samples", "classifiers"),
    ]:
        page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
        assert f"{len(known)} known {words}" in page
    assert len(real.read()) == 30
    for table in (*known, *others, *real.read()):
        assert table.sum() == pytest.approx(1)
        assert table.min() >= 0
