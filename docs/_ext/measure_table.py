"""The table of all measures, ``_generated/measures.md``, for pages to include.

It joins the catalogue with what is not written there: what leaves a measure unchanged,
and when it is undefined.
"""

from itertools import groupby
from typing import NamedTuple

from sklearn_entropy_metrics.measure import MEASURES

RENAMED = "other names for the predicted classes"
FREQUENCIES = "the class frequencies"
EXCHANGED = "truth and prediction exchanged"
OTHER_ERRORS = "other wrong classes predicted"
POSITIVE = "which class is positive"

ONE_TRUE = "one class only is true"
ONE_PREDICTED = "one class only is predicted"
NOTHING_POSITIVE = "nothing is predicted positive"
ONE_CLASS = "k = 1"


class Facts(NamedTuple):
    """What the catalogue does not say of a measure."""

    symbol: str
    unchanged_by: frozenset[str] = frozenset()
    undefined_when: frozenset[str] = frozenset()


def _of_rates(name, symbol, *unchanged_by, undefined_when=(), undefined_average=()):
    """Facts of a measure of two classes and of its averages over more of them."""
    averaged = Facts(f"{symbol}, averaged", set(), {ONE_TRUE, *undefined_average})
    return {
        name: Facts(symbol, {FREQUENCIES, *unchanged_by}, {ONE_TRUE, *undefined_when}),
        f"{name}_macro": averaged,
        f"{name}_weighted": averaged,
    }


FACTS = {
    "entropy_modulated_accuracy": Facts("EMA", {RENAMED}),
    "normalized_information_transfer": Facts("NIT", {RENAMED, EXCHANGED}),
    "normalized_information": Facts("NI", {RENAMED}, {ONE_TRUE}),
    "variation_of_information": Facts("VI", {RENAMED, EXCHANGED}),
    "accuracy": Facts("accuracy", {EXCHANGED, OTHER_ERRORS}),
    "matthews_corrcoef": Facts("MCC", {EXCHANGED}, {ONE_TRUE, ONE_PREDICTED}),
    "confusion_entropy": Facts("CEN", {EXCHANGED}, {ONE_CLASS}),
    "relative_confusion_entropy": Facts("rCEN", {FREQUENCIES}, {ONE_CLASS}),
    "probabilistic_confusion_entropy": Facts("pCEN", {EXCHANGED}, {ONE_CLASS}),
    "relative_probabilistic_confusion_entropy": Facts(
        "rpCEN", {FREQUENCIES}, {ONE_CLASS}
    ),
    "mean_absolute_probability_error": Facts("MAE", {EXCHANGED, OTHER_ERRORS}),
    "probability_information": Facts("information of probabilities"),
    "miscalibration": Facts("miscalibration"),
    **_of_rates("discriminant_capability", "δ", POSITIVE),
    **_of_rates("unbiased_accuracy", "unbiased accuracy", POSITIVE),
    **_of_rates(
        "unbiased_precision", "unbiased precision", undefined_when={NOTHING_POSITIVE}
    ),
    **_of_rates("unbiased_f1", "unbiased F1"),
    **_of_rates(
        "unbiased_matthews_corrcoef",
        "unbiased MCC",
        POSITIVE,
        undefined_when={ONE_PREDICTED},
        undefined_average={ONE_PREDICTED},
    ),
}

HEADER = (
    "Measure",
    "Scoring string",
    "Range",
    "Better",
    "Needs",
    "Unchanged by",
    "Undefined when",
    "Paper",
)


def markdown():
    """The table; the averages of a measure share a row."""
    rows = [HEADER, ["---"] * len(HEADER)]
    for facts, measures in groupby(MEASURES.values(), lambda m: FACTS[m.name]):
        rows.append(_row(list(measures), facts))
    lines = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return f"```{{table}}\n:class: wide\n\n{lines}```\n"


def _row(measures, facts):
    first = measures[0]
    name = first.metric or f"measure.{first.function.__name__}"
    low, high = first.range
    return (
        f"{{py:func}}`{facts.symbol} <sklearn_entropy_metrics.{name}>`",
        ", ".join(_code(measure.scoring) for measure in measures),
        f"{low} to {high}",
        "higher" if first.direction == "maximize" else "lower",
        "probabilities" if first.of_probabilities else "labels",
        "; ".join(sorted(facts.unchanged_by)) or "none of these",
        "; ".join(sorted(facts.undefined_when)) or "never",
        first.paper or "none",
    )


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
