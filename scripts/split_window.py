"""Hands over the chunks of another cell with what is around them."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.derived import pieces_of, windowed

logs.start(snakemake.log[0])
before, after, unit, of = (snakemake.params.cell[name] for name in ("before", "after", "unit", "of"))
pieces = pieces_of(tables.read(snakemake.input.chunks[0], tables.CHUNKS), of)
documents = read_documents(tables.read(snakemake.input.documents, tables.DOCUMENTS))
found = chunk_table(documents, lambda one: windowed(one, pieces.get(one.doc_id, []), before, after, unit))
tables.write(found, snakemake.output[0])
