"""
Labels for a data frame of Spark
================================

A saved model is all that the workers need: each partition loads it once and labels its batches, by
`mapInArrow <https://spark.apache.org/docs/latest/api/python/user_guide/sql/arrow_pandas.html>`_. Batches are Arrow's
record batches, so embeddings may be arrays of numbers, and all other columns are kept.

Rename or drop a column ``label`` first. Vectors of Spark ML become arrays with
``pyspark.ml.functions.vector_to_array``. Drop rows whose embedding is null, or fit with ``missing="mask"``, which
labels them -1.
"""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.types import LongType, StructField, StructType

import anchorgraph


def label_rows(frame, path, columns):
    """A data frame of Spark with a further column ``label``.

    ``path`` leads to the model and must be readable by every worker. ``columns`` is the name of a column of embeddings,
    or a list of names of columns of numbers.
    """
    path = str(path)

    def label_batches(batches):
        model = anchorgraph.load(path)  # once for all batches of a partition
        for batch in batches:
            labels = model.predict(anchorgraph.as_table(batch, columns=columns)) if batch.num_rows else []
            yield batch.append_column("label", pa.array(labels, pa.int64()))

    return frame.mapInArrow(label_batches, StructType([*frame.schema, StructField("label", LongType())]))


# %%
# A model is fitted once, here to a sample, and saved. Then all rows are labelled.

if __name__ == "__main__":
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the workers' Python has anchorgraph
    embeddings = np.random.default_rng(0).standard_normal((20_000, 32), dtype=np.float32)
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        anchorgraph.save(anchorgraph.BKHK(16, metric="cosine", random_state=0).fit(embeddings[:5000]), path)
        frame = session.createDataFrame(pa.table({"embedding": list(embeddings)}))
        label_rows(frame, path, columns="embedding").groupBy("label").count().orderBy("label").show()
    session.stop()
