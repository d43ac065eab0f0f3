"""Why an interval may miss the true value more often than it should."""

import numpy as np

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.compare._interval import BROKEN, Interval, Settings
from sklearn_entropy_metrics.compare._resample import Cells
from sklearn_entropy_metrics.measure.delta import few_samples

# Corrections, in standard errors, above which a bootstrap is off.
_BIASED = 0.3


def too_few(cells: Cells) -> list[str]:
    """Which samples the cells of one table lack."""
    rows = np.bincount(cells.rows, cells.values / cells.values.max())
    return few_samples(rows, cells.effective_size, cells.shape)


def biased(plug_in: float, corrected: float, error: float) -> list[str]:
    """Whether resamples surround a value that is itself off."""
    if not abs(plug_in - corrected) > _BIASED * error:
        return []
    return [
        f"the plug-in value {plug_in:.3g} is biased, the corrected value is "
        f"{corrected:.3g}: use method='delta'"
    ]


def broken(found: Interval, settings: Settings) -> list[str]:
    """Whether the resamples leave no room for the correction of "bca"."""
    if settings.method != "bca" or not found.one_side > BROKEN:
        return []
    return [
        f"{found.one_side:.1%} of the resamples lie on one side of the estimate, and "
        "the ends are those of method='percentile'"
    ]


def beyond(found: Interval, settings: Settings) -> list[str]:
    """Whether the ends by "bca" lie beyond the resamples."""
    n_resamples = settings.n_resamples - found.n_undefined
    outermost = min(found.levels.min(), 1 - found.levels.max())
    if settings.method != "bca" or outermost >= 1 / (n_resamples + 1):
        return []
    return [f"the ends lie beyond the {n_resamples} resamples: raise `n_resamples`"]


def warn_of(causes: list[str], doubt: str | None = None) -> None:
    """Warn once about all causes, and about a doubtful table."""
    messages = [] if doubt is None else [doubt]
    if causes:
        messages.append(
            "The interval may miss the true value more often than it should: "
            f"{'; '.join(causes)}."
        )
    if messages:
        warn(" ".join(messages))
