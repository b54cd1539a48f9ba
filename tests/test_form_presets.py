"""The presets of forms, which are not answers to omitted questions."""

from __future__ import annotations

from storypool import play, systems
from storypool.engine.game.system import System
from storypool.engine.offers import offers
from storypool.engine.table import Table

PEOPLE = """table starwars
seat gm   side=gm
seat gm   guard: brawn=3 melee=2 cool=0 presence=2
seat ann  pash: agility=3 stealth=1 ranged-light=2 cool=0 presence=2
seat bo   oska: brawn=2
"""
FIGHT = """gm   initiative.roll as=guard with=cool dice 1 1
ann  initiative.roll as=pash with=cool dice 2 2
gm   initiative.next
"""


def presets(
    system: System, table: Table, seat: str, move: str = "check.declare"
) -> dict[str, object]:
    """The presets of a move's form for a seat, by question."""
    [offer] = [one for one in offers(system, table, seat) if one.key == move]
    return {ask.name: ask.preset for ask in offer.asks if ask.preset is not None}


def default_of(system: System, table: Table, seat: str, move: str, ask: str) -> object:
    """The default answer to an omitted question of a move."""
    [offer] = [one for one in offers(system, table, seat) if one.key == move]
    [found] = [one for one in offer.asks if one.name == ask]
    return found.default


def at(text: str) -> Table:
    """The table after these lines."""
    return play.perform(play.read(text, "preset.play")).table


def test_best_skill_is_preset() -> None:
    """It is the best trained non-combat skill outside a fight; the untrained choose."""
    starwars, table = systems.get("starwars"), at(PEOPLE)
    assert {"skill": "stealth"} == presets(starwars, table, "ann")
    assert {} == presets(starwars, table, "bo")


def test_preset_skill_has_the_most_dice() -> None:
    """Of equal ranks the better characteristic decides, not the order of the sheet."""
    heroes = PEOPLE.replace("stealth=1", "stealth=1 charm=1").replace(
        "oska: brawn=2", "oska: brawn=4 athletics=1 cool=2 presence=2"
    )
    starwars, table = systems.get("starwars"), at(heroes)
    found = [presets(starwars, table, seat)["skill"] for seat in ("ann", "bo")]
    assert ["stealth", "athletics"] == found
    hacker = "table c2d10\nseat gm side=gm\nseat ann mira: shoot=2 agility=1 notice=2 intuition=4\n"
    assert "notice" == default_of(systems.get("c2d10"), at(hacker), "ann", "check.declare", "skill")


def test_fight_presets_the_other_side() -> None:
    """During turns a form begins with an enemy; an omitted answer is still missing."""
    starwars = systems.get("starwars")
    assert {"skill": "ranged-light", "against": "guard"} == presets(
        starwars, at(PEOPLE + FIGHT), "ann"
    )
    declared = at(f"{PEOPLE}{FIGHT}ann  check.declare as=pash characteristic=agility\n")
    [check] = declared.checks.values()
    assert ("", "") == (check.against, check.terms.get("skill", ""))


def test_conflict_presets_an_attack() -> None:
    """In Destiny Dice forms start with an attack during turns, and with nothing otherwise."""
    destiny = systems.get("destinydice")
    people = "table destinydice\nseat gm side=gm\nseat gm thug: quick=1\nseat ann juna: quick=3\n"
    assert {} == presets(destiny, at(people), "ann")
    assert {"action": "attack"} == presets(
        destiny, at(f"{people}gm conflict.begin kind=physical\n"), "ann"
    )


def test_conflict_presets_its_people_first() -> None:
    """In C2D10 bystanders come after the conflict's characters, as targets and in the order."""
    c2d10 = systems.get("c2d10")
    people = """table c2d10
seat gm   side=gm
seat gm   clerk: dice=2
seat gm   thug: dice=3
seat ann  mira: systems=2 logic=2
gm   npc.stance who=thug stance=opposed
gm   npc.stance who=clerk stance=neutral
gm   conflict.open title=Brawl type=opposed dc=1 target=9
"""
    table = at(people)
    assert "thug" == default_of(c2d10, table, "ann", "contest.declare", "against")
    assert "thug" == default_of(c2d10, table, "gm", "initiative.roll", "as")
    rolled = at(f"{people}gm   initiative.roll as=thug dice 3\n")
    assert "clerk" == default_of(c2d10, rolled, "gm", "initiative.roll", "as")
