"""LlamaIndex's splitters as they are, with offsets where the text is found."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from llama_index.core import Document as OfLlamaIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.node_parser import SemanticSplitterNodeParser, SentenceSplitter
from llama_index.core.node_parser.text.utils import split_by_sentence_tokenizer

from ..sentences import Span
from ..units import measure
from .chunks import Document, Piece
from .found import found, shared
from .gaps import Floats

logging.getLogger("llama_index").setLevel(logging.ERROR)  # it tells how many sentences are over the size
_NOTHING = 1e-6


def sentence(document: Document, size: int, overlap: int = 0, unit: str = "tokens-cl100k_base") -> Iterator[Piece]:
    """`SentenceSplitter`, whose own tokens are those of cl100k_base. Raises InputError as `units.measure` does."""
    length = measure(unit)
    # It asks for the tokens of a text only to count them.
    splitter = SentenceSplitter(chunk_size=size, chunk_overlap=overlap, tokenizer=lambda text: range(length(text)))
    return found(document, splitter.split_text(document.text), shared(overlap, unit))


def groups(document: Document, buffer: int = 1) -> list[Span]:
    """What `SemanticSplitterNodeParser` wants the vectors of: each sentence with `buffer` before and after."""
    sentences = split_by_sentence_tokenizer()(document.text)
    first = len(document.text) - sum(map(len, sentences))  # white space before the first is none of it
    spans = list(pairwise(accumulate(map(len, sentences), initial=first)))
    last = len(spans) - 1
    return [(spans[max(at - buffer, 0)][0], spans[min(at + buffer, last)][1]) for at in range(len(spans))]


def semantic(
    document: Document, groups: Sequence[Span], vectors: Floats, buffer: int = 1, percentile: int = 95
) -> Iterator[Piece]:
    """`SemanticSplitterNodeParser`; `vectors` are those of `groups`, shape (sentences, d)."""
    if not groups:
        return
    # Its cosine of a vector of zeros would be no number: one more dimension, next to nothing, makes zeros alike.
    known = {
        document.text[start:end]: [*vector, _NOTHING]
        for (start, end), vector in zip(groups, vectors.tolist(), strict=True)
    }
    parser = SemanticSplitterNodeParser(
        embed_model=_Known(known), buffer_size=buffer, breakpoint_percentile_threshold=percentile
    )
    nodes = parser.build_semantic_nodes_from_documents([OfLlamaIndex(text=document.text)])
    yield from found(document, (node.get_content() for node in nodes))


class _Known(BaseEmbedding):  # type: ignore[misc]
    """Vectors by text."""

    of_text: dict[str, list[float]]

    def __init__(self, of_text: dict[str, list[float]]) -> None:
        super().__init__(of_text=of_text, model_name="known")

    def _get_text_embedding(self, text: str) -> list[float]:
        return self.of_text[text]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self.of_text[query]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self.of_text[query]
