"""The page of the papers: every figure and table, with scripts and tests that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"(?ms)^## ([^\n]+)\n(.*?)(?=^## |\Z)", TEXT))
SLIPS = SECTIONS.pop("Slips of the printed versions")


def names(kind, *numbers):
    return [f"{kind} {number}" for number in numbers]


# All figures and tables of the papers, supplements included.
CONTENTS = {
    "Balance of entropies and the entropy triangle": names("Fig.", *range(1, 6)),
    "EMA and the NIT factor": [
        *names("Fig.", *range(1, 7), "S1", "S2", "S3", "S4", "S5"),
        *names("Table", 1, "S1", "S2", "S3"),
    ],
    "Normalized information": names("Fig.", *range(1, 9)) + names("Table", "I", "II"),
    "Confusion entropy": names("Fig.", *range(1, 9)) + names("Table", *range(1, 10)),
    "φ and δ": names("Fig.", *range(1, 16)) + names("Table", *range(1, 4)),
}


def rows_of(text):
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines[2:]]


def members(cell):
    """Figures and tables that the first cell of a row names."""
    kind, rest = re.match(r"(Figs?\.?|Tables?) ([^:]+)", cell).groups()
    kind = "Fig." if kind.startswith("Fig") else "Table"
    rest = re.sub(r"\([ab]\)", "", rest)  # two parts of one figure
    if " to " in rest:
        first, last = rest.split(" to ")
        return names(kind, *range(int(first), int(last) + 1))
    return names(kind, *rest.split(" and "))


@pytest.mark.parametrize("paper", CONTENTS)
def test_every_figure_and_table_has_a_row(paper):
    found = [name for row in rows_of(SECTIONS[paper]) for name in members(row[0])]
    assert set(found) == set(CONTENTS[paper])
    assert list(SECTIONS) == list(CONTENTS)


@pytest.mark.parametrize("paper", CONTENTS)
def test_every_row_says_what_was_done_or_why_not(paper):
    for name, script, checked, manner, missing in rows_of(SECTIONS[paper]):
        assert script or missing, name
        assert script or not (checked or manner), name
        if script and not checked:
            assert manner or missing, name


@pytest.mark.parametrize("paper", CONTENTS)
def test_scripts_exist_and_have_their_thumbnails(paper):
    linked = set(re.findall(r"`auto_examples/([\w/]+)`", SECTIONS[paper]))
    shown = re.findall(r"^   examples/([\w/]+)\.py$", SECTIONS[paper], re.MULTILINE)
    assert sorted(shown) == sorted(linked)
    for script in linked:
        assert (ROOT / "docs" / "examples" / f"{script}.py").is_file()


def test_tests_exist():
    tests = re.findall(r"`((?:\w+/)?test_\w+\.py)::(test_\w+)`", TEXT)
    assert len(tests) > 40
    assert TEXT.count("test_") == 2 * len(tests)
    for file, test in tests:
        source = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {test}\(", source, re.MULTILINE), (file, test)


def test_every_check_of_a_slip_is_on_the_page():
    source = (ROOT / "tests" / "test_slips.py").read_text(encoding="utf-8")
    for test in re.findall(r"^def (test_\w+)\(", source, re.MULTILINE):
        assert f"`test_slips.py::{test}`" in SLIPS
