"""URLs as messages and pages show them: without user names, keys, query and fragment, which may be secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from os import PathLike, fspath
from typing import TypeGuard
from urllib.parse import quote, unquote

SCHEME = r"[A-Za-z][A-Za-z0-9+.-]+"

URL = re.compile(rf"(?:{SCHEME}::)*{SCHEME}://")
"""The start of a URL, or of a chain of fsspec such as ``simplecache::https://…``."""

LOOSE_URL = re.compile(rf"(?:{SCHEME}::)*{SCHEME}:/+")
"""Also the start of what :class:`pathlib.Path` makes of a URL, which has one slash."""

URL_IN_TEXT = re.compile(LOOSE_URL.pattern + r"[^\s'\"<>]*")

LINK = re.compile(rf"::(?={SCHEME}:/)")
"""Between two URLs of a chain, such as ``zip://rows.csv::https://…``."""

LOGIN = re.compile(rf"({SCHEME}:/+)(.*@)", re.DOTALL)

SHORTEST = 6
"""Shorter parts of a login or query are replaced only where they are whole words, because they occur in others."""


def is_url(source: object) -> TypeGuard[str]:
    """Whether a source is a URL."""
    return isinstance(source, str) and URL.match(source) is not None


def shown(location: str | PathLike[str]) -> str:
    """A path as it is, and a URL without what may be secret, also one in an argument such as ``--out=s3://…``.

    A key may contain ``/``, so all up to the last ``@`` is left out. It may contain ``?`` and ``#``, too: if an ``@``
    follows one of them, only the scheme is shown.
    """
    text = fspath(location)
    if (start := LOOSE_URL.search(text)) is None:
        return text
    query = query_of(text)
    if "@" in query:
        return f"{text[: start.end()]}…"
    return "::".join(LOGIN.sub(r"\1", url) for url in LINK.split(text.removesuffix(query)))


def quoted(value: object) -> str:
    """The ``repr`` of a value in a message; of a URL, without what may be secret."""
    return repr(shown(value) if isinstance(value, str) else value)


def without_secrets(text: str, *urls: str) -> str:
    """A text of a library with all URLs as they are shown.

    Libraries write URLs anew and print parts of them, so the secrets of ``urls`` are replaced wherever they occur.
    """
    for url in urls:
        text = text.replace(url, shown(url))
    text = URL_IN_TEXT.sub(lambda found: shown(found[0]), text)
    for secret in sorted({secret for url in urls for secret in _secrets(url)}, key=len, reverse=True):
        pattern = re.escape(secret)
        text = re.sub(pattern if len(secret) >= SHORTEST else rf"(?<!\w){pattern}(?!\w)", "…", text)
    return text


def query_of(url: str) -> str:
    """The end of a URL from the first ``?`` or ``#`` on."""
    return "".join(re.findall("[?#].*", url, re.DOTALL))


def _secrets(text: str) -> Iterator[str]:
    """What :func:`shown` leaves out of a URL, whole and in parts, as it is and with other escapes."""
    if shown(text) == text:
        return
    query = query_of(text)
    urls = LINK.split(text if "@" in query else text.removesuffix(query))
    logins = [found[2] for url in urls if (found := LOGIN.search(url))]
    parts = [part for login in logins for part in login[:-1].split(":")]
    parts += [setting.partition("=")[2] or setting for setting in re.split("[&;?#]", query)]
    for secret in filter(None, (*logins, query, *parts)):
        yield from (secret, unquote(secret), quote(secret, safe=""))
