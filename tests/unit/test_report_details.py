"""What the report shows of single questions and of what is cut, by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from chunkgrid import tables
from chunkgrid.coverage import coverage_curves
from chunkgrid.evidence import evidence
from chunkgrid.handed import handed
from chunkgrid.measures import recall_curve
from chunkgrid.ranges import omega
from chunkgrid.report.details import LONG, answers, cut_blocks, ordered, question_rows, shortened
from chunkgrid.shingles import add_places

TEXTS = {"d": "".join(map(chr, range(0x4E00, 0x4E00 + 100))), "e": "".join(map(chr, range(0x5E00, 0x5E00 + 60)))}


def queries(start: int = 30, end: int = 60) -> pa.Table:
    query = {"query_id": "q", "doc_id": "d", "query": "何か。", "questions_from": "faq"}
    query |= {"gold": [{"start": start, "end": end}], "gold_text": [TEXTS["d"][start:end]]}
    return tables.table(add_places([query], TEXTS), tables.QUERIES)


def chunks(*spans: tuple[str, int, int]) -> pa.Table:
    rows = [
        {"chunk": n, "doc_id": doc, "start": low, "end": high, "text": TEXTS[doc][low:high]}
        | {"index_start": low, "index_end": high, "index_text": TEXTS[doc][low:high]}
        for n, (doc, low, high) in enumerate(spans)
    ]
    return tables.of_slices(tables.table(rows, tables.CHUNKS))


def answered(found: pa.Table, ranking: list[int], budget: int, asked: pa.Table | None = None) -> dict:
    asked = queries() if asked is None else asked
    over = handed(found)
    known = evidence(asked, over)
    curves = coverage_curves(known, omega(over.spans, known.gold), [np.array(ranking, np.int64)], over, 100)
    hits = [{"query_id": "q", "rank": n + 1, "chunk": chunk, "score": 9.0 - n} for n, chunk in enumerate(ranking)]
    rankings = tables.table(hits, tables.RANKINGS)
    (row,) = answers(question_rows(asked, {"d": "題"}), over, TEXTS, rankings, curves, [[0.1, 0.6, 0.2]], budget)
    return row


CUT_AT_40 = [("d", 0, 40), ("d", 40, 80), ("d", 80, 100), ("e", 0, 60)]


def test_hits_within_the_budget_and_two_beyond_it() -> None:
    row = answered(chunks(*CUT_AT_40), [3, 1, 0, 2], 100)
    assert (row["taken"], row["used"]) == (2, 100)
    assert [(hit["rank"], hit["doc"], hit["start"], hit["end"], hit["used"], hit["score"]) for hit in row["hits"]] == [
        (1, "e", 0, 60, 60, 9.0),
        (2, "d", 40, 80, 100, 8.0),
        (3, "d", 0, 40, 140, 7.0),
        (4, "d", 80, 100, 160, 6.0),
    ]
    assert row["hits"][1]["text"] == [(0, TEXTS["d"][40:80])]
    # 23 shingles of the answer, [30, 60): 13 of them in [40, 60), 3 in [30, 40).
    assert row["coverage"] == pytest.approx(13 / 23, abs=1e-3)
    assert [hit["gain"] for hit in row["hits"]] == [
        0,
        pytest.approx(13 / 23, abs=1e-3),
        pytest.approx(3 / 23, abs=1e-3),
        0,
    ]


def test_the_first_hit_is_taken_however_long() -> None:
    row = answered(chunks(*CUT_AT_40), [3, 1, 0, 2], 10)
    assert (row["taken"], row["used"], [hit["rank"] for hit in row["hits"]]) == (1, 60, [1, 2, 3])


@pytest.mark.parametrize(
    ("spans", "ranking", "budget", "flags"),
    [
        (CUT_AT_40, [3, 1, 0], 100, "cut"),
        (CUT_AT_40, [], 100, "cut"),
        ([("d", 0, 30), ("d", 30, 60), ("d", 60, 100)], [1], 100, "complete"),  # edges at its ends do not cut
        ([("d", 0, 30), ("d", 30, 60), ("d", 60, 100)], [0], 100, ""),
    ],
)
def test_what_became_of_an_answer(spans: list, ranking: list, budget: int, flags: str) -> None:
    row = answered(chunks(*spans), ranking, budget)
    assert row["complete"] is (flags == "complete")
    assert row["cuts"] == ([40] if flags == "cut" else [])
    assert row["why"] == (None if flags == "complete" else 1)  # of the losses given, the largest


def test_recall_is_read_off_at_any_budget_and_number_of_hits() -> None:
    found = chunks(*CUT_AT_40)
    over = handed(found)
    known = evidence(queries(), over)
    curves = coverage_curves(known, None, [np.array([3, 1, 0, 2])], over, 100)
    within, over, after = recall_curve(curves, [10, 100, 139, 140], [1, 2, 3, 9])
    assert over == [1, 0, 0, 0]
    assert within == pytest.approx([0, 13 / 23, 13 / 23, 16 / 23])  # the first is taken in any case, and is of e
    assert after == pytest.approx([0, 13 / 23, 16 / 23, 16 / 23])


def test_long_texts_keep_their_beginning_and_what_is_around_the_answer() -> None:
    assert shortened("あ" * LONG, []) == [(0, "あ" * LONG)]
    text = "".join(chr(0x4E00 + n % 5000) for n in range(20_000))
    (first, head), (second, around) = shortened(text, [(9000, 9100)])
    assert (first, len(head)) == (0, LONG // 2)
    assert second <= 9000
    assert second + len(around) >= 9100
    assert text[second : second + len(around)] == around
    assert len(shortened(text, [(10, 20)])) == 1  # they meet
    assert sum(len(part) for _, part in shortened("あ" * 1_000_000, [(5, 999_999)])) <= 2 * LONG


def test_blocks_in_most_pieces_come_first_with_the_places_of_the_cuts() -> None:
    over = handed(chunks(("d", 0, 40), ("d", 40, 60), ("d", 50, 100), ("e", 0, 60)))
    blocks = {
        ("d", 1): {"start": 30, "end": 55, "text": "甲" * 25},
        ("d", 2): {"start": 55, "end": 99, "text": "乙" * 44},
    }
    blocks["e", 0] = {"start": 0, "end": 60, "text": "丙" * 60}
    rows = [{"doc_id": d, "block": n, "kind": "pre", "cut": d == "d", "whole": n == 2} for d, n in blocks]
    found = cut_blocks(tables.table(rows, tables.CUTS), blocks, over, 5)
    assert [(row["text"][0][1][0], row["cuts"], row["whole"]) for row in found] == [
        ("甲", [10, 20], False),
        ("乙", [5], True),
    ]
    assert len(cut_blocks(tables.table(rows, tables.CUTS), blocks, over, 1)) == 1


def test_questions_come_by_how_much_cells_differ_then_by_how_much_they_fail() -> None:
    of_cells = {"a": [0.0, 1.0, 0.5, 0.2], "b": [0.0, 0.0, 0.5, 0.2]}
    rows = {cell: [{"coverage": value} for value in values] for cell, values in of_cells.items()}
    assert ordered([{}] * 4, rows) == [1, 0, 3, 2]
