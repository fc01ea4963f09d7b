"""Rankings of several retrievers as one, and a ranking put in the order of another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import numpy as np
import pyarrow as pa

from .errors import InputError
from .scoring import hits_of

By = Literal["rank", "score"]
Ranked = dict[str, tuple[np.ndarray, np.ndarray]]
"""For every question the places of its hits, best first, and their scores."""


def ranked(rankings: pa.Table, searched: np.ndarray, name: str) -> Ranked:
    """A table of rankings by question; places are among the chunks that are `searched` (their numbers, ascending).

    Raises InputError where a hit is none of these, so that the ranking is of another split.
    """
    found: Ranked = {}
    for query, (chunks, scores) in hits_of(rankings).items():
        places = np.searchsorted(searched, chunks)
        known = places < len(searched)
        known[known] = searched[places[known]] == chunks[known]
        if not known.all():
            raise InputError(f"the ranking of {name} has chunk {chunks[~known][0]}, which this split has not")
        found[query] = places, scores
    return found


def fused(
    rankings: Sequence[Ranked],
    queries: Sequence[str],
    count: int,
    by: By = "rank",
    weights: Sequence[float] | None = None,
    constant: float = 60.0,
) -> Iterator[np.ndarray]:
    """For each question the scores of all `count` chunks, (count,): 0 for what no ranking has.

    By rank, the sum of weight / (constant + rank), ranks from 1 (reciprocal rank fusion; Cormack, Clarke and Buettcher
    2009). By score, the sum of weight x score / the highest score of that retriever for the question.
    """
    given = [1.0] * len(rankings) if weights is None else list(weights)
    nothing = np.empty(0, np.int64), np.empty(0)
    for query in queries:
        total = np.zeros(count)
        for weight, ranking in zip(given, rankings, strict=True):
            places, scores = ranking.get(query, nothing)
            if by == "rank":
                total[places] += weight / (constant + np.arange(1, len(places) + 1))
            elif len(places):
                total[places] += weight * scores / scores.max()
        yield total


def pairs(first: Ranked, queries: Mapping[str, str], texts: pa.ChunkedArray, top: int) -> list[tuple[str, str]]:
    """The question and the text of each of the `top` hits of a ranking, for all queries one after another.

    `queries` are the questions by query_id; `texts` are those of the chunks that are searched.
    """
    return [
        (query, text)
        for query_id, query in queries.items()
        if query_id in first
        for text in texts.take(pa.array(first[query_id][0][:top])).to_pylist()
    ]


def by_score(first: Ranked, scores: np.ndarray, queries: Sequence[str], top: int) -> Ranked:
    """The `top` hits of a ranking in the order of their `scores`, those of all queries one after another.

    Hits of equal score stay in their order.
    """
    found: Ranked = {}
    at = 0
    for query in queries:
        places = first[query][0][:top] if query in first else np.empty(0, np.int64)
        own = scores[at : at + len(places)]
        order = np.argsort(-own, kind="stable")
        found[query] = places[order], own[order]
        at += len(places)
    return found


def reranked(first: Ranked, second: Ranked, queries: Sequence[str], count: int, top: int) -> Iterator[np.ndarray]:
    """For each question scores that put the `top` hits of the first ranking in the order of the second.

    Those that the second has not come behind the others, in their own order, and after the top the rest of the first.
    """
    nothing = np.empty(0, np.int64), np.empty(0)
    for query in queries:
        places, _ = first.get(query, nothing)
        others, _ = second.get(query, nothing)
        order = {place: rank for rank, place in enumerate(others.tolist())}
        head = sorted(range(min(top, len(places))), key=lambda n: (order.get(int(places[n]), len(others)), n))
        ordered = [*(int(places[n]) for n in head), *places[top:].tolist()]
        total = np.zeros(count)
        total[ordered] = 1 / np.arange(1, len(ordered) + 1)
        yield total
