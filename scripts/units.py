"""What sizes in one unit are in the others here, and so what other libraries' defaults mean."""

from pathlib import Path

import yaml

from chunkgrid import conversion, logs, tables

logs.start(snakemake.log[0])
documents = tables.read(snakemake.input.documents, tables.DOCUMENTS, ["text"])
schemas = {
    Path(file).name.removesuffix(".schema.yaml"): yaml.safe_load(Path(file).read_text(encoding="utf-8"))
    for file in snakemake.input.schemas
}
rows = conversion.converted(documents["text"].to_pylist(), conversion.defaults(schemas))
tables.write_csv(tables.table(rows, tables.CONVERSION), snakemake.output[0])
