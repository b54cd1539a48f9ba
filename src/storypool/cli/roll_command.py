"""`storypool roll`: roll a pool once without a table, or read dice that were rolled by hand."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from storypool import systems
from storypool.cli import arguments
from storypool.cli.refusals import denied
from storypool.engine.dice import Die, Rolled, in_order, symbols
from storypool.words.languages import Languages

if TYPE_CHECKING:
    from storypool.engine.bag import Bag


@click.command()
@click.argument("system")
@click.argument("pool", nargs=-1, required=True)
@click.option("--faces", default="", help="The faces that real dice show, in the order in which the pool prints.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")
@click.pass_obj
def roll(speaks: Languages, system: str, pool: tuple[str, ...], faces: str, as_json: bool) -> int:
    """Roll a pool once.

    storypool roll starwars "2 ability 1 proficiency vs 2 difficulty"
    """
    dice = arguments.dice(system)
    read = arguments.pool_of(dice.NOTATION, " ".join(pool))
    lie = typed(read, dice.DICE, faces) if faces else cast(read, dice.DICE)
    passed, net, said = systems.result(system).result(read, lie, speaks.default)
    if as_json:
        import json

        whole = {
            "system": system,
            "pool": dict(read),
            "rolled": [list(one) for one in lie],
            "symbols": dict(symbols(lie, dice.DICE)),
            "net": {axis: net[axis] for axis in dice.AXES.names},
            "passed": passed,
            "words": said,
        }
        print(json.dumps(whole))
    else:
        print("\n  ".join([dice.NOTATION.show(read), *_lines(lie, dice.DICE)]))
        print(said)
    return 0


def randbelow(n: int) -> int:
    """Return a whole number from 0 to n - 1, all equally likely, from the operating system's generator.

    It draws four bytes, and draws again when they are beyond the last whole multiple of n, which would make some
    numbers likelier than others. For n up to 2**32.
    """
    # As `secrets.randbelow`, without the slow imports of that module.
    whole = 2**32 - 2**32 % n
    while (chance := int.from_bytes(os.urandom(4))) >= whole:
        pass
    return chance % n


def cast(pool: Bag, dice: Sequence[Die]) -> tuple[Rolled, ...]:
    """Roll every die of the pool once."""
    return tuple(Rolled(die.name, die.first + randbelow(die.sides)) for die in in_order(pool, dice))


def typed(pool: Bag, dice: Sequence[Die], faces: str) -> tuple[Rolled, ...]:
    """Return dice that were rolled by hand; `Refused` for too many, too few, or a face that a die does not have."""
    given, lie = faces.replace(",", " ").split(), in_order(pool, dice)
    if len(given) != len(lie):
        named = ", ".join(die.name for die in lie)
        raise denied("argument", "faces.count", "faces", n=len(lie), got=len(given), pool=named)
    for die, face in zip(lie, given, strict=True):
        if not face.isdecimal() or len(face) > 3 or not die.first <= int(face) <= die.last:
            known = {"die": die.name, "low": die.first, "high": die.last}
            raise denied("argument", "faces.range", "faces", got=face[:12], **known)
    return tuple(Rolled(die.name, int(face), "hand") for die, face in zip(lie, given, strict=True))


def _lines(lie: Iterable[Rolled], dice: Sequence[Die]) -> list[str]:
    by_name = {die.name: die for die in dice}
    wide = max(len(one.die) for one in lie) if lie else 0
    return [f"{one.die:{wide}} {one.face:>2}  {_said(by_name[one.die].face(one.face))}".rstrip() for one in lie]


def _said(face: Mapping[str, int]) -> str:
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in face.items()) or "-"
