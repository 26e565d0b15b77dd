"""Tests that read the code: the same seed gives the same result only if nothing draws numbers of its own."""

import ast
import inspect
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

import anchorgraph

PACKAGE = Path(anchorgraph.__file__).parent
ITERATIVE = {"eigs", "eigsh", "svds", "lobpcg", "randomized_svd", "randomized_range_finder"}
"""Solvers that start from, or go on from, random vectors."""
SEEDED = {"default_rng", "RandomState", "PCG64"}
"""What numpy.random makes of a seed; ``Generator`` is made of one of them."""


def unseeded(source):
    """Lines of a module that draw random numbers which no seed determines."""
    tree = ast.parse(source)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    imported = dict(from_sklearn(tree))
    return sorted(
        node.lineno
        for node in calls
        if draws_from_numpy(node) or draws_from_sklearn(node, imported) or name_of(node) in ITERATIVE
    )


def name_of(call):
    return getattr(call.func, "attr", getattr(call.func, "id", None))


def from_sklearn(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sklearn"):
            with suppress(ModuleNotFoundError):  # of a later scikit-learn
                module = import_module(node.module)
                for name in node.names:
                    yield name.asname or name.name, getattr(module, name.name, None)


def draws_from_numpy(call):
    is_of_module = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) in ("np.random", "random")
    if not is_of_module or name_of(call) in {"Generator", "Random"}:
        return False
    return name_of(call) not in SEEDED or not call.args or ast.unparse(call.args[0]) == "None"


def draws_from_sklearn(call, imported):
    function = imported.get(name_of(call))
    if function is None or not callable(function) or "random_state" not in inspect.signature(function).parameters:
        return False
    return name_of(call) != "check_random_state" and "random_state" not in {word.arg for word in call.keywords}


@pytest.mark.parametrize(
    "source",
    [
        "values, vectors = eigsh(matrix, 3, v0=start)",
        "rng = np.random.default_rng()",
        "rng = np.random.default_rng(None)",
        "x = np.random.rand(3)",
        "random.shuffle(x)",
        "from sklearn.decomposition import PCA\nPCA(3)",
        "from sklearn.cluster import kmeans_plusplus\nkmeans_plusplus(X, 3)",
    ],
)
def test_what_counts_as_unseeded(source):
    assert unseeded(source)


def test_nothing_draws_numbers_of_its_own():
    found = {path.relative_to(PACKAGE).as_posix(): unseeded(path.read_text()) for path in PACKAGE.rglob("*.py")}
    found = {path: lines for path, lines in found.items() if lines}
    assert list(found) == ["numerics/eigen.py"], found
    assert len(found["numerics/eigen.py"]) == 1  # the one call of ARPACK, seeded by lanczos
