"""`information_report`, modelled on scikit-learn's `classification_report`."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

from numpy.typing import ArrayLike

from sklearn_entropy_metrics.balance.interval import check_confidence_level
from sklearn_entropy_metrics.compare.models import ModelComparison, compare_models
from sklearn_entropy_metrics.report.markdown import markdown_of_reports
from sklearn_entropy_metrics.report.numbers import Report, report_of_table
from sklearn_entropy_metrics.report.text import text_of_reports
from sklearn_entropy_metrics.table.checks import check_flags, check_integer
from sklearn_entropy_metrics.table.given import given_table
from sklearn_entropy_metrics.table.probabilities import check_samples


class InformationReport(str):
    """What :func:`~sklearn_entropy_metrics.information_report` returns.

    It is the text of the report, a `str`. Notebooks show it with pictures.

    Parameters
    ----------
    reports : dict of str to Report
        The numbers of each prediction; a single one may have an empty name.

    comparison : ModelComparison, default=None
        The comparison of several predictions.

    Examples
    --------
    >>> from sklearn_entropy_metrics import information_report
    >>> report = information_report([0, 0, 1, 1], [0, 0, 1, 0], confidence_level=None)
    >>> report.to_html()[:15]
    '<!doctype html>'
    >>> print(report.to_markdown().splitlines()[0])
    ## Information report
    """

    reports: Mapping[str, Report]
    comparison: ModelComparison | None

    def __new__(
        cls, reports: Mapping[str, Report], comparison: ModelComparison | None = None
    ) -> Self:
        report = super().__new__(cls, text_of_reports(reports, comparison))
        report.reports, report.comparison = reports, comparison
        return report

    def __getnewargs__(self) -> Any:
        return self.reports, self.comparison

    def _repr_html_(self) -> str:
        # Imported on demand: only pages need matplotlib.
        from sklearn_entropy_metrics.report.page import html_part

        return html_part(self.reports, self.comparison)

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the report as one HTML page.

        The page tells the same as the text, with the entropy triangle, the confusion
        matrix, all further numbers, and for probabilities the balance of the log loss
        and a reliability diagram. It needs no scripts, no network and no other files.

        Parameters
        ----------
        path : str or Path, default=None
            Where to write the page, in UTF-8. By default, it is not written.

        Returns
        -------
        page : str
        """
        from sklearn_entropy_metrics.report.page import html_page

        page = html_page(self.reports, self.comparison)
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def to_text(self) -> str:
        """Return the report as text with all further numbers.

        Returns
        -------
        text : str
        """
        return text_of_reports(self.reports, self.comparison, full=True)

    def to_markdown(self) -> str:
        """Return the report as Markdown, for pull requests and issues.

        Returns
        -------
        text : str
        """
        return markdown_of_reports(self.reports, self.comparison)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers of the report.

        Returns
        -------
        numbers : dict
            As ``information_report(..., output_dict=True)``.
        """
        numbers = {name: deepcopy(one.numbers) for name, one in self.reports.items()}
        if self.comparison is None:
            (single,) = numbers.values()
            return single
        compared = {
            "models": [asdict(record) for record in self.comparison.models],
            "pairs": [asdict(record) for record in self.comparison.pairs],
        }
        return {"comparison": compared, "reports": numbers}


def information_report(
    y_true: Any = None,
    y_pred: ArrayLike | Mapping[str, ArrayLike] | None = None,
    *,
    table: Any = None,
    y_proba: ArrayLike | Mapping[str, ArrayLike] | None = None,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    target_names: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    digits: int = 3,
    output_dict: bool = False,
    confidence_level: float | None = 0.95,
) -> InformationReport | dict[str, Any]:
    """Build a report on the information that predictions provide.

    Read more in the :ref:`User Guide <which_measure>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,), default=None
        True labels of held-out samples, independent unless `groups` says otherwise.

    y_pred : array-like of shape (n_samples,) or dict of str to array-like, default=None
        Predicted labels; a dict compares the predictions of several models first.

    table : array-like of shape (k, m), sparse, data frame, EntropyBalance or \
            TableAccumulator, default=None
        Counts or weights, true classes in rows, instead of `y_true` and `y_pred`, or
        what :func:`tabulate_frame` and :func:`cross_val_tables` return. A table of
        probabilities gives a report without intervals.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,), or dict of \
            str to array-like, default=None
        Predicted probabilities of the classes, in the order of the labels, for the
        probabilistic measures and the balance of the log loss. A one-dimensional array
        holds those of the second of two classes.

    labels : array-like of shape (n_classes,), default=None
        The true classes. By default, the sorted labels seen in `y_true` or `y_pred`.
        With `table`, the names of its rows.

    pred_labels : array-like of shape (n_pred_classes,), default=None
        The predicted classes, if they differ from the true ones; with `table`, the
        names of its columns. Measures that compare each class with its own predictions
        are then undefined.

    target_names : array-like of shape (n_classes,) of str, default=None
        Distinct names for the true classes, in the order of the labels.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    groups : array-like of shape (n_samples,), default=None
        Which samples belong together, such as those of one patient; see
        :func:`confidence_interval`.

    digits : int, default=3
        Number of decimal places in the text.

    output_dict : bool, default=False
        Whether to return a dict of numbers instead of text.

    confidence_level : float, default=0.95
        The level of the intervals. None: no intervals.

    Returns
    -------
    report : InformationReport or dict
        A `str` of at most 80 columns: the verdict, the main numbers, what not to trust,
        the classes (at most 50, the lowest recall first if there are more than 10), the
        systematic confusions and, with `y_proba`, where the bits of the log loss go.
        Notebooks show it with pictures;
        ``report.to_html(path)`` writes a self-contained page, ``report.to_markdown()``
        returns text for a pull request, ``report.to_text()`` all numbers as text.

        The dict has the keys "verdict" and "notes", lists of sentences; "task",
        "baseline" (what always answering the largest class gives), "transfer",
        "triangle", "confusion_entropy", "intervals", "accuracy" and "classes", each a
        dict; "confusions", the records of :func:`confusion_pairs`; and, with `y_proba`,
        "probabilities", the numbers of a :class:`ProbabilityBalance`. For several
        predictions, it has the keys "comparison" and "reports".

    See Also
    --------
    EntropyBalance : All entropies.
    confusion_pairs : Which classes are confused more than chance explains.
    sklearn.metrics.classification_report : Precision, recall and F1.

    Notes
    -----
    Observed values of few samples are too high. The column "estimate" corrects them,
    as :func:`confidence_interval` does. The baseline is always answering the largest
    class: its accuracy, NIT and EMA are above 0 although it knows nothing.

    Classes are sorted, the order of a categorical is not used; `labels` sets another
    order.

    Examples
    --------
    >>> from sklearn_entropy_metrics import information_report
    >>> y_true = ["cat"] * 60 + ["dog"] * 20 + ["owl"] * 20
    >>> y_pred = ["cat"] * 55 + ["dog"] * 13 + ["owl"] * 20 + ["dog"] * 12
    >>> print(information_report(y_true, y_pred))
    The predictions provide 58.5 % of the information about the true class; 71.0 %
    of them are right, against 60.0 % for always answering 'cat'.
    <BLANKLINE>
                                            observed baseline      estimate [95 %]
      accuracy                                 0.710    0.600 0.710 [0.615, 0.790]
      normalized information (NI)              0.585    0.000 0.543 [0.409, 0.647]
      normalized information transfer (NIT)    0.581    0.333 0.558 [0.484, 0.625]
      entropy-modulated accuracy (EMA)         0.674    0.387 0.648 [0.554, 0.721]
    <BLANKLINE>
      Classes  support   recall precision        φ        δ    CEN_j
      cat           60    0.917     1.000   -0.083    0.917    0.098
      dog           20    0.400     0.320   -0.387    0.188    0.685
      owl           20    0.400     0.400   -0.450    0.250    0.521
    <BLANKLINE>
    """
    digits = check_integer(digits, "digits", minimum=0)
    check_flags(output_dict=output_dict)
    if confidence_level is not None:
        confidence_level = check_confidence_level(confidence_level)
    preds, probas = _named(y_pred, y_proba)
    options: Any = {"labels": labels, "pred_labels": pred_labels}
    options["sample_weight"] = sample_weight
    reports = {}
    for name, one in preds.items():
        proba = probas.get(name)
        given, samples, source = _checked(y_true, one, proba, table, groups, options)
        reports[str(name)] = report_of_table(
            given, samples, source, target_names, confidence_level, digits
        )
    comparison = None
    if len(reports) > 1:
        level = confidence_level or 0.95
        options |= {"groups": groups, "confidence_level": level, "random_state": 0}
        comparison = compare_models(y_true, preds, **options)
    report = InformationReport(reports, comparison)
    return report.to_dict() if output_dict else report


def _named(y_pred, y_proba):
    """Predictions and probabilities by the names of the models; of one, it is empty."""
    if not isinstance(y_pred, Mapping):
        return {"": y_pred}, {"": y_proba}
    names, probas = list(y_pred), {} if y_proba is None else y_proba
    if len(set(map(str, names))) < max(1, len(names)):
        raise ValueError(f"`y_pred` must be models of different names. Got {names}.")
    if not (isinstance(probas, Mapping) and {*probas} <= {*names}):
        got = list(probas) if isinstance(probas, Mapping) else type(probas).__name__
        raise ValueError(f"`y_proba` must be a dict with the names {names}. Got {got}.")
    return y_pred, probas


def _checked(y_true, y_pred, y_proba, table, groups, options):
    """The table, the probabilities, and what tests and intervals take."""
    if table is not None and not (y_proba is None and groups is None):
        raise ValueError("`y_proba` and `groups` need y_true and y_pred. Got a table.")
    given = given_table(y_true, y_pred, table, **options)
    samples = None
    if y_proba is not None:
        known = {"labels": given.labels, "sample_weight": options["sample_weight"]}
        samples = check_samples(y_true, y_proba, **known)
    if groups is None:
        return given, samples, {"table": given}
    source = {"y_true": y_true, "y_pred": y_pred, "groups": groups} | options
    return given, samples, {key: one for key, one in source.items() if one is not None}
