"""Imported in worker processes, by tasks whose main process has registered the names.

The environment variable that turns registration off does not apply: these tasks need
the names.
"""

from sklearn_entropy_metrics.score.scorers import register_scorers

register_scorers()
