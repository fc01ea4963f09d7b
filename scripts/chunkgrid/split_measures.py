"""What a split does to the text, before anything is searched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .handed import Handed
from .tables import CUTS, SPLITS, table
from .text import strip

SHORT = 30
KINDS = ("table", "pre")


def split_measures(
    handed: Handed, index_lengths: np.ndarray, characters: int, cuts: pa.Table, index_tokens: int | None = None
) -> pa.Table:
    """The measures of one split, in one row. `characters` is the length of all document texts together.

    Lengths and overlaps are of what is handed over, each span once; `index_*` of what is indexed.
    """
    distinct = np.unique(handed.same)
    lengths = handed.lengths[distinct]
    some = len(lengths) > 0
    measures: dict[str, Any] = {
        "chunks": len(lengths),
        "chars_mean": float(lengths.mean()) if some else None,
        "chars_median": float(np.median(lengths)) if some else None,
        "chars_p95": float(np.percentile(lengths, 95)) if some else None,
        "chars_max": float(lengths.max()) if some else None,
        f"under_{SHORT}": float((lengths < SHORT).mean()) if some else None,
        "index_chunks": len(index_lengths),
        "index_chars": int(index_lengths.sum()),
        "index_tokens": index_tokens,
        "index_ratio": float(index_lengths.sum() / characters) if characters else None,
    }
    overlaps = _overlaps(handed, distinct)
    measures["overlap_none"] = float((overlaps == 0).mean()) if len(overlaps) else None
    measures["overlap_mean"] = float(overlaps.mean()) if len(overlaps) else None
    measures["overlap_max"] = float(overlaps.max()) if len(overlaps) else None
    for kind in KINDS:
        of_kind = [row for row in cuts.to_pylist() if row["kind"] == kind]
        for name in ("cut", "whole"):
            values = [row[name] for row in of_kind if row[name] is not None]
            measures[f"{kind}_{name}"] = float(np.mean(values)) if values else None
    return table([measures], SPLITS)


def _overlaps(handed: Handed, distinct: np.ndarray) -> np.ndarray:
    """Characters that neighbouring spans of one document share; empty without offsets."""
    if not handed.has_spans:
        return np.empty(0)
    order = distinct[np.lexsort((handed.starts[distinct], handed.docs[distinct]))]
    neighbours = handed.docs[order[:-1]] == handed.docs[order[1:]]
    return np.maximum(handed.ends[order[:-1]] - handed.starts[order[1:]], 0)[neighbours]


def cuts(handed: Handed, blocks: pa.Table) -> pa.Table:
    """The table of cuts: for every table and pre whether a chunk's edge falls inside, and whether one holds it.

    Without offsets, `cut` is null and `whole` is judged on the text without white space and `|`.
    """
    distinct = np.unique(handed.same)
    of_doc = dict(zip(handed.doc_ids, np.split(*_by_doc(handed, distinct)), strict=False))
    bare: dict[str, list[str]] = {}
    rows = []
    for block in blocks.filter(pc.is_in(blocks["kind"], pa.array(KINDS))).to_pylist():
        own = of_doc.get(block["doc_id"], distinct[:0])
        cut: bool | None = None
        if handed.has_spans:
            starts, ends = handed.starts[own], handed.ends[own]
            edges = np.concatenate([starts, ends])
            cut = bool(((edges > block["start"]) & (edges < block["end"])).any())
            whole = bool(((starts <= block["start"]) & (ends >= block["end"])).any())
        else:
            if block["doc_id"] not in bare:
                bare[block["doc_id"]] = [_bare(handed.texts[chunk]) for chunk in own] if handed.texts else []
            whole = any(_bare(block["text"]) in chunk for chunk in bare[block["doc_id"]])
        rows.append({**{name: block[name] for name in ("doc_id", "block", "kind")}, "cut": cut, "whole": whole})
    return table(rows, CUTS)


def _by_doc(handed: Handed, chunks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Chunks in order of their documents, and where each but the first document's begin."""
    order = chunks[np.argsort(handed.docs[chunks], kind="stable")]
    return order, np.searchsorted(handed.docs[order], np.arange(1, len(handed.doc_ids)))


def _bare(text: str) -> str:
    return strip(text).replace("|", "")
