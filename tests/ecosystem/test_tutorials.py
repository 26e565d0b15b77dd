"""The scripts of docs/tutorials run and print something, where the packages that they import are installed."""

import ast
import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest

TUTORIALS = sorted((Path(__file__).parents[2] / "docs" / "tutorials").glob("*.py"))


def missing_packages(path):
    """Packages that a script imports and that are not installed."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    packages = {name.partition(".")[0] for name in imported}
    return sorted(package for package in packages if find_spec(package) is None)


def test_there_are_tutorials():
    assert TUTORIALS


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_tutorial_runs_and_prints(path, tmp_path, monkeypatch, capsys):
    if missing := missing_packages(path):
        pytest.skip(f"needs {', '.join(missing)}: make test-ecosystem")
    plt = pytest.importorskip("matplotlib.pyplot", reason="needs matplotlib: make test-ecosystem")
    monkeypatch.chdir(tmp_path)
    plt.switch_backend("agg")
    runpy.run_path(str(path), run_name="__main__")
    plt.close("all")
    assert capsys.readouterr().out
