"""The waits of a table as one seat reads them: the one source for everything that shows a turn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from storypool.engine.copies import recent
from storypool.engine.game.asks import AskView, views_of
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.game.waits import Wait, gms
from storypool.engine.offers import is_open, turn_of
from storypool.engine.sight import without_hidden
from storypool.engine.table import Seat, Table, Value

__all__ = ["Waiting", "named", "waiting", "waiting_by_seat"]

_Answers = dict[object, tuple[str, ...]]
"""The moves by which each seat can answer each wait at one table."""


KEPT = 32
"""The tables whose answers are kept."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that a table waits for, in words for one seat.

    `yours`: it waits for this seat; then `moves` are those that are open to it, else all that
    answer it. `whom` are the seats that are asked: any of them may answer, or all have to if it is
    for `each`. The moves are about `check` and `args`; `also` are other open actions that go on
    only after it.
    """

    id: str
    text: str
    yours: bool
    whom: tuple[str, ...]
    moves: tuple[str, ...]
    check: str
    args: Mapping[str, Value]
    each: bool
    also: tuple[str, ...]


def waiting(system: System, table: Table, seat_id: str, about: str = "") -> list[Waiting]:
    """All waits of a table as this seat reads them, the most pressing first; empty if it is free.

    With `about`, the id of an action, only those that it waits for.

    It is computed on the table as the seat sees it. A seat is asked only if one of the moves is
    open to it; where none of those asked can answer, the game masters are, if they can.
    """
    reader = table.seats.get(seat_id)
    if reader is None or not reader.here:
        return []
    view = without_hidden(table, reader)
    return _waits(system, Turn(system, view, reader, ""), _answers_at(system, view), about)


def waiting_by_seat(
    system: System, table: Table, seats: Iterable[Seat]
) -> Mapping[str, list[Waiting]]:
    """The `waiting` of each of these seats; those that see the same table share its answers."""
    found, views = dict[str, list[Waiting]](), list[tuple[Table, _Answers]]()
    for seat in seats:
        view = without_hidden(table, seat)
        same = next((one for one in views if one[0] == view), None)
        if same is None:
            views.append(same := (view, _answers_at(system, view)))
        found[seat.id] = _waits(system, Turn(system, same[0], seat, ""), same[1])
    return found


@recent(KEPT)
def _answers_at(system: System, view: Table) -> _Answers:
    """The answers that are known at a table, to fill in: waits are read for one seat at a time."""
    return {}


def _waits(system: System, turn: Turn, known: _Answers, about: str = "") -> list[Waiting]:
    found = []
    for wait in chain.from_iterable(rule(turn) for rule in system.waits):
        if not about or about in (wait.check, *wait.also):
            found.append(_as_read(system, turn, wait, known))
    return [one for one in found if one is not None]


def _as_read(system: System, turn: Turn, wait: Wait, known: _Answers) -> Waiting | None:
    table = turn.table

    def answers_of(seats: Iterable[str]) -> dict[str, tuple[str, ...]]:
        found = dict[str, tuple[str, ...]]()
        for id in seats:
            asked = id, wait.moves, wait.check, tuple(wait.args.items())
            if asked not in known:
                known[asked] = answers_of_seat(system, table, table.seats[id], wait)
            if known[asked]:
                found[id] = known[asked]
        return found

    answers = answers_of(wait.whom) or answers_of(gms(table))
    if not answers:
        return None
    whom, yours = tuple(answers), turn.seat.id in answers
    key = f"wait.{wait.id}.yours" if yours else f"wait.{wait.id}"
    return Waiting(
        wait.id,
        turn.words.say(key, **_values(turn, wait, whom)),
        yours,
        whom=whom,
        moves=answers.get(turn.seat.id, wait.moves),
        check=wait.check,
        args=wait.args,
        each=wait.each,
        also=wait.also,
    )


def answers_of_seat(system: System, table: Table, seat: Seat, wait: Wait) -> tuple[str, ...]:
    """The moves by which this seat can answer a wait now."""

    def open_to(key: str) -> bool:
        move = system.by_key[key]
        if seat.side not in move.by:
            return False
        turn = turn_of(system, table, seat, move)
        turn.args.update(wait.args)
        if wait.check:
            turn.args["check"] = wait.check
        # The arguments of the wait answer these questions already.
        asked = views_of(turn, [ask for ask in move.asks if ask.name not in wait.args])
        return is_open(turn, move) and _can_be_answered(asked)

    return tuple(key for key in wait.moves if open_to(key))


def _can_be_answered(asks: Iterable[AskView]) -> bool:
    """Whether the first required question has an answer; later ones may depend on it."""
    first = next((ask for ask in asks if ask.needed), None)
    if first is None or first.kind != "choice" or first.free:
        return True
    return any(not choice.closed for choice in first.choices)


def _values(turn: Turn, wait: Wait, whom: Sequence[str]) -> Mapping[str, object]:
    table, words = turn.table, turn.words
    values = {"who": named(turn, whom, wait.each), "title": ""}
    values |= dict.fromkeys(("actor", "player", "target"), words["wait.unnamed"])
    if check := table.checks.get(wait.check):
        values["title"] = check.title
        if actor := table.characters.get(check.actor):
            player = table.seats.get(actor.seat)
            values["actor"] = actor.name
            values["player"] = player.name if player and player.here else actor.name
        if target := table.characters.get(check.against):
            values["target"] = target.name
    return {**values, **wait.values}


def named(turn: Turn, whom: Sequence[str], each: bool = False) -> str:
    """These seats in words: names, or "the GM"; joined by "and" if `each`, else by "or"."""
    table, words = turn.table, turn.words

    def names() -> Iterator[str]:
        if any(table.seats[id].side == "gm" for id in whom):
            yield words["wait.gm"]
        yield from (table.seats[id].name for id in whom if table.seats[id].side != "gm")

    return words.joined(names(), "list.last" if each else "list.or")


def most_pressing(waits: Sequence[Waiting]) -> Waiting | None:
    """The first wait for the seat that reads the list, else the first of all, else None."""
    return next((wait for wait in waits if wait.yours), waits[0] if waits else None)
