"""Which classes are confused more often than chance explains?"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from scipy.special import gammainc, gammaincinv, kl_div

from sklearn_entropy_metrics._html import shorten
from sklearn_entropy_metrics.balance.shrink import PSEUDO_COUNT, quasi_independence
from sklearn_entropy_metrics.compare._records import Records
from sklearn_entropy_metrics.compare.design import check_counts, given_samples

# Lines of the text and of the HTML, and columns of the text.
_MOST, _WIDTH = 10, 80
# Counts below it are compared with a limit, before p-values are computed.
_FEW = 10


@dataclass(frozen=True)
class ConfusionPair:
    """A true class and the class that it is taken for.

    Attributes
    ----------
    true, pred : hashable
        The true and the predicted class.

    count : int or float
        How many samples of the true class were predicted to be of the other; the
        effective number if they have weights.

    expected : float
        How many there would be if the errors were independent of the true class.

    ratio : float
        Count divided by expected count.

    p_value : float
        The probability of at least as many under that assumption.

    adjusted_p_value : float
        The p-value adjusted for the number of error cells by the method of Benjamini
        and Hochberg.

    share : float
        The share of the true class that was predicted to be of the other.
    """

    true: Any
    pred: Any
    count: float
    expected: float
    ratio: float
    p_value: float
    adjusted_p_value: float
    share: float

    def __str__(self) -> str:
        start = f"{round(self.count, 2):.15g} of {round(self.count / self.share)} "
        verb = " was called " if self.count == 1 else " were called "
        end = f" ({self.expected:{'.0f' if self.expected >= 1 else '.1g'}} expected)"
        room = (_WIDTH - len(start + verb + end)) // 2
        true, pred = (shorten(_called(name), room) for name in (self.true, self.pred))
        return f"{start}{true}{verb}{pred}{end}"


def _called(name):
    return repr(name) if isinstance(name, str) else f"class {name}"


@dataclass(frozen=True)
class ConfusionPairs(Records):
    """What :func:`~sklearn_entropy_metrics.confusion_pairs` returns.

    Attributes
    ----------
    pairs : list of ConfusionPair
        Records with the attributes `true`, `pred`, `count`, `expected`, `ratio`,
        `p_value`, `adjusted_p_value` and `share` (of the true class), the most
        surprising first.

    n_cells : int
        The number of pairs of different classes that occur: one a true and one a
        predicted class.

    alpha : float
        The largest adjusted p-value of the pairs.
    """

    pairs: list[ConfusionPair]
    n_cells: int
    alpha: float

    _kind = ConfusionPair

    def _records(self):
        return self.pairs

    def __repr__(self) -> str:
        return "\n".join([self._title(), *map(str, self.pairs[:_MOST]), *self._notes()])

    def rows(self) -> tuple[list[str], list[list[str]]]:
        """The first pairs as texts, for tables.

        Returns
        -------
        heads : list of str

        rows : list of list of str
            A row for each pair.
        """
        heads = ["true", "predicted", "count", "of class", "expected", "adjusted p"]
        rows = []
        for pair in self.pairs[:_MOST]:
            names = [str(pair.true), str(pair.pred)]
            count = f"{round(pair.count, 2):.15g}"
            numbers = [f"{x:.3g}" for x in (pair.expected, pair.adjusted_p_value)]
            rows.append([*names, count, f"{pair.share:.1%}", *numbers])
        return heads, rows

    def _title(self):
        limit = "" if self.alpha == 1 else f" with adjusted p ≤ {self.alpha:g}"
        return f"{len(self.pairs):,} of {self.n_cells:,} possible confusions{limit}"

    def _notes(self):
        left = len(self.pairs) - _MOST
        return [f"… and {left:,} more, in `pairs` and `to_frame()`"] if left > 0 else []


def confusion_pairs(
    y_true: ArrayLike | None = None,
    y_pred: ArrayLike | None = None,
    *,
    table: Any = None,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    alpha: float = 0.05,
) -> ConfusionPairs:
    r"""Find the pairs of classes that are confused more often than chance explains.

    A class that is often wrong, and one that is often predicted, meet often by chance.
    Each pair of classes is compared with how often they would meet if the wrong class
    that is predicted did not depend on the true class.

    The samples must be held out from training, and independent of each other, or
    `groups` must say which of them belong together.

    Read more in the :ref:`User Guide <confused_classes>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,), default=None
        True labels.

    y_pred : array-like of shape (n_samples,), default=None
        Predicted labels.

    table : array-like, sparse table, EntropyBalance or TableAccumulator, default=None
        Counts, true classes in rows, instead of `y_true` and `y_pred`.

    labels, pred_labels : array-like, default=None
        True and predicted classes, as in :func:`contingency_table`; with `table`, the
        names of its rows and columns. Cells whose row and column have the same label
        are correct predictions.

    groups : array-like of shape (n_samples,), default=None
        Which samples belong together, such as those of one patient: errors count as
        fewer if they come from few groups.

    alpha : float, default=0.05
        The largest adjusted p-value of the pairs that are returned: of these pairs, a
        share of at most `alpha` is expected to be false. 1 returns all errors that
        occur.

    Returns
    -------
    pairs : ConfusionPairs
        The records `pairs`, the most surprising first.

    See Also
    --------
    contingency_table : The counts of all pairs.
    compare_segments : Where a classifier fails, instead of at which classes.

    Notes
    -----
    The expected counts of the errors are those of quasi-independence [1]_,
    :math:`e_{ij} = a_i b_j` for :math:`i \ne j`, fitted to the row and column totals of
    the errors. The p-value is the exact probability of at least as many samples in a
    Poisson distribution, and is adjusted for the number of pairs by the method of
    Benjamini and Hochberg [2]_. With two classes, both errors are expected as they are.

    With `groups`, observed and expected count are divided by how many times the count
    varies more between groups than it would between independent samples. Counts of
    :func:`cross_val_tables` are divided by 1.45, as in :func:`confidence_interval`.

    Memory and time are proportional to the number of pairs that occur, never to the
    square of the number of classes.

    References
    ----------
    .. [1] L. A. Goodman (1968). "The analysis of cross-classified data: independence,
       quasi-independence, and interactions in contingency tables with or without
       missing entries". Journal of the American Statistical Association 63(324),
       1091-1131.

    .. [2] Y. Benjamini, Y. Hochberg (1995). "Controlling the false discovery rate: a
       practical and powerful approach to multiple testing". Journal of the Royal
       Statistical Society B 57(1), 289-300.

    Examples
    --------
    >>> from sklearn_entropy_metrics import confusion_pairs, datasets
    >>> heard = datasets.load_miller_nicely()
    >>> quiet = dict(zip(heard.names, heard.matrices))["+12 dB"]
    >>> pairs = confusion_pairs(table=quiet, labels=heard.labels)
    >>> print(pairs.pairs[0])
    41 of 284 'p' were called 'k' (5 expected)
    """
    if not (isinstance(alpha, Real) and 0 < float(alpha) <= 1):
        raise ValueError(f"`alpha` must be a number above 0, at most 1. Got {alpha!r}.")
    given, samples = given_samples(y_true, y_pred, table, groups, labels, pred_labels)
    check_counts(given)
    occupied = sp.coo_array(given.table)
    rows, columns = (place.astype(np.int64) for place in occupied.coords)
    counts = occupied.data
    effect = given.total / given.n_samples  # samples per independent one
    if counts.dtype.kind == "f":  # weights on any scale
        counts, effect = counts / effect, 1.0
    if samples is not None:
        effect = _effects(rows, columns, counts, samples)
    cells = rows, columns, counts, np.broadcast_to(effect, counts.shape)
    pred_labels = given.pred_labels
    if pred_labels is None:  # a bare rectangular table
        pred_labels = np.arange(given.table.shape[1])
    errors, n_cells = _errors(cells, given)
    return _significant(errors, n_cells, given.labels, pred_labels, float(alpha))


def _effects(rows, columns, counts, samples):
    """How many times the count of each cell varies more than that of single samples."""
    known = samples._replace(true=rows, pred=columns).cells
    counted = samples.by_group(np.searchsorted(known, samples.cells), len(known))
    total = counts.astype(np.float64)
    spread = (counted**2).sum(axis=0) - total**2 / samples.n_groups
    single = total - total**2 / total.sum()
    return np.maximum(1.0, spread / np.where(single > 0, single, 1.0))


def _errors(cells, given):
    """The error cells with expected counts and row totals, and how many there may be.

    Of each cell: row, column, count, and as how many samples an independent one counts.
    """
    k, m = given.table.shape
    rows, columns, *_ = cells
    hits: tuple[Any, Any] = (slice(None), slice(None))  # no copies of large tables
    is_hit = rows == columns
    if not given.is_square:
        hit = given.columns_of_hits
        hits, is_hit = (np.flatnonzero(hit >= 0), hit[hit >= 0]), hit[rows] == columns
    wrong = _keep(cells, np.flatnonzero(~is_hit))
    of_rows, of_columns = totals = _margins(cells, k, m)
    right = _margins(_keep(cells, np.flatnonzero(is_hit)), k, m)
    more = PSEUDO_COUNT / of_rows.sum()
    in_rows, in_columns = (x - y + more * x for x, y in zip(totals, right, strict=True))
    a, b = quasi_independence(in_rows, in_columns, hits)
    rows, columns, counts, _ = wrong
    n_cells = np.count_nonzero(of_rows) * np.count_nonzero(of_columns)
    n_hits = np.count_nonzero((of_rows[hits[0]] > 0) & (of_columns[hits[1]] > 0))
    expected = (counts.sum() * a)[rows] * b[columns]
    return (*wrong, expected, of_rows[rows]), int(n_cells - n_hits)


def _margins(cells, k, m):
    rows, columns, counts, _ = cells
    return np.bincount(rows, counts, k), np.bincount(columns, counts, m)


def _keep(cells, some):
    return tuple(part[some] for part in cells)


def _significant(cells, n_cells, labels, pred_labels, alpha):
    """Records of the cells whose adjusted p-value is at most alpha."""
    _, _, counts, effect, expected, _ = cells
    if alpha < 1:  # above this limit, no p-value can be adjusted to alpha
        limit = alpha * len(counts) / max(1, n_cells)
        # How many may be expected where there are 0, 1, 2 …; any number above a few.
        most = np.append(gammaincinv(np.arange(_FEW), limit), np.inf)
        few = np.minimum(np.ceil(counts), _FEW).astype(np.int64)
        cells = _keep(cells, np.flatnonzero(expected <= most[few] * effect))
        _, _, counts, effect, expected, _ = cells
    p_values = gammainc(counts / effect, expected / effect)
    surprise = kl_div(counts, expected) / effect
    order = np.lexsort((-surprise, p_values))  # the second, where p-values vanish
    adjusted = p_values[order] * (n_cells / np.arange(1, len(order) + 1))
    adjusted = np.minimum(np.minimum.accumulate(adjusted[::-1])[::-1], 1)
    adjusted = adjusted[adjusted <= alpha]
    cells = _keep((*cells, p_values), order[: len(adjusted)])
    rows, columns, counts, _, expected, total, p_values = cells
    names, shares = (labels[rows], pred_labels[columns]), counts / total
    parts = (*names, counts, expected, counts / expected, p_values, adjusted, shares)
    records = zip(*(part.tolist() for part in parts), strict=True)
    return ConfusionPairs([ConfusionPair(*one) for one in records], n_cells, alpha)
