"""Cases run in processes with Linux's limits of memory, and nowhere else."""

import sys

collect_ignore_glob = [] if sys.platform == "linux" else ["*"]
