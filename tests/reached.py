"""Which tests reach a line of the source: from one run of the tests under coverage, which is kept."""

import hashlib
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kernels import TESTS

N_PROCESSES = 2


@dataclass(frozen=True)
class Reached:
    """What tests reach.

    Attributes
    ----------
    data : Path
        Written by coverage, with the test as the context of each line.
    seconds : dict
        How long each test took that passed.
    """

    data: Path
    seconds: dict
    _by_file: dict = field(default_factory=dict)

    def tests(self, file, first, last):
        """The tests that reach one of these lines of a file, or with 0 any line of it; the quickest first."""
        if file not in self._by_file:
            self._by_file[file] = self._tests_by_line(file)
        by_line = self._by_file[file]
        found = {test for line in by_line if not first or first <= line <= last for test in by_line[line]}
        return sorted(found, key=lambda test: (self.seconds[test], test))

    def _tests_by_line(self, file):
        by_line = {}
        for name in self._coverage.measured_files():
            if Path(name).as_posix().endswith(f"/{file}"):
                for line, contexts in self._coverage.contexts_by_lineno(name).items():
                    by_line.setdefault(line, set()).update(map(test_of, contexts))
        return {line: tests & self.seconds.keys() for line, tests in by_line.items()}

    @cached_property
    def _coverage(self):
        return read_data(self.data)


def read_data(path):
    """The data of coverage, which only those need who measure it."""
    from coverage import CoverageData

    data = CoverageData(str(path))
    data.read()
    return data


def test_of(context):
    """The test of a context such as ``tests/test_public.py::test_names|run``."""
    return context.rpartition("|")[0]


test_of.__test__ = False


def find_reached(checkout, files, folder):
    """Run the tests of a checkout under coverage, unless they were; after a change of tests only those.

    Parameters
    ----------
    checkout : Path
    files : list of str
        Its files.
    folder : Path
        Where the result is kept.

    Returns
    -------
    Reached
    """
    data, kept = folder / "coverage", folder / "tests.json"
    digests = {
        name: hashlib.sha256((checkout / name).read_bytes()).hexdigest()
        for name in files
        if name.startswith(("src/", "tests/"))
    }
    before = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {"digests": {}, "seconds": {}}
    changed = [name for name in digests if digests[name] != before["digests"].get(name)]
    seconds = before["seconds"]
    if changed:
        is_test = re.compile(r"tests/(.*/)?test_\w+\.py").fullmatch
        again = changed if all(map(is_test, changed)) else []
        print("Tests that have changed" if again else "All tests", "run under coverage.", flush=True)
        others = {test: own for test, own in seconds.items() if test.partition("::")[0] not in again} if again else {}
        seconds = others | run_under_coverage(checkout, again, data)
        kept.write_text(json.dumps({"digests": digests, "seconds": seconds}), encoding="utf-8")
    return Reached(data, seconds)


def run_under_coverage(checkout, files, data):
    """How long each test of some files, or of all, took that passed.

    Parameters
    ----------
    checkout : Path
    files : list of str
        None for all.
    data : Path
        Where coverage writes; what was there stays if there are files.

    Returns
    -------
    dict
    """
    report = data.with_name("tests.xml")
    command = [sys.executable, "-m", "pytest", "-n", str(N_PROCESSES), "-q", *TESTS, *files, f"--junitxml={report}"]
    command += ["--cov", "--cov-context=test", "--cov-report=", "--cov-fail-under=0", *["--cov-append"] * bool(files)]
    subprocess.run(command, cwd=checkout, env=environment_of(checkout) | {"COVERAGE_FILE": str(data)}, check=False)
    passed = {
        (case.get("classname"), case.get("name")): float(case.get("time"))
        for case in ET.parse(report).iter("testcase")
        if all(child.tag not in ("failure", "error", "skipped") for child in case)
    }
    tests = {test_of(context) for context in read_data(data).measured_contexts()}
    return {test: passed[junit_name(test)] for test in tests if junit_name(test) in passed}


def junit_name(test):
    """The class and the name under which a report of JUnit has a test."""
    path, bracket, parameters = test.partition("[")
    file, *names = path.split("::")
    names = [file.removesuffix(".py").replace("/", "."), *names]
    return ".".join(names[:-1]), names[-1] + bracket + parameters


def environment_of(checkout):
    """Variables with which the source of a checkout comes before an installed one."""
    return os.environ | {"PYTHONPATH": str(checkout / "src")}
