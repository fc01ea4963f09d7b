"""Every splitter that there is, each called as its script calls it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa

from chunkgrid.splitting import chonkie, langchain_text, llamaindex, semantic_text_splitter
from chunkgrid.splitting.chunks import Document, Piece, chunk_table
from chunkgrid.splitting.cluster import cluster
from chunkgrid.splitting.derived import pieces_of, prefixed, windowed, with_pre_label, with_table_header
from chunkgrid.splitting.fixed import fixed, token
from chunkgrid.splitting.hierarchy import hierarchy
from chunkgrid.splitting.hybrid import hybrid
from chunkgrid.splitting.langchain_html import html_header, html_semantic
from chunkgrid.splitting.multi import multi
from chunkgrid.splitting.parents import parent_child
from chunkgrid.splitting.python import spans_of
from chunkgrid.splitting.recursive import recursive, recursive_spans
from chunkgrid.splitting.sections import adaptive, headings, markdown, structure
from chunkgrid.splitting.semantic import semantic
from chunkgrid.splitting.sentence import atoms, sentence
from chunkgrid.splitting.topic import topic
from chunkgrid.splitting.vectors import vectors_of
from chunkgrid.tables import CHUNKS

HOUSE = Path(__file__).resolve().parents[2]
KINDS = {path.stem for path in (HOUSE / "rules/splitters").glob("*.smk")} - {"own-chunks"}  # of another system

REWRITING = {"langchain-html-header", "langchain-html-semantic", "langchain-markdown", "chonkie-recursive"}
"""What goes through the page or its Markdown, or cuts characters, so that a chunk may be no slice."""

SIZED = {
    *("fixed", "recursive", "sentence", "structure", "markdown", "semantic", "topic", "cluster", "hierarchy"),
    *("table-header", "prefix", "pre-label", "hybrid", "multi"),
}
"""No chunk of these is over the size, but for one that is a single atom. What other libraries do is theirs."""


def every_split(documents: Sequence[Document], size: int, unit: str = "characters") -> dict[str, pa.Table]:
    """What each splitter makes of documents (sorted by doc_id), by the name of its rule file."""
    tokens = "tokens-cl100k_base" if unit == "characters" else unit
    cuts: dict[str, Callable[[Document], object]] = {
        "fixed": partial(fixed, size=size),
        "token": partial(token, size=size, unit=tokens),
        "recursive": partial(recursive, size=size, unit=unit),
        "sentence": partial(sentence, size=size, unit=unit),
        "headings": partial(headings, level=2),
        "structure": partial(structure, size=size, unit=unit),
        "markdown": partial(markdown, size=size, unit=unit),
        "adaptive": partial(adaptive, size=size, unit=unit),
        "topic": partial(topic, size=size, unit=unit),
        "python": lambda one: spans_of(one, lambda d: [(block["start"], block["end"]) for block in d.blocks]),
        "langchain-html-header": html_header,
        "langchain-html-semantic": partial(html_semantic, size=size),
        "langchain-recursive": partial(langchain_text.recursive, size=size, unit=unit),
        "langchain-character": partial(langchain_text.character, size=size, unit=unit),
        "langchain-markdown": partial(langchain_text.markdown, strip_headers=False),
        "llamaindex-sentence": partial(llamaindex.sentence, size=size, unit=unit),
        "chonkie-recursive": partial(chonkie.recursive, size=size, unit=unit),
        "semantic-text-splitter": partial(semantic_text_splitter.text, size=size, unit=unit),
    }
    found = {kind: chunk_table(documents, cut) for kind, cut in cuts.items()}
    of_sentences = vectors_of(iter(documents), lambda one: atoms(one, size, unit), 0)
    found["semantic"] = chunk_table(
        documents, lambda one: semantic(one, *of_sentences[one.doc_id], size=size, unit=unit)
    )
    of_parts = vectors_of(
        iter(documents), lambda one: recursive_spans(one.text, max(min(100, size // 2), 1), unit=unit), 0
    )
    found["cluster"] = chunk_table(documents, lambda one: cluster(one, *of_parts[one.doc_id], size=size, unit=unit))
    of_groups = vectors_of(iter(documents), llamaindex.groups, 0)
    found["llamaindex-semantic"] = chunk_table(documents, lambda one: llamaindex.semantic(one, *of_groups[one.doc_id]))
    found["hierarchy"] = hierarchy(iter(documents), [size * 4, size * 2, size], unit=unit)
    parts = parent_child(found["recursive"], found["structure"])
    found["parent-child"] = pa.concat_tables([CHUNKS.empty_table(), *parts])
    found["multi"] = multi({kind: found[kind] for kind in ("recursive", "structure")})
    pieces = pieces_of(found["recursive"], "recursive")

    def derived(made: Callable[[Document, list[Piece]], object]) -> pa.Table:
        return chunk_table(documents, lambda one: made(one, pieces.get(one.doc_id, [])))

    found["window"] = derived(lambda one, own: windowed(one, own, 1, 1, "chunks"))
    found["prefix"] = derived(lambda one, own: prefixed(one, own, "headings"))
    found["table-header"] = derived(with_table_header)
    found["pre-label"] = derived(with_pre_label)
    code = pieces_of(found["structure"], "structure")
    found["hybrid"] = derived(
        lambda one, own: hybrid(one, {"prose": own, "code": code.get(one.doc_id, [])}, "block", 0.3)
    )
    assert set(found) == KINDS
    return found
