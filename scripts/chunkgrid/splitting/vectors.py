"""Vectors of the parts of documents, for splitters that compare these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..costs import costs
from ..embedding.cache import Cache
from ..embedding.embedding import embedded
from ..embedding.models import Model, load
from ..logs import say
from ..lsa import fitted_rows, projections
from ..sentences import Span
from .chunks import Document
from .gaps import Floats

Known = dict[str, tuple[Sequence[Span], Floats]]
"""By doc_id the parts of each document, and their vectors, (parts, d)."""


def opened(model: Mapping[str, Any] | None, folder: str) -> tuple[Model, Cache] | None:
    """A model and what is kept of it in a folder; None for none."""
    return None if model is None else (found := load(model), Cache(folder, found))


def vectors_of(
    documents: Iterable[Document],
    parts: Callable[[Document], Sequence[Span]],
    seed: int,
    model: tuple[Model, Cache] | None = None,
) -> Known:
    """The vectors of the texts of all parts, float32 where many are.

    They are those of a model of embeddings, in which a part of white space alone is zero; or without one the
    retriever's `lsa`, of all parts of the corpus, but not made of length 1: a part of which the space knows little is
    short.
    """
    texts: list[str] = []
    ids: list[str] = []
    of_doc: dict[str, Sequence[Span]] = {}
    for document in documents:
        of_doc[document.doc_id] = spans = parts(document)
        texts += [document.text[start:end] for start, end in spans]
        ids += [document.doc_id] * len(spans)
    if model is None:
        starts = [start for spans in of_doc.values() for start, _ in spans]
        vectors, _ = projections(texts, [], fitted_rows(ids, starts, seed), seed=seed)
    else:
        vectors = _embedded(texts, *model)
    ends = np.cumsum([len(spans) for spans in of_doc.values()])
    split = np.split(vectors, ends[:-1])
    return {doc_id: (spans, own) for (doc_id, spans), own in zip(of_doc.items(), split, strict=True)}


def _embedded(texts: Sequence[str], model: Model, cache: Cache) -> Floats:
    seen = np.array([bool(text.strip()) for text in texts], bool)
    found = embedded([text for text, some in zip(texts, seen, strict=True) if some], "passage", model, cache, say)
    vectors = np.zeros((len(texts), found.shape[1]), np.float32)
    vectors[seen] = found
    return vectors


def cut_costs(documents: Iterable[Document], known: Known, model: tuple[Model, Cache] | None) -> pa.Table:
    """The table of costs of the texts that a model read to cut; no vector of them is kept for searching."""
    if model is None:
        return costs(0, None)
    texts = (document.text[start:end] for document in documents for start, end in known[document.doc_id][0])
    return costs(0, None, model[0].count(list(texts)), model[0].window)
