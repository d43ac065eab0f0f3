"""Balances as notebooks show them, and as numbers for files."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from sklearn_entropy_metrics._html import html_table

# The attributes that are scores, by their symbols; the catalogue of measures adds them.
SCORES: dict[str, str] = {}
# Tables of a stack that are shown.
_MOST = 10


def plain_numbers(balance: Any, names: Iterable[str]) -> dict[str, Any]:
    """Attributes of a balance, with arrays as lists, for JSON."""
    found = {name: getattr(balance, name) for name in names}
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in found.items()
    }


def html_of_table(balance: Any) -> str:
    """Where the entropies of one table go, and the scores."""
    uniform = balance.uniform_entropy_true, balance.uniform_entropy_pred
    divergence = balance.divergence_true, balance.divergence_pred
    information = (balance.mutual_information,) * 2
    unknown = balance.conditional_entropy_true, balance.conditional_entropy_pred
    rows = {
        "uniform entropy": uniform,
        "− divergence from uniform (ΔH)": divergence,
        "− mutual information (MI)": information,
        "= variation of information (VI)": unknown,
    }
    scores = (f"{name} {getattr(balance, key):.3f}" for name, key in SCORES.items())
    n_true, n_pred = balance.table.shape
    return html_table(
        [
            (title, *(f"{bits:.3f}" for bits in (*sides, sum(sides))))
            for title, sides in rows.items()
        ],
        header=("bits", "true", "predicted", "together"),
        caption=f"EntropyBalance of {n_true} × {n_pred} classes: {', '.join(scores)}",
        named_rows=True,
    )


def html_of_stack(balance: Any) -> str:
    """Coordinates and scores of the first tables of a stack, a row each."""
    scores = [np.ravel(getattr(balance, key)) for key in SCORES.values()]
    rows = np.column_stack([balance.joint_fractions.reshape(-1, 3), *scores])
    caption = f"EntropyBalance of a stack of shape {balance.table.shape}"
    if len(rows) > _MOST:
        caption += f", the first {_MOST} of {len(rows)} tables"
    return html_table(
        [(i, *(f"{x:.3f}" for x in row)) for i, row in enumerate(rows[:_MOST])],
        header=("table", "ΔH'", "2MI'", "VI'", *SCORES),
        caption=caption,
        named_rows=True,
    )
