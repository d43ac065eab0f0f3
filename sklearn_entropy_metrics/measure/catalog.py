"""The list of all measures, which drives the scorers, reports, docs and tests.

A new measure is one more row here.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

import numpy as np

from sklearn_entropy_metrics.balance.balance import EntropyBalance, Number, balance_of
from sklearn_entropy_metrics.measure import (
    chance,
    confusion,
    gradients,
    multilabel,
    probabilities,
    rates,
    transfer,
)

# What may leave a measure unchanged,
RENAMED = "renaming the predicted classes"
FREQUENCIES = "the class frequencies"
EXCHANGED = "swapping truth and prediction"
OTHER_ERRORS = "predicting other wrong classes"
POSITIVE = "which class is positive"
# and when it may be undefined.
ONE_TRUE = "only one class is true"
ONE_PREDICTED = "only one class is predicted"
NOTHING_POSITIVE = "nothing is predicted positive"
ONE_CLASS = "k = 1"
CONSTANT_LABELS = "no label varies"

Metric = TypeVar("Metric", bound=Callable[..., Any])
# The metrics, by the functions of tables that they compute; see `computes`.
_METRICS: dict[Callable[..., Number], Callable[..., Any]] = {}


@dataclass(frozen=True)
class Measure:
    """One row of the catalogue.

    Attributes
    ----------
    name : str
        The name of the measure.

    function : callable
        Table, stack of tables or sparse table in, number or array out.

    input : {"table", "square table", "2x2 table", "label tables", "probabilities", \
            "samples"}
        What the function takes: a table; a 2x2 table for each of several labels; a
        probabilistic confusion matrix with the weights of the classes; or the
        probabilities of single samples, as a
        :class:`~sklearn_entropy_metrics.ProbabilityBalance`.

    range : (str, str)
        The least and the greatest value.

    direction : {"maximize", "minimize"}
        Which values are good.

    paper : str
        The paper that defines the measure.

    symbol : str
        The symbol of the measure in formulas and small tables.

    unchanged_by, undefined_when : frozenset of str
        What leaves the measure unchanged, and when it is undefined, as named by the
        constants of this module.

    section : {"transfer", "confusion_entropy", "accuracy"} or None
        Where :func:`~sklearn_entropy_metrics.information_report` shows the measure;
        None: nowhere.

    title : str
        Its name in the report.

    options : dict
        Keyword arguments of the functions.

    limit : str or None
        The measure that it tends to with many samples, if it depends on their number;
        the function then takes `n_samples`.

    gradient : callable or None
        The function in ``measure.gradients`` for it or for its limit; None for a
        numerical gradient.

    Examples
    --------
    >>> from sklearn_entropy_metrics.measure import MEASURES
    >>> measure = MEASURES["confusion_entropy"]
    >>> measure.symbol, measure.direction, measure.scoring
    ('CEN', 'minimize', 'neg_confusion_entropy')
    >>> measure.metric.__name__
    'confusion_entropy_loss'
    >>> round(measure([[3, 1, 1], [1, 2, 0], [0, 0, 2]]), 4)
    0.425
    """

    name: str
    function: Callable[..., Number]
    input: Literal[
        "table",
        "square table",
        "2x2 table",
        "label tables",
        "probabilities",
        "samples",
    ]
    range: tuple[str, str]
    direction: Literal["maximize", "minimize"]
    paper: str
    symbol: str
    unchanged_by: frozenset[str] = frozenset()
    undefined_when: frozenset[str] = frozenset()
    section: Literal["transfer", "confusion_entropy", "accuracy"] | None = None
    title: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    limit: str | None = None
    gradient: gradients.Gradient | None = None

    @property
    def metric(self) -> Callable[..., Any] | None:
        """The function of labels or probabilities that computes the measure.

        None if scikit-learn has the scorer.
        """
        return _METRICS.get(self.function)

    @property
    def scoring(self) -> str:
        """The scoring string: greater is better."""
        return self.name if self.direction == "maximize" else f"neg_{self.name}"

    @property
    def sign(self) -> int:
        """The factor that turns the measure into a score."""
        return 1 if self.direction == "maximize" else -1

    def sign_of(self, name: Any) -> int:
        """-1 if the name is the scoring string of a loss, else 1.

        Parameters
        ----------
        name : str or callable
            What was passed to ``find`` to look up the measure.

        Returns
        -------
        sign : int
        """
        return self.sign if name == self.scoring else 1

    @property
    def of_probabilities(self) -> bool:
        """Whether predicted labels are not enough."""
        return self.input in ("probabilities", "samples")

    @property
    def of_several_labels(self) -> bool:
        """Whether samples have several labels, each of them true or not."""
        return self.input == "label tables"

    @property
    def needs_positive(self) -> bool:
        """Whether it matters which of two classes is positive."""
        return self.input == "2x2 table" and POSITIVE not in self.unchanged_by

    def takes(self, balance: EntropyBalance) -> bool:
        """Whether the measure is defined for tables of this shape.

        Parameters
        ----------
        balance : EntropyBalance
            The balance of a table or of a stack of tables.

        Returns
        -------
        takes : bool
            False also for measures of probabilities and of several labels.
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
        """The best value for tables of a shape; None if it is not an end of the range.

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
        """The effect of a sample in each cell on the measure: its gradient.

        Parameters
        ----------
        shares : ndarray of shape (..., k, m)
            Distributions.

        Returns
        -------
        gradient : ndarray of shape (..., k, m)
            As in ``measure.gradients``.
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


def _unbiased(function, low, symbol, *unchanged_by, undefined_when=frozenset()):
    """Rows of a measure of two classes, and of its averages over more classes.

    An average is undefined only if every class is: a constant prediction is still
    positive for one class.
    """
    name = function.__name__
    binary = Measure(
        name,
        function,
        "2x2 table",
        (low, "1"),
        "maximize",
        _PHI_DELTA,
        symbol,
        unchanged_by=frozenset({FREQUENCIES, *unchanged_by}),
        undefined_when=frozenset({ONE_TRUE}) | undefined_when,
        gradient=getattr(gradients, name),
    )
    averages = [
        replace(
            binary,
            name=f"{name}_{average}",
            input="square table",
            symbol=f"{symbol}, averaged",
            unchanged_by=frozenset(),
            undefined_when=binary.undefined_when - {NOTHING_POSITIVE},
            options={"average": average},
        )
        for average in ("macro", "weighted")
    ]
    return [binary, *averages]


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
            "EMA",
            unchanged_by=frozenset({RENAMED}),
            section="transfer",
            title="entropy-modulated accuracy",
            gradient=gradients.entropy_modulated_accuracy,
        ),
        Measure(
            "normalized_information_transfer",
            transfer.normalized_information_transfer,
            "table",
            ("1/k", "1"),
            "maximize",
            _EMA_NIT,
            "NIT",
            unchanged_by=frozenset({RENAMED, EXCHANGED}),
            section="transfer",
            title="normalized information transfer",
            gradient=gradients.normalized_information_transfer,
        ),
        Measure(
            "normalized_information",
            transfer.normalized_information,
            "table",
            ("0", "1"),
            "maximize",
            "Wang and Hu (2009)",
            "NI",
            unchanged_by=frozenset({RENAMED}),
            undefined_when=frozenset({ONE_TRUE}),
            section="transfer",
            title="normalized information",
            gradient=gradients.normalized_information,
        ),
        Measure(
            "adjusted_normalized_information",
            chance.adjusted_normalized_information,
            "table",
            ("-inf", "1"),
            "maximize",
            "Vinh, Epps and Bailey (2010)",
            "adjusted NI",
            unchanged_by=frozenset({RENAMED}),
            undefined_when=frozenset({ONE_TRUE}),
            limit="normalized_information",
            gradient=gradients.normalized_information,
        ),
        Measure(
            "variation_of_information",
            transfer.variation_of_information,
            "table",
            ("0", "log2(k) + log2(m)"),
            "minimize",
            "Valverde-Albacete and Peláez-Moreno (2010)",
            "VI",
            unchanged_by=frozenset({RENAMED, EXCHANGED}),
            gradient=gradients.variation_of_information,
        ),
        Measure(
            "accuracy",
            transfer.accuracy,
            "square table",
            ("0", "1"),
            "maximize",
            "",
            "accuracy",
            unchanged_by=frozenset({EXCHANGED, OTHER_ERRORS}),
            section="accuracy",
            title="accuracy",
            gradient=gradients.accuracy,
        ),
        Measure(
            "matthews_corrcoef",
            transfer.matthews_corrcoef,
            "square table",
            ("-1", "1"),
            "maximize",
            "Matthews (1975), Gorodkin (2004)",
            "MCC",
            unchanged_by=frozenset({EXCHANGED}),
            undefined_when=frozenset({ONE_TRUE, ONE_PREDICTED}),
            gradient=gradients.matthews_corrcoef,
        ),
        Measure(
            "confusion_entropy",
            confusion.confusion_entropy,
            "square table",
            ("0", "1, for two classes 1.0615"),
            "minimize",
            "Wei, Yuan, Hu and Wang (2010)",
            "CEN",
            unchanged_by=frozenset({EXCHANGED}),
            undefined_when=frozenset({ONE_CLASS}),
            section="confusion_entropy",
            title="confusion entropy",
            gradient=gradients.confusion_entropy,
        ),
        Measure(
            "relative_confusion_entropy",
            confusion.confusion_entropy,
            "square table",
            ("0", "1, for two classes 1.0615"),
            "minimize",
            _PCEN,
            "rCEN",
            unchanged_by=frozenset({FREQUENCIES}),
            undefined_when=frozenset({ONE_CLASS}),
            section="confusion_entropy",
            title="relative",
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
            "pCEN",
            unchanged_by=frozenset({EXCHANGED}),
            undefined_when=frozenset({ONE_CLASS}),
            section="confusion_entropy",
            title="probabilistic",
        ),
        Measure(
            "relative_probabilistic_confusion_entropy",
            confusion.probabilistic_confusion_entropy,
            "probabilities",
            ("0", "1"),
            "minimize",
            _PCEN,
            "rpCEN",
            unchanged_by=frozenset({FREQUENCIES}),
            undefined_when=frozenset({ONE_CLASS}),
            section="confusion_entropy",
            title="rel. probabilistic",
            options={"relative": True},
        ),
        Measure(
            "mean_absolute_probability_error",
            confusion.mean_absolute_probability_error,
            "probabilities",
            ("0", "1"),
            "minimize",
            _PCEN,
            "MAE",
            unchanged_by=frozenset({EXCHANGED, OTHER_ERRORS}),
            section="confusion_entropy",
            title="mean absolute probability error",
        ),
        Measure(
            "probability_information",
            probabilities.probability_information,
            "samples",
            ("0", "log2(k)"),
            "maximize",
            _LOG_LOSS,
            "information of probabilities",
        ),
        Measure(
            "miscalibration",
            probabilities.miscalibration,
            "samples",
            ("0", "inf"),
            "minimize",
            _LOG_LOSS,
            "miscalibration",
        ),
        Measure(
            "multilabel_information",
            multilabel.multilabel_information,
            "label tables",
            ("0", "1"),
            "maximize",
            "",
            "multilabel information",
            unchanged_by=frozenset({RENAMED}),
            undefined_when=frozenset({CONSTANT_LABELS}),
        ),
        *_unbiased(rates.discriminant_capability, "-1", "δ", POSITIVE),
        *_unbiased(rates.unbiased_accuracy, "0", "unbiased accuracy", POSITIVE),
        *_unbiased(
            rates.unbiased_precision,
            "0",
            "unbiased precision",
            undefined_when=frozenset({NOTHING_POSITIVE}),
        ),
        *_unbiased(rates.unbiased_f1, "0", "unbiased F1"),
        *_unbiased(
            rates.unbiased_matthews_corrcoef,
            "-1",
            "unbiased MCC",
            POSITIVE,
            undefined_when=frozenset({ONE_PREDICTED}),
        ),
    )
}


def computes(function: Callable[..., Number]) -> Callable[[Metric], Metric]:
    """Mark a function of labels or probabilities as the metric of measures.

    Parameters
    ----------
    function : callable
        The function of tables of these measures.

    Returns
    -------
    mark : callable
        A decorator that returns the metric unchanged.

    Examples
    --------
    >>> from sklearn_entropy_metrics import normalized_information_score
    >>> from sklearn_entropy_metrics.measure.catalog import find
    >>> find("normalized_information").metric is normalized_information_score
    True
    """

    def mark(metric):
        _METRICS[function] = metric
        return metric

    return mark


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
        For a function that computes several measures, the one it computes by default.

    Examples
    --------
    >>> from sklearn_entropy_metrics import confusion_entropy_loss
    >>> from sklearn_entropy_metrics.measure.catalog import find
    >>> find("neg_confusion_entropy").name, find(confusion_entropy_loss).name
    ('confusion_entropy', 'confusion_entropy')
    """
    for measure in MEASURES.values():
        if isinstance(name, str):
            if name in (measure.name, measure.scoring):
                return measure
        elif callable(name) and measure.metric is name and not measure.options:
            return measure
    raise ValueError(
        f"There is no measure {name!r}. Choose among {', '.join(MEASURES)}."
    )


def evaluate(tables: Any, names: Iterable[str] | None = None) -> dict[str, Number]:
    """Compute several measures of the same tables.

    Parameters
    ----------
    tables : array-like of shape (..., k, m), sparse table or EntropyBalance
        Counts, weights or probabilities, true classes in rows.

    names : iterable of str, default=None
        Names of measures in :data:`MEASURES`, or scoring strings, which negate losses.
        By default, all measures of tables that the shape allows. Those of probabilities
        treat the tables as probabilistic confusion matrices.

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
