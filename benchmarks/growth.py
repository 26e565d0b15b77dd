"""Communities of more and more rows: time a row, memory and adjusted Rand index, and data that are files.

``python benchmarks/growth.py --largest 100000`` clusters 10,000, 30,000 and 100,000 rows of 50 columns, by default up
to 1,000,000: a mixture of 100 Gaussian clusters of unequal size, width and shape. Each fit has a process of its own. It
prints seconds, by stage too, µs a row and how much that is of the µs a row at 100,000, the memory beyond the input at
the peak of the fit and the most that the process had, and the adjusted Rand index.

``--extend`` also clusters MNIST-extend (630,000 x 784, made in TMPDIR) from a memory map, the pages of which are not
counted in the memory beyond the input. ``--sample`` also clusters 20,000,000 x 32 rows from a file in TMPDIR (2.5 GB)
by a sample of 1,000,000; ``--sample 400000`` makes so many rows, of which at most half are the sample. Run by ``make
bench-scale`` with both.
"""

import argparse
import json
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from isolated import in_a_process, memory_of
from mixture import unequal_gaussians
from record import Row, run_sections
from scale import LARGE, N_CLUSTERS, N_COLS
from sklearn.metrics import adjusted_rand_score

from anchorgraph import Communities
from anchorgraph.bench.protocols.timed import timed
from anchorgraph.datasets import extend_images, load, make_mixture
from anchorgraph.metrics import clustering_accuracy, nmi

ROWS = (10_000, 30_000, 100_000, 300_000, 1_000_000)
BASE_ROWS = 100_000
"""Growth is counted from here."""
MADE_COLS, MADE_CLUSTERS = 50, 100
N_SAMPLED = 1_000_000


def fit(model, X):
    """A fit after a small one, which has loaded all libraries: the model, its seconds by stage, and its memory."""
    Communities(5, random_state=0).fit(np.random.default_rng(0).random((1000, 50), dtype=np.float32))
    (model, seconds), memory = memory_of(lambda: timed(lambda: model.fit(X)))
    del seconds["seconds before clusters"]  # a stage of other methods
    return model, {**seconds, **memory}


def measure_made(n_rows):
    X, y = unequal_gaussians(int(n_rows), MADE_COLS, MADE_CLUSTERS)
    model, figures = fit(Communities(MADE_CLUSTERS, random_state=0), X)
    return {**figures, "rand": adjusted_rand_score(y, model.labels_)}


def measure_extended(folder):
    X, y = (np.load(Path(folder) / name, mmap_mode="r") for name in ("rows.npy", "labels.npy"))
    model, figures = fit(Communities(10, random_state=0), X)
    return {**figures, "accuracy": clustering_accuracy(y, model.labels_), "nmi": nmi(y, model.labels_)}


def measure_sampled(folder, max_samples):
    model = Communities(N_CLUSTERS, max_samples=int(max_samples), random_state=0)
    model, figures = fit(model, str(Path(folder) / "rows.npy"))
    return {**figures, "rand": adjusted_rand_score(np.load(Path(folder) / "clusters.npy"), np.asarray(model.labels_))}


MEASURED = {"made": measure_made, "extended": measure_extended, "sampled": measure_sampled}


def growth(largest):
    """Rows of 50 columns from 10⁴ to 10⁶."""
    base = None
    for n in (n for n in ROWS if n <= largest):
        found, last = in_a_process(__file__, "made", n), n == ROWS[-1]
        what, each = f"{n:>9,} x {MADE_COLS}", 1e6 * found["seconds"] / n
        yield Row(f"{what}, seconds", found["seconds"], "s", "<= 60" if last else "", note=stages(found))
        yield Row(f"{what}, time a row", each, "µs/row")
        if n >= BASE_ROWS:
            base = base or each
            yield Row(f"{what}, time a row / at {BASE_ROWS:,}", each / base, "times", "<= 1.25")
        yield from memory_rows(what, found["beyond"], found["peak"], "<= 2048" if last else "")
        yield Row(f"{what}, adjusted Rand", found["rand"], "")


def stages(found):
    names = [key for key in found if key.startswith("seconds of ")]
    return ", ".join(f"{name.removeprefix('seconds of ')} {found[name]:.1f}" for name in names)


def memory_rows(what, beyond, peak, target):
    yield Row(f"{what}, memory beyond the input", beyond / 2**20, "MiB")
    yield Row(f"{what}, the whole process", peak / 2**20, "MiB", target)


def extended():
    """MNIST-extend from a memory map."""
    data = load("mnist")
    with tempfile.TemporaryDirectory(prefix="anchorgraph-growth-") as folder:
        extend_images(data.X, data.y, folder)
        found = in_a_process(__file__, "extended", folder)
    what = f"MNIST-extend, {9 * len(data.X):,} x {data.X.shape[1]}"
    yield Row(f"{what}, seconds", found["seconds"], "s", note=stages(found))
    yield from memory_rows(what, found["own"], found["peak"], "")
    yield Row(f"{what}, accuracy", found["accuracy"], "", ">= 0.95")
    yield Row(f"{what}, NMI", found["nmi"], "")


def sampled(n_rows):
    """A mixture from a file, by a sample."""
    with tempfile.TemporaryDirectory(prefix="anchorgraph-growth-") as folder:
        make_mixture(n_rows, N_COLS, N_CLUSTERS, folder)
        found = in_a_process(__file__, "sampled", folder, min(N_SAMPLED, n_rows // 2))
    what = f"{n_rows:,} x {N_COLS} from a file"
    yield Row(f"{what}, seconds", found["seconds"], "s", note=stages(found))
    yield from memory_rows(what, found["own"], found["peak"], "<= 2048")
    yield Row(f"{what}, adjusted Rand", found["rand"], "")


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        print(json.dumps(MEASURED[sys.argv[2]](*sys.argv[3:])))
    else:
        parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
        parser.add_argument("--largest", type=int, default=ROWS[-1], help="most made rows")
        parser.add_argument("--extend", action="store_true", help="MNIST-extend too")
        parser.add_argument("--sample", type=int, nargs="?", const=LARGE, metavar="ROWS", help="a file, by a sample")
        chosen = parser.parse_args()
        sections = {"growth": partial(growth, chosen.largest)}
        if chosen.extend:
            sections["extend"] = extended
        if chosen.sample:
            sections["sample"] = partial(sampled, chosen.sample)
        run_sections("growth", sections, [])
