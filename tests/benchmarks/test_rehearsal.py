"""The rehearsal of very many rows: a pass over the rows waits instead of working."""

import time

import pytest

pytest.importorskip("distributed")
from rehearsal import rehearse


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a socket of old versions of Dask
@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="measures the scheduler's processor time")
def test_the_pass_that_makes_z_waits_and_is_recorded():
    """Four blocks of 2,000 rows on two workers; each block is read once."""
    (of_z,) = [found for found in rehearse("FSC", 4, 2, 2000) if found.name == "tie_rows"]
    assert of_z.waited > 0
    assert of_z.read == 4 * 2000 * 32 * 4
