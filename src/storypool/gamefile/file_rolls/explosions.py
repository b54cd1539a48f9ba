"""Dice that explode: those that show such a face are rolled again at once."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from storypool.engine import rules as r
from storypool.gamefile.file_rolls.roll_reading import RollReading

__all__ = ["exploded", "further_dice", "rolled_pool"]


def rolled_pool(
    turn: r.Turn, reading: RollReading, pool: r.Bag
) -> Generator[r.Event, None, list[tuple[r.Rolled, ...]]]:
    """Roll a pool for the open action, or take typed faces. The value is the rolls of each die.

    Faces that are typed beyond those of the pool are of the dice that explode.
    """
    check, faces = turn.here, turn.numbers("faces")
    n = sum(pool[die.name] for die in reading.dice if die.sides > 1)
    fell = turn.cast(pool, faces if len(faces) < n else faces[:n])
    yield r.DiceRolled(check.id, turn.seat.id, fell)
    dice, left = yield from exploded(turn, reading, check.id, fell, faces[n:])
    if left:
        counts = {"n": len(faces) - len(left), "got": len(faces), "pool": turn.show(pool)}
        raise turn.refused("argument", "faces.count", "faces", **counts)
    return dice


def exploded(
    turn: r.Turn,
    reading: RollReading,
    about: str,
    fell: tuple[r.Rolled, ...],
    faces: tuple[int, ...] = (),
) -> Generator[r.Event, None, tuple[list[tuple[r.Rolled, ...]], tuple[int, ...]]]:
    """Roll on the dice that explode. The value is the rolls of each die, and the faces left over.

    All that explode together are one throw. Of real dice their further `faces` are taken; where
    none are typed, the program rolls on. Raises `Refused` if some are typed, but too few.
    """
    dice, typed = [[one] for one in fell], any(one.source == "hand" for one in fell)
    by_hand = bool(faces)
    why = turn.words["filed.explodes_typed" if typed and not by_hand else "filed.explodes"]
    for exploding in _throws(reading, dice):
        pool = r.Bag(rolls[0].die for rolls in exploding)
        if by_hand and not faces:
            counts = {"n": pool.total, "got": 0, "pool": turn.show(pool)}
            raise turn.refused("argument", "faces.count", "faces", **counts)
        more = turn.cast(pool, faces[: pool.total])
        faces = faces[pool.total :]
        yield r.DiceRolled(about, turn.seat.id, more, why)
        for rolls, one in zip(exploding, more, strict=True):
            rolls.append(one)
    return [tuple(rolls) for rolls in dice], faces


def further_dice(
    turn: r.Turn, reading: RollReading, first: tuple[str, ...], faces: tuple[int, ...]
) -> Iterator[r.Choice]:
    """Yield the dice that explode after real dice, as far as their typed faces decide it.

    Each is noted with the number of the die that explodes.
    """
    rows = list(map(r.Rolled, first, faces))
    if len(rows) < len(first):
        return
    dice = [[one] for one in rows]
    for exploding in _throws(reading, dice):
        for rolls in exploding:
            n, die = next(n for n, one in enumerate(rows, 1) if one is rolls[-1]), rolls[0].die
            yield r.Choice(die, turn.word(die), turn.words.say("filed.explodes_die", n=n))
        typed = faces[len(rows) :][: len(exploding)]
        if len(typed) < len(exploding):
            return
        for rolls, face in zip(exploding, typed, strict=True):
            rolls.append(r.Rolled(rolls[0].die, face))
            rows.append(rolls[-1])


def _throws(reading: RollReading, dice: list[list[r.Rolled]]) -> Iterator[list[list[r.Rolled]]]:
    """Yield the dice that explode together; their rolls are added before the next throw."""
    while exploding := [rolls for rolls in dice if reading.rolls_on(rolls)]:
        yield exploding
