"""Check that the chunks of Zarr arrays are decoded by safe codecs only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anchorgraph.table.parts import InvalidFileError

NUMERIC_CODECS = {
    *("adler32", "crc32", "crc32c", "fletcher32", "jenkins_lookup3"),
    *("astype", "bitround", "delta", "fixedscaleoffset", "packbits", "quantize", "shuffle", "transpose"),
    *("blosc", "gzip", "lz4", "zlib", "zstd"),
    *("bytes", "endian", "sharding_indexed"),
}
"""Codecs that turn numbers into bytes and back. Others make objects, and pickle can run arbitrary code; bz2 and lzma
can expand a few hundred bytes to gigabytes."""


def check_codecs(name: str | Path, metadata: Any) -> None:
    """Raise an error if the chunks of an array could be other than numbers, or could run code when they are decoded.

    Parameters
    ----------
    name : str or Path
    metadata : dict
        The metadata of the array, as in ``zarr.json`` or ``.zarray``.
    """
    for codec in _codecs_in(metadata):
        if codec.removeprefix("numcodecs.") not in NUMERIC_CODECS:
            raise InvalidFileError(
                f"{name} is stored with the codec {codec[:80]!r}, which is not one of the codecs for numbers and "
                "could run code or exhaust memory; store it with another codec, such as blosc, zstd or gzip."
            )


def _codecs_in(metadata: Any) -> list[str]:
    """Names of all codecs, including nested ones."""
    if not isinstance(metadata, dict):
        return []
    found = []
    for key in ("filters", "compressor", "codecs", "index_codecs"):
        given = metadata.get(key) or []
        for codec in given if isinstance(given, list | tuple) else [given]:
            if isinstance(codec, dict):
                names = [str(codec[key]) for key in ("id", "name") if key in codec]  # format 2, format 3
                found += [*(names or ["nameless"]), *_codecs_in(codec.get("configuration"))]
            else:
                found.append(str(codec))
    return found
