"""Objects that users pass as rows although they are not a table of numbers, and what to pass instead.

They are recognised without importing their packages, and before NumPy tries to convert them, which may take minutes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from anchorgraph.table.csv_format import NUMBER
from anchorgraph.table.reasons import short_reason
from anchorgraph.urls import is_url, shown, without_secrets

LONGEST_NAME = 255
"""Bytes in the name of a file."""


def check_kind(source: Any, suffixes: tuple[str, ...]) -> None:
    """Raise an error for an AnnData, an iterator, a tensor that NumPy cannot read, or texts in place of paths.

    Parameters
    ----------
    source : any
    suffixes : tuple of str
        Those of the files that can be read.
    """
    is_list = isinstance(source, list | tuple)
    if _is_a(source[0] if is_list and source else source, "anndata", "AnnData"):
        raise TypeError(
            f"X is {'a list of' if is_list else 'an'} AnnData, which holds several tables; use the functions of "
            "anchorgraph.anndata, such as "
            "anchorgraph.anndata.communities(adata), or pass one table, such as adata.X or adata.obsm['X_pca']."
        )
    if isinstance(source, Iterator) and not hasattr(source, "read"):  # a file is an iterator too
        raise TypeError(
            f"X is of type {type(source).__name__!r}, which can be read only once; pass np.array(list(X)), or pass "
            "batches of rows to partial_fit."
        )
    _check_tensor(source)
    texts = source if isinstance(source, list | tuple) else [source]
    are_texts = len(texts) > 0 and all(isinstance(text, str) for text in texts)
    if are_texts and not _may_be_path(texts[0], suffixes, is_listed=texts is source):
        raise hold_texts(texts[:1], "not numbers, and not paths of existing files")


def hold_texts(texts: Sequence[str | bytes], instead: str = "not numbers") -> ValueError:
    """The error about rows that hold texts, of which some are given."""
    words = [text.decode(errors="replace") if isinstance(text, bytes) else str(text) for text in texts]
    others = [word for word in words if not NUMBER.fullmatch(word.strip())]
    vectorizer = "sklearn.feature_extraction.text.TfidfVectorizer().fit_transform(texts)"
    remedy = f"make numbers of them, for example with {vectorizer}" if others else "pass np.array(X, dtype=float)"
    example = without_secrets(shown((others or words)[0]))[:40]
    return ValueError(f"X holds texts, such as {example!r}, {instead}; {remedy}.")


def not_a_table(what: str) -> TypeError:
    """The error about an object that has no rows of numbers."""
    return TypeError(
        f"{what} is not a table of numbers; pass a NumPy array, a data frame, a memory map, a SciPy sparse array, a "
        "path, an Arrow table, a Zarr array, a Dask collection or an xarray DataArray."
    )


def _is_a(source: Any, package: str, name: str) -> bool:
    return any(kind.__name__ == name and kind.__module__.split(".")[0] == package for kind in type(source).__mro__)


def _check_tensor(source: Any) -> None:
    """Raise an error if NumPy cannot read a tensor: it requires gradients, or is not in the memory of the CPU."""
    for tensor in source[:1] if isinstance(source, list | tuple) else [source]:
        if _is_a(tensor, "torch", "Tensor"):
            try:
                np.asarray(tensor)
            except (RuntimeError, TypeError) as error:
                raise TypeError(
                    f"X is a torch tensor that NumPy cannot read ({short_reason(error)}); pass "
                    "X.detach().cpu().numpy()."
                ) from None


def _may_be_path(text: str, suffixes: tuple[str, ...], *, is_listed: bool) -> bool:
    """Whether a string is the path of a file, or can be meant as one: a single string that is not a file can."""
    if is_url(text) or text.lower().endswith(suffixes) or os.path.exists(text):
        return True
    can_be_name = "\n" not in text and all(len(os.fsencode(name)) <= LONGEST_NAME for name in text.split(os.sep))
    return can_be_name and not is_listed
