"""The whole experiment once more, in the plainest way, from its definition (docs/method.md) alone.

Nothing of the pipeline is imported and no table of chunks, rankings or coverages is read: only the
documents, their blocks and the questions. What comes out is to be compared with the pipeline's
own metrics, intervals and per-question values. One process, one BLAS thread, no fast paths.

    python benchmarks/straightforward.py --results DIR --out DIR2 [--splits a,b] [--retrievers a]
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is read

import argparse
import csv
import hashlib
import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from langchain_text_splitters import (
    HTMLHeaderTextSplitter,
    HTMLSemanticPreservingSplitter,
    RecursiveCharacterTextSplitter,
)
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.preprocessing import normalize

SEED = 0
K = 5
DEPTH = 100
BUDGET = 2000
RESAMPLES = 2000
BASELINE = "fixed/size=400"
SEPARATORS = ["\n\n", "\n", "。", "、", ""]
Cell = tuple[str, str]
Span = tuple[int, int]
Row = dict[str, Any]
Values = dict[str, float | None]  # of one query, by measure


@dataclass(frozen=True)
class Block:
    """A block of a document: `text[start:end] == block.text`."""

    kind: str
    breaks: int | None
    start: int
    end: int
    text: str
    headings: list[str] | None
    header: str | None


@dataclass(frozen=True)
class Document:
    """An article with its blocks in reading order."""

    doc_id: str
    title: str
    text: str
    html: str
    blocks: list[Block]


@dataclass(frozen=True)
class Query:
    """A question and its gold: spans of its document and their texts."""

    query_id: str
    doc_id: str
    text: str
    spans: list[tuple[int, int]]
    gold_text: list[str]


@dataclass(frozen=True)
class Chunk:
    """What is handed over (text, and its span if known) and what is indexed."""

    doc_id: str
    span: tuple[int, int] | None
    text: str
    index_start: int | None
    index_text: str


# --- reading ---------------------------------------------------------------------------------


def read(path: Path) -> list[Row]:
    """The rows of one Parquet file."""
    rows: list[Row] = pq.ParquetFile(path).read().to_pylist()
    return rows


def read_documents(results: Path) -> list[Document]:
    """All documents by doc_id, each with its blocks by number."""
    blocks: dict[str, list[Row]] = {}
    for path in sorted(results.glob("blocks/*/*.parquet")):
        for row in read(path):
            blocks.setdefault(row["doc_id"], []).append(row)
    documents = []
    for row in sorted(read(results / "documents.parquet"), key=lambda row: row["doc_id"]):
        rows = sorted(blocks.get(row["doc_id"], []), key=lambda block: block["block"])
        own = [Block(*(block[name] for name in Block.__match_args__)) for block in rows]
        if any(row["text"][block.start : block.end] != block.text for block in own):
            raise ValueError(f"{row['doc_id']}: a block is not the text between its offsets")
        documents.append(Document(row["doc_id"], row["title"], row["text"], row["html"], own))
    return documents


def read_queries(results: Path, documents: Sequence[Document]) -> list[Query]:
    """All queries by query_id; "blank golds do not exist"."""
    texts = {document.doc_id: document.text for document in documents}
    queries = []
    for row in sorted(read(results / "queries.parquet"), key=lambda row: row["query_id"]):
        spans = [(span["start"], span["end"]) for span in row["gold"]]
        gold = [texts[row["doc_id"]][start:end] for start, end in spans]
        if gold != row["gold_text"]:
            raise ValueError(f"{row['query_id']}: the gold is not the text between its offsets")
        kept = [(span, text) for span, text in zip(spans, gold, strict=True) if text.strip()]
        if not kept:
            raise ValueError(f"{row['query_id']}: the gold is blank")
        spans, gold = [span for span, _ in kept], [text for _, text in kept]
        queries.append(Query(row["query_id"], row["doc_id"], row["query"], spans, gold))
    return queries


# --- splits ----------------------------------------------------------------------------------


def cut(document: Document, start: int, end: int, index_prefix: str = "") -> Chunk:
    """The chunk `[start, end)` of a document; its index text may have something in front."""
    text = document.text[start:end]
    return Chunk(document.doc_id, (start, end), text, start, index_prefix + text)


def fixed(document: Document, size: int, overlap: int = 0) -> list[Chunk]:
    """`fixed` runs over the whole document text and stops once its end is reached."""
    chunks = []
    start = 0
    while True:
        end = min(start + size, len(document.text))
        chunks.append(cut(document, start, end))
        if end == len(document.text):
            return chunks
        start += size - overlap


def recursive_spans(text: str, size: int, overlap: int = 0) -> list[tuple[int, int]]:
    """LangChain's RecursiveCharacterTextSplitter: "its chunk texts exactly, with true offsets".

    The splitter looks at separators, white space and lengths only. So it also cuts a copy of the
    text in which every visible character is replaced by a code point that stands for its place,
    from a range of its own for each separator; as chunks start with a visible character, each
    names its place there, and nothing is searched.
    """
    many = 0x40000  # places repeat after so many characters, but chunks never go back
    base = {"。": 0x50000, "、": 0x90000}
    ranges = [f"[{chr(start)}-{chr(start + many - 1)}]" for start in base.values()]
    copy = "".join(
        char if char.isspace() else chr(base.get(char, 0x10000) + place % many) for place, char in enumerate(text)
    )
    splitter = partial(
        RecursiveCharacterTextSplitter,
        keep_separator="end",
        chunk_size=size,
        chunk_overlap=overlap,
    )
    texts = splitter(separators=SEPARATORS).split_text(text)
    marked = splitter(separators=["\n\n", "\n", *ranges, ""], is_separator_regex=True)
    spans: list[tuple[int, int]] = []
    start = 0
    for chunk, copied in zip(texts, marked.split_text(copy), strict=True):
        place = (ord(copied[0]) - 0x10000) % many
        start = place + math.ceil(max(0, start - place) / many) * many
        spans.append((start, start + len(chunk)))
        if text[start : start + len(chunk)] != chunk:
            raise ValueError("a chunk of the recursive splitter is not at its place")
    return spans


def recursive(document: Document, size: int, overlap: int = 0) -> list[Chunk]:
    """`recursive`: LangChain's splitter over the whole document text."""
    return [cut(document, *span) for span in recursive_spans(document.text, size, overlap)]


def opens(block: Block, level: int) -> bool:
    """Whether a heading of level 2 to N, or `breaks` of these levels, starts at this block."""
    levels = range(2, level + 1)
    return block.kind in {f"h{n}" for n in levels} or block.breaks in levels


def headings(document: Document, level: int) -> list[Chunk]:
    """A chunk from each heading of level 2 to N to the next; text before the first is one."""
    sections: list[list[Block]] = []
    for block in document.blocks:
        if not sections or opens(block, level):
            sections.append([])
        sections[-1].append(block)
    return [cut(document, section[0].start, section[-1].end) for section in sections]


def line_spans(text: str, size: int) -> list[tuple[int, int]]:
    """Whole lines packed while the span stays <= size; a line over the size stands alone."""
    spans: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if spans and end - spans[-1][0] <= size:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        start = end + 1
    return spans


def pieces(block: Block, size: int) -> list[tuple[int, int]]:
    """A table is cut at row ends, a `pre` at newlines, "anything else recursively"."""
    if block.kind in ("table", "pre"):
        spans = line_spans(block.text, size)
    else:
        spans = recursive_spans(block.text, size)
    return [(block.start + start, block.start + end) for start, end in spans if block.text[start:end].strip()]


def heading_path(document: Document, block: Block) -> str:
    """`title ＞ h2 ＞ h3`: the open headings, after the title if they do not start with it."""
    path = block.headings or []
    if not path or path[0] != document.title:
        path = [document.title, *path]
    return " ＞ ".join(path)


def structure(document: Document, size: int, prefix: bool = False) -> list[Chunk]:
    """`structure` packs whole blocks and cuts inside a block only where it is over the size.

    It starts a chunk at each h2/h3. What was packed before a block over the size ends there, its
    pieces stand alone, packing starts anew after it. "Pieces of a table after the first have its
    header row in front of their index text"; with `prefix` the heading path stands before that.
    """
    found: list[tuple[int, int, Block, str]] = []
    packed: list[Block] = []

    def close() -> None:
        if packed:
            found.append((packed[0].start, packed[-1].end, packed[0], ""))
            packed.clear()

    for block in document.blocks:
        if opens(block, 3) or (packed and block.end - packed[0].start > size):
            close()
        if block.end - block.start <= size:
            packed.append(block)
            continue
        close()
        for number, (start, end) in enumerate(pieces(block, size)):
            repeated = number > 0 and block.kind == "table" and block.header is not None
            found.append((start, end, block, f"{block.header}\n" if repeated else ""))
    close()
    return [
        cut(document, start, end, (heading_path(document, block) + "\n" if prefix else "") + header)
        for start, end, block, header in found
    ]


def parent_child(
    document: Document,
    child: Callable[[Document], list[Chunk]],
    parent: Callable[[Document], list[Chunk]],
) -> list[Chunk]:
    """The child is indexed; handed over is "the parent cell's chunk that holds its start".

    Of several the one that starts last; if none, the first that ends after the child's start.
    """
    parents = [(big.span or (0, 0), big) for big in parent(document) if big.text.strip()]
    chunks = []
    for small in child(document):
        place = small.index_start or 0
        later = [(span, big) for span, big in parents if place < span[1]]
        holding = [(span, big) for span, big in later if span[0] <= place]
        _, big = max(holding, key=lambda held: held[0][0]) if holding else later[0]
        chunks.append(Chunk(big.doc_id, big.span, big.text, place, small.index_text))
    return chunks


def langchain(document: Document, splitter: Any) -> list[Chunk]:
    """One of LangChain's HTML splitters on the document's html; it keeps no offsets."""
    texts = [piece.page_content for piece in splitter.split_text(document.html)]
    return [Chunk(document.doc_id, None, text, None, text) for text in texts]


HEADERS = [("h2", "h2"), ("h3", "h3")]
SMALL = partial(recursive, size=200)
SEMANTIC = HTMLSemanticPreservingSplitter(
    headers_to_split_on=HEADERS,
    max_chunk_size=800,
    elements_to_preserve=["table", "ul", "ol", "pre"],
)
SPLITS: dict[str, Callable[[Document], list[Chunk]]] = {
    "fixed/size=200": partial(fixed, size=200),
    "fixed/size=400": partial(fixed, size=400),
    "fixed/size=800": partial(fixed, size=800),
    "fixed/size=1600": partial(fixed, size=1600),
    "fixed/size=400-overlap=40": partial(fixed, size=400, overlap=40),
    "fixed/size=400-overlap=80": partial(fixed, size=400, overlap=80),
    "fixed/size=400-overlap=200": partial(fixed, size=400, overlap=200),
    "fixed/size=800-overlap=80": partial(fixed, size=800, overlap=80),
    "fixed/size=800-overlap=160": partial(fixed, size=800, overlap=160),
    "recursive/size=200": SMALL,
    "recursive/size=800": partial(recursive, size=800),
    "recursive/size=400-overlap=40": partial(recursive, size=400, overlap=40),
    "headings/level=2": partial(headings, level=2),
    "headings/level=3": partial(headings, level=3),
    "structure/size=400": partial(structure, size=400),
    "structure/size=800": partial(structure, size=800),
    "structure/size=400-prefix=headings": partial(structure, size=400, prefix=True),
    "structure/size=800-prefix=headings": partial(structure, size=800, prefix=True),
    "parent-child/recursive200-in-h2": partial(parent_child, child=SMALL, parent=partial(headings, level=2)),
    "parent-child/recursive200-in-structure800": partial(
        parent_child, child=SMALL, parent=partial(structure, size=800)
    ),
    "langchain-html-header/default": partial(langchain, splitter=HTMLHeaderTextSplitter(HEADERS)),
    "langchain-html-semantic/size=800": partial(langchain, splitter=SEMANTIC),
}


def split_all(documents: Sequence[Document], name: str) -> list[Chunk]:
    """The chunks of all documents in order; "blank chunks do not exist"."""
    made = (chunk for document in documents for chunk in SPLITS[name](document))
    return [chunk for chunk in made if chunk.text.strip()]


def first_of_span(chunks: Sequence[Chunk]) -> list[int]:
    """For each chunk the first chunk that hands over the same span (itself without offsets)."""
    seen: dict[Any, int] = {}
    return [
        seen.setdefault((chunk.doc_id, chunk.span) if chunk.span else number, number)
        for number, chunk in enumerate(chunks)
    ]


# --- retrievers ------------------------------------------------------------------------------


def bm25(chunks: Sequence[Chunk], queries: Sequence[Query]) -> Iterator[np.ndarray]:
    """BM25 on the 2-grams that CountVectorizer sees, one array of scores per query.

    k1 = 1.2, b = 0.75, idf = ln(1 + (N − df + 0.5)/(df + 0.5)),
    tf·(k1+1)/(tf + k1·(1 − b + b·len/avglen)); "each distinct query 2-gram counts once".
    """
    k1, b = 1.2, 0.75
    vectorizer = CountVectorizer(analyzer="char", ngram_range=(2, 2))
    counts = vectorizer.fit_transform(chunk.index_text for chunk in chunks).tocoo()
    asked = vectorizer.transform(query.text for query in queries).astype(np.float64).tocsr()
    asked.data[:] = 1.0
    tf = counts.data.astype(np.float64)
    df = np.bincount(counts.col, minlength=counts.shape[1])
    length = np.bincount(counts.row, weights=tf, minlength=counts.shape[0])
    idf = np.log(1 + (len(chunks) - df + 0.5) / (df + 0.5))
    norm = k1 * (1 - b + b * length / length.mean())
    weight = idf[counts.col] * tf * (k1 + 1) / (tf + norm[counts.row])
    weights = sparse.csr_matrix((weight, (counts.col, counts.row)), shape=counts.shape[::-1])
    for number in range(len(queries)):
        yield (asked[number] @ weights).toarray()[0]


def lsa(chunks: Sequence[Chunk], queries: Sequence[Query]) -> Iterator[np.ndarray]:
    """LSA: TF-IDF of all chunks, a truncated SVD of the 6,000 that were drawn, cosine.

    Drawn are those "of smallest sha256(f"{seed}:{doc_id}:{index_start}") (the chunk's number
    within its article where that is null)"; "dimensions = min(128, features − 1, fitted − 1), at
    0 plain TF-IDF cosine"; "a zero vector is never retrieved and yields no NaN".
    """
    vectorizer = TfidfVectorizer(analyzer="char", ngram_range=(2, 2), max_features=60000)
    indexed = vectorizer.fit_transform(chunk.index_text for chunk in chunks)
    asked = vectorizer.transform(query.text for query in queries)
    within: dict[str, int] = {}
    digests = []
    for number, chunk in enumerate(chunks):
        place = within[chunk.doc_id] = within.get(chunk.doc_id, -1) + 1
        if chunk.index_start is not None:
            place = chunk.index_start
        key = f"{SEED}:{chunk.doc_id}:{place}".encode()
        digests.append((hashlib.sha256(key).hexdigest(), number))
    drawn = sorted(number for _, number in sorted(digests)[:6000])
    dimensions = min(128, indexed.shape[1] - 1, len(drawn) - 1)
    if dimensions > 0:
        svd = TruncatedSVD(n_components=dimensions, algorithm="arpack", random_state=SEED)
        svd.fit(indexed[drawn])
        indexed, asked = svd.transform(indexed), svd.transform(asked)
        indexed[np.linalg.norm(indexed, axis=1) < 1e-9] = 0.0
        asked[np.linalg.norm(asked, axis=1) < 1e-9] = 0.0
        indexed, asked = normalize(indexed), normalize(asked)
    for number in range(len(queries)):
        scores = indexed @ asked[number].T
        yield scores.toarray()[:, 0] if sparse.issparse(scores) else scores


RETRIEVERS: dict[str, Callable[[Sequence[Chunk], Sequence[Query]], Iterator[np.ndarray]]] = {
    "bm25/default": bm25,
    "lsa/default": lsa,
}


def ranked(scores: np.ndarray, depth: int) -> list[int]:
    """At least the best `depth` chunks: score descending, ties by chunk.

    "Scores are rounded to 9 significant digits before ordering"; "a chunk whose score is 0 or
    less is not retrieved". Only what can be among the best is rounded and sorted.
    """
    least = 0.0
    if depth < len(scores):
        least = float(np.partition(scores, len(scores) - depth)[len(scores) - depth])
    numbers = np.flatnonzero((scores > 0) & (scores >= least * (1 - 1e-7)))
    rounded = [(-float(f"{scores[number]:.8e}"), int(number)) for number in numbers]
    return [number for score, number in sorted(rounded) if score < 0]


def handed_over(scores: np.ndarray, first: Sequence[int], chunks: Sequence[Chunk]) -> list[int]:
    """The ranking with each span once, "at its best rank, and ranks close up".

    "A ranking is deep enough that neither a k nor a budget is cut short by it."
    """
    depth = 1000
    while True:
        hits = list(dict.fromkeys(first[number] for number in ranked(scores, depth)))
        enough = len(hits) >= DEPTH and sum(len(chunks[hit].text) for hit in hits) > BUDGET
        if enough or depth >= len(scores):
            return hits
        depth *= 4


# --- coverage --------------------------------------------------------------------------------


def strip(text: str) -> str:
    """The text without white space: `"".join(t.split())`."""
    return "".join(text.split())


def shingles(text: str) -> set[str]:
    """The shingles of a text: "every 8-character substring of strip(t)"."""
    bare = strip(text)
    return {bare[start : start + 8] for start in range(len(bare) - 7)}


def gold_elements(query: Query) -> tuple[set[str], bool]:
    """G, the union of the golds' shingles; or, where it is empty, the short golds themselves."""
    union = set().union(*(shingles(text) for text in query.gold_text))
    return (union, False) if union else ({strip(text) for text in query.gold_text}, True)


@dataclass
class Gold:
    """What of one query's gold each distinct handed-over chunk of its document covers."""

    query: Query
    size: int  # |G|
    covered: dict[int, set[str]]  # only chunks that share something with the gold
    in_article: set[int]
    places: set[int]  # the gold's characters
    spans: list[Span]  # of the distinct handed-over chunks of its document, where they are known
    best: float = 0.0

    def coverage(self, hits: Iterable[int]) -> float:
        """|G ∩ ⋃ shingles(chunk.text)| / |G|, over the chunks of the gold document."""
        return len(set().union(*(self.covered.get(hit, set()) for hit in hits))) / self.size

    def span_coverage(self, hits: Iterable[int], chunks: Sequence[Chunk]) -> float:
        """Gold characters inside the union of the retrieved spans / gold characters."""
        inside: set[int] = set()
        for hit in hits:
            span = chunks[hit].span
            if hit in self.in_article and span:
                inside |= {place for place in self.places if span[0] <= place < span[1]}
        return len(inside) / len(self.places)


def most_covered(candidates: list[tuple[int, set[str]]], room: int, covered: set[str]) -> int:
    """The most that any subset of (length, covered) pairs within the room covers, exactly."""
    if not candidates:
        return len(covered)
    length, elements = candidates[0]
    most = most_covered(candidates[1:], room, covered)
    if length <= room:
        most = max(most, most_covered(candidates[1:], room - length, covered | elements))
    return most


def greedily_covered(candidates: list[tuple[int, set[str]]], room: int) -> int:
    """Again and again "the fitting chunk with most new shingles, ties by chunk"."""
    covered: set[str] = set()
    while True:
        fitting = [(length, elements) for length, elements in candidates if length <= room]
        if not fitting:
            return len(covered)
        length, elements = max(fitting, key=lambda candidate: len(candidate[1] - covered))
        if not elements - covered:
            return len(covered)
        covered |= elements
        room -= length


def best_coverage(gold: Gold, chunks: Sequence[Chunk]) -> float:
    """Best coverage that the split's chunks could give under the budget rule.

    "Exact for up to 12 chunks that share a shingle with the gold, else greedy"; one chunk alone
    may have any length, since the first is always taken: "never below the best single chunk".
    """
    candidates = [(len(chunks[hit].text), gold.covered[hit]) for hit in sorted(gold.covered)]
    single = max((len(elements) for _, elements in candidates), default=0)
    if len(candidates) <= 12:
        return max(single, most_covered(candidates, BUDGET, set())) / gold.size
    return max(single, greedily_covered(candidates, BUDGET)) / gold.size


def find_golds(queries: Sequence[Query], chunks: Sequence[Chunk], first: Sequence[int]) -> list[Gold]:
    """For each query what the distinct handed-over chunks of its document cover."""
    by_document: dict[str, list[int]] = {}
    for number in sorted(set(first)):
        by_document.setdefault(chunks[number].doc_id, []).append(number)
    golds = []
    for query in queries:
        elements, short = gold_elements(query)
        in_article = by_document.get(query.doc_id, [])
        covered = {}
        for number in in_article:
            if short:
                bare = strip(chunks[number].text)
                shared = {element for element in elements if element in bare}
            else:
                shared = elements & shingles(chunks[number].text)
            if shared:
                covered[number] = shared
        spans = [span for number in in_article if (span := chunks[number].span)]
        gold = Gold(query, len(elements), covered, set(in_article), characters(query.spans), spans)
        gold.best = best_coverage(gold, chunks)
        golds.append(gold)
    return golds


# --- ranges of characters --------------------------------------------------------------------


def characters(spans: Iterable[Span]) -> set[int]:
    """The places of the characters in the union of spans of one document."""
    return {place for start, end in spans for place in range(start, end)}


def ratio(part: int, whole: int) -> float:
    """A share; 0 of nothing (nothing was retrieved)."""
    return part / whole if whole else 0.0


def set_wise(gold: Gold, top: Sequence[Chunk]) -> tuple[float, float]:
    """Precision and IoU: "a character is handed over or it is not", in whichever document it is."""
    wanted = {(gold.query.doc_id, place) for place in gold.places}
    retrieved = {(chunk.doc_id, place) for chunk in top if chunk.span for place in range(*chunk.span)}
    right = len(wanted & retrieved)
    return ratio(right, len(retrieved)), ratio(right, len(wanted | retrieved))


def precision_omega(gold: Gold) -> float:
    """The precision of "the union of all chunks of the split that share a character with" the gold."""
    sharing = characters(span for span in gold.spans if not gold.places.isdisjoint(range(*span)))
    return ratio(len(gold.places & sharing), len(sharing))


def touching(gold: Gold) -> list[Span]:
    """The chunks that Chroma's code takes to intersect the gold: it compares closed ranges."""

    def touches(span: Span) -> bool:
        return any(max(span[0], start) <= min(span[1], end) for start, end in gold.query.spans)

    return [span for span in gold.spans if touches(span)]


def chroma_precision_omega(gold: Gold) -> float:
    """What the chunks that touch hold of the gold / their union and "the gold that no chunk holds"."""
    held = characters(touching(gold))
    unused = gold.places - held
    return ratio(len(gold.places & held), len(held | unused))


def chroma(gold: Gold, retrieved: Sequence[Chunk]) -> tuple[float, float, float]:
    """Recall, precision and IoU as Chroma's code counts them.

    The numerator is the union of all intersections. The lengths of the chunks add up, those of the
    gold spans as well, and so does what of each gold span no retrieved chunk holds.
    """
    spans = [(chunk.doc_id, *chunk.span) for chunk in retrieved if chunk.span]
    held = characters((start, end) for document, start, end in spans if document == gold.query.doc_id)
    right = len(gold.places & held)
    of_gold = sum(end - start for start, end in gold.query.spans)
    of_chunks = sum(end - start for _, start, end in spans)
    unused = sum(len(characters([span]) - held) for span in gold.query.spans)
    return ratio(right, of_gold), ratio(right, of_chunks), ratio(right, of_chunks + unused)


def range_measures(gold: Gold, hits: Sequence[int], chunks: Sequence[Chunk]) -> Values:
    """All measures on ranges of characters; `@-1` is of "as many hits as chunks touch the gold"."""
    retrieved = [chunks[hit] for hit in hits]
    values: Values = {}
    values[f"precision@{K}"], values[f"iou@{K}"] = set_wise(gold, retrieved[:K])
    values["precision_omega"] = precision_omega(gold)
    values["chroma_precision_omega"] = chroma_precision_omega(gold)
    for name, count in ((f"{K}", K), ("-1", len(touching(gold)))):
        figures = zip(("recall", "precision", "iou"), chroma(gold, retrieved[:count]), strict=True)
        values |= {f"chroma_{kind}@{name}": figure for kind, figure in figures}
    return values


# --- measures --------------------------------------------------------------------------------


def within_budget(hits: Sequence[int], chunks: Sequence[Chunk]) -> list[int]:
    """Taken from the top "while their total length stays ≤ B; the first is always taken"."""
    taken: list[int] = []
    total = 0
    for hit in hits:
        total += len(chunks[hit].text)
        if taken and total > BUDGET:
            break
        taken.append(hit)
    return taken


def ndcg(gold: Gold, hits: Sequence[int]) -> float:
    """Gain = own coverage, log2 discount, ideal = the k best spans; 0 when the ideal is 0."""

    def discounted(gains: Sequence[float]) -> float:
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:K], 1))

    ideal = discounted(sorted((gold.coverage([hit]) for hit in gold.covered), reverse=True))
    return discounted([gold.coverage([hit]) for hit in hits[:K]]) / ideal if ideal else 0.0


def measure(gold: Gold, hits: Sequence[int], chunks: Sequence[Chunk]) -> Values:
    """All measures of one query; the losses add up to 1 − coverage within the budget."""
    top, taken = hits[:K], within_budget(hits, chunks)
    offsets = all(chunk.span for chunk in chunks)
    relevant = [rank for rank, hit in enumerate(hits[:DEPTH], 1) if gold.coverage([hit]) >= 0.95]
    reached = gold.coverage(taken)
    ceiling = max(gold.best, reached)
    found = any(hit in gold.in_article for hit in taken)
    ranges = range_measures(gold, hits, chunks)
    return {
        f"recall@{K}": gold.coverage(top),
        f"span_recall@{K}": gold.span_coverage(top, chunks) if offsets else None,
        f"complete@{K}": float(gold.coverage(top) >= 0.95),
        f"budget_recall@{BUDGET}": reached,
        f"budget_span_recall@{BUDGET}": gold.span_coverage(taken, chunks) if offsets else None,
        f"budget_chars@{BUDGET}": float(sum(len(chunks[hit].text) for hit in taken)),
        f"over_budget@{BUDGET}": float(any(len(chunks[hit].text) > BUDGET for hit in hits[:1])),
        f"article_hit@{K}": float(any(hit in gold.in_article for hit in top)),
        f"hit@{K}": float(any(rank <= K for rank in relevant)),
        f"mrr@{DEPTH}": 1 / relevant[0] if relevant else 0.0,
        f"ndcg@{K}": ndcg(gold, hits),
        f"retrieved_chars@{K}": float(sum(len(chunks[hit].text) for hit in top)),
        **(ranges if offsets else dict.fromkeys(ranges)),
        f"loss_split@{BUDGET}": 1 - ceiling,
        f"loss_article@{BUDGET}": 0.0 if found else ceiling,
        f"loss_place@{BUDGET}": ceiling - reached if found else 0.0,
    }


def mean(values: Sequence[float]) -> float | None:
    """The mean, null of nothing."""
    return float(np.mean(values)) if len(values) else None


def standard_error(values: Sequence[float]) -> float | None:
    """s/√n, s with ddof 1, null at n = 1."""
    if len(values) < 2:
        return None
    return float(np.std(values, ddof=1) / math.sqrt(len(values)))


def block_measures(documents: Sequence[Document], given: Sequence[Chunk], kind: str) -> Row:
    """The share of blocks of a kind that are cut, and that some single chunk holds whole.

    Cut: "some chunk's start or end strictly inside". Without offsets null, and whole is "judged
    on text without white space and `|`".
    """

    def bare(text: str) -> str:
        return strip(text).replace("|", "")

    offsets = all(chunk.span for chunk in given)
    by_document: dict[str, list[Chunk]] = {}
    for chunk in given:
        by_document.setdefault(chunk.doc_id, []).append(chunk)
    cuts: list[float] = []
    wholes: list[float] = []
    for document in documents:
        blocks = [block for block in document.blocks if block.kind == kind]
        chunks = by_document.get(document.doc_id, [])
        bares = [] if offsets or not blocks else [bare(chunk.text) for chunk in chunks]
        spans = [chunk.span for chunk in chunks if chunk.span]
        for block in blocks:
            if not offsets:
                wholes.append(any(bare(block.text) in text for text in bares))
                continue
            cuts.append(any(block.start < at < block.end for span in spans for at in span))
            wholes.append(any(start <= block.start and block.end <= end for start, end in spans))
    return {f"{kind}_cut": mean(cuts), f"{kind}_whole": mean(wholes)}


def overlaps(given: Sequence[Chunk]) -> list[int]:
    """Real overlap of neighbours: characters that consecutive spans of a document share."""
    spans = sorted((chunk.doc_id, *chunk.span) for chunk in given if chunk.span)
    return [max(0, end - start) for (document, _, end), (other, start, _) in pairwise(spans) if document == other]


def split_measures(documents: Sequence[Document], chunks: Sequence[Chunk], first: Sequence[int]) -> Row:
    """What is handed over (each span once), what is indexed, and what is cut."""
    given = [chunks[number] for number in sorted(set(first))]
    lengths = [len(chunk.text) for chunk in given]
    shared = overlaps(given)
    index_chars = sum(len(chunk.index_text) for chunk in chunks)
    return {
        "chunks": len(given),
        "chars_mean": mean(lengths),
        "chars_median": float(np.median(lengths)),
        "chars_p95": float(np.percentile(lengths, 95)),
        "chars_max": max(lengths),
        "under_30": mean([length < 30 for length in lengths]),
        "overlap_none": mean([characters == 0 for characters in shared]),
        "overlap_mean": mean(shared),
        "overlap_max": max(shared, default=None),
        "index_chunks": len(chunks),
        "index_chars": index_chars,
        "index_tokens": None,  # only "where budgets are in tokens"
        "index_ratio": index_chars / sum(len(document.text) for document in documents),
        "unplaced": sum(chunk.span is None for chunk in given),
        "kept": kept(documents, given),
        **block_measures(documents, given, "table"),
        **block_measures(documents, given, "pre"),
    }


def kept(documents: Sequence[Document], given: Sequence[Chunk]) -> float:
    """Share of the visible characters that are in what is handed over; without offsets as 8 in a row, or a line."""
    held = seen = 0
    by_text = any(chunk.span is None for chunk in given)
    for document in documents:
        own = [chunk for chunk in given if chunk.doc_id == document.doc_id]
        text = document.text
        visible = [place for place, character in enumerate(text) if not character.isspace()]
        places: set[int] = set()
        if by_text:
            visible = [place for place in visible if text[place] != "|"]
            bare = "".join(text[place] for place in visible)
            texts = ["".join(chunk.text.split()).replace("|", "") for chunk in own if chunk.span is None]
            known = {one[at : at + 8] for one in texts for at in range(len(one) - 7)}
            for at in range(len(bare) - 7):
                if bare[at : at + 8] in known:
                    places.update(visible[at : at + 8])
            at = 0
            for line in text.splitlines(keepends=True):
                if "".join(line.split()).replace("|", "") in {one for one in texts if len(one) < 8}:
                    places.update(range(at, at + len(line)))
                at += len(line)
        for chunk in own:
            if chunk.span:
                places.update(range(*chunk.span))
        held += len(places.intersection(visible))
        seen += len(visible)
    return held / seen


# --- how sure --------------------------------------------------------------------------------


def resampled(differences: np.ndarray, groups: np.ndarray) -> np.ndarray | None:
    """Mean differences, drawing whole groups.

    `default_rng(seed).integers(n, size=(2000, n))`, the same draws for every pair; a group is a
    question or all those of an article (ratio of sums). Null below two groups.
    """
    sums, counts = np.bincount(groups, weights=differences), np.bincount(groups)
    if len(sums) < 2:
        return None
    draws = np.random.default_rng(SEED).integers(len(sums), size=(RESAMPLES, len(sums)))
    return sums[draws].sum(axis=1) / counts[draws].sum(axis=1)


def pairs(cells: Sequence[Cell], best: Cell) -> list[tuple[Cell, Cell]]:
    """Pairs of "every cell against the baseline split under the same retriever" and the best."""
    against_baseline = [(cell, (BASELINE, cell[1])) for cell in cells]
    against_best = [(cell, best) for cell in cells]
    wanted = dict.fromkeys(against_baseline + against_best)
    return [(cell, other) for cell, other in wanted if cell != other and other in cells]


def intervals(questions: dict[Cell, list[Values]], queries: Sequence[Query]) -> list[Row]:
    """Both intervals of every measure for every pair; nulls where a measure is null."""
    _, articles = np.unique([query.doc_id for query in queries], return_inverse=True)
    groups = {"query": np.arange(len(queries)), "article": articles}
    column = f"budget_recall@{BUDGET}"
    means = {cell: mean([row[column] or 0.0 for row in questions[cell]]) for cell in questions}
    best = min(means, key=lambda cell: (-(means[cell] or 0.0), cell))
    compared = pairs(list(questions), best)
    table = []
    for name, resample, against in product(questions[best][0], groups, dict.fromkeys(other for _, other in compared)):
        rows, errors, largest = [], {}, np.zeros(RESAMPLES)
        for cell in [cell for cell, other in compared if other == against]:
            a = np.array([row[name] for row in questions[cell]], dtype=np.float64)
            b = np.array([row[name] for row in questions[against]], dtype=np.float64)
            differences = a - b  # a null is NaN here
            known = not bool(np.isnan(differences).any())
            found = resampled(differences, groups[resample]) if known else None
            row = {
                "measure": name,
                **dict(zip(("split", "retriever"), cell, strict=True)),
                **dict(zip(("other_split", "other_retriever"), against, strict=True)),
                "difference": float(differences.mean()) if known else None,
                "resample": resample,
            }
            low = high = None
            if found is not None:
                low, high = np.percentile(found, [2.5, 97.5])
                error = float(found.std(ddof=1))
                errors[cell] = error
                if error > 1e-12:  # all at once: by how many errors the worst of them is off
                    largest = np.maximum(largest, np.abs(found - differences.mean()) / error)
            rows.append((cell, {**row, "low": low, "high": high, "shown": found is not None and (low > 0 or high < 0)}))
        width = np.percentile(largest, 95)
        for cell, row in rows:
            error = errors.get(cell)
            row["shown"] = row["shown"] if error is not None else None
            for bound, sign in (("low_all", -1), ("high_all", 1)):
                row[bound] = None if error is None else row["difference"] + sign * width * error
            table.append(row)
    return table


# --- the whole -------------------------------------------------------------------------------


def summary(cell: Cell, rows: Sequence[Values], split: Row) -> Row:
    """One row of the metrics: means over queries, their standard errors, split measures."""
    means: Row = {}
    errors: Row = {}
    for name in rows[0]:
        values = [value for value in (row[name] for row in rows) if value is not None]
        means[name], errors[f"{name}_se"] = mean(values), standard_error(values)
    return {"split": cell[0], "retriever": cell[1], **means, **errors, **split}


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """A table as CSV: null is empty, truth is true or false, a float has all its digits."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]) if rows else ["measure"])
        writer.writeheader()
        for row in rows:
            writer.writerow({key: str(v).lower() if isinstance(v, bool) else v for key, v in row.items()})


def write_questions(path: Path, questions: dict[Cell, list[Values]], queries: Sequence[Query]) -> None:
    """A row per cell and query with all measures."""
    table = []
    for (split, retriever), rows in questions.items():
        for query, row in zip(queries, rows, strict=True):
            names = {"split": split, "retriever": retriever, "query_id": query.query_id}
            table.append({**names, "doc_id": query.doc_id, **row})
    texts = ("split", "retriever", "query_id", "doc_id")
    types = [(name, pa.string() if name in texts else pa.float64()) for name in table[0]]
    pq.write_table(pa.Table.from_pylist(table, schema=pa.schema(types)), path)


def chosen(known: Iterable[str], wanted: Sequence[str] | None) -> list[str]:
    """The names to do, in the order of the grid; a name that is not known is an error."""
    names = list(known)
    unknown = sorted(set(wanted or []) - set(names))
    if unknown:
        raise ValueError(f"unknown: {', '.join(unknown)}; known: {', '.join(names)}")
    return [name for name in names if wanted is None or name in wanted]


def main(
    results: Path | str,
    out: Path | str,
    splits: Sequence[str] | None = None,
    retrievers: Sequence[str] | None = None,
) -> None:
    """Recompute every cell of the grid (or some) and write metrics, intervals and questions."""
    results, out = Path(results), Path(out)
    documents = read_documents(results)
    queries = read_queries(results, documents)
    questions: dict[Cell, list[Values]] = {}
    metrics = []
    for split in chosen(SPLITS, splits):
        began = time.perf_counter()
        chunks = split_all(documents, split)
        first = first_of_span(chunks)
        golds = find_golds(queries, chunks, first)
        of_split = split_measures(documents, chunks, first)
        progress(split, f"{len(chunks)} chunks", began)
        for retriever in chosen(RETRIEVERS, retrievers):
            began = time.perf_counter()
            questions[split, retriever] = [
                measure(gold, handed_over(scores, first, chunks), chunks)
                for gold, scores in zip(golds, RETRIEVERS[retriever](chunks, queries), strict=True)
            ]
            metrics.append(summary((split, retriever), questions[split, retriever], of_split))
            progress(split, retriever, began)
    began = time.perf_counter()
    out.mkdir(parents=True, exist_ok=True)
    write_csv(out / "metrics.csv", metrics)
    write_csv(out / "intervals.csv", intervals(questions, queries))
    write_questions(out / "questions.parquet", questions, queries)
    progress("intervals", "written", began)


def progress(*words: Any) -> None:
    """A line on stderr: what was done, and the seconds since the last word's time."""
    *what, began = words
    print(*what, f"{time.perf_counter() - began:.1f} s", file=sys.stderr, flush=True)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n")[0])
    parser.add_argument("--results", type=Path, required=True, help="a results folder, only read")
    parser.add_argument("--out", type=Path, required=True, help="where to write the three tables")
    parser.add_argument("--splits", type=lambda names: names.split(","), help="some, with commas")
    parser.add_argument("--retrievers", type=lambda names: names.split(","), help="likewise")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    options = parse()
    main(options.results, options.out, options.splits, options.retrievers)
