"""The balance of the log loss as SVG: what is known, said and decided."""

from typing import Any

from sklearn_entropy_metrics._html import Html, html_text

_LEFT, _WIDTH, _TOP, _BAR = 10, 500, 26, 34
# The width that a number needs.
_NARROW = 34
# Parts of the bar: class of the style, words.
_PARTS = (
    ("decisions", "kept by the decisions"),
    ("deciding", "lost by deciding"),
    ("unknown", "unknown"),
    ("miscalibration", "added by miscalibration"),
)


def draw_log_loss(balance: dict[str, Any]) -> Html:
    """Draw the numbers of a ProbabilityBalance; negative parts are left out."""
    entropy, told = balance["entropy"], max(balance["information"], 0)
    end = entropy + max(balance["miscalibration"], 0)
    decided = min(balance["decision_information"], told)
    edges = (0, decided, told, entropy, end)
    scale = _WIDTH / end if end else 0
    bar = "".join(
        _part(part, words, edges[i], edges[i + 1], scale)
        for i, (part, words) in enumerate(_PARTS)
    )
    mark, line = _LEFT + entropy * scale, _TOP + _BAR + 9
    x = _LEFT + told * scale, _LEFT + end * scale
    anchor = "end" if mark > 300 else "start"
    keys = "".join(f'<li><i class="{part}"></i>{words}</li>' for part, words in _PARTS)
    label = f"Bar of the log loss of {balance['log_loss']:.3f} bits"
    return Html(
        f'<svg class="bars" viewBox="0 0 520 92" role="img" aria-label="{label}">{bar}'
        f'<path d="M{mark:.1f} {_TOP - 7}v{_BAR + 14}"/>'
        f'<text x="{mark:.1f}" y="14" class="{anchor}">entropy of the classes '
        f"{entropy:.2f}</text>"
        f'<path class="loss" d="M{x[0]:.1f} {line}H{x[1]:.1f}"/>'
        f'<text class="loss end" x="{x[1]:.1f}" y="{line + 17}">log loss '
        f'{balance["log_loss"]:.2f}</text></svg><ul class="key">{keys}</ul>'
    )


def _part(part, words, start, stop, scale):
    bits = f"{stop - start:.2f}"
    x, width = _LEFT + start * scale, (stop - start) * scale
    text = f'<text class="{part}" x="{x + width / 2:.1f}" y="{_TOP + 22}">{bits}</text>'
    return (
        f'<g><rect class="{part}" x="{x:.1f}" y="{_TOP}" width="{max(width, 0):.1f}" '
        f'height="{_BAR}"/>{text if width > _NARROW else ""}'
        f"<title>{html_text(words)}: {bits} bits</title></g>"
    )
