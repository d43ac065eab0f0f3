"""How a classifier scatters its mistakes: confusion entropy and its family.

Every function takes a square table, a stack of them of shape (..., m, m), a 2-D sparse
table or an :class:`~sklearn_entropy_metrics.EntropyBalance`. Undefined values are NaN.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp

from sklearn_entropy_metrics.balance.balance import Number, TableLike, float_or_array
from sklearn_entropy_metrics.balance.entropy import nonzero, surprise
from sklearn_entropy_metrics.measure import against_rest
from sklearn_entropy_metrics.table.checks import check_flags

__all__ = [
    "confusion_entropy",
    "confusion_entropy_per_class",
    "mean_absolute_probability_error",
    "probabilistic_confusion_entropy",
]

Weighting = Literal["class", "confusion"]


def confusion_entropy(
    table: TableLike,
    *,
    relative: bool = False,
    modified: bool = False,
    weighting: Weighting = "class",
) -> Number:
    r"""Confusion entropy (CEN) of square tables.

    Parameters
    ----------
    table : array-like of shape (..., m, m), sparse table or EntropyBalance
        Counts, weights or sums of probabilities, true classes in rows.

    relative : bool, default=False
        Whether to divide each row by its sum first (rCEN), so that the frequencies of
        the classes do not matter.

    modified : bool, default=False
        Whether to count the diagonal once instead of twice in the number of samples of
        a class (MCEN) [2]_. Cannot be combined with `relative` or other weights.

    weighting : {"class", "confusion"}, default="class"
        The weights of the mean over the classes: all samples of a class, true or
        predicted [1]_, or only the confused ones, as in the probabilistic confusion
        entropy of [3]_.

    Returns
    -------
    cen : float or ndarray of shape (...)
        0 is best. At most 1 for three or more classes; for two classes it can exceed 1,
        by at most 6 % with ``weighting="class"``. NaN for a single class.

    See Also
    --------
    confusion_entropy_per_class : The terms of the mean.
    sklearn_entropy_metrics.confusion_entropy_loss : The same from labels.

    Notes
    -----
    With :math:`s_j = \sum_k (c_{jk} + c_{kj})` the confusion entropy is
    :math:`\sum_j w_j\,\mathrm{CEN}_j` where

    .. math::
        \mathrm{CEN}_j = -\sum_{k \ne j} \left(
        \frac{c_{jk}}{s_j} \log_{2(m-1)} \frac{c_{jk}}{s_j} +
        \frac{c_{kj}}{s_j} \log_{2(m-1)} \frac{c_{kj}}{s_j} \right)

    and the weights are :math:`w_j = s_j / 2\sum c` for "class" and
    :math:`w_j = (s_j - 2 c_{jj}) / 2\sum c` for "confusion".

    References
    ----------
    .. [1] J.-M. Wei, X.-J. Yuan, Q.-H. Hu and S.-Q. Wang (2010). "A novel measure for
       evaluating classifiers". Expert Systems with Applications 37(5), 3799-3809.
    .. [2] R. Delgado and J. D. Núñez-González (2019). "Enhancing confusion entropy
       (CEN) for binary and multiclass classification". PLoS ONE 14(1), e0210264.
    .. [3] X.-N. Wang, J.-M. Wei, H. Jin, G. Yu and H.-W. Zhang (2013). "Probabilistic
       confusion entropy for evaluating classifiers". Entropy 15(11), 4969-4992.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> table = [[3, 1, 1], [1, 2, 0], [0, 0, 2]]
    >>> round(measure.confusion_entropy(table), 4)
    0.425
    >>> round(measure.confusion_entropy(table, relative=True), 4)
    0.3599
    """
    if weighting not in ("class", "confusion"):
        raise ValueError(
            f"weighting must be 'class' or 'confusion'. Got {weighting!r}."
        )
    surprises, confused, own = _classes(table, relative, modified, weighting)
    n_own = own.sum(axis=-1)
    if modified and own.shape[-1] == 2:
        n_own = 2 * n_own  # the two terms of the diagonal are for more classes only
    if weighting == "confusion":
        surprises = surprises * (confused / nonzero(confused + own))
    with np.errstate(invalid="ignore"):
        mean = surprises.sum(axis=-1) / (confused.sum(axis=-1) + n_own)
    return float_or_array(mean)


def confusion_entropy_per_class(
    table: TableLike, *, relative: bool = False, modified: bool = False
) -> np.ndarray:
    r"""Confusion entropy of each class of square tables.

    Parameters
    ----------
    table : array-like of shape (..., m, m), sparse table or EntropyBalance
        Counts, weights or sums of probabilities, true classes in rows.

    relative : bool, default=False
        Whether to divide each row by its sum first.

    modified : bool, default=False
        Whether to count the diagonal once instead of twice.

    Returns
    -------
    cen : ndarray of shape (..., m)
        0 is best, and the value for a class without samples and predictions; NaN for a
        single class.

    See Also
    --------
    confusion_entropy : The weighted mean, with the formula.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> table = [[3, 1, 1], [1, 2, 0], [0, 0, 2]]
    >>> measure.confusion_entropy_per_class(table).round(4)
    array([0.5283, 0.4308, 0.2322])
    """
    surprises, confused, own = _classes(table, relative, modified)
    return surprises / nonzero(confused + own)


def probabilistic_confusion_entropy(
    table: TableLike,
    *,
    class_weight: ArrayLike | None = None,
    relative: bool = False,
    weighting: Weighting = "confusion",
) -> Number:
    """Confusion entropy (pCEN) of probabilistic confusion matrices.

    Parameters
    ----------
    table : array-like of shape (..., m, m)
        Sums of probabilities, as of
        :func:`~sklearn_entropy_metrics.probabilistic_confusion_matrix`.

    class_weight : array-like of shape (..., m), default=None
        Number or weight of the samples of each class. By default the sums of the rows,
        which is the same where probabilities sum to one.

    relative : bool, default=False
        Whether to divide each row by the weight of its class (rpCEN).

    weighting : {"class", "confusion"}, default="confusion"
        As in :func:`confusion_entropy`, where the default differs: each is that of the
        paper which defined the measure.

    Returns
    -------
    pcen : float or ndarray of shape (...)
        0 is best; NaN for a single class.

    See Also
    --------
    sklearn_entropy_metrics.probabilistic_confusion_entropy_loss : The same from
        probabilities, with the reference.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> table = [[3.57, 0.99, 0.44], [0.59, 2.16, 0.25], [0.14, 0.0, 1.86]]
    >>> round(measure.probabilistic_confusion_entropy(table, relative=True), 3)
    0.093
    """
    table = against_rest.square_table(table)
    check_flags(relative=relative)
    if relative and class_weight is not None:
        weight = np.asarray(class_weight, dtype=np.float64)[..., None]
        table = table / nonzero(weight)
        relative = False
    return confusion_entropy(table, relative=relative, weighting=weighting)


def mean_absolute_probability_error(
    table: TableLike, *, class_weight: ArrayLike | None = None
) -> Number:
    """Mean absolute error of probabilities, from probabilistic confusion matrices.

    The error of a probability is its distance from 1 in the column of the true class
    and from 0 in the others, so sums of probabilities are all that is needed.

    Parameters
    ----------
    table : array-like of shape (..., m, m)
        Sums of probabilities, as of
        :func:`~sklearn_entropy_metrics.probabilistic_confusion_matrix`.

    class_weight : array-like of shape (..., m), default=None
        Number or weight of the samples of each class. By default the sums of the rows,
        which is the same where probabilities sum to one.

    Returns
    -------
    error : float or ndarray of shape (...)
        Mean over samples and classes, between 0 (best) and 1.

    See Also
    --------
    sklearn_entropy_metrics.mean_absolute_probability_error : The same from
        probabilities.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> round(measure.mean_absolute_probability_error([[1.5, 0.5], [0.3, 1.7]]), 3)
    0.2
    """
    table = against_rest.square_table(table)
    others, _ = against_rest.off_diagonal_sums(table)
    if class_weight is None:
        weight, missed = against_rest.diagonal(table) + others, others
    else:
        weight = np.asarray(class_weight, dtype=np.float64)
        missed = np.maximum(weight - against_rest.diagonal(table), 0)
    total = weight.sum(axis=-1)
    with np.errstate(invalid="ignore"):
        mean = missed.sum(axis=-1) / total + others.sum(axis=-1) / total
    return float_or_array(mean / table.shape[-1])


def _classes(table, relative, modified, weighting="class"):
    """Arrays of shape (..., m): samples times CEN, confused and other samples.

    The confused samples are of the class or predicted as it, but not both.
    """
    check_flags(relative=relative, modified=modified)
    if modified and (relative or weighting != "class"):
        raise ValueError(
            "modified=True is defined for relative=False and weighting='class' only. "
            f"Got relative={relative!r} and weighting={weighting!r}."
        )
    table = against_rest.square_shares(table)
    if relative:
        table = _divide_rows(table)
    own = against_rest.diagonal(table) if modified else 2 * against_rest.diagonal(table)
    confused_of = _confused if isinstance(table, np.ndarray) else _confused_of_sparse
    with np.errstate(divide="ignore", invalid="ignore"):
        confused, surprises = confused_of(table, own)
    n_classes = table.shape[-1]
    log_base = math.log(2 * (n_classes - 1)) if n_classes > 1 else math.nan
    return surprises / log_base, confused, own


def _divide_rows(table):
    rows = nonzero(table.astype(np.float64, copy=False).sum(axis=-1))
    if isinstance(table, np.ndarray):
        return table / rows[..., None]
    shares = table.data / np.repeat(rows, np.diff(table.indptr))
    return sp.csr_array((shares, table.indices, table.indptr), table.shape)


def _confused(table, own):
    """Row and column sums of each class off the diagonal, and their surprise."""
    off = against_rest.without_diagonal(table)
    # Each class has its row, its column and its own samples.
    cells = [off, np.swapaxes(off, -1, -2), own[..., None]]
    surprises = surprise(
        np.concatenate(cells, -1), partial(np.sum, axis=-1, keepdims=True)
    )
    return off.sum(axis=-1) + off.sum(axis=-2), surprises[..., :-1].sum(axis=-1)


def _confused_of_sparse(table, own):
    off, n_classes = against_rest.without_diagonal(table), len(own)
    value = np.tile(off.data, 2)
    place = np.concatenate([off.row, off.col])
    all_places = np.append(place, np.arange(n_classes))
    surprises = surprise(
        np.append(value, own),
        lambda values: np.bincount(all_places, values)[all_places],
    )
    return (
        np.bincount(place, value, n_classes),
        np.bincount(place, surprises[:-n_classes], n_classes),
    )
