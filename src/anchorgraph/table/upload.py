"""Results that are written to a remote file system; an object appears only when its upload is complete."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from anchorgraph.table.file_checks import short_reason
from anchorgraph.table.location import Location


def check_upload(location: Location) -> None:
    """Raise an error if a file cannot be written, as far as this is known before it is."""
    from pyarrow import fs

    folder = location.path.strip("/").split("/")[0]  # of an object store, the bucket; other folders need not exist
    with _explained(location, "cannot be reached"):
        kind, of_folder = (location.filesystem.get_file_info(path).type for path in (location.path, folder))
    if kind == fs.FileType.Directory:
        raise ValueError(f"out={location.name!r} is a folder; add the name of a file.")
    if of_folder == fs.FileType.NotFound and location.filesystem.type_name in ("s3", "gcs", "abfs"):
        raise ValueError(f"out={location.name!r} is in the bucket {folder!r}, which does not exist; create it first.")


@contextmanager
def uploading(location: Location) -> Iterator[Path]:
    """Give a temporary local path to write to, which is uploaded at the end, or removed after an error."""
    from pyarrow import fs

    with TemporaryDirectory(prefix="anchorgraph-") as folder:
        unfinished = Path(folder) / "rows"
        yield unfinished
        # in C++, which Ctrl-C does not interrupt: pyarrow's streams complete an upload even when they are closed by an
        # exception, and the object would be incomplete
        with _explained(location, "cannot be written"):
            fs.copy_files(
                str(unfinished),
                location.path,
                source_filesystem=fs.LocalFileSystem(),
                destination_filesystem=location.filesystem,
            )


@contextmanager
def _explained(location: Location, failure: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # pyarrow and the file systems of fsspec each raise many types
        raise OSError(f"out={location.name!r} {failure} ({short_reason(error, location)}).") from error
