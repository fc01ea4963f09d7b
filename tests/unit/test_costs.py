"""What vectors cost, by hand."""

import pytest

from chunkgrid.costs import costs, of_cells


def row(vectors, dimensions, tokens=(), window=None):
    return costs(vectors, dimensions, tokens, window).to_pylist()[0]


def test_a_vector_takes_four_bytes_a_number_and_long_texts_are_counted():
    assert row(3, 8, [512, 513, 2000], 512) == {
        **{"vectors": 3, "dimensions": 8, "vector_bytes": 96, "embedded_tokens": 3025, "over_window": 2}
    }
    assert row(3, 8, [512])["over_window"] is None
    assert row(0, None, [7]) == {
        **{"vectors": 0, "dimensions": None, "vector_bytes": 0, "embedded_tokens": 7, "over_window": None}
    }


CELLS = [("a", r) for r in ("bm25", "lsa", "one", "two", "both", "cut", "theirs")]
LSA = (row(10, 2), None)
ONE, TWO = (row(10, 4, [3_000_000], 512), 0.5), (row(10, 8, [2_000_000]), 2.0)
CUT = (row(0, None, [1_000_000]), 0.5)
PARTS = dict(zip(CELLS, ([], [LSA], [ONE], [TWO], [ONE, TWO], [CUT, ONE], None), strict=True))


def column(parts, name):
    return [found[name] for found in of_cells(list(parts), parts).values()]


def test_a_cell_costs_what_it_stands_on():
    assert column(PARTS, "vectors") == [0, 10, 10, 10, 20, 10, None]
    assert column(PARTS, "dimensions") == [None, 2, 4, 8, None, 4, None]
    assert column(PARTS, "vector_bytes") == [0, 80, 160, 320, 480, 160, None]
    assert column(PARTS, "vector_bytes_ratio") == [0, 1, 2, 4, 6, 2, None]
    assert column(PARTS, "embedded_tokens") == [0, 0, 3_000_000, 2_000_000, 5_000_000, 4_000_000, None]
    assert column(PARTS, "over_window") == [None, None, 1, None, 1, 1, None]
    assert column(PARTS, "embedding_cost") == [0, 0, 1.5, 4, 5.5, 2, None]
    assert column(PARTS, "embedding_cost_ratio") == pytest.approx([0, 0, 1, 4 / 1.5, 5.5 / 1.5, 2 / 1.5, None])


def test_money_is_known_where_all_that_reads_has_a_price():
    unknown = {**PARTS, ("a", "two"): [(TWO[0], None)], ("a", "both"): [ONE, (TWO[0], None)]}
    assert column(unknown, "embedding_cost") == [0, 0, 1.5, None, None, 2, None]
    none = {cell: own and [(of, None) for of, _ in own] for cell, own in PARTS.items()}
    assert column(none, "embedding_cost") == [None] * 7
    assert column(none, "embedding_cost_ratio") == [None] * 7
    assert column(none, "vector_bytes_ratio") == [0, 1, 2, 4, 6, 2, None]


def test_a_price_of_nothing_is_a_price():
    free = {("a", "one"): [(ONE[0], 0.0)], ("a", "bm25"): []}
    assert column(free, "embedding_cost") == [0, 0]
    assert column(free, "embedding_cost_ratio") == [None, None]
