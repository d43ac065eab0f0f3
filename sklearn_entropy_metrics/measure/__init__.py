"""Measures of tables: tables in, numbers out, vectorised over leading axes."""

from sklearn_entropy_metrics.measure import (
    against_rest,
    chance,
    confusion,
    familiar,
    maps,
    plane,
    rates,
    transfer,
)
from sklearn_entropy_metrics.measure.against_rest import *  # noqa: F403
from sklearn_entropy_metrics.measure.catalog import MEASURES, evaluate
from sklearn_entropy_metrics.measure.chance import *  # noqa: F403
from sklearn_entropy_metrics.measure.confusion import *  # noqa: F403
from sklearn_entropy_metrics.measure.familiar import *  # noqa: F403
from sklearn_entropy_metrics.measure.maps import *  # noqa: F403
from sklearn_entropy_metrics.measure.plane import *  # noqa: F403
from sklearn_entropy_metrics.measure.rates import *  # noqa: F403
from sklearn_entropy_metrics.measure.transfer import *  # noqa: F403

__all__ = ["MEASURES", "evaluate"]
__all__ += against_rest.__all__
__all__ += chance.__all__
__all__ += confusion.__all__
__all__ += familiar.__all__
__all__ += maps.__all__
__all__ += plane.__all__
__all__ += rates.__all__
__all__ += transfer.__all__
