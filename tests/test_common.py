"""What holds for every measure in the catalogue, from tables and from labels."""

import inspect
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse as sp
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer
from sklearn.naive_bayes import GaussianNB

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics.measure import MEASURES, evaluate
from sklearn_entropy_metrics.measure.catalog import EXCHANGED, RENAMED

RNG = np.random.default_rng(7)
N = 300
TRUE = RNG.choice(4, N, p=[0.5, 0.3, 0.15, 0.05])
PRED = np.where(RNG.random(N) < 0.6, TRUE, RNG.integers(0, 4, N))
PROBA = RNG.dirichlet([0.5] * 4, N)
WEIGHT = RNG.integers(0, 4, N)
MANY_CLASSES = RNG.integers(0, 30, (5, 6, 4, 4))
TWO_CLASSES = RNG.integers(1, 30, (5, 6, 2, 2))

OF_PROBABILITIES = {n for n, m in MEASURES.items() if m.of_probabilities}
# Measures of several labels a sample have tests of their own.
OF_SEVERAL_LABELS = {n for n, m in MEASURES.items() if m.of_several_labels}
# No table can stand for the samples, whose order decides what is in which fold.
OF_SAMPLES = {n for n, m in MEASURES.items() if m.input == "samples"}
OF_TWO_CLASSES = {n for n, m in MEASURES.items() if m.input == "2x2 table"}
# Their values depend on the number of samples, not on the shares of the cells alone.
COUNT_SAMPLES = {n for n, m in MEASURES.items() if m.limit is not None}
# Rows of the catalogue say what leaves a measure unchanged.
SYMMETRIC = {n for n, m in MEASURES.items() if EXCHANGED in m.unchanged_by}
SEES_RELABELLING = {n for n, m in MEASURES.items() if RENAMED not in m.unchanged_by}

METRICS = {
    name: measure.metric
    for name, measure in MEASURES.items()
    if measure.metric is not None and not measure.of_several_labels
}
OF_LABELS = [name for name in METRICS if name not in OF_PROBABILITIES]

every_measure = pytest.mark.parametrize(
    "name", [n for n in MEASURES if n not in OF_SAMPLES | OF_SEVERAL_LABELS]
)
every_metric = pytest.mark.parametrize("name", METRICS)
every_metric_of_tables = pytest.mark.parametrize(
    "name", [name for name in METRICS if name not in OF_SAMPLES]
)
every_label_metric = pytest.mark.parametrize("name", OF_LABELS)
every_metric_of_many_classes = pytest.mark.parametrize(
    "name", [name for name in OF_LABELS if name not in OF_TWO_CLASSES]
)


def tables(name):
    """A stack of tables that the measure takes."""
    return TWO_CLASSES if name in OF_TWO_CLASSES else MANY_CLASSES


def samples(name):
    """True labels, and the labels or probabilities that the metric takes."""
    if name in OF_PROBABILITIES:
        return TRUE, PROBA
    if name in OF_TWO_CLASSES:
        return np.minimum(TRUE, 1), np.minimum(PRED, 1)
    return TRUE, PRED


def parameters(name):
    return inspect.signature(METRICS[name]).parameters


def score(name, y_true, y_pred, **kwargs):
    return METRICS[name](y_true, y_pred, **MEASURES[name].options, **kwargs)


def same(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", MEASURES)
def test_row_of_the_catalogue(name):
    measure = MEASURES[name]
    assert measure.name == name
    assert getattr(sem.measure, measure.function.__name__) is measure.function
    tables = ("table", "square table", "2x2 table")
    assert measure.input in (*tables, "label tables", "probabilities", "samples")
    scoring = {"maximize": name, "minimize": f"neg_{name}", "zero": None}
    assert measure.scoring == scoring[measure.direction]
    assert measure.meaning
    low, high = measure.bounds((3, 3))
    assert low < high
    for end, value in zip(measure.range, (low, high), strict=True):
        assert end.text
        assert end.value(3, 3) == value


@every_measure
def test_stack_equals_loop(name):
    stack = MEASURES[name](tables(name))
    assert stack.shape == tables(name).shape[:-2]
    for index in np.ndindex(stack.shape):
        one = MEASURES[name](tables(name)[index])
        assert type(one) is float
        assert one == stack[index]


@every_measure
@pytest.mark.parametrize("n_classes", [4, 200])
def test_sparse_equals_dense(name, n_classes):
    shape = (2, 2) if name in OF_TWO_CLASSES else (n_classes, n_classes)
    table = np.random.default_rng(0).poisson(0.1, shape)
    table += np.diag(RNG.integers(1, 9, len(table)))
    same(MEASURES[name](sp.csr_array(table)), MEASURES[name](table))


@every_measure
def test_dtype_and_scale(name):
    stack = tables(name)
    expected = MEASURES[name](stack)
    for dtype in (np.int8, np.uint16, np.uint64, np.float32, np.float64):
        same(MEASURES[name](stack.astype(dtype)), expected)
    for scaled in (stack / stack.sum(axis=(-2, -1), keepdims=True), stack * 1e-9):
        if name in COUNT_SAMPLES:
            assert np.isnan(MEASURES[name](scaled)).all()
        else:
            same(MEASURES[name](scaled), expected)
    same(MEASURES[name](stack.tolist()), expected)
    same(MEASURES[name](pd.DataFrame(stack[0, 0])), expected[0, 0])


@every_measure
def test_a_table_is_not_changed(name):
    table = tables(name).copy()
    MEASURES[name](table)
    np.testing.assert_array_equal(table, tables(name))


@every_measure
def test_common_permutation_of_rows_and_columns(name):
    stack = tables(name)
    order = [1, 0] if name in OF_TWO_CLASSES else [2, 0, 3, 1]
    permuted, plain = (
        MEASURES[name](stack[..., order, :][..., order]),
        MEASURES[name](stack),
    )
    if MEASURES[name].needs_positive:
        assert not np.isclose(permuted, plain).all()
    else:
        same(permuted, plain)


@every_measure
def test_permutation_of_columns(name):
    stack = tables(name)
    order = [1, 0] if name in OF_TWO_CLASSES else [2, 0, 3, 1]
    permuted, plain = MEASURES[name](stack[..., order]), MEASURES[name](stack)
    if name in SEES_RELABELLING:
        assert np.isclose(permuted, plain).mean() < 0.2
    else:
        same(permuted, plain)


@every_measure
def test_transposition(name):
    transposed = MEASURES[name](np.swapaxes(tables(name), -1, -2))
    if name in SYMMETRIC:
        same(transposed, MEASURES[name](tables(name)))
    else:
        assert not np.isclose(transposed, MEASURES[name](tables(name))).all()


@every_measure
def test_all_zero_tables_in_a_stack_are_undefined(name):
    stack = tables(name).copy()
    stack[1, 1] = 0
    undefined = np.isnan(MEASURES[name](stack))
    assert undefined[1, 1]
    assert undefined.sum() == 1


@every_measure
def test_rectangular_tables(name):
    table = RNG.integers(1, 9, (3, 5))
    if MEASURES[name].input != "table":
        with pytest.raises(ValueError, match=r"square table. Got shape \(3, 5\)"):
            MEASURES[name](table)
    else:
        assert np.isfinite(MEASURES[name](table))


@pytest.mark.parametrize("name", sorted(OF_TWO_CLASSES))
def test_more_than_two_classes(name):
    with pytest.raises(ValueError, match=r"2x2 tables.*Got shape \(3, 3\)"):
        MEASURES[name](np.eye(3))


@every_measure
@pytest.mark.parametrize("table", [[[1, -1], [0, 2]], [[0, 0], [0, 0]], [1, 2]])
def test_wrong_tables(name, table):
    with pytest.raises(ValueError, match="table"):
        MEASURES[name](table)


@every_measure
def test_best(name):
    """A perfect classifier of balanced classes is as good as the range allows."""
    measure = MEASURES[name]
    perfect = 3 * np.eye(2 if name in OF_TWO_CLASSES else 5)
    ends = dict(
        zip(("minimize", "maximize"), measure.bounds(perfect.shape), strict=True)
    )
    assert measure(perfect) == measure.best(perfect) == ends.get(measure.direction, 0)
    rare = np.diag([9, 3, 1, 1, 1][: len(perfect)])
    assert measure(rare) == pytest.approx(measure.best(rare), rel=1e-15)


def test_evaluate():
    values = evaluate(MANY_CLASSES)
    listed = {n for n, m in MEASURES.items() if m.is_listed}
    of_one_table = listed - OF_PROBABILITIES - OF_SEVERAL_LABELS
    assert values.keys() == of_one_table - OF_TWO_CLASSES
    for name, value in values.items():
        np.testing.assert_array_equal(value, MEASURES[name](MANY_CLASSES))
    assert evaluate(TWO_CLASSES).keys() == of_one_table
    only = evaluate(RNG.integers(1, 9, (3, 5)))
    assert list(only) == [n for n, m in MEASURES.items() if m.input == "table"]
    assert list(evaluate(np.eye(2), ["accuracy"])) == ["accuracy"]
    with pytest.raises(
        ValueError, match=r"MEASURES lists .* Got 'akkuracy'. Did you mean 'accuracy'"
    ):
        evaluate(np.eye(2), ["akkuracy"])


@pytest.mark.parametrize("name", sorted(OF_SAMPLES))
def test_a_table_does_not_hold_samples(name):
    assert name not in evaluate(np.eye(2))
    for function in (MEASURES[name], lambda table: evaluate(table, [name])):
        with pytest.raises(ValueError, match="a table does not contain them"):
            function(np.eye(2))


@every_metric_of_tables
def test_labels_equal_table(name):
    y_true, second = samples(name)
    tabulate = (
        sem.probabilistic_confusion_matrix
        if name in OF_PROBABILITIES
        else sem.contingency_table
    )
    got = score(name, y_true, second)
    assert type(got) is float
    assert got == pytest.approx(MEASURES[name](tabulate(y_true, second)), rel=1e-14)


@every_metric_of_tables
def test_order_of_samples(name):
    y_true, second = samples(name)
    order = RNG.permutation(N)
    same(score(name, y_true[order], second[order]), score(name, y_true, second))


@every_label_metric
def test_relabelling(name):
    y_true, y_pred = samples(name)
    expected = score(name, y_true, y_pred)
    names = np.array(["delta", "alpha", "charlie", "bravo"])
    numbers = 10**12 - 7 * np.arange(4)
    for new in (names, numbers):
        positive = {"pos_label": new[1]} if MEASURES[name].needs_positive else {}
        same(score(name, new[y_true], new[y_pred], **positive), expected)


@pytest.mark.parametrize("name", sorted(OF_PROBABILITIES))
def test_relabelling_with_probabilities(name):
    names = ["delta", "alpha", "charlie", "bravo"]
    expected = score(name, TRUE, PROBA)
    same(score(name, np.array(names)[TRUE], PROBA, labels=names), expected)
    order = np.argsort(names)
    same(score(name, np.array(names)[TRUE], PROBA[:, order]), expected)


@every_metric
def test_kinds_of_input(name):
    y_true, second = samples(name)
    expected = score(name, y_true, second)
    weighted = score(name, y_true, second, sample_weight=WEIGHT)
    frames = name in OF_PROBABILITIES
    for first_kind, second_kind in (
        (list, list),
        (np.asarray, np.asarray),
        (pd.Series, pd.DataFrame if frames else pd.Series),
        (pl.Series, pl.DataFrame if frames else pl.Series),
    ):
        assert score(name, first_kind(y_true), second_kind(second)) == expected
        got = score(name, y_true, second, sample_weight=first_kind(WEIGHT))
        assert got == weighted


@every_metric
def test_zero_weight_samples_are_removed(name):
    y_true, second = samples(name)
    keep = WEIGHT > 0
    same(
        score(name, y_true, second, sample_weight=WEIGHT),
        score(name, y_true[keep], second[keep], sample_weight=WEIGHT[keep]),
    )


@every_metric_of_many_classes
def test_classes_of_zero_weight_are_not_seen(name):
    only = np.isin(TRUE, [0, 1]) & np.isin(PRED, [0, 1])
    seen = score(name, TRUE[only], PRED[only])
    same(score(name, TRUE, PRED, sample_weight=only), seen)


@every_metric_of_tables
def test_integer_weights_are_repetitions(name):
    if name in COUNT_SAMPLES:
        pytest.skip("weights count by their effective number, whatever their scale")
    y_true, second = samples(name)
    same(
        score(name, y_true, second, sample_weight=WEIGHT),
        score(name, np.repeat(y_true, WEIGHT), np.repeat(second, WEIGHT, axis=0)),
    )


@every_metric
def test_scale_of_weights(name):
    y_true, second = samples(name)
    plain = score(name, y_true, second, sample_weight=WEIGHT)
    for scale in (1e-12, 0.1, 1e9):
        same(score(name, y_true, second, sample_weight=WEIGHT * scale), plain)
    constant = score(name, y_true, second, sample_weight=np.full(N, 0.3))
    same(constant, score(name, y_true, second))


@every_metric_of_many_classes
@pytest.mark.slow
def test_very_many_classes_equal_few(name):
    """The sparse way: 2,000 classes, of which the labels name a few."""
    labels = np.arange(2000)
    got = score(name, TRUE, PRED, labels=labels)
    dense = sem.contingency_table(TRUE, PRED, labels=labels)
    same(got, MEASURES[name](dense))


# Undefined and doubtful values


def told(function):
    """What a call returns, and the warnings that it gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return function(), caught


def one_class(name):
    """Samples of one true class, and what else the metric needs to know."""
    y_true, second = samples(name)
    keep = y_true == 1
    labels = {"labels": [0, 1] if name in OF_TWO_CLASSES else [0, 1, 2, 3]}
    return y_true[keep], second[keep], labels


@every_metric
def test_one_true_class_is_told_once(name):
    y_true, second, labels = one_class(name)
    value, (warning,) = told(lambda: score(name, y_true, second, **labels))
    assert warning.filename == __file__
    if np.isnan(value):
        assert warning.category is UndefinedMetricWarning
        assert "`replace_undefined_by`" in str(warning.message)
    else:
        assert warning.category is UserWarning
        assert "y_true has one class only (1)" in str(warning.message)


@every_metric
def test_a_number_for_undefined_values_is_returned_silently(name):
    y_true, second, labels = one_class(name)
    value, _ = told(lambda: score(name, y_true, second, **labels))
    replaced, caught = told(
        lambda: score(name, y_true, second, replace_undefined_by=-7, **labels)
    )
    if np.isnan(value):
        assert (replaced, caught) == (-7, [])
    else:
        assert replaced == value
        assert len(caught) == 1


@pytest.mark.parametrize("name", [n for n in METRICS if MEASURES[n].scoring])
def test_a_string_of_one_true_class_is_told_once(name):
    y_true, _, _ = one_class(name)
    X = RNG.normal(size=(len(y_true), 1))
    classes = [0, 1] if name in OF_TWO_CLASSES else [0, 1, 2, 3]
    classifier = GaussianNB().fit(np.arange(len(classes))[:, None], classes)
    scoring = MEASURES[name].scoring
    value, (warning,) = told(lambda: get_scorer(scoring)(classifier, X, y_true))
    several, (same_warning,) = told(
        lambda: sem.InformationScorer([scoring])(classifier, X, y_true)
    )
    same(several[scoring], value)
    assert warning.category is same_warning.category
    undefined = warning.category is UndefinedMetricWarning
    assert np.isnan(value) == undefined
    package = str(Path(sem.__file__).parent)
    assert not warning.filename.startswith(package)
    assert same_warning.filename == __file__


@every_metric_of_many_classes
def test_labels_that_have_nothing_in_common_are_told_once(name):
    value, caught = told(lambda: score(name, TRUE, PRED + 4))
    warning, *undefined = caught
    assert len(undefined) == np.isnan(value)
    assert warning.category is UserWarning
    assert warning.filename == __file__
    assert "share no label" in str(warning.message)
    assert "`pred_labels`" in str(warning.message)
    if "pred_labels" in parameters(name):
        _, caught = told(lambda: score(name, TRUE, PRED + 4, pred_labels=[4, 5, 6, 7]))
        assert not [one for one in caught if "share no label" in str(one.message)]


@pytest.mark.parametrize(
    "name", [n for n in OF_LABELS if "pred_labels" in parameters(n)]
)
def test_names_of_classes_and_numbers_of_clusters(name):
    """They are of different kinds, which is allowed if the columns are named."""
    y_true, clusters = samples(name)
    classes = np.array(["no", "yes", "maybe", "never"])
    given = {"pos_label": "yes"} if MEASURES[name].needs_positive else {}
    named, _ = told(
        lambda: score(
            name,
            classes[y_true],
            np.array(["0", "1", "2", "3"])[clusters],
            pred_labels=["0", "1", "2", "3"],
            **given,
        )
    )
    numbered, caught = told(
        lambda: score(
            name, classes[y_true], clusters, pred_labels=[0, 1, 2, 3], **given
        )
    )
    assert numbered == pytest.approx(named, rel=1e-15, nan_ok=True)
    assert len(caught) == np.isnan(numbered)
    with pytest.raises(ValueError, match="pred_labels"):
        score(name, classes[y_true], clusters, **given)


@pytest.mark.parametrize("name", sorted(OF_PROBABILITIES))
def test_classes_without_any_probability_are_told_once(name):
    proba = np.hstack([np.zeros((N, 4)), PROBA])
    value, (warning,) = told(lambda: score(name, TRUE, proba, labels=np.arange(8)))
    assert np.isfinite(value)
    assert warning.category is UserWarning
    assert "y_true and y_proba share no class" in str(warning.message)
    assert warning.filename == __file__


@every_measure
def test_measures_of_tables_say_nothing(name):
    n_classes = 2 if name in OF_TWO_CLASSES else 4
    doubtful = np.zeros((2, n_classes, n_classes))
    doubtful[0, 1] = 5  # one true class
    doubtful[1, 0, 1] = doubtful[1, -1, 1] = 5  # a constant prediction
    value, caught = told(lambda: MEASURES[name](doubtful))
    assert value.shape == (2,)
    assert caught == []


@every_metric
def test_signature(name):
    """Two positional arguments, all others by keyword."""
    of_metric = parameters(name).values()
    positional = [p.name for p in of_metric if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert positional == [
        "y_true",
        "y_proba" if name in OF_PROBABILITIES else "y_pred",
    ]
    assert all(p.kind is p.KEYWORD_ONLY for p in list(of_metric)[2:])
    assert {"labels", "sample_weight", "replace_undefined_by"} <= parameters(
        name
    ).keys()


@every_metric
@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        (([0, 1], [0]), {}),
        (([], []), {}),
        (([0, None], [0, 1]), {}),
        (([0.5, 1.5], [0, 1]), {}),
        (([0, 1], ["a", "b"]), {}),
        ((np.eye(2), np.eye(2)), {}),
        (([0, 1], [0, 1]), {"labels": [0]}),
        (([0, 1], [0, 1]), {"sample_weight": [1, -1]}),
        (([0, 1], [0, 1]), {"sample_weight": [0, 0]}),
        (([0, 1], [0, 1]), {"replace_undefined_by": "warn"}),
    ],
)
def test_wrong_input_never_returns_a_number(name, args, kwargs):
    with pytest.raises(ValueError, match=r"."):
        METRICS[name](*args, **kwargs)
