"""Measures on ranges of characters: by hand, by their definitions, and against Chroma's own figures."""

import csv
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid.ranges import Gold, Spans, at_k, brought, distinct, omega, reaching, union_lengths

CHROMA = Path(__file__).resolve().parents[2] / "../shared/reference/chroma"
QUESTIONS = CHROMA / "../../corpora/chroma/questions_df.csv"
GONE, D, E, F = range(-1, 3)  # documents; the first is one that no chunk is of


def of(doc, *spans):
    return [(doc, start, end) for start, end in spans]


GOLD = of(D, (100, 200))


def columns(rows, width=3):
    """Rows of whole numbers as a column each, which nothing may write to."""
    found = np.array(rows, np.int64).reshape(-1, width)
    found.setflags(write=False)
    return found.T


def placed(spans):
    """Spans that are given as (document, start, end), in this order."""
    return Spans(*columns(spans))


def in_place(spans):
    """Sorted by document, then by start; those of one start as they come."""
    return sorted(spans, key=lambda span: span[:2])


def numbered(lists):
    """Whose each entry of some lists is, and the entries."""
    (whose,) = columns([number for number, entries in enumerate(lists) for _ in entries], 1)
    return whose, [entry for entries in lists for entry in entries]


def gold_of(golds):
    question, spans = numbered(golds)
    return Gold(placed(spans), question, len(golds))


def curves(asked):
    """After 1, 2, 3 ... hits of each question: united, covered and missed; questions are given as (hits, gold)."""
    question, hits = numbered([hits for hits, _ in asked])
    found = brought(question, placed(hits), gold_of([gold for _, gold in asked]))
    rows = []
    for number, (_, gold) in enumerate(asked):
        united, covered, held = (
            values[question == number].cumsum().tolist() for values in (found.united, found.covered, found.held)
        )
        rows.append((united, covered, [reference(gold) - so_far for so_far in held]))
    return rows


def omegas(chunks, golds):
    """Precision omega, Chroma's, and how many chunks touch: of the gold of each question."""
    found = omega(placed(in_place(chunks)), gold_of(golds))
    values = (found.precision_omega, found.chroma_precision_omega, found.touching)
    assert {of_questions.shape for of_questions in values} == {(len(golds),)}
    return list(zip(*(of_questions.tolist() for of_questions in values), strict=True))


def sums(hits):
    return np.cumsum([end - start for _, start, end in hits], dtype=np.int64).tolist()


def reference(gold):
    return sum(end - start for _, start, end in gold)


def after(curve, hits, before=0):
    """A curve after so many hits, or after all where there are fewer; `before` the first."""
    return [before, *curve][min(hits, len(curve))]


def curve_values(asked, k):
    """What the measures of the first k hits are made of, all but the name: a column each, of all questions."""
    unions = gold_of([gold for _, gold in asked]).lengths()[0]
    rows = [
        (after(sums(hits), k), after(united, k), after(covered, k), after(missed, k, reference(gold)))
        + (once, reference(gold))
        for (hits, gold), (united, covered, missed), once in zip(asked, curves(asked), unions, strict=True)
    ]
    return columns(rows, 6)


def measures_of(asked, k, name=None):
    """All measures of the first k hits of each question."""
    found = at_k(name or str(k), *curve_values(asked, k))
    return [{key: values[number].item() for key, values in found.items()} for number in range(len(asked))]


def measures(hits, gold, k, name=None):
    return measures_of([(hits, gold)], k, name)[0]


def chromas_at_touching(hits, gold, touching):
    """Chroma's measures of as many hits as chunks touch the gold."""
    found = measures(hits, gold, touching, "-1")
    return {key: value for key, value in found.items() if key.startswith("chroma")}


BY_HAND = [  # hits and gold; united, covered and missed
    (of(D, (0, 140), (100, 240)), GOLD, [140, 240], [40, 100], [60, 0]),
    (of(D, (0, 100), (200, 300)), GOLD, [100, 200], [0, 0], [100, 100]),  # touching shares nothing
    (of(D, (0, 140), (0, 140), (0, 50)), GOLD, [140, 140, 140], [40, 40, 40], [60, 60, 60]),
    (of(E, (100, 200)) + of(D, (100, 200)), GOLD, [100, 200], [0, 100], [100, 0]),  # another document
    (of(E, (0, 9)) + of(F, (5, 9)) + of(E, (5, 12)), GOLD, [9, 13, 16], [0, 0, 0], [100, 100, 100]),
    (of(E, (90, 240)) + of(D, (0, 10)), GOLD, [150, 160], [0, 0], [100, 100]),  # no spill to the next
    (of(D, (90, 240)) + of(E, (5, 10)), of(E, (0, 9)), [150, 155], [0, 4], [9, 5]),
    (of(D, (120, 130), (150, 210), (0, 300)), GOLD, [10, 70, 300], [10, 60, 100], [90, 40, 0]),
    (of(D, (140, 160)), of(D, (100, 150), (130, 200)), [20], [20], [90]),  # 10 of the 20 are in both: 120 - 30
    (of(D, (0, 50)), of(GONE, (0, 50)), [50], [0], [50]),  # no chunk is of the gold's document
    (of(D, (0, 50)), [], [50], [0], [0]),
    ([], GOLD, [], [], []),
    ([], [], [], [], []),
]


@pytest.mark.parametrize(("hits", "gold", "united", "covered", "missed"), BY_HAND)
def test_curves_by_hand(hits, gold, united, covered, missed):
    assert curves([(hits, gold)]) == [(united, covered, missed)]


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("far", [0, 10**10])
def test_curves_by_hand_of_all_questions_at_once(order, far):
    def shifted(spans):
        return [(doc, start + far, end + far) for doc, start, end in spans]

    rows = BY_HAND[::order]
    assert curves([(shifted(hits), shifted(gold)) for hits, gold, *_ in rows]) == [row[2:] for row in rows]


def test_overlapping_chunks_count_once_by_sets_and_twice_by_chroma():
    assert measures(of(D, (0, 140), (100, 240)), GOLD, 2) == {
        "precision@2": 100 / 240,
        "iou@2": 100 / 240,
        "chroma_recall@2": 1.0,
        "chroma_precision@2": 100 / 280,
        "chroma_iou@2": 100 / 280,
    }


def test_what_is_not_retrieved_counts_in_iou():
    assert measures(of(D, (0, 140)), GOLD, 1) == {
        "precision@1": 40 / 140,
        "iou@1": 40 / 200,
        "chroma_recall@1": 0.4,
        "chroma_precision@1": 40 / 140,
        "chroma_iou@1": 40 / 200,
    }


def test_the_same_chunk_twice():
    assert measures(of(D, (100, 150), (100, 150)), GOLD, 2) == {
        "precision@2": 1.0,
        "iou@2": 0.5,
        "chroma_recall@2": 0.5,
        "chroma_precision@2": 0.5,
        "chroma_iou@2": 50 / 150,
    }


def test_gold_spans_that_overlap_count_once_by_sets_and_twice_by_chroma():
    gold = of(D, (100, 150), (130, 200))
    assert measures(of(D, (140, 160)), gold, 1) == {
        "precision@1": 1.0,
        "iou@1": 20 / 100,
        "chroma_recall@1": 20 / 120,
        "chroma_precision@1": 1.0,
        "chroma_iou@1": 20 / (20 + 90),
    }
    assert measures(of(D, (100, 200)), gold, 1)["chroma_recall@1"] == 100 / 120  # it cannot reach 1


def test_chunks_of_other_documents_are_retrieved_too():
    found = measures(of(E, (100, 200)) + of(D, (100, 200)), GOLD, 2)
    assert (found["precision@2"], found["chroma_precision@2"], found["chroma_recall@2"]) == (0.5, 0.5, 1.0)


def test_chunks_that_touch_share_nothing_but_are_highlighted():
    touching = of(D, (0, 100), (200, 300))
    assert set(measures(touching, GOLD, 2).values()) == {0.0}
    assert omegas(of(D, (0, 100), (200, 300), (301, 400)), [GOLD]) == [(0.0, 0.0, 2)]
    # Beside a chunk that holds the gold they cost Chroma's precision omega two thirds.
    assert omegas(of(D, (0, 100), (100, 200), (200, 300), (301, 400)), [GOLD]) == [(1.0, 100 / 300, 3)]


def test_gold_that_no_chunk_holds_is_in_chromas_precision_omega_alone():
    chunks, gold = of(D, (90, 120), (110, 130)), of(D, (100, 150), (140, 160))
    assert omegas(chunks, [gold]) == [(30 / 40, 30 / 70, 2)]


def test_precision_omega_of_chunks_that_overlap_and_of_gold_that_overlaps():
    chunks, gold = of(D, (0, 140), (100, 240), (100, 240), (500, 600)), of(D, (100, 150), (130, 200))
    assert omegas(chunks, [gold]) == [(100 / 240, 100 / 240, 3)]


def test_precision_omega_of_several_questions_at_once():
    chunks = of(D, (0, 100), (100, 200), (200, 300)) + of(E, (0, 140), (100, 240), (100, 240))
    assert omegas(
        chunks, [of(E, (130, 200), (100, 150)), GOLD, [], of(GONE, (0, 300)), of(E, (240, 250)), of(D, (50, 60))]
    ) == [(100 / 240, 100 / 240, 3), (1.0, 100 / 300, 3), (0, 0, 0), (0, 0, 0), (0, 0, 2), (10 / 100, 10 / 100, 1)]


def test_fewer_hits_than_asked_for_are_all():
    hits = of(D, (0, 140), (100, 240))
    assert list(measures(hits, GOLD, 5).values()) == list(measures(hits, GOLD, 2).values())


def test_as_many_hits_as_touch_the_gold():
    hits = of(D, (0, 140), (100, 240), (500, 900))
    found = chromas_at_touching(hits, GOLD, 2)
    assert found == {"chroma_recall@-1": 1.0, "chroma_precision@-1": 100 / 280, "chroma_iou@-1": 100 / 280}


@pytest.mark.filterwarnings("error")
def test_measures_of_many_questions_are_those_of_each():
    asked = [
        (of(D, (0, 140), (100, 240)), GOLD),
        ([], GOLD),  # nothing retrieved
        (of(D, (140, 160)), of(D, (100, 150), (130, 200))),
        (of(E, (0, 50)), []),  # no gold
        (of(D, (300, 400)), GOLD),
    ]
    assert measures_of(asked, 2) == [measures(*one, 2) for one in asked]
    assert {values.shape for values in at_k("2", *curve_values(asked, 2)).values()} == {(5,)}
    assert {values.shape for values in at_k("2", *[np.zeros(0)] * 6).values()} == {(0,)}


@pytest.mark.parametrize("gold", [GOLD, []])
@pytest.mark.filterwarnings("error")
def test_nothing_retrieved_is_0(gold):
    assert set(measures([], gold, 5).values()) == {0.0}
    assert omegas([], [gold]) == [(0.0, 0.0, 0)]
    # No chunk touches the gold, so Chroma's retrieve=-1 takes none of what is ranked.
    assert set(chromas_at_touching(of(D, (300, 400)), gold, 0).values()) == {0.0}


@pytest.mark.filterwarnings("error")
def test_no_question_has_nothing():
    assert (curves([]), omegas(GOLD, []), lengths_of([], 0), measures_of([], 5)) == ([], [], [], [])
    assert [values.tolist() for values in gold_of([]).lengths()] == [[], []]


def lengths_of(spans, groups):
    """The length of the union of each group's spans, which are given as (group, start, end)."""
    return union_lengths(*columns(spans), groups).tolist()


@pytest.mark.parametrize(
    ("spans", "length"),
    [([], 0), ([(5, 9)], 4), ([(5, 9), (0, 2), (9, 12)], 9), ([(0, 9), (2, 4), (3, 12)], 12), ([(0, 2), (5, 5)], 2)],
)
def test_union_lengths_by_hand(spans, length):
    assert lengths_of(of(0, *spans), 1) == [length]
    among_others = of(4, (5, 12)) + of(3, *spans) + of(0, (0, 3)) + of(1, *spans)
    assert lengths_of(among_others, 6) == [3, length, 0, length, 7, 0]


def spans_up_to(most):
    return st.tuples(st.integers(0, most), st.integers(0, 12)).map(lambda span: (span[0], span[0] + span[1]))


def spans_of(docs, most=40):
    return st.tuples(st.sampled_from(docs), spans_up_to(most)).map(lambda span: (span[0], *span[1]))


@st.composite
def asked(draw):
    """Chunks of two documents, and questions as (hits, gold), several of one document, some of one without chunks.

    Gold spans of a question may overlap, and spans of chunks and of hits come again.
    """
    chunks = draw(st.lists(spans_of((D, D, E)), max_size=8))
    hits = st.lists(st.sampled_from(chunks), max_size=8) if chunks else st.just([])
    golds = st.lists(spans_up_to(40).filter(lambda span: span[0] < span[1]), max_size=4)
    gold = st.tuples(st.sampled_from((D, D, D, E, F, GONE)), golds).map(lambda drawn: of(drawn[0], *drawn[1]))
    return chunks, draw(st.lists(st.tuples(hits, gold), min_size=1, max_size=4))


def places(spans):
    return {(doc, place) for doc, start, end in spans for place in range(start, end)}


def ratio(part, whole):
    return part / whole if whole else 0.0


@given(asked())
@settings(max_examples=200)
def test_set_wise_measures_equal_sets_of_characters(drawn):
    chunks, asked = drawn
    golds = [gold for _, gold in asked]
    found, best = curves(asked), omegas(chunks, golds)
    lengths = [of_questions.tolist() for of_questions in gold_of(golds).lengths()]
    assert lengths == [[len(places(gold)) for gold in golds], list(map(reference, golds))]
    at = [measures_of(asked, k) for k in range(9)]
    for number, (hits, gold) in enumerate(asked):
        wanted = places(gold)
        so_far = [places(hits[:k]) for k in range(len(hits) + 1)]
        assert found[number] == (
            [len(united) for united in so_far[1:]],
            [len(united & wanted) for united in so_far[1:]],
            [sum(len(places([span]) - united) for span in gold) for united in so_far[1:]],
        )
        for k, united in enumerate(so_far):
            assert at[k][number][f"precision@{k}"] == ratio(len(united & wanted), len(united))
            assert at[k][number][f"iou@{k}"] == ratio(len(united & wanted), len(united | wanted))
        sharing = set().union(*(places([chunk]) for chunk in chunks if places([chunk]) & wanted))
        assert best[number][0] == ratio(len(sharing & wanted), len(sharing))


@given(asked())
@settings(max_examples=60)
def test_questions_at_once_are_as_each_is_alone_whatever_number_its_document_has(drawn):
    chunks, asked = drawn
    found, best = curves(asked), omegas(chunks, [gold for _, gold in asked])
    assert found == [curves([one])[0] for one in asked]
    assert best == [omegas(chunks, [gold])[0] for _, gold in asked]
    number = {GONE: GONE, D: 7, E: 0, F: 3}

    def again(spans):
        return [(number[doc], start, end) for doc, start, end in spans]

    assert curves([(again(hits), again(gold)) for hits, gold in asked]) == found
    assert omegas(again(chunks), [again(gold) for _, gold in asked]) == best


@given(st.lists(spans_of(range(4)), max_size=12))
@settings(max_examples=100)
def test_union_lengths_equal_sets_of_characters(spans):
    assert lengths_of(spans, 5) == [len(places(span for span in spans if span[0] == group)) for group in range(5)]


@given(st.lists(st.integers(-9, 9) | st.integers(-(2**60), 2**60), max_size=12))
@settings(max_examples=100)
def test_distinct_values_ascend(values):
    assert distinct(columns(values, 1)[0]).tolist() == sorted(set(values))


def reached(spans, asked):
    """Pairs of what is asked for, as (document, low, high), and the place of a span that reaches it."""
    found = [side.tolist() for side in reaching(placed(spans), *columns(asked))]
    return list(zip(*found, strict=True))


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ((D, 4, 6), [0, 3, 4]),  # the nested end before
        ((D, 3, 4), [0, 1, 2]),  # an end or a start that touches is enough; equal spans are each one
        ((D, 3, 5), [0, 1, 2, 3, 4]),
        ((D, 6, 5), [0, 3, 4]),  # from high to low: what holds all between, here the characters at 5
        ((D, 9, 2), [0]),
        ((D, 10, 20), [0, 5]),  # not those of the next document
        ((D, 21, 30), []),
        ((E, 0, 0), [6]),
        ((E, 5, 30), []),
        ((F, 0, 30), []),
        ((GONE, 0, 30), []),
    ],
)
def test_spans_that_reach_by_hand(asked, found):
    spans = of(D, (0, 10), (2, 3), (2, 3), (5, 9), (5, 6), (10, 20)) + of(E, (0, 4))
    assert reached(spans, [asked]) == [(0, place) for place in found]
    assert reached([], [asked]) == []
    # The same beside others.
    assert reached(spans, [(E, 4, 4), asked, asked]) == [(0, 6), *((n, place) for n in (1, 2) for place in found)]


@given(
    st.lists(spans_of((D, D, E), 15), max_size=10).map(in_place),
    st.lists(st.tuples(st.sampled_from((D, E, F, GONE)), st.integers(0, 30), st.integers(0, 30)), max_size=6),
)
@settings(max_examples=200)
def test_spans_that_reach_are_found_as_by_looking_at_each(spans, asked):
    assert reached(spans, asked) == [
        (n, place)
        for n, (wanted, low, high) in enumerate(asked)
        for place, (doc, start, end) in enumerate(spans)
        if doc == wanted and start <= high and end >= low
    ]


def as_chroma(retrieved, chunks, gold):
    """What the report describes, chunk by chunk and gold span by gold span, on sets of characters.

    Returns recall, precision and IoU of what is retrieved, precision omega and highlighted chunks of all chunks.
    """

    def walk(some):
        held, left, highlighted = set(), [places([span]) for span in gold], []
        for doc, start, end in some:
            common = [(doc, max(start, first), min(end, last)) for of_doc, first, last in gold if of_doc == doc]
            common = [(doc, low, high) for doc, low, high in common if low <= high]
            held |= places(common)
            left = [span - places(common) for span in left]
            highlighted += [(doc, start, end)] if common else []
        return len(held), left, highlighted

    held, left, _ = walk(retrieved)
    total = sum(end - start for _, start, end in retrieved)
    scores = ratio(held, reference(gold)), ratio(held, total), ratio(held, total + sum(map(len, left)))
    held, left, highlighted = walk(chunks)
    return (*scores, ratio(held, len(places(highlighted).union(*left))), len(highlighted))


@given(asked(), st.integers(0, 8))
@settings(max_examples=200)
def test_chromas_measures_equal_its_loops(drawn, k):
    chunks, asked = drawn
    best = omegas(chunks, [gold for _, gold in asked])
    for (hits, gold), at, (_, *of_chunks) in zip(asked, measures_of(asked, k), best, strict=True):
        *scores, precision_omega, highlighted = as_chroma(hits[:k], chunks, gold)
        assert [at[f"chroma_{name}@{k}"] for name in ("recall", "precision", "iou")] == scores
        assert of_chunks == [precision_omega, highlighted]
        *scores, _, _ = as_chroma(hits[:highlighted], [], gold)
        assert list(chromas_at_touching(hits, gold, highlighted).values()) == scores


def grouped(rows, name):
    groups = {}
    for row in rows:
        groups.setdefault(row[name], []).append(row)
    return groups


def retrieved_by(backend, hits, k):
    """What a backend may have ranked: `hits`, or, where the search is approximate, `hits` but for one or two."""
    for misses in range(1 if backend == "exact" else 3):
        for missed in combinations(range(min(k + misses, len(hits))), misses):
            yield [hit for rank, hit in enumerate(hits) if rank not in missed]


@pytest.mark.skipif(not QUESTIONS.exists() or not CHROMA.exists(), reason="Chroma's figures are not in this checkout")
@pytest.mark.parametrize("config", ["fixed_tok_400_200", "rec_tok_200_0"])
def test_chromas_own_figures(config):
    """Its figures are of two backends, but what was retrieved is there of the exact one alone.

    So those of the approximate one (28 of 2,832 differ) are held against the exact ranking with hits left out.
    """
    chunks, retrievals, scores = (
        pq.read_table(CHROMA / f"{name}_{config}.parquet").to_pylist()
        for name in ("chunks", "retrievals", "per_question")
    )
    assert {row["backend"] for row in retrievals} == {"exact"}
    number = {corpus: place for place, corpus in enumerate(grouped(chunks, "corpus_id"))}
    chunks, retrievals = (
        [{**row, "span": (number[row["corpus_id"]], row["start"], row["end"])} for row in rows]
        for rows in (chunks, retrievals)
    )
    scores = grouped(scores, "question_ix")
    retrievals = grouped(sorted(retrievals, key=lambda row: row["rank"]), "question_ix")
    with open(QUESTIONS, encoding="utf-8", newline="") as file:
        questions = list(csv.DictReader(file))
    assert (len(questions), len(retrievals), sum(map(len, scores.values()))) == (472, 472, 472 * 3 * 2)
    golds = [
        of(number[row["corpus_id"]], *((one["start_index"], one["end_index"]) for one in json.loads(row["references"])))
        for row in questions
    ]
    best = omegas([row["span"] for row in chunks], golds)
    for question, (gold, (_, precision_omega, touching)) in enumerate(zip(golds, best, strict=True)):
        hits = [row["span"] for row in retrievals[question]]

        def figures(hits, retrieve, gold=gold, touching=touching):
            if retrieve == -1:
                return chromas_at_touching(hits, gold, touching)
            return measures(hits, gold, retrieve)

        for score in scores[question]:
            retrieve = score["retrieve"]
            wanted = {f"chroma_{name}@{retrieve}": score[name] for name in ("recall", "precision", "iou")}
            assert touching == score["n_highlighted_chunks"]
            assert precision_omega == pytest.approx(score["precision_omega"], rel=0, abs=1e-9)
            assert any(
                {name: found[name] for name in wanted} == pytest.approx(wanted, rel=0, abs=1e-9)
                for ranking in retrieved_by(score["backend"], hits, touching if retrieve == -1 else retrieve)
                for found in [figures(ranking, retrieve)]
            ), (question, score)
