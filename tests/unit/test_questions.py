"""Which questions become queries, and the report of the rest."""

import hashlib
import json

import pytest

from chunkgrid.errors import InputError
from chunkgrid.placing import BY_TEXT, SEVERAL
from chunkgrid.questions import (
    SHORTEST_ANSWER,
    WORD_FOR_WORD,
    asked_by,
    check,
    drawn,
    found_in,
    judge,
    query_id,
    reading_rows,
)

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


def judged(*articles, sample=800, seed=0, questions_from="faq"):
    return judge(found_in(articles, questions_from), articles, sample, seed)


def statuses(*articles, **how):
    return [(row["doc_id"], row["query"], row["status"]) for row in judged(*articles, **how)]


def test_query_id():
    assert query_id("a.html", "何?", 0) == "b7e164e79914cb50"  # printf 'a.html\n何?\n0' | sha256sum
    assert query_id("a.html", "何?", 1) == sha256("a.html\n何?\n1")[:16]


@pytest.mark.parametrize("origin", ["faq", "headings"])
def test_rows(origin):
    of_all = {"questions_from": origin, "why": None, "notes": []}
    assert judged(article("a", ("何?", (LONG, "続き")), ("他は?", "短い")), questions_from=origin) == [
        {
            **of_all,
            "query_id": sha256("a\n何?\n0")[:16],
            "doc_id": "a",
            "query": "何?",
            "gold": [{"start": 0, "end": 40}, {"start": 42, "end": 44}],
            "gold_text": [LONG, "続き"],
            "status": "used",
        },
        {
            **of_all,
            "query_id": sha256("a\n他は?\n0")[:16],
            "doc_id": "a",
            "query": "他は?",
            "gold": [{"start": 46, "end": 48}],
            "gold_text": ["短い"],
            "status": "short",
        },
    ]


def test_occurrences_are_counted_in_each_article():
    rows = judged(article("a", ("何?", LONG), ("他は?", LONG), ("何?", LONG)), article("b", ("何?", LONG)))
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


ASKED = "返品はできますか?"


@pytest.mark.parametrize("held", ["という質問は「返品はできますか?」です。", "返品は\u3000できます\nか?"])
def test_a_question_that_stands_in_any_article_is_not_asked(held):
    other = article("b", ("何?", LONG + held), ("なぜ?", LONG))
    rows = judged(article("a", (ASKED, LONG)), other)
    assert [(row["status"], row["notes"]) for row in rows] == [
        ("elsewhere", [WORD_FOR_WORD]),
        ("used", []),
        ("used", []),
    ]
    (own, _) = judged(article("a", (ASKED, LONG + held), ("何?", LONG)))
    assert own["status"] == "elsewhere"  # in its own answer


def test_a_question_that_stands_in_a_title_is_not_asked():
    titled = {**article("b", ("何?", LONG)), "title": "よくある質問: 返品はできますか? ほか"}
    assert [status for *_, status in statuses(article("a", (ASKED, LONG)), titled)] == ["elsewhere", "used"]
    assert [status for *_, status in statuses(article("a", (ASKED[:-1] + "か", LONG)), titled)] == ["used", "used"]


def of_status(*questions):
    """The status of the first of the questions in an article beside one that holds all of them word for word."""
    holding = article("b", ("何?", "。".join(question for question, _ in questions)))
    return statuses(article("a", *questions), holding)[0][2]


def test_the_first_reason_not_to_ask_counts():
    assert of_status((ASKED, ()), (ASKED, LONG)) == "unanswered"  # before repeated, and elsewhere
    assert of_status((ASKED, "短い"), (ASKED, LONG)) == "repeated"  # before short
    assert of_status((ASKED, "短い")) == "short"  # before elsewhere
    assert of_status((ASKED, LONG)) == "elsewhere"
    assert [status for *_, status in statuses(article("a", (ASKED, LONG)), sample=0)] == ["unsampled"]


CORPUS = [article(f"d{n}", *[(f"{n}の{i}?", LONG) for i in range(10)]) for n in range(20)]


def used(articles, sample, seed=0):
    return {row["query_id"] for row in judged(*articles, sample=sample, seed=seed) if row["status"] == "used"}


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
    quoted = [f"他の質問{i}?" for i in range(100)]
    crowd = article("x", *[(question, LONG) for question in quoted])
    held = {**article("y"), "text": "".join(quoted)}
    assert used([crowd, held, *CORPUS], 50) == used(CORPUS, 50)


def test_reading_rows():
    first = article("a", ("甲?", LONG), ("乙?", "短い"), ("丙?", ()), ("丁?", LONG), ("丁?", LONG), ("戊?", LONG))
    first["questions"].append({"question": "己?", "gold": [{"start": 0, "end": 40}]})
    second = article("b", ("丁?", LONG))
    first["kinds"] = [{"kind": "h2", "blocks": 2}, {"kind": "paragraph", "blocks": 5}]
    first["warnings"] = ["一", "二"]
    broken = {**article("c"), "kinds": [], "error": "no"}
    second["text"] += "己?"
    candidates = judged(first, second, broken, sample=1)
    smallest = min(["甲?", "戊?"], key=lambda question: sha256("0:" + query_id("a", question, 0)))
    assert [row["query"] for row in candidates if row["status"] == "used"] == [smallest]
    kinds = ("h1", "h2", "h3", "h4", "h5", "h6", "paragraph", "list", "table", "pre", "component")
    counts = ("questions", "used", "unanswered", "repeated", "short", "elsewhere", "unsampled")
    *rows, other = reading_rows([first, second, broken], candidates, "faq", [("in/x.png", "is a picture")])
    assert [row["status"] for row in (*rows, other)] == ["read", "read", "failed", "left out"]
    assert (other["doc_id"], other["characters"], other["error"]) == ("in/x.png", 0, "is a picture")
    assert {row["questions_from"] for row in (*rows, other)} == {"faq"}
    assert [row["excluded"] for row in rows] == [3, 3, 3]
    assert [[row[name] for name in counts] for row in rows] == [
        [7, 1, 1, 2, 1, 1, 1],
        [1, 0, 0, 1, 0, 0, 0],
        [0] * 7,
    ]
    assert [[row[kind] for kind in kinds] for row in rows] == [
        [0, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ]
    names = ("doc_id", "source", "title", "encoding", "characters", "blocks", "warnings", "error")
    assert [[row[name] for name in names] for row in rows] == [
        ["a", "in/a", "A", "utf-8", 4 * 40 + 2 + 4 * 2, 7, "一; 二", ""],
        ["b", "in/b", "B", "utf-8", 42, 1, "", ""],
        ["c", "in/c", "C", "utf-8", 0, 0, "", "no"],
    ]


# Documents for the questions of a file: 猫 stands at 0 and 13 of a, 犬 at 6.
CATS = {**article("a.md"), "text": "猫は鳴く。\n犬は吠える。\n猫は眠る。", "warnings": ["一"]}
BIRDS = {**article("b.md"), "text": "鳥は飛ぶ。", "title": "鳥はどこを飛ぶのですか"}
BROKEN = {**article("c.md"), "error": "holds no text"}
DOCUMENTS = [CATS, BIRDS, BROKEN]


def of_file(*rows, several="all", sample=800):
    """What becomes of questions given as (query, document, gold)."""
    lines = [json.dumps(dict(zip(("query", "document", "gold"), row, strict=True))) for row in rows]
    return judge(asked_by("\n".join(lines).encode(), "q.jsonl", DOCUMENTS, several), DOCUMENTS, sample, 0)


def test_rows_of_a_file():
    assert of_file(("何?", "a", {"start": 6, "end": 12}), ("なぜ?", "b.md", "鳥は")) == [
        {
            "query_id": sha256("a.md\n何?\n0")[:16],
            "questions_from": "file",
            "doc_id": "a.md",
            "query": "何?",
            "gold": [{"start": 6, "end": 12}],
            "gold_text": ["犬は吠える。"],
            "status": "used",
            "why": None,
            "notes": [],
        },
        {
            "query_id": sha256("b.md\nなぜ?\n0")[:16],
            "questions_from": "file",
            "doc_id": "b.md",
            "query": "なぜ?",
            "gold": [{"start": 0, "end": 2}],
            "gold_text": ["鳥は"],
            "status": "used",
            "why": None,
            "notes": [],
        },
    ]


def test_what_a_file_asks_is_asked_wherever_its_answer_stands():
    rows = of_file(
        ("何?", "a", "犬"),
        ("何?", "a", "犬"),  # a second time, with a short answer, and the next stands in a title
        ("鳥は どこを飛ぶのですか", "b", "鳥は飛ぶ。"),
        ("誰?", "a", []),
        ("いつ?", "a", "馬"),
        ("どこ?", "d", "犬"),
        ("どこ?", "c", []),  # its article could not be read
    )
    assert [(row["doc_id"], row["status"]) for row in rows] == [
        *(("a.md", "used"), ("a.md", "used"), ("b.md", "used"), ("a.md", "unanswered")),
        *(("a.md", "unplaced"), (None, "unplaced"), (None, "unplaced")),
    ]
    assert [row["query_id"] for row in rows[:2]] == [sha256(f"a.md\n何?\n{n}")[:16] for n in range(2)]
    assert [row["notes"] for row in rows] == [[], [], [WORD_FOR_WORD], [], [], [], []]
    assert [row["why"] for row in rows[3:]] == [
        None,
        "row 5: '馬' is not found in a.md",
        "row 6: no document is named 'd'",
        "row 7: no document is named 'c'",
    ]


def test_the_sample_is_drawn_from_what_a_file_asks_too():
    asked = [(f"{n}番?", "a", "犬") for n in range(30)]
    rows = of_file(*asked, ("誰?", "a", []), sample=10)
    ids = sorted((sha256(f"a.md\n{n}番?\n0")[:16] for n in range(30)), key=lambda name: sha256(f"0:{name}"))
    assert {row["query_id"] for row in rows if row["status"] == "used"} == set(ids[:10])
    assert {row["query_id"] for row in rows if row["status"] == "unsampled"} == set(ids[10:])


def test_notes_of_questions_that_are_asked_become_warnings():
    rows = of_file(
        ("甲?", "a", "猫は"),
        ("乙?", "a", [{"text": "犬は", "start": 0, "end": 2}, {"text": "猫は", "start": 1, "end": 3}]),
        ("丙?", "a", {"text": "犬は", "start": 3, "end": 5}),
        ("丁?", "a", {"text": "犬は", "start": 6, "end": 8}),  # where the file says
        ("鳥はどこを飛ぶのですか", "b", "飛ぶ"),
        ("鳥はどこを飛ぶのですか", "b", []),  # not asked
    )
    assert [row["notes"] for row in rows[:4]] == [[SEVERAL], [BY_TEXT, SEVERAL], [BY_TEXT], []]
    assert [span["start"] for span in rows[1]["gold"]] == [0, 6, 13]
    report = reading_rows(DOCUMENTS, rows, "file")
    assert [row["warnings"] for row in report] == [
        f"一; 2 questions: {SEVERAL}; 2 questions: {BY_TEXT}",
        f"1 questions: {WORD_FOR_WORD}",
        "",
    ]
    assert [(row["questions_from"], row["questions"], row["used"], row["unanswered"]) for row in report] == [
        *(("file", 4, 4, 0), ("file", 2, 1, 1), ("file", 0, 0, 0)),
    ]
    assert CATS["warnings"] == ["一"]
    undrawn = reading_rows(DOCUMENTS, [{**row, "status": "unsampled"} for row in rows], "file")
    assert [row["warnings"] for row in undrawn] == ["一", "", ""]


def test_every_answer_that_cannot_be_placed_is_told_at_once():
    rows = of_file(("甲?", "a", "馬"), ("乙?", "a", "犬"), ("丙?", "z", "犬"), ("丁?", "a", "猫"), several="error")
    with pytest.raises(InputError) as raised:
        check(rows, "out/reading.csv", "file", "in/q.jsonl", "0" * 64)
    assert str(raised.value).split("\n") == [
        "in/q.jsonl: 3 of 4 questions cannot be placed:",
        "  row 1: '馬' is not found in a.md",
        "  row 3: no document is named 'z'",
        "  row 4: '猫' stands in 2 places of a.md",
        "  out/reading.csv says how each article was read",
    ]


def test_questions_that_cannot_be_placed_are_told_in_the_reading_report_too():
    rows = of_file(("甲?", "a", "馬"), ("乙?", "a", "犬"), ("丙?", "z", "犬"))
    of_articles, lost = reading_rows(DOCUMENTS, rows, "file")[:-1], reading_rows(DOCUMENTS, rows, "file")[-1]
    (told,) = [row for row in of_articles if row["unplaced"]]
    assert (told["doc_id"], told["questions"], told["unplaced"]) == ("a.md", 2, 1)
    assert "row 1: '馬' is not found in a.md" in told["warnings"]
    assert (lost["status"], lost["questions"], lost["unplaced"]) == ("no article", 1, 1)
    assert lost["error"] == "row 3: no document is named 'z'"
    check(rows[1:2], "out/reading.csv", "file", "in/q.jsonl", "0" * 64)


@pytest.mark.parametrize(
    ("source", "looked_for"),
    [
        ({"questions_from": "faq"}, "paragraphs 'Q. …' followed by 'A. …', headings 'Q1: …' or questions under "),
        ({"questions_from": "headings"}, "headings followed by a paragraph; "),
        ({"questions_from": "file", "file": "in/q.csv", "sha256": "0" * 64}, "those of in/q.csv; "),
    ],
)
def test_without_a_usable_question_it_is_said_what_was_looked_for_and_where_to_look(source, looked_for):
    unusable = [{**row, "status": "unanswered"} for row in of_file(("甲?", "a", []), ("乙?", "a", []))]
    for candidates in (unusable, []):
        with pytest.raises(InputError) as raised:
            check(candidates, "out/reading.csv", **source)
        told = str(raised.value)
        assert told.startswith(f"no usable question among {len(candidates)} found; looked for {looked_for}")
        assert told.endswith("; out/reading.csv says what was found in each article")
        assert "\n" not in told
    check([*unusable, {"status": "used"}], "out/reading.csv", **source)


def test_those_that_are_asked_go_by_their_id():
    rows = judged(*CORPUS, sample=50)
    asked = drawn(rows)
    assert [row["query_id"] for row in asked] == sorted(used(CORPUS, 50))
    assert all(row in rows for row in asked)
