"""Cuts every document by LangChain's RecursiveCharacterTextSplitter."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.langchain_text import recursive

logs.start(snakemake.log[0])
documents = read_documents(tables.read(snakemake.input.documents, tables.DOCUMENTS))
tables.write(chunk_table(documents, lambda document: recursive(document, **snakemake.params.cell)), snakemake.output[0])
