"""Which model to choose: by information first, then by accuracy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.measure import accuracy, normalized_information
from sklearn_entropy_metrics.table.tabulate import tabulate_labels

# Values that differ by no more than this are equal but for round-off.
_TIE = 1e-12


@dataclass(frozen=True)
class RankedModel:
    """A model of two classes and its place among others.

    Attributes
    ----------
    name : hashable
        Its name.

    rank : int
        1 for the best; models that tie share the smaller rank.

    flipped : bool
        Whether its two labels were exchanged, because it is wrong more often than
        right.

    normalized_information : float
        NI, which the exchange does not change.

    accuracy : float
        The share of right predictions, after the exchange.
    """

    name: Any
    rank: int
    flipped: bool
    normalized_information: float
    accuracy: float


def rank_models(
    y_true: ArrayLike, predictions: Mapping[Any, ArrayLike]
) -> list[RankedModel]:
    """Rank models of two classes by the information that they transfer.

    The model with the larger normalized information (NI) is better. NI cannot tell
    whether a model is right or systematically wrong, so a model with an accuracy below
    0.5 is flipped first. Among models with equal NI, the more accurate one is better.
    This is Definition 4 of [1]_, as applied in its Example 1.

    Read more in the :ref:`User Guide <selection>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True labels of two classes.

    predictions : dict of name to array-like of shape (n_samples,)
        The predicted labels of each model.

    Returns
    -------
    models : list of RankedModel
        Records with the attributes `name`, `rank`, `flipped`,
        `normalized_information` and `accuracy` (after the flip), the best model first.
        Models that tie share the smaller rank and keep their order.
        ``pandas.DataFrame(models)`` converts them to a data frame.

    See Also
    --------
    information_refit : Select the best candidate of a search.
    normalized_information_score : NI of one model.
    compare_models : Corrected estimates with intervals, and ties with the best.

    Notes
    -----
    If the classes are unbalanced, an accuracy below 0.5 does not mean that the labels
    are exchanged: the rule flips a useful model that finds all samples of the rare
    class and less than half of the other class. Check the sign of
    :func:`discriminant_capability_score` if `flipped` is True.

    NI is the plug-in value, which is too large for small samples. Predict all samples
    by cross-validation and rank these predictions rather than those of single folds;
    :func:`compare_models` corrects the remaining bias.

    References
    ----------
    .. [1] Y. Wang and B.-G. Hu (2009). "Derivations of normalized mutual information
       in binary classifications". FSKD 2009, 155-163.

    Examples
    --------
    >>> from sklearn_entropy_metrics import rank_models
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> models = rank_models(
    ...     y_true,
    ...     {
    ...         "careful": [0, 0, 0, 0, 0, 0, 1, 1],
    ...         "constant": [1, 1, 1, 1, 1, 1, 1, 1],
    ...         "contrary": [1, 1, 1, 1, 0, 0, 0, 1],
    ...     },
    ... )
    >>> for model in models:
    ...     print(model.rank, "-" if model.flipped else "+", model.name)
    1 - contrary
    2 + careful
    3 + constant
    """
    if not len(getattr(predictions, "keys", list)()):
        got = f"Got no names of models in {type(predictions).__name__}."
        raise ValueError(f"`predictions` must be a dict of at least 1 model. {got}")
    tables = np.stack([_table(y_true, *one) for one in predictions.items()])
    flipped = np.asarray(accuracy(tables)) < 0.5
    information = np.asarray(normalized_information(tables))
    turned = np.where(flipped[:, None, None], tables[..., ::-1], tables)
    hits = np.asarray(accuracy(turned))
    lead = information[:, None] - information
    is_ahead = (lead > _TIE) | ((np.abs(lead) <= _TIE) & (hits[:, None] > hits))
    ranks = 1 + is_ahead.sum(axis=0)
    columns = (column.tolist() for column in (ranks, flipped, information, hits))
    return sorted(map(RankedModel, predictions, *columns), key=lambda one: one.rank)


def _table(y_true, name, y_pred):
    whole = tabulate_labels(y_true, y_pred)
    if len(whole.labels) != 2 or not whole.table.sum(axis=1).all():
        raise ValueError(
            "rank_models takes two classes, both of them in y_true. Got the labels "
            f"{whole.labels} with the predictions of {name!r}."
        )
    return whole.table


def information_refit(
    cv_results: Mapping[str, Any], *, metric: str = "normalized_information"
) -> int:
    """Index of the best candidate of a search, by information and then by accuracy.

    For use as `refit` in :class:`~sklearn.model_selection.GridSearchCV` and
    :class:`~sklearn.model_selection.RandomizedSearchCV` with several metrics, such as
    those of :class:`InformationScorer`.

    Read more in the :ref:`User Guide <selection>`.

    Parameters
    ----------
    cv_results : dict of str to array
        The `cv_results_` of the search, with ``mean_test_<metric>``. For a successive
        halving search, only the last iteration counts.

    metric : str, default="normalized_information"
        The name of the score to select by; greater is better. Names of losses start
        with ``neg_``. The score of a search with a single metric is called "score".

    Returns
    -------
    index : int
        The candidate with the largest mean of the metric. Candidates whose means are
        equal within 1e-12 are compared by ``mean_test_accuracy``, if the search has
        it; the first of those that still tie is selected. NaN is never the best.

    See Also
    --------
    InformationScorer : Several measures from one prediction.
    rank_models : Rank models of two classes.
    cross_val_tables : The tables of the folds, for pooling.

    Notes
    -----
    With :class:`InformationScorer`, ``search.score`` is the score by `metric`. With a
    list of scoring strings, scikit-learn cannot look that score up by a function: pass
    a name such as ``refit="normalized_information"`` if you need it.

    The scores are means over the folds. In small folds they are too large, especially
    for a candidate that scatters its errors, which can win for that reason alone. Use a
    few large folds, or judge the best candidates by the corrected value of their pooled
    tables: the sum of :func:`cross_val_tables` in :func:`confidence_interval`.

    Examples
    --------
    >>> from functools import partial
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_entropy_metrics import InformationScorer, information_refit
    >>> X, y = load_iris(return_X_y=True)
    >>> search = GridSearchCV(
    ...     DecisionTreeClassifier(random_state=0),
    ...     {"max_depth": [1, 2, 3]},
    ...     scoring=InformationScorer(),
    ...     refit=partial(information_refit, metric="entropy_modulated_accuracy"),
    ... )
    >>> search.fit(X, y).best_params_
    {'max_depth': 3}
    """
    means = _means(cv_results, metric)
    if "iter" in cv_results:
        rounds = np.asarray(cv_results["iter"])
        means = np.where(rounds == rounds.max(), means, -np.inf)
    if means.max(initial=-np.inf) == -np.inf:
        raise ValueError(f"The mean {metric} of every candidate is undefined (NaN).")
    best = np.flatnonzero(means >= means.max() - _TIE)
    if "mean_test_accuracy" in cv_results:
        hits = _means(cv_results, "accuracy")[best]
        best = best[hits >= hits.max() - _TIE]
    return int(best[0])


def _means(cv_results, metric):
    """The mean of a metric for each candidate, with NaN below everything."""
    key = f"mean_test_{metric}"
    if key not in cv_results:
        start = "mean_test_"
        present = [name[len(start) :] for name in cv_results if name.startswith(start)]
        raise ValueError(
            f"The search must have scores called {metric!r}; another metric is named "
            "by functools.partial(information_refit, metric=...). Got the scores "
            f"{present}."
        )
    means = np.asarray(cv_results[key], dtype=np.float64)
    return np.where(np.isnan(means), -np.inf, means)
