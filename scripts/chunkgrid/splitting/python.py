"""A function of yours as a splitter."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ..errors import InputError
from .chunks import Document, Piece

Cut = Callable[[Document], Iterable[tuple[int, int]]]


def load(function: str) -> Cut:
    """The function that `module:name` says, of a module that lies in the working folder or is installed.

    Raises InputError where there is none.
    """
    module, _, name = function.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = getattr(importlib.import_module(module), name, None)
    except Exception as error:
        raise InputError(f"{function}: {module} cannot be imported: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise InputError(f"{function}: {module} has no function '{name}'")
    return found


def spans_of(document: Document, cut: Cut) -> Iterator[Piece]:
    """The spans that a function yields of a document, as pieces in its order.

    Raises InputError, naming the article, for what is no span.
    """
    for span in cut(document):
        if not _is_span(span):
            raise InputError(f"{document.doc_id}: the function gave {span!r}, which is no pair of whole numbers")
        yield Piece(int(span[0]), int(span[1]))


def _is_span(span: Any) -> bool:
    try:
        start, end = span
        return int(start) == start and int(end) == end
    except (TypeError, ValueError):
        return False
