"""How much of the documents reaches some chunk."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .code_points import SPACE, code_points
from .handed import Handed
from .shingles import SHINGLE, rolling
from .text import strip


def kept(handed: Handed, texts: Mapping[str, str]) -> float | None:
    """The share of the documents' visible characters that what is handed over holds; None where there are none.

    `texts` are those of all documents, by doc_id. What a chunk without a place holds are characters of which 8 in a row
    stand so in it, and a line that is all of it. Where there is such a chunk, `|` is no visible character, as it may
    stand between the cells of a table.
    """
    number = {doc_id: place for place, doc_id in enumerate(handed.doc_ids)}
    bounds = np.searchsorted(handed.docs[handed.ordered], np.arange(len(number) + 1))
    held = seen = 0
    for doc_id, text in texts.items():
        doc = number.get(doc_id)
        own = handed.ordered[bounds[doc] : bounds[doc + 1]] if doc is not None else handed.ordered[:0]
        placed = handed.starts[own] >= 0
        counts = ~SPACE[code_points(text)]
        holds = _within(handed.starts[own][placed], handed.ends[own][placed], len(text))
        if not handed.has_spans:
            counts &= code_points(text) != ord("|")
            rest = own[~placed].tolist()
            holds |= _by_text(text, counts, [bare(handed.texts[chunk]) for chunk in rest] if handed.texts else [])
        held += int((holds & counts).sum())
        seen += int(counts.sum())
    return held / seen if seen else None


def bare(text: str) -> str:
    """What of a text counts where there are no offsets: no white space and no `|`."""
    return strip(text).replace("|", "")


def _within(starts: np.ndarray, ends: np.ndarray, length: int) -> np.ndarray:
    """Whether a place lies within a span, (length,)."""
    steps = np.zeros(length + 1, np.int64)
    np.add.at(steps, starts, 1)
    np.add.at(steps, ends, -1)
    return steps[:-1].cumsum() > 0


def _by_text(text: str, counts: np.ndarray, chunks: list[str]) -> np.ndarray:
    """Whether a place is held by a chunk that has what stands around it; `counts` are the places that count."""
    known = [rolling(chunk, SHINGLE) for chunk in chunks if len(chunk) >= SHINGLE]
    places = np.flatnonzero(counts)
    first = np.flatnonzero(np.isin(rolling(bare(text), SHINGLE), np.concatenate(known))) if known else places[:0]
    holds = np.zeros(len(text), bool)
    holds[places] = _within(first, first + SHINGLE, len(places))
    short = {chunk for chunk in chunks if len(chunk) < SHINGLE}
    at = 0
    for line in text.splitlines(keepends=True) if short else ():
        holds[at : at + len(line)] |= bare(line) in short
        at += len(line)
    return holds
