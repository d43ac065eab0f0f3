"""Chance: adjusted information and the test of independence."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse, stats
from sklearn import config_context
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import adjusted_mutual_info_score, get_scorer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB

from sklearn_entropy_metrics import (
    EntropyBalance,
    InformationScorer,
    TableAccumulator,
    adjusted_normalized_information_score,
    contingency_table,
    independence_test,
    measure,
    normalized_information_score,
)
from sklearn_entropy_metrics.measure import chance, evaluate
from sklearn_entropy_metrics.measure.chance import _expected_information

NI = "normalized_information"
TABLE = np.array([[9, 2, 1], [3, 8, 0], [1, 4, 12]])
ROWS, COLUMNS = (np.repeat(where, TABLE.ravel()) for where in np.indices((3, 3)))


def guesses(n_samples, n_classes, seed):
    return np.random.default_rng(seed).integers(0, n_classes, (2, n_samples))


def adjusted_by_hand(y_true, y_pred):
    """Over all orders of the predictions."""
    tables = np.array(
        [contingency_table(y_true, order) for order in itertools.permutations(y_pred)]
    )
    expected = EntropyBalance.from_confusion_matrix(tables).mutual_information.mean()
    b = EntropyBalance.from_predictions(y_true, y_pred)
    return (b.mutual_information - expected) / (b.entropy_true - expected)


class TestAdjustedInformation:
    @pytest.mark.parametrize(
        ("y_true", "y_pred"),
        [
            ([0, 0, 0, 1, 1, 2], [0, 1, 0, 1, 1, 2]),
            ([0, 0, 0, 0, 1, 1], [2, 1, 0, 1, 1, 2]),
        ],
    )
    def test_by_hand(self, y_true, y_pred):
        score = adjusted_normalized_information_score(y_true, y_pred)
        assert score == pytest.approx(adjusted_by_hand(y_true, y_pred), rel=1e-10)

    @given(
        hnp.arrays(
            np.int64,
            st.tuples(st.integers(2, 6), st.integers(2, 6)),
            elements=st.integers(0, 12),
        ).filter(lambda table: table.any())
    )
    def test_ami_comes_out_with_its_own_denominator(self, table):
        y_true, y_pred = (np.repeat(i, table.ravel()) for i in np.indices(table.shape))
        b = EntropyBalance.from_confusion_matrix(table)
        expected = _expected_information(b.table, None)
        whole = (b.entropy_true + b.entropy_pred) / 2
        if whole - expected > 1e-6:
            ami = (b.mutual_information - expected) / (whole - expected)
            theirs = adjusted_mutual_info_score(y_true, y_pred)
            assert ami == pytest.approx(theirs, abs=1e-10)

    @pytest.mark.parametrize("n_classes", [2, 10])
    @pytest.mark.parametrize("n_samples", [20, 200])
    def test_guesses_score_zero_on_average(self, n_classes, n_samples):
        scores = [
            adjusted_normalized_information_score(*guesses(n_samples, n_classes, seed))
            for seed in range(150)
        ]
        error = np.std(scores) / math.sqrt(len(scores))
        assert abs(np.mean(scores)) < 3.5 * error
        assert min(scores) < 0

    def test_perfect_predictions_score_one_exactly(self):
        for y in (ROWS, COLUMNS, [0, 0, 1]):
            assert adjusted_normalized_information_score(y, y) == 1

    def test_many_samples_need_no_adjustment(self):
        for size in (10**4, 10**9, 10**290):
            table = TABLE * float(size)
            adjusted = measure.adjusted_normalized_information(table)
            plain = measure.normalized_information(table)
            assert 0 <= plain - adjusted < 10 / size + 1e-15

    @pytest.mark.slow
    def test_first_order_above_ten_million_samples(self):
        table = np.full((3, 4), 10**6)
        below = _expected_information(table * 0.83, None)
        above = _expected_information(table, None)
        assert above == pytest.approx(6 / (2 * 12e6) / math.log(2))
        assert above == pytest.approx(0.83 * below, rel=1e-5)

    def test_classes_that_are_not_seen_make_no_difference(self):
        wide = np.zeros((6, 7), dtype=int)
        wide[:3, 2:5] = TABLE
        expected = measure.adjusted_normalized_information(TABLE)
        for table in (wide, sparse.csr_array(wide)):
            got = measure.adjusted_normalized_information(table)
            assert got == pytest.approx(expected, rel=1e-12)

    def test_undefined(self):
        assert np.isnan(measure.adjusted_normalized_information([[3, 2], [0, 0]]))
        assert np.isnan(measure.adjusted_normalized_information(np.eye(7)))
        assert np.isnan(measure.adjusted_normalized_information(TABLE / TABLE.sum()))
        with pytest.warns(UndefinedMetricWarning, match="a single true class"):
            assert math.isnan(adjusted_normalized_information_score([0, 0], [0, 1]))
        names = ["a", "b", "c", "d"]
        with pytest.warns(UndefinedMetricWarning, match="chance alone"):
            assert math.isnan(adjusted_normalized_information_score(names, names))
        value = adjusted_normalized_information_score(
            names, names, replace_undefined_by=0.5
        )
        assert value == 0.5

    @pytest.mark.parametrize("kind", ["spread", "of classes", "of a few"])
    def test_guesses_score_zero_with_weights(self, kind):
        """As many equal samples would have less information by chance."""
        scores, plain = [], []
        for seed in range(40):
            rng = np.random.default_rng(seed)
            y_true, y_pred = rng.integers(0, 10, (2, 150))
            weight = {
                "spread": rng.lognormal(sigma=1.5, size=150),
                "of classes": np.geomspace(1, 20, 10)[y_true],
                "of a few": np.where(rng.random(150) < 0.1, 20, 1),
            }[kind]
            scores.append(
                adjusted_normalized_information_score(
                    y_true, y_pred, sample_weight=weight
                )
            )
            plain.append(
                normalized_information_score(y_true, y_pred, sample_weight=weight)
            )
        assert abs(np.mean(scores)) < 4 * np.std(scores) / 40**0.5
        assert np.mean(plain) > 0.15

    def test_the_scale_of_weights_means_nothing(self):
        weight = np.random.default_rng(0).exponential(size=len(ROWS))
        got = [
            adjusted_normalized_information_score(
                ROWS, COLUMNS, sample_weight=scale * weight
            )
            for scale in (1e-300, 1, 1e300)
        ]
        np.testing.assert_allclose(got, got[1], rtol=1e-9)
        equal = adjusted_normalized_information_score(
            ROWS, COLUMNS, sample_weight=np.full(len(ROWS), 0.3)
        )
        plain = adjusted_normalized_information_score(ROWS, COLUMNS)
        assert equal == pytest.approx(plain, rel=1e-12)

    def test_permutations_and_the_limit_of_many_weights_agree(self, monkeypatch):
        rng = np.random.default_rng(0)
        y_true, y_pred = rng.integers(0, 5, (2, 20_000))
        given = {"sample_weight": rng.exponential(size=20_000)}
        few = adjusted_normalized_information_score(y_true, y_pred, **given)
        monkeypatch.setattr(chance, "_MOST_PERMUTED", 10)
        many = adjusted_normalized_information_score(y_true, y_pred, **given)
        assert many == pytest.approx(few, abs=1e-4)
        assert many != few
        names = y_pred.astype(str)
        given["pred_labels"] = [*"01234"]
        assert adjusted_normalized_information_score(
            y_true, names, **given
        ) == pytest.approx(many)

    def test_scoring_string(self):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 3, 90)
        X = np.c_[y + rng.normal(size=90), rng.normal(size=90)]
        name = "adjusted_normalized_information"
        scores = cross_val_score(GaussianNB(), X, y, scoring=name, cv=3)
        assert np.isfinite(scores).all()
        model, weight = GaussianNB().fit(X, y), rng.exponential(size=90)
        one = get_scorer(name)(model, X, y, sample_weight=weight)
        several = InformationScorer([name])(model, X, y, sample_weight=weight)
        assert several[name] == pytest.approx(one, rel=1e-12)


class TestIndependenceTest:
    def test_numbers(self):
        test = independence_test(ROWS, COLUMNS, n_resamples=4999, random_state=0)
        assert test.value == normalized_information_score(ROWS, COLUMNS)
        exact = measure.adjusted_normalized_information(TABLE)
        assert test.adjusted == pytest.approx(exact, abs=0.005)
        assert test.expected == pytest.approx(
            _expected_information(TABLE, None) / stats.entropy(TABLE.sum(1), base=2),
            abs=0.002,
        )
        assert test.p_value == 1 / 5000
        assert tuple(test) == (test.value, test.expected, test.adjusted, test.p_value)

    def test_p_value_of_two_classes_is_fishers(self):
        table = np.array([[7, 3], [4, 8]])
        test = independence_test(
            table=table, metric="accuracy", n_resamples=9999, random_state=0
        )
        expected = stats.fisher_exact(table, alternative="greater").pvalue
        assert test.p_value == pytest.approx(expected, abs=0.015)

    @pytest.mark.parametrize(
        "options",
        [
            {"table": TABLE},
            {"table": TABLE.tolist()},
            {"table": sparse.csr_array(TABLE)},
            {"table": EntropyBalance.from_confusion_matrix(TABLE)},
            {"table": TableAccumulator().update(ROWS, COLUMNS)},
            {"table": TABLE, "labels": ["a", "b", "c"]},
        ],
    )
    def test_tables(self, options):
        expected = independence_test(ROWS, COLUMNS, n_resamples=50, random_state=0)
        assert independence_test(**options, n_resamples=50, random_state=0) == expected

    def test_seeds(self):
        first, same, other = (
            independence_test(table=TABLE, n_resamples=50, random_state=seed)
            for seed in (0, 0, 1)
        )
        assert first == same
        assert first != other

    @pytest.mark.parametrize(
        "metric", ["confusion_entropy", "variation_of_information"]
    )
    def test_losses(self, metric):
        options = {"n_resamples": 400, "random_state": 0}
        loss = independence_test(table=TABLE, metric=metric, **options)
        score = independence_test(table=TABLE, metric=f"neg_{metric}", **options)
        assert loss.p_value == score.p_value < 0.05
        assert loss.adjusted == score.adjusted > 0
        assert (score.value, score.expected) == (-loss.value, -loss.expected)
        assert loss.adjusted == pytest.approx(1 - loss.value / loss.expected)

    def test_every_measure_of_a_perfect_classifier(self):
        table = np.diag([12, 9, 3])
        for name, row in measure.MEASURES.items():
            if row.input in ("table", "square table"):
                test = independence_test(
                    table=table, metric=name, n_resamples=60, random_state=0
                )
                assert test.adjusted == pytest.approx(1), name
                assert test.p_value == 1 / 61, name

    def test_functions_of_the_user(self):
        test = independence_test(
            table=TABLE,
            metric=lambda tables: np.trace(tables, axis1=-2, axis2=-1),
            n_resamples=200,
            random_state=0,
        )
        assert test.value == np.trace(TABLE)
        assert math.isnan(test.adjusted)  # who knows what its best value is
        assert test.p_value < 0.02

    def test_rectangular_and_unseen_classes(self):
        table = np.zeros((4, 5), dtype=int)
        table[:3, 1:4] = TABLE
        test = independence_test(table=table, n_resamples=50, random_state=0)
        expected = independence_test(table=TABLE, n_resamples=50, random_state=0)
        np.testing.assert_allclose(test, expected, rtol=1e-12)

    def test_a_single_class(self):
        """All tables with these margins are the same, and chance is as good."""
        metric = "variation_of_information"
        constant = independence_test(table=[[3, 0], [4, 0]], metric=metric)
        with pytest.warns(UserWarning, match="one class only"):
            one_class = independence_test(table=[[5, 2, 9]], metric=metric)
        for test in (constant, one_class):
            assert test.value == pytest.approx(test.expected)
            assert (test.adjusted, test.p_value) == (0, 1)

    def test_undefined(self):
        with pytest.warns(UndefinedMetricWarning, match="undefined for these samples"):
            test = independence_test([1, 1, 1], [0, 1, 1])
        np.testing.assert_array_equal(test, [math.nan] * 4)

    def test_bad_input(self):
        with pytest.raises(ValueError, match="Pass y_true and y_pred, or a table"):
            independence_test()
        with pytest.raises(ValueError, match="Got both"):
            independence_test(ROWS, COLUMNS, table=TABLE)
        with pytest.raises(ValueError, match="whole numbers"):
            independence_test(table=TABLE / 2)
        with pytest.raises(ValueError, match="Probabilities do not say"):
            independence_test(table=TABLE / TABLE.sum())
        with pytest.raises(ValueError, match="all zero"):
            independence_test(table=np.zeros((2, 2)))
        with pytest.raises(ValueError, match="`n_resamples` must be an integer"):
            independence_test(table=TABLE, n_resamples=0)
        with pytest.raises(ValueError, match="`metric` must be the name of a measure"):
            independence_test(table=TABLE, metric="f2")
        with pytest.raises(ValueError, match="is a metric of probabilities"):
            independence_test(table=TABLE, metric="neg_probabilistic_confusion_entropy")
        y_true, y_pred = guesses(1000, 200, 0)
        with (
            config_context(working_memory=1),
            pytest.raises(ValueError, match=r"\(200, 200\).*working_memory"),
        ):
            independence_test(y_true, y_pred)

    @pytest.mark.parametrize(
        "n_classes", [2, 5, pytest.param(30, marks=pytest.mark.slow)]
    )
    @pytest.mark.parametrize("largest", ["balanced", "90 %"])
    def test_guessers_are_not_taken_for_better(self, n_classes, largest):
        """Where chi-square tests reject up to 78 % of them."""
        prior = np.full(n_classes, 1 / n_classes)
        if largest == "90 %":
            prior = np.r_[0.9, np.full(n_classes - 1, 0.1 / (n_classes - 1))]
        rng = np.random.default_rng(n_classes)
        n_tables = 60 if n_classes == 30 else 150
        tables = rng.multinomial(
            max(2 * n_classes**2, 20), np.outer(prior, prior).ravel(), n_tables
        ).reshape(-1, n_classes, n_classes)
        tables = tables[(tables.sum(axis=-1) > 0).sum(axis=-1) > 1]
        rejected = [
            independence_test(table=table, n_resamples=99, random_state=i).p_value
            <= 0.05
            for i, table in enumerate(tables)
        ]
        # At most 5 % in the long run; three standard deviations more of so few.
        assert np.mean(rejected) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / len(rejected))

    def test_a_little_information_is_found(self):
        rng = np.random.default_rng(0)
        y_true, y_guessed = rng.integers(0, 10, (2, 300))
        y_pred = np.where(rng.random(300) < 0.25, y_true, y_guessed)
        assert independence_test(y_true, y_pred, random_state=0).p_value == 0.001


class TestGroups:
    """Patients of ten samples each, who have one true class."""

    @staticmethod
    def patients(n_patients, seed, kept=0.0):
        """All predictions of a patient are the same mood; a share is right."""
        rng = np.random.default_rng(seed)
        patient = np.repeat(np.arange(n_patients), 10)
        y_true, mood = rng.integers(0, 3, (2, n_patients))[:, patient]
        is_right = (rng.random(n_patients) < kept)[patient]
        return y_true, np.where(is_right, y_true, mood), patient

    @pytest.mark.slow
    def test_guesses_that_go_with_the_patient(self):
        p_values = {"alone": [], "groups": []}
        for seed in range(40):
            y_true, y_pred, patient = self.patients(20, seed)
            for name, groups in (("alone", None), ("groups", patient)):
                found = independence_test(
                    y_true, y_pred, groups=groups, n_resamples=99, random_state=seed
                )
                p_values[name].append(found.p_value)
        assert np.mean(np.array(p_values["alone"]) <= 0.05) > 0.9
        assert np.mean(np.array(p_values["groups"]) <= 0.05) <= 0.15
        assert stats.kstest(p_values["groups"], "uniform").pvalue > 0.001

    def test_real_information_is_found(self):
        y_true, y_pred, patient = self.patients(40, 0, kept=0.6)
        found = independence_test(y_true, y_pred, groups=patient, random_state=0)
        assert found.p_value <= 0.01

    def test_groups_of_one_are_samples(self):
        y_true, y_pred = ROWS, COLUMNS
        alone = independence_test(y_true, y_pred, random_state=0)
        single = independence_test(
            y_true, y_pred, groups=range(len(y_true)), random_state=0
        )
        assert single.expected == pytest.approx(alone.expected, rel=0.05)
        assert single.p_value == pytest.approx(alone.p_value, abs=0.05)

    def test_groups_of_several_classes(self):
        with pytest.raises(ValueError, match="use `confidence_interval`"):
            independence_test(ROWS, COLUMNS, groups=np.arange(len(ROWS)) // 20)

    def test_a_table_has_no_groups(self):
        with pytest.raises(ValueError, match="`groups` needs `y_true`"):
            independence_test(table=TABLE, groups=[0, 1, 2])


@pytest.mark.parametrize("count", [4 * 10**9, 1e19, 1e300])
def test_more_samples_than_can_be_permuted(count):
    with pytest.raises(ValueError, match="at most 1,000,000,000 samples"):
        independence_test(table=[[count, 1], [1, count]])


def test_chance_counts_for_little_in_many_samples():
    """Above ten million samples the expectation is that of first order."""
    table = np.array([[3, 1], [1, 3]]) * 10**7
    values = evaluate(
        table, ["adjusted_normalized_information", "normalized_information"]
    )
    expected = 1 / (2 * table.sum() * np.log(2))  # bits; the classes hold one bit
    adjusted, plain = values.values()
    assert plain - adjusted == pytest.approx(expected * (1 - plain), rel=1e-3)
