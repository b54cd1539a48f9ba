"""The people whom a GM can bring in: every one in people.toml comes, acts, and stays the GM's."""

from __future__ import annotations

from collections import Counter

import pytest

from storypool.engine.copies import replace
from storypool.engine.house.choices import rating
from storypool.engine.house.people import DRAWN
from storypool.engine.offers import offer
from storypool.engine.sight import seen
from storypool.engine.table import Character
from storypool.live.previews import rolls_of_sheet
from storypool.systems import find, get
from storypool.systems.supporting_cast.bringing import ROLES
from tests.sample_table import Evening

BRING = "character.bring"
GAMES = tuple(key for key, system in find().items() if BRING in system.by_key)
ANSWERS: dict[str, dict[str, object]] = {
    "starwars": {"difficulty": "average"},
    "genesys": {"difficulty": "average"},
    "c2d10": {"dc": "1"},
    "destinydice": {"difficulty": "fair"},
    "dune": {"difficulty": "1"},
}
"""What the GM answers of an action besides what the sheet gives."""
every_game = pytest.mark.parametrize("game", GAMES)


def listed(game: str, **args: str) -> dict[str, str]:
    """The people in the list of the form, by key, with these answers given."""
    evening = Evening(get(game))
    found = offer(evening.system, evening.table, "mona", BRING, args)
    asked = next(ask for ask in found.asks if ask.name == "person")
    return {choice.value: choice.label for choice in asked.choices}


def brought(evening: Evening, key: str, **args: object) -> Character:
    """The character of a person who has been brought in."""
    before = set(evening.table.characters)
    evening.make("mona", BRING, {"person": key, **args})
    [new] = set(evening.table.characters) - before
    return evening.table.characters[new]


@every_game
def test_ranks_and_roles_list_their_people(game: str) -> None:
    """Each rank and each role has some people, no two share a name, and a filter lists its own."""
    everybody = listed(game)
    evening = Evening(get(game))
    found = offer(evening.system, evening.table, "mona", BRING, {})
    ranks = next(ask.choices for ask in found.asks if ask.name == "rank")
    assert len(everybody) >= 30
    assert {1} == set(Counter(everybody.values()).values())
    assert 3 == len(ranks)
    for of, values in (("rank", [one.value for one in ranks]), ("role", [*ROLES])):
        lists = [listed(game, **{of: value}) for value in values]
        assert all(lists)
        assert sorted(everybody) == sorted(key for one in lists for key in one)
    evening.refused("mona", BRING, person=next(iter(listed(game, role="beast"))), role="talker")


@every_game
def test_everybody_can_be_brought_in_and_acts(game: str) -> None:
    """Each comes by one answer, with numbers in their bounds, and rolls what the sheet gives."""
    system = get(game)
    for key, name in listed(game).items():
        evening = Evening(system, enforcement="log")
        who = brought(evening, key)
        assert (name, "gm", False) == (who.name, who.side, who.hidden)
        for entry in system.sheet:
            n = rating(who, entry.key)
            assert n is None or entry.low <= n <= entry.high, (key, entry.key, n)
        rolls = rolls_of_sheet(system, evening.table, evening.table.seats["mona"], who.id, {})
        acts = [one for one in rolls if one.move == "check.declare"]
        best = max(acts, key=lambda one: sum(one.pool.values()))
        evening.make("mona", "check.declare", {**best.given, **ANSWERS[game]})
        [check] = evening.table.checks.values()
        assert who.id == check.actor
        evening.make("mona", "check.roll")
        assert "rolled" == evening.table.checks[check.id].phase


@every_game
def test_sheets_of_brought_people_are_the_gms(game: str) -> None:
    """A player sees the name alone; the next of them has a number, and a hidden one is unseen."""
    evening = Evening(get(game))
    ann = evening.table.seats["ann"]
    for key, name in list(listed(game).items())[-5:]:
        first, second = brought(evening, key), brought(evening, key)
        assert (name, f"{name} 2") == (first.name, second.name)
        hidden = brought(evening, key, secret=True)
        table = seen(evening.table, ann)
        assert {first.id, second.id} <= set(table.characters)
        assert hidden.id not in table.characters
        assert set(table.characters[first.id].sheet) <= set(evening.system.open_entries)
        kinds = {one.kind for one in table.traits.values() if one.about == first.id}
        assert set() == kinds & set(evening.system.sheet_traits)


@every_game
def test_brought_person_can_be_changed_on_the_way(game: str) -> None:
    """The name and any number of the sheet can be another, as can every number afterwards."""
    evening = Evening(get(game))
    key, entry = next(iter(listed(game))), evening.system.sheet[0]
    who = brought(evening, key, name="Old Brannock", sheet=f"{entry.key}={entry.high}")
    assert ("Old Brannock", entry.high) == (who.name, who.rating(entry.key))
    evening.make("mona", "character.set", who=who.id, sheet=f"{entry.key}={entry.low}")
    assert entry.low == evening.table.characters[who.id].rating(entry.key)


@every_game
def test_copied_npc_has_the_same_sheet_and_belongings(game: str) -> None:
    """A copy of what the table has changed is unharmed, and the GM's like any NPC."""
    evening = Evening(get(game))
    assert "only_if" == evening.refused("mona", "character.copy").code
    entry = evening.system.sheet[0]
    for key in [*listed(game)][::7]:
        who = brought(evening, key)
        evening.make("mona", "character.set", who=who.id, sheet=f"{entry.key}={entry.high}")
        evening.make("mona", "trait.set", text="Lost a hand", about=who.id)
        evening.make("mona", "character.portrait", who=who.id, drawn=DRAWN[1])
        who, before = evening.table.characters[who.id], set(evening.table.characters)
        evening.make("mona", "character.copy", who=who.id)
        [new] = set(evening.table.characters) - before
        copy = evening.table.characters[new]
        assert (f"{who.name} 2", who.sheet) == (copy.name, copy.sheet)
        assert who.picture == copy.picture != ""
        theirs, ours = belongings(evening, who.id), belongings(evening, new)
        assert theirs - ours == {("fact", "Lost a hand", 0)}
        assert ours <= theirs
        table = seen(evening.table, evening.table.seats["ann"])
        assert set(table.characters[new].sheet) <= set(evening.system.open_entries)
        kinds = {one.kind for one in table.traits.values() if one.about == new}
        assert set() == kinds & set(evening.system.sheet_traits)


def belongings(evening: Evening, who: str) -> set[tuple[str, str, int]]:
    """What a character has besides numbers: kind, text without the name, and rating."""
    name = evening.table.characters[who].name
    own = [one for one in evening.table.traits.values() if one.about == who]
    return {(one.kind, one.text.removeprefix(f"{name} "), one.rating) for one in own}


@every_game
def test_copy_of_a_hidden_npc_is_hidden(game: str) -> None:
    """Nothing of it reaches a player until the GM shows it, and a copy in the open is refused."""
    evening = Evening(get(game))
    ann, key = evening.table.seats["ann"], [*listed(game)][-1]
    hidden = brought(evening, key, secret=True)
    before = seen(evening.table, ann)
    evening.make("mona", "character.copy", who=hidden.id)
    evening.make("mona", "character.copy", who=hidden.id, name="Shade")
    refusal = evening.refused("mona", "character.copy", who=hidden.id, secret=False)
    assert ("argument", "secret") == (refusal.code, refusal.field)
    assert before == replace(seen(evening.table, ann), seq=before.seq)
    names = [one.name for one in evening.table.characters.values() if one.hidden]
    assert [hidden.name, f"{hidden.name} 2", "Shade"] == names
    shade = next(one.id for one in evening.table.characters.values() if one.name == "Shade")
    evening.make("mona", "character.show", who=shade)
    table = seen(evening.table, ann)
    assert hidden.id not in table.characters
    own = {one.kind for one in evening.table.traits.values() if one.about == shade}
    shown = {one.kind for one in table.traits.values() if one.about == shade}
    assert shown == own - set(evening.system.sheet_traits)
