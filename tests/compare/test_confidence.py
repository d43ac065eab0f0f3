"""confidence_interval: labels or a table, any metric, weights, warnings."""

import inspect
import math
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import (
    EntropyBalance,
    TableAccumulator,
    compare_classifiers,
    confidence_interval,
    contingency_table,
    measure,
)
from sklearn_entropy_metrics.measure.catalog import MEASURES

# Few samples are enough for most of these tests; TestDoubts asks what is said of them.
pytestmark = pytest.mark.filterwarnings("ignore:The interval may miss:UserWarning")

TABLE = np.array([[40, 7, 0], [6, 30, 9], [2, 4, 22]])
ROWS, COLUMNS = (np.repeat(where, TABLE.ravel()) for where in np.indices((3, 3)))
NAMES = np.array(["ant", "bee", "cow"])
NI = "normalized_information"
PAIRED = {"n_resamples": 60, "random_state": 0}
EXPECTED = confidence_interval(ROWS, COLUMNS, NI)


class TestSignature:
    def test_parameters(self):
        parameters = inspect.signature(confidence_interval).parameters
        assert list(parameters) == [
            "y_true",
            "y_pred",
            "metric",
            "table",
            "y_proba",
            "confidence_level",
            "labels",
            "pred_labels",
            "sample_weight",
        ]
        kinds = [parameter.kind for parameter in parameters.values()]
        assert (
            kinds
            == [inspect.Parameter.POSITIONAL_OR_KEYWORD] * 3
            + [inspect.Parameter.KEYWORD_ONLY] * 6
        )
        assert parameters["metric"].default == NI

    def test_the_old_name_is_gone(self):
        assert not hasattr(sem, "bootstrap_interval")
        assert "confidence_interval" in sem.__all__

    @pytest.mark.parametrize(
        "option", ["method", "n_resamples", "stratify", "random_state"]
    )
    def test_options_of_resampling_are_gone(self, option):
        with pytest.raises(TypeError, match=option):
            confidence_interval(ROWS, COLUMNS, **{option: 0})


class TestTable:
    """A table in place of labels gives the same numbers."""

    @pytest.mark.parametrize(
        "convert",
        [
            np.asarray,
            np.ndarray.tolist,
            lambda table: table.astype(np.uint8),
            lambda table: table.astype(float),
            sparse.csr_array,
            sparse.coo_array,
            EntropyBalance.from_confusion_matrix,
            lambda table: TableAccumulator().update(ROWS, COLUMNS),
        ],
        ids=["array", "list", "uint8", "float", "csr", "coo", "balance", "stream"],
    )
    def test_of_any_kind(self, convert):
        assert confidence_interval(table=convert(TABLE)) == EXPECTED

    def test_named_classes(self):
        named = confidence_interval(table=TABLE, metric="accuracy")
        labels = confidence_interval(
            NAMES[ROWS], NAMES[COLUMNS], "accuracy", labels=NAMES
        )
        assert named == labels
        order = [2, 0, 1]
        shuffled = confidence_interval(
            table=TABLE[:, order],
            metric="accuracy",
            labels=NAMES,
            pred_labels=NAMES[order],
        )
        assert shuffled == labels

    @pytest.mark.parametrize(
        "metric",
        [
            name
            for name, one in MEASURES.items()
            if not (one.of_probabilities or one.of_several_labels)
        ],
    )
    def test_counts_have_the_interval_of_repeated_labels(self, metric):
        """To the last digit, whatever the order of the classes."""
        order = [1, 0] if MEASURES[metric].input == "2x2 table" else [2, 0, 1]
        labels = NAMES[order]
        counts = TABLE[np.ix_(order, order)]
        true, pred = np.meshgrid(labels, labels, indexing="ij")
        repeated = (np.repeat(side, counts.ravel()) for side in (true, pred))
        options = {"metric": metric, "labels": labels}
        expected = confidence_interval(*repeated, **options)
        assert confidence_interval(table=counts, **options) == expected
        assert expected.low < expected.high

    def test_order_of_pred_labels_does_not_exchange_classes(self):
        interval = confidence_interval(ROWS, COLUMNS, "accuracy", pred_labels=[2, 0, 1])
        assert interval.plug_in == accuracy_score(ROWS, COLUMNS)
        comparison = compare_classifiers(
            ROWS, ROWS, COLUMNS, "accuracy", pred_labels=[2, 0, 1], **PAIRED
        )
        assert comparison.difference == 1 - accuracy_score(ROWS, COLUMNS)

    def test_columns_of_other_classes_have_no_accuracy(self):
        with pytest.raises(ValueError, match="must be the same classes"):
            confidence_interval(
                table=TABLE,
                metric="accuracy",
                labels=NAMES,
                pred_labels=["x", "y", "z"],
            )
        with pytest.raises(ValueError, match="must be the same classes"):
            confidence_interval(
                table=TABLE, metric="accuracy", labels=NAMES, pred_labels=[0, 1, 2]
            )
        clusters = confidence_interval(table=TABLE, labels=NAMES, pred_labels=[0, 1, 2])
        assert clusters.plug_in == EXPECTED.plug_in
        assert clusters.estimate < EXPECTED.estimate  # nothing is known to be right

    def test_rectangular(self):
        table = np.array([[12, 3, 5], [2, 20, 4]])
        y_true, y_pred = (np.repeat(i, table.ravel()) for i in np.indices((2, 3)))
        expected = confidence_interval(y_true, y_pred, pred_labels=[0, 1, 2])
        names = {"labels": [0, 1], "pred_labels": [0, 1, 2]}
        assert confidence_interval(table=table, **names) == expected
        bare = confidence_interval(table=table)
        assert bare.plug_in == expected.plug_in
        assert bare != expected  # where the hits are it does not say
        with pytest.raises(ValueError, match=r"needs a square table.*\(2, 3\)"):
            confidence_interval(table=table, metric="accuracy")

    @pytest.mark.parametrize(
        "arguments",
        [
            {},
            {"y_true": ROWS},
            {"y_pred": COLUMNS},
        ],
    )
    def test_neither(self, arguments):
        with pytest.raises(ValueError, match="Pass y_true and y_pred, or a table"):
            confidence_interval(**arguments)

    @pytest.mark.parametrize(
        "arguments",
        [
            {"y_true": ROWS, "y_pred": COLUMNS},
            {"y_true": ROWS},
            {"y_pred": COLUMNS},
            {"sample_weight": np.ones(len(ROWS))},
        ],
    )
    def test_both(self, arguments):
        with pytest.raises(ValueError, match="not both"):
            confidence_interval(table=TABLE, **arguments)

    def test_probabilities(self):
        with pytest.raises(ValueError, match=r"how many samples.*sums to 1\.0"):
            confidence_interval(table=TABLE / TABLE.sum())
        smoothed = EntropyBalance.from_confusion_matrix(
            TABLE, smoothing="empirical_bayes"
        )
        with pytest.raises(ValueError, match="how many samples"):
            confidence_interval(table=smoothed)
        proba = np.full((4, 2), 0.5)
        soft = EntropyBalance.from_probabilities([0, 1, 1, 0], proba)
        with pytest.raises(ValueError, match="how many samples"):
            confidence_interval(table=soft)

    def test_bad_tables(self):
        with pytest.raises(ValueError, match=r"One table.*stack of shape \(2, 3, 3\)"):
            confidence_interval(table=[TABLE, TABLE])
        with pytest.raises(ValueError, match="all zero"):
            confidence_interval(table=np.zeros((2, 2)))
        with pytest.raises(ValueError, match="non-negative"):
            confidence_interval(table=-TABLE)
        with pytest.raises(ValueError, match="no samples yet"):
            confidence_interval(table=TableAccumulator())

    def test_bad_names(self):
        with pytest.raises(ValueError, match=r"labels must name each row.* 3 in all"):
            confidence_interval(table=TABLE, labels=["a", "b"])
        with pytest.raises(ValueError, match=r"pred_labels must name each column"):
            confidence_interval(table=TABLE, pred_labels=["a", "b", "c", "d"])
        with pytest.raises(ValueError, match="labels must not repeat"):
            confidence_interval(table=TABLE, labels=["a", "b", "b"])

    def test_an_accumulator_knows_its_classes(self):
        stream = TableAccumulator().update(NAMES[ROWS], NAMES[COLUMNS])
        named = confidence_interval(table=stream, labels=NAMES.tolist())
        assert named == EXPECTED
        with pytest.raises(
            ValueError, match="labels must be None or those of the table"
        ):
            confidence_interval(table=stream, labels=["bee", "ant", "cow"])
        with pytest.raises(ValueError, match="pred_labels must be None or those"):
            confidence_interval(table=stream, pred_labels=[0, 1, 2])

    def test_the_table_is_left_alone(self):
        table = TABLE.copy()
        table.setflags(write=False)
        confidence_interval(table=table)
        np.testing.assert_array_equal(table, TABLE)


class TestMetric:
    @pytest.mark.parametrize(
        ("function", "name"),
        [
            (sem.normalized_information_score, NI),
            (sem.variation_of_information_loss, "variation_of_information"),
            (sem.confusion_entropy_loss, "confusion_entropy"),
        ],
    )
    def test_a_metric_function_is_its_measure(self, function, name):
        by_function = confidence_interval(ROWS, COLUMNS, function)
        assert by_function == confidence_interval(ROWS, COLUMNS, name)
        assert by_function.plug_in == function(ROWS, COLUMNS)
        by_function = compare_classifiers(ROWS, ROWS, COLUMNS, function, **PAIRED)
        by_name = compare_classifiers(ROWS, ROWS, COLUMNS, name, **PAIRED)
        assert by_function == by_name

    @pytest.mark.parametrize("name", ["confusion_entropy", "variation_of_information"])
    def test_a_scoring_string_of_a_loss_negates(self, name):
        loss = confidence_interval(ROWS, COLUMNS, name)
        score = confidence_interval(ROWS, COLUMNS, f"neg_{name}")
        assert tuple(score) == (-loss[0], -loss[2], -loss[1], loss[3])
        assert score.plug_in == -loss.plug_in
        assert score.correction == -loss.correction
        other = np.roll(COLUMNS, 1)
        loss = compare_classifiers(ROWS, COLUMNS, other, name, **PAIRED)
        score = compare_classifiers(ROWS, COLUMNS, other, f"neg_{name}", **PAIRED)
        np.testing.assert_allclose(
            score, (-loss[0], -loss[2], -loss[1], loss[3]), rtol=1e-12
        )

    @pytest.mark.parametrize(
        "metric",
        [
            sem.mean_absolute_probability_error,
            "mean_absolute_probability_error",
            "neg_mean_absolute_probability_error",
        ],
    )
    def test_metrics_of_probabilities(self, metric):
        with pytest.raises(ValueError, match="is a metric of probabilities"):
            confidence_interval(ROWS, COLUMNS, metric)

    @pytest.mark.parametrize("metric", ["f2", 3, None, lambda: 0, pow])
    def test_what_is_no_metric(self, metric):
        with pytest.raises(ValueError, match="`metric` must be"):
            confidence_interval(ROWS, COLUMNS, metric)

    @pytest.mark.parametrize("value", [math.inf, -math.inf])
    @pytest.mark.parametrize("table", ["observed", "resamples"])
    def test_infinity(self, value, table):
        def metric(tables):
            is_observed = (tables == TABLE).all(axis=(-2, -1))
            bad = is_observed if table == "observed" else ~is_observed
            return np.where(bad, value, 0.5)

        with pytest.raises(ValueError, match="finite numbers, or NaN"):
            confidence_interval(ROWS, COLUMNS, metric)
        with pytest.raises(ValueError, match="finite numbers, or NaN"):
            compare_classifiers(ROWS, COLUMNS, ROWS, metric, **PAIRED)

    @pytest.mark.parametrize("size", [1e-200, 1e200])
    def test_the_size_of_a_metric_does_not_matter(self, size):
        # Powers of such numbers vanish or overflow.
        def sized(tables):
            return size * measure.accuracy(tables)

        got = confidence_interval(ROWS, COLUMNS, sized)
        expected = confidence_interval(
            ROWS, COLUMNS, lambda tables: measure.accuracy(tables)
        )
        np.testing.assert_allclose(np.array(got) / size, expected, rtol=1e-6)
        other = np.roll(COLUMNS, 1)
        got = compare_classifiers(ROWS, COLUMNS, other, sized, **PAIRED)
        expected = compare_classifiers(ROWS, COLUMNS, other, "accuracy", **PAIRED)
        np.testing.assert_allclose(
            np.array(got) / [size, size, size, 1], expected, rtol=1e-9
        )


class TestFewSamples:
    def test_none(self):
        with pytest.raises(ValueError, match="at least 1 sample"):
            confidence_interval([], [])
        with pytest.raises(ValueError, match="y_true is empty; at least 1 sample"):
            compare_classifiers([], [], [], NI)

    def test_one(self):
        with pytest.raises(ValueError, match=r"at least 2 samples.*Got 1\."):
            confidence_interval(["a"], ["b"], "accuracy")
        with pytest.raises(ValueError, match=r"at least 2 samples.*Got 1\.02"):
            confidence_interval([0, 1], [0, 1], "accuracy", sample_weight=[1, 0.01])
        assert compare_classifiers(["a"], ["a"], ["a"], "accuracy") == (0, 0, 0, 1)
        difference, low, high, p_value = compare_classifiers(
            ["a"], ["a"], ["b"], "accuracy", **PAIRED
        )
        assert (difference, p_value) == (1, 1)
        assert low <= 0 < 2 <= high

    def test_one_is_too_few_for_information(self):
        with pytest.warns(UndefinedMetricWarning, match="undefined for these samples"):
            comparison = compare_classifiers([1], [1], [0], NI, n_resamples=5)
        np.testing.assert_array_equal(comparison, [math.nan] * 4)
        assert comparison.n_undefined == 5

    def test_two(self):
        comparison = compare_classifiers(
            [0, 1], [0, 1], [1, 1], "accuracy", n_resamples=2000, random_state=0
        )
        assert comparison.difference == 0.5
        assert comparison.low < 0 < 1 < comparison.high
        assert comparison.p_value == 1


@pytest.mark.parametrize("scale", [1e-300, 1e300])
@pytest.mark.parametrize("metric", [NI, "accuracy", "confusion_entropy"])
def test_the_scale_of_weights_does_not_matter(metric, scale):
    weight = np.random.default_rng(0).uniform(0.5, 2, len(ROWS))
    expected, got = (
        confidence_interval(ROWS, COLUMNS, metric, sample_weight=one)
        for one in (weight, weight * scale)
    )
    np.testing.assert_allclose(got, expected, rtol=1e-9)


@pytest.mark.parametrize("metric", [NI, "entropy_modulated_accuracy", "accuracy"])
def test_samples_of_no_account(metric):
    weight = np.random.default_rng(0).uniform(0.5, 2, len(ROWS))
    heavy = np.arange(len(ROWS)) % 2 == 0
    few = confidence_interval(
        ROWS[heavy], COLUMNS[heavy], metric, sample_weight=weight[heavy]
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("error", category=RuntimeWarning)
        got = confidence_interval(
            ROWS, COLUMNS, metric, sample_weight=np.where(heavy, weight, 1e-300)
        )
    np.testing.assert_allclose(got, few, rtol=1e-9)


class TestWarnings:
    """They point at the line that called."""

    CALLS = (
        (lambda: confidence_interval([0] * 9, [0, 1, 1] * 3, NI), "undefined for"),
        (lambda: compare_classifiers([0, 0], [0, 0], [1, 1], NI), "undefined for"),
        (lambda: confidence_interval(table=np.eye(3) + 1), "The interval may miss"),
        (
            lambda: confidence_interval([0, 0], [0, 0], sem.confusion_entropy_loss),
            "undefined for",
        ),
        (
            lambda: confidence_interval([0] * 9, [0] * 9, "entropy_modulated_accuracy"),
            "one class only",
        ),
    )

    @pytest.mark.parametrize(("call", "text"), CALLS)
    def test_of_the_caller(self, call, text):
        with pytest.warns(UserWarning, match=text) as caught:
            call()
        (warning,) = caught
        assert warning.filename == __file__

    def test_what_means_little_is_told_once(self):
        with pytest.warns(UserWarning, match="y_true has one class only") as caught:
            confidence_interval([1] * 9, [1] * 9, "entropy_modulated_accuracy")
        assert len(caught) == 1
        with pytest.warns(UserWarning, match="share no label") as caught:
            confidence_interval([0, 1] * 9, [2, 3] * 9)
        assert len(caught) == 1
        confidence_interval([0, 1] * 9, [2, 3] * 9, pred_labels=[2, 3])
        confidence_interval(table=[[0, 9], [0, 0]], metric="accuracy")

    def test_resamples_say_nothing(self):
        # Many resamples have one class only, or share no label.
        y_true, y_pred = [0] * 20 + [1], [0, 1] + [1] * 19
        metric = "entropy_modulated_accuracy"
        table = contingency_table(y_true, y_pred)
        assert (sem.bootstrap_balance(table, random_state=0).entropy_true == 0).any()
        compare_classifiers(y_true, y_pred, y_true, metric, random_state=0)
