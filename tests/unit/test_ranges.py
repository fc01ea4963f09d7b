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

from chunkgrid.ranges import at_k, omega, range_curves, union_length

CHROMA = Path(__file__).resolve().parents[2] / "../shared/reference/chroma"
QUESTIONS = CHROMA / "../../corpora/chroma/questions_df.csv"
GOLD = [(100, 200)]


def sides(spans):
    return np.array([start for start, _ in spans], np.int64), np.array([end for _, end in spans], np.int64)


def curves(hits, gold, doc_id="d"):
    """The curves of hits that are given as (doc_id, start, end)."""
    doc_ids = np.array([doc for doc, _, _ in hits], dtype=object)
    return range_curves(doc_ids, *sides([hit[1:] for hit in hits]), doc_id, gold)


def sums(hits):
    return np.cumsum([end - start for _, start, end in hits], dtype=np.int64).tolist()


def reference(gold):
    return sum(end - start for start, end in gold)


def after(curve, hits, before=0):
    """A curve after so many hits, or after all where there are fewer; `before` the first."""
    return [before, *curve][min(hits, len(curve))]


def curve_values(hits, gold, k, doc_id="d"):
    """What the measures of the first k hits are made of: all but the name."""
    found, wanted = curves(hits, gold, doc_id), reference(gold)
    values = after(sums(hits), k), after(found.united, k), after(found.covered, k), after(found.missed, k, wanted)
    return *values, union_length(*sides(gold)), wanted


def measures(hits, gold, k, doc_id="d", name=None):
    """All measures of the first k hits."""
    values = (np.array([value]) for value in curve_values(hits, gold, k, doc_id))
    return {key: value.item() for key, value in at_k(name or str(k), *values).items()}


def chromas_at_touching(hits, gold, touching, doc_id="d"):
    """Chroma's measures of as many hits as chunks touch the gold."""
    found = measures(hits, gold, touching, doc_id, "-1")
    return {key: value for key, value in found.items() if key.startswith("chroma")}


def of(doc_id, *spans):
    return [(doc_id, start, end) for start, end in spans]


@pytest.mark.parametrize(
    ("hits", "gold", "united", "covered", "missed"),
    [
        (of("d", (0, 140), (100, 240)), GOLD, [140, 240], [40, 100], [60, 0]),
        (of("d", (0, 100), (200, 300)), GOLD, [100, 200], [0, 0], [100, 100]),  # touching shares nothing
        (of("d", (0, 140), (0, 140), (0, 50)), GOLD, [140, 140, 140], [40, 40, 40], [60, 60, 60]),
        (of("e", (100, 200)) + of("d", (100, 200)), GOLD, [100, 200], [0, 100], [100, 0]),  # another document
        (of("e", (0, 9)) + of("f", (5, 9)) + of("e", (5, 12)), GOLD, [9, 13, 16], [0, 0, 0], [100, 100, 100]),
        (of("e", (90, 240)) + of("d", (0, 10)), GOLD, [150, 160], [0, 0], [100, 100]),  # no spill to the next
        (of("d", (120, 130), (150, 210), (0, 300)), GOLD, [10, 70, 300], [10, 60, 100], [90, 40, 0]),
        (of("d", (140, 160)), [(100, 150), (130, 200)], [20], [20], [90]),  # 10 of the 20 are in both: 120 - 30
        (of("d", (0, 50)), [], [50], [0], [0]),
        ([], GOLD, [], [], []),
        ([], [], [], [], []),
    ],
)
def test_curves_by_hand(hits, gold, united, covered, missed):
    found = curves(hits, gold)
    assert (found.united, found.covered, found.missed) == (united, covered, missed)


def test_overlapping_chunks_count_once_by_sets_and_twice_by_chroma():
    assert measures(of("d", (0, 140), (100, 240)), GOLD, 2) == {
        "precision@2": 100 / 240,
        "iou@2": 100 / 240,
        "chroma_recall@2": 1.0,
        "chroma_precision@2": 100 / 280,
        "chroma_iou@2": 100 / 280,
    }


def test_what_is_not_retrieved_counts_in_iou():
    assert measures(of("d", (0, 140)), GOLD, 1) == {
        "precision@1": 40 / 140,
        "iou@1": 40 / 200,
        "chroma_recall@1": 0.4,
        "chroma_precision@1": 40 / 140,
        "chroma_iou@1": 40 / 200,
    }


def test_the_same_chunk_twice():
    assert measures(of("d", (100, 150), (100, 150)), GOLD, 2) == {
        "precision@2": 1.0,
        "iou@2": 0.5,
        "chroma_recall@2": 0.5,
        "chroma_precision@2": 0.5,
        "chroma_iou@2": 50 / 150,
    }


def test_gold_spans_that_overlap_count_once_by_sets_and_twice_by_chroma():
    gold = [(100, 150), (130, 200)]
    assert measures(of("d", (140, 160)), gold, 1) == {
        "precision@1": 1.0,
        "iou@1": 20 / 100,
        "chroma_recall@1": 20 / 120,
        "chroma_precision@1": 1.0,
        "chroma_iou@1": 20 / (20 + 90),
    }
    assert measures(of("d", (100, 200)), gold, 1)["chroma_recall@1"] == 100 / 120  # it cannot reach 1


def test_chunks_of_other_documents_are_retrieved_too():
    found = measures(of("e", (100, 200)) + of("d", (100, 200)), GOLD, 2)
    assert (found["precision@2"], found["chroma_precision@2"], found["chroma_recall@2"]) == (0.5, 0.5, 1.0)


def test_chunks_that_touch_share_nothing_but_are_highlighted():
    touching = of("d", (0, 100), (200, 300))
    assert set(measures(touching, GOLD, 2).values()) == {0.0}
    alone = omega(*sides([(0, 100), (200, 300), (301, 400)]), GOLD)
    assert (alone.precision_omega, alone.chroma_precision_omega, alone.touching) == (0.0, 0.0, 2)
    # Beside a chunk that holds the gold they cost Chroma's precision omega two thirds.
    beside = omega(*sides([(0, 100), (100, 200), (200, 300), (301, 400)]), GOLD)
    assert (beside.precision_omega, beside.chroma_precision_omega, beside.touching) == (1.0, 100 / 300, 3)


def test_gold_that_no_chunk_holds_is_in_chromas_precision_omega_alone():
    found = omega(*sides([(90, 120), (110, 130)]), [(100, 150), (140, 160)])
    assert (found.precision_omega, found.chroma_precision_omega, found.touching) == (30 / 40, 30 / 70, 2)


def test_precision_omega_of_chunks_that_overlap_and_of_gold_that_overlaps():
    found = omega(*sides([(0, 140), (100, 240), (100, 240), (500, 600)]), [(100, 150), (130, 200)])
    assert (found.precision_omega, found.chroma_precision_omega, found.touching) == (100 / 240, 100 / 240, 3)


def test_fewer_hits_than_asked_for_are_all():
    hits = of("d", (0, 140), (100, 240))
    assert list(measures(hits, GOLD, 5).values()) == list(measures(hits, GOLD, 2).values())


def test_as_many_hits_as_touch_the_gold():
    hits = of("d", (0, 140), (100, 240), (500, 900))
    found = chromas_at_touching(hits, GOLD, 2)
    assert found == {"chroma_recall@-1": 1.0, "chroma_precision@-1": 100 / 280, "chroma_iou@-1": 100 / 280}


@pytest.mark.filterwarnings("error")
def test_measures_of_many_questions_are_those_of_each():
    asked = [
        (of("d", (0, 140), (100, 240)), GOLD),
        ([], GOLD),  # nothing retrieved
        (of("d", (140, 160)), [(100, 150), (130, 200)]),
        (of("e", (0, 50)), []),  # no gold
        (of("d", (300, 400)), GOLD),
    ]
    columns = (np.array(values) for values in zip(*(curve_values(*one, 2) for one in asked), strict=True))
    found = at_k("2", *columns)
    assert {values.shape for values in found.values()} == {(5,)}
    for number, one in enumerate(asked):
        assert {name: values[number] for name, values in found.items()} == measures(*one, 2)
    assert {values.shape for values in at_k("2", *[np.zeros(0)] * 6).values()} == {(0,)}


@pytest.mark.parametrize("gold", [GOLD, []])
@pytest.mark.filterwarnings("error")
def test_nothing_retrieved_is_0(gold):
    assert set(measures([], gold, 5).values()) == {0.0}
    nothing = omega(*sides([]), gold)
    assert (nothing.precision_omega, nothing.chroma_precision_omega, nothing.touching) == (0.0, 0.0, 0)
    # No chunk touches the gold, so Chroma's retrieve=-1 takes none of what is ranked.
    hits = of("d", (300, 400))
    assert set(chromas_at_touching(hits, gold, 0).values()) == {0.0}


@pytest.mark.parametrize(
    ("spans", "length"),
    [([], 0), ([(5, 9)], 4), ([(5, 9), (0, 2), (9, 12)], 9), ([(0, 9), (2, 4), (3, 12)], 12), ([(0, 2), (5, 5)], 2)],
)
def test_union_length(spans, length):
    assert union_length(*sides(spans)) == length


spans = st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda span: (span[0], span[0] + span[1]))
golds = st.lists(spans.filter(lambda span: span[0] < span[1]), min_size=1, max_size=4)
ranked = st.lists(st.tuples(st.sampled_from("dde"), spans).map(lambda hit: (hit[0], *hit[1])), max_size=8)


def places(spans):
    return {place for start, end in spans for place in range(start, end)}


def ratio(part, whole):
    return part / whole if whole else 0.0


@given(ranked, golds)
@settings(max_examples=300)
def test_set_wise_measures_equal_sets_of_characters(hits, gold):
    wanted = {("d", place) for place in places(gold)}
    for k in range(1, len(hits) + 1):
        united = {(doc_id, place) for doc_id, *span in hits[:k] for place in places([span])}
        found = curves(hits, gold)
        assert found.united[k - 1] == len(united)
        assert found.covered[k - 1] == len(united & wanted)
        assert found.missed[k - 1] == sum(len({("d", place) for place in places([span])} - united) for span in gold)
        at = measures(hits, gold, k)
        assert at[f"precision@{k}"] == ratio(len(united & wanted), len(united))
        assert at[f"iou@{k}"] == ratio(len(united & wanted), len(united | wanted))
    own = [places([span]) for doc_id, *span in hits if doc_id == "d"]
    sharing = set().union(*(chunk for chunk in own if chunk & places(gold)))
    chunks = sides([tuple(span) for doc_id, *span in hits if doc_id == "d"])
    assert omega(*chunks, gold).precision_omega == ratio(len(sharing & places(gold)), len(sharing))


@given(ranked, golds)
def test_documents_may_be_numbers_and_offsets_floats(hits, gold):
    """As the table of coverage is made; and of arrays that are not its own none is changed."""
    docs = np.array([{"d": 7, "e": 0}[doc_id] for doc_id, _, _ in hits], np.int64)
    starts, ends = (side.astype(np.float64) for side in sides([hit[1:] for hit in hits]))
    before = starts.copy(), ends.copy()
    assert range_curves(docs, starts, ends, 7, gold) == curves(hits, gold)
    assert (starts.tolist(), ends.tolist()) == tuple(side.tolist() for side in before)
    own = docs == 7
    chunks = sides([tuple(span) for doc_id, *span in hits if doc_id == "d"])
    assert omega(starts[own], ends[own], gold) == omega(*chunks, gold)


def as_chroma(retrieved, chunks, gold):
    """What the report describes, chunk by chunk and gold span by gold span, on sets of characters.

    Returns recall, precision and IoU of what is retrieved, precision omega and highlighted chunks of all chunks.
    """

    def walk(some):
        held, left, highlighted = set(), [places([span]) for span in gold], []
        for doc_id, start, end in some:
            common = [(max(start, first), min(end, last)) for first, last in gold if doc_id == "d"]
            common = [(low, high) for low, high in common if low <= high]
            held |= places(common)
            left = [span - places(common) for span in left]
            highlighted += [(start, end)] if common else []
        return len(held), left, highlighted

    held, left, _ = walk(retrieved)
    total = sum(end - start for _, start, end in retrieved)
    scores = ratio(held, reference(gold)), ratio(held, total), ratio(held, total + sum(map(len, left)))
    held, left, highlighted = walk(chunks)
    return (*scores, ratio(held, len(places(highlighted).union(*left))), len(highlighted))


@given(ranked, golds, st.integers(0, 8))
@settings(max_examples=300)
def test_chromas_measures_equal_its_loops(hits, gold, k):
    *scores, precision_omega, highlighted = as_chroma(hits[:k], hits, gold)
    at = measures(hits, gold, k)
    assert [at[f"chroma_{name}@{k}"] for name in ("recall", "precision", "iou")] == scores
    found = omega(*sides([tuple(span) for doc_id, *span in hits if doc_id == "d"]), gold)
    assert (found.chroma_precision_omega, found.touching) == (precision_omega, highlighted)
    *scores, _, _ = as_chroma(hits[:highlighted], hits, gold)
    assert list(chromas_at_touching(hits, gold, found.touching).values()) == scores


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
    chunks, scores = grouped(chunks, "corpus_id"), grouped(scores, "question_ix")
    retrievals = grouped(sorted(retrievals, key=lambda row: row["rank"]), "question_ix")
    with open(QUESTIONS, encoding="utf-8", newline="") as file:
        questions = list(csv.DictReader(file))
    assert (len(questions), len(retrievals), sum(map(len, scores.values()))) == (472, 472, 472 * 3 * 2)
    for number, question in enumerate(questions):
        doc_id = question["corpus_id"]
        gold = [(span["start_index"], span["end_index"]) for span in json.loads(question["references"])]
        best = omega(*sides([(row["start"], row["end"]) for row in chunks[doc_id]]), gold)
        hits = [(row["corpus_id"], row["start"], row["end"]) for row in retrievals[number]]

        def figures(hits, retrieve, doc_id=doc_id, gold=gold, best=best):
            if retrieve == -1:
                return chromas_at_touching(hits, gold, best.touching, doc_id)
            return measures(hits, gold, retrieve, doc_id)

        for score in scores[number]:
            retrieve = score["retrieve"]
            wanted = {f"chroma_{name}@{retrieve}": score[name] for name in ("recall", "precision", "iou")}
            assert best.touching == score["n_highlighted_chunks"]
            assert best.chroma_precision_omega == pytest.approx(score["precision_omega"], rel=0, abs=1e-9)
            assert any(
                {name: found[name] for name in wanted} == pytest.approx(wanted, rel=0, abs=1e-9)
                for ranking in retrieved_by(score["backend"], hits, best.touching if retrieve == -1 else retrieve)
                for found in [figures(ranking, retrieve)]
            ), (number, score)
