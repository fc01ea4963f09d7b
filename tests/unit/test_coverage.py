"""How much of an answer retrieved chunks hold."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid import shingles as module
from chunkgrid.coverage import coverage_curves, evidence
from chunkgrid.scoring import handed
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


def evidence_of(asked, everything):
    return list(evidence(table(asked, QUERIES), everything))


def curve(asked, chunks, ranking=None, ideal=100):
    ranking = np.arange(len(chunks)) if ranking is None else np.array(ranking, dtype=np.int64)
    everything = over(*chunks)
    return coverage_curves(evidence_of([asked], everything), [ranking], everything, ideal).to_pylist()[0]


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
    found = evidence_of([query((0, ANSWER))], in_tokens)
    (row,) = coverage_curves(found, [np.array([1, 3, 0, 2])], in_tokens, 100).to_pylist()
    assert (row["characters"], row["size"]) == ([50, 100, 120], [7, 37, 38])  # a span that comes again adds nothing
    (row,) = coverage_curves(found, [np.array([], dtype=np.int64)], in_tokens, 100).to_pylist()
    assert (row["characters"], row["size"]) == ([], [])


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
    (found, other, gone) = evidence_of(
        [query((0, ANSWER[:95])), query((0, "別の答え")), query((0, ANSWER), doc_id="f")], everything
    )
    assert (found.query_id, everything.doc_ids[found.doc], found.gold) == ("q", "d", [(0, 95)])
    assert found.own.tolist() == [1, 3, 4]  # 2 hands over the span of 1
    assert found.chunks.tolist() == [1, 4]  # 3 holds characters of the gold's place, but no shingle
    assert found.gains().tolist() == pytest.approx([43 / 88, 48 / 88])
    assert (other.own.tolist(), other.chunks.tolist()) == ([1, 3, 4], [])
    assert (gone.doc, gone.own.tolist(), gone.chunks.tolist()) == (-1, [], [])


def test_an_article_without_chunks_covers_nothing():
    found = curve(query((0, ANSWER), doc_id="gone"), [("d", 0, ANSWER)])
    assert (found["coverage"], found["ideal_gain"], found["article_rank"]) == ([0.0], [], None)
    assert [found[name] for name in (*RANGES, *OMEGAS)] == [[100], [0], [100], 100, 100, 0, 0.0, 0.0]


letters = st.text(st.sampled_from("ab \n"), min_size=1, max_size=60).filter(str.strip)


@st.composite
def asked(draw):
    """A text, golds in it as (start, text), chunks of it as (doc_id, start, text), a ranking of all of them."""
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
    return text, golds, chunks, draw(st.permutations(range(len(chunks))))


@given(asked())
@settings(max_examples=200)
def test_curves_rise_and_equal_the_definition(drawn):
    _, golds, chunks, ranking = drawn
    found = curve(query(*golds), chunks, ranking)
    hits = list(dict.fromkeys(chunks[chunk] for chunk in ranking))  # equal spans once
    gold = set().union(*(shingles(span) for _, span in golds))
    places = {place for start, span in golds for place in range(start, start + len(span))}
    coverage, span_coverage = [], []
    for count in range(1, len(hits) + 1):
        own = [(start, held) for doc_id, start, held in hits[:count] if doc_id == "d"]
        held = set().union(*(shingles(piece) for _, piece in own))
        coverage.append(len(gold & held) / len(gold) if gold else None)
        spanned = {place for start, piece in own for place in range(start, start + len(piece))}
        span_coverage.append(len(places & spanned) / len(places))
    assert found["span_coverage"] == pytest.approx(span_coverage)
    if gold:
        assert found["coverage"] == pytest.approx(coverage)
    elif len(golds) == 1:
        short = "".join(golds[0][1].split())
        own = ["".join(held.split()) if doc_id == "d" else "" for doc_id, _, held in hits]
        assert found["coverage"] == [float(any(short in held for held in own[: n + 1])) for n in range(len(own))]
    for name in ("coverage", "span_coverage"):
        assert all(earlier <= later <= 1 for earlier, later in pairwise(found[name]))
    assert found["characters"] == np.cumsum([len(held) for _, _, held in hits]).tolist()


@given(asked(), st.data())
@settings(max_examples=200)
def test_ranges_equal_sets_of_characters(drawn, data):
    _, golds, chunks, ranking = drawn
    ranking = ranking[: data.draw(st.integers(0, len(ranking)))]
    found = curve(query(*golds), chunks, ranking)

    def places(*spans):
        return {(doc_id, place) for doc_id, start, text in spans for place in range(start, start + len(text))}

    spans = [("d", *gold) for gold in golds]
    wanted = places(*spans)
    hits = list(dict.fromkeys(chunks[chunk] for chunk in ranking))
    so_far = [places(*hits[: n + 1]) for n in range(len(hits))]
    assert found["united"] == [len(held) for held in so_far]
    assert found["covered"] == [len(held & wanted) for held in so_far]
    assert found["missed"] == [sum(len(places(span) - held) for span in spans) for held in so_far]
    assert found["gold_characters"] == len(wanted)
    assert found["reference_characters"] == sum(len(text) for _, text in golds)
    # Of all chunks of the article, retrieved or not, each span once.
    own = {chunk for chunk in chunks if chunk[0] == "d"}
    holding = places(*(chunk for chunk in own if places(chunk) & wanted))
    assert found["precision_omega"] == (len(holding & wanted) / len(holding) if holding else 0)
    touching = {
        (doc_id, start, text)
        for doc_id, start, text in own
        for gold_start, gold in golds
        if start <= gold_start + len(gold) and gold_start <= start + len(text)
    }
    held = places(*touching)
    assert found["touching"] == len(touching)
    assert found["chroma_precision_omega"] == len(held & wanted) / len(held | wanted)


@given(st.lists(asked(), min_size=1, max_size=3), st.randoms())
@settings(max_examples=300, deadline=None)
def test_slices_are_covered_by_place_as_they_are_by_text(drawn, random):
    """Of several documents, each with a question: chunks that are slices, looked at by place and by text."""
    texts, queries, chunks = {}, [], []
    for number, (text, golds, own, _) in enumerate(drawn):
        texts |= {f"d{number}": text, f"e{number}": text}
        queries.append({**query(*golds, doc_id=f"d{number}"), "query_id": f"q{number}"})
        chunks += [(f"{doc_id}{number}", start, held) for doc_id, start, held in own]
    by_text, by_place = (handed(of(chunk_table(*chunks))) for of in (lambda chunks: chunks, of_slices))
    assert (by_text.texts is None, by_place.texts is None) == (False, True)
    asked_for = add_places(queries, texts)
    rankings = [np.array(random.sample(range(len(chunks)), len(chunks))) for _ in queries]
    curves = [
        coverage_curves(evidence_of(asked_for, everything), rankings, everything, 100)
        for everything in (by_text, by_place)
    ]
    assert curves[0].equals(curves[1])
    # Nor does a question's curve hang on the questions beside it.
    for one, ranking, row in zip(asked_for, rankings, curves[1].to_pylist(), strict=True):
        alone = coverage_curves(evidence_of([one], by_place), [ranking], by_place, 100)
        assert alone.to_pylist() == [row]


@pytest.mark.parametrize("base", [0, 1])
@given(asked())
@settings(max_examples=50, deadline=None)
def test_pieces_that_only_have_the_same_hash_stand_nowhere(base, drawn):
    """With such a base the hash is of the last character alone, or of the characters in any order."""
    text, golds, _, _ = drawn
    golds = [[gold] for _, gold in golds]
    expected = places(golds, text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BASE", np.uint64(base))
        assert module.rolling("abcdefgh", 8).tolist() == module.rolling("bacdefgh", 8).tolist()
        assert places(golds, text) == expected
