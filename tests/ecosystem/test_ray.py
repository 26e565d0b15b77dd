"""The recipe of examples/predict_with_ray.py with Ray itself."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import anchorgraph
from waiting import PATIENCE

ray = pytest.importorskip("ray", reason="needs Ray: make test-ecosystem")

SCRIPT = Path(__file__).parents[2] / "examples" / "predict_with_ray.py"
RECIPE = runpy.run_path(str(SCRIPT))
X = np.random.default_rng(0).standard_normal((1000, 4))
COLUMNS = ["a", "b", "c", "d"]
NUMBERS = {"id": np.arange(1000), "text": ["t"] * 1000, **dict(zip(COLUMNS, X.T, strict=True))}


def vectors(kind):
    return pa.table({"id": np.arange(1000), "text": ["t"] * 1000, "emb": pa.array(X.tolist(), kind)})


@pytest.fixture(scope="module")
def model():
    return anchorgraph.BKHK(8, metric="cosine", random_state=0).fit(X)


@pytest.fixture
def path(model, tmp_path):
    anchorgraph.save(model, tmp_path / "model.safetensors")
    return tmp_path / "model.safetensors"


@pytest.fixture(scope="module")
def _actors():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 * 2**20)
    yield
    ray.shutdown()


def lists():
    """A block of lists and one of lists of fixed size."""
    return ray.data.from_arrow([vectors(pa.list_(pa.float64()))[:600], vectors(pa.list_(pa.float64(), 4))[600:]])


def tensors():
    """As they are when Ray has computed them."""
    rows = ray.data.from_items([{"id": i, "emb": row} for i, row in enumerate(X)], override_num_blocks=2)
    assert "Tensor" in str(rows.schema())
    return rows


def numbers():
    table = pa.table(NUMBERS)
    return ray.data.from_arrow([table[:500], table[:0], table[500:]])


@pytest.mark.usefixtures("_actors")
@pytest.mark.parametrize(("made", "columns"), [(lists, "emb"), (tensors, "emb"), (numbers, COLUMNS)])
def test_rows_get_the_labels_of_the_model(made, columns, model, path):
    found = RECIPE["label_rows"](made(), path, columns).to_pandas().sort_values("id")
    np.testing.assert_array_equal(found["id"], np.arange(1000))
    np.testing.assert_array_equal(found["label"], model.predict(X))


def test_the_example_runs():
    command = [sys.executable, str(SCRIPT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    labels, counts = zip(*re.findall(r"^(\d+) +(\d+)$", done.stdout, flags=re.MULTILINE), strict=True)
    assert [*map(int, labels)] == [*range(16)]
    assert sum(map(int, counts)) == 20_000


def test_an_actor_loads_the_model_once(model, path):
    actor = RECIPE["Labeller"](str(path), "emb")
    path.unlink()
    table = vectors(pa.list_(pa.float64()))
    for rows in (slice(0, 10), slice(10, 10), slice(10, 1000)):
        labelled = actor(table[rows])
        assert labelled.schema.names == ["id", "text", "emb", "label"]
        assert labelled.schema.field("label").type == pa.int64()
        np.testing.assert_array_equal(labelled["label"], model.predict(X[rows]) if labelled.num_rows else [])
