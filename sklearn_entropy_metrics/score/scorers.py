"""Scorers, and their names as scoring strings."""

import os
import warnings
from contextlib import suppress

from sklearn_entropy_metrics import _sklearn
from sklearn_entropy_metrics.measure.catalog import MEASURES
from sklearn_entropy_metrics.score import labels, probabilities, rates, unbiased

_METRICS = {
    name: metric
    for module in (labels, probabilities, rates, unbiased)
    for name, metric in vars(module).items()
}


def _scorer(measure):
    of_proba = measure.input == "probabilities"
    return _sklearn.make_class_aware_scorer(
        _METRICS[measure.metric],
        greater_is_better=measure.direction == "maximize",
        response_method="predict_proba" if of_proba else "predict",
        **measure.options,
    )


SCORERS = {
    measure.scoring: _scorer(measure)
    for measure in MEASURES.values()
    if measure.metric is not None
}


def register_scorers() -> None:
    """Make the scoring strings of this package known to scikit-learn.

    Importing the package does this, unless the environment variable
    ``SKLEARN_ENTROPY_METRICS_REGISTER`` is 0. A name that scikit-learn or somebody else
    has taken is left alone. scikit-learn has no public way to add names, so a future
    release may break this; then a warning tells what could not be done, and the
    scorers in :data:`sklearn_entropy_metrics.score.SCORERS` still work as objects.

    See Also
    --------
    scorer_names : The names.
    unregister_scorers : Take them back.

    Examples
    --------
    >>> from sklearn.metrics import get_scorer_names
    >>> from sklearn_entropy_metrics import register_scorers
    >>> register_scorers()
    >>> "entropy_modulated_accuracy" in get_scorer_names()
    True
    """
    problems = _sklearn.register(SCORERS)
    if problems:
        warnings.warn(
            "Some scoring strings could not be registered. " + " ".join(problems),
            RuntimeWarning,
            stacklevel=2,
        )


def unregister_scorers() -> None:
    """Take the scoring strings of this package back from scikit-learn.

    See Also
    --------
    register_scorers : Make them known.

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
    return sorted(SCORERS)


def register_on_import() -> None:
    """Register unless the environment says not to."""
    if os.environ.get("SKLEARN_ENTROPY_METRICS_REGISTER", "1") != "0":
        with suppress(RuntimeWarning):  # not even warnings as errors fail the import
            register_scorers()
