"""What goes wrong through no fault of the program."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input, told in one sentence that names the file, key or row at fault."""
