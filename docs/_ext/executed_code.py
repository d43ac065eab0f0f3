"""The directives ``executed`` and ``pictured``: code that the build of the site runs.

The page shows the code, what it printed, and the figures that it drew. All blocks of a
page share their variables. A warning or an error in the code fails the build.
``pictured`` takes the example of a docstring and shows the figure alone.
"""

import doctest
import inspect
import io
import traceback
import warnings
from contextlib import redirect_stdout

import matplotlib as mpl
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

import sklearn_entropy_metrics

DPI = 96  # of the page; the pictures have twice as many for dense screens


class Executed(SphinxDirective):
    """Run Python code and show it with its output; ``:alt:`` describes the figures."""

    has_content = True
    option_spec = {"alt": directives.unchanged}  # noqa: RUF012

    def run(self):
        """Make the nodes of the code, of its output and of its figures."""
        code = "\n".join(self.content)
        printed = self.execute(code)
        blocks = [nodes.literal_block(code, code, language="python")]
        if printed:
            output = nodes.literal_block(printed, printed, language="none")
            output["classes"].append("output")
            blocks.append(output)
        return [*blocks, *self.figures()]

    def execute(self, code):
        """What the code prints."""
        namespace = self.env.temp_data.setdefault("executed", {"__name__": "__main__"})
        source, _ = self.get_source_info()
        lines = "\n" * self.content_offset  # a traceback has the lines of the page
        printed = io.StringIO()
        try:
            with redirect_stdout(printed), warnings.catch_warnings():
                warnings.simplefilter("error")
                exec(compile(lines + code, source, "exec"), namespace)
        except Exception:
            raise self.error(traceback.format_exc()) from None
        return printed.getvalue().rstrip()

    def figures(self):
        """Save the figures that are open as images of the page, and close them."""
        from matplotlib import pyplot as plt

        page = self.env.docname.replace("/", "-")
        folder = self.env.srcdir / "_generated" / "figures"
        folder.mkdir(parents=True, exist_ok=True)
        for number in plt.get_fignums():
            count = self.env.temp_data["executed_figures"] = (
                self.env.temp_data.get("executed_figures", 0) + 1
            )
            name = f"{page}-{count}.png"
            plt.figure(number).savefig(folder / name, dpi=2 * DPI, bbox_inches="tight")
            yield nodes.image(
                uri=f"/_generated/figures/{name}",
                alt=self.options.get("alt", "Figure drawn by the code above"),
                align="center",
                width=f"{plt.imread(folder / name).shape[1] // 2}px",
            )
        plt.close("all")


class Pictured(Executed):
    """Show the figure that the example in the docstring of a display draws."""

    has_content = False
    required_arguments = 1

    def run(self):
        """Make the nodes of the figure."""
        (name,) = self.arguments
        self.options["alt"] = f"Figure drawn by the example of {name}"
        text = inspect.getdoc(getattr(sklearn_entropy_metrics, name))
        lines = [part.source for part in doctest.DocTestParser().get_examples(text)]
        self.execute("".join(line for line in lines if "plt.close" not in line))
        return list(self.figures())


def setup(app):
    """Add the directives."""
    mpl.use("agg")
    app.add_directive("executed", Executed)
    app.add_directive("pictured", Pictured)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
