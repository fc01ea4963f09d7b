"""Down to a question, and down to a table or code block that was cut."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..comparison import Cell
from ..coverage import COMPLETE
from ..handed import Handed
from ..ranges import Spans
from ..scoring import hits_of

Row = dict[str, Any]
BEYOND = 2
"""Hits shown beyond the budget, so that one sees what nearly came."""
MOST = 24
"""Hits shown at most."""
LONG = 3000
"""Characters of a text of which the middle is left out."""
LOSSES = ("loss_split", "loss_article", "loss_place")
"""Why an answer is incomplete: by the largest of these."""


def question_rows(queries: pa.Table, titles: Mapping[str, str]) -> list[Row]:
    """Every question with its article and answer, in the order of the table of queries."""
    return [
        {
            "id": row["query_id"],
            "question": row["query"],
            "doc": row["doc_id"],
            "title": titles[row["doc_id"]],
            "gold": [
                {"start": span["start"], "end": span["end"], "text": text}
                for span, text in zip(row["gold"], row["gold_text"], strict=True)
            ],
        }
        for row in queries.to_pylist()
    ]


def answers(
    questions: Sequence[Row],
    handed: Handed,
    documents: Mapping[str, str],
    rankings: pa.Table,
    coverage: pa.Table,
    losses: Sequence[Sequence[float]],
    budget: int,
) -> list[Row]:
    """For every question what one cell hands over, and what became of its answer.

    `documents` are the texts of the articles, by doc_id; `losses` are LOSSES, a row a question. A row has `coverage`
    within the budget; `taken`, how many hits that is, and `used`, of what size; `hits`, each with its rank, article,
    span, text, score, its own coverage and what of the budget is used up with it; `cuts`, where chunks begin or end
    strictly inside the answer; and whether it is `complete`, and if not `why`, as a number of LOSSES.
    """
    curves = {row["query_id"]: row for row in coverage.to_pylist()}
    ranked = hits_of(rankings)
    found = []
    for question, lost in zip(questions, losses, strict=True):
        curve = curves[question["id"]]
        chunks, scores = ranked.get(question["id"], (np.empty(0, np.int64), np.empty(0)))
        given = handed.hand_over(chunks)
        sizes = curve["characters"] if curve["size"] is None else curve["size"]
        taken = max(sum(size <= budget for size in sizes), min(1, len(sizes)))
        reached = curve["coverage"][taken - 1] if taken else 0.0
        hits = []
        for rank, (place, chunk) in enumerate(zip(given.places[:MOST], given.chunks[:MOST], strict=True)):
            if rank >= taken + BEYOND:
                break
            start = int(handed.starts[chunk])
            text = _text(handed, int(chunk), documents)
            hits.append(
                {
                    "rank": rank + 1,
                    "doc": handed.doc_ids[handed.docs[chunk]],
                    "start": start if start >= 0 else None,
                    "end": int(handed.ends[chunk]) if start >= 0 else None,
                    "text": shortened(text, _held(question, handed, int(chunk))),
                    "length": len(text),
                    "score": float(f"{scores[place]:.4g}"),
                    "gain": round(curve["gain"][rank], 3),
                    "used": sizes[rank],
                }
            )
        cuts = _cuts(question, handed)
        found.append(
            {
                "coverage": round(reached, 3),
                "taken": taken,
                "used": sizes[taken - 1] if taken else 0,
                "hits": hits,
                "cuts": cuts,
                "complete": reached >= COMPLETE,
                "why": None if reached >= COMPLETE else max(range(len(LOSSES)), key=lambda n: lost[n]),
            }
        )
    return found


def _text(handed: Handed, chunk: int, documents: Mapping[str, str]) -> str:
    """What a chunk hands over."""
    if handed.texts is not None:
        return handed.texts[chunk]
    return documents[handed.doc_ids[handed.docs[chunk]]][int(handed.starts[chunk]) : int(handed.ends[chunk])]


def shortened(text: str, keep: Sequence[tuple[int, int]]) -> list[tuple[int, str]]:
    """A text as parts with their places: whole up to LONG characters, else its beginning and what is around `keep`."""
    if len(text) <= LONG:
        return [(0, text)]
    around = LONG // 6
    wanted = [(0, LONG // 2), *((max(low - around, 0), min(high + around, low + LONG // 2)) for low, high in keep[:2])]
    parts: list[tuple[int, int]] = []
    for low, high in sorted(wanted):
        if parts and low <= parts[-1][1]:
            parts[-1] = parts[-1][0], max(high, parts[-1][1])
        else:
            parts.append((low, high))
    return [(low, text[low:high]) for low, high in parts]


def _held(question: Row, handed: Handed, chunk: int) -> list[tuple[int, int]]:
    """Where in a chunk the answer stands, as far as both have places."""
    start, end = int(handed.starts[chunk]), int(handed.ends[chunk])
    if start < 0 or handed.doc_ids[handed.docs[chunk]] != question["doc"]:
        return []
    shared = [(max(gold["start"], start) - start, min(gold["end"], end) - start) for gold in question["gold"]]
    return [(low, high) for low, high in shared if low < high]


def _cuts(question: Row, handed: Handed) -> list[int]:
    """Where chunks of the question's article begin or end strictly inside its answer."""
    if not handed.has_spans or question["doc"] not in handed.doc_ids:
        return []
    edges = _edges(handed.spans, list(handed.doc_ids).index(question["doc"]))
    return [int(edge) for gold in question["gold"] for edge in edges if gold["start"] < edge < gold["end"]]


def _edges(spans: Spans, doc: int) -> np.ndarray:
    """Where the spans of one document begin or end; they are sorted by document."""
    own = slice(*np.searchsorted(spans.docs, [doc, doc + 1]))
    return np.unique(np.concatenate([spans.starts[own], spans.ends[own]]))


def cut_blocks(
    cuts: pa.Table, blocks: Mapping[tuple[str, int], Mapping[str, Any]], handed: Handed, most: int
) -> list[Row]:
    """The tables and code blocks that one split cuts, those in most pieces first, with the places of the cuts.

    `blocks` has start, end and text of those blocks by (doc_id, block); `most` says how many are given of each kind.
    """
    spans = handed.spans
    number = {doc_id: n for n, doc_id in enumerate(handed.doc_ids)}
    found: dict[str, list[Row]] = {"table": [], "pre": []}
    for row in cuts.to_pylist():
        if not row["cut"]:
            continue
        block = blocks[row["doc_id"], row["block"]]
        edges = _edges(spans, number[row["doc_id"]])
        inside = edges[(edges > block["start"]) & (edges < block["end"])] - block["start"]
        found[row["kind"]].append(
            {"doc": row["doc_id"], "kind": row["kind"], "text": shortened(block["text"], []), "cuts": inside.tolist()}
            | {"whole": row["whole"], "length": len(block["text"])}
        )
    return [row for kind in found for row in sorted(found[kind], key=lambda row: -len(row["cuts"]))[:most]]


def ordered(questions: Sequence[Row], of_cells: Mapping[Cell, Sequence[Row]]) -> list[int]:
    """Questions in the order that a person looks at them: where cells differ most, then where most fail."""

    def key(n: int) -> tuple[float, float, int]:
        reached = [rows[n]["coverage"] for rows in of_cells.values()]
        return -(max(reached) - min(reached)), sum(reached), n

    return sorted(range(len(questions)), key=key)


def chosen(
    cells: Iterable[Cell], best: Cell, recommended: Cell, baseline: str, of_retriever: Iterable[Cell]
) -> list[Cell]:
    """The cells whose questions are shown by default: best, recommended, baseline and the best of each retriever."""
    there = set(cells)
    wanted = [best, recommended, (baseline, best[1]), *of_retriever]
    return [cell for cell in dict.fromkeys(wanted) if cell in there]
