"""The stable names and those for rules: their page, their examples, the guide to embedding."""

from __future__ import annotations

import doctest
import re
from importlib import import_module

import pytest

from tests.batched_cases import together
from tools import names

GUIDE = names.ROOT / "docs" / "embedding.md"
PUBLIC = (*names.MODULES, names.RULES)
MODULES = (*PUBLIC, *names.HOMES)
WITH_EXAMPLES = (
    *MODULES,
    "storypool.words",
    "storypool.systems.odds_system",
    "storypool.odds.question",
    "storypool.play.stage",
    "storypool.pictures.charts",
    "storypool.pictures.maps",
    "storypool.engine.decisions",
    "storypool.engine.offers",
    "storypool.engine.waiting",
    "storypool.engine.sight",
    "storypool.engine.fold",
    "storypool.engine.story",
    "storypool.engine.table",
    "storypool.engine.game.state",
    "storypool.engine.game.moves",
    "storypool.engine.events",
    "storypool.engine.dice",
    "storypool.engine.bag",
    "storypool.engine.notation",
    "storypool.log.codec",
    "storypool.log.verified",
    "storypool.words.languages",
)
"""The modules whose examples run here."""
EVERY = [(module, name) for module in PUBLIC for name in names.stable(module)]


def test_about_sixty_names_are_stable() -> None:
    """A promise stays small enough to keep."""
    assert 50 <= sum(len(names.stable(module)) for module in names.MODULES) <= 72


@pytest.mark.parametrize("module", MODULES)
def test_stable_names_exist(module: str) -> None:
    """Each name exists once, and a star import brings exactly these."""
    stable = names.stable(module)
    assert len(stable) == len(set(stable))
    space = dict[str, object]()
    exec(f"from {module} import *", space)
    assert sorted(stable) == sorted(set(space) - {"__builtins__", "annotations"})


@pytest.mark.slow
@together(EVERY)
def test_stable_names_have_docs_and_examples(stable: tuple[str, str]) -> None:
    """Each has a sentence, and an example that a test or play runs."""
    assert names.about(*stable)
    assert names.example(*stable) is not None


def test_pages_have_each_name_once() -> None:
    """Each name has a heading, its signature and its docstring."""
    for modules, text in (
        (names.MODULES, names.stable_page()),
        ((names.RULES,), names.rules_page()),
    ):
        headings = re.findall(r"^###? .*", text, re.MULTILINE)
        listed = [f"### {name}" for module in modules for name in names.stable(module)]
        assert sorted([*(f"## {module}" for module in modules), *listed]) == sorted(headings)
    odds = names.stable_page()
    assert "def odds(\n    dice: Dice,\n    axes: Axes | None=None,\n    *,\n" in odds
    assert ">>> d.p(hit=ge(1)), d.p(hit=ge(1), star=ge(1))" in odds
    assert "- `p(" in odds
    assert "A condition on one axis: an interval, a number, or a predicate of a number." in odds


def test_embedding_guide_is_true() -> None:
    """Every example of the guide gives its result."""
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, GUIDE.name, GUIDE.name, 0)
    assert test.examples
    assert doctest.TestResults(0, len(test.examples)) == doctest.DocTestRunner().run(test)


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_module_examples_are_true(module: str) -> None:
    """The examples in a module's docstrings give their results."""
    assert 0 == doctest.testmod(import_module(module)).failed
