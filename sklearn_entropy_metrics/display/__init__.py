"""The papers' diagrams as displays in the style of scikit-learn."""

from sklearn_entropy_metrics.display.comparison import ModelComparisonDisplay
from sklearn_entropy_metrics.display.information_diagram import (
    InformationDiagramDisplay,
)
from sklearn_entropy_metrics.display.information_map import (
    NormalizedInformationDisplay,
)
from sklearn_entropy_metrics.display.phi_delta import PhiDeltaDisplay
from sklearn_entropy_metrics.display.probability_balance import (
    ProbabilityBalanceDisplay,
)
from sklearn_entropy_metrics.display.triangle import EntropyTriangleDisplay
from sklearn_entropy_metrics.display.triangle.geometry import to_plane
from sklearn_entropy_metrics.display.win_loss import WinLossEqualDisplay

__all__ = [
    "EntropyTriangleDisplay",
    "InformationDiagramDisplay",
    "ModelComparisonDisplay",
    "NormalizedInformationDisplay",
    "PhiDeltaDisplay",
    "ProbabilityBalanceDisplay",
    "WinLossEqualDisplay",
    "to_plane",
]
