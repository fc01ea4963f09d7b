"""Puts the best hits that one retriever has of a split in the order of another, or of a cross-encoder."""

from chunkgrid import logs, tables
from chunkgrid.embedding.cache import Cache
from chunkgrid.embedding.embedding import embedded
from chunkgrid.embedding.models import load
from chunkgrid.fusion import by_score, pairs, ranked, reranked
from chunkgrid.naming import CHARACTERS
from chunkgrid.scoring import rank_and_cover

logs.start(snakemake.log[0])
cell, depth = snakemake.params.cell, snakemake.params.depth
chunks = tables.read_chunks(snakemake.input.chunks, ["chunk", "index_text"], text=depth["unit"] != CHARACTERS)
queries = tables.read(snakemake.input.queries, tables.QUERIES)
ids, searched = queries["query_id"].to_pylist(), tables.searched(chunks)
numbers = searched["chunk"].to_numpy()
first = ranked(tables.read(snakemake.input.ranking[0], tables.RANKINGS), numbers, cell["of"])
if "by" in cell:
    second = ranked(tables.read(snakemake.input.other[0], tables.RANKINGS), numbers, cell["by"])
else:
    model = load(snakemake.params.model)
    cache = Cache(snakemake.params.cache, model)
    read = pairs(first, dict(zip(ids, queries["query"].to_pylist(), strict=True)), searched["index_text"], cell["top"])
    second = by_score(first, embedded(read, "pair", model, cache, logs.say)[:, 0], ids, cell["top"])
ranking, coverage = rank_and_cover(chunks, queries, reranked(first, second, ids, len(numbers), cell["top"]), **depth)
tables.write(ranking, snakemake.output.ranking)
tables.write(coverage, snakemake.output.coverage)
