"""Reports how each article was read and what became of its questions."""

import pyarrow as pa

from chunkgrid import logs, tables
from chunkgrid.questions import reading_rows

logs.start(snakemake.log[0])
candidates = tables.read(
    snakemake.input.candidates, tables.CANDIDATES, ["doc_id", "status", "why", "notes"]
).to_pylist()
files = [file for file in snakemake.input if file != snakemake.input.candidates]
columns = [name for name in tables.ARTICLES.names if name not in ("html", "metadata", "questions")]
articles = tables.read_all(files, tables.ARTICLES, columns).sort_by("doc_id").to_pylist()
rows = reading_rows(articles, candidates, snakemake.params.questions_from, snakemake.params.left_out)
tables.write_csv(pa.Table.from_pylist(rows), snakemake.output[0])
