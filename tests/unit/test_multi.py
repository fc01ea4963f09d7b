"""Several sizes in one index."""

import numpy as np
import pytest

from chunkgrid import references
from chunkgrid.errors import InputError
from chunkgrid.handed import handed
from chunkgrid.scoring import rank_and_cover
from chunkgrid.splitting.chunks import Document, Piece, chunk_table
from chunkgrid.splitting.derived import prefixed
from chunkgrid.splitting.fixed import fixed
from chunkgrid.splitting.multi import multi
from chunkgrid.tables import CHUNKS, QUERIES, are_slices, table

TEXTS = {"a": "一二三四五六七八九", "b": "あいうえお"}
DOCUMENTS = [
    Document(name, "題", text, "", [{"headings": ["題"], "start": 0, "end": len(text), "text": text}])
    for name, text in TEXTS.items()
]


def of_size(size):
    return chunk_table(DOCUMENTS, lambda one: fixed(one, size))


def test_the_chunks_of_all_are_in_one_table_by_place():
    found = multi({"small": of_size(3), "large": of_size(6)})
    assert found["chunk"].to_pylist() == list(range(8))
    assert found.select(["doc_id", "start", "end"]).to_pylist() == [
        {"doc_id": doc_id, "start": start, "end": end}
        for doc_id, start, end in [("a", 0, 3), ("a", 0, 6), ("a", 3, 6), ("a", 6, 9), ("a", 6, 9)]
        + [("b", 0, 3), ("b", 0, 5), ("b", 3, 5)]
    ]
    assert found.schema.equals(CHUNKS)
    assert are_slices(found)
    assert handed(found).apart
    assert not handed(of_size(3)).apart


def test_a_hit_that_overlaps_a_better_one_is_not_handed_over():
    found = multi({"small": of_size(3), "large": of_size(6)})
    gold = [{"start": 0, "end": 6}]
    query = {"query_id": "q", "doc_id": "a", "query": "?", "questions_from": "faq", "gold": gold}
    query |= {"gold_text": ["一二三四五六"], "places": [{"shingle": 0, "start": 0, "end": 6}]}
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2])
    ranking, coverage = rank_and_cover(found, table([query], QUERIES), [scores], hits=9, budget=99)
    assert ranking["chunk"].to_pylist() == list(range(8))
    (row,) = coverage.to_pylist()
    assert row["characters"] == [3, 6, 9, 12, 14]  # [0, 3) [3, 6) [6, 9) of a, [0, 3) [3, 5) of b
    assert row["span_coverage"] == [0.5, 1, 1, 1, 1]
    assert row["coverage"] == [0, 0, 0, 0, 0]  # the gold is whole in the one that is passed over
    assert row["ideal_gain"] == [1]


def test_without_offsets_no_overlap_can_be_told():
    rewritten = chunk_table(DOCUMENTS, lambda _: [Piece(text="別")])
    with pytest.raises(InputError, match="chunks of large have no offsets, so that no overlap of them can be told"):
        multi({"small": of_size(3), "large": rewritten})


def test_what_is_in_front_of_chunks_stays_there():
    in_front = chunk_table(DOCUMENTS, lambda one: prefixed(one, fixed(one, 6), "title"))
    found = multi({"small": of_size(3), "large": in_front})
    assert found["index_text"].to_pylist()[:3] == ["一二三", "題\n一二三四五六", "四五六"]


@pytest.mark.parametrize(
    ("of", "told"),
    [
        (["fixed/a", "fixed/c"], "config: split.multi/m: of 'fixed/c' is no cell of this grid"),
        (["fixed/a", "multi/m"], "config: split: cells need themselves: multi/m -> multi/m"),
    ],
)
def test_a_list_of_cells_is_checked_as_one_is(of, told):
    schemas = {"multi": {"properties": {"of": {"type": "array", "items": {"format": "cell"}}}}}
    cells = {"fixed": {"a": {}, "b": {}}, "multi": {"m": {"of": of}}}
    with pytest.raises(InputError) as raised:
        references.check_references(cells, schemas)
    assert str(raised.value) == told
    cells["multi"]["m"]["of"] = ["fixed/a", "fixed/b"]
    references.check_references(cells, schemas)
