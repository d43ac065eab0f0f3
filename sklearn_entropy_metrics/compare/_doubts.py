"""Why an interval may miss the true value more often than it should."""

import numpy as np

from sklearn_entropy_metrics._warn import warn
from sklearn_entropy_metrics.compare._interval import BROKEN, Interval, Settings
from sklearn_entropy_metrics.compare._resample import Cells

# Samples of a true class below which nothing can be said of it.
_FEW = 5
# Samples for each cell of the table below which it is too large for them.
_PER_CELL = 2
# Corrections, in standard errors, above which a bootstrap lies in the wrong place.
_BIASED = 0.3


def few_samples(cells: Cells) -> list[str]:
    """What there is too little of in the cells of one table."""
    size = cells.effective_size
    per_row = np.bincount(cells.rows, cells.values / cells.values.max())
    per_row *= size / per_row.sum()
    causes = []
    least = per_row[per_row > 0].min()
    if least < _FEW - 1e-9:
        causes.append(f"a true class has {_number(least)} samples, fewer than {_FEW}")
    needed = _PER_CELL * cells.shape[0] * cells.shape[1]
    if size < needed - 1e-9:
        causes.append(
            f"{_number(size)} samples are few for a table of {cells.shape[0]} × "
            f"{cells.shape[1]} classes, which asks for {needed} at least"
        )
    return causes


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


def _number(size):
    return f"{size:.3g}" if size % 1 else f"{size:.0f}"
