"""Paired bootstrap intervals against loops that spell them out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkgrid import bootstrap
from chunkgrid.bootstrap import draws, interval, simultaneous

RESAMPLES = 200


def by_question(*given):
    return interval(bootstrap.by_question(*given))


def by_article(*given):
    return interval(bootstrap.by_article(*given))


def column(*values):
    return np.array(values, dtype=np.float64)[:, None]


def percentiles(means):
    return np.percentile(means, [2.5, 97.5], method="linear")


differences = st.lists(st.floats(-1, 1).map(lambda value: round(value, 3)), min_size=2, max_size=25)


@given(differences, st.integers(0, 5))
@settings(max_examples=40)
def test_by_question_is_the_loop_over_the_draws(values, seed):
    values = np.array(values)
    n = len(values)
    drawn = np.random.default_rng(seed).integers(n, size=(RESAMPLES, n))
    expected = percentiles([values[row].mean() for row in drawn])
    low, high = by_question(values[:, None], RESAMPLES, seed)
    assert [low[0], high[0]] == pytest.approx(expected, abs=1e-11)


@given(differences, st.integers(0, 5), st.randoms())
@settings(max_examples=40)
def test_by_article_is_the_loop_over_the_draws(values, seed, random):
    articles = [random.choice("cab") for _ in values]
    names = sorted(set(articles))
    low, high = by_article(np.array(values)[:, None], articles, RESAMPLES, seed)
    if len(names) < 2:
        assert np.isnan([low[0], high[0]]).all()
        return
    own = [[value for value, of in zip(values, articles, strict=True) if of == name] for name in names]
    means = []
    for row in np.random.default_rng(seed).integers(len(names), size=(RESAMPLES, len(names))):
        drawn = [value for item in row for value in own[item]]
        means.append(sum(drawn) / len(drawn))  # questions of all articles drawn: a ratio of sums
    assert [low[0], high[0]] == pytest.approx(percentiles(means), abs=1e-11)


def test_draws_count_how_often_each_item_is_drawn():
    drawn = np.random.default_rng(4).integers(5, size=(30, 5))
    expected = [[list(row).count(item) for item in range(5)] for row in drawn]
    assert draws(5, 30, 4).tolist() == expected


def test_the_same_draws_serve_every_comparison():
    random = np.random.default_rng(1)
    several = random.normal(size=(15, 4))
    articles = list("aabbbccdddddeef")
    for bounds in (lambda of: by_question(of, 300, 2), lambda of: by_article(of, articles, 300, 2)):
        together = np.array(bounds(several))
        alone = np.hstack([bounds(several[:, [n]]) for n in range(4)])
        np.testing.assert_allclose(together, alone, atol=1e-12)


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1])
def test_all_equal_is_an_interval_of_no_width(value):
    values = column(*[value] * 20)
    for low, high in (by_question(values, 2000, 0), by_article(values, list("abcde") * 4, 2000, 0)):
        assert [low[0], high[0]] == pytest.approx([value, value], abs=1e-12)


def test_differences_that_are_only_rounding_are_exactly_zero():
    values = column(*[0.3 - (0.1 + 0.2), 0.0] * 10)
    assert values.any()
    for low, high in (by_question(values, 500, 0), by_article(values, list("abcde") * 4, 500, 0)):
        assert (low[0], high[0]) == (0, 0)


def test_one_of_three_is_an_interval_from_0_to_1():
    # The sum of a resample is 0 with 8/27 and 3 with 1/27: both are more than 2.5 %.
    low, high = by_question(column(0, 0, 1), 2000, 0)
    assert [low[0], high[0]] == [0, 1]


def test_a_constant_paired_difference_is_certain_however_the_questions_vary():
    paired = column(0.2, 0.6, 1.0) - column(0.1, 0.5, 0.9)
    low, high = by_question(paired, 2000, 0)
    assert [low[0], high[0]] == pytest.approx([0.1, 0.1])


@pytest.mark.parametrize("questions", [0, 1])
def test_below_two_questions_there_is_no_interval(questions):
    low, high = by_question(np.full((questions, 3), 0.5), 100, 0)
    assert low.shape == high.shape == (3,)
    assert np.isnan([low, high]).all()


def test_below_two_articles_there_is_none_by_article_but_one_by_question():
    values = column(0, 1, 1)
    assert np.isnan(by_article(values, ["a", "a", "a"], 100, 0)).all()
    assert not np.isnan(by_question(values, 100, 0)).any()


def test_by_article_weighs_an_article_by_its_questions():
    # Articles of 3 and 1 questions: resamples are a alone (1), b alone (0) or both (3 / 4), not (1 / 2).
    low, high = by_article(column(1, 1, 1, 0), ["a", "a", "a", "b"], 2000, 0)
    assert [low[0], high[0]] == [0, 1]
    sums = draws(2, 2000, 0) @ np.array([[3.0, 3], [0, 1]])
    assert sorted(set((sums[:, 0] / sums[:, 1]).tolist())) == [0, 0.75, 1]


def test_another_seed_draws_otherwise_and_the_same_alike():
    values = np.random.default_rng(0).normal(size=(30, 1))
    bounds = [tuple(bound[0] for bound in by_question(values, 200, seed)) for seed in (0, 0, 1)]
    assert bounds[0] == bounds[1]
    assert bounds[0] != bounds[2]


@given(st.integers(2, 20), st.integers(1, 5), st.integers(0, 9))
@settings(max_examples=40)
def test_simultaneous_intervals_are_as_wide_as_the_worst_of_the_family(questions, comparisons, seed):
    values = np.random.default_rng(seed).normal(size=(questions, comparisons)).round(2)
    resampled = bootstrap.by_question(values, RESAMPLES, seed)
    families = np.arange(comparisons) % 2
    low, high = simultaneous(resampled, values.mean(axis=0), families)
    for family in (0, 1):
        own = [n for n in range(comparisons) if n % 2 == family]
        inside = 0
        for row in resampled:  # in how many resamples all of the family lie within
            inside += all(low[n] - 1e-9 <= row[n] <= high[n] + 1e-9 for n in own)
        assert inside >= 0.95 * RESAMPLES - 1
    middle = (low + high) / 2
    assert middle == pytest.approx(values.mean(axis=0), abs=1e-9)


def test_a_family_of_one_is_a_t_interval_and_more_are_wider():
    values = np.random.default_rng(3).normal(size=(40, 30))
    resampled = bootstrap.by_question(values, 2000, 0)
    means = values.mean(axis=0)
    alone = np.array([simultaneous(resampled[:, [n]], means[[n]], np.zeros(1))[1][0] for n in range(30)])
    together = simultaneous(resampled, means, np.zeros(30))[1]
    assert (alone < together).all()
    error = resampled[:, 0].std(ddof=1)
    worst = np.percentile(np.abs(resampled[:, 0] - means[0]) / error, 95)
    assert alone[0] == pytest.approx(means[0] + worst * error)
    assert 1.8 < worst < 2.2 < (together[0] - means[0]) / error < 4  # 1.96 of a normal; about 3.1 for 30 independent


def test_a_certain_difference_has_no_width_and_widens_no_other():
    values = np.array([[0.1, 0.0], [0.1, 1.0], [0.1, 0.5]])
    resampled = bootstrap.by_question(values, 500, 0)
    low, high = simultaneous(resampled, values.mean(axis=0), np.zeros(2))
    assert [low[0], high[0]] == pytest.approx([0.1, 0.1])
    alone = simultaneous(resampled[:, [1]], values[:, [1]].mean(axis=0), np.zeros(1))
    assert [low[1], high[1]] == pytest.approx([alone[0][0], alone[1][0]])
