"""ProbabilityBalance: the bits of the log loss, against peers and known truths."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.optimize import approx_fprime
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import d2_log_loss_score, log_loss
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_entropy_metrics import EntropyBalance, ProbabilityBalance
from sklearn_entropy_metrics.balance.recalibrate import (
    Fit,
    _features,
    _penalised_loss,
)

balance_of = ProbabilityBalance.from_probabilities
SINGLE = ["temperature", "logistic", "isotonic"]
every_recalibration = pytest.mark.parametrize(
    "recalibration", ["best", *SINGLE, "none", GaussianNB()], ids=str
)
# How far apart Gaussian classes lie, so that there is much or little to know.
DISTANCE = {2: 1.5, 3: 1.5, 10: 1.0}


def gaussian(n_samples, n_classes, seed=0, distance=None):
    """True classes and their exact probabilities, given noisy positions."""
    distance = DISTANCE[n_classes] if distance is None else distance
    dimension = min(n_classes - 1, 5)
    centre = distance * np.random.default_rng(99).normal(size=(n_classes, dimension))
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, n_classes, n_samples)
    position = centre[y_true] + rng.normal(size=(n_samples, dimension))
    square = ((position[:, None] - centre) ** 2).sum(axis=2)
    return y_true, softmax(-square / 2, axis=1)


def sharpen(proba, factor):
    with np.errstate(divide="ignore"):
        return softmax(factor * np.log(proba), axis=1)


def useless(n_samples, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.full(n_classes, 0.5), n_samples)
    return rng.integers(0, n_classes, n_samples), proba


def truth(n_classes):
    """Information of the exact probabilities, from very many samples."""
    y_true, proba = gaussian(200_000, n_classes, seed=1)
    return balance_of(y_true, proba, recalibration="none").information


@every_recalibration
@pytest.mark.parametrize("cv", [None, 3, 5])
@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_the_balance_holds(recalibration, cv, n_classes):
    y_true, proba = gaussian(300, n_classes)
    got = balance_of(y_true, sharpen(proba, 3), recalibration=recalibration, cv=cv)
    assert got.log_loss == pytest.approx(
        got.entropy - got.information + got.miscalibration, abs=1e-12
    )
    assert got.information == pytest.approx(
        got.decision_information + got.decision_loss, abs=1e-12
    )
    assert got.stated_information == got.entropy - got.log_loss
    assert got.normalized_information == got.information / got.entropy
    assert got.likelihood == pytest.approx(2**-got.log_loss)
    assert got.recalibrated_likelihood == pytest.approx(2**-got.recalibrated_log_loss)
    assert got.n_classes == n_classes


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_log_loss_and_entropy_are_those_of_scikit_learn(n_classes, weighted):
    y_true, proba = gaussian(500, n_classes)
    proba = sharpen(proba, 50)  # some are exactly 0 and 1
    proba[:20] = np.eye(n_classes)[(y_true[:20] + np.arange(20) % 2) % n_classes]
    weight = np.random.default_rng(7).random(500) if weighted else None
    got = balance_of(y_true, proba, sample_weight=weight, recalibration="temperature")
    expected = log_loss(y_true, proba, sample_weight=weight) / np.log(2)
    assert got.log_loss == pytest.approx(expected, rel=1e-12)
    shares = np.bincount(y_true, weight)
    shares = shares / shares.sum()
    assert got.entropy == pytest.approx(-(shares * np.log2(shares)).sum(), rel=1e-12)
    d2 = d2_log_loss_score(y_true, proba, sample_weight=weight)
    assert got.stated_information == pytest.approx(got.entropy * d2, rel=1e-11)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_zeros_are_clipped_by_the_precision_of_the_probabilities(dtype):
    proba = np.array([[0, 1], [1, 0], [0.5, 0.5], [0.25, 0.75]], dtype=dtype)
    got = balance_of([0, 1, 1, 1], proba, recalibration="none")
    assert got.log_loss == pytest.approx(
        log_loss([0, 1, 1, 1], proba) / np.log(2), rel=1e-3
    )
    least = float(np.finfo(dtype).eps)
    bits = -2 * np.log2(least) + 1 - np.log2(0.75)
    assert got.log_loss == pytest.approx(bits / 4, rel=1e-12)


def test_integer_probabilities():
    got = balance_of([0, 1, 1], [[1, 0], [0, 1], [1, 0]], recalibration="none")
    assert got.log_loss == pytest.approx(52 / 3)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("factor", [1, 4, 0.25])
def test_two_classes_in_sample_are_those_of_model_diagnostics(factor, weighted):
    scoring = pytest.importorskip("model_diagnostics.scoring")
    y_true, proba = gaussian(800, 2)
    proba = sharpen(proba, factor).round(3).clip(0.001, 0.999)  # ties, no infinity
    weight = np.random.default_rng(7).random(800) if weighted else None
    got = balance_of(
        y_true, proba, recalibration="isotonic", cv=None, sample_weight=weight
    )
    parts = scoring.decompose(
        y_true, proba[:, 1], weight, scoring_function=scoring.LogLoss()
    )
    expected = {name: parts[name][0] / np.log(2) for name in parts.columns}
    assert got.miscalibration == pytest.approx(expected["miscalibration"], abs=1e-10)
    assert got.information == pytest.approx(expected["discrimination"], abs=1e-10)
    assert got.entropy == pytest.approx(expected["uncertainty"], abs=1e-10)
    assert got.log_loss == pytest.approx(expected["score"], abs=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_two_classes_in_sample_are_a_table_of_levels(seed):
    from sklearn.isotonic import IsotonicRegression

    y_true, proba = gaussian(400, 2, seed) if seed else useless(400, 2)
    got = balance_of(y_true, proba, recalibration="isotonic", cv=None)
    levels = IsotonicRegression().fit_transform(proba[:, 1], y_true)
    levels = np.unique(levels.round(12), return_inverse=True)[1]
    table = np.zeros((2, levels.max() + 1))
    np.add.at(table, (y_true, levels), 1)
    information = EntropyBalance.from_confusion_matrix(table).mutual_information
    assert got.information == pytest.approx(information, abs=1e-10)
    assert got.information >= 0
    assert got.miscalibration >= 0


@pytest.mark.parametrize("factor", [1, 4, 0.25])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_known_truth_of_few_classes(n_classes, factor):
    expected = truth(n_classes)
    for seed in (0, 1):
        y_true, proba = gaussian(1000, n_classes, seed)
        # What this very sample tells differs from the truth, whatever the method.
        luck = balance_of(y_true, proba, recalibration="none").information - expected
        got = balance_of(y_true, sharpen(proba, factor)).information
        assert abs(got - luck - expected) < 0.03 + 0.05 * expected


@pytest.mark.parametrize("factor", [1, 4, 0.25])
def test_known_truth_of_ten_classes(factor):
    y_true, proba = gaussian(5000, 10)
    expected = truth(10)
    got = balance_of(y_true, sharpen(proba, factor))
    assert got.information == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("factor", [0.25, 4])
@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_temperature_changes_miscalibration_only(n_classes, factor):
    y_true, proba = gaussian(2000, n_classes)
    plain = balance_of(y_true, proba)
    distorted = balance_of(y_true, sharpen(proba, factor))
    assert abs(plain.information - distorted.information) < 0.02
    assert abs(plain.miscalibration) < 0.02
    added = distorted.log_loss - plain.log_loss
    assert added > 0.05
    assert distorted.miscalibration == pytest.approx(added, abs=0.02)


def test_a_temperature_turns_probabilities_that_mislead_into_equal_ones():
    y_true, proba = gaussian(400, 2)
    got = balance_of(y_true, proba[:, ::-1], recalibration="temperature")
    assert got.information == pytest.approx(got.entropy - 1)


@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_useless_probabilities_carry_nothing(n_classes):
    for seed in range(10):
        got = balance_of(*useless(1000, n_classes, seed))
        assert 0 <= got.information < 0.02


@pytest.mark.parametrize("recalibration", SINGLE)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_no_recalibration_has_seen_what_it_is_judged_by(recalibration, n_classes):
    """With independent labels the mean information would else be positive."""
    found = [
        balance_of(*useless(200, n_classes, seed), recalibration=recalibration)
        for seed in range(40)
    ]
    assert np.mean([balance.information for balance in found]) <= 0


def test_shares_are_exactly_no_information():
    y_true = np.arange(100) % 2
    got = balance_of(y_true, useless(100, 2, seed=3)[1])
    assert got.recalibration == "shares"
    assert got.information == 0
    assert got.miscalibration == got.log_loss - got.entropy


def test_best_is_the_best():
    y_true, proba = gaussian(300, 3)
    got = balance_of(y_true, proba)
    single = {
        name: balance_of(y_true, proba, recalibration=name).information
        for name in SINGLE
    }
    assert got.information == max(single.values())
    assert got.recalibration == max(single, key=single.get)


def test_best_leaves_the_logistic_out_where_it_has_too_many_parameters():
    """Exchanged classes, which only the logistic can see through."""
    y_true, proba = gaussian(99, 10, distance=3)
    exchanged = np.roll(proba, 1, axis=1)
    assert balance_of(y_true, exchanged).recalibration != "logistic"
    y_true, proba = gaussian(500, 10, distance=3)
    exchanged = np.roll(proba, 1, axis=1)
    got = balance_of(y_true, exchanged)
    assert got.recalibration == "logistic"
    plain = balance_of(y_true, proba)
    assert got.information > 0.9 * plain.information


MODELS = {
    "tree": DecisionTreeClassifier(random_state=0),
    "shallow tree": DecisionTreeClassifier(max_depth=5, random_state=0),
    "naive Bayes": GaussianNB(),
    "nearest neighbour": KNeighborsClassifier(1),
    "neighbours": KNeighborsClassifier(),
    "forest": RandomForestClassifier(30, random_state=0),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
}


@pytest.mark.parametrize("load", [load_digits, load_wine, load_breast_cancer])
@pytest.mark.parametrize("name", MODELS)
def test_real_probabilities_tell_as_much_as_decisions(load, name):
    X, y = load(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.5, random_state=0, stratify=y
    )
    classifier = MODELS[name].fit(X_train, y_train)
    got = ProbabilityBalance.from_estimator(classifier, X_test, y_test)
    slack = 0.02 + got.n_classes**2 / len(y_test)
    assert got.information >= got.decision_information - slack
    assert got.information <= got.entropy


@pytest.mark.parametrize("weighted", [False, True])
def test_decisions_are_estimated_by_empirical_bayes(weighted):
    y_true, proba = gaussian(100, 3)
    weight = np.random.default_rng(7).random(100) if weighted else None
    got = balance_of(y_true, proba, sample_weight=weight)
    decisions = EntropyBalance.from_predictions(
        y_true, proba.argmax(axis=1), sample_weight=weight, smoothing="empirical_bayes"
    )
    assert got.decision_information == pytest.approx(decisions.mutual_information)
    plain = EntropyBalance.from_predictions(
        y_true, proba.argmax(axis=1), sample_weight=weight
    )
    assert got.decision_information < plain.mutual_information


def test_a_single_sample():
    got = balance_of(["a"], [[0.25, 0.75]], labels=["a", "b"], cv=None)
    assert got.log_loss == got.miscalibration == 2
    assert got.decision_information == got.decision_loss == 0


def test_deterministic_unless_asked_otherwise():
    y_true, proba = gaussian(300, 3)
    first = balance_of(y_true, proba)
    assert balance_of(y_true, proba).to_dict() == first.to_dict()
    other = balance_of(y_true, proba, random_state=1)
    assert other.information != first.information
    assert other.log_loss == first.log_loss


@pytest.mark.parametrize("recalibration", ["best", *SINGLE, LogisticRegression()])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_integer_weights_are_repetitions_in_sample(recalibration, n_classes):
    y_true, proba = gaussian(200, n_classes)
    weight = np.random.default_rng(7).integers(0, 4, 200)
    weighted, repeated = (
        balance_of(*arguments, recalibration=recalibration, cv=None, sample_weight=w)
        for arguments, w in (
            ((y_true, proba), weight),
            ((y_true.repeat(weight), proba.repeat(weight, axis=0)), None),
        )
    )
    assert weighted.recalibration == repeated.recalibration
    for name in ("entropy", "log_loss"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name))
    tolerance = 1e-4 if isinstance(recalibration, LogisticRegression) else 1e-6
    assert weighted.information == pytest.approx(repeated.information, abs=tolerance)


@pytest.mark.parametrize("recalibration", ["best", *SINGLE])
@pytest.mark.parametrize("cv", [None, 5])
def test_the_scale_of_weights_means_nothing(recalibration, cv):
    y_true, proba = gaussian(200, 3)
    weight = np.random.default_rng(7).random(200)
    options = {"recalibration": recalibration, "cv": cv}
    plain = balance_of(y_true, proba, sample_weight=weight, **options).to_dict()
    scaled = balance_of(y_true, proba, sample_weight=weight * 1e-9, **options).to_dict()
    assert plain.pop("recalibration") == scaled.pop("recalibration")
    assert scaled == pytest.approx(plain, abs=1e-6)
    constant = balance_of(y_true, proba, sample_weight=np.full(200, 0.3), **options)
    without = balance_of(y_true, proba, **options)
    assert constant.information == pytest.approx(without.information, abs=1e-6)


def test_samples_of_weight_zero_are_not_there():
    y_true, proba = gaussian(200, 3)
    weight = np.random.default_rng(7).integers(0, 3, 200)
    keep = weight > 0
    got = balance_of(y_true, proba, sample_weight=weight)
    expected = balance_of(y_true[keep], proba[keep], sample_weight=weight[keep])
    assert got.to_dict() == expected.to_dict()


def test_kinds_of_input():
    y_true, proba = gaussian(200, 3)
    expected = balance_of(y_true, proba).to_dict()
    names = np.array(["ant", "bird", "cat"])[y_true]
    dask_array = pytest.importorskip("dask.array")
    for first, second in (
        (y_true.tolist(), proba.tolist()),
        (names, proba),
        (pd.Series(names, dtype="category"), pd.DataFrame(proba)),
        (pl.Series(names), pl.DataFrame(proba)),
        (dask_array.from_array(y_true, 50), dask_array.from_array(proba, (50, 3))),
    ):
        assert balance_of(first, second).to_dict() == expected
    order = [2, 0, 1]
    given = balance_of(
        names, proba[:, order], labels=["cat", "ant", "bird"], recalibration="isotonic"
    )
    plain = balance_of(names, proba, recalibration="isotonic")
    assert given.information == pytest.approx(plain.information)


def test_inputs_are_not_changed():
    y_true, proba = gaussian(100, 3)
    weight = np.ones(100)
    for array in (y_true, proba, weight):
        array.flags.writeable = False
    balance_of(y_true, proba, sample_weight=weight)


def test_one_dimensional_probabilities():
    y_true, proba = gaussian(200, 2)
    one = balance_of(y_true, proba[:, 1])
    two = balance_of(y_true, np.column_stack([1 - proba[:, 1], proba[:, 1]]))
    assert one.to_dict() == two.to_dict()


@every_recalibration
def test_a_class_that_the_fit_has_not_seen(recalibration):
    y_true, proba = gaussian(60, 3)
    y_true = np.append(np.minimum(y_true, 1), 2)  # a single sample of class 2
    proba = np.vstack([proba, [0.2, 0.2, 0.6]])
    got = balance_of(y_true, proba, recalibration=recalibration)
    assert np.isfinite(got.information)
    two = balance_of([0] * 9 + [1], np.linspace(0, 1, 10), recalibration=recalibration)
    assert np.isfinite(two.information)


def test_a_class_that_the_fit_has_not_seen_counts_as_half_a_sample():
    """The other five samples are of two classes: 1/2 + 1/2 + 1/10 is more than one."""
    got = balance_of(
        [0] * 4 + [1] * 5 + [2],
        np.full((10, 3), 1 / 3),
        recalibration=DummyClassifier(strategy="uniform"),
        cv=2,
    )
    likelihood = np.repeat([0.5 / 1.1, 0.1 / 1.1, 1 / 3], [4, 1, 5])
    assert got.recalibrated_log_loss == pytest.approx(-np.log2(likelihood).mean())


@pytest.mark.parametrize("recalibration", ["temperature", "logistic", "best"])
def test_very_timid_probabilities(recalibration):
    """Differences in the sixth digit tell everything."""
    y_true = np.arange(200) % 20
    proba = np.full((200, 20), 0.05) + 1e-6 * (np.eye(20)[y_true] - 0.05)
    got = balance_of(y_true, proba, recalibration=recalibration)
    assert got.information > 0.9 * got.entropy
    assert got.stated_information < 0.01


@pytest.mark.slow
def test_many_samples_in_one_order():
    """A start from some of the samples must not decide, even if it lacks classes."""
    y_true, proba = gaussian(20_000, 3)
    proba = sharpen(proba, 4)
    order = np.argsort(np.arange(20_000) % 10 == 0, kind="stable")
    first = np.argsort(y_true, kind="stable")
    for some in (order, first):
        for recalibration in SINGLE:
            got = balance_of(y_true[some], proba[some], recalibration=recalibration)
            plain = balance_of(y_true, proba, recalibration=recalibration)
            assert got.information == pytest.approx(plain.information, abs=5e-3)


def test_classes_all_too_small_for_the_folds():
    y_true = np.arange(8) // 2
    got = balance_of(y_true, np.eye(4)[y_true] * 0.9 + 0.025)
    assert got.information > 0


@pytest.mark.parametrize("cv", [None, 3])
@every_recalibration
def test_one_true_class(recalibration, cv):
    got = balance_of(
        [1] * 6, np.linspace(0.3, 0.8, 6), labels=[0, 1], recalibration=recalibration,
        cv=cv,
    )  # fmt: skip
    assert got.entropy == got.information == 0
    assert got.miscalibration == got.log_loss > 0
    assert np.isnan(got.normalized_information)
    assert got.recalibration == "shares"


def test_an_estimator_that_does_not_know_a_class():
    y_true, proba = gaussian(300, 3)
    logs = np.log(proba)
    classifier = LogisticRegression().fit(logs[y_true < 2], y_true[y_true < 2])
    got = ProbabilityBalance.from_estimator(classifier, logs, y_true)
    given = np.column_stack([classifier.predict_proba(logs), np.zeros(300)])
    assert got.to_dict() == balance_of(y_true, given).to_dict()
    assert got.n_classes == 3
    only = ProbabilityBalance.from_estimator(classifier, logs[:50], y_true[:50] % 2)
    assert only.n_classes == 2


def test_text_and_dictionary():
    got = balance_of(*gaussian(100, 3))
    values = got.to_dict()
    assert list(values) == [
        "entropy",
        "log_loss",
        "recalibrated_log_loss",
        "recalibration",
        "n_classes",
        "information",
        "miscalibration",
        "stated_information",
        "decision_information",
        "decision_loss",
        "normalized_information",
        "likelihood",
        "recalibrated_likelihood",
    ]
    for name, value in values.items():
        assert value == getattr(got, name)
        assert type(value) in (int, float, str)
    assert f"{got.log_loss:.3f} = " in repr(got)
    assert len(repr(got)) <= 80
    assert f"<td>{got.log_loss:.3f}</td>" in got._repr_html_()


def test_balances_are_equal_to_themselves_alone():
    one, other = (balance_of(*gaussian(100, 3)) for _ in range(2))
    assert one != other
    assert {one: "one", other: "other"}[one] == "one"


class NoProbabilities(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        return self


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"recalibration": "platt"}, "`recalibration` must be one of 'best', 'temp"),
        ({"recalibration": None}, "`recalibration` must be"),
        ({"recalibration": NoProbabilities()}, "classifier with `predict_proba`"),
        ({"recalibration": LogisticRegression}, "`recalibration` must be"),
        ({"cv": 1, "recalibration": "none"}, "`cv` must be"),
        ({"cv": 1}, "`cv` must be an integer of at least 2"),
        ({"cv": 5.0}, "`cv` must be an integer"),
        ({"cv": True}, "`cv` must be an integer"),
        ({"cv": 7}, "`cv` must be at most the number of samples, 6"),
        ({"labels": [0]}, "labels must contain every value of y_true"),
        ({"labels": [0, 1, 2]}, "Got 2 columns, but there are 3"),
        ({"sample_weight": [1, 1, 1, 1, 1, -1]}, "non-negative"),
        ({"sample_weight": [0] * 6}, "all zero"),
        ({"sample_weight": [1]}, "inconsistent numbers of samples"),
        (
            {"recalibration": KNeighborsClassifier(), "sample_weight": range(1, 7)},
            "`recalibration` must take `sample_weight`",
        ),
    ],
    ids=str,
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        balance_of([0, 1, 0, 1, 0, 1], [0.1, 0.9, 0.2, 0.8, 0.7, 0.6], **options)


@pytest.mark.parametrize(
    ("y_true", "y_proba"),
    [
        ([], []),
        ([0, 1], [0.5]),
        ([0, 1], [0.5, 1.5]),
        ([0, 1], [0.5, np.nan]),
        ([0, 1], [[0.5, 0.5]]),
        ([0, None], [0.5, 0.5]),
        ([0.5, 1.5], [0.5, 0.5]),
        ([0, 1], ["a", "b"]),
        (np.eye(2), np.eye(2)),
    ],
)
def test_bad_samples(y_true, y_proba):
    with pytest.raises(ValueError, match=r"."):
        balance_of(y_true, y_proba, cv=None)


def test_probabilities_that_do_not_sum_to_one_warn():
    with pytest.warns(UserWarning, match="do not all sum to one"):
        got = balance_of([0, 1, 1], [[0.9, 0.3], [0.2, 0.6], [0.1, 0.9]], cv=None)
    with pytest.warns(UserWarning, match="sum to one"):
        loss = log_loss([0, 1, 1], [[0.9, 0.3], [0.2, 0.6], [0.1, 0.9]])
    assert got.log_loss == pytest.approx(loss / np.log(2))


def test_the_gradient_of_the_logistic_recalibration():
    rng = np.random.default_rng(0)
    proba = rng.dirichlet(np.ones(3), 40)
    weight = rng.random(40)
    fit = Fit(proba, rng.integers(0, 3, 40), weight / weight.sum(), in_sample=True)
    features = _features(proba)
    n = features.shape[1]
    whiten, start = rng.normal(size=(n, n)), rng.normal(size=(n, 3))
    loss = _penalised_loss(fit, whiten, start, 0.7, features.T)
    x = rng.normal(size=3 * n)
    slope = approx_fprime(x, lambda x: loss(x)[0], 1e-7)
    np.testing.assert_allclose(loss(x)[1], slope, rtol=1e-4, atol=1e-5)
