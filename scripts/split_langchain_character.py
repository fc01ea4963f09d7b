"""Cuts every document by LangChain's CharacterTextSplitter."""

from chunkgrid import logs, tables
from chunkgrid.splitting.chunks import chunk_table, read_documents
from chunkgrid.splitting.langchain_text import character

logs.start(snakemake.log[0])
documents = read_documents(tables.read(snakemake.input.documents, tables.DOCUMENTS))
tables.write(chunk_table(documents, lambda document: character(document, **snakemake.params.cell)), snakemake.output[0])
