"""Fuses the rankings that several retrievers have of one split."""

from chunkgrid import logs, tables
from chunkgrid.fusion import fused, ranked
from chunkgrid.naming import CHARACTERS
from chunkgrid.scoring import rank_and_cover

logs.start(snakemake.log[0])
cell, depth = snakemake.params.cell, snakemake.params.depth
chunks = tables.read_chunks(snakemake.input.chunks, ["chunk", "index_text"], text=depth["unit"] != CHARACTERS)
queries = tables.read(snakemake.input.queries, tables.QUERIES)
searched = tables.searched(chunks)["chunk"].to_numpy()
rankings = [
    ranked(tables.read(file, tables.RANKINGS), searched, name)
    for file, name in zip(snakemake.input.rankings, cell["of"], strict=True)
]
how = {key: cell[key] for key in ("by", "weights", "constant") if key in cell}
scores = fused(rankings, queries["query_id"].to_pylist(), len(searched), **how)
ranking, coverage = rank_and_cover(chunks, queries, scores, **depth)
tables.write(ranking, snakemake.output.ranking)
tables.write(coverage, snakemake.output.coverage)
