"""The report as one HTML file that needs no network.

Everything that comes from articles, questions and names is text here, never markup: Jinja escapes it, JSON in the page
has no `<`, the script makes text nodes, and a content-security policy allows only the page's own scripts and styles.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import vl_convert
import yaml
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from ..comparison import Cell
from . import pictures
from .decision import best_of_each
from .model import HITS, Detailed, Measured
from .wording import caption, columns_of, left_out, rows_of, sayer, told, unit_of

EACH = 25
"""Questions in one packed part."""


@dataclass(frozen=True)
class Files:
    """The page's own: the template, the style, the script, and what it says in one language, by name."""

    template: str
    style: str
    script: str
    texts: Mapping[str, str]


def files(language: str) -> Files:
    """The project's own. Raises FileNotFoundError for a language that there is not."""
    folder = resources.files(__package__) / "assets"
    template, style, script, texts = (
        (folder / name).read_text(encoding="utf-8")
        for name in ("report.html.jinja", "report.css", "report.js", f"{language}.yaml")
    )
    return Files(template, style, script, yaml.safe_load(texts))


def page(measured: Measured, detailed: Detailed, specs: Mapping[str, Any], files: Files, language: str) -> str:
    """The HTML of the report; `specs` are those of `vega_lite`."""
    say = sayer(files.texts)
    decision = measured.decision
    parts = [packed({"coverage": _percents(measured), "questions": [short(q, 120) for q in measured.questions]})]
    parts.append(packed(_index(detailed)))
    parts += [packed(detailed.asked[first : first + EACH]) for first in range(0, len(detailed.asked), EACH)]
    places: dict[str, int | None] = {}
    for split, blocks in detailed.cut.items():
        places[split] = None if blocks is None else len(parts)
        parts += [] if blocks is None else [packed(blocks)]
    cells = measured.cells
    data = {
        "texts": dict(files.texts),
        "pictures": specs,
        "cells": [pictures.label(cell) for cell in cells],
        "best": cells.index(decision.best),
        "baseline": next((n for n, cell in enumerate(cells) if cell == (measured.baseline, decision.best[1])), 0),
        "detailed": [cells.index(cell) for cell in detailed.cells],
        "each": EACH,
        "cut": places,
        "unit": unit_of(measured.unit, say),
        "budget": f"{measured.budget:,} {unit_of(measured.unit, say)}",
    }
    runtime = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").replace("</script", "<\\/script")
    budget = data["budget"]
    columns = columns_of(measured, say)
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    return environment.from_string(files.template).render(
        t=say,
        language=language,
        style=Markup(files.style),
        style_hash=_hash(files.style),
        script=Markup(files.script),
        runtime=Markup(runtime),
        script_hashes=f"{_hash(runtime)} {_hash(files.script)}",
        reading={
            "articles": f"{measured.articles:,}",
            "characters": f"{measured.characters:,}",
            "notes": measured.notes,
        },
        questions_from=measured.metrics[0]["questions_from"],
        metrics=measured.metrics,
        budget=budget,
        unit=data["unit"],
        decision=told(measured, say),
        pictures=[
            {"name": name, "title": say(title), "text": caption(name, text, measured, say)}
            for name, title, text in PICTURES
            if name in specs
        ],
        columns=[{"name": name, "head": head, "says": says} for name, head, says, _ in columns],
        rows=rows_of(measured, columns),
        left_out={
            "details": left_out(detailed, measured, say),
            "blocks": say("left_blocks", most=detailed.most, file="cuts/") if detailed.most else "",
        },
        data=Markup(inlined(data)),
        parts=parts,
    )


PICTURES = [
    ("curves", "reversal", "reversal_text"),
    ("heat", "heat", "heat_text"),
    ("forest", "forest", "forest_text"),
    ("losses", "losses", "losses_text"),
    ("costs", "costs", "costs_text"),
    ("cuts", "cuts", "cuts_text"),
    ("lengths", "lengths", "lengths_text"),
]
"""The name of each picture, and what is said over and under it."""


def vega_lite(measured: Measured, texts: Mapping[str, str]) -> dict[str, Any]:
    """The specifications of all pictures by name, of those that there is anything to show of."""
    say = sayer(texts)
    unit = unit_of(measured.unit, say)
    words = {**texts, "budget": say("budget", unit=unit)}
    decision, metrics, measure, baseline = measured.decision, measured.metrics, measured.measure, measured.baseline
    shown = _curved(measured)
    specs = {
        "curves": pictures.curves(shown, measured.curves, measured.grid, HITS, measured.budget, words),
        "heat": pictures.heat(metrics, measure, baseline, words),
        "losses": pictures.losses(metrics, measure, measured.budget, baseline, words),
        "costs": pictures.costs(metrics, measure, decision, words),
        "lengths": pictures.lengths(metrics, measure, baseline, words),
        "scatter": pictures.scatter(words),
    }
    if any(row["table_cut"] is not None or row["pre_cut"] is not None for row in metrics):
        specs["cuts"] = pictures.cut_rates(metrics, measure, baseline, words)
    against = pictures.against_baseline(measured.intervals, measure, baseline, decision.best[1])
    if against:
        specs["forest"] = pictures.forest(against, baseline, words)
    for name, title, _ in PICTURES:
        if name in specs:
            specs[name]["description"] = say(title)
    specs["scatter"]["description"] = say("scatter")
    return specs


def _curved(measured: Measured) -> list[Cell]:
    """The cells that have a curve: the best of each splitter and retriever, best first, and the baseline."""
    decision = measured.decision
    values = [row[measured.measure] for row in measured.metrics]
    kinds = [f"{split.split('/')[0]} {retriever}" for split, retriever in measured.cells]
    of = dict(zip(measured.cells, values, strict=True))
    best = sorted(best_of_each(measured.cells, values, kinds).values(), key=lambda cell: -of[cell])
    wanted = [decision.best, decision.recommended, (measured.baseline, decision.best[1]), *best]
    wanted = [cell for cell in dict.fromkeys(wanted) if cell in of][: pictures.LINES]
    return sorted(wanted, key=lambda cell: -of[cell])


def _index(detailed: Detailed) -> dict[str, Any]:
    """What the list of questions shows and filters by."""
    rows = [[asked["cells"][n] for asked in detailed.asked] for n in range(len(detailed.cells))]
    return {
        "questions": [short(asked["question"], 200) for asked in detailed.asked],
        "coverage": [[round(100 * row["coverage"]) for row in own] for own in rows],
        "flags": [[1 if row["complete"] else 2 * bool(row["cuts"]) + (4 << row["why"]) for row in own] for own in rows],
    }


def _percents(measured: Measured) -> list[list[int]]:
    return [[round(100 * value) for value in measured.coverage[cell]] for cell in measured.cells]


def packed(content: Any) -> str:
    """JSON as raw deflate in base64."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(deflate.compress(_json(content).encode()) + deflate.flush()).decode()


def short(text: str, most: int) -> str:
    """The beginning of a text."""
    return text if len(text) <= most else f"{text[:most]}…"


def inlined(content: Any) -> str:
    """JSON that can stand in a page: no text in it ends the script that it is in."""
    return _json(content).replace("<", "\\u003c")


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _hash(text: str) -> str:
    """What a content-security policy allows a script or style by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
