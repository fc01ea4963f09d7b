"""Documents to chunks: one module a way of cutting, and what is common to them."""
