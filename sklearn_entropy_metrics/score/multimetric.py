"""Many measures from one prediction and one table."""

import math
import warnings
from collections.abc import Iterable
from typing import Any, Literal, Self

from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils.metadata_routing import MetadataRequest

from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.measure.catalog import MEASURES
from sklearn_entropy_metrics.table.probabilities import tabulate_probabilities
from sklearn_entropy_metrics.table.tabulate import known_labels

_BY_SCORING = {measure.scoring: measure for measure in MEASURES.values()}
_DEFAULT = (
    "entropy_modulated_accuracy",
    "normalized_information_transfer",
    "normalized_information",
    "neg_variation_of_information",
    "accuracy",
)


class InformationScorer:
    """Score a classifier by several measures at the price of one.

    For use as `scoring` in :func:`~sklearn.model_selection.cross_validate`,
    :class:`~sklearn.model_selection.GridSearchCV` and the like: one prediction and one
    table serve all measures. Probabilities are asked for, once, only if some measure
    needs them.

    Parameters
    ----------
    metrics : iterable of str or "all", default=None
        Scoring strings. None: the four measures of information transfer and the
        accuracy. "all": every measure that the classifier and its task allow; those of
        probabilities only if it has `predict_proba`, those of two classes, the second
        of which is the positive one, only if there are two.

    labels : array-like of shape (n_classes,), default=None
        The classes. By default those that the classifier knows and those in `y`, so
        that a fold that lacks a class is measured like the others.

    See Also
    --------
    scorer_names : The scoring strings of this package.
    sklearn_entropy_metrics.measure.evaluate : The same for tables.

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
        if isinstance(metrics, str) and metrics != "all":
            raise ValueError(
                f"metrics must be a list of scoring strings, 'all' or None. Got "
                f"{metrics!r}."
            )
        if metrics is None:
            names = list(_DEFAULT)
        else:
            names = list(_BY_SCORING if metrics == "all" else metrics)
        if not names:
            raise ValueError("metrics must name at least one scoring string. Got [].")
        unknown = [name for name in names if name not in _BY_SCORING]
        if unknown:
            raise ValueError(
                f"metrics must be among {', '.join(_BY_SCORING)}. Got {unknown}."
            )
        self.metrics = metrics
        self.labels = labels
        self._measures = [_BY_SCORING[name] for name in names]
        self._weight_request: bool | str | None = None

    def __call__(
        self, estimator: Any, X: Any, y: ArrayLike, sample_weight: Any = None
    ) -> dict[str, float]:
        """Score a fitted classifier.

        Parameters
        ----------
        estimator : classifier
            A fitted classifier.

        X : array-like of shape (n_samples, n_features)
            Samples to predict.

        y : array-like of shape (n_samples,)
            Their true labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        Returns
        -------
        scores : dict of str to float
            By scoring strings; greater is better.
        """
        of_labels = [m for m in self._measures if m.input != "probabilities"]
        of_proba = [m for m in self._measures if m.input == "probabilities"]
        if self.metrics == "all" and not hasattr(estimator, "predict_proba"):
            of_proba = []
        known: Any = known_labels(estimator)
        labels = known if self.labels is None else self.labels
        values = {}
        if of_labels:
            balance = EntropyBalance.from_predictions(
                y, estimator.predict(X), labels=labels, sample_weight=sample_weight
            )
            if self.metrics == "all":
                of_labels = [m for m in of_labels if m.takes(balance)]
            values = {m.name: m(balance) for m in of_labels}
        if of_proba:
            soft = tabulate_probabilities(
                y,
                estimator.predict_proba(X),
                labels=labels,
                columns=None if known is None else known.classes,
                sample_weight=sample_weight,
            )
            weight = {"class_weight": soft.class_weight}
            values |= {m.name: m(soft.table, **weight) for m in of_proba}
        scores = {
            m.scoring: m.sign * float(values[m.name])
            for m in self._measures
            if m.name in values
        }
        _warn_of_undefined(scores)
        return scores

    def set_score_request(self, *, sample_weight: bool | str | None) -> Self:
        """Say whether metadata routing shall pass `sample_weight` to this scorer.

        Parameters
        ----------
        sample_weight : bool, str or None
            Whether to pass it, or under which name it travels; None: passing it is an
            error.

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
        """What this scorer asks of metadata routing.

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


def _warn_of_undefined(scores):
    undefined = [name for name, score in scores.items() if math.isnan(score)]
    if undefined:
        warnings.warn(
            f"{', '.join(undefined)} undefined on these samples; nan is returned.",
            UndefinedMetricWarning,
            stacklevel=3,
        )
