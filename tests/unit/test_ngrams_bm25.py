"""2-grams as scikit-learn cuts them, and BM25 over them."""

import re
from collections import Counter
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from chunkgrid import ngrams
from chunkgrid.bm25 import bm25_scores
from chunkgrid.code_points import COUNT, SPACE, code_points
from chunkgrid.ngrams import DOTTED, LOWER, SIGMA, Alphabet, Characters, Vocabulary, characters, counts_of, own_counts

ODD = ["", "a", "İ", "İI", "A B", "a  b", "a\n\n b", "\n\n", "\u3000 \u3000", "あ\u00a0\u2003い", "𠮷野家", "ẞß"]
ODD += ["\U0001f468\u200d\U0001f469\u200d\U0001f467", "\ud800a", "aaaa", "ΑΣ", "ΣΑ", "Σ", "ΑΣ Β", "Α.Σ\n"]
# What one text ends with and the next begins with: white space, and what a Σ hangs on.
EDGES = ["a \u3000", "\n\n", " b", "", "\u2003", "Α", "Σ", "Α ", "Σ", "  ", "\ud83d", "\ude42"]
signs = st.one_of(st.sampled_from("aAbB あい\n\t\x1c\x85\u2003\u3000İΣΑς𠮷🙂\ud800\udc00"), st.characters())
some_texts = st.lists(st.one_of(st.sampled_from(ODD + EDGES), st.text(signs, max_size=30)), max_size=8)
few = st.lists(st.text(st.sampled_from("ab あ\n\u3000İΣ"), max_size=12), max_size=6)
tables_of_pairs = pytest.mark.parametrize("table", [1 << 26, 0], ids=["a table of all pairs", "a search"])


def spelt(codes, alphabet):
    letters = list(map(chr, alphabet.points.tolist()))
    return [letters[code // len(letters)] + letters[code % len(letters)] for code in codes.tolist()]


def of_each(values, bounds):
    """What belongs to each text."""
    return [values[begin:end] for begin, end in pairwise(bounds.tolist())]


def bigrams(texts, alphabet=None):
    """The 2-grams of each text; of an alphabet, if one is given."""
    found = characters(texts)
    alphabet = alphabet or Alphabet.of([found])
    return [spelt(own[own >= 0], alphabet) for own in of_each(alphabet.pairs(found), found.bounds)]


def names_of(vocabulary):
    return spelt(vocabulary.codes, vocabulary.alphabet)


def counted(texts, vocabulary):
    """How often each text holds each 2-gram of a vocabulary."""
    found = characters(texts)
    return vocabulary.count(vocabulary.alphabet.pairs(found), found.bounds)


@contextmanager
def patched(**values):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in values.items():
            patch.setattr(ngrams, name, value)
        yield


def vectorizer(**parameters):
    return CountVectorizer(analyzer="char", ngram_range=(2, 2), **parameters)


def analyzed(texts):
    analyze = vectorizer().build_analyzer()
    return [analyze(text) for text in texts]


def sklearn_counts(texts, **parameters):
    try:
        fitted = vectorizer(**parameters).fit(texts)
    except ValueError:  # no text has two characters
        return [], np.zeros((len(texts), 0))
    return fitted.get_feature_names_out().tolist(), fitted.transform(texts).toarray()


# Characters


@given(some_texts)
@example(ODD)
@example(EDGES)
@settings(max_examples=300)
def test_characters_are_those_that_sklearns_analyzer_sees(texts):
    found = characters(texts)
    assert (found.points.dtype, found.bounds.dtype) == (np.uint32, np.int64)
    seen = [re.sub(r"\s\s+", " ", text.lower()) for text in texts]
    assert of_each("".join(map(chr, found.points.tolist())), found.bounds) == seen
    assert found.bigrams.tolist() == [max(len(text) - 1, 0) for text in seen]
    assert Alphabet.of([found]).points.tolist() == sorted({ord(sign) for text in seen for sign in text})


@given(st.lists(st.text("ΑΣσ İb.'\u0301\n", max_size=9), max_size=8))
@settings(max_examples=300)
def test_letters_without_one_lower_case_are_lowered_as_in_their_text_alone(texts):
    """A Σ hangs on what is around it, white space and marks apart; an İ moves all that is behind it."""
    seen = [re.sub(r"\s\s+", " ", text.lower()) for text in texts]
    for held in (texts, pa.array(texts, pa.string())):
        found = characters(held)
        assert of_each("".join(map(chr, found.points.tolist())), found.bounds) == seen


@pytest.mark.parametrize(
    ("texts", "seen"),
    [
        (["ΑΣ", "Α"], ["ας", "α"]),  # a word's end is also that of a text, whatever comes next
        (["Α", "Σ"], ["α", "σ"]),  # and no word goes on from the text before
        (["ΑΣ", ".Α"], ["ας", ".α"]),
        (["İ", "a"], ["i\u0307", "a"]),
        (["ΑΣ", "İΣ", "Σ", "ΣİΣΑ"], ["ας", "i\u0307ς", "σ", "σi\u0307σα"]),
        (["b", "ΑΣ", "", "Σ"], ["b", "ας", "", "σ"]),
        (["a ", " b"], ["a ", " b"]),  # white space folds within a text alone
        (["a \n", "\n b"], ["a ", " b"]),
        (["\n", "\t", "\u3000"], ["\n", "\t", "\u3000"]),
        (["\n\n", "", "\t\t"], [" ", "", " "]),
        (["\ud83d", "\ude42"], ["\ud83d", "\ude42"]),  # halves of one sign, each in a text of its own
        ([], []),
        (["", ""], ["", ""]),
    ],
)
def test_characters_by_hand(texts, seen):
    found = characters(texts)
    assert of_each(list(map(chr, found.points.tolist())), found.bounds) == list(map(list, seen))


def test_white_space_is_what_the_analyzer_takes_for_it():
    every = "".join(f"x{chr(point)}{chr(point)}" for point in range(0x110000))
    seen = re.sub(r"\s\s+", " ", every.lower()).encode("utf-32-le", "surrogatepass")
    assert characters([every]).points.tobytes() == seen


EVERY = list(map(chr, range(COUNT)))


def test_white_space_is_pythons():
    assert len(SPACE) == len(EVERY) == 0x110000
    assert SPACE.tolist() == [sign.isspace() for sign in EVERY]


def test_code_points_are_pythons():
    assert code_points("a\0あ𠮷\ud800\udc00").tolist() == [97, 0, 0x3042, 0x20BB7, 0xD800, 0xDC00]
    np.testing.assert_array_equal(code_points("".join(EVERY)), np.arange(COUNT))


PLAIN = [sign for sign in EVERY if sign not in (DOTTED, SIGMA)]


def test_the_lower_case_of_every_code_point_is_pythons():
    assert (LOWER.dtype, len(LOWER)) == (np.uint32, COUNT)
    assert LOWER[list(map(ord, PLAIN))].tolist() == [ord(sign.lower()) for sign in PLAIN]


@pytest.mark.parametrize("between", ["", "Α", " ", "Α ", ".Α\u0301"])
def test_no_letter_but_two_lacks_one_lower_case(between):
    """Whatever stands around it: so no table of code points could say what these two become."""
    assert between.join(PLAIN).lower() == between.lower().join(map(str.lower, PLAIN))
    assert len(DOTTED.lower()) == 2
    assert {f"Α{SIGMA}".lower(), f"{SIGMA}Α".lower()} == {"ας", "σα"}


# Arrow arrays

KINDS = [pa.string(), pa.large_string()]
sound_texts = st.lists(
    st.text(st.one_of(st.sampled_from("aB \n\u3000İΣあ𠮷🙂"), st.characters(exclude_categories=["Cs"])), max_size=12),
    max_size=8,
)


def same(one, other):
    np.testing.assert_array_equal(one.points, other.points)
    np.testing.assert_array_equal(one.bounds, other.bounds)


@pytest.mark.parametrize("kind", KINDS, ids=str)
@given(texts=sound_texts)
@settings(max_examples=100)
def test_an_arrow_array_is_read_as_a_list_is(kind, texts):
    same(characters(pa.array(texts, kind)), characters(texts))


@pytest.mark.parametrize("kind", KINDS, ids=str)
@given(texts=sound_texts, data=st.data())
@settings(max_examples=100)
def test_a_slice_of_an_arrow_array_is_read_as_a_list_is(kind, texts, data):
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(texts))] * 2)))
    held = pa.array(texts, kind).slice(first, last - first)
    same(characters(held), characters(texts[first:last]))
    within = data.draw(st.integers(0, len(held)))  # a slice of a slice
    same(characters(held.slice(within)), characters(texts[first:last][within:]))


@pytest.mark.parametrize("kind", KINDS, ids=str)
@given(texts=sound_texts, data=st.data())
@settings(max_examples=100)
def test_a_chunked_arrow_array_is_read_as_a_list_is(kind, texts, data):
    edges = sorted(data.draw(st.lists(st.integers(0, len(texts)), max_size=4)))
    whole = pa.array(texts, kind)
    parts = [(begin, end) for begin, end in pairwise([0, *edges, len(texts)])]
    copied = pa.chunked_array([pa.array(texts[begin:end], kind) for begin, end in parts], kind)
    same(characters(copied), characters(texts))
    sliced = pa.chunked_array([whole.slice(begin, end - begin) for begin, end in parts], kind)
    same(characters(sliced), characters(texts))
    first = data.draw(st.integers(0, len(texts)))
    same(characters(sliced.slice(first)), characters(texts[first:]))


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("texts", [[], [""], ["", ""], ["a", "", "b"]])
def test_empty_arrow_arrays_and_texts(kind, texts):
    for held in (pa.array(texts, kind), pa.chunked_array([texts], kind), pa.chunked_array([[], texts, []], kind)):
        same(characters(held), characters(texts))
    same(characters(pa.chunked_array([], kind)), characters([]))


# 2-grams


@given(some_texts)
@example(ODD)
@example(EDGES)
@settings(max_examples=300)
def test_bigrams_are_sklearns_one_by_one(texts):
    assert bigrams(texts) == analyzed(texts)
    assert characters(texts).bigrams.tolist() == [len(own) for own in analyzed(texts)]


@given(some_texts, few)
@settings(max_examples=200)
def test_bigrams_of_an_alphabet_are_those_of_which_it_holds_both_characters(texts, others):
    alphabet = Alphabet.of([characters(others)])
    letters = set(map(chr, alphabet.points.tolist()))
    assert bigrams(texts, alphabet) == [[bigram for bigram in own if set(bigram) <= letters] for own in analyzed(texts)]


@given(some_texts, few)
@settings(max_examples=200)
def test_every_two_neighbours_have_a_code_or_none(texts, others):
    """None where the alphabet lacks one of them, and where a text ends."""
    alphabet = Alphabet.of([characters(others)])
    place = {point: number for number, point in enumerate(alphabet.points.tolist())}
    found = characters(texts)
    expected = []
    for own in of_each(found.points.tolist(), found.bounds):
        for pair in pairwise(own):
            first, second = (place.get(point, -1) for point in pair)
            expected.append(-1 if first < 0 or second < 0 else first * len(place) + second)
        expected += [-1] * bool(own)
    assert alphabet.pairs(found).tolist() == expected[:-1]


@given(some_texts)
def test_sorted_codes_are_sorted_bigrams(texts):
    vocabulary = Vocabulary.of(texts)
    assert vocabulary.codes.tolist() == sorted(set(vocabulary.codes.tolist()))
    assert names_of(vocabulary) == sorted({bigram for own in analyzed(texts) for bigram in own})


@given(some_texts, some_texts)
def test_an_alphabet_of_several_is_that_of_all_together(texts, others):
    points = Alphabet.of(map(characters, (texts, others))).points.tolist()
    assert points == sorted({point for some in (texts, others) for point in characters(some).points.tolist()})


@pytest.mark.parametrize(
    ("text", "found"),
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
def test_bigrams_by_hand(text, found):
    assert bigrams([text]) == [found]


def test_no_bigram_reaches_from_one_text_into_the_next():
    assert bigrams(["ab", "", "c", "de", ""]) == [["ab"], [], [], ["de"], []]
    assert characters(["ab", "", "c", "de", ""]).bigrams.tolist() == [1, 0, 0, 1, 0]


# Counts


def as_sklearns(counts, expected):
    """Equal, an entry for each 2-gram that a text holds, ascending: document frequencies are read off that."""
    np.testing.assert_array_equal(counts.toarray(), expected)
    assert counts.format == "csr"
    assert counts.dtype == np.int32
    assert (counts.data > 0).all()
    assert all(sorted(set(own.tolist())) == own.tolist() for own in of_each(counts.indices, counts.indptr))


@tables_of_pairs
@given(texts=some_texts)
@example(texts=ODD)
@example(texts=EDGES)
@settings(max_examples=150)
def test_counts_are_sklearns(table, texts):
    with patched(_TABLE=table):
        vocabulary = Vocabulary.of(texts)
        counts = counted(texts, vocabulary)
    names, expected = sklearn_counts(texts)
    assert names_of(vocabulary) == names
    as_sklearns(counts, expected)


def of_vocabulary(names, texts):
    return (
        vectorizer(vocabulary=names).transform(texts).toarray()
        if names and texts
        else np.zeros([len(texts), len(names)])
    )


@tables_of_pairs
@given(texts=some_texts, others=st.one_of(few, some_texts))
@settings(max_examples=150)
def test_counts_of_a_vocabulary_of_other_texts_are_sklearns(table, texts, others):
    """As queries are counted in what texts hold, and texts in what queries ask for."""
    with patched(_TABLE=table):
        vocabulary = Vocabulary.of(others)
        counts = counted(texts, vocabulary)
    names, _ = sklearn_counts(others)
    assert names_of(vocabulary) == names
    as_sklearns(counts, of_vocabulary(names, texts))


@tables_of_pairs
@given(texts=some_texts, data=st.data())
@settings(max_examples=100)
def test_counts_leave_out_what_the_vocabulary_does_not_hold(table, texts, data):
    with patched(_TABLE=table):
        every = Vocabulary.of(texts)
        chosen = np.flatnonzero(data.draw(st.lists(st.booleans(), min_size=len(every), max_size=len(every))))
        some = Vocabulary(every.alphabet, every.codes[chosen])
        before = counted(texts, every)
        every.keep(chosen)
    names = names_of(some)
    for vocabulary in (some, every):  # it makes no difference whether others have been in it
        assert (len(vocabulary), names_of(vocabulary)) == (len(chosen), names)
        as_sklearns(counted(texts, vocabulary), of_vocabulary(names, texts))
    np.testing.assert_array_equal(counted(texts, every).toarray(), before.toarray()[:, chosen])


@tables_of_pairs
@given(st.integers(1, 40), st.integers(0, 2**32))
@settings(max_examples=100)
def test_codes_are_numbered_as_their_vocabulary_is_sorted(table, letters, seed):
    random = np.random.default_rng(seed)
    parts = [random.integers(-1, letters**2, random.integers(0, 50)) for _ in range(random.integers(0, 4))]
    codes = np.unique(random.integers(0, letters**2, random.integers(0, 50)))
    with patched(_TABLE=table):
        alphabet = Alphabet(np.arange(letters))
        vocabulary = Vocabulary(alphabet, codes)
        assert alphabet.distinct(parts).tolist() == sorted({code for part in parts for code in part.tolist()} - {-1})
    for _ in range(3):
        place = {code: number for number, code in enumerate(codes.tolist())}
        for part in parts:
            found = vocabulary.numbered(part)
            assert found.dtype == np.int32
            assert found.tolist() == [place.get(code, -1) for code in part.tolist()]
        chosen = np.flatnonzero(random.integers(0, 2, len(codes)))
        vocabulary.keep(chosen)
        codes = codes[chosen]


@tables_of_pairs
@pytest.mark.parametrize("texts", [(1 << 15) - 1, 1 << 15, (1 << 15) + 1, 40_000])
def test_counts_of_so_many_texts_that_texts_and_bigrams_take_more_than_32_bits(table, texts):
    """16 bits are what numbers of 200 x 200 2-grams take, so 2^15 texts fill 31; most of the texts are empty."""
    random = np.random.default_rng(texts)
    bounds = np.zeros(texts + 1, np.int64)
    bounds[random.integers(1, texts, 300)] = random.integers(0, 9, 300)
    bounds[[1, -1]] = 5  # the first and the last are not
    bounds = np.cumsum(bounds)
    codes = random.choice([-1, 0, 7, 39_998, 39_999], bounds[-1])
    with patched(_TABLE=table):
        counts = Vocabulary(Alphabet(np.arange(200)), np.arange(200**2)).count(codes, bounds).tocoo()
    each = enumerate(of_each(codes.tolist(), bounds))
    expected = Counter((text, code) for text, own in each for code in own if code >= 0)
    assert counts.shape == (texts, 200**2)
    assert {(text, code): count for text, code, count in zip(*counts.coords, counts.data, strict=True)} == expected


# Texts in blocks

blocks = st.sampled_from([1, 3, 10, 40, 1 << 22])
forms = st.sampled_from([list, pa.array, lambda texts: pa.chunked_array([texts[:2], texts[2:]], pa.large_string())])


def in_form(form, texts):
    return pa.array(texts, pa.large_string()) if form is pa.array else form(texts)


@tables_of_pairs
@given(texts=sound_texts, form=forms, block=blocks, most=st.sampled_from([1, 2, 5, 10**6]))
@settings(max_examples=200)
def test_counts_of_texts_in_blocks_are_sklearns(table, texts, form, block, most):
    with patched(_TABLE=table, _BLOCK=block):
        parts, vocabulary = own_counts(in_form(form, texts), most)
    names, expected = sklearn_counts(texts, max_features=most)
    assert names_of(vocabulary) == names
    assert all(part.shape[1] == len(names) for part in parts)
    assert sum(part.shape[0] for part in parts) == len(texts)
    as_sklearns(sparse.vstack([sparse.csr_array((0, len(names)), dtype=np.int32), *parts], format="csr"), expected)
    if block == 1 and sum(map(len, texts)) > len(texts):  # each in a block of its own
        assert len(parts) == len(texts)


@tables_of_pairs
@given(texts=sound_texts, others=few, form=forms, block=blocks)
@settings(max_examples=150)
def test_counts_of_a_vocabulary_and_lengths_of_texts_in_blocks_are_sklearns(table, texts, others, form, block):
    with patched(_TABLE=table, _BLOCK=block):
        counts, lengths = counts_of(in_form(form, texts), Vocabulary.of(others))
    as_sklearns(counts, of_vocabulary(sklearn_counts(others)[0], texts))
    assert lengths.tolist() == [len(own) for own in analyzed(texts)]


@pytest.mark.parametrize("texts", [[], [""], ["", ""], ["a"]])
@pytest.mark.parametrize("form", [list, pa.array])
def test_texts_without_2_characters_have_no_counts(form, texts):
    parts, vocabulary = own_counts(in_form(form, texts), 9)
    assert (sum(part.shape[0] for part in parts), len(vocabulary)) == (len(texts), 0)
    counts, lengths = counts_of(in_form(form, texts), Vocabulary.of(["ab"]))
    assert (counts.shape, counts.nnz, lengths.tolist()) == ((len(texts), 1), 0, [0] * len(texts))


def test_counts_of_an_alphabet_whose_pairs_no_32_bits_hold():
    letters = list(map(chr, range(0x20000, 0x20000 + 50_000)))
    texts = ["".join(letters[:30_000]), "".join(letters[20_000:]), letters[-1] * 4, letters[-1] + letters[-2]]
    assert len(letters) ** 2 > 1 << 31
    vocabulary = Vocabulary.of(texts)
    fitted = vectorizer().fit(texts)
    assert names_of(vocabulary) == fitted.get_feature_names_out().tolist()
    assert (counted(texts, vocabulary) != fitted.transform(texts)).nnz == 0


def test_counts_by_hand():
    texts = characters(["abab", "bc", "zz"])
    alphabet = Alphabet.of([characters(["abc"])])
    assert (alphabet.points.tolist(), alphabet.codes) == ([97, 98, 99], 9)
    codes = alphabet.pairs(texts)
    assert codes.tolist() == [1, 3, 1, -1, 5, -1, -1]  # ab ba ab, bc, nothing
    assert alphabet.distinct([codes, codes[:1], codes[:0]]).tolist() == [1, 3, 5]
    vocabulary = Vocabulary(alphabet, np.array([1, 5]))
    assert vocabulary.numbered(codes).tolist() == [0, -1, 0, -1, 1, -1, -1]
    assert vocabulary.count(codes, texts.bounds).toarray().tolist() == [[2, 0], [0, 1], [0, 0]]
    vocabulary.keep(np.array([1]))
    assert vocabulary.numbered(codes).tolist() == [-1, -1, -1, -1, 0, -1, -1]
    assert vocabulary.count(codes, texts.bounds).toarray().tolist() == [[0], [1], [0]]
    vocabulary.keep(np.array([], np.int64))
    assert vocabulary.count(codes, texts.bounds).shape == (3, 0)


@tables_of_pairs
def test_no_alphabet_means_no_bigrams(table):
    with patched(_TABLE=table):
        nothing = Vocabulary.of([])
        assert (nothing.alphabet.points.tolist(), nothing.codes.tolist()) == ([], [])
        for texts in ([], ["", ""], ["ab"]):
            codes = nothing.alphabet.pairs(characters(texts))
            assert codes.tolist() == [-1] * (len("".join(texts)) - 1)
            assert nothing.alphabet.distinct([codes]).tolist() == []
            assert counted(texts, nothing).shape == (len(texts), 0)
    assert Characters(np.zeros(0, np.uint32), np.zeros(1, np.int64)).bigrams.tolist() == []


# BM25


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
    found = list(bm25_scores(texts, queries, **parameters))
    assert all(isinstance(row, np.ndarray) for row in found)
    assert [row.shape for row in found] == [(len(texts),)] * len(queries)
    return np.array(found).reshape(len(queries), len(texts))


words = st.text(st.sampled_from("ab あい\nBİΣ\u3000𠮷"), max_size=20)


@tables_of_pairs
@given(
    texts=st.lists(words, min_size=1, max_size=8),
    queries=st.lists(words, max_size=5),
    k1_and_b=st.sampled_from([(1.2, 0.75), (0.0, 0.0), (1.5, 1.0), (2.0, 0.3)]),
)
@settings(max_examples=150)
def test_bm25_is_the_plain_computation(table, texts, queries, k1_and_b):
    k1, b = k1_and_b
    with patched(_TABLE=table):
        found = scores_of(texts, queries, k1=k1, b=b)
        with patched(_BLOCK=5):
            in_arrow = scores_of(pa.chunked_array([texts[:3], texts[3:]], pa.large_string()), queries, k1=k1, b=b)
    np.testing.assert_allclose(found, plain_bm25(texts, queries, k1, b), rtol=1e-9, atol=0)
    np.testing.assert_array_equal(in_arrow, found)


@given(st.lists(words, min_size=1, max_size=8), st.lists(words, min_size=1, max_size=3))
def test_equal_texts_have_equal_scores(texts, queries):
    for scores in scores_of(texts * 3, queries):
        np.testing.assert_array_equal(scores.reshape(3, -1), np.tile(scores[: len(texts)], (3, 1)))


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
    queries = [one + other for one in "abc" for other in "abcx"] * 15
    np.testing.assert_array_equal(
        scores_of(texts, queries), np.vstack([scores_of(texts, [query]) for query in queries])
    )


def test_scores_are_float64_also_where_nothing_is_found():
    assert [row.dtype for row in bm25_scores(["ab", ""], ["ab", "xy", ""])] == [np.float64] * 3


def test_bm25_of_no_texts_or_no_queries_is_nothing():
    assert [row.tolist() for row in bm25_scores([], ["ab"])] == [[]]
    assert list(bm25_scores(["ab"], [])) == []
