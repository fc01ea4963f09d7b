"""What the parts of chunkgrid are measured against: the same work, as one would do it with another library.

Every function takes what ours takes, and yields what ours does where the two can be equal (bench.py checks it). Those
of the extra `bench` are imported within the functions, so that a missing one costs only its own rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from bs4 import BeautifulSoup, NavigableString, Tag
from chunkgrid.text import fold, visible
from langchain_text_splitters import RecursiveCharacterTextSplitter
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.preprocessing import normalize

HITS = 100
K1, B = 1.2, 0.75
SEPARATORS = ["\n\n", "\n", "。", "、", ""]
Ranking = tuple[np.ndarray, np.ndarray]
"""Chunks, best first, and their scores, all above 0."""


def top(scores: np.ndarray) -> Ranking:
    """The best hits of one question."""
    best = np.argpartition(scores, max(len(scores) - HITS, 0))[-HITS:]
    best = best[np.argsort(-scores[best], kind="stable")]
    best = best[scores[best] > 0]
    return best, scores[best]


# --- retrievers ------------------------------------------------------------------------------


def count_vectorizer(texts: Sequence[str], queries: Sequence[str]) -> list[Ranking]:
    """BM25 on the counts of scikit-learn, as a product of sparse matrices."""
    vectorizer = CountVectorizer(analyzer="char", ngram_range=(2, 2))
    counts = vectorizer.fit_transform(texts).tocoo()
    asked = (vectorizer.transform(queries) > 0).astype(np.float64)
    frequency = np.bincount(counts.col, minlength=counts.shape[1])
    length = np.bincount(counts.row, counts.data, minlength=len(texts))
    idf = np.log1p((len(texts) - frequency + 0.5) / (frequency + 0.5))
    norm = K1 * (1 - B + B * length / length.mean())
    weight = idf[counts.col] * counts.data * (K1 + 1) / (counts.data + norm[counts.row])
    weights = sparse.csr_matrix((weight, (counts.col, counts.row)), shape=counts.shape[::-1])
    return [top(row) for n in range(0, len(queries), 64) for row in (asked[n : n + 64] @ weights).toarray()]


def bm25s_tokens(texts: Sequence[str], queries: Sequence[str]) -> tuple[list[list[int]], list[list[int]], int]:
    """The 2-grams of texts and the distinct ones of questions, as numbers, and how many there are: not timed."""
    cut = CountVectorizer(analyzer="char", ngram_range=(2, 2)).build_analyzer()
    number: dict[str, int] = {}
    tokens = [[number.setdefault(gram, len(number)) for gram in cut(text)] for text in texts]
    return tokens, [[number[gram] for gram in set(cut(query)) & number.keys()] for query in queries], len(number)


def bm25s_top(tokens: list[list[int]], asked: list[list[int]], count: int) -> list[Ranking]:
    """BM25 by bm25s, given the same tokens. Its weights lack the factor k1 + 1, which decides no order."""
    import bm25s

    index = bm25s.BM25(method="lucene", k1=K1, b=B)
    # The token "" is what it wants for a question without any known one.
    index.index((tokens, {"": count, **{str(n): n for n in range(count)}}), show_progress=False)
    hits, scores = index.retrieve(asked, k=min(HITS, len(tokens)), show_progress=False)
    return [(chunks[s > 0], s[s > 0] * (K1 + 1)) for chunks, s in zip(hits, scores, strict=True)]


def sklearn_lsa(texts: Sequence[str], queries: Sequence[str], fitted: np.ndarray) -> list[Ranking]:
    """LSA by scikit-learn, the decomposition fitted on the rows `fitted`."""
    vectorizer = TfidfVectorizer(analyzer="char", ngram_range=(2, 2), max_features=60_000)
    indexed = vectorizer.fit_transform(texts)
    rows = indexed[fitted]
    svd = TruncatedSVD(min(128, min(rows.shape) - 1), algorithm="arpack", random_state=0).fit(rows)
    of_texts, of_queries = (normalize(svd.transform(part)) for part in (indexed, vectorizer.transform(queries)))
    return [top(of_texts @ query) for query in of_queries]


# --- readers ---------------------------------------------------------------------------------

_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_LISTS, _ITEMS = {"ul", "ol", "dl"}, {"li", "dt", "dd"}
_BOXES = {"address", "article", "aside", "blockquote", "body", "details", "div", "figcaption", "figure", "footer"}
_BOXES |= {"header", "hr", "main", "nav", "p", "section", "summary"}
_UNSEEN = ("head", "script", "style", "noscript", "template", "iframe", "[hidden]")
Block = tuple[str, str, str | None]
"""Kind, text, and the header row of a table."""


def soup_blocks(page: bytes, selectors: Iterable[str]) -> list[Block]:
    """The blocks of a page by Beautiful Soup (with lxml, its fastest parser), its questions left in.

    It knows what the corpora hold: not spanning cells, custom elements, ruby or broken nesting.
    """
    soup = BeautifulSoup(visible(page.decode("utf-8")), "lxml")
    for element in soup.select(", ".join([*_UNSEEN, *selectors])):
        element.decompose()
    reader = _Soup()
    reader.walk(soup.body)
    reader.end_block()
    return reader.blocks


class _Soup:
    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.lines: list[str] = []
        self.run: list[str] = []
        self.heading: str | None = None
        self.lists = 0

    def walk(self, element: Tag) -> None:
        for node in element.children:
            if type(node) is NavigableString:
                self.run.append(node)
            elif isinstance(node, Tag):
                self.element(node)

    def element(self, node: Tag) -> None:
        name = node.name
        if name == "br":
            self.run.append("\v")
        elif name in ("pre", "table"):
            self.end_block()
            self.blocks += _pre(node) if name == "pre" else _table(node)
        elif name in _HEADINGS:
            self.end_block()
            self.heading = name
            self.walk(node)
            self.end_block()
            self.heading = None
        elif name in _LISTS:
            self.edge(item=True)
            self.lists += 1
            self.walk(node)
            self.end_line() if self.lists > 1 else self.end_block()
            self.lists -= 1
        elif name in _ITEMS or name in _BOXES:
            self.edge(name in _ITEMS)
            self.walk(node)
            self.edge(name in _ITEMS)
        else:
            self.walk(node)

    def edge(self, item: bool = False) -> None:
        if not self.lists and not self.heading:
            self.end_block()
        elif item and not self.heading:
            self.end_line()
        else:
            self.run.append(" ")

    def end_line(self) -> None:
        text, self.run = fold("".join(self.run)), []
        if text:
            self.lines.append(text.replace("\n", " ") if self.lists and not self.heading else text)

    def end_block(self) -> None:
        self.end_line()
        if self.lines:
            kind = self.heading or ("list" if self.lists else "paragraph")
            self.blocks.append((kind, "\n".join(self.lines), None))
        self.lines = []


def _pre(node: Tag) -> Iterator[Block]:
    text = re.sub(r"\r\n?", "\n", node.get_text()).removeprefix("\n").removesuffix("\n")
    if text.strip():
        yield "pre", text, None


def _table(node: Tag) -> Iterator[Block]:
    lines: list[str] = []
    header = None
    for row in node.find_all(["caption", "tr"]):
        cells = row.find_all(["th", "td"])
        line = " | ".join(fold(cell.get_text()) for cell in cells) if cells else fold(row.get_text())
        if not header and cells and all(cell.name == "th" for cell in cells):
            header = line
        lines += [line] if line else []
    if lines:
        yield "table", "\n".join(lines), header


def lexbor(page: bytes) -> None:
    """The parse of a page alone by the fastest parser there is for Python."""
    from selectolax.lexbor import LexborHTMLParser

    LexborHTMLParser(page)


# --- splitters, at a size in characters, without overlap -------------------------------------


def langchain(text: str, size: int) -> list[str]:
    return RecursiveCharacterTextSplitter(
        SEPARATORS, keep_separator="end", chunk_size=size, chunk_overlap=0
    ).split_text(text)


def chonkie(text: str, size: int) -> list[Any]:
    from chonkie import RecursiveChunker, RecursiveLevel, RecursiveRules

    rules = RecursiveRules([RecursiveLevel(separator or None) for separator in SEPARATORS])
    return RecursiveChunker("character", size, rules, min_characters_per_chunk=1)(text)


def semantic_text_splitter(text: str, size: int) -> list[str]:
    from semantic_text_splitter import TextSplitter

    return TextSplitter(size).chunks(text)
