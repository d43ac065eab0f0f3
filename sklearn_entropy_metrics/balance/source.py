"""Discrete variables → SourceBalance: the information of each, and of all together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from sklearn_entropy_metrics.balance.balance import balance_of_own, fractions_of
from sklearn_entropy_metrics.balance.shown import html_of_numbers, plain_numbers
from sklearn_entropy_metrics.table.variables import (
    Numbered,
    count_rows,
    distinct_rows,
    join,
    positive_weight,
    read_variables,
)


@dataclass(frozen=True, eq=False)
class SourceBalance:
    r"""Balance of the entropies of several discrete variables, such as features.

    The maximum entropy of column i, :math:`\log_2 k_i` for its :math:`k_i` values,
    splits into how far it falls short of uniform, what it shares with the other
    columns, and what only this column carries [1]_:

    .. math:: \log_2 k_i = \Delta H_i + \mathrm{MI}_i + H(X_i | X_{\neg i})

    where :math:`\mathrm{MI}_i` is the mutual information with all other columns
    together. A constant column counts as two values. All entropies are in bits.

    Use the constructor :meth:`from_data`.

    Read more in the :ref:`User Guide <several_variables>`.

    Attributes
    ----------
    names : list of str
        The columns of a data frame, or x0, x1, ...

    entropy, divergence : ndarray of shape (n_variables,)
        :math:`H(X_i)` and :math:`\Delta H_i = \log_2 k_i - H(X_i)`.

    mutual_information, remaining_entropy : ndarray of shape (n_variables,)
        :math:`\mathrm{MI}_i`, shared with the other columns, and :math:`H(X_i | X_{\neg
        i})`, not shared.

    fractions : ndarray of shape (n_variables, 3)
        :math:`\Delta H_i`, :math:`\mathrm{MI}_i` and :math:`H(X_i | X_{\neg i})` as
        shares of :math:`\log_2 k_i`.

    aggregate_fractions : ndarray of shape (3,)
        Their sums over the columns, as shares of :math:`\sum_i \log_2 k_i`.

    joint_entropy : float
        :math:`H(X)` of the rows.

    total_correlation : float
        :math:`\sum_i H(X_i) - H(X)`, the bits that the columns have in common; 0 if
        they are independent.

    dual_total_correlation : float
        :math:`H(X) - \sum_i H(X_i | X_{\neg i})`, the bits of a row that more than one
        column carries.

    See Also
    --------
    EntropyBalance.from_variables : Several variables and their prediction.
    EntropyTriangleDisplay : Draws a point for each column, and the aggregate.

    Notes
    -----
    The joint entropy is at most :math:`\log_2` of the number of samples. With many
    columns all rows are distinct, and the other columns appear to determine each
    column; a warning says so if more than half of the rows occur only once.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2017). "The evaluation of data
       sources using multivariate entropy tools". Expert Systems with Applications 78,
       145-157.

    Examples
    --------
    The third column is the exclusive or of the others: any two determine the third.

    >>> import numpy as np
    >>> from sklearn_entropy_metrics import SourceBalance
    >>> X = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]] * 10)
    >>> balance = SourceBalance.from_data(X)
    >>> balance.mutual_information.round(3)
    array([1., 1., 1.])
    >>> round(balance.joint_entropy, 3), round(balance.total_correlation, 3)
    (2.0, 1.0)
    """

    names: list[str]
    entropy: np.ndarray
    divergence: np.ndarray
    mutual_information: np.ndarray
    remaining_entropy: np.ndarray
    joint_entropy: float
    total_correlation: float

    @classmethod
    def from_data(cls, X: Any, *, sample_weight: ArrayLike | None = None) -> Self:
        """Balance the columns of discrete data.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_variables)
            Integers, booleans, strings, categories; columns may be of different kinds.
            Continuous columns are an error:
            use :class:`~sklearn.preprocessing.KBinsDiscretizer`.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        Returns
        -------
        balance : SourceBalance
        """
        variables = read_variables(X, "X")
        columns, weight = distinct_rows(
            variables, *positive_weight(sample_weight, variables)
        )
        before = Numbered(np.zeros(len(weight), dtype=np.int64), 1)
        after = [*accumulate(columns[:0:-1], _join, initial=before)]
        bits = []
        for column, later in zip(columns, after[::-1], strict=True):
            of_others, of_earlier = (
                balance_of_own(count_rows(column, rows, weight))
                for rows in (_join(before, later), before)
            )
            before = _join(before, column)
            parts = of_others.entropy_true, *of_others._parts("true")
            bits.append((*parts, of_earlier.mutual_information))
        entropy, divergence, shared, own, repeated = np.array(bits).T
        divergence += [math.log2(column.n_values / column.size) for column in columns]
        joint_entropy = float(balance_of_own(weight[:, np.newaxis]).entropy_true)
        totals = joint_entropy, float(sum(repeated))
        return cls(variables.names, entropy, divergence, shared, own, *totals)

    @property
    def fractions(self) -> np.ndarray:
        return fractions_of(self._parts())

    @property
    def aggregate_fractions(self) -> np.ndarray:
        return fractions_of(self._parts().sum(axis=0))

    @property
    def dual_total_correlation(self) -> float:
        # Each of the two is at most n_variables - 1 times the other: what is left of a
        # difference of equal numbers is no correlation.
        others = max(len(self.names) - 1, 1)
        total = self.total_correlation
        plain = self.joint_entropy - self.remaining_entropy.sum()
        return float(np.clip(plain, total / others, total * others))

    def _parts(self):
        parts = self.divergence, self.mutual_information, self.remaining_entropy
        return np.stack(parts, axis=1)

    def to_dict(self) -> dict[str, Any]:
        """All attributes, with arrays as lists.

        Returns
        -------
        attributes : dict of str to float or list
        """
        return plain_numbers(self)

    def __repr__(self) -> str:
        bits = f"{self.joint_entropy:.3f} bits, {self.total_correlation:.3f} repeated"
        return f"<SourceBalance of {len(self.names)} variables: {bits}>"

    def _repr_html_(self) -> str:
        bits = np.column_stack([self.entropy, self._parts()])
        bits = np.vstack([bits, bits.sum(axis=0)])
        header = "entropy", "short of uniform", "shared with the others", "not shared"
        return html_of_numbers(
            [
                (name, *row)
                for name, row in zip([*self.names, "sum"], bits, strict=True)
            ],
            header=("variable", *header),
            caption=f"SourceBalance, bits; together {self.joint_entropy:.3f}",
        )


def _join(joined: Numbered, more: Numbered) -> Numbered:
    """Join columns, unless all rows are already distinct."""
    return joined if joined.size == len(joined.codes) else join(joined, more)
