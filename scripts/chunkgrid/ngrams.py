"""Character 2-grams as numbers, cut exactly as scikit-learn's character analyzer cuts them, without its strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from .code_points import COUNT, SPACE, code_points

DOTTED, SIGMA = "\u0130\u03a3"
"""Letters that have no one lower case: the first becomes two characters, the second hangs on what is around it."""


def _lower() -> np.ndarray:
    """The lower case of every code point but for those two; no letter that has one lies beyond the second plane."""
    points = np.arange(COUNT, dtype=np.uint32)
    some = np.concatenate([points[:0xD800], points[0xE000:0x20000]]).tobytes().decode("utf-32-le")
    some = some.replace(DOTTED, "").replace(SIGMA, "")
    points[code_points(some)] = code_points(some.lower())
    return points


LOWER = _lower()
_TABLE = 1 << 26
"""Entries that a table of all pairs of an alphabet may have."""
_BLOCK = 1 << 18
"""Characters (bytes, of an Arrow array) that are looked at at once: few enough to stay in the processor's cache."""

Texts: TypeAlias = Sequence[str] | Any
"""A list of texts, or an Arrow array of them, which is read from its buffer."""


@dataclass(frozen=True)
class Characters:
    """The characters of texts, one after another, as the analyzer sees them: lower case, white space folded.

    points: code points, uint32; bounds: where each text begins in them, and the end, int64, shape (texts + 1,)
    """

    points: np.ndarray
    bounds: np.ndarray

    @property
    def bigrams(self) -> np.ndarray:
        """How many 2-grams each text has, int64, shape (texts,)."""
        return np.maximum(np.diff(self.bounds) - 1, 0)


def characters(texts: Texts) -> Characters:
    """Texts to their characters. Raises nothing: what is no character, as half of a surrogate pair, is one too."""
    joined, lengths = _joined(texts)
    if DOTTED in joined:
        each = [text.lower() for text in listed(texts)]
        joined, lengths = "".join(each), np.fromiter(map(len, each), np.int64, len(each))
    bounds = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    points = LOWER[code_points(joined)]
    for number in np.unique(np.searchsorted(bounds, np.flatnonzero(points == ord(SIGMA)), side="right")).tolist():
        text = slice(*bounds[number - 1 : number + 1])
        points[text] = code_points(joined[text].lower())
    return _folded(points, bounds)


def listed(texts: Texts) -> Sequence[str]:
    """Texts as Python's."""
    return texts.to_pylist() if isinstance(texts, pa.Array | pa.ChunkedArray) else texts


def _joined(texts: Texts) -> tuple[str, np.ndarray]:
    """Texts as one, and the length of each."""
    if not isinstance(texts, pa.Array | pa.ChunkedArray):
        return "".join(texts), np.fromiter(map(len, texts), np.int64, len(texts))
    lengths = pc.utf8_length(texts).to_numpy(zero_copy_only=False).astype(np.int64)
    parts = texts.chunks if isinstance(texts, pa.ChunkedArray) else [texts]
    return "".join(_decoded(part) for part in parts), lengths


def _decoded(part: pa.Array) -> str:
    """What an array of texts holds, read from its buffer at once."""
    if not len(part):
        return ""
    part = part.cast(pa.large_string())
    _, offsets, data = part.buffers()
    bounds = np.frombuffer(offsets, np.int64)
    first, last = bounds[part.offset], bounds[part.offset + len(part)]
    return memoryview(data)[first:last].tobytes().decode("utf-8") if data is not None else ""


def _folded(points: np.ndarray, bounds: np.ndarray) -> Characters:
    """A run of white space within a text becomes one blank; a single one stays what it is."""
    space = np.flatnonzero(SPACE[points])
    follows = np.diff(space, prepend=-2) == 1
    follows &= np.diff(np.searchsorted(bounds, space, side="right"), prepend=-1) == 0  # within a text
    dropped = space[follows]
    if not len(dropped):
        return Characters(points, bounds)
    points[dropped - 1] = ord(" ")
    return Characters(np.delete(points, dropped), bounds - np.searchsorted(dropped, bounds))


class Alphabet:
    """Characters, sorted, and the 2-grams of them as codes.

    A code is the place of the first character times how many there are, plus the place of the second, so that sorted
    codes are sorted 2-grams.
    """

    def __init__(self, points: np.ndarray) -> None:
        self.points = points
        self.codes = len(points) ** 2
        self._type = np.int32 if self.codes < 1 << 31 else np.int64
        self._place = np.full(COUNT, -1, self._type)
        self._place[points] = np.arange(len(points))

    @classmethod
    def of(cls, texts: Iterable[Characters]) -> Alphabet:
        """All characters of texts."""
        seen = np.zeros(COUNT, bool)
        for some in texts:
            seen[some.points] = True
        return cls(np.flatnonzero(seen))

    def pairs(self, texts: Characters) -> np.ndarray:
        """The code of every two characters that follow one another, shape (characters - 1,), or (0,) if there are none.

        -1 where one of them is not in the alphabet, and where one text ends and the next begins.
        """
        places = self._place[texts.points]
        codes = places[:-1] * self._type(len(self.points))
        codes += places[1:]
        codes[(places[:-1] | places[1:]) < 0] = -1
        inner = texts.bounds[1:-1]
        codes[inner[(inner > 0) & (inner < len(places))] - 1] = -1
        return codes

    def distinct(self, codes: Sequence[np.ndarray]) -> np.ndarray:
        """The distinct codes, ascending, without -1."""
        if self.codes > _TABLE:
            found = np.unique(np.concatenate([np.empty(0, np.int64), *map(np.unique, codes)]))
            return found[found >= 0]
        seen = np.zeros(self.codes + 1, bool)
        for some in codes:
            seen[some] = True
        return np.flatnonzero(seen[:-1])


class Vocabulary:
    """Sorted codes of 2-grams over an alphabet, numbered through."""

    def __init__(self, alphabet: Alphabet, codes: np.ndarray) -> None:
        self.alphabet, self.codes = alphabet, codes
        self._table = None
        if alphabet.codes <= _TABLE:
            self._table = np.full(alphabet.codes + 1, -1, np.int32)  # the last is what -1 finds
            self._table[codes] = np.arange(len(codes), dtype=np.int32)

    def __len__(self) -> int:
        return len(self.codes)

    @classmethod
    def of(cls, texts: Sequence[str]) -> Vocabulary:
        """All 2-grams of texts."""
        read = characters(texts)
        alphabet = Alphabet.of([read])
        return cls(alphabet, alphabet.distinct([alphabet.pairs(read)]))

    def numbered(self, codes: np.ndarray) -> np.ndarray:
        """The number of each code, -1 where it is not in the vocabulary: int32, shape as `codes`."""
        if self._table is not None:
            return self._table[codes]
        if not len(self):
            return np.full(len(codes), -1, np.int32)
        place = np.minimum(np.searchsorted(self.codes, codes), len(self) - 1).astype(np.int32)
        return np.where(self.codes[place] == codes, place, np.int32(-1))

    def keep(self, chosen: np.ndarray) -> None:
        """Leaves only some of the 2-grams in it, by their numbers, ascending; they are numbered anew."""
        if self._table is not None:
            self._table[self.codes] = -1
            self._table[self.codes[chosen]] = np.arange(len(chosen), dtype=np.int32)
        self.codes = self.codes[chosen]

    def count(self, codes: np.ndarray, bounds: np.ndarray) -> sparse.csr_array:
        """How often each text holds each 2-gram: shape (texts, 2-grams), int32.

        `codes` are of `Alphabet.pairs`, `bounds` those of the texts.
        """
        numbers = self.numbered(codes)
        known = np.flatnonzero(numbers >= 0)
        texts, bits = len(bounds) - 1, len(self).bit_length()
        of_text = np.diff(np.searchsorted(known, bounds))
        kind: Any = np.int32 if texts << bits < 1 << 31 else np.int64
        rows = np.arange(texts, dtype=kind) << bits
        keys = np.sort(np.repeat(rows, of_text) | numbers[known])  # equal 2-grams of a text stand side by side
        begins = np.flatnonzero(np.diff(keys, prepend=-1))
        counts = np.diff(begins, append=len(keys)).astype(np.int32)
        indices = (keys[begins] & ((1 << bits) - 1)).astype(np.int32)
        ends = np.searchsorted(begins, np.concatenate([[0], np.cumsum(of_text)])).astype(np.int32)
        return sparse.csr_array((counts, indices, ends), shape=(texts, len(self)))


def counts_of(texts: Texts, vocabulary: Vocabulary) -> tuple[sparse.csr_array, np.ndarray]:
    """How often each text holds each 2-gram of a vocabulary, and how many 2-grams it has in all."""
    parts = [sparse.csr_array((0, len(vocabulary)), dtype=np.int32)]
    lengths = [np.empty(0, np.int64)]
    for block in _blocks(texts):
        read = characters(block)
        parts.append(vocabulary.count(vocabulary.alphabet.pairs(read), read.bounds))
        lengths.append(read.bigrams)
    return sparse.vstack(parts, format="csr"), np.concatenate(lengths)


def own_counts(texts: Texts, most: int) -> tuple[list[sparse.csr_array], Vocabulary]:
    """How often each text holds each of the `most` frequent 2-grams of all: in blocks of texts, and the vocabulary."""
    read = [characters(block) for block in _blocks(texts)]
    alphabet = Alphabet.of(read)
    codes = [alphabet.pairs(of_block) for of_block in read]
    bounds = [of_block.bounds for of_block in read]
    del read
    vocabulary = Vocabulary(alphabet, alphabet.distinct(codes))
    if len(vocabulary) > most:
        total = np.zeros(len(vocabulary) + 1, np.int64)
        for some in codes:
            total += np.bincount(vocabulary.numbered(some) + 1, minlength=len(total))
        # As CountVectorizer chooses among those that are equally frequent.
        vocabulary.keep(np.sort((-total[1:]).argsort()[:most]))
    parts = []
    for block, of_texts in enumerate(bounds):
        parts.append(vocabulary.count(codes[block], of_texts))
        codes[block] = codes[block][:0]  # what is counted is not kept
    return parts, vocabulary


def _blocks(texts: Texts) -> Iterator[Texts]:
    """The texts in blocks, since what is counted takes several times the room of a text."""
    size = max(1, len(texts) * _BLOCK // max(1, _size(texts)))
    for first in range(0, len(texts), size):
        yield texts[first : first + size]


def _size(texts: Texts) -> int:
    if isinstance(texts, pa.Array | pa.ChunkedArray):
        return int(pc.sum(pc.binary_length(texts)).as_py() or 0)
    return sum(map(len, texts))
