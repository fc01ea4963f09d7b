"""The best coverage that one split could give each question."""

from chunkgrid import logs, tables
from chunkgrid.ceilings import ceilings
from chunkgrid.evidence import evidence
from chunkgrid.handed import handed
from chunkgrid.naming import CHARACTERS

logs.start(snakemake.log[0])
unit = snakemake.params.unit
over = handed(tables.read_chunks(snakemake.input.chunks, [], text=unit != CHARACTERS), unit)
queries = tables.read(snakemake.input.queries, tables.QUERIES)
best = ceilings(evidence(queries, over), over.sizes, snakemake.params.budgets)
tables.write(tables.marked(best, queries), snakemake.output[0])
