"""The code in the README and in the documents runs."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
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


def test_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [line for line in text.splitlines() if line.startswith("pip install")]
    assert commands == [
        "pip install . && sklearn-entropy-metrics demo",
        'pip install ".[test]" && pytest -n auto --cov',
    ]
