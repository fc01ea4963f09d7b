"""Measures on ranges of characters: set-wise, and as Chroma's chunking_evaluation counts them.

Spans are half-open, [start, end). Set-wise, a character is retrieved or it is not. Chroma's counting (Smith and
Troynikov 2024, "Evaluating Chunking Strategies for Retrieval", as its code has it) differs from that:

- a chunk that ends where a gold span starts, or starts where one ends, intersects it (with length 0);
- what is retrieved is the sum of the chunks' lengths, so what two chunks share counts twice;
- recall is of the sum of the gold spans' lengths, so what two of them share counts twice;
- what IoU adds to the retrieved, the gold that is not, counts once for each gold span that holds it;
- precision omega is divided by the union of the chunks that intersect and of the gold that no chunk holds.

All questions are counted at once: their documents lie one behind the other on a line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Spans:
    """Spans of documents: of whole numbers, shape (spans,) each."""

    docs: np.ndarray
    starts: np.ndarray
    ends: np.ndarray

    def __len__(self) -> int:
        return len(self.docs)

    def of(self, chosen: np.ndarray) -> Spans:
        """Some of them, in the order given."""
        return Spans(self.docs[chosen], self.starts[chosen], self.ends[chosen])


@dataclass(frozen=True)
class Gold:
    """The gold spans of all questions; those of one question may overlap.

    spans: of all questions; question: which question each is of, ascending, shape (spans,); count: of questions
    """

    spans: Spans
    question: np.ndarray
    count: int

    def lengths(self) -> tuple[np.ndarray, np.ndarray]:
        """Characters of each question's gold, each once, and once for every span that holds it: (questions,)."""
        once = union_lengths(self.question, self.spans.starts, self.spans.ends, self.count)
        return once, _sums(self.question, self.spans.ends - self.spans.starts, self.count)


@dataclass(frozen=True)
class Brought:
    """Characters that each hit brings, beside what the hits of its question before it have brought: shape (hits,).

    united: to the union of the spans, over all documents
    covered: of the gold, each character once
    held: of the gold, each character once for every gold span that holds it
    """

    united: np.ndarray
    covered: np.ndarray
    held: np.ndarray


@dataclass(frozen=True)
class Omega:
    """What chunks could do for each question at best, each of them retrieved that has to do with its gold.

    precision_omega: of the chunks that share a character with the gold, gold in their union / their union
    chroma_precision_omega: of the chunks that touch the gold, gold in their union / union of them and the gold
    touching: how many touch it, a shared edge being enough (Chroma's number of highlighted chunks)
    """

    precision_omega: np.ndarray
    chroma_precision_omega: np.ndarray
    touching: np.ndarray


def reaching(spans: Spans, docs: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each n, the `spans` of docs[n] that start at high[n] at the latest and end at low[n] at the earliest.

    `spans` are sorted by document, then by start. Returns pairs, sorted: n, and the place among `spans`.
    """
    width = max(values.max(initial=0) for values in (spans.ends, low, high)) + 1
    base = spans.docs * width
    # The farthest that any span up to here reaches: before the first that reaches `low`, none does.
    first = np.searchsorted(np.maximum.accumulate(base + spans.ends), docs * width + low)
    last = np.searchsorted(base + spans.starts, docs * width + high, side="right")
    n, place = _runs(first, np.maximum(last, first))
    ends = spans.ends[place] >= low[n]
    return n[ends], place[ends]


def brought(question: np.ndarray, hits: Spans, gold: Gold) -> Brought:
    """What each hit brings; `question` is ascending, and within one the best hit comes first: shape (hits,)."""
    both = (hits, gold.spans)
    width = max(spans.ends.max(initial=0) for spans in both) + 1
    docs = max(spans.docs.max(initial=-1) for spans in both) + 2  # a document that there is not is -1
    lines = [(of * docs + spans.docs + 1) * width for of, spans in zip((question, gold.question), both, strict=True)]
    sides = [(spans.starts + line, spans.ends + line) for spans, line in zip(both, lines, strict=True)]
    # Between neighbouring edges lies a piece that every span holds whole or not at all.
    edges = distinct(np.concatenate([side for of_one in sides for side in of_one]))
    lengths = np.diff(edges)
    (hit, held), (_, wanted) = (_runs(*(np.searchsorted(edges, side) for side in of_one)) for of_one in sides)
    first = np.full(len(lengths), len(hits))  # the hit that brings a piece in: the best that holds it, else none
    first[held[::-1]] = hit[::-1]
    holding = np.bincount(wanted, minlength=len(lengths))  # how many gold spans hold a piece
    weights = (lengths, lengths * (holding > 0), lengths * holding)
    return Brought(*(_sums(first, weight, len(hits) + 1)[:-1] for weight in weights))


def omega(chunks: Spans, gold: Gold) -> Omega:
    """Both kinds of precision omega of every question, shape (questions,) each.

    `chunks` are sorted by document, then by start. Both are 0 where no chunk holds gold, since none of it can be
    retrieved (Chroma has 0 there too). A span that is given twice touches twice.
    """
    wanted = gold.spans
    span, chunk = reaching(chunks, wanted.docs, wanted.starts, wanted.ends)
    # What a chunk has in common with a gold span: below 0 it would be how far apart they are.
    common = np.minimum(chunks.ends[chunk], wanted.ends[span]) - np.maximum(chunks.starts[chunk], wanted.starts[span])

    def unions(chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """By question: how many chunks are chosen, the length of their union, and that of them and the gold."""
        pairs = distinct(gold.question[span[chosen]] * len(chunks) + chunk[chosen])
        of, own = pairs // max(len(chunks), 1), chunks.of(pairs % max(len(chunks), 1))
        alone = union_lengths(of, own.starts, own.ends, gold.count)
        starts, ends = np.concatenate([own.starts, wanted.starts]), np.concatenate([own.ends, wanted.ends])
        both = union_lengths(np.concatenate([of, gold.question]), starts, ends, gold.count)
        return np.bincount(of, minlength=gold.count), alone, both

    _, sharing, both = unions(common > 0)
    touching, _, with_touching = unions(common >= 0)
    held = sharing + gold.lengths()[0] - both
    return Omega(_share(held, sharing), np.where(held, _share(held, with_touching), 0.0), touching)


def union_lengths(group: np.ndarray, starts: np.ndarray, ends: np.ndarray, groups: int) -> np.ndarray:
    """Characters of the union of the spans of each group, shape (groups,)."""
    base = group * (ends.max(initial=0) + 1)
    order = np.argsort(base + starts)
    group, starts, reach = group[order], (base + starts)[order], np.maximum.accumulate((base + ends)[order])
    # Each span adds what lies beyond the farthest end before it.
    return _sums(group, reach - np.maximum(starts, np.concatenate([starts[:1], reach[:-1]])), groups)


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


def distinct(values: np.ndarray) -> np.ndarray:
    """The distinct values, ascending: for whole numbers, several times faster than np.unique, which hashes them."""
    ordered = np.sort(values)
    return ordered[np.diff(ordered, prepend=ordered[:1] - 1) > 0]


def _runs(first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of n and each of first[n], first[n] + 1, ... below last[n]."""
    counts = last - first
    n = np.repeat(np.arange(len(counts)), counts)
    return n, np.arange(len(n)) - np.repeat(np.cumsum(counts) - counts - first, counts)


def _sums(group: np.ndarray, values: np.ndarray, groups: int) -> np.ndarray:
    """The sum of whole numbers of each group; exact up to 2^53."""
    return np.bincount(group, values, minlength=groups).astype(np.int64)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole; 0 of nothing is 0."""
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
