"""Puts the chunks of one cell into those of another."""

from chunkgrid import logs, tables
from chunkgrid.splitting.parents import parent_child

logs.start(snakemake.log[0])
children = tables.read(snakemake.input.child[0], tables.CHUNKS)
parents = tables.read(snakemake.input.parent[0], tables.CHUNKS)
tables.write_parts(parent_child(children, parents, **snakemake.params.cell), tables.CHUNKS, snakemake.output[0])
