"""Which measure picks better classifiers: wins, losses and ties of measures."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata
from sklearn.base import clone, is_classifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import check_scoring
from sklearn.utils import check_random_state, check_X_y
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed

from sklearn_entropy_metrics._sklearn import take
from sklearn_entropy_metrics.compare._progress import telling
from sklearn_entropy_metrics.compare._records import text_lines
from sklearn_entropy_metrics.table.checks import check_integer

if TYPE_CHECKING:
    import pandas as pd

# Scores that differ by round-off alone are equal.
_DECIMALS = 12
# Arrays with a number for each pair of measures, and for each measure.
_OF_PAIRS = "wins", "losses", "ties"
_OF_METRICS = {"regret": "regrets", "rank": "ranks", "n_undefined": "n_undefined"}


@dataclass(frozen=True, eq=False)
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
        picking, judging = (np.round(x, _DECIMALS) for x in (on_validation, on_test))
        picks = picking.argmax(axis=-1)  # the first of the best
        gaps = judging.max(axis=-1, keepdims=True) - judging
        is_undefined = np.isnan(picking).any(axis=-1, keepdims=True)
        # How far the picks fall short, of shape (n_rounds, n_arbiters, n_metrics).
        regrets = np.take_along_axis(gaps, picks[:, None], axis=-1)
        regrets = np.where(np.swapaxes(is_undefined, 1, 2), np.nan, regrets)
        ahead = regrets[..., None, :] - regrets[..., None]
        n_both = (~np.isnan(ahead)).sum(axis=0)
        n_undefined = np.isnan(regrets).sum(axis=0)
        with np.errstate(invalid="ignore"):  # NaN where there was no round
            means = np.nansum(regrets, axis=0) / (len(regrets) - n_undefined)
            wins = (ahead > 0).sum(axis=0) / n_both
            ties = (ahead == 0).sum(axis=0) / n_both
        ranks = rankdata(means, method="min", axis=-1, nan_policy="omit") * 1.0
        arrays = wins, ties, means, ranks, n_undefined
        if isinstance(arbiter, str):
            arrays = wins[0], ties[0], means[0], ranks[0], n_undefined[0]
        return cls(metrics, arbiter, len(on_test), *arrays)

    @property
    def losses(self) -> np.ndarray:
        return np.swapaxes(self.wins, -1, -2)

    @property
    def arbiters(self) -> tuple[str, ...]:
        """The names of the arbiters, even if there is only one."""
        return (self.arbiter,) if isinstance(self.arbiter, str) else self.arbiter

    def to_frame(self) -> pd.DataFrame:
        """Return all numbers as a data frame; needs pandas.

        Returns
        -------
        frame : pandas.DataFrame
            A row per arbiter and pair of measures: names of the arbiter, the metric and
            its opponent; wins, losses and ties of the metric; regret, rank and
            n_undefined of the metric.
        """
        import pandas as pd

        index = pd.MultiIndex.from_product(
            [self.arbiters, self.metrics, self.metrics],
            names=["arbiter", "metric", "opponent"],
        )
        columns = {name: getattr(self, name).ravel() for name in _OF_PAIRS}
        for name, attribute in _OF_METRICS.items():
            columns[name] = np.repeat(getattr(self, attribute), len(self.metrics))
        return pd.DataFrame(columns, index=index).reset_index()

    def __repr__(self) -> str:
        names = [f"[{place}] {name}" for place, name in enumerate(self.metrics, 1)]
        heads = ["", "rank", "regret", "undefined"]
        heads += [f"over {name.split()[0]}" for name in names]
        formats = [".0f", ".2g", ".0f", *[".3f"] * len(names)]
        lines = [f"{type(self).__name__} of {self.n_rounds} rounds"]
        columns = (self.ranks, self.regrets, self.n_undefined, self.wins)
        shape = (len(self.arbiters), len(names), -1)
        tables = np.concatenate([column.reshape(shape) for column in columns], axis=-1)
        for arbiter, table in zip(self.arbiters, tables, strict=True):
            rows = [
                [name, *map(format, numbers, formats)]
                for name, numbers in zip(names, table, strict=True)
            ]
            lines += ["", f"arbiter: {arbiter}", *text_lines(heads, rows, width=80)]
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
    check_integer(n_rounds, "n_rounds", minimum=1)
    check_integer(n_candidates, "n_candidates", minimum=2)
    check_integer(n_removed, "n_removed", minimum=0)
    if not is_classifier(estimator):
        raise ValueError(f"`estimator` must be a classifier. Got {estimator!r}.")
    X, y = _check_samples(X, y, n_removed)
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
    shown = telling(rounds, n_rounds, "win_loss_equal", "rounds", verbose)
    try:
        on_validation, on_test = map(np.stack, zip(*shown, strict=True))
    finally:  # stop the workers if anything, such as Ctrl-C, has ended the loop
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib reports what it has stopped
            rounds.close()
    judge = arbiter if isinstance(arbiter, str) else tuple(arbiters)
    return WinLossEqualResult.from_scores(tuple(named), judge, on_validation, on_test)


def _check_samples(X, y, n_removed):
    options = {"accept_sparse": "csr", "dtype": None, "ensure_all_finite": False}
    # 5 samples to train, 1 to validate and 4 to test.
    checked, y = check_X_y(X, y, **options, ensure_min_samples=10)
    X = X if hasattr(X, "iloc") else checked
    check_classification_targets(y)
    if len(np.unique(y)) < 2:
        raise ValueError(f"`y` must have at least two classes. Got {y[0]!r} only.")
    if n_removed >= X.shape[1]:
        raise ValueError(
            "`n_removed` must be less than the number of features. Got "
            f"n_removed={n_removed} and {X.shape[1]} features."
        )
    return X, y


def _scorings(metrics, arbiter):
    """The scoring strings, or scorers, of all measures and of all arbiters."""
    if isinstance(metrics, str) or not metrics:
        raise ValueError(
            "`metrics` must be a list of scoring strings, at least one, or a dict of "
            f"scorers. Got {metrics!r}."
        )
    if not arbiter:
        raise ValueError(
            "`arbiter` must be a scoring string, a name in `metrics`, or a list of "
            f"such. Got {arbiter!r}."
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
    (X_train, y_train), *others = ((take(X, part), y[part]) for part in parts)
    scores = []
    for _ in range(n_candidates):
        kept = np.sort(rng.permutation(n_features)[n_removed:])
        candidate = _set_seeds(clone(estimator), rng)
        candidate.fit(take(X_train, kept, axis=1), y_train)
        classes = np.unique(getattr(candidate, "classes_", y_train))
        scores.append(
            [
                _score(scoring, candidate, take(X_part, kept, axis=1), y_part, classes)
                for scoring, (X_part, y_part) in zip(judges, others, strict=True)
            ]
        )
    on_validation, on_test = zip(*scores, strict=True)
    return np.transpose(on_validation), np.transpose(on_test)


def _set_seeds(estimator, rng):
    """Give a seed to each part of an estimator that has none."""
    params = estimator.get_params()
    named = (x for x in sorted(params) if f"__{x}".endswith("__random_state"))
    without = [name for name in named if params[name] is None]
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
