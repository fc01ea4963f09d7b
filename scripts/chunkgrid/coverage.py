"""How much of an answer retrieved chunks hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from .ranges import Omega, Spans, omega, range_curves, union_length
from .retrieval import close_up
from .tables import COVERAGE, table
from .text import strip

SHINGLE = 8
COMPLETE = 0.95
"""Coverage from which an answer counts as handed over whole, and a chunk as relevant."""


def shingles(text: str) -> set[str]:
    """Every 8-character substring of `text` without white space."""
    bare = strip(text)
    return {bare[i : i + SHINGLE] for i in range(len(bare) - SHINGLE + 1)}


@dataclass(frozen=True)
class Handed:
    """What chunks hand over, an array entry per chunk.

    lengths: in characters; sizes: in the unit of budgets; same: the first chunk that hands over that span
    """

    doc_ids: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    texts: Sequence[str]
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

    chunks: those that hold any of it, each span once, ascending, shape (n,)
    shingles: which gold shingles each covers, bool, shape (n, gold shingles)
    characters: which gold characters each spans, bool, shape (n, gold characters); None without offsets
    omega: what all chunks that touch the gold could do; None without offsets
    """

    query_id: str
    doc_id: str
    gold: Spans
    chunks: np.ndarray
    shingles: np.ndarray
    characters: np.ndarray | None
    omega: Omega | None

    def gains(self) -> np.ndarray:
        """Each chunk's own coverage."""
        return self.shingles.mean(axis=1)


def evidence(queries: Sequence[dict[str, Any]], handed: Handed) -> Iterator[Evidence]:
    """The evidence of every question, in the order of `queries` (rows of the table of queries)."""
    has_spans = handed.has_spans
    members: dict[str, list[int]] = {}
    for chunk in np.unique(handed.same):
        members.setdefault(handed.doc_ids[chunk], []).append(int(chunk))
    seen: dict[int, tuple[str, set[str]]] = {}

    def look(chunk: int) -> tuple[str, set[str]]:
        if chunk not in seen:
            seen[chunk] = strip(handed.texts[chunk]), shingles(handed.texts[chunk])
        return seen[chunk]

    for query in queries:
        own = np.array(members.get(query["doc_id"], []), dtype=np.int64)
        gold = [(span["start"], span["end"]) for span in query["gold"]]
        covered = _covered(query["gold_text"], [look(chunk) for chunk in own])
        some = covered.any(axis=1)
        characters = best = None
        if has_spans:
            characters = _spanned(gold, handed.starts[own], handed.ends[own])
            best = omega(handed.starts[own], handed.ends[own], gold)
            some |= characters.any(axis=1)
            characters = characters[some]
        yield Evidence(query["query_id"], query["doc_id"], gold, own[some], covered[some], characters, best)


def _covered(gold: Sequence[str], chunks: Sequence[tuple[str, set[str]]]) -> np.ndarray:
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


def _spanned(gold: Spans, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Which characters of the gold spans lie in each chunk's span; overlapping spans count once."""
    places = np.unique(np.concatenate([np.arange(start, end) for start, end in gold]))
    return (places >= starts[:, None]) & (places < ends[:, None])


def coverage_curves(found: Sequence[Evidence], rankings: Sequence[np.ndarray], handed: Handed, ideal: int) -> pa.Table:
    """The table of coverage: for every question what its ranking hands over after 1, 2, 3 ... hits.

    `rankings` are chunks, best first, one array per question; `ideal` is how many ideal gains are kept.
    """
    rows = (
        _curve(one, close_up(ranking, handed.same), handed, ideal) for one, ranking in zip(found, rankings, strict=True)
    )
    return table(rows, COVERAGE)


def _curve(found: Evidence, hits: np.ndarray, handed: Handed, ideal: int) -> dict[str, Any]:
    gains = found.gains()
    best = np.sort(gains)[::-1][:ideal]
    row_of = {int(chunk): row for row, chunk in enumerate(found.chunks)}
    rows = [row_of.get(int(chunk)) for chunk in hits]
    gain = [float(gains[row]) if row is not None else 0.0 for row in rows]
    relevant = next((rank for rank, own in enumerate(gain, 1) if own >= COMPLETE), None)
    in_article = np.flatnonzero(handed.doc_ids[hits] == found.doc_id)
    curve = {
        "query_id": found.query_id,
        "characters": np.cumsum(handed.lengths[hits]).tolist(),
        "size": None if handed.sizes is handed.lengths else np.cumsum(handed.sizes[hits]).tolist(),
        "coverage": _cumulative(found.shingles, rows),
        "span_coverage": None if found.characters is None else _cumulative(found.characters, rows),
        "gain": gain,
        "ideal_gain": best[best > 0].tolist(),
        "article_rank": int(in_article[0]) + 1 if len(in_article) else None,
        "relevant_rank": relevant,
    }
    return curve if found.omega is None else curve | _ranges(found, found.omega, hits, handed)


def _ranges(found: Evidence, best: Omega, hits: np.ndarray, handed: Handed) -> dict[str, Any]:
    """What the measures on ranges of characters are read off."""
    curves = range_curves(handed.doc_ids[hits], handed.starts[hits], handed.ends[hits], found.doc_id, found.gold)
    starts, ends = np.array(found.gold, dtype=np.int64).T
    return {
        **vars(curves),
        **vars(best),
        "gold_characters": union_length(starts, ends),
        "reference_characters": int((ends - starts).sum()),
    }


def _cumulative(held: np.ndarray, rows: Sequence[int | None]) -> list[float]:
    union = np.zeros(held.shape[1], bool)
    curve: list[float] = []
    share = 0.0
    for row in rows:
        if row is not None:
            union |= held[row]
            share = float(union.mean())
        curve.append(share)
    return curve
