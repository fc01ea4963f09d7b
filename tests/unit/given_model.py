"""A model as a config gives it."""

import yaml

from chunkgrid.embedding.models import Model, adapter_file, described, load
from chunkgrid.files import add_hashes
from chunkgrid.grid import expand


def given(kind: str, **parameters: object) -> Model:
    schemas = {kind: yaml.safe_load(adapter_file(kind).with_suffix(".schema.yaml").read_text())}
    cells = expand("models", {kind: [{"name": "m", **parameters}]}, schemas)
    add_hashes(cells, schemas, "models")
    return load(described(cells, schemas)[f"{kind}/m"])
