"""Normalized information over the spaces of other measures."""

from sklearn_entropy_metrics.display.information_map.display import (
    NormalizedInformationDisplay,
)

__all__ = ["NormalizedInformationDisplay"]
