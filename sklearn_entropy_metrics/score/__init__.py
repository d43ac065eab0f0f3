"""Scores of labels and probabilities: metrics, scorers and the report."""

from sklearn_entropy_metrics.score.scorers import SCORERS

__all__ = ["SCORERS"]
