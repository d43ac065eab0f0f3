"""A text report in the manner of scikit-learn's `classification_report`."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from scipy.optimize import linear_sum_assignment

from sklearn_entropy_metrics.decompose import EntropyBalance
from sklearn_entropy_metrics.measure import (
    MEASURES,
    accuracy,
    confusion_entropy,
    confusion_entropy_per_class,
    phi_delta,
)
from sklearn_entropy_metrics.tabulate import Table, tabulate
from sklearn_entropy_metrics.tabulate_probabilities import (
    SoftTable,
    tabulate_probabilities,
)

# The search for the best relabelling takes a dense table and cubic time.
_MOST_RELABELLED = 1000
_MOST_ROWS = 50

# Sections of the dict: their titles and those of their lines in the text.
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
            "entropy_modulated_accuracy": "entropy-modulated accuracy (EMA)",
            "normalized_information_transfer": "normalized information transfer (NIT)",
            "normalized_information": "normalized information (NI)",
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
            "confusion_entropy": "confusion entropy (CEN)",
            "relative_confusion_entropy": "relative (rCEN)",
            "modified_confusion_entropy": "modified (MCEN)",
            "probabilistic_confusion_entropy": "probabilistic (pCEN)",
            "relative_probabilistic_confusion_entropy": "rel. probabilistic (rpCEN)",
            "mean_absolute_probability_error": "mean absolute probability error",
        },
    ),
    "accuracy": (
        "Accuracy",
        {
            "accuracy": "accuracy",
            "best_relabelling": "accuracy, best relabelling",
        },
    ),
}
# Columns of the classes, in the dict and in the text.
_COLUMNS = {
    "phi": "φ",
    "delta": "δ",
    "confusion_entropy": "CEN_j",
    "support": "support",
}


def information_report(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    y_proba: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    target_names: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    digits: int = 3,
    output_dict: bool = False,
) -> str | dict[str, Any]:
    """Build a report of what a classifier transfers.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,), default=None
        Predicted probabilities of the classes, in the order of the labels, for the
        probabilistic measures. One-dimensional: of the second one of two classes.

    labels : array-like of shape (n_classes,), default=None
        The classes. By default the sorted labels seen in `y_true` or `y_pred`.

    target_names : array-like of shape (n_classes,) of str, default=None
        Names for the classes, in the order of the labels.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    digits : int, default=3
        Digits after the point in the text.

    output_dict : bool, default=False
        Whether to return a dict of numbers instead of text.

    Returns
    -------
    report : str or dict
        The text names at most 50 classes. The dict has the keys "task", "transfer",
        "triangle", "confusion_entropy", "accuracy" and "classes", each a dict.

    See Also
    --------
    EntropyBalance : All entropies.
    sklearn.metrics.classification_report : Precision, recall and F1.

    Notes
    -----
    Measures of information do not see whether a classifier is right or systematically
    wrong. The report therefore tells the accuracy that the best exchange of predicted
    labels would reach, and says so when that is higher than the accuracy.

    Examples
    --------
    >>> from sklearn_entropy_metrics import information_report
    >>> y_true = ["cat"] * 6 + ["dog"] * 2 + ["owl"] * 2
    >>> y_pred = ["cat"] * 5 + ["dog"] + ["owl"] * 2 + ["dog"] * 2
    >>> print(information_report(y_true, y_pred))
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
    """
    if not isinstance(digits, Integral) or isinstance(digits, bool) or digits < 0:
        raise ValueError(f"digits must be a non-negative integer. Got {digits!r}.")
    tabulated = tabulate(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    names = _names(tabulated.labels, target_names)
    soft = None
    if y_proba is not None:
        soft = tabulate_probabilities(
            y_true, y_proba, labels=tabulated.labels, sample_weight=sample_weight
        )
    report = report_of_table(tabulated.table, names, soft)
    return report if output_dict else text_of_report(report, digits)


def report_of_table(
    table: Table, names: Sequence[str], soft: SoftTable | None = None
) -> dict[str, Any]:
    """Report on a table whose classes have names, and on probabilities if given.

    The table may be that of the probabilities. What compares each class with the
    predictions of the same class is NaN unless the table is square.
    """
    balance = EntropyBalance.from_confusion_matrix(table)
    divergence, information, variation = balance.joint_fractions.tolist()
    support = table.sum(axis=1)
    if soft is not None and table is soft.table:
        support = soft.class_weight  # also if probabilities do not sum to one
    rows = zip(*_class_columns(table), support.tolist(), strict=True)
    report = {
        "task": {
            "n_samples": support.sum().item(),
            "n_classes": balance.n_true_classes,
            "effective_classes": balance.effective_true_classes,
        },
        "transfer": {
            "mutual_information": balance.mutual_information,
            "entropy_modulated_accuracy": balance.entropy_modulated_accuracy,
            "normalized_information_transfer": balance.normalized_information_transfer,
            "normalized_information": balance.normalized_information,
        },
        "triangle": {
            "divergence": divergence,
            "mutual_information": information,
            "variation_of_information": variation,
        },
        "confusion_entropy": _confusion_entropies(table),
        "accuracy": _accuracies(table),
        "classes": {
            name: dict(zip(_COLUMNS, row, strict=True))
            for name, row in zip(names, rows, strict=True)
        },
    }
    if soft is not None:
        report["confusion_entropy"] |= {
            name: measure(soft.table, class_weight=soft.class_weight)
            for name, measure in MEASURES.items()
            if measure.input == "probabilities"
        }
    return report


def _is_square(table):
    return table.shape[0] == table.shape[1]


def _class_columns(table):
    """φ, δ and CEN of each class."""
    if not _is_square(table):
        return np.full((3, table.shape[0]), np.nan).tolist()
    phi, delta = phi_delta(table, average=None)
    return [phi.tolist(), delta.tolist(), confusion_entropy_per_class(table).tolist()]


def _confusion_entropies(table):
    options: dict[str, dict[str, Any]] = {
        "confusion_entropy": {},
        "relative_confusion_entropy": {"relative": True},
        "modified_confusion_entropy": {"modified": True},
    }
    if not _is_square(table):
        return dict.fromkeys(options, np.nan)
    return {name: confusion_entropy(table, **some) for name, some in options.items()}


def _accuracies(table):
    """Accuracy, and the one that the best exchange of predicted labels would have."""
    plain = accuracy(table) if _is_square(table) else np.nan
    if table.shape[0] > _MOST_RELABELLED or not _is_square(table):
        return {"accuracy": plain, "best_relabelling": None, "is_exchanged": None}
    dense = table.toarray() if sp.issparse(table) else table
    rows, columns = linear_sum_assignment(dense, maximize=True)
    best = float(dense[rows, columns].sum() / dense.sum())
    return {
        "accuracy": plain,
        "best_relabelling": max(best, plain),
        "is_exchanged": best > plain + 1e-12,
    }


def _names(labels, target_names):
    if target_names is None:
        return [str(label) for label in labels]
    if len(target_names) != len(labels):
        raise ValueError(
            f"target_names must name each of the {len(labels)} classes {labels}. Got "
            f"{len(target_names)} names."
        )
    return [str(name) for name in target_names]


def text_of_report(report: dict[str, Any], digits: int = 3) -> str:
    """Write the numbers of a report as text."""
    lines = []
    for section, (title, rows) in _SECTIONS.items():
        lines.append(title)
        values = report[section]
        lines += [
            _line(text, values[key], digits=digits)
            for key, text in rows.items()
            if key in values
        ]
        lines.append("")
    if report["accuracy"]["is_exchanged"]:
        lines[-2] += "  (higher: classes are exchanged)"
    classes = report["classes"]
    lines.append(f"{'Classes':<40}" + "".join(f"{c:>9}" for c in _COLUMNS.values()))
    for name in list(classes)[:_MOST_ROWS]:
        lines.append(_line(name, *classes[name].values(), digits=digits))
    if len(classes) > _MOST_ROWS:
        lines.append(f"  … and {len(classes) - _MOST_ROWS} more classes")
    return "\n".join(lines) + "\n"


def _line(title, *values, digits):
    return f"  {title:<38}" + "".join(f"{_number(v, digits):>9}" for v in values)


def _number(value, digits):
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.{digits}f}"
