"""Scorers, and their names as scoring strings."""

import os
from collections.abc import Callable
from contextlib import suppress
from inspect import Signature, signature
from typing import Any

from numpy.typing import ArrayLike
from sklearn.metrics import make_scorer

from sklearn_entropy_metrics import _sklearn
from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.measure.catalog import MEASURES
from sklearn_entropy_metrics.score import (  # noqa: F401, they mark their metrics
    labels,
    log_loss,
    multilabel,
    probabilities,
    rates,
)
from sklearn_entropy_metrics.score._undefined import ZERO_FOR_PREDICTION


class StringMetric:
    """A metric of one class against the rest, as its scoring strings use it.

    It is 0 where the prediction makes the metric undefined. scikit-learn reads its
    signature: threshold tuners, which extract the metric from the scorer, find the
    positive class there if it matters.

    Parameters
    ----------
    metric : callable
        One of the metrics with the parameters `pos_label` and `average`.

    needs_positive : bool
        Whether the value depends on which class is positive.
    """

    def __init__(self, metric: Callable[..., Any], needs_positive: bool) -> None:
        self._arguments = metric, needs_positive
        self.__wrapped__ = metric
        self.__name__ = metric.__name__
        parameters = dict(signature(metric).parameters)
        positive = parameters.pop("pos_label")
        if needs_positive:
            parameters["pos_label"] = positive.replace(default=_One(positive.default))
        self.__signature__ = Signature(list(parameters.values()))

    def __call__(self, y_true: ArrayLike, y_pred: ArrayLike, **options: Any) -> Any:
        metric, _ = self._arguments
        return metric(
            y_true, y_pred, **{"replace_undefined_by": ZERO_FOR_PREDICTION, **options}
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return StringMetric, self._arguments


class _One(int):
    """The positive class, 1; scikit-learn prints it if the labels do not contain it."""

    def __repr__(self) -> str:
        return "1 (another one is set by make_scorer(metric, pos_label=...))"


def _scorer(measure):
    metric = measure.metric
    if "pos_label" in signature(metric).parameters:
        metric = StringMetric(metric, measure.needs_positive)
    if measure.of_several_labels:  # the metric takes no classes
        return make_scorer(metric)
    return _sklearn.make_class_aware_scorer(
        metric,
        greater_is_better=measure.direction == "maximize",
        response_method="predict_proba" if measure.of_probabilities else "predict",
        takes_clusters=measure.input == "table",
        **measure.options,
    )


SCORERS: dict[str, _sklearn.Scorer] = {}


def _complete() -> dict[str, _sklearn.Scorer]:
    """The scorers, including those of new measures in the catalogue."""
    for measure in MEASURES.values():
        name = measure.scoring
        if measure.metric is not None and name is not None and name not in SCORERS:
            SCORERS[name] = _scorer(measure)
    return SCORERS


_complete()


def register_scorers() -> None:
    """Register the scoring strings of this package with scikit-learn.

    Importing the package does this, unless the environment variable
    ``SKLEARN_ENTROPY_METRICS_REGISTER`` is 0. Names that are already taken are left
    alone. scikit-learn has no public way to add names, so a future release may break
    this. In that case a warning says what failed, and the scorers in
    :data:`sklearn_entropy_metrics.score.SCORERS` still work as objects.

    Read more in the :ref:`User Guide <scoring>`.

    See Also
    --------
    scorer_names : The names.
    unregister_scorers : Remove them.

    Examples
    --------
    >>> from sklearn.metrics import get_scorer_names
    >>> from sklearn_entropy_metrics import register_scorers
    >>> register_scorers()
    >>> "entropy_modulated_accuracy" in get_scorer_names()
    True
    """
    problems = _sklearn.register(_complete())
    if problems:
        warn(
            "Some scoring strings could not be registered. " + " ".join(problems),
            RuntimeWarning,
        )


def unregister_scorers() -> None:
    """Remove the scoring strings of this package from scikit-learn.

    Read more in the :ref:`User Guide <scoring>`.

    See Also
    --------
    register_scorers : Add them.

    Examples
    --------
    >>> from sklearn.metrics import get_scorer_names
    >>> from sklearn_entropy_metrics import register_scorers, unregister_scorers
    >>> unregister_scorers()
    >>> "entropy_modulated_accuracy" in get_scorer_names()
    False
    >>> register_scorers()
    """
    _sklearn.unregister(SCORERS)


def scorer_names() -> list[str]:
    """Names of the scorers of this package.

    Read more in the :ref:`User Guide <scoring>`.

    Returns
    -------
    names : list of str
        Scoring strings, sorted.

    Examples
    --------
    >>> from sklearn_entropy_metrics import scorer_names
    >>> "normalized_information_transfer" in scorer_names()
    True
    """
    return sorted(_complete())


def register_on_import() -> None:
    """Register unless the environment says not to."""
    if os.environ.get("SKLEARN_ENTROPY_METRICS_REGISTER", "1") != "0":
        with suppress(RuntimeWarning):  # not even warnings as errors fail the import
            register_scorers()
