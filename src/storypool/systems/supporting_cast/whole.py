"""All moves about the people of a game who are ready to be brought in."""

from storypool.engine import rules as r
from storypool.systems.supporting_cast.bringing import Casting, bringing
from storypool.systems.supporting_cast.copying import copying
from storypool.systems.supporting_cast.encounters import encounter_moves
from storypool.systems.supporting_cast.packs import taking


def cast_moves(casting: Casting, *asks: r.Ask, rule: str = "", place: r.Spot) -> tuple[r.Move, ...]:
    """Bringing people in, alone or in an encounter, copying NPCs, and taking a pack of them.

    `asks` are the game's own questions about a row, and `place` is where the first two are.
    """
    return (
        bringing(casting, *asks, rule=rule, place=place),
        copying(casting, rule=rule, place=place),
        *encounter_moves(casting, rule),
        taking(casting, rule),
    )
