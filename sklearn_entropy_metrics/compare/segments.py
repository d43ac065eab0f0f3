"""Where does a classifier fail? Segments of the samples side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy
from sklearn.utils import Bunch, check_consistent_length

from sklearn_entropy_metrics._html import html_table, html_text, shorten
from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.balance.interval import check_confidence_level
from sklearn_entropy_metrics.compare import design
from sklearn_entropy_metrics.compare._records import NAME, Records, text_lines
from sklearn_entropy_metrics.compare._warnings import call_each
from sklearn_entropy_metrics.compare.bootstrap import make_generator
from sklearn_entropy_metrics.compare.confidence import interval_of_table
from sklearn_entropy_metrics.compare.independence import draw_tables, permute_groups
from sklearn_entropy_metrics.measure.chosen import is_greater_better
from sklearn_entropy_metrics.table.checks import check_integer, check_weight
from sklearn_entropy_metrics.table.classes import (
    ClassTable,
    given_labels,
    number_labels,
)
from sklearn_entropy_metrics.table.given import read_table
from sklearn_entropy_metrics.table.merge import stack_tables

# Samples of a segment that an interval needs.
_FEWEST = 8
# What the tests compare, in words.
_TESTS = {
    "separation": "prediction and segment, given the truth",
    "independence": "prediction and segment",
    "sufficiency": "truth and segment, given the prediction",
}


def _strata(name, tables):
    """What a test permutes, from segments × true × predicted: strata × segments × …"""
    if name == "independence":
        return tables.sum(axis=1)[None]
    return np.moveaxis(tables, 1 if name == "separation" else 2, 0)


@dataclass(frozen=True)
class Segment:
    """One of several segments, or all of them.

    Attributes
    ----------
    name : hashable
        Its name.

    n_samples : int or float
        The number of samples; the effective one if they have weights.

    estimate, low, high : float
        The metric and its interval, as returned by
        :func:`~sklearn_entropy_metrics.confidence_interval`; NaN if there are fewer
        than 8 samples, or a single group of them.

    plug_in : float
        The metric of the samples themselves.
    """

    name: Any
    n_samples: float
    estimate: float
    low: float
    high: float
    plug_in: float


@dataclass(frozen=True)
class SegmentTest:
    """How much the segments tell about something.

    Attributes
    ----------
    bits : float
        The mutual information in bits, as observed.

    p_value : float
        The share of permutations of the segments with at least as much; NaN if the
        samples have weights, or were cross-validated in each segment, so that even the
        models differ.
    """

    bits: float
    p_value: float


@dataclass(frozen=True)
class SegmentComparison(Records):
    """What :func:`~sklearn_entropy_metrics.compare_segments` returns.

    Attributes
    ----------
    segments : list of Segment
        Records with the attributes `name`, `n_samples`, `estimate`, `low`, `high` and
        `plug_in`, sorted by name, or in the given order.

    overall : Segment
        The same for all samples together.

    separation : SegmentTest
        `bits` and `p_value` of prediction and segment, given the true class.

    independence : SegmentTest
        Those of prediction and segment.

    sufficiency : SegmentTest
        Those of true class and segment, given the prediction.

    metric : str
        The name of the metric.

    greater_is_better : bool
        Whether greater values are better.

    confidence_level : float
        The level of all intervals.
    """

    segments: list[Segment]
    overall: Segment
    separation: SegmentTest
    independence: SegmentTest
    sufficiency: SegmentTest
    metric: str
    greater_is_better: bool
    confidence_level: float

    _kind = Segment

    def _records(self):
        return [*self.segments, self.overall]

    def summary(self) -> str:
        """Whether the segments differ, and which is the worst, in a sentence or two.

        Returns
        -------
        summary : str
        """
        bits, p_value = self.separation.bits, self.separation.p_value
        words = "No segment is shown to be predicted differently"
        if p_value <= 1 - self.confidence_level:
            words = "Predictions for the same true class differ between the segments"
        words = f"{words} (p = {p_value:.3g})."
        if math.isnan(p_value):
            words = f"Predictions depend on the segment by {bits:.3f} bits."
        judged = [one for one in self.segments if not math.isnan(one.estimate)]
        if not judged:
            return words
        choose = min if self.greater_is_better else max
        worst = choose(judged, key=lambda one: one.estimate)
        return (
            f"{words} The worst is {shorten(worst.name, NAME)} with an estimate of "
            f"{worst.estimate:.3f} [{worst.low:.3f}, {worst.high:.3f}], against "
            f"{self.overall.estimate:.3f} for all samples."
        )

    def rows(self) -> tuple[list[str], list[list[str]]]:
        """The segments as texts, for tables.

        Returns
        -------
        heads : list of str

        rows : list of list of str
            A row for each segment, and the last for all of them.
        """
        heads, rows = ["segment", "samples", "observed", "estimate", "low", "high"], []
        for one in self._records():
            numbers = (one.plug_in, one.estimate, one.low, one.high)
            texts = ["" if math.isnan(x) else f"{x:.3f}" for x in numbers]
            rows.append([str(one.name), f"{one.n_samples:.0f}", *texts])
        return heads, rows

    def _tests(self) -> tuple[list[str], list[list[str]]]:
        rows = []
        for name, words in _TESTS.items():
            test = getattr(self, name)
            p_value = "–" if math.isnan(test.p_value) else f"{test.p_value:.3g}"
            rows.append([f"{name:<14}{words}", f"{test.bits:.4f}", p_value])
        return ["test", "bits", "p"], rows

    def __repr__(self) -> str:
        tests = text_lines(*self._tests(), width=80)
        return "\n".join([super().__repr__(), "", *tests])

    def _repr_html_(self) -> str:
        heads, rows = self._tests()
        tests = html_table(rows, header=heads, named_rows=True)
        return f"{super()._repr_html_()}<p>{html_text(self.summary())}</p>{tests}"

    def _title(self):
        level = f"{100 * self.confidence_level:g}%"
        return f"{len(self.segments)} segments by {self.metric}, with {level} intervals"


def compare_segments(
    y_true: ArrayLike | None = None,
    y_pred: ArrayLike | None = None,
    by: ArrayLike | None = None,
    metric: str | Callable[..., Any] = "normalized_information",
    *,
    table: Any = None,
    groups: ArrayLike | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 999,
    random_state: int | np.random.RandomState | None = None,
    labels: ArrayLike | None = None,
    pred_labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> SegmentComparison:
    r"""Compare segments of the samples, such as sites, months or groups of people.

    Each segment gets the interval of a metric, over the same classes. Three tests say
    whether the segment matters: with true class Y, prediction Ŷ and segment A,

    - separation, I(Ŷ; A | Y): are the samples of a class predicted alike everywhere?
    - independence, I(Ŷ; A): is each class predicted equally often everywhere?
    - sufficiency, I(Y; A | Ŷ): does a prediction mean the same everywhere?

    The samples must be held out from training, and independent of each other, or
    `groups` must say which of them belong together.

    Read more in the :ref:`User Guide <segments>`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,), default=None
        True labels.

    y_pred : array-like of shape (n_samples,), default=None
        Predicted labels.

    by : array-like of shape (n_samples,), default=None
        The segment of each sample; with a stack of tables, the names of the segments.

    metric : str or callable, default="normalized_information"
        A measure of tables, as in :func:`confidence_interval`.

    table : array-like of shape (n_segments, k, m), dict or Bunch, default=None
        Instead of labels: a stack of tables, a dict of the name of a segment to its
        table (anything that `table` of :func:`confidence_interval` may be), or what
        :func:`tabulate_frame` returns for its parameter `by`.

    groups : array-like of shape (n_samples,), default=None
        Which samples belong together, such as those of one patient; all samples of a
        group must be in one segment.

    confidence_level : float, default=0.95
        The share of intervals that should contain the true value.

    n_resamples : int, default=999
        How many permutations each test draws. No p-value is less than
        1 / (n_resamples + 1).

    random_state : int, RandomState instance or None, default=None
        Pass an int for reproducible results.

    labels, pred_labels : array-like, default=None
        True and predicted classes, as in :func:`contingency_table`.

    pos_label : label, default=None
        The positive class, where it matters; by default, 1.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights. The tests have no p-values then.

    Returns
    -------
    comparison : SegmentComparison
        `segments`, `overall`, and the tests `separation`, `independence` and
        `sufficiency`. Segments of fewer than 8 samples, or of a single group, have no
        interval, and a warning names them.

    See Also
    --------
    tabulate_frame : Count segments where the data are.
    compare_models : Compare models instead of segments.
    confusion_pairs : At which classes a classifier fails.

    Notes
    -----
    Separation permutes the segments of the samples within each true class, sufficiency
    within each predicted class, and independence among all samples. Tables with the
    same margins are drawn for that, as in :func:`independence_test`, so that the cost
    does not grow with the number of samples. With `groups`, the segments of whole
    groups are permuted: within each class if each group has one class only, otherwise
    among all groups, which then also tests whether all classes are equally frequent in
    each segment.

    The bits are those of the samples, which grow with the number of segments and
    classes even if the segments do not matter; the p-values take account of that. In
    research on fairness the three conditions are known by the same names [1]_. If the
    classes are not equally frequent in all segments, no classifier can meet all of
    them.

    References
    ----------
    .. [1] S. Barocas, M. Hardt, A. Narayanan (2023). "Fairness and machine learning:
       limitations and opportunities". MIT Press, chapter 3.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_entropy_metrics import compare_segments
    >>> rng = np.random.default_rng(0)
    >>> y_true, site = rng.integers(0, 2, 600), np.repeat(["A", "B", "C"], 200)
    >>> kept = rng.random(600) < np.where(site == "C", 0.7, 0.9)
    >>> y_pred = np.where(kept, y_true, 1 - y_true)
    >>> compare_segments(y_true, y_pred, site, random_state=0)
    3 segments by normalized_information, with 95% intervals
    <BLANKLINE>
              samples  observed  estimate       low      high
    A             200     0.622     0.613     0.461     0.723
    B             200     0.655     0.647     0.486     0.757
    C             200     0.071     0.070     0.006     0.129
    overall       600     0.357     0.356     0.282     0.422
    <BLANKLINE>
                                                               bits         p
    separation    prediction and segment, given the truth    0.0906     0.001
    independence  prediction and segment                     0.0007     0.774
    sufficiency   truth and segment, given the prediction    0.0914     0.001
    """
    confidence_level = check_confidence_level(confidence_level)
    n_resamples = check_integer(n_resamples, "n_resamples", minimum=1)
    if table is None:
        options = labels, pred_labels, check_weight(sample_weight)
        read = _number(y_true, y_pred, by, groups, *options)
    elif any(y is not None for y in (y_true, y_pred, sample_weight, groups)):
        raise ValueError(
            "`table` takes the place of `y_true`, `y_pred`, `sample_weight` and "
            "`groups`. Got both."
        )
    else:
        read = _read(table, by, labels, pred_labels)
    *segments, overall = _judge(read, metric, pos_label, confidence_level)
    generators = make_generator(random_state).spawn(len(_TESTS))
    pairs = zip(_TESTS, generators, strict=True)
    tests = [_test(name, read, n_resamples, generator) for name, generator in pairs]
    name = metric if isinstance(metric, str) else getattr(metric, "__name__", "metric")
    rest: list[Any] = [*tests, name, is_greater_better(metric), confidence_level]
    return SegmentComparison(segments, overall, *rest)


class _Segments(NamedTuple):
    """The tables of all segments, with their names and effective sizes."""

    stack: ClassTable
    names: list[Any]
    sizes: np.ndarray
    by: np.ndarray | None = None  # the segment of each sample, if they are in groups
    samples: design.Samples | None = None


def _number(y_true, y_pred, by, groups, labels, pred_labels, weight):
    """Labels of samples."""
    if y_true is None or y_pred is None or by is None:
        raise ValueError("Pass `y_true`, `y_pred` and `by`, or `table` instead.")
    check_consistent_length(y_true, y_pred, by, weight, groups)
    by = {"by": design.dates_as_texts(by, "by")}
    (number,), segments, _ = number_labels(by, weight=weight)
    options = groups, labels, pred_labels, weight
    (samples,) = design.number_samples(y_true, {"y_pred": y_pred}, *options)
    if weight is not None:
        number = number[weight > 0]
    alone, names = samples._replace(groups=None), _several(segments.tolist())
    parts = [alone.part(number == place).table() for place in range(len(names))]
    return _stacked(parts, names, *(() if groups is None else (number, samples)))


def _several(names):
    if len(names) < 2:
        raise ValueError(f"There must be two segments or more. Got {names}.")
    return names


def _stacked(parts, names, *grouped):
    for part in parts:
        design.check_counts(part)
    sizes = np.array([part.n_samples for part in parts])
    return _Segments(stack_tables(parts).aligned(), names, sizes, *grouped)


def _read(table, by, labels, pred_labels):
    """A stack, a dict of tables, or a result of `tabulate_frame`."""
    if isinstance(table, Mapping) and by is not None:
        raise ValueError("With tables that have names, `by` must be None. Got names.")
    if isinstance(table, Mapping) and not isinstance(table, Bunch):
        names = _several(list(table))
        parts = [read_table(one, labels, pred_labels) for one in table.values()]
        return _stacked(parts, names)
    sizes = None
    if by is not None:
        by = given_labels(design.dates_as_texts(by, "by"), "by")
    if isinstance(table, Bunch):
        by, sizes = table.get("groups"), table.get("n_samples")
        if by is None:
            raise ValueError("`table` must have been made with `by=…`. Got one table.")
        table = {**table, "groups": None}
    stack = read_table(table, labels, pred_labels).aligned()
    n_segments = stack.table.shape[0]
    names = np.arange(n_segments) if by is None else np.asarray(by)
    if stack.table.ndim != 3 or len(names) != n_segments:
        raise ValueError(
            "`table` must hold a table for each segment, of shape (n_segments, k, m). "
            f"Got shape {stack.table.shape} and {len(names)} names."
        )
    counts = stack.table.sum(axis=(1, 2)) if sizes is None else np.asarray(sizes)
    design.check_counts(stack._replace(table=stack.table[counts.argmax()]))
    return _Segments(stack, _several(names.tolist()), counts)


def _judge(read, metric, pos_label, confidence_level):
    """Records of all segments, and of all of them together."""
    stack = read.stack
    total = stack.table.sum(axis=(1, 2), dtype=np.float64)
    size_of_all = total.sum() ** 2 / (total**2 / (read.sizes + (total == 0))).sum()
    tables = [*stack.table, stack.table.sum(axis=0)]
    names, sizes = [*read.names, "overall"], [*read.sizes, size_of_all]
    few = []

    def judge(place):
        name, size = names[place], float(sizes[place])
        number = int(size) if size.is_integer() else size
        given, samples = stack._replace(table=tables[place], size=size), read.samples
        some = slice(None) if place == len(read.names) else read.by == place
        is_alone = samples is not None and np.ptp(samples.groups[some]) == 0
        if size < _FEWEST or is_alone:
            few.append(f"{name} ({number:g})")
            return Segment(name, number, math.nan, math.nan, math.nan, math.nan)
        samples = None if samples is None else samples.part(some)
        one = interval_of_table(given, metric, pos_label, confidence_level, samples)
        return Segment(name, number, one.estimate, one.low, one.high, one.plug_in)

    records = call_each(names, judge)
    if few:
        fewest = f"{_FEWEST} samples" + ("" if read.samples is None else " or 2 groups")
        some = ", ".join(few)
        warn(f"Segments with fewer than {fewest} have no interval: {some}.")
    return records


def _bits(strata):
    """Mean over strata of the information between segments and classes."""
    shares = strata / strata.sum()
    margins = shares.sum(axis=2), shares.sum(axis=1), shares.sum(axis=(1, 2))
    joint, rows, columns, whole = (xlogy(p, p).sum() for p in (shares, *margins))
    return max(0.0, float(joint - rows - columns + whole) / math.log(2))


def _test(name, read, n_resamples, generator):
    """Compare the information with that after permutations."""
    tables, size = read.stack.table, read.stack.size
    strata = _strata(name, tables)
    bits = observed = _bits(strata)
    if size is not None or np.any(tables % 1):
        return SegmentTest(bits, math.nan)
    if read.samples is not None:
        drawn = _bits_of_groups(name, read, n_resamples, generator)
    else:  # of the same margins, so that only the sum over the cells matters
        observed, drawn = xlogy(strata, strata).sum(), np.zeros(n_resamples)
        for stratum in strata:
            if stratum.any():
                tables = draw_tables(stratum, n_resamples, generator)
                drawn += xlogy(tables, tables).sum(axis=(1, 2))
    least = observed - 1e-12 * max(1.0, observed)  # equal but for round-off
    n_more = int(np.count_nonzero(drawn >= least))
    return SegmentTest(bits, (1 + n_more) / (n_resamples + 1))


def _bits_of_groups(name, read, n_resamples, generator):
    """Information after permutations of the segments of whole groups."""
    samples, (n_segments, k, m) = read.samples, read.stack.table.shape
    label = samples.one_of_each(read.by)
    if label is None:
        raise ValueError(
            "`by` must be the same for all samples of a group. Got a group in several "
            "segments."
        )
    stratum = {"separation": samples.true, "sufficiency": samples.pred}.get(name)
    if stratum is not None:
        stratum = samples.one_of_each(stratum)
    counted = samples.by_group(samples.cells, k * m)
    draw = partial(permute_groups, label, counted, n_segments, generator, stratum)
    tables = (draw().reshape(n_segments, k, m) for _ in range(n_resamples))
    return np.array([_bits(_strata(name, table)) for table in tables])
