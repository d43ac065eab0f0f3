"""Names beside points, for displays that do not yet take them from `_names`."""

from sklearn_entropy_metrics.display._display import font_size, text_color
from sklearn_entropy_metrics.display._names import Named, _find_placer, text_boxes

__all__ = ["add_names", "add_names_that_fit", "text_boxes"]


def add_names(ax, names, anchors, points, lines, colors=None, fontsize=None, fit=False):
    """Write names beside their anchors."""
    colors = [text_color()] * len(names) if colors is None else colors
    new = [Named(*one, None) for one in zip(names, anchors, colors, strict=True)]
    placer = _find_placer(ax)
    placer.keep_clear(points if len(points) <= 500 else [], lines)
    size = font_size(fontsize or "medium")
    return placer.add_if_they_fit(new, size) if fit else placer.add(new, size)


def add_names_that_fit(ax, names, anchors, points, lines, colors=None, fontsize=None):
    """Write names, or none if one would cover another."""
    return add_names(ax, names, anchors, points, lines, colors, fontsize, fit=True)
