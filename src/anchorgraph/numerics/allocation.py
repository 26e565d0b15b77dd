"""Memory of temporary arrays in Dask's workers, which return every freed byte to the system."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import lru_cache

DASK_TRIM_THRESHOLD = "65536"
"""The MALLOC_TRIM_THRESHOLD_ that Dask sets for its workers by default."""

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Numbers of two settings of glibc, from malloc.h."""

REUSED_BYTES = 2**25
"""Arrays up to this size get memory that was freed before, of which so much is kept: glibc's own limit for arrays."""


@lru_cache(maxsize=1)
def reuse_freed_memory() -> None:
    """Let temporary arrays use memory that was freed before, in a worker with Dask's default settings.

    Dask sets MALLOC_TRIM_THRESHOLD_, so that freed memory is returned early. With glibc, every array above 128 KiB is
    then new memory, which the system clears page by page: a search of nearest anchors takes twice as long. Other
    settings than Dask's default are left alone.
    """
    is_default = os.environ.get("MALLOC_TRIM_THRESHOLD_") == DASK_TRIM_THRESHOLD
    if is_default and "MALLOC_MMAP_THRESHOLD_" not in os.environ and sys.platform == "linux":
        set_option = getattr(ctypes.CDLL(None), "mallopt", None)  # other C libraries than glibc do not have it
        if set_option is not None and set_option(M_MMAP_THRESHOLD, REUSED_BYTES):  # 0 if it is refused
            set_option(M_TRIM_THRESHOLD, REUSED_BYTES)
