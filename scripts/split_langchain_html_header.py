"""Cuts every page by LangChain's HTMLHeaderTextSplitter."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.langchain_html import html_header

logs.start(snakemake.log[0])
documents = read_documents(tables.read(snakemake.input.documents, tables.DOCUMENTS))
tables.write(
    chunk_table(documents, lambda document: html_header(document, **snakemake.params.cell)), snakemake.output[0]
)
