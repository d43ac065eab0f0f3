"""Table → EntropyBalance: where the entropies of the true and predicted classes go."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse as sp
from sklearn.base import BaseEstimator

from sklearn_entropy_metrics.balance import entropy, shown
from sklearn_entropy_metrics.balance.shrink import Smoothing, smoothed_table
from sklearn_entropy_metrics.table import probabilities, variables
from sklearn_entropy_metrics.table.checks import Table, check_table
from sklearn_entropy_metrics.table.classes import ClassTable, known_labels
from sklearn_entropy_metrics.table.given import read_table
from sklearn_entropy_metrics.table.labels import encode
from sklearn_entropy_metrics.table.tabulate import tabulate_labels

# A float for one table, an array for a stack.
Number: TypeAlias = float | np.ndarray
_ROUND_OFF = 1e-13


def _measured(function: Callable[..., np.ndarray]) -> cached_property[Number]:
    """An attribute that is a function of the cells."""
    return cached_property(lambda balance: balance._measure(function))


def _perplexity(side: str, part: str) -> property:
    """An attribute that is 2 to the power of some bits of a side."""
    return property(lambda balance: balance._power_of_two(side, part))


@dataclass(frozen=True, eq=False)
class EntropyBalance:
    r"""Balance of the entropies of true classes X and predicted classes Y.

    The entropy of uniform true and predicted classes splits into three parts: how far
    the classes fall short of uniform, twice the information that the classifier
    transfers, and the variation of information, which true and predicted classes do not
    share [1]_:

    .. math:: H_{UX} + H_{UY} = \Delta H + 2\,\mathrm{MI} + \mathrm{VI}

    All entropies are in bits. The attributes are floats for one table and arrays for a
    stack of tables. Undefined values are NaN.

    Use the constructors :meth:`from_predictions`, :meth:`from_probabilities`,
    :meth:`from_confusion_matrix`, :meth:`from_estimator` and :meth:`from_variables`.

    Read more in the :ref:`User Guide <entropy_triangle>`.

    Attributes
    ----------
    table : ndarray or csr_array of shape (..., n_true_classes, n_pred_classes)
        The counts, weights or probabilities that were balanced; with smoothing, the
        estimated probabilities. A read-only copy of the input.

    n_true_classes, n_pred_classes : int
        k and m, the number of rows and of columns.

    uniform_entropy_true, uniform_entropy_pred : float
        :math:`H_{UX} = \log_2 k` and :math:`H_{UY} = \log_2 m`; for several variables,
        the sums over the columns.

    entropy_true, entropy_pred, joint_entropy : float or ndarray
        :math:`H_X`, :math:`H_Y` and :math:`H_{XY}`.

    mutual_information : float or ndarray
        :math:`\mathrm{MI}`, the information transferred.

    mutual_information_bias : float or ndarray
        How far the mutual information of a sample of this size is expected to exceed
        the true value (Miller and Madow); NaN unless the table holds counts.

    conditional_entropy_true, conditional_entropy_pred : float or ndarray
        :math:`H_{X|Y}` and :math:`H_{Y|X}`.

    variation_of_information : float or ndarray
        :math:`\mathrm{VI} = H_{X|Y} + H_{Y|X}`.

    divergence_true, divergence_pred : float or ndarray
        :math:`\Delta H_X = H_{UX} - H_X` and :math:`\Delta H_Y = H_{UY} - H_Y`.

    joint_fractions, true_fractions, pred_fractions : ndarray of shape (..., 3)
        The coordinates in the entropy triangle:
        :math:`[\Delta H', 2\mathrm{MI}', \mathrm{VI}']` as shares of
        :math:`H_{UX} + H_{UY}`, :math:`[\Delta H_X', \mathrm{MI}', H_{X|Y}']` as shares
        of :math:`H_{UX}`, and likewise for Y.

    effective_true_classes, effective_pred_classes : float or ndarray
        The perplexities :math:`k_X = 2^{H_X}` and :math:`m_Y = 2^{H_Y}`.

    remaining_true_classes, remaining_pred_classes : float or ndarray
        The perplexities :math:`k_{X|Y} = 2^{H_{X|Y}}` and
        :math:`m_{Y|X} = 2^{H_{Y|X}}`.

    information_transfer_factor : float or ndarray
        :math:`\mu = 2^{\mathrm{MI}}` [2]_.

    entropy_modulated_accuracy : float or ndarray
        EMA, :math:`1 / k_{X|Y}` [2]_.

    normalized_information_transfer : float or ndarray
        The NIT factor, :math:`\mu / k = 2^{\mathrm{MI}} / 2^{H_{UX}}` [2]_.

    normalized_information : float or ndarray
        NI, :math:`\mathrm{MI} / H_X` [3]_.

    See Also
    --------
    information_report : A text report built on the balance.

    References
    ----------
    .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2010). "Two
       information-theoretic tools to assess the performance of multi-class
       classifiers". Pattern Recognition Letters 31(12), 1665-1671.
    .. [2] F. J. Valverde-Albacete and C. Peláez-Moreno (2014). "100% classification
       accuracy considered harmful: the normalized information transfer factor explains
       the accuracy paradox". PLoS ONE 9(1), e84217.
    .. [3] Y. Wang and B.-G. Hu (2009). "Derivations of normalized mutual information
       in binary classifications". FSKD 2009, 155-163.

    Examples
    --------
    >>> from sklearn_entropy_metrics import EntropyBalance
    >>> balance = EntropyBalance.from_confusion_matrix(
    ...     [[15, 0, 5], [0, 15, 5], [0, 0, 20]]
    ... )
    >>> balance.joint_fractions.round(3)
    array([0.027, 0.605, 0.368])
    >>> round(balance.entropy_modulated_accuracy, 3)
    0.648
    """

    table: Table
    # H_UX and H_UY of several variables; None: those of the rows and columns.
    _declared: tuple[float, float] | None = field(init=False, default=None)
    # What is known of its classes; None for several variables.
    _given: ClassTable | None = field(init=False, default=None)

    def __post_init__(self):
        self._keep(read_table(self.table, copy=True))

    def __getstate__(self):
        # The cells are rebuilt when needed.
        return {name: v for name, v in self.__dict__.items() if name != "_cells"}

    def __setstate__(self, state):
        self.__dict__.update(state)
        _make_read_only(self.table)  # which pickling forgets

    @classmethod
    def _of_own(cls, given: ClassTable | Table) -> Self:
        """Balance a checked table that nothing else uses."""
        balance = object.__new__(cls)
        balance._keep(given)
        return balance

    @classmethod
    def _smoothed(cls, given: ClassTable, smoothing: Smoothing | None) -> Self:
        """Balance a table of our own, smoothed if requested."""
        if smoothing is None:
            return cls._of_own(given)
        table = smoothed_table(given, smoothing)
        return cls._of_own(given._replace(table=table, size=None, class_weight=None))

    def _keep(self, given):
        """Take over a table, which nobody can change from now on."""
        table = given.table if isinstance(given, ClassTable) else given
        if isinstance(table, np.ndarray):
            # Sums of floats depend on their order in memory.
            table = np.ascontiguousarray(table)
        _make_read_only(table)
        self.__dict__["table"] = table
        if isinstance(given, ClassTable):
            self.__dict__["_given"] = given._replace(table=table)

    def _class_table(self) -> ClassTable:
        """What `table=` takes from a balance."""
        if self._declared is not None:
            raise ValueError(
                "A table of classes is needed. Got a balance of several variables; "
                "`balance.table` treats each distinct row as a class."
            )
        return read_table(self.table) if self._given is None else self._given

    @classmethod
    def from_confusion_matrix(
        cls, table: Any, *, smoothing: Smoothing | None = None
    ) -> Self:
        """Balance a table, a stack of tables or a sparse table.

        Parameters
        ----------
        table : array-like of shape (..., n_true_classes, n_pred_classes) or 2-D sparse
            Counts, weights or probabilities, true classes in rows. Also a balance, a
            :class:`TableAccumulator`, the result of :func:`tabulate_frame` or of
            :func:`cross_val_tables` (the tables of the folds are added up), or a pandas
            data frame as of :func:`pandas.crosstab`, whose index and columns are the
            classes: both become their union.

        smoothing : {"empirical_bayes"}, default=None
            How to estimate the joint distribution from few samples:
            "empirical_bayes" shrinks the errors and keeps the hits, the cells whose row
            and column are the same class. Where classes are not known, these are the
            diagonal of a square table. The total of counts is taken as the number of
            samples. Dense tables only.

        Returns
        -------
        balance : EntropyBalance

        Examples
        --------
        Small samples look more informative than they are. Smoothing corrects this:

        >>> from sklearn_entropy_metrics import EntropyBalance
        >>> table = [[5, 1, 0], [1, 3, 1], [0, 2, 3]]
        >>> plain = EntropyBalance.from_confusion_matrix(table)
        >>> shrunk = EntropyBalance.from_confusion_matrix(
        ...     table, smoothing="empirical_bayes"
        ... )
        >>> round(plain.mutual_information, 3), round(shrunk.mutual_information, 3)
        (0.586, 0.503)
        """
        return cls._smoothed(read_table(table, copy=True), smoothing)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        pred_labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        smoothing: Smoothing | None = None,
    ) -> Self:
        """Balance true and predicted labels.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels.

        y_pred : array-like of shape (n_samples,)
            Predicted labels.

        labels, pred_labels : array-like, default=None
            True and predicted classes, as in :func:`contingency_table`.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        smoothing : {"empirical_bayes"}, default=None
            How to estimate the joint distribution from few samples, as in
            :meth:`from_confusion_matrix`; weights w count as (Σw)² / Σw² samples.

        Returns
        -------
        balance : EntropyBalance
        """
        counted = tabulate_labels(
            y_true,
            y_pred,
            labels=labels,
            pred_labels=pred_labels,
            sample_weight=sample_weight,
            sparse="auto" if smoothing is None else False,
        )
        return cls._smoothed(counted, smoothing)

    @classmethod
    def from_probabilities(
        cls,
        y_true: ArrayLike,
        y_proba: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        smoothing: Smoothing | None = None,
    ) -> Self:
        """Balance true labels and predicted probabilities.

        The joint distribution is the mean over the samples of the indicator of the true
        class times the predicted probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels.

        y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
            Probabilities of the classes in the order of `labels`. A one-dimensional
            array holds those of the second of two classes.

        labels : array-like of shape (n_classes,), default=None
            The classes. By default the sorted labels of `y_true`.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        smoothing : {"empirical_bayes"}, default=None
            How to estimate the joint distribution from few samples, as in
            :meth:`from_confusion_matrix`; weights w count as (Σw)² / Σw² samples.

        Returns
        -------
        balance : EntropyBalance
        """
        soft = probabilities.tabulate_probabilities(
            y_true, y_proba, labels=labels, sample_weight=sample_weight
        )
        check_table(soft.table)  # which may be all zero
        if smoothing is None:
            soft = probabilities.as_shares(soft)
        return cls._smoothed(soft, smoothing)

    @classmethod
    def from_estimator(
        cls,
        estimator: BaseEstimator,
        X: Any,
        y: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        pred_labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        smoothing: Smoothing | None = None,
    ) -> Self:
        """Balance true labels and the predictions of a fitted classifier.

        Parameters
        ----------
        estimator : classifier
            A fitted classifier.

        X : array-like of shape (n_samples, n_features)
            Samples to predict.

        y : array-like of shape (n_samples,)
            Their true labels.

        labels, pred_labels : array-like, default=None
            True and predicted classes, as in :func:`contingency_table`. By default, the
            classes that the estimator knows and those in `y`.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        smoothing : {"empirical_bayes"}, default=None
            How to estimate the joint distribution from few samples, as in
            :meth:`from_confusion_matrix`; weights w count as (Σw)² / Σw² samples.

        Returns
        -------
        balance : EntropyBalance
        """
        known: Any = known_labels(estimator)
        return cls.from_predictions(
            y,
            estimator.predict(X),
            labels=known if labels is None else labels,
            pred_labels=pred_labels,
            sample_weight=sample_weight,
            smoothing=smoothing,
        )

    @classmethod
    def from_variables(
        cls, X: Any, Y: Any, *, sample_weight: ArrayLike | None = None
    ) -> Self:
        r"""Balance several discrete variables on each side, one per column.

        The classes are the distinct rows of X and of Y, but the uniform entropies are
        those of the columns [1]_. If column i has :math:`k_i` values,

        .. math:: H_{UX} = \sum_i \log_2 k_i

        where a constant column counts as two values. For label indicator matrices
        (multilabel targets), that is one bit per label. Rows that do not occur are
        never allocated. With one column on each side, this is :meth:`from_predictions`.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_variables)
            True values: label indicators, integers, booleans, strings; columns may be
            of different kinds.

        Y : array-like, sparse matrix or data frame of shape (n_samples, n_predicted)
            Predicted values, of the same kinds.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights.

        Returns
        -------
        balance : EntropyBalance
            Its `n_true_classes` is the number of distinct rows of X, and its
            `normalized_information_transfer` is :math:`2^{\mathrm{MI}} / 2^{H_{UX}}`.

        See Also
        --------
        multilabel_information_score : Label by label, which needs fewer samples.
        SourceBalance : Several variables without a prediction.

        Notes
        -----
        The entropy of rows is at most :math:`\log_2` of the number of samples: with
        many columns and few samples, all rows are distinct, and a joint number means
        nothing.

        References
        ----------
        .. [1] F. J. Valverde-Albacete and C. Peláez-Moreno (2018). "Assessing
           information transmission in data transformations with the channel
           multivariate entropy triangle". Entropy 20(7), 498.

        Examples
        --------
        One input of an exclusive or says nothing, both of them determine the output:

        >>> import numpy as np
        >>> from sklearn_entropy_metrics import EntropyBalance
        >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 10)
        >>> Y = X[:, [0]] ^ X[:, [1]]
        >>> EntropyBalance.from_variables(X[:, [0]], Y).mutual_information
        0.0
        >>> round(EntropyBalance.from_variables(X, Y).mutual_information, 3)
        1.0
        """
        sides = variables.read_variables(X, "X"), variables.read_variables(Y, "Y")
        if all(len(side.names) == 1 for side in sides):
            columns: Any = [encode(side.column(0), side.name) for side in sides]
            return cls.from_predictions(*columns, sample_weight=sample_weight)
        table, n_true, n_pred = variables.tabulate_variables(*sides, sample_weight)
        balance = cls._of_own(table)
        balance.__dict__["_declared"] = math.log2(n_true), math.log2(n_pred)
        return balance

    @property
    def n_true_classes(self) -> int:
        return self.table.shape[-2]

    @property
    def n_pred_classes(self) -> int:
        return self.table.shape[-1]

    @property
    def uniform_entropy_true(self) -> float:
        return self._declared[0] if self._declared else math.log2(self.n_true_classes)

    @property
    def uniform_entropy_pred(self) -> float:
        return self._declared[1] if self._declared else math.log2(self.n_pred_classes)

    entropy_true = _measured(entropy.entropy_true)
    entropy_pred = _measured(entropy.entropy_pred)
    conditional_entropy_true = _measured(entropy.conditional_entropy_true)
    conditional_entropy_pred = _measured(entropy.conditional_entropy_pred)
    mutual_information = _measured(entropy.mutual_information)

    @cached_property
    def mutual_information_bias(self) -> Number:
        return float_or_array(entropy.miller_madow_bias(self.table))

    @cached_property
    def divergence_true(self) -> Number:
        unseen = self.uniform_entropy_true - math.log2(self.n_true_classes)
        return self._measure(entropy.divergence_true) + unseen

    @cached_property
    def divergence_pred(self) -> Number:
        unseen = self.uniform_entropy_pred - math.log2(self.n_pred_classes)
        return self._measure(entropy.divergence_pred) + unseen

    @property
    def joint_entropy(self) -> Number:
        return self.entropy_pred + self.conditional_entropy_true

    @property
    def variation_of_information(self) -> Number:
        return self.conditional_entropy_true + self.conditional_entropy_pred

    @property
    def joint_fractions(self) -> np.ndarray:
        return fractions_of(self._parts("true") + self._parts("pred"))

    @property
    def true_fractions(self) -> np.ndarray:
        return fractions_of(self._parts("true"))

    @property
    def pred_fractions(self) -> np.ndarray:
        return fractions_of(self._parts("pred"))

    effective_true_classes = _perplexity("true", "entropy_true")
    effective_pred_classes = _perplexity("pred", "entropy_pred")
    remaining_true_classes = _perplexity("true", "conditional_entropy_true")
    remaining_pred_classes = _perplexity("pred", "conditional_entropy_pred")

    @property
    def information_transfer_factor(self) -> Number:
        # It cannot exceed the smaller number of classes.
        side = "true" if self.n_true_classes <= self.n_pred_classes else "pred"
        return self._power_of_two(side, "mutual_information")

    @property
    def entropy_modulated_accuracy(self) -> Number:
        return 1 / self.remaining_true_classes

    @property
    def normalized_information_transfer(self) -> Number:
        if self._declared is None:
            return self.information_transfer_factor / self.n_true_classes
        return float_or_array(
            np.exp2(np.minimum(self.mutual_information - self.uniform_entropy_true, 0))
        )

    @property
    def normalized_information(self) -> Number:
        # H_X as a sum, so that the ratio is exactly 1 when nothing is left unknown.
        information, unknown = self.mutual_information, self.conditional_entropy_true
        with np.errstate(invalid="ignore"):
            return float_or_array(np.divide(information, information + unknown))

    @cached_property
    def _cells(self):
        return entropy.cells_of(self.table)

    def _measure(self, function):
        if self.table.ndim == 2:
            return float(function(self._cells)[0])
        return entropy.measure_stack(function, self.table)

    def _parts(self, side):
        """The parts of the uniform entropy of a side: ΔH, MI and what remains."""
        names = "divergence_{}", "mutual_information", "conditional_entropy_{}"
        return np.stack([getattr(self, name.format(side)) for name in names], axis=-1)

    def _power_of_two(self, side, name):
        """2 to the power of a part of the entropy of the classes of a side."""
        n_classes = float(getattr(self, f"n_{side}_classes"))
        power = np.exp2(getattr(self, name))
        # It is the number of classes itself where only round-off is missing.
        is_whole = power > (1 - _ROUND_OFF) * n_classes
        if isinstance(power, np.ndarray):
            return np.where(is_whole, n_classes, power)
        return n_classes if is_whole else float(power)  # much faster

    def to_dict(self) -> dict[str, Any]:
        """All attributes except the table, with arrays as lists.

        Returns
        -------
        attributes : dict of str to int, float or list
        """
        return shown.plain_numbers(self)

    def __repr__(self) -> str:
        shape = " × ".join(map(str, self.table.shape))
        if self.table.ndim > 2:
            return f"<EntropyBalance of a stack of {shape}>"
        ema, ni = self.entropy_modulated_accuracy, self.normalized_information
        return f"<EntropyBalance of {shape} classes: EMA {ema:.3f}, NI {ni:.3f}>"

    def _repr_html_(self) -> str:
        return shown.html_of_balance(self)


# What users may pass as a table.
TableLike: TypeAlias = ArrayLike | sp.sparray | sp.spmatrix | EntropyBalance


def balance_of(table: TableLike) -> EntropyBalance:
    """The balance of a table, which may already be a balance."""
    if isinstance(table, EntropyBalance):
        return table
    return EntropyBalance.from_confusion_matrix(table)


def balance_of_own(table: Table) -> EntropyBalance:
    """The balance of a checked table that nothing else uses; it becomes read-only."""
    return EntropyBalance._of_own(table)


def _make_read_only(table):
    is_dense = isinstance(table, np.ndarray)
    for array in (table,) if is_dense else (table.data, table.indices, table.indptr):
        array.flags.writeable = False


def fractions_of(parts: np.ndarray) -> np.ndarray:
    """Parts as shares of their sum, along the last axis; NaN if the sum is zero."""
    total = sum(np.moveaxis(parts, -1, 0))  # faster than a sum of rows
    with np.errstate(invalid="ignore"):
        return parts / total[..., np.newaxis]


def float_or_array(value: Any) -> Number:
    """A Python float for a single number; arrays stay as they are."""
    return value if np.ndim(value) else float(value)
