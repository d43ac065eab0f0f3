"""The only file that touches private names of scikit-learn.

`ClassAwareScorer` keeps the number of classes the same in every fold. `register`
makes ``scoring="name"`` work wherever scikit-learn accepts a string. scikit-learn has
no public way to do that, so three layers do it:

1. the table of scorers, which ``get_scorer`` and ``get_scorer_names`` read at every
   call and which every module imported later copies;
2. those copies: modules imported earlier froze the names they accept, so the names
   are added to the frozen sets of the modules that are loaded;
3. worker processes: a string that is sent to a new worker means nothing there, so each
   task that scikit-learn pickles also asks the worker to import this package.

Private names change. Each layer is guarded and reports what it cannot do instead of
raising an error. Scorer objects, which need only public names, work even if all three
fail.
"""

import copyreg
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import EntryPoint
from operator import methodcaller
from types import FunctionType
from typing import Any, NamedTuple
from unittest import FunctionTestCase

import numpy as np
import sklearn
from sklearn.metrics import check_scoring, make_scorer
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _check_method_params

from sklearn_entropy_metrics.table.classes import KnownLabels, known_labels

try:  # the class of what make_scorer returns
    from sklearn.metrics._scorer import _Scorer
except ImportError:
    _Scorer = object
# The method that calls the metric, for both single and multi-metric scoring.
_CAN_PIN_CLASSES = hasattr(_Scorer, "_score")

Scorer = Callable[..., float]

_lock = threading.Lock()
_registered: dict[str, Scorer] = {}


class ClassAwareScorer(_Scorer):
    """Scorer that tells the metric which classes the estimator knows.

    A fold may lack a class, and a measure that depends on the number of classes would
    then mean something else. So the metric gets the classes of the estimator as
    `labels`, unless these were fixed when the scorer was made or are passed as
    metadata. An estimator without `classes_` is scored with those of the fold.

    Attributes
    ----------
    takes_clusters : bool
        Whether the metric can compare classes with clusters.
    """

    takes_clusters = False

    def _score(self, method_caller, estimator, *args, **kwargs):
        _, fixed, _ = parts_of_scorer(self)
        if "labels" not in {**fixed, **kwargs}:
            known = known_labels(estimator)
            if known is None and self.takes_clusters:
                known = KnownLabels(None)
            kwargs["labels"] = known
        return super()._score(method_caller, estimator, *args, **kwargs)

    def _get_pos_label(self):
        """None: probabilities are those of the second class, as everywhere here."""


def make_class_aware_scorer(
    score_func: Callable[..., float],
    *,
    greater_is_better: bool = True,
    response_method: str = "predict",
    takes_clusters: bool = False,
    **options: Any,
) -> Scorer:
    """Make a `ClassAwareScorer`.

    Parameters
    ----------
    score_func : callable
        Metric called as ``score_func(y_true, y_pred, *, labels, ...)``.

    greater_is_better : bool, default=True
        If False, the scorer returns the negative of the metric.

    response_method : str, default="predict"
        Method of the estimator whose result is the second argument of the metric.

    takes_clusters : bool, default=False
        Whether the metric can compare classes with clusters.

    **options : dict
        More keyword arguments of the metric.

    Returns
    -------
    scorer : ClassAwareScorer
        A plain ``make_scorer`` object if the class to build on is gone.
    """
    if _CAN_PIN_CLASSES:
        sign = 1 if greater_is_better else -1
        scorer = ClassAwareScorer(score_func, sign, options, response_method)
        scorer.takes_clusters = takes_clusters
        return scorer
    return make_scorer(
        score_func,
        greater_is_better=greater_is_better,
        response_method=response_method,
        **options,
    )


def parts_of_scorer(
    scorer: Callable[..., Any],
) -> tuple[Callable[..., Any], dict[str, Any], int]:
    """The metric of a scorer, its options and its sign; other functions are metrics.

    The attributes of scorers are about to lose their underscores.
    """
    if _Scorer is object or not isinstance(scorer, _Scorer):
        return scorer, {}, 1
    parts = vars(scorer)
    function, options, sign = (
        parts.get(name, parts.get(f"_{name}"))
        for name in ("score_func", "kwargs", "sign")
    )
    return function, dict(options), sign


def take(X: Any, indices: np.ndarray, axis: int = 0) -> Any:
    """Some rows, or columns, of whatever scikit-learn takes as X or y."""
    return _safe_indexing(X, indices, axis=axis)


def take_params(
    X: Any, params: Mapping[str, Any], indices: np.ndarray
) -> dict[str, Any]:
    """Parameters of `fit`, those with a value for each row of X for some rows."""
    return _check_method_params(X, params, indices)


def register(scorers: Mapping[str, Scorer]) -> list[str]:
    """Make the names of scorers valid wherever scikit-learn takes a `scoring` string.

    It can be called repeatedly and from several threads. A name that is already taken
    by scikit-learn or another package is left alone.

    Parameters
    ----------
    scorers : mapping of str to scorer
        The scorer of each name.

    Returns
    -------
    problems : list of str
        A sentence for each problem; empty if there is none.
    """
    problems: list[str] = []
    names: set[str] = set()
    with _lock:
        if not _CAN_PIN_CLASSES:
            problems.append("The scorers only know the classes that a fold holds.")
        with _collecting("The names cannot be added to the table of scorers", problems):
            names = _add_to_table(scorers, problems)
        if names:
            with _collecting("Names in the table of scorers are refused", problems):
                _change_options(lambda options: options | names)
                for name in names:
                    check_scoring(scoring=name)
            with _collecting("Worker processes do not know the names", problems):
                _hook_tasks()
    return problems


def unregister(scorers: Mapping[str, Scorer]) -> None:
    """Undo `register` for the names that still refer to these scorers.

    Parameters
    ----------
    scorers : mapping of str to scorer
        What `register` was called with, or a part of it.
    """
    with _lock:
        with suppress(Exception):
            names = _remove_from_table(scorers)
            _change_options(lambda options: options - names)
        if not _registered:
            with suppress(Exception):
                _unhook_tasks()


@contextmanager
def _collecting(what: str, problems: list[str]) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # a private name may fail in any way
        # An error about options lists every one of them: keep its beginning.
        reason = textwrap.shorten(f"{type(error).__name__}: {error}", 160)
        problems.append(f"{what} (scikit-learn {sklearn.__version__}: {reason}).")


# Layer 1


def _scorer_table() -> dict[str, Scorer]:
    from sklearn.metrics._scorer import _SCORERS

    return _SCORERS


def _add_to_table(scorers: Mapping[str, Scorer], problems: list[str]) -> set[str]:
    table, names = _scorer_table(), set()
    for name, scorer in scorers.items():
        present = table.setdefault(name, scorer)
        # Ours is what this module put there, even before a reload.
        ours = present is _registered.get(name) or _is_ours(present)
        if present is scorer or ours:
            table[name] = _registered[name] = scorer
            names.add(name)
        else:
            problems.append(f"scoring={name!r} already stands for {present!r}.")
    return names


def _is_ours(scorer: Scorer) -> bool:
    metric, _, _ = parts_of_scorer(scorer)
    package, _, _ = __name__.partition(".")
    return str(getattr(metric, "__module__", "")).startswith(f"{package}.")


def _remove_from_table(scorers: Mapping[str, Scorer]) -> set[str]:
    for name, scorer in scorers.items():
        if _registered.get(name) is scorer:
            del _registered[name]
    table = _scorer_table()
    names = {name for name, scorer in scorers.items() if table.get(name) is scorer}
    for name in names:
        del table[name]
    return names


# Layer 2


def _change_options(change: Callable[[set[str]], set[str]]) -> None:
    """Change each set of accepted names that a loaded module has frozen.

    The attribute gets a new set, since another thread may be reading the old one.
    """
    modules = [
        module
        for name, module in list(sys.modules.items())
        if name.startswith("sklearn.") and module is not None
    ]
    for module in modules:
        for owner in list(vars(module).values()):
            for constraint in _constraints(owner).get("scoring", ()):
                # There are other sets of options; a copy of the table contains this
                # name.
                if "accuracy" in getattr(constraint, "options", ()):
                    constraint.options = change(constraint.options)


def _constraints(owner: object) -> Mapping[str, Any]:
    """What a class or a function of scikit-learn accepts for its parameters."""
    if isinstance(owner, FunctionType):
        return vars(owner).get("_skl_parameter_constraints", {})
    if isinstance(owner, type):
        return vars(owner).get("_parameter_constraints", {})
    return {}


# Layer 3


class _ImportThisPackage:
    """Unpickling it imports this package, if the process has one that works.

    Only functions of the standard library travel, so that a process without the package
    can run them: an entry point, which imports, and a test case, which keeps errors.
    """

    def __reduce__(self):
        worker = EntryPoint("worker", "sklearn_entropy_metrics.score.worker", "")
        return methodcaller("wasSuccessful"), (_Run(FunctionTestCase(worker.load)),)


class _Run(NamedTuple):
    """What unpickles as the result of calling a function."""

    function: Callable[[], Any]

    def __reduce__(self):
        return self.function, ()


def _reduce_task(task: object) -> tuple | str:
    """Pickle a task in the normal way, with one more item in its state.

    Nothing in the pickle may need this package: the task must run without it.
    """
    reduced = task.__reduce_ex__(2)
    match reduced:
        # A state that becomes the attributes of the task; others might be validated.
        case (make, arguments, dict(state), *rest) if not hasattr(task, "__setstate__"):
            return make, arguments, {**state, "_imported": _ImportThisPackage()}, *rest
    return reduced


def _hook_tasks() -> None:
    from sklearn.utils.parallel import _FuncWrapper  # the function of each task

    present = copyreg.dispatch_table.get(_FuncWrapper, _reduce_task)
    if present.__module__ != __name__:
        raise RuntimeError(f"tasks are already pickled by {present!r}")
    copyreg.pickle(_FuncWrapper, _reduce_task)


def _unhook_tasks() -> None:
    from sklearn.utils.parallel import _FuncWrapper

    if copyreg.dispatch_table.get(_FuncWrapper) is _reduce_task:
        del copyreg.dispatch_table[_FuncWrapper]
