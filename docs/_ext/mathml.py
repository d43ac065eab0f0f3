"""Formulas as MathML, which browsers draw without a script or a network.

docutils translates them. Three things are set here as TeX sets them: the index of a
letter with an accent, bars that come in pairs, and the space around named functions.
"""

from itertools import cycle, pairwise
from xml.etree import ElementTree

from docutils import nodes
from docutils.utils.math import MathError, pick_math_environment
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

logger = logging.getLogger(__name__)

XMLNS = ' xmlns="http://www.w3.org/1998/Math/MathML"'  # which HTML does not need
APPLY = "\u2061"  # the invisible sign between a function and its argument
ROWS = {"math", "mrow", "msqrt", "mstyle", "mtd"}
SCRIPTS = {"msub", "msup", "msubsup", "munder", "mover", "munderover"}
OPENING, CLOSING = set("([{"), set(")]}")
FUNCTIONS = {"exp", "ln", "log", "max", "min"}


def mend(mathml):
    """The code of a formula, set as TeX sets it."""
    plain = mathml.replace(XMLNS, "").replace("&ApplyFunction;", APPLY)
    tree = ElementTree.fromstring(plain)
    for element in list(tree.iter()):
        if element.tag == "munderover":
            separate_accent(element)
        elif element.tag == "mover":
            element.attrib.pop("accent", None)  # it would touch the letter
        elif element.tag in ROWS:
            pair_bars(element)
            space_functions(element)
    return ElementTree.tostring(tree, "unicode", short_empty_elements=False)


def separate_accent(element):
    """Set the index of a letter with an accent beside the letter, not below it."""
    base, index, accent = element
    if accent.tag == "mo" and base.tag != "mo":
        letter = ElementTree.Element("mover")
        letter.extend([base, accent])
        element.tag = "msub"
        element[:] = [letter, index]


def pair_bars(row):
    """Mark two bars between the same brackets as the bars of an absolute value.

    A single bar, as in H(X | Y), stays between its neighbours.
    """
    groups = [[]]  # of bars; the last one belongs to the brackets that are open
    for element in row.findall("mo"):
        if element.text in OPENING:
            groups.append([])
        elif element.text in CLOSING:
            groups.insert(0, groups.pop())
        elif element.text == "|":
            groups[-1].append(element)
    for group in groups:
        if len(group) % 2 == 0:
            for bar, form in zip(group, cycle(["prefix", "postfix"]), strict=False):
                bar.set("form", form)


def space_functions(row):
    """Separate a function from a factor before it and from an argument after it."""
    for element in row:
        if core(element).tag == "mo" and is_function(element):
            core(element).attrib.update(lspace="0", rspace="0")
    spaced = []
    for left, right in pairwise([None, *row]):
        if left is not None and is_separate(left, right):
            spaced.append(ElementTree.Element("mspace", width="0.17em"))
        spaced.append(right)
    row[:] = spaced


def is_separate(left, right):
    """Whether there is a function on one side and a factor on the other."""
    if is_function(left) or left.text == APPLY:
        return right.tag not in ("mo", "mspace")
    return is_function(right) and ends_factor(left)


def core(element):
    """What carries the scripts of an element."""
    while element.tag in SCRIPTS:
        element = element[0]
    return element


def is_function(element):
    """Whether an element is the name of a function, with or without scripts."""
    return core(element).text in FUNCTIONS


def ends_factor(element):
    """Whether an element may be the end of a factor."""
    if element.tag == "mo":
        return element.text in CLOSING or element.get("form") == "postfix"
    return element.tag != "mspace" and core(element).tag != "mo"


def to_mathml(node):
    """The formula of a node; one that cannot be read stays as it is, with a warning."""
    code = node.astext().replace("'", r"{\prime}")
    block = isinstance(node, nodes.math_block)
    if block and pick_math_environment(code).startswith("align"):
        code = rf"\begin{{align*}}{code}\end{{align*}}"
    try:
        return mend(tex2mathml(code, as_block=block))
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
