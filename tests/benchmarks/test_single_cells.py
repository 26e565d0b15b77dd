"""The cells that are made, and the table of what was measured; nothing is measured here."""

import numpy as np
import single_cells
from lines import Lines


def test_the_first_cells_are_the_same_for_any_number():
    few, groups = single_cells.made_cells(1_000)
    many, others = single_cells.made_cells(70_000)
    np.testing.assert_array_equal(few, many[:1_000])
    np.testing.assert_array_equal(groups, others[:1_000])
    assert len(np.unique(others)) == single_cells.N_GROUPS


def test_recall_is_the_share_of_the_nearest_that_are_found():
    from sklearn.neighbors import kneighbors_graph

    class Cells:
        obsp = {}  # noqa: RUF012 - of one

    X = single_cells.made_cells(400)[0]
    for n_found, share in ((14, 1), (20, 1), (7, 0.5)):
        Cells.obsp["distances"] = kneighbors_graph(X, n_found, mode="distance")
        assert single_cells.recall_of(Cells, X) == share


def test_the_table_compares_with_scanpy(tmp_path, monkeypatch):
    monkeypatch.setattr(single_cells, "RESULTS", tmp_path)
    results = Lines(tmp_path / "single_cells.json", ("rows", "pipeline"))
    figures = {"mib": 90.8, "ari": 0.8, "nmi": 0.9, "clusters": 2}
    results.add({"rows": 4, "pipeline": "scanpy", "seconds": 8.0, "graph_seconds": 6.0, "recall": 0.98, **figures})
    results.add({"rows": 4, "pipeline": "communities", "seconds": 2.0, **figures})
    results.add({"rows": 4, "pipeline": "communities-40", "over": 60.0})
    np.save(single_cells.kept_clusters(4, "scanpy"), [0, 0, 1, 1])
    np.save(single_cells.kept_clusters(4, "communities"), [1, 1, 0, 0])
    lines = list(single_cells.table_of(results, 4))
    assert lines[2].endswith("leiden` | 1.00 | 8 | 6 | 91 | 0.980 | 2 | 0.800 | 0.900 |  |")
    assert lines[4].endswith("communities` | 0.25 | 2 |  | 91 |  | 2 | 0.800 | 0.900 | 1.000 |")
    assert "| over 60 |" in lines[5]
    assert len({line.count("|") for line in lines}) == 1
