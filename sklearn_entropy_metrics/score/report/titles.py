"""The titles of the numbers of a report, and their sections."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sklearn_entropy_metrics.measure.catalog import MEASURES

# Sections of the dict: their titles, and those of the lines that are not measures in
# the catalogue.
_SECTIONS = {
    "task": (
        "Task",
        {
            "n_samples": "samples",
            "n_classes": "classes (k)",
            "effective_classes": "effective classes (k_X)",
        },
    ),
    "transfer": (
        "Information transfer",
        {
            "mutual_information": "mutual information in bits (MI)",
        },
    ),
    "triangle": (
        "Entropy triangle",
        {
            "divergence": "distance from uniform classes (ΔH')",
            "mutual_information": "mutual information (2MI')",
            "variation_of_information": "variation of information (VI')",
        },
    ),
    "confusion_entropy": (
        "Confusion entropy",
        {
            "modified_confusion_entropy": "modified (MCEN)",
        },
    ),
    "probabilities": (
        "Probabilities, in bits",
        {
            "n_classes": "",
            "entropy": "entropy of the classes (H)",
            "log_loss": "log loss (L = H - I + M)",
            "recalibrated_log_loss": "",
            "information": "information (I), known",
            "miscalibration": "miscalibration (M)",
            "stated_information": "information as stated (H - L), said",
            "decision_information": "information of the decisions",
            "decision_loss": "information lost by deciding",
            "normalized_information": "information, share of the entropy",
            "likelihood": "",
            "recalibrated_likelihood": "",
            "recalibration": "recalibrated by",
        },
    ),
    "accuracy": (
        "Accuracy",
        {
            "best_relabelling": "accuracy, best relabelling",
            "is_exchanged": "",  # said behind the line above
        },
    ),
}
# Titles that distinguish CEN from pCEN, whose defaults follow different papers.
_WEIGHTINGS = (
    "Confusion entropy, weighted by class",
    "Confusion entropy of probabilities, weighted by confusion",
)
# Columns of the classes, by their keys in the dict.
CLASS_COLUMNS = {
    "phi": "φ",
    "delta": "δ",
    "confusion_entropy": "CEN_j",
    "support": "support",
}


class Line(NamedTuple):
    """A number of a report.

    Attributes
    ----------
    key : str
        Its key in the dict.

    title : str
        Its title for readers.

    value : float, int, str or None
        As observed.

    interval : dict of str to float, or None
        The corrected value and its interval, if there are any.
    """

    key: str
    title: str
    value: Any
    interval: dict[str, float] | None


class Section(NamedTuple):
    """Numbers that belong together, by their key in the dict."""

    key: str
    title: str
    lines: list[Line]


def titled_sections(report: dict[str, Any]) -> Iterator[Section]:
    """All sections of a report except the classes and the notes."""
    for section, (title, titles) in _SECTIONS.items():
        # Probabilities have a normalized information, too, but no interval.
        intervals = {} if section == "probabilities" else report["intervals"]
        lines = [
            Line(key, found, value, intervals.get(key))
            for key, value in report.get(section, {}).items()
            if (found := titles[key] if key in titles else _title(MEASURES[key]))
        ]
        parts = {title: lines}
        soft = [line for line in lines if _is_of_probabilities(line.key)]
        if section == "confusion_entropy" and soft:
            crisp = [line for line in lines if line not in soft]
            parts = dict(zip(_WEIGHTINGS, (crisp, soft), strict=True))
        yield from (Section(section, *part) for part in parts.items() if part[1])


def _is_of_probabilities(key):
    return key in MEASURES and MEASURES[key].of_probabilities


def _title(measure):
    if measure.symbol == measure.title:
        return measure.title
    return f"{measure.title} ({measure.symbol})"
