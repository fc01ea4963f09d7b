"""Writes the chunks of one split for other systems to index."""

from chunkgrid import exporting, logs, tables
from chunkgrid.splitting.chunks import read_documents

logs.start(snakemake.log[0])
articles = tables.read(snakemake.input.documents, tables.DOCUMENTS)
documents = read_documents(articles, tables.read_batches(snakemake.input.blocks, articles))
found = exporting.exported(tables.read(snakemake.input.chunks, tables.CHUNKS), documents)
tables.write(found, snakemake.output.parquet)
exporting.write_jsonl(found, snakemake.output.jsonl)
