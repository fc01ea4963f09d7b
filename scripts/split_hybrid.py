"""Takes the chunks of the cell that suits each document, or each stretch of it."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.derived import pieces_of
from chunkgrid.splitting.hybrid import hybrid

logs.start(snakemake.log[0])
cell = snakemake.params.cell
routes = [route for route in ("prose", "code", "table", "list") if route in cell]
pieces = {route: pieces_of(tables.read(snakemake.input[route], tables.CHUNKS), cell[route]) for route in routes}
articles = tables.read(snakemake.input.documents, tables.DOCUMENTS)
documents = read_documents(articles, tables.read_batches(snakemake.input.blocks, articles))
found = chunk_table(
    documents,
    lambda one: hybrid(one, {route: pieces[route].get(one.doc_id, []) for route in routes}, cell["by"], cell["share"]),
)
tables.write(found, snakemake.output[0])
