"""How the documentation is built: ``make docs``."""

from pathlib import Path

from sphinx_gallery.sorting import ExplicitOrder

import anchorgraph


def write_methods(path):
    """The table of all methods, from the catalogue."""
    lines = ["| name | stands for | paper | task | rows |", "|---|---|---|---|---|"]
    for method in anchorgraph.CATALOGUE.values():
        card = method.card
        task = f"{card.task} from classes" if card.supervised else card.task
        rows = "any source, in blocks" if card.streams else "in memory"
        lines.append(f"| [{method.__name__}]({card.key}.md) | {card.title} | {card.paper} | {task} | {rows} |")
    path.write_text("\n".join(lines) + "\n")


write_methods(Path(__file__).with_name("_methods.md"))

EXAMPLES = ("communities", "anchor_map", "displays", "fsc", "balanced_clusters", "diverse_sample", "row_graph", "ongr")
EXAMPLES += ("ulge", "oulge", "csr", "flrl", "digits", "le", "lpp", "sr")

project = "anchorgraph"
version = release = anchorgraph.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.mathjax", "numpydoc", "myst_parser", "sphinx_gallery.gen_gallery"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = [
    "_build",
    "_methods.md",
    "gallery/GALLERY_HEADER.rst",
    "learn/GALLERY_HEADER.rst",
    "tutorials/GALLERY_HEADER.rst",
]
html_theme = "furo"
html_title = "anchorgraph"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
myst_enable_extensions = ["attrs_block", "dollarmath"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
sphinx_gallery_conf = {
    "examples_dirs": ["../examples", "tutorials"],
    "gallery_dirs": ["gallery", "learn"],
    "filename_pattern": r"plot_|tutorials",
    "within_subsection_order": ExplicitOrder([*(f"plot_{name}.py" for name in EXAMPLES), "*"]),
    "download_all_examples": False,
    "min_reported_time": 1e9,
    "show_memory": False,
}
