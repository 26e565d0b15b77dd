"""Data as people have them, clustered by the program: a CSV file larger than memory, and vectors in a Parquet file.

Run by ``make bench-scale``; sections can be named: ``python benchmarks/formats.py vectors``. Sizes are adjusted by
``ANCHORGRAPH_CSV_GB`` (5) and ``ANCHORGRAPH_VECTORS`` (2,000,000 rows of 768 float16). Files are made in a temporary
folder (TMPDIR; about twice the CSV file, and 7 GB for the vectors) and removed at the end. The program runs in a
process of its own, whose time and largest memory are measured.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv
from record import Row, run_sections
from sklearn.metrics import adjusted_rand_score

CSV_BYTES = int(float(os.environ.get("ANCHORGRAPH_CSV_GB", 5)) * 1e9)
N_VECTORS = int(os.environ.get("ANCHORGRAPH_VECTORS", 2_000_000))
WIDTH, N_COLS, N_CLUSTERS = 768, 32, 10
BLOCK_ROWS = 20_000


def program(*arguments):
    """Run the program; seconds, and the most memory that it had."""
    command = [str(Path(sys.executable).with_name("anchorgraph")), *map(str, arguments)]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    with process.stderr:
        said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{' '.join(command)} failed:\n{said[-2000:]}")
    return time.perf_counter() - start, usage.ru_maxrss * 1024


def made_blocks(n_rows, n_cols, spread):
    """Blocks of rows of a mixture, and their clusters."""
    centres = spread * np.random.default_rng(0).standard_normal((N_CLUSTERS, n_cols), dtype=np.float32)
    for number, start in enumerate(range(0, n_rows, BLOCK_ROWS)):
        rng, size = np.random.default_rng([1, number]), min(BLOCK_ROWS, n_rows - start)
        own = rng.integers(N_CLUSTERS, size=size)
        yield centres[own] + rng.standard_normal((size, n_cols), dtype=np.float32), own


def write_csv(path, n_bytes):
    """A file of at least so many bytes; the clusters of its rows."""
    names, clusters = [f"x{i}" for i in range(N_COLS)], []
    schema = pa.schema([(name, pa.float32()) for name in names])
    with csv.CSVWriter(path, schema) as writer:
        for rows, own in made_blocks(10**9, N_COLS, 1.0):
            writer.write(pa.table([pa.array(np.ascontiguousarray(column)) for column in rows.T], schema=schema))
            clusters.append(own)
            if path.stat().st_size >= n_bytes:
                break
    return np.concatenate(clusters)


def large_csv():
    """A CSV file that is larger than the memory that is used."""
    with tempfile.TemporaryDirectory(prefix="anchorgraph-formats-") as folder:
        path, out = Path(folder) / "rows.csv", Path(folder) / "labels.npy"
        clusters = write_csv(path, CSV_BYTES)
        what = f"FSC, CSV of {path.stat().st_size / 1e9:.1f} GB, {len(clusters):,} x {N_COLS}"
        seconds, peak = program("cluster", path, "--method", "fsc", "-k", N_CLUSTERS, "-o", out, "--quiet")
        yield Row(what, seconds, "s", note="the file is parsed once")
        yield Row(f"{what}, largest process", peak / 2**20, "MiB", "<= 1024")
        yield Row(f"{what}, adjusted Rand", adjusted_rand_score(clusters, np.load(out)), "", ">= 0.95")


def vectors():
    """Vectors beside ids in a Parquet file, and the same rows in a .npy file, by cosine."""
    with tempfile.TemporaryDirectory(prefix="anchorgraph-formats-") as folder:
        parquet, npy = Path(folder) / "vectors.parquet", Path(folder) / "vectors.npy"
        clusters = write_vectors(parquet, npy, N_VECTORS)
        options = ("--metric", "cosine", "--method", "fsc", "-k", N_CLUSTERS, "--quiet")
        seconds, peaks = {}, {}
        for path in (npy, parquet, npy, parquet):
            out = path.with_suffix(".labels.npy")
            took, peak = program("cluster", path, *options, "-o", out)
            seconds[path] = min(took, seconds.get(path, np.inf))
            peaks[path] = max(peak, peaks.get(path, 0))
            labels = np.load(out)
            out.unlink()
        what = f"FSC by cosine, {N_VECTORS:,} x {WIDTH} float16"
        for path in (npy, parquet):
            yield Row(f"{what}, {path.suffix}", seconds[path], "s", runs=2)
            yield Row(f"{what}, {path.suffix}, largest process", peaks[path] / 2**20, "MiB", runs=2)
        yield Row(f"{what}, Parquet / .npy", seconds[parquet] / seconds[npy], "times", "<= 1.5", runs=2)
        yield Row(f"{what}, adjusted Rand", adjusted_rand_score(clusters, labels), "", ">= 0.95", runs=2)


def write_vectors(parquet, npy, n_rows):
    """The same vectors in both files; the clusters of their rows."""
    clusters, kind = [], pa.list_(pa.float16(), WIDTH)
    in_npy = np.lib.format.open_memmap(npy, "w+", np.float16, (n_rows, WIDTH))
    with pq.ParquetWriter(parquet, pa.schema([("id", pa.string()), ("emb", kind)]), compression="none") as writer:
        n_written = 0
        for rows, own in made_blocks(n_rows, WIDTH, 0.3):
            rows = rows.astype(np.float16)
            ids = pa.array([f"row-{n_written + number}" for number in range(len(rows))])
            emb = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), WIDTH)
            writer.write_table(pa.table({"id": ids, "emb": emb}))
            in_npy[n_written : n_written + len(rows)] = rows
            n_written += len(rows)
            clusters.append(own)
    in_npy.flush()
    return np.concatenate(clusters)


SECTIONS = {"csv": large_csv, "vectors": vectors}

if __name__ == "__main__":
    run_sections("formats", SECTIONS, sys.argv[1:])
