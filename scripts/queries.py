"""Takes the questions that are asked."""

from chunkgrid import logs, tables
from chunkgrid.questions import check, drawn

logs.start(snakemake.log[0])
candidates = tables.read(snakemake.input.candidates, tables.CANDIDATES).to_pylist()
check(candidates, snakemake.input.reading, **snakemake.params.questions)
tables.write(tables.table(drawn(candidates), tables.QUERIES), snakemake.output[0])
