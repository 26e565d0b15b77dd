"""The program: one file a command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the program, or say how to install what it takes."""
    try:
        from anchorgraph.cli.app import run
    except ImportError as error:
        sys.exit(f"The program takes {error.name}; install anchorgraph[cli].")
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(run(sys.argv[1:]))
