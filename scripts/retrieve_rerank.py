"""Puts the best hits that one retriever has of a split in the order of another."""

from chunkgrid import logs, tables
from chunkgrid.fusion import ranked, reranked
from chunkgrid.naming import CHARACTERS
from chunkgrid.scoring import rank_and_cover

logs.start(snakemake.log[0])
cell, depth = snakemake.params.cell, snakemake.params.depth
chunks = tables.read_chunks(snakemake.input.chunks, ["chunk", "index_text"], text=depth["unit"] != CHARACTERS)
queries = tables.read(snakemake.input.queries, tables.QUERIES)
searched = tables.searched(chunks)["chunk"].to_numpy()
first, second = (
    ranked(tables.read(file, tables.RANKINGS), searched, name)
    for file, name in ((snakemake.input.ranking[0], cell["of"]), (snakemake.input.other[0], cell["by"]))
)
scores = reranked(first, second, queries["query_id"].to_pylist(), len(searched), cell["top"])
ranking, coverage = rank_and_cover(chunks, queries, scores, **depth)
tables.write(ranking, snakemake.output.ranking)
tables.write(coverage, snakemake.output.coverage)
