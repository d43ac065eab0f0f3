"""The site: a complete reference, docstrings in form, a true table, links that lead.

What needs the built site looks for its folder in the variable BUILT_SITE.
"""

import dataclasses
import importlib.util
import inspect
import operator
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from sklearn.metrics import get_scorer_names

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics.measure import MEASURES, catalog

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE = "".join(
    path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("reference/*.md"))
)
DOCUMENTED = re.findall(r"^   ([\w.]+)$", REFERENCE, re.MULTILINE)
SCRIPTS = sorted((DOCS / "examples").rglob("plot_*.py"))
LISTED = DOCUMENTED + re.findall(r"^\.\. py:data:: ([\w.]+)$", REFERENCE, re.MULTILINE)
PUBLIC = [
    *sem.__all__,
    *(f"measure.{name}" for name in sem.measure.__all__),
    *(f"datasets.{name}" for name in sem.datasets.__all__),
]


def member(name):
    return operator.attrgetter(name)(sem)


def sections(text):
    """The headings of the sections of a docstring."""
    return re.findall(r"^(\w[\w ]*)\n-+$", inspect.cleandoc(text), re.MULTILINE)


def public_methods(name):
    """Full names of the methods that a class itself defines."""
    if not inspect.isclass(member(name)):
        return []
    return [
        f"{name}.{key}"
        for key, value in vars(member(name)).items()
        if not key.startswith("_")
        and (inspect.isfunction(value) or isinstance(value, classmethod | staticmethod))
    ]


METHODS = [method for name in DOCUMENTED for method in public_methods(name)]


# The reference


def test_every_public_name_is_in_the_reference():
    assert len(LISTED) == len(set(LISTED))
    names = {name for name in PUBLIC if not inspect.ismodule(member(name))}
    assert names - set(LISTED) == set()


@pytest.mark.parametrize(
    "name", [name for name in DOCUMENTED if not name.startswith("compare.")]
)
def test_every_public_name_has_an_example(name):
    doc = member(name).__doc__
    assert "Examples" in sections(doc)
    assert ">>>" in doc.partition("Examples\n")[2]


GUIDE = {
    label: text
    for path in [*DOCS.glob("*.md"), *DOCS.glob("guide/*.md")]
    for text in [path.read_text(encoding="utf-8")]
    for label in re.findall(r"\A\((\w+)\)=\n# ", text)
}


@pytest.mark.parametrize(
    "name", [name for name in sem.__all__ if callable(member(name))]
)
def test_every_public_name_leads_to_its_page_of_the_guide(name, measure_table):
    sentence = r"Read more in the :ref:`User Guide <(\w+)>`\.\n\n"
    (label,) = re.findall(sentence, inspect.cleandoc(member(name).__doc__))
    page = GUIDE[label]
    if "_generated/measures.md" in page:
        page += measure_table.markdown()
    assert re.search(rf"\b{name}\b", page), f"{name} is not on the page {label}"


NOT_CHECKED = {
    "ES01": "a summary may be all there is to say",
    "EX01": "which names need an example is tested above",
    "PR04": "parameters that are passed on are listed together, without their types",
    "RT02": "what is returned has a name, as in scikit-learn",
    "RT03": "a name and a type may be all there is to say",
    "RT04": "a sentence may begin with φ",
    "SA01": "not everything has relatives",
    "SA03": "a sentence may begin with φ",
    "SS05": "'Names' and 'Matthews' are no verbs in the third person",
}


@pytest.mark.parametrize("name", DOCUMENTED + METHODS)
def test_docstring_is_in_the_form_of_numpydoc(name):
    numpydoc = pytest.importorskip("numpydoc.docscrape")
    from numpydoc.validate import validate

    exempt = set(NOT_CHECKED)
    if dataclasses.is_dataclass(member(name)):
        exempt.add("PR01")  # the fields are documented as attributes
    if name.endswith(".plot"):
        exempt |= {"PR01", "PR02"}  # the options are those of a TypedDict
    found = validate(numpydoc.get_doc_object(member(name)))["errors"]
    assert [error for error in found if error[0] not in exempt] == []


@pytest.mark.parametrize("name", DOCUMENTED)
def test_relatives_are_names(name):
    """The rest of a description that is not indented would be taken for a name."""
    entries = inspect.cleandoc(member(name).__doc__).partition("See Also\n--------\n")[
        2
    ]
    for line in entries.partition("\n\n")[0].splitlines():
        assert re.match(r"    \S|[\w.]+(, [\w.]+)* : \S", line), line


# The table of measures


def extension(name):
    """The module of an extension of the site."""
    spec = importlib.util.spec_from_file_location(name, DOCS / "_ext" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def measure_table():
    """The extension that writes the table; it needs no Sphinx."""
    return extension("measure_table")


def random_tables(name):
    n_classes = 2 if MEASURES[name].input == "2x2 table" else 4
    return np.random.default_rng(0).integers(1, 30, (50, n_classes, n_classes))


def with_other_errors(tables):
    """The same numbers of mistakes of each class, predicted as other classes."""
    right = tables * np.eye(tables.shape[-1], dtype=int)
    moved = np.take_along_axis(
        tables - right,
        np.array([[0, 2, 3, 1], [2, 1, 3, 0], [1, 3, 2, 0], [1, 2, 0, 3]])[None],
        -1,
    )
    return moved + right


CHANGES = {
    "RENAMED": lambda tables: np.roll(tables, 1, axis=-1),
    "FREQUENCIES": lambda tables: tables * np.arange(1, tables.shape[-1] + 1)[:, None],
    "EXCHANGED": lambda tables: np.swapaxes(tables, -1, -2),
    "OTHER_ERRORS": with_other_errors,
    "POSITIVE": lambda tables: tables[..., ::-1, ::-1],
}
SHAPES = {"OTHER_ERRORS": 4, "POSITIVE": 2}  # where the question makes sense


OF_TABLES = [
    n for n, m in MEASURES.items() if m.input not in ("samples", "label tables")
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", OF_TABLES)
def test_what_leaves_a_measure_unchanged(name, change):
    tables = random_tables(name)
    if SHAPES.get(change, tables.shape[-1]) != tables.shape[-1]:
        return
    measure = MEASURES[name]
    equal = np.isclose(measure(CHANGES[change](tables)), measure(tables), rtol=1e-10)
    if getattr(catalog, change) in measure.unchanged_by:
        assert equal.all()
    else:
        assert equal.mean() < 0.2


POOR_TABLES = {
    "ONE_TRUE": [[0, 0], [2, 3]],
    "ONE_PREDICTED": [[0, 2], [0, 3]],
    "NOTHING_POSITIVE": [[2, 0], [3, 0]],
    "ONE_CLASS": [[5]],
}


@pytest.mark.parametrize("table", POOR_TABLES)
@pytest.mark.parametrize("name", OF_TABLES)
def test_when_a_measure_is_undefined(name, table):
    """A table of one class has one true and one predicted class, too."""
    if MEASURES[name].input == "2x2 table" and table == "ONE_CLASS":
        return
    holds = {
        "NOTHING_POSITIVE": ("NOTHING_POSITIVE", "ONE_PREDICTED"),
        "ONE_CLASS": ("ONE_CLASS", "ONE_TRUE", "ONE_PREDICTED", "ONE_OCCURS"),
    }.get(table, (table,))
    stated = MEASURES[name].undefined_when
    undefined = any(getattr(catalog, condition) in stated for condition in holds)
    assert np.isnan(MEASURES[name](POOR_TABLES[table])) == undefined


def test_the_table_has_every_measure(measure_table):
    text = measure_table.markdown().replace("<wbr>", "")
    strings = get_scorer_names()
    for measure in MEASURES.values():
        assert text.count(f">{measure.scoring}<") == (measure.scoring in strings)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} == {len(measure_table.HEADER) + 1}
    arrows = {row.split("`")[1].split(" <")[0]: row.count("↑") for row in rows[2:]}
    assert arrows["EMA"] == 1
    assert arrows["CEN"] == 0
    for row in rows[2:]:
        assert row.count("↑") + row.count("↓") + row.count("→ 0 ←") == 1


# Pages that must be complete


def test_the_glossary_has_every_attribute_of_the_balance():
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    balance = sem.EntropyBalance.from_confusion_matrix([[3, 1], [1, 3]])
    attributes = {"table", *balance.to_dict()}
    assert {name for name in attributes if f"`{name}`" not in text} == set()


def test_terms_of_the_glossary_stand_above_their_definitions():
    """The directive does not read the colons of Markdown's definition lists."""
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    (entries,) = re.findall(r"```{glossary}\n(.+?)\n```", text, re.DOTALL)
    for entry in entries.split("\n\n"):
        assert re.fullmatch(r"\w+(\n  \w.*)+", entry), entry


def test_the_guide_has_a_sentence_for_each_of_its_pages():
    text, pages = (DOCS / "guide.md").read_text(encoding="utf-8").split("```{toctree}")
    described = re.findall(r"^\[.+\]\((.+)\.md\)\n: \S.+\.$", text, re.MULTILINE)
    assert described == re.findall(r"^([\w/]+)$", pages, re.MULTILINE)


def test_figures_of_the_papers_lead_to_their_scripts():
    text = (DOCS / "papers.md").read_text(encoding="utf-8")
    for script in SCRIPTS:
        introduction = script.read_text(encoding="utf-8").split('"""')[1]
        if re.search(r"\b(Figs?\.?|Table) \w", introduction):
            page = script.relative_to(DOCS / "examples").with_suffix("")
            assert f"`auto_examples/{page}`" in text, script.name


def test_every_script_of_the_gallery_stands_in_a_section():
    settings = (DOCS / "conf.py").read_text(encoding="utf-8")
    sections = {script.parent for script in SCRIPTS}
    assert DOCS / "examples" not in sections
    for section in sections:
        assert (section / "README.rst").is_file()
        assert f'"{section.name}"' in settings


FORMULA = re.compile(
    r"\$\$.+?\$\$|\$[^$\n]+\n?[^$\n]*\$"  # in pages
    r"|:math:`.+?`|\.\. math::.+?\n\s*\n(?=\s*\S)",  # in docstrings
    re.DOTALL,
)
# A name of several letters in italics reads as a product of its letters.
PRODUCT = re.compile(
    r"(?<![A-Za-z\\])(MI|VI|NI|NIT|EMA|CEN|MCC|[tf][pn]|accuracy)(?![A-Za-z])"
)


def products(text):
    """Names of measures in formulas that are not set upright."""
    formulas = (
        re.sub(r"\\(mathrm|text)\{[^}]*\}", "", f) for f in FORMULA.findall(text)
    )
    return [name for formula in formulas for name in PRODUCT.findall(formula)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NI is $MI / H_X$ and $2^{MI}$ times", ["MI", "MI"]),
        ("$$\n\\frac{MI_l}{H_l}\n$$", ["MI"]),
        ("    .. math:: NI = a\n\n    where NI is", ["NI"]),
        ("    .. math::\n\n        VI = \\mathrm{MI}\n\n    where", ["VI"]),
        (r"the :math:`2\,\mathrm{MI}` of MI, a $\Delta H_{UX}$", []),
    ],
)
def test_products_are_found(text, expected):
    assert products(text) == expected


def test_names_of_measures_are_upright_in_formulas():
    package = Path(sem.__file__).parent
    paths = [*DOCS.glob("*.md"), *DOCS.glob("guide/*.md"), *SCRIPTS]
    found = {
        path.name: products(path.read_text(encoding="utf-8"))
        for path in [*paths, *package.rglob("*.py")]
    }
    assert {name: names for name, names in found.items() if names} == {}


def test_settings_of_an_example_are_not_part_of_its_text():
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        assert not re.search(r"^#.*\n# sphinx_gallery_", text, re.MULTILINE), (
            script.name
        )


# The directive for code, and formulas

GOOD = """
# Page

```{executed}
:alt: A line that rises

import matplotlib.pyplot as plt

x = [1, 2]
plt.plot(x)
print("the sum is", sum(x))
```

```{executed}
print("x is", x)
```

$a' = 2^{-H}$
"""
BAD = """
# Bad page

```{executed}
print(x)
```

```{executed}
import warnings

warnings.warn("beware")
```

$\\nonsense{a}$
"""


def test_code_is_run_and_formulas_are_drawn(tmp_path):
    pytest.importorskip("myst_parser")
    (tmp_path / "conf.py").write_text(
        f"import sys\nsys.path.append({str(DOCS / '_ext')!r})\n"
        "extensions = ['myst_parser', 'executed_code', 'mathml']\n"
        "myst_enable_extensions = ['dollarmath']\nhtml_math_renderer = 'mathml'\n"
    )
    (tmp_path / "index.md").write_text(GOOD)
    (tmp_path / "bad.md").write_text("---\norphan: true\n---\n" + BAD)
    command = [sys.executable, "-m", "sphinx", "-q", tmp_path, tmp_path / "site"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "the sum is 3\n" in page
    assert "x is [1, 2]\n" in page
    assert re.search(
        r'<img alt="A line that rises"[^>]* src="_images/index-1.png"', page
    )
    assert "<math" in page
    assert "$" not in re.sub("(?s)<script.*?</script>", "", page)
    # What is wrong on the other page, which does not see the variables of the first.
    for problem in ("name 'x' is not defined", "UserWarning: beware", "the formula"):
        assert run.stderr.count(problem) == 1
    assert "index.md" not in run.stderr


def test_the_map_shows_every_room_and_arrows_that_never_turn_back():
    house_map = extension("house_map")
    found = house_map.survey()
    folders = {
        path.parent.name for path in Path(sem.__file__).parent.glob("*/__init__.py")
    }
    assert set(found) == folders - {"datasets"}
    assert all(n_lines > 100 for _, n_lines, _ in found.values())
    order = list(found)
    for room, (_, _, used) in found.items():
        assert all(order.index(target) < order.index(room) for target in used)
    drawn = house_map.draw(found)
    assert drawn.count("<rect") == len(found)
    assert drawn.count("<path") == sum(len(used) for *_, used in found.values())


# The built site


LOADING = {"script", "img", "link", "iframe", "source", "video", "audio", "object"}


class Page(HTMLParser):
    """What a page links to, what it loads, and the anchors that it has."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = {key: value or "" for key, value in attrs}
        self.anchors |= {attrs[key] for key in ("id", "name") if key in attrs}
        addresses = [attrs[key] for key in ("href", "src", "data") if key in attrs]
        addresses += [
            part.split()[0]
            for part in attrs.get("srcset", "").split(",")
            if part.strip()
        ]
        (self.loads if tag in LOADING else self.links).extend(addresses)


@pytest.fixture(scope="module")
def pages():
    """The pages of the built site by their paths."""
    if "BUILT_SITE" not in os.environ:
        pytest.skip("BUILT_SITE does not name the folder of a built site")
    root = Path(os.environ["BUILT_SITE"]).resolve()
    pages = {path: Page(path) for path in sorted(root.rglob("*.html"))}
    assert root / "index.html" in pages
    return pages


def test_links_lead_somewhere(pages):
    broken = []
    for path, page in pages.items():
        for address in page.links + page.loads:
            link = urlsplit(address)
            if link.scheme or link.netloc:
                continue
            target = (path.parent / unquote(link.path)).resolve() if link.path else path
            anchor = unquote(link.fragment)
            if not target.is_file() or (
                anchor and target in pages and anchor not in pages[target].anchors
            ):
                broken.append((path.name, address))
    assert broken == []


def test_nothing_is_loaded_from_elsewhere(pages):
    foreign = {
        address
        for page in pages.values()
        for address in page.loads
        if urlsplit(address).netloc or urlsplit(address).scheme not in ("", "data")
    }
    assert foreign == set()
    root = min(pages, key=lambda path: len(path.parts)).parent
    for sheet in root.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", text), sheet


def test_the_landing_page_shows_the_beginning_of_the_readme(pages):
    root = min(pages, key=lambda path: len(path.parts)).parent
    assert any(
        address.endswith("readme.png") for address in pages[root / "index.html"].loads
    )
    html = (root / "index.html").read_text(encoding="utf-8")
    assert html.index("mutual information") < html.index("readme.png")
    assert "normalized_information_score" in html


def test_every_script_of_the_gallery_has_a_page_and_a_thumbnail(pages):
    names = {path.name for path in pages}
    images = {Path(address).name for page in pages.values() for address in page.loads}
    for script in SCRIPTS:
        assert f"{script.stem}.html" in names
        assert f"sphx_glr_{script.stem}_thumb.png" in images


def test_every_name_of_the_reference_has_a_page(pages):
    anchors = {path.stem: page.anchors for path, page in pages.items()}
    for name in DOCUMENTED:
        name = f"sklearn_entropy_metrics.{name}"
        assert name in anchors.get(name, ()), name
