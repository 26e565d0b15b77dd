"""The files of a path, a list of paths, a folder, or a folder of partitions."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from anchorgraph.table.location import Location, locate_all

NULL = "__HIVE_DEFAULT_PARTITION__"
"""The name of the folder of rows without a value."""


def list_files(source: Any, suffixes: Collection[str]) -> list[Location]:
    """The files of a path, a URL or a list of them.

    Those of a folder are sorted by name. Folders named as in ``year=2024`` may be nested; their names and values are
    partitions of the files in them.

    Parameters
    ----------
    source : path, URL or list of them
    suffixes : collection of str
        Those of the formats that can be read.

    Returns
    -------
    list of Location
    """
    found = []
    for location in locate_all(source):
        kind = location.kind()
        if kind == "folder":
            found += _list_folder(location, suffixes)
        elif kind == "missing":
            raise FileNotFoundError(f"{location} does not exist; pass the path of a file or of a folder of files.")
        elif location.suffix not in suffixes:
            raise ValueError(
                f"{location} has the suffix {location.suffix!r}, which is not supported; store the rows in one of the "
                f"formats {', '.join(suffixes)}."
            )
        elif kind != "file":
            raise ValueError(f"{location} is a device or a pipe; pass the path of a regular file.")
        else:
            found.append(location)
    return found


def _list_folder(folder: Location, suffixes: Collection[str]) -> list[Location]:
    visible = [child for child in folder.children() if not child.base_name.startswith((".", "_"))]
    visible.sort(key=lambda child: _natural_key(child.base_name))
    folders = [child for child in visible if child.suffix not in suffixes and child.kind() == "folder"]
    if others := [child for child in folders if "=" not in child.base_name]:
        raise ValueError(
            f"Folder {folder} contains a subfolder {others[0].base_name!r}; pass a list of the files to read."
        )
    files = [child for child in visible if child.suffix in suffixes and child not in folders]
    if others := [child for child in files if child.kind() != "file"]:
        raise ValueError(f"{others[0]} is not a regular file; remove it from the folder.")
    if folders and files:
        raise ValueError(
            f"Folder {folder} contains the file {files[0].base_name!r} beside partitions such as "
            f"{folders[0].base_name!r}; pass a list of the files to read."
        )
    for child in folders:
        files += _list_folder(_partition(child), suffixes)
    if not files:
        raise ValueError(f"Folder {folder} contains no file with one of the suffixes {', '.join(suffixes)}.")
    return files


def _partition(folder: Location) -> Location:
    name, _, value = folder.base_name.partition("=")
    return replace(folder, partitions=(*folder.partitions, (unquote(name), None if value == NULL else unquote(value))))


def _natural_key(name: str) -> list[Any]:
    """Sort key by which part.2 comes before part.10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]
