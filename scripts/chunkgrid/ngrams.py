"""Character 2-grams as numbers, cut exactly as scikit-learn's character analyzer cuts them, without its strings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

_CODE_POINTS = 0x110000
_SPACE = np.zeros(_CODE_POINTS, bool)  # what `\s` matches; no white space lies beyond U+3000
_SPACE[[point for point in range(0x3001) if chr(point).isspace()]] = True
_TABLE = 1 << 26
"""Entries that a table of all pairs of an alphabet may have."""
_BLOCK = 1 << 22
"""Characters (bytes, of an Arrow array) that are turned to numbers at once."""

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

    def alphabet(self) -> np.ndarray:
        """The distinct characters, ascending."""
        seen = np.zeros(_CODE_POINTS, bool)
        seen[self.points] = True
        return np.flatnonzero(seen)


def characters(texts: Texts) -> Characters:
    """Texts to their characters. Raises nothing: what is no character, as half of a surrogate pair, is one too."""
    joined, lengths = _joined(texts)
    lowered = joined.lower()
    if len(lowered) != len(joined):  # a rare letter becomes two
        each = [text.lower() for text in _listed(texts)]
        lowered, lengths = "".join(each), np.fromiter(map(len, each), np.int64, len(each))
    points = _points(lowered)
    bounds = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    if "Σ" in joined and len(lowered) == len(joined):  # another one is small at the end of a word, as of a text
        points = np.delete(_points("\n".join(_listed(texts)).lower()), bounds[1:-1] + np.arange(len(lengths) - 1))
    return _folded(points, bounds)


def _points(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _listed(texts: Texts) -> Sequence[str]:
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
    space = _SPACE[points]
    continues = np.zeros(len(points), bool)
    continues[1:] = space[1:] & space[:-1]
    continues[bounds[:-1][np.diff(bounds) > 0]] = False  # a text does not go on where the one before ended
    dropped = np.flatnonzero(continues)
    if not len(dropped):
        return Characters(points, bounds)
    points = points.copy()
    points[dropped - 1] = ord(" ")
    return Characters(points[~continues], _without(continues, bounds))


def pairs(texts: Characters, alphabet: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The 2-grams of texts whose characters are both of a sorted `alphabet`, in order.

    Returns their codes (place of the first character in the alphabet times its length, plus place of the second)
    and where each text's begin, and the end (int64, shape (texts + 1,)). Sorted codes are sorted 2-grams.
    """
    number = np.int32 if len(alphabet) ** 2 < 1 << 31 else np.int64
    place = np.full(_CODE_POINTS, -1, number)
    place[alphabet] = np.arange(len(alphabet))
    places = place[texts.points]
    unknown = (places[:-1] < 0) | (places[1:] < 0)
    inner = texts.bounds[1:-1]
    unknown[inner[(inner > 0) & (inner < len(places))] - 1] = True  # a text's last character pairs with no other
    codes = places[:-1] * number(len(alphabet)) + places[1:]
    return codes[~unknown], _without(unknown, texts.bounds)


def _without(dropped: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Bounds of what is left of a sequence that some leave, bool; bounds may lie one beyond its end."""
    return np.minimum(bounds, len(dropped)) - np.searchsorted(np.flatnonzero(dropped), bounds)


def numbered(codes: np.ndarray, vocabulary: np.ndarray, alphabet: int) -> np.ndarray:
    """The place of each code in a sorted `vocabulary`, -1 where it is not in it: int32, shape as `codes`.

    `alphabet` is how many characters codes are made of.
    """
    if alphabet**2 > _TABLE:
        place = np.minimum(np.searchsorted(vocabulary, codes), max(len(vocabulary) - 1, 0)).astype(np.int32)
        found = vocabulary[place] == codes if len(vocabulary) else np.zeros(len(codes), bool)
        return np.where(found, place, np.int32(-1))
    table = np.full(alphabet**2, -1, np.int32)
    table[vocabulary] = np.arange(len(vocabulary), dtype=np.int32)
    return table[codes]


def distinct(codes: Sequence[np.ndarray], alphabet: int) -> np.ndarray:
    """The distinct codes, ascending."""
    if alphabet**2 > _TABLE:
        return np.unique(np.concatenate([np.empty(0, np.int64), *map(np.unique, codes)]))
    seen = np.zeros(alphabet**2, bool)
    for some in codes:
        seen[some] = True
    return np.flatnonzero(seen)


def count(codes: np.ndarray, bounds: np.ndarray, vocabulary: np.ndarray, alphabet: int) -> sparse.csr_array:
    """How often each text holds each 2-gram of a sorted `vocabulary`: shape (texts, 2-grams), int32.

    `codes` and `bounds` are of `pairs`.
    """
    places = numbered(codes, vocabulary, alphabet)
    unknown = places < 0
    if unknown.any():
        places, bounds = places[~unknown], _without(unknown, bounds)
    shape = (len(bounds) - 1, len(vocabulary))
    one_a_bigram = sparse.csr_array((np.zeros(len(places), np.int8), places, bounds), shape=shape)
    # Turned to columns, in time linear in its entries, the same rows of a column stand side by side.
    turned = one_a_bigram.tocsc()
    first = np.ones(len(turned.indices), bool)
    first[1:] = turned.indices[1:] != turned.indices[:-1]
    first[turned.indptr[:-1][np.diff(turned.indptr) > 0]] = True
    begins = np.flatnonzero(first)
    counts = np.diff(begins, append=len(first)).astype(np.int32)
    ends = np.searchsorted(begins, turned.indptr)
    return sparse.csc_array((counts, turned.indices[begins], ends), shape=shape).tocsr()


def counts_of(texts: Texts, alphabet: np.ndarray, vocabulary: np.ndarray) -> tuple[sparse.csr_array, np.ndarray]:
    """How often each text holds each 2-gram of a vocabulary over an alphabet, and how many 2-grams it has in all."""
    parts, lengths = [], [np.empty(0, np.int64)]
    for block in _blocks(texts):
        of_block = characters(block)
        parts.append(count(*pairs(of_block, alphabet), vocabulary, len(alphabet)))
        lengths.append(of_block.bigrams)
    return _stacked(parts, len(vocabulary)), np.concatenate(lengths)


def own_counts(texts: Texts) -> tuple[list[sparse.csr_array], np.ndarray, np.ndarray]:
    """The same for all 2-grams that the texts have: counts in blocks of texts, their alphabet and vocabulary."""
    seen = np.zeros(_CODE_POINTS, bool)
    for block in _blocks(texts):
        seen[characters(block).points] = True
    alphabet = np.flatnonzero(seen)
    coded = [pairs(characters(block), alphabet) for block in _blocks(texts)]
    vocabulary = distinct([codes for codes, _ in coded], len(alphabet))
    coded.reverse()
    parts = []
    while coded:  # what is counted is not kept
        parts.append(count(*coded.pop(), vocabulary, len(alphabet)))
    return parts, alphabet, vocabulary


def _blocks(texts: Texts) -> Iterator[Texts]:
    """The texts in blocks, since what is counted takes several times the room of a text."""
    size = max(1, len(texts) * _BLOCK // max(1, _size(texts)))
    for first in range(0, len(texts), size):
        yield texts[first : first + size]


def _size(texts: Texts) -> int:
    if isinstance(texts, pa.Array | pa.ChunkedArray):
        return int(pc.sum(pc.binary_length(texts)).as_py() or 0)
    return sum(map(len, texts))


def _stacked(parts: Sequence[sparse.csr_array], columns: int) -> sparse.csr_array:
    return sparse.vstack(parts, format="csr") if parts else sparse.csr_array((0, columns), dtype=np.int32)
