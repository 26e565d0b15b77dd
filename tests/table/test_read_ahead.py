"""Files are read one block ahead of the work: nothing else is different."""

import threading
import weakref

import numpy as np
import pytest

from anchorgraph.numerics.execution import as_worker, execution, run, run_ahead
from anchorgraph.numerics.finite import RowError
from anchorgraph.table import as_table
from anchorgraph.table.parts import InvalidFileError
from anchorgraph.table.shards import ShardTable
from waiting import wait_until

ROWS = np.arange(60.0).reshape(20, 3)


@pytest.fixture(autouse=True)
def two_threads():
    before = set(threading.enumerate())
    with execution(2):
        yield
    assert set(threading.enumerate()) <= before


@pytest.fixture
def table(tmp_path):
    np.save(tmp_path / "rows.npy", ROWS)
    return as_table(tmp_path / "rows.npy", block_rows=4)


def test_the_next_piece_is_made_while_a_result_is_used_and_no_other():
    begun = []
    results = run_ahead(lambda i: begun.append(i) or i, range(6))
    assert next(results) == 0
    wait_until(lambda: begun == [0, 1], "the second piece")
    assert next(results) == 1
    wait_until(lambda: begun == [0, 1, 2], "the third piece")
    assert list(results) == [2, 3, 4, 5]
    assert begun == [0, 1, 2, 3, 4, 5]


def test_what_is_made_ahead_may_use_the_threads_of_the_context():
    pieces = run_ahead(lambda i: run(lambda j: i * j, range(4)), range(5))
    assert list(pieces) == [[i * j for j in range(4)] for i in range(5)]


@pytest.mark.parametrize("context", [lambda: execution(1), as_worker], ids=["one thread", "worker"])
def test_a_single_thread_reads_for_itself(context):
    with context():
        assert set(run_ahead(lambda _: threading.get_ident(), range(3))) == {threading.get_ident()}


def test_blocks_are_read_by_another_thread_and_mapped_by_this_one(table, monkeypatch):
    readers, mappers = set(), set()
    read = ShardTable.read
    view = table.view(lambda block: mappers.add(threading.get_ident()) or 2 * block)
    monkeypatch.setattr(ShardTable, "read", lambda *args: readers.add(threading.get_ident()) or read(*args))
    (total,) = view.sum_blocks(lambda block, own: (block.T @ own,), table)
    np.testing.assert_array_equal(total, 2 * ROWS.T @ ROWS)
    assert threading.get_ident() not in readers
    assert len(readers) == 1
    assert mappers == {threading.get_ident()}


def test_an_error_of_the_work_names_its_row_and_ends_the_reading(table):
    def refuse(block):
        if (block == 30).any():
            raise RowError(int(np.argmax((block == 30).any(axis=1))))
        return block

    seen = []
    with pytest.raises(RowError) as error:
        seen.extend(table.map_blocks(refuse))
    assert "row 10 of" in error.value.where
    np.testing.assert_array_equal(np.concatenate(seen), ROWS[:8])


def test_an_error_of_the_reading_comes_in_its_turn(table, tmp_path):
    blocks = table.map_blocks(lambda block: block)
    found = [next(blocks)]
    with (tmp_path / "rows.npy").open("r+b") as file:
        file.truncate(128 + 24 * 15)  # after block 1 or while it is read: fifteen rows are left
    with pytest.raises(InvalidFileError, match="ends before row 16"):
        found.extend(blocks)
    np.testing.assert_array_equal(np.concatenate(found), ROWS[:12])


def test_a_pass_that_is_given_up_leaves_no_thread(table):
    before = set(threading.enumerate())
    blocks = table.map_blocks(lambda block: block)
    next(blocks)
    assert len(set(threading.enumerate()) - before) == 1
    blocks.close()
    assert set(threading.enumerate()) == before


def test_two_blocks_are_in_memory_at_most(table, monkeypatch):
    read, blocks, n_alive = ShardTable.read, [], []

    def counted(*args):
        n_alive.append(sum(block() is not None for block in blocks))
        block = read(*args)
        blocks.append(weakref.ref(block))
        return block

    monkeypatch.setattr(ShardTable, "read", counted)
    table.sum_blocks(lambda block: (block.sum(axis=0),))
    assert len(n_alive) == 5
    assert max(n_alive) <= 1  # and the one that is read
