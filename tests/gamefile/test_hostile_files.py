"""Files that were spoiled at random: each is taken or refused with sentences, and nothing else happens."""

from __future__ import annotations

import random
import re

import pytest

from storypool.engine.offers import offers
from storypool.engine.waiting import waiting
from storypool.gamefile.compiled import compiled
from storypool.gamefile.file_text import Unread, read
from storypool.play import LocalTable
from tests.gamefile.conftest import GAMES
from tests.tries import part

TEXTS = [file.read_text(encoding="utf-8") for file in sorted(GAMES.glob("*.game.toml"))]
WORDS = sorted({word for text in TEXTS for word in re.findall(r"[\w.]+", text)})
ODD = [
    "",
    "0",
    "-1",
    "1000000",
    "99999999999",
    "'",
    '"',
    "{}",
    "[]",
    "true",
    "é",
    "\\u0000",
    "<script>",
    "x" * 5000,
    "={",
    "nan",
]
ODD += ["__class__", "dice(", "face", "(" * 60, "1/0", "'a' * 9", "2**99", "inf", "1979-05-27", "'''", "format"]


def spoiled(chance: random.Random) -> str:
    """A game of the docs with some of its words and lines changed, moved, doubled, or gone."""
    lines = chance.choice(TEXTS).split("\n")
    for _ in range(chance.randint(1, 4)):
        n = chance.randrange(len(lines))
        match chance.randrange(6):
            case 0:
                del lines[n]
            case 1:
                lines.insert(chance.randrange(len(lines)), lines[n])
            case 2:
                lines[n] = re.sub(r"[\w.]+", lambda _: chance.choice(WORDS), lines[n], count=1)
            case 3:
                found = list(re.finditer(r"[\w.]+", lines[n]))
                if found:
                    one = chance.choice(found)
                    lines[n] = lines[n][: one.start()] + chance.choice(WORDS + ODD) + lines[n][one.end() :]
            case 4:
                key, equals, _ = lines[n].partition(" = ")
                lines[n] = f"{key} = {chance.choice(ODD)}" if equals else lines[n]
            case 5:
                key, equals, value = lines[n].partition(" = ")
                other = chance.choice(lines).partition(" = ")[2]
                lines[n] = f"{key} = {other or value}" if equals else lines[n]
        lines = lines or [""]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", part(list(range(25))))
def test_a_spoiled_file_is_taken_or_refused_with_sentences(seed: int) -> None:
    """One that is taken is a game: a table of it is opened, an action is declared, and everybody is asked."""
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
