"""Confusion matrices from the literature, channels and whole sets of tables."""

from sklearn_entropy_metrics.datasets._channels import (
    binary_erasure_channel,
    binary_symmetric_channel,
    noisy_typewriter,
)
from sklearn_entropy_metrics.datasets._loaders import (
    load_meg_mind_reading,
    load_miller_nicely,
    load_synthetic,
)
from sklearn_entropy_metrics.datasets._tables import enumerate_tables, sample_tables

__all__ = [
    "binary_erasure_channel",
    "binary_symmetric_channel",
    "enumerate_tables",
    "load_meg_mind_reading",
    "load_miller_nicely",
    "load_synthetic",
    "noisy_typewriter",
    "sample_tables",
]
