"""What a file is, by the end of its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from types import MappingProxyType

KINDS = {
    **{".html": "html", ".htm": "html", ".xhtml": "html", ".md": "markdown", ".markdown": "markdown", ".txt": "text"},
    **{".jsonl": "rows", ".ndjson": "rows", ".csv": "rows", ".parquet": "rows"},
}
"""One article, or `rows` of articles."""


def kind_of(source: str, suffixes: Mapping[str, str] = MappingProxyType({})) -> str | None:
    """What a file is by its name, None where that is no kind of article.

    `suffixes` says it of further ones, or otherwise of these; with or without the dot.
    """
    suffix = PurePath(source).suffix.lower()
    given = {f".{name.lower().lstrip('.')}": kind for name, kind in suffixes.items()}
    return given.get(suffix) or KINDS.get(suffix)
