"""Results that are written to a remote file system; an object appears only when its upload is complete."""

from __future__ import annotations

from pathlib import Path

from anchorgraph.table.location import Location
from anchorgraph.table.reasons import explain_remote_errors


def check_upload(location: Location) -> None:
    """Raise an error if a file cannot be written, as far as this is known before it is."""
    from pyarrow import fs

    folder = location.path.strip("/").split("/")[0]  # of an object store, the bucket; other folders need not exist
    with explain_remote_errors(location.url, f"out={location.name!r} cannot be reached"):
        kind, of_folder = (location.filesystem.get_file_info(path).type for path in (location.path, folder))
    if kind == fs.FileType.Directory:
        raise ValueError(f"out={location.name!r} is a folder; add the name of a file.")
    if of_folder == fs.FileType.NotFound and location.filesystem.type_name in ("s3", "gcs", "abfs"):
        raise ValueError(f"out={location.name!r} is in the bucket {folder!r}, which does not exist; create it first.")


def upload(file: Path, location: Location) -> None:
    """Copy a complete local file to a remote file system."""
    from pyarrow import fs

    # in C++, which Ctrl-C does not interrupt: pyarrow's streams complete an upload even when they are closed by an
    # exception, and the object would be incomplete
    with explain_remote_errors(location.url, f"out={location.name!r} cannot be written"):
        fs.copy_files(
            str(file),
            location.path,
            source_filesystem=fs.LocalFileSystem(),
            destination_filesystem=location.filesystem,
        )
