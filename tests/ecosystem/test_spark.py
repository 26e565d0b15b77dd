"""The recipe of examples/predict_with_spark.py with Spark itself."""

import os
import runpy
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

import anchorgraph

pytest.importorskip("pyspark", reason="needs PySpark: make test-ecosystem")

RECIPE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "predict_with_spark.py"))
X = np.random.default_rng(0).standard_normal((1000, 4))
COLUMNS = ["a", "b", "c", "d"]


def rows(kind):
    """Ids, texts, embeddings, and the same numbers as columns."""
    beside = {"id": np.arange(1000), "text": ["t"] * 1000, "emb": pa.array(X.tolist(), kind)}
    return pa.table({**beside, **dict(zip(COLUMNS, X.T, strict=True))})


@pytest.fixture(scope="module")
def model():
    return anchorgraph.BKHK(8, metric="cosine", random_state=0).fit(X)


@pytest.fixture
def path(model, tmp_path):
    anchorgraph.save(model, tmp_path / "model.safetensors")
    return tmp_path / "model.safetensors"


@pytest.fixture(scope="module")
def session():
    if not (shutil.which("java") or "JAVA_HOME" in os.environ):
        pytest.skip("Spark needs Java")
    options = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "512m",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "300",
    }
    builder = RECIPE["SparkSession"].builder.master("local[2]").config(map=options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        session = builder.getOrCreate()
        yield session
        session.stop()


@pytest.mark.parametrize("columns", ["emb", COLUMNS], ids=["vectors", "numbers"])
def test_rows_get_the_labels_of_the_model(columns, session, model, path):
    frame = session.createDataFrame(rows(pa.list_(pa.float64())))
    found = RECIPE["label_rows"](frame, path, columns).toArrow().sort_by("id")
    assert found.schema.names == [*frame.columns, "label"]
    np.testing.assert_array_equal(found["id"], np.arange(1000))
    np.testing.assert_array_equal(found["label"], model.predict(X))


def test_a_frame_without_rows_gets_a_column_too(session, path):
    frame = session.createDataFrame(rows(pa.list_(pa.float64()))).filter("id < 0")
    found = RECIPE["label_rows"](frame, path, "emb").toArrow()
    assert found.num_rows == 0
    assert found.schema.field("label").type == pa.int64()


@pytest.mark.parametrize("kind", [pa.list_(pa.float64()), pa.list_(pa.float64(), 4)], ids=["list", "fixed"])
def test_a_partition_loads_the_model_once(kind, model, path):
    frame = SimpleNamespace(schema=[], mapInArrow=lambda label_batches, schema: label_batches)
    label_batches = RECIPE["label_rows"](frame, path, "emb")
    whole = rows(kind).to_batches()[0]
    found = []
    for batch in label_batches(whole[start : start + 250] for start in range(0, 1250, 250)):  # the last has no rows
        path.unlink(missing_ok=True)
        assert batch.schema.names == [*whole.schema.names, "label"]
        found.append(batch["label"].to_numpy())
    assert len(found) == 5
    np.testing.assert_array_equal(np.concatenate(found), model.predict(X))
