"""What chunks hand over to the reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from .naming import CHARACTERS
from .ranges import Spans
from .tables import are_handed_apart, are_slices, merging_share
from .units import sizes


class Given(NamedTuple):
    """What a ranking hands over, hit by hit: its place there, the chunk, what that adds in characters and in size."""

    places: np.ndarray
    chunks: np.ndarray
    lengths: np.ndarray
    sizes: np.ndarray


@dataclass(frozen=True)
class Handed:
    """What chunks hand over, an array entry per chunk.

    docs: the article, as a number of `doc_ids`; starts, ends: int64, -1 where there are no offsets; texts: None where
    every chunk is a slice of its document; lengths: in characters; sizes: in the unit of budgets; same: the first
    chunk that hands over that span; apart: whether a hit is passed over where what is handed over holds a part of it;
    parents: the chunk that each is a part of, -1 where it is of none, or None where no chunk is of any; it is handed
    over once more than a `share` of its parts are
    """

    doc_ids: Sequence[str]
    docs: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    texts: Sequence[str] | None
    lengths: np.ndarray
    sizes: np.ndarray
    same: np.ndarray
    apart: bool = False
    parents: np.ndarray | None = None
    share: float = 1.0

    @property
    def has_spans(self) -> bool:
        """Whether every chunk has offsets."""
        return not bool((self.starts < 0).any())

    @cached_property
    def ordered(self) -> np.ndarray:
        """Each span once, as its first chunk: by document, then by start."""
        distinct = np.flatnonzero(self.same == np.arange(len(self.same)))
        return distinct[np.lexsort((self.starts[distinct], self.docs[distinct]))]

    @property
    def spans(self) -> Spans:
        """Those of `ordered`."""
        return Spans(self.docs[self.ordered], self.starts[self.ordered], self.ends[self.ordered])

    @property
    def smallest(self) -> Spans:
        """Those that have no parts."""
        if self.parents is None:
            return self.spans
        whole = self.ordered[self._parts[self.ordered] == 0]
        return Spans(self.docs[whole], self.starts[whole], self.ends[whole])

    @cached_property
    def alone(self) -> np.ndarray:
        """Whether a chunk shares no character with what any other hands over, bool; of the first of each span."""
        order = self.ordered
        base = self.docs[order] * (self.ends.max(initial=0) + 1)
        starts, reach = base + self.starts[order], np.maximum.accumulate(base + self.ends[order])
        apart = np.ones(len(order) + 1, bool)  # from the one before
        apart[1:-1] = starts[1:] >= reach[:-1]
        alone = np.zeros(len(self.same), bool)
        alone[order] = apart[:-1] & apart[1:]
        return alone

    def hand_over(self, ranking: np.ndarray) -> Given:
        """What a ranking hands over: each span once, at its best rank, as the first chunk of that span."""
        if self.parents is not None:
            return self._merging(ranking)
        if self.is_simple:
            places = np.arange(len(ranking))
        elif self.apart:
            places = self._apart(ranking)
        else:
            places = np.sort(np.unique(self.same[ranking], return_index=True)[1])
        chunks = self.same[ranking[places]]
        return Given(places, chunks, self.lengths[chunks], self.sizes[chunks])

    def _apart(self, ranking: np.ndarray) -> np.ndarray:
        held: dict[int, list[tuple[int, int]]] = {}
        places = []
        spans = zip(*(values[ranking].tolist() for values in (self.docs, self.starts, self.ends)), strict=True)
        for place, (doc, start, end) in enumerate(spans):
            own = held.setdefault(doc, [])
            if not any(start < last and first < end for first, last in own):
                own.append((start, end))
                places.append(place)
        return np.array(places, np.int64)

    def _merging(self, ranking: np.ndarray) -> Given:
        """A chunk that makes its parent one of which enough parts are handed over hands over that parent's rest."""
        assert self.parents is not None
        held: set[int] = set()
        parts: Counter[int] = Counter()  # of a parent that are handed over
        within: Counter[int] = Counter()  # characters of a chunk that are handed over
        within_size: Counter[int] = Counter()
        found = []
        for place, chunk in enumerate(ranking.tolist()):
            above = [chunk, *self._above(chunk)]
            if not held.isdisjoint(above):
                continue
            given = chunk
            for lower, parent in pairwise(above):
                if lower != given:
                    break
                parts[parent] += 1
                if parts[parent] > self.share * self._parts[parent]:
                    given = parent
            held.add(given)
            length = int(self.lengths[given]) - within[given]
            size = max(int(self.sizes[given]) - within_size[given], 0)
            for around in above[above.index(given) :]:
                within[around] += length
                within_size[around] += size
            found.append((place, given, length, size))
        return Given(*np.array(found, np.int64).reshape(-1, 4).T)

    def _above(self, chunk: int) -> list[int]:
        """The parent of a chunk, its parent, and so on."""
        assert self.parents is not None
        found = []
        while (chunk := int(self.parents[chunk])) >= 0:
            found.append(chunk)
        return found

    @cached_property
    def _parts(self) -> np.ndarray:
        """How many parts each chunk has."""
        assert self.parents is not None
        return np.bincount(self.parents[self.parents >= 0], minlength=len(self.parents))

    @cached_property
    def is_simple(self) -> bool:
        """Whether every chunk hands over something of its own, whatever is handed over before it."""
        return not self.apart and self.parents is None and bool((self.same == np.arange(len(self.same))).all())


def handed(chunks: pa.Table, unit: str = CHARACTERS) -> Handed:
    """What the chunks of a table hand over; `unit` is that of budgets."""
    encoded = chunks["doc_id"].combine_chunks().dictionary_encode()
    doc_ids, docs = encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.int64)
    starts, ends = (chunks[name].fill_null(-1).to_numpy() for name in ("start", "end"))
    texts = None if are_slices(chunks) else chunks["text"].to_pylist()
    lengths = ends - starts if texts is None else np.array([len(text) for text in texts], np.int64)
    in_unit = lengths if unit == CHARACTERS else sizes(chunks["text"].to_pylist(), unit)
    same = handed_over(docs, starts, ends)
    parents = chunks["parent"].fill_null(-1).to_numpy() if chunks["parent"].null_count < len(chunks) else None
    rules = are_handed_apart(chunks), parents, merging_share(chunks)
    return Handed(doc_ids, docs, starts, ends, texts, lengths, in_unit, same, *rules)


def handed_over(docs: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """For each chunk the first chunk that hands over the same span: shape (chunks,), int64.

    All are of whole numbers, `starts` -1 where a chunk has no offsets; such a chunk is its own.
    """
    order = np.lexsort((ends, starts, docs))  # stable: the first chunk of a span stays in front
    new = np.ones(len(docs), bool)
    new[1:] = starts[order[1:]] < 0
    for values in (docs, starts, ends):
        new[1:] |= values[order[1:]] != values[order[:-1]]
    same = np.empty(len(docs), np.int64)
    same[order] = order[new][np.cumsum(new) - 1]
    return same
