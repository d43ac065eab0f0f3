"""Groups of samples that belong together: how many independent samples they are."""

import math

import numpy as np
import pytest
from scipy import stats

from sklearn_entropy_metrics import confidence_interval, contingency_table, measure
from sklearn_entropy_metrics.compare.design import effective_size, number_samples

NI = "normalized_information"


def patients(n_groups, size, *, icc, accuracy=0.8, n_classes=2, seed=0):
    """One class a patient, whose samples are right with a probability of their own."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), size)
    y_true = rng.integers(0, n_classes, n_groups)[groups]
    strength = 1 / icc - 1
    right = rng.beta(accuracy * strength, (1 - accuracy) * strength, n_groups)
    is_right = rng.random(len(groups)) < right[groups]
    other = (y_true + rng.integers(1, n_classes, len(groups))) % n_classes
    return y_true, np.where(is_right, y_true, other), groups


class TestByHand:
    def test_accuracy(self):
        """Its influence is hit or not, minus the share of hits."""
        y_true, y_pred, groups = patients(40, 10, icc=0.3)
        interval = confidence_interval(y_true, y_pred, "accuracy", groups=groups)
        sums = np.bincount(groups, y_true == y_pred) / 400
        variance = 40 / 39 * ((sums - sums.mean()) ** 2).sum()
        share = np.mean(y_true == y_pred)
        expected = share * (1 - share) / variance
        # The influence is taken at the shrunk table, where the share differs a little.
        assert interval.n_effective == pytest.approx(expected, rel=0.02)
        assert interval.n_effective < 400
        assert interval.n_groups == 40
        reach = stats.t(39).ppf(0.975)
        square = reach**2 / interval.n_effective
        centre = (share + square / 2) / (1 + square)
        half = math.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
        np.testing.assert_allclose(interval[1:3], [centre - half, centre + half])

    @pytest.mark.parametrize("metric", [NI, "accuracy", "f1", "cohen_kappa"])
    def test_each_sample_three_times_in_its_group(self, metric):
        y_true, y_pred, _ = patients(60, 1, icc=0.5, seed=1)
        once = confidence_interval(y_true, y_pred, metric, groups=np.arange(60))
        thrice = confidence_interval(
            np.repeat(y_true, 3),
            np.repeat(y_pred, 3),
            metric,
            groups=np.repeat(np.arange(60), 3),
        )
        assert thrice.n_effective == pytest.approx(once.n_effective, rel=0.02)
        np.testing.assert_allclose(thrice[1:3], once[1:3], atol=0.01)

    def test_groups_of_one_change_the_quantile_alone(self):
        y_true, y_pred, _ = patients(300, 1, icc=0.5)
        plain = confidence_interval(y_true, y_pred)
        grouped = confidence_interval(y_true, y_pred, groups=np.arange(300))
        np.testing.assert_allclose(grouped, plain, atol=0.005)

    def test_a_weight_is_a_weight(self):
        y_true, y_pred, groups = patients(40, 5, icc=0.3)
        plain = confidence_interval(y_true, y_pred, groups=groups)
        scaled = confidence_interval(
            y_true, y_pred, groups=groups, sample_weight=np.full(200, 0.1)
        )
        np.testing.assert_allclose(scaled, plain, rtol=1e-6)
        weight = np.where(groups < 20, 1.0, 0.0)
        some = groups < 20
        np.testing.assert_allclose(
            confidence_interval(y_true, y_pred, groups=groups, sample_weight=weight),
            confidence_interval(
                y_true[some], y_pred[some], groups=groups[some], labels=[0, 1]
            ),
            rtol=1e-9,
        )

    def test_names_of_groups_do_not_matter(self):
        y_true, y_pred, groups = patients(30, 4, icc=0.3)
        names = np.array([f"patient {i}" for i in groups])
        np.testing.assert_allclose(
            confidence_interval(y_true, y_pred, groups=names),
            confidence_interval(y_true, y_pred, groups=groups),
            rtol=1e-9,
        )

    def test_days(self):
        y_true, y_pred, groups = patients(40, 10, icc=0.3)
        days = np.datetime64("2026-01-01") + groups
        expected = confidence_interval(y_true, y_pred, groups=groups)
        assert confidence_interval(y_true, y_pred, groups=days) == expected

    def test_a_function_of_tables(self):
        y_true, y_pred, groups = patients(40, 10, icc=0.3)
        by_name = confidence_interval(y_true, y_pred, "cohen_kappa", groups=groups)
        by_function = confidence_interval(
            y_true, y_pred, lambda t: measure.cohen_kappa(t), groups=groups
        )
        assert by_function.n_effective == pytest.approx(by_name.n_effective, rel=1e-3)

    def test_a_cell(self):
        """Any influence will do: that of a single cell of the table."""
        y_true, y_pred, groups = patients(50, 6, icc=0.3)
        shares = contingency_table(y_true, y_pred) / 300
        (samples,) = number_samples(y_true, {"": y_pred}, groups, None, None, None)
        counted = samples.by_group(samples.cells, 4)
        np.testing.assert_allclose(counted.sum(axis=0), 300 * shares.ravel())
        indicator = np.array([[0, 1], [0, 0]]) - shares[0, 1]
        sums = counted.toarray()[:, 1] / 300
        variance = 50 / 49 * ((sums - 6 / 300 * shares[0, 1]) ** 2).sum()
        size = effective_size(counted, indicator, shares, 300)
        expected = min(shares[0, 1] * (1 - shares[0, 1]) / variance, 300)
        assert size == pytest.approx(expected, rel=0.05)


class TestBadInput:
    def test_few_groups(self):
        y_true, y_pred, groups = patients(19, 20, icc=0.1)
        with pytest.warns(UserWarning, match="there are 19 groups, fewer than 20"):
            interval = confidence_interval(y_true, y_pred, "accuracy", groups=groups)
        assert repr(interval).endswith(", 19 groups")

    @pytest.mark.filterwarnings("ignore:The interval may miss:UserWarning")
    @pytest.mark.parametrize(("n_groups", "level"), [(2, 0.95), (3, 0.999)])
    @pytest.mark.parametrize("metric", ["accuracy", NI, lambda t: measure.accuracy(t)])
    def test_very_few_groups(self, metric, n_groups, level):
        """The quantile of the t distribution is large, the interval finite and long."""
        y_true, y_pred, _ = patients(20, 10, icc=0.1)
        groups = np.arange(200) % n_groups
        options = {"groups": groups, "confidence_level": level}
        interval = confidence_interval(y_true, y_pred, metric, **options)
        alone = confidence_interval(y_true, y_pred, metric, confidence_level=level)
        assert alone.high - alone.low < interval.high - interval.low < math.inf

    def test_one_group(self):
        with pytest.raises(ValueError, match="`groups` must name at least 2 groups"):
            confidence_interval([0, 1] * 9, [0, 1] * 9, groups=["a"] * 18)

    def test_lengths_missing_values_and_tables(self):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            confidence_interval([0, 1], [0, 1], groups=[1, 2, 3])
        with pytest.raises(ValueError, match="groups must not contain missing"):
            confidence_interval([0, 1], [0, 1], groups=[1, None])
        with pytest.raises(ValueError, match="`groups` must not contain missing"):
            confidence_interval([0, 1], [0, 1], groups=[np.datetime64("NaT", "D")] * 2)
        with pytest.raises(ValueError, match="`groups` needs `y_true` and `y_pred`"):
            confidence_interval(table=[[9, 1], [1, 9]], groups=[0, 1])


@pytest.mark.slow
@pytest.mark.parametrize("icc", [0.1, 0.3])
def test_coverage(icc):
    """Where samples of a patient are alike, intervals must be longer."""
    table = np.array([[0.8, 0.2], [0.2, 0.8]]) / 2
    truth = {"accuracy": 0.8, NI: measure.normalized_information(table)}
    covered = {(name, kind): [] for name in truth for kind in ("plain", "groups")}
    for seed in range(150):
        y_true, y_pred, groups = patients(40, 10, icc=icc, seed=seed)
        for name, value in truth.items():
            for kind, given in (("plain", None), ("groups", groups)):
                interval = confidence_interval(y_true, y_pred, name, groups=given)
                covered[name, kind].append(interval.low <= value <= interval.high)
    for name in truth:
        assert np.mean(covered[name, "groups"]) >= 0.88
        assert np.mean(covered[name, "plain"]) < np.mean(covered[name, "groups"])
