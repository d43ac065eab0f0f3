"""Which measure picks better classifiers: wins, losses and ties of measures."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata
from sklearn.base import clone, is_classifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import check_scoring
from sklearn.utils import (
    check_array,
    check_consistent_length,
    check_random_state,
    column_or_1d,
)
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed

from sklearn_entropy_metrics._sklearn import take
from sklearn_entropy_metrics.compare._progress import telling
from sklearn_entropy_metrics.table.checks import check_integer

# Scores that differ by round-off alone are equal.
_DECIMALS = 12


@dataclass(frozen=True, eq=False, repr=False)
class WinLossEqualResult:
    """How often one measure picked a better classifier than another.

    For several arbiters, all arrays have one more leading axis, with an entry for each.

    Attributes
    ----------
    metrics : tuple of str
        Names of the measures that were compared.

    arbiter : str or tuple of str
        Names of the measures that judged the picks.

    n_rounds : int
        Number of rounds.

    wins, losses, ties : ndarray of shape (n_metrics, n_metrics)
        Entry i, j is the share of rounds in which the regret of measure i was smaller
        than, greater than or equal to that of measure j, among the rounds in which both
        are defined. The three sum to 1; NaN if there was no such round.

    regrets : ndarray of shape (n_metrics,)
        How far the picks of each measure fall short of the best candidate according to
        the arbiter: the mean over the rounds in which it is defined. 0 is best.

    ranks : ndarray of shape (n_metrics,)
        Ranks of the regrets. 1 is best; equal regrets share the smaller rank.

    n_undefined : ndarray of shape (n_metrics,)
        Number of rounds without a regret: the measure was undefined on the validation
        part for some candidate, or the arbiter on the test part. These rounds are not
        counted in any pair.
    """

    metrics: tuple[str, ...]
    arbiter: str | tuple[str, ...]
    n_rounds: int
    wins: np.ndarray
    ties: np.ndarray
    regrets: np.ndarray
    ranks: np.ndarray
    n_undefined: np.ndarray

    @classmethod
    def from_scores(
        cls,
        metrics: tuple[str, ...],
        arbiter: str | tuple[str, ...],
        on_validation: np.ndarray,
        on_test: np.ndarray,
    ) -> Self:
        """Count the wins from the scores of all candidates in all rounds.

        Parameters
        ----------
        metrics : tuple of str
            Names of the measures that picked the classifiers.

        arbiter : str or tuple of str
            Names of the measures that judged the picks.

        on_validation : ndarray of shape (n_rounds, n_metrics, n_candidates)
            Scores by the measures on the validation part. Greater is better.

        on_test : ndarray of shape (n_rounds, n_arbiters, n_candidates)
            Scores by the arbiters on the test part.

        Returns
        -------
        result : WinLossEqualResult
        """
        arrays = _count(_find_regrets(on_validation, on_test))
        if isinstance(arbiter, str):
            arrays = {name: array[0] for name, array in arrays.items()}
        return cls(metrics, arbiter, len(on_test), **arrays)

    @property
    def losses(self) -> np.ndarray:
        return np.swapaxes(self.wins, -1, -2)

    @property
    def arbiters(self) -> tuple[str, ...]:
        """The names of the arbiters, even if there is only one."""
        return (self.arbiter,) if isinstance(self.arbiter, str) else self.arbiter

    def to_dict(self) -> dict[str, np.ndarray]:
        """Return all numbers as columns, with a row per arbiter and pair of measures.

        Returns
        -------
        columns : dict of str to ndarray
            Names of the arbiter, the metric and its opponent; wins, losses and ties of
            the metric; regret, rank and n_undefined of the metric.
        """
        n_metrics = len(self.metrics)
        shape = (len(self.arbiters), n_metrics, n_metrics)
        arbiter, metric, opponent = np.indices(shape).reshape(3, -1)
        names = np.array(self.metrics)
        single = arbiter * n_metrics + metric
        return {
            "arbiter": np.array(self.arbiters)[arbiter],
            "metric": names[metric],
            "opponent": names[opponent],
            "wins": self.wins.ravel(),
            "losses": self.losses.ravel(),
            "ties": self.ties.ravel(),
            "regret": self.regrets.ravel()[single],
            "rank": self.ranks.ravel()[single],
            "n_undefined": self.n_undefined.ravel()[single],
        }

    def to_frame(self) -> Any:
        """Return :meth:`to_dict` as a data frame; needs pandas.

        Returns
        -------
        frame : pandas.DataFrame
        """
        import pandas as pd

        return pd.DataFrame(self.to_dict())

    def __repr__(self) -> str:
        names = [f"[{place}] {name}" for place, name in enumerate(self.metrics, 1)]
        width = max(map(len, names))
        heads = ["rank", "regret", "undefined", "wins over"]
        heads += [name.split()[0] for name in names]
        lines = [f"{type(self).__name__} of {self.n_rounds} rounds"]
        columns = (self.ranks, self.regrets, self.n_undefined, self.wins)
        shape = (len(self.arbiters), len(names), -1)
        tables = np.concatenate([column.reshape(shape) for column in columns], axis=-1)
        for arbiter, rows in zip(self.arbiters, tables, strict=True):
            lines += ["", f"arbiter: {arbiter}", _line("", width, heads)]
            for name, (rank, regret, n_undefined, *wins) in zip(
                names, rows, strict=True
            ):
                cells = [f"{rank:.0f}", f"{regret:.2g}", f"{n_undefined:.0f}", ""]
                lines.append(_line(name, width, cells + [f"{x:.3f}" for x in wins]))
        return "\n".join(lines)


def win_loss_equal(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    metrics: Sequence[str] | Mapping[str, Any],
    *,
    arbiter: str | Sequence[str],
    n_rounds: int = 2000,
    n_candidates: int = 10,
    n_removed: int = 3,
    n_jobs: int | None = None,
    random_state: int | np.random.RandomState | None = None,
    verbose: int = 0,
) -> WinLossEqualResult:
    """Compare measures by the classifiers that they pick.

    In each round the samples are split at random into a training (50 %), a validation
    (10 %) and a test part (40 %). Candidates are trained, each without some features
    drawn at random. Each measure picks the best candidate on the validation part. The
    arbiter, itself a measure, judges the picks on the test part: the regret is how far
    a pick falls short of the best candidate. Of two measures, the one with the smaller
    regret wins the round [1]_, [2]_.

    Read more in the :ref:`User Guide <win_loss>`.

    Parameters
    ----------
    estimator : classifier
        The classifier to train, cloned for each candidate. A `random_state` of None,
        even in one of its parts, is set for each candidate, so that results are
        reproducible.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        The samples, at least ten.

    y : array-like of shape (n_samples,)
        Their labels.

    metrics : list of str or dict
        The measures to compare: scoring strings, or names with a scoring string or a
        scorer each. Each candidate predicts each part once for all of them.

    arbiter : str or list of str
        The measure that judges the picks: scoring strings, or names in `metrics`.
        Several arbiters judge the same candidates.

    n_rounds : int, default=2000
        Number of rounds.

    n_candidates : int, default=10
        Number of classifiers trained in each round, at least two.

    n_removed : int, default=3
        Number of features to remove for each candidate, fewer than there are.

    n_jobs : int, default=None
        Number of rounds to run in parallel, see :term:`n_jobs`. The result does not
        depend on it.

    random_state : int, RandomState instance or None, default=None
        Seed or generator, see :term:`random_state`. Each round has its own seed, so the
        first rounds do not depend on the number of rounds.

    verbose : int, default=0
        If positive, a line on standard error shows how many rounds are done and the
        time left.

    Returns
    -------
    result : WinLossEqualResult
        `wins`, `losses` and `ties` of each pair of measures, shape (n_metrics,
        n_metrics); `regrets`, `ranks` and `n_undefined` of each measure, shape
        (n_metrics,). If `arbiter` is a list, even of one, the arrays have one more
        leading axis for the arbiters. `to_frame` returns everything as a data frame.

    See Also
    --------
    WinLossEqualDisplay : Draws the result.

    Notes
    -----
    These rules settle what [2]_ leaves open:

    - If several candidates tie for best, a measure picks the first. Candidates come in
      random order.
    - Scores are compared to 12 decimals, so that round-off does not decide.
    - A measure that is NaN for some candidate, or that cannot be computed because a
      class is missing in the validation part or in the training part, picks nothing.
      Its pairs skip the round, and `n_undefined` counts it. The same holds if the
      arbiter is undefined on the test part. Errors are raised if no class is missing.
    - Greater scores are better, as with all scoring strings, so a greater regret is
      worse.

    References
    ----------
    .. [1] S. Vanderlooy and E. Hüllermeier (2008). "A critical analysis of variants of
       the AUC". Machine Learning 72(3), 247-262.
    .. [2] X.-N. Wang, J.-M. Wei, H. Jin, G. Yu and H.-W. Zhang (2013). "Probabilistic
       confusion entropy for evaluating classifiers". Entropy 15(11), 4969-4992.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn_entropy_metrics import win_loss_equal
    >>> X, y = load_wine(return_X_y=True)
    >>> result = win_loss_equal(
    ...     GaussianNB(),
    ...     X,
    ...     y,
    ...     ["accuracy", "normalized_information", "neg_log_loss"],
    ...     arbiter="neg_log_loss",
    ...     n_rounds=10,
    ...     random_state=0,
    ... )
    >>> result.wins + result.losses + result.ties
    array([[1., 1., 1.],
           [1., 1., 1.],
           [1., 1., 1.]])
    """
    if not is_classifier(estimator):
        raise ValueError(
            "win_loss_equal only supports classifiers. Got "
            f"{type(estimator).__name__} instead."
        )
    X, y = _check_samples(X, y)
    _check_numbers(n_rounds, n_candidates, n_removed, X.shape[1])
    named, arbiters = _scorings(metrics, arbiter)
    # An error of a scorer comes back as a text.
    judges = [
        check_scoring(estimator, scoring=scoring, raise_exc=False)
        for scoring in (named, arbiters)
    ]
    entropy = check_random_state(random_state).randint(2**31 - 1, size=4)
    seeds = np.random.SeedSequence(entropy)
    rounds = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_play)(estimator, X, y, judges, n_candidates, n_removed, seed)
        for _ in range(n_rounds)
        for seed in seeds.spawn(1)
    )
    with _stopping(rounds):
        shown = telling(rounds, n_rounds, "win_loss_equal", "rounds", verbose)
        on_validation, on_test = map(np.stack, zip(*shown, strict=True))
    return WinLossEqualResult.from_scores(
        tuple(named),
        arbiter if isinstance(arbiter, str) else tuple(arbiters),
        on_validation,
        on_test,
    )


def _check_samples(X, y):
    if not hasattr(X, "iloc"):
        X = check_array(X, accept_sparse="csr", dtype=None, ensure_all_finite=False)
    y = column_or_1d(y)
    check_consistent_length(X, y)
    check_classification_targets(y)
    if len(y) < 10:
        raise ValueError(
            "At least 10 samples are needed, 5 to train, 1 to validate and 4 to test. "
            f"Got {len(y)}."
        )
    if len(np.unique(y)) < 2:
        raise ValueError(f"y must have at least two classes. Got {y[0]!r} only.")
    return X, y


def _check_numbers(n_rounds, n_candidates, n_removed, n_features):
    check_integer(n_rounds, "n_rounds", minimum=1)
    check_integer(n_candidates, "n_candidates", minimum=2)
    check_integer(n_removed, "n_removed", minimum=0)
    if n_removed >= n_features:
        raise ValueError(
            "n_removed must be less than the number of features. Got "
            f"n_removed={n_removed} and {n_features} features."
        )


def _scorings(metrics, arbiter):
    """The scoring strings, or scorers, of all measures and of all arbiters."""
    if isinstance(metrics, str) or not metrics:
        raise ValueError(
            "metrics must be a list of scoring strings, at least one, or a dict of "
            f"scorers. Got {metrics!r}."
        )
    if not arbiter:
        raise ValueError(
            "arbiter must be a scoring string, a name in metrics or a list of such. "
            f"Got {arbiter!r}."
        )
    named = metrics if isinstance(metrics, Mapping) else {n: n for n in metrics}
    arbiters = [arbiter] if isinstance(arbiter, str) else arbiter
    return named, {name: named.get(name, name) for name in arbiters}


def _play(estimator, X, y, judges, n_candidates, n_removed, seed):
    """Play one round.

    Returns the scores of the measures on the validation part, shape (n_metrics,
    n_candidates), and of the arbiters on the test part.
    """
    rng = np.random.default_rng(seed)
    n_samples, n_features = X.shape
    order = rng.permutation(n_samples)
    parts = np.split(order, [n_samples // 2, n_samples // 2 + n_samples // 10])
    X_train, *X_parts = (take(X, part) for part in parts)
    y_train, *y_parts = (y[part] for part in parts)
    scores = []
    for _ in range(n_candidates):
        kept = np.sort(rng.permutation(n_features)[n_removed:])
        candidate = _set_seeds(clone(estimator), rng)
        candidate.fit(take(X_train, kept, axis=1), y_train)
        classes = np.unique(getattr(candidate, "classes_", y_train))
        scores.append(
            [
                _score(scoring, candidate, take(X_part, kept, axis=1), y_part, classes)
                for scoring, X_part, y_part in zip(
                    judges, X_parts, y_parts, strict=True
                )
            ]
        )
    on_validation, on_test = zip(*scores, strict=True)
    return np.transpose(on_validation), np.transpose(on_test)


def _set_seeds(estimator, rng):
    """Give a seed to each part of an estimator that has none."""
    params = estimator.get_params()
    without = [
        name
        for name in sorted(params)
        if name.split("__")[-1] == "random_state" and params[name] is None
    ]
    seeds = rng.integers(2**31 - 1, size=len(without)).tolist()
    return estimator.set_params(**dict(zip(without, seeds, strict=True)))


def _score(scoring, candidate, X, y, classes):
    """Scores of a candidate on one part, from one prediction; NaN where undefined."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)  # they are counted
        warnings.filterwarnings("ignore", "y_true (has one class|and y_)")  # in a part
        try:
            scores = scoring(candidate, X, y)
        except AttributeError as error:
            name = type(candidate).__name__
            raise ValueError(f"{name} cannot be scored: {error}") from error
    is_missing = not np.array_equal(np.unique(y), classes)
    for name, score in scores.items():
        if isinstance(score, str) and not (is_missing and "\nValueError" in score):
            raise ValueError(f"{name} failed, not because a class is missing:\n{score}")
    return [np.nan if isinstance(one, str) else float(one) for one in scores.values()]


@contextmanager
def _stopping(rounds: Any) -> Iterator[None]:
    """Stop the workers if anything, such as Ctrl-C, ends the loop over the rounds."""
    try:
        yield
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib reports what it has stopped
            rounds.close()


def _line(name, width, cells):
    widths = (6, 10, 11, 11, *[7] * len(cells))
    cells = [f"{cell:>{size}}" for cell, size in zip(cells, widths, strict=False)]
    return f"{name:<{width}}" + "".join(cells)


def _find_regrets(on_validation, on_test):
    """How far the picks of each measure fall short, according to each arbiter.

    From scores of shapes (n_rounds, n_metrics, n_candidates) and (n_rounds, n_arbiters,
    n_candidates); the result has the shape (n_rounds, n_arbiters, n_metrics).
    """
    on_validation = np.round(on_validation, _DECIMALS)
    on_test = np.round(on_test, _DECIMALS)
    picks = on_validation.argmax(axis=-1)  # the first of the best
    gaps = on_test.max(axis=-1, keepdims=True) - on_test
    regrets = np.take_along_axis(gaps, picks[:, None], axis=-1)
    is_undefined = np.isnan(on_validation).any(axis=-1)
    return np.where(is_undefined[:, None], np.nan, regrets)


def _count(regrets):
    """The arrays of a result, from `_find_regrets`."""
    ahead = regrets[..., None, :] - regrets[..., None]
    n_both = (~np.isnan(ahead)).sum(axis=0)
    n_undefined = np.isnan(regrets).sum(axis=0)
    with np.errstate(invalid="ignore"):  # NaN where there was no round
        means = np.nansum(regrets, axis=0) / (len(regrets) - n_undefined)
        return {
            "wins": (ahead > 0).sum(axis=0) / n_both,
            "ties": (ahead == 0).sum(axis=0) / n_both,
            "regrets": means,
            "ranks": rankdata(means, method="min", axis=-1, nan_policy="omit") * 1.0,
            "n_undefined": n_undefined,
        }
