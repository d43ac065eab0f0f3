"""Random tables, labels and probabilities of any magnitude against an oracle.

The oracle follows the definitions: sums, shares and rates are exact fractions, and
logarithms have as many digits as it takes to tell any two floats apart. What is
undefined is None there, NaN here; nothing is infinite, and nothing warns.
"""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import EntropyBalance, TableAccumulator, measure
from sklearn_entropy_metrics.measure import MEASURES

# An expectation over tables; tests/compare/test_independence.py has its oracle.
CHANCE = "adjusted_normalized_information"

# The oracle


def entropies(table):
    """The balance of a table, in bits."""
    cells, rows, columns = shares(table)
    with mpmath.workdps(digits(table)):
        h_x, h_y = entropy(rows), entropy(columns)
        h_xy = entropy([p for row in cells for p in row])
        terms = [
            number(p) * log2(p / (rows[i] * columns[j]))
            for i, row in enumerate(cells)
            for j, p in enumerate(row)
            if p and p != rows[i] * columns[j]
        ]
        information = mpmath.fsum(terms)
        k, m = len(rows), len(columns)
        return {
            "entropy_true": h_x,
            "entropy_pred": h_y,
            "joint_entropy": h_xy,
            "mutual_information": information,
            "conditional_entropy_true": h_xy - h_y,
            "conditional_entropy_pred": h_xy - h_x,
            "variation_of_information": 2 * h_xy - h_x - h_y,
            "divergence_true": mpmath.log(k, 2) - h_x,
            "divergence_pred": mpmath.log(m, 2) - h_y,
            "effective_true_classes": 2**h_x,
            "effective_pred_classes": 2**h_y,
            "remaining_true_classes": 2 ** (h_xy - h_y),
            "remaining_pred_classes": 2 ** (h_xy - h_x),
            "information_transfer_factor": 2**information,
            "entropy_modulated_accuracy": 2 ** (h_y - h_xy),
            "normalized_information_transfer": 2**information / k,
            "normalized_information": information / h_x if h_x else None,
        }


def of_square(table):
    """What compares rows and columns of the same class."""
    cells, rows, columns = shares(table)
    classes = range(len(rows))
    with mpmath.workdps(digits(table)):
        right = sum(cells[i][i] for i in classes)
        spread = [1 - sum(p * p for p in margin) for margin in (rows, columns)]
        covariance = right - sum(r * c for r, c in zip(rows, columns, strict=True))
        root = mpmath.sqrt(number(spread[0])) * mpmath.sqrt(number(spread[1]))
        within = [
            [p / row if row else p for p in line]
            for line, row in zip(cells, rows, strict=True)
        ]
        return {
            "accuracy": number(right),
            "matthews_corrcoef": number(covariance) / root if root else None,
            "confusion_entropy": cen(cells),
            "relative_confusion_entropy": cen(within),
            "modified_confusion_entropy": cen(cells, modified=True),
            "probabilistic_confusion_entropy": cen(cells, confused=True),
            "relative_probabilistic_confusion_entropy": cen(within, confused=True),
            "mean_absolute_probability_error": number(2 * (1 - right) / len(rows)),
        }


def of_rates(table):
    """Measures of the rates of each class against the rest, and the class shares."""
    cells, rows, columns = shares(table)
    found = {name: [] for name in OF_RATES}
    with mpmath.workdps(digits(table)):
        for i, line in enumerate(cells):
            positive, negative = rows[i], 1 - rows[i]
            for name, formula in OF_RATES.items():
                value = None
                if positive and negative:
                    fpr = (columns[i] - line[i]) / negative
                    value = formula(fpr, line[i] / positive)
                found[name].append(value)
        return found, [number(row) for row in rows]


def mean(values, weights):
    """The mean of what is defined."""
    pairs = [(v, w) for v, w in zip(values, weights, strict=True) if v is not None]
    whole = mpmath.fsum(w for _, w in pairs)
    return mpmath.fsum(v * w for v, w in pairs) / whole if whole else None


def ratio(top, bottom):
    return number(top / bottom) if bottom else None


def unbiased_mcc(fpr, tpr):
    square = (fpr + tpr) * (2 - fpr - tpr)
    return number(tpr - fpr) / mpmath.sqrt(number(square)) if square else None


OF_RATES = {
    "characteristic_capability": lambda fpr, tpr: number(tpr + fpr - 1),
    "discriminant_capability": lambda fpr, tpr: number(tpr - fpr),
    "unbiased_accuracy": lambda fpr, tpr: number((1 + tpr - fpr) / 2),
    "unbiased_precision": lambda fpr, tpr: ratio(tpr, tpr + fpr),
    "unbiased_npv": lambda fpr, tpr: ratio(1 - fpr, 2 - tpr - fpr),
    "unbiased_f1": lambda fpr, tpr: number(2 * tpr / (tpr + fpr + 1)),
    "unbiased_matthews_corrcoef": unbiased_mcc,
}


def of_known_rates(table):
    """Precision, recall, F1 and Jaccard of the classes that occur, and their shares."""
    cells, rows, columns = shares(table)
    found = {"precision": [], "recall": [], "f1": [], "jaccard": []}
    with mpmath.workdps(digits(table)):
        for row, column, hit in zip(rows, columns, np.diagonal(cells), strict=True):
            for name, top, bottom in (
                ("precision", hit, column),
                ("recall", hit, row),
                ("f1", 2 * hit, row + column),
                ("jaccard", hit, row + column - hit),
            ):
                value = number(top / bottom) if bottom else mpmath.mpf(0)
                found[name].append(value if row + column else None)
        return found, [number(row) for row in rows]


def kappa(table):
    """Cohen's."""
    cells, rows, columns = shares(table)
    chance = sum(r * c for r, c in zip(rows, columns, strict=True))
    with mpmath.workdps(digits(table)):
        return ratio(sum(np.diagonal(cells)) - chance, 1 - chance)


def shares(table):
    """Shares of the cells, those below 2⁻²⁰⁰ as zero, and their sums."""
    cells = [[Fraction(x) for x in row] for row in table]
    least = sum(map(sum, cells)) / 2**200
    cells = [[x if x >= least else Fraction(0) for x in row] for row in cells]
    total = sum(map(sum, cells))
    cells = [[x / total for x in row] for row in cells]
    return cells, list(map(sum, cells)), [sum(c) for c in zip(*cells, strict=True)]


def digits(table):
    """Enough to see the smallest cell beside 1, and the product of two of them."""
    return 60 + 2 * len(str(int(spread_of(table))))


def spread_of(table):
    """The total of a table as a multiple of its smallest cell."""
    occupied = [Fraction(x) for row in table for x in row if x]
    return sum(occupied) / min(occupied)


def number(fraction):
    return mpmath.mpf(fraction.numerator) / fraction.denominator


def log2(fraction):
    return mpmath.log(number(fraction), 2)


def entropy(parts):
    return -mpmath.fsum(number(p) * log2(p) for p in parts if p)


def cen(cells, *, modified=False, confused=False):
    """Wei et al. (2010), Delgado and Núñez-González (2019), Wang et al. (2013)."""
    m = len(cells)
    if m == 1:
        return None
    whole = 2 * sum(map(sum, cells))
    if modified and m > 2:
        whole -= sum(cells[j][j] for j in range(m))
    total = mpmath.mpf(0)
    for j in range(m):
        others = [x for k in range(m) if k != j for x in (cells[j][k], cells[k][j])]
        samples = sum(others) + (1 if modified else 2) * cells[j][j]
        if samples:
            weight = sum(others) if confused else samples
            total += number(weight / whole) * entropy([x / samples for x in others])
    return total / mpmath.log(2 * (m - 1), 2)


# How close to it

# Differences of what is exact: they may be 0 to the last digit of 1.
SIGNED = {
    "characteristic_capability",
    "cohen_kappa",
    "discriminant_capability",
    "matthews_corrcoef",
    "unbiased_matthews_corrcoef",
}
# Means of squares of excesses ε, halved, in bits: ε = (P(y|x) - P(y)) / P(y) for MI. Of
# 4 × 4 classes, sums of 4 and quotients put an error of at most δ = 14 · 2⁻⁵³ into each
# ε, so the mean has one of at most δ √(2 MI / ln 2) + δ² / (2 ln 2), by Cauchy and
# Schwarz: 2.7e-15 √MI + 1.8e-30.
SECOND_ORDER = {
    "mutual_information": 2e-30,
    "normalized_information": 1e-15,
    "divergence_true": 2e-30,
    "divergence_pred": 2e-30,
}
# What the empty cells of a row of a sparse table are expected to hold is a difference
# of sums, of 16 cells and of 4 + 4, with an error of at most 24 · 2⁻⁵³ of the total.
# All rows but the largest have it: no more than 24 · 2⁻⁵³ / ln 2 of min(1, H) in all.
OF_SPARSE = 4e-15


def check(name, value, truth, more=0.0):
    value = float(value)
    if truth is None:
        assert np.isnan(value), name
        return
    # Nothing is known beside shares of 2⁻²⁰⁰.
    relative, absolute = 1e-12, 1e-15 if name in SIGNED else 1e-58
    if name in SECOND_ORDER:
        absolute = SECOND_ORDER[name]
        relative = max(relative, 4e-15 / float(mpmath.sqrt(max(truth, 1e-60))))
    error = abs(mpmath.mpf(value) - truth)
    close = relative * abs(truth) + absolute + more
    assert error <= close, (name, value, float(truth))


def check_all(found, truth, more=()):
    for name, exact in truth.items():
        check(name, found[name], exact, dict(more).get(name, 0.0))


# What is drawn

TINY = [0.0, 5e-324, 1e-322, 1e-320, 3e-310]
KINDS = [
    (np.int64, st.integers(0, 9)),
    (np.int64, st.integers(0, 10**17)),
    (np.float64, st.floats(0, 1)),
    (np.float64, st.floats(0, 1e290, allow_subnormal=True)),
    (np.float64, st.sampled_from(TINY)),
    (np.float64, st.sampled_from([0, 1e-300, 1e300])),
    (np.float64, st.sampled_from([*TINY, 1e-300, 1e-200, 1e-9, 1, 3])),
]


def tables(shapes):
    return shapes.flatmap(
        lambda shape: st.one_of(
            hnp.arrays(dtype, shape, elements=elements) for dtype, elements in KINDS
        )
    ).filter(np.any)


SIDES = st.integers(1, 4)
SQUARES = tables(SIDES.map(lambda k: (k, k)))


@given(tables(st.tuples(SIDES, SIDES)))
@example(np.array([[1e300, 1e-300], [0, 1e300]]))
@example(np.array([[1e-320, 0], [0, 1]]))
@example(np.array([[1e-320], [5e-324]]))
@example(np.array([[1e-200, 0], [0, 1]]))
def test_balance(table):
    truth = entropies(table.tolist())
    check_all(EntropyBalance.from_confusion_matrix(table).to_dict(), truth)
    values = measure.evaluate(table, [n for n in MEASURES if n in truth])
    check_all(values, {name: truth[name] for name in values})


@given(
    hnp.arrays(np.int64, st.tuples(SIDES, SIDES), elements=st.integers(0, 3)),
    st.integers(1, 10**14),
)
@example(np.array([[1, 0], [0, 0]]), 10**6)
def test_nearly_independent_counts(extra, size):
    """Each cell holds nearly as many samples; what little there is, is right."""
    table = size + extra
    truth = entropies(table.tolist())
    got = EntropyBalance.from_confusion_matrix(table)
    for name in ("mutual_information", "divergence_true", "divergence_pred"):
        assert getattr(got, name) == pytest.approx(float(truth[name]), 1e-12, 0), name


@given(SQUARES)
@example(np.array([[1e300, 1e-300], [0, 1e300]]))
@example(np.array([[10**15, 10**14], [3, 1]]))
@example(np.array([[10**16, 10**15], [3, 1]]))
@example(np.array([[10**16, 10**18], [1, 1]]))
@example(np.array([[0, 10**15], [3, 0]]))
def test_square_tables(table):
    truth = of_square(table.tolist())
    modified = measure.confusion_entropy(table, modified=True)
    check("MCEN", modified, truth.pop("modified_confusion_entropy"))
    check_all(measure.evaluate(table, truth), truth)


@given(SQUARES)
@example(np.array([[1, 10**17], [3, 10**17]]))
@example(np.array([[1e300, 1e-300], [1e300, 1e-300]]))
@example(np.array([[10**17, 1], [2, 1]]))
@example(np.array([[1, 2, 3], [1e17, 3, 1], [1e17, 1, 5]]))
def test_rates(table):
    by_class, weights = of_rates(table.tolist())
    equal = [mpmath.mpf(1)] * len(weights)
    for name, truths in by_class.items():
        function = getattr(measure, name)
        for value, truth in zip(function(table, average=None), truths, strict=True):
            check(name, value, truth)
        check(name, function(table, average="macro"), mean(truths, equal))
        check(name, function(table, average="weighted"), mean(truths, weights))
        if len(weights) == 2:
            check(name, function(table), truths[1])


@given(SQUARES)
@example(np.array([[10**17, 1], [2, 1]]))
@example(np.array([[1, 2, 3], [1e17, 3, 1], [1e17, 1, 5]]))
def test_known_metrics(table):
    by_class, weights = of_known_rates(table.tolist())
    equal = [mpmath.mpf(1)] * len(weights)
    for name, truths in by_class.items():
        function = getattr(measure, name)
        for value, truth in zip(function(table, average=None), truths, strict=True):
            if truth is not None:
                check(name, value, truth)
        check(name, function(table, average="macro"), mean(truths, equal))
        check(name, function(table, average="weighted"), mean(truths, weights))
    recalls = [
        r if w else None for r, w in zip(by_class["recall"], weights, strict=True)
    ]
    check("BA", measure.balanced_accuracy(table), mean(recalls, equal))
    check("cohen_kappa", measure.cohen_kappa(table), kappa(table.tolist()))


@given(SQUARES, st.data())
def test_large_sparse_tables(table, data):
    """The cells are a few of a table of 22,500, zeros among them."""
    k, n_classes = len(table), 150
    place = np.sort(data.draw(st.permutations(range(n_classes)))[:k])
    rows, columns = np.repeat(place, k), np.tile(place, k)
    shape = (n_classes, n_classes)
    sparse = sp.coo_array((table.ravel(), (rows, columns)), shape).tocsr()
    dense = sparse.toarray()
    of_sparse = EntropyBalance.from_confusion_matrix(sparse)
    truth = entropies(table.tolist())
    more = mpmath.log(n_classes, 2) - mpmath.log(k, 2)
    truth["divergence_true"] += more
    truth["divergence_pred"] += more
    truth["normalized_information_transfer"] *= mpmath.mpf(k) / n_classes
    whole = min(1.0, float(truth["entropy_true"]))
    lost = {
        "mutual_information": OF_SPARSE * whole,
        "normalized_information": OF_SPARSE,
    }
    check_all(of_sparse.to_dict(), truth, lost)
    by_class, _ = of_rates(table.tolist())
    for name, truths in by_class.items():
        values = getattr(measure, name)(sparse, average=None)[place]
        for value, exact in zip(values, truths, strict=True):
            check(name, value, exact)
    for one in MEASURES.values():
        if one.input in ("square table", "probabilities"):
            np.testing.assert_allclose(one(sparse), one(dense), 1e-12, 1e-15)


# From samples

CLASSES = [0, 1, 2]
LABELS = st.sampled_from(CLASSES)
WEIGHTS = [
    st.integers(0, 5),
    st.floats(0, 1),
    st.sampled_from([0, 1e-300, 1e-9, 1, 1e290]),
    st.sampled_from(TINY),
]


def samples(second, weights):
    lengths = st.integers(1, 12)
    return lengths.flatmap(
        lambda n: st.tuples(
            hnp.arrays(np.int64, n, elements=LABELS),
            st.lists(second, min_size=n, max_size=n),
            st.one_of(
                st.none(),
                *(hnp.arrays(np.float64, n, elements=weight) for weight in weights),
            ),
        )
    ).filter(lambda drawn: drawn[2] is None or drawn[2].any())


def sums(y_true, y_proba, weight):
    """The exact table of probabilities, one-hot ones for labels."""
    table = [[Fraction(0)] * 3 for _ in CLASSES]
    for i, (true, proba) in enumerate(zip(y_true, y_proba, strict=True)):
        for j in CLASSES:
            share = 1 if weight is None else Fraction(weight[i])
            table[true][j] += share * Fraction(float(proba[j]))
    return table


@pytest.mark.filterwarnings("ignore::UserWarning")  # of what is undefined or doubtful
@given(samples(LABELS, WEIGHTS))
def test_labels(drawn):
    y_true, y_pred, weight = drawn
    table = sums(y_true, np.eye(3)[y_pred], weight)
    truth = entropies(table) | of_square(table)
    by_class, shares_of_classes = of_rates(table)
    for name, values in by_class.items():
        truth[name + "_macro"] = mean(values, [mpmath.mpf(1)] * 3)
        truth[name + "_weighted"] = mean(values, shares_of_classes)
    for name, one in MEASURES.items():
        if one.metric is None or one.input not in ("table", "square table"):
            continue
        if name == CHANCE:
            continue
        value = one.metric(
            y_true, y_pred, labels=CLASSES, sample_weight=weight, **one.options
        )
        check(name.removesuffix("_macro").removesuffix("_weighted"), value, truth[name])


def one_of_three(rest):
    """Probabilities of three classes, of which two are what is left."""
    first, second = rest
    return [1 - first - second, first, second]


PARTS = st.sampled_from([0, 1e-322, 1e-300, 1e-17, 1e-9, 0.1, 0.25, 0.5])
PROBABILITIES = st.one_of(
    LABELS.map(lambda label: np.eye(3)[label].tolist()),
    st.tuples(PARTS, PARTS).map(one_of_three),
)


@pytest.mark.filterwarnings("ignore::UserWarning")
@given(samples(PROBABILITIES, [WEIGHTS[0], st.sampled_from([0, 1e-140, 0.1, 1e140])]))
def test_probabilities(drawn):
    y_true, y_proba, weight = drawn
    given_ = {"labels": CLASSES, "sample_weight": weight}
    table = sums(y_true, y_proba, weight)
    truth = entropies(table)
    accumulator = TableAccumulator(labels=CLASSES)
    matrix = sem.probabilistic_confusion_matrix(y_true, y_proba, **given_)
    for balance in (
        EntropyBalance.from_probabilities(y_true, y_proba, **given_),
        EntropyBalance.from_confusion_matrix(matrix),
        accumulator.update_proba(y_true, y_proba, sample_weight=weight).balance(),
    ):
        check_all(balance.to_dict(), truth)
    weights = np.ones(len(y_true)) if weight is None else weight
    total = sum(map(Fraction, weights))
    by_class = [sum(map(Fraction, weights[y_true == k]), Fraction(0)) for k in CLASSES]
    errors = (
        Fraction(w) * abs((true == j) - Fraction(float(p)))
        for w, true, proba in zip(weights, y_true, y_proba, strict=True)
        for j, p in enumerate(proba)
    )
    found = {
        name: MEASURES[name].metric(y_true, y_proba, **MEASURES[name].options, **given_)
        for name in MEASURES
        if MEASURES[name].input == "probabilities"
    }
    within = [
        [x / row if row else x for x in line]
        for line, row in zip(table, by_class, strict=True)
    ]
    with mpmath.workdps(digits(table)):
        check_all(
            found,
            {
                "probabilistic_confusion_entropy": cen(table, confused=True),
                "relative_probabilistic_confusion_entropy": cen(within, confused=True),
            },
        )
        exact = float(number(sum(errors) / total / 3))
    assert found["mean_absolute_probability_error"] == pytest.approx(
        exact, rel=1e-12, abs=1e-15
    )


@pytest.mark.parametrize("scale", [1e290, 1e-290, 2.0**-1060])
def test_sums_of_probabilities_of_any_weight(scale):
    """A power of two changes nothing, another factor the last digits."""
    y_true, y_proba = [0, 0, 1], np.array([[0.75, 0.25], [1, 0], [0.5, 0.5]])
    matrix = sem.probabilistic_confusion_matrix(y_true, y_proba)
    values = measure.evaluate(matrix)
    for name, value in measure.evaluate(matrix * scale).items():
        if name == CHANCE:  # it asks how many samples there are
            continue
        assert value == pytest.approx(values[name], rel=1e-13), name
    balance = EntropyBalance.from_confusion_matrix(matrix * scale)
    assert balance.normalized_information == pytest.approx(
        EntropyBalance.from_probabilities(y_true, y_proba).normalized_information,
        rel=1e-13,
    )


# What is above a table: its forms, groups, pairs of classes, segments


def seen(table):
    """The part of an exact table that has samples, and its classes."""
    classes = [k for k in CLASSES if any(table[k]) or any(line[k] for line in table)]
    return [[table[i][j] for j in classes] for i in classes], classes


ENGINES = {
    "pandas": lambda frame: frame,
    "polars": lambda frame: pytest.importorskip("polars").from_pandas(frame),
    "lazy polars": lambda frame: ENGINES["polars"](frame).lazy(),
    "pyarrow": lambda frame: pytest.importorskip("pyarrow").Table.from_pandas(frame),
    "duckdb": lambda frame: pytest.importorskip("duckdb").from_df(frame),
    "ibis": lambda frame: pytest.importorskip("ibis").memtable(frame),
    "dask": lambda frame: pytest.importorskip("dask.dataframe").from_pandas(frame),
}


@pytest.mark.parametrize(
    "engine",
    [pytest.param(e, marks=pytest.mark.slow) if e == "dask" else e for e in ENGINES],
)
@given(samples(LABELS, [WEIGHTS[0], st.floats(1e-6, 1)]))
def test_frames(engine, drawn):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    y_true, y_pred, weight = drawn
    frame = pd.DataFrame({"true": y_true, "pred": y_pred})
    if weight is not None:
        frame["weight"] = weight
    counted = sem.tabulate_frame(
        ENGINES[engine](frame),
        "true",
        "pred",
        weight=None if weight is None else "weight",
    )
    table, classes = seen(sums(y_true, np.eye(3)[y_pred], weight))
    assert counted.labels.tolist() == classes
    balance = EntropyBalance.from_confusion_matrix(counted)
    check_all(balance.to_dict(), entropies(table))
    if weight is not None:
        kish = sum(map(Fraction, weight)) ** 2 / sum(Fraction(w) ** 2 for w in weight)
        assert counted.n_samples == pytest.approx(float(kish), rel=1e-12)


class Echo(ClassifierMixin, BaseEstimator):
    """A classifier that says what is written in its only feature."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X["pred"].to_numpy()


@pytest.mark.filterwarnings("ignore::UserWarning")
@given(samples(LABELS, []))
def test_forms_of_a_table(drawn):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    y_true, y_pred, _ = drawn
    table, classes = seen(sums(y_true, np.eye(3)[y_pred], None))
    array = np.array(table, dtype=np.int64)
    crosstab = pd.crosstab(np.asarray(y_true), np.asarray(y_pred))
    truth = entropies(table)
    frame = pd.DataFrame({"true": y_true, "pred": y_pred})
    everything = np.arange(len(y_true))
    folds = sem.cross_val_tables(
        Echo(), frame[["pred"]], y_true, cv=[(everything, everything)]
    )
    for form in (
        array,
        sp.csr_array(array),
        EntropyBalance.from_predictions(y_true, y_pred),
        TableAccumulator().update(y_true, y_pred),
        crosstab,
        crosstab.iloc[::-1, ::-1],
        sem.tabulate_frame(frame, "true", "pred"),
        folds,
    ):
        balance = EntropyBalance.from_confusion_matrix(form)
        check_all(balance.to_dict(), truth)
        if len(y_true) > 1 and form is not folds:  # which count as fewer samples
            interval = sem.confidence_interval(table=form)
            check("NI", interval.plug_in, truth["normalized_information"])
        report = sem.information_report(table=form, output_dict=True)
        right = of_square(table)["accuracy"]
        check("accuracy", report["accuracy"]["accuracy"], right)
        if form is crosstab:
            assert [*report["classes"]] == [str(label) for label in classes]


@pytest.mark.filterwarnings("ignore::UserWarning")
@given(samples(st.tuples(PROBABILITIES, st.integers(0, 3)), []))
def test_log_loss_of_groups(drawn):
    """The mean over samples, and the spread of the sums of groups around it."""
    y_true, both, _ = drawn
    y_proba = np.array([proba for proba, _ in both])
    groups = np.array([group for _, group in both])
    if len(y_true) < 5 or len({*groups}) < 2:
        return
    losses = [
        -log2(Fraction(max(float(proba[true]), np.finfo(float).eps)))
        for true, proba in zip(y_true, y_proba, strict=True)
    ]
    n = len(losses)
    center = mpmath.fsum(losses) / n
    total = [
        mpmath.fsum(x - center for x, h in zip(losses, groups, strict=True) if h == g)
        for g in {*groups}
    ]
    error = mpmath.sqrt(
        mpmath.fsum((x / n) ** 2 for x in total) * len(total) / (len(total) - 1)
    )
    interval = sem.confidence_interval(
        y_true, metric="log_loss", y_proba=y_proba, groups=groups, labels=CLASSES
    )
    assert interval.estimate == pytest.approx(float(center), rel=1e-12, abs=1e-15)
    assert interval.standard_error == pytest.approx(float(error), rel=1e-9, abs=1e-9)


@pytest.mark.filterwarnings("ignore::UserWarning")
@given(samples(PROBABILITIES, [st.floats(1e-6, 1)]))
def test_stated_information(drawn):
    """A mean over samples; the entropy in it is too small by a known bias."""
    y_true, y_proba, weight = drawn
    if len(y_true) < 5:  # the folds of the recalibration
        return
    weights = [Fraction(1)] * len(y_true) if weight is None else map(Fraction, weight)
    weights = list(weights)
    total = sum(weights)
    parts = [number(w / total) for w in weights]
    share = [
        sum(w for w, y in zip(weights, y_true, strict=True) if y == k) for k in CLASSES
    ]
    eps = np.finfo(float).eps
    bits = [
        log2(Fraction(float(np.clip(proba[true], eps, 1 - eps))))
        - log2(share[true] / total)
        for true, proba in zip(y_true, y_proba, strict=True)
    ]
    center = mpmath.fsum(w * x for w, x in zip(parts, bits, strict=True))
    n = len(bits)
    square = mpmath.fsum(
        (w * (x - center)) ** 2 for w, x in zip(parts, bits, strict=True)
    )
    n_effective = 1 / mpmath.fsum(w * w for w in parts)
    bias = (len({*y_true.tolist()}) - 1) / (2 * n_effective * mpmath.log(2))
    error = mpmath.sqrt(square * n / (n - 1) + (bias / 2) ** 2)
    interval = sem.confidence_interval(
        y_true,
        metric="stated_information",
        y_proba=np.array(y_proba),
        labels=CLASSES,
        sample_weight=weight,
    )
    assert interval.plug_in == pytest.approx(float(center), rel=1e-12, abs=1e-14)
    assert interval.estimate == pytest.approx(
        float(center + bias), rel=1e-12, abs=1e-14
    )
    assert interval.standard_error == pytest.approx(float(error), rel=1e-9, abs=1e-9)


@pytest.mark.filterwarnings("ignore::UserWarning")
@given(
    hnp.arrays(
        np.int64, st.tuples(*[st.integers(2, 4)] * 2), elements=st.integers(0, 9)
    )
)
def test_pairs(table):
    table = table[: min(table.shape), : min(table.shape)]
    if not table.any():
        return
    pairs = sem.confusion_pairs(table=table, alpha=1).pairs
    n_rows, n_columns = (table.sum(axis=axis).astype(bool).sum() for axis in (1, 0))
    occupied = table.sum(axis=1).astype(bool) & table.sum(axis=0).astype(bool)
    n_cells = n_rows * n_columns - occupied.sum()
    assert len(pairs) == np.count_nonzero(table) - np.count_nonzero(table.diagonal())
    tails = [
        mpmath.gammainc(pair.count, 0, pair.expected, regularized=True)
        for pair in pairs
    ]
    for i, (pair, tail) in enumerate(zip(pairs, tails, strict=True)):
        assert table[pair.true, pair.pred] == pair.count
        assert pair.p_value == pytest.approx(float(tail), rel=1e-9)
        later = [x * n_cells / (j + 1) for j, x in enumerate(tails) if j >= i]
        assert pair.adjusted_p_value == pytest.approx(min(1, float(min(later))))


@pytest.mark.filterwarnings("ignore::UserWarning")
@given(
    st.lists(st.tuples(LABELS, LABELS, LABELS), min_size=2, max_size=40).filter(
        lambda rows: len({by for *_, by in rows}) > 1
    )
)
def test_segments(rows):
    y_true, y_pred, by = np.array(rows).T
    bits = sem.compare_segments(y_true, y_pred, by, n_resamples=9, random_state=0)

    def information(a, b, given_=None):
        """Of two labels, given a third one."""
        parts = [a == a] if given_ is None else [given_ == k for k in {*given_}]
        return mpmath.fsum(
            entropies(sums(a[part], np.eye(3)[b[part]], None))["mutual_information"]
            * int(part.sum())
            / len(a)
            for part in parts
        )

    for test, truth in (
        (bits.separation, information(y_pred, by, y_true)),
        (bits.independence, information(y_pred, by)),
        (bits.sufficiency, information(y_true, by, y_pred)),
    ):
        assert test.bits == pytest.approx(float(truth), rel=1e-12, abs=1e-14)
