"""The narrative dice: faces, cancelling symbols, notation of pools.

Faces: starwars.md 1.1, the same in five sources; in printed order, 1 to n. Rolls without a table
read only this and `reading`, so neither imports the table or the rules.
"""

from storypool.engine.bag import Bag
from storypool.engine.dice import Axes, Die
from storypool.engine.notation import Notation

_SYMBOLS = {
    "S": "success",
    "A": "advantage",
    "F": "failure",
    "T": "threat",
    "R": "triumph",
    "X": "despair",
}


def _die(name: str, faces: str) -> Die:
    return Die(name, tuple(map(_face, faces.split())))


def _face(written: str) -> Bag:
    return Bag(_SYMBOLS[letter] for letter in written if letter != "-")


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
        # Each counts once towards success or failure, and once for itself; the two never cancel
        # each other.
        "triumph": Bag(success=1, triumph=1),
        "despair": Bag(success=-1, despair=1),
    },
    {"success": "failure", "advantage": "threat"},
)

UPGRADES = {"ability": "proficiency", "difficulty": "challenge"}

HELPING = ("ability", "proficiency", "boost")
HINDERING = ("difficulty", "challenge", "setback")

RANKED = {"triumph": ("triumph", "advantage"), "advantage": ("advantage", "triumph"), "none": ()}
"""The tiebreaks of a contest, by option. Source: starwars.md 1.6, Competitive; rulings.md."""

_WRITTEN = {
    "ability": ("A", "g", "green", "abilities"),
    "proficiency": ("P", "y", "yellow", "proficiencies"),
    "boost": ("B", "b", "blue", "boosts"),
    "difficulty": ("D", "p", "purple", "difficulties"),
    "challenge": ("C", "r", "red", "challenges"),
    "setback": ("S", "k", "black", "setbacks"),
    "force": ("F", "w", "white"),
}
"""The notation of each die besides its name: its letter, its colour's letter, other words."""


def notation(force: bool) -> Notation:
    """The notation of pools, with or without Force dice.

    The letter `b` means blue before the slash, and black after it.
    """
    helping = (*HELPING, "force") if force else HELPING
    written = {die: names for die, names in _WRITTEN.items() if force or die != "force"}
    letters = {names[0]: die for die, names in written.items()}
    colours = {names[1]: die for die, names in written.items()}
    words = {word: die for die, names in written.items() for word in names[2:]}
    return Notation(
        helping,
        HINDERING,
        {"letters": letters, "colours": colours},
        {"colours": {"b": "setback"}},
        words,
    )


def skilled(characteristic: int, rank: int) -> Bag:
    """The dice of a characteristic and a rank: the higher as Ability, the lower upgraded.

    Source: seed 003, Skill and Characteristic. A rank of 0 is unskilled.

    >>> skilled(3, 1)
    Bag(ability=2, proficiency=1)
    """
    low, high = sorted((characteristic, rank))
    return Bag(ability=high - low, proficiency=low)


def strength(dice: Bag) -> tuple[int, int]:
    """How good helping dice are: their number, then how many of them are upgraded.

    >>> strength(skilled(2, 2)) < strength(skilled(3, 1)) < strength(skilled(1, 4))
    True
    """
    return dice["ability"] + dice["proficiency"], dice["proficiency"]


def opposing(characteristic: int, rank: int) -> Bag:
    """The dice that an opponent's characteristic and rank add to a pool."""
    return as_difficulty(skilled(characteristic, rank))


def as_difficulty(dice: Bag) -> Bag:
    """Ability and Proficiency dice as an opponent's. Source: starwars.md 1.6, Opposed."""
    return Bag(difficulty=dice["ability"], challenge=dice["proficiency"])


NAMED = {"skill": skilled, "opposed": opposing}
"""The names for tables of odds: functions from numbers of a sheet to dice."""
