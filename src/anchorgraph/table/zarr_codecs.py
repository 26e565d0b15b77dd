"""Codecs of Zarr arrays: which of them may decode a chunk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anchorgraph.table.parts import BrokenPartError

PLAIN_CODECS = {
    *("adler32", "crc32", "crc32c", "fletcher32", "jenkins_lookup3"),
    *("astype", "bitround", "delta", "fixedscaleoffset", "packbits", "quantize", "shuffle", "transpose"),
    *("blosc", "gzip", "lz4", "zlib", "zstd"),
    *("bytes", "endian", "sharding_indexed"),
}
"""Codecs that turn numbers into bytes and back. Others make objects, and pickle runs what its author wrote; bz2 and
lzma would make gigabytes of a few hundred bytes."""


def check_codecs(name: str | Path, document: Any) -> None:
    """Refuse an array whose chunks could be more than numbers, or could run code when they are decoded.

    Parameters
    ----------
    name : str or Path
    document : dict
        What the array says it is, as in ``zarr.json`` or ``.zarray``.
    """
    for codec in _codecs_in(document):
        if codec.removeprefix("numcodecs.") not in PLAIN_CODECS:
            raise BrokenPartError(
                f"{name} is stored with the codec {codec[:80]!r}, which is not one of those for plain numbers and "
                "could run code or fill the memory; store it with another one, such as blosc, zstd or gzip."
            )


def _codecs_in(document: Any) -> list[str]:
    """Names of all codecs, also of those within others."""
    if not isinstance(document, dict):
        return []
    found = []
    for key in ("filters", "compressor", "codecs", "index_codecs"):
        given = document.get(key) or []
        for codec in given if isinstance(given, list | tuple) else [given]:
            if isinstance(codec, dict):
                names = [str(codec[key]) for key in ("id", "name") if key in codec]  # of format 2, of format 3
                found += [*(names or ["nameless"]), *_codecs_in(codec.get("configuration"))]
            else:
                found.append(str(codec))
    return found
