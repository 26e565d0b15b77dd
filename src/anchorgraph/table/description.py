"""What was understood of a source, in a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from anchorgraph.table.arrow_columns import Chosen, Column
from anchorgraph.table.csv_format import CSVFormat


def describe_columns(chosen: Sequence[Chosen], columns: Mapping[str, Column]) -> str:
    """Such as ``vector column 'emb' of 768 float16 and 2 columns``."""
    vectors = [
        f"{'vector column' if column.elements is None else f'{column.n_cols:,} elements of vector column'} "
        f"{column.name!r} of {column.width:,} {np.dtype(columns[column.name].element.to_pandas_dtype())}"
        for column in chosen
        if column.width is not None
    ]
    n_others = sum(column.width is None for column in chosen)
    return " and ".join([*vectors, *([count(n_others, "column")] if n_others else [])])


def describe_csv(csv: CSVFormat) -> str:
    """Such as ``separator ';', decimal ','``."""
    encoding = "" if csv.encoding == "utf-8" else f", encoding {csv.encoding!r}"
    return f"separator {csv.separator!r}, decimal {csv.decimal!r}{'' if csv.header else ', no header'}{encoding}"


LONGEST_NAME = 80
"""Letters of the longest name that is shown; of a longer one, both ends are. ``search.js`` does the same."""


def shorten(name: str) -> str:
    """A name, with an ellipsis in place of its middle if it is very long."""
    half = LONGEST_NAME // 2
    return name if len(name) <= LONGEST_NAME else f"{name[:half]}…{name[half + 1 - LONGEST_NAME :]}"


def count(number: int, noun: str) -> str:
    """Such as ``1,000 rows``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
