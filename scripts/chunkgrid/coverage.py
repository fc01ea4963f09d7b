"""How much of an answer retrieved chunks hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from .ranges import Spans, omega, range_curves, union_length
from .retrieval import close_up
from .shingles import pieces, places_of
from .tables import COVERAGE
from .text import strip

_MANY = 16  # places of one shingle
COMPLETE = 0.95
"""Coverage from which an answer counts as handed over whole, and a chunk as relevant."""


@dataclass(frozen=True)
class Handed:
    """What chunks hand over, an array entry per chunk.

    docs: the article, as a number of `doc_ids`; starts, ends: NaN without offsets; texts: None where every chunk
    is a slice of its document; lengths: in characters; sizes: in the unit of budgets; same: the first chunk that
    hands over that span
    """

    doc_ids: Sequence[str]
    docs: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    texts: Sequence[str] | None
    lengths: np.ndarray
    sizes: np.ndarray
    same: np.ndarray

    @property
    def has_spans(self) -> bool:
        """Whether every chunk has offsets."""
        return not bool(np.isnan(self.starts).any())


@dataclass(frozen=True)
class Evidence:
    """What the chunks of the gold document hold of one question's gold.

    doc: the document, as a number of `Handed.doc_ids`; -1 where no chunk is of it
    own: all chunks of the document, each span once, ascending
    chunks: those that hold any of the gold, ascending, shape (n,)
    shingles: which gold shingles each covers, bool, shape (n, gold shingles)
    """

    query_id: str
    doc: int
    gold: Spans
    own: np.ndarray
    chunks: np.ndarray
    shingles: np.ndarray

    def gains(self) -> np.ndarray:
        """Each chunk's own coverage."""
        return self.shingles.mean(axis=1)


def evidence(queries: pa.Table, handed: Handed) -> list[Evidence]:
    """The evidence of every question, in the order of `queries` (the table of queries)."""
    distinct = np.unique(handed.same)
    of_doc = distinct[np.argsort(handed.docs[distinct], kind="stable")]
    bounds = np.searchsorted(handed.docs[of_doc], np.arange(len(handed.doc_ids) + 1))
    number = {doc_id: place for place, doc_id in enumerate(handed.doc_ids)}
    rows = queries.select(["query_id", "doc_id", "gold", "gold_text"]).to_pylist()
    places = _places(queries) if handed.texts is None else []
    asked: dict[int, list[int]] = {}
    for row, query in enumerate(rows):
        asked.setdefault(number.get(query["doc_id"], -1), []).append(row)
    found: dict[int, Evidence] = {}
    for doc, of_rows in asked.items():  # a document at a time, whose chunks are looked at once
        own = of_doc[bounds[doc] : bounds[doc + 1]] if doc >= 0 else of_doc[:0]
        if handed.texts is None:
            held = _by_place([places[row] for row in of_rows], own, handed)
        else:
            held = _by_text(
                [rows[row]["gold_text"] for row in of_rows], [handed.texts[chunk] for chunk in own.tolist()]
            )
        for row, (near, shares) in zip(of_rows, held, strict=True):
            some = shares.any(axis=1)
            gold = [(span["start"], span["end"]) for span in rows[row]["gold"]]
            found[row] = Evidence(rows[row]["query_id"], doc, gold, own, own[near[some]], shares[some])
    return [found[row] for row in range(len(rows))]


Held = Iterator[tuple[np.ndarray, np.ndarray]]
"""For each question some chunks of its document, as places among these, and which shingles each holds, bool."""


def _places(queries: pa.Table) -> list[np.ndarray]:
    """For each question the places of its shingles: shape (places, 3), of shingle, start and end."""
    lists = queries["places"].combine_chunks()
    fields = [lists.values.field(name).to_numpy(zero_copy_only=False) for name in ("shingle", "start", "end")]
    return np.split(np.stack(fields, axis=1), lists.offsets.to_numpy()[1:-1]) if len(lists) else []


def _by_place(places: Sequence[np.ndarray], own: np.ndarray, handed: Handed) -> Held:
    """From the places of the shingles, where chunks are slices."""
    starts, ends = handed.starts[own], handed.ends[own]
    for of_gold in places:
        near = _near(of_gold, starts, ends)
        yield near, _held(of_gold, starts[near], ends[near])


def _by_text(golds: Sequence[Sequence[str]], texts: Sequence[str]) -> Held:
    """From the texts of the chunks."""
    bare = [strip(text) for text in texts]
    begins = np.concatenate([[0], np.cumsum([len(text) + 1 for text in bare])])
    wanted = [pieces(gold) for gold in golds]
    # All chunks as one text: no piece has the character that stands between them.
    at = places_of({piece for own_pieces in wanted for piece in own_pieces}, "\0".join(bare))
    for own_pieces in wanted:
        found = [at[piece] for piece in own_pieces]
        column = np.repeat(np.arange(len(found)), [len(places) for places in found])
        row = (
            np.searchsorted(begins, np.array([place for places in found for place in places], np.int64), side="right")
            - 1
        )
        held = np.zeros((len(texts), len(found)), bool)
        held[row, column] = True
        yield np.arange(len(texts)), held


def _near(places: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Spans that may hold any of the places."""
    return np.flatnonzero((starts < places[:, 2].max()) & (ends > places[:, 1].min()))


def _held(places: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Which shingles each span holds at any of their places, bool; rows of `places` are sorted by shingle."""
    held = (starts[:, None] <= places[:, 1]) & (places[:, 2] <= ends[:, None])
    first = np.flatnonzero(np.diff(places[:, 0], prepend=-1))
    if len(first) == len(places):
        return held
    if np.diff(first, append=len(places)).max() > _MANY:
        return np.logical_or.reduceat(held, first, axis=1)
    of_first = held[:, first]
    further = np.arange(len(places)) - first[places[:, 0]]  # whether a place is its shingle's first, second ...
    for number in range(1, further.max() + 1):
        again = np.flatnonzero(further == number)
        of_first[:, places[again, 0]] |= held[:, again]
    return of_first


def coverage_curves(found: Sequence[Evidence], rankings: Sequence[np.ndarray], handed: Handed, ideal: int) -> pa.Table:
    """The table of coverage: for every question what its ranking hands over after 1, 2, 3 ... hits.

    `rankings` are chunks, best first, one array per question; `ideal` is how many ideal gains are kept.
    """
    once = bool((handed.same == np.arange(len(handed.same))).all())
    hits = [ranking if once else close_up(ranking, handed.same) for ranking in rankings]
    bounds = np.concatenate([[0], np.cumsum([len(one) for one in hits])]).astype(np.int32)
    flat = np.concatenate([np.empty(0, np.int64), *hits])
    curves = {name: np.zeros(len(flat)) for name in ("coverage", "gain")}
    ranks: dict[str, list[int | None]] = {"article_rank": [], "relevant_rank": []}
    ideal_gain: list[np.ndarray] = []
    docs = handed.docs[flat]
    for one, begin, end in zip(found, bounds[:-1], bounds[1:], strict=True):
        in_article = np.flatnonzero(docs[begin:end] == one.doc)
        ranks["article_rank"].append(int(in_article[0]) + 1 if len(in_article) else None)
        gains = one.gains()
        ideal_gain.append(np.sort(gains)[::-1][:ideal])
        at, rows = _meet(flat[begin:end], in_article, one.chunks)
        relevant = at[gains[rows] >= COMPLETE]
        ranks["relevant_rank"].append(int(relevant[0]) + 1 if len(relevant) else None)
        if len(at):
            curves["gain"][begin + at] = gains[rows]
            covered = np.logical_or.accumulate(one.shingles[rows], axis=0).mean(axis=1)
            _step(curves["coverage"][begin:end], at, covered)
    columns: dict[str, Any] = {
        "query_id": [one.query_id for one in found],
        "characters": _lists(_within(handed.lengths[flat], bounds), bounds),
        "size": None if handed.sizes is handed.lengths else _lists(_within(handed.sizes[flat], bounds), bounds),
        **{name: _lists(values, bounds) for name, values in curves.items()},
        "ideal_gain": pa.array(ideal_gain, pa.list_(pa.float64())),
        **ranks,
    }
    if handed.has_spans:
        columns |= _ranges(found, flat, bounds, handed)
    empty = {field.name: pa.nulls(len(found), field.type) for field in COVERAGE}
    return pa.table(
        {name: columns.get(name) if columns.get(name) is not None else empty[name] for name in empty}, schema=COVERAGE
    )


def _meet(hits: np.ndarray, in_article: np.ndarray, chunks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which hits are of `chunks` (ascending), and which of these each is."""
    row = np.searchsorted(chunks, hits[in_article])
    known = row < len(chunks)
    known[known] = chunks[row[known]] == hits[in_article][known]
    return in_article[known], row[known]


def _step(curve: np.ndarray, at: np.ndarray, values: np.ndarray) -> None:
    """Writes a curve that takes each of the `values` at its place and keeps it up to the next."""
    curve[at[0] :] = np.repeat(values, np.diff(at, append=len(curve)))


def _within(values: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Sums over the hits so far of each question."""
    total = np.concatenate([[0], np.cumsum(values)])
    return total[1:] - np.repeat(total[bounds[:-1]], np.diff(bounds))


def _lists(values: np.ndarray, bounds: np.ndarray) -> pa.Array:
    return pa.ListArray.from_arrays(pa.array(bounds, pa.int32()), pa.array(values))


def _ranges(found: Sequence[Evidence], flat: np.ndarray, bounds: np.ndarray, handed: Handed) -> dict[str, Any]:
    """What the measures on ranges of characters are read off."""
    docs, starts, ends = handed.docs[flat], handed.starts[flat], handed.ends[flat]
    apart = _apart(handed)
    united, covered = (np.zeros(len(flat), np.int64) for _ in range(2))
    missed = np.zeros(len(flat), np.int64)
    single: dict[str, list[Any]] = {name: [] for name in ("gold_characters", "reference_characters")}
    best = []
    for one, begin, end in zip(found, bounds[:-1], bounds[1:], strict=True):
        here = slice(begin, end)
        gold_starts, gold_ends = np.array(one.gold, np.int64).T
        single["gold_characters"].append(union_length(gold_starts, gold_ends))
        single["reference_characters"].append(int((gold_ends - gold_starts).sum()))
        own_starts, own_ends = handed.starts[one.own], handed.ends[one.own]
        touching = (own_starts <= gold_ends.max()) & (own_ends >= gold_starts.min())
        best.append(omega(own_starts[touching], own_ends[touching], one.gold))
        if apart:  # hits share nothing with one another, so that only those that hold gold need be looked at
            near = np.flatnonzero(
                (docs[here] == one.doc) & (starts[here] < gold_ends.max()) & (ends[here] > gold_starts.min())
            )
            missed[here] = single["reference_characters"][-1]
            if len(near):
                some = range_curves(docs[here][near], starts[here][near], ends[here][near], one.doc, one.gold)
                _step(covered[here], near, np.array(some.covered))
                missed[begin + near[0] : end] = np.repeat(some.missed, np.diff(near, append=end - begin))
        else:
            curves = range_curves(docs[here], starts[here], ends[here], one.doc, one.gold)
            united[here], covered[here], missed[here] = curves.united, curves.covered, curves.missed
    if apart:
        united = _within((ends - starts).astype(np.int64), bounds)
    share = covered / np.repeat(np.array(single["gold_characters"]), np.diff(bounds))
    lists = {"span_coverage": share, "united": united, "covered": covered, "missed": missed}
    names = ("precision_omega", "chroma_precision_omega", "touching")
    return {
        **{name: _lists(values, bounds) for name, values in lists.items()},
        **single,
        **{name: [getattr(one, name) for one in best] for name in names},
    }


def _apart(handed: Handed) -> bool:
    """Whether no two of the spans handed over share a character."""
    distinct = np.unique(handed.same)
    order = distinct[np.lexsort((handed.starts[distinct], handed.docs[distinct]))]
    together = handed.docs[order[1:]] == handed.docs[order[:-1]]
    return not bool((together & (handed.starts[order[1:]] < handed.ends[order[:-1]])).any())
