"""How the documentation is built: ``make docs``."""

import anchorgraph

project = "anchorgraph"
version = release = anchorgraph.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.mathjax", "numpydoc", "myst_parser", "sphinx_gallery.gen_gallery"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build", "gallery/GALLERY_HEADER.rst"]
html_theme = "furo"
html_title = "anchorgraph"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"plot_",
    "download_all_examples": False,
    "min_reported_time": 1e9,
    "show_memory": False,
}
