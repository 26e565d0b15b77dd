"""Errors of other packages in the words of this one, without what may be secret in URLs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from anchorgraph.urls import shown, without_secrets


def short_reason(error: BaseException | str, url: str = "") -> str:
    """The message of an error as part of a sentence: on one line, at most 200 characters, without a full stop.

    What may be secret in URLs is left out; ``url`` is that of the file that the error is about.
    """
    message = " ".join(without_secrets(str(error), url).split()) or type(error).__name__
    message = "".join(char if char.isprintable() else "?" for char in message)
    return (message if len(message) <= 200 else f"{message[:200]} …").rstrip(".")


def cause(error: BaseException, url: str) -> BaseException | None:
    """The cause of an error that replaces this one: None if its text, in a traceback, could show secrets of a URL."""
    return error if shown(url) == url else None


@contextmanager
def explain_remote_errors(url: str, failure: str, unless: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Turn the errors of a remote file system into one sentence.

    Parameters
    ----------
    url : str
    failure : str
        The location as it is shown, and what was not possible, such as "s3://bucket/rows.csv cannot be read".
    unless : tuple of types
        Errors that are raised as they are.
    """
    try:
        yield
    except unless:
        raise
    except Exception as error:  # pyarrow and the file systems of fsspec each raise many types
        is_of_code = isinstance(error, TypeError | ValueError | AttributeError)  # about its calls, not the URL
        reason = "" if is_of_code else f" ({short_reason(error, url)})"
        raise OSError(f"{failure}{reason}; check the URL, or use a local file.") from cause(error, url)
