"""Many measures from one prediction and one table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from inspect import signature
from types import FunctionType
from typing import Any, Literal, Self

from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import BaseEstimator
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils.metadata_routing import MetadataRequest

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.balance.balance import Number, balance_of_own
from sklearn_entropy_metrics.balance.probability import balance_samples
from sklearn_entropy_metrics.measure.against_rest import class_tables, positive_class
from sklearn_entropy_metrics.measure.catalog import MEASURES, Measure, find, suggest
from sklearn_entropy_metrics.measure.chance import chance_of_weights
from sklearn_entropy_metrics.score._undefined import (
    prediction_is_to_blame,
    warn_of_table,
)
from sklearn_entropy_metrics.table.classes import ClassTable, KnownLabels, known_labels
from sklearn_entropy_metrics.table.multilabel import (
    is_multilabel,
    tabulate_indicators,
)
from sklearn_entropy_metrics.table.probabilities import (
    check_samples,
    tabulate_probabilities,
)
from sklearn_entropy_metrics.table.tabulate import tabulate_labels

# Below, samples cannot be split into the folds of a recalibration.
_LEAST_SAMPLES = 5


class Scores(dict[str, float]):
    """Scores by their names.

    A search looks up its score by its `refit`: if that is a function, such as
    `information_refit`, it is the score that its parameter `metric` names.
    """

    def __missing__(self, refit: object) -> float:
        if isinstance(refit, FunctionType | partial):
            metric = signature(refit).parameters.get("metric")
            if metric is not None and metric.default in self:
                return self[metric.default]
        raise KeyError(refit)


class InformationScorer:
    """Score a classifier by several measures at the cost of one.

    For use as `scoring` in :func:`~sklearn.model_selection.cross_validate`,
    :class:`~sklearn.model_selection.GridSearchCV` and similar tools: one prediction and
    one table serve all measures. Probabilities are predicted, once, only if a measure
    needs them.

    Read more in the :ref:`User Guide <scoring>`.

    Parameters
    ----------
    metrics : iterable of str or "all", default=None
        Scoring strings. None: the four measures of information transfer and the
        accuracy. "all": every measure that the classifier and its task allow; those of
        probabilities only if it has `predict_proba`, those of two classes only if there
        are two, and unbiased precision and F1 only if one of them is 1, the positive
        class. With several labels per sample, only "multilabel_information".

    labels : array-like of shape (n_classes,), default=None
        The classes. By default, those that the classifier knows and those in `y`, so
        that a fold that lacks a class is measured like the others.

    See Also
    --------
    scorer_names : The scoring strings of this package.
    sklearn_entropy_metrics.measure.evaluate : The same for tables.

    Notes
    -----
    A measure that is undefined because of the prediction scores 0, like its scoring
    string, so that no search prefers it; one that is undefined because of `y` is NaN.
    One warning names all of them. Another says if the defined values mean little, for
    example because all samples belong to one class.

    Clusterings can be scored, too. If their clusters are of another kind than `y`, such
    as numbers and strings, only measures that do not need the names of the classes are
    defined: None and "all" leave the others out.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn_entropy_metrics import InformationScorer
    >>> X, y = load_iris(return_X_y=True)
    >>> results = cross_validate(GaussianNB(), X, y, scoring=InformationScorer())
    >>> results["test_normalized_information"].mean().round(3)
    np.float64(0.875)
    """

    def __init__(
        self,
        metrics: Iterable[str] | Literal["all"] | None = None,
        *,
        labels: ArrayLike | None = None,
    ) -> None:
        is_word = metrics is None or (isinstance(metrics, str) and metrics == "all")
        self.metrics = metrics if is_word else _checked_names(metrics)
        self.labels = labels
        self._weight_request: bool | str | None = None

    def __call__(
        self,
        estimator: BaseEstimator,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> dict[str, float]:
        """Score a fitted classifier.

        Parameters
        ----------
        estimator : classifier
            A fitted classifier.

        X : array-like of shape (n_samples, n_features)
            Samples to predict.

        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            Their true labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        Returns
        -------
        scores : dict of str to float
            Keyed by scoring string; greater is better.
        """
        rows = MEASURES.values()
        if self.metrics is None:
            measures = [m for m in rows if m.is_main]
        elif self.metrics == "all":
            kind = is_multilabel(y)
            measures = [m for m in rows if m.is_listed and m.of_several_labels == kind]
        else:
            measures = [find(name) for name in self.metrics]
        if measures[0].of_several_labels:
            counted = tabulate_indicators(y, estimator.predict(X), sample_weight)
            values = {m.scoring: float(m(counted.tables)) for m in measures}
            return Scores(_finish_all(values, None))
        return self._score_classes(measures, estimator, X, y, sample_weight)

    def _score_classes(self, measures, estimator, X, y, sample_weight):
        """Scores of one label per sample."""
        of_labels = [m for m in measures if not m.of_probabilities]
        of_proba = [m for m in measures if m.of_probabilities]
        if self.metrics == "all" and not hasattr(estimator, "predict_proba"):
            of_proba = []
        only_apt = self.metrics is None or self.metrics == "all"
        known = known_labels(estimator)
        if known is None and (only_apt or all(m.input == "table" for m in of_labels)):
            known = KnownLabels(None)  # clusters may be of another kind than the truth
        labels: Any = known if self.labels is None else self.labels
        given = {"labels": labels, "sample_weight": sample_weight}
        counted: ClassTable | None = None
        values: dict[str, Number] = {}
        if of_proba:
            columns = None if known is None else known.classes
            proba = estimator.predict_proba(X)
            if self.metrics == "all":
                of_proba = _of_probabilities(proba)
            counted, values = _measure_probabilities(
                of_proba, y, proba, columns=columns, **given
            )
        if of_labels:
            y_pred = estimator.predict(X)
            counted = tabulate_labels(y, y_pred, **given)
            values |= _measure_labels(
                of_labels, y, y_pred, counted, sample_weight, only_apt
            )
        scores = {
            m.scoring: m.sign * float(values[m.name])
            for m in measures
            if m.name in values
        }
        return Scores(_finish_all(scores, counted))

    def set_score_request(self, *, sample_weight: bool | str | None) -> Self:
        """Set whether metadata routing passes `sample_weight` to this scorer.

        Parameters
        ----------
        sample_weight : bool, str or None
            Whether to pass it, or the name under which it is passed; with None, passing
            it is an error.

        Returns
        -------
        self : InformationScorer
            This scorer.
        """
        if not get_config()["enable_metadata_routing"]:
            raise RuntimeError(
                "set_score_request needs metadata routing: "
                "sklearn.set_config(enable_metadata_routing=True)."
            )
        self._weight_request = sample_weight
        return self

    def get_metadata_routing(self) -> MetadataRequest:
        """The metadata that this scorer requests.

        Returns
        -------
        request : MetadataRequest
            As set by :meth:`set_score_request`.
        """
        request = MetadataRequest(owner=self)
        request.score.add_request(param="sample_weight", alias=self._weight_request)
        return request

    def __repr__(self) -> str:
        return f"InformationScorer(metrics={self.metrics!r}, labels={self.labels!r})"


def information_scores(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    y_proba: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> dict[str, float]:
    """Compute every measure of one prediction, as numbers for a logger.

    Read more in the :ref:`User Guide <recipes>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels.

    y_pred : array-like of shape (n_samples,)
        Predicted labels.

    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,), default=None
        Predicted probabilities of the classes, in the order of the labels, for the
        measures of probabilities.

    labels : array-like of shape (n_classes,), default=None
        The classes. By default, the sorted labels seen in `y_true` or `y_pred`; pass
        them if batches may lack some.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    Returns
    -------
    scores : dict of str to float
        Keyed by the names in :data:`sklearn_entropy_metrics.measure.MEASURES`: measures
        of labels and, with `y_proba`, of probabilities. Measures of two classes are
        included if there are two, and unbiased precision and F1 only if one of these is
        1, the positive class; measures that recalibrate probabilities need at least 5
        samples.

    See Also
    --------
    information_report : Text for readers, with intervals.
    InformationScorer : Scores of an estimator, for searches.

    Notes
    -----
    Undefined measures are NaN. One `UndefinedMetricWarning` names all of them.

    Examples
    --------
    >>> from sklearn_entropy_metrics import information_scores
    >>> scores = information_scores([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 2])
    >>> round(scores["accuracy"], 3), round(scores["normalized_information"], 3)
    (0.833, 0.685)
    """
    table = tabulate_labels(y_true, y_pred, labels=labels, sample_weight=sample_weight)
    of_labels = [m for m in MEASURES.values() if m.is_listed and not m.of_probabilities]
    values = _measure_labels(of_labels, y_true, y_pred, table, sample_weight, True)
    if y_proba is not None:
        _, more = _measure_probabilities(
            _of_probabilities(y_proba),
            y_true,
            y_proba,
            labels=table.labels,
            sample_weight=sample_weight,
        )
        values |= more
    scores = {name: float(values[name]) for name in MEASURES if name in values}
    return _finish_all(scores, table, if_predicted=math.nan)


def _of_probabilities(y_proba):
    """The measures of probabilities that this number of samples allows."""
    few = len(y_proba) < _LEAST_SAMPLES
    return [
        m
        for m in MEASURES.values()
        if m.of_probabilities and not (few and m.input == "samples")
    ]


def _checked_names(metrics):
    """The names as a list, because an iterator can be used only once."""
    strings = {m.scoring: m for m in MEASURES.values() if m.scoring is not None}
    is_list = isinstance(metrics, Iterable) and not isinstance(metrics, str)
    names = list(metrics) if is_list else []
    unknown = [n for n in names or [metrics] if n not in list(strings)]
    if unknown or not names:
        raise ValueError(
            "`metrics` must be 'all', None or a list of scoring strings, of which "
            f"`scorer_names` lists ours. Got {names or metrics!r}."
            + "".join(suggest(name, strings) for name in unknown[:1])
        )
    if len({strings[name].of_several_labels for name in names}) > 1:
        raise ValueError(
            "`metrics` must all be for one label per sample, or for several. Got "
            f"{names}."
        )
    return names


def _measure_labels(
    measures: Sequence[Measure],
    y_true: ArrayLike,
    y_pred: ArrayLike,
    counted: ClassTable,
    sample_weight: ArrayLike | None,
    only_apt: bool,
) -> dict[str, Number]:
    """Measure one table; `only_apt` skips measures that do not suit it."""
    balance = balance_of_own(counted.table)
    labels = counted.labels.tolist()
    if only_apt:
        measures = [
            m
            for m in measures
            if (m.input == "table" or counted.is_square)
            and m.takes(balance.table.shape)
            and (1 in labels or not m.needs_positive)
        ]
    of_two_classes = [m for m in measures if m.input == "2x2 table"]
    values = {
        m.name: m(
            balance,
            n_samples=counted.size,
            expected=chance_of_weights(y_true, y_pred, sample_weight),
        )
        if m.limit
        else m(balance)
        for m in measures
        if m not in of_two_classes
    }
    if of_two_classes:
        tables = class_tables(counted)
        values |= {
            m.name: m(tables[positive_class(labels, 1, m.needs_positive)])
            for m in of_two_classes
        }
    return values


def _measure_probabilities(
    measures: Sequence[Measure], y_true: ArrayLike, y_proba: ArrayLike, **given: Any
) -> tuple[ClassTable, dict[str, Number]]:
    """Measure probabilities by their table, and sample by sample only if needed."""
    of_samples = [m for m in measures if m.input == "samples"]
    values = {}
    if of_samples:
        samples = check_samples(y_true, y_proba, **given)
        balance = balance_samples(samples)
        values = {m.name: m(balance) for m in of_samples}
        soft = samples.soft_table()
    else:
        soft = tabulate_probabilities(y_true, y_proba, **given)
    for m in measures:
        if m not in of_samples:
            values[m.name] = m(soft.table, class_weight=soft.class_weight)
    return soft, values


def _finish_all(scores, counted, if_predicted=0.0):
    """Like `finish`, for several scores of the same samples."""
    infinite = [name for name, score in scores.items() if math.isinf(score)]
    if infinite:
        raise ValueError(f"{', '.join(infinite)} is infinite on these samples.")
    undefined = [name for name, score in scores.items() if math.isnan(score)]
    predicted = prediction_is_to_blame(counted)
    # Measures that scikit-learn also has are never doubtful.
    doubtful = {name for name in scores if find(name).metric is not None}
    if doubtful and (predicted or doubtful.difference(undefined)):
        warn_of_table(counted)
    if undefined:
        value = if_predicted if predicted else math.nan
        names = ", ".join(undefined)
        warn(
            f"{names} undefined on these samples; {value:g} is returned.",
            UndefinedMetricWarning,
        )
        scores |= dict.fromkeys(undefined, value)
    return scores
