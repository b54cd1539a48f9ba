"""The six dice, how their symbols cancel, how pools are written, and what a roll comes to: all without the moves.

Source: seed 002, The Dice and Die Symbols; the order of the faces is that of its tables.
"""

from __future__ import annotations

from collections.abc import Mapping

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.engine.notation import Notation

_SIGNS = {
    "+": "success",
    "-": "failure",
    "o": "advantage",
    "x": "disadvantage",
    "H": "hope",
    "D": "despair",
}


def _die(name: str, faces: str) -> Die:
    return Die(name, tuple(Bag(_SIGNS[c] for c in face if c != ".") for face in faces.split()))


SKILL = _die("skill", ". o o + +o ++")
EXPERTISE = _die("expertise", "o + + +o ++ H")
AID = _die("aid", ". o oo + + +o")
DIFFICULTY = _die("difficulty", ". x x - -x --")
CHALLENGE = _die("challenge", "x - - -x -- D")
HINDRANCE = _die("hindrance", ". x xx - - -x")

DICE = (SKILL, EXPERTISE, AID, DIFFICULTY, CHALLENGE, HINDRANCE)

AXES = Axes(
    {
        "success": Bag(margin=1),
        "failure": Bag(margin=-1),
        "advantage": Bag(advantage=1),
        "disadvantage": Bag(advantage=-1),
        # Each counts once in the margin, and once for itself; for themselves the two never cancel each other.
        "hope": Bag(margin=1, hope=1),
        "despair": Bag(margin=-1, despair=1),
    },
    {"advantage": "disadvantage"},
)

UPGRADES = {"skill": "expertise", "difficulty": "challenge"}

HELPING = ("skill", "expertise", "aid")
HINDERING = ("difficulty", "challenge", "hindrance")
MIRROR = dict(zip((*HELPING, *HINDERING), (*HINDERING, *HELPING), strict=True))
"""What each die becomes in the pool of whoever acts against its owner. Source: seed 002, Building Your Die Pool."""

NOTATION = Notation(
    HELPING,
    HINDERING,
    {
        "letters": {
            "S": "skill",
            "E": "expertise",
            "A": "aid",
            "D": "difficulty",
            "C": "challenge",
            "H": "hindrance",
        },
        "colours": {
            "g": "skill",
            "b": "expertise",
            "w": "aid",
            "p": "difficulty",
            "r": "challenge",
            "k": "hindrance",
        },
    },
    {"colours": {"b": "hindrance"}},
    {
        "skills": "skill",
        "aids": "aid",
        "difficulties": "difficulty",
        "challenges": "challenge",
        "hindrances": "hindrance",
        "green": "skill",
        "blue": "expertise",
        "white": "aid",
        "purple": "difficulty",
        "red": "challenge",
        "black": "hindrance",
    },
)


def mirrored(pool: Mapping[str, int]) -> Bag:
    """A whole pool as the opposition of somebody else's: each die as its mirror image.

    >>> mirrored(Bag(skill=3, aid=1, hindrance=1))
    Bag(difficulty=3, hindrance=1, aid=1)
    """
    return Bag({MIRROR[die]: n for die, n in pool.items()})
