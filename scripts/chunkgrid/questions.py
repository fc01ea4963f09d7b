"""Which of the questions found become queries, and why the others do not."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .blocks import KINDS
from .text import strip

SHORTEST_ANSWER = 40
"""Characters without white space from which an answer is usable."""

USED = "used"
DROPPED = ("unanswered", "repeated", "short", "unsampled")
"""Why a question found is not used: no answer follows; asked twice; answer too short; not drawn."""


def query_id(doc_id: str, question: str, occurrence: int) -> str:
    """16 hex digits that stand for the `occurrence`-th (from 0) such question of an article."""
    return hashlib.sha256(f"{doc_id}\n{question}\n{occurrence}".encode()).hexdigest()[:16]


def judge(articles: Iterable[Mapping[str, Any]], sample: int, seed: int) -> list[dict[str, Any]]:
    """Every question found, as a row of the table of queries with a `status`: used, or why not.

    `articles` are rows of the table of articles read. Of the usable questions `sample` are drawn: those
    of smallest sha256(seed:query_id), so that one more article replaces only a few.
    """
    rows = [row for article in articles for row in _rows(article)]
    asked = Counter(row["query"] for row in rows)
    for row in rows:
        row["status"] = _status(row, asked[row["query"]])
    usable = [row for row in rows if row["status"] == USED]
    usable.sort(key=lambda row: hashlib.sha256(f"{seed}:{row['query_id']}".encode()).digest())
    for row in usable[sample:]:
        row["status"] = "unsampled"
    return rows


def _rows(article: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    seen: Counter[str] = Counter()
    for found in article["questions"]:
        question, gold = found["question"], found["gold"]
        yield {
            "query_id": query_id(article["doc_id"], question, seen[question]),
            "doc_id": article["doc_id"],
            "query": question,
            "gold": gold,
            "gold_text": [article["text"][span["start"] : span["end"]] for span in gold],
        }
        seen[question] += 1


def _status(row: Mapping[str, Any], asked: int) -> str:
    if not row["gold"]:
        return "unanswered"
    if asked > 1:
        return "repeated"
    return USED if sum(len(strip(text)) for text in row["gold_text"]) >= SHORTEST_ANSWER else "short"


def reading_rows(
    articles: Sequence[Mapping[str, Any]], judged: Iterable[Mapping[str, Any]], left_out: Sequence[tuple[str, str]] = ()
) -> list[dict[str, Any]]:
    """The reading report: an article a row, with what was found in it and what became of that.

    `left_out` are files that were matched and are no article, and why; they stand at the end.
    """
    status: dict[str, Counter[str]] = {}
    for row in judged:
        status.setdefault(row["doc_id"], Counter())[row["status"]] += 1
    rows = [_report(article, status.get(article["doc_id"], Counter())) for article in articles]
    nothing = {"title": "", "encoding": "", "text": "", "excluded": 0, "kinds": [], "warnings": [], "error": None}
    for source, why in left_out:
        row = _report({"doc_id": source, "source": source, **nothing}, Counter())
        rows.append({**row, "status": "left out", "error": why})
    return rows


def _report(article: Mapping[str, Any], status: Counter[str]) -> dict[str, Any]:
    kinds = {entry["kind"]: entry["blocks"] for entry in article["kinds"]}
    return {
        "doc_id": article["doc_id"],
        "source": article["source"],
        "status": "failed" if article["error"] else "read",
        "title": article["title"],
        "encoding": article["encoding"],
        "characters": len(article["text"]),
        "excluded": article["excluded"],
        "blocks": sum(kinds.values()),
        **{kind: kinds.get(kind, 0) for kind in KINDS},
        "questions": sum(status.values()),
        USED: status[USED],
        **{reason: status[reason] for reason in DROPPED},
        "warnings": "; ".join(article["warnings"]),
        "error": article["error"] or "",
    }
