"""The table of all measures, ``_generated/measures.md``, for pages to include."""

from itertools import groupby

from sklearn.metrics import get_scorer_names

from sklearn_entropy_metrics.measure import MEASURES

HEADER = (
    "Measure",
    "Scoring string",
    "Range",
    "Needs",
    "Unchanged by",
    "Undefined when",
    "Paper",
)
ARROWS = {"maximize": "↑", "minimize": "↓", "zero": "→ 0 ←"}


def markdown():
    """The table; the averages of a measure share a row."""
    rows = [HEADER, ["---"] * len(HEADER)]
    for _, measures in groupby(MEASURES.values(), lambda m: (m.function, m.symbol)):
        rows.append(_row(list(measures)))
    lines = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return f"```{{table}}\n:class: wide\n\n{lines}```\n"


def _row(measures):
    first = measures[0]
    name = f"measure.{first.function.__name__}"
    if first.metric is not None:
        name = first.metric.__name__
    known = get_scorer_names()
    strings = [m.scoring for m in measures if m.scoring in known]
    low, high = first.range
    return (
        f"{{py:func}}`{first.symbol} <sklearn_entropy_metrics.{name}>`",
        ", ".join(_code(name) for name in strings) or "none",
        f"{ARROWS[first.direction]} {low.text} to {high.text}",
        _needs(first),
        "; ".join(sorted(first.unchanged_by)) or "none of these",
        "; ".join(sorted(first.undefined_when)) or "never",
        first.paper or "none",
    )


def _needs(measure):
    if measure.of_several_labels:
        return "label indicator matrices"
    return "probabilities" if measure.of_probabilities else "labels"


def _code(name):
    """A name that may be broken after underscores."""
    return f'<code class="literal">{name.replace("_", "_<wbr>")}</code>'


def write(app):
    """Write the table, if it has changed."""
    path = app.srcdir / "_generated" / "measures.md"
    path.parent.mkdir(exist_ok=True)
    text = markdown()
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app):
    """Write the table before the pages are read."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
