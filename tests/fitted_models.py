"""Small fitted models of every method, in the variants that make a difference to their files."""

import warnings
from functools import cache

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from anchorgraph import (
    ADA,
    ALLDA,
    BKHK,
    CSR,
    FLRL,
    FSC,
    KNNSC,
    LADA,
    LE,
    LPP,
    LSC,
    LSDA,
    MMC,
    ONGR,
    OULGE,
    SR,
    SSDA,
    SSSC,
    ULGE,
    Adaptive,
    AnchorGraph,
    AnchorMap,
    Communities,
    Gaussian,
    Inverse,
    NystromSC,
    RowGraph,
    SelfTuning,
)
from fuzz.estimators import is_clear

N_ROWS, N_COLS = 60, 4


def make_rows(n=N_ROWS, seed=0):
    """Rows of three groups, all positive, with the number of each row's group."""
    rng = np.random.default_rng(seed)
    groups = rng.integers(3, size=n)
    return 6 + 3 * np.eye(3, N_COLS)[groups] + 0.7 * rng.standard_normal((n, N_COLS)), groups


ROWS, GROUPS = make_rows()
NEW_ROWS = np.vstack([make_rows(11, seed=1)[0], ROWS[:2]])
SPARSE = sparse.csr_array(np.where(ROWS > 6.2, ROWS, 0))
SINGLE = ROWS.astype(np.float32)
FRAME = pd.DataFrame(ROWS, columns=["length", "width", "große Höhe", "e"])
WORDS = np.array(["setosa", "virginica", "ßeta"])[GROUPS]
GRAPH = {"n_anchors": 12, "n_neighbors": 3, "random_state": 0}

VERBS = ("predict", "predict_proba", "score_samples", "transform")

UNFITTED = {
    # one of each method: the files of these are attacked in every place
    "bkhk": (BKHK(7, random_state=0), ROWS),
    "anchor_graph": (AnchorGraph(**GRAPH, search="tree"), ROWS),
    "ulge": (ULGE(**GRAPH, weighting="inverse"), ROWS),
    "oulge": (OULGE(**GRAPH), SINGLE),
    "csr": (CSR(**GRAPH), ROWS),
    "le": (LE(random_state=0), SPARSE),
    "lpp": (LPP(random_state=0), ROWS),
    "sr": (SR(kernel="rbf", random_state=0), ROWS),
    "fsc": (FSC(3, **GRAPH), ROWS),
    "ongr": (ONGR(3, **GRAPH, max_iter=3), ROWS),
    "lsc": (LSC(3, **GRAPH), ROWS),
    "knnsc": (KNNSC(3, random_state=0), ROWS),
    "nystrom_sc": (NystromSC(3, n_anchors=12, random_state=0), ROWS),
    "sssc": (SSSC(3, n_anchors=12, random_state=0), ROWS),
    "flrl": (FLRL(2, random_state=0), ROWS, WORDS),
    "mmc": (MMC(2), FRAME, GROUPS),
    "lsda": (LSDA(2), ROWS, GROUPS > 0),
    "ssda": (SSDA(2), ROWS, WORDS.astype(object)),
    "lada": (LADA(2, max_iter=3), ROWS, GROUPS.astype(float)),
    "ada": (ADA(2, max_iter=3), SINGLE, GROUPS.astype(np.uint8)),
    "allda": (ALLDA(2, max_iter=3), ROWS, GROUPS.astype(np.int32)),
    "communities": (Communities(3, random_state=0), ROWS),
    "row_graph": (RowGraph(5, random_state=0), ROWS),
    "anchor_map": (AnchorMap(random_state=0), ROWS),
    "scaled fsc": (make_pipeline(StandardScaler(), FSC(3, **GRAPH)), FRAME),
    # variants
    "bkhk, bounds": (BKHK(7, sizes=(5, 12), random_state=0), ROWS),
    "bkhk, nearest": (BKHK(7, sizes=None, random_state=0), ROWS),
    "bkhk, one leaf": (BKHK(1, random_state=0), ROWS),
    "bkhk, two leaves": (BKHK(2, random_state=0), SINGLE),
    "bkhk, sparse": (BKHK(9, random_state=np.random.RandomState(3)), SPARSE),
    "anchor_graph, names": (AnchorGraph(**GRAPH, weighting=Gaussian("local")), FRAME),
    "anchor_graph, gaussian": (AnchorGraph(**GRAPH, weighting=Gaussian(np.float32(0.3))), ROWS),
    "anchor_graph, mean": (AnchorGraph(**GRAPH, weighting=Gaussian()), SINGLE),
    "anchor_graph, inverse": (AnchorGraph(**GRAPH, weighting=Inverse(np.float32(3.3))), SINGLE),
    "anchor_graph, self-tuning": (AnchorGraph(**GRAPH, weighting="self-tuning", search="tree"), SINGLE),
    "anchor_graph, adaptive": (AnchorGraph(**GRAPH, weighting=Adaptive()), SPARSE),
    "anchor_graph, tree of hk": (AnchorGraph(**GRAPH, anchors="hk", search="tree"), SINGLE),
    "anchor_graph, sparse tree": (AnchorGraph(**GRAPH, search="tree"), SPARSE),
    "anchor_graph, given": (AnchorGraph(anchors=ROWS[:9], n_neighbors=3), ROWS),
    "anchor_graph, list": (AnchorGraph(anchors=ROWS[:9].tolist(), n_neighbors=3), SINGLE),
    "anchor_graph, KMeans": (AnchorGraph(anchors=KMeans(9, random_state=0), n_neighbors=3), ROWS),
    "anchor_graph, BKHK": (AnchorGraph(anchors=BKHK(9, random_state=0), search="tree", n_neighbors=3), ROWS),
    "ulge, float32": (ULGE(3, **GRAPH, anchors="kmeans"), SINGLE),
    "ulge, sparse": (ULGE(**GRAPH, n_jobs=2), SPARSE),
    "csr, tree": (CSR(**GRAPH, anchors="bkhk", search="tree"), SINGLE),
    "csr, no rounds": (CSR(**GRAPH, kmeans_rounds=0), ROWS),
    "le, dense": (LE(3, random_state=0), SINGLE),
    "lpp, polynomial": (LPP(kernel="polynomial", degree=2, coef0=0.5, random_state=0), SPARSE),
    "lpp, float32": (LPP(1, random_state=0), SINGLE),
    "lpp, chi2": (LPP(kernel="chi2", gamma=0.1, random_state=0), ROWS),
    "sr, linear": (SR(random_state=0), SPARSE),
    "sr, cosine": (SR(kernel="cosine", alpha=1, random_state=0), SPARSE),
    "fsc, rotation": (FSC(3, **GRAPH, rounding="rotation", normalisation="none"), ROWS),
    "fsc, qr": (FSC(3, **GRAPH, rounding="qr", trivial="keep", search="tree"), SINGLE),
    "fsc, any number": (FSC(None, **GRAPH, anchors="random"), SPARSE),
    "fsc, mask": (FSC(3, **GRAPH, metric="cosine", missing="mask"), ROWS),
    "fsc, one cluster": (FSC(1, **GRAPH, trivial="keep"), ROWS),
    "ongr, float32": (ONGR(3, **GRAPH, weighting=Gaussian("local"), lam=np.float32(0.01)), SINGLE),
    "ongr, abs": (ONGR(3, **GRAPH, plus="abs", sparsity=np.float32(0.01), init="random", max_iter=4), ROWS),
    "ongr, l21": (ONGR(3, **GRAPH, loss="l21", sparsity=1e-3, max_iter=4), SINGLE),
    "ongr, self-tuning": (ONGR(3, **GRAPH, weighting=SelfTuning(), max_iter=4), ROWS),
    "ongr, few anchors": (ONGR(9, n_anchors=5, n_neighbors=3, random_state=0), ROWS),
    "lsc, kmeans": (LSC(3, **GRAPH, anchors="kmeans", weighting="inverse"), FRAME),
    "knnsc, sparse": (KNNSC(3, random_state=0), SPARSE),
    "nystrom_sc, sparse": (NystromSC(3, n_anchors=12, random_state=0), SPARSE),
    "sssc, float32": (SSSC(3, n_anchors=12, random_state=0), SINGLE),
    "flrl, objects": (FLRL(2, anchors_per_class="auto", random_state=0), FRAME, WORDS.astype(object)),
    "flrl, within": (FLRL(2, scale="within", random_state=0), SINGLE, GROUPS),
    "communities, axes": (Communities(3, n_components=2, resolution=0.7, random_state=0), FRAME),
    "communities, sparse": (Communities(n_components=3, n_neighbors=6, random_state=0), SPARSE),
    "communities, float32": (Communities(1, max_samples=40, random_state=0), SINGLE),
    "communities, cosine": (Communities(2, metric="cosine", missing="mask", random_state=0), SPARSE),
    "communities, leaves": (Communities(2, random_state=0), make_rows(4200)[0]),
    "row_graph, mutual": (RowGraph(5, kind="mutual", random_state=0), SINGLE),
    "row_graph, fuzzy": (RowGraph(5, kind="fuzzy", mode="connectivity", random_state=0), SPARSE),
    "anchor_map, leaves": (AnchorMap(n_neighbors=5, random_state=0), make_rows(4200)[0]),
    "anchor_map, anchors": (AnchorMap(3, graph="anchors", n_anchors=20, random_state=0), SPARSE),
    "anchor_map, wide": (AnchorMap(graph="anchors", n_anchors=600, n_neighbors=4, random_state=0), make_rows(4200)[0]),
    "scaled ulge, sparse": (make_pipeline(StandardScaler(with_mean=False), ULGE(**GRAPH)), SPARSE),
    "scaled le": (make_pipeline(StandardScaler(with_std=False), LE(random_state=0)), SINGLE),
    "scaled mmc": (make_pipeline(StandardScaler(copy=False), MMC(1)), ROWS, GROUPS),
}
ATTACKED = list(UNFITTED)[: list(UNFITTED).index("bkhk, one leaf")]


@cache
def fitted(name):
    """A fitted model by its name, which is made once."""
    model, X, *y = UNFITTED[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X.copy(), *y)


def results(model, X):
    """What a model makes of rows, by each of its verbs."""
    found = {verb: getattr(model, verb)(X.copy()) for verb in VERBS if hasattr(model, verb)}
    return {verb: rows.toarray() if sparse.issparse(rows) else rows for verb, rows in found.items()}


def misuse(model, X):
    """What is silently wrong with what a model makes of rows, or None."""
    try:
        for verb, rows in results(model, X).items():
            if len(rows) != len(X):
                return f"{verb} makes {len(rows)} rows of {len(X)}"
            if not np.isfinite(rows).all():
                return f"{verb} makes numbers that are not finite"
    except ValueError as error:
        return None if is_clear(error) else f"an unclear error: {error}"
    return None
