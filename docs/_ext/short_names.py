"""Names and defaults in the reference as a user writes them."""

import re

LONG = re.compile(r":obj:`(sklearn_entropy_metrics\.)([\w.]+)`")


def shorten_names(app, what, name, obj, options, lines):
    """Show relatives without the package in their names, like the titles of pages."""
    lines[:] = [LONG.sub(r":obj:`\2 <\1\2>`", line) for line in lines]


def shorten_defaults(app, what, name, obj, options, signature, returned):
    """Write the empty defaults of dataclasses as in Python."""
    if signature is None:
        return None
    plain = signature.replace("frozenset({})", "frozenset()")
    return plain.replace("<factory>", "{}"), returned


def setup(app):
    """Change docstrings after numpydoc has read them, and signatures."""
    app.connect("autodoc-process-docstring", shorten_names, priority=600)
    app.connect("autodoc-process-signature", shorten_defaults, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
