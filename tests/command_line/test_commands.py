"""The command line."""

import csv
import gzip
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from sklearn_entropy_metrics import (
    EntropyBalance,
    ProbabilityBalance,
    information_report,
)
from sklearn_entropy_metrics.__main__ import main
from sklearn_entropy_metrics.command_line.read import lines
from sklearn_entropy_metrics.command_line.write import as_csv
from sklearn_entropy_metrics.display import InformationDiagramDisplay

Y_TRUE = ["cat"] * 6 + ["dog"] * 2 + ["owl"] * 2
TREE = ["cat"] * 5 + ["dog"] + ["dog", "owl", "owl", "owl"]
FOREST = ["cat"] * 6 + ["dog", "owl", "owl", "dog"]
WEIGHT = [1, 0.5, 2, 0, 1, 1, 3, 1, 1, 1]
PROBA = [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]] * 5


@pytest.fixture
def results(tmp_path):
    """A file of ten samples with all kinds of columns."""
    path = tmp_path / "results.csv"
    columns = (range(10), Y_TRUE, TREE, FOREST, WEIGHT, *np.transpose(PROBA))
    rows = zip(*columns, strict=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["id", "truth", "tree", "forest", "weight", "p_cat", "p_dog", "p_owl"]
        )
        writer.writerows(rows)
    return path


def strict_json(text):
    def refuse(constant):
        raise ValueError(constant)

    return json.loads(text, parse_constant=refuse)


def without_nan(report):
    if isinstance(report, dict):
        return {key: without_nan(value) for key, value in report.items()}
    return None if report != report else report


def test_demo_compares_and_explains(capsys, tmp_path):
    main(["demo", "--output", str(tmp_path / "new" / "folder")])
    text = capsys.readouterr().out
    rows = {
        line[:36].strip(): [float(number) for number in line[36:].split()]
        for line in text.splitlines()
        if line[36:].count(".") == 4 and "[" not in line
    }
    assert len(rows) == 7
    accuracy, _, nit, ni = rows["majority class"]
    assert (accuracy, nit, ni) == (0.803, 0.333, 0.0)
    ema = [values[1] for values in rows.values()]
    assert ema == sorted(ema, reverse=True)
    assert min(ema) == rows["majority class"][1]
    # The paradox: less accurate than saying nothing, and yet informative.
    assert rows["naive Bayes"][0] < accuracy
    assert "transfers nothing" in text
    assert "it beats naive Bayes and tree, balanced classes" in text.replace("\n", " ")
    assert "Information transfer" in text
    pictures = [
        line.split(": ", 1)[1] for line in text.splitlines() if "Picture" in line
    ]
    assert len(pictures) == 3
    for picture in pictures:
        assert Path(picture).read_bytes().startswith(b"\x89PNG")
    (page,) = (line for line in text.splitlines() if line.endswith(".html"))
    report = Path(page.split(": ", 1)[1]).read_text(encoding="utf-8")
    best = next(iter(rows))
    assert f"<title>Information report: {best}</title>" in report
    assert "eight → other" in report


def test_every_picture_of_the_demo_names_its_classifier(monkeypatch, capsys, tmp_path):
    titles = {}
    monkeypatch.setattr(
        Figure,
        "savefig",
        lambda figure, path, **_: titles.setdefault(
            Path(path).stem, figure.axes[0].get_title()
        ),
    )
    main(["demo", "--output", str(tmp_path)])
    assert titles.pop("entropy_triangle").startswith("7 classifiers")
    assert len(titles) == 2
    for title in titles.values():
        assert title.startswith("nearest neighbours: ")


def test_version_and_help(capsys):
    for argument in ("--version", "--help"):
        with pytest.raises(SystemExit) as stop:
            main([argument])
        assert stop.value.code == 0
    assert "demo" in capsys.readouterr().out


def test_module_and_wrong_command():
    run = subprocess.run(
        [sys.executable, "-m", "sklearn_entropy_metrics", "nonsense"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "nonsense" in run.stderr


@pytest.mark.usefixtures("reader")
def test_one_prediction_is_the_report(results, run):
    text = run("report", results, "--true", "truth", "--pred", "tree")
    assert text == information_report(Y_TRUE, TREE)
    text = run(
        *("report", results, "--true", "truth", "--pred", "tree"),
        *("--weights", "weight", "--labels", "owl", "dog", "cat", "ant"),
    )
    labels = ["owl", "dog", "cat", "ant"]
    assert text == information_report(
        Y_TRUE, TREE, labels=labels, sample_weight=WEIGHT, confidence_level=None
    )


def test_json_is_strict_and_whole(results, run):
    text = run(
        *("report", results, "--true", "truth", "--pred", "tree", "--pred", "forest"),
        *("--format", "json"),
    )
    reports = strict_json(text)
    assert list(reports) == ["tree", "forest"]
    for name, y_pred in (("tree", TREE), ("forest", FOREST)):
        perplexities = reports[name].pop("perplexities")
        assert reports[name] == information_report(Y_TRUE, y_pred, output_dict=True)
        balance = EntropyBalance.from_predictions(Y_TRUE, y_pred)
        factor = balance.information_transfer_factor
        assert perplexities["information_transfer_factor"] == factor


def test_undefined_values(run, tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("y,p,q\na,a,a\na,a,a\n")
    arguments = ("report", path, "--true", "y", "--pred", "p")
    expected = information_report(["a", "a"], ["a", "a"], output_dict=True)
    report = strict_json(run(*arguments, "--format", "json"))["p"]
    del report["perplexities"]
    assert report == without_nan(expected)
    assert report["transfer"]["normalized_information"] is None
    (row,) = csv.DictReader(io.StringIO(run(*arguments, "--format", "csv")))
    assert row["transfer.normalized_information"] == ""
    assert row["transfer.entropy_modulated_accuracy"] == "1.0"
    assert "nan" in run(*arguments)
    assert "nan" in run(*arguments, "q")


@pytest.mark.parametrize("smoothing", ["empirical_bayes", "james_stein", "laplace"])
def test_smoothed_report(smoothing, results, run):
    arguments = "report", results, "--true", "truth", "--pred", "tree", "--smoothing"
    found = json.loads(run(*arguments, smoothing, "--format", "json"))["tree"]
    expected = EntropyBalance.from_predictions(Y_TRUE, TREE, smoothing=smoothing)
    assert found["transfer"]["normalized_information"] == pytest.approx(
        expected.normalized_information, abs=1e-12
    )
    factor = found["perplexities"]["information_transfer_factor"]
    assert factor == pytest.approx(expected.information_transfer_factor, abs=1e-12)
    # Numbers of samples are as counted.
    assert found["task"]["n_samples"] == 10
    assert [row["support"] for row in found["classes"].values()] == [6, 2, 2]
    assert smoothing in found["notes"][-1]
    assert smoothing in run(*arguments, smoothing)


@pytest.mark.usefixtures("reader")
def test_smoothing_counts_weights_by_their_effective_number(results, run, monkeypatch):
    columns = "--true", "truth", "--weights", "weight", "--format", "json"
    smoothing = "--smoothing", "empirical_bayes"
    options = {"sample_weight": WEIGHT, "smoothing": "empirical_bayes"}
    expected = EntropyBalance.from_predictions(Y_TRUE, TREE, **options)
    soft = EntropyBalance.from_probabilities(Y_TRUE, PROBA, **options)
    proba = "--proba", "p_cat", "p_dog", "p_owl", "--labels", "cat", "dog", "owl"
    for size in (1 << 20, 60):  # in one block, and in several
        monkeypatch.setattr(lines, "_BLOCK", size)
        found = json.loads(
            run("report", results, *columns, *smoothing, "--pred", "tree")
        )["tree"]
        assert found["transfer"]["entropy_modulated_accuracy"] == pytest.approx(
            expected.entropy_modulated_accuracy, abs=1e-12
        )
        found = json.loads(run("report", results, *columns, *smoothing, *proba))
        assert found["probabilities"]["transfer"]["mutual_information"] == (
            pytest.approx(soft.mutual_information, abs=1e-12)
        )


def test_smoothing_needs_a_number_of_samples(fail, tmp_path):
    path = tmp_path / "shares.csv"
    path.write_text("0.5,0.1\n0.1,0.3\n")
    arguments = "report", "--matrix", path, "--smoothing"
    assert "needs the number of samples" in fail(1, *arguments, "empirical_bayes")
    assert "invalid choice: 'more'" in fail(2, *arguments, "more")


def test_csv_has_a_row_for_each_prediction(results, run):
    text = run(
        *("report", results, "--true", "truth", "--pred", "tree", "forest"),
        *("--format", "csv"),
    )
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["name"] for row in rows] == ["tree", "forest"]
    for row, y_pred in zip(rows, (TREE, FOREST), strict=True):
        report = information_report(Y_TRUE, y_pred, output_dict=True)
        for section in ("task", "transfer", "triangle", "confusion_entropy"):
            for key, value in report[section].items():
                assert float(row[f"{section}.{key}"]) == value


def test_spreadsheets_run_no_formula(run, tmp_path):
    names = ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "harmless", "1=1"]
    header = ",".join(f'"{name}"' for name in names)
    path = tmp_path / "formulas.csv"
    path.write_text(f"{header}\n{'a,' * 7}a\n{'b,' * 7}b\n", newline="")
    pred = [f"--pred={name}" for name in names]
    text = run("report", path, "--true", "harmless", *pred, "--format", "csv")
    cells = [row["name"] for row in csv.DictReader(io.StringIO(text, newline=""))]
    assert cells == [f"'{name}" for name in names[:6]] + names[6:]
    assert as_csv(["n"], [[-0.5], ["-0.5"], [-1]]) == "n\n-0.5\n'-0.5\n-1\n"


@pytest.mark.usefixtures("reader")
def test_terminals_obey_no_label(run, tmp_path):
    path = tmp_path / "escape.csv"
    path.write_text('y,p\n"\x1b[2J","\x1b[2J"\n"a\nb",a\n')
    text = run("report", path, "--true", "y", "--pred", "p")
    assert "\x1b" not in text
    assert r"'\x1b[2J'" in text
    assert r"'a\nb'" in text


def test_no_prediction_changes_the_numbers_of_another(run, tmp_path):
    path = tmp_path / "classes.csv"
    path.write_text("y,p,q\na,a,a\nb,b,c\nb,a,b\n")
    arguments = ("report", path, "--true", "y", "--format", "json", "--pred")
    reports = strict_json(run(*arguments, "p", "q"))
    assert reports["p"] == strict_json(run(*arguments, "p"))["p"]
    assert reports["q"] == strict_json(run(*arguments, "q"))["q"]
    assert [reports[name]["task"]["n_classes"] for name in "pq"] == [2, 3]


@pytest.mark.usefixtures("reader")
def test_tabs_delimiters_and_gzip(results, run, tmp_path):
    expected = information_report(Y_TRUE, TREE)
    table = results.read_text()
    arguments = ("--true", "truth", "--pred", "tree")
    (tmp_path / "a.tsv").write_text(table.replace(",", "\t"))
    assert run("report", tmp_path / "a.tsv", *arguments) == expected
    (tmp_path / "a.txt").write_text(table.replace(",", "\t"))
    for tab in ("tab", r"\t", "\t"):
        text = run("report", tmp_path / "a.txt", *arguments, "--delimiter", tab)
        assert text == expected
    (tmp_path / "a.csv").write_text(table.replace(",", ";"))
    text = run("report", tmp_path / "a.csv", *arguments, "--delimiter", ";")
    assert text == expected
    (tmp_path / "b.tsv.gz").write_bytes(
        gzip.compress(table.replace(",", "\t").encode())
    )
    assert run("report", tmp_path / "b.tsv.gz", *arguments) == expected


@pytest.mark.usefixtures("reader")
def test_probabilities(results, run):
    options = ("--true", "truth", "--labels", "cat", "dog", "owl", "--proba")
    options += ("p_cat", "p_dog", "p_owl", "--weights", "weight")
    both = run("report", results, *options, "--pred", "tree")
    assert both == information_report(
        Y_TRUE, TREE, y_proba=PROBA, sample_weight=WEIGHT, confidence_level=None
    )
    report = strict_json(run("report", results, *options, "--format", "json"))
    balance = EntropyBalance.from_probabilities(Y_TRUE, PROBA, sample_weight=WEIGHT)
    numbers = report["probabilities"]
    split = ProbabilityBalance.from_probabilities(Y_TRUE, PROBA, sample_weight=WEIGHT)
    assert numbers["probabilities"] == split.to_dict()
    information = numbers["transfer"]["mutual_information"]
    assert information == pytest.approx(balance.mutual_information, rel=1e-12)
    with_proba = information_report(
        Y_TRUE, TREE, y_proba=PROBA, sample_weight=WEIGHT, output_dict=True
    )
    for key in ("probabilistic_confusion_entropy", "mean_absolute_probability_error"):
        expected = with_proba["confusion_entropy"][key]
        assert numbers["confusion_entropy"][key] == pytest.approx(expected, rel=1e-12)


USAGE = {
    "report x.csv": "--true and one of --pred and --proba are needed",
    "report x.csv --true y": "--true and one of --pred and --proba are needed",
    "report x.csv --pred p": "--true and one of --pred and --proba are needed",
    "report x.csv y.csv x.csv --matrix": "FILE must not repeat a name",
    "report x.csv --matrix --true y": "--matrix cannot be combined with --true",
    "report x.csv --matrix --labels a b": "--matrix cannot be combined with --true",
    "report x.csv --matrix --counts n": "--matrix cannot be combined with --true",
    "report x.csv --matrix --by g": "--matrix cannot be combined with --true",
    "report x.csv --true y --pred p --counts n --weights w": "not both",
    "compare x.csv --true y --pred p": "two or more columns of --pred are needed",
    "compare x.csv --pred p q": "two or more columns of --pred are needed",
    "compare x.csv --true y --pred p p": "--pred must not repeat a name",
    "compare x.csv --true y --pred p q --matrix": "unrecognized arguments",
    "compare x.csv --true y --pred p q --format csv": "invalid choice",
    "report x.csv z.csv --true y --pred p": "several files need --matrix",
    "report --true y --pred p x.csv": "arguments are required: FILE",
    "report x.csv --true y --pred p p": "--pred must not repeat a name",
    "report x.csv --true y --pred p --labels a a": "--labels must not repeat a name",
    "report x.csv --true y --proba a b": "--proba needs --labels",
    "report x.csv --true y --proba a b --labels a b c": "2 columns for 3 labels",
    "report x.csv --true y --proba a --labels a b c": "1 columns for 3 labels",
    "report x.csv --true y --pred p q --proba a --labels a b": "at most one column",
    "report x.csv --true y --pred p -o no/such/folder": "there is no folder",
    "report x.csv --true y --pred p -o .": "is not a file",
    "report x.csv --true y --pred p --delimiter ab": "is not one character",
    "report x.csv --true y --pred p --format yaml": "invalid choice",
    "plot x.csv --true y --pred p --proba a --labels a b": "not both",
    "plot x.csv --true y --pred p -o x.tiffany": "must end in one of",
    "plot x.csv --true y --pred p -o picture": "must end in one of",
    "plot x.csv --true y --pred p --kind phi-delta --split": "--split is for",
    "plot x.csv --true y --pred p --kind pie": "invalid choice",
}


@pytest.mark.parametrize("arguments", USAGE)
def test_wrong_usage_is_told_before_anything_is_read(arguments, fail):
    told = fail(2, *arguments.split())
    assert told.startswith("usage: sklearn-entropy-metrics")
    assert USAGE[arguments] in told


def test_the_input_is_not_overwritten(results, fail):
    before = results.read_text()
    told = fail(2, *f"report {results} --true truth --pred tree -o {results}".split())
    assert "would be overwritten" in told
    assert results.read_text() == before


@pytest.mark.usefixtures("reader")
def test_standard_input(monkeypatch, results, run):
    arguments = ("report", "-", "--true", "truth", "--pred", "tree")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(results.read_bytes())))
    assert run(*arguments) == information_report(Y_TRUE, TREE)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"truth,tree\na\n")))
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert stop.value.code == 1


def test_output_is_whole_or_not_there(results, run, monkeypatch, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    output = folder / "report.txt"
    arguments = ("report", results, "--true", "truth", "--pred", "tree", "-o", output)
    assert run(*arguments) == ""
    assert output.read_text(encoding="utf-8") == information_report(Y_TRUE, TREE)
    ordinary = folder / "ordinary"
    ordinary.touch()
    assert output.stat().st_mode == ordinary.stat().st_mode
    ordinary.unlink()

    output.write_text("earlier")
    output.chmod(0o600)
    link = tmp_path / "link.txt"
    link.symlink_to(output)
    run(*arguments[:-1], link)
    assert link.is_symlink()
    assert output.read_text(encoding="utf-8") == information_report(Y_TRUE, TREE)
    assert output.stat().st_mode & 0o777 == 0o600

    def interrupt(*args):
        raise KeyboardInterrupt

    output.write_text("earlier")
    monkeypatch.setattr("os.replace", interrupt)
    for command, name in (("report", "report.txt"), ("plot", "new.png")):
        with pytest.raises(SystemExit) as stop:
            main([command, *map(str, arguments[1:-1]), str(folder / name)])
        assert stop.value.code == 130
    assert list(folder.iterdir()) == [output]
    assert output.read_text() == "earlier"


def test_help_teaches(capsys):
    for command in ("report", "compare", "plot"):
        with pytest.raises(SystemExit) as stop:
            main([command, "--help"])
        assert stop.value.code == 0
        text = capsys.readouterr().out
        assert "examples:" in text
        assert f"sklearn-entropy-metrics {command} results.csv --true truth" in text
        assert "exit status" in text


@pytest.fixture
def texts(monkeypatch):
    """The lines of text in the pictures that are saved, each a list."""
    save, found = Figure.savefig, []

    def save_and_look(figure, *args, **kwargs):
        save(figure, *args, **kwargs)
        texts = "\n".join(text.get_text() for text in figure.findobj(Text))
        found.append(texts.splitlines())

    monkeypatch.setattr(Figure, "savefig", save_and_look)
    return found


@pytest.mark.parametrize("kind", ["triangle", "phi-delta", "diagram"])
def test_plot(kind, results, run, texts, tmp_path):
    picture = tmp_path / "picture.svg"
    arguments = ("plot", results, "--true", "truth", "--kind", kind, "-o", picture)
    classes = set(Y_TRUE)
    names = {"tree", "forest"}
    if kind == "phi-delta":
        names = {f"{name}: {label}" for name in names for label in classes}
    assert run(*arguments, "--pred", "tree", "forest") == f"Picture: {picture}\n"
    assert names <= written(texts, kind)
    assert "</svg>" in picture.read_text(encoding="utf-8")
    run(*arguments, "--pred", "tree")
    expected = {"tree"} | (classes if kind == "phi-delta" else set())
    assert expected <= written(texts, kind)
    options = ("--labels", "cat", "dog", "owl", "--proba", "p_cat", "p_dog", "p_owl")
    run(*arguments, *options)
    expected = classes if kind == "phi-delta" else {"probabilities"}
    assert expected <= written(texts, kind)


def written(texts, kind):
    """The lines of the last picture; titles of diagrams go on after the name."""
    is_diagram = kind == "diagram"
    return {text.split(":")[0] if is_diagram else text for text in texts[-1]}


def test_smoothed_plot(results, run, texts, tmp_path):
    arguments = "--true", "truth", "--pred", "tree", "--kind", "diagram"
    run(
        "plot", results, *arguments, "--smoothing", "jeffreys", "-o", tmp_path / "a.svg"
    )
    figure = Figure()
    expected = InformationDiagramDisplay.from_predictions(
        Y_TRUE, TREE, smoothing="jeffreys", ax=figure.subplots()
    )
    lines = [line for text in expected.texts_ for line in text.get_text().split("\n")]
    numbers = {line for line in lines if "=" in line}
    assert len(numbers) == 5
    assert numbers <= set(texts[-1])
    run("plot", results, *arguments, "-o", tmp_path / "b.svg")
    assert not numbers <= set(texts[-1])


def test_plot_has_a_default_name_and_formats(
    monkeypatch, results, run, texts, tmp_path
):
    monkeypatch.chdir(tmp_path)
    arguments = ("plot", results, "--true", "truth", "--pred", "tree")
    assert run(*arguments) == "Picture: triangle.png\n"
    assert Path("triangle.png").read_bytes().startswith(b"\x89PNG")
    run(*arguments, "--kind", "diagram", "--split", "-o", "a.pdf")
    assert Path("a.pdf").read_bytes().startswith(b"%PDF")
    run(*arguments, "--split", "-o", "B.SVG")
    assert "</svg>" in Path("B.SVG").read_text(encoding="utf-8")
    assert any(text.startswith("X, true") for text in texts[-1])


def test_plot_of_two_classes_and_of_undefined_points(
    capsys, run, fail, texts, tmp_path
):
    path, picture = tmp_path / "two.csv", tmp_path / "two.svg"
    path.write_text("y,p,q\nb,b,a\na,a,a\nb,b,b\n")
    arguments = f"plot {path} --true y --kind phi-delta -o {picture}".split()
    run(*arguments, "--pred", "p", "q")
    assert {"p", "q"} <= set(texts[-1])
    assert "q: a" not in texts[-1]
    main([*arguments, "--pred", "p", "--labels", "a", "b", "c"])
    assert "φ and δ are undefined" in capsys.readouterr().err
    path.write_text("y,p,q\na,a,a\n")
    assert "only one class" in fail(1, *arguments, "--pred", "p")


PYTHON = "import sys, signal; from sklearn_entropy_metrics.__main__ import main; "


def test_reports_do_without_matplotlib(results):
    code = PYTHON + "main(sys.argv[1:]); assert 'matplotlib' not in sys.modules"
    arguments = ["report", "-", "--true", "truth", "--pred", "tree"]
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        input=results.read_bytes(),
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        check=True,
    )
    assert run.stderr == b""
    expected = information_report(Y_TRUE, TREE).encode("ascii", "backslashreplace")
    assert run.stdout.splitlines() == expected.splitlines()


def test_closed_pipe_ends_quietly(results):
    run = subprocess.Popen(
        [
            *(sys.executable, "-m", "sklearn_entropy_metrics", "report", str(results)),
            *("--true", "truth", "--pred", "tree"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    run.stdout.close()
    assert run.stderr.read() == b""
    run.stderr.close()
    assert run.wait() == 141


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_interrupt(tmp_path):
    # Children of some shells ignore the signal, unless told otherwise.
    code = (
        "signal.signal(signal.SIGINT, signal.default_int_handler); main(sys.argv[1:])"
    )
    output = tmp_path / "output"
    run = subprocess.Popen(
        [
            *(sys.executable, "-c", PYTHON + code, "report", "-", "-o", str(output)),
            *("--true", "y", "--pred", "p"),
        ],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # More than a pipe holds: when it is written, the command is reading.
    run.stdin.write(b"y,p\n" + b"a,b\n" * 1_000_000)
    run.send_signal(signal.SIGINT)
    try:
        assert run.wait(timeout=60) == 130
    finally:
        run.kill()
    assert run.stderr.read() == b""
    run.stderr.close()
    run.stdin.close()
    assert list(tmp_path.iterdir()) == []


class TestPages:
    ONE = ("--true", "truth", "--pred", "tree")

    def test_one_prediction_is_the_page_of_the_report(self, results, run, tmp_path):
        path = tmp_path / "report.html"
        assert run("report", results, *self.ONE, "--format", "html", "-o", path) == ""
        page = path.read_text(encoding="utf-8")
        report = information_report(Y_TRUE, TREE)
        assert "<title>Information report: tree</title>" in page
        assert page.replace("Information report: tree", "Information report") == (
            report.to_html()
        )
        text = run("report", results, *self.ONE, "--format", "markdown")
        assert text == report.to_markdown().replace(
            "## Information report", "## Information report: `tree`"
        )

    def test_several_predictions_are_on_one_page(self, results, run, read_html):
        several = (*self.ONE, "forest", "--format")
        page = run("report", results, *several, "html")
        found = read_html(page.partition(">")[2])
        assert found["h2"] == ["tree", "forest"]
        points = [one for _, one in found.attributes if one.get("class") == "point"]
        assert len(points) == 2 + 3 + 3  # of both, and of each with its two sides
        assert any(text.startswith("2 forest: ") for text in found["title"])
        text = run("report", results, *several, "markdown")
        ni = information_report(Y_TRUE, FOREST, output_dict=True)["transfer"]
        (row,) = (line for line in text.splitlines() if line.startswith("| `forest`"))
        assert row.split("|")[-2].strip() == f"{ni['normalized_information']:.3f}"
        assert text.count("## Information report: ") == 2

    def test_probabilities_matrices_weights_and_smoothing(self, results, run, tmp_path):
        classes = ["cat", "dog", "owl"]
        columns = ["--proba", *(f"p_{name}" for name in classes), "--labels", *classes]
        page = run("report", results, *self.ONE, *columns, "--format", "html")
        assert "log loss" in page
        weighted = run(
            "report", results, *self.ONE, "--weights", "weight", "--format", "html"
        )
        assert "% interval" not in weighted  # nobody knows how many samples
        path = tmp_path / "reject.csv"
        path.write_text(",a,b,?\na,20,3,1\nb,2,25,4\n")
        page = run("report", path, "--matrix", "--format", "html")
        assert "b → ?: 4" in page
        report = information_report(
            table=[[20, 3, 1], [2, 25, 4]],
            labels=["a", "b"],
            pred_labels=["a", "b", "?"],
        )
        assert page.replace("Information report: reject", "Information report") == (
            report.to_html()
        )
        smoothing = ("--smoothing", "empirical_bayes")
        page = run("report", results, *self.ONE, *smoothing, "--format", "html")
        assert "after smoothing (empirical_bayes)" in page
        assert ">10 samples of 3 classes" in page

    def test_labels_are_escaped(self, run, tmp_path):
        path = tmp_path / "rude.csv"
        rows = "<script>x</script>,a\n" * 3 + "a,<script>x</script>\n" * 3
        path.write_text("y,p\n" + rows)
        for kind in ("html", "markdown"):
            text = run("report", path, "--true", "y", "--pred", "p", "--format", kind)
            assert "<script" not in text
