"""The command-line program: one file for each command."""

from __future__ import annotations

import sys
import warnings

from anchorgraph.cli.loading import INTERRUPTED, SENTENCE, ignore_ctrl_c, loading


def main() -> None:
    """Run the program; if a package is missing, print how to install it."""
    try:
        with loading():
            from anchorgraph.cli.app import run, show_warning
        warnings.showwarning = show_warning
        code = run(sys.argv[1:])
    except ImportError as error:
        sys.exit(f'The program requires {error.name}: pip install "anchorgraph[cli]".')
    except KeyboardInterrupt:  # before or after the command, which prints the sentence itself
        print(SENTENCE, file=sys.stderr)
        code = INTERRUPTED
    ignore_ctrl_c()  # the command is over; Python shuts down
    sys.exit(code)
