"""Paired bootstrap intervals of differences between cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_ROUNDING = 1e-12
"""A bound nearer to 0 than this is 0: only the order of summation moved it."""


def draws(items: int, resamples: int, seed: int) -> np.ndarray:
    """How often each item is drawn in each resample: shape (resamples, items), float64."""
    drawn = np.random.default_rng(seed).integers(items, size=(resamples, items))
    flat = (np.arange(resamples)[:, None] * items + drawn).ravel()
    return np.bincount(flat, minlength=resamples * items).reshape(resamples, items).astype(np.float64)


def by_question(differences: np.ndarray, resamples: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the 95 % percentile interval of the mean difference, questions drawn with replacement.

    `differences` has shape (questions, comparisons), questions sorted by id; both bounds have shape
    (comparisons,), NaN below two questions. (Efron and Tibshirani 1993, chapter 13.)
    """
    questions = len(differences)
    if questions < 2:
        return _nothing(differences)
    return _percentiles(draws(questions, resamples, seed) @ differences / questions)


def by_article(
    differences: np.ndarray, articles: Sequence[str], resamples: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """The same with whole articles drawn, since questions of one article are not independent.

    `articles` names the article of each question. The resampled mean is a ratio of sums.
    """
    names, member = np.unique(np.asarray(articles), return_inverse=True)
    if len(names) < 2:
        return _nothing(differences)
    sums = np.zeros((len(names), differences.shape[1]))
    np.add.at(sums, member, differences)
    drawn = draws(len(names), resamples, seed)
    return _percentiles((drawn @ sums) / (drawn @ np.bincount(member))[:, None])


def _percentiles(resampled: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    bounds = np.percentile(resampled, [2.5, 97.5], axis=0)
    bounds[np.abs(bounds) < _ROUNDING] = 0.0
    return bounds[0], bounds[1]


def _nothing(differences: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    nan = np.full(differences.shape[1], np.nan)
    return nan, nan.copy()
