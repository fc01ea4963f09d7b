"""About how long a run takes."""

from __future__ import annotations

from collections.abc import Mapping

# Seconds a job, and seconds a job for each million characters of the corpus: the line through the jobs of two
# runs, of 0.12 and 9.9 million characters, on a 2-core machine. Rules are told by how their names begin.
_COSTS = {
    "blocks": (0.6, 0.03),
    "retrieve_lsa": (1.1, 0.32),
    "retrieve_dense": (3.0, 20.0),
    "retrieve_": (0.9, 0.14),
    "split_langchain": (0.5, 1.1),
    "split_llamaindex": (2.0, 1.4),
    "split_semantic": (0.8, 0.9),
    "split_cluster": (0.8, 1.2),
    "split_topic": (0.6, 0.8),
    "split_hierarchy": (0.6, 1.5),
    "split_": (0.6, 0.12),
    "ceilings": (0.5, 0.04),
    "report": (5.0, 0.5),
    "cuts": (0.5, 0.05),
    "": (0.7, 0.06),
}
CHARACTERS_A_BYTE = 0.5
"""Of an HTML page in Japanese: 0.35 in one corpus, 0.58 in the other."""


def seconds(jobs: Mapping[str, int], characters: float, cores: int) -> float:
    """About how long so many jobs of each rule take on so many cores."""
    total = 0.0
    for rule, count in jobs.items():
        start, each = next(cost for name, cost in _COSTS.items() if rule.startswith(name))
        total += count * (start + each * characters / 1e6)
    return total / cores


def told(jobs: Mapping[str, int], articles: int, size: int, cores: int) -> str:
    """The estimate in a sentence; `size` is that of all articles in bytes."""
    about = seconds(jobs, size * CHARACTERS_A_BYTE, cores)
    spelt = f"{about:.0f} seconds" if about < 100 else f"{about / 60:.0f} minutes"
    if about > 5400:
        spelt = f"{about / 3600:.1f} hours"
    return (
        f"{sum(jobs.values())} jobs over {articles} articles ({size / 1e6:.1f} MB):"
        f" about {spelt} on {cores} {'core' if cores == 1 else 'cores'}"
    )
