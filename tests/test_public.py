import subprocess
import sys

import anchorgraph


def test_all_public_names_exist_and_none_is_missing():
    public = {name for name in vars(anchorgraph) if not name.startswith("_")}
    rooms = {"anchors", "contracts", "datasets", "estimators", "graph", "numerics", "spectrum", "table"}
    assert public - rooms == set(anchorgraph.__all__) - {"__version__"}


def test_every_public_class_has_a_docstring_with_its_parameters():
    for name in set(anchorgraph.__all__) - {"__version__"}:
        assert getattr(anchorgraph, name).__doc__, name
    for estimator in (anchorgraph.BKHK, anchorgraph.AnchorGraph):
        for parameter in estimator().get_params():
            assert f"    {parameter} : " in estimator.__doc__


def test_importing_brings_in_no_package_that_scikit_learn_does_not():
    code = (
        "import sys, sklearn.cluster; before = set(sys.modules); import anchorgraph; "
        "print([m for m in sys.argv[1:] if m in set(sys.modules) - before])"
    )
    optional = ["dask", "distributed", "pyarrow", "zarr", "typer", "rich", "plotly", "jinja2", "pandas", "numba"]
    done = subprocess.run([sys.executable, "-c", code, *optional], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
