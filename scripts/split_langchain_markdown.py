"""Cuts every document by LangChain's MarkdownHeaderTextSplitter."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.langchain_text import markdown

logs.start(snakemake.log[0])
articles = tables.read(snakemake.input.documents, tables.DOCUMENTS)
documents = read_documents(articles, tables.read_batches(snakemake.input.blocks, articles))
tables.write(chunk_table(documents, lambda document: markdown(document, **snakemake.params.cell)), snakemake.output[0])
