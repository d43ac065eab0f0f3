"""The extended information diagram."""

from sklearn_entropy_metrics.display.information_diagram.display import (
    InformationDiagramDisplay,
)

__all__ = ["InformationDiagramDisplay"]
