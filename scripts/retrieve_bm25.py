"""Ranks the chunks of one split for every question by BM25."""

from chunkgrid import logs, tables
from chunkgrid.bm25 import bm25_scores
from chunkgrid.naming import CHARACTERS
from chunkgrid.scoring import rank_and_cover

logs.start(snakemake.log[0])
depth = snakemake.params.depth
chunks = tables.read_chunks(snakemake.input.chunks, ["index_text"], text=depth["unit"] != CHARACTERS)
queries = tables.read(snakemake.input.queries, tables.QUERIES)
scores = bm25_scores(tables.searched(chunks)["index_text"], queries["query"].to_pylist(), **snakemake.params.cell)
ranking, coverage = rank_and_cover(chunks, queries, scores, **depth)
tables.write(ranking, snakemake.output.ranking)
tables.write(coverage, snakemake.output.coverage)
