"""The defaults and questions of the narrative games' forms."""

from __future__ import annotations

from storypool.engine.events import TraitSet
from storypool.engine.fold import evolve
from storypool.engine.game.asks import AskView
from storypool.engine.offers import offer
from storypool.engine.sight import view
from storypool.engine.story import sentences
from storypool.engine.table import Table, Trait
from storypool.play import perform, read
from storypool.systems import get

PEOPLE = """
table genesys
seat gm   side=gm
seat gm   vane: name=Vane brawn=2 presence=3
seat Ann  oru: name=Oru intellect=4 medicine=2
seat Bo   tobin: name=Tobin brawn=4 wound-threshold=14
seat Cy   mara: name=Mara agility=3 wound-threshold=12
"""


def table_of(*lines: str) -> Table:
    """The people of these tests, after the lines of a play."""
    return perform(read("\n".join((PEOPLE.strip(), *lines)))).table


def asked(table: Table, seat: str, move: str, **args: object) -> dict[str, AskView]:
    """The questions of a form by name, after some answers."""
    return {ask.name: ask for ask in offer(get(table.system), table, seat, move, args).asks}


def test_treatment_starts_with_the_worst_hurt() -> None:
    """Medicine defaults to the worst hurt ally, also in a fight; to nobody if all are well."""
    skill = {"skill": "medicine"}
    whole = asked(table_of(), "ann", "check.declare", **skill)["against"]
    assert (None, {"Oru", "Tobin", "Mara", "Vane"}) == (
        whole.preset,
        {choice.label for choice in whole.choices},
    )
    hurt = ("points mara.wounds=2 tobin.wounds=3 vane.wounds=9",)
    fight = (
        *hurt,
        "gm initiative.roll as=vane with=cool dice 2 2 2",
        "Ann initiative.roll as=oru with=cool value=2 dice 2 2",
    )
    for lines in (hurt, (*fight, "gm initiative.next")):
        against = asked(table_of(*lines), "ann", "check.declare", **skill)["against"]
        assert ("tobin", ["Tobin", "Mara", "Oru", "Vane"]) == (
            against.preset,
            [choice.label for choice in against.choices],
        )


def test_attack_starts_with_a_fighting_enemy() -> None:
    """The default target in a fight has a slot; a bystander is not one."""
    fight = (
        "seat gm keeper: name=Keeper presence=2",
        "gm initiative.roll as=keeper with=cool dice 1 1",
        "Bo initiative.roll as=tobin with=cool value=2 dice 2 2",
        "gm initiative.next",
    )
    against = asked(table_of(*fight), "bo", "check.declare", skill="melee")["against"]
    found = (against.preset, [choice.label for choice in against.choices])
    assert ("keeper", ["Keeper", "Vane", "Oru", "Mara"]) == found
    # A GM's roll in a turn of the players also defaults to an actor in the fight.
    actor = asked(table_of(*fight), "gm", "check.declare")["as"]
    assert ("keeper", ["Keeper", "Vane"]) == (
        actor.default,
        [choice.label for choice in actor.choices],
    )


def test_missing_characteristic_is_requested() -> None:
    """Initiative, checks and abilities name the characteristic that they ask for."""
    table = table_of("points players=2")
    for skill, name in (("cool", "Presence"), ("vigilance", "Willpower")):
        found = asked(table, "bo", "initiative.roll", **{"as": "tobin", "with": skill})
        assert f"How high is {name}?" == found["value"].label
    found = asked(table, "bo", "check.declare", skill="stealth")
    assert "How high is Agility?" == found["value"].label
    assert "value" not in asked(table, "bo", "check.declare", skill="athletics")
    found = asked(table, "ann", "story.talent", talent="second-wind")
    assert "How high is Willpower?" == found["value"].label


def test_own_talents_come_first() -> None:
    """A form begins with one that can be used now; every other stays open, below them."""
    table = table_of("points players=2")
    before = asked(table, "ann", "story.talent")["talent"]
    for n, talent in enumerate(("second-wind", "sure-footing"), 90):
        own = Trait(f"t{n}", "own-talent", "A talent", "oru", terms={"talent": talent})
        table = evolve(table, TraitSet(own))
    after = asked(table, "ann", "story.talent")["talent"]
    values = [choice.value for choice in after.choices]
    assert ["second-wind", "sure-footing"] == values[:2]
    assert (None, "sure-footing") == (before.preset, after.preset)
    closed = [{one.value: one.closed for one in ask.choices} for ask in (before, after)]
    assert closed[0] == closed[1]
    assert {"not on the sheet"} == {one.note.rpartition("; ")[2] for one in after.choices[2:]}
    # Without talents on the sheet there is nothing to tell apart.
    assert "sheet" not in repr(before.choices)


def test_spends_name_whom_they_hurt() -> None:
    """A player reads whose strain it is on a foe's roll; on a hero's roll the GM knows."""
    rolled = (
        "Ann check.declare as=oru skill=medicine difficulty=average",
        "gm check.agree",
        "Ann check.roll dice 1 1 1 1 4 7",
    )
    rows = asked(table_of(*rolled), "gm", "spend.buy")["row"].choices
    assert "Suffer 1 strain" in [choice.label for choice in rows]
    foes = (
        "gm check.declare as=vane skill=charm difficulty=average",
        "gm check.roll dice 1 1 1 4 7",
    )
    rows = asked(table_of(*foes), "ann", "spend.buy")["row"].choices
    assert "Suffer 1 strain: Vane" in [choice.label for choice in rows]


def test_log_is_silent_on_weapons_of_foes() -> None:
    """Players read nothing of a foe's weapon in the log, but the numbers of a hero's."""
    lines = (
        "gm adversary.add ready=hired-knife name=Knife",
        "gm weapon.add who=knife name=Hook skill=melee damage=9",
        "Ann weapon.add who=oru name=Staff skill=melee damage=3",
    )
    game = perform(read("\n".join((PEOPLE.strip(), *lines))))
    for seat in ("gm", "ann"):
        own = view(game.records, game.table.seats[seat])
        log = "\n".join(sentences(own, get("genesys")))
        assert "Staff: 3 damage" in log
        assert "Knife joined the story." in log
        assert (seat == "gm") == ("Hook" in log)
        assert "knives" not in log


def test_target_brings_no_question_before_difficulty() -> None:
    """What an injured target brings comes below the difficulties, which stay in place."""
    asks = [ask.name for ask in get("genesys").by_key["check.declare"].asks]
    assert asks.index("difficulty") == asks.index("against") + 1


def test_players_choose_targets_without_thresholds() -> None:
    """The note of a hurt foe has its threshold for the GM alone, who reads its sheet."""
    lines = (
        "gm character.add name=Rook sheet='wound-threshold=13'",
        "gm track.suffer who=rook track=wounds by=3",
    )
    table = perform(read("\n".join((PEOPLE.strip(), *lines)))).table
    notes = {}
    for seat in ("gm", "ann"):
        asks = offer(get("genesys"), table, seat, "check.declare", {}).asks
        against = next(ask for ask in asks if ask.name == "against")
        notes[seat] = next(one.note for one in against.choices if one.value == "rook")
    assert {"gm": "3 of 13 wounds", "ann": "3 wounds"} == notes
