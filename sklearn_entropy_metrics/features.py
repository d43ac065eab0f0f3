"""Features → φ and δ: how characteristic and how discriminant each column of X is.

A binary feature is judged like a classifier that says "positive" where it is present.
One pass over X sums each column within each class; the rest is arithmetic.
"""

from __future__ import annotations

from collections.abc import Hashable
from numbers import Real
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_array, check_consistent_length, gen_batches
from sklearn.utils.validation import assert_all_finite, check_is_fitted, validate_data

from sklearn_entropy_metrics.balance.entropy import sum_of_others
from sklearn_entropy_metrics.table.checks import check_integer, check_weight
from sklearn_entropy_metrics.table.classes import number_labels

# Cells of a dense X taken at a time: what is made of them stays in the cache.
_BLOCK = 1 << 18
# Where values are compared: far finer than 1/n, far coarser than round-off.
_DECIMALS = 12

Presence = bool | Literal["auto"]
Matrix: TypeAlias = ArrayLike | sp.sparray | sp.spmatrix


def phi_delta_features(
    X: Matrix,
    y: ArrayLike,
    *,
    presence: Presence = "auto",
    pos_label: Hashable = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    r"""Characteristic (φ) and discriminant (δ) capability of every feature.

    With tp and fp the shares of the positive and of the negative samples that have the
    feature (or the mean degrees to which they have it),

    .. math::
        \varphi = \mathrm{tp} + \mathrm{fp} - 1, \qquad
        \delta = \mathrm{tp} - \mathrm{fp}

    so that :math:`|\varphi| + |\delta| \le 1` [1]_. At δ = 1 the feature occurs in
    every positive sample and in no negative one, at δ = -1 the other way round; at φ =
    1 it is everywhere (a stop word), at φ = -1 nowhere. Neither depends on the class
    ratio.

    Read more in the :ref:`User Guide <phi_delta>`.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Features that count by presence, or degrees: values in [0, 1], or a single value
        besides zeros, which then means present. Any other column is an error.

    y : array-like of shape (n_samples,)
        Class labels, of two classes or more.

    presence : bool or "auto", default="auto"
        Whether a sample has a feature if its value is not zero, as for word counts and
        TF-IDF, whose values in [0, 1] are weights, not degrees. Negative values are
        then an error. "auto" means True if `X` is sparse.

    pos_label : int, float, bool or str, default=None
        The positive class; all others are negative. By default, the larger of two
        labels; with more classes, each of them is positive in turn.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    Returns
    -------
    phi, delta : ndarrays of shape (n_features,) or (n_classes, n_features)
        A row per class, sorted, for more than two classes without `pos_label`.

    See Also
    --------
    PhiDeltaSelector : Select features by φ and δ.

    References
    ----------
    .. [1] G. Armano (2015). "A direct measure of discriminant and characteristic
       capability for classifier building and assessment". Information Sciences 325,
       466-483.

    Examples
    --------
    >>> from sklearn_entropy_metrics import phi_delta_features
    >>> # Words:  the wheat loan corn
    >>> texts = [[1, 1, 0, 0], [1, 1, 0, 1], [1, 0, 1, 0], [1, 0, 1, 0]]
    >>> about = ["grain", "grain", "money", "money"]
    >>> phi, delta = phi_delta_features(texts, about, pos_label="grain")
    >>> phi
    array([ 1. ,  0. ,  0. , -0.5])
    >>> delta
    array([ 0. ,  1. , -1. ,  0.5])
    >>> counts = [[7, 2, 0, 0], [4, 1, 0, 3], [5, 0, 2, 0], [6, 0, 1, 0]]
    >>> phi_delta_features(counts, about, presence=True, pos_label="grain")[1]
    array([ 0. ,  1. , -1. ,  0.5])
    """
    names = getattr(X, "columns", None)
    X = check_array(X, accept_sparse=("csr", "csc"), input_name="X")
    _, phi, delta, _ = _judge(X, y, presence, pos_label, sample_weight, names=names)
    return phi, delta


def discriminant_features(X: Matrix, y: ArrayLike) -> np.ndarray:
    r"""Absolute discriminant capability of every feature, a score for selection.

    Read more in the :ref:`User Guide <phi_delta>`.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Degrees or binary features, as for :func:`phi_delta_features`.

    y : array-like of shape (n_samples,)
        Class labels, of two classes or more.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        :math:`|\delta|`; with more than two classes its largest value over them.

    Examples
    --------
    >>> from sklearn.feature_selection import SelectKBest
    >>> from sklearn_entropy_metrics import discriminant_features
    >>> X, y = [[1, 1, 0], [1, 1, 1], [1, 0, 0], [1, 0, 0]], [1, 1, 0, 0]
    >>> SelectKBest(discriminant_features, k=2).fit(X, y).get_support()
    array([False,  True,  True])
    """
    _, delta = phi_delta_features(X, y)
    return np.abs(delta).reshape(-1, delta.shape[-1]).max(axis=0)


class PhiDeltaSelector(SelectorMixin, BaseEstimator):
    r"""Select features by their characteristic (φ) and discriminant (δ) capability.

    It keeps features that are neither everywhere nor nowhere and that either
    discriminate or, near the border of the diamond, imply a class [1]_:

    .. math:: |\varphi| < \varphi_M, \qquad |\varphi| + |\delta|/\delta_m \ge 1

    and among these, those with the largest :math:`|\delta|`.

    Read more in the :ref:`User Guide <phi_delta>`.

    Parameters
    ----------
    n_features_to_select : int, default=None
        Maximum number to keep; ties go by column order. By default, or if fewer satisfy
        the conditions, all that do are kept.

    max_phi : float, default=1.0
        The limit :math:`\varphi_M`, in (0, 1], that :math:`|\varphi|` must not reach.

    min_delta : float, default=0.0
        The limit :math:`\delta_m`, in [0, 1]. At 0 the second condition is off.

    presence : bool or "auto", default="auto"
        Whether a sample has a feature if its value is not zero, as for word counts and
        TF-IDF; negative values are then an error. Otherwise, values are degrees. "auto"
        means True if `X` is sparse.

    pos_label : int, float, bool or str, default=None
        The positive class. By default, the larger of two labels; with more classes,
        each feature is judged by the class for which its :math:`|\delta|` is largest.

    Attributes
    ----------
    phi_, delta_ : ndarrays of shape (n_features,)
        φ and δ of every feature, for the class by which it is judged.

    support_ : ndarray of shape (n_features,), dtype bool
        The selected features.

    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        What was seen in `fit`; the names if `X` has names that are all strings.

    Notes
    -----
    Features are judged as in :func:`phi_delta_features`, but columns of degrees outside
    [0, 1] are scaled by the range seen in `fit`; `transform` returns them unchanged.
    Constant features are never kept. If no feature is left, `transform` warns and
    returns no columns.

    References
    ----------
    .. [1] G. Armano (2015). "A direct measure of discriminant and characteristic
       capability for classifier building and assessment". Information Sciences 325,
       466-483, section 5.1.

    Examples
    --------
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn_entropy_metrics import PhiDeltaSelector
    >>> texts = ["the wheat crop", "the wheat", "the bank loan", "the bank"]
    >>> pipeline = make_pipeline(CountVectorizer(), PhiDeltaSelector(2))
    >>> _ = pipeline.fit(texts, ["grain", "grain", "money", "money"])
    >>> pipeline.get_feature_names_out()
    array(['bank', 'wheat'], dtype=object)
    """

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        max_phi: float = 1.0,
        min_delta: float = 0.0,
        presence: Presence = "auto",
        pos_label: Hashable = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.max_phi = max_phi
        self.min_delta = min_delta
        self.presence = presence
        self.pos_label = pos_label

    def fit(self, X: Matrix, y: ArrayLike) -> PhiDeltaSelector:
        """Compute φ and δ of the features and choose among them.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The samples.

        y : array-like of shape (n_samples,)
            Class labels, of two classes or more.

        Returns
        -------
        self : PhiDeltaSelector
            The fitted selector.
        """
        self._check_parameters()
        names = getattr(X, "columns", None)
        # Labels have their own gate; scikit-learn reports a missing y.
        y_to_check = None if y is None else "no_validation"
        X = validate_data(self, X, y_to_check, accept_sparse=("csr", "csc"))
        self.classes_, phi, delta, constant = _judge(
            X, y, self.presence, self.pos_label, names=names, scales=True
        )
        phi, delta = np.atleast_2d(phi), np.atleast_2d(delta)
        best = np.abs(delta).argmax(axis=0), np.arange(delta.shape[1])
        self.phi_, self.delta_ = phi[best], delta[best]
        self.support_ = self._select(constant)
        return self

    def _check_parameters(self):
        if self.n_features_to_select is not None:
            check_integer(self.n_features_to_select, "n_features_to_select", minimum=1)
        if not (isinstance(self.max_phi, Real) and 0 < self.max_phi <= 1):
            raise ValueError(f"`max_phi` must be in (0, 1]. Got {self.max_phi!r}.")
        if not (isinstance(self.min_delta, Real) and 0 <= self.min_delta <= 1):
            raise ValueError(f"`min_delta` must be in [0, 1]. Got {self.min_delta!r}.")

    def _select(self, constant):
        """The paper's rule, then the features with the largest |δ|."""
        phi, delta = np.abs(self.phi_), np.abs(self.delta_)
        # Multiplied by min_delta, so that 0 switches the second condition off.
        excess = delta - self.min_delta * (1 - phi)
        support = (phi.round(_DECIMALS) < self.max_phi) & ~constant
        support &= excess.round(_DECIMALS) >= 0
        if self.n_features_to_select is not None:
            rank = np.where(support, -delta.round(_DECIMALS), 1)
            order = np.argsort(rank, kind="stable")
            support[order[self.n_features_to_select :]] = False
        return support

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


def _judge(X, y, presence, pos_label, sample_weight=None, *, names, scales=False):
    """The classes, φ and δ of each feature, and which features are constant.

    A column that holds no degrees is an error, unless it `scales` by its range.
    """
    if not (isinstance(presence, bool) or presence == "auto"):
        raise ValueError(f"`presence` must be True, False or 'auto'. Got {presence!r}.")
    if sp.issparse(X) and not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    check_consistent_length(X, y, sample_weight)
    classes, indicator = _sort(y, pos_label, sample_weight)
    is_counted = presence is True or (presence == "auto" and sp.issparse(X))
    values, most = X.data if sp.issparse(X) else X, np.inf if is_counted else 1
    low = high = np.zeros(1)  # the range of columns takes longer than all the rest
    if scales or values.min(initial=0) < 0 or values.max(initial=0) > most:
        low, high = _range(X)
    columns, wrong, must = None, np.zeros(1, dtype=bool), ""  # all hold degrees
    if is_counted:
        advice = ": pass presence=False to scale it" if scales else " to be counted"
        wrong, must = low < 0, f"not be negative{advice}"
        present = (values != 0).astype(np.float64)
        X = _with_data(X, present) if sp.issparse(X) else present
    elif low.min() < 0 or high.max() > 1:
        columns = _columns(X, low, high)
        wrong = columns.other & (not scales)
        scaler = "MaxAbsScaler()" if sp.issparse(X) else "MinMaxScaler(clip=True)"
        must = (
            "hold degrees in [0, 1] or a single value besides zeros: scale it with "
            f"sklearn.preprocessing.{scaler}, or pass presence=True for counts"
        )
    if wrong.any():
        first = wrong.argmax()
        name = first if names is None else repr(names[first])
        # Every digit: scaling may exceed 1 by round-off.
        ends = [str(end[first]).removesuffix(".0") for end in (low, high)]
        raise ValueError(
            f"Column {name} of X must {must}. Got values from {' to '.join(ends)}."
        )
    return classes, *_phi_delta(X, indicator, columns), low == high


def _sort(y, pos_label=None, sample_weight=None):
    """Classes, and the weights of the samples (rows) in the columns of their classes.

    Given a positive class, the columns are the rest and that one.
    """
    weight = check_weight(sample_weight)
    numbered = number_labels({"y": y}, weight=weight)
    classes = numbered.rows
    # Labels of weight zero share a column with a class, to which they add nothing.
    codes = numbered.numbers[0]
    n_samples = len(codes)
    if len(classes) < 2:
        raise ValueError(f"y must have two classes. Got one class only: {classes[0]}.")
    if pos_label is not None:
        if pos_label not in classes.tolist():
            raise ValueError(f"`pos_label` must be a label of y. Got {pos_label!r}.")
        codes = (codes == classes.tolist().index(pos_label)).astype(np.intp)
    weight = np.ones(n_samples) if weight is None else weight
    shape = n_samples, codes.max() + 1
    return classes, sp.csr_array((weight, codes, np.arange(n_samples + 1)), shape=shape)


class _Columns(NamedTuple):
    other: np.ndarray  # neither degrees nor binary
    origin: np.ndarray  # what is subtracted from the values,
    scale: np.ndarray  # and what they are then divided by, to become degrees


def _columns(X, low, high):
    degrees = (low >= 0) & (high <= 1)
    value = np.where(high > 0, high, low)
    if sp.issparse(X):
        index = X.tocoo(copy=False).col
        strange = index[(X.data != 0) & (X.data != value[index])]
        binary = np.bincount(strange, minlength=X.shape[1]) == 0
    else:
        binary = ((X == 0) | (value == X)).all(axis=0)
    other = ~(degrees | binary)
    with np.errstate(over="ignore"):
        scale = np.select([degrees, binary], [1, value], high - low)
    assert_all_finite(scale, input_name="X: the range of a column")
    return _Columns(other, np.where(other, low, 0), scale)


def _range(X):
    """Lowest and highest value of each column, without a copy of X."""
    if not sp.issparse(X):
        return X.min(axis=0).astype(np.float64), X.max(axis=0).astype(np.float64)
    index = X.tocoo(copy=False).col
    is_full = np.bincount(index, minlength=X.shape[1]) == X.shape[0]
    low, high = np.where(is_full, np.inf, 0), np.where(is_full, -np.inf, 0)
    np.minimum.at(low, index, X.data)
    np.maximum.at(high, index, X.data)
    return low, high


def _phi_delta(X, indicator, columns=None):
    """φ and δ, a row per class if there are more than two. No columns: all degrees."""
    sums = (_sparse_sums if sp.issparse(X) else _dense_sums)(X, indicator, columns)
    totals = indicator.sum(axis=0)[:, np.newaxis]
    others, other_totals = sum_of_others(sums, axis=0), sum_of_others(totals, axis=0)
    # Sums in another order than that of the totals may be larger by round-off.
    tp, fp = np.minimum(sums / totals, 1), np.minimum(others / other_totals, 1)
    phi, delta = tp + fp - 1, tp - fp
    return (phi, delta) if len(tp) > 2 else (phi[1], delta[1])


def _sparse_sums(X, indicator, columns):
    if columns is None:
        return _entry_sums(X, indicator)
    # Above zero the origin is the least of all samples; below, zeros are degrees, too.
    index = X.tocoo(copy=False).col
    data = X.data - np.maximum(columns.origin, 0)[index]
    X = _with_data(X, data / columns.scale[index])
    zero = np.maximum(-columns.origin, 0) / columns.scale
    return _entry_sums(X, indicator) + np.outer(indicator.sum(axis=0), zero)


def _with_data(X, data):
    return type(X)((data, X.indices, X.indptr), shape=X.shape)


def _entry_sums(X, indicator):
    """Sums of the entries of each column within each class."""
    n_features, n_rows = X.shape[1], indicator.shape[1]
    if n_rows == 2:
        return (X.T @ indicator.toarray()).T
    # Faster than a product with a sparse indicator, and as independent of k.
    entries = X.tocoo(copy=False)
    cells = indicator.indices.astype(np.int64)[entries.row] * n_features + entries.col
    weights = indicator.data[entries.row] * entries.data
    return np.bincount(cells, weights, n_rows * n_features).reshape(n_rows, -1)


def _dense_sums(X, indicator, columns):
    sums = np.zeros((indicator.shape[1], X.shape[1]))
    for rows in gen_batches(len(X), max(1, _BLOCK // X.shape[1])):
        part = X[rows].astype(np.float64, copy=False)
        if columns is not None:
            part = (part - columns.origin) / columns.scale
        sums += indicator[rows].T @ part
    return sums
