"""``make test`` installs no packages on anybody's own machine."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

MAKE = shutil.which("make")
pytestmark = pytest.mark.skipif(MAKE is None or os.name == "nt", reason="there is no make with a shell")


@pytest.fixture
def commands(tmp_path):
    """A folder to be the PATH, in which commands can be made up."""

    def make_up(**scripts):
        for name, script in scripts.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
            (tmp_path / name).chmod(0o755)

    make_up(id="echo 0", **{"apt-get": f'echo "$@" >> {tmp_path}/installed'})
    return make_up


def look_for_browser(folder, **variables):
    """What make says, and what it had installed."""
    command = [MAKE, "-C", Path(__file__).parents[1], "browser-in-ci"]
    done = subprocess.run(command, env={"PATH": str(folder), **variables}, capture_output=True, text=True, check=True)
    log = folder / "installed"
    return done.stdout, log.read_text() if log.exists() else ""


def test_without_ci_it_says_how(commands, tmp_path):
    told, installed = look_for_browser(tmp_path)
    assert "the tests of pages are skipped; as root on Debian, 'make browser' installs it." in told
    assert installed == ""


def test_in_ci_root_installs(commands, tmp_path):
    _, installed = look_for_browser(tmp_path, CI="true")
    assert "install -y -q --no-install-recommends chromium chromium-driver" in installed


def test_in_ci_others_do_not(commands, tmp_path):
    commands(id="echo 1000")
    told, installed = look_for_browser(tmp_path, CI="true")
    assert "'make browser' installs it" in told
    assert installed == ""


def test_where_it_is_nothing_happens(commands, tmp_path):
    commands(chromium="", chromedriver="")
    told, installed = look_for_browser(tmp_path, CI="true")
    assert "Chromium" not in told
    assert installed == ""


def test_an_installation_that_fails_does_not_stop_the_tests(commands, tmp_path):
    commands(**{"apt-get": "exit 1"})
    told, _ = look_for_browser(tmp_path, CI="true")
    assert "No Chromium: the tests of pages are skipped." in told
