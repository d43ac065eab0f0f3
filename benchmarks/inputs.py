"""The inputs of the measurements, all from fixed seeds."""

from typing import Any

import numpy as np
from scipy import sparse as sp
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin


class Stored(ClassifierMixin, BaseEstimator):
    """A classifier with stored predictions, so that only the score takes time."""

    def __init__(self, y_pred: Any) -> None:
        self.y_pred = y_pred
        self.classes_ = np.unique(y_pred)

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.y_pred


def labels(n_samples: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """True labels, and predictions of which a little more than 70 % are right."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, n_classes, n_samples)
    guess = rng.integers(0, n_classes, n_samples)
    return y_true, np.where(rng.random(n_samples) < 0.7, y_true, guess)


def zipf_labels(n_samples: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """The same with classes whose frequencies follow Zipf's law."""
    rng = np.random.default_rng(0)
    shares = 1 / np.arange(1, n_classes + 1)
    y_true, guess = rng.choice(n_classes, (2, n_samples), p=shares / shares.sum())
    return y_true, np.where(rng.random(n_samples) < 0.7, y_true, guess)


def label_sets(n_samples: int, n_labels: int) -> tuple[np.ndarray, np.ndarray]:
    """True indicators of labels that are rare, and predictions of which 90 % are right.

    Nearly all rows are distinct, as many labels make them.
    """
    rng = np.random.default_rng(0)
    true = (rng.random((n_samples, n_labels)) < 0.2).astype(int)
    return true, np.where(rng.random(true.shape) < 0.9, true, 1 - true)


def strings(y: np.ndarray) -> np.ndarray:
    return _names(y)[y]


def shared_objects(y: np.ndarray) -> np.ndarray:
    """Equal labels are one object."""
    return _names(y).astype(object)[y]


def distinct_objects(y: np.ndarray) -> np.ndarray:
    """Each label is a separate object."""
    return _names(y)[y].astype(object)


def categorical(y: np.ndarray) -> Any:
    import pandas as pd

    return pd.Series(pd.Categorical(strings(y)))


def polars_strings(y: np.ndarray) -> Any:
    import polars as pl

    return pl.Series(strings(y))


def _names(y):
    return np.array([f"class{number:03d}" for number in range(y.max() + 1)])


def probabilities(n_samples: int) -> tuple[np.ndarray, np.ndarray]:
    """True labels, and probabilities of ten classes."""
    y_true, _ = labels(n_samples, 10)
    return y_true, np.random.default_rng(0).dirichlet(np.ones(10), n_samples)


def noisy_probabilities(n_samples: int) -> tuple[np.ndarray, np.ndarray]:
    """True labels, and probabilities of ten classes that tell something about them."""
    y_true, _ = labels(n_samples, 10)
    noise = np.random.default_rng(1).normal(size=(n_samples, 10))
    return y_true, softmax(3 * np.eye(10)[y_true] + noise, axis=1)


def tables(n_tables: int) -> np.ndarray:
    """Tables of three classes and a hundred samples."""
    counts = np.random.default_rng(0).multinomial(100, np.full(9, 1 / 9), n_tables)
    return counts.reshape(-1, 3, 3)


def words(n_texts: int, n_terms: int) -> tuple[sp.csr_array, np.ndarray]:
    """Which terms occur in which texts, fifty in each, and the classes of the texts."""
    rng = np.random.default_rng(0)
    cells = np.unique(rng.integers(0, n_texts * n_terms, 50 * n_texts))
    entries = np.ones(len(cells)), np.divmod(cells, n_terms)
    return sp.csr_array(entries, shape=(n_texts, n_terms)), rng.integers(0, 2, n_texts)
