"""The talents and weapons of ready-made characters, from the game's ready.toml."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from storypool.engine import rules as r
from storypool.systems.narrative.fight.weapons import (
    CRITICAL,
    DAMAGE,
    Weapon,
    set_weapon,
    usual_range,
)
from storypool.systems.narrative.points import own_talent, talents


def brought_words(game: str) -> dict[str, str]:
    """The names of weapons of ready-made characters, as sentences of the catalogue."""
    return {
        f"{one['key']}.{skill}": name
        for one in r.rows(game, "ready")["character"]
        for skill, name in one["weapons"].items()
    }


Arriving = Callable[[r.Turn, Any], Iterator[r.Event]]
"""A reaction to a character that is set."""


def arriving(game: str) -> tuple[type[r.CharacterSet], Arriving]:
    """The reaction that gives a ready-made character its talents and weapons."""
    ready = r.rows(game, "ready")["character"]
    keys = {row.name: key for key, row in talents(game).items()}

    def add_brought_traits(turn: r.Turn, event: r.CharacterSet) -> Iterator[r.Event]:
        """Add the talents and weapons of a ready-made character that joins the story.

        It is recognised by its sheet, because a name may be changed or translated.
        """
        who = event.character
        known = next((one for one in ready if one["sheet"] == who.sheet), None)
        if turn.key != "character.add" or known is None:
            return
        for name in known["talents"]:
            yield own_talent(turn, who, keys[name])
        for skill in known["weapons"]:
            yield set_weapon(turn, who, _weapon(turn, who, known, skill))

    return r.CharacterSet, add_brought_traits


def _weapon(turn: r.Turn, who: r.Character, known: Mapping[str, str], skill: str) -> Weapon:
    """A weapon with the numbers of the sheet."""
    name = turn.words[f"brings.{known['key']}.{skill}"]
    damage, critical = who.rating(DAMAGE) or 0, who.rating(CRITICAL) or 0
    return Weapon(name, skill, damage, critical, usual_range(turn, skill))
