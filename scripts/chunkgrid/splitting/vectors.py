"""Vectors of the parts of documents, for splitters that compare these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ..lsa import fitted_rows, projections
from ..sentences import Span
from .chunks import Document
from .gaps import Floats


def vectors_of(
    documents: Iterable[Document], parts: Callable[[Document], Sequence[Span]], seed: int
) -> dict[str, tuple[Sequence[Span], Floats]]:
    """By doc_id the parts of each document, and the vectors of their texts: shape (parts, d), float32 where many are.

    The vectors are the retriever's `lsa`, of all parts of the corpus, but not made of length 1: a part of which the
    space knows little is short.
    """
    texts: list[str] = []
    ids: list[str] = []
    of_doc: dict[str, Sequence[Span]] = {}
    for document in documents:
        of_doc[document.doc_id] = spans = parts(document)
        texts += [document.text[start:end] for start, end in spans]
        ids += [document.doc_id] * len(spans)
    starts = [start for spans in of_doc.values() for start, _ in spans]
    vectors, _ = projections(texts, [], fitted_rows(ids, starts, seed), seed=seed)
    ends = np.cumsum([len(spans) for spans in of_doc.values()])
    split = np.split(vectors, ends[:-1])
    return {doc_id: (spans, own) for (doc_id, spans), own in zip(of_doc.items(), split, strict=True)}
