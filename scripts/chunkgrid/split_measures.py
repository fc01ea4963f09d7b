"""What a split does to the text, before anything is searched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .handed import Handed
from .keeping import bare, kept
from .ranges import reaching
from .tables import CUTS, SPLITS, table

SHORT = 30
KINDS = ("table", "pre")


def split_measures(
    handed: Handed,
    index_lengths: np.ndarray,
    texts: Mapping[str, str],
    cuts: pa.Table,
    index_tokens: int | None = None,
) -> pa.Table:
    """The measures of one split, in one row. `texts` are those of all documents, by doc_id.

    Lengths and overlaps are of what is handed over, each span once; `index_*` of what is indexed.
    """
    lengths = handed.lengths[handed.ordered]
    some = len(lengths) > 0
    characters = sum(map(len, texts.values()))
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
    measures["unplaced"] = int((handed.starts[handed.ordered] < 0).sum())
    measures["kept"] = kept(handed, texts)
    overlaps = _overlaps(handed)
    measures["overlap_none"] = float((overlaps == 0).mean()) if len(overlaps) else None
    measures["overlap_mean"] = float(overlaps.mean()) if len(overlaps) else None
    measures["overlap_max"] = float(overlaps.max()) if len(overlaps) else None
    for kind in KINDS:
        of_kind = [row for row in cuts.to_pylist() if row["kind"] == kind]
        for name in ("cut", "whole"):
            values = [row[name] for row in of_kind if row[name] is not None]
            measures[f"{kind}_{name}"] = float(np.mean(values)) if values else None
    return table([measures], SPLITS)


def _overlaps(handed: Handed) -> np.ndarray:
    """Characters that neighbouring spans of one document share; empty without offsets."""
    if not handed.has_spans:
        return np.empty(0)
    spans = handed.spans
    return np.maximum(spans.ends[:-1] - spans.starts[1:], 0)[spans.docs[:-1] == spans.docs[1:]]


def looked_at(handed: Handed) -> list[str]:
    """The columns of the table of blocks that `cuts` wants."""
    return ["doc_id", "block", "kind", *(["start", "end"] if handed.has_spans else ["text"])]


def cuts(handed: Handed, blocks: pa.Table) -> pa.Table:
    """The table of cuts: for every table and pre whether a chunk's edge falls inside, and whether one holds it.

    Without offsets, `cut` is null and `whole` is judged on the text without white space and `|`.
    """
    blocks = blocks.filter(pc.is_in(blocks["kind"], pa.array(KINDS)))
    number = {doc_id: place for place, doc_id in enumerate(handed.doc_ids)}
    docs = np.array([number.get(doc_id, -1) for doc_id in blocks["doc_id"].to_pylist()], np.int64)
    found: dict[str, Any] = {name: blocks[name] for name in ("doc_id", "block", "kind")}
    if handed.has_spans:
        starts, ends = (blocks[name].to_numpy() for name in ("start", "end"))
        spans = handed.spans
        whole = np.zeros(len(blocks), bool)
        whole[reaching(spans, docs, ends, starts)[0]] = True
        # No document is so long that the edge of one lies among those of the next.
        line = max(int(values.max(initial=0)) for values in (spans.ends, ends)) + 1
        edges = np.sort(np.concatenate([spans.docs * line + side for side in (spans.starts, spans.ends)]))
        first = np.searchsorted(edges, docs * line + starts, side="right")
        found |= {"cut": np.searchsorted(edges, docs * line + ends) > first, "whole": whole}
    else:
        bounds = np.searchsorted(handed.docs[handed.ordered], np.arange(len(handed.doc_ids) + 1))
        held: dict[int, str] = {}
        for doc in np.unique(docs[docs >= 0]).tolist():
            own = handed.ordered[bounds[doc] : bounds[doc + 1]].tolist()
            held[doc] = "\0".join(bare(handed.texts[chunk]) for chunk in own) if handed.texts else ""
        pairs = zip(docs.tolist(), blocks["text"].to_pylist(), strict=True)
        whole = np.array([doc in held and bare(text) in held[doc] for doc, text in pairs], bool)
        found |= {"cut": pa.nulls(len(blocks), pa.bool_()), "whole": whole}
    return pa.table(found, schema=CUTS)
