"""Errors about columns: names that are not there, and values that are not numbers."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from anchorgraph.table.description import LONGEST_NAME, shorten
from anchorgraph.urls import shown

MOST_SHOWN = 20
"""Columns that an error lists; others are counted."""

MOST_LEFT_OUT = 200
"""Names that are suggested to be left out; of more, it is easier to choose the others."""


def no_column(where: Any, name: str, names: Iterable[Any]) -> ValueError:
    """The error about a column that a source does not have."""
    words = [str(own) for own in names]
    known = ", ".join(map(shorten, words[:MOST_SHOWN]))
    return ValueError(f"{where} has no column {quote_name(name)}{did_you_mean(name, words)}; its columns are {known}.")


def did_you_mean(name: str, names: Iterable[Any]) -> str:
    """The most similar name, as part of a sentence; nothing if none is similar."""
    in_lower_case = {str(own).lower(): own for own in names if len(str(own)) <= LONGEST_NAME}
    alike = get_close_matches(shorten(name).lower(), in_lower_case, n=1)
    return f" (did you mean {in_lower_case[alike[0]]!r}?)" if alike else ""


def hold_no_numbers(where: Any, kinds: Mapping[Any, Any], remedy: str) -> ValueError:
    """The error about columns of a source that hold something else, by name."""
    if len(kinds) == 1:
        ((name, kind),) = kinds.items()
        return ValueError(f"Column {quote_name(name)} of {where} holds {kind}, not numbers; {remedy}.")
    return ValueError(f"Columns {list_columns(kinds)} of {where} hold no numbers; {remedy}.")


def list_columns(kinds: Mapping[Any, Any]) -> str:
    """Columns and what is said of them, such as ``'a' (string), 'b' (date)``."""
    listed = [f"{quote_name(name)} ({kind})" for name, kind in [*kinds.items()][:MOST_SHOWN]]
    return ", ".join(listed) + f" and {len(kinds) - MOST_SHOWN:,} others" * (len(kinds) > MOST_SHOWN)


def without_names(names: Iterable[Any]) -> str:
    """The argument that leaves columns out, such as ``without='a'`` or ``without=['a', 'b']``."""
    left_out = list(names)
    return f"without={left_out if left_out[1:] else left_out[0]!r}"


def ways_out(names: Iterable[str]) -> str:
    """How to read the columns of a file without some of them, in Python and in the program."""
    left_out = list(names)
    others = "choose others (columns=[…]; --columns)"
    if len(left_out) > MOST_LEFT_OUT or max(map(len, left_out)) > LONGEST_NAME:
        return others
    can_be_listed = left_out == [""] or all(map(_can_be_listed, left_out))
    option = f"; --drop {shlex.quote(','.join(left_out))} of the program" if can_be_listed else ""
    return f"leave {'them' if left_out[1:] else 'it'} out ({without_names(left_out)}{option}), or {others}"


def _can_be_listed(name: str) -> bool:
    """Whether a name can be one of several behind an option."""
    return name.isprintable() and "," not in name and name == name.strip() != ""


def quote_name(name: Any) -> str:
    """The name of a column in an error, shortened if it is very long."""
    return repr(shorten(shown(name)) if isinstance(name, str) else name)
