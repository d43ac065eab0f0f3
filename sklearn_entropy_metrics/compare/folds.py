"""Cross-validation → one table per fold, whose sum is the table of all folds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import sklearn.utils.metadata_routing as routing
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import clone, is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch, check_consistent_length, get_tags, indexable
from sklearn.utils.parallel import Parallel, delayed

from sklearn_entropy_metrics._sklearn import take, take_params
from sklearn_entropy_metrics.table import classes
from sklearn_entropy_metrics.table.checks import NOTHING, check_weight
from sklearn_entropy_metrics.table.merge import stack_tables
from sklearn_entropy_metrics.table.probabilities import tabulate_probabilities
from sklearn_entropy_metrics.table.tabulate import tabulate_part


def cross_val_tables(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    cv: Any = None,
    params: Mapping[str, Any] | None = None,
    method: Literal["predict", "predict_proba"] = "predict",
    sample_weight: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> FoldTables:
    r"""Cross-validate a classifier and return the contingency table of each fold.

    The sum of the tables is the pooled table of all folds. Measure it rather than the
    folds: the mutual information of few samples is too large, by about :math:`(k - 1)(m
    - 1) / (2 n \ln 2)` bits for n samples, and the mean over folds of n samples keeps
    this bias. The pooled table has the smaller bias of all samples, and
    ``smoothing="empirical_bayes"`` removes most of it.

    Read more in the :ref:`User Guide <cross_validation>`.

    Parameters
    ----------
    estimator : classifier
        A classifier; it is cloned for each fold.

    X : array-like of shape (n_samples, n_features)
        The samples.

    y : array-like of shape (n_samples,)
        Their labels.

    groups : array-like of shape (n_samples,), default=None
        Groups of the samples, for splitters that need them. With metadata routing, pass
        them in `params`.

    cv : int, cross-validation generator or iterable, default=None
        How to split, as in :func:`~sklearn.model_selection.cross_validate`. The test
        sets need not form a partition of the samples.

    params : dict, default=None
        Parameters of ``estimator.fit``; those with a value per sample, such as
        `sample_weight`, are split like `X`. With metadata routing, they go to every
        object that requests them, including the splitter.

    method : {"predict", "predict_proba"}, default="predict"
        What to tabulate: predicted labels, or sums of predicted probabilities, where
        a class that was not seen in training has probability zero.

    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples in the tables. Pass those of ``fit`` in `params`.

    n_jobs : int, default=None
        Number of folds to fit in parallel. None means 1, unless in a
        :obj:`joblib.parallel_backend` context; -1 means all processors.

    Returns
    -------
    result : FoldTables
        A :class:`~sklearn.utils.Bunch` of

        tables : ndarray of shape (n_folds, n_classes, n_classes)
            The table of each test set, true classes in rows: counts or weights or, with
            ``method="predict_proba"``, sums of probabilities.

        labels : ndarray of shape (n_classes,)
            The classes of rows and columns, the same in every fold: the sorted labels
            that are in `y` or were predicted.

        n_tested : float
            How often each sample was tested on average: 1 if the test sets are a
            partition of the samples.

        As ``table=`` of :func:`confidence_interval` and others, the result is the
        pooled table. Its samples count as n / 1.45 independent ones: the models of the
        folds share most of their training samples, and a sample that is tested again
        says little more.

    See Also
    --------
    EntropyBalance.from_confusion_matrix : The entropies of tables and of their sum.
    confidence_interval : The corrected value of the pooled table, with an interval.
    sklearn.model_selection.cross_val_predict : Predictions of a partition.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn_entropy_metrics import confidence_interval, cross_val_tables
    >>> X, y = load_iris(return_X_y=True)
    >>> folds = cross_val_tables(GaussianNB(), X, y, cv=5)
    >>> folds.tables.shape
    (5, 3, 3)
    >>> folds.tables.sum(axis=0)
    array([[50,  0,  0],
           [ 0, 47,  3],
           [ 0,  4, 46]])
    >>> confidence_interval(table=folds)
    NI 0.823 [0.654, 0.910], cross-validated
    """
    if method not in ("predict", "predict_proba"):
        raise ValueError(
            f"`method` must be 'predict' or 'predict_proba'. Got {method!r}."
        )
    X, y = indexable(X, y)
    # Bad labels are refused before anything is fitted.
    labels = classes.number_labels({"y_true": y}).rows
    weight = check_weight(sample_weight)
    check_consistent_length(y, weight)
    cv = check_cv(cv, y, classifier=is_classifier(estimator))
    split_params, fit_params = _route(estimator, cv, groups, dict(params or {}))
    splits = list(cv.split(X, y, **split_params))
    if not splits:
        raise ValueError(f"`cv` must make at least 1 split. Got none from {cv!r}.")
    responses = Parallel(n_jobs=n_jobs)(
        delayed(_fit_and_respond)(clone(estimator), X, y, *split, fit_params, method)
        for split in splits
    )
    weights = [None if weight is None else weight[test] for _, test in splits]
    true = [take(y, test) for _, test in splits]
    folds = list(zip(true, responses, weights, strict=True))
    n_tested = sum(map(len, true)) / np.shape(y)[0]
    tabulate = _count if method == "predict" else _sum
    return FoldTables(**tabulate(folds, labels), n_tested=n_tested)


class FoldTables(Bunch):
    """What :func:`~sklearn_entropy_metrics.cross_val_tables` returns."""

    def __repr__(self) -> str:
        n_folds, k, m = self["tables"].shape
        return f"FoldTables({n_folds} of {k} × {m} classes, n_tested={self.n_tested:g})"


def _count(folds, labels):
    known = classes.KnownLabels(labels)
    parts = [
        tabulate_part(y, y_pred, labels=known, sample_weight=weight)
        for y, (y_pred, _), weight in folds
    ]
    if any(part is None for part in parts):
        raise ValueError(NOTHING)
    stack = stack_tables(parts)
    # What weights count as; without them the tables say it.
    sizes = {} if stack.size is None else {"n_samples": stack.size}
    return {"tables": stack.table, "labels": stack.labels, **sizes}


def _sum(folds, labels):
    if any(known is None for _, (_, known), _ in folds):
        raise ValueError("`estimator` must have `classes_`. Got one without.")
    parts = [
        tabulate_probabilities(
            y, proba, labels=labels, columns=known.classes, sample_weight=weight
        )
        for y, (proba, known), weight in folds
    ]
    class_weight = np.array([part.class_weight for part in parts])
    tables = np.stack([part.table for part in parts])
    return {"tables": tables, "labels": labels, "class_weight": class_weight}


def _route(estimator, cv, groups, params):
    """Parameters of the splitter and of `fit`, with and without metadata routing."""
    if not get_config()["enable_metadata_routing"]:
        return {"groups": groups}, params
    if groups is not None:
        raise ValueError(
            "With metadata routing, pass groups by params={'groups': ...} instead of "
            "groups=."
        )
    router = routing.MetadataRouter(owner="cross_val_tables")
    split = routing.MethodMapping().add(caller="fit", callee="split")
    fit = routing.MethodMapping().add(caller="fit", callee="fit")
    router.add(splitter=cv, method_mapping=split)
    router.add(estimator=estimator, method_mapping=fit)
    routed = routing.process_routing(router, "fit", **params)
    return routed["splitter"]["split"], routed["estimator"]["fit"]


def _fit_and_respond(estimator, X, y, train, test, params, method):
    """Fit on one part and return the predictions for the other."""
    X_train, X_test = take(X, train), take(X, test)
    if get_tags(estimator).input_tags.pairwise:  # the columns are samples as well
        X_train, X_test = X_train[:, train], X_test[:, train]
    estimator.fit(X_train, take(y, train), **take_params(X, params, train))
    return getattr(estimator, method)(X_test), classes.known_labels(estimator)
