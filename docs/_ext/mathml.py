"""Formulas as MathML by docutils, which browsers draw without a script or a network."""

from docutils import nodes
from docutils.utils.math import MathError, pick_math_environment
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

logger = logging.getLogger(__name__)


def to_mathml(node):
    """The formula of a node; one that cannot be read stays as it is, with a warning."""
    code = node.astext().replace("'", r"{\prime}")
    block = isinstance(node, nodes.math_block)
    if block and pick_math_environment(code).startswith("align"):
        code = rf"\begin{{align*}}{code}\end{{align*}}"
    try:
        return tex2mathml(code, as_block=block)
    except (MathError, AttributeError) as error:
        logger.warning("Cannot read the formula %r: %s", code, error, location=node)
        return f"<code>{code}</code>"


def visit_inline(translator, node):
    """Write a formula within a line."""
    translator.body.append(to_mathml(node))
    raise nodes.SkipNode


def visit_block(translator, node):
    """Write a formula of its own, in a box that scrolls if it is too wide."""
    number = f'<span class="eqno">({node["number"]})</span>' if node["number"] else ""
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    translator.body.append(f"{number}{to_mathml(node)}</div>\n")
    raise nodes.SkipNode


def setup(app):
    """Give the HTML builder the renderer ``mathml``."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
