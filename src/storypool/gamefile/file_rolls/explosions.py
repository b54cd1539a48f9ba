"""Dice that explode: those that show such a face are rolled again at once."""

from __future__ import annotations

from collections.abc import Generator

from storypool.engine import rules as r
from storypool.gamefile.file_rolls.roll_reading import RollReading

__all__ = ["exploded", "rolled_pool"]


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
    while exploding := [rolls for rolls in dice if reading.rolls_on(rolls)]:
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
