import ast
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import anchorgraph
from anchorgraph.catalogue import CATALOGUE
from waiting import PATIENCE

PACKAGE = Path(anchorgraph.__file__).parent


def test_all_public_names_exist_and_type_checkers_know_them():
    assert all(hasattr(anchorgraph, name) for name in anchorgraph.__all__)
    names = {}
    exec("from anchorgraph import *", names)
    assert set(anchorgraph.__all__) <= set(names)
    written = ast.walk(ast.parse((PACKAGE / "__init__.py").read_text()))
    imports = [node for node in written if isinstance(node, ast.ImportFrom) and node.module.startswith("anchorgraph.")]
    seen = {(name.asname or name.name, node.module) for node in imports for name in node.names}
    listed = {(name, f"anchorgraph.{room}") for name, room in anchorgraph._ROOM_OF.items()}
    assert seen == {*listed, ("*", "anchorgraph.estimators"), ("*", "anchorgraph.baselines")}


def test_rooms_are_attributes_and_nothing_else_is():
    rooms = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert set(dir(anchorgraph)) - set(anchorgraph.__all__) == rooms - {"__init__", "cli"}
    for name in dir(anchorgraph):
        assert getattr(anchorgraph, name) is not None
    with pytest.raises(AttributeError, match="module 'anchorgraph' has no attribute 'FCS'"):
        anchorgraph.FCS  # noqa: B018 - asking for it is the test
    with pytest.raises(ImportError, match="cannot import name 'FCS'"):
        exec("from anchorgraph import FCS")


def test_help_shows_the_methods():
    text = pydoc.plain(pydoc.render_doc(anchorgraph))
    assert "class FSC(" in text
    assert "as_table(source" in text


def test_every_public_class_has_a_docstring_with_its_parameters():
    for name in set(anchorgraph.__all__) - {"__version__"}:
        assert getattr(anchorgraph, name).__doc__, name
    for estimator in CATALOGUE.values():
        for parameter in estimator().get_params():
            assert f"    {parameter} : " in estimator.__doc__, (estimator, parameter)


def test_the_site_knows_every_public_name():
    api = (Path(__file__).parents[1] / "docs" / "api.md").read_text()
    assert not [name for name in set(anchorgraph.__all__) - {"__version__"} if f":: anchorgraph.{name}\n" not in api]
    assert not [name for name in anchorgraph.anndata.__all__ if f":: anchorgraph.anndata.{name}\n" not in api]


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


def imported_by(statement, *names):
    """Those of some packages that a statement brings in, in a fresh process."""
    code = f"import sys; {statement}; print(*(name for name in {names} if name in sys.modules))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    return done.stdout.split()


def test_importing_alone_costs_no_other_package():
    assert imported_by("import anchorgraph", "numpy", "scipy", "sklearn") == []
    assert imported_by("from anchorgraph import FSC", "numpy", "scipy", "sklearn") == ["numpy", "scipy", "sklearn"]
    assert imported_by("import anchorgraph; anchorgraph.metrics", "sklearn") == ["sklearn"]


def test_methods_bring_in_no_package_that_scikit_learn_does_not():
    optional = ("dask", "distributed", "pyarrow", "zarr", "typer", "rich", "plotly", "jinja2", "pandas", "numba")
    optional += ("anndata", "matplotlib", "safetensors")
    before = imported_by("import sklearn.cluster", *optional)
    assert imported_by("from anchorgraph import *", *optional) == before
    assert imported_by("import anchorgraph.anndata", *optional) == before


@pytest.mark.parametrize("name", anchorgraph.anndata.__all__)
def test_a_room_for_anndata_says_what_it_needs(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "anndata", None)
    with pytest.raises(ImportError, match=rf'^{name} requires anndata: pip install "anchorgraph\[anndata\]"\.$'):
        getattr(anchorgraph.anndata, name)(None)
