"""A fit as plain data, and the page made of it."""

import json
import re

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_blobs
from sklearn.decomposition import PCA

from anchorgraph import BKHK, FSC, ONGR, ULGE, AnchorGraph, Communities, RowGraph
from anchorgraph.numerics.stopwatch import Stopwatch
from anchorgraph.report import charts, summarise, write_page, write_results
from anchorgraph.table import as_table


@pytest.fixture(scope="module")
def rows():
    return make_blobs(300, 5, centers=3, cluster_std=5, random_state=0)[0]


def summary_of(method, rows, **options):
    return summarise(method.fit(rows), as_table(rows), title="blobs", **options)


def test_a_clustering_has_what_is_worth_seeing(rows):
    model = FSC(3, n_anchors=20, random_state=0)
    summary = summary_of(model, rows, seconds={"graph": 0.5})
    json.dumps(summary)  # plain data alone
    assert summary["sizes"] == np.bincount(model.labels_).tolist()
    np.testing.assert_allclose(summary["eigenvalues"], model.singular_values_**2, rtol=1e-4)
    assert sum(summary["anchor_sizes"]) == pytest.approx(300, rel=1e-3)
    assert summary["facts"] == {"rows": 300, "columns": 5, "anchors": 20, "clusters": 3}
    assert summary["parameters"]["n_anchors"] == "20"
    assert summary["points"]["names"] == ["0", "1", "2"]
    assert summary["points"]["group"] == model.labels_.tolist()
    assert summary["points"]["what"] == "Embedding"
    assert max(summary["points"]["x"]) == 9999


def test_communities_are_shown_along_principal_axes(rows, tmp_path):
    model = Communities(3, random_state=0)
    summary = summary_of(model, rows, seconds={"trees": 0.1})
    json.dumps(summary)
    assert summary["facts"] == {
        "rows": 300,
        "columns": 5,
        "clusters": 3,
        "neighbours": model.n_neighbors_,
        "modularity": pytest.approx(model.modularity_, rel=1e-3),
        "resolution": pytest.approx(model.resolution_, rel=1e-3),
    }
    assert summary["sizes"] == np.bincount(model.labels_).tolist()
    assert sum(summary["probabilities"]) == 300
    assert sum(summary["probabilities"][:5]) == np.count_nonzero(model.probabilities_ < 0.5)
    points = summary["points"]
    assert (points["group"], points["what"]) == (model.labels_.tolist(), "Principal components")
    plane = PCA(2).fit_transform(rows)
    for name, column in zip("xy", plane.T, strict=True):
        assert abs(np.corrcoef(points[name], column)[0, 1]) == pytest.approx(1, abs=1e-4)
    write_page(summary, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert f"3 clusters · {model.n_neighbors_} neighbours · modularity {summary['facts']['modularity']}" in page
    assert re.findall(r"<h2.*?>(.*?)</h2>", page) == [
        "Principal components",
        "Cluster sizes",
        "Probabilities",
        "Time by stage",
        "Parameters",
    ]


@pytest.mark.parametrize("n_columns", [1, 2, 5])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_rows_of_any_width_are_shown(n_columns, form, rows):
    points = summary_of(Communities(random_state=0), form(rows[:, :n_columns]))["points"]
    assert max(points["x"]) == 9999
    assert max(points["y"]) == (0 if n_columns == 1 else 9999)


def test_rows_outside_memory_have_no_probabilities(rows):
    model = Communities(3, random_state=0).fit(rows)
    del model.probabilities_
    assert summarise(model, rows, title="blobs")["probabilities"] == []


def test_other_methods_have_what_they_have(rows):
    assert len(summary_of(ONGR(3, n_anchors=20, random_state=0), rows)["history"]) > 0
    assert summary_of(BKHK(4, random_state=0), rows)["points"]["names"] == ["0", "1", "2", "3"]
    assert summary_of(AnchorGraph(20, random_state=0), rows)["points"] == {}
    assert summary_of(RowGraph(5), rows)["points"] == {}
    labels = np.array(["a", "b", "a"] * 100)
    assert summary_of(ULGE(1, n_anchors=20, random_state=0), rows, labels=labels)["points"]["names"] == ["a", "b"]
    assert summary_of(ULGE(3, n_anchors=20, random_state=0), rows)["points"]["names"] == ["all rows"]


def test_rows_are_prepared_for_the_metric_and_masked_ones_left_out(rows):
    masked = rows.copy()
    masked[[3, 7], 1] = np.nan
    model = FSC(3, n_anchors=20, metric="cosine", missing="mask", random_state=0)
    summary = summary_of(model, masked)
    present = np.delete(np.arange(300), [3, 7])
    assert summary["sizes"] == np.bincount(model.labels_[present]).tolist()
    assert summary["facts"]["masked"] == 2
    assert summary["points"]["group"] == model.labels_[present].tolist()
    assert summary["points"]["shown"] == len(summary["points"]["x"]) == 298
    unit = rows[present] / np.linalg.norm(rows[present], axis=1, keepdims=True)
    expected = np.sort(np.asarray(model._graph(unit).sum(axis=0)))[::-1]
    np.testing.assert_allclose(summary["anchor_sizes"], expected, rtol=1e-4)


def test_probabilities_of_masked_rows_are_not_counted(rows):
    masked = rows.copy()
    masked[5, 0] = np.nan
    assert sum(summary_of(Communities(missing="mask", random_state=0), masked)["probabilities"]) == 299


def test_very_many_rows_are_sampled(rows, monkeypatch):
    monkeypatch.setattr("anchorgraph.report.summary.MAX_POINTS", 50)
    model = FSC(3, n_anchors=20, random_state=0)
    points = summary_of(model, rows)["points"]
    assert points["shown"] == len(points["x"]) == len(points["group"]) == 50


def test_the_page_needs_nothing_else_and_escapes_names(rows, tmp_path):
    hostile = np.array(["</script><b>", "plain & <i>"])[np.arange(300) % 2]
    summary = summary_of(ULGE(2, n_anchors=20, random_state=0), rows, labels=hostile) | {"title": "<b>rows</b>"}
    write_page(summary, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert not re.search(r"""(src|href)\s*=|@import|url\(""", page)  # nothing is fetched
    assert "</script><b>" not in page
    assert "&lt;b&gt;rows&lt;/b&gt;" in page
    data = re.search(r'id="points">(.*?)</script>', page, flags=re.DOTALL).group(1)
    assert json.loads(data)["names"] == sorted(set(hostile))


def test_a_broken_page_is_not_left(rows, tmp_path):
    summary = summary_of(FSC(3, n_anchors=20, random_state=0), rows)
    del summary["parameters"]
    (tmp_path / "page.html").write_text("of yesterday")
    summary["points"] = {1: object()}
    with pytest.raises(TypeError):
        write_page(summary, tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == "of yesterday"


def test_a_page_of_plain_arrays_goes_to_a_plain_name(rows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_page(summarise(FSC(3, n_anchors=20, random_state=0).fit(rows), rows, title="blobs"), "page.html")
    assert "<h1>blobs</h1>" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("path", ["no/page.html", "page.pdf", "page", "folder.html"])
def test_a_path_for_no_page_is_named(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(ValueError, match=rf"^path must name a .html file in an existing folder; got {path}\.$"):
        write_page({}, path)
    with pytest.raises(ValueError, match=r"^path must name a .html or .md file in an existing folder; got"):
        write_results([], path, title="", command="")


def test_charts_name_their_numbers():
    assert charts.bars([3, 1], "rows").count("<rect") == 2
    assert "graph: 2 s" in charts.bars([2.0], "s", ["graph"])
    assert charts.line([1.0, 1.0], "value").count("<circle") == 2
    assert "<circle" not in charts.line(np.arange(1000.0), "value")
    assert "<" not in re.sub(r"<[^>]*>", "", charts.bars([1], "s", ["<script>"]))


def test_a_stopwatch_adds_up_by_stage(monkeypatch):
    times = iter([0.0, 1.0, 3.0, 6.0, 10.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(times))
    watch = Stopwatch()
    for stage in ("rows", "graph", "rows"):
        watch(stage, 0.0)
    watch.stop()
    assert watch.seconds == {"rows": 1.0 + 2.0 + 4.0, "graph": 3.0}
