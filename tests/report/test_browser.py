"""The page in a real browser: drawn, moved by keys, groups hidden, on a phone, in the dark."""

import json
import shutil

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from anchorgraph import FSC
from anchorgraph.report import summarise, write_page, write_results
from anchorgraph.table import as_table
from waiting import PATIENCE, wait_until

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(not (BROWSER and DRIVER), reason="there is no chromium with its driver; 'make browser'")
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    X, _ = make_blobs(2000, 5, centers=4, cluster_std=4, random_state=0)
    model = FSC(4, n_anchors=50, random_state=0).fit(X)
    path = tmp_path_factory.mktemp("report") / "page.html"
    write_page(summarise(model, as_table(X), title="blobs", seconds={"graph": 1.0}), path)
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
    """How many of the canvas's pixels have a colour, after the next frame."""
    count = """
        const done = arguments[0];
        requestAnimationFrame(() => requestAnimationFrame(() => {
          const canvas = document.getElementById("scatter");
          const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
          let n = 0;
          for (let i = 3; i < pixels.length; i += 4) n += pixels[i] > 0;
          done(n);
        }));
    """
    return browser.execute_async_script(count)


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
    assert len(buttons) == 4
    before = drawn(browser)
    buttons[0].send_keys(Keys.SPACE)
    assert buttons[0].get_attribute("aria-pressed") == "false"
    assert drawn(browser) < before
    buttons[0].send_keys(Keys.ENTER)
    assert drawn(browser) == before


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


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["page", "tables"])
def test_it_fits_phones_and_follows_the_colour_scheme(browser, request, width, scheme, kind):
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    browser.get(request.getfixturevalue(kind))
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width  # nothing sticks out
    colours = browser.execute_script(
        "const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]"
    )
    back, ink = (np.mean([int(part) for part in colour[4:-1].split(",")]) for colour in colours)
    assert (back > 200 and ink < 60) if scheme == "light" else (back < 60 and ink > 200)
