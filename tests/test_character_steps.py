"""The steps in which a player makes a character: legal, ordinary, and with true odds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from storypool import systems
from storypool.contract.game_rows import rows
from storypool.contract.material import material
from storypool.engine.bag import Bag
from storypool.engine.game.steps import CharacterStep, StepChoice, StepText, draft_of
from storypool.engine.game.system import System
from storypool.engine.table import Value
from storypool.odds.question import Question
from storypool.play import LocalTable
from storypool.web.character_steps import NAME, Chosen, Draft

FILES = Path(__file__).parents[1] / "docs" / "games"
GAMES = tuple(key for key, system in systems.find().items() if system.steps)
every_game = pytest.mark.parametrize("game", GAMES)


def combinations(steps: tuple[CharacterStep, ...]) -> Iterator[dict[str, list[str]]]:
    """Every way to answer the steps that change numbers, the first choices of the others."""
    numbers = [step for step in steps if any(one.sheet or one.adds for one in step.choices)]
    others = {
        step.key: [one.key for one in step.choices[: step.pick]]
        for step in steps
        if step not in numbers
    }
    for taken in product(*([one.key for one in step.choices] for step in numbers)):
        yield others | {step.key: [key] for step, key in zip(numbers, taken, strict=True)}


def strength(system: System, sheet: Mapping[str, Value]) -> dict[str, tuple[int, int]]:
    """The sum and the largest number of each group of a sheet."""
    found = dict[str, list[int]]()
    for key, n in sheet.items():
        if isinstance(n, int):
            found.setdefault(system.by_entry[key].group, []).append(n)
    return {group: (sum(numbers), max(numbers)) for group, numbers in found.items()}


def test_five_games_have_steps() -> None:
    """The games of the house have five steps each, the last one for the name."""
    assert {"c2d10", "destinydice", "dune", "genesys", "starwars"} == set(GAMES)
    for game in GAMES:
        steps = Draft(systems.get(game), {}).steps()
        assert 5 == len(steps)
        assert NAME == steps[-1].key


@every_game
def test_every_combination_is_as_strong_as_a_ready_character(game: str) -> None:
    """In each group the sum and the largest number are among those of the ready characters."""
    system = systems.get(game)
    ready = [strength(system, one["sheet"]) for one in system.ready]  # type: ignore[arg-type]
    usual = {group: [one[group] for one in ready if group in one] for one in ready for group in one}
    for chosen in combinations(system.steps):
        sheet = draft_of(system.steps, chosen, system.by_entry)
        assert all(system.by_entry[key].fits(value) for key, value in sheet.items()), chosen
        for group, numbers in strength(system, sheet).items():
            known = usual[group]
            for n, all_known in zip(numbers, zip(*known, strict=True), strict=True):
                assert min(all_known) <= n <= max(all_known), (group, chosen)


@every_game
def test_every_choice_is_made_with_its_texts(game: str) -> None:
    """The moves take every choice: numbers, texts and the face, which are on the table at once."""
    system = systems.get(game)
    for n in range(max(len(step.choices) for step in system.steps)):
        table, chosen = LocalTable(system), dict[str, list[str]]()
        gm, ann = table.sit("Mona", "gm"), table.sit("Ann")
        for step in system.steps:
            keys = [one.key for one in step.choices] * 3
            start = n % len(step.choices)
            chosen[step.key] = keys[start : start + step.pick]
        draft = Draft(system, {}, {**chosen, NAME: ["owl"]})
        table.make(ann, "character.add", {"name": "Vey", "sheet": draft.sheet()})
        [who] = table.state.characters.values()
        assert draft.sheet().items() <= who.sheet.items()
        written = list(draft.written())
        for one in written:
            table.make(ann, one.move, {**one.args, one.who: who.id})
        assert "owl" == table.state.characters[who.id].picture
        things = len(table.state.traits) + len(table.state.papers)
        assert things == len(written) - 1
        assert not table.state.proposals
        assert table.offers(gm)


@every_game
def test_choices_that_change_a_roll_show_its_odds(game: str) -> None:
    """Each step says what it means, and each of its trials has odds where it is played."""
    system = systems.get(game)
    chosen = {step.key: [step.choices[0].key] for step in system.steps}
    for step in system.steps:
        assert step.title
        assert ("?", ".") == (step.question[-1], step.means[-1])
        assert len(step.choices) >= 4
        assert len({one.name for one in step.choices}) == len(step.choices)
        found = set[str]()
        for options in ({}, {"ratings": "skills"}):
            for chance in Draft(system, options, chosen).chances(step):
                assert 0 < Fraction(chance.chance) < 1
                found.add(chance.of)
        assert {one.key for one in step.choices if one.trials} == found


def test_odds_are_those_of_the_draft() -> None:
    """A pilot who trains machines mends with two yellow dice fewer than a slicer has green ones."""
    system = systems.get("starwars")
    for origin, pool in (
        ("pilot", {"ability": 1, "proficiency": 1, "difficulty": 3}),
        ("slicer", {"ability": 2, "proficiency": 2, "difficulty": 3}),
    ):
        draft = Draft(system, {}, {"origin": [origin]})
        found = {one.of: one.chance for one in draft.chances(system.steps[1])}
        expected = systems.odds("starwars").reckon(Question(Bag(pool), {})).outcomes["success"]
        assert str(expected) == found["machines"]


def test_games_of_files_have_steps_of_their_sheets() -> None:
    """A ready character begins them, each entry is placed once, and the move takes the draft."""
    for file in sorted(FILES.glob("*.game.toml")):
        key = systems.added(file)
        try:
            system, table = systems.get(key), LocalTable(key)
            draft = Draft(system, {}, {"start": ["r1"]})
            first, *others, last = draft.steps()
            assert system.ready[1]["sheet"] == draft.sheet()
            assert len(others) <= 3
            assert ("start", NAME) == (first.key, last.key)
            placed = [entry for step in others for entry in step.entries]
            assert len(set(placed)) == len(placed) > 0
            for step in (first, *others):
                chances = draft.chances(step)
                assert all(0 < Fraction(one.chance) <= 1 for one in chances)
                assert bool(chances) == ("chance" in draft.means(step, chances))
            table.make(table.sit("Ann"), "character.add", {"name": "Vey", "sheet": draft.sheet()})
        finally:
            systems.removed(key)


def test_wrong_choices_are_found() -> None:
    """`check-game` names a number that does not fit, and a move that is not there."""
    system = systems.get("starwars")
    text = StepText("why", "Why?", "paper.tear")
    wrong = StepChoice("x", "A giant", sheet={"brawn": 40}, adds={"size": 1}, texts=(text,))
    step = replace(system.steps[0], choices=(wrong,))
    found = rows(replace(system, steps=(step,)), material("starwars"))
    expected = ["steps.number", "steps.number", "steps.move"]
    assert expected == [one.id.removeprefix("check.") for one in found]


def test_numbers_and_texts_replace_those_of_choices() -> None:
    """Typed numbers count; one out of bounds, an unknown entry and an empty text do not."""
    system = systems.get("starwars")
    chosen: Chosen = {"origin": ["pilot", "seer", "nobody"], "weapon": ["blade"], "gone": ["x"]}
    draft = Draft(
        system,
        {},
        chosen,
        {"agility": 3, "cool": 99, "nothing": 1},
        {"weapon.blade.name": "  ", "other": "x"},
    )
    sheet = draft.sheet()
    assert (3, 1, 2) == (sheet["agility"], sheet["cool"], sheet["damage"] - 3)  # type: ignore[operator]
    assert not {"nothing", "force-rating"} & sheet.keys()
    assert [] == list(draft.written())
