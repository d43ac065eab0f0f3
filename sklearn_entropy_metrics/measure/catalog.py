"""The list of all measures, which drives the scorers, reports, docs and tests.

A new measure is one more row here. Nothing else lists measures by name.
"""

import difflib
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from sklearn import metrics

from sklearn_entropy_metrics import _sklearn
from sklearn_entropy_metrics.balance.balance import Number, TableLike, balance_of
from sklearn_entropy_metrics.measure import (
    chance,
    confusion,
    familiar,
    gradients,
    rates,
    transfer,
)
from sklearn_entropy_metrics.measure.against_rest import FORMULAS

# What may leave a measure unchanged,
RENAMED = "renaming the predicted classes"
FREQUENCIES = "the class frequencies"
EXCHANGED = "swapping truth and prediction"
OTHER_ERRORS = "predicting other wrong classes"
POSITIVE = "which class is positive"
# and when it may be undefined.
ONE_TRUE = "only one class is true"
ONE_PREDICTED = "only one class is predicted"
ONE_OCCURS = "only one class is true and predicted"
NOTHING_POSITIVE = "nothing is predicted positive"
ONE_CLASS = "k = 1"
CONSTANT_LABELS = "no label varies"

Input = Literal[
    "table", "square table", "2x2 table", "label tables", "probabilities", "samples"
]
Metric = TypeVar("Metric", bound=Callable[..., Any])
# The metrics, by the functions of tables that they compute; see `computes`.
_METRICS: dict[Callable[..., Number], Callable[..., Any]] = {}


class Bound(NamedTuple):
    """The least or the greatest value of a measure.

    Attributes
    ----------
    text : str
        For readers.

    value : callable
        The number, of the number k of true and m of predicted classes.

    Examples
    --------
    >>> from sklearn_entropy_metrics.measure import MEASURES
    >>> low, high = MEASURES["entropy_modulated_accuracy"].range
    >>> low.text, low.value(4, 4)
    ('1/k', 0.25)
    """

    text: str
    value: Callable[[int, int], float]


def _constant(value: float) -> Bound:
    return Bound(f"{value:g}", lambda k, m: value)


_UNIT = _constant(0), _constant(1)
_SIGNED = _constant(-1), _constant(1)
_TRANSFER = Bound("1/k", lambda k, m: 1 / k), _constant(1)
_CEN = (
    _constant(0),
    Bound("1, for two classes 1.0615", lambda k, m: 1.0615 if k == 2 else 1.0),
)
_BITS_OF_TRUTH = _constant(0), Bound("log2(k)", lambda k, m: math.log2(k))
_BITS = _constant(0), Bound("log2(k) + log2(m)", lambda k, m: math.log2(k * m))


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

    range : (Bound, Bound)
        The least and the greatest value.

    direction : {"maximize", "minimize", "zero"}
        Which values are good: great, small, or those near 0, inside the range.

    paper : str
        The paper that defines the measure.

    symbol : str
        The symbol of the measure in formulas and small tables.

    meaning : str
        What the value says, in a few words.

    unchanged_by, undefined_when : frozenset of str
        What leaves the measure unchanged, and when it is undefined, as named by the
        constants of this module.

    section : {"transfer", "confusion_entropy", "accuracy"} or None
        Where :func:`~sklearn_entropy_metrics.information_report` shows the measure;
        None: nowhere.

    title : str
        Its name in the report.

    is_main : bool
        Whether it is among the few measures that are shown if no other is asked for.

    is_listed : bool
        Whether lists of all measures include it, as in
        :func:`~sklearn_entropy_metrics.measure.evaluate`.

    options : dict
        Keyword arguments of the functions.

    perfect : callable or None
        The best value that tables with given true classes allow, of these tables; None
        if it is the end of the range.

    slope : callable or None
        The slope of a measure of information towards the mutual information in nats, of
        its value and the entropy of the true classes in nats.

    limit : str or None
        The measure that it tends to with many samples, if it depends on their number;
        the function then takes `n_samples`.

    sklearn : callable or None
        The function in :mod:`sklearn.metrics` that computes it from labels.

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
    symbol: str
    meaning: str
    unchanged_by: frozenset[str] = frozenset()
    undefined_when: frozenset[str] = frozenset()
    input: Input = "square table"
    range: tuple[Bound, Bound] = _UNIT
    direction: Literal["maximize", "minimize", "zero"] = "maximize"
    paper: str = ""
    section: Literal["transfer", "confusion_entropy", "accuracy"] | None = None
    title: str = ""
    is_main: bool = False
    is_listed: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    perfect: Callable[[np.ndarray], Number] | None = None
    slope: Callable[[np.ndarray, np.ndarray], Any] | None = None
    limit: str | None = None
    sklearn: Callable[..., Any] | None = None

    @property
    def metric(self) -> Callable[..., Any] | None:
        """The function of this package that computes it from labels or probabilities.

        None if scikit-learn has the scorer.
        """
        return _METRICS.get(self.function)

    @property
    def scoring(self) -> str | None:
        """The scoring string: greater is better. None if neither end is best."""
        strings = {"maximize": self.name, "minimize": f"neg_{self.name}"}
        return strings.get(self.direction)

    @property
    def gradient(self) -> gradients.Gradient | None:
        """Its slopes, those of its formula or in ``measure.gradients``.

        None for a numerical gradient.
        """
        name = self.function.__name__
        if name in FORMULAS:
            return partial(gradients.of_formula, name)
        return getattr(gradients, name, None)

    @property
    def sign(self) -> int:
        """The factor that turns the measure into a score."""
        return -1 if self.direction == "minimize" else 1

    @property
    def of_probabilities(self) -> bool:
        """Whether predicted labels are not enough."""
        return self.input in ("probabilities", "samples")

    @property
    def of_several_labels(self) -> bool:
        """Whether samples have several labels, each of them true or not."""
        return self.input == "label tables"

    @property
    def of_rates(self) -> bool:
        """Whether it is a function of the rows as shares of their sums."""
        return FREQUENCIES in self.unchanged_by

    @property
    def is_average(self) -> bool:
        """Whether it is an average over the classes, each against the rest."""
        return "average" in self.options

    @property
    def is_share(self) -> bool:
        """Whether it is the share of hits: nothing else matters to it."""
        return {EXCHANGED, OTHER_ERRORS} <= self.unchanged_by

    @property
    def needs_positive(self) -> bool:
        """Whether it matters which of two classes is positive."""
        return self.input == "2x2 table" and POSITIVE not in self.unchanged_by

    def takes(self, shape: tuple[int, ...]) -> bool:
        """Whether the measure is defined for tables of this shape.

        Parameters
        ----------
        shape : tuple of int
            The shape of a table or of a stack of tables.

        Returns
        -------
        takes : bool
            False also for measures of probabilities and of several labels.
        """
        k, m = shape[-2:]
        of = {"table": True, "square table": k == m, "2x2 table": k == m == 2}
        return of.get(self.input, False)

    def bounds(self, shape: tuple[int, ...]) -> tuple[float, float]:
        """The least and the greatest value for tables of a shape, as numbers.

        Parameters
        ----------
        shape : tuple of int
            The shape of a table or of a stack of tables.

        Returns
        -------
        bounds : (float, float)
        """
        low, high = (end.value(*shape[-2:]) for end in self.range)
        return low, high

    def best(self, tables: np.ndarray) -> Number:
        """The best value that the true classes of tables allow.

        Parameters
        ----------
        tables : ndarray of shape (..., k, m)
            Counts, weights or probabilities.

        Returns
        -------
        best : float or ndarray of shape (...)
            0 if the best value is inside the range (``direction="zero"``).
        """
        if self.perfect is not None:
            return self.perfect(tables)
        low, high = self.bounds(tables.shape)
        return {"maximize": high, "minimize": low, "zero": 0.0}[self.direction]

    def influence(self, shares: np.ndarray) -> np.ndarray:
        """The effect of a sample in each cell on the measure: its gradient.

        Parameters
        ----------
        shares : ndarray of shape (..., k, m)
            Distributions, which have no number of samples: a measure that depends on it
            has the gradient of its limit.

        Returns
        -------
        gradient : ndarray of shape (..., k, m)
            As in ``measure.gradients``.
        """
        if self.limit is not None:
            return MEASURES[self.limit].influence(shares)
        if self.gradient is not None:
            return self.gradient(shares, **self.options)
        stack = shares.reshape(-1, *shares.shape[-2:])
        numeric = [gradients.numeric_gradient(self, one) for one in stack]
        return np.reshape(numeric, shares.shape)

    def __call__(self, table: object, **more: Any) -> Number:
        return self.function(table, **self.options, **more)


_ARMANO = "Armano (2015)"
_LOG_LOSS = "Dimitriadis, Gneiting and Jordan (2021)"
_PCEN = "Wang, Wei, Jin, Yu and Zhang (2013)"
_VALVERDE = "Valverde-Albacete and Peláez-Moreno ({})".format


def _row(function, symbol, meaning, unchanged_by=(), undefined_when=(), **fields):
    """A row whose name is that of its function, unless given."""
    name = function.__name__
    fields = {"name": name, "title": name.replace("_", " ")} | fields
    sets = frozenset(unchanged_by), frozenset(undefined_when)
    return Measure(fields.pop("name"), function, symbol, meaning, *sets, **fields)


def _of_class(*row, macro=(), weighted=(), **fields):
    """A row of two classes, and its averages, with what leaves each unchanged.

    An average is undefined only if every class is: a constant prediction is still
    positive for one class.
    """
    binary = _row(*row, input="2x2 table", **fields)
    averages = [
        replace(
            binary,
            name=f"{binary.name}_{average}",
            input="square table",
            symbol=f"{binary.symbol}, averaged",
            unchanged_by=frozenset(unchanged_by),
            undefined_when=binary.undefined_when - {NOTHING_POSITIVE},
            options={"average": average},
        )
        for average, unchanged_by in (("macro", macro), ("weighted", weighted))
    ]
    return [binary, *averages]


def _most_transferred(tables):
    """NIT of perfect predictions, which is 1 for balanced classes alone."""
    balance = balance_of(tables)
    return balance.effective_true_classes / balance.n_true_classes


# fmt: off
_ROWS = (
    _row(transfer.entropy_modulated_accuracy, "EMA",
         "one divided by the number of classes left to guess among", {RENAMED},
         input="table", range=_TRANSFER, paper=_VALVERDE(2014), section="transfer",
         title="entropy-modulated accuracy", is_main=True,
         slope=lambda value, entropy: value),
    _row(transfer.normalized_information_transfer, "NIT",
         "from 1/k for nothing to 1 for everything about balanced classes",
         {RENAMED, EXCHANGED},
         input="table", range=_TRANSFER, paper=_VALVERDE(2014), section="transfer",
         is_main=True, perfect=_most_transferred, slope=lambda value, entropy: value),
    _row(transfer.normalized_information, "NI",
         "share of the entropy of the true classes", {RENAMED}, {ONE_TRUE},
         input="table", paper="Wang and Hu (2009)", section="transfer", is_main=True,
         slope=lambda value, entropy: 1 / entropy),
    _row(chance.adjusted_normalized_information, "adjusted NI",
         "0 for guesses, 1 for all of the entropy of the true classes",
         {RENAMED}, {ONE_TRUE},
         input="table", range=(_constant(-math.inf), _constant(1)),
         paper="Vinh, Epps and Bailey (2010)", limit="normalized_information"),
    _row(transfer.variation_of_information, "VI",
         "bits that true and predicted classes do not share", {RENAMED, EXCHANGED},
         input="table", range=_BITS, direction="minimize", paper=_VALVERDE(2010),
         is_main=True, slope=lambda value, entropy: -2 / math.log(2)),
    _row(familiar.accuracy, "accuracy", "share of samples predicted correctly",
         {EXCHANGED, OTHER_ERRORS},
         section="accuracy", is_main=True, sklearn=metrics.accuracy_score),
    _row(familiar.matthews_corrcoef, "MCC", "correlation of true and predicted classes",
         {EXCHANGED}, {ONE_TRUE, ONE_PREDICTED},
         range=_SIGNED, paper="Matthews (1975), Gorodkin (2004)",
         sklearn=metrics.matthews_corrcoef),
    _row(confusion.confusion_entropy, "CEN", "how widely errors scatter; 0 is best",
         {EXCHANGED}, {ONE_CLASS},
         range=_CEN, direction="minimize", paper="Wei, Yuan, Hu and Wang (2010)",
         section="confusion_entropy"),
    _row(confusion.confusion_entropy, "rCEN",
         "the same if all classes were equally frequent", {FREQUENCIES}, {ONE_CLASS},
         name="relative_confusion_entropy", options={"relative": True}, range=_CEN,
         direction="minimize", paper=_PCEN, section="confusion_entropy",
         title="relative"),
    _row(confusion.probabilistic_confusion_entropy, "pCEN",
         "how widely probability scatters over wrong classes", {EXCHANGED}, {ONE_CLASS},
         input="probabilities", direction="minimize", paper=_PCEN,
         section="confusion_entropy", title="probabilistic"),
    _row(confusion.probabilistic_confusion_entropy, "rpCEN",
         "the same if all classes were equally frequent", {FREQUENCIES}, {ONE_CLASS},
         name="relative_probabilistic_confusion_entropy", options={"relative": True},
         input="probabilities", direction="minimize", paper=_PCEN,
         section="confusion_entropy", title="rel. probabilistic"),
    _row(confusion.mean_absolute_probability_error, "MAE",
         "distance of the probabilities from 0 and 1", {EXCHANGED, OTHER_ERRORS},
         input="probabilities", direction="minimize", paper=_PCEN,
         section="confusion_entropy"),
    _row(transfer.probability_information, "information of probabilities",
         "bits that recalibrated probabilities provide",
         input="samples", range=_BITS_OF_TRUTH, paper=_LOG_LOSS),
    _row(transfer.miscalibration, "miscalibration",
         "bits of the log loss that recalibration saves",
         input="samples", range=(_constant(0), _constant(math.inf)),
         direction="minimize", paper=_LOG_LOSS),
    _row(transfer.multilabel_information, "multilabel information",
         "share of the entropies of all labels", {RENAMED}, {CONSTANT_LABELS},
         input="label tables"),
    *_of_class(rates.discriminant_capability, "δ",
               "how well a class is separated from the rest", {FREQUENCIES, POSITIVE},
               {ONE_TRUE}, range=_SIGNED, paper=_ARMANO),
    *_of_class(rates.characteristic_capability, "φ",
               "which answer is preferred; 0 is neither", {FREQUENCIES}, {ONE_TRUE},
               range=_SIGNED, paper=_ARMANO, direction="zero", is_listed=False),
    *_of_class(rates.unbiased_accuracy, "unbiased accuracy",
               "accuracy if the classes were equally frequent", {FREQUENCIES, POSITIVE},
               {ONE_TRUE}, paper=_ARMANO),
    *_of_class(rates.unbiased_precision, "unbiased precision",
               "precision if the classes were equally frequent", {FREQUENCIES},
               {ONE_TRUE, NOTHING_POSITIVE}, paper=_ARMANO),
    *_of_class(rates.unbiased_f1, "unbiased F1",
               "F1 if the classes were equally frequent", {FREQUENCIES}, {ONE_TRUE},
               paper=_ARMANO),
    *_of_class(rates.unbiased_matthews_corrcoef, "unbiased MCC",
               "MCC if the classes were equally frequent", {FREQUENCIES, POSITIVE},
               {ONE_TRUE, ONE_PREDICTED}, range=_SIGNED, paper=_ARMANO),
    _row(familiar.balanced_accuracy, "balanced accuracy", "mean recall of the classes",
         {FREQUENCIES, OTHER_ERRORS},
         is_listed=False, sklearn=metrics.balanced_accuracy_score),
    _row(familiar.cohen_kappa, "κ", "agreement beyond chance",
         {EXCHANGED}, {ONE_OCCURS},
         range=_SIGNED, paper="Cohen (1960)", is_listed=False,
         sklearn=metrics.cohen_kappa_score),
    *_of_class(familiar.precision, "precision",
               "share of the samples predicted as a class that belong to it",
               is_listed=False, sklearn=metrics.precision_score),
    *_of_class(familiar.recall, "recall",
               "share of the samples of a class that are predicted as it",
               {FREQUENCIES}, macro={FREQUENCIES, OTHER_ERRORS},
               weighted={EXCHANGED, OTHER_ERRORS}, is_listed=False,
               sklearn=metrics.recall_score),
    *_of_class(familiar.f1, "F1", "harmonic mean of precision and recall",
               {EXCHANGED}, macro={EXCHANGED}, is_listed=False,
               sklearn=metrics.f1_score),
    *_of_class(familiar.jaccard, "Jaccard",
               "share of hits among samples of or predicted as a class",
               {EXCHANGED}, macro={EXCHANGED}, is_listed=False,
               sklearn=metrics.jaccard_score),
)
# fmt: on
MEASURES: dict[str, Measure] = {row.name: row for row in _ROWS}


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


def find(metric: str | Callable[..., Any]) -> Measure:
    """Look up a measure.

    Parameters
    ----------
    metric : str or callable
        The name of a measure, its scoring string, or the function of labels or
        probabilities that computes it, such as :func:`normalized_information_score` or
        scikit-learn's ``f1_score``; also with its options, as
        ``functools.partial(f1_score, average="macro")`` or ``make_scorer(f1_score,
        average="macro")``.

    Returns
    -------
    measure : Measure

    Examples
    --------
    >>> from sklearn.metrics import balanced_accuracy_score
    >>> from sklearn_entropy_metrics import confusion_entropy_loss
    >>> from sklearn_entropy_metrics.measure.catalog import find
    >>> find("neg_confusion_entropy").name, find(confusion_entropy_loss).name
    ('confusion_entropy', 'confusion_entropy')
    >>> find(balanced_accuracy_score).name, find("f1_macro").symbol
    ('balanced_accuracy', 'F1, averaged')
    """
    measure, _ = find_signed(metric)
    return measure


def find_signed(metric: str | Callable[..., Any]) -> tuple[Measure, int]:
    """Look up a measure, and -1 if the metric is the negative of it, else 1."""
    if isinstance(metric, str):
        for measure in MEASURES.values():
            if metric in (measure.name, measure.scoring):
                return measure, 1 if metric == measure.name else measure.sign
    elif callable(metric):
        functions, options, sign = _parts(metric)
        for measure in MEASURES.values():
            known = {measure.metric, measure.sklearn} & functions
            if known and options == measure.options:
                return measure, sign
    rows = MEASURES.values()
    names = dict.fromkeys(n for m in rows for n in (m.name, m.scoring) if n)
    raise ValueError(
        "`metric` must be the name of a measure, a scoring string or a metric function "
        "of it; sklearn_entropy_metrics.measure.MEASURES lists the measures. Got "
        f"{metric!r}.{suggest(metric, names)}"
    )


def suggest(name: object, names: Iterable[str]) -> str:
    """The names that are most like an unknown one, in words."""
    close = difflib.get_close_matches(str(name), list(names), n=3)
    return f" Did you mean {' or '.join(map(repr, close))}?" if close else ""


def _parts(metric):
    """The function of a metric with that which it wraps, its options and its sign."""
    function, options, sign = _sklearn.parts_of_scorer(metric)
    match function:
        case partial(func=inner, args=(), keywords=given):
            function, options = inner, given | options
    if options:
        defaults = inspect.signature(function).parameters
        options = {
            key: value
            for key, value in options.items()
            # Scorers of averages say that there is no positive class.
            if not (key == "pos_label" and value is None)
            and not (isinstance(value, str) and value == defaults[key].default)
        }
    return {function, getattr(function, "__wrapped__", function)}, options, sign


def evaluate(
    tables: TableLike, names: Iterable[str] | None = None
) -> dict[str, Number]:
    """Compute several measures of the same tables.

    Parameters
    ----------
    tables : array-like of shape (..., k, m), sparse table or EntropyBalance
        Counts, weights or probabilities, true classes in rows.

    names : iterable of str, default=None
        Names of measures in :data:`MEASURES`, or scoring strings, which negate losses.
        By default, the measures of this package that the shape allows, accuracy and
        MCC. Those of probabilities treat the tables as probabilistic confusion
        matrices.

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
        shape = balance.table.shape
        names = [n for n, m in MEASURES.items() if m.is_listed and m.takes(shape)]
    names = [names] if isinstance(names, str) else names
    signed = {name: find_signed(name) for name in names}
    return {name: sign * m(balance) for name, (m, sign) in signed.items()}
