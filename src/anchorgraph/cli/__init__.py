"""The program: one file a command."""

from __future__ import annotations

import sys

from anchorgraph.cli.loading import end_at_ctrl_c, loading


def main() -> None:
    """Run the program, or say how to install what it takes."""
    try:
        with loading():
            from anchorgraph.cli.app import run
        code = run(sys.argv[1:])
    except ImportError as error:
        sys.exit(f'The program requires {error.name}: pip install "anchorgraph[cli]".')
    except KeyboardInterrupt:  # before or after the command, which has a sentence for it
        code = 130
    end_at_ctrl_c()  # also while Python shuts down
    sys.exit(code)
