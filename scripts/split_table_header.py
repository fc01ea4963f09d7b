"""Puts a table's header row in front of what is indexed of another cell's chunks."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.derived import pieces_of, with_table_header

logs.start(snakemake.log[0])
pieces = pieces_of(tables.read(snakemake.input.chunks[0], tables.CHUNKS), snakemake.params.cell["of"])
articles = tables.read(snakemake.input.documents, tables.DOCUMENTS)
documents = read_documents(articles, tables.read_batches(snakemake.input.blocks, articles))
found = chunk_table(documents, lambda one: with_table_header(one, pieces.get(one.doc_id, [])))
tables.write(found, snakemake.output[0])
