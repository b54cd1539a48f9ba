"""Ready-made people of Dune: complete by the rules for their rank."""

from __future__ import annotations

import pytest

from storypool.engine.folder import rows
from storypool.systems import get
from storypool.systems.dune.people import abilities, sheet
from storypool.systems.dune.people.npcs import missing
from storypool.systems.dune.skill_test_terms import Ability
from tests.sample_table import Evening

PEOPLE = rows("storypool.systems.dune", "people")


@pytest.mark.parametrize("rank", ["minor", "notable", "major"])
def test_ready_people_lack_nothing_of_their_rank(rank: str) -> None:
    """Each has the traits, focuses, statements and talents of its rank, and an asset."""
    evening = Evening(get("dune"))
    ours = {key: row for key, row in PEOPLE.items() if row["rank"] == rank}
    assert len(ours) > 8
    for key, row in ours.items():
        before = set(evening.table.characters)
        evening.make("mona", "character.bring", person=key)
        [new] = set(evening.table.characters) - before
        who, table = evening.table.characters[new], evening.table
        assert [] == missing(table, who), key
        assert row["skill"] == sheet.best_skill(who)
        [asset] = table.of_kind("asset", about=new)
        assert row.get("potency", 0) == asset.rating
        given = [Ability.of(one).ability for one in table.of_kind("ability", about=new)]
        assert given == [row[of] for of in ("ability",) if of in row]
        assert {*given} <= {*abilities.ABILITIES}


def test_ready_ability_applies() -> None:
    """A master of blades buys the first die of a test with the sword for nothing."""
    evening = Evening(get("dune"), enforcement="log")
    evening.make("mona", "character.bring", person="master-of-blades")
    battle = {"as": "master-of-blades", "skill": "battle", "drive": "duty", "difficulty": "2"}
    evening.make("mona", "check.declare", battle)
    before = evening.table.balance("threat")
    evening.make("mona", "dice.buy", n=1)
    assert before == evening.table.balance("threat")
