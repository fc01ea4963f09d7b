"""Takes the hits that another system found in the chunks of one split."""

from pathlib import Path

from chunkgrid import logs, tables
from chunkgrid.hits import hit_scores
from chunkgrid.naming import CHARACTERS
from chunkgrid.own import own_hits
from chunkgrid.scoring import rank_and_cover

logs.start(snakemake.log[0])
file = snakemake.params.cell["file"]
depth = snakemake.params.depth
chunks = tables.read_chunks(snakemake.input.chunks, ["chunk", "name", "index_text"], text=depth["unit"] != CHARACTERS)
queries = tables.read(snakemake.input.queries, tables.QUERIES)
scores, notes = hit_scores(own_hits(Path(file).read_bytes(), file), tables.searched(chunks), queries, file)
for note in notes:
    logs.say(note)
ranking, coverage = rank_and_cover(chunks, queries, scores, **depth)
tables.write(ranking, snakemake.output.ranking)
tables.write(coverage, snakemake.output.coverage)
