"""A job's log: what it says, and its end if that is an error."""

from __future__ import annotations

import sys
import traceback
import warnings
from pathlib import Path
from types import TracebackType

from .errors import InputError


def start(path: str | Path) -> None:
    """Sends what a script prints to its log, and an error there too: a sentence where it is InputError."""
    log = open(path, "w", encoding="utf-8", buffering=1)  # noqa: SIM115 - open until the script ends
    sys.stdout = log
    warnings.showwarning = lambda message, *_, **__: print(f"warning: {message}", file=log)

    def last_words(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        text = f"{error}\n" if issubclass(kind, InputError) else "".join(traceback.format_exception(kind, error, trace))
        log.write(text)
        log.flush()
        sys.stderr.write(text)

    sys.excepthook = last_words


def say(text: str) -> None:
    """Tells the person at the terminal, and the log."""
    print(text)
    print(text, file=sys.stderr)
