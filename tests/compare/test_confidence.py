"""confidence_interval: labels or a table, any metric, weights, warnings."""

import dataclasses
import inspect
import math
import warnings

import numpy as np
import pytest
from scipy import sparse, stats
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, f1_score, fbeta_score
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import (
    EntropyBalance,
    TableAccumulator,
    confidence_interval,
    cross_val_tables,
    measure,
)
from sklearn_entropy_metrics.measure.catalog import MEASURES

# Few samples are enough for most of these tests; TestDoubts asks what is said of them.
pytestmark = pytest.mark.filterwarnings("ignore:The interval may miss:UserWarning")

TABLE = np.array([[40, 7, 0], [6, 30, 9], [2, 4, 22]])
ROWS, COLUMNS = (np.repeat(where, TABLE.ravel()) for where in np.indices((3, 3)))
NAMES = np.array(["ant", "bee", "cow"])
NI = "normalized_information"
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
            "groups",
            "confidence_level",
            "labels",
            "pred_labels",
            "pos_label",
            "sample_weight",
        ]
        kinds = [parameter.kind for parameter in parameters.values()]
        assert (
            kinds
            == [inspect.Parameter.POSITIONAL_OR_KEYWORD] * 3
            + [inspect.Parameter.KEYWORD_ONLY] * 8
        )
        assert parameters["metric"].default == NI

    def test_the_old_name_is_gone(self):
        assert not hasattr(sem, "bootstrap_interval")
        assert "confidence_interval" in sem.__all__

    @pytest.mark.parametrize(
        "option", ["method", "n_resamples", "stratify", "random_state"]
    )
    def test_options_of_resampling_are_gone(self, option):
        with pytest.raises(TypeError, match=rf"{option}.*bootstrap_balance.* Got 0\."):
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
        pos_label = "ant" if MEASURES[metric].needs_positive else None
        options = {"metric": metric, "pos_label": pos_label, "labels": labels}
        expected = confidence_interval(*repeated, **options)
        assert confidence_interval(table=counts, **options) == expected
        assert expected.low < expected.high

    def test_order_of_pred_labels_does_not_exchange_classes(self):
        interval = confidence_interval(ROWS, COLUMNS, "accuracy", pred_labels=[2, 0, 1])
        assert interval.plug_in == accuracy_score(ROWS, COLUMNS)

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
        with pytest.raises(ValueError, match="Got both"):
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
        with pytest.raises(ValueError, match=r"one table.*stack of shape \(2, 3, 3\)"):
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

    @pytest.mark.parametrize("name", ["confusion_entropy", "variation_of_information"])
    def test_a_scoring_string_of_a_loss_negates(self, name):
        loss = confidence_interval(ROWS, COLUMNS, name)
        score = confidence_interval(ROWS, COLUMNS, f"neg_{name}")
        assert tuple(score) == (-loss[0], -loss[2], -loss[1], loss[3])
        assert score.plug_in == -loss.plug_in
        assert score.correction == -loss.correction

    def test_there_is_no_negative_zero(self):
        perfect = confidence_interval(ROWS, ROWS, "neg_variation_of_information")
        assert f"{perfect.high:.1f}" == "0.0"

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


class TestFewSamples:
    def test_none(self):
        with pytest.raises(ValueError, match="at least 1 sample"):
            confidence_interval([], [])

    def test_one(self):
        with pytest.raises(ValueError, match=r"at least 2 samples.*Got 1\."):
            confidence_interval(["a"], ["b"], "accuracy")
        with pytest.raises(ValueError, match=r"at least 2 samples.*Got 1\.02"):
            confidence_interval([0, 1], [0, 1], "accuracy", sample_weight=[1, 0.01])


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


@pytest.mark.parametrize(
    "function",
    [
        sem.confidence_interval,
        sem.compare_classifiers,
        sem.compare_models,
        sem.compare_segments,
        sem.confusion_pairs,
        sem.independence_test,
    ],
)
def test_docstrings_say_for_which_samples(function):
    text = inspect.getdoc(function).split("Parameters\n---")[0]
    for words in ("held", "independent", "`groups`"):
        assert words in text


class TestResult:
    def test_it_names_its_metric(self):
        assert repr(EXPECTED).startswith(f"NI {EXPECTED.estimate:.3f} [")
        assert str(EXPECTED) == f"{EXPECTED}" == repr(EXPECTED)
        averaged = confidence_interval(ROWS, COLUMNS, "f1_macro")
        assert repr(averaged).startswith("f1_macro 0.")
        loss = confidence_interval(ROWS, COLUMNS, "neg_confusion_entropy")
        assert repr(loss).startswith("neg_confusion_entropy -0.")
        assert loss.metric == "neg_confusion_entropy"

    def test_it_is_short(self):
        def a_function_with_a_name_that_is_much_too_long_for_a_line(tables):
            return 1e-7 * measure.accuracy(tables)

        interval = confidence_interval(
            ROWS,
            COLUMNS,
            a_function_with_a_name_that_is_much_too_long_for_a_line,
            groups=np.arange(len(ROWS)),
        )
        assert len(repr(interval)) <= 80
        assert "e-08" in repr(interval)

    def test_three_decimals_below_a_thousand(self):
        shown = repr(dataclasses.replace(EXPECTED, low=0.5, high=999.5))
        assert shown.endswith("[0.500, 999.500]")
        assert repr(dataclasses.replace(EXPECTED, high=1000.0)).endswith("1e+03]")

    def test_format(self):
        estimate, low, high, _ = EXPECTED
        assert f"{EXPECTED:.1f}" == f"{estimate:.1f} [{low:.1f}, {high:.1f}]"
        assert f"{EXPECTED:.1%}" == f"{estimate:.1%} [{low:.1%}, {high:.1%}]"

    def test_frame(self):
        frame = EXPECTED.to_frame()
        assert frame.shape[0] == 1
        assert tuple(frame.iloc[0, :4]) == EXPECTED
        assert frame["metric"].item() == NI
        assert frame["n_effective"].item() == TABLE.sum()

    @pytest.mark.parametrize("metric", ["accuracy", NI, "confusion_entropy"])
    def test_samples_for_a_width(self, metric):
        """So many samples of the same kind have an interval of about this width."""
        interval = confidence_interval(table=10 * TABLE, metric=metric)
        n_samples = interval.samples_for(0.02)
        more = confidence_interval(
            table=np.rint(TABLE * n_samples / TABLE.sum()), metric=metric
        )
        assert (more.high - more.low) / 2 == pytest.approx(0.02, rel=0.03)
        assert interval.samples_for(0.01) == pytest.approx(4 * n_samples, rel=0.01)

    def test_samples_for_a_width_by_hand(self):
        interval = confidence_interval(table=[[80, 20], [20, 80]], metric="accuracy")
        expected = 1.959964**2 * 0.8 * 0.2 / 0.05**2
        assert interval.samples_for(0.05) == pytest.approx(expected, rel=0.02)

    def test_samples_of_groups(self):
        """Samples that say half as much are needed twice as often."""
        y_true, y_pred = np.repeat(ROWS, 4), np.repeat(COLUMNS, 4)
        groups = np.repeat(np.arange(len(ROWS)), 4)
        alone = confidence_interval(ROWS, COLUMNS)
        grouped = confidence_interval(y_true, y_pred, groups=groups)
        assert grouped.n_samples == 4 * len(ROWS)
        ratio = grouped.samples_for(0.05) / alone.samples_for(0.05)
        assert ratio == pytest.approx(4, rel=0.1)

    @pytest.mark.parametrize("half_width", [0, -1, math.nan])
    def test_bad_widths(self, half_width):
        with pytest.raises(ValueError, match="`half_width` must be positive"):
            EXPECTED.samples_for(half_width)


class TestPositiveClass:
    Y_TRUE = np.repeat(["no", "yes"], [60, 40])
    Y_PRED = np.where(np.arange(100) % 9 == 0, "yes", Y_TRUE)

    def test_it_must_be_named(self):
        with pytest.raises(ValueError, match="pos_label"):
            confidence_interval(self.Y_TRUE, self.Y_PRED, "f1")

    @pytest.mark.parametrize("pos_label", ["no", "yes"])
    def test_either(self, pos_label):
        interval = confidence_interval(
            self.Y_TRUE, self.Y_PRED, f1_score, pos_label=pos_label
        )
        expected = f1_score(self.Y_TRUE, self.Y_PRED, pos_label=pos_label)
        assert interval.plug_in == pytest.approx(expected)
        assert interval.low < expected < interval.high


class TestMetricsOfLabels:
    def test_any_metric_with_weights(self):
        interval = confidence_interval(ROWS, COLUMNS, fbeta)
        assert interval.plug_in == pytest.approx(fbeta(ROWS, COLUMNS))
        reach = stats.norm.ppf(0.975) * interval.standard_error
        assert interval.high - interval.estimate == pytest.approx(reach)
        assert interval.metric == "fbeta"


def fbeta(y_true, y_pred, *, sample_weight=None):
    return fbeta_score(
        y_true, y_pred, beta=0.5, average="macro", sample_weight=sample_weight
    )


class TestFolds:
    """The pooled table of folds says less than as many held-out samples."""

    X, Y = load_iris(return_X_y=True)

    def test_they_count_as_fewer(self):
        folds = cross_val_tables(GaussianNB(), self.X, self.Y, cv=5)
        interval = confidence_interval(table=folds)
        assert interval.is_cross_validated
        assert repr(interval).endswith(", cross-validated")
        assert interval.n_effective == pytest.approx(150 / 1.45)
        assert interval.n_samples == 150
        bare = confidence_interval(table=folds.tables.sum(axis=0), labels=folds.labels)
        assert bare.plug_in == interval.plug_in
        assert interval.high - interval.low > bare.high - bare.low

    def test_repeated_folds_say_no_more(self):
        cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
        folds = cross_val_tables(GaussianNB(), self.X, self.Y, cv=cv)
        assert folds.n_tested == 4
        with pytest.warns(UserWarning, match="each sample was tested 4 times"):
            interval = confidence_interval(table=folds)
        assert interval.n_effective == pytest.approx(150 / 1.45)
        assert interval.n_samples == 150


@pytest.mark.parametrize("name", ["accuracy", NI, "entropy_modulated_accuracy"])
@pytest.mark.parametrize("n", [20, 50, 200])
def test_one_error_leaves_no_higher_low_end_than_none(name, n):
    none = confidence_interval(table=[[n, 0], [0, n]], metric=name)
    one = confidence_interval(table=[[n - 1, 1], [0, n]], metric=name)
    assert one.low <= none.low + 1e-12
    assert len(one) == 4
