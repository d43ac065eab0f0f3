"""The scoring strings at the real entry points of scikit-learn.

Only bare scikit-learn and the package are imported up here; scikit-learn loads its
parts when they are first used. That lets a fresh interpreter choose the order: it
imports parts of scikit-learn, then this module, then runs `run_all`.
"""

import copy
import copyreg
import importlib
import importlib.util
import inspect
import math
import os
import pickle
import pickletools
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import joblib
import numpy as np
import pytest
import sklearn
from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky.backend import reduction
from sklearn.cluster import KMeans

import sklearn_entropy_metrics as sem
from sklearn_entropy_metrics import _sklearn
from sklearn_entropy_metrics.measure.catalog import find
from sklearn_entropy_metrics.score.scorers import SCORERS

NIT = "normalized_information_transfer"
RNG = np.random.default_rng(0)
Y = np.repeat([0, 1, 2], 24)
X = RNG.normal(size=(len(Y), 3)) + np.eye(3)[Y] * 1.5
BINARY_Y, BINARY_X = Y[:48], X[:48]
GRID = {"var_smoothing": [1e-9, 1e-1]}


def naive_bayes():
    return sklearn.naive_bayes.GaussianNB()


# Entry points: (scoring, n_jobs) -> numbers that must be finite

ENTRY_POINTS = {}


def entry_point(function):
    ENTRY_POINTS[function.__name__] = function
    return function


def search(cls, scoring, n_jobs, **params):
    """Fit a search once with a name, once with a list and once with a tuple."""
    params |= {"cv": 2, "n_jobs": n_jobs}
    alone = cls(naive_bayes(), GRID, scoring=scoring, **params).fit(X, Y)
    scores = alone.cv_results_["mean_test_score"]
    for several in ([scoring, "accuracy"], ("accuracy", scoring)):
        found = cls(naive_bayes(), GRID, scoring=several, refit=scoring, **params)
        results = found.fit(X, Y).cv_results_
        np.testing.assert_array_equal(results[f"mean_test_{scoring}"], scores)
    return scores


@entry_point
def get_scorer(scoring, n_jobs):
    return sklearn.metrics.get_scorer(scoring)(naive_bayes().fit(X, Y), X, Y)


@entry_point
def get_scorer_names(scoring, n_jobs):
    return sklearn.metrics.get_scorer_names().index(scoring)


@entry_point
def check_scoring(scoring, n_jobs):
    fitted = naive_bayes().fit(X, Y)
    check = sklearn.metrics.check_scoring
    alone = check(fitted, scoring=scoring)(fitted, X, Y)
    for several in ([scoring, "accuracy"], ("accuracy", scoring), {scoring: scoring}):
        assert check(fitted, scoring=several)(fitted, X, Y)[scoring] == alone
    return alone


@entry_point
def grid_search(scoring, n_jobs):
    return search(sklearn.model_selection.GridSearchCV, scoring, n_jobs)


@entry_point
def randomized_search(scoring, n_jobs):
    cls = sklearn.model_selection.RandomizedSearchCV
    return search(cls, scoring, n_jobs, n_iter=2, random_state=0)


def halving(name, scoring, n_jobs, **params):
    importlib.import_module("sklearn.experimental.enable_halving_search_cv")
    cls = getattr(sklearn.model_selection, name)
    params |= {"cv": 2, "factor": 2, "min_resources": 36, "random_state": 0}
    found = cls(naive_bayes(), GRID, scoring=scoring, n_jobs=n_jobs, **params)
    return found.fit(X, Y).cv_results_["mean_test_score"]


@entry_point
def halving_grid_search(scoring, n_jobs):
    return halving("HalvingGridSearchCV", scoring, n_jobs)


@entry_point
def halving_random_search(scoring, n_jobs):
    return halving("HalvingRandomSearchCV", scoring, n_jobs, n_candidates=2)


@entry_point
def cross_val_score(scoring, n_jobs):
    return sklearn.model_selection.cross_val_score(
        naive_bayes(), X, Y, scoring=scoring, cv=3, n_jobs=n_jobs
    )


@entry_point
def cross_validate(scoring, n_jobs):
    params = {"cv": 3, "n_jobs": n_jobs}
    validate = sklearn.model_selection.cross_validate
    alone = validate(naive_bayes(), X, Y, scoring=scoring, **params)["test_score"]
    for several in ([scoring, "accuracy"], ("accuracy", scoring)):
        results = validate(naive_bayes(), X, Y, scoring=several, **params)
        np.testing.assert_array_equal(results[f"test_{scoring}"], alone)
    return alone


@entry_point
def learning_curve(scoring, n_jobs):
    return sklearn.model_selection.learning_curve(
        naive_bayes(),
        X,
        Y,
        scoring=scoring,
        cv=2,
        n_jobs=n_jobs,
        train_sizes=[0.7, 1.0],
        shuffle=True,
        random_state=0,
    )[1:]


@entry_point
def validation_curve(scoring, n_jobs):
    return sklearn.model_selection.validation_curve(
        naive_bayes(),
        X,
        Y,
        scoring=scoring,
        cv=2,
        n_jobs=n_jobs,
        param_name="var_smoothing",
        param_range=GRID["var_smoothing"],
    )


@entry_point
def permutation_test_score(scoring, n_jobs):
    return sklearn.model_selection.permutation_test_score(
        naive_bayes(), X, Y, scoring=scoring, cv=2, n_jobs=n_jobs, n_permutations=2
    )[1]


@entry_point
def permutation_importance(scoring, n_jobs):
    fitted = naive_bayes().fit(X, Y)
    params = {"n_repeats": 2, "n_jobs": n_jobs, "random_state": 0}
    importance = sklearn.inspection.permutation_importance
    alone = importance(fitted, X, Y, scoring=scoring, **params)
    several = importance(fitted, X, Y, scoring=[scoring, "accuracy"], **params)
    np.testing.assert_allclose(several[scoring].importances, alone.importances)
    return alone.importances


@entry_point
def sequential_feature_selector(scoring, n_jobs):
    return (
        sklearn.feature_selection.SequentialFeatureSelector(
            naive_bayes(), n_features_to_select=1, scoring=scoring, cv=2, n_jobs=n_jobs
        )
        .fit(X, Y)
        .get_support(indices=True)
    )


@entry_point
def rfecv(scoring, n_jobs):
    ridge = sklearn.linear_model.RidgeClassifier()
    selector = sklearn.feature_selection.RFECV(
        ridge, scoring=scoring, cv=2, n_jobs=n_jobs
    )
    return selector.fit(X, Y).cv_results_["mean_test_score"]


def fit_logistic(X, y, scoring, n_jobs, cv=2):
    cls = sklearn.linear_model.LogisticRegressionCV
    params = {"Cs": [0.1, 1.0], "cv": cv, "scoring": scoring, "n_jobs": n_jobs}
    if "use_legacy_attributes" in inspect.signature(cls).parameters:
        params |= {"use_legacy_attributes": False, "l1_ratios": (0,)}
    return cls(**params).fit(X, y)


def logistic_scores(fitted):
    scores = fitted.scores_
    return np.stack(list(scores.values())) if isinstance(scores, dict) else scores


@entry_point
def logistic_regression_cv(scoring, n_jobs):
    fitted = fit_logistic(X, Y, scoring, n_jobs)
    return [fitted.score(X, Y), *logistic_scores(fitted).ravel()]


@entry_point
def logistic_regression_cv_binary(scoring, n_jobs):
    fitted = fit_logistic(BINARY_X, BINARY_Y, scoring, n_jobs)
    return [fitted.score(BINARY_X, BINARY_Y), *logistic_scores(fitted).ravel()]


@entry_point
def ridge_classifier_cv(scoring, n_jobs):
    cls = sklearn.linear_model.RidgeClassifierCV
    return [
        cls(alphas=[0.1, 1.0], scoring=scoring, cv=cv).fit(X, Y).best_score_
        for cv in (None, 3)
    ]


@entry_point
def tuned_threshold_classifier_cv(scoring, n_jobs):
    tuned = sklearn.model_selection.TunedThresholdClassifierCV(
        naive_bayes(), scoring=scoring, cv=2, thresholds=5, n_jobs=n_jobs
    )
    return tuned.fit(BINARY_X, BINARY_Y).best_score_


@entry_point
def hist_gradient_boosting(scoring, n_jobs):
    model = sklearn.ensemble.HistGradientBoostingClassifier(
        scoring=scoring, early_stopping=True, max_iter=2, random_state=0
    )
    return model.fit(X, Y).validation_score_


@entry_point
def curve_displays(scoring, n_jobs):
    if importlib.util.find_spec("matplotlib") is None:
        return 0.0
    with warnings.catch_warnings():  # about its own dependencies, while it loads
        warnings.simplefilter("ignore")
        pyplot = importlib.import_module("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    shared = {"scoring": scoring, "cv": 2, "n_jobs": n_jobs}
    values = {"param_name": "var_smoothing", "param_range": GRID["var_smoothing"]}
    sizes = {"train_sizes": [0.7, 1.0], "shuffle": True, "random_state": 0}
    selection = sklearn.model_selection
    curves = [
        selection.LearningCurveDisplay.from_estimator(
            naive_bayes(), X, Y, **sizes, **shared
        ),
        selection.ValidationCurveDisplay.from_estimator(
            naive_bayes(), X, Y, **values, **shared
        ),
    ]
    pyplot.close("all")
    return [curve.test_scores for curve in curves]


def grid_search_with(scoring):
    return sklearn.model_selection.GridSearchCV(
        naive_bayes(), GRID, scoring=scoring, cv=2
    )


# Here the string itself travels to the workers and is looked up there.


@entry_point
def nested_cross_validation(scoring, n_jobs):
    return sklearn.model_selection.cross_val_score(
        grid_search_with(scoring), X, Y, cv=2, n_jobs=n_jobs, error_score="raise"
    )


@entry_point
def bagged_search(scoring, n_jobs):
    bag = sklearn.ensemble.BaggingClassifier(
        grid_search_with(scoring), n_estimators=2, n_jobs=n_jobs, random_state=0
    )
    return bag.fit(X, Y).score(X, Y)


@entry_point
def search_over_selector(scoring, n_jobs):
    selector = sklearn.feature_selection.SequentialFeatureSelector(
        naive_bayes(), n_features_to_select=1, scoring=scoring, cv=2
    )
    pipeline = sklearn.pipeline.make_pipeline(selector, naive_bayes())
    grid = {"gaussiannb__var_smoothing": [1e-9, 1e-1]}
    found = sklearn.model_selection.GridSearchCV(
        pipeline, grid, cv=2, n_jobs=n_jobs, error_score="raise"
    )
    return found.fit(X, Y).best_score_


# Fresh workers take seconds to start; one of each kind is enough for every day.
STRING_TRAVELS = [
    "logistic_regression_cv",
    "nested_cross_validation",
    pytest.param("logistic_regression_cv_binary", marks=pytest.mark.slow),
    pytest.param("bagged_search", marks=pytest.mark.slow),
    pytest.param("search_over_selector", marks=pytest.mark.slow),
]


def assert_finite(result):
    parts = result if isinstance(result, list | tuple) else [result]
    assert all(np.isfinite(part).all() for part in parts)


@cache
def numbers(name, labels=(0, 1, 2)):
    """What an entry point finds, with these names of the classes."""
    classes, binary_classes = Y, BINARY_Y
    try:
        globals().update(Y=np.array(labels)[Y], BINARY_Y=np.array(labels)[BINARY_Y])
        found = ENTRY_POINTS[name](NIT, n_jobs=1)
    finally:
        globals().update(Y=classes, BINARY_Y=binary_classes)
    parts = found if isinstance(found, list | tuple) else [found]
    assert_finite(found)
    return np.concatenate([np.ravel(part) for part in parts])


def run_all():
    """Run every entry point; called in fresh interpreters."""
    for name in ENTRY_POINTS:
        numbers(name)


def python(code, *, stdin=None, **environment):
    """Run code in a fresh interpreter that takes warnings for errors."""
    here, package = Path(__file__).parent, Path(sem.__file__).parents[1]
    path = os.pathsep.join([str(here), str(package), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", inspect.cleandoc(code)],
        input=stdin,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": path, **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()


@pytest.fixture
def registered_again():
    """Leave the names registered, whatever the test does."""
    yield
    sem.register_scorers()


# Where the strings work


@pytest.mark.parametrize("name", ENTRY_POINTS)
def test_entry_point(name):
    """Classes may be numbers or names."""
    named = numbers(name, ("setosa", "versicolor", "virginica"))
    np.testing.assert_allclose(named, numbers(name), rtol=1e-9)


@pytest.mark.parametrize("name", sem.scorer_names())
def test_every_name(name):
    if find(name).of_several_labels:
        pytest.skip("is for several labels per sample")
    fitted = grid_search_with(name).fit(BINARY_X, BINARY_Y)
    several = sklearn.model_selection.cross_validate(
        naive_bayes(), BINARY_X, BINARY_Y, scoring=["accuracy", name], cv=2
    )
    assert_finite([fitted.best_score_, several[f"test_{name}"]])
    assert fitted.score(BINARY_X, BINARY_Y) == pytest.approx(
        SCORERS[name](fitted, BINARY_X, BINARY_Y)
    )


ORDERS = {
    "package_first": "",
    "package_between": "import sklearn.metrics, sklearn.model_selection",
    "package_last": """
        import sklearn.ensemble, sklearn.feature_selection, sklearn.inspection
        import sklearn.linear_model, sklearn.metrics, sklearn.model_selection
        import sklearn.experimental.enable_halving_search_cv
    """,
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.slow
def test_any_order_of_imports(order):
    before = inspect.cleandoc(ORDERS[order])
    python(f"{before}\nimport test_scorers as t\nt.run_all()")


@pytest.mark.parametrize("name", STRING_TRAVELS)
@pytest.mark.slow
def test_string_that_travels_to_fresh_workers(name):
    get_reusable_executor().shutdown(wait=True)
    with joblib.parallel_config("loky"):
        assert_finite(ENTRY_POINTS[name](NIT, n_jobs=2))


@pytest.mark.parametrize("name", ENTRY_POINTS)
@pytest.mark.slow
def test_entry_point_with_workers(name):
    with joblib.parallel_config("loky"):
        assert_finite(ENTRY_POINTS[name](NIT, n_jobs=2))


def test_metric_in_plain_make_scorer():
    for metric in (
        sem.entropy_modulated_accuracy_score,
        sem.normalized_information_transfer_score,
        sem.normalized_information_score,
        sem.variation_of_information_loss,
    ):
        scorer = sklearn.metrics.make_scorer(metric)
        assert_finite(cross_val_score(scorer, n_jobs=1))
        assert_finite(logistic_regression_cv(scorer, n_jobs=1))


# What a task carries to a worker


def loky_dumps(something):
    """Pickle as joblib does for its worker processes, which is with cloudpickle."""
    return bytes(reduction.dumps(something))


def test_a_task_holds_no_code():
    """Scanners of pickles refuse exec and eval."""
    task = pickle.dumps(sklearn.utils.parallel.delayed(math.sqrt)()[0], protocol=2)
    names = [str(arg) for opcode, arg, _ in pickletools.genops(task)]
    assert "importlib.metadata EntryPoint" in names
    assert not any("exec" in name or "eval" in name for name in names)
    assert pickle.loads(task)._imported is True


LOAD_TASK = """
    import pickle, sys
    task = pickle.load(sys.stdin.buffer)
    from sklearn.metrics import get_scorer_names
    from sklearn.utils.parallel import Parallel
    assert Parallel(n_jobs=1)([(task, (9.0,), {})]) == [3.0]
"""


def pickled_task(dumps):
    task, _, _ = sklearn.utils.parallel.delayed(math.sqrt)()
    return dumps(task)


@pytest.mark.slow
def test_task_registers_names_in_worker_with_the_package():
    code = inspect.cleandoc(LOAD_TASK)
    code += f"\nassert {NIT!r} in get_scorer_names()"
    python(code, stdin=pickled_task(loky_dumps))


@pytest.mark.slow
def test_task_runs_in_worker_without_the_package():
    block = """
        import sys

        class Blocked:
            def find_spec(self, name, path=None, target=None):
                if name.startswith("sklearn_entropy_metrics"):
                    raise ModuleNotFoundError(f"No module named {name!r}", name=name)

        sys.meta_path.insert(0, Blocked())
    """
    code = inspect.cleandoc(block) + "\n" + inspect.cleandoc(LOAD_TASK)
    code += f"\nassert {NIT!r} not in get_scorer_names()"
    python(code, stdin=pickled_task(pickle.dumps))


BROKEN = {
    "import error": ("import a_module_that_is_not_there", pickle.dumps),
    "exception": ("raise RuntimeError('half installed')", loky_dumps),
    "syntax error": ("def", pickle.dumps),
    "other release": ("", loky_dumps),
}


@pytest.fixture
def broken_package(tmp_path):
    """Make a folder with a copy of the package that has this code."""

    def folder(code):
        package = tmp_path / "sklearn_entropy_metrics"
        package.mkdir()
        (package / "__init__.py").write_text(code)
        return str(tmp_path)

    return folder


@pytest.mark.parametrize("reason", BROKEN)
@pytest.mark.slow
def test_task_runs_in_worker_whose_copy_of_the_package_is_broken(
    reason, broken_package
):
    broken, dumps = BROKEN[reason]
    code = f"import sys\nsys.path.insert(0, {broken_package(broken)!r})\n"
    code += inspect.cleandoc(LOAD_TASK)
    code += f"\nassert {NIT!r} not in get_scorer_names()"
    python(code, stdin=pickled_task(dumps))


@pytest.mark.slow
def test_workers_whose_copy_of_the_package_is_broken(broken_package):
    """Workers of joblib, which do not need the names that the main process has."""
    folder = broken_package("raise RuntimeError('half installed')")
    python(
        f"""
        import sys
        import sklearn_entropy_metrics
        from sklearn.cluster import KMeans
        from sklearn.datasets import load_iris
        from sklearn.model_selection import cross_val_score
        from sklearn.naive_bayes import GaussianNB

        sys.path.insert(0, {folder!r})  # for the workers, which are started later
        X, y = load_iris(return_X_y=True)
        scores = cross_val_score(GaussianNB(), X, y, n_jobs=2, error_score="raise")
        assert scores.mean() > 0.9
        """
    )


@pytest.mark.parametrize("dumps", [pickle.dumps, loky_dumps])
def test_task_that_came_out_of_a_pickle_can_be_pickled(dumps):
    task = pickle.loads(pickled_task(dumps))
    assert pickle.loads(dumps(task)).function is math.sqrt
    assert copy.deepcopy(task).function is math.sqrt


# Registration


def is_accepted(name):
    try:
        grid_search_with(name).fit(X, Y)
    except sklearn.utils._param_validation.InvalidParameterError:
        return False
    return True


def test_registration_is_idempotent():
    before = sklearn.metrics.get_scorer_names()
    assert _sklearn.register(SCORERS) == []
    assert sklearn.metrics.get_scorer_names() == before
    assert is_accepted(NIT)


def test_built_in_name_is_never_overridden():
    before = sklearn.metrics.get_scorer("accuracy")
    (problem,) = _sklearn.register({"accuracy": SCORERS[NIT]})
    assert "'accuracy'" in problem
    _sklearn.unregister({"accuracy": SCORERS[NIT]})
    assert repr(sklearn.metrics.get_scorer("accuracy")) == repr(before)
    assert is_accepted("accuracy")


@pytest.mark.usefixtures("registered_again")
def test_name_of_another_package_is_left_alone(monkeypatch):
    foreign = sklearn.metrics.make_scorer(sklearn.metrics.accuracy_score)
    sem.unregister_scorers()
    monkeypatch.setitem(sklearn.metrics._scorer._SCORERS, NIT, foreign)
    with pytest.warns(RuntimeWarning, match=f"{NIT}.*accuracy_score"):
        sem.register_scorers()
    assert is_accepted("normalized_information")
    sem.unregister_scorers()
    assert sklearn.metrics._scorer._SCORERS[NIT] is foreign


@pytest.mark.usefixtures("registered_again")
def test_earlier_registration_can_be_replaced():
    plain = sklearn.metrics.make_scorer(sem.normalized_information_transfer_score)
    newer = copy.deepcopy(SCORERS)
    assert _sklearn.register({NIT: plain}) == []
    assert _sklearn.register(newer) == []
    assert sklearn.metrics._scorer._SCORERS[NIT] is newer[NIT]
    _sklearn.unregister(SCORERS)
    assert is_accepted(NIT)
    _sklearn.unregister(newer)
    assert not is_accepted(NIT)


@pytest.mark.usefixtures("registered_again")
def test_unregister_then_register():
    task = sklearn.utils.parallel._FuncWrapper
    sem.unregister_scorers()
    sem.unregister_scorers()
    assert not set(sem.scorer_names()) & set(sklearn.metrics.get_scorer_names())
    assert not is_accepted(NIT)
    assert task not in copyreg.dispatch_table
    sem.register_scorers()
    assert is_accepted(NIT)
    assert task in copyreg.dispatch_table


@pytest.mark.usefixtures("registered_again")
def test_unregistering_some_names_keeps_the_others():
    _sklearn.unregister({NIT: SCORERS[NIT]})
    assert not is_accepted(NIT)
    assert is_accepted("normalized_information")
    assert sklearn.utils.parallel._FuncWrapper in copyreg.dispatch_table


@pytest.mark.usefixtures("registered_again")
def test_registration_from_several_threads():
    def switch(_):
        sem.unregister_scorers()
        sem.register_scorers()
        return is_accepted("accuracy")

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(switch, range(8)))
    sem.register_scorers()
    assert is_accepted(NIT)


@pytest.mark.slow
def test_package_that_is_loaded_anew_registers_without_a_word():
    python(
        """
        import sys, sklearn_entropy_metrics

        for module in [m for m in sys.modules if m.startswith("sklearn_entropy")]:
            del sys.modules[module]
        import sklearn_entropy_metrics
        """
    )


@pytest.mark.usefixtures("registered_again")
def test_other_pickling_of_tasks_is_left_alone(monkeypatch):
    def other(task):
        raise NotImplementedError

    task = sklearn.utils.parallel._FuncWrapper
    monkeypatch.setitem(copyreg.dispatch_table, task, other)
    with pytest.warns(RuntimeWarning, match="Worker processes.*other"):
        sem.register_scorers()
    sem.unregister_scorers()
    assert copyreg.dispatch_table[task] is other
    monkeypatch.undo()


@pytest.mark.slow
def test_environment_variable_opts_out():
    python(
        """
        import copyreg, sklearn_entropy_metrics as sem
        from sklearn.metrics import get_scorer_names
        from sklearn.utils.parallel import _FuncWrapper

        assert not set(sem.scorer_names()) & set(get_scorer_names())
        assert _FuncWrapper not in copyreg.dispatch_table
        sem.register_scorers()
        assert set(sem.scorer_names()) < set(get_scorer_names())

        # Workers inherit the variable, and still know the names that travel to them.
        from sklearn.datasets import load_iris
        from sklearn.model_selection import GridSearchCV, cross_val_score
        from sklearn.naive_bayes import GaussianNB

        search = GridSearchCV(GaussianNB(), {}, scoring="normalized_information")
        X, y = load_iris(return_X_y=True)
        cross_val_score(search, X, y, n_jobs=2, error_score="raise")
        """,
        SKLEARN_ENTROPY_METRICS_REGISTER="0",
    )


# A scikit-learn whose private names have changed

RENAME = """
    import re
    from importlib.machinery import SourceFileLoader

    get_code = SourceFileLoader.get_code

    def get_renamed_code(loader, module):
        if module.startswith("sklearn."):
            source = loader.get_source(module)
            renamed = re.sub({private!r}, {new!r}, source)
            if renamed != source:
                return compile(renamed, loader.path, "exec")
        return get_code(loader, module)

    SourceFileLoader.get_code = get_renamed_code
"""


def rename(private, new):
    """Code that makes an interpreter find other names in scikit-learn."""
    code = inspect.cleandoc(RENAME)
    return code.replace("{private!r}", repr(private)).replace("{new!r}", repr(new))


USE_OBJECTS = """
    import warnings
    import numpy as np
    import sklearn_entropy_metrics as sem  # quietly, even with warnings as errors
    from sklearn.naive_bayes import GaussianNB
    from sklearn.model_selection import cross_val_score
    from sklearn_entropy_metrics.score.scorers import SCORERS

    y = np.arange(12) % 2
    X = (y + 0.01 * np.arange(12)).reshape(-1, 1)
    for name, scorer in SCORERS.items():
        if name == "multilabel_information":
            continue
        scores = cross_val_score(GaussianNB(), X, y, scoring=scorer, cv=2)
        assert np.isfinite(scores).all()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sem.register_scorers()
    told = " ".join(str(warning.message) for warning in caught)
    assert {told!r} in told, told
    sem.unregister_scorers()
"""


@pytest.mark.parametrize(
    ("private", "told"),
    [
        (r"\b_SCORERS\b", "cannot be added"),
        (r"\b_skl_parameter_constraints\b", "are refused"),
        (r"\b_FuncWrapper\b", "Worker processes"),
        (r"\b_Scorer\b", "classes that a fold holds"),
    ],
)
@pytest.mark.slow
def test_changed_private_name_leaves_scorer_objects(private, told):
    use_objects = inspect.cleandoc(USE_OBJECTS).replace("{told!r}", repr(told))
    python(rename(private, r"\g<0>_renamed") + "\n" + use_objects)


USE_STRINGS = """
    import warnings
    import sklearn.metrics
    import test_scorers as t

    scorer = sklearn.metrics.get_scorer("unbiased_f1_macro")
    assert vars(scorer).keys() >= {"score_func", "sign", "kwargs", "response_method"}
    assert not hasattr(scorer, "_kwargs")
    for name in ("check_scoring", "cross_validate", "tuned_threshold_classifier_cv"):
        t.numbers(name)
    t.test_registration_is_idempotent()
    t.test_scorers_copy_pickle_and_show_like_others()
    warnings.filterwarnings("ignore", "y_true")
    t.test_constant_classifier_transfers_nothing_in_any_fold("plain")
    t.test_logistic_regression_cv_keeps_the_classes()
    t.test_labels_given_by_the_user_win()
"""


@pytest.mark.slow
def test_attributes_of_scorers_without_underscore():
    """scikit-learn is about to make them public."""
    private = r"""(?<=[.'"])_(?=(score_func|sign|kwargs|response_method)\b)"""
    python(rename(private, "") + "\n" + inspect.cleandoc(USE_STRINGS))


# Clusterings


@pytest.mark.parametrize("name", [n for n in SCORERS if find(n).input == "table"])
def test_clusters_of_another_kind_than_the_classes(name):
    """The columns are the clusters, and nothing is wrong with that."""
    folds = sklearn.model_selection.KFold(2, shuffle=True, random_state=0)
    clusters = KMeans(3, random_state=0, n_init=1)
    scores = [
        sklearn.model_selection.cross_val_score(
            clusters, X, y, scoring=name, cv=folds, error_score="raise"
        )
        for y in (Y, np.array(["ant", "bee", "cow"])[Y])
    ]
    np.testing.assert_allclose(*scores, rtol=1e-12)


@pytest.mark.parametrize("metrics", [None, "all", ["normalized_information"]])
def test_several_scores_of_clusters(metrics):
    """As by the scoring strings; what needs the names of the classes is left out."""
    words = np.array(["ant", "bee", "cow"])[Y]
    clusters = KMeans(3, random_state=0, n_init=1).fit(X)
    scores = sem.InformationScorer(metrics)(clusters, X, words)
    named = sem.InformationScorer(metrics)(clusters, X, Y)
    assert scores.keys() == {name for name in named if find(name).input == "table"}
    assert dict(scores) == {
        name: pytest.approx(SCORERS[name](clusters, X, words), rel=1e-12)
        for name in scores
    }
    with pytest.raises(ValueError, match="all of one kind"):
        sem.InformationScorer(["accuracy"])(clusters, X, words)


def test_clusters_have_no_confusion_entropy():
    scorer = sklearn.metrics.get_scorer("neg_confusion_entropy")
    clusters = KMeans(3, random_state=0, n_init=1).fit(X)
    with pytest.raises(ValueError, match="all of one kind"):
        scorer(clusters, X, np.array(["ant", "bee", "cow"])[Y])


# The scorers themselves


def test_scorers_copy_pickle_and_show_like_others():
    y = np.minimum(Y, 1)
    fitted = naive_bayes().fit(X, y)
    for name, scorer in SCORERS.items():
        if find(name).of_several_labels:
            continue
        if name.startswith("neg_"):
            assert "greater_is_better=False" in repr(scorer)
        expected = scorer(fitted, X, y)
        for clone in (
            copy.deepcopy(scorer),
            pickle.loads(pickle.dumps(scorer)),
            pickle.loads(loky_dumps(scorer)),
            sklearn.metrics.get_scorer(name),
        ):
            assert isinstance(clone, _sklearn.ClassAwareScorer)
            assert repr(clone) == repr(scorer)
            assert clone(fitted, X, y) == expected


# Classes that a fold lacks

SIX_Y = np.tile([0, 1, 2], 6)
NO_X = np.zeros((len(SIX_Y), 1))


def folds_without(*absent):
    """Train on one half; test on the classes of the other half that are not absent."""
    half = len(SIX_Y) // 2
    test = np.flatnonzero(~np.isin(SIX_Y[half:], absent)) + half
    return np.arange(half), test


FOLDS = [folds_without(), folds_without(2), folds_without(0), folds_without(1, 2)]


class WithoutClasses(sklearn.base.BaseEstimator):
    """It predicts, but is no classifier and does not tell its classes."""

    def fit(self, X, y):
        self.fitted_ = True
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


def constant():
    return sklearn.dummy.DummyClassifier(strategy="constant", constant=0)


CONSTANT = {
    "plain": constant,
    "pipeline": lambda: sklearn.pipeline.make_pipeline("passthrough", constant()),
    "search": lambda: sklearn.model_selection.GridSearchCV(constant(), {}, cv=2),
    "frozen": lambda: sklearn.frozen.FrozenEstimator(constant().fit(NO_X, SIX_Y)),
}


@pytest.mark.filterwarnings("ignore:y_true")  # and wrong all over in two folds
@pytest.mark.parametrize("wrapped", CONSTANT)
def test_constant_classifier_transfers_nothing_in_any_fold(wrapped):
    names = [NIT, "neg_variation_of_information"]
    scores = sklearn.model_selection.cross_validate(
        CONSTANT[wrapped](), NO_X, SIX_Y, scoring=names, cv=FOLDS
    )
    transfer, variation = (scores[f"test_{name}"] for name in names)
    np.testing.assert_allclose(transfer, 1 / 3)
    np.testing.assert_allclose(variation, -np.log2([3, 2, 2, 1]), atol=1e-12)


@pytest.mark.filterwarnings("ignore:y_true")
def test_logistic_regression_cv_keeps_the_classes():
    fitted = fit_logistic(NO_X, SIX_Y, NIT, n_jobs=1, cv=FOLDS)
    np.testing.assert_allclose(logistic_scores(fitted), 1 / 3)


def test_label_that_the_estimator_does_not_know_counts_as_a_class():
    known = SIX_Y < 2
    fitted = constant().fit(NO_X[known], SIX_Y[known])
    assert SCORERS[NIT](fitted, NO_X, SIX_Y) == pytest.approx(1 / 3)
    assert SCORERS[NIT](fitted, NO_X[:2], SIX_Y[:2]) == pytest.approx(1 / 2)


def test_estimator_without_classes_has_those_of_the_fold():
    scores = sklearn.model_selection.cross_val_score(
        WithoutClasses(), NO_X, SIX_Y, scoring=NIT, cv=FOLDS[1:2]
    )
    assert scores == pytest.approx(1 / 2)


@pytest.mark.parametrize("classes", [[[0, 1], [0, 1]], [[0, 1], [0, 1, 2]]])
def test_classes_of_several_outputs_are_not_those_of_one(classes):
    several = WithoutClasses().fit(NO_X, SIX_Y)
    several.classes_ = [np.array(part) for part in classes]
    assert SCORERS[NIT](several, NO_X[:2], SIX_Y[:2]) == pytest.approx(1 / 2)


def test_labels_given_by_the_user_win():
    metric, four = sem.normalized_information_transfer_score, [0, 1, 2, 3]
    fitted = constant().fit(NO_X, SIX_Y)
    fixed = _sklearn.ClassAwareScorer(metric, 1, {"labels": four}, "predict")
    assert fixed(fitted, NO_X, SIX_Y) == pytest.approx(1 / 4)
    with sklearn.config_context(enable_metadata_routing=True):
        asked = sklearn.metrics.get_scorer(NIT).set_score_request(labels=True)
        assert asked(fitted, NO_X, SIX_Y, labels=four) == pytest.approx(1 / 4)


# Weights

WEIGHTS = np.where(np.arange(len(Y)) % 3 == 0, 3.0, 1.0)


def weighted_scores(folds):
    for train, test in folds:
        predicted = naive_bayes().fit(X[train], Y[train]).predict(X[test])
        yield sem.normalized_information_transfer_score(
            Y[test], predicted, labels=[0, 1, 2], sample_weight=WEIGHTS[test]
        )


def test_weights_without_routing():
    fitted = naive_bayes().fit(X, Y)
    everything = np.arange(len(Y))
    (expected,) = weighted_scores([(everything, everything)])
    scorer = sklearn.metrics.get_scorer(NIT)
    assert scorer(fitted, X, Y, sample_weight=WEIGHTS) == pytest.approx(expected)
    assert scorer(fitted, X, Y) != pytest.approx(expected)


@pytest.mark.parametrize("several", [False, True])
def test_weights_with_routing(several):
    folds = [*sklearn.model_selection.StratifiedKFold(3).split(X, Y)]
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = sklearn.metrics.get_scorer(NIT).set_score_request(sample_weight=True)
        accuracy = sklearn.metrics.get_scorer("accuracy")
        accuracy.set_score_request(sample_weight=False)
        estimator = naive_bayes().set_fit_request(sample_weight=False)
        result = sklearn.model_selection.cross_validate(
            estimator,
            X,
            Y,
            scoring={"score": scorer, "accuracy": accuracy} if several else scorer,
            cv=folds,
            params={"sample_weight": WEIGHTS},
        )
        found = sklearn.model_selection.GridSearchCV(
            estimator, {"var_smoothing": [1e-9]}, scoring=scorer, cv=folds
        ).fit(X, Y, sample_weight=WEIGHTS)
    expected = [*weighted_scores(folds)]
    np.testing.assert_allclose(result["test_score"], expected)
    assert found.best_score_ == pytest.approx(np.mean(expected))
