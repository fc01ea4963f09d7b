"""A module a model: `load` takes the parameters of a cell and gives the model."""
