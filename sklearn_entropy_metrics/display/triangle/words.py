"""What the sides and the corners of triangles mean, in words and symbols."""

from typing import NamedTuple


class Words(NamedTuple):
    """Texts of a triangle, in the order of its shares.

    Attributes
    ----------
    symbols, short, sides : tuple of str
        The names of the shares, in three lengths. Arrows point to where a share grows,
        in texts that are turned along their side.

    corners : tuple of str
        What it means if one share is everything.
    """

    symbols: tuple[str, str, str]
    short: tuple[str, str, str]
    sides: tuple[str, str, str]
    corners: tuple[str, str, str]


OF_CLASSIFIERS = Words(
    ("ΔH'", "2MI'", "VI'"),
    ("imbalance  ΔH' →", "← information  2MI'", "← error  VI'"),
    (
        "class imbalance  ΔH' →",
        "← information transferred  2MI'",
        "← random error  VI'",
    ),
    ("always\none class", "perfect", "pure\nguessing"),
)
OF_SOURCES = Words(
    ("ΔH'", "MI'", "H'"),
    ("imbalance  ΔH' →", "← shared  MI'", "← alone  H'"),
    ("imbalance  ΔH' →", "← shared with the others  MI'", "← not shared  H'"),
    ("constant", "redundant", "independent"),
)
