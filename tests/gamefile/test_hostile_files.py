"""Randomly spoiled files are accepted or refused with sentences, without other effects."""

from __future__ import annotations

import random

import pytest

from storypool.engine.offers import offers
from storypool.engine.waiting import waiting
from storypool.gamefile import Unread
from storypool.gamefile.compiled import compiled
from storypool.gamefile.file_format.file_text import read
from storypool.play import LocalTable
from tests.fixed_set import cases
from tools.torture.game_texts import spoiled


@pytest.mark.slow
@pytest.mark.parametrize("seed", cases(range(25), range(5)))
def test_spoiled_file_is_accepted_or_refused(seed: int) -> None:
    """An accepted one opens a table, declares an action and asks everybody."""
    chance = random.Random(f"spoiled {seed}")
    for _ in range(40):
        text = spoiled(chance)
        mistakes = read(text).findings
        try:
            game = compiled(text)
        except Unread as wrong:
            mistakes = wrong.mistakes
            continue
        finally:
            assert all(str(one.what) and one.line >= 1 for one in mistakes)
        table = LocalTable(game.system, chance.randint)
        mona, ann = table.sit("Mona", "gm"), table.sit("Ann")
        table.make(mona, "session.begin")
        table.make(ann, "character.add", {"name": "Ilse"})
        for seat in (mona, ann):
            offers(game.system, table.state, seat)
            waiting(game.system, table.state, seat)
