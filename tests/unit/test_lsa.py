"""Latent semantic analysis against the plain computation."""

import hashlib
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

from chunkgrid import lsa, ngrams
from chunkgrid.articles import read_article
from chunkgrid.cosine import BLOCK, cosine_scores
from chunkgrid.lsa import FITTED, fitted_rows, lsa_vectors, tfidf_matrices
from chunkgrid.retrieval import MARGIN, Approximate, rank

SAMPLE = sorted((Path(__file__).parents[2] / "corpus" / "sample").glob("*.html"))


@cache
def sample():
    """Texts of 200 characters of some sample articles, some questions, and half of the texts to fit on."""
    articles = [read_article(path.read_bytes(), path.name, path.name) for path in SAMPLE[::2]]
    texts = [one.text[start : start + 200] for one in articles for start in range(0, len(one.text), 200)]
    queries = [question["question"] for one in articles for question in one.questions][::4]
    return texts, queries, np.arange(0, len(texts), 2)


def tfidf(texts, queries):
    vectorizer = TfidfVectorizer(analyzer="char", ngram_range=(2, 2), max_features=60000)
    return vectorizer.fit_transform(texts), vectorizer.transform(queries)


def cosines(of_texts, of_queries):
    for vectors in (of_texts, of_queries):  # what shares nothing with the space is noise there
        vectors[np.linalg.norm(vectors, axis=1) < 1e-9] = 0
    return normalize(of_queries) @ normalize(of_texts).T


def plain_cosines(texts, queries, fitted, dimensions=128, seed=0):
    """What scikit-learn makes of it: of every query with every text."""
    matrix, asked = tfidf(texts, queries)
    svd = TruncatedSVD(dimensions, algorithm="arpack", random_state=seed).fit(matrix[fitted])
    return cosines(svd.transform(matrix), svd.transform(asked))


def full_cosines(texts, queries, fitted, dimensions=128):
    """The same by NumPy's full decomposition, without the directions of no weight; and how many there are."""
    matrix, asked = tfidf(texts, queries)
    _, weights, axes = np.linalg.svd(matrix[fitted].toarray(), full_matrices=False)
    axes = axes[:dimensions][weights[:dimensions] > 1e-9 * weights[0]].T
    return cosines(matrix @ axes, asked @ axes), axes.shape[1]


@cache
def plain_cosines_of_the_sample():
    return plain_cosines(*sample())


@cache
def scores_on_the_sample(in_float64):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lsa, "IN_FLOAT64", in_float64)
        return list(cosine_scores(*lsa_vectors(*sample())))


def exact_scores(found, texts):
    """All exact scores, each near enough to the rough one."""
    for one in found:
        assert isinstance(one, Approximate)
        assert one.exact(np.arange(texts)).dtype == np.float64
        np.testing.assert_allclose(one.scores, one.exact(np.arange(texts)), rtol=0, atol=MARGIN / 4)
    return np.array([one.exact(np.arange(texts)) for one in found])


def scores_of(texts, queries, fitted, **parameters):
    found = list(cosine_scores(*lsa_vectors(texts, queries, np.array(fitted), **parameters)))
    assert len(found) == len(queries)
    return exact_scores(found, len(texts))


def drawn(seed, texts, letters=60, of=0x4E00):
    """Texts of 5 to 80 characters that are drawn from so many, from one on."""
    random = np.random.default_rng(seed)
    return ["".join(map(chr, random.integers(of, of + letters, random.integers(5, 80)))) for _ in range(texts)]


def kinds(in_64, in_32):
    """In either precision, which `IN_FLOAT64` decides, and by how much cosines may be off."""
    cases = [(10**9, np.float64, in_64), (0, np.float32, in_32)]
    return pytest.mark.parametrize(("in_float64", "kind", "off"), cases, ids=["float64", "float32"])


# TF-IDF

signs = st.sampled_from("aAb あいう\n\t\u3000İΣ𠮷")
many_texts = st.lists(st.text(signs, max_size=25), max_size=8)


@pytest.mark.parametrize("most", [60_000, 1, 4, 9])
@given(texts=many_texts, queries=many_texts, block=st.sampled_from([1, 20, 1 << 22]))
@example(texts=["", "a", "b"], queries=["ab"], block=1)
@settings(max_examples=100)
def test_tfidf_is_that_of_the_plain_vectorizer(most, texts, queries, block):
    """Also where the rarer of the 2-grams are no features, of which some are as frequent as others that are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lsa, "MAX_FEATURES", most)
        patch.setattr(ngrams, "_BLOCK", block)  # texts are counted in blocks
        of_texts, of_queries = tfidf_matrices(texts, queries)
    assert of_texts.dtype == of_queries.dtype == np.float64
    vectorizer = TfidfVectorizer(analyzer="char", ngram_range=(2, 2), max_features=most)
    try:
        expected = vectorizer.fit_transform(texts)
    except ValueError:  # no text has two characters
        assert (of_texts.shape, of_queries.shape) == ((len(texts), 0), (len(queries), 0))
        return
    np.testing.assert_allclose(of_texts.toarray(), expected.toarray(), rtol=0, atol=1e-12)
    asked = vectorizer.transform(queries).toarray() if queries else np.zeros((0, expected.shape[1]))
    np.testing.assert_allclose(of_queries.toarray(), asked, rtol=0, atol=1e-12)


@pytest.mark.parametrize("block", [5_000, 1 << 22])
@pytest.mark.parametrize("most", [60_000, 3_000, 500])
def test_tfidf_is_that_of_the_plain_vectorizer_on_the_sample(most, block, monkeypatch):
    monkeypatch.setattr(ngrams, "_BLOCK", block)
    texts, queries, _ = sample()
    vectorizer = TfidfVectorizer(analyzer="char", ngram_range=(2, 2), max_features=most)
    expected = vectorizer.fit_transform(texts), vectorizer.transform(queries)
    assert (len(vectorizer.vocabulary_) < most) is (most == 60_000)
    monkeypatch.setattr(lsa, "MAX_FEATURES", most)
    for ours, theirs in zip(tfidf_matrices(texts, queries), expected, strict=True):
        assert ours.shape == theirs.shape
        assert abs(ours - theirs).max() < 1e-12
    for ours, theirs in zip(tfidf_matrices(texts, queries, np.float32), expected, strict=True):
        assert ours.dtype == np.float32
        assert abs(ours - theirs).max() < 1e-7


def test_an_arrow_array_of_texts_is_as_good_as_a_list():
    texts, queries, fitted = [*drawn(5, 60), "", "İ"], drawn(6, 5), np.arange(40)
    in_arrow = pa.chunked_array([texts[:9], texts[9:]], pa.large_string())
    for ours, theirs in zip(tfidf_matrices(in_arrow, queries), tfidf_matrices(texts, queries), strict=True):
        assert (ours != theirs).nnz == 0
    for ours, theirs in zip(*(lsa_vectors(held, queries, fitted, 9) for held in (in_arrow, texts)), strict=True):
        np.testing.assert_array_equal(ours, theirs)


# The decomposition


@kinds(1e-9, 1e-4)
def test_cosines_are_those_of_the_plain_pipeline_on_the_sample(in_float64, kind, off):
    found = scores_on_the_sample(in_float64)
    assert {one.scores.dtype for one in found} == {np.dtype(kind)}
    np.testing.assert_allclose(exact_scores(found, len(sample()[0])), plain_cosines_of_the_sample(), rtol=0, atol=off)


@kinds(1e-6, 1e-4)
@pytest.mark.parametrize(
    ("letters", "texts", "fitted", "dimensions"),
    [
        *((60, 20, 20, 5), (60, 60, 30, 12), (60, 120, 40, 39), (60, 150, 120, 64)),  # more columns than rows
        *((6, 150, 120, 12), (6, 150, 120, 35), (4, 60, 17, 9)),  # 36, or 16, columns
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_cosines_are_those_of_the_plain_pipeline(
    in_float64, kind, off, letters, texts, fitted, dimensions, seed, monkeypatch
):
    monkeypatch.setattr(lsa, "IN_FLOAT64", in_float64)
    everything, queries = drawn(seed, texts, letters), drawn(seed + 100, 7, letters)
    rows = np.sort(np.random.default_rng(seed).permutation(texts)[:fitted])
    of_texts, of_queries = lsa_vectors(everything, queries, rows, dimensions, seed)
    assert of_texts.dtype == of_queries.dtype == kind
    expected = plain_cosines(everything, queries, rows, dimensions, seed)
    np.testing.assert_allclose(of_queries @ of_texts.T, expected, rtol=0, atol=off)


@pytest.mark.parametrize(("count", "kind"), [(5, np.float64), (6, np.float32)])
def test_vectors_are_float32_where_many_are_fitted(count, kind, monkeypatch):
    monkeypatch.setattr(lsa, "IN_FLOAT64", 5)
    for dimensions in (3, 0):
        found = lsa_vectors(drawn(0, 9), ["一丁"], np.arange(count), dimensions)
        assert [vectors.dtype for vectors in found] == [kind, kind]


def test_scores_are_those_of_the_full_decomposition_on_the_sample():
    texts = sample()[0]
    expected, _ = full_cosines(*sample())
    np.testing.assert_allclose(exact_scores(scores_on_the_sample(10**9), len(texts)), expected, atol=1e-7)


def test_another_seed_changes_no_score_on_the_sample():
    other = scores_of(*sample(), seed=1)
    np.testing.assert_allclose(other, exact_scores(scores_on_the_sample(10**9), other.shape[1]), rtol=0, atol=1e-9)


# Fitted rows of a rank below the dimensions


def in_the_full_space(texts, queries, fitted, dimensions, kind, off):
    """Vectors, and how many dimensions of weight there are."""
    of_texts, of_queries = lsa_vectors(texts, queries, fitted, dimensions)
    assert of_texts.dtype == of_queries.dtype == kind
    assert np.isfinite(of_texts).all()
    assert np.isfinite(of_queries).all()
    expected, rank_of_rows = full_cosines(texts, queries, fitted, dimensions)
    assert of_texts.shape[1] == of_queries.shape[1] == rank_of_rows
    np.testing.assert_allclose(of_queries @ of_texts.T, expected, rtol=0, atol=off)
    return of_texts, of_queries, rank_of_rows


@kinds(1e-9, 1e-5)
@pytest.mark.parametrize(
    ("letters", "different", "copies", "dimensions"),
    [
        *((60, 6, 5, 128), (60, 1, 9, 128), (60, 10, 2, 19)),  # more columns than rows
        *((5, 6, 20, 24), (5, 6, 20, 9), (3, 2, 8, 8)),  # 25, or 9, columns of the letters that are fitted
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_directions_of_no_weight_are_no_dimensions(
    in_float64, kind, off, letters, different, copies, dimensions, seed, monkeypatch
):
    """Also what is not fitted lies in the space, but for texts of other letters, which share nothing with it."""
    monkeypatch.setattr(lsa, "IN_FLOAT64", in_float64)
    fitted = np.arange(different * copies)
    texts = drawn(seed, different, letters) * copies + drawn(seed + 200, 3, letters) + drawn(seed, 3, 60, 0x7E00)
    queries = drawn(seed + 100, 7, letters) + drawn(seed + 1, 2, 60, 0x7E00)
    of_texts, of_queries, rank_of_rows = in_the_full_space(texts, queries, fitted, dimensions, kind, off)
    assert rank_of_rows == different
    assert not of_texts[-3:].any()
    assert not of_queries[-2:].any()
    np.testing.assert_allclose(np.linalg.norm(of_texts[fitted], axis=1), 1, rtol=0, atol=1e-6)


@kinds(1e-9, 1e-5)
@pytest.mark.parametrize("fitted", [["ab"], ["abc", "ab", "xabc"], ["abcabd"], ["ab", "", "a"]], ids=" ".join)
def test_fitted_rows_may_hold_fewer_features_than_there_are_dimensions(in_float64, kind, off, fitted, monkeypatch):
    monkeypatch.setattr(lsa, "IN_FLOAT64", in_float64)
    texts = fitted * 6 + drawn(0, 20) + ["abx", "cdab"]
    in_the_full_space(texts, ["ab", "abc", *drawn(1, 2)], np.arange(len(fitted) * 6), 128, kind, off)


@kinds(0, 0)
def test_fitted_rows_without_2_characters_share_nothing_with_any_text(in_float64, kind, off, monkeypatch):
    monkeypatch.setattr(lsa, "IN_FLOAT64", in_float64)
    scores = scores_of(["", "あ", "い", *BILLS], [BILLS[0], "あ"], [0, 1, 2], dimensions=2)
    assert scores.tolist() == [[off] * 6] * 2


@kinds(0, 0)
@pytest.mark.parametrize("dimensions", [3, 9])
def test_the_same_seed_gives_the_same_vectors(in_float64, kind, off, dimensions, monkeypatch):
    """Although every direction weighs the same, so that any three of them would be right, or none is left for 9."""
    monkeypatch.setattr(lsa, "IN_FLOAT64", in_float64)
    texts = ["返品の受付", "支払い方法", "配送状況", "会員登録", "あいうえ", "かきくけこ", "さしすせそ"] * 6
    once, *again = (lsa_vectors(texts, texts[:7], np.arange(42), dimensions) for _ in range(5))
    assert once[0].dtype == kind
    for other in again:
        np.testing.assert_array_equal(once[0], other[0])
        np.testing.assert_array_equal(once[1], other[1])


# Scores


@pytest.mark.parametrize("in_float64", [10**9, 0], ids=["float64", "float32"])
def test_exact_scores_of_some_are_those_among_all_and_equal_texts_have_equal_ones(in_float64, monkeypatch):
    monkeypatch.setattr(lsa, "IN_FLOAT64", in_float64)
    texts = drawn(1, 90)
    texts += texts[::-1]
    asked = list(cosine_scores(*lsa_vectors(texts, drawn(2, 5), np.arange(60), 20)))
    for one in asked:
        every = one.exact(np.arange(180))
        assert every.tolist() == every[::-1].tolist()
        some = np.random.default_rng(0).permutation(180)[:31]
        assert one.exact(some).tolist() == every[some].tolist()
        assert one.exact(some[:0]).tolist() == []


@pytest.mark.parametrize("in_float64", [10**9, 0], ids=["float64", "float32"])
def test_ranking_by_what_is_near_is_ranking_by_the_exact_scores(in_float64):
    for one in scores_on_the_sample(in_float64):
        ranking, scores = rank(one, lambda ranking: 100 if len(ranking) >= 100 else None)
        expected, exact = rank(one.exact(np.arange(len(one.scores))), lambda ranking: None)
        assert len(ranking) == 100
        assert ranking.tolist() == expected[:100].tolist()
        assert scores.tolist() == exact[:100].tolist()


def test_scores_of_many_queries_are_those_of_each():
    texts, queries = drawn(3, 30), drawn(4, 2 * BLOCK + 3)
    together = scores_of(texts, queries, range(30), dimensions=10)
    for number in (0, BLOCK - 1, BLOCK, 2 * BLOCK, 2 * BLOCK + 2):
        (alone,) = scores_of(texts, [queries[number]], range(30), dimensions=10)
        assert together[number].tolist() == pytest.approx(alone.tolist(), rel=0, abs=1e-12)


def test_no_queries_have_no_scores():
    assert list(cosine_scores(*lsa_vectors(BILLS, [], np.arange(3)))) == []


BILLS = ["請求書の再発行", "支払い方法", "退会の手続き"]


@pytest.mark.parametrize(
    ("texts", "fitted", "asked", "dimensions"),
    [
        (["あい", "かき"], [0, 1], 100, 1),  # 2 features, 2 fitted
        (BILLS, [0, 1, 2], 100, 2),  # 3 fitted
        (BILLS, [0, 2], 100, 1),
        (BILLS * 2, [0, 1, 2], 1, 1),
        (["あいうえ", "あいうか", "うえかあ", "いうえか"], [0, 1, 2, 3], 3, 3),
        (["あいあい", "いあ", "あい"], [0, 1, 2], 100, 1),  # 2 features
    ],
)
def test_dimensions_are_those_asked_for_the_features_and_the_fitted_allow(texts, fitted, asked, dimensions):
    of_texts, of_queries = lsa_vectors(texts, ["あい"], np.array(fitted), asked)
    assert of_texts.shape == (len(texts), dimensions)
    assert of_queries.shape == (1, dimensions)


@pytest.mark.parametrize(
    ("texts", "fitted"),
    [(["請求書の控え", "請求先の変更", "退会"], [0]), (["あい", "あい", "う"], [0, 1, 2])],
    ids=["one fitted", "one feature"],
)
def test_without_dimensions_scores_are_plain_tfidf_cosines(texts, fitted):
    matrix, asked = tfidf(texts, ["請求書の変更", "あい", "天気"])
    expected = (asked @ matrix.T).toarray()
    assert expected.max() > 0.3
    np.testing.assert_allclose(scores_of(texts, ["請求書の変更", "あい", "天気"], fitted), expected, atol=1e-12)


def test_an_unknown_query_scores_zero_and_retrieves_nothing():
    assert scores_of(BILLS, ["天気予報", ""], [0, 1, 2], dimensions=2).tolist() == [[0, 0, 0], [0, 0, 0]]
    for scores in cosine_scores(*lsa_vectors(BILLS, ["天気予報", ""], np.arange(3), dimensions=2)):
        assert scores.scores.tolist() == [0, 0, 0]
        assert len(rank(scores, lambda ranking: None)[0]) == 0


def test_a_text_of_one_character_is_the_zero_vector_and_the_others_are_unit():
    of_texts, _ = lsa_vectors([*BILLS, "あ"], ["請求"], np.array([0, 1, 2, 3]))
    assert np.linalg.norm(of_texts, axis=1).tolist() == pytest.approx([1, 1, 1, 0], abs=1e-12)
    assert of_texts[3].tolist() == [0] * of_texts.shape[1]


@pytest.mark.parametrize("texts", [["あ"], ["", "あ", "い"]])
def test_no_text_of_two_characters_means_that_all_scores_are_zero(texts):
    assert scores_of(texts, ["あい", ""], range(len(texts))).tolist() == [[0] * len(texts)] * 2


def test_only_the_60000_most_frequent_bigrams_are_features():
    often = "".join(map(chr, range(0x20000, 0x20000 + 60001)))  # 60,000 different 2-grams
    _, of_queries = lsa_vectors([often, often, "ab"], ["ab", often[:9]], np.arange(3))
    assert np.linalg.norm(of_queries, axis=1).tolist() == pytest.approx([0, 1])


# sha256 of 0:a:0 starts with 3249, of 0:a:400 19ef, of 0:a:800 a0a2, of 0:b:0 56b7, of 0:b:400 2502;
# with seed 1 the five start with 4887, 98ea, 71ff, 3083 and 2084.
PLACES = [("a", 0), ("a", 400), ("a", 800), ("b", 0), ("b", 400)]


@pytest.mark.parametrize(
    ("seed", "count", "rows"),
    [(0, 1, [1]), (0, 2, [1, 4]), (0, 3, [0, 1, 4]), (0, 4, [0, 1, 3, 4]), (0, 9, [0, 1, 2, 3, 4]), (1, 2, [3, 4])],
)
def test_fitted_rows_are_those_of_smallest_hash_in_order(seed, count, rows):
    assert fitted_rows(*zip(*PLACES, strict=True), seed, count).tolist() == rows


def test_a_chunk_without_a_place_goes_by_its_number_in_its_article():
    # 0:a:0 3249, 0:a:1 41d8, 0:b:0 56b7, 0:b:1 40b0, 0:a:2 7a1d
    doc_ids = ["a", "a", "b", "b", "a"]
    assert [fitted_rows(doc_ids, [None] * 5, 0, count).tolist() for count in (1, 2, 3, 4)] == [
        [0],
        [0, 3],
        [0, 1, 3],
        [0, 1, 2, 3],
    ]


def test_6000_rows_are_fitted_at_most():
    starts = range(6100)
    key = {start: hashlib.sha256(f"7:d:{start}".encode()).hexdigest() for start in starts}
    rows = fitted_rows(["d"] * 6100, list(starts), 7)
    assert FITTED == len(rows) == 6000
    assert rows.tolist() == sorted(sorted(starts, key=key.__getitem__)[:6000])
