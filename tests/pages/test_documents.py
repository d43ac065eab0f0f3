"""The code in the README and in the documents runs."""

import re
import runpy
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from sklearn_entropy_metrics import contingency_table

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "guide").glob("*.md")),
]
DOCUMENTS.remove(ROOT / "docs" / "recipes.md")  # it has a test of its own
# Blocks that a page shows, and those that are run when the site is built, which may
# begin with options.
BLOCK = re.compile(
    r"^```(?:python|\{executed\})\n(?::[^\n]*\n)*(.*?)^```$", re.DOTALL | re.MULTILINE
)


# distributed leaves a socket open when it looks for a free port.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("pyplot")
@pytest.mark.parametrize(
    "path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)
def test_code_blocks_run(path):
    text = path.read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    assert len(blocks) == len(re.findall(r"^```(?:python|\{executed\})", text, re.M))
    namespace = {"__name__": "__main__"}
    for block in blocks:
        if "tabulate_frame" in block and find_spec("narwhals") is None:
            continue  # an extra
        exec(compile(block, path.name, "exec"), namespace)


def test_lines_of_code_fit_on_the_page():
    """A longer line would have to be scrolled."""
    text = "".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
    code = BLOCK.findall(text) + re.findall(r"(?ms)^```sh\n(.*?)^```$", text)
    lines = [line for block in code for line in block.splitlines()]
    assert [line for line in lines if len(line) > 88] == []


def test_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [line for line in text.splitlines() if line.startswith("pip install")]
    assert commands == [
        'pip install ".[cli]" && sklearn-entropy-metrics demo',
        'pip install ".[test]" && pytest -n auto',
    ]


def landing_page():
    """What the README and the landing page of the site share."""
    include = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    markers = re.findall(r"^:(?:start-after|end-before): (.+)$", include, re.MULTILINE)
    assert "```{include} ../README.md\n" in include
    before, shared, _ = re.split(
        "|".join(map(re.escape, markers)),
        (ROOT / "README.md").read_text(encoding="utf-8"),
    )
    assert before.strip() == "# sklearn_entropy_metrics"
    return shared


def test_readme_and_landing_page_agree():
    """The site includes the beginning of the README instead of repeating it."""
    shared = landing_page()
    assert "mutual information" in shared.split("![")[0]
    assert "](docs/readme.png)" in shared
    for measure in ("EMA", "NIT", "NI", "CEN", "φ–δ"):
        (line,) = re.findall(
            rf"^- \*\*{measure}\*\*.*(?:\n  .*)*", shared, re.MULTILINE
        )
        assert line.endswith("?")
    assert 'pip install ".[cli]" && sklearn-entropy-metrics demo' in shared


def test_the_example_of_the_landing_page_prints_what_it_says(capsys):
    (block,) = BLOCK.findall(landing_page())
    exec(block, namespace := {})
    printed = capsys.readouterr().out.strip()
    assert f"# {printed}, with an accuracy of 0.8" in block
    pairs = zip(namespace["y_true"], namespace["y_pred"], strict=True)
    assert sum(true == pred for true, pred in pairs) == 8


@pytest.mark.parametrize(
    ("typed", "page"),
    [
        ("imbalanced", "guide/accuracy_paradox"),
        ("plot two models", "guide/entropy_triangle"),
        ("confidence interval for F1", "intervals"),
        ("confusion matrix significance", "small_samples"),
    ],
)
def test_what_people_search_for_is_a_heading(typed, page):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    headings = re.findall("^#+ (.+)", text.lower(), re.MULTILINE)
    words = typed.lower().split()
    assert any(all(word in heading for word in words) for heading in headings)
    assert f"```{{index}} ! {typed}\n```" in text  # which the search shows first


@pytest.mark.parametrize(
    ("typed", "page"),
    [
        ("LLM judge", "guide/judges"),
        ("decision threshold", "guide/thresholds"),
        ("repeated measurements", "guide/groups"),
        ("cross-validation confidence interval", "cross_validation"),
    ],
)
def test_what_people_search_for_is_in_the_index(typed, page):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert f"```{{index}} ! {typed}\n```" in text


def test_getting_started_has_the_classifiers_of_the_picture():
    page = (ROOT / "docs" / "getting_started.md").read_text(encoding="utf-8")
    exec(BLOCK.findall(page)[0], found := {})
    drawn = runpy.run_path(str(ROOT / "docs" / "readme_picture.py"))["make_tables"]()
    shown = found["predictions"].values()
    for y_pred, table in zip(shown, drawn.values(), strict=True):
        np.testing.assert_array_equal(contingency_table(found["y_test"], y_pred), table)


@pytest.mark.parametrize(
    "name", ["README.md", "docs/getting_started.md", "docs/scoring.md"]
)
def test_scorer_objects_come_before_strings(name):
    """The first pages that use strings say what makes them work."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert 0 < text.index("make_scorer(") < text.index('scoring="')
    assert re.search(r"[Ii]mporting\s(the\spackage|`sklearn_entropy_metrics`)", text)


def test_the_first_page_with_strings_says_what_importing_changes():
    text = (ROOT / "docs" / "getting_started.md").read_text(encoding="utf-8")
    note = text.partition(":::{important}")[2].partition(":::")[0]
    assert "changes scikit-learn" in note
    assert "SKLEARN_ENTROPY_METRICS_REGISTER=0" in note
