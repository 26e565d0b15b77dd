"""
Labels for a data set of Ray
============================

A saved model is all that the workers need: each actor loads it once and labels the batches that it is given, by
`map_batches <https://docs.ray.io/en/latest/data/transforming-data.html>`_. Batches are Arrow tables, so embeddings
may be lists or Ray's own tensors, and all other columns are kept.

Rename or drop a column ``label`` first. Drop rows whose embedding is null, or fit with ``missing="mask"``, which labels
them -1.
"""

import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import ray

import anchorgraph


class Labeller:
    """Labels batches by a saved model, which is loaded when an actor starts."""

    def __init__(self, path, columns):
        self.model = anchorgraph.load(path)
        self.columns = columns

    def __call__(self, batch):
        labels = self.model.predict(anchorgraph.as_table(batch, columns=self.columns)) if batch.num_rows else []
        return batch.append_column("label", pa.array(labels, pa.int64()))


def label_rows(rows, path, columns, n_actors=2):
    """The rows of a ``ray.data.Dataset`` with a further column ``label``.

    ``path`` leads to the model and must be readable by every worker. ``columns`` is the name of a column of embeddings,
    or a list of names of columns of numbers.
    """
    actors = ray.data.ActorPoolStrategy(size=n_actors)
    return rows.map_batches(Labeller, fn_constructor_args=(str(path), columns), batch_format="pyarrow", compute=actors)


# %%
# A model is fitted once, here to a sample, and saved. Then all rows are labelled.

if __name__ == "__main__":
    embeddings = np.random.default_rng(0).standard_normal((20_000, 32), dtype=np.float32)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        anchorgraph.save(anchorgraph.BKHK(16, metric="cosine", random_state=0).fit(embeddings[:5000]), path)
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        try:
            rows = ray.data.from_numpy(np.array_split(embeddings, 4))
            labelled = label_rows(rows, path, columns="data").to_pandas()
        finally:
            ray.shutdown()
    print(labelled["label"].value_counts().sort_index())
