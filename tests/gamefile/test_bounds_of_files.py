"""Excess in a file is refused at its line, and braces in sentences are not filled in."""

from __future__ import annotations

import asyncio
import re

import pytest

from storypool.engine.offers import offers
from storypool.engine.refusal import Refused
from storypool.gamefile.compiled import compiled
from storypool.live.tables import Tables
from storypool.log.memory import MemoryStore
from tests.gamefile.conftest import GAMES, mistakes, sit

TEXT = (GAMES / "lanternlight.game.toml").read_text(encoding="utf-8")
HEAD = "format = 1\n"
POINTS = "".join(f'\n[points.p{n}]\nof = "table"\n' for n in range(4))
STEPS = "".join(
    f'\n[[whenever]]\non = "points"\npoints = "p{n}"\ndo = ['
    + f"{{ gain = 'p{n + 1}' }}, " * 20
    + "]\n"
    for n in range(3)
)
ASKS = ", ".join(f'{{ name = "q{n}", label = "Q", entry = ["all"] }}' for n in range(24))
ENTRIES = ", ".join(f'e{n} = "E"' for n in range(90))
SHEET = f'\n[sheet.all]\ntitle = "All"\nentries = {{ {ENTRIES} }}\n'
QUESTIONS = "".join(f'\n[[move]]\nkey = "m{n}"\ntitle = "M"\nasks = [{ASKS}]\n' for n in range(3))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        pytest.param(
            HEAD + ".".join("a" * 30_000) + " = 1", "at most 60 dots", id="a key of many parts"
        ),
        pytest.param(
            HEAD + "key = " + "9" * 5000, "This is not TOML", id="a number of many digits"
        ),
        pytest.param(
            HEAD + "name = 0x" + "f" * 5000,
            "A text between quotes is expected",
            id="a number too long to write",
        ),
        pytest.param(
            TEXT + "\n[words" + ".a" * 50 + "]\nb = 1",
            "At most 12 tables",
            id="tables inside each other",
        ),
        pytest.param(
            TEXT + '\n[words]\n"no.check" = "{n:>99999999}"',
            "Braces stand for",
            id="a blank with a width",
        ),
        pytest.param(
            TEXT + '\n[words]\n"no.check" = "{title.__class__}"',
            "Braces stand for",
            id="a blank with a part",
        ),
        pytest.param(TEXT + '\n[words]\n"no.check" = "{"', "Braces stand for", id="half a blank"),
        pytest.param(
            TEXT.replace("[action]\n", "[action]\nmost = 1000000\n"),
            "At most 100 dice",
            id="a huge pool",
        ),
        pytest.param(
            TEXT + POINTS + STEPS,
            "things follow automatically, not 8420",
            id="points that rise by thousands",
        ),
        pytest.param(
            TEXT + SHEET + QUESTIONS,
            "at most 4000 answers, not 6483",
            id="questions of thousands of answers",
        ),
        pytest.param(
            "first_scene = '''\n" + "# read\n" * 300 + "'''\n" + TEXT,
            "at most 200 lines",
            id="a long scene",
        ),
        pytest.param(
            TEXT + "\n[[outcome]]\nkey = 'x'\nwords = 'x'\n" * 101,
            "more than 100",
            id="a long ladder",
        ),
    ],
)
def test_excess_is_refused(text: str, what: str) -> None:
    """The sentence states the limit."""
    assert any(what in str(one.what) for one in mistakes(text))


def test_unknown_name_lists_few_names() -> None:
    """A sentence about an unknown name stays a sentence."""
    entries = ", ".join(f"{'x' * 25}{n} = 'E'" for n in range(90))
    sheet = f'\n[sheet.all]\ntitle = "All"\nentries = {{ {entries} }}\n'
    follows = '\n[[whenever]]\non = "closed"\nwhen = "zzz"\ndo = [{ gain = "qqq" }]'
    found = [str(one.what) for one in mistakes(TEXT + sheet + follows)]
    assert "zzz" in found[0]
    assert all(len(one) < 600 for one in found)


@pytest.mark.parametrize("braces", ["{n}", "{", "}", "{title.__class__}", "{n:>99999999}", "{}"])
def test_braces_of_sentences_are_literal(braces: str) -> None:
    """Titles, reasons and labels are shown as written."""
    text = TEXT.replace('title = "Push your luck"', f'title = "Push {braces}"')
    text = text.replace(
        "do = [{ again =", f'only = "ones > 9"\nunless = "Not {braces}"\ndo = [{{ again ='
    )
    game = compiled(text.replace('label = "With what?"', f'label = "With {braces}?"'))
    table = sit(game.system, "Ada")
    table.make("ann", "check.declare", {"as": "ada", "ability": "wits"})
    table.make("ann", "check.roll")
    push = {one.key: one for one in offers(game.system, table.state, "ann")}["move.push"]
    assert push.closed is not None
    assert (f"Push {braces}", f"Not {braces}") == (push.title, push.closed.text)


def test_endless_pool_is_refused() -> None:
    """A move that would exceed the dice limit of a roll is refused."""
    text = TEXT.replace(
        'do = [{ add = "shade", n = "n" }]', 'do = [{ add = "shade", n = 1000000 }]'
    )
    table = sit(compiled(text).system, "Ada")
    table.make("mona", "points.correct", {"account": "dread", "to": 9, "why": "A dark night"})
    table.make("ann", "check.declare", {"as": "ada", "ability": "wits"})
    with pytest.raises(Refused, match="At most 100 dice"):
        table.make("mona", "move.dim", {"n": 1})


@pytest.mark.parametrize("scene", ["seat a side=b", "ann x", "#"])
def test_invalid_scene_is_not_offered(scene: str) -> None:
    """The GM can do everything else, and reads why the scene is not played."""

    async def asked() -> bool:
        tables = Tables(MemoryStore(), randbelow=lambda sides: 0)
        id = await tables.open("", "A table", game=f"first_scene = '''\n{scene}\n'''\n{TEXT}")
        gm = await tables.take_seat(id, "Mona", "gm")
        with pytest.raises(Refused, match="no first scene"):
            await tables.play_first_scene(id, gm.id)
        return await tables.has_first_scene(id)

    assert not asyncio.run(asked())


def test_braces_of_turn_names_are_literal() -> None:
    """The log reports the start of such turns."""
    text = (GAMES / "quarrylane.game.toml").read_text(encoding="utf-8")
    assert "[turns]\n" in text
    text = re.sub(r"(?m)^(\[turns\]\n(?:.*\n)*?)word = .*\n", r"\1", text).replace(
        "[turns]\n", '[turns]\nword = "}{0}"\n'
    )
    words = compiled(text).system.words
    assert "The }{0} begins." == words.say("story.move.turns.begin", who="Mona")
