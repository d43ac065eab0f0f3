"""The φ-δ plane."""

from sklearn_entropy_metrics.display.phi_delta.display import PhiDeltaDisplay

__all__ = ["PhiDeltaDisplay"]
