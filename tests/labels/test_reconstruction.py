import numpy as np
import pytest
from scipy import sparse

from anchorgraph import AnchorGraph
from anchorgraph.labels import STARTS, Objective, labels_of, random_start, replay
from anchorgraph.labels import reconstruct as reconstruct_table
from anchorgraph.labels.reconstruction import _votes, polar_factor
from anchorgraph.numerics.execution import execution
from anchorgraph.spectrum import anchor_gram, anchor_spectrum, with_trivial
from anchorgraph.table import as_table
from reference import graph as literal_graph
from reference import ongr as literal

FORMS = {
    "eq. 7": {},
    "abs": {"plus": "abs"},
    "norms": {"loss": "l21"},
    "sparse": {"sparsity": 0.02},
    "sparse abs": {"sparsity": 0.02, "plus": "abs"},
    "sparse norms": {"sparsity": 0.02, "loss": "l21"},
    "all": {"sparsity": 0.02, "loss": "l21", "plus": "abs"},
}


def reconstruct(Z, *args, lam, max_iter, tol, **form):
    """For rows of Z in memory, and with memberships in memory."""
    objective = Objective(lam, **form)
    reconstruction, G, objectives = reconstruct_table(
        as_table(Z), *args, objective=objective, max_iter=max_iter, tol=tol
    )
    return reconstruction, G.rows(), objectives


def prepared(X, c, m=30):
    Z = AnchorGraph(m, random_state=0).fit_transform(X)
    gram, degrees = anchor_gram(as_table(Z))
    spectrum = with_trivial(anchor_spectrum(gram, degrees, c - 1), len(X))
    return Z, gram, degrees, spectrum.anchor_map


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("lam", [1e-3, 0.5, 100.0])
def test_every_round_is_the_papers(digits, start, lam, monkeypatch):
    """G, F and the objective of Eq. 7 step by step, against the n×n graph; and the objective never increases."""
    check_rounds(digits, start, lam, monkeypatch)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("lam", [0.0, 0.1, 100.0])
def test_every_round_of_every_form_is_the_references(digits, form, lam, monkeypatch):
    check_rounds(digits, "qr", lam, monkeypatch, **FORMS[form])


def check_rounds(digits, start, lam, monkeypatch, **form):
    monkeypatch.setattr("anchorgraph.labels.reconstruction.ROUND_BYTES", 2**12)  # several pieces
    Z, gram, degrees, anchor_map = prepared(digits[:200], 4)
    beginning = anchor_map @ STARTS[start](as_table(Z @ anchor_map), 0)
    W = literal_graph.similarity(Z.toarray())
    expected = literal.rounds(W, Z @ beginning, lam, 6, **form)
    before = np.inf
    for n_rounds in range(1, 7):
        reconstruction, G, objectives = reconstruct(
            Z, gram, degrees, beginning, lam=lam, max_iter=n_rounds, tol=-1, **form
        )
        F, expected_g, after_g, after_f = expected[n_rounds - 1]
        np.testing.assert_allclose(G, expected_g, atol=1e-8)
        np.testing.assert_allclose(objectives[-1], after_g, rtol=1e-10)
        np.testing.assert_allclose(reconstruction.of_f[-1], np.diag(1 / degrees) @ Z.T @ F, atol=1e-8)
        assert after_g <= before + 1e-9 or form.get("plus") == "abs"
        assert after_f <= after_g + 1e-9
        before = after_f


@pytest.mark.parametrize("form", FORMS)
def test_a_row_of_g_minimises_its_weighted_objective(form):
    """Also where (·)₊ is the absolute value, if the numbers in it are not negative."""
    rng = np.random.default_rng(0)
    objective = Objective(0.3, **FORMS[form])
    af, f = rng.standard_normal((2, 50, 4))
    if objective.plus == "abs":
        af, f = np.abs(af), np.abs(f)
    w = np.ones((50, 1)) if objective.loss == "squared" else rng.uniform(0.1, 3, (50, 1))

    def values(g):
        return np.sum(w * (g**2 - 2 * g * af) + 0.3 * (f - g) ** 2 + objective.sparsity * g, axis=1)

    g = objective.memberships(af, f, w)
    assert (g >= 0).all()
    for step in (1e-3, 0.1, 1):
        for _ in range(50):
            assert (values(g) <= values(np.maximum(g + step * rng.standard_normal(g.shape), 0)) + 1e-12).all()


def test_the_absolute_value_is_no_minimiser(digits):
    """With the same F, Eq. 7 is larger than with max(·, 0), and it can increase from round to round."""
    Z, gram, degrees, anchor_map = prepared(digits[:200], 4)
    start = anchor_map @ STARTS["rotation"](as_table(Z @ anchor_map), 0)
    clip, absolute = (
        reconstruct(Z, gram, degrees, start, lam=0.1, max_iter=40, tol=-1, plus=plus)[2] for plus in ("clip", "abs")
    )
    assert absolute[0] > clip[0]
    assert (np.diff(clip) <= 1e-9).all()
    assert (np.diff(absolute) > 1e-5).any()


def test_a_threshold_empties_more_memberships(digits):
    Z, gram, degrees, anchor_map = prepared(digits[:200], 4)
    start = anchor_map @ STARTS["qr"](as_table(Z @ anchor_map), 0)
    found = [
        np.count_nonzero(reconstruct(Z, gram, degrees, start, lam=0.1, max_iter=9, tol=-1, sparsity=mu)[1])
        for mu in (0, 0.01, 0.05, 0.1)
    ]
    assert found == sorted(found, reverse=True)
    assert found[-1] < found[0] / 1.3
    reconstruction, G, objectives = reconstruct(
        Z, gram, degrees, start, lam=0.1, max_iter=9, tol=-1, sparsity=10.0, loss="l21"
    )
    assert not G.any()  # nothing is left, and F is the start again
    np.testing.assert_array_equal(labels_of(reconstruction, Z, G), 0)
    assert np.isfinite(objectives).all()


def test_rows_that_are_badly_reconstructed_weigh_less():
    weights = Objective(0.1, loss="l21").weights(np.array([[0.0], [1e-4], [0.01], [1.0]]), np.ones((4, 1)))
    np.testing.assert_allclose(weights[:, 0], [5000, 50, 5, 0.5])
    assert np.isfinite(Objective(0.1, loss="l21").weights(np.zeros((1, 1)), np.zeros((1, 1)))).all()


@pytest.mark.parametrize("form", FORMS)
def test_new_rows_go_through_the_same_rounds(digits, form):
    Z, gram, degrees, anchor_map = prepared(digits[:300], 5)
    options = {"lam": 0.1, "max_iter": 20, "tol": 1e-3}
    reconstruction, G, _ = reconstruct(Z, gram, degrees, anchor_map, **options, **FORMS[form])
    np.testing.assert_allclose(replay(reconstruction, Z), G, atol=1e-12)
    np.testing.assert_allclose(replay(reconstruction, Z[40:45]), G[40:45], atol=1e-12)


def test_threads_change_nothing(digits, monkeypatch):
    monkeypatch.setattr("anchorgraph.labels.reconstruction.ROUND_BYTES", 2**14)  # several pieces
    Z, gram, degrees, anchor_map = prepared(digits, 5, 100)
    found = []
    for n_jobs in (1, 2):
        with execution(n_jobs):
            found.append(reconstruct(Z, gram, degrees, anchor_map, lam=0.1, max_iter=5, tol=-1)[1])
    one, two = found
    np.testing.assert_array_equal(one, two)


def test_it_ends_when_few_labels_change(digits):
    Z, gram, degrees, anchor_map = prepared(digits, 5, 100)
    ends = [
        len(reconstruct(Z, gram, degrees, anchor_map, lam=0.1, max_iter=50, tol=tol)[2]) for tol in (0.5, 0.01, 1e-4)
    ]
    assert ends[0] <= ends[1] <= ends[2] < 50


def test_rows_without_memberships_follow_their_neighbours():
    """Two groups around two anchors each; the last row's memberships are set to zero by hand."""
    Z = sparse.csr_array(np.repeat([[0.6, 0.4, 0, 0], [0, 0, 0.5, 0.5]], 5, axis=0))
    gram, degrees = anchor_gram(as_table(Z))
    spectrum = with_trivial(anchor_spectrum(gram, degrees, 1), 10)
    start = spectrum.anchor_map @ STARTS["qr"](as_table(Z @ spectrum.anchor_map), 0)
    reconstruction, G, _ = reconstruct(Z, gram, degrees, start, lam=0.1, max_iter=10, tol=-1)
    labels = labels_of(reconstruction, Z, G)
    assert len(set(labels[:5])) == len(set(labels[5:])) == 1
    assert labels[0] != labels[5]
    G[9] = 0
    np.testing.assert_array_equal(labels_of(reconstruction, Z, G), labels)


def test_anchors_without_votes_take_those_of_anchors_nearby():
    transitions = sparse.csr_array(np.array([[0.8, 0.2, 0, 0], [0.2, 0.6, 0.2, 0], [0, 0.2, 0.8, 0], [0, 0, 0, 1.0]]))
    votes = _votes(np.array([[1.0, 0], [0, 0], [0, 0], [0, 0]]), transitions)
    assert votes[:3].argmax(axis=1).tolist() == [0, 0, 0]
    assert votes[:3].any(axis=1).all()
    assert not votes[3].any()  # nothing is nearby


def test_votes_go_a_long_way():
    chain = sparse.diags_array([1 / 3, 1 / 3, 1 / 3], offsets=[-1, 0, 1], shape=(80, 80)).tocsr()
    votes = np.zeros((80, 2))
    votes[0, 1] = 1
    assert (_votes(votes, chain).argmax(axis=1) == 1).all()


def test_vectors_are_oriented_before_they_are_clipped():
    rows = np.array([[-1.0, 0.1], [-1.0, -0.2], [-1.0, 0.3]])
    np.testing.assert_array_equal(STARTS["singular"](as_table(rows), 0), np.diag([-1.0, 1.0]))


def test_a_random_start_is_orthonormal_and_follows_the_seed(digits):
    Z, gram, _, anchor_map = prepared(digits[:200], 4)
    starts = [random_start(gram, anchor_map, seed) for seed in (0, 0, 1)]
    for start in starts:
        np.testing.assert_allclose((Z @ start).T @ (Z @ start), np.eye(4), atol=1e-12)
    np.testing.assert_array_equal(starts[0], starts[1])
    assert not np.allclose(starts[0], starts[2])


def test_a_random_start_leaves_out_anchors_without_rows_and_needs_no_more_directions_than_there_are():
    Z = sparse.csr_array(np.repeat([[1.0, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 1e-7, 1 - 1e-7, 0]], 5, axis=0))
    gram, degrees = anchor_gram(as_table(Z))
    spectrum = with_trivial(anchor_spectrum(gram, degrees, 2), 15)
    start = random_start(gram, spectrum.anchor_map, 0)
    np.testing.assert_allclose((Z @ start).T @ (Z @ start), np.eye(3), atol=1e-10)
    np.testing.assert_array_equal(start[3], 0)


@pytest.mark.parametrize("rank", [4, 3, 1])
def test_the_polar_factor_has_orthonormal_columns_and_the_largest_trace(rank):
    rng = np.random.default_rng(0)
    M = rng.standard_normal((20, rank)) @ rng.standard_normal((rank, 4))
    beginning = np.linalg.qr(rng.standard_normal((20, 4)))[0]
    P, R = polar_factor(M.T @ M, M.T @ beginning)
    F = M @ P + beginning @ R
    np.testing.assert_allclose(F.T @ F, np.eye(4), atol=1e-8)
    np.testing.assert_allclose(np.trace(F.T @ M), np.linalg.svd(M, compute_uv=False).sum())  # Eq. 10
    if rank == 4:
        np.testing.assert_array_equal(R, 0)


@pytest.mark.parametrize("smallest", [1e-4, 1e-5, 1e-6, 1e-7, 1e-9])
def test_the_polar_factor_of_a_nearly_lost_column_is_orthonormal(smallest):
    rng = np.random.default_rng(0)
    left, right = (np.linalg.qr(rng.standard_normal((n, 6)))[0] for n in (500, 6))
    M = left * [1, 1, 1, 1, 1, smallest] @ right.T
    beginning = np.linalg.qr(rng.standard_normal((500, 6)))[0]
    P, R = polar_factor(M.T @ M, M.T @ beginning)
    F = M @ P + beginning @ R
    np.testing.assert_allclose(F.T @ F, np.eye(6), atol=1e-4)


@pytest.mark.parametrize("shortest", [1e-3, 1e-6, 1e-9, 1e-11])
def test_a_short_column_loses_no_digits(shortest):
    rng = np.random.default_rng(0)
    M = rng.standard_normal((500, 6)) * [1, 1, 1, 1, 1, shortest]
    left, _, right = np.linalg.svd(M, full_matrices=False)
    P, R = polar_factor(M.T @ M, np.zeros((6, 6)))
    np.testing.assert_allclose(M @ P, left @ right, atol=1e-12)
    np.testing.assert_array_equal(R, 0)


def test_the_polar_factor_of_nothing_is_the_start():
    beginning = np.linalg.qr(np.random.default_rng(0).standard_normal((20, 3)))[0]
    P, R = polar_factor(np.zeros((3, 3)), np.zeros((3, 3)))
    F = beginning @ R
    np.testing.assert_array_equal(P, 0)
    np.testing.assert_allclose(F.T @ F, np.eye(3), atol=1e-12)


def test_a_cluster_that_is_clipped_to_nothing_starts_anew(digits):
    """An all-negative first vector leaves an empty column; F stays orthonormal and Eq. 7 what it is."""
    Z, gram, degrees, anchor_map = prepared(digits[:200], 4)
    start = anchor_map * [-1, 1, 1, 1]
    W = literal_graph.similarity(Z.toarray())
    before = np.inf
    for n_rounds in range(1, 5):
        reconstruction, G, objectives = reconstruct(Z, gram, degrees, start, lam=10, max_iter=n_rounds, tol=-1)
        F = Z @ start
        for t in range(n_rounds - 1):
            g = literal.update_g(W, F, 10)
            F = (W @ g + 10 * g) @ reconstruction.polars[t] + Z @ start @ reconstruction.completions[t]
        np.testing.assert_allclose(F.T @ F, np.eye(4), atol=1e-8)
        np.testing.assert_allclose(objectives[-1], literal.objective(W, F, G, 10), rtol=1e-9)
        assert objectives[-1] <= before
        before = objectives[-1]
    assert G.any(axis=0).all()
    np.testing.assert_allclose(replay(reconstruction, Z), G, atol=1e-10)
