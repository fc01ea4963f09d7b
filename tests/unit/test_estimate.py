"""The estimate adds up and says its units."""

from __future__ import annotations

import pytest

from chunkgrid import estimate


def test_it_counts_every_job_and_halves_on_two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate, "_COSTS", {"split_": (2.0, 4.0), "": (0.5, 0.0)})
    jobs = {"split_fixed": 3, "other": 2}
    # 3·(2 + 4·2) and 2·0.5
    assert estimate.seconds(jobs, 2e6, 1) == pytest.approx(30 + 1)
    assert estimate.seconds(jobs, 2e6, 2) == pytest.approx(31 / 2)


@pytest.mark.parametrize(
    ("seconds", "spelt"), [(1.4, "1 seconds"), (99, "99 seconds"), (600, "10 minutes"), (7200, "2.0 hours")]
)
def test_it_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch, seconds: float, spelt: str) -> None:
    monkeypatch.setattr(estimate, "seconds", lambda *_: seconds)
    told = estimate.told({"a": 3, "b": 4}, 250, 17_100_000, 2)
    assert told == f"7 jobs over 250 articles (17.1 MB): about {spelt} on 2 cores"
