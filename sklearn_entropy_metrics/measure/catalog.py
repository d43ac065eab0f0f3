"""The list of all measures: it feeds the scorers, the reports, the docs and the tests.

A new measure is one more row here.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from sklearn_entropy_metrics.balance.balance import EntropyBalance, Number, balance_of
from sklearn_entropy_metrics.measure import (
    confusion,
    gradients,
    probabilities,
    rates,
    transfer,
)

# Measures of two classes that are the same whichever of them is the positive one.
EITHER_POSITIVE = frozenset(
    {
        rates.discriminant_capability,
        rates.unbiased_accuracy,
        rates.unbiased_matthews_corrcoef,
    }
)


@dataclass(frozen=True)
class Measure:
    """One row of the catalogue.

    Attributes
    ----------
    name : str
        How the measure is called.

    function : callable
        Table, stack of tables or sparse table in, number or array out.

    input : {"table", "square table", "2x2 table", "probabilities", "samples"}
        What the function takes: a table; a probabilistic confusion matrix with the
        weights of the classes; or the probabilities of single samples, as a
        :class:`ProbabilityBalance`.

    range : (str, str)
        The least and the greatest value.

    direction : {"maximize", "minimize"}
        Which values are good.

    paper : str
        Where the measure was defined.

    metric : str or None
        The function of labels or probabilities that computes the same, for a scorer;
        None where scikit-learn has the scorer.

    options : dict
        Keyword arguments of the functions.

    gradient : callable or None
        The function of :mod:`~sklearn_entropy_metrics.measure.gradients` for it; None
        for a numeric one.

    Examples
    --------
    >>> from sklearn_entropy_metrics.measure import MEASURES
    >>> measure = MEASURES["confusion_entropy"]
    >>> measure.direction, measure.scoring, measure.metric
    ('minimize', 'neg_confusion_entropy', 'confusion_entropy_loss')
    >>> round(measure([[3, 1, 1], [1, 2, 0], [0, 0, 2]]), 4)
    0.425
    """

    name: str
    function: Callable[..., Number]
    input: Literal["table", "square table", "2x2 table", "probabilities", "samples"]
    range: tuple[str, str]
    direction: Literal["maximize", "minimize"]
    paper: str
    metric: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    gradient: gradients.Gradient | None = None

    @property
    def scoring(self) -> str:
        """The scoring string: greater is better."""
        return self.name if self.direction == "maximize" else f"neg_{self.name}"

    @property
    def sign(self) -> int:
        """What turns the measure into a score."""
        return 1 if self.direction == "maximize" else -1

    def sign_of(self, name: Any) -> int:
        """-1 if the name is the scoring string of a loss, else 1.

        Parameters
        ----------
        name : str or callable
            What :func:`find` found the measure by.

        Returns
        -------
        sign : int
        """
        return self.sign if name == self.scoring else 1

    @property
    def of_probabilities(self) -> bool:
        """Whether predicted labels do not suffice."""
        return self.input in ("probabilities", "samples")

    @property
    def needs_positive(self) -> bool:
        """Whether it matters which one of two classes is the positive one."""
        return self.input == "2x2 table" and self.function not in EITHER_POSITIVE

    def takes(self, balance: EntropyBalance) -> bool:
        """Whether the shape of a table allows to measure it.

        Parameters
        ----------
        balance : EntropyBalance
            The balance of a table or of a stack of tables.

        Returns
        -------
        takes : bool
            False also for measures of probabilities.
        """
        k, m = balance.n_true_classes, balance.n_pred_classes
        return (
            self.input == "table"
            or (self.input == "square table" and k == m)
            or (self.input == "2x2 table" and k == m == 2)
        )

    def bounds(self, n_rows: int, n_columns: int) -> tuple[float, float]:
        """The least and the greatest value for tables of a shape, as numbers.

        Parameters
        ----------
        n_rows, n_columns : int
            The number of true and of predicted classes.

        Returns
        -------
        bounds : (float, float)
        """
        known = {
            "1/k": 1 / n_rows,
            "log2(k)": math.log2(n_rows),
            "log2(k) + log2(m)": math.log2(n_rows) + math.log2(n_columns),
            "1, for two classes 1.0615": 1.0615 if n_rows == 2 else 1.0,
        }
        low, high = (known[end] if end in known else float(end) for end in self.range)
        return low, high

    def best(self, n_rows: int, n_columns: int) -> float | None:
        """The best value for tables of a shape; None if it is no end of the range.

        Parameters
        ----------
        n_rows, n_columns : int
            The number of true and of predicted classes.

        Returns
        -------
        best : float or None
        """
        low, high = self.bounds(n_rows, n_columns)
        return {"maximize": high, "minimize": low}.get(self.direction)

    def influence(self, shares: np.ndarray) -> np.ndarray:
        """What a sample of each cell does to the measure: its gradient.

        Parameters
        ----------
        shares : ndarray of shape (..., k, m)
            Distributions.

        Returns
        -------
        gradient : ndarray of shape (..., k, m)
            As in :mod:`~sklearn_entropy_metrics.measure.gradients`.
        """
        if self.gradient is not None:
            return self.gradient(shares, **self.options)
        stack = shares.reshape(-1, *shares.shape[-2:])
        numeric = [gradients.numeric_gradient(self, one) for one in stack]
        return np.reshape(numeric, shares.shape)

    def __call__(self, table: Any, **more: Any) -> Number:
        return self.function(table, **self.options, **more)


_EMA_NIT = "Valverde-Albacete and Peláez-Moreno (2014)"
_PCEN = "Wang, Wei, Jin, Yu and Zhang (2013)"
_PHI_DELTA = "Armano (2015)"
_LOG_LOSS = "Dimitriadis, Gneiting and Jordan (2021)"


def _unbiased(function, low, metric):
    """Rows of a measure of two classes, and of its averages over more classes."""
    name = function.__name__
    rows = [("", {}), ("_macro", {"average": "macro"})]
    rows.append(("_weighted", {"average": "weighted"}))
    return [
        Measure(
            name + suffix,
            function,
            "square table" if suffix else "2x2 table",
            (low, "1"),
            "maximize",
            _PHI_DELTA,
            metric=metric,
            options=options,
            gradient=getattr(gradients, name),
        )
        for suffix, options in rows
    ]


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(
            "entropy_modulated_accuracy",
            transfer.entropy_modulated_accuracy,
            "table",
            ("1/k", "1"),
            "maximize",
            _EMA_NIT,
            metric="entropy_modulated_accuracy_score",
            gradient=gradients.entropy_modulated_accuracy,
        ),
        Measure(
            "normalized_information_transfer",
            transfer.normalized_information_transfer,
            "table",
            ("1/k", "1"),
            "maximize",
            _EMA_NIT,
            metric="normalized_information_transfer_score",
            gradient=gradients.normalized_information_transfer,
        ),
        Measure(
            "normalized_information",
            transfer.normalized_information,
            "table",
            ("0", "1"),
            "maximize",
            "Wang and Hu (2009)",
            metric="normalized_information_score",
            gradient=gradients.normalized_information,
        ),
        Measure(
            "variation_of_information",
            transfer.variation_of_information,
            "table",
            ("0", "log2(k) + log2(m)"),
            "minimize",
            "Valverde-Albacete and Peláez-Moreno (2010)",
            metric="variation_of_information_loss",
            gradient=gradients.variation_of_information,
        ),
        Measure(
            "accuracy",
            transfer.accuracy,
            "square table",
            ("0", "1"),
            "maximize",
            "",
            gradient=gradients.accuracy,
        ),
        Measure(
            "matthews_corrcoef",
            transfer.matthews_corrcoef,
            "square table",
            ("-1", "1"),
            "maximize",
            "Matthews (1975), Gorodkin (2004)",
            gradient=gradients.matthews_corrcoef,
        ),
        Measure(
            "confusion_entropy",
            confusion.confusion_entropy,
            "square table",
            ("0", "1, for two classes 1.0615"),
            "minimize",
            "Wei, Yuan, Hu and Wang (2010)",
            metric="confusion_entropy_loss",
            gradient=gradients.confusion_entropy,
        ),
        Measure(
            "relative_confusion_entropy",
            confusion.confusion_entropy,
            "square table",
            ("0", "1, for two classes 1.0615"),
            "minimize",
            _PCEN,
            metric="confusion_entropy_loss",
            options={"relative": True},
            gradient=gradients.confusion_entropy,
        ),
        Measure(
            "probabilistic_confusion_entropy",
            confusion.probabilistic_confusion_entropy,
            "probabilities",
            ("0", "1"),
            "minimize",
            _PCEN,
            metric="probabilistic_confusion_entropy_loss",
        ),
        Measure(
            "relative_probabilistic_confusion_entropy",
            confusion.probabilistic_confusion_entropy,
            "probabilities",
            ("0", "1"),
            "minimize",
            _PCEN,
            metric="probabilistic_confusion_entropy_loss",
            options={"relative": True},
        ),
        Measure(
            "mean_absolute_probability_error",
            confusion.mean_absolute_probability_error,
            "probabilities",
            ("0", "1"),
            "minimize",
            _PCEN,
            metric="mean_absolute_probability_error",
        ),
        Measure(
            "probability_information",
            probabilities.probability_information,
            "samples",
            ("0", "log2(k)"),
            "maximize",
            _LOG_LOSS,
            metric="probability_information_score",
        ),
        Measure(
            "miscalibration",
            probabilities.miscalibration,
            "samples",
            ("0", "inf"),
            "minimize",
            _LOG_LOSS,
            metric="miscalibration_loss",
        ),
        *_unbiased(
            rates.discriminant_capability, "-1", "discriminant_capability_score"
        ),
        *_unbiased(rates.unbiased_accuracy, "0", "unbiased_accuracy_score"),
        *_unbiased(rates.unbiased_precision, "0", "unbiased_precision_score"),
        *_unbiased(rates.unbiased_f1, "0", "unbiased_f1_score"),
        *_unbiased(
            rates.unbiased_matthews_corrcoef, "-1", "unbiased_matthews_corrcoef"
        ),
    )
}


def find(name: str | Callable[..., Any]) -> Measure:
    """Look up a measure.

    Parameters
    ----------
    name : str or callable
        The name of a measure, its scoring string, or the function of labels or
        probabilities that computes it, such as :func:`normalized_information_score`.

    Returns
    -------
    measure : Measure
        For a function that computes several measures, the one of its defaults.

    Examples
    --------
    >>> from sklearn_entropy_metrics import confusion_entropy_loss
    >>> from sklearn_entropy_metrics.measure.catalog import find
    >>> find("neg_confusion_entropy").name, find(confusion_entropy_loss).name
    ('confusion_entropy', 'confusion_entropy')
    """
    for measure in MEASURES.values():
        is_name = isinstance(name, str) and name in (measure.name, measure.scoring)
        if is_name or _computes(name, measure):
            return measure
    raise ValueError(
        f"There is no measure {name!r}. Choose among {', '.join(MEASURES)}."
    )


def _computes(metric, measure):
    """Whether a function of this package computes a measure by default."""
    module = getattr(metric, "__module__", None) or ""
    return (
        module.startswith("sklearn_entropy_metrics.score.")
        and getattr(metric, "__name__", "") == measure.metric
        and not measure.options
    )


def evaluate(tables: Any, names: Iterable[str] | None = None) -> dict[str, Number]:
    """Compute several measures of the same tables.

    Parameters
    ----------
    tables : array-like of shape (..., k, m), sparse table or EntropyBalance
        Counts, weights or probabilities, true classes in rows.

    names : iterable of str, default=None
        Names of measures in :data:`MEASURES`, or scoring strings, which negate losses.
        By default all measures of tables that the shape allows. Those of probabilities
        take the tables for probabilistic confusion matrices.

    Returns
    -------
    values : dict of str to float or ndarray of shape (...)
        The values of each measure, in the order of the names.

    Examples
    --------
    >>> from sklearn_entropy_metrics import measure
    >>> measure.evaluate([[5, 0], [0, 5]], ["accuracy", "normalized_information"])
    {'accuracy': 1.0, 'normalized_information': 1.0}
    """
    balance = balance_of(tables)
    if names is None:
        names = [name for name, m in MEASURES.items() if m.takes(balance)]
    found = {name: find(name) for name in names}
    return {name: m.sign_of(name) * m(balance) for name, m in found.items()}
