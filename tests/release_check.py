"""The package as strangers get it, run by ``make release-check``: built, looked at, installed and tried.

Wheel and sdist are built into build/dist and checked by twine. Their files must be those that git knows. Each is
installed into an empty environment, outside of the clone, and the README runs there: its installation, its Python and
its commands. ``--release v0.2.0`` also asks for what only a published version needs (docs/releasing.md).
"""

import argparse
import email
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "build" / "dist"

CELLS = """
import pyarrow, pyarrow.parquet
from sklearn.datasets import load_digits
X = load_digits().data
cells = {"cell": [f"c{i}" for i in range(len(X))]} | {f"gene_{j}": X[:, j] for j in range(X.shape[1])}
pyarrow.parquet.write_table(pyarrow.table(cells), "cells.parquet")
"""
"""The file that the README's command reads."""

WHERE = "import anchorgraph; print(anchorgraph.__version__, anchorgraph.__file__)"


def blocks(page, language):
    """The fenced blocks of a page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)


def commands(page, program):
    """The command lines of a page that start a program, as lists of words."""
    lines = (line.removeprefix("$ ") for block in blocks(page, "console") for line in block.splitlines())
    return [words for line in lines if (words := shlex.split(line, comments=True))[:1] == [program]]


def relative_links(page):
    """The targets of links and images that lead nowhere on another site."""
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", page) if not re.match(r"https?://|#", target)]


def missing_for(tag, version, changelog, citation, metadata):
    """What a release with this tag still needs, in sentences.

    Parameters
    ----------
    tag : str
    version : str
        Of the package.
    changelog : str
        CHANGELOG.md.
    citation : str
        CITATION.cff.
    metadata : email.message.Message
        Of the wheel.

    Returns
    -------
    list of str
    """
    found = []
    if tag != f"v{version}":
        found.append(f"The tag is {tag!r}, but the version is {version}; tag v{version}.")
    if not re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$", changelog, flags=re.MULTILINE):
        found.append(f"CHANGELOG.md has no heading '## {version} (YYYY-MM-DD)'; write the day of the release.")
    if not re.search(r"^repository-code: \S", citation, flags=re.MULTILINE):
        found.append("CITATION.cff has no repository-code; write the address of the repository.")
    readme, urls = metadata.get_payload(), metadata.get_all("Project-URL") or []
    if not urls:
        found.append("pyproject.toml has no [project.urls]; fill in the addresses of the project.")
    if placeholders := re.findall(r"https://host/[^\s)]*", "\n".join([citation, *urls, readme])):
        found.append(f"{placeholders[0]} is not an address; replace https://host/ as docs/releasing.md says.")
    if links := relative_links(readme):
        found.append(f"{len(links)} links of the README, such as {links[0]}, lead nowhere on PyPI; make them absolute.")
    if "not on pypi" in readme.lower():
        found.append("README.md says that the package is not on PyPI; say how to install it from there.")
    return found


def known_files(*folders):
    """The files of these folders, or all, that git knows."""
    command = ["git", "ls-files", "-z", "--", *folders]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {name for name in told.split("\0") if name}


def files_of_wheel(path):
    """The files of the package, without what describes it."""
    with zipfile.ZipFile(path) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def files_of_sdist(path):
    """The files of the sdist, without what describes it."""
    with tarfile.open(path) as archive:
        names = (name.partition("/")[2] for name in archive.getnames())
        return set(names) - {"PKG-INFO"}


def compare(name, found, expected):
    """Say how many files there are, or end with those that are too many or too few."""
    for what, names in (("has no", expected - found), ("should not have", found - expected)):
        if names:
            sys.exit(f"{name} {what} {', '.join(sorted(names))}.")
    print(f"{name}: {len(found)} files, as git knows them")


def run(*command, cwd=ROOT, **options):
    """Show a command and run it, without the clone on the path of its modules."""
    command = [str(word) for word in command]
    print("$", shlex.join(command), flush=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(command, cwd=cwd, env=environment, check=True, text=True, **options).stdout


def build():
    """The wheel and the sdist, of which twine had nothing to say."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", DIST, ROOT, stdout=subprocess.PIPE)
    (wheel,), (sdist,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    for path in (wheel, sdist):
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
    return wheel, sdist


def check_files(wheel, sdist):
    """The wheel has the package and the published tables, the sdist the whole repository."""
    package = {name.removeprefix("src/") for name in known_files("src")}
    tables = {f"anchorgraph/{name}" for name in known_files("experiments")}
    compare(wheel.name, files_of_wheel(wheel), package | tables)
    compare(sdist.name, files_of_sdist(sdist), known_files())


def metadata_of(wheel):
    """What the wheel says of itself; the payload is the README."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return email.message_from_string(archive.read(name).decode())


def try_readme(path, python, version):
    """Install a file as the README says, and run what it shows."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="anchorgraph-release-") as name:
        folder = Path(name)
        run(python, "-m", "venv", folder / "venv")
        scripts = Path(sysconfig.get_path("scripts", "venv", {"base": str(folder / "venv")}))
        for _pip, *words in commands(page, "pip"):
            here = [re.sub(r"^(\.|anchorgraph)(?=\[|$)", lambda _: str(path), word) for word in words]
            run(scripts / "python", "-m", "pip", "--quiet", *here, cwd=folder)
        check_version(scripts, folder, version)
        run(scripts / "python", "-W", "error", "-c", "\n".join(blocks(page, "python")), cwd=folder)
        run(scripts / "python", "-c", CELLS, cwd=folder)
        for _name, *words in commands(page, "anchorgraph"):
            run(scripts / "anchorgraph", *words, cwd=folder)
        # what errors about missing packages advise: it adds an extra to the installed copy, published or not
        run(scripts / "python", "-m", "pip", "--quiet", "install", "anchorgraph[plot]", cwd=folder)
        run(scripts / "python", "-c", "import matplotlib", cwd=folder)
        written = sorted(entry.name for entry in folder.iterdir() if entry.is_file())
        print(f"{path.name} works in {python}; the README wrote {', '.join(written)}\n")


def check_version(scripts, folder, version):
    """End if the package is not the one that was installed here, or the program says another version."""
    found, file = run(scripts / "python", "-c", WHERE, cwd=folder, stdout=subprocess.PIPE).split()
    if found != version or not Path(file).is_relative_to(folder):
        sys.exit(f"anchorgraph {found} was imported from {file}, and not {version} from {folder}.")
    told = run(scripts / "anchorgraph", "--version", cwd=folder, stdout=subprocess.PIPE)
    print(told, end="")
    if told != f"anchorgraph {version}\n":
        sys.exit(f"anchorgraph --version should have printed anchorgraph {version}.")


def main(options):
    wheel, sdist = build()
    check_files(wheel, sdist)
    metadata = metadata_of(wheel)
    version = metadata["Version"]
    changelog, citation = ((ROOT / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CITATION.cff"))
    missing = missing_for(options.release or f"v{version}", version, changelog, citation, metadata)
    if options.release and missing:
        sys.exit("\n".join(missing))
    for python in options.python or [sys.executable]:
        for path in (wheel, sdist):
            try_readme(path, python, version)
    print("\n".join([f"{wheel.name} and {sdist.name} install and run.", *missing]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--release", metavar="TAG", help="fail if a release with this tag lacks something")
    parser.add_argument(
        "--python",
        action="append",
        help="an interpreter to install into, several times if there are more; this one if none",
    )
    main(parser.parse_args())
