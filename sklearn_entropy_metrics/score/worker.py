"""Imported in worker processes, by tasks whose main process has registered the names.

Whatever the environment says about importing the package: these tasks need the names.
"""

from sklearn_entropy_metrics.score.scorers import register_scorers

register_scorers()
