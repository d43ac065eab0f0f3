"""compare_models: intervals, adjusted pairs, ranks and who ties with the best."""

import dataclasses
import inspect
import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import f1_score

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import (
    compare_classifiers,
    compare_models,
    confidence_interval,
)
from sklearn_entropy_metrics.balance.interval import (
    ClassifierComparison,
    ConfidenceInterval,
)
from sklearn_entropy_metrics.compare import _progress
from sklearn_entropy_metrics.compare.models import ComparedModel, rank_models_by

NI = "normalized_information"
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 200)


def predict(kept, seed):
    rng = np.random.default_rng(seed)
    return np.where(rng.random(len(Y)) < kept, Y, rng.integers(0, 3, len(Y)))


PREDICTIONS = {
    "guess": predict(0, 1),
    "good": predict(0.9, 2),
    "fair": predict(0.6, 3),
    "twin": predict(0.88, 4),
}
OPTIONS = {"n_resamples": 199, "random_state": 0}


@pytest.fixture(scope="module")
def comparison():
    return compare_models(Y, PREDICTIONS, **OPTIONS)


class TestModels:
    def test_signature(self):
        parameters = inspect.signature(compare_models).parameters
        assert {name: one.default for name, one in parameters.items()} == {
            "y_true": inspect.Parameter.empty,
            "predictions": None,
            "metric": NI,
            "y_probas": None,
            "groups": None,
            "greater_is_better": True,
            "confidence_level": 0.95,
            "n_resamples": 999,
            "random_state": None,
            "labels": None,
            "pred_labels": None,
            "pos_label": None,
            "sample_weight": None,
            "verbose": 0,
        }

    def test_the_best_is_first(self, comparison):
        assert [one.name for one in comparison.models] == [
            "good",
            "twin",
            "fair",
            "guess",
        ]
        assert [one.rank for one in comparison.models] == [1, 2, 3, 4]
        assert [one.tied_with_best for one in comparison.models] == [
            True,
            True,
            False,
            False,
        ]

    def test_intervals_are_those_of_confidence_interval(self, comparison):
        expected = {
            name: confidence_interval(Y, y_pred) for name, y_pred in PREDICTIONS.items()
        }
        for one in comparison.models:
            got = one.estimate, one.low, one.high, one.standard_error
            assert got == expected[one.name]

    def test_pairs_are_those_of_compare_classifiers(self, comparison):
        order = [one.name for one in comparison.models]
        assert [(pair.a, pair.b) for pair in comparison.pairs] == [
            (a, b) for i, a in enumerate(order) for b in order[i + 1 :]
        ]
        for pair in comparison.pairs:
            alone = compare_classifiers(
                Y, PREDICTIONS[pair.a], PREDICTIONS[pair.b], NI, **OPTIONS
            )
            assert pair.difference == pytest.approx(alone.difference, abs=1e-12)
            assert (pair.low, pair.high) == pytest.approx(alone[1:3], abs=0.05)
            assert pair.p_value == pytest.approx(alone.p_value, abs=0.15)

    def test_differences_are_those_of_the_estimates(self, comparison):
        estimates = {one.name: one.estimate for one in comparison.models}
        for pair in comparison.pairs:
            gap = estimates[pair.a] - estimates[pair.b]
            assert pair.difference == pytest.approx(gap, abs=1e-12)
            assert pair.adjusted_p_value >= pair.p_value

    def test_losses_are_best_when_small(self):
        by_name = compare_models(Y, PREDICTIONS, "confusion_entropy", **OPTIONS)
        by_string = compare_models(Y, PREDICTIONS, "neg_confusion_entropy", **OPTIONS)
        by_function = compare_models(
            Y, PREDICTIONS, sem.confusion_entropy_loss, **OPTIONS
        )
        for one in (by_name, by_string, by_function):
            assert [model.name for model in one.models][-1] == "guess"
            assert one.models[0].name in ("good", "twin")
            assert not one.models[-1].tied_with_best
        assert by_function.models == by_name.models
        assert by_name.models[0].estimate == -by_string.models[0].estimate > 0
        assert by_name.pairs[0].difference == -by_string.pairs[0].difference
        assert by_name.metric == by_function.metric == "confusion_entropy"

    def test_a_function_of_tables(self):
        def hits(tables):
            return np.trace(tables, axis1=-2, axis2=-1) / tables.sum(axis=(-2, -1))

        ours = compare_models(Y, PREDICTIONS, "accuracy", **OPTIONS)
        theirs = compare_models(Y, PREDICTIONS, hits, **OPTIONS)
        np.testing.assert_allclose(  # but for half a sample
            [(one.estimate, one.standard_error, one.rank) for one in theirs.models],
            [(one.estimate, one.standard_error, one.rank) for one in ours.models],
            atol=0.5 / 200,
        )
        assert theirs.metric == "hits"

    def test_a_function_to_be_minimized(self):
        def errors(tables):
            return 1 - np.trace(tables, axis1=-2, axis2=-1) / tables.sum(axis=(-2, -1))

        found = compare_models(
            Y, PREDICTIONS, errors, greater_is_better=False, **OPTIONS
        )
        assert found.models[0].name in ("good", "twin")
        assert found.models[-1].name == "guess"
        assert not found.models[-1].tied_with_best

    @pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
    def test_data_frames(self, comparison, frame):
        assert compare_models(Y, frame(PREDICTIONS), **OPTIONS) == comparison

    def test_positive_class(self):
        y_true = np.where(Y == 1, "ill", "well")
        some = {
            name: np.where(PREDICTIONS[name] == 1, "ill", "well")
            for name in ("good", "fair")
        }
        found = compare_models(y_true, some, "f1", pos_label="ill", **OPTIONS)
        expected = f1_score(y_true, some["good"], pos_label="ill")
        assert found.models[0].estimate == pytest.approx(expected, abs=0.02)
        with pytest.raises(ValueError, match="pos_label"):
            compare_models(y_true, some, "f1", **OPTIONS)

    def test_numbers_of_clusters(self):
        names = np.array(["x", "y", "z"])
        clusters = {"fine": np.arange(200) % 20, "coarse": predict(0.9, 5)}
        options = {"pred_labels": range(20), **OPTIONS}
        expected = "predict 3 to 20 clusters.*'adjusted_normalized_information'"
        with pytest.warns(UserWarning, match=expected):
            compare_models(names[Y], clusters, **options)

    def test_all_tables_have_the_same_classes(self):
        # A label that one model alone predicts is a class of all.
        odd = {**PREDICTIONS, "odd": np.where(Y == 0, 7, PREDICTIONS["good"])}
        metric = "normalized_information_transfer"
        comparison = compare_models(Y, odd, metric, **OPTIONS)
        for one in comparison.models:
            balance = sem.EntropyBalance.from_predictions(
                Y, odd[one.name], labels=[0, 1, 2, 7], smoothing="empirical_bayes"
            )
            expected = balance.normalized_information_transfer
            assert one.estimate == pytest.approx(expected, rel=1e-12)
        given = compare_models(Y, odd, metric, labels=[0, 1, 2, 7], **OPTIONS)
        assert given.models == comparison.models
        other = compare_models(Y, odd, metric, pred_labels=[0, 1, 2, 7], **OPTIONS)
        assert other.models[0].estimate > given.models[0].estimate

    def test_weights(self):
        weight = np.where(PREDICTIONS["fair"] == Y, 1.0, 0)
        comparison = compare_models(
            Y, PREDICTIONS, "accuracy", sample_weight=weight, **OPTIONS
        )
        assert comparison.models[0].name == "fair"
        assert comparison.models[0].estimate == pytest.approx(1, abs=0.5 / weight.sum())
        assert comparison.models[0].high == 1

    def test_equal_models_share_the_smaller_rank(self):
        good = PREDICTIONS["good"]
        comparison = compare_models(
            Y, {"a": PREDICTIONS["guess"], "b": good, "c": good.copy()}, **OPTIONS
        )
        assert [(one.name, one.rank) for one in comparison.models] == [
            ("b", 1),
            ("c", 1),
            ("a", 3),
        ]
        pair = comparison.pairs[0]
        assert (pair.difference, pair.p_value, pair.adjusted_p_value) == (0, 1, 1)
        assert 0 < pair.high == -pair.low < 0.05

    def test_exchanged_names_of_two_classes_share_a_rank(self):
        y_true, y_pred = [0] * 50 + [1] * 50, np.repeat([0, 1, 0, 1], [45, 5, 10, 40])
        predictions = {"as they are": y_pred, "exchanged": 1 - y_pred}
        comparison = compare_models(y_true, predictions, n_resamples=9)
        assert [one.rank for one in comparison.models] == [1, 1]

    def test_the_same_seed_gives_the_same(self, comparison):
        assert compare_models(Y, PREDICTIONS, **OPTIONS) == comparison
        other = compare_models(Y, PREDICTIONS, n_resamples=199, random_state=1)
        assert other != comparison

    def test_confidence_level(self):
        wide, narrow = (
            compare_models(Y, PREDICTIONS, confidence_level=level, **OPTIONS)
            for level in (0.99, 0.5)
        )
        for one, other in zip(wide.models, narrow.models, strict=True):
            assert one.low < other.low < other.high < one.high
        assert "99% intervals" in repr(wide)

    def test_names_of_any_kind(self):
        comparison = compare_models(
            Y, {1: PREDICTIONS["guess"], ("svm", 2): PREDICTIONS["good"]}, **OPTIONS
        )
        assert comparison.models[0].name == ("svm", 2)


def interval(estimate):
    return ConfidenceInterval(estimate, 0, 1, 0.1, estimate, 0, 0.95, NI, 100)


def ranked(estimates, pairs, greater_is_better=True):
    """Models with these estimates, and what a comparison says of each pair."""

    def compare(names):
        return [
            ClassifierComparison(difference, 0, 0, p_value, 0.1, difference, 0.95, NI)
            for difference, p_value in pairs[: len(names)]
        ]

    intervals = {name: interval(value) for name, value in estimates.items()}
    return rank_models_by(intervals, compare, greater_is_better)


class TestHolm:
    def adjust(self, p_values):
        n_models = next(i for i in range(2, 9) if i * (i - 1) / 2 >= len(p_values))
        n_pairs = n_models * (n_models - 1) // 2
        padded = p_values + [1.0] * (n_pairs - len(p_values))
        found = ranked(
            {i: 1 - i / 10 for i in range(n_models)}, [(0.1, p) for p in padded]
        )
        return padded, [pair.adjusted_p_value for pair in found.pairs]

    def test_published(self):
        # The steps of Holm (1979) with two more: 0.005 · 6, 0.011 · 5, 0.02 · 4 …
        _, got = self.adjust([0.02, 0.005, 0.04, 0.011])
        assert got == pytest.approx([0.08, 0.03, 0.12, 0.055, 1, 1])

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
    def test_against_the_definition(self, p_values):
        expected = []
        p_values, got = self.adjust(p_values)
        for p in p_values:
            smaller = sorted(p_values)
            steps = [
                min(1, (len(p_values) - i) * q) for i, q in enumerate(smaller) if q <= p
            ]
            expected.append(max(steps))
        assert got == pytest.approx(expected)

    def test_undefined(self):
        _, got = self.adjust([0.01, math.nan, 0.02])
        np.testing.assert_allclose(got, [0.03, math.nan, 0.04])


class TestTies:
    """Who is worse than the best, by the difference and its adjusted p-value."""

    @pytest.mark.parametrize(
        ("difference", "p_value", "is_worse"),
        [
            (0.2, 0.01, True),
            (0.2, 0.05, True),
            (0.2, 0.06, False),
            (0.0, 0.01, False),
            (0.2, math.nan, False),
        ],
    )
    @pytest.mark.parametrize("sign", [1, -1])
    def test_worse(self, difference, p_value, is_worse, sign):
        estimates = {"a": sign * 0.7, "b": sign * 0.5}
        found = ranked(estimates, [(sign * difference, p_value)], sign > 0)
        assert [one.name for one in found.models] == ["a", "b"]
        assert found.models[0].tied_with_best
        assert found.models[1].tied_with_best == (not is_worse)

    def test_only_the_best_counts(self):
        pairs = [(0.1, 0.5), (0.2, 0.5), (0.1, 0.001)]
        found = ranked({"a": 3, "b": 2, "c": 1}, pairs)
        assert all(one.tied_with_best for one in found.models)

    @pytest.mark.parametrize("n_models", [12, pytest.param(60, marks=pytest.mark.slow)])
    def test_a_constant_model_never_ties_with_a_good_one(self, n_models):
        rng = np.random.default_rng(n_models)
        y_true = rng.integers(0, 5, 300)
        models = {
            i: np.where(rng.random(300) < 0.85, y_true, rng.integers(0, 5, 300))
            for i in range(n_models - 1)
        }
        models["constant"] = np.zeros(300, dtype=int)
        options = {"n_resamples": 29, "random_state": 0}
        found = compare_models(y_true, models, **options)
        assert found.models[0].estimate > 0.55
        last = found.models[-1]
        assert (last.name, last.tied_with_best) == ("constant", False)

    def test_ten_equal_models(self):
        # 45 pairs; without adjustment some of them would seem to differ.
        models = {i: predict(0.8, seed=100 + i) for i in range(10)}
        comparison = compare_models(Y, models, "accuracy", **OPTIONS)
        assert all(one.tied_with_best for one in comparison.models)
        assert min(pair.p_value for pair in comparison.pairs) <= 0.1


class TestShown:
    def test_text(self, comparison):
        title, _, heads, *rows, _, note = repr(comparison).splitlines()
        assert title == "4 models by normalized_information, with 95% intervals"
        assert heads.split() == ["estimate", "low", "high", "rank"]
        for row, one in zip(rows, comparison.models, strict=True):
            cells = row.split()
            assert cells[0] == one.name
            assert cells[1:5] == [
                f"{one.estimate:.3f}",
                f"{one.low:.3f}",
                f"{one.high:.3f}",
                str(one.rank),
            ]
            assert cells[5:] == ["*"] * (one.tied_with_best and one.name != "good")
        expected = "* not significantly worse than the best: p > 0.05, adjusted for 6"
        assert note.startswith(expected)
        assert comparison.summary().endswith(". Not significantly worse: twin.")

    def test_none_or_all_others_are_worse(self):
        none = ranked({"a": 0.7, "b": 0.6}, [(0.1, 0.5)])
        note = "\n* not significantly worse than the best: p > 0.05"
        assert repr(none).endswith(note)
        assert none.summary().endswith(" No other model is significantly worse.")
        every = ranked({"a": 0.7, "b": 0.1}, [(0.6, 0.001)])
        assert "*" not in repr(every)
        assert every.summary().endswith(" The other is significantly worse.")
        values, pairs = {"a": 0.7, "b": 0.1, "c": 0.1}, [(0.6, 0.001)] * 2 + [(0, 1)]
        assert (
            ranked(values, pairs)
            .summary()
            .endswith(" All others are significantly worse.")
        )

    def test_equal_models_are_all_the_best(self):
        equal = ranked({"a": 0.7, "b": 0.7}, [(0.0, 1.0)])
        assert equal.summary().startswith("a is among the best by ")

    def test_at_most_five_names_that_tie(self):
        def one(name, tied):
            return ComparedModel(name, 0.5, 0.4, 0.6, 0.05, 1, tied)

        models = [one("best", True), *(one(x, True) for x in "abcde")]
        models.append(one("worse", False))
        result = dataclasses.replace(
            compare_models(Y, PREDICTIONS, **OPTIONS), models=models
        )
        assert result.summary().endswith("Not significantly worse: a, b, c, d, e.")
        models.insert(1, one("f", True))
        assert result.summary().endswith("Not significantly worse: f, a, b, c, d, ….")

    @given(st.lists(st.text(max_size=90), min_size=2, max_size=3, unique=True))
    def test_at_most_80_columns(self, names):
        found = ranked(dict.fromkeys(names, 0.5), [(0, 1)] * 3)
        assert max(map(len, repr(found).split("\n"))) <= 80

    def test_html(self, comparison, read_html):
        found = read_html(comparison._repr_html_())
        assert found["caption"] == [repr(comparison).splitlines()[0]]
        numbers = re.findall(r"\d\.\d{3}", repr(comparison).splitlines()[3])
        assert found["td"][:4] == [*numbers, "1"]
        assert found["td"].count("*") == 1

    def test_html_is_escaped(self):
        found = ranked({"<script>": 0.5, "b": 0.4}, [(0.1, 0.5)])
        html = dataclasses.replace(found, metric="<b>")._repr_html_()
        assert "<script>" not in html
        assert "<b>" not in html

    def test_frames(self, comparison):
        frame = comparison.to_frame()
        assert list(frame.columns) == [
            "name",
            "estimate",
            "low",
            "high",
            "standard_error",
            "rank",
            "tied_with_best",
        ]
        assert frame["name"].tolist() == [one.name for one in comparison.models]
        pairs = comparison.pairs_to_frame()
        assert list(pairs.columns) == [
            "a",
            "b",
            "difference",
            "low",
            "high",
            "p_value",
            "adjusted_p_value",
        ]
        assert len(pairs) == 6

    def test_frozen(self, comparison):
        for record, field in (
            (comparison, "models"),
            (comparison.models[0], "rank"),
            (comparison.pairs[0], "p_value"),
        ):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(record, field, 0)

    def test_progress(self, capsys, monkeypatch):
        monkeypatch.setattr(_progress, "_PAUSE", 0)
        options = {"n_resamples": 5, "random_state": 0}
        silent = compare_models(Y, PREDICTIONS, **options)
        assert capsys.readouterr() == ("", "")
        assert compare_models(Y, PREDICTIONS, verbose=1, **options) == silent
        out, err = capsys.readouterr()
        assert out == ""
        states = err.rstrip("\n").split("\r")[1:]
        assert [state.split(" steps")[0] for state in states] == [
            f"compare_models: {done} of 6" for done in range(7)
        ]

    def test_the_time_left_is_that_of_the_steps_so_far(self, capsys, monkeypatch):
        clock = iter([100, 110, 120, 130, 140])
        monkeypatch.setattr(_progress.time, "monotonic", lambda: next(clock))
        assert list(_progress.telling("abcd", 4, "who", "steps")) == list("abcd")
        left = re.findall(r"steps, (\S+) left", capsys.readouterr().err)
        assert left == ["0:00:30", "0:00:20", "0:00:10", "0:00:00"]


class TestWarnings:
    def test_each_is_told_once(self):
        y_true = [0] * 30
        some = {name: [0, 1, i % 2] * 10 for i, name in enumerate("abc")}
        with pytest.warns(UndefinedMetricWarning, match="undefined for") as caught:
            comparison = compare_models(y_true, some, n_resamples=5, labels=[0, 1])
        assert [str(one.message).split(":")[0] for one in caught] == ["a and 2 more"]
        assert {one.filename for one in caught} == {__file__}
        assert all(math.isnan(one.estimate) for one in comparison.models)
        assert [one.rank for one in comparison.models] == [1, 1, 1]
        assert "nan" in repr(comparison)
        metric = "normalized_information"
        assert comparison.summary() == f"{metric} is undefined for all models."

    def test_a_model_whose_metric_is_undefined_is_last(self):
        y_true = [0, 1] * 20
        some = {"constant": [0] * 40, "good": y_true, "bad": [0, 1, 1, 0] * 10}
        metric = "unbiased_matthews_corrcoef"
        with pytest.warns(UndefinedMetricWarning, match="undefined") as caught:
            comparison = compare_models(y_true, some, metric, n_resamples=20)
        assert len(caught) == 1
        assert [one.name for one in comparison.models] == ["good", "bad", "constant"]
        assert [one.rank for one in comparison.models] == [1, 2, 3]
        assert comparison.models[2].tied_with_best


class TestBadInput:
    @pytest.mark.parametrize(
        "predictions",
        [{}, {"a": Y}, [Y, Y], "ab"],
        ids=lambda x: type(x).__name__,
    )
    def test_predictions(self, predictions):
        with pytest.raises(ValueError, match="names of two models or more"):
            compare_models(Y, predictions)

    def test_the_model_is_named(self):
        with pytest.raises(ValueError, match=r"'short': .*inconsistent numbers"):
            compare_models(Y, {"good": Y, "short": Y[:-1]})
        with pytest.raises(ValueError, match="strings in The predictions of 'text'"):
            compare_models(Y, {"good": Y, "text": Y.astype(str)})

    def test_options(self):
        with pytest.raises(ValueError, match="confidence_level must be"):
            compare_models(Y, PREDICTIONS, confidence_level=95)
        with pytest.raises(ValueError, match="`n_resamples` must be"):
            compare_models(Y, PREDICTIONS, n_resamples=0)
        with pytest.raises(ValueError, match="'f1' needs a 2x2 table"):
            compare_models(Y, PREDICTIONS, "f1")
        with pytest.raises(ValueError, match=r"which values of 'accuracy' are better"):
            compare_models(Y, PREDICTIONS, "accuracy", greater_is_better=False)
        with pytest.raises(ValueError, match=r"`greater_is_better` must.*Got 'no'"):
            compare_models(Y, PREDICTIONS, greater_is_better="no")
        with pytest.raises(ValueError, match="Got neither"):
            compare_models(Y)
        with pytest.raises(ValueError, match="labels must contain every value"):
            compare_models(Y, PREDICTIONS, labels=[0, 1])
