"""Data larger than memory: files under a limit of 1 GB, a Dask cluster, and MNIST-extend from a memory map.

Run by ``make bench-scale``; sections can be named: ``python benchmarks/scale.py files``. Each fit has a process of its
own, so that its memory is its own. Data are made in a temporary folder (TMPDIR; 3 GB, and 2 GB while a fit runs; in the
section ``hundred`` 16 GB, and 8 GB while a fit runs) and removed at the end.
"""

import json
import resource
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np
from isolated import in_a_process, peak_bytes
from record import Row, run_sections

from anchorgraph.datasets import extend_images, load, make_mixture

SMALL, LARGE, HUGE = 1_000_000, 20_000_000, 100_000_000
N_COLS, N_CLUSTERS = 32, 10
LIMIT_BYTES = 2**30
WORKING_MEMORY = 64
"""scikit-learn's setting, in MiB, for a process that has 1 GB in all: an eighth is a block, a quarter may be kept."""
CHUNK_ROWS = 250_000


def estimator(name):
    from anchorgraph import FSC, ULGE

    methods = {"FSC": FSC(N_CLUSTERS, random_state=0), "ULGE": ULGE(N_CLUSTERS - 1, random_state=0)}
    return methods[name]


def clusters_of(model, rows, lines):
    """The cluster of some rows: that of the fit, or by k-means in the space that was learnt."""
    from sklearn.cluster import KMeans

    if hasattr(model, "labels_"):
        return np.asarray(model.labels_[lines])
    embedded = model.transform(rows)
    return KMeans(N_CLUSTERS, n_init=10, random_state=0).fit_predict(embedded)


def measure(name, folder, engine):
    """Fit in this process, and print what it took as JSON."""
    import sklearn
    from sklearn.metrics import adjusted_rand_score

    folder = Path(folder)
    model, path = estimator(name), folder / "rows.npy"
    sklearn.set_config(working_memory=WORKING_MEMORY)
    ready = ENGINES[engine](path)
    with ready as source:
        start = time.perf_counter()
        model.fit(source)
        seconds = time.perf_counter() - start
        peak, *workers = ready.peaks()  # before rows are looked up for the check
        true = np.load(folder / "clusters.npy", mmap_mode="r")
        lines = np.linspace(0, len(true) - 1, 200_000).astype(np.intp)
        found = clusters_of(model, np.load(path, mmap_mode="r")[lines], lines)
    rand = adjusted_rand_score(true[lines], found)
    print(json.dumps({"seconds": seconds, "peak": peak, "workers": workers, "rand": rand}))


class FromFile:
    """The path itself, in a process that may not have more than the limit."""

    def __init__(self, path):
        self._path = str(path)

    def __enter__(self):
        resource.setrlimit(resource.RLIMIT_DATA, (LIMIT_BYTES, LIMIT_BYTES))
        return self._path

    def peaks(self):
        return [peak_bytes()]

    def __exit__(self, *error):
        pass


class FromDask:
    """A Dask array of pieces of the file, and a cluster of two workers that have the limit each."""

    def __init__(self, path):
        self._path = path

    def __enter__(self):
        import dask
        import dask.array as da
        from distributed import Client, LocalCluster

        self._cluster = LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit=LIMIT_BYTES, dashboard_address=":0"
        ).__enter__()
        self._client = Client(self._cluster)
        n_rows = np.load(self._path, mmap_mode="r").shape[0]
        read = dask.delayed(read_rows)
        blocks = [
            da.from_delayed(read(self._path, start, start + CHUNK_ROWS), (CHUNK_ROWS, N_COLS), np.float32)
            for start in range(0, n_rows, CHUNK_ROWS)
        ]
        return da.concatenate(blocks)

    def peaks(self):
        return [peak_bytes(), *self._client.run(peak_bytes).values()]

    def __exit__(self, *error):
        self._client.close()
        self._cluster.__exit__(None, None, None)


def read_rows(path, start, stop):
    return np.array(np.load(path, mmap_mode="r")[start:stop])


ENGINES = {"file": FromFile, "dask": FromDask}


def fits(engine, n_small, n_large, methods, most_growth=1.5):
    """Some methods at both sizes: time a row, memory, and how well the clusters are found."""
    with tempfile.TemporaryDirectory(prefix="anchorgraph-scale-") as folder:
        small, large = Path(folder) / "small", Path(folder) / "large"
        for where, n_rows in ((small, n_small), (large, n_large)):
            where.mkdir()
            make_mixture(n_rows, N_COLS, N_CLUSTERS, where)
        for name in methods:
            of_small, of_large = (in_a_process(__file__, name, where, engine) for where in (small, large))
            what = f"{name}, {engine}, {n_large:,} x {N_COLS}"
            yield Row(what, of_large["seconds"], "s")
            yield Row(
                f"{what}, cost a row", of_large["seconds"] / n_large * 1e6, "us", "<= 2" if engine == "file" else ""
            )
            cost = of_large["seconds"] / n_large / (of_small["seconds"] / n_small)
            yield Row(f"{what}, cost a row / at {n_small:,}", cost, "times", f"<= {most_growth}")
            yield Row(f"{what}, this process", of_large["peak"] / 2**20, "MiB", "<= 1024")
            yield Row(f"{what}, adjusted Rand", of_large["rand"], "", ">= 0.95")
            if engine != "file":
                yield Row(f"{what}, largest worker", max(of_large["workers"]) / 1e6, "MB", "<= 500")
                of_file = in_a_process(__file__, name, large, "file")
                yield Row(f"{what} / file", of_large["seconds"] / of_file["seconds"], "times", "<= 1.15")


def mnist_extend():
    """The ONGR paper's MNIST-extend, clustered from a memory map."""
    from anchorgraph import FSC, ONGR
    from anchorgraph.metrics import clustering_accuracy, nmi

    data = load("mnist")
    with tempfile.TemporaryDirectory(prefix="anchorgraph-scale-") as folder:
        rows, labels = extend_images(data.X, data.y, folder)
        X, y = np.load(rows, mmap_mode="r"), np.load(labels)
        for method in (FSC(10, random_state=0), ONGR(10, random_state=0)):
            start = time.perf_counter()
            found = method.fit(X).labels_
            what = f"{type(method).__name__}, MNIST-extend, {X.shape[0]:,} x {X.shape[1]} from a memory map"
            note = f"accuracy {100 * clustering_accuracy(y, found):.1f}, NMI {100 * nmi(y, found):.1f}"
            yield Row(what, time.perf_counter() - start, "s", note=note)


SECTIONS = {
    "files": partial(fits, "file", SMALL, LARGE, ["FSC", "ULGE"]),
    "dask": partial(fits, "dask", SMALL, LARGE, ["FSC", "ULGE"]),
    "hundred": partial(fits, "file", LARGE, HUGE, ["FSC"], 1.1),
    "mnist": mnist_extend,
}

if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(*sys.argv[2:])
    else:
        run_sections("scale", SECTIONS, sys.argv[1:])
