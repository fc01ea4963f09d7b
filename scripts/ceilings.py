"""The best coverage that one split could give each question."""

from chunkgrid import logs, tables
from chunkgrid.ceilings import ceilings
from chunkgrid.coverage import evidence
from chunkgrid.scoring import handed

logs.start(snakemake.log[0])
over = handed(tables.read(snakemake.input.chunks, tables.CHUNKS))
queries = tables.read(snakemake.input.queries, tables.QUERIES).to_pylist()
tables.write(ceilings(evidence(queries, over), over.lengths, snakemake.params.budgets), snakemake.output[0])
