"""The number of coordinates that Communities keeps of wide rows."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from anchorgraph import Communities
from anchorgraph.estimators.bases.coordinates import NUMBERS, few_coordinates, suitable_number
from anchorgraph.numerics.execution import execution
from anchorgraph.projection import principal_axes
from anchorgraph.table import as_table
from reference import communities as reference


def groups(n_rows, n_groups, n_cols, spread):
    """Rows around the unit vectors of the first columns."""
    y = np.arange(n_rows) % n_groups
    rng = np.random.default_rng(0)
    return (np.eye(n_groups, n_cols)[y] + spread * rng.standard_normal((n_rows, n_cols))).astype(np.float32), y


def groups_in_noise(n_rows):
    """Thirty groups in the first 30 columns; the other 170 are noise."""
    X, y = groups(n_rows, 30, 200, 0.1)
    X[:, 30:] *= 2.5
    return X, y


@pytest.mark.parametrize(
    ("X", "wanted"),
    [
        (groups(600, 40, 100, 0.1)[0], 64),
        (groups(1200, 200, 300, 0.1)[0], 256),
        (groups_in_noise(600)[0], 32),
        (groups(400, 20, 40, 0.05)[0], 64),
        (np.ones((9, 70), np.float32), 64),
    ],
    ids=["groups", "many groups", "groups in noise", "few columns", "equal rows"],
)
def test_number_of_coordinates_equals_the_reference(X, wanted):
    shares = reference.shares_of_mutual_ties(X, NUMBERS, 10)
    best = max(NUMBERS, key=lambda number: shares[number])
    expected = best if shares[best] - shares[64] >= 0.05 else 64
    assert suitable_number(X) == expected == wanted


def test_many_groups_are_found_in_many_coordinates():
    X, y = groups(3000, 200, 300, 0.12)
    found = Communities(200, random_state=0).fit(X)
    assert found.n_components_ == 256
    assert adjusted_rand_score(y, found.labels_) > 0.9
    assert adjusted_rand_score(y, Communities(200, n_components=64, random_state=0).fit_predict(X)) < 0.5


@pytest.mark.parametrize(
    ("X", "tried"),
    [(groups(600, 40, 300, 0.1)[0], [128]), (groups(3000, 200, 300, 0.12)[0], [128, 256])],
    ids=["64 are enough", "128 are better"],
)
def test_256_are_tried_only_where_128_are_better(X, tried, monkeypatch):
    numbers = []

    def spied(table, n_components, *rest):
        numbers.append(n_components)
        return principal_axes(table, n_components, *rest)

    monkeypatch.setattr("anchorgraph.estimators.bases.coordinates.principal_axes", spied)
    few_coordinates(as_table(X), None, 0)
    assert numbers == tried


@pytest.mark.parametrize(("n_cols", "n_components", "used"), [(64, None, 64), (64, 20, 20), (9, 20, 9), (300, 90, 90)])
def test_numbers_that_are_not_chosen(n_cols, n_components, used):
    X = np.random.default_rng(0).standard_normal((200, n_cols))
    assert Communities(3, n_components=n_components, random_state=0).fit(X).n_components_ == used


def test_few_wide_rows_keep_what_they_have():
    """Six rows have five principal axes."""
    assert Communities(2, random_state=0).fit(groups(6, 2, 300, 0.1)[0]).n_components_ == 5


def test_all_columns_are_used_as_they_are():
    """Where the largest number is chosen, and there are no more columns, nothing lies beyond the coordinates."""
    X, y = groups(3000, 200, 220, 0.12)
    found = Communities(200, random_state=0).fit(X)
    assert found.n_components_ == 220
    assert adjusted_rand_score(y, found.predict(X)) > 0.9


def test_batches_keep_the_number_of_the_first():
    X, _ = groups(3000, 200, 300, 0.12)
    model = Communities(200, random_state=0).partial_fit(X)
    assert model.partial_fit(X[:500, ::-1]).n_components_ == 256


def test_the_number_does_not_depend_on_threads_or_on_the_number_of_rows():
    X, _ = groups_in_noise(600)
    for n_jobs in (1, 2):
        with execution(n_jobs):
            assert suitable_number(np.repeat(X, 8, axis=0)) == 32  # more rows than are compared


def test_given_graphs_have_no_coordinates():
    distances = np.abs(np.subtract.outer(np.arange(20.0), np.arange(20.0)))
    model = Communities(2, metric="precomputed", random_state=0).fit(distances)
    assert not hasattr(model, "n_components_")
    assert not hasattr(Communities(), "n_components_")
