"""A module a model: `load` takes its parameters, which are those of the schema beside it, and gives the model."""
