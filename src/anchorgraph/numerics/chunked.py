"""Row maps on chunks of a block."""

from __future__ import annotations

from typing import Any

from anchorgraph.contracts import Block, RowMap
from anchorgraph.numerics.blocks import chunks, row_bytes, stack
from anchorgraph.numerics.execution import run


def in_chunks(row_map: RowMap) -> RowMap:
    """The same row map, whose blocks are cut into chunks for the threads of the context."""

    def rows(block: Block) -> Any:
        parts = chunks(block.shape[0], row_bytes(block))
        return stack(run(lambda part: row_map(block[part]), parts)) if len(parts) > 1 else row_map(block)

    return rows
