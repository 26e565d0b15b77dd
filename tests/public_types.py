"""What pyright finds of the types that users see, run by ``make lint``: all of them must be known.

The installed package is looked at, in an environment of its own that has the other packages of this one: an editable
one has files in two places, of which pyright sees one only.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "anchorgraph"


def main():
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder)
        packages = Path(sysconfig.get_path("purelib", "venv", {"base": folder, "platbase": folder}))
        shutil.copytree(PACKAGE, packages / "anchorgraph", ignore=shutil.ignore_patterns("__pycache__"))
        (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
        bin_folder = sysconfig.get_path("scripts", "venv", {"base": folder, "platbase": folder})
        environment = os.environ | {"VIRTUAL_ENV": folder, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
        command = [sys.executable, "-m", "pyright", "--verifytypes", "anchorgraph", "--ignoreexternal"]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    found = done.stdout.replace(str(packages), "src")
    print(found if done.returncode else found[found.index("Symbols exported") :], done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
