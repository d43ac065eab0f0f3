"""What users give stays as it is, may be read-only, and counts by its weight.

The functions, constructors and methods are found, not listed: a new one that takes
something new fails here until it is known.
"""

import inspect
import warnings
from functools import cache, partial

import numpy as np
import pytest
from scipy import sparse as sp
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import Bunch

import sklearn_entropy_metrics as sem

N_SAMPLES = 60
# These take no arrays, or the results of a search, or a frame.
NO_ARRAYS = {"information_refit", "register_scorers", "scorer_names"}
NO_ARRAYS |= {"tabulate_frame", "unregister_scorers"}
# Optional parameters that are given wherever they are taken, most of them for speed.
ALSO = ("y_true", "y_pred", "predictions", "y_proba", "by", "sample_weight")
ALSO += ("random_state", "n_resamples", "n_rounds", "n_candidates", "n_removed")
# Labels and probabilities exclude each other.
NOT_BOTH = {"confidence_interval": "y_proba"}
# What some of them take by a name that others use for something else.
INSTEAD = {
    "EntropyBalance.from_variables": {"X": "discrete"},
    "SourceBalance.from_data": {"X": "discrete"},
    "measure.multilabel_information": {"tables": "label_tables"},
    "ModelComparisonDisplay.from_predictions": {"y_pred": "predictions"},
}
INSTANCES = {
    "TableAccumulator.update": lambda: sem.TableAccumulator().update,
    "TableAccumulator.update_proba": lambda: sem.TableAccumulator().update_proba,
    "PhiDeltaSelector.fit": lambda: sem.PhiDeltaSelector().fit,
    "InformationScorer": lambda: sem.InformationScorer(),
}


def found():
    """Everything that takes arrays, as functions without arguments that return it."""
    every = dict(INSTANCES)
    for name in sem.__all__:
        member = getattr(sem, name)
        if inspect.isfunction(member) and name not in NO_ARRAYS:
            every[name] = partial(getattr, sem, name)
        elif inspect.isclass(member):
            for key, _ in inspect.getmembers(member, inspect.ismethod):
                if key.startswith("from_"):
                    every[f"{name}.{key}"] = lambda cls=member, key=key: getattr(
                        cls, key
                    )
    for name in sem.measure.__all__:
        member = getattr(sem.measure, name)
        if inspect.isfunction(member):
            every[f"measure.{name}"] = partial(getattr, sem.measure, name)
    return every


EVERY = found()
every_one = pytest.mark.parametrize("name", EVERY)
every_weighted_one = pytest.mark.parametrize(
    "name",
    [
        name
        for name, make in EVERY.items()
        if "sample_weight" in (taken := inspect.signature(make()).parameters)
        and "cv_results" not in taken  # its indices are those of all samples
        and name != "cross_val_tables"  # models are fitted to all samples
    ],
)


@pytest.fixture(autouse=True)
def close(pyplot):
    return pyplot


def samples():
    """Samples of two classes, by the names of the arguments."""
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], N_SAMPLES // 2)
    wrong = rng.random((3, N_SAMPLES)) < 0.2
    y_pred, y_pred_a, y_pred_b = np.where(wrong, 1 - y, y)
    positive = np.clip(0.3 + 0.4 * y + rng.normal(0, 0.2, N_SAMPLES), 0.01, 0.99)
    return {
        "y": y,
        "y_true": y.copy(),
        "y_pred": y_pred,
        "y_pred_a": y_pred_a,
        "y_pred_b": y_pred_b,
        "y_proba": np.column_stack([1 - positive, positive]),
        "X": rng.random((N_SAMPLES, 3)) * (0.5 + 0.5 * y[:, None]),
        "Y": np.column_stack([y, y_pred_b]),
        "by": y_pred_b.copy(),
        "discrete": np.column_stack([y_pred, y_pred_a]),
        "Y_true": np.column_stack([y, y_pred_b]) == 1,
        "Y_pred": np.column_stack([y_pred, y_pred_a]) == 1,
        "sample_weight": rng.integers(1, 4, N_SAMPLES).astype(float),
    }


@cache
def objects():
    """Arguments that are no arrays, by their names."""
    X, y, y_proba = (samples()[key] for key in ("X", "y", "y_proba"))
    model = GaussianNB().fit(X, y)
    return {
        "estimator": model,
        "cv_results": cross_validate(
            model, X, y, return_estimator=True, return_indices=True
        ),
        "balance": sem.ProbabilityBalance.from_probabilities(y, y_proba),
        "metric": "normalized_information",
        "metrics": ["accuracy", "normalized_information"],
        "arbiter": "accuracy",
        "measure": "accuracy",
        "prevalence": 0.4,
        "random_state": 0,
        "n_resamples": 19,
        "n_rounds": 3,
        "n_candidates": 3,
        "n_removed": 1,
    }


def tables():
    """Matrices and rates, by the names of the arguments."""
    table = np.array([[20.0, 4.0], [6.0, 30.0]])
    return {
        **{name: table.copy() for name in ("table", "tables", "matrix", "matrices")},
        "label_tables": np.stack([table, table.T]),
        "fpr": np.array([0, 0.1, 0.5, 1]),
        "tpr": np.array([0, 0.6, 0.9, 1]),
        "accuracy": np.array([0.8, 0.7]),
        "precision": np.array([0.8, 0.7]),
        "recall": np.array([0.8, 0.7]),
        "values": np.array([0.5, 0.8]),
        "phi": np.array([0.1, 0.2]),
        "delta": np.array([0.5, 0.6]),
    }


def call(name, arrays):
    function = EVERY[name]()
    predictions = {"a": arrays["y_pred_a"], "b": arrays["y_pred_b"]}
    pool = {**arrays, "predictions": predictions, **objects()}
    pool |= {key: pool[other] for key, other in INSTEAD.get(name, {}).items()}
    chosen = {
        key: pool[key]
        for key, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is not parameter.VAR_KEYWORD
        and (parameter.default is parameter.empty or key in ALSO)
        and key != NOT_BOTH.get(name)
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few samples
        return function(**chosen)


def content(result):
    """The numbers of a result."""
    for key in ("frame", "to_dict"):
        if hasattr(result, key):
            return content(getattr(result, key)())
    if isinstance(result, sem.TableAccumulator):
        return content(result.table)
    if isinstance(result, dict | Bunch):
        return {key: content(value) for key, value in result.items()}
    if sp.issparse(result):
        return result.toarray()
    if isinstance(result, list | tuple):
        return [content(one) for one in result]
    if isinstance(result, np.ndarray):
        return result.copy()
    if hasattr(result, "__dict__"):
        return content(vars(result))
    return result if isinstance(result, int | float | str) else None


@pytest.mark.slow
@every_one
def test_inputs_stay_as_they_are(name):
    arrays, untouched = samples() | tables(), samples() | tables()
    result = call(name, arrays)
    for key, array in arrays.items():
        np.testing.assert_array_equal(array, untouched[key])
    before = content(result)
    for array in arrays.values():
        array[...] = 0  # nothing that was given is kept
    np.testing.assert_equal(content(result), before)


@every_one
def test_inputs_may_be_read_only(name):
    arrays = samples() | tables()
    expected = content(call(name, arrays))
    for array in arrays.values():
        array.flags.writeable = False
    np.testing.assert_equal(content(call(name, arrays)), expected)


@every_weighted_one
def test_classes_of_weight_zero_are_not_seen(name):
    """Samples of a third class change nothing, wherever they stand."""
    arrays = samples()
    expected = content(call(name, arrays | tables()))
    place = np.arange(0, N_SAMPLES, 7)
    other = {
        key: np.insert(array, place, 2 if array.dtype.kind == "i" else 0.5, axis=0)
        for key, array in arrays.items()
    }
    other["sample_weight"] = np.insert(arrays["sample_weight"], place, 0)
    assert len(other["y"]) > N_SAMPLES
    np.testing.assert_equal(content(call(name, other | tables())), expected)
