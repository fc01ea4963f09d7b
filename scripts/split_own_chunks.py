"""Takes the chunks that another system made."""

from pathlib import Path

from chunkgrid import logs, tables
from chunkgrid.own import own_chunks

logs.start(snakemake.log[0])
file = snakemake.params.cell["file"]
documents = tables.read(snakemake.input.documents, tables.DOCUMENTS, ["doc_id", "title", "text"]).to_pylist()
by_id = {row["doc_id"]: (row["title"], row["text"]) for row in documents}
chunks, notes = own_chunks(Path(file).read_bytes(), file, by_id)
for note in notes:
    logs.say(note)
rows = [
    {**vars(one), "chunk": n, "index_start": one.start, "index_end": one.end, "index_text": one.index_text or one.text}
    for n, one in enumerate(chunks)
]
tables.write(tables.table(rows, tables.CHUNKS), snakemake.output[0])
