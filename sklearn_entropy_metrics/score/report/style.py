"""How reports look: light, dark, on small screens and on paper."""

from functools import cache
from importlib.resources import files

from sklearn_entropy_metrics._colors import IMBALANCE, INFORMATION, LOSS
from sklearn_entropy_metrics.score.report.heat_map import LEVELS

# The same hues for a dark background, bright enough for small texts.
_BRIGHT = ("#52c39a", "#eb9260", "#c9b93a")
# The opacity of the palest cell, and of the strongest one on a light and on a dark
# background: texts stay readable.
_PALEST, _STRONGEST, _STRONGEST_BRIGHT = 0.12, 0.58, 0.42


@cache
def report_style() -> str:
    """The style of a report, on any page."""
    sheet = files("sklearn_entropy_metrics.score.report") / "page.css"
    return sheet.read_text(encoding="utf-8") + _colors(
        _STRONGEST, INFORMATION, LOSS, IMBALANCE
    )


def page_style() -> str:
    """The style of the page around it."""
    dark = _colors(_STRONGEST_BRIGHT, *_BRIGHT)
    return (
        "body{margin:0;padding:1em;background:#fff;color:#1c2321}@page{margin:1.5cm}"
        "@media screen and (prefers-color-scheme:dark){"
        "body{background:#15191b;color:#e4e8e6}"
        f".sem-report{{--mark:#6fb1ff;--ground:#15191b}}{dark}}}"
    )


def _colors(strongest, information, loss, imbalance):
    """The colours of quantities, and of cells of either sign and every level."""
    variables = f"--information:{information};--loss:{loss};--imbalance:{imbalance}"
    shades = (
        f".sem-report .{sign}{level}{{background:{color}{_opacity(level, strongest)}}}"
        for sign, color in (("p", information), ("n", loss))
        for level in range(1, LEVELS + 1)
    )
    return f".sem-report{{{variables}}}{''.join(shades)}"


def _opacity(level, strongest):
    """Two digits behind a colour."""
    return f"{round(255 * (_PALEST + (strongest - _PALEST) * level / LEVELS)):02x}"
