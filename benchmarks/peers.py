"""What is compared: our score, what others make of the same labels, and the limit."""

import importlib.util
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    confusion_matrix,
    mutual_info_score,
)

from sklearn_entropy_metrics import entropy_modulated_accuracy_score


def pycm_matrix(y_true: np.ndarray, y_pred: np.ndarray) -> Any:
    import pycm

    return pycm.ConfusionMatrix(actual_vector=y_true, predict_vector=y_pred)


def torchmetrics_matrix(y_true: np.ndarray, y_pred: np.ndarray) -> Any:
    import torch
    from torchmetrics.functional.classification import multiclass_confusion_matrix

    target, preds = torch.from_numpy(y_true), torch.from_numpy(y_pred)
    n_classes = int(max(target.max(), preds.max())) + 1  # the others find it out, too
    return multiclass_confusion_matrix(preds, target, num_classes=n_classes)


def one_read(y_true: np.ndarray, y_pred: np.ndarray) -> Any:
    """The least that a metric can do: look at each label once."""
    return y_true.sum() + y_pred.sum()


def is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


class Peer(NamedTuple):
    """One line in the pictures of time."""

    name: str
    function: Callable[[np.ndarray, np.ndarray], Any]
    needs: str = "numpy"  # a package
    max_classes: float = math.inf


# Tables of more classes than this, with all their empty cells, take gigabytes.
_SQUARE = 10_000

PEERS = [
    Peer("entropy_modulated_accuracy_score", entropy_modulated_accuracy_score),
    Peer("accuracy_score", accuracy_score),
    Peer("balanced_accuracy_score", balanced_accuracy_score, max_classes=_SQUARE),
    Peer("mutual_info_score", mutual_info_score),
    Peer("confusion_matrix", confusion_matrix, max_classes=_SQUARE),
    Peer("PyCM", pycm_matrix, needs="pycm", max_classes=_SQUARE),
    Peer("torchmetrics", torchmetrics_matrix, "torchmetrics", max_classes=_SQUARE),
    Peer("one read of the inputs", one_read),
]
