"""How good a map of rows is: the same measures, on the same rows, for every method.

- ``accuracy``: the share of rows whose class is that of most of their ten nearest rows in the map, of all rows.
- ``trustworthiness`` is scikit-learn's with ten neighbours: whether neighbours in the map are neighbours in the data.
- ``silhouette`` is scikit-learn's, of the classes in the map.

The last two compare all pairs, so they are those of 5,000 rows, the same ones for every map of a data set; neighbours
are then neighbours among these.
"""

import numpy as np
from scipy.spatial import cKDTree
from sklearn.manifold import trustworthiness
from sklearn.metrics import silhouette_score

N_NEIGHBORS = 10
N_SAMPLE = 5_000


def quality(X, y, positions):
    """All measures of a map."""
    rows = sample_of(len(X))
    return {
        "accuracy": neighbor_accuracy(positions, y),
        "trustworthiness": float(trustworthiness(X[rows], positions[rows], n_neighbors=N_NEIGHBORS)),
        "silhouette": float(silhouette_score(positions[rows], y[rows])),
    }


def sample_of(n_rows):
    return np.sort(np.random.default_rng(0).permutation(n_rows)[:N_SAMPLE])


def neighbor_accuracy(positions, y):
    """The share of rows whose class is that of most of the nearest rows, without the row itself."""
    nearest = cKDTree(positions).query(positions, N_NEIGHBORS + 1, workers=-1)[1]
    is_self = nearest == np.arange(len(positions))[:, None]
    is_self[~is_self.any(1), -1] = True  # more rows at the same place: the last one goes instead
    return _share_of_right_votes(y[nearest[~is_self].reshape(-1, N_NEIGHBORS)], y)


def placed_accuracy(positions, y, new_positions, new_y):
    """The share of new rows whose class is that of most of the nearest rows of the map."""
    nearest = cKDTree(positions).query(new_positions, N_NEIGHBORS, workers=-1)[1]
    return _share_of_right_votes(y[nearest], new_y)


def _share_of_right_votes(votes, y):
    """Of equally many votes, those for the first class win, as in scikit-learn's classifier."""
    counts = np.zeros((len(votes), max(votes.max(), y.max()) + 1), np.uint8)
    for own in votes.T:
        counts[np.arange(len(votes)), own] += 1
    return float(np.mean(counts.argmax(1) == y))
