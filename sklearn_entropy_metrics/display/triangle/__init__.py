"""The entropy triangle."""

from sklearn_entropy_metrics.display.triangle.display import EntropyTriangleDisplay

__all__ = ["EntropyTriangleDisplay"]
