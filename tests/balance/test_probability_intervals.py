"""Intervals of the numbers of a balance of probabilities, against known truths."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import softmax
from sklearn.naive_bayes import GaussianNB

from sklearn_entropy_metrics import EntropyBalance, ProbabilityBalance
from sklearn_entropy_metrics.balance.probability import (
    NAMES,
    bits_of,
    difference_of,
    interval_of,
    mean_of,
)

balance_of = ProbabilityBalance.from_probabilities
CENTRES = {2: 1.2, 3: 1.0}


def draw(n_samples, n_classes, seed, factor=1.0):
    """Classes and their probabilities, sharpened: the truth is known for factor 1."""
    centre = CENTRES[n_classes] * np.eye(n_classes)
    rng = np.random.default_rng([seed, n_samples, n_classes])
    y_true = rng.integers(0, n_classes, n_samples)
    position = centre[y_true] + rng.normal(size=(n_samples, n_classes))
    square = ((position[:, None] - centre) ** 2).sum(axis=2)
    return y_true, softmax(-factor * square / 2, axis=1)


def truth(n_classes, factor):
    """The numbers of the sharpened probabilities, from very many samples."""
    exact = balance_of(*draw(100_000, n_classes, 0), recalibration="none")
    y_true, proba = draw(100_000, n_classes, 0, factor)
    stated = balance_of(y_true, proba, recalibration="none")
    decided = EntropyBalance.from_predictions(y_true, proba.argmax(axis=1))
    information = exact.information
    return {
        "information": information,
        "normalized_information": information / np.log2(n_classes),
        "miscalibration": stated.log_loss - exact.log_loss,
        "decision_loss": information - decided.mutual_information,
        "stated_information": stated.stated_information,
        "log_loss": stated.log_loss,
    }


@pytest.fixture(scope="module")
def balance():
    return balance_of(*draw(300, 3, 1, 3.0))


# What each sample adds


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", [n for n in NAMES if n != "decision_loss"])
def test_the_mean_over_samples_is_the_number(name, weighted):
    y_true, proba = draw(200, 3, 1, 3.0)
    weight = np.random.default_rng(0).exponential(size=200) if weighted else None
    got = balance_of(y_true, proba, sample_weight=weight)
    weight = np.ones(200) if weight is None else weight
    mean = np.average(bits_of(got, name)[0], weights=weight)
    assert mean == pytest.approx(getattr(got, name), abs=1e-12)


def test_bits_of_decisions_are_about_the_decision_loss(balance):
    values = bits_of(balance, "decision_loss")[0]
    assert values.mean() == pytest.approx(balance.decision_loss, abs=0.02)


def test_standard_error_by_hand(balance):
    interval = balance.interval("log_loss", confidence_level=0.9)
    bits = -bits_of(balance, "log_loss")[0]
    error = bits.std(ddof=1) / math.sqrt(300)
    assert interval.standard_error == pytest.approx(error)
    assert interval.estimate == interval.plug_in == balance.log_loss
    reach = stats.t.ppf(0.95, 299) * error
    assert interval.low == pytest.approx(balance.log_loss - reach)
    assert interval.high == pytest.approx(balance.log_loss + reach)
    assert interval.metric == "log_loss"
    assert interval.n_effective == pytest.approx(300)


def test_corrections_by_hand():
    """The entropy is too small by (k - 1) / 2n nats; none has no other bias."""
    y_true, proba = draw(150, 3, 2)
    plain = balance_of(y_true, proba, recalibration="none")
    shift = 2 / (2 * 150 * math.log(2))
    interval = plain.interval()
    assert interval.estimate == pytest.approx(plain.information + shift)
    assert -interval.correction == pytest.approx(shift)
    error = bits_of(plain, "information")[0].std(ddof=1) / math.sqrt(150)
    assert interval.standard_error == pytest.approx(math.hypot(error, shift / 2))
    fitted = balance_of(y_true, proba, recalibration="isotonic")
    in_sample = balance_of(y_true, proba, recalibration="isotonic", cv=None)
    half = (in_sample.information - fitted.information) / 2
    assert fitted.interval("miscalibration").correction == pytest.approx(
        -half, abs=0.01
    )
    assert half > 0.02


def test_weights_that_are_repetitions_in_groups():
    """Each sample three times in a group of its own says as much as once."""
    y_true, proba = draw(120, 3, 3)
    once = balance_of(y_true, proba, recalibration="none")
    thrice = balance_of(y_true.repeat(3), proba.repeat(3, axis=0), recalibration="none")
    groups = np.arange(120).repeat(3)
    for name in ("log_loss", "stated_information"):
        expected = once.interval(name)
        got = interval_of(thrice, name, groups=groups)
        np.testing.assert_allclose(got, expected, rtol=1e-3)
        assert got.n_groups == 120
        assert got.n_effective == pytest.approx(119 / 120 * 120, rel=0.01)
        assert interval_of(thrice, name).high < got.high


def test_heavier_samples_make_fewer():
    values = np.random.default_rng(0).normal(size=400)
    weight = np.where(np.arange(400) < 100, 1, 1e-12)
    mean = mean_of(values, weight / weight.sum())
    assert mean.n_effective == pytest.approx(100)
    assert mean.value == pytest.approx(values[:100].mean())
    assert mean.standard_error == pytest.approx(values[:100].std() / 10, rel=0.01)


def test_there_is_no_negative_information():
    rng = np.random.default_rng(5)
    for seed in range(8):
        y_true = rng.integers(0, 2, 100)
        got = balance_of(y_true, np.random.default_rng(seed).random(100))
        for name in NAMES[:2]:
            interval = got.interval(name)
            assert interval.low >= 0
            if got.recalibration == "shares":
                assert interval.estimate == interval.low == 0
            assert interval.high < 0.2


def test_perfect_probabilities():
    y_true = np.arange(60) % 3
    got = balance_of(y_true, np.eye(3)[y_true])
    interval = got.interval("normalized_information")
    assert interval.low < interval.estimate <= interval.high <= 1


def test_one_class():
    got = balance_of([0] * 20, np.linspace(0.1, 0.4, 20), labels=[0, 1])
    assert got.interval()[:3] == (0, 0, 0)
    assert got.interval("log_loss").low > 0
    with pytest.warns(UserWarning, match="undefined"):
        share = got.interval("normalized_information")
    assert np.isnan(share[:3]).all()


# Coverage


def coverage(n_classes, factor, n_samples, n_sets, names, **options):
    expected = truth(n_classes, factor)
    hits = dict.fromkeys(names, 0)
    for seed in range(1, n_sets + 1):
        got = balance_of(*draw(n_samples, n_classes, seed, factor), **options)
        for name in names:
            interval = got.interval(name)
            hits[name] += interval.low <= expected[name] <= interval.high
    return {name: hit / n_sets for name, hit in hits.items()}


def test_intervals_contain_the_truth():
    """80 data sets: four standard errors below 95 % are 85 %."""
    found = coverage(2, 3.0, 100, 80, ("information", "log_loss"))
    assert min(found.values()) > 0.85


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1.0, 3.0])
@pytest.mark.parametrize("n_samples", [100, 400])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_coverage(n_classes, n_samples, factor):
    found = coverage(n_classes, factor, n_samples, 300, NAMES)
    slack = 2.5 * math.sqrt(0.95 * 0.05 / 300)
    for name in ("information", "normalized_information", "stated_information"):
        assert found[name] > 0.93 - slack
    assert found["log_loss"] > 0.93 - slack
    assert found["miscalibration"] > 0.9 - slack
    assert found["decision_loss"] > 0.9 - slack


# Differences


def test_differences_of_equals():
    """Models that are as noisy differ by chance alone, in 5 % of data sets."""
    n_significant, n_sets = 0, 100
    for seed in range(n_sets):
        rng = np.random.default_rng(seed)
        y_true = rng.integers(0, 2, 200)
        scores = 1.5 * (2 * y_true - 1) + rng.normal(0, 2, (2, 200))
        a, b = (
            balance_of(y_true, 1 / (1 + np.exp(-s)), recalibration="temperature")
            for s in scores
        )
        difference = difference_of(a, b, "information")
        n_significant += difference.p_value() <= 0.05
        assert difference.value == pytest.approx(a.information - b.information)
    assert n_significant <= 0.05 * n_sets + 4 * math.sqrt(0.0475 * n_sets)


def test_differences_of_unequals_and_of_the_same(balance):
    y_true, proba = draw(300, 3, 1)
    noisy = balance_of(y_true, np.random.default_rng(0).dirichlet([1] * 3, 300))
    difference = difference_of(balance, noisy, "information")
    assert difference.value > 0.2
    assert difference.p_value() < 1e-6
    share = difference_of(balance, noisy, "normalized_information")
    expected = balance.normalized_information - noisy.normalized_information
    assert share.value == pytest.approx(expected)
    same = difference_of(balance, balance, "information")
    assert (same.value, same.standard_error, same.p_value()) == (0, 0, 1)
    paired = difference_of(balance, balance_of(y_true, proba), "information")
    alone = balance.interval().standard_error
    assert paired.standard_error < alone / 2


# Bad input


def test_names_are_listed(balance):
    with pytest.raises(ValueError, match=r"`name` must be one of 'information', .*Got"):
        balance.interval("entropy")
    with pytest.raises(ValueError, match="confidence_level"):
        balance.interval(confidence_level=1)


@pytest.mark.parametrize("recalibration", ["best", "isotonic", GaussianNB()], ids=str)
def test_in_sample_fits_have_no_interval(recalibration):
    y_true, proba = draw(100, 2, 1)
    got = balance_of(y_true, proba, recalibration=recalibration, cv=None)
    for name in ("information", "miscalibration", "decision_loss"):
        with pytest.raises(ValueError, match="`cv` must be an integer"):
            got.interval(name)
    assert got.interval("log_loss").low < got.log_loss


def test_one_sample_is_too_few():
    got = balance_of([0], [0.3], labels=[0, 1], recalibration="none")
    with pytest.raises(ValueError, match=r"at least 2 samples\. Got 1"):
        got.interval("log_loss")
    with pytest.raises(ValueError, match=r"at least 2 groups\. Got 1"):
        mean_of(np.arange(3.0), np.full(3, 1 / 3), np.zeros(3, int))


def test_the_samples_stay_out_of_sight(balance):
    assert "_terms" not in repr(balance)
    assert "_terms" not in balance.to_dict()
