"""What the parts of chunkgrid are measured against: the same work, as one would do it with another library.

Every function takes what ours takes, and yields what ours does where the two can be equal (bench.py checks that they
are). A package is imported within the function that needs it: a missing one costs only its own rows, and nothing is
larger or slower for the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from bs4 import BeautifulSoup, NavigableString, Tag
from scipy import sparse

from chunkgrid.text import fold, visible

OPTIONAL = ("bm25s", "chonkie", "semantic_text_splitter", "selectolax")
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
    from sklearn.feature_extraction.text import CountVectorizer

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
    from sklearn.feature_extraction.text import CountVectorizer

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
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

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


def soup_blocks(pages: Sequence[bytes], selectors: Sequence[str]) -> list[list[Block]]:
    """The blocks of pages by Beautiful Soup (with lxml, its fastest parser), its questions left in.

    It knows what the corpora hold: not spanning cells, custom elements, ruby or broken nesting.
    """
    return [_Soup(page, ", ".join([*_UNSEEN, *selectors])).blocks for page in pages]


class _Soup:
    def __init__(self, page: bytes, unseen: str) -> None:
        self.blocks: list[Block] = []
        self.lines: list[str] = []
        self.run: list[str] = []
        self.heading: str | None = None
        self.lists = 0
        soup = BeautifulSoup(visible(page.decode("utf-8")), "lxml")
        for element in soup.select(unseen):
            element.decompose()
        self.walk(soup.body)
        self.end_block()

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


def lexbor(pages: Sequence[bytes]) -> None:
    """The parse of pages alone, by the fastest parser there is for Python."""
    from selectolax.lexbor import LexborHTMLParser

    for page in pages:
        LexborHTMLParser(page)


# --- splitters, at a size in characters, without overlap -------------------------------------


def langchain(texts: Sequence[str], size: int) -> list[list[str]]:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(SEPARATORS, keep_separator="end", chunk_size=size, chunk_overlap=0)
    return [splitter.split_text(text) for text in texts]


def chonkie(texts: Sequence[str], size: int) -> list[list[str]]:
    from chonkie import RecursiveChunker, RecursiveLevel, RecursiveRules

    rules = RecursiveRules([RecursiveLevel(separator or None) for separator in SEPARATORS])
    chunker = RecursiveChunker("character", size, rules, min_characters_per_chunk=1)
    return [[chunk.text for chunk in chunker(text)] for text in texts]


def semantic_text_splitter(texts: Sequence[str], size: int) -> list[list[str]]:
    from semantic_text_splitter import TextSplitter

    splitter = TextSplitter(size)
    return [splitter.chunks(text) for text in texts]
