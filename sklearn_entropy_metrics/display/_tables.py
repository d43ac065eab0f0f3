"""Classifiers and results of cross-validation → the tables that displays draw."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics.compare.folds import take
from sklearn_entropy_metrics.table.merge import align
from sklearn_entropy_metrics.table.tabulate import (
    KnownLabels,
    check_memory,
    known_labels,
    tabulate_part,
)


def check_classifier(estimator: Any, caller: str) -> None:
    """Refuse what is not a classifier; what carries no tags need only predict."""
    tagged = hasattr(estimator, "__sklearn_tags__")
    if not (is_classifier(estimator) if tagged else hasattr(estimator, "predict")):
        raise ValueError(
            f"{caller} only supports classifiers. Got {type(estimator).__name__} "
            "instead."
        )


def check_cv_results(
    cv_results: Mapping[str, Any], X: Any, y: Any, sample_weight: Any, caller: str
) -> None:
    """Check that results of cross-validation hold what the folds are rebuilt from."""
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
    labels: Any = None,
    pred_labels: Any = None,
    sample_weight: Any = None,
) -> Folds:
    """Tabulate the test parts, with the same rows and columns in every fold.

    A fold whose samples all weigh nothing has an empty table.
    """
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
    filled = {i: part for i, part in enumerate(parts) if part is not None}
    if not filled:
        raise ValueError("sample_weight must not be all zero.")
    aligned = align(list(filled.values()))
    shape = len(parts), *aligned[0].table.shape
    check_memory(8 * math.prod(shape), "The tables of all folds", "use fewer classes")
    tables = np.zeros(shape, dtype=aligned[0].table.dtype)
    for number, part in zip(filled, aligned, strict=True):
        table = part.table
        tables[number] = table if isinstance(table, np.ndarray) else table.toarray()
    return Folds(tables, aligned[0].labels)
