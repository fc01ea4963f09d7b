"""Measures on ranges of characters: set-wise, and as Chroma's chunking_evaluation counts them.

Spans are half-open, [start, end). Set-wise, a character is retrieved or it is not. Chroma's counting (Smith and
Troynikov 2024, "Evaluating Chunking Strategies for Retrieval", as its code has it) differs from that:

- a chunk that ends where a gold span starts, or starts where one ends, intersects it (with length 0);
- what is retrieved is the sum of the chunks' lengths, so what two chunks share counts twice;
- recall is of the sum of the gold spans' lengths, so what two of them share counts twice;
- what IoU adds to the retrieved, the gold that is not, counts once for each gold span that holds it;
- precision omega is divided by the union of the chunks that intersect and of the gold that no chunk holds.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class RangeCurves:
    """Characters after 1, 2, 3 ... hits of one question.

    united: in the union of the spans so far, over all documents
    covered: of the gold in them, each character once
    missed: of the gold not in them, each once for every gold span that holds it
    """

    united: Sequence[int]
    covered: Sequence[int]
    missed: Sequence[int]


@dataclass(frozen=True)
class Omega:
    """What a split's chunks could do for one question at best, each of them retrieved that has to do with the gold.

    precision_omega: of the chunks that share a character with the gold, gold in their union / their union
    chroma_precision_omega: of the chunks that touch the gold, gold in their union / union of them and the gold
    touching: how many touch it, a shared edge being enough (Chroma's number of highlighted chunks)
    """

    precision_omega: float
    chroma_precision_omega: float
    touching: int


def range_curves(docs: np.ndarray, starts: np.ndarray, ends: np.ndarray, doc: Hashable, gold: Spans) -> RangeCurves:
    """The curves of one question whose gold spans (they may overlap) are of the document `doc`.

    `docs`, `starts` and `ends` are what is handed over, best first, shape (hits,) each. Whole numbers, as int or
    as float; without offsets (NaN) there are no such curves.
    """
    hits = len(starts)
    gold_starts, gold_ends = _sides(gold)
    # All documents on one line, the gold's first, so that its offsets stay as they are.
    number = {doc: 0}
    numbers = np.fromiter((number.setdefault(one, len(number)) for one in docs.tolist()), np.int64, hits)
    shift = numbers * max(ends.max(initial=0), gold_ends.max(initial=0))
    # Between neighbouring edges lies a piece that every span holds whole or not at all.
    edges = np.unique(np.concatenate([starts + shift, ends + shift, gold_starts, gold_ends]))
    lengths = np.diff(edges)
    first = np.full(len(lengths), hits)  # the hit that brings a piece in: the best that holds it, else none
    for hit, piece in reversed(list(enumerate(_slices(edges, starts + shift, ends + shift)))):
        first[piece] = hit
    holding = np.zeros(len(lengths), np.int64)  # how many gold spans hold a piece
    for piece in _slices(edges, gold_starts, gold_ends):
        holding[piece] += 1

    def brought(weights: np.ndarray) -> np.ndarray:
        return np.bincount(first, weights, minlength=hits + 1)[:hits].cumsum().astype(np.int64)

    return RangeCurves(
        united=brought(lengths).tolist(),
        covered=brought(lengths * (holding > 0)).tolist(),
        missed=((gold_ends - gold_starts).sum() - brought(lengths * holding)).tolist(),
    )


def omega(starts: np.ndarray, ends: np.ndarray, gold: Spans) -> Omega:
    """Both kinds of precision omega, of all chunks of the gold document, shape (chunks,).

    Both are 0 where no chunk holds gold, since none of it can be retrieved (Chroma has 0 there too). A span that is
    given twice touches twice.
    """
    gold_starts, gold_ends = _sides(gold)
    # What a chunk has in common with a gold span, chunks by gold spans; below 0 it is how far apart they are.
    common = np.minimum(ends[:, None], gold_ends) - np.maximum(starts[:, None], gold_starts)
    most = common.max(axis=1, initial=-1)
    wanted = union_length(gold_starts, gold_ends)

    def sizes(chosen: np.ndarray) -> tuple[int, int, int]:
        """Characters of the chosen chunks, of them and the gold, and of the gold in them, each once."""
        own_starts, own_ends = starts[chosen], ends[chosen]
        own = union_length(own_starts, own_ends)
        both = union_length(np.concatenate([own_starts, gold_starts]), np.concatenate([own_ends, gold_ends]))
        return own, both, own + wanted - both

    own, both, held = sizes(most > 0)
    held_by_touching = held
    if (most == 0).any():
        _, both, held_by_touching = sizes(most >= 0)
    return Omega(
        held / own if own else 0.0, held_by_touching / both if held_by_touching else 0.0, int((most >= 0).sum())
    )


def union_length(starts: np.ndarray, ends: np.ndarray) -> int:
    """Characters of the union of spans of one document, shape (spans,)."""
    order = np.argsort(starts)
    starts, reach = starts[order], np.maximum.accumulate(ends[order])
    # Each span adds what lies beyond the farthest end before it.
    return int((reach - np.maximum(starts, np.concatenate([starts[:1], reach[:-1]]))).sum())


def at_k(
    name: str,
    retrieved: np.ndarray,
    united: np.ndarray,
    covered: np.ndarray,
    missed: np.ndarray,
    gold_characters: np.ndarray,
    reference_characters: np.ndarray,
) -> dict[str, np.ndarray]:
    """The measures of the first so many hits of each question, by name, `name` being how many; shape (questions,).

    `retrieved` is the sum of their lengths, `gold_characters` the length of the union of the gold spans,
    `reference_characters` the sum of their lengths. Where nothing is retrieved, or there is no gold, all are 0. (With
    nothing retrieved, Chroma's code has 0 for recall and IoU and divides by zero for precision; 0 keeps means over all
    questions possible.)
    """
    return {
        f"precision@{name}": _share(covered, united),
        f"iou@{name}": _share(covered, gold_characters + united - covered),
        f"chroma_recall@{name}": _share(covered, reference_characters),
        f"chroma_precision@{name}": _share(covered, retrieved),
        f"chroma_iou@{name}": _share(covered, retrieved + missed),
    }


def _sides(spans: Spans) -> tuple[np.ndarray, np.ndarray]:
    starts, ends = np.array(spans, np.int64).reshape(-1, 2).T
    return starts, ends


def _slices(edges: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> list[slice]:
    """The pieces between `edges` that each span consists of."""
    sides = (np.searchsorted(edges, side).tolist() for side in (starts, ends))
    return list(map(slice, *sides))


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole; 0 of nothing is 0."""
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
