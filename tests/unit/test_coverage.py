"""How much of an answer retrieved chunks hold."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid import shingles as module
from chunkgrid.coverage import coverage_curves
from chunkgrid.evidence import evidence
from chunkgrid.handed import handed
from chunkgrid.ranges import omega
from chunkgrid.shingles import add_places, places, shingles
from chunkgrid.tables import CHUNKS, QUERIES, of_slices, table

ANSWER = "".join(map(chr, range(0x4E00, 0x4E00 + 100)))  # 100 characters, 93 shingles, none twice


def chunk_table(*chunks):
    """Chunks that are given as (doc_id, start, text), start None without a place."""
    rows = [
        {"chunk": number, "doc_id": doc_id, "start": start, "text": text}
        | {"end": None if start is None else start + len(text)}
        for number, (doc_id, start, text) in enumerate(chunks)
    ]
    return table(rows, CHUNKS)


def over(*chunks):
    return handed(chunk_table(*chunks))


def query(*spans, doc_id="d"):
    """A question whose gold is given as (start, text)."""
    gold = [{"start": start, "end": start + len(text)} for start, text in spans]
    return {"query_id": "q", "doc_id": doc_id, "gold": gold, "gold_text": [text for _, text in spans]}


def rows_of(*columns):
    return list(zip(*(column.tolist() for column in columns), strict=True))


def characters(*spans):
    return {(doc_id, place) for doc_id, start, text in spans for place in range(start, start + len(text))}


def curves(asked, everything, rankings, ideal=100):
    """The curves of questions, a row each."""
    found = evidence(table(asked, QUERIES), everything)
    best = omega(everything.spans, found.gold) if everything.has_spans else None
    rankings = [np.array(ranking, dtype=np.int64) for ranking in rankings]
    return coverage_curves(found, best, rankings, everything, ideal).to_pylist()


def curve(asked, chunks, ranking=None, ideal=100):
    (found,) = curves([asked], over(*chunks), [range(len(chunks)) if ranking is None else ranking], ideal)
    return found


@pytest.mark.parametrize(
    ("spans", "ordered", "alone"),
    [
        ([(0, 10), (10, 20), (30, 40)], [0, 1, 2], [0, 1, 2]),  # an edge in common is no character
        ([(30, 40), (19, 31), (0, 10)], [2, 1, 0], [2]),
        ([(0, 100), (10, 20), (30, 40), (100, 110)], [0, 1, 2, 3], [3]),  # nested: the long one reaches beyond
        ([(0, 100), (10, 20), (99, 110), (110, 111)], [0, 1, 2, 3], [3]),
        ([(5, 9), (0, 4), (5, 9), (5, 7), (5, 9)], [1, 0, 3], [1]),
        ([(5, 9), (0, 4), (5, 9), (5, 9)], [1, 0], [0, 1]),  # its like is no other span
        ([], [], []),
    ],
)
def test_spans_in_order_and_those_alone_by_hand(spans, ordered, alone):
    everything = over(*(("d", start, "あ" * (end - start)) for start, end in spans))
    assert everything.ordered.tolist() == ordered
    assert np.flatnonzero(everything.alone).tolist() == alone


@given(
    st.lists(st.tuples(st.sampled_from("dde"), st.integers(0, 30), st.integers(1, 8)), max_size=10),
    st.just(set()) | st.sets(st.integers(0, 9), min_size=1),
)
@settings(max_examples=200)
def test_what_is_handed_over_equals_its_definition(drawn, without):
    chunks = [(doc, None if n in without else start, "あ" * length) for n, (doc, start, length) in enumerate(drawn)]
    everything = over(*chunks)
    assert list(everything.doc_ids) == list(dict.fromkeys(doc for doc, _, _ in chunks))
    rows = [
        (everything.doc_ids.index(doc), *((-1, -1) if start is None else (start, start + len(text))), len(text))
        for doc, start, text in chunks
    ]
    assert rows_of(everything.docs, everything.starts, everything.ends, everything.lengths) == rows
    assert {everything.starts.dtype, everything.ends.dtype} == {np.dtype(np.int64)}
    assert everything.same.tolist() == [n if row[1] < 0 else rows.index(row) for n, row in enumerate(rows)]
    each = sorted(set(everything.same.tolist()), key=lambda n: (*rows[n][:2], n))
    assert everything.ordered.tolist() == each
    spans = everything.spans
    assert rows_of(spans.docs, spans.starts, spans.ends) == [rows[n][:3] for n in each]
    assert everything.has_spans is all(start is not None for _, start, _ in chunks)
    if everything.has_spans:
        sharing = [n for n in each for m in each if n != m and characters(chunks[n]) & characters(chunks[m])]
        assert set(np.flatnonzero(everything.alone).tolist()) == set(each) - set(sharing)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0123456789", {"01234567", "12345678", "23456789"}),
        (" 01\n23\u30004567 89\u00a0", {"01234567", "12345678", "23456789"}),
        ("01234567", {"01234567"}),
        ("0123456", set()),
        ("", set()),
        ("aaaaaaaaaa", {"aaaaaaaa"}),
    ],
)
def test_shingles_by_hand(text, found):
    assert shingles(text) == found


def test_places_of_shingles_by_hand():
    text = "a b\ncdefgh x abcdefghi"
    found = places([["ab cdefgh"], ["x"], ["x", "abcdefghi", "abcdefgh"], ["ab", "a b", "x"]], text)
    assert [[tuple(place.values()) for place in own] for own in found] == [
        [(0, 0, 10), (0, 13, 21)],
        [(0, 11, 12)],
        [(0, 0, 10), (0, 13, 21), (1, 14, 22)],  # beside one that has shingles, a short text counts for nothing
        [(0, 0, 3), (0, 13, 15), (1, 11, 12)],  # the same without white space: one
    ]


@pytest.mark.parametrize(
    ("chunks", "coverage", "span_coverage"),
    [
        ([("d", 0, ANSWER)], [1.0], [1.0]),
        ([("d", 0, ANSWER[:50])], [43 / 93], [0.5]),  # 0.46
        ([("d", 0, ANSWER[:50]), ("d", 50, ANSWER[50:])], [43 / 93, 86 / 93], [0.5, 1.0]),  # 0.925: the seam
        ([("d", 0, ANSWER[:60]), ("d", 40, ANSWER[40:])], [53 / 93, 1.0], [0.6, 1.0]),  # overlap mends it
        ([("d", 0, ANSWER[:47]), ("d", 40, ANSWER[40:])], [40 / 93, 1.0], [0.47, 1.0]),  # 7 characters do
        ([("d", 0, ANSWER[:46]), ("d", 40, ANSWER[40:])], [39 / 93, 92 / 93], [0.46, 1.0]),
        ([("d", 0, ANSWER[:7]), ("d", 100, "後の文です。")], [0.0, 0.0], [0.07, 0.07]),
        ([("e", 0, ANSWER)], [0.0], [0.0]),  # the same text in another article
        ([("d", 300, ANSWER)], [1.0], [0.0]),  # the same text elsewhere in the article: no such place
    ],
)
def test_coverage_by_hand(chunks, coverage, span_coverage):
    found = curve(query((0, ANSWER)), chunks)
    assert found["coverage"] == pytest.approx(coverage)
    assert found["span_coverage"] == pytest.approx(span_coverage)


def test_the_known_answers_of_the_method():
    halves = curve(query((0, ANSWER)), [("d", 0, ANSWER[:50]), ("d", 50, ANSWER[50:])])["coverage"]
    assert [round(value, 3) for value in halves] == [0.462, 0.925]


@pytest.mark.parametrize(
    ("spans", "coverage"),
    [
        ([(0, 140), (100, 240)], [0.4, 1.0]),  # united, not summed to 1.4
        ([(0, 100), (200, 300)], [0.0, 0.0]),  # touching is not overlapping
        ([(0, 160), (160, 300)], [0.6, 1.0]),
        ([(0, 160), (100, 160), (0, 300)], [0.6, 0.6, 1.0]),
    ],
)
def test_span_coverage_is_of_the_union_of_half_open_spans(spans, coverage):
    text = "".join(map(chr, range(0x5000, 0x5000 + 300)))
    chunks = [("d", start, text[start:end]) for start, end in spans]
    assert curve(query((100, text[100:200])), chunks)["span_coverage"] == pytest.approx(coverage)


@pytest.mark.parametrize(
    ("text", "coverage"),
    [("費用は無 料\nです。", 1.0), ("無料です", 1.0), ("費用は無料だ。", 0.0), ("費用は無料。です", 0.0)],
)
def test_a_gold_under_8_characters_is_held_whole_or_not(text, coverage):
    found = curve(query((3, "無料 です")), [("e", 0, "無料です"), ("d", 0, text)])
    assert found["coverage"] == [0.0, coverage]
    assert found["relevant_rank"] == (2 if coverage else None)


def test_several_gold_spans_share_no_shingle_across_their_seam():
    first, second = ANSWER[:10], ANSWER[10:20]
    chunks = [("d", 0, ANSWER[:10]), ("d", 0, ANSWER[:14]), ("d", 0, ANSWER[:20])]
    found = curve(query((0, first), (10, second)), chunks)
    assert found["coverage"] == [0.5, 0.5, 1.0]  # 3 shingles each, none over the seam
    assert found["span_coverage"] == pytest.approx([0.5, 0.7, 1.0])


def test_gold_spans_that_overlap_count_once():
    found = curve(query((0, ANSWER[:20]), (10, ANSWER[10:30])), [("d", 0, ANSWER[:20])])
    assert found["span_coverage"] == pytest.approx([20 / 30])
    assert found["coverage"] == pytest.approx([13 / 23])  # 13 + 13 - 3 shingles that both hold
    assert (found["gold_characters"], found["reference_characters"]) == (30, 40)
    assert (found["covered"], found["missed"]) == ([20], [10])


def test_a_curve_by_hand():
    chunks = [
        ("d", 100, "後" * 30),
        ("d", 0, ANSWER[:50]),
        ("e", 0, "別" * 20),
        ("d", 50, ANSWER[50:]),
        ("d", 0, ANSWER[:98]),
        ("d", 0, ANSWER),
    ]
    found = curve(query((0, ANSWER)), chunks, [2, 0, 3, 4], ideal=3)
    assert found == {
        "query_id": "q",
        "characters": [20, 50, 100, 198],
        "size": None,
        "coverage": pytest.approx([0, 0, 43 / 93, 1]),
        "span_coverage": pytest.approx([0, 0, 0.5, 1]),
        "gain": pytest.approx([0, 0, 43 / 93, 91 / 93]),
        "ideal_gain": pytest.approx([1, 91 / 93, 43 / 93]),  # the best three of all chunks
        "article_rank": 2,
        "relevant_rank": 4,  # 91 / 93 is over 0.95
        "united": [20, 50, 100, 150],  # the last brings the 50 in front of the third
        "covered": [0, 0, 50, 100],
        "missed": [100, 100, 50, 0],
        "gold_characters": 100,
        "reference_characters": 100,
        "touching": 5,  # all of the article: the first begins where the gold ends
        "precision_omega": 1.0,
        "chroma_precision_omega": pytest.approx(100 / 130),
    }


def test_sizes_add_up_beside_characters_where_budgets_have_a_unit_of_their_own():
    chunks = [("d", 0, ANSWER[:50]), ("d", 0, ANSWER[:50]), ("e", 0, "別" * 20), ("d", 50, ANSWER[50:])]
    everything = over(*chunks)
    in_tokens = replace(everything, sizes=np.array([7, 7, 1, 30]))
    rows = curves([query((0, ANSWER))] * 3, in_tokens, [[1, 3, 0, 2], [], [2, 0]])
    assert [(row["characters"], row["size"]) for row in rows] == [
        ([50, 100, 120], [7, 37, 38]),  # a span that comes again adds nothing
        ([], []),
        ([20, 70], [1, 8]),
    ]


def test_a_hit_is_relevant_from_a_coverage_of_0_95_on_its_own():
    twenty = ANSWER[:27]  # 20 shingles
    relevant = [curve(query((0, twenty)), [("d", 0, twenty[:length])])["relevant_rank"] for length in (25, 26)]
    assert relevant == [None, 1]  # 0.9 and 0.95


RANGES = ("united", "covered", "missed", "gold_characters", "reference_characters", "touching")
OMEGAS = ("precision_omega", "chroma_precision_omega")


def test_without_offsets_there_are_neither_span_coverage_nor_ranges():
    found = curve(query((0, ANSWER)), [("d", None, ANSWER[:50]), ("d", None, ANSWER[:50]), ("d", None, ANSWER)])
    assert found["span_coverage"] is None
    assert found["coverage"] == pytest.approx([43 / 93, 43 / 93, 1])
    assert found["characters"] == [50, 100, 200]
    assert {found[name] for name in (*RANGES, *OMEGAS)} == {None}


def test_nothing_retrieved_is_an_empty_curve():
    found = curve(query((0, ANSWER)), [("d", 0, ANSWER)], [])
    assert [found[name] for name in ("characters", "coverage", "span_coverage", "gain")] == [[], [], [], []]
    assert (found["article_rank"], found["relevant_rank"], found["ideal_gain"]) == (None, None, [1.0])
    assert [found[name] for name in RANGES] == [[], [], [], 100, 100, 1]
    assert [found[name] for name in OMEGAS] == [1.0, 1.0]  # of what there is, retrieved or not


def test_parents_are_handed_over_once_and_ranks_close_up():
    parents = [("d", 200, "前" * 40), ("d", 0, ANSWER)]
    chunks = [parents[0], parents[0], parents[0], parents[1], parents[1]]
    found = curve(query((0, ANSWER)), chunks, [1, 0, 2, 4, 3])
    assert found["characters"] == found["united"] == [40, 140]
    assert found["touching"] == 1
    assert found["coverage"] == [0, 1]
    assert found["gain"] == [0, 1]
    assert found["ideal_gain"] == [1]
    assert found["relevant_rank"] == 2


def test_evidence_is_of_the_gold_articles_chunks_that_hold_any():
    first = ("d", 0, ANSWER[:50])
    everything = over(("e", 0, ANSWER), first, first, ("d", 90, "後" * 9), ("d", 40, ANSWER[40:]))
    asked = [query((0, ANSWER[:95])), query((0, "別の答え")), query((0, ANSWER), (40, ANSWER[40:]), doc_id="f")]
    found = evidence(table(asked, QUERIES), everything)
    assert (found.query_ids, everything.doc_ids, found.docs.tolist()) == (["q"] * 3, ["e", "d"], [1, 1, -1])
    assert (found.gold.question.tolist(), found.gold.count) == ([0, 1, 2, 2], 3)
    gold = found.gold.spans
    assert rows_of(gold.docs, gold.starts, gold.ends) == [(1, 0, 95), (1, 0, 4), (-1, 0, 100), (-1, 40, 100)]
    assert everything.ordered.tolist() == [0, 1, 4, 3]  # 2 hands over the span of 1
    chunks = [found.held(question)[0].tolist() for question in range(3)]
    assert chunks == [[1, 4], [], []]  # 3 holds characters of the gold's place, but no shingle
    assert found.gains().tolist() == pytest.approx([43 / 88, 48 / 88])
    assert (found.shingles.tolist(), found.union().tolist()) == ([88, 1, 93], [88, 0, 0])


def test_an_article_without_chunks_covers_nothing():
    found = curve(query((0, ANSWER), doc_id="gone"), [("d", 0, ANSWER)])
    assert (found["coverage"], found["ideal_gain"], found["article_rank"]) == ([0.0], [], None)
    assert [found[name] for name in (*RANGES, *OMEGAS)] == [[100], [0], [100], 100, 100, 0, 0.0, 0.0]


letters = st.text(st.sampled_from("ab \n"), min_size=1, max_size=60).filter(str.strip)


@st.composite
def asked(draw):
    """A text, golds in it as (start, text), chunks of it as (doc_id, start, text)."""
    text = draw(letters)
    spans = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 60))
    cut = spans.map(lambda span: (span[0], text[span[0] : sum(span)])).filter(lambda cut: cut[1].strip())
    golds = draw(st.lists(cut, min_size=1, max_size=3))
    articles = st.tuples(st.sampled_from("dde"), cut).map(lambda chunk: (chunk[0], *chunk[1]))
    chunks = draw(st.lists(articles, min_size=1, max_size=8))
    if draw(st.booleans()):  # none shares a character with another: each up to where the next of its article begins
        begins = pairwise([*sorted({chunk[:2] for chunk in chunks}), ("", 0)])
        chunks = [(doc, start, text[start : end if doc == of else len(text)]) for (doc, start), (of, end) in begins]
        chunks = [chunk for chunk in chunks if chunk[2].strip()]
    chunks += chunks[: draw(st.integers(0, 2))]  # spans that are handed over by several
    return text, golds, chunks


@st.composite
def several(draw):
    """Of up to three such texts the questions, the chunks, and a ranking for each question, some of all chunks.

    A text has a question, and may have another, of a gold that the first shares, or one each of the article of the
    same text and of one without chunks.
    """
    texts, queries, chunks = {}, [], []
    for number, (text, golds, own) in enumerate(draw(st.lists(asked(), min_size=1, max_size=3))):
        texts |= {f"{doc_id}{number}": text for doc_id in ("d", "e", "gone")}
        more = draw(st.sampled_from([[], [("d", golds[:1])], [("e", golds), ("gone", golds)]]))
        queries += [query(*spans, doc_id=f"{doc_id}{number}") for doc_id, spans in [("d", golds), *more]]
        chunks += [(f"{doc_id}{number}", start, text) for doc_id, start, text in own]
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    rankings = [random.permutation(len(chunks))[: random.integers(len(chunks) + 1)].tolist() for _ in queries]
    queries = [{**one, "query_id": f"q{number}"} for number, one in enumerate(queries)]
    return add_places(queries, texts), chunks, rankings


def by_sets(asked, chunks, ranking, ideal, has_spans=True):
    """A curve, from sets of shingles and of characters."""
    once = dict.fromkeys if has_spans else list  # equal spans
    hits = list(once(chunks[chunk] for chunk in ranking))
    own = [chunk for chunk in once(chunks) if chunk[0] == asked["doc_id"]]
    texts = asked["gold_text"]
    wanted = set().union(*map(shingles, texts)) or {"".join(text.split()) for text in texts}

    def held(*some):
        return {piece for piece in wanted if any(piece in "".join(text.split()) for _, _, text in some)}

    def covers(*some):
        return len(held(*(chunk for chunk in some if chunk in own))) / len(wanted)

    def first(found):
        return next((rank for rank, hit in enumerate(hits, 1) if found(hit)), None)

    so_far = [hits[: rank + 1] for rank in range(len(hits))]
    row = {
        "query_id": asked["query_id"],
        "characters": [sum(len(text) for _, _, text in some) for some in so_far],
        "size": None,
        "coverage": [covers(*some) for some in so_far],
        "gain": [covers(hit) for hit in hits],
        "ideal_gain": sorted(filter(None, map(covers, own)), reverse=True)[:ideal],
        "article_rank": first(lambda hit: hit in own),
        "relevant_rank": first(lambda hit: covers(hit) >= 0.95),
    }
    if not has_spans:
        return row | dict.fromkeys(("span_coverage", *RANGES, *OMEGAS))
    golds = [(asked["doc_id"], span["start"], text) for span, text in zip(asked["gold"], texts, strict=True)]
    gold, united = characters(*golds), [characters(*some) for some in so_far]
    holding = characters(*(chunk for chunk in own if characters(chunk) & gold))
    touching = {
        (doc_id, start, text)
        for doc_id, start, text in own
        for _, begin, span in golds
        if start <= begin + len(span) and begin <= start + len(text)
    }
    return row | {
        "span_coverage": [len(some & gold) / len(gold) for some in united],
        "united": [len(some) for some in united],
        "covered": [len(some & gold) for some in united],
        "missed": [sum(len(characters(span) - some) for span in golds) for some in united],
        "gold_characters": len(gold),
        "reference_characters": sum(map(len, texts)),
        # Of all chunks of the article, retrieved or not, each span once.
        "touching": len(touching),
        "precision_omega": len(holding & gold) / len(holding) if holding else 0,
        "chroma_precision_omega": len(holding & gold) / len(characters(*touching) | gold),
    }


@given(several())
@settings(max_examples=200)
def test_curves_equal_their_definition_of_all_questions_at_once_and_of_each_alone(drawn):
    """Of chunks that are slices, looked at by place and by text."""
    queries, chunks, rankings = drawn
    by_text, by_place = (handed(of(chunk_table(*chunks))) for of in (lambda chunks: chunks, of_slices))
    assert (by_text.texts is None, by_place.texts is None) == (False, True)
    each = list(zip(queries, rankings, strict=True))
    expected = [by_sets(one, chunks, ranking, 3) for one, ranking in each]
    for everything in (by_text, by_place):
        assert curves(queries, everything, rankings, 3) == expected
    assert [curves([one], by_place, [ranking], 3)[0] for one, ranking in each] == expected


@given(several())
@settings(max_examples=100)
def test_curves_without_offsets_equal_their_definition(drawn):
    queries, chunks, rankings = drawn
    everything = over(*((doc_id, None, text) for doc_id, _, text in chunks))
    assert curves(queries, everything, rankings, 3) == [
        by_sets(one, chunks, ranking, 3, has_spans=False) for one, ranking in zip(queries, rankings, strict=True)
    ]


@pytest.mark.parametrize("base", [0, 1])
@given(asked())
@settings(max_examples=50, deadline=None)
def test_pieces_that_only_have_the_same_hash_stand_nowhere(base, drawn):
    """With such a base the hash is of the last character alone, or of the characters in any order."""
    text, golds, _ = drawn
    golds = [[gold] for _, gold in golds]
    expected = places(golds, text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BASE", np.uint64(base))
        assert module.rolling("abcdefgh", 8).tolist() == module.rolling("bacdefgh", 8).tolist()
        assert places(golds, text) == expected
