"""Words, against scikit-learn, and BM25 over them, against its formula."""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from chunkgrid.bm25 import bm25_scores
from chunkgrid.words import word_counts, words

TEXTS = ["The cat sat on the mat.", "A dog; the DOG's dinner", "", "cat cat cat"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The cat's 3 mats, re-used_now!", ["the", "cat", "s", "3", "mats", "re", "used_now"]),
        ("Ünder Straße 東京 タワー", ["ünder", "straße", "東京", "タワー"]),
        (" .\n", []),
    ],
)
def test_words_by_hand(text, found):
    assert words(text) == found


some = st.lists(st.text(st.sampled_from("aAbB_1 .\n'東京İΣ"), max_size=30), max_size=6)


@given(some, some)
@example(TEXTS, ["the cat", ""])
@settings(max_examples=200)
def test_counts_are_sklearns(texts, queries):
    asked, counts, lengths = word_counts(texts, queries)
    vectorizer = CountVectorizer(token_pattern=r"\w+")
    analyze = vectorizer.build_analyzer()
    vocabulary = sorted({word for query in queries for word in analyze(query)})
    assert lengths.tolist() == [len(analyze(text)) for text in texts]
    for found, of in ((asked, queries), (counts, texts)):
        assert found.shape == (len(of), len(vocabulary))
        assert found.toarray().tolist() == [[analyze(text).count(word) for word in vocabulary] for text in of]


def plain(texts, query, k1, b):
    """One score at a time."""
    tokens = [words(text) for text in texts]
    average = sum(map(len, tokens)) / len(tokens)
    scores = []
    for own in tokens:
        score = 0.0
        for word in set(words(query)) & set(own):
            frequency = sum(word in other for other in tokens)
            idf = math.log(1 + (len(texts) - frequency + 0.5) / (frequency + 0.5))
            norm = k1 * (1 - b + b * len(own) / average)
            score += idf * own.count(word) * (k1 + 1) / (own.count(word) + norm)
        scores.append(score)
    return scores


@pytest.mark.parametrize("form", [list, lambda texts: pa.chunked_array([texts[:1], texts[1:]], pa.large_string())])
@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (0.5, 1.0)])
def test_scores_are_those_of_the_formula(form, k1, b):
    queries = ["The cat and the dog", "dinner", "zebra", ""]
    found = list(bm25_scores(form(TEXTS), queries, k1, b, "word"))
    np.testing.assert_allclose(found, [plain(TEXTS, query, k1, b) for query in queries], rtol=1e-12)
    assert found[0][3] > 0  # "cat" alone
    assert not any(found[2])
    assert not any(found[3])
