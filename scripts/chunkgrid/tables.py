"""The tables between the steps: their columns, and how they are read and written.

Every column says in its metadata what it holds, so that a file can be read without this code.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from .errors import InputError
from .naming import UNITS

_STRING, _TEXT, _INT, _FLOAT, _BOOL = pa.string(), pa.large_string(), pa.int64(), pa.float64(), pa.bool_()
_SPANS = pa.list_(pa.struct([("start", _INT), ("end", _INT)]))
_PLACES = pa.list_(pa.struct([("shingle", _INT), ("start", _INT), ("end", _INT)]))
_KINDS = pa.list_(pa.struct([("kind", _STRING), ("blocks", _INT)]))
_QUESTIONS = pa.list_(pa.struct([("question", _STRING), ("gold", _SPANS)]))


_SLICES, _APART, _MERGED = "slices", "apart", "merged"


def _column(name: str, kind: pa.DataType, says: str) -> pa.Field:
    return pa.field(name, kind, metadata={"description": says})


BLOCKS = pa.schema(
    [
        _column("doc_id", _STRING, "the article"),
        _column("block", _INT, "number within the article, from 0"),
        _column("breaks", _INT, "level of a question heading that left just before this block, else null"),
        _column("kind", _STRING, "h1 to h6, paragraph, list, table, pre or component"),
        _column("start", _INT, "first character in the document text (code points)"),
        _column("end", _INT, "one past the last character"),
        _column("text", _TEXT, "document text[start:end]"),
        _column(
            "headings", pa.list_(_STRING), "the headings that the block stands under, from h1 down, its own included"
        ),
        _column("header", _STRING, "a table's header row, else null"),
    ]
)
ARTICLES = pa.schema(
    [
        _column("doc_id", _STRING, "the article: its path under the wildcard-free part of the glob"),
        _column("source", _STRING, "the file it was read from"),
        _column("title", _STRING, "the h1, else <title>, else the file's name"),
        _column("text", _TEXT, "the document text: blocks joined by an empty line"),
        _column("html", _TEXT, "the page without what is excluded and without the questions that left"),
        _column("metadata", _TEXT, "what the front matter of a Markdown file says, as JSON"),
        _column("encoding", _STRING, "the encoding the file was read in"),
        _column("excluded", _INT, "characters, white space aside, that exclude took out"),
        _column("error", _STRING, "why it could not be read, else null"),
        _column("warnings", pa.list_(_STRING), "what a person should look at"),
        _column("kinds", _KINDS, "blocks by kind"),
        _column("questions", _QUESTIONS, "every question recognised, with the spans of its answer"),
    ]
)
DOCUMENTS = pa.schema([ARTICLES.field(name) for name in ("doc_id", "source", "title", "text", "html", "metadata")])
_FROM = _column(
    "questions_from", _STRING, "faq, headings (easier than questions that people ask) or file: where they come from"
)
QUERIES = pa.schema(
    [
        _column("query_id", _STRING, "first 16 hex digits of sha256(doc_id, question, occurrence; one a line)"),
        _FROM,
        _column("doc_id", _STRING, "the article that answers it"),
        _column("query", _STRING, "the question"),
        _column("gold", _SPANS, "where the answer stands in the document text"),
        _column("gold_text", pa.list_(_TEXT), "the text of each gold span"),
        _column("places", _PLACES, "where each 8-character shingle of the gold stands in the document, at all places"),
    ]
)
CANDIDATES = pa.schema(
    [
        *(field for field in QUERIES if field.name != "places"),
        _column("status", _STRING, "used, or why it is not asked"),
        _column("why", _STRING, "what is wrong with a question of a file, else null"),
        _column("notes", pa.list_(_STRING), "what a person should know of it"),
    ]
)
CHUNKS = pa.schema(
    [
        _column("chunk", _INT, "running number in the table, in order of doc_id and place"),
        _column("doc_id", _STRING, "the article"),
        _column("start", _INT, "what is handed over: first character; null where a splitter rewrites text"),
        _column("end", _INT, "what is handed over: one past the last character"),
        _column("text", _TEXT, "what is handed over to the reader"),
        _column("index_start", _INT, "what is indexed: first character"),
        _column("index_end", _INT, "what is indexed: one past the last character"),
        _column("index_text", _TEXT, "what is indexed, perhaps with a line in front; null where only its parts are"),
        _column("name", _STRING, "what it is called by the system that made it, else null"),
        _column("parent", _INT, "the chunk that it is a part of and is merged into, else null"),
        _column("route", _STRING, "what a hybrid took it for: prose, code, table or list; else null"),
    ]
)
EXPORT = pa.schema(
    [
        _column("id", _STRING, "its own name, else the article and its number within it, from 0"),
        _column("document", _STRING, "the article"),
        _column("title", _STRING, "the article's title"),
        *(CHUNKS.field(name) for name in ("start", "end", "text", "index_text")),
        _column("headings", pa.list_(_STRING), "the headings that it begins under; null without offsets"),
        _column("kind", _STRING, "the kind of the block that it begins in; null without offsets"),
        _column("parent", _STRING, "the id of the chunk that it is a part of; one that has parts is not indexed"),
    ]
)
RANKINGS = pa.schema(
    [
        _column("query_id", _STRING, "the question"),
        _column("rank", _INT, "from 1"),
        _column("chunk", _INT, "the chunk's number in the table of chunks"),
        _column("score", _FLOAT, "rounded to 9 significant digits, above 0"),
    ]
)
COVERAGE = pa.schema(
    [
        _column("query_id", _STRING, "the question"),
        _column("characters", pa.list_(_INT), "handed over after 1, 2, 3 ... hits (equal spans once)"),
        _column("size", pa.list_(_INT), "the same in the unit of budgets; null where that is characters"),
        _column(
            "coverage", pa.list_(_FLOAT), "share of the gold's 8-character shingles covered after 1, 2, 3 ... hits"
        ),
        _column(
            "span_coverage", pa.list_(_FLOAT), "share of the gold's characters in the spans so far; null without spans"
        ),
        _column("gain", pa.list_(_FLOAT), "each hit's own coverage"),
        _column("ideal_gain", pa.list_(_FLOAT), "the best own coverages of any chunks of this split, descending"),
        _column("article_rank", _INT, "rank of the first hit in the gold document, else null"),
        _column("relevant_rank", _INT, "rank of the first hit that alone covers 0.95 of the gold, else null"),
        _column(
            "united", pa.list_(_INT), "characters of the spans so far, each once; null without spans, as all below"
        ),
        _column("covered", pa.list_(_INT), "of the gold in them"),
        _column("missed", pa.list_(_INT), "of the gold not in them, once for every gold span that holds it"),
        _column("gold_characters", _INT, "characters of the union of the gold spans"),
        _column("reference_characters", _INT, "characters of the gold spans, added up"),
        _column("touching", _INT, "chunks of the split that touch the gold, a shared edge being enough"),
        _column("precision_omega", _FLOAT, "share of gold in the union of all chunks that hold any of it"),
        _column("chroma_precision_omega", _FLOAT, "the same as Chroma counts: all that touch, and the gold they miss"),
    ]
)
_COSTS = {
    "vectors": (_INT, "vectors that are kept"),
    "dimensions": (_INT, "of each; null where there are none, or several"),
    "vector_bytes": (_INT, "of all, 4 for each number"),
    "embedded_tokens": (_INT, "tokens that a model of embeddings reads for them, and to cut; questions not counted"),
    "over_window": (_INT, "texts of which the model reads only the beginning; null where it reads all"),
}
COSTS = pa.schema([_column(name, kind, says) for name, (kind, says) in _COSTS.items()])
CUTS = pa.schema(
    [
        _column("doc_id", _STRING, "the article"),
        _column("block", _INT, "number of the block within the article"),
        _column("kind", _STRING, "table or pre"),
        _column("cut", _BOOL, "whether some chunk starts or ends strictly inside; null without spans"),
        _column("whole", _BOOL, "whether some single chunk holds it whole"),
    ]
)
CEILINGS = pa.schema(
    [
        _column("query_id", _STRING, "the question"),
        _column("budget", _INT, "characters or tokens"),
        _column("best", _FLOAT, "best coverage that chunks of the gold document could give within the budget"),
    ]
)
INTERVALS = pa.schema(
    [
        _column("measure", _STRING, "name of the measure"),
        _column("split", _STRING, "the cell's split"),
        _column("retriever", _STRING, "the cell's retriever"),
        _column("other_split", _STRING, "split of the cell it is compared with"),
        _column("other_retriever", _STRING, "retriever of the cell it is compared with"),
        _column("difference", _FLOAT, "mean of the cell minus mean of the other"),
        _column("low", _FLOAT, "2.5th percentile of the resampled difference"),
        _column("high", _FLOAT, "97.5th percentile of the resampled difference"),
        _column("resample", _STRING, "what was drawn: query or article"),
        _column("shown", _BOOL, "whether the interval excludes 0"),
        _column("low_all", _FLOAT, "lower bound where all cells compared with the other one hold at once (max-t)"),
        _column("high_all", _FLOAT, "upper bound where they do"),
        _FROM,
    ]
)


_MEASURES = {
    "recall": "coverage of the first k hits",
    "span_recall": "span coverage of the first k hits; null without spans",
    "complete": "1 where that coverage is at least 0.95",
    "article_hit": "1 where the gold document is among the first k",
    "hit": "1 where a chunk that alone covers 0.95 is among the first k",
    "ndcg": "normalised discounted cumulative gain, gain = a chunk's own coverage; not comparable between splits",
    "retrieved_chars": "characters of the first k hits",
    "mrr": "1 / rank of the first chunk that alone covers 0.95, else 0",
    "budget_recall": "coverage of what is handed over within the budget",
    "budget_span_recall": "span coverage of what is handed over within the budget; null without spans",
    "budget_chars": "characters handed over within the budget",
    "over_budget": "1 where the first chunk alone exceeds the budget",
    "loss_split": "1 - the best coverage that this split could give within the budget",
    "loss_article": "what is lost since nothing handed over is of the gold document",
    "budget_tokens": "tokens handed over within the budget",
    "precision": "share of gold in the union of the spans of the first k hits; null without spans",
    "iou": "that gold / the union of those spans and the gold",
    "precision_omega": "share of gold in the union of all chunks of the split that hold any of it",
    "chroma_recall": "gold in the first k hits / the gold spans added up, as Chroma counts; k -1: as many as touch it",
    "chroma_precision": "that gold / the lengths of the first k hits added up, as Chroma counts",
    "chroma_iou": "that gold / those lengths and the gold missed, as Chroma counts",
    "chroma_precision_omega": "gold / the union of all chunks that touch it and the gold they miss, as Chroma counts",
    "loss_place": "what is lost since other chunks of the gold document are handed over",
}
_OF_A_SPLIT = {
    "chunks": "spans handed over",
    "chars_mean": "characters of a span handed over, mean",
    "chars_median": "the same, median",
    "chars_p95": "the same, 95th percentile",
    "chars_max": "the same, longest",
    "under_30": "share of spans under 30 characters",
    "unplaced": "spans handed over that have no offsets; with any, there are no measures on spans",
    "kept": "share of the documents' visible characters that some chunk hands over",
    "overlap_none": "share of neighbouring spans that do not overlap; null without spans",
    "overlap_mean": "characters that neighbouring spans share, mean; null without spans",
    "overlap_max": "the same, most; null without spans",
    "index_chunks": "chunks indexed",
    "index_chars": "characters indexed",
    "index_tokens": "tokens indexed, where budgets are in tokens",
    "index_ratio": "characters indexed / characters of all documents",
    "table_cut": "share of tables with a chunk's edge strictly inside; null without spans",
    "table_whole": "share of tables that a single chunk holds whole",
    "pre_cut": "share of pre blocks with a chunk's edge strictly inside; null without spans",
    "pre_whole": "share of pre blocks that a single chunk holds whole",
}
_WHOLE = ("chunks", "unplaced", "index_chunks", "index_chars", "index_tokens")
_CELL = [_column("split", _STRING, "the cell's split"), _column("retriever", _STRING, "the cell's retriever")]

SPLITS = pa.schema([_column(name, _INT if name in _WHOLE else _FLOAT, says) for name, says in _OF_A_SPLIT.items()])


CONVERSION = pa.schema(
    [
        _column("what", _STRING, "a size, of what"),
        *(_column(unit, _FLOAT, f"in {unit}, by the mean over all documents") for unit in UNITS),
    ]
)

_RATIOS = [
    _column("embedding_cost", _FLOAT, "those tokens at the prices of the config; null where one is missing"),
    _column("vector_bytes_ratio", _FLOAT, "vector_bytes / the least above 0 of all cells"),
    _column("embedding_cost_ratio", _FLOAT, "embedding_cost / the least above 0 of all cells"),
]

OF_FOLDER = {
    **{
        "costs": COSTS,
        "cut_costs": COSTS,
        "chunks": CHUNKS,
        "rankings": RANKINGS,
        "coverage": COVERAGE,
        "cuts": CUTS,
        "splits": SPLITS,
    },
    "ceilings": CEILINGS,
}
"""What the files of a folder of results hold, where they are of one cell or split."""


def questions_schema(names: Sequence[str]) -> pa.Schema:
    """The table of questions; `names` are measures such as `recall@5`."""
    keys = [_column("query_id", _STRING, "the question"), _column("doc_id", _STRING, "the article that answers it")]
    keys.append(_column("answered", _BOOL, "whether anything was retrieved"))
    return pa.schema([*_CELL, _FROM, *keys, *(_column(name, _FLOAT, _MEASURES[name.split("@")[0]]) for name in names)])


def metrics_schema(names: Sequence[str]) -> pa.Schema:
    """The table of cells: means of the measures `names`, their standard errors, measures of the split, costs."""
    columns = [
        *(*_CELL, _FROM),
        _column("questions", _INT, "questions asked"),
        _column("answered", _INT, "questions that anything was retrieved for"),
    ]
    for name in names:
        says = _MEASURES[name.split("@")[0]].replace("1 where", "share of questions where")
        columns += [_column(name, _FLOAT, f"mean: {says}"), _column(f"{name}_se", _FLOAT, f"standard error of {name}")]
    return pa.schema([*columns, *SPLITS, *COSTS, *_RATIOS])


def table(rows: Iterable[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    """Rows to a table; columns that a row lacks are null."""
    return pa.Table.from_pylist(list(rows), schema=schema)


def marked(content: pa.Table, queries: pa.Table) -> pa.Table:
    """A table with where its questions come from in its metadata, for those that have no column for it."""
    origin = queries["questions_from"][0].as_py() if len(queries) else ""
    return content.replace_schema_metadata({**(content.schema.metadata or {}), "questions_from": origin})


def of_slices(content: pa.Table) -> pa.Table:
    """A table of chunks of which each `text` is just `start` to `end` of its document."""
    return content.replace_schema_metadata({**(content.schema.metadata or {}), _SLICES: "true"})


def are_slices(content: pa.Table) -> bool:
    """Whether a table of chunks says so, and each has a place."""
    return (content.schema.metadata or {}).get(_SLICES.encode()) == b"true" and not content["start"].null_count


def handed_apart(content: pa.Table) -> pa.Table:
    """A table of chunks that overlap, of which a hit is passed over where what is handed over holds a part of it."""
    return content.replace_schema_metadata({**(content.schema.metadata or {}), _APART: "true"})


def are_handed_apart(content: pa.Table) -> bool:
    """Whether a table of chunks says so."""
    return (content.schema.metadata or {}).get(_APART.encode()) == b"true"


def merged_from(content: pa.Table, share: float) -> pa.Table:
    """A table of chunks that are merged into their `parent` once more than a `share` of its parts are handed over."""
    return content.replace_schema_metadata({**(content.schema.metadata or {}), _MERGED: repr(share)})


def check_plain(chunks: pa.Table, cell: str) -> None:
    """Raises InputError for the chunks of a `cell` that say how they are handed over, and so are those of no other."""
    if are_handed_apart(chunks) or chunks["parent"].null_count < len(chunks):
        raise InputError(f"{cell} says how its chunks are handed over, so that no other split can be made of them")


def check_places(chunks: pa.Table, cell: str, so: str) -> None:
    """Raises InputError for the chunks of a `cell` of which some have no offsets, `so` that something cannot be."""
    missing = max(chunks[name].null_count for name in ("start", "index_start"))
    if missing:
        raise InputError(f"{missing:,} of the {len(chunks):,} chunks of {cell} have no offsets, so that {so}")


def merging_share(content: pa.Table) -> float:
    """That share, of a table of chunks."""
    return float((content.schema.metadata or {}).get(_MERGED.encode(), b"1"))


def shown(measures: Sequence[str]) -> list[str]:
    """What may be shown in the terminal: measures of questions, of splits, and costs."""
    return [*measures, *_OF_A_SPLIT, *_COSTS, *(column.name for column in _RATIOS)]


def write(content: pa.Table, path: str | Path, metadata: dict[str, str] | None = None) -> None:
    """Writes Parquet (zstd) under a temporary name, then renames: a file is whole or absent."""
    if metadata:
        content = content.replace_schema_metadata({**(content.schema.metadata or {}), **metadata})
    temporary = Path(f"{path}.{os.getpid()}.part")
    pq.write_table(content, temporary, compression="zstd")
    temporary.replace(path)


def write_parts(parts: Iterable[pa.Table], schema: pa.Schema, path: str | Path) -> None:
    """Writes a table that comes in parts, as `write` does; its metadata are those of the first part."""
    temporary = Path(f"{path}.{os.getpid()}.part")
    parts = iter(parts)
    first = next(parts, schema.empty_table())
    # What many chunks hand over in common is stored once.
    with pq.ParquetWriter(temporary, first.schema, compression="zstd", dictionary_pagesize_limit=1 << 26) as writer:
        writer.write_table(first)
        for part in parts:
            writer.write_table(part)
    temporary.replace(path)


def write_csv(content: pa.Table, path: str | Path) -> None:
    """Writes a flat table as CSV (UTF-8 with a byte order mark, so that spreadsheets read Japanese)."""
    temporary = Path(f"{path}.{os.getpid()}.part")
    with open(temporary, "w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(content.column_names)
        rows.writerows(zip(*(column.to_pylist() for column in content.columns), strict=True))
    temporary.replace(path)


def read(path: str | Path, schema: pa.Schema | None = None, columns: Sequence[str] | None = None) -> pa.Table:
    """Reads Parquet. Raises InputError, naming the file, where it is damaged or not of `schema`."""
    try:
        with pq.ParquetFile(path) as file:  # a third of the time of pq.read_table, which is for datasets
            content = file.read(columns)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OSError) as error:
        raise InputError(f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}") from None
    for field in [field for field in schema or [] if columns is None or field.name in columns]:
        if field.name not in content.column_names:
            raise InputError(f"{path} has no column '{field.name}': is it of another program or version?")
        if content.schema.field(field.name).type != field.type:
            found = content.schema.field(field.name).type
            raise InputError(f"{path}: column '{field.name}' is {found}, not {field.type}")
    return content if columns is None else content.select(columns)


def read_chunks(path: str | Path, columns: Sequence[str], text: bool = False) -> pa.Table:
    """Columns of a table of chunks, and `text` with them where that says more than the place, or is wanted.

    (What many chunks hand over in common, as parents, is large as a text.)
    """
    try:
        slices = are_slices(pq.read_schema(path).empty_table())
    except (pa.ArrowInvalid, OSError):
        slices = False  # reading says what is wrong
    always = ["doc_id", "start", "end", "parent"]
    wanted = dict.fromkeys([*columns, *always, *(["text"] if text or not slices else [])])
    return read(path, CHUNKS, list(wanted))


def searched(chunks: pa.Table) -> pa.Table:
    """The chunks that are searched: those that have a text for it, of a table with that column."""
    return chunks.filter(chunks["index_text"].is_valid()) if chunks["index_text"].null_count else chunks


def read_all(paths: Sequence[str | Path], schema: pa.Schema, columns: Sequence[str] | None = None) -> pa.Table:
    """Several files of one schema as one table, in the order of `paths`."""
    names = [field.name for field in schema if columns is None or field.name in columns]
    empty = pa.schema([schema.field(name) for name in names]).empty_table()
    return pa.concat_tables([empty, *(read(path, schema, columns).select(names) for path in paths)])


def read_batches(folders: Sequence[str | Path], documents: pa.Table, columns: Sequence[str] | None = None) -> pa.Table:
    """The blocks of all documents, from batch folders, sorted by article and block.

    Raises InputError where the folders lack a document, or hold what is none.
    """
    paths = [path for folder in folders for path in sorted(Path(folder).glob("*.parquet"))]
    blocks = read_all(paths, BLOCKS, columns).sort_by([("doc_id", "ascending"), ("block", "ascending")])
    there, wanted = set(blocks["doc_id"].unique().to_pylist()), set(documents["doc_id"].to_pylist())
    if there != wanted:
        fault = (
            f"lack '{min(wanted - there)}'" if wanted - there else f"hold '{min(there - wanted)}', which is no document"
        )
        raise InputError(f"the files of blocks/ {fault}: delete blocks/ and read/, and run again")
    return blocks


def holds(path: str | Path, names: Sequence[str]) -> bool:
    """Whether a file is Parquet with just these columns."""
    try:
        return list(pq.read_schema(path).names) == list(names)
    except (pa.ArrowInvalid, OSError):
        return False
