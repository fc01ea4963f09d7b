"""Ranks the chunks of one split for every question by latent semantic analysis."""

from chunkgrid import logs, tables
from chunkgrid.lsa import fitted_rows, lsa_scores
from chunkgrid.naming import CHARACTERS
from chunkgrid.scoring import rank_and_cover

logs.start(snakemake.log[0])
depth = snakemake.params.depth
chunks = tables.read_chunks(snakemake.input.chunks, ["index_start", "index_text"], text=depth["unit"] != CHARACTERS)
queries = tables.read(snakemake.input.queries, tables.QUERIES)
seed, searched = snakemake.params.seed, tables.searched(chunks)
fitted = fitted_rows(searched["doc_id"].to_pylist(), searched["index_start"].to_pylist(), seed)
scores = lsa_scores(searched["index_text"], queries["query"].to_pylist(), fitted, seed=seed, **snakemake.params.cell)
ranking, coverage = rank_and_cover(chunks, queries, scores, **depth)
tables.write(ranking, snakemake.output.ranking)
tables.write(coverage, snakemake.output.coverage)
