"""The code in the README and in the documents runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_code_blocks_run(path):
    text = path.read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    namespace = {}
    for block in blocks:
        exec(compile(block, path.name, "exec"), namespace)


def test_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [line for line in text.splitlines() if line.startswith("pip install")]
    assert commands == [
        "pip install . && sklearn-entropy-metrics demo",
        'pip install ".[test]" && pytest --cov',
    ]
