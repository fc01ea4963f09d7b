"""2-grams as scikit-learn cuts them, and BM25 over them."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from chunkgrid.bm25 import BLOCK, bm25_scores
from chunkgrid.ngrams import bigram_codes, count_matrix

ODD = ["", "a", "İ", "İI", "A B", "a  b", "a\n\n b", "\n\n", "\u3000 \u3000", "あ\u00a0\u2003い", "𠮷野家", "ẞß"]
ODD += ["\U0001f468\u200d\U0001f469\u200d\U0001f467", "\ud800a", "aaaa"]
characters = st.one_of(st.sampled_from("aAbB あい\n\t\u3000İ𠮷"), st.characters())
some_texts = st.lists(st.one_of(st.sampled_from(ODD), st.text(characters, max_size=30)), max_size=8)


def spelt(codes):
    return [chr(code >> 21) + chr(code & 0x1FFFFF) for code in codes.tolist()]


def vectorizer():
    return CountVectorizer(analyzer="char", ngram_range=(2, 2))


def sklearn_counts(texts):
    try:
        fitted = vectorizer().fit(texts)
    except ValueError:  # no text has two characters
        return [], np.zeros((len(texts), 0))
    return fitted.get_feature_names_out().tolist(), fitted.transform(texts).toarray()


@given(some_texts)
@example(ODD)
@settings(max_examples=200)
def test_bigrams_are_sklearns_one_by_one(texts):
    codes, lengths = bigram_codes(texts)
    analyze = vectorizer().build_analyzer()
    theirs = [analyze(text) for text in texts]
    assert spelt(codes) == [bigram for bigrams in theirs for bigram in bigrams]
    assert lengths.tolist() == [len(bigrams) for bigrams in theirs]


@given(some_texts)
@example(ODD)
@settings(max_examples=100)
def test_counts_are_sklearns(texts):
    codes, lengths = bigram_codes(texts)
    vocabulary = np.unique(codes)
    names, counts = sklearn_counts(texts)
    assert spelt(vocabulary) == names
    np.testing.assert_array_equal(count_matrix(codes, lengths, vocabulary).toarray(), counts)


@pytest.mark.parametrize(
    ("text", "bigrams"),
    [
        ("ABa", ["ab", "ba"]),
        ("a \n\t b", ["a ", " b"]),
        ("a\nb", ["a\n", "\nb"]),  # one newline alone stays what it is
        ("İ", ["i\u0307"]),  # lower case has two characters
        ("𠮷あ", ["𠮷あ"]),
        ("あ", []),
        ("", []),
    ],
)
def test_bigrams_by_hand(text, bigrams):
    assert spelt(bigram_codes([text])[0]) == bigrams


def test_no_bigram_reaches_from_one_text_into_the_next():
    codes, lengths = bigram_codes(["ab", "", "c", "de", ""])
    assert spelt(codes) == ["ab", "de"]
    assert lengths.tolist() == [1, 0, 0, 1, 0]


def test_counts_leave_out_what_the_vocabulary_does_not_hold():
    codes, lengths = bigram_codes(["abab", "bc", "zz"])
    vocabulary = np.unique(bigram_codes(["ab", "bc"])[0])
    assert count_matrix(codes, lengths, vocabulary).toarray().tolist() == [[2, 0], [0, 1], [0, 0]]


def plain_bm25(texts, queries, k1, b):
    names, counts = sklearn_counts(texts)
    column = {name: number for number, name in enumerate(names)}
    lengths, analyze = counts.sum(axis=1), vectorizer().build_analyzer()
    scores = np.zeros((len(queries), len(texts)))
    for row, query in enumerate(queries):
        for bigram in sorted(set(analyze(query)) & set(names)):
            tf = counts[:, column[bigram]]
            df = np.count_nonzero(tf)
            idf = np.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
            norm = k1 * (1 - b + b * lengths / lengths.mean())
            held = tf > 0
            scores[row, held] += idf * tf[held] * (k1 + 1) / (tf[held] + norm[held])
    return scores


def scores_of(texts, queries, **parameters):
    return np.array(list(bm25_scores(texts, queries, **parameters))).reshape(len(queries), len(texts))


words = st.text(st.sampled_from("ab あい\nB"), max_size=20)


@given(
    st.lists(words, min_size=1, max_size=8),
    st.lists(words, max_size=5),
    st.sampled_from([(1.2, 0.75), (0.0, 0.0), (1.5, 1.0), (2.0, 0.3)]),
)
@settings(max_examples=150)
def test_bm25_is_the_plain_computation(texts, queries, k1_and_b):
    k1, b = k1_and_b
    np.testing.assert_allclose(
        scores_of(texts, queries, k1=k1, b=b), plain_bm25(texts, queries, k1, b), rtol=1e-9, atol=0
    )


# Three texts of the 2-grams [ab, bc], [ab], [cd]: N = 3, df = 2, idf = ln 1.6 = 0.4700036292, mean length 4/3.
HAND = ["abc", "ab", "cd"]


@pytest.mark.parametrize(
    ("parameters", "scores"),
    [
        ({"k1": 1.5, "b": 0.75}, [0.383676432, 0.529581554, 0.0]),
        # 0.4700036292 x 2.2 / (1 + 1.2 (0.25 + 0.75 x 1.5)) and / (1 + 1.2 (0.25 + 0.75 x 0.75))
        ({}, [0.390191692, 0.523548346, 0.0]),
        ({"k1": 0.0}, [0.470003629, 0.470003629, 0.0]),
    ],
)
def test_bm25_by_hand(parameters, scores):
    assert scores_of(HAND, ["ab"], **parameters)[0].tolist() == pytest.approx(scores, abs=1e-9)


def test_a_bigram_that_a_query_repeats_counts_once():
    once, repeated = scores_of(HAND, ["ab", "ababab"])  # no text holds "ba"
    assert repeated.tolist() == once.tolist()
    assert once[0] > 0


@pytest.mark.parametrize(
    ("texts", "query", "scores"),
    [
        (["abc", "abd", "abe"], "ab", [0.1335313926] * 3),  # in every text: ln(1 + 0.5 / 3.5), still above 0
        (["ww", "ww", "qq", "zz"], "ww", [0.6931471806, 0.6931471806, 0, 0]),  # in half of them: ln 2
        (["aaa", "bbb"], "aa", [0.9530773733, 0]),  # tf = 2: ln 2 x 2 x 2.2 / (2 + 1.2)
        (["請求書の再発行", "支払い方法の変更", "退会の手続き"], "天気予報", [0, 0, 0]),
        (["", "あ", "請求"], "請求", [0, 0, 0.5394560892]),  # idf ln 8/3; mean length 1/3: 2.2 / (1 + 3)
        (["", "あ"], "請求", [0, 0]),
    ],
)
def test_bm25_of_common_repeated_and_unknown_bigrams(texts, query, scores):
    assert scores_of(texts, [query])[0].tolist() == pytest.approx(scores, abs=1e-9)


def test_bm25_of_many_queries_is_that_of_each():
    texts = ["abcab", "bca", "ccc", "ab"]
    queries = [one + other for one in "abc" for other in "abc"] * 15
    assert len(queries) > 2 * BLOCK
    np.testing.assert_array_equal(
        scores_of(texts, queries), np.vstack([scores_of(texts, [query]) for query in queries])
    )


def test_bm25_of_no_texts_or_no_queries_is_nothing():
    assert [row.tolist() for row in bm25_scores([], ["ab"])] == [[]]
    assert list(bm25_scores(["ab"], [])) == []
