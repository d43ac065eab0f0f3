"""Recalibrations: fitted on some samples, applied to the probabilities of others.

Each one is a function of the samples to fit and of the probabilities to recalibrate.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import brentq, isotonic_regression, minimize
from scipy.special import softmax
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import has_fit_parameter
from threadpoolctl import ThreadpoolController

# Log-probabilities below these add no information.
_LEAST_FOR_TEMPERATURE = 1e-12
_LEAST_FOR_LOGISTIC = 1e-6
# How strongly the logistic regression is tied to the temperature, and its most steps:
# more take time, and find what does not hold for other samples.
_RIDGE = 10.0
_STEPS = 10


@dataclass(frozen=True, eq=False)
class Fit:
    """Samples to fit recalibrations to.

    Attributes
    ----------
    proba : ndarray of float64 of shape (n_samples, n_classes)
        Probabilities.

    true : ndarray of int of shape (n_samples,)
        Numbers of the true classes.

    weight : ndarray of shape (n_samples,)
        Weights that sum to one.

    in_sample : bool
        Whether the same samples judge the fit.
    """

    proba: np.ndarray
    true: np.ndarray
    weight: np.ndarray
    in_sample: bool

    @cached_property
    def size(self) -> float:
        """The number of samples that the weights stand for.

        In sample, multiples of the least weight are repetitions. Otherwise it is the
        effective number: weights say nothing about their unit.
        """
        if self.in_sample:
            times = self.weight / self.weight.min()
            if np.allclose(times, np.rint(times), rtol=1e-9, atol=0):
                return times.sum()
        return 1 / (self.weight @ self.weight)

    @cached_property
    def sharpness(self) -> float:
        """The inverse temperature with the least log loss.

        Half a sample is assumed to be wrong, so that it is finite even if no sample is.
        """
        # Samples are in columns, along which all operations run.
        logs = _logarithm(np.ascontiguousarray(self.proba.T), _LEAST_FOR_TEMPERATURE)
        logs -= logs.max(axis=0)  # so that not all powers vanish
        shares = np.bincount(self.true, self.weight, minlength=len(logs))
        error = 0.5 / self.size
        of_true = self.weight @ logs[self.true, np.arange(len(self.true))]
        target = (1 - error) * of_true + error * (shares @ logs @ self.weight)

        def slope(sharpness):
            given = np.exp(sharpness * logs)
            mean = (given * logs).sum(axis=0) / given.sum(axis=0)
            return self.weight @ mean - target

        if slope(0.0) >= 0:
            return 0.0  # the probabilities mislead, or carry no information
        low, high = 0.0, 1.0
        while slope(high) < 0:
            low, high = high, 4 * high
        return brentq(slope, low, high)


def temperature(fit: Fit, proba: np.ndarray) -> np.ndarray:
    """All log-probabilities times one number (temperature scaling)."""
    logs = _logarithm(proba, _LEAST_FOR_TEMPERATURE)
    return softmax(fit.sharpness * logs, axis=1)


def logistic(fit: Fit, proba: np.ndarray) -> np.ndarray:
    """Logistic regression on centred log-probabilities and the decision.

    The penalty is on what differs from a change of temperature. The search starts
    there, and the features are whitened, so that a few steps are enough.
    """
    features = _features(fit.proba)
    n_features, n_classes = features.shape[1], fit.proba.shape[1]
    start = fit.sharpness * np.eye(n_features, n_classes)
    ridge = _RIDGE / fit.size
    # On a busy machine, threads take ten times as long with small matrices.
    with _libraries().limit(limits=1):
        moments = (features.T * fit.weight) @ features + ridge * np.eye(n_features)
        whiten = solve_triangular(cholesky(moments), np.eye(n_features))
        change = minimize(
            _penalised_loss(fit, whiten, start, ridge, features.T),
            np.zeros(n_features * n_classes),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": _STEPS, "gtol": 1e-6, "ftol": 0},
        )
        weights = start + whiten @ change.x.reshape(n_features, n_classes)
        return softmax(_features(proba) @ weights, axis=1)


@cache
def _libraries():
    return ThreadpoolController()


def _features(proba):
    logs = _logarithm(proba, _LEAST_FOR_LOGISTIC)
    decision = np.eye(proba.shape[1])[proba.argmax(axis=1)]
    return np.hstack([logs - logs.mean(axis=1, keepdims=True), decision])


def _penalised_loss(fit, whiten, start, ridge, features):
    """Mean log loss in nats and its gradient, as a function of the change.

    Samples are in columns, along which all operations run.
    """
    white, offset = whiten.T @ features, start.T @ features
    samples = np.arange(len(fit.true))

    def loss(change):
        change = change.reshape(len(white), -1)
        given = offset + change.T @ white
        given -= given.max(axis=0)
        of_true = given[fit.true, samples]
        np.exp(given, out=given)
        total = given.sum(axis=0)
        plain = whiten @ change
        value = fit.weight @ (np.log(total) - of_true) + ridge / 2 * (plain**2).sum()
        given *= fit.weight / total
        given[fit.true, samples] -= fit.weight
        gradient = white @ given.T + ridge * (whiten.T @ plain)
        return value, gradient.ravel()

    return loss


def isotonic(fit: Fit, proba: np.ndarray) -> np.ndarray:
    """Isotonic regression of each class against the rest, normalised."""
    n_classes = proba.shape[1]
    least = 0 if fit.in_sample and n_classes == 2 else 0.5 / fit.size
    mended = np.column_stack(
        [
            np.interp(proba[:, number], *_monotone_curve(fit, number))
            for number in ([1] if n_classes == 2 else range(n_classes))
        ]
    ).clip(least, 1 - least)
    if n_classes == 2:
        return np.hstack([1 - mended, mended])
    return mended / mended.sum(axis=1, keepdims=True)


def _monotone_curve(fit, number):
    """Probabilities of a class and the shares that they stand for.

    The checks of scikit-learn's isotonic regression take five times as long as this.
    """
    given, place = np.unique(fit.proba[:, number], return_inverse=True)
    weight = np.bincount(place, fit.weight)
    hits = np.bincount(place, fit.weight * (fit.true == number))
    return given, isotonic_regression(hits / weight, weights=weight).x


def by_classifier(classifier: BaseEstimator, fit: Fit, proba: np.ndarray) -> np.ndarray:
    """A clone of a classifier that is fitted on log-probabilities."""
    weight = {}
    if np.ptp(fit.weight) > 0:
        if not has_fit_parameter(classifier, "sample_weight"):
            raise ValueError(
                "`recalibration` must take `sample_weight` in `fit` if the samples are "
                f"weighted. Got {classifier!r}."
            )
        weight["sample_weight"] = fit.weight * fit.size
    # Classes that the fit has not seen get half a sample.
    mended = np.full(proba.shape, 0.5 / fit.size)
    seen = np.unique(fit.true)
    if len(seen) > 1:
        known, new = (_logarithm(p, _LEAST_FOR_TEMPERATURE) for p in (fit.proba, proba))
        fitted = clone(classifier).fit(known, fit.true, **weight)
        mended[:, seen] = fitted.predict_proba(new)
    else:
        mended[:, seen] = 1
    return mended / mended.sum(axis=1, keepdims=True)


RECALIBRATIONS: dict[str, Callable[[Fit, np.ndarray], np.ndarray]] = {
    function.__name__: function for function in (temperature, logistic, isotonic)
}


def _logarithm(proba, least):
    return np.log(np.maximum(proba, least))
