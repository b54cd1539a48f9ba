"""What the rows of one move make of each other: each goes on from the table as the row before left it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from storypool import systems
from storypool.play import LocalTable
from tests.gamefile.conftest import Add

HEAD = """
format = 1
key = "rows"
name = "Rows"
about = "Moves of several rows."
[dice.d6]
sides = 6
[sheet.skills]
title = "Skills"
low = 4
high = 8
default = 4
entries = { lift = "Lift", look = "Look" }
[[outcome]]
key = "done"
words = "Done."
"""

Play = Callable[[str], LocalTable]


@pytest.fixture
def play(tmp_path: Path, added: Add) -> Play:
    """Sit down to a game of one page that goes on with this text: Mona is the GM, Ann plays Kit."""

    def sit(text: str) -> LocalTable:
        file = tmp_path / "rows.game.toml"
        file.write_text(HEAD + text, encoding="utf-8")
        table = LocalTable(systems.get(added(file)), Random(1).randint)
        table.sit("Mona", "gm")
        table.sit("Ann")
        table.make("mona", "session.begin")
        table.make("ann", "character.add", {"name": "Kit"})
        return table

    return sit


WORKED_OUT = """
[action]
pool = { d6 = "target - 3" }
figures = { best = { highest = 1 } }
terms = { target = "bonus + 2", bar = "target * 2" }
[[action.asks]]
name = "bonus"
label = "Bonus"
number = [1, 5]
default = 2
[[move]]
key = "help"
title = "Help"
when = "before the roll"
do = [{ shift = "bonus", n = 2 }]
[[move]]
key = "bend"
title = "Bend the target"
when = "before the roll"
do = [{ shift = "target", n = -1 }]
"""


def test_terms_follow_what_they_are_worked_out_from(play: Play) -> None:
    """A changed answer changes the terms and the dice that follow from it, besides what moves did to them."""
    table = play(WORKED_OUT)
    table.make("ann", "check.declare", {"as": "kit"})

    def now() -> tuple[object, ...]:
        (check,) = table.state.checks.values()
        return (*(check.terms[name] for name in ("bonus", "target", "bar")), check.pool["d6"])

    assert (2, 4, 8, 1) == now()
    table.make("ann", "move.bend")
    assert (2, 3, 6, 0) == now()
    table.make("ann", "move.help")
    assert (4, 5, 10, 2) == now()
