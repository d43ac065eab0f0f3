"""Intervals and comparisons of probabilities and of several labels."""

import math

import numpy as np
import pytest
from scipy import sparse as sp
from scipy.special import softmax
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import log_loss

from sklearn_entropy_metrics import (
    ProbabilityBalance,
    compare_classifiers,
    compare_models,
    confidence_interval,
    miscalibration_loss,
    multilabel_information_score,
    probability_information_score,
)

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 300)
SCORES = RNG.normal(size=(300, 3)) + 2 * np.eye(3)[Y]
PROBAS = {
    "bold": softmax(8 * SCORES, axis=1),
    "calm": softmax(2 * SCORES, axis=1),
    "noisy": softmax(SCORES + RNG.normal(0, 2, (300, 3)), axis=1),
    "none": RNG.dirichlet([1, 1, 1], 300),
}
BOLD = PROBAS["bold"]
MULTILABEL = "multilabel_information"


def draw_labels(n_samples, n_labels, share, right, shared, seed):
    """Labels, and predictions that are wrong together in some of the samples."""
    rng = np.random.default_rng([seed, n_samples])
    true = rng.random((n_samples, n_labels)) < share
    alone = rng.random((n_samples, 1)) < shared
    hard = np.where(alone, rng.random((n_samples, 1)), rng.random(true.shape))
    return true, np.where(hard < right, true, rng.random(true.shape) < share)


class TestProbabilities:
    @pytest.mark.parametrize(
        ("metric", "name"),
        [
            ("probability_information", "information"),
            (probability_information_score, "information"),
            ("normalized_information", "normalized_information"),
            ("miscalibration", "miscalibration"),
            (miscalibration_loss, "miscalibration"),
            ("decision_loss", "decision_loss"),
            ("stated_information", "stated_information"),
            ("log_loss", "log_loss"),
            (log_loss, "log_loss"),
        ],
    )
    def test_intervals_are_those_of_the_balance(self, metric, name):
        expected = ProbabilityBalance.from_probabilities(Y, BOLD).interval(name, 0.8)
        got = confidence_interval(Y, metric=metric, y_proba=BOLD, confidence_level=0.8)
        assert got == expected
        assert got.plug_in == expected.plug_in

    def test_strings_of_losses_negate(self):
        for metric in ("miscalibration", "log_loss"):
            plain = confidence_interval(Y, metric=metric, y_proba=BOLD)
            got = confidence_interval(Y, metric=f"neg_{metric}", y_proba=BOLD)
            assert (got.low, got.high) == (-plain.high, -plain.low)
            assert got.metric == f"neg_{metric}"

    def test_groups_widen(self):
        """Ten samples of each of 30 patients, which resemble each other."""
        rng = np.random.default_rng(1)
        y = rng.integers(0, 2, 300)
        patient = np.arange(300) // 10
        score = 2 * y - 1 + rng.normal(size=300) + 2 * rng.normal(size=30)[patient]
        given = {"metric": "log_loss", "y_proba": 1 / (1 + np.exp(-score))}
        alone = confidence_interval(y, **given)
        together = confidence_interval(y, groups=patient, **given)
        assert together.n_groups == 30
        assert together.standard_error > 1.3 * alone.standard_error
        assert together.n_effective < 200
        names = np.array([f"patient {i}" for i in patient])
        named = confidence_interval(y, groups=names, **given)
        np.testing.assert_allclose(named, together, rtol=1e-9)
        weight = np.repeat([1.0, 0.0], [250, 50])
        kept = confidence_interval(y, groups=patient, sample_weight=weight, **given)
        assert kept.n_groups == 25

    @pytest.mark.parametrize("metric", ["accuracy", "f1", "no such name", np.mean])
    def test_other_metrics_are_refused(self, metric):
        with pytest.raises(
            ValueError, match="must be one of 'probability_information'"
        ):
            confidence_interval(Y, metric=metric, y_proba=BOLD)
        with pytest.raises(
            ValueError, match="must be one of 'probability_information'"
        ):
            compare_models(Y, metric=metric, y_probas=PROBAS)

    def test_labels_or_probabilities(self):
        with pytest.raises(ValueError, match="takes the place of y_pred"):
            confidence_interval(Y, Y, "log_loss", y_proba=BOLD)
        with pytest.raises(ValueError, match="pass them as `y_proba`"):
            confidence_interval(Y, Y, "miscalibration")
        for given in ({}, {"predictions": {"a": Y, "b": Y}, "y_probas": PROBAS}):
            with pytest.raises(ValueError, match="Pass either `predictions` or"):
                compare_models(Y, **given)

    def test_few_groups_warn(self):
        with pytest.warns(UserWarning, match="there are 3 groups, fewer than 20"):
            confidence_interval(Y, metric="log_loss", y_proba=BOLD, groups=Y)


class TestModels:
    def test_comparison(self):
        comparison = compare_models(
            Y, metric="probability_information", y_probas=PROBAS
        )
        assert comparison.metric == "probability_information"
        assert comparison.greater_is_better
        names = [one.name for one in comparison.models]
        assert set(names[:2]) == {"calm", "bold"}
        assert names[2:] == ["noisy", "none"]
        tied = {one.name: one.tied_with_best for one in comparison.models}
        assert tied == {"calm": True, "bold": True, "noisy": False, "none": False}
        for model in comparison.models:
            interval = confidence_interval(
                Y, metric="probability_information", y_proba=PROBAS[model.name]
            )
            assert (model.low, model.high) == (interval.low, interval.high)
        pair = comparison.pairs[1]
        a, b = (
            ProbabilityBalance.from_probabilities(Y, PROBAS[name]).information
            for name in (pair.a, pair.b)
        )
        assert pair.difference == pytest.approx(a - b)
        assert pair.low < pair.difference < pair.high

    @pytest.mark.parametrize(
        "metric", ["probability_information", "normalized_information"]
    )
    def test_nothing_is_exactly_nothing(self, metric):
        """A model that knows less than the class shares is not below zero."""
        names = ["bold", "none"]
        (pair,) = compare_models(
            Y, metric=metric, y_probas={name: PROBAS[name] for name in names}
        ).pairs
        bold, none = (
            ProbabilityBalance.from_probabilities(Y, PROBAS[name]).to_dict()
            for name in names
        )
        assert none["recalibration"] == "shares"
        name = metric.removeprefix("probability_")
        assert pair.difference == pytest.approx(bold[name], rel=1e-12)

    def test_losses_are_best_when_low(self):
        comparison = compare_models(Y, metric="log_loss", y_probas=PROBAS)
        assert not comparison.greater_is_better
        assert comparison.models[0].name == "calm"
        values = [one.estimate for one in comparison.models]
        assert values == sorted(values)
        expected = log_loss(Y, PROBAS["calm"]) / math.log(2)
        assert values[0] == pytest.approx(expected)
        negated = compare_models(Y, metric="neg_log_loss", y_probas=PROBAS)
        assert negated.greater_is_better
        assert [one.estimate for one in negated.models] == [-x for x in values]
        for one, other in zip(comparison.pairs, negated.pairs, strict=True):
            assert other.difference == -one.difference
            assert other.p_value == one.p_value

    def test_groups_of_one_change_nothing(self):
        given = {"metric": "log_loss", "y_probas": PROBAS}
        alone = compare_models(Y, **given)
        groups = compare_models(Y, groups=np.arange(300), **given)
        for one, other in zip(alone.pairs, groups.pairs, strict=True):
            assert one.p_value == pytest.approx(other.p_value, rel=1e-9)

    def test_bad_input(self):
        with pytest.raises(ValueError, match="names of two models or more"):
            compare_models(Y, y_probas={"a": BOLD})
        with pytest.raises(ValueError, match="The probabilities of 'short': "):
            compare_models(
                Y, metric="log_loss", y_probas={"a": BOLD, "short": BOLD[1:]}
            )


class TestSeveralLabels:
    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
    @pytest.mark.parametrize("metric", [MULTILABEL, multilabel_information_score])
    def test_interval(self, metric, kind, weighted):
        true, pred = draw_labels(200, 6, 0.3, 0.7, 0.5, seed=0)
        weight = np.random.default_rng(0).random(200) if weighted else None
        expected = confidence_interval(true, pred, MULTILABEL, sample_weight=weight)
        got = confidence_interval(kind(true), kind(pred), metric, sample_weight=weight)
        np.testing.assert_allclose(got, expected, rtol=1e-9)
        value = multilabel_information_score(true, pred, sample_weight=weight)
        assert got.plug_in == pytest.approx(value)
        assert 0 < got.low < got.estimate < got.high < 1
        assert got.estimate < got.plug_in
        assert got.metric == MULTILABEL

    def test_labels_that_are_wrong_together_say_less(self):
        """A label four times says nothing more than once."""
        true, pred = draw_labels(300, 1, 0.4, 0.7, 0, seed=1)
        once = confidence_interval(true, pred, MULTILABEL)
        more = confidence_interval(true.repeat(4, 1), pred.repeat(4, 1), MULTILABEL)
        np.testing.assert_allclose(more, once, rtol=0.01)
        others = draw_labels(300, 4, 0.4, 0.7, 0, seed=1)
        independent = confidence_interval(*others, MULTILABEL)
        assert independent.standard_error < 0.7 * once.standard_error

    def test_no_errors(self):
        true, _ = draw_labels(100, 5, 0.3, 1, 0, seed=0)
        got = confidence_interval(true, true, MULTILABEL)
        assert got.high == got.plug_in == 1
        assert 0.7 < got.low < got.estimate <= 1

    def test_groups(self):
        true, pred = draw_labels(100, 5, 0.3, 0.7, 0, seed=0)
        once = confidence_interval(true, pred, MULTILABEL)
        thrice = confidence_interval(
            true.repeat(3, 0), pred.repeat(3, 0), MULTILABEL, groups=np.arange(300) // 3
        )
        assert thrice.standard_error == pytest.approx(once.standard_error, rel=0.05)
        assert thrice.n_groups == 100

    def test_nothing_varies(self):
        with pytest.warns(UndefinedMetricWarning):
            got = confidence_interval(np.zeros((9, 2)), np.ones((9, 2)), MULTILABEL)
        assert all(map(math.isnan, got))

    def test_other_functions_refuse_it(self):
        with pytest.raises(ValueError, match="several labels per sample"):
            compare_classifiers([0, 1], [0, 1], [1, 1], MULTILABEL)

    @pytest.mark.slow
    @pytest.mark.parametrize("shared", [0, 0.7])
    @pytest.mark.parametrize(
        ("n_samples", "n_labels", "share"), [(100, 20, 0.05), (300, 5, 0.3)]
    )
    def test_coverage(self, n_samples, n_labels, share, shared):
        right = 0.6
        rows = np.array([1 - share, share])
        table = rows[:, None] * (right * np.eye(2) + (1 - right) * rows)
        ratio = np.log2(table / np.outer(table.sum(axis=1), table.sum(axis=0)))
        expected = (table * ratio).sum() / -(rows * np.log2(rows)).sum()
        hits = 0
        for seed in range(300):
            drawn = draw_labels(n_samples, n_labels, share, right, shared, seed)
            interval = confidence_interval(*drawn, MULTILABEL)
            hits += interval.low <= expected <= interval.high
        assert hits / 300 > 0.92 - 2.5 * math.sqrt(0.05 * 0.95 / 300)
