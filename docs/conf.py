"""Settings of the site: ``sphinx-build -W --keep-going docs OUT``.

The installed package is documented, not the checkout. Nothing is fetched when the site
is built, and nothing when it is read.
"""

import importlib.metadata
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "_ext"))

project = "sklearn_entropy_metrics"
author = "the sklearn_entropy_metrics developers"
release = importlib.metadata.version("sklearn-entropy-metrics")

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "executed_code",
    "house_map",
    "mathml",
    "measure_table",
    "short_names",
]
exclude_patterns = ["_generated/*.md", "coverage.md", "examples", "**.ipynb"]
rst_prolog = ".. currentmodule:: sklearn_entropy_metrics"
templates_path = ["_templates"]
nitpicky = True
smartquotes = False  # the quotes of types and defaults are Python's
nitpick_ignore_regex = [
    ("py:.*", r"(joblib|matplotlib|numpy|pandas|scipy|sklearn)\..*")
]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# The docstrings have the types; the signatures stay short.
autodoc_typehints = "none"
autosummary_generate = True
numpydoc_show_class_members = False

html_theme = "furo"
html_title = f"sklearn_entropy_metrics {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "auto_examples",
    "subsection_order": [
        f"examples/{section}"
        for section in ("workflow", "triangle", "phi_delta", "papers")
    ],
    "within_subsection_order": "ExampleTitleSortKey",
    "doc_module": ("sklearn_entropy_metrics",),
    "reference_url": {"sklearn_entropy_metrics": None},
    "backreferences_dir": "_generated/backreferences",
    "capture_repr": (),
    "parallel": 2,
    "image_srcset": ["2x"],
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
}
