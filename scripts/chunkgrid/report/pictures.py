"""The pictures of the report, as Vega-Lite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from ..comparison import Cell
from ..measures import Curve
from .decision import SELDOM, Decision, frontier

Row = Mapping[str, Any]
Texts = Mapping[str, str]
ROWS = 30
"""Cells that a picture with a line each shows at most: the best of them, and the baseline's."""
LINES = 9
"""Cells that a picture of curves tells apart."""
_WIDTH = 860
_STEP = 17
_CONFIG = {
    "background": "transparent",
    "view": {"stroke": None},
    "axis": {
        **dict.fromkeys(("labelColor", "titleColor", "domainColor", "tickColor"), "currentColor"),
        "gridColor": "#8884",
        "labelLimit": 420,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    },
    "legend": {"labelColor": "currentColor", "titleColor": "currentColor", "labelLimit": 420, "orient": "bottom"},
    "title": {"color": "currentColor"},
    "header": {"labelColor": "currentColor", "titleColor": "currentColor"},
    "text": {"color": "currentColor"},
    "rule": {"color": "currentColor"},
    "font": "system-ui, sans-serif",
}
_COLORS = ["#3b7dd8", "#e07b1f", "#3a9d5d", "#c94f7c", "#8a63c9", "#a3891b", "#2aa1a8", "#9a6b4f", "#7a7f87"]
LOSSES = {"loss_split": "#c94f7c", "loss_article": "#e07b1f", "loss_place": "#a3891b"}


def label(cell: Cell) -> str:
    """`fixed/size=400 · bm25`: the retriever's name is left out where it is `default`."""
    return f"{cell[0]} · {cell[1].removesuffix('/default')}"


def curves(
    shown: Sequence[Cell],
    known: Mapping[Cell, Curve],
    budgets: Sequence[int],
    hits: Sequence[int],
    budget: int,
    texts: Texts,
) -> dict[str, Any]:
    """Recall against the budget beside recall against the number of hits, a curve a cell; a line at the `budget`.

    Where more than SELDOM of the questions are handed over more than a budget, a cell has no point there.
    """
    names = [label(cell) for cell in shown]
    panels = []
    within = [
        {"x": place, "recall": recall, "cell": label(cell)}
        for cell in shown
        for place, recall, over in zip(budgets, known[cell].within, known[cell].over, strict=True)
        if over <= SELDOM
    ]
    after = [
        {"x": place, "recall": recall, "cell": label(cell)}
        for cell in shown
        for place, recall in zip(hits, known[cell].after, strict=True)
    ]
    for x, rows, title in ((budgets, within, "budget"), (hits, after, "hits")):
        panels.append(
            alt.Chart(alt.Data(values=rows), width=_WIDTH // 2 - 20, height=260)
            .mark_line(point=alt.OverlayMarkDef(size=26))
            .encode(
                x=alt.X("x:Q", title=texts[title], scale=alt.Scale(domain=[0, max(x)])),
                y=alt.Y("recall:Q", title=texts["recall"], axis=alt.Axis(format="%"), scale=alt.Scale(domainMin=0)),
                color=_colored("cell", names, columns=2),
                shape=alt.Shape("cell:N", title=None, scale=alt.Scale(domain=names)),
                tooltip=[
                    _tip("cell:N", texts["cell"]),
                    _tip("x:Q", texts[title]),
                    _tip("recall:Q", texts["recall"], ".1%"),
                ],
            )
        )
    line = alt.Chart(alt.Data(values=[{"x": budget}])).mark_rule(strokeDash=[4, 3]).encode(x="x:Q")
    panels[0] = line + panels[0]
    return _spec(alt.hconcat(*panels).resolve_scale(y="shared"))


def heat(metrics: Sequence[Row], measure: str, baseline: str, texts: Texts) -> dict[str, Any]:
    """Recall of each split under each retriever."""
    cells = _best(metrics, measure, baseline, by="split")
    rows = [
        {"split": row["split"], "retriever": row["retriever"].removesuffix("/default"), "recall": row[measure]}
        for row in metrics
        if row["split"] in cells
    ]
    base = alt.Chart(alt.Data(values=rows), width=alt.Step(96), height=alt.Step(_STEP)).encode(
        x=alt.X("retriever:N", title=None, axis=alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False)),
        y=alt.Y("split:N", title=None, sort=cells, axis=alt.Axis(domain=False, ticks=False)),
        tooltip=[
            _tip("split:N", texts["split"]),
            _tip("retriever:N", texts["retriever"]),
            _tip("recall:Q", texts["recall"], ".1%"),
        ],
    )
    highest = max((row["recall"] for row in rows), default=1.0)
    return _spec(
        base.mark_rect().encode(
            color=alt.Color("recall:Q", scale=alt.Scale(range=["#f1f5fa", "#7fb0e2"], domain=[0, highest]), legend=None)
        )
        + base.mark_text(fontSize=11).encode(text=alt.Text("recall:Q", format=".1%"), color=alt.value("#10202f"))
    )


def against_baseline(intervals: Sequence[Row], measure: str, baseline: str, retriever: str) -> list[Row]:
    """The rows of intervals of a measure that compare with the baseline split under one retriever."""
    return [
        row
        for row in intervals
        if row["measure"] == measure
        and row["other_split"] == baseline
        and row["retriever"] == row["other_retriever"] == retriever
        and row["low"] is not None
    ]


def forest(against: Sequence[Row], baseline: str, texts: Texts) -> dict[str, Any]:
    """Differences to the baseline split under one retriever, with the interval by question and by article."""
    order = [row["split"] for row in sorted(against, key=lambda row: -row["difference"]) if row["resample"] == "query"]
    order = order[:ROWS]
    rows = [
        {**{name: row[name] for name in ("split", "difference", "low", "high", "low_all", "high_all")}}
        | {"resample": texts[f"by_{row['resample']}"]}
        for row in against
        if row["split"] in order
    ]
    names = [texts["by_query"], texts["by_article"]]
    base = alt.Chart(alt.Data(values=rows), width=_WIDTH - 60, height=alt.Step(10)).encode(
        y=alt.Y("split:N", title=None, sort=order, axis=alt.Axis(grid=False)),
        yOffset=alt.YOffset("resample:N", sort=names),
        color=_colored("resample", names, columns=2),
        tooltip=[
            _tip("split:N", texts["split"]),
            _tip("resample:N", texts["interval"]),
            *(_tip(f"{name}:Q", texts[name], "+.1%") for name in ("difference", "low", "high", "low_all", "high_all")),
        ],
    )
    zero = alt.Chart(alt.Data(values=[{"x": 0}])).mark_rule(strokeDash=[3, 3]).encode(x="x:Q")
    bars = base.mark_rule(strokeWidth=2.5).encode(
        x=alt.X("low:Q", title=texts["difference_to"].format(baseline=baseline), axis=alt.Axis(format="+%")),
        x2="high:Q",
    )
    wide = base.mark_rule(strokeWidth=0.8).encode(x="low_all:Q", x2="high_all:Q")
    return _spec(zero + wide + bars + base.mark_point(filled=True, size=34).encode(x="difference:Q"))


def cut_rates(metrics: Sequence[Row], measure: str, baseline: str, texts: Texts) -> dict[str, Any]:
    """The share of tables and of code blocks that each split cuts."""
    splits = _best(metrics, measure, baseline, by="split")
    rows = [
        {"split": row["split"], "kind": texts[kind], "share": row[f"{kind}_cut"]}
        for row in _of_splits(metrics, splits)
        for kind in ("table", "pre")
        if row[f"{kind}_cut"] is not None
    ]
    names = [texts["table"], texts["pre"]]
    return _spec(
        alt.Chart(alt.Data(values=rows), width=_WIDTH - 60, height=alt.Step(9))
        .mark_bar()
        .encode(
            y=alt.Y("split:N", title=None, sort=splits),
            yOffset=alt.YOffset("kind:N", sort=names),
            x=alt.X("share:Q", title=texts["cut_share"], axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
            color=_colored("kind", names, columns=2),
            tooltip=[
                _tip("split:N", texts["split"]),
                _tip("kind:N", texts["kind"]),
                _tip("share:Q", texts["cut_share"], ".1%"),
            ],
        )
    )


def lengths(metrics: Sequence[Row], measure: str, baseline: str, texts: Texts) -> dict[str, Any]:
    """How long chunks are: median, mean, the 95th percentile and the longest."""
    splits = _best(metrics, measure, baseline, by="split")
    names = ["chars_median", "chars_mean", "chars_p95", "chars_max"]
    rows = [
        {"split": row["split"], "what": texts[name], "characters": max(row[name], 1)}
        for row in _of_splits(metrics, splits)
        for name in names
        if row[name] is not None
    ]
    shown = [texts[name] for name in names]
    return _spec(
        alt.Chart(alt.Data(values=rows), width=_WIDTH - 60, height=alt.Step(_STEP))
        .mark_point(filled=True, size=46)
        .encode(
            y=alt.Y("split:N", title=None, sort=splits, axis=alt.Axis(grid=True)),
            x=alt.X("characters:Q", title=texts["characters_log"], scale=alt.Scale(type="log")),
            color=_colored("what", shown, columns=4),
            shape=alt.Shape("what:N", title=None, scale=alt.Scale(domain=shown), legend=alt.Legend(columns=4)),
            tooltip=[
                _tip("split:N", texts["split"]),
                _tip("what:N", texts["length"]),
                _tip("characters:Q", texts["characters"], ",.0f"),
            ],
        )
    )


def losses(metrics: Sequence[Row], measure: str, budget: int, baseline: str, texts: Texts) -> dict[str, Any]:
    """What of the answers is lost, and to what."""
    cells = _best(metrics, measure, baseline)
    rows = [
        {
            "cell": label((row["split"], row["retriever"])),
            "what": texts[name],
            "share": row[f"{name}@{budget}"],
            "order": n,
        }
        for row in metrics
        if label((row["split"], row["retriever"])) in cells
        for n, name in enumerate(LOSSES)
    ]
    shown = [texts[name] for name in LOSSES]
    return _spec(
        alt.Chart(alt.Data(values=rows), width=_WIDTH - 60, height=alt.Step(_STEP))
        .mark_bar()
        .encode(
            y=alt.Y("cell:N", title=None, sort=cells),
            x=alt.X("share:Q", title=texts["lost"], axis=alt.Axis(format="%"), stack=True),
            order="order:Q",
            color=alt.Color(
                "what:N",
                title=None,
                scale=alt.Scale(domain=shown, range=list(LOSSES.values())),
                legend=alt.Legend(columns=1),
            ),
            tooltip=[
                _tip("cell:N", texts["cell"]),
                _tip("what:N", texts["loss"]),
                _tip("share:Q", texts["lost"], ".1%"),
            ],
        )
    )


def costs(metrics: Sequence[Row], measure: str, decision: Decision, texts: Texts) -> dict[str, Any]:
    """Recall against how much is indexed, and the cells that none is cheaper and better than."""
    found = [
        {
            "cell": label((row["split"], row["retriever"])),
            "retriever": row["retriever"].removesuffix("/default"),
            "cost": row["index_ratio"],
            "recall": row[measure],
        }
        for row in metrics
        if row["index_ratio"]
    ]
    edge = [found[n] for n in frontier([row["cost"] for row in found], [row["recall"] for row in found])]
    retrievers = list(dict.fromkeys(row["retriever"] for row in found))
    x = alt.X("cost:Q", title=texts["index_ratio"], scale=alt.Scale(zero=False))
    y = alt.Y("recall:Q", title=texts["recall"], axis=alt.Axis(format="%"))
    tips = [
        _tip("cell:N", texts["cell"]),
        _tip("cost:Q", texts["index_ratio"], ".2f"),
        _tip("recall:Q", texts["recall"], ".1%"),
    ]
    points = (
        alt.Chart(alt.Data(values=found), width=_WIDTH, height=300)
        .mark_point(filled=True, size=50, opacity=0.75)
        .encode(x=x, y=y, color=_colored("retriever", retrievers, columns=4), tooltip=tips)
    )
    line = alt.Chart(alt.Data(values=edge)).mark_line(interpolate="step-after", strokeDash=[4, 3], color="currentColor")
    marked = {label(cell) for cell in (decision.best, decision.recommended)}
    labels = sorted((row for row in found if row["cell"] in marked), key=lambda row: row["recall"])
    labels = [{**row, "dy": 14 - 26 * n} for n, row in enumerate(labels)]
    named = alt.layer(
        *(
            alt.Chart(alt.Data(values=[row]))
            .mark_text(align="left", dx=9, dy=row["dy"], fontSize=11, fontWeight="bold")
            .encode(x=x, y=y, text="cell:N")
            for row in labels
        ),
        alt.Chart(alt.Data(values=labels)).mark_point(size=150, strokeWidth=2, color="#c22").encode(x=x, y=y),
    )
    return _spec(line.encode(x=x, y=y) + points + named)


def scatter(texts: Texts) -> dict[str, Any]:
    """Each question in two cells; the page fills in `points`, with x, y, n and the question."""
    base = alt.Chart(alt.NamedData(name="points"), width=360, height=360)
    scale = alt.Scale(domain=[0, 1])
    points = base.mark_point(filled=True, opacity=0.45).encode(
        x=alt.X("x:Q", scale=scale, title=texts["scatter_x"], axis=alt.Axis(format="%")),
        y=alt.Y("y:Q", scale=scale, title=texts["scatter_y"], axis=alt.Axis(format="%")),
        size=alt.Size("n:Q", scale=alt.Scale(range=[20, 400], domainMin=1), title=texts["questions"]),
        tooltip=[
            _tip("n:Q", texts["questions"]),
            _tip("x:Q", "x", ".0%"),
            _tip("y:Q", "y", ".0%"),
            _tip("question:N", texts["question"]),
        ],
    )
    line = alt.Chart(alt.Data(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}])).mark_line(strokeDash=[3, 3], color="#888")
    first = [{"x": 0, "y": 0, "n": 1, "question": ""}]  # until then: scales want something
    return {**_spec(line.encode(x="x:Q", y="y:Q") + points), "datasets": {"points": first}}


def nothing(texts: Texts) -> dict[str, Any]:
    """In place of a picture that there is nothing to show in."""
    return _spec(alt.Chart(alt.Data(values=[{"text": texts["none"]}]), width=200).mark_text().encode(text="text:N"))


def _best(metrics: Sequence[Row], measure: str, baseline: str, by: str = "cell") -> list[str]:
    """Names of the best cells, or of the splits of these, best first; the baseline's last where it is none."""
    value: dict[str, float] = {}
    for row in metrics:
        name = row["split"] if by == "split" else label((row["split"], row["retriever"]))
        value[name] = max(value.get(name, 0.0), row[measure])
    ordered = sorted(value, key=lambda name: (-value[name], name))
    last = [name for name in ordered if name == baseline or name.startswith(f"{baseline} · ")][:1]
    return ordered[:ROWS] if not last or last[0] in ordered[:ROWS] else [*ordered[: ROWS - 1], *last]


def _of_splits(metrics: Sequence[Row], splits: Sequence[str]) -> list[Row]:
    """One row of each split; the measures of a split are the same in all."""
    first: dict[str, Row] = {}
    for row in metrics:
        first.setdefault(row["split"], row)
    return [first[split] for split in splits]


def _colored(field: str, domain: Sequence[str], columns: int) -> alt.Color:
    return alt.Color(
        f"{field}:N",
        title=None,
        scale=alt.Scale(domain=list(domain), range=[_COLORS[n % len(_COLORS)] for n in range(len(domain))]),
        legend=alt.Legend(columns=columns),
    )


def _tip(field: str, title: str, form: str | None = None) -> alt.Tooltip:
    return alt.Tooltip(field, title=title, format=form) if form else alt.Tooltip(field, title=title)


def _spec(chart: alt.TopLevelMixin) -> dict[str, Any]:
    return {**chart.to_dict(), "config": _CONFIG}
