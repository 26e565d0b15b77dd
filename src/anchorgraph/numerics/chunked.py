"""Row maps on chunks of a block."""

from __future__ import annotations

from typing import Any

from anchorgraph.contracts import Block, RowMap
from anchorgraph.numerics.blocks import chunks, row_bytes, stack
from anchorgraph.numerics.execution import run


def in_chunks(row_map: RowMap) -> RowMap:
    """The same row map, whose blocks are cut into chunks for the threads of the context."""

    def rows(block: Block, *aligned: Any) -> Any:
        parts = chunks(block.shape[0], row_bytes(block))
        if len(parts) <= 1:
            return row_map(block, *aligned)
        return stack(run(lambda part: row_map(block[part], *(own[part] for own in aligned)), parts))

    return rows
