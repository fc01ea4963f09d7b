"""Which of the questions found become queries, and why the others do not."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from .blocks import KINDS
from .elsewhere import standing
from .errors import InputError
from .faq import FORMS
from .placing import place
from .question_files import read_questions
from .rows import listing
from .text import strip

SHORTEST_ANSWER = 40
"""Characters without white space from which an answer is usable."""

USED = "used"
DROPPED = ("unanswered", "repeated", "short", "elsewhere", "unsampled")
"""Why a question found is not asked: it has no answer; it is asked twice; its answer is too short; it stands
in some article word for word, where retrieval would find it; it is not drawn."""
WORD_FOR_WORD = "stands in an article word for word"
UNPLACED = "unplaced"
"""A question of a file whose answer is not where the file says: an error, told for all of them at once."""


def query_id(doc_id: str, question: str, occurrence: int) -> str:
    """16 hex digits that stand for the `occurrence`-th (from 0) such question of an article."""
    return hashlib.sha256(f"{doc_id}\n{question}\n{occurrence}".encode()).hexdigest()[:16]


def found_in(articles: Iterable[Mapping[str, Any]], questions_from: str) -> list[dict[str, Any]]:
    """Every question found in the articles (rows of the table of articles read), as rows for `judge`."""
    rows = []
    for article in articles:
        for question in article["questions"]:
            row = {"doc_id": article["doc_id"], "query": question["question"], "gold": question["gold"]}
            rows.append({**row, "questions_from": questions_from, "why": None, "notes": []})
    return rows


def asked_by(
    data: bytes, name: str, articles: Sequence[Mapping[str, Any]], several: Literal["all", "error"]
) -> list[dict[str, Any]]:
    """Every question of a file, as rows for `judge`; `why` says of those that could not be placed what is wrong.

    `several`: what becomes of an answer that stands in several places. Raises InputError where the file cannot
    be read.
    """
    asked = read_questions(data, name)
    documents = {a["doc_id"]: (a["title"], a["text"]) for a in articles if not a["error"]}
    rows = []
    for one, at in zip(asked, place(asked, documents, several), strict=True):
        gold = [{"start": start, "end": end} for start, end in at.gold]
        why = f"{one.row}: {at.fault}" if at.fault else None
        row = {"doc_id": at.doc_id, "query": one.query, "gold": gold, "why": why, "notes": list(at.notes)}
        rows.append({**row, "questions_from": "file"})
    return rows


def judge(
    rows: Iterable[dict[str, Any]], articles: Sequence[Mapping[str, Any]], sample: int, seed: int
) -> list[dict[str, Any]]:
    """Candidates: every question, with its id, the text of its gold, and a `status`: used, or why not.

    `rows` are of `found_in` or `asked_by`. Of the usable questions `sample` are drawn: those
    of smallest sha256(seed:query_id), so that one more article replaces only a few. What a file asks is used
    wherever its gold could be placed.
    """
    texts = {article["doc_id"]: article["text"] for article in articles}
    seen: Counter[tuple[str, str]] = Counter()
    judged = []
    for row in rows:
        key = (row["doc_id"], row["query"])
        gold_text = [texts[row["doc_id"]][span["start"] : span["end"]] for span in row["gold"]]
        judged.append({**row, "query_id": query_id(*key, seen[key]), "gold_text": gold_text})
        seen[key] += 1
    asked = Counter(row["query"] for row in judged)
    found = standing(asked, [text for article in articles for text in (article["text"], article["title"])])
    for row in judged:
        elsewhere = strip(row["query"]) in found
        row["status"] = _status(row, asked[row["query"]], elsewhere)
        row["notes"] = [*row["notes"], *[WORD_FOR_WORD] * elsewhere]
    usable = [row for row in judged if row["status"] == USED]
    usable.sort(key=lambda row: hashlib.sha256(f"{seed}:{row['query_id']}".encode()).digest())
    for row in usable[sample:]:
        row["status"] = "unsampled"
    return judged


def _status(row: Mapping[str, Any], asked: int, elsewhere: bool) -> str:
    if row["why"]:
        return UNPLACED
    if not row["gold"]:
        return "unanswered"
    if row["questions_from"] == "file":
        return USED
    if asked > 1:
        return "repeated"
    if sum(len(strip(text)) for text in row["gold_text"]) < SHORTEST_ANSWER:
        return "short"
    return "elsewhere" if elsewhere else USED


def check(
    candidates: Sequence[Mapping[str, Any]], reading: str, questions_from: str, file: str = "", sha256: str = ""
) -> None:
    """Raises InputError where a file's answer could not be placed, naming all, and where no question is used.

    `reading` is where the reading report stands.
    """
    unplaced = [row["why"] for row in candidates if row["status"] == UNPLACED]
    if unplaced:
        told = listing(file, unplaced, len(candidates), "questions cannot be placed")
        raise InputError(f"{told}\n  {reading} says how each article was read")
    if not any(row["status"] == USED for row in candidates):
        looked_for = {"faq": FORMS, "headings": "headings followed by a paragraph", "file": f"those of {file}"}
        raise InputError(
            f"no usable question among {len(candidates)} found; looked for {looked_for[questions_from]}; "
            f"{reading} says what was found in each article"
        )


def drawn(candidates: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Those that are asked, by id."""
    return sorted((row for row in candidates if row["status"] == USED), key=lambda row: row["query_id"])


def reading_rows(
    articles: Sequence[Mapping[str, Any]],
    judged: Sequence[Mapping[str, Any]],
    questions_from: str,
    left_out: Sequence[tuple[str, str]] = (),
) -> list[dict[str, Any]]:
    """The reading report: an article a row, with what was found in it and what became of that.

    `left_out` are files that were matched and are no article, and why; they stand at the end, after the questions of a
    file whose article there is not.
    """
    status: dict[str, Counter[str]] = {}
    notes: dict[str, Counter[str]] = {}
    for row in judged:
        status.setdefault(row["doc_id"], Counter())[row["status"]] += 1
        notes.setdefault(row["doc_id"], Counter()).update(row["notes"] if row["status"] == USED else ())
    rows = []
    lost = [row["why"] for row in judged if row["status"] == UNPLACED and row["doc_id"] is None]
    for article in articles:
        noted = [row["why"] for row in judged if row["status"] == UNPLACED and row["doc_id"] == article["doc_id"]]
        noted += [f"{count} questions: {note}" for note, count in notes.get(article["doc_id"], Counter()).items()]
        article = {**article, "warnings": [*article["warnings"], *noted]}
        rows.append(_report(article, status.get(article["doc_id"], Counter()), questions_from))
    nothing = {"title": "", "encoding": "", "text": "", "excluded": 0, "kinds": [], "warnings": [], "error": None}
    if lost:  # of no article that there is
        row = _report({"doc_id": "", "source": "", **nothing}, Counter({UNPLACED: len(lost)}), questions_from)
        rows.append({**row, "status": "no article", "error": "; ".join(lost)})
    for source, why in left_out:
        row = _report({"doc_id": source, "source": source, **nothing}, Counter(), questions_from)
        rows.append({**row, "status": "left out", "error": why})
    return rows


def _report(article: Mapping[str, Any], status: Counter[str], questions_from: str) -> dict[str, Any]:
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
        "questions_from": questions_from,
        "questions": sum(status.values()),
        USED: status[USED],
        **{reason: status[reason] for reason in (*DROPPED, UNPLACED)},
        "warnings": "; ".join(article["warnings"]),
        "error": article["error"] or "",
    }
