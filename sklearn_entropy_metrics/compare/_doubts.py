"""Why an interval may miss the true value more often than it should."""

import numpy as np

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.compare._interval import BROKEN, Interval, Settings
from sklearn_entropy_metrics.compare._resample import Cells
from sklearn_entropy_metrics.measure.delta import few_samples

# Corrections, in standard errors, above which a bootstrap lies in the wrong place.
_BIASED = 0.3


def too_few(cells: Cells) -> list[str]:
    """What there is too little of in the cells of one table."""
    rows = np.bincount(cells.rows, cells.values / cells.values.max())
    return few_samples(rows, cells.effective_size, cells.shape)


def biased(plug_in: float, corrected: float, error: float) -> list[str]:
    """Whether resamples surround a value that is itself off."""
    if not abs(plug_in - corrected) > _BIASED * error:
        return []
    return [
        f"the plug-in value {plug_in:.3g} is biased, corrected it would be "
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
    """Whether the ends by "bca" are farther out than the resamples are."""
    n_resamples = settings.n_resamples - found.n_undefined
    outermost = min(found.levels.min(), 1 - found.levels.max())
    if settings.method != "bca" or outermost >= 1 / (n_resamples + 1):
        return []
    return [f"the ends lie beyond the {n_resamples} resamples: raise `n_resamples`"]


def warn_of(causes: list[str], doubt: str | None = None) -> None:
    """Warn once of all causes, and of a doubt about the table itself."""
    messages = [] if doubt is None else [doubt]
    if causes:
        messages.append(
            "The interval may miss the true value more often than it should: "
            f"{'; '.join(causes)}."
        )
    if messages:
        warn(" ".join(messages))
