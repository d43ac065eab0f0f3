"""What the commands write."""

import csv
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
    compare_models,
    compare_segments,
    datasets,
    information_report,
)
from sklearn_entropy_metrics.__main__ import main

pytest.importorskip("polars")

Y_TRUE = ["cat"] * 6 + ["dog"] * 2 + ["owl"] * 2
TREE = ["cat"] * 5 + ["dog"] + ["dog", "owl", "owl", "owl"]
FOREST = ["cat"] * 6 + ["dog", "owl", "owl", "dog"]
WEIGHT = [1, 0.5, 2, 0, 1, 1, 3, 1, 1, 1]
PROBA = [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]] * 5
SITE = ["u", "v"] * 5
ONE = "--true", "truth", "--pred", "tree"
CLASSES = "--labels", "cat", "dog", "owl", "--proba", "p_cat", "p_dog", "p_owl"


@pytest.fixture
def results(tmp_path):
    """A file of ten samples with all kinds of columns."""
    path = tmp_path / "results.csv"
    names = "truth", "tree", "forest", "weight", "site", "p_cat", "p_dog", "p_owl"
    columns = (Y_TRUE, TREE, FOREST, WEIGHT, SITE, *np.transpose(PROBA))
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([names, *zip(*columns, strict=True)])
    return path


def strict_json(text):
    def refuse(constant):
        raise ValueError(constant)

    return json.loads(text, parse_constant=refuse)


class TestReport:
    def test_one_prediction(self, results, run):
        report = information_report(Y_TRUE, TREE)
        assert run("report", results, *ONE) == report
        assert run("report", results, *ONE, "--all") == report.to_text()
        labels = ["owl", "dog", "cat", "ant"]
        text = run("report", results, *ONE, "--weights", "weight", "--labels", *labels)
        expected = information_report(Y_TRUE, TREE, labels=labels, sample_weight=WEIGHT)
        assert text == expected

    def test_json_is_strict_and_whole(self, results, run, tmp_path):
        found = strict_json(run("report", results, *ONE, "--format", "json"))
        expected = information_report(Y_TRUE, TREE, output_dict=True)
        assert found == {"tree": expected}
        path = tmp_path / "one.csv"
        path.write_text("y,p\na,a\na,a\n")
        arguments = "report", path, "--true", "y", "--pred", "p"
        report = strict_json(run(*arguments, "--format", "json"))["p"]
        assert report["transfer"]["normalized_information"] is None

    def test_smoothing(self, results, run, fail, tmp_path):
        smoothing = "--smoothing", "empirical_bayes"
        found = json.loads(run("report", results, *ONE, *smoothing, "--format=json"))
        expected = EntropyBalance.from_predictions(
            Y_TRUE, TREE, smoothing="empirical_bayes"
        )
        assert found["tree"]["transfer"]["mutual_information"] == pytest.approx(
            expected.mutual_information, abs=1e-12
        )
        path = tmp_path / "shares.csv"
        path.write_text("0.5,0.1\n0.1,0.3\n")
        said = fail(1, "report", "--matrix", path, "--smoothing", "empirical_bayes")
        assert "number of samples" in said

    @pytest.mark.parametrize("weights", [(), ("--weights", "weight")])
    def test_probabilities(self, weights, results, run):
        options = {"sample_weight": WEIGHT} if weights else {}
        both = run("report", results, *ONE, *CLASSES, *weights)
        assert both == information_report(Y_TRUE, TREE, y_proba=PROBA, **options)

    def test_probabilities_that_do_not_sum_to_one(self, capsys, fail, tmp_path):
        path = tmp_path / "sums.csv"
        path.write_text("y,p,a,b\na,a,.5,.2\nb,b,.1,.9\n")
        arguments = f"report {path} --true y --pred p --proba a b --labels a b".split()
        main(arguments)
        assert capsys.readouterr().err.count("sum to one") == 1
        assert "3 classes" in fail(1, *arguments, "c")

    def test_matrices_give_the_published_table(self, run):
        """Valverde-Albacete and Peláez-Moreno (2014), Table 1."""
        folder = Path(datasets.__file__).parent / "data" / "meg"
        files = [folder / f"C{number:02d}.csv" for number in range(1, 11)]
        header, *rows = run("report", "--matrix", *files).splitlines()
        names = ["k_X|Y", "μ", "accuracy", "EMA", "NIT", "NI"]
        assert header.split() == names
        cells = [row.split()[:-1] for row in rows]
        assert " ".join(cells[0]) == "C01 2.562 1.932 0.680 0.390 0.386"
        assert " ".join(cells[7]) == "C08 3.629 1.364 0.472 0.276 0.273"
        assert " ".join(cells[9]) == "C10 4.801 1.031 0.242 0.208 0.206"

    def test_terminals_obey_no_label(self, run, tmp_path):
        path = tmp_path / "escape.csv"
        path.write_text('y,p\n"\x1b[2J","\x1b[2J"\n"a\nb",a\n')
        text = run("report", path, "--true", "y", "--pred", "p")
        assert "\x1b" not in text
        assert r"'\x1b[2J'" in text
        assert r"'a\nb'" in text

    @pytest.mark.filterwarnings("ignore::UserWarning")
    def test_several_predictions_are_compared_first(self, results, capsys):
        preds = {"tree": TREE, "forest": FOREST}
        expected = information_report(Y_TRUE, preds)
        for form, text in (
            ("text", str(expected)),
            ("json", json.dumps(expected.to_dict(), indent=2) + "\n"),
        ):
            main(["report", str(results), *ONE, "forest", "--format", form])
            assert capsys.readouterr().out == text

    def test_page_and_markdown(self, results, run, tmp_path):
        path = tmp_path / "report.html"
        assert run("report", results, *ONE, "--format", "html", "-o", path) == ""
        page = path.read_text(encoding="utf-8")
        assert page.startswith("<!doctype html>")
        assert "owl" in page
        text = run("report", results, *ONE, "--format", "markdown")
        assert "## Information report: `tree`" in text

    @pytest.mark.filterwarnings("ignore::UserWarning")
    def test_samples_of_a_group_belong_together(self, results, capsys, tmp_path):
        main(["report", str(results), *ONE, "--groups", "site", "--format", "json"])
        found = strict_json(capsys.readouterr().out)["tree"]["intervals"]
        expected = information_report(Y_TRUE, TREE, groups=SITE, output_dict=True)
        assert found == expected["intervals"]

    def test_groups_of_segments(self, capsys, tmp_path):
        rng = np.random.default_rng(0)
        y, g = np.tile(["a", "b"], 48), np.repeat(np.arange(48), 2)
        p = np.where(rng.random(48)[g] < 0.7, y, "a")
        by = np.where(g < 24, "9", "10")
        by[:2] = "8"  # a segment of one group has no intervals, and so no report
        path = tmp_path / "grouped.csv"
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([[*"ypgs"], *zip(y, p, g, by, strict=True)])
        columns = "--true", "y", "--pred", "p", "--by", "s", "--groups", "g"
        main(["report", str(path), *columns, "--format", "json"])
        printed = capsys.readouterr()
        found = strict_json(printed.out)
        assert "8 samples or 2 groups have no interval: 8 (2)" in printed.err
        with pytest.warns(UserWarning, match=r"have no interval: 8 \(2\)"):
            expected = compare_segments(y, p, by.astype(int), groups=g, n_resamples=1)
        alone, *others = found["segments"]
        assert (alone["name"], alone["low"]) == (8, None)
        for one, other in zip(others, expected.segments[1:], strict=True):
            assert one == pytest.approx(vars(other), abs=1e-9)
        assert list(found["reports"]) == ["9", "10"]


class TestCompare:
    def test_models_and_pairs(self, results, capsys):
        metric = "accuracy"
        arguments = ["compare", str(results), *ONE, "forest", "--metric", metric]
        main([*arguments, "--format", "json"])
        found = strict_json(capsys.readouterr().out)
        with pytest.warns(UserWarning, match="interval"):
            expected = compare_models(
                Y_TRUE, {"tree": TREE, "forest": FOREST}, metric, random_state=0
            )
        assert found["models"] == list(map(vars, expected.models))
        assert found["pairs"] == list(map(vars, expected.pairs))
        for form in ("markdown", "html"):
            main([*arguments, "--format", form])
            assert expected.summary()[:20] in capsys.readouterr().out
        main(arguments)
        text = capsys.readouterr().out
        assert text.startswith(expected.summary()[:20])
        assert repr(expected) in text
        (pair,) = expected.pairs
        line = text.splitlines()[-1]
        assert line.startswith(f"  {pair.a} - {pair.b} ")
        assert line.split()[-1] == f"{pair.adjusted_p_value:.2g}"

    @pytest.mark.filterwarnings("ignore::UserWarning")
    def test_long_names_fit_80_columns(self, run, tmp_path):
        path, preds = tmp_path / "long.csv", ["x" * 90, "y" * 90]
        path.write_text(f"t,{','.join(preds)}\n" + "a,a,b\nb,b,b\n" * 50)
        text = run("compare", path, "--true", "t", "--pred", *preds)
        assert max(map(len, text.splitlines())) <= 80

    def test_unknown_metric(self, fail, results):
        said = fail(1, "compare", results, *ONE, "forest", "--metric", "beauty")
        assert "beauty" in said


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


class TestPlot:
    @pytest.mark.parametrize("kind", ["triangle", "phi-delta", "diagram"])
    def test_names_predictions_and_classes(self, kind, results, run, texts, tmp_path):
        picture = tmp_path / "picture.svg"
        arguments = "plot", results, *ONE, "forest", "--kind", kind, "-o", picture
        assert run(*arguments) == f"Picture: {picture}\n"
        assert "</svg>" in picture.read_text(encoding="utf-8")
        names = {"tree", "forest"}
        if kind == "phi-delta":
            names = {f"{name}: {label}" for name in names for label in Y_TRUE}
        for name in names:
            assert any(text.startswith(name) for text in texts[-1])

    def test_segments(self, results, run, texts, tmp_path):
        arguments = "plot", results, "-o", tmp_path / "groups.svg", "--true", "truth"
        run(*arguments, "--pred", "tree", "forest", "--by", "site")
        assert {"tree: u", "forest: u", "tree: v", "forest: v"} <= set(texts[-1])

    def test_default_name(self, monkeypatch, results, run, tmp_path):
        monkeypatch.chdir(tmp_path)
        assert run("plot", results, *ONE) == "Picture: triangle.png\n"
        assert Path("triangle.png").read_bytes().startswith(b"\x89PNG")

    def test_of_what_is_undefined(self, capsys, fail, tmp_path):
        path, picture = tmp_path / "two.csv", tmp_path / "two.svg"
        path.write_text("y,p,q\nb,b,a\na,a,a\nb,b,b\n")
        arguments = f"plot {path} --true y --pred p --kind phi-delta -o {picture}"
        main([*arguments.split(), "--labels", "a", "b", "c"])
        assert "φ and δ are undefined" in capsys.readouterr().err
        path.write_text("y,p,q\na,a,a\n")
        said = fail(1, *arguments.replace("two.svg", "two.tiffany").split())
        assert "tiffany" in said or "class" in said


def test_a_folder_that_is_missing_is_named(results, fail, tmp_path):
    said = fail(1, "report", results, *ONE, "-o", tmp_path / "new" / "report.txt")
    assert f"there is no folder {str(tmp_path / 'new')!r}" in said


def test_output_is_whole_or_not_there(results, run, monkeypatch, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    output, link = folder / "report.txt", tmp_path / "link.txt"
    output.write_text("earlier")
    output.chmod(0o600)
    link.symlink_to(output)
    run("report", results, *ONE, "-o", link)
    assert link.is_symlink()
    assert output.read_text(encoding="utf-8") == information_report(Y_TRUE, TREE)
    assert output.stat().st_mode & 0o777 == 0o600

    def interrupt(*args):
        raise KeyboardInterrupt

    output.write_text("earlier")
    monkeypatch.setattr("os.replace", interrupt)
    for command, name in (("report", "report.txt"), ("plot", "new.png")):
        with pytest.raises(SystemExit) as stop:
            main([command, str(results), *ONE, "-o", str(folder / name)])
        assert stop.value.code == 130
    assert list(folder.iterdir()) == [output]
    assert output.read_text() == "earlier"


@pytest.mark.slow
class TestProcesses:
    PYTHON = "import sys, signal; from sklearn_entropy_metrics.__main__ import main; "

    def test_any_encoding_of_the_output(self, results):
        module = "-m", "sklearn_entropy_metrics"
        run = subprocess.run(
            [sys.executable, "-W", "error", *module, "report", "-", *ONE],
            input=results.read_bytes(),
            capture_output=True,
            env=os.environ | {"PYTHONIOENCODING": "ascii"},
            check=True,
        )
        assert run.stderr == b""
        expected = information_report(Y_TRUE, TREE).encode("ascii", "backslashreplace")
        assert run.stdout.splitlines() == expected.splitlines()

    def test_closed_pipe_ends_quietly(self, results):
        run = subprocess.Popen(
            [sys.executable, "-m", "sklearn_entropy_metrics", "report", results, *ONE],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        run.stdout.close()
        assert run.stderr.read() == b""
        run.stderr.close()
        assert run.wait() == 141

    @pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
    def test_interrupt_while_packages_are_imported(self, tmp_path):
        (tmp_path / "scipy.py").write_text(
            "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
        )
        path = os.pathsep.join([str(tmp_path), *sys.path])
        code = (
            "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
            "python = sys.executable; "
            "os.execv(python, [python, '-m', 'sklearn_entropy_metrics'])"
        )
        run = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            check=False,
        )
        assert (run.returncode, run.stdout, run.stderr) == (130, b"", b"")

    @pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
    def test_interrupt(self, tmp_path):
        # Children of some shells ignore the signal, unless told otherwise.
        code = "signal.signal(signal.SIGINT, signal.default_int_handler); main()"
        output = tmp_path / "output"
        arguments = "report", "-", "-o", output, "--true", "y", "--pred", "p"
        with subprocess.Popen(
            [sys.executable, "-c", self.PYTHON + code, *arguments],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as run:
            # More than a pipe holds: when it is written, the command is reading.
            run.stdin.write(b"y,p\n" + b"a,b\n" * 1_000_000)
            run.send_signal(signal.SIGINT)
            # The end of the input wakes a read that began just after the signal.
            assert run.communicate()[1] == b""
        assert run.returncode == 130
        assert list(tmp_path.iterdir()) == []
