"""The report as one HTML file that needs no network.

Everything that comes from articles, questions and names is text here, never markup: Jinja escapes it, JSON in the page
has no `<`, the script makes text nodes, and a content-security policy allows only the page's own scripts and styles.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import vl_convert
import yaml
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from ..comparison import Cell
from ..measures import Curve
from ..naming import CHARACTERS
from . import pictures
from .decision import SELDOM, Decision, Row, best_of_each, decide
from .details import chosen

BUDGETS = tuple(range(500, 8001, 500))
"""Where the curves of recall within a budget are read off, beside the budgets of the config."""
HITS = tuple(range(1, 21))
"""Where those of recall after so many hits are."""
OTHERS = (500, 1000, 2000, 4000, 8000)
"""Budgets whose best cell is named."""
RUNNERS = 5
EACH = 25
"""Questions in one packed part."""


@dataclass(frozen=True)
class Files:
    """The page's own: the template, the style, the script, and what it says in one language, by name."""

    template: str
    style: str
    script: str
    texts: Mapping[str, str]


@dataclass(frozen=True)
class Measured:
    """What a report is of.

    curves: of each cell, at `grid` and at HITS; coverage: share of each answer within the budget, of
    each cell, questions in the order of `questions`; notes: what of the reading a person should know
    """

    metrics: Sequence[Row]
    intervals: Sequence[Row]
    curves: Mapping[Cell, Curve]
    coverage: Mapping[Cell, Sequence[float]]
    questions: Sequence[str]
    articles: int
    asked_of: int
    characters: int
    notes: Sequence[str]
    baseline: str
    k: int
    budgets: Sequence[int]
    unit: str

    @property
    def budget(self) -> int:
        """The one that decides."""
        return self.budgets[0]

    @property
    def grid(self) -> list[int]:
        """The budgets that curves are read off at."""
        return sorted({*BUDGETS, *self.budgets})

    @property
    def measure(self) -> str:
        """The measure that decides."""
        return f"budget_recall@{self.budget}"

    @property
    def cells(self) -> list[Cell]:
        """In the order of the grid."""
        return [(row["split"], row["retriever"]) for row in self.metrics]

    def decision(self) -> Decision:
        """By that measure."""
        return decide(self.metrics, self.intervals, self.budget)

    def detailed(self, wanted: Sequence[str]) -> list[Cell]:
        """The cells whose questions are shown: those of `wanted`, as split/retriever, else the default ones."""
        if wanted:
            return [cell for cell in self.cells if "/".join(cell) in wanted]
        decision = self.decision()
        values = [row[self.measure] for row in self.metrics]
        of_retriever = best_of_each(self.cells, values, [retriever for _, retriever in self.cells]).values()
        return chosen(self.cells, decision.best, decision.recommended, self.baseline, of_retriever)


@dataclass(frozen=True)
class Detailed:
    """What can be looked at question by question.

    cells: which; asked: the questions in the order shown, each with its answer and `cells`, a row each; asked_in_all;
    cut: the blocks that each split cuts, None where it keeps no offsets; most: of each kind
    """

    cells: Sequence[Cell]
    asked: Sequence[Mapping[str, Any]]
    asked_in_all: int
    cut: Mapping[str, Sequence[Mapping[str, Any]] | None]
    most: int


def files(language: str) -> Files:
    """The project's own. Raises FileNotFoundError for a language that there is not."""
    folder = resources.files(__package__) / "assets"
    template, style, script, texts = (
        (folder / name).read_text(encoding="utf-8")
        for name in ("report.html.jinja", "report.css", "report.js", f"{language}.yaml")
    )
    return Files(template, style, script, yaml.safe_load(texts))


def page(measured: Measured, detailed: Detailed, files: Files, language: str) -> str:
    """The HTML of the report."""
    say = _sayer(files.texts)
    decision = measured.decision()
    specs = vega_lite(measured, files.texts)
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
        "unit": _unit(measured.unit, say),
        "budget": f"{measured.budget:,} {_unit(measured.unit, say)}",
    }
    runtime = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").replace("</script", "<\\/script")
    budget = data["budget"]
    columns = _columns(measured, say)
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
        decision=_told(decision, measured, say),
        pictures=[
            {"name": name, "title": say(title), "text": _caption(name, text, measured, specs, say)}
            for name, title, text in PICTURES
            if name in specs
        ],
        columns=[{"name": name, "head": head, "says": says} for name, head, says, _ in columns],
        rows=_table(measured, decision, columns),
        left_out={
            "details": _left_out(detailed, measured, say),
            "blocks": say("left_blocks", most=detailed.most, file="cuts/") if detailed.most else "",
        },
        data=Markup(_json(data).replace("<", "\\u003c")),
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
    say = _sayer(texts)
    unit = _unit(measured.unit, say)
    words = {**texts, "budget": say("budget", unit=unit)}
    decision, metrics, measure, baseline = measured.decision(), measured.metrics, measured.measure, measured.baseline
    shown = _curved(measured, decision)
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


def _curved(measured: Measured, decision: Decision) -> list[Cell]:
    """The cells that have a curve: the best of each splitter and retriever, best first, and the baseline."""
    values = [row[measured.measure] for row in measured.metrics]
    kinds = [f"{split.split('/')[0]} {retriever}" for split, retriever in measured.cells]
    of = dict(zip(measured.cells, values, strict=True))
    best = sorted(best_of_each(measured.cells, values, kinds).values(), key=lambda cell: -of[cell])
    wanted = [decision.best, decision.recommended, (measured.baseline, decision.best[1]), *best]
    wanted = [cell for cell in dict.fromkeys(wanted) if cell in of][: pictures.LINES]
    return sorted(wanted, key=lambda cell: -of[cell])


def _told(decision: Decision, measured: Measured, say: Callable[..., str]) -> dict[str, Any]:
    """The decision in words and figures."""
    of = {(row["split"], row["retriever"]): row for row in measured.metrics}
    recommended, best = of[decision.recommended], of[decision.best]
    against = None
    if decision.against:
        row = decision.against[0]
        against = {
            "one": pictures.label((row["split"], row["retriever"])),
            "other": pictures.label(decision.best),
            "difference": points(row["difference"]),
            "rows": [
                {name: points(row[name]) for name in ("low", "high", "low_all", "high_all")}
                | {"resample": row["resample"], "shown": row["shown"]}
                for row in decision.against
            ],
        }
    same = {decision.best: "best_choice", decision.recommended: "same_choice"}
    by_budget = []
    for budget in sorted({*OTHERS, *measured.budgets} - {measured.budget}):
        place = measured.grid.index(budget)
        # One that hands over more than the budget is not the best within it, whatever it reaches.
        keeping = {cell: curve.within[place] for cell, curve in measured.curves.items() if curve.over[place] <= SELDOM}
        recall = keeping or {cell: curve.within[place] for cell, curve in measured.curves.items()}
        top = min(recall, key=lambda cell: (-recall[cell], cell))
        by_budget.append(
            {"budget": f"{budget:,}", "cell": pictures.label(top), "recall": percent(recall[top])}
            | {"same": same.get(top, "")}
        )
    values = [row[measured.measure] for row in measured.metrics]
    by_retriever = best_of_each(measured.cells, values, [retriever for _, retriever in measured.cells]).values()
    needed = [(point, decision.needed(point / 100)) for point in (1, 2)]
    return {
        "nothing": not best[measured.measure],
        "recommended": pictures.label(decision.recommended),
        "is_best": decision.recommended == decision.best,
        "best": pictures.label(decision.best),
        "recall": percent(recommended[measured.measure]),
        "best_recall": percent(best[measured.measure]),
        "saved": percent(1 - recommended["index_chars"] / max(best["index_chars"], 1)),
        "against": against,
        "few_articles": measured.asked_of if measured.asked_of < 10 else 0,
        "runners": [
            {"cell": pictures.label(cell), "recall": percent(of[cell][measured.measure])}
            | {
                "index": say("indexes", ratio=f"{of[cell]['index_ratio'] or 0:.2f}"),
                "taken": cell == decision.recommended,
            }
            for cell in decision.tied[:RUNNERS]
        ],
        "more": max(len(decision.tied) - RUNNERS, 0),
        "lowest": points(min((row["low"] for row in decision.against), default=None)),
        "over": percent(recommended[f"over_budget@{measured.budget}"])
        if recommended[f"over_budget@{measured.budget}"] > SELDOM
        else "",
        "costs": _costs(decision, of, measured, say),
        "by_budget": by_budget,
        "by_retriever": [
            {"cell": pictures.label(cell), "recall": percent(of[cell][measured.measure])}
            for cell in by_retriever
            if cell[1] != decision.recommended[1]
        ],
        "smallest": f"{100 * decision.smallest:.1f}" if decision.smallest else None,
        "needed": [
            {"points": f"{point}.0", "count": f"{float(f'{count:.2g}'):,.0f}"} for point, count in needed if count
        ],
        "questions": f"{decision.questions:,}",
    }


def _costs(decision: Decision, of: Mapping[Cell, Row], measured: Measured, say: Callable[..., str]) -> dict[str, Any]:
    """What the recommended cell costs and breaks, beside the best one where that is another."""
    budget = measured.budget
    cells = list(dict.fromkeys([decision.recommended, decision.best]))
    shares = ["table_cut", "pre_cut", "kept", *(f"{name}@{budget}" for name in ("over_budget", *pictures.LOSSES))]
    says = ["cut_tables", "cut_pre", "kept", "over", "loss_split", "loss_article", "loss_place"]
    rows = [
        {"what": say("index_ratio"), "values": [f"{of[cell]['index_ratio'] or 0:.2f}" for cell in cells]},
        {"what": say("chunks"), "values": [f"{of[cell]['chunks']:,}" for cell in cells]},
    ]
    for name, what in zip(shares, says, strict=True):
        values = [of[cell][name] for cell in cells]
        rows.append({"what": say(what), "values": ["–" if value is None else percent(value) for value in values]})
    return {"heads": [pictures.label(cell) for cell in cells], "rows": rows}


Column = tuple[str, str, str, Callable[[Row], tuple[Any, str]]]
"""Its name, its head, what it is, and of a row its value and how that is written."""


def _columns(measured: Measured, say: Callable[..., str]) -> list[Column]:
    """The columns of the table of all cells."""
    k, budget, unit = measured.k, measured.budget, _unit(measured.unit, say)
    shares = [
        (measured.measure, "col_recall"),
        (f"{measured.measure}_se", "col_recall_se"),
        (f"recall@{k}", "col_recall_k"),
        (f"complete@{k}", "col_complete"),
        (f"article_hit@{k}", "col_article"),
        ("mrr@100", "col_mrr"),
        (f"over_budget@{budget}", "col_over_budget"),
        (f"loss_split@{budget}", "col_loss_split"),
        (f"loss_article@{budget}", "col_loss_article"),
        (f"loss_place@{budget}", "col_loss_place"),
        ("kept", "col_kept"),
        ("table_cut", "col_table_cut"),
        ("pre_cut", "col_pre_cut"),
    ]
    numbers = [
        (f"budget_chars@{budget}", "col_budget_chars", "{:,.0f}"),
        ("chunks", "col_chunks", "{:,.0f}"),
        ("chars_mean", "col_chars_mean", "{:,.0f}"),
        ("index_ratio", "col_index_ratio", "{:.2f}"),
    ]
    words = {"budget": f"{budget:,} {unit}", "k": k}

    def share(name: str) -> Callable[[Row], tuple[Any, str]]:
        return lambda row: (row[name], "–" if row[name] is None else f"{100 * row[name]:.1f}")

    def number(name: str, form: str) -> Callable[[Row], tuple[Any, str]]:
        return lambda row: (row[name], "–" if row[name] is None else form.format(row[name]))

    def difference(row: Row) -> tuple[Any, str]:
        found = row["against"].get("query", {}).get("difference")
        return found, points(found)

    def bounds(resample: str, low: str, high: str) -> Callable[[Row], tuple[Any, str]]:
        def of(row: Row) -> tuple[Any, str]:
            found = row["against"].get(resample, {})
            if found.get(low) is None:
                return None, "–"
            return found[low], say("interval_text", low=points(found[low]), high=points(found[high]))

        return of

    intervals = [
        ("low", say("by_query"), say("col_by_query"), bounds("query", "low", "high")),
        ("low_article", say("by_article"), say("col_by_article"), bounds("article", "low", "high")),
        ("low_all", say("all_at_once"), say("col_all"), bounds("query", "low_all", "high_all")),
    ]
    return [
        ("mark", "", "", lambda row: (row["mark"], row["mark"])),
        ("split", say("split"), say("col_split"), lambda row: (row["split"], row["split"])),
        ("retriever", say("retriever"), say("col_retriever"), lambda row: (row["retriever"], row["retriever"])),
        *((name, f"{name} %", say(text, **words), share(name)) for name, text in shares[:2]),
        ("difference", say("difference"), say("col_difference"), difference),
        *intervals,
        *((name, f"{name} %", say(text, **words), share(name)) for name, text in shares[2:]),
        *((name, name, say(text, **words), number(name, form)) for name, text, form in numbers),
    ]


def _table(measured: Measured, decision: Decision, columns: Sequence[Column]) -> list[dict[str, Any]]:
    """The rows of the table of all cells, best first."""
    against: dict[Cell, dict[str, Row]] = {}
    for row in measured.intervals:
        if row["measure"] == measured.measure and (row["other_split"], row["other_retriever"]) == decision.best:
            against.setdefault((row["split"], row["retriever"]), {})[row["resample"]] = row
    rows = []
    for row in sorted(measured.metrics, key=lambda row: (-row[measured.measure], row["split"], row["retriever"])):
        cell = (row["split"], row["retriever"])
        state = "best" if cell == decision.best else "tied" if cell in decision.tied else ""
        mark = {"best": "*", "tied": "=", "": ""}[state] + ("✓" if cell == decision.recommended else "")
        known = {**row, "mark": mark, "against": against.get(cell, {})}
        cells = []
        for name, *_, get in columns:
            value, text = get(known)
            cells.append({"value": "" if value is None else value, "text": text})
            cells[-1]["number"] = name not in ("mark", "split", "retriever")
            cells[-1]["whole"] = name in (
                "low",
                "low_article",
                "low_all",
            )  # both bounds go along, not the one sorted by
        rows.append({"state": f"{state} recommended" if cell == decision.recommended else state, "cells": cells})
    return rows


def _caption(name: str, text: str, measured: Measured, specs: Mapping[str, Any], say: Callable[..., str]) -> str:
    """What stands under a picture, with how many rows of how many it shows."""
    total = len(measured.metrics) if name == "losses" else len({row["split"] for row in measured.metrics})
    total -= name == "forest"
    left = say("left_rows", shown=pictures.ROWS, total=total) if total > pictures.ROWS else ""
    unit = _unit(measured.unit, say)
    return say(text, budget=f"{measured.budget:,} {unit}", left_out=left).strip()


def _left_out(detailed: Detailed, measured: Measured, say: Callable[..., str]) -> str:
    told = []
    if len(detailed.asked) < detailed.asked_in_all:
        told.append(say("left_questions", shown=f"{len(detailed.asked):,}", total=f"{detailed.asked_in_all:,}"))
    if len(detailed.cells) < len(measured.metrics):
        told.append(say("left_cells", shown=len(detailed.cells), total=len(measured.metrics)))
    return " ".join(told)


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


def percent(share: float) -> str:
    """`45.8 %`."""
    return f"{100 * share:.1f} %"


def points(difference: float | None) -> str:
    """`+2.0`, in points of a hundred."""
    return "–" if difference is None else f"{100 * difference:+.1f}".replace("-", "−")


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _hash(text: str) -> str:
    """What a content-security policy allows a script or style by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _sayer(texts: Mapping[str, str]) -> Callable[..., str]:
    def say(name: str, **values: Any) -> str:
        return texts[name].format(**values)

    return say


def _unit(unit: str, say: Callable[..., str]) -> str:
    return say("unit_characters") if unit == CHARACTERS else f"{say('unit_tokens')} ({unit.partition('-')[2]})"
