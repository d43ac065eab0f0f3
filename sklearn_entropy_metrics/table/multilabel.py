"""Label indicator matrices → a 2x2 table for each label."""

from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn.utils import check_consistent_length

from sklearn_entropy_metrics.table import checks

_NUMBER = Real | np.bool_


class Indicators(NamedTuple):
    """Checked indicator matrices, both dense or both sparse."""

    true: Any  # booleans, (n_samples, n_labels)
    pred: Any
    weight: np.ndarray | None
    names: list[Any]  # the columns of a data frame, or their numbers

    @property
    def tables(self) -> np.ndarray:
        """Tables ``[[TN, FP], [FN, TP]]`` of the labels, integers without weights."""
        count = _count_sparse if sp.issparse(self.true) else _count_dense
        return count(self.true, self.pred, self.weight).reshape(-1, 2, 2)

    def sum_over_labels(self, values: np.ndarray) -> np.ndarray:
        """Sum the values of the cells of each sample's labels.

        Parameters
        ----------
        values : ndarray of shape (n_labels, 2, 2)
            A value for each cell of each table.

        Returns
        -------
        sums : ndarray of shape (n_samples,)
        """
        none, (wrong, missed) = values[:, 0, 0], (values[:, 0, 1], values[:, 1, 0])
        both = self.true * self.pred
        return (
            none.sum()
            + self.true @ (missed - none)
            + self.pred @ (wrong - none)
            + both @ (values[:, 1, 1] - missed - wrong + none)
        )


def is_multilabel(y: Any) -> bool:
    """Whether targets have more than one column."""
    if sp.issparse(y):
        return True
    shape = y.shape if hasattr(y, "shape") else np.shape(y)
    return len(shape) == 2 and shape[1] > 1


def tabulate_indicators(
    Y_true: Any, Y_pred: Any, sample_weight: ArrayLike | None = None
) -> Indicators:
    """Check label indicator matrices, whose tables are then counted.

    Parameters
    ----------
    Y_true, Y_pred : array-like or sparse matrix of shape (n_samples, n_labels)
        Zeros and ones, or booleans.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights.

    Returns
    -------
    indicators : Indicators
    """
    true, pred = _indicators(Y_true, "Y_true"), _indicators(Y_pred, "Y_pred")
    weight = checks.as_weight(sample_weight)
    check_consistent_length(true, pred, weight)
    if true.shape != pred.shape:
        raise ValueError(
            "Y_true and Y_pred must have the same labels. Got shapes "
            f"{true.shape} and {pred.shape}."
        )
    checks.refuse_nothing("Y_true", true.shape[0], weight)
    if sp.issparse(true) or sp.issparse(pred):
        true, pred = sp.csr_array(true), sp.csr_array(pred)
    names = list(getattr(Y_true, "columns", range(true.shape[1])))
    return Indicators(true, pred, weight, names)


def _indicators(Y, name):
    """A dense or sparse matrix of zeros and ones."""
    checks.refuse_mask(Y, name)
    if sp.issparse(Y):
        matrix = sp.csr_array(Y, copy=True)
        matrix.sum_duplicates()
        values = matrix.data
    else:
        try:
            matrix = values = np.asarray(Y)
        except ValueError as error:  # lists of unequal lengths
            raise _no_indicators(name, f"{error}") from error
    if matrix.ndim != 2 or 0 in matrix.shape[1:]:
        raise _no_indicators(name, f"an array of shape {matrix.shape}")
    if values.dtype.kind not in "biufO":
        raise _no_indicators(name, f"dtype {values.dtype}")
    if values.dtype == object:  # its values may be anything, even incomparable
        wrong = [v for v in values.flat if not (isinstance(v, _NUMBER) and v in (0, 1))]
    else:
        wrong = values[(values != 0) & (values != 1)].tolist()
    if wrong:
        raise _no_indicators(name, f"{wrong[0]!r}")
    return matrix.astype(bool)


def _no_indicators(name, got):
    return ValueError(
        f"{name} must be a matrix of zeros and ones, or booleans, of shape (n_samples, "
        f"n_labels); `sklearn.preprocessing.MultiLabelBinarizer` converts sets of "
        f"labels. Got {got}."
    )


def _count_dense(true, pred, weight):
    """Count the cells of each label: each is a sum, no difference."""
    cells = [row & column for row in (~true, true) for column in (~pred, pred)]
    counts = [cell.sum(axis=0) if weight is None else weight @ cell for cell in cells]
    return np.stack(counts, axis=1)


def _count_sparse(true, pred, weight):
    """Count the cells of ones; the rest are the true negatives."""
    n_samples, n_labels = true.shape
    both = sp.coo_array(2 * true.astype(int) + pred)
    kinds = 4 * both.coords[1].astype(np.intp) + both.data
    cells = np.bincount(kinds, minlength=4 * n_labels).reshape(-1, 4)
    negatives = n_samples - cells.sum(axis=1)
    if weight is not None:
        cells = np.bincount(kinds, weight[both.coords[0]], 4 * n_labels).reshape(-1, 4)
        # What rounding leaves of nothing is nothing.
        rest = np.maximum(weight.sum() - cells.sum(axis=1), 0)
        negatives = np.where(negatives == 0, 0, rest)
    cells[:, 0] = negatives
    return cells
