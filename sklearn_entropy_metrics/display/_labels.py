"""Names beside points, for displays that do not yet take them from `_names`."""

from sklearn_entropy_metrics.display._names import (
    add_names,
    add_names_that_fit,
    text_boxes,
)

__all__ = ["add_names", "add_names_that_fit", "text_boxes"]
