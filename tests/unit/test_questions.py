"""Which questions become queries, and the report of the rest."""

import hashlib

import pytest

from chunkgrid.questions import SHORTEST_ANSWER, judge, query_id, reading_rows

LONG = "長" * 40


def sha256(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def article(doc_id, *pairs):
    """An article whose text is its answers; an answer may be a tuple of several blocks."""
    blocks, questions = [], []
    for question, answer in pairs:
        gold = []
        for part in [answer] if isinstance(answer, str) else answer:
            start = sum(len(block) + 2 for block in blocks)
            gold.append({"start": start, "end": start + len(part)})
            blocks.append(part)
        questions.append({"question": question, "gold": gold})
    kinds = [{"kind": "paragraph", "blocks": len(blocks)}]
    return {
        **{
            "doc_id": doc_id,
            "source": f"in/{doc_id}",
            "title": doc_id.upper(),
            "encoding": "utf-8",
            "error": None,
            "excluded": 3,
        },
        **{"text": "\n\n".join(blocks), "kinds": kinds, "questions": questions, "warnings": []},
    }


def statuses(*articles, sample=800, seed=0):
    return [(row["doc_id"], row["query"], row["status"]) for row in judge(articles, sample, seed)]


def test_query_id():
    assert query_id("a.html", "何?", 0) == "b7e164e79914cb50"  # printf 'a.html\n何?\n0' | sha256sum
    assert query_id("a.html", "何?", 1) == sha256("a.html\n何?\n1")[:16]


def test_rows():
    rows = judge([article("a", ("何?", (LONG, "続き")), ("他は?", "短い"))], 800, 0)
    assert rows == [
        {
            "query_id": sha256("a\n何?\n0")[:16],
            "doc_id": "a",
            "query": "何?",
            "gold": [{"start": 0, "end": 40}, {"start": 42, "end": 44}],
            "gold_text": [LONG, "続き"],
            "status": "used",
        },
        {
            "query_id": sha256("a\n他は?\n0")[:16],
            "doc_id": "a",
            "query": "他は?",
            "gold": [{"start": 46, "end": 48}],
            "gold_text": ["短い"],
            "status": "short",
        },
    ]


def test_occurrences_are_counted_in_each_article():
    rows = judge([article("a", ("何?", LONG), ("他は?", LONG), ("何?", LONG)), article("b", ("何?", LONG))], 800, 0)
    assert [row["query_id"] for row in rows] == [
        sha256(text)[:16] for text in ("a\n何?\n0", "a\n他は?\n0", "a\n何?\n1", "b\n何?\n0")
    ]


@pytest.mark.parametrize(
    ("articles", "expected"),
    [
        ([("何?", LONG)], ["used"]),
        ([("何?", "長" * 39)], ["short"]),
        ([("何?", " 　\n".join("長" * 39))], ["short"]),
        ([("何?", ("長" * 20, " ", "長" * 20))], ["used"]),
        ([("何?", ("長" * 20, "長" * 19))], ["short"]),
        ([("何?", ())], ["unanswered"]),
        ([("何?", LONG), ("何?", LONG)], ["repeated", "repeated"]),
        ([("何?", LONG), ("何？", LONG)], ["used", "used"]),
        ([("何?", "短い"), ("何?", LONG)], ["repeated", "repeated"]),
        ([("何?", ()), ("何?", LONG)], ["unanswered", "repeated"]),
    ],
)
def test_status(articles, expected):
    assert SHORTEST_ANSWER == 40
    within = article("a", *articles)
    across = [article(str(number), pair) for number, pair in enumerate(articles)]
    assert [status for *_, status in statuses(within)] == expected
    assert [status for *_, status in statuses(*across)] == expected


CORPUS = [article(f"d{n}", *[(f"{n}の{i}?", LONG) for i in range(10)]) for n in range(20)]


def used(articles, sample, seed=0):
    return {row["query_id"] for row in judge(articles, sample, seed) if row["status"] == "used"}


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("sample", [0, 1, 50, 199, 200, 201])
def test_sample_is_of_smallest_hash(sample, seed):
    ids = [sha256(f"d{n}\n{n}の{i}?\n0")[:16] for n in range(20) for i in range(10)]
    assert used(CORPUS, sample, seed) == set(sorted(ids, key=lambda name: sha256(f"{seed}:{name}"))[:sample])


def test_rows_stay_in_order_of_the_articles():
    expected = [(f"d{n}", f"{n}の{i}?") for n in range(20) for i in range(10)]
    assert [row[:2] for row in statuses(*CORPUS, sample=50)] == expected


def test_another_article_replaces_only_a_few():
    before = used(CORPUS, 50)
    new = article("new", *[(f"新{i}?", LONG) for i in range(10)])
    after = used([new, *CORPUS], 50)
    entered = after - before
    assert entered <= {query_id("new", f"新{i}?", 0) for i in range(10)}
    assert 0 < len(entered) == len(before - after) < 10


def test_unusable_questions_take_no_place_in_the_sample():
    crowd = article("x", *[(f"短{i}?", "短い") for i in range(100)])
    assert used([crowd, *CORPUS], 50) == used(CORPUS, 50)


def test_reading_rows():
    first = article("a", ("甲?", LONG), ("乙?", "短い"), ("丙?", ()), ("丁?", LONG), ("丁?", LONG), ("戊?", LONG))
    second = article("b", ("丁?", LONG))
    first["kinds"] = [{"kind": "h2", "blocks": 2}, {"kind": "paragraph", "blocks": 5}]
    first["warnings"] = ["一", "二"]
    broken = {**article("c"), "kinds": [], "error": "no"}
    judged = judge([first, second, broken], 1, 0)
    drawn = min(["甲?", "戊?"], key=lambda question: sha256("0:" + query_id("a", question, 0)))
    assert [row["query"] for row in judged if row["status"] == "used"] == [drawn]
    kinds = ("h1", "h2", "h3", "h4", "h5", "h6", "paragraph", "list", "table", "pre", "component")
    counts = ("questions", "used", "unanswered", "repeated", "short", "unsampled")
    *rows, other = reading_rows([first, second, broken], judged, [("in/x.png", "is a picture")])
    assert [row["status"] for row in (*rows, other)] == ["read", "read", "failed", "left out"]
    assert (other["doc_id"], other["characters"], other["error"]) == ("in/x.png", 0, "is a picture")
    assert [row["excluded"] for row in rows] == [3, 3, 3]
    assert [[row[name] for name in counts] for row in rows] == [[6, 1, 1, 2, 1, 1], [1, 0, 0, 1, 0, 0], [0] * 6]
    assert [[row[kind] for kind in kinds] for row in rows] == [
        [0, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    names = ("doc_id", "source", "title", "encoding", "characters", "blocks", "warnings", "error")
    assert [[row[name] for name in names] for row in rows] == [
        ["a", "in/a", "A", "utf-8", 4 * 40 + 2 + 4 * 2, 7, "一; 二", ""],
        ["b", "in/b", "B", "utf-8", 40, 1, "", ""],
        ["c", "in/c", "C", "utf-8", 0, 0, "", "no"],
    ]
