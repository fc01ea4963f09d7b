"""Puts the chunks of several cells into one index."""

from chunkgrid import logs, tables
from chunkgrid.splitting.multi import multi

logs.start(snakemake.log[0])
chunks = (tables.read(file, tables.CHUNKS) for file in snakemake.input.chunks)
tables.write(multi(dict(zip(snakemake.params.cell["of"], chunks, strict=True))), snakemake.output[0])
