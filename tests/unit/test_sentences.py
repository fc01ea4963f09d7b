"""Where sentences end, and the splitters that pack them or cut between them."""

import warnings
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid.articles import read_article
from chunkgrid.sentences import sentences
from chunkgrid.splitting.chunks import Document
from chunkgrid.splitting.cluster import best_joins, cluster
from chunkgrid.splitting.gaps import cut_at, distances
from chunkgrid.splitting.semantic import semantic
from chunkgrid.splitting.sentence import atoms, sentence
from chunkgrid.splitting.topic import depths, topic
from chunkgrid.splitting.vectors import vectors_of
from chunkgrid.text import strip

SAMPLE = sorted((Path(__file__).parents[2] / "corpus" / "sample").glob("*.html"))


def document(text, doc_id="d"):
    return Document(doc_id, "", text, "", [])


def texts_of(text, pieces):
    return [text[piece.start : piece.end] for piece in pieces]


def cut(text):
    return [text[start:end] for start, end in sentences(text)]


@cache
def sample():
    return [document(read_article(path.read_bytes(), path.name, path.name).text, path.name) for path in SAMPLE[:6]]


# Sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("今日は晴れ。明日は雨！？本当か？そうだ", ["今日は晴れ。", "明日は雨！？", "本当か？", "そうだ"]),
        ("「はい。」と言った。次。", ["「はい。」と言った。", "次。"]),
        ("「はい。」「いいえ。」終わり", ["「はい。」", "「いいえ。」終わり"]),
        ("彼は（注：そう言った。例外もある。）帰った。次。", ["彼は（注：そう言った。例外もある。）帰った。", "次。"]),
        ("「外『中。』も。」で一つ。次。", ["「外『中。』も。」で一つ。", "次。"]),
        ("これは（開いたまま。次の文。", ["これは（開いたまま。", "次の文。"]),
        ("閉じるだけ）だ。次。", ["閉じるだけ）だ。", "次。"]),
        ("値は３．１４です．次の文です．", ["値は３．１４です．", "次の文です．"]),
        ("でも…やっぱり。そう…", ["でも…やっぱり。", "そう…"]),
        ("1. 項目です。2. 次の項目です。", ["1. 項目です。", "2. 次の項目です。"]),
        ("次です!本当?abc です", ["次です!", "本当?abc です"]),
        ("行1\n行2。\n\n  行3  ", ["行1", "行2。", "行3"]),
        (
            "Dr. Smith left at 3.14 p.m. on No. 5 Street. He ran.",
            ["Dr. Smith left at 3.14 p.m. on No. 5 Street.", "He ran."],
        ),
        ('"Go!" he said. "Really?" She left.', ['"Go!" he said.', '"Really?"', "She left."]),
        ("(He left.) She stayed. [See it.] OK.", ["(He left.)", "She stayed.", "[See it.]", "OK."]),
        ("Use e.g. this. See fig. 3 of J. R. Tolkien.", ["Use e.g. this.", "See fig. 3 of J. R. Tolkien."]),
        ("Python 3.11 is ok... Then node.js v. 2 came.", ["Python 3.11 is ok...", "Then node.js v. 2 came."]),
        ("。", ["。"]),
        (" \n\u3000\n", []),
        ("", []),
    ],
)
def test_sentences_by_hand(text, found):
    assert cut(text) == found


def test_a_part_of_a_text_is_cut_as_if_it_stood_alone():
    text = "前。「中の文。次の文。後。"
    assert [text[a:b] for a, b in sentences(text, 2, 9)] == ["「中の文。", "次の"]


signs = st.sampled_from("あ漢aA1。．.！!?？、「」（）()\"' \n\u3000…")
some_text = st.text(signs, max_size=60)


@given(some_text)
@settings(max_examples=500)
def test_sentences_hold_every_visible_character_once_and_in_order(text):
    spans = sentences(text)
    assert strip("".join(text[start:end] for start, end in spans)) == strip(text)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)
    assert all("\n" not in text[start:end] for start, end in spans)


# Whole sentences, packed

FOUR = "一二三四。五六七八。九十。百千万億。"  # 5, 5, 3 and 5 characters


@pytest.mark.parametrize(
    ("given_", "found"),
    [
        ({"size": 10}, ["一二三四。五六七八。", "九十。百千万億。"]),
        ({"size": 9}, ["一二三四。", "五六七八。九十。", "百千万億。"]),
        ({"size": 100}, [FOUR]),
        ({"size": 13, "overlap": 1}, ["一二三四。五六七八。九十。", "九十。百千万億。"]),
        ({"size": 10, "overlap": 1}, ["一二三四。五六七八。", "五六七八。九十。", "九十。百千万億。"]),
        ({"size": 8, "overlap": 2}, ["一二三四。", "五六七八。九十。", "九十。百千万億。"]),
        ({"size": 3}, ["一二三", "四。", "五六七", "八。", "九十。", "百千万", "億。"]),
    ],
)
def test_packed_by_hand(given_, found):
    assert texts_of(FOUR, sentence(document(FOUR), **given_)) == found


def test_from_its_least_size_on_a_chunk_ends_with_its_line():
    text = "一二。三四。\n\n五六。\n七八。九十。百千。"
    packed = [texts_of(text, sentence(document(text), 14, min=least)) for least in (None, 6, 7)]
    assert packed == [
        ["一二。三四。\n\n五六。", "七八。九十。百千。"],
        ["一二。三四。", "五六。\n七八。九十。百千。"],
        ["一二。三四。\n\n五六。", "七八。九十。百千。"],
    ]


def test_a_sentence_over_the_size_is_cut_behind_clauses():
    text = "短い。とても長い文で、読点があり、また続く。終わり。"
    assert texts_of(text, sentence(document(text), 12)) == [
        "短い。とても長い文で、",
        "読点があり、また続く。",
        "終わり。",
    ]


def assert_faithful(text, pieces, size):
    """Every visible character in order, whole sentences, and the size kept but for what one sentence has."""
    held = {place for piece in pieces for place in range(piece.start, piece.end)}
    assert {place for place, sign in enumerate(text) if not sign.isspace()} <= held
    assert all(before.start < after.start and before.end < after.end for before, after in pairwise(pieces))
    assert all(piece.end - piece.start <= size for piece in pieces)


@given(some_text, st.integers(1, 30), st.integers(0, 4), st.one_of(st.none(), st.integers(1, 20)))
@settings(max_examples=300)
def test_packing_keeps_everything_and_the_size(text, size, overlap, least):
    pieces = list(sentence(document(text), size, overlap, least))
    assert_faithful(text, pieces, size)
    edges = {edge for span in atoms(document(text), size) for edge in span}
    assert all({piece.start, piece.end} <= edges for piece in pieces)


# Gaps


def test_distances_by_hand():
    vectors = np.array([[1.0, 0], [1, 0], [0, 2], [0, 0]])
    assert distances(vectors, 1).tolist() == [0, 1, 0]  # of nothing nothing is known
    assert distances(vectors, 2).tolist() == pytest.approx([1 - 1 / 5**0.5, 1, 0])
    assert distances(vectors[:1], 3).tolist() == []


def plain_distance(before, after):
    before, after = before.sum(axis=0), after.sum(axis=0)
    return 1 - before @ after / (np.linalg.norm(before) * np.linalg.norm(after))


@pytest.mark.parametrize("window", [1, 2, 5, 40])
def test_distances_are_of_added_windows(window):
    vectors = np.random.default_rng(0).normal(size=(30, 7))
    expected = [
        plain_distance(vectors[max(gap - window, 0) : gap], vectors[gap : gap + window]) for gap in range(1, 30)
    ]
    np.testing.assert_allclose(distances(vectors, window), expected, atol=1e-12)


def test_a_chunk_over_the_size_is_cut_where_the_distance_is_largest():
    spans = [(10 * n, 10 * n + 10) for n in range(6)]
    distance = np.array([0.1, 0.5, 0.2, 0.5, 0.1])
    none, third = np.zeros(5, bool), np.array([0, 0, 1, 0, 0], bool)

    def found(breaks, size, distance=distance):
        return list(cut_at(spans, breaks, distance, size, lambda start, end: end - start))

    assert found(none, None) == [(0, 60)]
    assert found(third, None) == [(0, 30), (30, 60)]
    assert found(none, 40) == [(0, 20), (20, 60)]  # of two, the one that is met first among those as near the middle
    assert found(none, 20) == [(0, 20), (20, 40), (40, 60)]
    assert found(none, 5) == spans  # one sentence stays
    assert found(none, 30, np.zeros(5)) == [(0, 30), (30, 60)]  # of equal ones in the middle


TOPICS = "犬が走る。犬が吠える。犬が眠る。犬が食べる。株価が上がる。株価が下がる。株価が動く。株価が戻る。"
NOUNS = np.array([[1.0, 0]] * 4 + [[0, 1.0]] * 4)


def meant(text, vectors, **given_):
    return texts_of(text, semantic(document(text), sentences(text), vectors, **given_))


@pytest.mark.parametrize("by", ["percentile", "deviation"])
def test_semantic_breaks_where_the_subject_changes(by):
    halves = ["犬が走る。犬が吠える。犬が眠る。犬が食べる。", "株価が上がる。株価が下がる。株価が動く。株価が戻る。"]
    assert meant(TOPICS, NOUNS, by=by, window=1, amount={"percentile": 90, "deviation": 2}[by]) == halves
    assert meant(TOPICS, NOUNS, by=by, window=1, amount={"percentile": 100, "deviation": 9}[by]) == [TOPICS]


def test_semantic_by_gradient_breaks_where_the_distance_rises():
    # Distances 0 0 0 1 0 0 0: their gradient is largest, 0.5, at the gap before.
    found = meant(TOPICS, NOUNS, by="gradient", window=1, amount=90)
    assert found[0] == "犬が走る。犬が吠える。犬が眠る。"


@pytest.mark.parametrize("by", ["percentile", "deviation", "gradient"])
@pytest.mark.parametrize(
    "text", ["この記事は一文だけです。", "一文。二文。", "同じ文です。" * 6 + "？？。最後の文。", ""]
)
def test_one_sentence_and_equal_ones_are_no_fault(by, text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for vectors in (np.zeros((len(sentences(text)), 3)), np.ones((len(sentences(text)), 3))):
            assert meant(text, vectors, by=by) == ([text] if text else [])


@pytest.mark.parametrize(("by", "size"), [("percentile", 300), ("deviation", 800), ("gradient", 200)])
def test_semantic_on_the_sample_keeps_everything_and_the_size(by, size):
    known = vectors_of(sample(), lambda one: atoms(one, size), seed=0)
    for one in sample():
        pieces = list(semantic(one, *known[one.doc_id], by=by, size=size))
        assert_faithful(one.text, pieces, size)


def test_vectors_are_those_of_the_retriever():
    known = vectors_of(sample(), lambda one: atoms(one), seed=0)
    assert [len(spans) for spans, _ in known.values()] == [len(vectors) for _, vectors in known.values()]
    assert {vectors.shape[1] for _, vectors in known.values()} == {128}
    assert all((np.linalg.norm(vectors, axis=1) <= 1 + 1e-9).all() for _, vectors in known.values())


# Clusters


def worth(vectors, joins):
    """The sum over all pairs within joins of their cosine less the mean over all pairs."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    mean = np.mean([cosines[pair] for pair in combinations(range(len(vectors)), 2)]) if len(vectors) > 1 else 0
    return sum(cosines[a, b] - mean for first, last in joins for a, b in combinations(range(first, last), 2))


def every_way(fits, first=0):
    if first == len(fits):
        yield []
    for count in range(1, fits[first] + 1) if first < len(fits) else ():
        for rest in every_way(fits, first + count):
            yield [(first, first + count), *rest]


@given(st.integers(1, 9), st.integers(0, 2**32), st.integers(1, 5))
@settings(max_examples=200)
def test_joins_are_worth_as_much_as_the_best_of_all(count, seed, most):
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(count, 3)) + 0.5
    fits = np.minimum(random.integers(1, most + 1, count), count - np.arange(count))
    joins = best_joins(vectors, fits)
    assert joins in list(every_way(fits))
    assert worth(vectors, joins) == pytest.approx(max(worth(vectors, way) for way in every_way(fits)), abs=1e-9)


def test_cluster_by_hand():
    spans = sentences(TOPICS)
    halves = ["犬が走る。犬が吠える。犬が眠る。犬が食べる。", "株価が上がる。株価が下がる。株価が動く。株価が戻る。"]
    assert texts_of(TOPICS, cluster(document(TOPICS), spans, NOUNS, 100)) == halves
    pairs = texts_of(TOPICS, cluster(document(TOPICS), spans, NOUNS, 14))
    assert pairs == [TOPICS[a:b] for a, b in [(0, 11), (11, 22), (22, 36), (36, 48)]]
    assert list(cluster(document(""), [], np.zeros((0, 2)), 9)) == []


def test_cluster_on_the_sample_keeps_everything_and_the_size():
    known = vectors_of(sample(), lambda one: atoms(one, 100), seed=0)
    for one in sample():
        assert_faithful(one.text, list(cluster(one, *known[one.doc_id], size=400)), 400)


# Topics


@pytest.mark.parametrize(
    ("distance", "depth"),
    [
        ([], []),
        ([0.5], [0.0]),
        ([0.1, 0.6, 0.2], [0.0, 0.9, 0.0]),
        ([0.1, 0.3, 0.3, 0.2], [0.0, 0.3, 0.3, 0.0]),  # on a flat top both, down to where it rises again
        ([0.1, 0.3, 0.6, 0.5, 0.2, 0.4], [0.0, 0.0, 0.9, 0.0, 0.0, 0.2]),
    ],
)
def test_depths_by_hand(distance, depth):
    assert depths(np.array(distance)).tolist() == pytest.approx(depth)


def test_topic_by_hand():
    assert texts_of(TOPICS, topic(document(TOPICS), window=3)) == [
        "犬が走る。犬が吠える。犬が眠る。犬が食べる。",
        "株価が上がる。株価が下がる。株価が動く。株価が戻る。",
    ]


@given(some_text, st.integers(1, 4), st.one_of(st.none(), st.integers(1, 30)))
@settings(max_examples=150)
def test_topic_keeps_everything_and_the_size(text, window, size):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_faithful(text, list(topic(document(text), window, size=size)), size or len(text))
