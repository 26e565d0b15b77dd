"""The recipe of examples/predict_with_spark.py with Spark itself."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

import anchorgraph
from waiting import PATIENCE

pytest.importorskip("pyspark", reason="needs PySpark: make test-ecosystem")

SCRIPT = Path(__file__).parents[2] / "examples" / "predict_with_spark.py"
RECIPE = runpy.run_path(str(SCRIPT))
NEEDS_JAVA = pytest.mark.skipif(not (shutil.which("java") or "JAVA_HOME" in os.environ), reason="Spark needs Java")
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


@NEEDS_JAVA
def test_the_example_runs():
    command = [sys.executable, str(SCRIPT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    labels, counts = zip(*re.findall(r"^\| +(\d+)\| +(\d+)\|$", done.stdout, flags=re.MULTILINE), strict=True)
    assert [*map(int, labels)] == [*range(16)]
    assert sum(map(int, counts)) == 20_000


@NEEDS_JAVA
@pytest.mark.parametrize("columns", ["emb", COLUMNS], ids=["vectors", "numbers"])
def test_rows_get_the_labels_of_the_model(columns, session, model, path):
    frame = session.createDataFrame(rows(pa.list_(pa.float64())))
    found = RECIPE["label_rows"](frame, path, columns).toArrow().sort_by("id")
    assert found.schema.names == [*frame.columns, "label"]
    np.testing.assert_array_equal(found["id"], np.arange(1000))
    np.testing.assert_array_equal(found["label"], model.predict(X))


@NEEDS_JAVA
def test_vectors_of_spark_ml_become_arrays_first(session, model, path):
    from pyspark.ml.functions import vector_to_array
    from pyspark.ml.linalg import Vectors

    frame = session.createDataFrame([(number, Vectors.dense(row)) for number, row in enumerate(X)], ["id", "emb"])
    found = RECIPE["label_rows"](frame.withColumn("emb", vector_to_array("emb")), path, "emb").toArrow().sort_by("id")
    np.testing.assert_array_equal(found["label"], model.predict(X))


@NEEDS_JAVA
def test_rows_without_an_embedding_can_be_masked_or_dropped(session, model, path):
    embeddings = pa.array([None if number % 300 == 5 else row for number, row in enumerate(X.tolist())])
    frame = session.createDataFrame(pa.table({"id": np.arange(1000), "emb": embeddings}))
    expected, is_null = model.predict(X), np.asarray(embeddings.is_null())
    dropped = RECIPE["label_rows"](frame.dropna(subset="emb"), path, "emb").toArrow().sort_by("id")
    np.testing.assert_array_equal(dropped["id"], np.flatnonzero(~is_null))
    np.testing.assert_array_equal(dropped["label"], expected[~is_null])
    anchorgraph.save(anchorgraph.BKHK(8, metric="cosine", missing="mask", random_state=0).fit(X), path)
    masked = RECIPE["label_rows"](frame, path, "emb").toArrow().sort_by("id")
    np.testing.assert_array_equal(masked["label"], np.where(is_null, -1, expected))


@NEEDS_JAVA
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
