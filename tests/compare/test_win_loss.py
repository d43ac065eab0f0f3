"""Wins, losses and ties of measures: the protocol, its result and its picture."""

import os
import pickle
import signal
import subprocess
import sys
from dataclasses import FrozenInstanceError
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse as sp
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.metrics import accuracy_score
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_entropy_metrics import win_loss_equal
from sklearn_entropy_metrics.compare import _progress
from sklearn_entropy_metrics.compare.win_loss import WinLossEqualResult

pytestmark = pytest.mark.usefixtures("pyplot")

ARRAYS = ("wins", "losses", "ties", "regrets", "ranks", "n_undefined")
METRICS = ["accuracy", "normalized_information", "neg_confusion_entropy"]
X, Y = load_wine(return_X_y=True)


def run(estimator=None, X=X, y=Y, metrics=METRICS, **options):
    options = {
        "arbiter": "accuracy",
        "n_rounds": 4,
        "n_candidates": 3,
        "random_state": 0,
        **options,
    }
    return win_loss_equal(estimator or GaussianNB(), X, y, metrics, **options)


def assert_same(one, other):
    for name in ARRAYS:
        assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def from_scores(on_validation, on_test, arbiter=("judge",)):
    on_validation, on_test = np.asarray(on_validation), np.asarray(on_test)
    names = tuple(f"m{place}" for place in range(on_validation.shape[1]))
    return WinLossEqualResult.from_scores(names, arbiter, on_validation, on_test)


# How wins are counted


def test_rounds_worked_by_hand():
    """Two measures, three candidates, three rounds: a win, a loss and a tie."""
    on_validation = [
        [[3, 2, 1], [1, 2, 3]],  # candidates 0 and 2
        [[1, 2, 3], [3, 2, 1]],  # candidates 2 and 0
        [[1, 9, 2], [5, 6, 4]],  # both candidate 1
    ]
    on_test = [[[0.9, 0.8, 0.6]], [[0.75, 0.5, 0.25]], [[0.0, 0.0, 0.5]]]
    result = from_scores(on_validation, on_test, arbiter="judge")
    assert_allclose(result.wins, [[0, 1 / 3], [1 / 3, 0]])
    assert_allclose(result.losses, result.wins.T)
    assert_allclose(result.ties, [[1, 1 / 3], [1 / 3, 1]])
    assert_allclose(result.regrets, [(0 + 0.5 + 0.5) / 3, (0.3 + 0 + 0.5) / 3])
    assert result.ranks.tolist() == [2, 1]
    assert result.n_undefined.tolist() == [0, 0]
    assert result.n_rounds == 3


def test_of_equally_good_candidates_the_first_is_picked():
    result = from_scores([[[1, 5, 5, 5], [1, 2, 3, 9]]], [[[0, 10, 20, 30]]])
    assert_array_equal(result.regrets, [[20, 0]])


def test_round_off_makes_no_winner():
    almost = 0.1 + 0.2 - 0.3
    on_validation = [[[0.3, 0.1 + 0.2], [0.3, 0.4]]]
    assert almost > 0
    result = from_scores(on_validation, [[[0.5, 0.5 + almost]]])
    assert_array_equal(result.ties, np.ones((1, 2, 2)))
    assert_array_equal(result.regrets, [[0, 0]])
    assert_array_equal(result.ranks, [[1, 1]])


def test_undefined_rounds_are_skipped_and_counted():
    nan = np.nan
    on_validation = [
        [[1, 2], [2, 1], [nan, nan]],
        [[1, nan], [2, 1], [nan, nan]],
        [[1, 2], [2, 1], [nan, nan]],
    ]
    on_test = [[[0.0, 1]], [[0, 1]], [[nan, 1]]]
    result = from_scores(on_validation, on_test, arbiter="judge")
    assert result.n_undefined.tolist() == [2, 1, 3]
    assert_array_equal(result.regrets, [0, 1, nan])
    assert_array_equal(result.ranks, [1, 2, nan])
    # Both have a regret in the first round alone.
    assert_array_equal(result.wins, [[0, 1, nan], [0, 0, nan], [nan, nan, nan]])
    total = result.wins + result.losses + result.ties
    assert_array_equal(total, [[1, 1, nan], [1, 1, nan], [nan, nan, nan]])


scores = hnp.arrays(
    float, (5, 3, 4), elements=st.sampled_from([0.0, 0.25, 0.5, 1.0, np.nan])
)


@given(scores)
def test_nothing_beats_the_arbiter_where_it_could_look(scores):
    """If the validation part is the test part, the arbiter picks the best."""
    result = from_scores(scores, scores, arbiter=("m0", "m1", "m2"))
    own = np.diagonal(result.regrets)
    assert not (own > 0).any()
    assert not (own[:, None] > result.regrets).any()
    losses = np.diagonal(result.losses, axis1=0, axis2=1)  # of each arbiter
    assert not (losses > 0).any()


@given(scores, scores)
def test_shares_sum_to_one(on_validation, on_test):
    result = from_scores(on_validation, on_test, arbiter=("a", "b", "c"))
    total = result.wins + result.losses + result.ties
    assert_allclose(total[~np.isnan(total)], 1)
    assert_array_equal(result.losses, np.swapaxes(result.wins, 1, 2))
    assert not (result.regrets < 0).any()
    undefined = np.isnan(on_validation).any(axis=-1)[:, None, :]
    undefined = undefined | np.isnan(on_test).any(axis=-1)[:, :, None]
    assert_array_equal(result.n_undefined, undefined.sum(axis=0))


# The protocol


class Recorder(GaussianNB):
    """Remembers who was asked what: samples and columns of each call."""

    calls: ClassVar[list] = []

    def fit(self, X, y, sample_weight=None):
        self.calls.append(("fit", list(X.index), list(X.columns)))
        return super().fit(X, y, sample_weight)

    def predict(self, X):
        self.calls.append(("predict", list(X.index), list(X.columns)))
        return super().predict(X)

    def predict_proba(self, X):
        self.calls.append(("predict_proba", list(X.index), list(X.columns)))
        # What GaussianNB does, without asking itself for anything else.
        joint = self._joint_log_likelihood(np.asarray(X))
        proba = np.exp(joint - joint.max(axis=1, keepdims=True))
        return proba / proba.sum(axis=1, keepdims=True)


@pytest.fixture
def calls(monkeypatch):
    monkeypatch.setattr(Recorder, "calls", [])
    return Recorder.calls


def frame():
    return load_wine(as_frame=True, return_X_y=True)


def test_a_round_is_as_in_the_paper(calls):
    X, y = frame()
    run(Recorder(), X, y, arbiter="accuracy", n_rounds=2, n_candidates=4)
    assert [method for method, *_ in calls] == ["fit", "predict", "predict"] * 8
    for first in (0, 12):
        parts = [calls[first + place][1] for place in range(3)]
        assert [len(part) for part in parts] == [89, 17, 72]  # 50, 10 and 40 %
        assert sorted(np.concatenate(parts)) == list(X.index)
        removed = set()
        for candidate in range(first, first + 12, 3):
            for place in range(3):
                assert calls[candidate + place][1] == parts[place]
                columns = calls[candidate + place][2]
                assert columns == calls[candidate][2]
                assert len(set(columns)) == 10
            removed.add(frozenset(X.columns) - set(columns))
        assert len(removed) > 1
    assert calls[0][1] != calls[12][1]


def test_probabilities_are_asked_for_once_and_only_if_needed(calls):
    X, y = frame()
    metrics = [
        "accuracy",
        "normalized_information",
        "neg_log_loss",
        "roc_auc_ovr",
        "neg_probabilistic_confusion_entropy",
        "neg_mean_absolute_probability_error",
    ]
    arbiter = ["neg_log_loss", "neg_probabilistic_confusion_entropy"]
    run(Recorder(), X, y, metrics, arbiter=arbiter, n_rounds=1, n_candidates=2)
    methods = [method for method, *_ in calls]
    on_validation = ["predict", "predict_proba"]
    assert methods == ["fit", *on_validation, "predict_proba"] * 2


def test_the_first_rounds_are_the_same_however_many_there_are(calls):
    X, y = frame()
    run(Recorder(), X, y, n_rounds=1)
    first = list(calls)
    calls.clear()
    run(Recorder(), X, y, n_rounds=2)
    assert calls[: len(first)] == first


def test_a_measure_against_itself_is_all_ties():
    metrics = {"one": "accuracy", "two": "accuracy", "three": "neg_log_loss"}
    result = run(metrics=metrics, arbiter="neg_log_loss")
    assert_array_equal(np.diagonal(result.ties), 1)
    assert result.ties[0, 1] == result.ties[1, 0] == 1
    assert result.ties[0, 2] < 1
    result = run(metrics=["accuracy", "accuracy"], arbiter="neg_log_loss")
    assert result.metrics == ("accuracy",)  # a name counts once


def n_leaves(estimator, X, y):
    return -estimator.get_n_leaves()


def depth(estimator, X, y):
    return -estimator.get_depth()


def test_an_arbiter_that_does_not_look_at_samples_never_loses():
    """Its value is the same on the validation and on the test part."""
    metrics = {"leaves": n_leaves, "depth": depth, "accuracy": "accuracy"}
    result = run(
        DecisionTreeClassifier(),
        metrics=metrics,
        arbiter=["leaves", "depth"],
        n_rounds=10,
        n_candidates=6,
    )
    for place in range(2):
        assert result.regrets[place, place] == 0
        assert result.ranks[place, place] == 1
        assert_array_equal(result.losses[place, place], 0)
    assert result.wins[0, 0, 2] > 0


@pytest.mark.slow
def test_the_result_does_not_depend_on_the_number_of_jobs():
    options = {"arbiter": ["normalized_information", "neg_log_loss"], "n_rounds": 4}
    tree = DecisionTreeClassifier(splitter="random", max_depth=3)
    assert_same(run(tree, **options, n_jobs=1), run(tree, **options, n_jobs=2))


def test_a_seed_repeats_the_result():
    tree = make_pipeline(StandardScaler(), DecisionTreeClassifier(splitter="random"))
    assert_same(run(tree), run(tree))
    assert (run(tree).regrets != run(tree, random_state=1).regrets).any()
    state = np.random.RandomState(0)
    one, other = (run(tree, random_state=state) for _ in range(2))
    assert_same(one, run(tree, random_state=np.random.RandomState(0)))
    assert (one.regrets != other.regrets).any()
    assert tree[-1].random_state is None


def test_several_arbiters_judge_the_same_candidates():
    arbiters = ["accuracy", "neg_log_loss"]
    together = run(arbiter=arbiters)
    assert together.arbiter == tuple(arbiters)
    assert together.wins.shape == (2, 3, 3)
    assert together.regrets.shape == together.n_undefined.shape == (2, 3)
    for place, arbiter in enumerate(arbiters):
        alone = run(arbiter=arbiter)
        assert alone.wins.shape == (3, 3)
        for name in ARRAYS:
            assert_array_equal(getattr(alone, name), getattr(together, name)[place])
    assert run(arbiter=["accuracy"]).wins.shape == (1, 3, 3)


def test_kinds_of_data_make_no_difference():
    names = np.array(["fair", "good", "excellent"])
    expected = run()
    frame = pd.DataFrame(X, columns=[f"x{place}" for place in range(X.shape[1])])
    assert_same(run(X=frame), expected)
    assert_same(run(X=X.tolist(), y=Y.tolist()), expected)
    assert_same(run(y=names[Y]), expected)
    assert_same(run(X=frame, y=pd.Series(names[Y], dtype="category")), expected)
    tree = DecisionTreeClassifier(random_state=0)
    assert_same(run(tree, X=sp.csr_array(X)), run(tree))


def test_strings_and_missing_values_reach_the_estimator():
    values = pd.DataFrame({"word": ["a", "b"] * 20, "number": [1.0, np.nan] * 20})
    y = ["p", "q"] * 20
    classifier = make_pipeline(OneHotEncoder(), BernoulliNB())
    result = run(classifier, values, y, n_removed=1)
    assert_array_equal(result.regrets, 0)  # each column tells the class


def test_losses_are_turned():
    """A candidate with a smaller loss is better."""
    X, y = load_breast_cancer(return_X_y=True)
    metrics = ["neg_log_loss", "neg_brier_score"]
    result = run(X=X, y=y, metrics=metrics, arbiter="neg_log_loss")
    assert (result.regrets >= 0).all()
    # Log losses of naive Bayes without three of 30 features differ by much less.
    assert result.regrets[0] < 0.2


# A class is missing


def rare(n_rare=1):
    X, y = load_iris(return_X_y=True)
    return np.vstack([X, X[:n_rare] + 9]), np.append(y, [3] * n_rare)


def test_parts_of_one_class_are_counted_without_a_warning():
    X, y = load_iris(return_X_y=True)
    X, y = X[:51], y[:51]  # a single flower of another kind
    metrics = ["accuracy", "normalized_information"]
    result = run(GaussianNB(), X, y, metrics, n_removed=1, n_rounds=10)
    n_defined, n_undefined = result.n_undefined.tolist()
    assert n_defined == 0
    assert n_undefined > 0


def test_a_measure_that_needs_a_missing_class_picks_nothing():
    X, y = rare()
    metrics = ["accuracy", "roc_auc_ovr", "neg_probabilistic_confusion_entropy"]
    tree = DecisionTreeClassifier(max_depth=2)
    result = run(tree, X, y, metrics, arbiter=metrics[:2], n_removed=1, n_rounds=10)
    (none, on_validation, also_none), (on_test, always, also_on_test) = (
        result.n_undefined.tolist()
    )
    assert none == also_none == 0
    # The one sample of a class is in one part, and missing in one of the other two.
    assert 0 < on_validation < always == 10
    assert on_validation + on_test >= always
    assert on_test == also_on_test
    assert np.isfinite(result.wins[0]).all()
    assert np.isnan(result.regrets[1, 1])
    assert np.isnan(result.wins[1, 1]).all()
    assert "nan" in repr(result)


def test_an_error_without_a_missing_class_is_raised():
    with pytest.raises(ValueError, match=r"roc_auc failed(.|\n)*multi_class"):
        run(metrics=["accuracy", "roc_auc"])
    metrics = {"report": lambda estimator, X, y: {"a": 1.0}}
    with pytest.raises(TypeError, match="dict"):
        run(metrics=metrics)


@pytest.mark.parametrize("metrics", [["neg_log_loss"], ["neg_log_loss", "accuracy"]])
@pytest.mark.parametrize("data", [(X, Y), rare()], ids=["all classes", "one missing"])
def test_probabilities_that_the_classifier_does_not_give(metrics, data):
    with pytest.raises(ValueError, match=r"RidgeClassifier(.|\n)*predict_proba"):
        run(RidgeClassifier(), *data, metrics, n_removed=1)


# What is refused


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"metrics": ["accuracy", "nonsense"]},
            "'nonsense' is not a valid scoring value",
        ),
        ({"metrics": []}, r"`metrics` must be a list .* Got \[\]"),
        ({"metrics": {}}, r"`metrics` must be a list .* Got \{\}"),
        ({"metrics": "accuracy"}, "`metrics` must be a list .* Got 'accuracy'"),
        ({"metrics": None}, "`metrics` must be a list .* Got None"),
        ({"metrics": [None]}, "Non-string types were found"),
        ({"metrics": {"a": accuracy_score}}, "looks like it is a metric function"),
        ({"arbiter": "nonsense"}, "'nonsense' is not a valid scoring value"),
        ({"arbiter": []}, r"`arbiter` must be a scoring string.* Got \[\]"),
        ({"arbiter": None}, "`arbiter` must be a scoring string.* Got None"),
        ({"arbiter": [1]}, "Non-string types were found"),
        ({"n_rounds": 0}, "`n_rounds` must be an integer of at least 1. Got 0"),
        ({"n_candidates": 1}, "`n_candidates` must be an integer of at least 2"),
        ({"n_removed": -1}, "`n_removed` must be an integer of at least 0"),
        ({"n_removed": 13}, "n_removed=13 and 13 features"),
        ({"X": X[:9], "y": Y[::20]}, "9 sample.* a minimum of 10 is required"),
        ({"X": X[:20], "y": Y[:20]}, "at least two classes. Got .*0.* only"),
        ({"y": X[:, 0]}, "Unknown label type: continuous"),
        ({"y": Y[:-1]}, r"inconsistent numbers of samples: \[178, 177\]"),
        ({"estimator": LinearRegression()}, "must be a classifier. Got Linear"),
    ],
)
def test_bad_input(change, message):
    with pytest.raises(ValueError, match=message):
        run(**change)


@pytest.mark.parametrize("n_rounds", [1.5, True, "2"])
def test_numbers_must_be_integers(n_rounds):
    with pytest.raises(ValueError, match="`n_rounds` must be an integer of at least 1"):
        run(n_rounds=n_rounds)


def test_the_arbiter_has_to_be_named():
    with pytest.raises(TypeError, match="arbiter"):
        win_loss_equal(GaussianNB(), X, Y, METRICS)


# The result


def test_columns_and_frame():
    result = run(arbiter=["accuracy", "neg_log_loss"])
    frame = result.to_frame()
    names = ["arbiter", "metric", "opponent", "wins", "losses", "ties"]
    assert list(frame) == [*names, "regret", "rank", "n_undefined"]
    assert len(frame) == 2 * 3 * 3
    row = frame[
        (frame["arbiter"] == "neg_log_loss")
        & (frame["metric"] == METRICS[2])
        & (frame["opponent"] == METRICS[0])
    ].squeeze()
    shares = [row["wins"], row["losses"], row["ties"]]
    assert shares == [getattr(result, name)[1, 2, 0] for name in ARRAYS[:3]]
    numbers = [row["regret"], row["rank"], row["n_undefined"]]
    assert numbers == [getattr(result, name)[1, 2] for name in ARRAYS[3:]]
    assert run().to_frame()["arbiter"].tolist() == ["accuracy"] * 9


def test_the_text_of_a_result():
    on_validation = [[[1, 2], [2, 1]]] * 3 + [[[1, 2], [1, 2]]]
    result = from_scores(on_validation, [[[0, 1]]] * 4, arbiter="judge")
    assert repr(result) == (
        "WinLossEqualResult of 4 rounds\n\n"
        "arbiter: judge\n"
        "            rank    regret undefined  over [1]  over [2]\n"
        "[1] m0         1         0         0     0.000     0.750\n"
        "[2] m1         2      0.75         0     0.000     0.000"
    )


def test_results_are_frozen_and_travel():
    result = run()
    with pytest.raises(FrozenInstanceError):
        result.n_rounds = 3
    assert_same(pickle.loads(pickle.dumps(result)), result)


# Progress and interruption


def test_a_line_tells_the_progress(capsys, monkeypatch):
    run()
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(_progress, "_PAUSE", 0)
    run(verbose=1)
    out, err = capsys.readouterr()
    assert out == ""
    line, end = err.split("\n")
    assert end == ""
    states = line.split("\r")[1:]
    assert [state.split(" rounds")[0] for state in states] == [
        f"win_loss_equal: {done} of 4" for done in range(5)
    ]
    assert states[-1].rstrip().endswith("4 of 4 rounds, 0:00:00 left")
    assert len({len(state) for state in states}) == 1  # each covers the one before


def test_progress_ends_its_line_after_an_error(capsys):
    with pytest.raises(ValueError, match="roc_auc failed"):
        run(metrics=["roc_auc"], verbose=1)
    assert capsys.readouterr().err.endswith("\n")


SCRIPT = """
import os, pathlib, sys, time
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn_entropy_metrics import win_loss_equal

folder = pathlib.Path(sys.argv[1])

class Told(GaussianNB):
    def fit(self, X, y):
        (folder / str(os.getpid())).touch()
        return super().fit(X, y)

def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True

X, y = load_wine(return_X_y=True)
options = dict(n_rounds=10**5, n_jobs=2, random_state=0, verbose=1)
try:
    win_loss_equal(Told(), X, y, ["accuracy"], arbiter="accuracy", **options)
except KeyboardInterrupt:
    workers = [int(path.name) for path in folder.iterdir()]
    assert len(workers) == 2 and os.getpid() not in workers, workers
    for _ in range(100):
        alive = [pid for pid in workers if is_alive(pid)]
        if not alive:
            break
        time.sleep(0.1)
    print("alive:", alive)
"""


@pytest.mark.skipif(os.name != "posix", reason="groups of processes get the signal")
@pytest.mark.slow
def test_an_interrupt_leaves_no_workers(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        told = ""
        # Both workers are at work, and the line of progress moves.
        while len(list(tmp_path.iterdir())) < 2 or " left" not in told:
            told += process.stderr.read(20)
            assert process.poll() is None, told
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        try:
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert out == "alive: []\n", told + err
