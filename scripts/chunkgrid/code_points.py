"""Characters as numbers."""

from __future__ import annotations

import numpy as np

COUNT = 0x110000
"""How many code points there are."""

SPACE = np.zeros(COUNT, bool)
"""Whether a code point is white space, as `str.isspace` and `\\s` have it."""
SPACE[[point for point in range(0x3001) if chr(point).isspace()]] = True  # none lies beyond


def code_points(text: str) -> np.ndarray:
    """The code points of a text, uint32. Raises nothing: half of a surrogate pair is one too."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
