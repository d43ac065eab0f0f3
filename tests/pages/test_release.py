"""What is published beside the code: citation, workflow, templates, blanks."""

import inspect
import re
import tomllib
from pathlib import Path

import pytest
import yaml

import sklearn_entropy_metrics as sem

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def text_of(path):
    """A file as one line, in lower case: titles are not broken, nor capitalised."""
    return " ".join((ROOT / path).read_text(encoding="utf-8").split()).lower()


def test_the_citation_is_that_of_this_version():
    assert CITATION["version"] == sem.__version__
    assert CITATION["license"] == PROJECT["license"]
    assert CITATION["authors"] == PROJECT["authors"]
    assert PROJECT["authors"][0]["name"] in (ROOT / "LICENSE").read_text("utf-8")


def test_the_citation_has_the_papers_of_the_page():
    page, readme = text_of("docs/papers.md"), text_of("README.md")
    assert len(CITATION["references"]) == 5
    for paper in CITATION["references"]:
        assert paper["title"].lower() in page
        assert paper["title"].lower() in readme
        assert f"[doi:{paper['doi'].lower()}]" in page
        for author in paper["authors"]:
            assert f"{author['given-names']} {author['family-names']}".lower() in page


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_may_read_and_use_pinned_actions(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert re.fullmatch(
                r"[\w/-]+@[0-9a-f]{40}", step.get("uses", f"a@{'0' * 40}")
            )


def test_every_python_is_tested():
    checks = yaml.safe_load((WORKFLOWS[0]).read_text(encoding="utf-8"))["jobs"]
    pythons = checks["tests"]["strategy"]["matrix"]["python"]
    assert pythons[0] == PROJECT["requires-python"].removeprefix(">=")
    steps = checks["everything"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == ["bash .ci/run"]


def test_the_paper_has_the_sections_that_joss_asks_for():
    text = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    _, head, body = text.split("---\n", 2)
    assert yaml.safe_load(head)["bibliography"] == "paper.bib"
    assert re.findall("^# (.+)", body, re.MULTILINE) == [
        "Summary",
        "Statement of need",
        "State of the field",
        "Software design",
        "Research impact statement",
        "AI usage disclosure",
        "Acknowledgements",
        "References",
    ]
    assert 750 <= len(body.split()) <= 1750
    entries = (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8")
    known = set(re.findall(r"^@\w+\{([^,]+),", entries, re.MULTILINE))
    assert set(re.findall(r"@([\w-]+)", body)) == known


def test_templates_have_the_fields_that_github_reads():
    templates = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md"))
    assert len(templates) == 2
    for template in templates:
        _, head, body = template.read_text(encoding="utf-8").split("---\n", 2)
        assert yaml.safe_load(head).keys() == {"name", "about", "labels"}
        assert body.strip()


def test_no_address_is_invented():
    """What does not exist yet is a blank of the release page."""
    blanks = (ROOT / "docs" / "releasing.md").read_text("utf-8").partition("## Blanks")
    assert "urls" not in PROJECT
    assert not CITATION.keys() & {"url", "repository-code", "doi"}
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md"):
        text = (ROOT / ".github" / name).read_text(encoding="utf-8")
        assert "docs/releasing.md#blanks" in text
        assert not re.search(r"https?://|\S@\S", text)
        assert f"`.github/{name}`" in blanks[2]


def test_the_changelog_names_everything_that_is_public():
    text = (ROOT / "docs" / "changelog.md").read_text(encoding="utf-8")
    names = {name for name in sem.__all__ if not inspect.ismodule(getattr(sem, name))}
    assert {name for name in names if f"`{name}`" not in text} == set()
