"""Paired bootstrap intervals of differences between cells, each by itself and all of a family at once."""

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


def by_question(differences: np.ndarray, resamples: int, seed: int) -> np.ndarray:
    """Resampled mean differences, questions drawn with replacement: shape (resamples, comparisons).

    `differences` has shape (questions, comparisons), questions sorted by id. NaN below two questions.
    """
    questions = len(differences)
    if questions < 2:
        return np.full((resamples, differences.shape[1]), np.nan)
    return draws(questions, resamples, seed) @ differences / questions


def by_article(differences: np.ndarray, articles: Sequence[str], resamples: int, seed: int) -> np.ndarray:
    """The same with whole articles drawn, since questions of one article are not independent.

    `articles` names the article of each question. The resampled mean is a ratio of sums. NaN below two articles.
    """
    names, member = np.unique(np.asarray(articles), return_inverse=True)
    if len(names) < 2:
        return np.full((resamples, differences.shape[1]), np.nan)
    sums = np.zeros((len(names), differences.shape[1]))
    np.add.at(sums, member, differences)
    drawn = draws(len(names), resamples, seed)
    return (drawn @ sums) / (drawn @ np.bincount(member))[:, None]


def interval(resampled: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the 95 % percentile interval of each comparison, both of shape (comparisons,).

    (Efron and Tibshirani 1993, chapter 13.)
    """
    bounds = np.percentile(resampled, [2.5, 97.5], axis=0)
    bounds[np.abs(bounds) < _ROUNDING] = 0.0
    return bounds[0], bounds[1]


def simultaneous(resampled: np.ndarray, observed: np.ndarray, families: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of intervals that hold all differences of a family at once in 95 %, both of shape (comparisons,).

    observed: the mean differences, shape (comparisons,); families: a number for each comparison. The observed
    difference, more or less the 95th percentile of the largest |resampled - observed| / error in the family, times
    the error, the standard deviation of what was resampled: max-t over the same resamples (Westfall and Young 1993).
    """
    errors = resampled.std(axis=0, ddof=1)
    errors[errors < _ROUNDING] = 0.0
    margin = errors.copy()
    for family in np.unique(families):
        own = np.flatnonzero((families == family) & (errors > 0))
        if len(own):
            largest = np.max(np.abs(resampled[:, own] - observed[own]) / errors[own], axis=1)
            margin[own] *= np.percentile(largest, 95)
    bounds = np.stack([observed - margin, observed + margin])
    bounds[np.abs(bounds) < _ROUNDING] = 0.0
    return bounds[0], bounds[1]
