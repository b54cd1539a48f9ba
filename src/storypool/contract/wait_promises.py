"""The promises about waits: every open action waits for a seat, and that seat can answer."""

from collections.abc import Iterator, Mapping
from itertools import chain

from storypool.contract.finding import Broken
from storypool.contract.random_game import Game
from storypool.contract.table_promises import check_balances
from storypool.engine.decisions import decide
from storypool.engine.events import MoveMade
from storypool.engine.finishing import finished
from storypool.engine.game.asks import AskView
from storypool.engine.offers import Offer, offer
from storypool.engine.refusal import Refused
from storypool.engine.sight import may_see
from storypool.engine.table import Seat, Table
from storypool.engine.waiting import Waiting, waiting_by_seat

MOST_ALIKE = 4
"""The most waits of one kind whose moves are tried for a seat at one table; others come later."""
PRESSED_AGAIN = 4
"""The number of records after which the button of a wait is pressed again, while it is there."""


def check_waits(game: Game) -> None:
    """Check the waits of every seat: see the sentences `check.wait` of the catalogue."""
    table, here = game.table, [seat for seat in game.table.seats.values() if seat.here]
    waits, pressed = waiting_by_seat(game.system, table, here), set[tuple[object, ...]]()
    for seat in here:
        for check in table.checks.values():
            named = any(check.id in (wait.check, *wait.also) for wait in waits[seat.id])
            if may_see(seat, check.seen_by) and not named:
                raise Broken("wait.nobody", title=check.title, id=check.id, seat=seat.id)
        for wait in waits[seat.id]:
            if "{" in wait.text:
                raise Broken("blank", text=wait.text)
            game.check_secrets(seat, wait.text, "a wait")
            for id in wait.whom:
                theirs = waits.get(id, [])
                if not any(
                    one.yours and (one.id, one.check) == (wait.id, wait.check) for one in theirs
                ):
                    raise Broken("wait.untold", id=wait.id, seat=seat.id, who=id)
        for wait in _tried(game, waits[seat.id]):
            found = {key: _offer(game, seat.id, wait, key) for key in _due(game, seat, wait)}
            left = (key for key in wait.moves if key not in found)
            offers = chain(found.values(), (_offer(game, seat.id, wait, key) for key in left))
            if not any(map(_can_answer, offers)):
                raise Broken("wait.closed", id=wait.id, seat=seat.id, moves=", ".join(wait.moves))
            for one in found.values():
                # The same button of two seats of a side makes the same move.
                button = seat.side, wait.check, one.key, one.asks, tuple(wait.args.items())
                if _needs_nothing(wait, one) and button not in pressed:
                    pressed.add(button)
                    _check_needs(game, seat.id, wait, one)


def check_end(game: Game, before: Table, seat: str) -> None:
    """Check that an automatic end after this seat's move leaves nobody with a roll to spend.

    It looks at the menus for rolls, which the end itself does not know.
    """
    end = finished(game.system, before, game.table, seat)
    made = end.events[0] if end else None
    if end is None or not isinstance(made, MoveMade):
        return
    args = {"check": made.check}
    menu = []
    for move in game.system.moves:
        if any(spot.panel == "menu" for spot in move.places):
            menu.append(move)
    for one in game.table.seats.values():
        for move in menu:
            if not one.here or one.side not in move.by:
                continue
            found = offer(game.system, game.table, one.id, move.key, args)
            if not found.all_closed and _can_answer(found):
                raise Broken("end.early", move=move.key, seat=one.id)
    check_balances(game.system, game.table, end.tables[-1])


def _tried(game: Game, waits: list[Waiting]) -> Iterator[Waiting]:
    """The waits for this seat whose moves are tried, in turn where many are of one kind."""
    alike = dict[str, list[Waiting]]()
    for wait in waits:
        if wait.yours:
            alike.setdefault(wait.id, []).append(wait)
    for kind in alike.values():
        first = game.table.seq % len(kind) if len(kind) > MOST_ALIKE else 0
        yield from (*kind[first:], *kind[:first])[:MOST_ALIKE]


def _due(game: Game, seat: Seat, wait: Waiting) -> Iterator[str]:
    """The moves of a wait whose buttons are pressed now: a new one at once, others seldom."""
    seq = game.table.seq
    for key in wait.moves:
        button = seat.side, wait.check, key, tuple(wait.args.items())
        last = game.pressed.get(button)
        if last is None or seq - last >= PRESSED_AGAIN:
            game.pressed[button] = last = seq
        if last == seq:
            yield key


def _about(wait: Waiting) -> Mapping[str, object]:
    """The arguments of a move that answers this wait."""
    return {**wait.args, **({"check": wait.check} if wait.check else {})}


def _offer(game: Game, seat: str, wait: Waiting, key: str) -> Offer:
    return offer(game.system, game.table, seat, key, _about(wait))


def _unanswered(wait: Waiting, found: Offer) -> list[AskView]:
    """The questions of a move that the wait does not answer."""
    return [ask for ask in found.asks if ask.name not in wait.args]


def _needs_nothing(wait: Waiting, found: Offer) -> bool:
    """Whether a move has questions, and the offer says that none of them needs an answer."""
    asks = _unanswered(wait, found)
    return found.closed is None and bool(asks) and not any(ask.needed for ask in asks)


def _check_needs(game: Game, seat: str, wait: Waiting, found: Offer) -> None:
    """Check that no answer is required if the offer says so: a button then makes the move."""
    try:
        decide(game.system, game.table, seat, found.key, _about(wait), roll=lambda die: die.first)
    except Refused as no:
        names = {ask.name for ask in _unanswered(wait, found)}
        if no.refusal.code == "argument" and no.refusal.field in names:
            raise Broken(
                "wait.needs", move=found.key, name=no.refusal.field, text=no.refusal.text
            ) from None


def _can_answer(found: Offer) -> bool:
    """Whether a move is open, and its first required question has an answer."""
    needed = next((ask for ask in found.asks if ask.needed), None)
    if found.closed is not None or needed is None or needed.kind != "choice" or needed.free:
        return found.closed is None
    return any(not choice.closed for choice in needed.choices)
