"""The narrative dice: faces, how their symbols cancel, how pools are written.

Faces: starwars.md 1.1, found alike in five sources; the order is that of the printed rows, 1 to n. A roll without a
table reads this and `reading` alone, so neither imports the table or the rules.
"""

from __future__ import annotations

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.engine.notation import Notation

_SYMBOLS = {"S": "success", "A": "advantage", "F": "failure", "T": "threat", "R": "triumph", "X": "despair"}


def _die(name: str, faces: str) -> Die:
    return Die(name, tuple(Bag(_SYMBOLS[c] for c in face if c != "-") for face in faces.split()))


BOOST = _die("boost", "- - S SA AA A")
SETBACK = _die("setback", "- - F F T T")
ABILITY = _die("ability", "- S S SS A A SA AA")
DIFFICULTY = _die("difficulty", "- F FF T T T TT FT")
PROFICIENCY = _die("proficiency", "- S S SS SS A SA SA SA AA AA R")
CHALLENGE = _die("challenge", "- F F FF FF T T FT FT TT TT X")

DICE = (ABILITY, PROFICIENCY, BOOST, DIFFICULTY, CHALLENGE, SETBACK)

AXES = Axes(
    {
        "success": Bag(success=1),
        "failure": Bag(success=-1),
        "advantage": Bag(advantage=1),
        "threat": Bag(advantage=-1),
        # Each counts once towards success or failure, and once for itself; the two never cancel each other.
        "triumph": Bag(success=1, triumph=1),
        "despair": Bag(success=-1, despair=1),
    },
    {"success": "failure", "advantage": "threat"},
)

UPGRADES = {"ability": "proficiency", "difficulty": "challenge"}

HELPING = ("ability", "proficiency", "boost")
HINDERING = ("difficulty", "challenge", "setback")

_LETTERS = {"A": "ability", "P": "proficiency", "B": "boost", "D": "difficulty", "C": "challenge", "S": "setback"}
_COLOURS = {
    "g": "ability",
    "y": "proficiency",
    "b": "boost",
    "p": "difficulty",
    "r": "challenge",
    "k": "setback",
}
_WORDS = {
    "abilities": "ability",
    "proficiencies": "proficiency",
    "boosts": "boost",
    "difficulties": "difficulty",
    "challenges": "challenge",
    "setbacks": "setback",
    "green": "ability",
    "yellow": "proficiency",
    "blue": "boost",
    "purple": "difficulty",
    "red": "challenge",
    "black": "setback",
}


def notation(force: bool) -> Notation:
    """How pools are written, with or without Force dice. Behind the slash a colour's b is black, before it blue."""
    more = ("force",) if force else ()
    return Notation(
        (*HELPING, *more),
        HINDERING,
        {
            "letters": {**_LETTERS, **({"F": "force"} if force else {})},
            "colours": {**_COLOURS, **({"w": "force"} if force else {})},
        },
        {"colours": {"b": "setback"}},
        {**_WORDS, **({"white": "force"} if force else {})},
    )
