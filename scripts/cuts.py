"""Measures one split: which tables and code blocks it cuts, how long and how much its chunks are."""

import pyarrow.compute as pc

from chunkgrid import logs, naming, tables, units
from chunkgrid.handed import handed
from chunkgrid.split_measures import cuts, looked_at, split_measures

logs.start(snakemake.log[0])
chunks = tables.read_chunks(snakemake.input.chunks, ["index_text"])
documents = tables.read(snakemake.input.documents, tables.DOCUMENTS, ["doc_id", "text"])
over = handed(chunks)
found = cuts(over, tables.read_batches(snakemake.input.blocks, documents, looked_at(over)))
unit = snakemake.params.unit
searched = tables.searched(chunks)["index_text"]
index_tokens = None if unit == naming.CHARACTERS else int(units.sizes(searched.to_pylist(), unit).sum())
index_lengths = pc.utf8_length(searched).to_numpy().astype("int64")
tables.write(found, snakemake.output.cuts)
texts = dict(zip(*(documents[name].to_pylist() for name in ("doc_id", "text")), strict=True))
tables.write(split_measures(over, index_lengths, texts, found, index_tokens), snakemake.output.measures)
