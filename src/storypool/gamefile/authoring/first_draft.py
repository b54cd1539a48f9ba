"""A small game from six answers, as the text of a file that can be played and extended.

Further answers are titles of its kinds of rolls.

>>> from storypool.gamefile.compiled import compiled
>>> answers = FirstAnswers("Harbour", 6, "highest", "luck", "Push on", "Ilse")
>>> compiled(first_draft(answers)).system.name
'Harbour'
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Literal

from storypool.gamefile.file_format.row_checks.given_names import RESERVED
from storypool.words.folding import folded

__all__ = ["FirstAnswers", "first_draft"]

Reading = Literal["highest", "count", "sum"]
"""How dice are read: the highest counts, those from a number on count, or they are added up."""

KEPT = RESERVED | {
    "die",
    "skill",
    "skills",
    "body",
    "mind",
    "heart",
    "best",
    "hit",
    "total",
    "difficulty",
}
"""Names that the file uses otherwise, or cannot use."""


@dataclass(frozen=True)
class FirstAnswers:
    """The six answers: the game's name, die, reading of dice, points, move and character."""

    name: str
    sides: int
    reading: Reading
    _: KW_ONLY
    points: str
    move: str
    character: str
    actions: tuple[str, ...] = ()
    """The kinds of rolls, by their titles; the first has the dice, and the others begin as it."""


def first_draft(answers: FirstAnswers) -> str:
    """The text of a valid game file."""
    values = {
        "key": _key(answers.name, "game"),
        "name": _text(answers.name),
        "sides": answers.sides,
        "points": _key(answers.points, "points"),
        "word": _text(answers.points),
        "move": _text(answers.move),
        "move_key": _key(answers.move, "move"),
        "character": _text(answers.character),
    }
    values |= _numbers(answers.sides)
    reading = _READINGS[answers.reading]
    values |= _actions(answers.actions, reading, values)
    return (_BEFORE + reading + _AFTER) % values


def _actions(
    titles: tuple[str, ...], reading: str, values: Mapping[str, object]
) -> Mapping[str, str]:
    """The head of the first action, and the others, which ask and roll the same at first."""
    if len(titles) < 2:
        title = titles[0] if titles else "Try something"
        return {"action": f"[action]\ntitle = {_text(title)}", "more": ""}
    heads, keys = [], set[str]()
    for n, title in enumerate(titles, 1):
        key = _key(title, "action")
        key = f"{key[:16]}_{n}" if key in keys else key
        keys.add(key)
        heads.append(f'[[action]]\nkey = "{key}"\ntitle = {_text(title)}')
    same = reading.partition("%(action)s")[2].partition("%(more)s")[0] % values
    more = "".join(f"\n{_ANOTHER}\n{head}{same}" for head in heads[1:])
    return {"action": heads[0], "more": more}


def _numbers(sides: int) -> Mapping[str, int]:
    """The numbers that go with the size of the die."""
    return {
        "half": sides // 2 + 1,
        "high": sides - max(1, sides // 3) + 1,
        "usual": sides + 3,
        "most": 2 * sides + 4,
    }


def _key(text: str, kind: str) -> str:
    """A key like a text; the kind of thing makes one where the text cannot."""
    key = re.sub(r"[^a-z0-9]+", "_", folded(text)).strip("_")[:20].rstrip("_")
    if not re.match("[a-z]", key):
        return kind
    return f"{key}_{kind}" if key in KEPT else key


def _text(text: str) -> str:
    """A text between quotes, as in a file."""
    # A basic string of TOML is one of JSON, but for DEL.
    return json.dumps(text.strip(), ensure_ascii=False).replace("\x7f", "\\u007f")


_ANOTHER = "# Another kind of roll: give it dice and questions of its own, and [[action.outcome]]."
_BEFORE = """\
format = 1
key = "%(key)s"
name = %(name)s
about = "Say here in a sentence what the game is about."

# The dice. `word` is what one is called, `plural` what several are called.

[dice.die]
sides = %(sides)d
"""

_READINGS: Mapping[Reading, str] = {
    "highest": (
        """\
word = "die"
plural = "dice"

# The action: as many dice as the skill says, and the highest counts.

%(action)s
pool = { die = "skill" }
figures = { best = { highest = 1 } }

[[action.asks]]
name = "skill"
label = "With what?"
entry = "skills"
%(more)s
# What a roll comes to: the first line whose `when` holds.

[[outcome]]
key = "whole"
when = "best == %(sides)d"
words = "You do it."
passed = true

[[outcome]]
key = "partial"
when = "best >= %(half)d"
words = "You do it, at a price."
passed = true

[[outcome]]
key = "miss"
words = "It goes wrong."
passed = false
"""
    ),
    "count": (
        """\
shows = { hit = "face >= %(high)d" }
word = "die"
plural = "dice"

[symbols.hit]
word = "hit"
plural = "hits"
colour = "help"

# The action: as many dice as the skill says, and those that show a hit are counted.

%(action)s
pool = { die = "skill" }

[[action.asks]]
name = "skill"
label = "With what?"
entry = "skills"

[[action.asks]]
name = "difficulty"
label = "How many hits does it need?"
number = [1, 5]
default = 1
whose = "gm"
%(more)s
# What a roll comes to: the first line whose `when` holds.

[[outcome]]
key = "whole"
when = "hit >= difficulty"
words = "You do it."
passed = true

[[outcome]]
key = "miss"
words = "It goes wrong."
passed = false
"""
    ),
    "sum": (
        """\
word = "die"
plural = "dice"

# The action: the two highest dice and the skill are added up.

%(action)s
pool = { die = "2" }
figures = { total = { highest = 2 } }

[[action.asks]]
name = "skill"
label = "With what?"
entry = "skills"

[[action.asks]]
name = "difficulty"
label = "What is to be reached?"
number = [2, %(most)d]
default = %(usual)d
whose = "gm"
%(more)s
# What a roll comes to: the first line whose `when` holds.

[[outcome]]
key = "whole"
when = "total + skill >= difficulty"
words = "You do it."
passed = true

[[outcome]]
key = "miss"
words = "It goes wrong."
passed = false
"""
    ),
}

_AFTER = """
# The sheet of a character.

[sheet.skills]
title = "Skills"
low = 1
high = 4
default = 1
entries = { body = "Body", mind = "Mind", heart = "Heart" }

# Points that the players share.

[points.%(points)s]
of = "players"
word = %(word)s
plural = %(word)s
start = 3
cap = 6

# A move that they pay for.

[[move]]
key = "%(move_key)s"
title = %(move)s
about = "One die more."
who = "actor"
when = "before the roll"
price = { %(points)s = 1 }
limit = "once an action"
do = [{ add = "die" }]

# What follows automatically.

[[whenever]]
on = "rolled"
when = "outcome == 'miss'"
do = [{ gain = "%(points)s" }]
why = "a roll that goes wrong"

# Who is ready to be played.

[[character]]
name = %(character)s
sheet = { body = 2, mind = 3, heart = 1 }

# The guide has chapters about several kinds of rolls ([[action]]), the other one's numbers
# (`foe.body`), cards ([deck.NAME]) and games without dice.
"""
