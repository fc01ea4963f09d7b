"""What each chunk holds of each question's gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from .handed import Handed
from .ranges import Gold, Spans, distinct, reaching
from .shingles import pieces, places_of
from .text import strip

_BLOCK = 1 << 18
"""Places of shingles that are looked up at once."""


@dataclass(frozen=True)
class Evidence:
    """What the chunks of the gold documents hold of the gold, for all questions, numbered through.

    A pair is a question and a chunk (the first of its span) of its gold document that holds any of its gold.

    query_ids: by question; docs: its gold document, as a number of `Handed.doc_ids`, -1 where no chunk is of it;
    gold: its gold spans; shingles: how many distinct shingles its gold has
    question, chunk: of each pair, sorted, shape (pairs,)
    pair, shingle: which pair holds which of the question's shingles, sorted, shape (held,)
    """

    query_ids: Sequence[str]
    docs: np.ndarray
    gold: Gold
    shingles: np.ndarray
    question: np.ndarray
    chunk: np.ndarray
    pair: np.ndarray
    shingle: np.ndarray

    def gains(self) -> np.ndarray:
        """The coverage of each pair's chunk alone."""
        return np.bincount(self.pair, minlength=len(self.chunk)) / self.shingles[self.question]

    def union(self) -> np.ndarray:
        """How many shingles of each question's gold are held by any chunk."""
        width = int(self.shingles.max(initial=0)) or 1
        found = distinct(self.question[self.pair] * width + self.shingle)
        return np.bincount(found // width, minlength=len(self.query_ids))

    def bounds(self) -> np.ndarray:
        """Where each question's pairs begin, and the end."""
        return np.searchsorted(self.question, np.arange(len(self.query_ids) + 1))

    def held(self, question: int) -> tuple[np.ndarray, np.ndarray]:
        """Of one question: the chunks that hold any of its gold, and which shingles each holds, bool."""
        first, last = np.searchsorted(self.question, [question, question + 1])
        here = slice(*np.searchsorted(self.pair, [first, last]))
        shares = np.zeros((last - first, self.shingles[question]), bool)
        shares[self.pair[here] - first, self.shingle[here]] = True
        return self.chunk[first:last], shares


def evidence(queries: pa.Table, handed: Handed) -> Evidence:
    """The evidence of every question, in the order of `queries` (the table of queries)."""
    number = {doc_id: place for place, doc_id in enumerate(handed.doc_ids)}
    docs = np.array([number.get(doc_id, -1) for doc_id in queries["doc_id"].to_pylist()], np.int64)
    question, starts, ends = _flat(queries, "gold", "start", "end")
    gold = Gold(Spans(docs[question], starts, ends), question, len(docs))
    if handed.texts is None:
        shingles, (question, chunk, shingle) = _by_place(queries, docs, handed)
    else:
        shingles, (question, chunk, shingle) = _by_text(queries["gold_text"].to_pylist(), docs, handed)
    # A chunk may hold a shingle at several places.
    width = max(len(handed.docs), 1), int(shingles.max(initial=0)) or 1
    keys = distinct((question * width[0] + chunk) * width[1] + shingle)
    of_pair = keys // width[1]
    first = np.flatnonzero(np.diff(of_pair, prepend=-1))
    pair = np.cumsum(np.diff(of_pair, prepend=of_pair[:1]) > 0)
    question, chunk = of_pair[first] // width[0], of_pair[first] % width[0]
    return Evidence(queries["query_id"].to_pylist(), docs, gold, shingles, question, chunk, pair, keys % width[1])


Held = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Question, chunk and shingle, wherever a chunk holds one; a chunk may hold one more than once."""


def _by_place(queries: pa.Table, docs: np.ndarray, handed: Handed) -> tuple[np.ndarray, Held]:
    """How many shingles each question has, and what is held, where chunks are slices: from the shingles' places."""
    question, shingle, starts, ends = _flat(queries, "places", "shingle", "start", "end")
    order, chunks = handed.ordered, handed.spans
    found = []
    for first in range(0, len(question), _BLOCK):
        here = slice(first, first + _BLOCK)
        place, chunk = reaching(chunks, docs[question[here]], ends[here], starts[here])
        found.append((question[here][place], order[chunk], shingle[here][place]))
    shingles = np.zeros(len(docs), np.int64)
    np.maximum.at(shingles, question, shingle + 1)
    return shingles, _joined(found)


def _by_text(golds: Sequence[Sequence[str]], docs: np.ndarray, handed: Handed) -> tuple[np.ndarray, Held]:
    """The same from the texts of chunks."""
    assert handed.texts is not None
    order = handed.ordered
    bounds = np.searchsorted(handed.docs[order], np.arange(len(handed.doc_ids) + 1))
    wanted = [pieces(gold) for gold in golds]
    found = []
    for doc in np.unique(docs[docs >= 0]).tolist():  # a document at a time, whose chunks are looked at once
        own = order[bounds[doc] : bounds[doc + 1]]
        bare = [strip(handed.texts[chunk]) for chunk in own.tolist()]
        begins = np.concatenate([[0], np.cumsum([len(text) + 1 for text in bare])])
        asked = np.flatnonzero(docs == doc).tolist()
        # All chunks as one text: no piece has the character that stands between them.
        at = places_of({piece for question in asked for piece in wanted[question]}, "\0".join(bare))
        for question in asked:
            of_pieces = [at[piece] for piece in wanted[question]]
            shingle = np.repeat(np.arange(len(of_pieces)), [len(places) for places in of_pieces])
            where = np.array([place for places in of_pieces for place in places], np.int64)
            chunk = own[np.searchsorted(begins, where, side="right") - 1]
            found.append((np.full(len(where), question), chunk, shingle))
    return np.array([len(own) for own in wanted], np.int64), _joined(found)


def _joined(parts: Sequence[Held]) -> Held:
    empty = np.empty(0, np.int64)
    question, chunk, shingle = (np.concatenate([empty, *(part[n] for part in parts)]) for n in range(3))
    return question, chunk, shingle


def _flat(queries: pa.Table, name: str, *fields: str) -> tuple[np.ndarray, ...]:
    """A column of lists of records as arrays: the question of each record, and its fields."""
    lists = queries[name].combine_chunks()
    lists = lists.chunk(0) if isinstance(lists, pa.ChunkedArray) else lists
    records = lists.flatten()
    question = np.repeat(np.arange(len(lists)), np.diff(lists.offsets.to_numpy()))
    return question, *(records.field(field).to_numpy(zero_copy_only=False).astype(np.int64) for field in fields)
