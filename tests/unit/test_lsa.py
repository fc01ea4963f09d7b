"""Latent semantic analysis against the plain computation."""

import hashlib
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

from chunkgrid.articles import read_article
from chunkgrid.lsa import FITTED, fitted_rows, lsa_scores, lsa_vectors
from chunkgrid.retrieval import rank

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


def scores_of(texts, queries, fitted, **parameters):
    return np.array(list(lsa_scores(texts, queries, np.array(fitted), **parameters)))


def test_vectors_are_those_of_the_plain_pipeline_on_the_sample():
    texts, queries, fitted = sample()
    matrix, asked = tfidf(texts, queries)
    svd = TruncatedSVD(128, algorithm="arpack", random_state=0).fit(matrix[fitted])
    ours = lsa_vectors(texts, queries, fitted)
    for vectors, expected in zip(ours, (svd.transform(matrix), svd.transform(asked)), strict=True):
        assert vectors.shape == (expected.shape[0], 128)
        assert vectors.dtype == np.float64
        np.testing.assert_allclose(vectors, normalize(expected), atol=1e-9)


def test_scores_are_those_of_the_full_decomposition_on_the_sample():
    texts, queries, fitted = sample()
    matrix, asked = tfidf(texts, queries)
    axes = np.linalg.svd(matrix[fitted].toarray(), full_matrices=False)[2][:128].T
    expected = normalize(asked @ axes) @ normalize(matrix @ axes).T
    np.testing.assert_allclose(scores_of(texts, queries, fitted), expected, atol=1e-7)


def test_another_seed_changes_no_score_on_the_sample():
    texts, queries, fitted = sample()
    np.testing.assert_allclose(
        scores_of(texts, queries, fitted, seed=1), scores_of(texts, queries, fitted, seed=2), atol=1e-9
    )


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
    scores = scores_of(BILLS, ["天気予報", ""], [0, 1, 2], dimensions=2)
    assert scores.tolist() == [[0, 0, 0], [0, 0, 0]]
    assert len(rank(scores[0], lambda ranking: True)[0]) == 0


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
