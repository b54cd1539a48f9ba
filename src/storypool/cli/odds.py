"""`storypool odds`: the exact odds of a pool, as numbers to read or as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import click

from storypool import systems
from storypool.cli import asked
from storypool.systems.answers import Answer, Question


@click.command()
@click.argument("system")
@click.argument("pool", nargs=-1, required=True)
@click.option("--against", default="", help="The pool of the other side of a contest.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, errors included.")
def odds(system: str, pool: tuple[str, ...], against: str, as_json: bool) -> int:
    """Show the exact odds of a pool.

    storypool odds starwars 2A1P/2D. What a game counts with besides is given as key=value.
    """
    text, terms = asked.terms_of(pool)
    answer = reckoned(system, text, terms, against)
    if as_json:
        import json

        print(json.dumps(answer))
    else:
        print("\n".join(_lines(system, answer)))
    return 0


def reckoned(key: str, text: str, terms: dict[str, str], against: str = "") -> Answer:
    """The odds of a pool in a game's notation, as plain data; `Refused` says what cannot be read or is not known."""
    notation = asked.dice(key).NOTATION
    pool = asked.pool_of(notation, text)
    other = asked.pool_of(notation, against, "against") if against else None
    return systems.odds(key).reckon(Question(pool, terms, other)).plain()


def _lines(key: str, answer: Answer) -> list[str]:
    show = asked.dice(key).NOTATION.show
    title = show(answer["pool"]) + (f", against {show(answer['against'])}" if "against" in answer else "")
    wide = max(map(len, (*answer["outcomes"], *answer["axes"])))
    lines = [title]
    for name, share in _outcomes(answer):
        bar = "█" * round(share * 30)
        lines.append(f"  {name:{wide}} {float(share):7.2%}  {bar:30}  {share.numerator}/{share.denominator}")
    lines += [
        "on average",
        *(f"  {axis:{wide}} {float(Fraction(mean)):7.3f}  {mean}" for axis, mean in answer["mean"].items()),
    ]
    return lines


def _outcomes(answer: Answer) -> Iterator[tuple[str, Fraction]]:
    """The outcomes, and where success and failure leave something between them, what is even."""
    found = {name: Fraction(odds) for name, odds in answer["outcomes"].items()}
    for name, odds in found.items():
        yield name, odds
        if name == "failure":
            yield "even", 1 - odds - found["success"]
