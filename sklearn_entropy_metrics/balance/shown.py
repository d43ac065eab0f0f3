"""Balances as notebooks show them, and as numbers for files."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import cached_property
from typing import Any

import numpy as np

from sklearn_entropy_metrics._html import html_table

# Tables of a stack that are shown.
_MOST = 10
_PARTS = (
    "uniform entropy",
    "− divergence from uniform (ΔH)",
    "− mutual information (MI)",
    "= variation of information (VI)",
)


def plain_numbers(balance: Any) -> dict[str, Any]:
    """The public attributes of a balance but its table, arrays as lists, for JSON."""
    names = [field.name for field in fields(balance)]
    for kind in type(balance).__mro__:
        for name, member in vars(kind).items():
            if isinstance(member, property | cached_property):
                names.append(name)
    values = {n: getattr(balance, n) for n in names if n[0] != "_" and n != "table"}
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }


def html_of_balance(balance: Any) -> str:
    """Where the entropies of a table go, or the coordinates of the first of a stack."""
    caption = repr(balance)[1:-1]
    if balance.table.ndim > 2:
        information = balance.normalized_information.ravel()
        points = np.column_stack([balance.joint_fractions.reshape(-1, 3), information])
        if len(points) > _MOST:
            caption += f", the first {_MOST} of {len(points)} tables"
        rows = [(i, *point) for i, point in enumerate(points[:_MOST])]
        heads = "table", "ΔH'", "2MI'", "VI'", "NI"
        return html_of_numbers(rows, header=heads, caption=caption)
    true, pred = (
        np.array([getattr(balance, f"uniform_entropy_{side}"), *balance._parts(side)])
        for side in ("true", "pred")
    )
    rows = list(zip(_PARTS, true, pred, true + pred, strict=True))
    header = "bits", "true", "predicted", "together"
    return html_of_numbers(rows, header=header, caption=caption)


def html_of_numbers(
    rows: Iterable[Sequence[Any]], *, header: Sequence[str] = (), caption: str
) -> str:
    """A table of names and numbers."""
    cells = [(name, *(f"{number:.3f}" for number in row)) for name, *row in rows]
    return html_table(cells, header=header, caption=caption, named_rows=True)
