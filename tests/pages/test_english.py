"""Turns of phrase that do not belong in the documentation, docstrings and messages."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "paper" / "paper.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "guide").glob("*.md")),
    *sorted((ROOT / "docs" / "reference").glob("*.md")),
    *sorted((ROOT / "docs" / "examples").rglob("*.py")),
    *sorted((ROOT / "docs" / "examples").rglob("*.rst")),
    *sorted((ROOT / "sklearn_entropy_metrics").rglob("*.py")),
]
# Regular expressions, each with what to write instead.
BANNED = {
    r"shall": "must, or the plain verb",
    r"whoever": "a reader who",
    r"who \w+s .{3,40} is (?:on|in|at|right|better)": "a classifier that",
    r"as \w+ (?:has|have) it": "as in",
    r"(?:has|have) not (?:a|the|to)": "does not have",
    r"not to be had": "not available",
    r"as many as you like": "any number",
    r"at hand": "available, in memory",
    r"of which there are": "the number in the sentence",
    r"what is undefined is": "undefined values are",
    r"where nothing is,": "the subject first",
    r"so it is if": "this is the case if",
    r"got besides": "missing",
    r"an own": "its own",
    r"belongs? into": "belongs in, goes into",
    r"in the manner of": "in the style of, modelled on, like",
    r"(?:is|are) told (?:in|here|as)": "see",
    r"told apart": "separated, distinguished",
    r"tells? (?:nothing|most|as much)": "say nothing, be the most informative",
    r"told from": "distinguished from",
    r"draws? lots|drawing lots|lots drawn|by lot": "guesses at random",
    r"whatever (?:the|is|one)": "regardless of, for any",
    r"which share": "how much, the share",
    r"(?:labels|point|row|bit|column) a (?:sample|label|column|row|variable)": "per",
    r"(?:rank|decide|score)s? alike": "in the same way",
    r"(?:second|positive|right) one of two": "second of two",
    r"thrown away by|throws? away": "discarded, lost",
    r"to be (?:told|found|mended|learnt) ": "an active verb",
    r"says? \W?(?:no|yes)\W? always": 'always says "no"',
    r"leans? to(?:wards)?": "tends to answer",
    r"upside down": "with the answers swapped",
    r"(?:classes|still) in question": "left to guess among",
    r"which asks for": "at least … are needed",
    r"has the \w+ (?:beat|win|lose)": "in the paper, …",
    r"that scikit-learn brings": "that come with scikit-learn",
    r"ranges? of (?:its|their) own": "each limits it to a range",
    r"always say the same": "is constant",
    r"chunk each": "each of the …",
    r"(?:green|red|blue|grey|orange) are": "the … are green",
    r"differences? to the": "differences from",
    r"the order is that": "sorted by",
    r"is that after": "after …, it is",
    r"are as expected for": "agree with what is expected",
    r"there for information": "for reference",
    r"(?:is|are) left over": "remain",
    r"(?:one|number|row|table) a (?:class|segment|month|row|column|fold)": "per",
}
PATTERN = re.compile(
    "|".join(rf"(?<![\w-])(?:{turn})(?![\w-])" for turn in BANNED), re.IGNORECASE
)


def prose(text):
    """The text on one line, without the marks of comments and of split strings."""
    text = re.sub(r'"\n\s*f?"', "", text)
    return re.sub(r"\s+(?:# )?", " ", text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_banned_turns(path):
    text = prose(path.read_text(encoding="utf-8"))
    found = [
        text[max(0, hit.start() - 40) : hit.end() + 30]
        for hit in PATTERN.finditer(text)
    ]
    assert not found


@pytest.mark.parametrize(
    "text",
    [
        "The user shall name it.",
        "# classes that are told\n# apart",
        'raise ValueError(\n    "labels must hold it, got "\n    "besides: 2")',
        "What is undefined is NaN.",
        "It belongs into the denominator, as (5) has it.",
    ],
)
def test_banned_turns_are_found(text):
    assert PATTERN.search(prose(text))
