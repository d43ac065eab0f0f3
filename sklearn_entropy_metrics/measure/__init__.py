"""Measures of tables: tables in, numbers out, vectorised over leading axes."""

from sklearn_entropy_metrics.measure import (
    against_rest,
    chance,
    confusion,
    familiar,
    plane,
    rates,
    transfer,
)
from sklearn_entropy_metrics.measure.against_rest import *  # noqa: F403
from sklearn_entropy_metrics.measure.catalog import MEASURES, evaluate
from sklearn_entropy_metrics.measure.chance import *  # noqa: F403
from sklearn_entropy_metrics.measure.confusion import *  # noqa: F403
from sklearn_entropy_metrics.measure.familiar import *  # noqa: F403
from sklearn_entropy_metrics.measure.plane import *  # noqa: F403
from sklearn_entropy_metrics.measure.rates import *  # noqa: F403
from sklearn_entropy_metrics.measure.transfer import *  # noqa: F403

_MODULES = (against_rest, chance, confusion, familiar, plane, rates, transfer)
__all__ = ["MEASURES", "evaluate", *(n for m in _MODULES for n in m.__all__)]
