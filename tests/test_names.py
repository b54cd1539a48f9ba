"""What is public: the stable names, their page, their examples, and the guide to embedding."""

from __future__ import annotations

import doctest
import inspect
import re
import sys
import types
import typing
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from storypool.web.help.contents import pages
from storypool.web.help.names_reference import names_page, promised
from tests.batched_cases import together
from tools import names

GUIDE = names.ROOT / "docs" / "embedding.md"
EVERY = [(module, name) for module in names.MODULES for name in names.stable(module)]
PUBLIC = {
    getattr(import_module(module), name)
    for module, name in EVERY
    if name.isidentifier() and name[0].isupper()
} | {object}


def test_the_page_of_names_is_what_the_modules_say() -> None:
    """docs/names.md is the page that the tool makes of every stable name."""
    assert names.PAGE.read_text(encoding="utf-8") == names.page(), "run `python -m tools.names`"


@pytest.mark.parametrize("module", names.MODULES)
def test_stable_names_are_there(module: str) -> None:
    """Each name is there, once, and a star import brings these names alone."""
    stable = names.stable(module)
    assert len(stable) == len(set(stable))
    space = dict[str, object]()
    exec(f"from {module} import *", space)
    assert sorted(stable) == sorted(set(space) - {"__builtins__", "annotations"})


@together(EVERY)
def test_a_stable_name_says_what_it_is_and_has_an_example(stable: tuple[str, str]) -> None:
    """Each has a sentence, and an example that a test or a play runs."""
    assert names.about(*stable)
    assert names.example(*stable) is not None


@together(EVERY)
def test_a_stable_name_needs_no_other(stable: tuple[str, str]) -> None:
    """The classes that public functions and methods take and return are public."""
    module, name = stable
    value = getattr(import_module(module), name)
    hidden = {
        one.__qualname__
        for one in _classes(value)
        if one.__module__.startswith("storypool") and one not in PUBLIC
    }
    assert set() == hidden


def _classes(value: object) -> Iterator[type]:
    """Yield the classes in the annotations of a function, or of the public methods of a class."""
    if inspect.isroutine(value):
        yield from _in_hints(value)
    elif inspect.isclass(value):
        for name, member in vars(value).items():
            # What a property, a class method or a cached property wraps.
            inner = next(
                (
                    getattr(member, one)
                    for one in ("fget", "__func__", "func")
                    if hasattr(member, one)
                ),
                member,
            )
            if not name.startswith("_") and inspect.isfunction(inner):
                yield from _in_hints(inner)


def _in_hints(value: object) -> Iterator[type]:
    module = sys.modules[getattr(value, "__module__", None) or __name__]
    # A path is imported for its type alone where a roll must be quick.
    known = {one.__name__: one for one in (*PUBLIC, Path) if isinstance(one, type)}
    space = {**known, **vars(typing), **vars(module)}
    for hint in typing.get_type_hints(value, space).values():
        yield from _parts(hint)


def _parts(hint: object) -> Iterator[type]:
    if isinstance(hint, type) and not isinstance(hint, types.GenericAlias):
        yield hint
    for part in typing.get_args(hint):
        yield from (
            _parts(part)
            if not isinstance(part, list)
            else (one for each in part for one in _parts(each))
        )


def test_the_help_has_each_stable_name_once() -> None:
    """What docs/names.md promises is in the reference with its whole docstring; a name that came
    before is linked.
    """
    groups = [page.file for page in pages().values() if page.file.startswith("storypool.")]
    assert {module: names.stable(module) for module in names.MODULES} == promised()
    texts = {group: names_page(group, groups) for group in groups}
    headings = [
        line for text in texts.values() for line in re.findall(r"^###? .*", text, re.MULTILINE)
    ]
    assert sorted(
        [*(f"## {module}" for module in names.MODULES), *(f"### {name}" for _, name in EVERY)]
    ) == sorted(headings)
    odds, rules = texts["storypool.odds"], texts["storypool.engine.rules"]
    assert "def odds(dice: Dice, axes: Axes | None=None) -> Distribution" in odds
    assert ">>> d.p(hit=ge(1)), d.p(hit=ge(1), star=ge(1))" in odds
    assert "- `p(" in odds
    assert "### Bag\n\nThe same as in [storypool.engine.bag](storypool.engine#bag).\n" in rules
    assert "The most dice in one pool that odds are computed for." in odds


def test_the_guide_to_embedding_is_true() -> None:
    """Every example of the guide gives what the guide says."""
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, GUIDE.name, GUIDE.name, 0)
    assert test.examples
    assert doctest.TestResults(0, len(test.examples)) == doctest.DocTestRunner().run(test)


@pytest.mark.parametrize("module", [*names.MODULES, "storypool.engine.game.moves"])
def test_the_examples_of_a_module_are_true(module: str) -> None:
    """The examples in the docstrings of a public module give what they say."""
    assert 0 == doctest.testmod(import_module(module)).failed
