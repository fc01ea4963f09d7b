"""Each document, or each stretch of it, cut as suits what it is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Literal

from .chunks import Document, Piece

ROUTES = {"pre": "code", "table": "table", "list": "list"}
"""What a kind of block is taken for; all others are prose."""
PROSE = "prose"


def hybrid(
    document: Document,
    pieces: Mapping[str, Sequence[Piece]],
    by: Literal["document", "block"] = "document",
    share: float = 0.3,
) -> Iterator[Piece]:
    """The chunks of the cell that a document, or each of its stretches of like blocks, is routed to.

    pieces: by route (prose, and of code, table and list those that have a cell) that cell's chunks of the document

    A document goes where most of its characters belong, if that is at least a `share` of all, and else to prose. By
    block, a stretch gets the parts of the chunks that lie within it.
    """
    if by == "document":
        route = _of_document(document.blocks, pieces, share)
        yield from (replace(piece, route=route) for piece in pieces[route])
        return
    for route, stretch in groupby(document.blocks, key=lambda block: _of_block(block, pieces)):
        blocks = list(stretch)
        for piece in pieces[route]:
            part = _within(document, piece, blocks[0]["start"], blocks[-1]["end"])
            if part is not None:
                yield replace(part, route=route)


def _of_block(block: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    route = ROUTES.get(block["kind"], PROSE)
    return route if route in known else PROSE


def _of_document(blocks: Sequence[Mapping[str, Any]], known: Mapping[str, Any], share: float) -> str:
    characters = dict.fromkeys(known, 0)
    for block in blocks:
        characters[_of_block(block, known)] += len(block["text"])
    others = [route for route in known if route != PROSE and characters[route] >= share * sum(characters.values())]
    return max(others, key=lambda route: characters[route], default=PROSE)


def _within(document: Document, piece: Piece, first: int, last: int) -> Piece | None:
    """The part of a piece that lies in [first, last), with whatever was in front of what is indexed."""
    assert piece.start is not None
    assert piece.end is not None
    start, end = max(piece.start, first), min(piece.end, last)
    if start >= end:
        return None
    whole = document.text[piece.start : piece.end]
    in_front = piece.index_text.removesuffix(whole) if piece.index_text is not None else ""
    return Piece(start, end, index_text=in_front + document.text[start:end] if in_front else None)
