"""A form previews the rolled dice, hidden or open, with everything reserved for the action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from storypool import systems
from storypool.engine.decisions import decide
from storypool.engine.events import CheckOpened, DiceRolled, Event
from storypool.engine.fold import evolve
from storypool.engine.game.asks import AskView
from storypool.engine.game.system import System
from storypool.engine.offers import offer
from storypool.engine.refusal import Refused
from storypool.engine.table import Check, Table
from storypool.live.previews import previewed
from tests.performed_plays import plays_of

GAMES = ("starwars", "genesys", "destinydice", "c2d10", "dune")
DECLARES = "check.declare"


def waiting_tables(key: str) -> Iterator[Table]:
    """The tables of a game's plays with something reserved for the next action, and none open."""
    seen = set()
    for play in plays_of(key):
        for _, table in play.statements:
            dice = [(mod.kind, mod.die) for trait in table.traits.values() for mod in trait.mods]
            waiting = frozenset([*dice, *(trait.kind for trait in table.traits.values())])
            if waiting and not table.checks and waiting not in seen:
                seen.add(waiting)
                # What a rule would have asked for before the roll is left out here.
                yield replace(
                    table, options={**table.options, "enforcement": "log", "trust": "players_set"}
                )


def answer(ask: AskView) -> object | None:
    """An answer that a question offers."""
    open_ones = [choice.value for choice in ask.choices if not choice.closed]
    usual = ask.preset if ask.default is None else ask.default
    return (
        usual
        if usual is not None
        else {"choice": next(iter(open_ones), None), "number": ask.low}.get(ask.kind)
    )


def forms(game: System, table: Table, seat: str, secret: bool) -> Iterator[dict[str, object]]:
    """Filled forms for a new action of this seat, one for each character who could act."""
    first = offer(game, table, seat, DECLARES, {})
    if first.closed is not None or (secret and "secret" not in [ask.name for ask in first.asks]):
        return
    actors = next((ask.choices for ask in first.asks if ask.name == "as"), ())
    for actor in actors:
        args: dict[str, object] = {"as": actor.value, **({"secret": True} if secret else {})}
        for _ in range(4):
            asked = offer(game, table, seat, DECLARES, args).asks
            # A contest is none of the GM's secrets in every game.
            left = [
                ask
                for ask in asked
                if ask.name not in args and not (secret and ask.name == "against")
            ]
            args |= {ask.name: value for ask in left if (value := answer(ask)) is not None}
        yield {"title": "Try it", **args} if "title" in [ask.name for ask in first.asks] else args


def filled_forms(game: System) -> Iterator[tuple[Table, str, dict[str, object]]]:
    """Filled forms of all seats at all tables at which something waits, open and hidden."""
    for table in waiting_tables(game.key):
        for seat in table.seats.values():
            for secret in (False, True) if seat.here and seat.side != "spectator" else ():
                yield from ((table, seat.id, args) for args in forms(game, table, seat.id, secret))


def thrown(
    game: System, table: Table, seat: str, args: dict[str, object]
) -> tuple[Check, Counter[str]] | None:
    """The action that a form opens and the dice of its roll; None if nobody could roll it."""
    opened, events = "", list[Event]()
    for move, given in ((DECLARES, args), ("check.roll", {})):
        try:
            events = decide(
                game, table, seat, move, given, roll=lambda die: die.first, override=True
            )
        except Refused:
            return None
        for event in events:
            table = evolve(table, event)
        opened = next(
            (event.check.id for event in events if isinstance(event, CheckOpened)), opened
        )
    rolled = [event for event in events if isinstance(event, DiceRolled) and event.check == opened]
    return (table.checks[opened], Counter(one.die for one in rolled[0].rolled)) if rolled else None


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_form_shows_the_rolled_dice(key: str) -> None:
    """Whatever is reserved, the preview has the roll's dice, also when hidden."""
    game, compared = systems.get(key), Counter[bool]()
    for table, seat, args in filled_forms(game):
        would, found = (
            previewed(game, table, seat, move=DECLARES, args=args, override=True).check,
            thrown(game, table, seat, args),
        )
        if would is not None and found is not None:
            check, dice = found
            assert Counter(dict(would.pool)) == dice, (args, would.mods, check.mods)
            compared[check.hidden] += 1
    assert {False, True} == set(compared)
