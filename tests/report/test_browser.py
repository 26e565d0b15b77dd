"""The page in a real browser: drawn, coloured, searched, moved by keys, on a phone, in the dark, in a notebook."""

import json
import shutil
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, make_blobs
from sklearn.neighbors import NearestNeighbors

from anchorgraph import Communities
from anchorgraph.report import report, write_results
from anchorgraph.report.packing import unpack
from anchorgraph.table import shorten
from waiting import PATIENCE, wait_until

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(not (BROWSER and DRIVER), reason="there is no chromium with its driver; 'make browser'")
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
LONG_ID = f"<i>{'long ' * 20}id"


@pytest.fixture(scope="module")
def shown():
    X, y = make_blobs(2000, 6, centers=4, cluster_std=4, random_state=0)
    X[5, 0] = np.nan
    model = Communities(4, missing="mask", random_state=0).fit(X)
    ids = [f"<i>{number}" for number in range(2000)]
    ids[9] = LONG_ID
    return report(model, X, labels=y, ids=ids, image=(2, 3), title="blobs", seconds={"graph": 1.0})


@pytest.fixture(scope="module")
def page(shown, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "page.html"
    shown.save(path)
    return path.as_uri()


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A wide table and a figure, as reproduce shows them."""
    found = {
        "ours": 75.4,
        "spread": 0.4,
        "runs": 10,
        "fits": 10,
        "least": 55.0,
        "most": 80.0,
        "verdict": "not reproduced",
        "difference": -4.0,
    }
    nothing = {"printed": 79.4, "printed as": "79.4 ± 1.0", "mark": ""}
    columns = [f"Method {number}" for number in range(30)]
    texts = {"paper": "a", "title": "Scores", "sentence": "So it is.", "notes": []}
    cells = [{"row": "USPS", "column": column} | nothing | found for column in columns]
    table = texts | {"key": "a.1", "number": "Table 1", "kind": "score", "x": "", "rows": ["USPS"], "columns": columns}
    figure = table | {"key": "a.fig1", "number": "Figure 1", "kind": "curves", "x": "m", "columns": columns[:1]}
    path = tmp_path_factory.mktemp("report") / "tables.html"
    write_results([table | {"cells": cells}, figure | {"cells": cells[:1]}], path, title="Ours", command="…")
    return path.as_uri()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in (*FLAGS.split(), f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with webdriver.Chrome(options=options, service=Service(DRIVER)) as browser:
        browser.set_script_timeout(PATIENCE)
        browser.set_page_load_timeout(PATIENCE)
        yield browser


def drawn(browser):
    """How many of the canvas's pixels have another colour than its ground, after the next frame."""
    count = """
        const done = arguments[0];
        requestAnimationFrame(() => requestAnimationFrame(() => {
          const canvas = document.getElementById("scatter");
          const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          const pixels = new Uint32Array(image.data.buffer);
          done(pixels.reduce((n, pixel) => n + (pixel !== pixels[0]), 0));
        }));
    """
    return browser.execute_async_script(count)


def told(browser):
    drawn(browser)
    return browser.find_element("id", "told").text.splitlines()


def steps_of(summary):
    return np.column_stack([unpack(summary["map"][axis]).astype(float) for axis in "xy"])


def lonely_row(summary):
    """The row that is farthest from all others."""
    distances, _ = NearestNeighbors(n_neighbors=2).fit(steps_of(summary)).kneighbors()
    return int(distances[:, 0].argmax())


def size_of(browser):
    sides = "const map = document.getElementById('scatter'); return [map.clientWidth, map.clientHeight]"
    return np.array(browser.execute_script(sides))


def place_of(browser, summary, row):
    """Where a row is on the canvas, from its middle."""
    steps, size = steps_of(summary), size_of(browser)
    x, y = steps[row]
    middle_x, middle_y, zoom = view_of(browser)
    unit = min((size - 28) / np.ptp(steps, axis=0)) * zoom
    return round((x - middle_x) * unit), round((middle_y - y) * unit)


def view_of(browser):
    drawn(browser)
    return np.array(browser.find_element("id", "scatter").get_attribute("data-view").split(), dtype=float)


def test_points_are_drawn_and_no_error_is_told(browser, page):
    browser.get(page)
    assert drawn(browser) > 1000
    assert browser.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    assert page in asked
    assert not [url for url in asked if url.startswith(("http:", "https:", "ws"))]  # nothing is fetched


def test_keys_move_and_zoom(browser, page):
    from selenium.webdriver.common.keys import Keys

    browser.get(page)
    start = view_of(browser)
    canvas = browser.find_element("id", "scatter")
    canvas.send_keys(Keys.ARROW_RIGHT)
    moved = view_of(browser)
    assert moved[0] > start[0]
    canvas.send_keys("+")
    assert view_of(browser)[2] == pytest.approx(1.25)
    canvas.send_keys("0")
    np.testing.assert_allclose(view_of(browser), start)


def test_groups_are_hidden_by_the_keyboard(browser, page):
    from selenium.webdriver.common.keys import Keys

    browser.get(page)
    buttons = browser.find_elements("css selector", "#groups button")
    assert [button.text.partition(" (")[0] for button in buttons] == ["0", "1", "2", "3", "not clustered"]
    before = drawn(browser)
    buttons[0].send_keys(Keys.SPACE)
    assert buttons[0].get_attribute("aria-pressed") == "false"
    assert drawn(browser) < before
    buttons[0].send_keys(Keys.ENTER)
    assert drawn(browser) == before


def test_every_choice_of_colours_is_drawn(browser, page, shown):
    from selenium.webdriver.support.select import Select

    browser.get(page)
    chooser = Select(browser.find_element("id", "colouring"))
    titles = [one["title"] for one in shown.summary["map"]["colourings"]]
    of_groups = [one["title"] for one in shown.summary["map"]["colourings"] if "codes" in one]
    assert [option.text for option in chooser.options] == titles
    assert titles[:3] == ["cluster", "class", "probability"]
    seen = set()
    for title in titles:
        chooser.select_by_visible_text(title)
        assert drawn(browser) > 1000
        seen.add(browser.execute_script("return document.getElementById('scatter').toDataURL()"))
        numbers = title not in of_groups
        assert browser.find_element("id", "scale").is_displayed() == numbers
        assert browser.find_element("id", "groups").is_displayed() != numbers
    assert len(seen) == len(titles) - bool(shown.summary["levels"])  # the clusters are those of one of the levels
    assert titles[-1] in browser.find_element("id", "scale").text
    assert browser.get_log("browser") == []


@pytest.fixture(scope="module")
def leveled(tmp_path_factory):
    """A model with several levels, of which one row is in no cluster, and its page."""
    X = load_digits().data
    X[7, 3] = np.nan
    model = Communities(missing="mask", random_state=0).fit(X)
    path = tmp_path_factory.mktemp("report") / "levels.html"
    report(model, X).save(path)
    return model, path.as_uri()


def test_levels_are_chosen_by_keys(browser, leveled):
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.select import Select

    model, uri = leveled
    assert len(model.levels_) > 2
    browser.get(uri)
    sections = [one.get_attribute("label") for one in browser.find_elements("css selector", "#colouring optgroup")]
    assert sections == ["Levels of clusters", "Columns"]
    box = browser.find_element("id", "wanted")
    box.send_keys("20", Keys.ENTER)
    assert f"cluster: {model.labels_[20]}" in told(browser)
    chooser = browser.find_element("id", "colouring")
    Select(chooser).select_by_visible_text(f"level 0 ({model.levels_[0].n_clusters} clusters)")
    seen = set()
    for number, level in enumerate(model.levels_):
        if number:
            chooser.send_keys(Keys.ARROW_DOWN)
        title = f"level {number} ({level.n_clusters} clusters)"
        assert Select(chooser).first_selected_option.text == title
        assert f"{title}: {level.labels[20]}" in told(browser)
        legend = [button.text for button in browser.find_elements("css selector", "#groups button")]
        sizes = np.bincount(level.labels[level.labels >= 0])
        assert legend == [*(f"{cluster} ({size:,})" for cluster, size in enumerate(sizes)), "not clustered (1)"]
        assert drawn(browser) > 1000
        seen.add(browser.execute_script("return document.getElementById('scatter').toDataURL()"))
    assert len(seen) == len(model.levels_)
    assert browser.get_log("browser") == []


def test_a_row_is_found_by_its_id(browser, page, shown):
    from selenium.webdriver.common.keys import Keys

    browser.get(page)
    box = browser.find_element("id", "wanted")
    box.send_keys("<i>7", Keys.ENTER)
    lines = told(browser)
    assert lines[0] == "<i>7"
    assert lines[1].startswith("cluster: ")
    pixels = browser.execute_script(
        "const own = document.querySelector('#told canvas'), pen = own.getContext('2d');"
        "return Array.from(pen.getImageData(0, 0, own.width, own.height).data)"
    )
    expected = unpack(shown.summary["map"]["pictures"]["pixels"]).reshape(-1, 6)[7]
    assert pixels == [number for value in expected.tolist() for number in (value, value, value, 255)]
    view = view_of(browser)
    assert view[2] == 3
    np.testing.assert_allclose(view[:2], steps_of(shown.summary)[7], atol=0.1)  # it is in the middle of the map
    box.clear()
    box.send_keys("<i>5", Keys.ENTER)
    assert told(browser)[:2] == ["<i>5", "cluster: not clustered"]
    assert "missing" in " ".join(told(browser))
    box.clear()
    box.send_keys(LONG_ID, Keys.ENTER)
    assert told(browser)[0] == shorten(LONG_ID)
    box.clear()
    box.send_keys("nobody", Keys.ENTER)
    assert browser.find_element("id", "found").text == "No row nobody among the 2,000 shown."


def test_the_mouse_tells_a_row_and_a_click_keeps_it(browser, page, shown):
    from selenium.webdriver.common.action_chains import ActionChains

    browser.get(page)
    canvas = browser.find_element("id", "scatter")
    browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", canvas)  # all of it, for its middle
    row = lonely_row(shown.summary)
    corner = (2 - size_of(browser) // 2).tolist()  # where no row is
    right, below = place_of(browser, shown.summary, row)
    ActionChains(browser).move_to_element_with_offset(canvas, right, below).perform()
    assert told(browser)[0] == f"<i>{row}"
    ActionChains(browser).move_to_element_with_offset(canvas, *corner).perform()
    assert told(browser) == []
    ActionChains(browser).move_to_element_with_offset(canvas, right, below).click().perform()
    ActionChains(browser).move_to_element_with_offset(canvas, *corner).perform()
    assert told(browser)[0] == f"<i>{row}"


def test_a_tap_tells_a_row(browser, page, shown):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.pointer_input import PointerInput

    browser.get(page)
    canvas = browser.find_element("id", "scatter")
    browser.execute_script("arguments[0].scrollIntoView({ block: 'center' })", canvas)
    row = lonely_row(shown.summary)
    right, below = place_of(browser, shown.summary, row)
    finger = ActionChains(browser, devices=[PointerInput("touch", "finger")])
    finger.move_to_element_with_offset(canvas, right, below).click().perform()
    assert told(browser)[0] == f"<i>{row}"
    assert browser.execute_script("return getComputedStyle(arguments[0]).touchAction", canvas) == "pan-y"
    canvas.send_keys("+")
    view_of(browser)
    assert browser.execute_script("return getComputedStyle(arguments[0]).touchAction", canvas) == "none"


def test_rows_are_reached_by_keys(browser, page):
    from selenium.webdriver.common.keys import Keys

    browser.get(page)
    canvas = browser.find_element("id", "scatter")
    canvas.send_keys(Keys.ENTER)
    first = told(browser)
    canvas.send_keys(Keys.SHIFT + Keys.ARROW_RIGHT)
    second = told(browser)
    assert first
    assert second
    assert first[0] != second[0]
    canvas.send_keys(Keys.ESCAPE)
    assert told(browser) == []


@pytest.fixture(scope="module")
def equal_rows(tmp_path_factory):
    """A page of rows at three places, with ids that begin with spaces."""
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], 3, axis=0)
    path = tmp_path_factory.mktemp("report") / "equal.html"
    ids = [f" {number}" if number else "8" for number in range(9)]
    report(KMeans(3, n_init=1, random_state=0).fit(X), X, ids=ids).save(path)
    return path.as_uri()


def test_all_rows_at_a_place_are_reached_by_keys(browser, equal_rows):
    from selenium.webdriver.common.keys import Keys

    browser.get(equal_rows)
    browser.find_element("id", "wanted").send_keys("8", Keys.ENTER)
    assert told(browser)[0] == "8"
    canvas, seen = browser.find_element("id", "scatter"), []
    for key in [Keys.ARROW_RIGHT] * 5 + [Keys.ARROW_LEFT] * 2:
        canvas.send_keys(Keys.SHIFT + key)
        seen.append(told(browser)[0].strip())
    assert seen == ["1", "2", "3", "4", "5", "4", "3"]


def test_a_row_that_is_found_is_not_hidden(browser, equal_rows):
    from selenium.webdriver.common.keys import Keys

    browser.get(equal_rows)
    for button in browser.find_elements("css selector", "#groups button"):
        button.click()
    states = "return [...document.querySelectorAll('#groups button')].map((one) => one.ariaPressed)"
    for scheme in ("dark", "light"):  # a change of theme shows nothing that is hidden
        feature = {"name": "prefers-color-scheme", "value": scheme}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        drawn(browser)
        assert browser.execute_script(states) == ["false"] * 3
    box = browser.find_element("id", "wanted")
    box.send_keys(" 8", Keys.ENTER)
    lines = told(browser)
    expected = ["false"] * 3
    expected[int(lines[1].removeprefix("cluster: "))] = "true"
    assert browser.execute_script(states) == expected
    assert browser.execute_script("return document.querySelector('#told b').textContent") == " 8"


def test_typical_rows_are_shown_on_the_map(browser, page, shown):
    browser.get(page)
    row = shown.summary["groups"]["cards"][1]["typical"][0]
    image = browser.find_element("css selector", f"[data-row='{row['row']}'] img")
    assert browser.execute_script("return arguments[0].naturalWidth", image) == 3
    browser.execute_script("arguments[0].parentElement.click()", image)
    assert told(browser)[:2] == [row["id"], "cluster: 1"]


def test_wheel_and_drag(browser, page):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

    browser.get(page)
    canvas = browser.find_element("id", "scatter")
    start = view_of(browser)
    wheel = ScrollOrigin.from_element(canvas)
    ActionChains(browser).scroll_from_origin(wheel, 0, -100).perform()
    assert view_of(browser)[2] == start[2]  # the page scrolls
    browser.execute_script("arguments[0].focus()", canvas)
    ActionChains(browser).scroll_from_origin(wheel, 0, -100).perform()
    wait_until(lambda: view_of(browser)[2] > start[2], "the map to be zoomed")
    before = view_of(browser)
    ActionChains(browser).move_to_element(canvas).click_and_hold().move_by_offset(50, 0).release().perform()
    assert view_of(browser)[0] < before[0]


def count_paintings(browser, events):
    """How often all points are painted while events come in one go, and in the frames after."""
    count = """
        const [events, done] = arguments, canvas = document.getElementById("scatter");
        const pen = canvas.getContext("2d"), box = canvas.getBoundingClientRect();
        const create = pen.createImageData.bind(pen);
        let n = 0;
        pen.createImageData = (...size) => { n += 1; return create(...size); };
        for (let place = 0; place < 50; place += 1) {
          canvas.dispatchEvent(events === "keys" ? new KeyboardEvent("keydown", { key: "ArrowLeft" })
            : new PointerEvent("pointermove", { clientX: box.left + 10 * place, clientY: box.top + box.height / 2 }));
        }
        requestAnimationFrame(() => requestAnimationFrame(() => { delete pen.createImageData; done(n); }));
    """
    return browser.execute_async_script(count, events)


def test_very_many_rows_are_painted_once_a_frame(browser, tmp_path):
    X = np.random.default_rng(0).normal(size=(1_000_000, 2)).astype(np.float32)
    np.save(tmp_path / "rows.npy", X)
    model = KMeans(4, n_init=1, random_state=0).fit(X[:1000])
    model.labels_ = model.predict(X)
    report(model, tmp_path / "rows.npy").save(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size < 4e6
    browser.get((tmp_path / "page.html").as_uri())
    assert "70,000 of 1,000,000 rows, drawn at random." in browser.find_element("tag name", "main").text
    assert drawn(browser) > 10_000
    assert count_paintings(browser, "keys") == 1
    browser.find_element("id", "scatter").send_keys("0")
    assert drawn(browser) > 10_000
    assert count_paintings(browser, "pointer") == 0  # a row is marked on the same picture
    assert told(browser)


def test_every_control_has_a_name_and_headings_do_not_skip(browser, page):
    browser.get(page)
    nameless = """
        return [...document.querySelectorAll("button, select, input, canvas, img, svg, [role=region]")].filter((one) =>
          !(one.getAttribute("aria-label") || one.alt || one.title || one.textContent.trim() || one.closest("label")
            || one.querySelector("img[alt]"))).map((one) => one.outerHTML)
    """
    assert browser.execute_script(nameless) == []
    levels = browser.execute_script("return [...document.querySelectorAll('h1,h2,h3')].map((one) => +one.tagName[1])")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    names = browser.execute_script(
        "const ids = [...document.querySelectorAll('[id]')].map((one) => one.id); return ids"
    )
    assert len(set(names)) == len(names)


def test_a_notebook_shows_the_page(browser, shown, tmp_path):
    (tmp_path / "notebook.html").write_text(f"<!doctype html><body>{shown._repr_html_()}", encoding="utf-8")
    browser.get((tmp_path / "notebook.html").as_uri())
    browser.switch_to.frame(browser.find_element("tag name", "iframe"))
    assert browser.find_element("tag name", "h1").text == "blobs"
    assert drawn(browser) > 1000
    browser.switch_to.default_content()
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_a_wide_table_is_moved_by_keys_and_nothing_is_fetched(browser, tables):
    from selenium.webdriver.common.keys import Keys

    browser.get_log("performance")
    browser.get(tables)
    assert browser.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    assert not [url for url in asked if url.startswith(("http:", "https:", "ws"))]
    region = browser.find_element("css selector", ".wide")
    for _ in range(5):
        region.send_keys(Keys.ARROW_RIGHT)
    moved = "return document.querySelector('.wide').scrollLeft > 0"
    wait_until(lambda: browser.execute_script(moved), "the table to move")
    assert len(browser.find_elements("css selector", "figure svg")) == 1


@pytest.fixture(scope="module")
def long_names(tmp_path_factory):
    """A page of names without a place to break them."""
    X, y = make_blobs(100, 3, centers=3, random_state=0)
    frame = pd.DataFrame(X, columns=["x" * 90 + name for name in "abc"])
    labels = np.array(["a" * 80, "b" * 80, "c" * 80])[y]
    path = tmp_path_factory.mktemp("report") / "long.html"
    told = {"title": "t" * 200, "command": "c" * 300, "seconds": {"s" * 60: 1.0}, "ids": ["i" * 60] * 100}
    report(Communities(3, random_state=0).fit(frame), frame, labels=labels, **told).save(path)
    return path.as_uri()


def test_long_names_of_columns_are_cut(browser, long_names):
    browser.get(long_names)
    lines = (
        "const style = getComputedStyle(arguments[0]); return arguments[0].clientHeight / parseFloat(style.lineHeight)"
    )
    name = browser.find_element("css selector", ".card .column")
    assert name.get_attribute("title").startswith("x" * 40 + "…x")
    assert browser.execute_script(lines, name) < 4


@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["page", "tables", "long_names", "leveled"])
def test_it_fits_phones_and_follows_the_colour_scheme(browser, request, width, scheme, kind):
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    page = request.getfixturevalue(kind)
    browser.get(page[1] if kind == "leveled" else page)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width  # nothing sticks out
    colours = browser.execute_script(
        "const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]"
    )
    back, ink = (np.mean([int(part) for part in colour[4:-1].split(",")]) for colour in colours)
    assert (back > 200 and ink < 60) if scheme == "light" else (back < 60 and ink > 200)
