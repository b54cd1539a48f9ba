"""The six dice, cancelling symbols, notation: all that rolling and odds need.

Source: seed 002, The Dice and Die Symbols; the order of the faces is that of its tables.
"""

from collections.abc import Mapping

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.engine.notation import Notation

SYMBOLS = ("success", "failure", "advantage", "disadvantage", "hope", "despair")
_SIGNS = dict(zip("+-oxHD", SYMBOLS, strict=True))


def _die(name: str, faces: str) -> Die:
    return Die(name, tuple(map(_face, faces.split())))


def _face(written: str) -> Bag:
    return Bag(_SIGNS[sign] for sign in written if sign != ".")


DICE = (
    _die("skill", ". o o + +o ++"),
    _die("expertise", "o + + +o ++ H"),
    _die("aid", ". o oo + + +o"),
    _die("difficulty", ". x x - -x --"),
    _die("challenge", "x - - -x -- D"),
    _die("hindrance", ". x xx - - -x"),
)
_NAMES = tuple(die.name for die in DICE)
HELPING, HINDERING = _NAMES[:3], _NAMES[3:]
MIRROR = dict(zip(_NAMES, HINDERING + HELPING, strict=True))
"""The mirror image of each die. Source: seed 002, Building Your Die Pool."""

AXES = Axes(
    {
        "success": Bag(margin=1),
        "failure": Bag(margin=-1),
        "advantage": Bag(advantage=1),
        "disadvantage": Bag(advantage=-1),
        # Each counts once towards the margin, and once for itself; for themselves they never cancel
        # each other.
        "hope": Bag(margin=1, hope=1),
        "despair": Bag(margin=-1, despair=1),
    },
    {"advantage": "disadvantage"},
)

UPGRADES = {"skill": "expertise", "difficulty": "challenge"}

NOTATION = Notation(
    HELPING,
    HINDERING,
    {
        "letters": {name[0].upper(): name for name in _NAMES},
        "colours": dict(zip("gbwprk", _NAMES, strict=True)),
    },
    {"colours": {"b": "hindrance"}},
    {
        **{f"{name}s": name for name in ("skill", "aid", "challenge", "hindrance")},
        "difficulties": "difficulty",
        **dict(zip(("green", "blue", "white", "purple", "red", "black"), _NAMES, strict=True)),
    },
)


def mirrored(pool: Mapping[str, int]) -> Bag:
    """A whole pool as its owner's opponent faces it: each die as its mirror image.

    >>> mirrored(Bag(skill=3, aid=1, hindrance=1))
    Bag(difficulty=3, hindrance=1, aid=1)
    """
    return Bag({MIRROR[die]: n for die, n in pool.items()})
