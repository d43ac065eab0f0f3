"""A text report in the manner of scikit-learn's `classification_report`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from scipy.optimize import linear_sum_assignment

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.balance.given import Given, given_table
from sklearn_entropy_metrics.balance.probability import balance_samples
from sklearn_entropy_metrics.measure import (
    MEASURES,
    confusion_entropy,
    confusion_entropy_per_class,
    phi_delta,
)
from sklearn_entropy_metrics.measure.delta import check_confidence_level
from sklearn_entropy_metrics.score._intervals import report_intervals
from sklearn_entropy_metrics.table.checks import check_integer
from sklearn_entropy_metrics.table.probabilities import Samples, check_samples
from sklearn_entropy_metrics.table.tabulate import effective_size

# The search for the best relabelling takes a dense table and cubic time.
_MOST_RELABELLED = 1000
_MOST_ROWS = 50
_WIDTH = 76  # of notes

# Sections of the dict: their titles, and those of the lines that are no measures of the
# catalogue, which has the others.
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
# Titles that tell CEN and pCEN apart, whose defaults follow different papers.
_WEIGHTINGS = (
    "Confusion entropy, weighted by class",
    "Confusion entropy of probabilities, weighted by confusion",
)
# Folds of the recalibration, if there are as many samples.
_FOLDS = 5
# Columns of the classes, in the dict and in the text.
_COLUMNS = {
    "phi": "φ",
    "delta": "δ",
    "confusion_entropy": "CEN_j",
    "support": "support",
}


def information_report(
    y_true: ArrayLike | None = None,
    y_pred: ArrayLike | None = None,
    *,
    table: Any = None,
    y_proba: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    target_names: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    digits: int = 3,
    output_dict: bool = False,
    confidence_level: float | None = 0.95,
) -> str | dict[str, Any]:
    """Build a report of what a classifier transfers.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,), default=None
        True labels.

    y_pred : array-like of shape (n_samples,), default=None
        Predicted labels.

    table : array-like of shape (k, m), sparse, EntropyBalance or TableAccumulator, \
            default=None
        Counts or weights, true classes in rows, instead of `y_true` and `y_pred`.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,), default=None
        Predicted probabilities of the classes, in the order of the labels, for the
        probabilistic measures and the balance of the log loss. One-dimensional: of the
        second one of two classes.

    labels : array-like of shape (n_classes,), default=None
        The true classes. By default the sorted labels seen in `y_true` or `y_pred`.
        With `table` the names of its rows.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, if they are not the true ones; with `table` the names of
        its columns. What compares each class with the predictions of the same class is
        NaN then.

    target_names : array-like of shape (n_classes,) of str, default=None
        Distinct names for the true classes, in the order of the labels.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    digits : int, default=3
        Digits after the point in the text.

    output_dict : bool, default=False
        Whether to return a dict of numbers instead of text.

    confidence_level : float, default=0.95
        That of the intervals beside EMA, NIT, NI and accuracy; None: no intervals.

    Returns
    -------
    report : str or dict
        The text names at most 50 classes. The dict has the keys "task", "transfer",
        "triangle", "confusion_entropy", "intervals", "accuracy" and "classes", each a
        dict, and "notes", a list of sentences that say which numbers mean little and
        why. "intervals" has the plug-in value, the corrected estimate, its interval and
        standard error for EMA, NIT, NI and accuracy; it is empty without a
        `confidence_level`, for fewer than two samples and for more than 200 classes.
        With `y_proba` there is also "probabilities", the numbers of a
        :class:`ProbabilityBalance`.

    See Also
    --------
    EntropyBalance : All entropies.
    sklearn.metrics.classification_report : Precision, recall and F1.

    Notes
    -----
    Measures of information do not see whether a classifier is right or systematically
    wrong. The report therefore tells the accuracy that the best exchange of predicted
    labels would reach, and says so when that is higher than the accuracy. Notes also
    say if there is one true class only, or if true and predicted labels have nothing in
    common.

    Examples
    --------
    >>> from sklearn_entropy_metrics import information_report
    >>> y_true = ["cat"] * 6 + ["dog"] * 2 + ["owl"] * 2
    >>> y_pred = ["cat"] * 5 + ["dog"] + ["owl"] * 2 + ["dog"] * 2
    >>> print(information_report(y_true, y_pred, confidence_level=None))
    Task
      samples                                      10
      classes (k)                                   3
      effective classes (k_X)                   2.586
    <BLANKLINE>
    Information transfer
      mutual information in bits (MI)           1.095
      entropy-modulated accuracy (EMA)          0.826
      normalized information transfer (NIT)     0.712
      normalized information (NI)               0.799
    <BLANKLINE>
    Entropy triangle
      distance from uniform classes (ΔH')       0.099
      mutual information (2MI')                 0.691
      variation of information (VI')            0.210
    <BLANKLINE>
    Confusion entropy
      confusion entropy (CEN)                   0.377
      relative (rCEN)                           0.452
      modified (MCEN)                           0.473
    <BLANKLINE>
    Accuracy
      accuracy                                  0.500
      accuracy, best relabelling                0.900  (higher: classes are exchanged)
    <BLANKLINE>
    Classes                                         φ        δ    CEN_j  support
      cat                                      -0.167    0.833    0.157        6
      dog                                      -0.625   -0.375    0.761        2
      owl                                      -0.750   -0.250    0.500        2
    <BLANKLINE>
    Notes
      Classes are exchanged: under other names for the predicted classes the
      accuracy would be 0.900 instead of 0.500.
    <BLANKLINE>
    """
    digits = check_integer(digits, "digits", minimum=0)
    if confidence_level is not None:
        confidence_level = check_confidence_level(confidence_level)
    if table is not None and y_proba is not None:
        raise ValueError("y_proba needs y_true and y_pred; a table does not hold them.")
    given = given_table(
        y_true,
        y_pred,
        table,
        labels=labels,
        pred_labels=pred_labels,
        sample_weight=sample_weight,
    )
    names = _names(given.labels, target_names)
    samples = None
    if y_proba is not None:
        samples = check_samples(
            y_true, y_proba, labels=given.labels, sample_weight=sample_weight
        )
    is_bare = table is not None and given.n_samples is None
    if is_bare and confidence_level is not None:
        _check_counts(given.table)
    report = report_of_table(
        given,
        names,
        samples,
        confidence_level=confidence_level,
        n_samples=given.n_samples or effective_size(sample_weight),
    )
    if output_dict:
        return report
    return text_of_report(report, digits, confidence_level)


def report_of_table(
    given: Given,
    names: Sequence[str],
    samples: Samples | None = None,
    support: Sequence[float] | None = None,
    *,
    confidence_level: float | None = None,
    n_samples: float | None = None,
) -> dict[str, Any]:
    """Report on a table whose classes have names, and on probabilities if given.

    The table may be that of the probabilities, whose rows need not sum to the `support`
    of the classes. What compares each class with the predictions of the same class is
    NaN unless the columns stand for the classes of the rows. There are intervals if a
    confidence level is given, for `n_samples` samples or as many as the table counts.
    """
    table, is_square = given.table, given.is_square
    balance = EntropyBalance(table)
    divergence, information, variation = balance.joint_fractions.tolist()
    support = _row_sums(table) if support is None else list(support)
    rows = zip(*_class_columns(balance, is_square), support, strict=True)
    accuracies = _accuracies(balance, is_square)
    intervals: dict[str, Any] = {}
    notes: list[str] = []
    if confidence_level is not None:
        intervals, notes = report_intervals(given, confidence_level, n_samples)
    report: dict[str, Any] = {
        "task": {
            "n_samples": sum(support),
            "n_classes": balance.n_true_classes,
            "effective_classes": balance.effective_true_classes,
        },
        "transfer": {
            "mutual_information": balance.mutual_information,
            **_measures("transfer", balance, is_square),
        },
        "triangle": {
            "divergence": divergence,
            "mutual_information": information,
            "variation_of_information": variation,
        },
        "confusion_entropy": {
            **_measures("confusion_entropy", balance, is_square),
            "modified_confusion_entropy": (
                confusion_entropy(balance, modified=True) if is_square else np.nan
            ),
        },
        "intervals": intervals,
        "accuracy": accuracies,
        "classes": {
            name: dict(zip(_COLUMNS, row, strict=True))
            for name, row in zip(names, rows, strict=True)
        },
        "notes": _notes(given.doubt, accuracies) + notes,
    }
    if samples is not None:
        _add_probabilities(report, samples)
    return report


def _add_probabilities(report, samples):
    soft = samples.soft_table()
    report["confusion_entropy"] |= {
        name: measure(soft.table, class_weight=soft.class_weight)
        for name, measure in MEASURES.items()
        if measure.section == "confusion_entropy" and measure.of_probabilities
    }
    n_folds = min(_FOLDS, len(samples.true))
    balance = balance_samples(samples, cv=n_folds if n_folds > 1 else None)
    report["probabilities"] = balance.to_dict()
    if balance.stated_information < 0:
        report["notes"].append(
            "The probabilities mislead: as they are, they tell less than the class "
            "frequencies alone."
        )


def _measures(section, balance, is_square):
    """The measures of tables that the catalogue puts into a section."""
    return {
        measure.name: measure(balance)
        if measure.input == "table" or (is_square and measure.takes(balance))
        else np.nan
        for measure in MEASURES.values()
        if measure.section == section and not measure.of_probabilities
    }


def _check_counts(table):
    """Refuse probabilities, which do not say how many samples there were."""
    total = table.sum(dtype=np.float64)
    if table.dtype.kind == "f" and total <= 1 + 1e-9:
        raise ValueError(
            "Intervals need the number of samples: `table` must hold counts, got a "
            f"total of {total:.6g} instead. Pass confidence_level=None for a report "
            "without intervals."
        )


def _row_sums(table):
    """Numbers of samples of the classes; counts as Python ints, which may be large."""
    if table.dtype.kind == "f" or table.sum(dtype=np.float64) < 2.0**62:
        return table.sum(axis=1).tolist()
    cells = sp.coo_array(table)
    sums = [0] * table.shape[0]
    for row, value in zip(cells.coords[0].tolist(), cells.data.tolist(), strict=True):
        sums[row] += value
    return sums


def _class_columns(balance, is_square):
    """φ, δ and CEN of each class."""
    if not is_square:
        return np.full((3, balance.n_true_classes), np.nan).tolist()
    columns = *phi_delta(balance, average=None), confusion_entropy_per_class(balance)
    return [np.asarray(column).tolist() for column in columns]


def _accuracies(balance, is_square):
    """Accuracy, and the one that the best exchange of predicted labels would have."""
    measures, table = _measures("accuracy", balance, is_square), balance.table
    if table.shape[0] > _MOST_RELABELLED or not is_square:
        return measures | {"best_relabelling": None, "is_exchanged": None}
    dense = table.toarray() if sp.issparse(table) else table
    hits = dense[linear_sum_assignment(dense, maximize=True)]
    best = float(hits.sum(dtype=np.float64) / dense.sum(dtype=np.float64))
    plain = measures["accuracy"]
    return measures | {
        "best_relabelling": max(best, plain),
        "is_exchanged": best > plain + 1e-12,
    }


def _notes(doubt, accuracies):
    """What the numbers do not say by themselves."""
    notes = [] if doubt is None else [doubt]
    if accuracies["is_exchanged"]:
        notes.append(
            "Classes are exchanged: under other names for the predicted classes the "
            f"accuracy would be {accuracies['best_relabelling']:.3f} instead of "
            f"{accuracies['accuracy']:.3f}."
        )
    return notes


def _names(labels, target_names):
    names = [str(name) for name in (labels if target_names is None else target_names)]
    if len(names) != len(labels):
        raise ValueError(
            f"target_names must name each of the {len(labels)} classes {labels}. Got "
            f"{len(names)} names."
        )
    repeated = [name for name, number in Counter(names).items() if number > 1]
    if repeated:
        raise ValueError(
            f"target_names must be distinct. Got {repeated[0]!r} more than once."
        )
    return names


def text_of_report(
    report: dict[str, Any], digits: int = 3, confidence_level: float | None = 0.95
) -> str:
    """Write the numbers of a report as text."""
    lines = []
    for title, section in _titled(report, confidence_level):
        lines.append(title)
        for text, value, found in section:
            line = _line(text, value, digits=digits)
            lines.append(line + _interval(found, digits))
        lines.append("")
    if report["accuracy"]["is_exchanged"]:
        lines[-2] += "  (higher: classes are exchanged)"
    classes = report["classes"]
    lines.append(f"{'Classes':<40}" + "".join(f"{c:>9}" for c in _COLUMNS.values()))
    for name in list(classes)[:_MOST_ROWS]:
        lines.append(_line(name, *classes[name].values(), digits=digits))
    if len(classes) > _MOST_ROWS:
        lines.append(f"  … and {len(classes) - _MOST_ROWS} more classes")
    if report["notes"]:
        lines += ["", "Notes"]
        for note in report["notes"]:
            lines += wrap(note, _WIDTH, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines) + "\n"


def _titled(report, confidence_level):
    """Sections of the text: titles, and lines of title, number and interval."""
    for section, (title, others) in _SECTIONS.items():
        values = report.get(section, {})
        if section == "confusion_entropy" and "probabilities" in report:
            soft = {k: v for k, v in values.items() if _is_of_probabilities(k)}
            crisp = {k: v for k, v in values.items() if k not in soft}
            parts = list(zip(_WEIGHTINGS, (crisp, soft), strict=True))
        else:
            parts = [(title, values)]
        for heading, numbers in parts:
            found = _intervals_in(section, report)
            lines = [
                (
                    others[key] if key in others else _title(MEASURES[key]),
                    number,
                    found.get(key),
                )
                for key, number in numbers.items()
            ]
            if found:
                level = f"{100 * confidence_level:g} %"
                heading = f"{heading:<41}observed  corrected [{level}]"
            if lines:
                yield heading, [line for line in lines if line[0]]


def _intervals_in(section, report):
    return {
        name: found
        for name, found in report["intervals"].items()
        if MEASURES[name].section == section
    }


def _is_of_probabilities(key):
    return key in MEASURES and MEASURES[key].of_probabilities


def _title(measure):
    if measure.symbol == measure.title:
        return measure.title
    return f"{measure.title} ({measure.symbol})"


def _interval(found, digits):
    """The corrected value and its interval, for the end of a line."""
    if found is None or np.isnan(found["estimate"]):
        return ""
    numbers = (f"{found[key]:.{digits}f}" for key in ("estimate", "low", "high"))
    return "{:>11} [{}, {}]".format(*numbers)


def _line(title, *values, digits):
    cells = "".join(f"{_number(value, digits):>9}" for value in values)
    return f"  {title:<{38 + 9 * len(values) - len(cells)}}{cells}"  # words are longer


def _number(value, digits):
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) else f"{value:.{digits}f}"
