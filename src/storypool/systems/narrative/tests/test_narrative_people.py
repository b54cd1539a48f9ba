"""Ready-made people of the narrative games: their weapons hit, and groups follow their size."""

from __future__ import annotations

import pytest

from storypool.engine.decisions import decide
from storypool.engine.folder import rows
from storypool.systems import get
from storypool.systems.narrative.fight.weapons import Weapon
from tests.sample_table import Evening

FOUR = 4
"""A face with successes on dice that help, and with none on Difficulty dice."""
every_game = pytest.mark.parametrize("game", ["starwars", "genesys"])


def brought(game: str, key: str, **args: int) -> Evening:
    """A table that refuses nothing, with one of the game's people."""
    evening = Evening(get(game), enforcement="log")
    evening.make("mona", "character.bring", {"person": key, **args})
    return evening


@every_game
def test_weapons_of_ready_people_hit(game: str) -> None:
    """Each weapon is for a skill of its sheet, and deals its damage and the net successes."""
    for key, row in rows(f"storypool.systems.{game}", "people").items():
        for skill, weapon in row.get("weapons", {}).items():
            evening = brought(game, key)
            [trait] = [
                one
                for one in evening.table.of_kind("weapon", about=key[:24])
                if Weapon.of(one).skill == skill
            ]
            declared = {"as": trait.about, "weapon": trait.id, "skill": skill, "against": "pash"}
            evening.make("mona", "check.declare", {**declared, "difficulty": "average"})
            rolled = decide(
                evening.system, evening.table, "mona", "check.roll", {}, roll=lambda die: FOUR
            )
            evening.keep(rolled, "mona")
            [check] = evening.table.checks.values()
            assert check.outcome
            assert check.outcome.passed, key
            evening.make("mona", "attack.hit", soak=2)
            wounds = weapon["damage"] + check.outcome.net["success"] - 2
            assert row["skills"][skill] >= 1
            assert wounds == evening.table.balance("wounds", "pash")


@every_game
def test_ready_group_follows_its_size(game: str) -> None:
    """A group has the wounds of all, and a rank for each who stands after the first."""
    system = get(game)
    groups = {
        key: row
        for key, row in rows(f"storypool.systems.{game}", "people").items()
        if row["rank"] == "minion"
    }
    for key, row in groups.items():
        skill = next(iter(row["skills"]))
        for size in (1, row["group"]):
            evening = brought(game, key, group=size)
            who = evening.table.characters[key[:24]]
            assert (size, row["wounds"] * size) == (
                who.sheet["minions"],
                who.sheet["wound-threshold"],
            )
            evening.make(
                "mona", "check.declare", {"as": who.id, "skill": skill, "difficulty": "easy"}
            )
            [check] = evening.table.checks.values()
            value = who.sheet[system.by_entry[skill].notes["with"]]
            assert min(value, size - 1) == check.pool["proficiency"], key
    big = next(key for key, row in groups.items() if row["wounds"] > 5)
    evening = brought(game, big)
    evening.refused("mona", "character.bring", person=big, group=13)


@every_game
def test_ready_nemeses_have_what_their_rank_has(game: str) -> None:
    """Only a nemesis has a strain threshold of its own, and only minions are a group."""
    ranks = {"minion": ("group",), "rival": (), "nemesis": ("strain",)}
    for key, row in rows(f"storypool.systems.{game}", "people").items():
        assert {*ranks[row["rank"]]} == {"group", "strain"} & set(row), key
