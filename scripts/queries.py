"""Takes the questions that are asked, and finds where the pieces of their answers stand."""

from chunkgrid import logs, tables
from chunkgrid.questions import check, drawn
from chunkgrid.shingles import add_places

logs.start(snakemake.log[0])
candidates = tables.read(snakemake.input.candidates, tables.CANDIDATES).to_pylist()
check(candidates, snakemake.input.reading, **snakemake.params.questions)
documents = tables.read(snakemake.input.documents, tables.DOCUMENTS, ["doc_id", "text"])
texts = dict(zip(*(documents[name].to_pylist() for name in ("doc_id", "text")), strict=True))
tables.write(tables.table(add_places(drawn(candidates), texts), tables.QUERIES), snakemake.output[0])
