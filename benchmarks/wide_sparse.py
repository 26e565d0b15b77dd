"""Wide sparse rows: FSC on TF-IDF as it is, beside TruncatedSVD(50) followed by FSC, which is what one would do else.

``python benchmarks/wide_sparse.py --rows 20000 --columns 30000 --filled 0.01 --runs 2``. Times of both are taken in
turn and compared within one run of the program. There are two tables:

- *made*: rows of words drawn from topics, most of them from a common background, both with Zipf's frequencies. Topics
  are just what TruncatedSVD looks for, and the background is noise in all columns: its NMI is shown, but is no target.
- *docstrings*: real text, the docstrings of the Python packages that are installed beside this one, each docstring a
  row. The class is the package; names of the packages are no words. What is installed differs from machine to machine,
  so that scores can be compared within one run only.
"""

import argparse
import ast
import importlib.util
import warnings
from pathlib import Path

import numpy as np
from record import Row, best_seconds, keep, show
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer
from sklearn.pipeline import make_pipeline

from anchorgraph import FSC
from anchorgraph.anchors import grow_bkhk
from anchorgraph.metrics import nmi
from anchorgraph.numerics.execution import execution
from anchorgraph.table import as_table

PACKAGES = [
    "asyncio",
    "dask",
    "distributed",
    "email",
    "fontTools",
    "matplotlib",
    "networkx",
    "numba",
    "numpy",
    "pandas",
    "pyarrow",
    "scipy",
    "sklearn",
    "sympy",
]
FEWEST_DOCSTRINGS = 200
N_TOPICS = 20
BACKGROUND = 0.8
"""Share of the words of a row that are drawn from the background and not from its topic."""


def made(n_rows, n_cols, filled, seed=0):
    """TF-IDF of made rows, and the topic of each; a row has about ``filled * n_cols`` different words."""
    rng = np.random.default_rng(seed)
    zipf = 1 / (np.arange(n_cols) + 10.0)
    zipf /= zipf.sum()
    words_of = [np.cumsum(zipf), *(np.cumsum(zipf[np.argsort(rng.permutation(n_cols))]) for _ in range(N_TOPICS))]
    topics = rng.integers(0, N_TOPICS, n_rows)
    lengths = rng.poisson(filled * n_cols * rng.lognormal(0.05, 0.4, n_rows)) + 1
    rows = np.repeat(np.arange(n_rows), lengths)
    source = np.where(rng.random(len(rows)) < BACKGROUND, 0, 1 + topics[rows])
    words = np.empty(len(rows), dtype=np.int64)
    for number, cumulated in enumerate(words_of):
        own = source == number
        words[own] = np.searchsorted(cumulated, rng.random(own.sum()) * cumulated[-1])
    counts = sparse.csr_array((np.ones(len(rows)), (rows, words)), shape=(n_rows, n_cols))
    return TfidfTransformer().fit_transform(counts), topics


def docstrings(n_rows, n_cols, seed=0):
    """TF-IDF of docstrings of installed packages, and the package of each; at most ``n_rows`` of them."""
    texts = {}
    found = [name for name in PACKAGES if importlib.util.find_spec(name) is not None]
    for label, name in enumerate(found):
        own = sorted(set(docstrings_of(name)))
        if len(own) >= FEWEST_DOCSTRINGS:
            texts |= {text: label for text in own if text not in texts}
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(len(texts))[:n_rows]
    words, labels = np.array(list(texts), dtype=object)[chosen], np.array(list(texts.values()))[chosen]
    vectorizer = TfidfVectorizer(
        max_features=n_cols,
        sublinear_tf=True,
        min_df=2,
        stop_words=[name.lower() for name in found],
        token_pattern=r"[a-zA-Z]{2,}",
    )
    return vectorizer.fit_transform(words), np.unique(labels, return_inverse=True)[1]


def docstrings_of(package):
    """The docstrings of at least 200 characters in the files of a package, its tests left out."""
    places = importlib.util.find_spec(package).submodule_search_locations
    for path in sorted(path for place in places for path in Path(place).rglob("*.py")):
        if "tests" in path.parts:
            continue
        try:
            with warnings.catch_warnings(action="ignore"):  # of escapes in their strings
                tree = ast.parse(path.read_text())
        except (SyntaxError, UnicodeDecodeError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node) or ""
                if len(text) >= 200:
                    yield text


def quantisation(X, tree):
    """Sum of squared distances of rows to the means of their leaves; rows and leaves are never dense at once."""
    squares = X.multiply(X).sum()
    sizes = np.bincount(tree.labels)
    return float(squares - (sizes * (tree.anchors.points.astype(np.float64) ** 2).sum(axis=1)).sum())


def measure(name, X, y, seeds, runs):
    """Fits of one table, whole and after TruncatedSVD, and the tree alone."""
    n_clusters = int(y.max()) + 1
    share = 100 * X.nnz / np.prod(X.shape)
    shape = f"{X.shape[0]:,} x {X.shape[1]:,}, {share:.2f} % filled, {n_clusters} classes"
    seconds, scores = {}, {}
    for seed in range(seeds):
        for title, method in {
            "FSC": FSC(n_clusters, random_state=seed),
            "TruncatedSVD(50) + FSC": make_pipeline(
                TruncatedSVD(50, random_state=seed), FSC(n_clusters, random_state=seed)
            ),
        }.items():
            for _ in range(runs):
                taken, model = best_seconds(lambda method=method: method.fit(X), 1)
                seconds.setdefault(title, []).append(taken)
            scores.setdefault(title, []).append(100 * nmi(y, getattr(model, "steps", [[model]])[-1][-1].labels_))
    times = {title: min(taken) for title, taken in seconds.items()}
    ratio = times["FSC"] / times["TruncatedSVD(50) + FSC"]
    yield Row(f"{name}: FSC / (TruncatedSVD(50) + FSC)", ratio, "times", "<= 5", runs * seeds, shape)
    for title, taken in times.items():
        yield Row(f"{name}: {title}", taken, "s", "", runs * seeds)
    gain = np.mean(scores["FSC"]) - np.mean(scores["TruncatedSVD(50) + FSC"])
    yield Row(
        f"{name}: NMI of FSC beyond TruncatedSVD(50) + FSC",
        gain,
        "points",
        ">= 0" if name == "docstrings" else "",
        seeds,
    )
    for title, values in scores.items():
        each = " ".join(f"{value:.1f}" for value in values)
        yield Row(f"{name}: NMI of {title}", np.mean(values), "points", "", seeds, f"mean of seeds: {each}")
    with execution():
        taken, tree = best_seconds(lambda: grow_bkhk(as_table(sparse.csr_array(X)), 1024, seed=0), runs)
    yield Row(f"{name}: BKHK, 1,024 leaves", taken, "s", "", runs)
    sizes = np.bincount(tree.labels)
    yield Row(f"{name}: largest leaf - smallest", np.ptp(sizes), "rows", "<= 1")
    yield Row(f"{name}: squared distance to the mean of the leaf", quantisation(X, tree) / X.shape[0], "a row")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="made, docstrings; all by default")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--columns", type=int, default=30_000)
    parser.add_argument(
        "--filled", type=float, default=0.01, help="share of the entries of made rows that are not zero"
    )
    parser.add_argument("--seeds", type=int, default=3, help="seeds of the methods")
    parser.add_argument("--runs", type=int, default=1, help="runs with each seed; the shortest of all counts")
    chosen = parser.parse_args()
    tables = {
        "made": lambda: made(chosen.rows, chosen.columns, chosen.filled),
        "docstrings": lambda: docstrings(chosen.rows, chosen.columns),
    }
    rows = []
    for name in chosen.tables or tables:
        for row in measure(name, *tables[name](), chosen.seeds, chosen.runs):
            show(row)
            rows.append(row)
    keep("-".join(["wide_sparse", *chosen.tables]), rows)
