"""The oldest versions that pyproject.toml allows, as constraints for pip: ``python tests/oldest.py``."""

import re
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(\[[\w,-]+\])?>=(?P<version>[\w.]+)")


def oldest(requirements):
    """A line for each requirement, all of which have a lower bound and nothing else."""
    for requirement in requirements:
        found = REQUIREMENT.fullmatch(requirement)
        if found is None:
            raise ValueError(f"{requirement!r} in pyproject.toml has no lower bound; write it as name>=version.")
        yield f"{found['name']}=={found['version']}"


def requirements():
    """What the package takes, its extras (but the one that names the others), and what the tests take."""
    written = tomllib.loads(PYPROJECT.read_text())
    extras = written["project"]["optional-dependencies"]
    lists = [written["project"]["dependencies"], written["dependency-groups"]["test"]]
    lists += [extra for name, extra in extras.items() if name != "all"]
    return dict.fromkeys(line for lines in lists for line in lines)


if __name__ == "__main__":
    print("\n".join(oldest(requirements())))
