"""Classifiers, predictions, matrices and folds → the tables that displays draw.

Functions that take one object also take a dict of names to such objects.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics.balance.balance import EntropyBalance, balance_of
from sklearn_entropy_metrics.balance.smooth import Smoothing
from sklearn_entropy_metrics.compare.folds import take
from sklearn_entropy_metrics.table.classes import KnownLabels, known_labels
from sklearn_entropy_metrics.table.merge import stack_tables
from sklearn_entropy_metrics.table.tabulate import tabulate_part


def each(function: Callable[[Any], Any], given: Any) -> Any:
    """Apply a function to an object, or to each value of a dict."""
    if not isinstance(given, Mapping):
        return function(given)
    if not given:
        raise ValueError("A dict holds no table; at least 1 is required.")
    return {name: function(one) for name, one in given.items()}


def name_of(given: Any, name: Any, default: str) -> Any:
    """The name of an object; a dict has names, anything else a default."""
    return default if name is None and not isinstance(given, Mapping) else name


def estimator_name(estimator: Any, name: Any) -> Any:
    """The name of a classifier, by default that of its class."""
    return name_of(estimator, name, type(estimator).__name__)


def estimator_balance(
    estimator: Any, X: Any, y: Any, *, caller: str, **options: Any
) -> Any:
    """The balance of a classifier, or a dict of them."""

    def one(classifier):
        check_classifier(classifier, caller)
        return EntropyBalance.from_estimator(classifier, X, y, **options)

    return each(one, estimator)


def prediction_balance(y_true: Any, y_pred: Any, **options: Any) -> Any:
    """The balance of predictions, or a dict of them."""
    return each(
        lambda one: EntropyBalance.from_predictions(y_true, one, **options), y_pred
    )


def matrix_balance(matrix: Any, smoothing: Smoothing | None = None) -> Any:
    """The balance of a matrix or a stack of matrices, or a dict of them."""

    def one(given):
        balance = balance_of(given)
        if smoothing is None:
            return balance
        return EntropyBalance.from_confusion_matrix(balance.table, smoothing=smoothing)

    return each(one, matrix)


def check_classifier(estimator: Any, caller: str) -> None:
    """Raise for anything but a classifier; without tags it need only predict."""
    tagged = hasattr(estimator, "__sklearn_tags__")
    if not (is_classifier(estimator) if tagged else hasattr(estimator, "predict")):
        raise ValueError(
            f"{caller} only supports classifiers. Got {type(estimator).__name__} "
            "instead."
        )


def _check_cv_results(cv_results, X, y, sample_weight, caller):
    """Check that the results of cross-validation contain what the folds need."""
    missing = [key for key in ("estimator", "indices") if key not in cv_results]
    if missing:
        raise ValueError(
            "`cv_results` does not contain the required keys 'estimator' and "
            f"'indices'. Got {sorted(cv_results)}; set `return_estimator=True` and "
            "`return_indices=True` in `cross_validate`."
        )
    check_consistent_length(X, y, sample_weight)
    indices = cv_results["indices"]
    expected = len(indices["train"][0]) + len(indices["test"][0])
    n_samples = X.shape[0] if hasattr(X, "shape") else len(X)
    if n_samples != expected:
        raise ValueError(
            "`X` does not contain the correct number of samples. Expected "
            f"{expected}, got {n_samples}."
        )
    for estimator in cv_results["estimator"]:
        check_classifier(estimator, caller)


class Folds(NamedTuple):
    """Tables of the test parts, `(n_folds, k, m)`, and the labels of their rows."""

    tables: np.ndarray
    labels: np.ndarray


def fold_tables(
    cv_results: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    caller: str,
    labels: Any = None,
    pred_labels: Any = None,
    sample_weight: Any = None,
) -> Any:
    """Tabulate the test parts, with the same rows and columns in every fold.

    Returns
    -------
    folds : Folds, or dict of str to Folds
        A fold whose samples all weigh nothing has an empty table.
    """
    given = {"labels": labels, "pred_labels": pred_labels}

    def one(results):
        _check_cv_results(results, X, y, sample_weight, caller)
        return _fold_tables(results, X, y, sample_weight, **given)

    several = all(isinstance(value, Mapping) for value in cv_results.values())
    return each(one, cv_results) if several else one(cv_results)


def _fold_tables(cv_results, X, y, sample_weight, labels, pred_labels):
    estimators = cv_results["estimator"]
    if labels is None:
        known = [np.asarray(k.classes) for k in map(known_labels, estimators) if k]
        labels = KnownLabels(np.concatenate(known)) if known else None
    parts = [
        tabulate_part(
            take(y, fold),
            estimator.predict(take(X, fold)),
            labels=labels,
            pred_labels=pred_labels,
            sample_weight=None if sample_weight is None else take(sample_weight, fold),
        )
        for estimator, fold in zip(
            estimators, cv_results["indices"]["test"], strict=True
        )
    ]
    if all(part is None for part in parts):
        raise ValueError("sample_weight must not be all zero.")
    return Folds(*stack_tables(parts))
