"""The page that a report is shown on: one file, safe names, and charts with numbers."""

import base64
import json
import re
import struct
import zlib
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

from anchorgraph import FSC, ULGE, Communities
from anchorgraph.numerics.stopwatch import Stopwatch
from anchorgraph.plot.colours import GREY, group_colour
from anchorgraph.report import Report, charts, report, write_results
from anchorgraph.report.axes import tick_text, ticks
from anchorgraph.report.images import Images, check_image, column_name
from anchorgraph.report.packing import pack, pack_codes, pack_numbers, unpack, unpack_numbers
from anchorgraph.table import shorten


@pytest.fixture(scope="module")
def rows():
    return make_blobs(300, 5, centers=3, cluster_std=5, random_state=0)[0]


@pytest.fixture(scope="module")
def model(rows):
    return Communities(3, random_state=0).fit(rows)


def headings(page):
    return re.findall(r"<h2.*?>(.*?)</h2>", page)


def test_the_page_has_a_section_for_each_question(rows, model):
    seconds = {"trees": 0.25, "communities": 1.0}
    page = report(model, rows, labels=model.labels_, title="blobs", command="again", seconds=seconds).html()
    assert headings(page) == [
        "Map",
        "Agreement with the known classes",
        "Clusters",
        "Cluster sizes",
        "Probabilities",
        "Time by stage",
        "Do it again",
    ]
    assert "<h1>blobs</h1>" in page
    assert "<pre>again</pre>" in page
    assert "<b>1.000</b>accuracy (ACC)" in page
    assert "1.25 seconds in total." in page
    assert "300 rows." in page
    fsc = FSC(3, n_anchors=20, random_state=0).fit(rows)
    assert "Eigenvalues" in headings(report(fsc, rows).html())


def test_very_long_names_are_shortened_wherever_they_are_shown(rows, model):
    def long(name):
        return f"first {name}{'x' * 20_000} last {name}"

    frame = pd.DataFrame(rows, columns=[long(f"column {number}") for number in range(5)])
    ids, classes = ([long(f"{what} {number}") for number in model.labels_] for what in ("row", "class"))
    path = {long("score"): {2: 0.1, 3: 0.3}}
    page = report(model, frame, ids=ids, labels=classes, path=path, title=long("title")).html()
    assert len(page) < 200_000
    assert "x" * 80 not in page
    for name in ("title", "row 0", "class 1", "column 2", "score"):
        assert re.search(f"first {name}x+…x+ last {name}", page)


def test_names_of_eighty_letters_are_whole():
    assert shorten("a" * 80) == "a" * 80
    assert shorten("a" * 60 + "b" * 21) == "a" * 40 + "…" + "a" * 18 + "b" * 21


class Tables(HTMLParser):
    """The texts of the cells of all tables of a page, by line, and the styles of the cells."""

    def __init__(self, page):
        super().__init__()
        self.tables, self.styles, self.is_inside = [], [], False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")
            self.styles.append(dict(attributes).get("style"))
            self.is_inside = True

    def handle_endtag(self, tag):
        self.is_inside &= tag not in ("th", "td")

    def handle_data(self, data):
        if self.is_inside:
            self.tables[-1][-1][-1] += data


def test_tables_tell_the_numbers_of_the_summary(rows, monkeypatch):
    monkeypatch.setattr("anchorgraph.report.agreement.MAX_LINES", 2)
    fsc = FSC(3, n_anchors=20, random_state=0).fit(rows)
    shown = report(fsc, rows, labels=np.arange(300) // 100)
    summary, page = shown.summary, shown.html()
    found = Tables(page)
    confusion, *cards = found.tables
    agreement = summary["agreement"]
    assert confusion[0] == ["class \\ cluster", *agreement["clusters"]]
    expected = [[str(count or "") for count in line] for line in agreement["counts"]]
    assert [line[1:] for line in confusion[1:]] == expected
    assert [line[0] for line in confusion[1:]] == agreement["classes"]
    shares = [f"--part:{round(70 * count / 100)}%" for line in agreement["counts"] for count in line]
    assert [style for style in found.styles if style] == shares  # of all rows of a class
    for card, typical, different in zip(summary["groups"]["cards"], cards[0:6:2], cards[1:6:2], strict=True):
        one = card["differences"]
        assert typical[0] == ["id", "probability", *[of["column"] for of in one[:4]]]
        for line, row in zip(typical[1:], card["typical"][:5], strict=True):
            assert line[0] == row["id"]
            values = [rows[int(row["id"]), int(of["column"][1:])] for of in one[:4]]
            np.testing.assert_allclose([float(cell) for cell in line[2:]], values, rtol=1e-3)
            assert float(line[1]) == pytest.approx(fsc.probabilities_[int(row["id"])], abs=0.01)
        is_own = fsc.labels_ == card["number"]
        for line, of in zip(different[1:], one, strict=True):
            column = rows[:, int(of["column"][1:])]
            assert line[0] == of["column"]
            told = [float(cell.removesuffix(" sd")) for cell in line[2:]]
            means = [of["difference"], column[is_own].mean(), column[~is_own].mean()]
            np.testing.assert_allclose(told, means, rtol=1e-3, atol=0.05)
    gaps = -np.diff(summary["eigenvalues"])
    place = gaps.argmax() + 1
    assert f"The largest gap, after number {place}, suggests {place + 1} clusters." in page


def test_a_sample_is_said_to_be_one(rows, model, monkeypatch):
    monkeypatch.setattr("anchorgraph.report.shown.MAX_ROWS", 200)
    page = report(model, rows).html()
    assert "200 of 300 rows, drawn at random." in page
    assert "Both are of the rows on the map." in page
    monkeypatch.setattr("anchorgraph.report.clusters.MAX_GROUPS", 2)
    masked = rows.copy()
    masked[:, 0] = np.nan
    page = report(KMeans(3, n_init=1).fit(rows), masked).html()
    assert "drawn at random. 200 have missing values" in page
    assert "histograms. Both are of the rows on the map. These are the largest 2 of 3." in page


def test_the_page_needs_nothing_else_and_escapes_names(rows):
    hostile = np.array(["</script><b>", "\"'><i> & ünï"])[np.arange(300) % 2]
    model = ULGE(2, n_anchors=20, random_state=0).fit(rows)
    ids = np.array([f"{name}{number}" for number, name in enumerate(hostile)])
    page = report(model, rows, labels=hostile, ids=ids, title="<b>rows</b>", command="rm </pre><b>").html()
    assert not re.findall(r"""(?:src|href)\s*=\s*["'](?!data:)|@import|url\(""", page)  # nothing is fetched
    assert page.count("</script>") == 2
    assert "<b>rows" not in page
    assert "</pre><b>" not in page
    assert "&lt;b&gt;rows&lt;/b&gt;" in page
    data = json.loads(re.search(r'id="points">(.*?)</script>', page, flags=re.DOTALL).group(1))
    assert data["ids"] == ids.tolist()
    assert data["colourings"][0]["names"] == sorted(set(hostile))


def test_names_of_columns_are_escaped(rows):
    import pandas as pd

    frame = pd.DataFrame(rows, columns=["<b>", "</script>", '"', "&", "ä"])
    page = report(Communities(3, random_state=0).fit(frame), frame).html()
    assert page.count("</script>") == 2
    assert "<b>&lt;" not in page
    assert '<th scope="row"><b>' not in page


def test_a_notebook_shows_the_page_in_a_frame(rows, model):
    shown = report(model, rows, title='a "title"')
    frame = shown._repr_html_()
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert frame.count('"') == 2 * frame.count('="')  # no quote of the page ends an attribute
    assert 'sandbox="allow-scripts"' in frame
    assert repr(shown) == "Report('a \"title\"', 300 rows)"


def test_a_broken_page_is_not_left(rows, model, tmp_path):
    summary = report(model, rows).summary | {"map": {"ids": object()}}
    (tmp_path / "page.html").write_text("of yesterday")
    with pytest.raises(TypeError):
        Report(summary).save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == "of yesterday"


@pytest.mark.parametrize("path", ["no/page.html", "page.pdf", "page", "folder.html"])
def test_a_path_for_no_page_is_named(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(ValueError, match=rf"^path must name a .html file in an existing folder; got {path}\.$"):
        Report({}).save(path)
    with pytest.raises(ValueError, match=r"^path must name a .html or .md file in an existing folder; got"):
        write_results([], path, title="", command="")


def test_charts_have_axes_and_name_their_numbers():
    sizes = charts.bars([30, 10], ["0", "1"], "cluster", "rows", ["#111111", "#222222"])
    assert sizes.count("<rect") == 2
    assert "<title>0: 30</title>" in sizes
    for text in ("cluster", "rows", "0", "10", "20", "30"):
        assert f">{text}</text>" in sizes
    assert "2 s</text>" in charts.horizontal_bars([2.0], ["graph"], "seconds", "s")
    marked = charts.line([0.9, 0.8, 0.1], "number", "eigenvalue", mark=(2.5, "largest gap"))
    assert marked.count("<circle") == 3
    assert "largest gap" in marked
    assert charts.line([1.0, 1.0], "number", "value").count("<circle") == 2
    assert "<circle" not in charts.line(np.arange(1000.0), "number", "value")
    assert "0.2 to 0.4: 7" in charts.histogram([1, 7, 0, 0, 0], 0, 1, "probability", "rows")
    assert "<" not in re.sub(r"<[^>]*>", "", charts.bars([1], ["<script>"], "<b>", "<i>"))
    assert charts.small_histogram([0, 1], [0.5, 0.5], "ages").count("<rect") == 1
    assert charts.bars([0, 0], ["a", "b"], "x", "y").count("<rect") == 2


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 1076, [0, 250, 500, 750, 1000]),
        (-0.03, 0.02, [-0.03, -0.02, -0.01, 0, 0.01, 0.02]),
        (3, 3, [3]),
    ],
)
def test_ticks_are_round_numbers(low, high, expected):
    np.testing.assert_allclose(ticks(low, high), expected, atol=1e-12)


def test_ticks_are_written_as_people_write_them():
    assert [tick_text(value) for value in (70000.0, 0.1 + 0.2, -1e-17)] == ["70,000", "0.3", "0"]


def test_arrays_are_packed_and_unpacked():
    np.testing.assert_array_equal(unpack(pack(np.array([0, 7, 65535], np.uint16))), [0, 7, 65535])
    assert pack(np.array([1, 256], np.uint16))["data"] == base64.b64encode(b"\x01\x00\x00\x01").decode()
    assert unpack(pack_codes(np.array([-1, 2]))).tolist() == [65535, 2]
    assert unpack(pack_codes(np.array([-1, 70000]))).tolist() == [2**32 - 1, 70000]
    values = np.array([1.5, np.nan, -2, np.inf, 1e6])
    np.testing.assert_allclose(unpack_numbers(pack_numbers(values)), [1.5, np.nan, -2, np.nan, 1e6], atol=8)
    whole = np.arange(-30_000.0, 30_000)
    np.testing.assert_array_equal(unpack_numbers(pack_numbers(whole)), whole)
    assert np.isnan(unpack_numbers(pack_numbers(np.array([np.nan])))).all()
    assert unpack_numbers(pack_numbers(np.array([3.0, 3.0]))).tolist() == [3, 3]


def png_pixels(address):
    """Width, height and bytes of a picture, read by the rules of PNG."""
    data = base64.b64decode(address.removeprefix("data:image/png;base64,"))
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    place, chunks = 8, {}
    while place < len(data):
        (size,) = struct.unpack(">I", data[place : place + 4])
        kind, content = data[place + 4 : place + 8], data[place + 8 : place + 8 + size]
        (check,) = struct.unpack(">I", data[place + 8 + size : place + 12 + size])
        assert check == zlib.crc32(kind + content)
        chunks[kind] = content
        place += 12 + size
    width, height, depth, colours, *_ = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert depth == 8
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert not lines[:, 0].any()
    return lines[:, 1:].reshape(height, width, {0: 1, 2: 3}[colours])


def test_rows_become_pictures():
    grey = Images(check_image((2, 3), 6), 0, 10)
    np.testing.assert_array_equal(
        png_pixels(grey.picture(np.array([0, 5, 10, 20, -1, 2.0])))[..., 0], [[0, 128, 255], [255, 0, 51]]
    )
    rgb = Images(check_image((1, 2, 3), 6), 0, 1)
    np.testing.assert_array_equal(png_pixels(rgb.picture(np.array([1, 0, 0, 0, 0, 1.0]))), [[[255, 0, 0], [0, 0, 255]]])
    large = Images(check_image((200, 100), 20_000), 0, 1)
    assert png_pixels(large.picture(np.ones(20_000))).shape == (50, 25, 1)
    less, none, more = png_pixels(Images(check_image((1, 3), 3), 0, 1).difference(np.array([-2.0, 0, 2])))[0].tolist()
    assert none == [255, 255, 255]
    assert less[2] > less[0]
    assert more[0] > more[2]
    assert column_name((28, 28, 1), 30) == "pixel 1,2"
    assert column_name((2, 2, 3), 5) == "pixel 0,1 b"


def test_all_rows_become_pictures_if_they_are_not_too_many(monkeypatch):
    X = np.arange(32.0).reshape(2, 16)
    X[1, 5] = np.nan
    images = Images.of(X, check_image((4, 4), 16))
    assert (images.low, images.high) == (0, 31)
    found = images.pictures(X)
    assert found["shape"] == [4, 4, 1]
    expected = np.round(np.nan_to_num(X) / 31 * 255)
    np.testing.assert_array_equal(unpack(found["pixels"]).reshape(2, 16), expected)
    np.testing.assert_array_equal(png_pixels(images.picture(X[0])).ravel(), expected[0])
    np.testing.assert_array_equal(unpack(images.pictures(sparse.csr_array(X))["pixels"]).reshape(2, 16), expected)
    monkeypatch.setattr("anchorgraph.report.images.MAX_BYTES", 31)
    half = images.pictures(X)
    assert half["shape"] == [2, 2, 1]
    np.testing.assert_array_equal(unpack(half["pixels"]), expected[:, [0, 2, 8, 10]].ravel())
    monkeypatch.setattr("anchorgraph.report.images.MAX_BYTES", 7)
    assert images.pictures(X) is None


def test_groups_have_colours_of_their_own():
    colours = [group_colour(number) for number in range(60)]
    assert len(set(colours)) == 60
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)
    assert group_colour(-1) == GREY


def test_a_stopwatch_adds_up_by_stage(monkeypatch):
    times = iter([0.0, 1.0, 3.0, 6.0, 10.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(times))
    watch = Stopwatch()
    for stage in ("rows", "graph", "rows"):
        watch(stage, 0.0)
    watch.stop()
    assert watch.seconds == {"rows": 1.0 + 2.0 + 4.0, "graph": 3.0}
