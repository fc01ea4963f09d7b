"""How much of an answer retrieved chunks hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from .ranges import Spans, omega, range_curves, union_length
from .retrieval import close_up
from .shingles import shingles
from .tables import COVERAGE
from .text import strip

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


def evidence(queries: pa.Table, handed: Handed) -> Iterator[Evidence]:
    """The evidence of every question, in the order of `queries` (the table of queries)."""
    distinct = np.unique(handed.same)
    of_doc = np.argsort(handed.docs[distinct], kind="stable")
    bounds = np.searchsorted(handed.docs[distinct][of_doc], np.arange(len(handed.doc_ids) + 1))
    number = {doc_id: place for place, doc_id in enumerate(handed.doc_ids)}
    looked_at: dict[int, tuple[str, set[str]]] = {}
    columns = ["query_id", "doc_id", "gold", "gold_text"] + (["places"] if handed.texts is None else [])
    for query in queries.select(columns).to_pylist():
        doc = number.get(query["doc_id"], -1)
        own = distinct[of_doc[bounds[doc] : bounds[doc + 1]]] if doc >= 0 else np.empty(0, np.int64)
        if handed.texts is None:
            places = np.array([(one["shingle"], one["start"], one["end"]) for one in query["places"]], np.int64)
            near = _near(places, handed.starts[own], handed.ends[own])
            held = _held(places, handed.starts[own[near]], handed.ends[own[near]])
            chunks = own[near]
        else:
            for chunk in own.tolist():
                if chunk not in looked_at:
                    text = handed.texts[chunk]
                    looked_at[chunk] = strip(text), shingles(text)
            chunks, held = own, _in_texts(query["gold_text"], [looked_at[chunk] for chunk in own.tolist()])
        some = held.any(axis=1)
        gold = [(span["start"], span["end"]) for span in query["gold"]]
        yield Evidence(query["query_id"], doc, gold, own, chunks[some], held[some])


def _near(places: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Spans that may hold any of the places."""
    return np.flatnonzero((starts < places[:, 2].max()) & (ends > places[:, 1].min()))


def _held(places: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Which shingles each span holds at any of their places, bool; rows of `places` are sorted by shingle."""
    held = (starts[:, None] <= places[:, 1]) & (places[:, 2] <= ends[:, None])
    first = np.flatnonzero(np.diff(places[:, 0], prepend=-1))
    return held if len(first) == len(places) else np.logical_or.reduceat(held, first, axis=1)


def _in_texts(gold: Sequence[str], chunks: Sequence[tuple[str, set[str]]]) -> np.ndarray:
    """Which shingles of the gold each chunk holds; a gold too short to have any counts as one."""
    wanted = sorted(set().union(*map(shingles, gold)))
    if not wanted:
        short = [strip(span) for span in gold]
        return np.array([[span in bare for span in short] for bare, _ in chunks], bool).reshape(-1, len(short))
    place = {shingle: column for column, shingle in enumerate(wanted)}
    covered = np.zeros((len(chunks), len(wanted)), bool)
    for row, (_, held) in enumerate(chunks):
        covered[row, [place[shingle] for shingle in place.keys() & held]] = True
    return covered


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
