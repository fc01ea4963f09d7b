"""Small chunks searched, and merged into larger ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid.errors import InputError
from chunkgrid.handed import handed
from chunkgrid.scoring import rank_and_cover
from chunkgrid.splitting.chunks import Document
from chunkgrid.splitting.derived import pieces_of
from chunkgrid.splitting.hierarchy import hierarchy
from chunkgrid.splitting.multi import multi
from chunkgrid.splitting.parents import parent_child
from chunkgrid.tables import QUERIES, are_slices, searched, table

FOUR = "一二三四。五六七八。九十百千。万億兆京。"
DOCUMENTS = [Document("a", "", FOUR, "", []), Document("b", "", "甲乙丙丁。", "", [])]


def found(share=0.5):
    return hierarchy(DOCUMENTS, [20, 10, 5], share)


def test_each_chunk_stands_before_its_parts():
    rows = found().select(["doc_id", "start", "end", "parent", "index_text"]).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("a", 0, 20, None, None),
        ("a", 0, 10, 0, None),
        ("a", 0, 5, 1, "一二三四。"),
        ("a", 5, 10, 1, "五六七八。"),
        ("a", 10, 20, 0, None),
        ("a", 10, 15, 4, "九十百千。"),
        ("a", 15, 20, 4, "万億兆京。"),
        ("b", 0, 5, None, "甲乙丙丁。"),  # what would be its only part is left out
    ]
    assert found()["chunk"].to_pylist() == list(range(8))
    assert are_slices(found())
    assert searched(found())["chunk"].to_pylist() == [2, 3, 5, 6, 7]


@pytest.mark.parametrize(
    ("share", "ranking", "chunks", "lengths", "places"),
    [
        (0.5, [2, 3, 5, 6, 7], [2, 1, 5, 0, 7], [5, 5, 5, 5, 5], [0, 1, 2, 3, 4]),
        (0.5, [6, 2, 3, 5], [6, 2, 1, 0], [5, 5, 5, 5], [0, 1, 2, 3]),
        (0.4, [3, 2, 5, 7], [0, 7], [20, 5], [0, 3]),  # one of two is more than two in five, at each level
        (0.99, [2, 3], [2, 1], [5, 5], [0, 1]),
    ],
)
def test_merging_by_hand(share, ranking, chunks, lengths, places):
    given_ = handed(found(share)).hand_over(np.array(ranking))
    assert given_.chunks.tolist() == chunks
    assert given_.lengths.tolist() == given_.sizes.tolist() == lengths
    assert given_.places.tolist() == places


def plainly(parents, lengths, leaves, share):
    """What is handed over of leaves: the chunks that are in none that is, after merging as often as it goes."""
    whole = set(leaves)
    while True:
        parts = {}
        for chunk, parent in enumerate(parents):
            parts.setdefault(parent, set()).add(chunk)
        inside = {chunk for chunk, parent in enumerate(parents) if parent in whole}
        more = {p for p, own in parts.items() if p >= 0 and len(own & (whole | inside)) > share * len(own)} | inside
        if more <= whole:
            return sum(lengths[chunk] for chunk in whole if parents[chunk] not in whole)
        whole |= more


texts = st.lists(st.integers(1, 9), min_size=1, max_size=12).map(lambda n: "".join("字" * k + "。" for k in n))


@given(
    texts,
    st.sampled_from([[30, 12, 6], [24, 8], [40, 20, 10, 5]]),
    st.sampled_from([0.2, 0.5, 0.67, 0.9]),
    st.randoms(),
)
@settings(max_examples=200)
def test_what_is_handed_over_is_what_repeated_merging_gives(text, sizes, share, random):
    chunks = hierarchy([Document("a", "", text, "", [])], sizes, share)
    over = handed(chunks)
    leaves = searched(chunks)["chunk"].to_pylist()
    parents = chunks["parent"].fill_null(-1).to_pylist()
    random.shuffle(leaves)
    for count in range(1, len(leaves) + 1):
        total = over.hand_over(np.array(leaves[:count])).lengths.sum()
        assert total == plainly(parents, over.lengths.tolist(), leaves[:count], share)
    assert total == len(text)


def test_a_merged_chunk_covers_what_lies_over_its_seams():
    gold = [{"start": 0, "end": 10}]
    query = {"query_id": "q", "doc_id": "a", "query": "?", "questions_from": "faq", "gold": gold}
    query |= {"gold_text": [FOUR[:10]]}
    places = [{"shingle": n, "start": n, "end": n + 8} for n in range(3)]
    queries = table([{**query, "places": places}], QUERIES)
    ranking, coverage = rank_and_cover(found(), queries, [np.array([0.9, 0.8, 0, 0, 0.7])], hits=9, budget=99)
    assert ranking["chunk"].to_pylist() == [2, 3, 7]
    (row,) = coverage.to_pylist()
    assert (row["characters"], row["united"]) == ([5, 10, 15], [5, 10, 15])
    assert (row["coverage"], row["span_coverage"]) == ([0, 1, 1], [0.5, 1, 1])
    assert row["touching"] == 3  # of those that are searched, one shares an edge


def test_what_says_how_it_is_handed_over_is_of_no_other_split():
    for make in (
        lambda: pieces_of(found(), "x/y"),
        lambda: multi({"x/y": found()}),
        lambda: parent_child(found(), found(), "x/y", "z"),
    ):
        with pytest.raises(InputError, match="x/y says how its chunks are handed over, so that no other split"):
            make()


def test_sizes_are_in_any_order_and_no_two_equal():
    assert hierarchy(iter(DOCUMENTS), [10, 40, 20]).equals(hierarchy(iter(DOCUMENTS), [40, 20, 10]))
    with pytest.raises(InputError, match="of the sizes 10, 20, 10 two are equal"):
        hierarchy(iter(DOCUMENTS), [10, 20, 10])
