"""Dask collections: the same numbers as arrays, from one graph and small tables."""

import os
import signal
import threading
import time

import joblib
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import (
    EntropyBalance,
    TableAccumulator,
    contingency_table,
    probabilistic_confusion_matrix,
)
from sklearn_entropy_metrics.table.tabulate import tabulate_labels

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
bag = pytest.importorskip("dask.bag")
dd = pytest.importorskip("dask.dataframe")

# distributed leaves a socket open when it looks for a free port.
pytestmark = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)
rng = np.random.default_rng(0)
N = 1000
NAMES = np.array(["ant", "bee", "cat", "dog"])
Y_TRUE = rng.integers(0, 4, N)
Y_PRED = np.where(rng.random(N) < 0.6, Y_TRUE, rng.integers(0, 4, N))
Y_PROBA = rng.dirichlet(np.ones(4), N)
WEIGHT = rng.random(N)


@pytest.fixture(autouse=True)
def in_this_process():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster):
    """What dask computes goes to the cluster, in the tests that ask for it alone."""
    with cluster.get_client() as client, dask.config.set(scheduler=None):
        yield client


def array(values, chunks=300):
    return da.from_array(values, chunks=(chunks, -1)[: values.ndim])


def with_unknown_lengths(values, chunks=300):
    """As if rows had been selected by a condition."""
    lazy = array(values, chunks)
    return lazy[da.ones(len(values), dtype=bool, chunks=chunks)]


def series(values, partitions=3):
    return dd.from_pandas(pd.Series(values), npartitions=partitions)


MAKERS = {
    "array": array,
    "unequal chunks": lambda y: array(y, (1, 500, 499)),
    "unknown lengths": with_unknown_lengths,
    "series": series,
    "one partition": lambda y: series(y, 1),
}
KINDS = {
    "integers": np.arange(4),
    "strings": NAMES,
    "objects": NAMES.astype(object),
    "booleans": np.array([False, True, False, True]),
    "spread integers": np.array([-(2**60), 3, 10**9, 2**60]),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("make", MAKERS)
def test_tables_are_those_of_arrays(make, kind):
    y_true, y_pred = KINDS[kind][Y_TRUE], KINDS[kind][Y_PRED]
    make = MAKERS[make]
    got = contingency_table(make(y_true), make(y_pred))
    expected = contingency_table(y_true, y_pred)
    assert_array_equal(got, expected)
    assert got.dtype == expected.dtype
    got = contingency_table(make(y_true), make(y_pred), sample_weight=make(WEIGHT))
    expected = contingency_table(y_true, y_pred, sample_weight=WEIGHT)
    assert_allclose(got, expected, rtol=1e-12)


def test_categoricals_whose_partitions_have_other_categories():
    parts = [
        pd.Series(["b", "a"], dtype="category"),
        pd.Series(["c"], dtype="category"),
    ]
    y = dd.from_map(lambda part: part, parts, meta=pd.Series([], dtype=object))
    assert_array_equal(contingency_table(y, y), np.eye(3))


@pytest.mark.parametrize(
    "given", [{"labels": NAMES[::-1]}, {"pred_labels": [*NAMES, "?"]}]
)
def test_given_labels(given):
    y_true, y_pred = NAMES[Y_TRUE], NAMES[Y_PRED]
    got = contingency_table(array(y_true), array(y_pred), **given)
    assert_array_equal(got, contingency_table(y_true, y_pred, **given))


@pytest.mark.parametrize("sparse", [False, True, "auto"])
def test_format_of_the_table(sparse):
    got = contingency_table(array(Y_TRUE), array(Y_PRED), sparse=sparse)
    assert isinstance(got, sp.csr_array if sparse is True else np.ndarray)
    ids = rng.integers(0, 10**6, (2, N))
    expected = contingency_table(*ids, sparse="auto")
    got = contingency_table(array(ids[0]), array(ids[1]), sparse="auto")
    assert isinstance(got, sp.csr_array)
    assert abs(got - expected).max() == 0
    if sparse is False:
        with pytest.raises(ValueError, match="sparse='auto'"):
            contingency_table(array(np.arange(50_000)), array(np.arange(50_000)))


LABEL_METRICS = [
    (sem.entropy_modulated_accuracy_score, {}),
    (sem.normalized_information_transfer_score, {}),
    (sem.normalized_information_score, {}),
    (sem.variation_of_information_loss, {"normalize": True}),
    (sem.confusion_entropy_loss, {"relative": True}),
    (sem.discriminant_capability_score, {"average": "macro"}),
    (sem.characteristic_capability, {"average": "weighted"}),
    (sem.unbiased_accuracy_score, {"average": "macro"}),
    (sem.unbiased_precision_score, {"average": "macro"}),
    (sem.unbiased_f1_score, {"average": "macro"}),
    (sem.unbiased_matthews_corrcoef, {"average": "macro"}),
]


@pytest.mark.parametrize(("metric", "options"), LABEL_METRICS)
def test_label_metrics(metric, options):
    expected = metric(Y_TRUE, Y_PRED, sample_weight=WEIGHT, **options)
    lazy = {"sample_weight": array(WEIGHT), **options}
    got = metric(array(Y_TRUE), array(Y_PRED), **lazy)
    assert isinstance(got, float)
    assert got == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("make", [array, with_unknown_lengths])
@pytest.mark.parametrize(
    ("metric", "options"),
    [
        (sem.probabilistic_confusion_entropy_loss, {}),
        (sem.probabilistic_confusion_entropy_loss, {"relative": True}),
        (sem.mean_absolute_probability_error, {}),
        (probabilistic_confusion_matrix, {"normalize": "true"}),
    ],
)
def test_probability_metrics(metric, options, make):
    # Sorted, so that single blocks lack classes.
    y_true = np.sort(NAMES[Y_TRUE])
    expected = metric(y_true, Y_PROBA, sample_weight=WEIGHT, **options)
    lazy = {"sample_weight": make(WEIGHT), **options}
    got = metric(make(y_true), make(Y_PROBA), **lazy)
    assert_allclose(got, expected, rtol=1e-12)
    got = metric(make(y_true), make(Y_PROBA), labels=NAMES, **lazy)
    assert_allclose(got, expected, rtol=1e-12)


def test_probabilities_in_blocks_of_columns_and_in_frames():
    expected = probabilistic_confusion_matrix(Y_TRUE, Y_PROBA)
    in_columns = da.from_array(Y_PROBA, chunks=(100, 2))
    got = probabilistic_confusion_matrix(array(Y_TRUE, 100), in_columns)
    assert_allclose(got, expected, rtol=1e-12)
    frame = dd.from_pandas(pd.DataFrame(Y_PROBA), npartitions=3)
    got = probabilistic_confusion_matrix(series(Y_TRUE), frame)
    assert_allclose(got, expected, rtol=1e-12)
    positive = Y_PROBA[:, 0]
    expected = probabilistic_confusion_matrix(Y_TRUE % 2, positive)
    got = probabilistic_confusion_matrix(array(Y_TRUE % 2), array(positive))
    assert_allclose(got, expected, rtol=1e-12)


def test_probabilities_that_do_not_sum_to_one_are_told_once():
    with pytest.warns(UserWarning, match="sum to one") as caught:
        probabilistic_confusion_matrix(array(Y_TRUE), array(Y_PROBA / 2))
    assert len(caught) == 1


def test_balances_reports_and_accumulators():
    lazy = array(Y_TRUE), array(Y_PRED)
    assert sem.information_report(*lazy) == sem.information_report(Y_TRUE, Y_PRED)
    expected = EntropyBalance.from_predictions(Y_TRUE, Y_PRED)
    got = EntropyBalance.from_predictions(*lazy)
    assert got.joint_fractions.tolist() == expected.joint_fractions.tolist()
    soft = EntropyBalance.from_probabilities(array(Y_TRUE), array(Y_PROBA))
    local = EntropyBalance.from_probabilities(Y_TRUE, Y_PROBA)
    assert soft.mutual_information == pytest.approx(local.mutual_information, abs=1e-12)
    accumulator = TableAccumulator().update(*lazy).update(Y_TRUE, Y_PRED)
    assert_array_equal(accumulator.table, 2 * expected.table)


def test_blocks_are_brought_together():
    expected = contingency_table(Y_TRUE, Y_PRED, sample_weight=WEIGHT)
    lazy = {"sample_weight": WEIGHT}
    got = contingency_table(array(Y_TRUE, 300), array(Y_PRED, 77), **lazy)
    assert_allclose(got, expected, rtol=1e-12)
    got = contingency_table(Y_TRUE.tolist(), array(Y_PRED, 77), **lazy)
    assert_allclose(got, expected, rtol=1e-12)
    known = array(Y_PRED, tuple(map(len, np.array_split(Y_PRED, 3))))
    got = contingency_table(series(Y_TRUE), known)
    assert_array_equal(got, contingency_table(Y_TRUE, Y_PRED))


def test_empty_blocks_and_blocks_of_no_weight():
    y_true, y_pred = np.sort(Y_TRUE), Y_PRED
    weight = (y_true == 3).astype(float)
    lazy = array(y_true), array(y_pred)
    got = contingency_table(*lazy, sample_weight=array(weight))
    expected = contingency_table(y_true, y_pred, sample_weight=weight)
    assert_array_equal(got, expected)
    few = [one[lazy[0] == 3] for one in lazy]
    assert_array_equal(
        contingency_table(*few),
        contingency_table(y_true[y_true == 3], y_pred[y_true == 3]),
    )
    none = [one[lazy[0] > 3] for one in lazy]
    with pytest.raises(ValueError, match="at least 1 sample"):
        contingency_table(*none)
    with pytest.raises(ValueError, match="at least 1 sample"):
        contingency_table(*lazy, sample_weight=array(0 * weight))
    with pytest.raises(ValueError, match="empty"):
        probabilistic_confusion_matrix(none[0], array(Y_PROBA)[lazy[0] > 3])


def test_one_graph_that_computes_each_block_once():
    calls = []

    def draw(block):
        calls.append(len(block))
        return np.random.default_rng().integers(0, 5, len(block))

    graphs = []

    class Count(dask.callbacks.Callback):
        def _start(self, graph):
            graphs.append(graph)

    y_true = da.zeros(40, chunks=10).map_blocks(draw, meta=np.empty(0, int))
    with Count():
        table = contingency_table(y_true, y_true.map_blocks(lambda y: y))
    # Were a block drawn for y_true and again for y_pred, the two would not agree.
    assert calls == [10] * 4
    assert table.trace() == 40
    assert len(graphs) == 1


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ((array(Y_TRUE), array(Y_PRED[:-1])), "inconsistent numbers of samples"),
        ((array(Y_TRUE), Y_PRED[:-1]), "inconsistent numbers of samples"),
        ((series(Y_TRUE, 3), series(Y_PRED, 2)), "3 of y_true and 2 of y_pred"),
        (
            (with_unknown_lengths(Y_TRUE), with_unknown_lengths(Y_PRED, 500)),
            "4 of y_true and 2 of y_pred",
        ),
        ((series(Y_TRUE), Y_PRED), "y_pred cannot be split like y_true"),
        (
            (with_unknown_lengths(Y_TRUE), with_unknown_lengths(Y_PRED[:-1])),
            r"inconsistent numbers of samples: \[100, 99\]",
        ),
        (
            (array(Y_TRUE), dask.delayed(Y_PRED)),
            "y_pred must be a dask array or series",
        ),
        (
            (array(Y_TRUE), bag.from_sequence([1])),
            "y_pred must be a dask array or series",
        ),
        ((array(Y_TRUE), da.ones((N, 1, 1))), "one or two dimensions"),
        ((array(Y_TRUE), array(NAMES[Y_PRED])), "one kind"),
        ((array(Y_TRUE), array(Y_PRED + 0.5)), "continuous"),
        (
            (
                da.concatenate([array(Y_TRUE), array(NAMES[Y_TRUE].astype(object))]),
                da.concatenate([array(Y_TRUE), array(NAMES[Y_TRUE].astype(object))]),
            ),
            "one kind",
        ),
    ],
)
def test_bad_input(arrays, message):
    with pytest.raises(ValueError, match=message):
        contingency_table(*arrays)


@pytest.mark.usefixtures("client")
@pytest.mark.slow
def test_cluster_of_two_processes():
    lazy = with_unknown_lengths(NAMES[Y_TRUE]), with_unknown_lengths(NAMES[Y_PRED])
    got = contingency_table(*lazy)
    assert_array_equal(got, contingency_table(Y_TRUE, Y_PRED))
    got = sem.entropy_modulated_accuracy_score(series(Y_TRUE), series(Y_PRED))
    assert got == sem.entropy_modulated_accuracy_score(Y_TRUE, Y_PRED)
    got = sem.probabilistic_confusion_entropy_loss(array(Y_TRUE), array(Y_PROBA))
    expected = sem.probabilistic_confusion_entropy_loss(Y_TRUE, Y_PROBA)
    assert got == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ValueError, match="labels must contain every value"):
        contingency_table(*lazy, labels=NAMES[:2])


@pytest.mark.slow
@pytest.mark.usefixtures("client")
def test_scoring_strings_on_the_dask_backend_of_joblib():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 2]},
        scoring="entropy_modulated_accuracy",
        cv=3,
    )
    local = clone(search).fit(X, y).cv_results_["mean_test_score"]
    with joblib.parallel_config("dask"):
        search.set_params(n_jobs=2).fit(X, y)
    assert_array_equal(search.cv_results_["mean_test_score"], local)


@pytest.mark.slow
def test_a_killed_worker_changes_nothing_but_the_time(client):
    def slow_labels(block_info=None):  # in here, so that workers need not import it
        start, stop = block_info[None]["array-location"][0]
        time.sleep(0.1)
        return np.arange(start, stop) % 7

    y = da.map_blocks(slow_labels, chunks=((1000,) * 40,), dtype=int)
    before = client.run(os.getpid)
    tables = []

    def work():
        tables.append(contingency_table(y, y // 2))

    thread = threading.Thread(target=work)
    thread.start()
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up:
        n_done = sum(len(keys) for keys in client.has_what().values())
        if n_done >= 4:
            break
        time.sleep(0.02)
    os.kill(next(iter(before.values())), signal.SIGKILL)
    thread.join(timeout=120)
    labels = np.arange(40_000) % 7
    assert_array_equal(tables[0], contingency_table(labels, labels // 2))
    client.wait_for_workers(2, timeout=60)
    assert set(client.run(os.getpid).values()) != set(before.values())


def test_strings_against_numbers_of_clusters():
    y_true = NAMES[Y_TRUE]
    given = {"pred_labels": [2, 0, 1, 3]}
    expected = contingency_table(y_true, Y_PRED, **given)
    for make in (array, series):
        lazy = make(y_true), make(Y_PRED)
        assert_array_equal(contingency_table(*lazy, **given), expected)
        balance = EntropyBalance.from_predictions(*lazy, **given)
        assert_array_equal(balance.table, expected)
        assert_array_equal(
            TableAccumulator(**given).update(*lazy).pred_labels_, [2, 0, 1, 3]
        )
        with pytest.raises(ValueError, match=r"strings in y_true.*pred_labels"):
            contingency_table(*lazy)


def test_masked_weights_are_refused_wherever_they_lie():
    masked = np.ma.array(WEIGHT, mask=WEIGHT < 0.1)
    lazy = array(Y_TRUE), array(Y_PRED)
    for weight in (masked, da.from_array(masked, chunks=300)):
        with pytest.raises(ValueError, match="sample_weight must have no masked"):
            contingency_table(*lazy, sample_weight=weight)


@pytest.mark.parametrize(
    ("y_pred", "given", "reason"),
    [
        (Y_TRUE + 10, {}, "share no label"),
        (Y_TRUE + 10, {"pred_labels": [10, 11, 12, 13]}, None),
        (Y_PRED, {}, None),
    ],
)
def test_doubts_are_those_of_arrays(y_pred, given, reason):
    found = tabulate_labels(array(Y_TRUE), array(y_pred), **given)
    assert found.warning == tabulate_labels(Y_TRUE, y_pred, **given).warning
    assert (found.warning is None) is (reason is None)
