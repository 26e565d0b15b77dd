"""What is said of the package in several places is the same in all of them, and true before it is published."""

import re
import tomllib
from email.message import EmailMessage
from pathlib import Path

import pytest
import yaml

import anchorgraph
from oldest import REQUIREMENT
from release_check import blocks, commands, missing_for, relative_links

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def workflow(name):
    found = yaml.safe_load(read(f".github/workflows/{name}.yml"))
    return {"on" if key is True else key: value for key, value in found.items()}  # "on" is a boolean in YAML 1.1


UNQUOTED = re.compile(r"pip install (-\S+ )*[\w.]+\[")
WORKFLOWS = {path.stem: workflow(path.stem) for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))}
MATRIX = WORKFLOWS["tests"]["jobs"]["tests"]["strategy"]["matrix"]


def steps(name):
    return [step for job in WORKFLOWS[name]["jobs"].values() for step in job["steps"]]


def test_versions_agree():
    newest = re.search(r"^## (\S+)", read("CHANGELOG.md"), flags=re.MULTILINE)[1]
    assert newest == yaml.safe_load(read("CITATION.cff"))["version"] == anchorgraph.__version__


def test_the_papers_to_cite_are_those_of_the_methods():
    citation = read("CITATION.cff")
    references = yaml.safe_load(citation)["references"]
    assert all(set(reference) >= {"title", "authors", "year"} for reference in references)
    papers = {method.card.paper.partition(" ")[0] for method in anchorgraph.CATALOGUE.values()}
    cited = re.findall(r"^  - type: \S+ # (\w+):", citation, flags=re.MULTILINE)
    assert len(cited) == len(references) == 5
    assert set(cited) <= papers


def test_pythons_and_systems_that_are_claimed_are_tried():
    classified = [name.rpartition(" :: ")[2] for name in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+", name)]
    assert classified == MATRIX["python"]
    assert PROJECT["requires-python"] == f">={classified[0]}"
    systems = {"ubuntu": "POSIX :: Linux", "macos": "MacOS", "windows": "Microsoft :: Windows"}
    claimed = {name.partition(" :: ")[2] for name in PROJECT["classifiers"] if name.startswith("Operating System")}
    assert {systems[name.partition("-")[0]] for name in MATRIX["os"]} == claimed


def test_jobs_install_what_make_installs():
    written = {line.strip() for line in read("Makefile").splitlines()}
    of_tests, of_docs = ('install --quiet --editable ".[{}]" --group test', "install --quiet --no-deps {}")
    for name in ("tests", "prereleases"):
        (extras,) = re.findall(
            r'--editable "\.\[(.*)\]" --group test', "\n".join(str(s.get("run")) for s in steps(name))
        )
        assert f"$(BIN)/python -m pip {of_tests.format(extras)}" in written
    *_, bertopic = yaml.safe_load(read(".readthedocs.yaml"))["build"]["jobs"]["install"]
    assert f"$(ECOSYSTEM)/bin/python -m pip {of_docs.format(bertopic.split()[-1])}" in written


def test_jobs_call_what_make_has():
    targets = set(re.findall(r"^([\w-]+):", read("Makefile"), flags=re.MULTILINE))
    assert set(WORKFLOWS["tests"]["jobs"]["make"]["strategy"]["matrix"]["target"]) <= targets
    assert "release-check" in targets


@pytest.mark.parametrize("name", WORKFLOWS)
def test_jobs_may_do_little_and_name_the_actions_they_use_by_version(name):
    assert WORKFLOWS[name]["permissions"] in ({}, {"contents": "read"})
    assert "concurrency" in WORKFLOWS[name]
    more = [
        job for job in WORKFLOWS[name]["jobs"].values() if job.get("permissions", {}) not in ({}, {"contents": "read"})
    ]
    assert [(job["permissions"], job["environment"]) for job in more] == (
        [({"id-token": "write"}, "pypi")] if name == "publish" else []
    )
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@(release/)?v\d+", step["uses"]) for step in steps(name) if "uses" in step)
    assert "secrets." not in read(f".github/workflows/{name}.yml")


def bounds(requirements):
    """Lower bounds by name, without the extras of other packages."""
    found = [REQUIREMENT.fullmatch(requirement) for requirement in requirements]
    return {one["name"]: one["version"] for one in found}


def test_conda_installs_the_same():
    *packages, pip = yaml.safe_load(read("environment.yml"))["dependencies"]
    assert pip == {"pip": ["."]}
    packages.remove("pip")
    listed = [*PROJECT["dependencies"], *(line for name, lines in EXTRAS.items() if name != "all" for line in lines)]
    python = PROJECT["requires-python"].removeprefix(">=")
    assert bounds(packages) == bounds(listed) | {"python": python}


def test_extras_are_quoted_wherever_they_are_installed():
    """zsh would take the brackets for a pattern."""
    places = [*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md"), *ROOT.glob("examples/*.py")]
    found = [(str(place), line) for place in places for line in place.read_text().splitlines() if UNQUOTED.search(line)]
    assert not found


def test_all_is_every_extra():
    (everything,) = EXTRAS["all"]
    assert set(re.findall(r"\w+", everything)) - {"anchorgraph"} == set(EXTRAS) - {"all"}


PAGES = [path for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")] if path.name != "releasing.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_page_installs_what_is_not_published(page):
    """Errors may: they come from a copy that is installed, to which pip adds the extra."""
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"(?:pip|uv|conda|mamba)[^\n`]* (?:install|add) [^\n`]*\banchorgraph\b", text)
    assert not re.findall(r"pypi\.org/project/anchorgraph|anchorgraph\.readthedocs", text)


def metadata(readme, **fields):
    message = EmailMessage()
    for name, value in fields.items():
        message[name.replace("_", "-")] = value
    message.set_payload(readme)
    return message


def test_what_a_release_lacks():
    url = "https://example.org/anchorgraph"
    changelog, citation = "# Changelog\n\n## 1.0.0 (2027-01-31)\n", f"type: software\nrepository-code: {url}\n"
    ready = metadata(f"[guide]({url}/guide.md)", Project_URL=f"Source, {url}")
    assert missing_for("v1.0.0", "1.0.0", changelog, citation, ready) == []
    nothing = metadata("Not on PyPI yet. ![map](docs/a.png)")
    tag, day, code, urls, links, pypi = missing_for("v1.0.0", "1.0.1", "## 1.0.1 (unreleased)\n", "type: x\n", nothing)
    assert tag == "The tag is 'v1.0.0', but the version is 1.0.1; tag v1.0.1."
    assert day.startswith("CHANGELOG.md has no heading '## 1.0.1 (YYYY-MM-DD)'")
    assert code == "CITATION.cff has no repository-code; write the address of the repository."
    assert urls.startswith("pyproject.toml has no [project.urls]")
    assert links == "1 links of the README, such as docs/a.png, lead nowhere on PyPI; make them absolute."
    assert pypi == "README.md says that the package is not on PyPI; say how to install it from there."


@pytest.mark.parametrize("place", ["citation", "urls", "readme"])
def test_addresses_that_were_not_filled_in_are_refused(place):
    urls = dict.fromkeys(("citation", "urls", "readme"), "https://example.org/anchorgraph")
    urls[place] = "https://host/owner/anchorgraph"
    described = metadata(f"[guide]({urls['readme']})", Project_URL=f"Source, {urls['urls']}")
    (found,) = missing_for(
        "v1.0.0", "1.0.0", "## 1.0.0 (2027-01-31)", f"repository-code: {urls['citation']}", described
    )
    assert found.startswith("https://host/owner/anchorgraph is not an address;")


def test_placeholders_are_those_of_the_page():
    """What is pasted from docs/releasing.md as it is must be noticed."""
    (pasted,) = blocks(read("docs/releasing.md"), "toml")
    urls = tomllib.loads(pasted)["project"]["urls"].values()
    assert all(url.startswith("https://host/") for url in urls)


def test_what_is_run_of_the_readme():
    page = read("README.md")
    assert commands(page, "pip") == [["pip", "install", ".[cli,report]"]]
    assert [words[:2] for words in commands(page, "anchorgraph")] == [["anchorgraph", "cluster"]]
    (python,) = blocks(page, "python")
    assert python.startswith("from sklearn.datasets import load_digits\n")
    assert "docs/images/maps.png" in relative_links(page)
