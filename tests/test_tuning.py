"""The chapter on tuning an economy: kept figures, distinct answers and true examples."""

from __future__ import annotations

import doctest
import re
from xml.etree import ElementTree

import pytest

from tools import tuning

QUESTIONS = tuning.questions()


def test_page_is_made_from_the_figures() -> None:
    """docs/tuning.md matches docs/tuning/figures.json; if not, run `python -m tools.tuning`."""
    assert tuning.page(tuning.kept()) == tuning.PAGE.read_text(encoding="utf-8")
    assert not re.search(r"\{\w+\.", tuning.PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("key", QUESTIONS)
def test_every_question_is_answered(key: str) -> None:
    """Its answer has disjoint intervals, the stated number of evenings and a picture."""
    question, found = QUESTIONS[key], tuning.kept()[key]
    assert tuning.differ(question, found)
    assert list(question.cases) == list(found)
    # What cannot be measured in an evening, because nobody spent in it, counts in none.
    assert question.evenings == max(one.n for own in found.values() for one in own.values())
    assert (
        ElementTree.fromstring((tuning.FOLDER / f"{key}.svg").read_text(encoding="utf-8"))
        is not None
    )


@pytest.mark.slow
@pytest.mark.parametrize("key", QUESTIONS)
def test_every_question_can_be_played(key: str) -> None:
    """Each case is an evening of the game with valid options, measured as on the page."""
    question = QUESTIONS[key]
    studies = tuning.studied(question, 2)
    assert [2] * len(question.cases) == [len(study.rows) for study in studies.values()]
    assert set(question.cases) == set(tuning.figures(question, studies))
    assert tuning.picture(question, studies).startswith("<svg")


def test_touching_intervals_are_no_answer() -> None:
    """Two cases with a common number in their intervals are not distinguished."""
    question, found = QUESTIONS["sitting"], tuning.kept()["sitting"]
    assert not tuning.differ(question, {**found, "never": found["spends"]})


@pytest.mark.slow
def test_chapter_is_true() -> None:
    """Every example of docs/tuning.md gives its result."""
    tried = doctest.testfile(str(tuning.PAGE), module_relative=False)
    assert tried.attempted > 8
    assert 0 == tried.failed
