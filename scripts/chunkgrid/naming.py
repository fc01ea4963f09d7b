"""What the measures of a question and the units of sizes are called, and how deep rankings go for the measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

CHARACTERS = "characters"
UNITS = (CHARACTERS, "tokens-cl100k_base", "tokens-o200k_base")
"""What sizes are counted in."""

MRR_DEPTH = 100
BUDGET_DEPTH = 8000

ON_RANGES = ["precision", "iou", "chroma_recall", "chroma_precision", "chroma_iou"]


def ranking_depth(k: Sequence[int], budgets: Sequence[int], unit: str) -> dict[str, Any]:
    """How deep rankings must go: `hits`, and a `budget` in its `unit`.

    Both have a floor, so that a k or a budget below it changes no ranking.
    """
    return {"hits": max(MRR_DEPTH, *k), "budget": max(BUDGET_DEPTH, *budgets), "unit": unit}


def measure_names(k: Sequence[int], budgets: Sequence[int], unit: str) -> list[str]:
    """The measures of a question, in the order of their columns."""
    at_k = ["recall", "span_recall", "complete", "article_hit", "hit", "ndcg", "retrieved_chars"]
    at_k += ON_RANGES
    at_budget = ["budget_recall", "budget_span_recall", "budget_chars", "over_budget"]
    at_budget += ["budget_tokens"] if unit != CHARACTERS else []
    losses = ["loss_split", "loss_article", "loss_place"]
    names = [f"{name}@{hits}" for hits in k for name in at_k] + [f"mrr@{MRR_DEPTH}"]
    names += ["precision_omega", "chroma_precision_omega", "chroma_recall@-1", "chroma_precision@-1", "chroma_iou@-1"]
    return names + [f"{name}@{budget}" for budget in budgets for name in (*at_budget, *losses)]
