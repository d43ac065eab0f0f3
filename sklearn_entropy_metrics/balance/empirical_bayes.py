"""The earlier place of `shrink`, until nothing imports it."""

from sklearn_entropy_metrics.balance.shrink import EmpiricalBayes, shrink_errors

__all__ = ["EmpiricalBayes", "shrink_errors"]
