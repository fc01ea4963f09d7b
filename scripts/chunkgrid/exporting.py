"""Chunks of one cell as rows that a vector store or a search engine takes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from .splitting.chunks import Document
from .splitting.derived import BlocksOf
from .tables import EXPORT, table


def exported(chunks: pa.Table, documents: Iterator[Document]) -> pa.Table:
    """The table of export: a chunk a row, in the order of `chunks`, with what it is of.

    `documents` are those of `read_documents`, with their blocks. Headings and kind are of the block that a chunk begins
    in, null where it has no offsets.
    """
    known = {document.doc_id: (document, BlocksOf(document)) for document in documents}
    number: Counter[str] = Counter()
    rows: list[dict[str, Any]] = []
    for chunk in chunks.to_pylist():  # a parent stands before its parts
        document, blocks = known[chunk["doc_id"]]
        block = None if chunk["start"] is None else document.blocks[blocks.at(chunk["start"])]
        place = {name: chunk[name] for name in ("start", "end", "text", "index_text")}
        about = {"headings": block and block["headings"], "kind": block and block["kind"]}
        name = chunk["name"] or f"{document.doc_id}#{number[document.doc_id]}"
        number[document.doc_id] += 1
        about["parent"] = None if chunk["parent"] is None else rows[chunk["parent"]]["id"]
        rows.append({"id": name, "document": document.doc_id, "title": document.title, **place, **about})
    return table(rows, EXPORT)


def write_jsonl(content: pa.Table, path: str | Path) -> None:
    """Writes a table as JSON, a row a line."""
    temporary = Path(f"{path}.part")
    with open(temporary, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in content.to_pylist())
    temporary.replace(path)
