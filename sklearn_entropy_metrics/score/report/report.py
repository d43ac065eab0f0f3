"""`information_report`, modelled on scikit-learn's `classification_report`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Literal, Self, overload

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.balance.interval import check_confidence_level
from sklearn_entropy_metrics.score.report.content import Content, content_of
from sklearn_entropy_metrics.score.report.markdown import markdown_page
from sklearn_entropy_metrics.score.report.numbers import report_of_table
from sklearn_entropy_metrics.score.report.page import html_page, html_part
from sklearn_entropy_metrics.score.report.text import text_of_report
from sklearn_entropy_metrics.table.checks import check_integer
from sklearn_entropy_metrics.table.given import given_table
from sklearn_entropy_metrics.table.probabilities import check_samples


class InformationReport(str):
    """What :func:`~sklearn_entropy_metrics.information_report` returns.

    It is the text of the report, a `str`. Notebooks show it with plots.

    Parameters
    ----------
    content : object
        What :func:`~sklearn_entropy_metrics.information_report` found: the numbers, the
        table, and how to print them. Kept as an attribute.

    Examples
    --------
    >>> from sklearn_entropy_metrics import information_report
    >>> report = information_report([0, 0, 1, 1], [0, 0, 1, 0], confidence_level=None)
    >>> report.to_html()[:15]
    '<!doctype html>'
    >>> print(report.to_markdown().splitlines()[0])
    ## Information report
    """

    content: Content

    def __new__(cls, content: Content) -> Self:
        level = content.confidence_level
        text = text_of_report(content.numbers, content.digits, level)
        report = super().__new__(cls, text)
        report.content = content
        return report

    def __getnewargs__(self) -> Any:
        return (self.content,)

    def _repr_html_(self) -> str:
        return html_part(self.content)

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the report as one HTML page.

        The page has the numbers with their intervals in words, what not to trust, the
        entropy triangle, the confusion matrix with the information in each cell (for at
        most 50 classes), the classes, and the balance of the log loss if there are
        probabilities. It needs no scripts, no network and no other files.

        Parameters
        ----------
        path : str or Path, default=None
            Where to write the page, in UTF-8. By default, it is not written.

        Returns
        -------
        page : str
        """
        page = html_page({"": self.content})
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def to_markdown(self) -> str:
        """Return the report as Markdown, for pull requests and issues.

        Returns
        -------
        text : str
        """
        return markdown_page({"": self.content})


@overload
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
    output_dict: Literal[False] = False,
    confidence_level: float | None = 0.95,
) -> InformationReport: ...


@overload
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
    output_dict: Literal[True],
    confidence_level: float | None = 0.95,
) -> dict[str, Any]: ...


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
) -> InformationReport | dict[str, Any]:
    """Build a report on the information that a classifier transfers.

    Read more in the :ref:`User Guide <which_measure>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,), default=None
        True labels.

    y_pred : array-like of shape (n_samples,), default=None
        Predicted labels.

    table : array-like of shape (k, m), sparse, EntropyBalance or TableAccumulator, \
            default=None
        Counts or weights, true classes in rows, instead of `y_true` and `y_pred`. With
        an accumulator of probabilities, the report has their measures as well, without
        intervals.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,), default=None
        Predicted probabilities of the classes, in the order of the labels, for the
        probabilistic measures and the balance of the log loss. A one-dimensional array
        holds those of the second of two classes.

    labels : array-like of shape (n_classes,), default=None
        The true classes. By default, the sorted labels seen in `y_true` or `y_pred`.
        With `table`, the names of its rows.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, if they differ from the true ones; with `table`, the
        names of its columns. Measures that compare each class with its own predictions
        are then NaN.

    target_names : array-like of shape (n_classes,) of str, default=None
        Distinct names for the true classes, in the order of the labels.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    digits : int, default=3
        Number of decimal places in the text.

    output_dict : bool, default=False
        Whether to return a dict of numbers instead of text.

    confidence_level : float, default=0.95
        The level of the intervals for EMA, NIT, NI and accuracy. None: no intervals.

    Returns
    -------
    report : InformationReport or dict
        A `str` that names at most 50 classes. Notebooks show it with plots;
        ``report.to_html(path)`` writes a self-contained page, and
        ``report.to_markdown()`` returns text for a pull request. The dict has the keys
        "task", "transfer", "triangle", "confusion_entropy", "intervals", "accuracy" and
        "classes", each a dict, and "notes", a list of sentences about numbers that mean
        little. "intervals" has the plug-in value, the corrected estimate, its interval
        and standard error for EMA, NIT, NI and accuracy; it is empty without a
        `confidence_level`, for fewer than two samples and for more than 200 classes.
        With `y_proba` there is also "probabilities", the numbers of a
        :class:`ProbabilityBalance`.

    See Also
    --------
    EntropyBalance : All entropies.
    sklearn.metrics.classification_report : Precision, recall and F1.

    Notes
    -----
    Measures of information cannot tell whether a classifier is right or systematically
    wrong. The report therefore shows the accuracy that the best relabelling of the
    predictions would reach, with a note if it is higher than the accuracy. Notes also
    say if there is only one true class, or if true and predicted labels have nothing in
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
      Classes are exchanged: with other names for the predicted classes the
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
    is_bare = table is not None and given.size is None
    if is_bare and confidence_level is not None:
        _check_counts(given.table)
    report = report_of_table(
        given,
        names,
        samples,
        confidence_level=confidence_level,
        n_samples=given.size,
    )
    if output_dict:
        return report
    content = content_of(
        report, given, confidence_level=confidence_level, digits=digits
    )
    return InformationReport(content)


def _check_counts(table):
    """Raise for probabilities, which do not say how many samples there were."""
    total = table.sum(dtype=np.float64)
    if table.dtype.kind == "f" and total <= 1 + 1e-9:
        raise ValueError(
            "Intervals need the number of samples: `table` must hold counts, got a "
            f"total of {total:.6g} instead. Pass confidence_level=None for a report "
            "without intervals."
        )


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
