"""Ranks the chunks of one split for every question by latent semantic analysis."""

from chunkgrid import logs, tables
from chunkgrid.cosine import cosine_scores
from chunkgrid.costs import costs
from chunkgrid.lsa import fitted_rows, lsa_vectors
from chunkgrid.naming import CHARACTERS
from chunkgrid.scoring import rank_and_cover

logs.start(snakemake.log[0])
depth = snakemake.params.depth
chunks = tables.read_chunks(snakemake.input.chunks, ["index_start", "index_text"], text=depth["unit"] != CHARACTERS)
queries = tables.read(snakemake.input.queries, tables.QUERIES)
seed, searched = snakemake.params.seed, tables.searched(chunks)
fitted = fitted_rows(searched["doc_id"].to_pylist(), searched["index_start"].to_pylist(), seed)
asked = queries["query"].to_pylist()
of_texts, of_queries = lsa_vectors(searched["index_text"], asked, fitted, seed=seed, **snakemake.params.cell)
ranking, coverage = rank_and_cover(chunks, queries, cosine_scores(of_texts, of_queries), **depth)
tables.write(ranking, snakemake.output.ranking)
tables.write(coverage, snakemake.output.coverage)
tables.write(costs(*of_texts.shape), snakemake.output.costs)
