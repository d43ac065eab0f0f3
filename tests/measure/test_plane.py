"""φ and δ, the unbiased family, and the geometry of the plane."""

import warnings
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    balanced_accuracy_score,
    f1_score,
    get_scorer,
    matthews_corrcoef,
    precision_score,
    recall_score,
)
from sklearn.model_selection import (
    TunedThresholdClassifierCV,
    cross_val_score,
    cross_validate,
)

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import EntropyBalance, InformationScorer, measure

FAMILY = {
    "discriminant_capability": sem.discriminant_capability_score,
    "characteristic_capability": sem.characteristic_capability,
    "unbiased_accuracy": sem.unbiased_accuracy_score,
    "unbiased_precision": sem.unbiased_precision_score,
    "unbiased_f1": sem.unbiased_f1_score,
    "unbiased_matthews_corrcoef": sem.unbiased_matthews_corrcoef,
}
SCORED = [name for name in FAMILY if name != "characteristic_capability"]
RNG = np.random.default_rng(0)
TRUE = RNG.choice([0, 1], 400, p=[0.8, 0.2])
PRED = np.where(RNG.random(400) < 0.8, TRUE, 1 - TRUE)
TRUE3 = RNG.choice(3, 300, p=[0.6, 0.3, 0.1])
PRED3 = np.where(RNG.random(300) < 0.7, TRUE3, RNG.integers(0, 3, 300))

TABLES = hnp.arrays(np.int64, (2, 2), elements=st.integers(0, 1000))
RATES = st.floats(0, 1)
PREVALENCES = st.floats(0.01, 0.99)


def samples(table):
    (tn, fp), (fn, tp) = table
    y_true = np.repeat([0, 0, 1, 1], [tn, fp, fn, tp])
    return y_true, np.repeat([0, 1, 0, 1], [tn, fp, fn, tp])


@given(TABLES.filter(lambda table: (table.sum(axis=1) > 0).all()))
def test_against_scikit_learn(table):
    y_true, y_pred = samples(table)
    phi, delta = measure.phi_delta(table)
    assert abs(phi) + abs(delta) <= 1 + 1e-12
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of scikit-learn, about empty predictions
        adjusted = balanced_accuracy_score(y_true, y_pred, adjusted=True)
        balanced = balanced_accuracy_score(y_true, y_pred)
    assert delta == pytest.approx(adjusted, abs=1e-12)
    assert measure.unbiased_accuracy(table) == pytest.approx(balanced, abs=1e-12)
    weight = np.where(y_true == 1, 1 / (y_true == 1).sum(), 1 / (y_true == 0).sum())
    kwargs = {"sample_weight": weight, "zero_division": np.nan}
    precision = precision_score(y_true, y_pred, **kwargs)
    np.testing.assert_allclose(measure.unbiased_precision(table), precision, rtol=1e-12)
    npv = precision_score(y_true, y_pred, pos_label=0, **kwargs)
    np.testing.assert_allclose(measure.unbiased_npv(table), npv, rtol=1e-12)
    f1 = f1_score(y_true, y_pred, **kwargs)
    assert measure.unbiased_f1(table) == pytest.approx(f1, abs=1e-12)
    if len(set(y_pred)) == 2:
        mcc = matthews_corrcoef(y_true, y_pred, sample_weight=weight)
        got = measure.unbiased_matthews_corrcoef(table)
        assert got == pytest.approx(mcc, abs=1e-12)
    else:
        assert np.isnan(measure.unbiased_matthews_corrcoef(table))


@pytest.mark.parametrize("name", FAMILY)
def test_the_ratio_of_the_classes_does_not_matter(name):
    more = np.repeat(np.arange(400), np.where(TRUE == 0, 10, 1))
    plain = FAMILY[name](TRUE, PRED)
    assert FAMILY[name](TRUE[more], PRED[more]) == pytest.approx(plain, rel=1e-12)


@pytest.mark.parametrize("metric", [precision_score, f1_score, matthews_corrcoef])
def test_but_it_does_for_the_usual_ones(metric):
    more = np.repeat(np.arange(400), np.where(TRUE == 0, 10, 1))
    assert abs(metric(TRUE[more], PRED[more]) - metric(TRUE, PRED)) > 0.1


def test_corners():
    y = np.array([0, 0, 0, 1])
    assert sem.phi_delta(y, y) == (0, 1)
    assert sem.phi_delta(y, 1 - y) == (0, -1)
    assert sem.phi_delta(y, np.ones(4, int)) == (1, 0)
    assert sem.phi_delta(y, np.zeros(4, int)) == (-1, 0)
    corners = measure.phi_delta_corners()
    assert {name: tuple(corner) for name, corner in corners.items()} == {
        "oracle": (0, 1),
        "always_positive": (1, 0),
        "anti_oracle": (0, -1),
        "always_negative": (-1, 0),
    }


@given(PREVALENCES)
def test_corners_of_the_corrected_diamond(p):
    n = 1 - p
    corners = measure.phi_delta_corners(prevalence=p)
    np.testing.assert_allclose(corners["oracle"], [0, 1], atol=1e-12)
    np.testing.assert_allclose(corners["anti_oracle"], [2 * (n - p), -1], atol=1e-12)
    np.testing.assert_allclose(corners["always_negative"], [-2 * p, n - p], atol=1e-12)
    np.testing.assert_allclose(corners["always_positive"], [2 * n, p - n], atol=1e-12)


@given(RATES, RATES, st.one_of(st.none(), PREVALENCES))
def test_rates_and_back(fpr, tpr, prevalence):
    point = measure.phi_delta_from_rates(fpr, tpr, prevalence=prevalence)
    back = measure.rates_from_phi_delta(*point, prevalence=prevalence)
    np.testing.assert_allclose(back, [fpr, tpr], atol=1e-10)


@given(TABLES.filter(lambda table: (table.sum(axis=1) > 0).all()))
def test_prevalence_corrected(table):
    (_, fp), (fn, _) = shares = table / table.sum()
    phi, delta = measure.phi_delta(table, prevalence_corrected=True)
    assert delta == pytest.approx(2 * measure.accuracy(table) - 1, abs=1e-12)
    assert phi == pytest.approx(2 * (fp - fn), abs=1e-12)
    fpr, tpr = table[:, 1] / table.sum(axis=1)
    by_rates = measure.phi_delta_from_rates(fpr, tpr, prevalence=shares[1].sum())
    np.testing.assert_allclose(by_rates, [phi, delta], atol=1e-12)
    y_true, y_pred = samples(table)
    got = sem.phi_delta(y_true, y_pred, prevalence_corrected=True)
    np.testing.assert_allclose(got, [phi, delta], atol=1e-12)


def value_of(name, fpr, tpr, prevalence):
    """A measure by its definition."""
    p = prevalence
    n = 1 - p
    return {
        "sensitivity": tpr,
        "specificity": 1 - fpr,
        "precision": p * tpr / (p * tpr + n * fpr),
        "npv": n * (1 - fpr) / (n * (1 - fpr) + p * (1 - tpr)),
        "accuracy": p * tpr + n * (1 - fpr),
    }[name]


@pytest.mark.parametrize(
    "name", ["sensitivity", "specificity", "precision", "npv", "accuracy"]
)
@pytest.mark.parametrize("prevalence", [None, 0.5, 0.1, 0.8])
def test_points_on_isometric_lines(name, prevalence):
    values = np.array([0.1, 0.35, 0.5, 0.72, 0.95])
    lines = measure.isometric_lines(name, values, prevalence=prevalence)
    assert lines.shape == (5, 2, 2)
    for value, (start, end) in zip(values, lines, strict=True):
        along = np.linspace(0.05, 0.95, 7)[:, None]
        phi, delta = (start + along * (end - start)).T
        fpr, tpr = measure.rates_from_phi_delta(phi, delta, prevalence=prevalence)
        got = value_of(name, fpr, tpr, 0.5 if prevalence is None else prevalence)
        np.testing.assert_allclose(got, value, atol=1e-12)
        ends = np.transpose([start, end])
        rates = np.array(measure.rates_from_phi_delta(*ends, prevalence=prevalence))
        on_border = np.isclose(rates, 0, atol=1e-9) | np.isclose(rates, 1, atol=1e-9)
        assert on_border.any(axis=0).all()
        assert ((rates > -1e-9) & (rates < 1 + 1e-9)).all()


def test_isometric_lines_at_the_edges():
    sensitivity = measure.isometric_lines("sensitivity", [0.0, 1.0])
    np.testing.assert_allclose(sensitivity[1], [[0, 1], [1, 0]], atol=1e-12)
    np.testing.assert_allclose(sensitivity[0], [[-1, 0], [0, -1]], atol=1e-12)
    impossible = measure.isometric_lines("accuracy", [-0.1, 1.2])
    assert np.isnan(impossible).all()
    with pytest.raises(ValueError, match=r"one of sensitivity.*'recall'"):
        measure.isometric_lines("recall", [0.5])
    with pytest.raises(ValueError, match=r"prevalence must lie.*1.5"):
        measure.isometric_lines("accuracy", [0.5], prevalence=1.5)
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        measure.rates_from_phi_delta(0, 0, prevalence=1)


def exact_line(name, value, prevalence):
    """Ends of an isometric, exactly: where it crosses the sides of the square."""
    c, p = Fraction(value), Fraction(prevalence)
    n = 1 - p
    excess = {
        "sensitivity": lambda x, y: y - c,
        "specificity": lambda x, y: 1 - x - c,
        "precision": lambda x, y: p * y * (1 - c) - n * x * c,
        "npv": lambda x, y: n * (1 - x) * (1 - c) - p * (1 - y) * c,
        "accuracy": lambda x, y: n * (1 - x) + p * y - c,
    }[name]
    points = []
    for start, end in combinations([(0, 0), (1, 0), (0, 1), (1, 1)], 2):
        here, there = excess(*start), excess(*end)
        if sum(start) + sum(end) != 2 and here != there and here * there <= 0:
            way = here / (here - there)
            x, y = (a + way * (b - a) for a, b in zip(start, end, strict=True))
            phi, delta = x + y - 1, y - x
            points.append((x + y, phi + (n - p) * (1 - delta), delta - (n - p) * phi))
    return [list(map(float, end[1:])) for end in (min(points), max(points))]


SHARES = st.one_of(
    st.floats(0, 1, exclude_min=True, exclude_max=True),
    st.sampled_from([0.001, 0.999, 1e-10, 1 - 1e-10, 1e-300]),
)


@given(
    st.sampled_from(["sensitivity", "specificity", "precision", "npv", "accuracy"]),
    st.one_of(st.sampled_from([0.0, 1.0, 0.5]), SHARES),
    SHARES,
)
@example("accuracy", 1.0, 0.001)
@example("accuracy", 1 - 5e-11, 1e-10)
def test_isometric_lines_are_exact_at_any_prevalence(name, value, prevalence):
    line = measure.isometric_lines(name, [value], prevalence=prevalence)[0]
    expected = exact_line(name, value, prevalence)
    np.testing.assert_allclose(line, expected, rtol=0, atol=1e-14)


def test_tables_from_rates_are_balanced_by_default():
    table = measure.table_from_rates(0.2, 0.7)
    np.testing.assert_allclose(table, [[0.4, 0.1], [0.15, 0.35]], rtol=1e-15)
    form = measure.mutual_information_from_phi_delta
    assert form(-0.1, 0.5) == form(-0.1, 0.5, prevalence=0.5)
    assert form(-0.1, 0.5) != form(-0.1, 0.5, prevalence=0.4)


@given(TABLES.filter(lambda table: (table.sum(axis=1) > 0).all()))
def test_information_over_the_plane(table):
    phi, delta = measure.phi_delta(table)
    prevalence = table[1].sum() / table.sum()
    b = EntropyBalance.from_confusion_matrix(table)
    information = measure.mutual_information_from_phi_delta(
        phi, delta, prevalence=prevalence
    )
    if not np.isnan(information):  # rounding may leave the diamond
        assert information == pytest.approx(b.mutual_information, abs=1e-9)
        rates = measure.rates_from_phi_delta(phi, delta)
        ni = measure.normalized_information_from_roc(*rates, prevalence)
        assert ni == pytest.approx(b.normalized_information, abs=1e-9)


def test_information_of_a_grid():
    phi, delta = np.meshgrid(np.linspace(-1, 1, 21), np.linspace(-1, 1, 21))
    rates = measure.rates_from_phi_delta(phi, delta)
    ni = measure.normalized_information_from_roc(*rates, 0.3)
    inside = np.abs(phi) + np.abs(delta) <= 1 + 1e-12
    assert np.isnan(ni[~inside]).all()
    assert np.isfinite(ni[np.abs(phi) + np.abs(delta) < 0.999]).all()
    np.testing.assert_allclose(ni[10][inside[10]], 0, atol=1e-12)  # the φ axis
    np.testing.assert_allclose(ni[:, 10], ni[::-1, 10], atol=1e-12)


# From labels


@pytest.mark.parametrize("name", FAMILY)
def test_averages_equal_the_loop_over_classes(name):
    metric = FAMILY[name]
    loop = [metric(c == TRUE3, c == PRED3, pos_label=True) for c in range(3)]
    each = metric(TRUE3, PRED3, average=None)
    np.testing.assert_allclose(each, loop, rtol=1e-12)
    macro = metric(TRUE3, PRED3, average="macro")
    assert type(macro) is float
    assert macro == pytest.approx(np.mean(loop), rel=1e-12)
    weighted = metric(TRUE3, PRED3, average="weighted")
    expected = np.average(loop, weights=np.bincount(TRUE3))
    assert weighted == pytest.approx(expected, rel=1e-12)
    table = sem.contingency_table(TRUE3, PRED3)
    for average in (None, "macro", "weighted"):
        np.testing.assert_allclose(
            getattr(measure, name)(table, average=average),
            metric(TRUE3, PRED3, average=average),
            rtol=1e-12,
        )


def test_weights_and_stacks_of_averages():
    weight = RNG.random(300)
    got = sem.discriminant_capability_score(
        TRUE3, PRED3, average="macro", sample_weight=weight
    )
    recalls = [
        recall_score(c == TRUE3, c == PRED3, sample_weight=weight, pos_label=pos)
        for c in range(3)
        for pos in (True, False)
    ]
    assert got == pytest.approx(np.sum(recalls) / 3 - 1, rel=1e-12)
    stack = RNG.integers(0, 9, (5, 4, 3, 3))
    whole = measure.unbiased_f1(stack, average="weighted")
    assert whole.shape == (5, 4)
    assert whole[2, 3] == measure.unbiased_f1(stack[2, 3], average="weighted")
    assert measure.phi_delta(stack, average=None)[0].shape == (5, 4, 3)


@pytest.mark.parametrize("name", FAMILY)
def test_a_missing_class_is_left_out_of_the_average(name):
    metric = FAMILY[name]
    kwargs = {"labels": [0, 1, 2, 3]}
    assert metric(TRUE3, PRED3, average="macro", **kwargs) == pytest.approx(
        metric(TRUE3, PRED3, average="macro"), rel=1e-12
    )
    with pytest.warns(UndefinedMetricWarning) as record:
        each = metric(TRUE3, PRED3, average=None, **kwargs)
    assert len(record) == 1
    np.testing.assert_array_equal(np.isnan(each), [False, False, False, True])
    replaced = metric(TRUE3, PRED3, average=None, replace_undefined_by=-7, **kwargs)
    assert replaced[3] == -7


@pytest.mark.parametrize("name", FAMILY)
def test_multiclass_with_the_binary_average_raises_as_f1_score_does(name):
    with pytest.raises(
        ValueError, match="Target is multiclass but average='binary'"
    ) as e:
        FAMILY[name](TRUE3, PRED3)
    with pytest.raises(ValueError, match="Target is multiclass but average='binary'"):
        f1_score(TRUE3, PRED3)
    assert "[None, 'macro', 'weighted']" in str(e.value)


def test_positive_label():
    names = np.array(["healthy", "ill"])
    y_true, y_pred = names[TRUE], names[PRED]
    got = sem.unbiased_precision_score(y_true, y_pred, pos_label="ill")
    assert got == sem.unbiased_precision_score(TRUE, PRED)
    other = sem.unbiased_precision_score(y_true, y_pred, pos_label="healthy")
    assert other == sem.unbiased_precision_score(1 - TRUE, 1 - PRED) != got
    message = (
        r"pos_label=1 is not a valid label. It should be one of \['healthy', 'ill'\]"
    )
    with pytest.raises(ValueError, match=message):
        sem.unbiased_precision_score(y_true, y_pred)
    with pytest.warns(UserWarning, match="pos_label='ill' is ignored"):
        sem.unbiased_f1_score(y_true, y_pred, pos_label="ill", average="macro")
    for symmetric in ("discriminant_capability", "unbiased_accuracy"):
        metric = FAMILY[symmetric]
        assert metric(TRUE, PRED, pos_label=0) == pytest.approx(metric(TRUE, PRED))


def test_reject_class():
    y_true = np.array([0, 0, 0, 1, 1, 1])
    y_pred = np.array([0, 0, -1, 1, -1, 0])
    columns = [0, 1, -1]
    delta = sem.discriminant_capability_score(y_true, y_pred, pred_labels=columns)
    assert delta == pytest.approx(1 / 3 - 0)
    each = sem.discriminant_capability_score(
        y_true, y_pred, pred_labels=columns, average=None
    )
    np.testing.assert_allclose(each, [2 / 3 - 1 / 3, 1 / 3])
    never = sem.characteristic_capability(
        y_true, np.full(6, -1), pred_labels=[-1], average=None
    )
    np.testing.assert_array_equal(never, [-1, -1])


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("y_true", [[0, 0, 0], [1, 1, 1]])
def test_one_class_is_undefined(name, y_true):
    with pytest.warns(UndefinedMetricWarning, match="undefined") as record:
        assert np.isnan(FAMILY[name](y_true, [0, 1, 1]))
    assert len(record) == 1
    assert record[0].filename == __file__
    assert FAMILY[name](y_true, [0, 1, 1], replace_undefined_by=0.25) == 0.25


def test_only_one_label_at_all():
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(sem.discriminant_capability_score([0, 0], [0, 0]))
    with pytest.warns(UndefinedMetricWarning) as record:
        assert np.isnan(sem.phi_delta([1, 1], [1, 1])).all()
    assert len(record) == 1
    assert sem.phi_delta([1, 1], [1, 1], replace_undefined_by=0) == (0, 0)


def test_undefined_and_defined_for_constant_predictions():
    y_true, nothing = [0, 0, 1], [0, 0, 0]
    with pytest.warns(UndefinedMetricWarning, match="positive predictions"):
        assert np.isnan(sem.unbiased_precision_score(y_true, nothing))
    with pytest.warns(UndefinedMetricWarning, match="all predictions are the same"):
        assert np.isnan(sem.unbiased_matthews_corrcoef(y_true, nothing))
    assert sem.unbiased_f1_score(y_true, nothing) == 0
    assert sem.discriminant_capability_score(y_true, nothing) == 0


def test_wrong_average():
    with pytest.raises(ValueError, match=r"average must be.*'micro'"):
        sem.unbiased_f1_score(TRUE, PRED, average="micro")
    with pytest.raises(ValueError, match=r"average must be.*'micro'"):
        measure.unbiased_f1(np.eye(2), average="micro")


def test_extreme_weights_keep_their_digits():
    """The negatives are a sum, not what is left of the total."""
    table = np.array([[1.0, 0, 0], [0, 2e-13, 1e-13], [0, 1e-13, 3e-13]])
    (tn, fp), (fn, tp) = measure.one_vs_rest(table)[0]
    assert (tp, fn, fp) == (1, 0, 0)
    assert tn == pytest.approx(7e-13, rel=1e-14)


# Scorers

X, Y = make_classification(300, n_informative=4, weights=[0.8], random_state=0)


@pytest.mark.parametrize("name", SCORED)
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_averaging_scorers(name, average):
    features, y = make_classification(
        200, n_informative=5, n_classes=3, weights=[0.6, 0.3], random_state=0
    )
    classifier = LogisticRegression().fit(features, y)
    expected = FAMILY[name](y, classifier.predict(features), average=average)
    assert get_scorer(f"{name}_{average}")(classifier, features, y) == expected


def test_a_class_missing_in_a_fold_is_no_nan_for_all():
    features = RNG.normal(size=(300, 2)) + TRUE3[:, None]
    folds = [(np.arange(300), np.flatnonzero(TRUE3 != 2))]
    scores = cross_val_score(
        LogisticRegression(),
        features,
        TRUE3,
        cv=folds,
        scoring="discriminant_capability_macro",
        error_score="raise",
    )
    assert np.isfinite(scores).all()


def test_information_scorer_of_two_and_of_more_classes():
    classifier = LogisticRegression().fit(X, Y)
    two = InformationScorer("all")(classifier, X, Y)
    for name in SCORED:
        assert two[name] == pytest.approx(get_scorer(name)(classifier, X, Y))
        macro = get_scorer(f"{name}_macro")(classifier, X, Y)
        assert two[f"{name}_macro"] == pytest.approx(macro)
    three = DummyClassifier(strategy="stratified", random_state=0).fit(X[:, :1], Y)
    more = InformationScorer("all", labels=[0, 1, 2])(three, X[:, :1], Y)
    assert "discriminant_capability" not in more
    assert "discriminant_capability_macro" in more
    results = cross_validate(
        classifier, X, Y, scoring=InformationScorer(["unbiased_f1", "accuracy"])
    )
    assert np.isfinite(results["test_unbiased_f1"]).all()


def test_threshold_tuned_by_delta():
    plain = LogisticRegression().fit(X, Y)
    tuned = TunedThresholdClassifierCV(
        LogisticRegression(), scoring="discriminant_capability", cv=3
    ).fit(X, Y)
    scorer = get_scorer("discriminant_capability")
    assert scorer(tuned, X, Y) > scorer(plain, X, Y)
    assert tuned.best_threshold_ < 0.5
