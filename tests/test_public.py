import subprocess
import sys
from pathlib import Path

import pytest

import anchorgraph
from anchorgraph.estimators import CATALOGUE


def test_all_public_names_exist_and_none_is_missing():
    public = {name for name in vars(anchorgraph) if not name.startswith("_")}
    rooms = {"anchors", "contracts", "estimators", "graph", "labels", "numerics", "projection", "spectrum", "table"}
    rooms |= {"bench", "cli", "datasets", "metrics", "report"}
    assert public - rooms == set(anchorgraph.__all__) - {"__version__"}


def test_every_public_class_has_a_docstring_with_its_parameters():
    for name in set(anchorgraph.__all__) - {"__version__"}:
        assert getattr(anchorgraph, name).__doc__, name
    for estimator in CATALOGUE.values():
        for parameter in estimator().get_params():
            assert f"    {parameter} : " in estimator.__doc__, (estimator, parameter)


def test_the_site_knows_every_public_name_and_method():
    docs = Path(__file__).parents[1] / "docs"
    api, methods = (docs / "api.md").read_text(), (docs / "methods" / "index.md").read_text().split()
    assert not [name for name in set(anchorgraph.__all__) - {"__version__"} if f":: anchorgraph.{name}\n" not in api]
    assert not [key for key in CATALOGUE if key not in methods]


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_method_has_its_page_and_its_public_name(key):
    method = CATALOGUE[key]
    assert (Path(__file__).parents[1] / "docs" / "methods" / f"{key}.md").is_file()
    assert getattr(anchorgraph, method.__name__) is method
    assert method.card.task in {"anchors", "graph", "embedding", "clustering"}


@pytest.mark.parametrize("key", [key for key, method in CATALOGUE.items() if method.card.task == "embedding"])
def test_every_embedding_has_its_example(key):
    """A file of its own; the supervised ones stand side by side in FLRL's."""
    shown = "flrl" if CATALOGUE[key].card.supervised else key
    text = (Path(__file__).parents[1] / "examples" / f"plot_{shown}.py").read_text()
    assert f"{CATALOGUE[key].__name__}(" in text


def test_importing_brings_in_no_package_that_scikit_learn_does_not():
    code = (
        "import sys, sklearn.cluster; before = set(sys.modules); import anchorgraph; "
        "print([m for m in sys.argv[1:] if m in set(sys.modules) - before])"
    )
    optional = ["dask", "distributed", "pyarrow", "zarr", "typer", "rich", "plotly", "jinja2", "pandas", "numba"]
    done = subprocess.run([sys.executable, "-c", code, *optional], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
