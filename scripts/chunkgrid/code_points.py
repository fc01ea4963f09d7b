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


DOTTED, SIGMA = "\u0130\u03a3"
"""Letters that have no one lower case: the first becomes two characters, the second hangs on what is around it."""


def _lower() -> np.ndarray:
    """The lower case of every code point but for those two; no letter that has one lies beyond the second plane."""
    texts = [chr(point) for point in range(0x20000) if not 0xD800 <= point < 0xE000]
    joined = "".join(texts).replace(DOTTED, "").replace(SIGMA, "")
    lower = np.arange(COUNT, dtype=np.uint32)
    lower[code_points(joined)] = code_points(joined.lower())
    return lower


LOWER = _lower()
