"""What a file is, by the end of its name."""

from __future__ import annotations

from pathlib import PurePath

KINDS = {
    **{".html": "html", ".htm": "html", ".xhtml": "html", ".md": "markdown", ".markdown": "markdown", ".txt": "text"},
    **{".jsonl": "rows", ".ndjson": "rows", ".csv": "rows", ".parquet": "rows"},
}
"""One article, or `rows` of articles."""


def kind_of(source: str) -> str | None:
    """What a file is by its name, None where that is no kind of article."""
    return KINDS.get(PurePath(source).suffix.lower())
