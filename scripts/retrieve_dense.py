"""Ranks the chunks of one split for every question by embeddings of a model."""

from chunkgrid import logs, tables
from chunkgrid.cosine import cosine_scores, unit
from chunkgrid.costs import costs
from chunkgrid.embedding.cache import Cache
from chunkgrid.embedding.embedding import embedded
from chunkgrid.embedding.models import load
from chunkgrid.naming import CHARACTERS
from chunkgrid.scoring import rank_and_cover

logs.start(snakemake.log[0])
depth = snakemake.params.depth
chunks = tables.read_chunks(snakemake.input.chunks, ["index_text"], text=depth["unit"] != CHARACTERS)
queries = tables.read(snakemake.input.queries, tables.QUERIES)
model = load(snakemake.params.model)
cache = Cache(snakemake.params.cache, model)
texts = tables.searched(chunks)["index_text"].to_pylist()
of_texts = embedded(texts, "passage", model, cache, logs.say)
of_queries = embedded(queries["query"].to_pylist(), "query", model, cache, logs.say)
scores = cosine_scores(unit(of_texts), unit(of_queries))
ranking, coverage = rank_and_cover(chunks, queries, scores, **depth)
tables.write(ranking, snakemake.output.ranking)
tables.write(coverage, snakemake.output.coverage)
tables.write(costs(*of_texts.shape, model.count(texts), model.window), snakemake.output.costs)
