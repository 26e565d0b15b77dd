"""Where a file is: on the local disk, or on a remote file system that pyarrow or fsspec knows."""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from os.path import exists, isdir, isfile
from pathlib import Path
from typing import Any

from anchorgraph.table.hdf5_path import split_path
from anchorgraph.table.reasons import cause, explain_remote_errors, short_reason
from anchorgraph.urls import is_url, query_of, shown

BROKEN_URL = re.compile(r"(s3|gs|gcs|abfs|az|https?|hdfs|file):/[^/]")
"""What :class:`pathlib.Path` makes of a URL."""

NO_HOST = re.compile(r"(ftp|sftp|https?)://(/|$)")
"""A URL that needs the name of a host and has none; fsspec would print a traceback."""


@dataclass(frozen=True)
class Location:
    """A file or folder.

    Attributes
    ----------
    name : str
        How errors and descriptions name it: as it was passed, without what may be secret in a URL.
    path : str
        Its path on the file system; that of an array in an HDF5 file goes on inside the file.
    filesystem : pyarrow.fs.FileSystem or None
        None is the local disk, which takes no pyarrow.
    partitions : tuple of (str, str or None)
        Names and values of the columns that its folders stand for, as in ``year=2024/part-0.parquet``.
    listed_kind : str or None
        Its kind, if a remote file system told it with the list of the folder.
    url : str
        The URL that was passed, with its secrets, to leave them out of errors; empty on the local disk.
    """

    name: str
    path: str = field(repr=False)
    filesystem: Any = None
    partitions: tuple[tuple[str, str | None], ...] = ()
    listed_kind: str | None = None
    url: str = field(default="", repr=False)

    def __str__(self) -> str:
        return self.name

    @property
    def is_local(self) -> bool:
        """Whether it is on the local disk."""
        return self.filesystem is None

    @property
    def base_name(self) -> str:
        """The last part of the path, without the query of a URL."""
        if self.is_local:
            return Path(self.path).name
        path = shown(self.path.removesuffix(query_of(self.url)))  # fsspec's paths may be URLs, or end in the query
        return path.rstrip("/").rpartition("/")[2]

    @property
    def suffix(self) -> str:
        """The suffix in lower case, with that of the format before ``.gz``."""
        name = split_path(Path(self.path))[0].name if self.is_local else self.base_name
        *_, before, last = ("", "", *(Path(name).suffixes))
        return (before + last if last.lower() == ".gz" else last).lower()

    def local_path(self) -> Path:
        """Its path, for formats that are read from the local disk only."""
        if not self.is_local:
            raise ValueError(f"{self} cannot be read from a remote file system; download it, or store it as Parquet.")
        return Path(self.path)

    def kind(self) -> str:
        """One of ``file``, ``folder``, ``missing`` and ``other``, which is a pipe or a device."""
        if self.is_local:
            path = split_path(Path(self.path))[0]
            if isdir(path):  # pathlib's own would raise errors about names that are too long
                return "folder"
            return "file" if isfile(path) else "other" if exists(path) else "missing"
        return self.listed_kind or _kind(self._info(self.path))

    def size(self) -> int:
        """Number of bytes of a file."""
        if self.is_local:
            return Path(self.path).stat().st_size
        info = self._info(self.path)
        if _kind(info) == "missing":
            raise FileNotFoundError(errno.ENOENT, "No such file")
        return int(info.size or 0)

    def children(self) -> list[Location]:
        """The files and folders in a folder, in no particular order."""
        if self.is_local:
            return [replace(self, name=shown(path), path=str(path)) for path in Path(self.path).iterdir()]
        from pyarrow import fs

        own = self.name.rstrip("/")
        return [
            replace(self, name=f"{own}/{info.base_name}", path=info.path, listed_kind=_kind(info))
            for info in self._info(fs.FileSelector(self.path))
        ]

    def open(self) -> Any:
        """The bytes of a file, as pyarrow's file object that can seek."""
        if self.is_local:
            import pyarrow as pa

            return pa.OSFile(self.path)
        return self.filesystem.open_input_file(self.path)

    def _info(self, wanted: Any) -> Any:
        with explain_remote_errors(self.url, f"{self} cannot be read"):
            return self.filesystem.get_file_info(wanted)


def _kind(info: Any) -> str:
    from pyarrow import fs

    kinds = {fs.FileType.File: "file", fs.FileType.Directory: "folder", fs.FileType.NotFound: "missing"}
    return kinds.get(info.type, "other")


def locate(source: str | Path) -> Location:
    """The location of a path or URL."""
    if isinstance(source, Path) and BROKEN_URL.match(str(source)):
        raise ValueError(f"{shown(source)} is a URL that pathlib has changed; pass URLs as str.")
    return _locate_url(source) if is_url(source) else Location(shown(source), str(source))


def locate_all(source: Any) -> list[Location]:
    """The locations of a path, a URL, or a list of them."""
    return [locate(source)] if isinstance(source, str | Path) else [locate(one) for one in source]


@lru_cache(maxsize=16)  # connections are kept
def _locate_url(url: str) -> Location:
    if NO_HOST.match(url):
        raise ValueError(f"{shown(url)} names no host; pass a URL such as ftp://host/rows.csv.")
    try:
        import pyarrow as pa
        from pyarrow import fs
    except ImportError as error:
        raise ImportError(f'Opening {shown(url)} requires pyarrow: pip install "anchorgraph[io]".') from error
    not_its_own = (pa.ArrowInvalid, pa.ArrowNotImplementedError, TypeError)
    try:
        with explain_remote_errors(url, f"{shown(url)} cannot be reached", not_its_own):
            filesystem, path = fs.FileSystem.from_uri(url)
    except not_its_own:
        filesystem, path = _by_fsspec(url)
    if isinstance(filesystem, fs.LocalFileSystem):
        return Location(path, path)
    return Location(shown(url), path, filesystem, url=url)


def _by_fsspec(url: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError as error:
        raise ImportError(f"Opening {shown(url)} requires fsspec: pip install fsspec aiohttp.") from cause(error, url)
    from pyarrow import fs

    try:
        with explain_remote_errors(url, f"{shown(url)} cannot be reached", (ImportError, ValueError)):
            found, path = fsspec.core.url_to_fs(url)
    except ImportError as error:  # fsspec names the package
        reason = short_reason(error, url)
        raise ImportError(f"Opening {shown(url)} requires another package ({reason}).") from cause(error, url)
    except ValueError as error:
        raise ValueError(
            f"{shown(url)} is not a URL that pyarrow or fsspec knows; pass a path or another URL."
        ) from cause(error, url)
    return fs.PyFileSystem(fs.FSSpecHandler(found)), path
