"""Decide a move, once, into events. Pure: chance is an argument, and no table is changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import accumulate

from storypool.engine.asks import parsed
from storypool.engine.events import CheckChanged, CheckOpened, Event, MoveMade, Proposed, Rewound
from storypool.engine.fold import evolve
from storypool.engine.kit import Roll
from storypool.engine.moves import Move
from storypool.engine.offers import asking, cannot_pay, stopping, turn_of, why_not
from storypool.engine.refusal import Refused
from storypool.engine.sight import brought_into_sight, of_its_subject, openly_against, said_of, seen, taken_from_sight
from storypool.engine.system import System
from storypool.engine.table import Points, Proposal, Table, Use
from storypool.engine.turn import Turn


def decide(
    system: System,
    table: Table,
    seat_id: str,
    key: str,
    args: Mapping[str, object],
    roll: Roll | None,
    override: bool = False,
) -> list[Event]:
    """Return the events of a move, the first a `MoveMade`; `Refused` gives the reason if it may not be made.

    Pure: chance comes from `roll`, and the table passed in is not changed. A GM who overrides sets the rules' refusals
    aside, and they are recorded; a player who overrides asks the GM to do so. As in `offers`, the table as the seat
    sees it decides whether a move is open and what its arguments mean, so no answer reveals anything hidden.
    """
    return Decision(system, table, seat_id, key, args, roll, override).events


def what_if(system: System, table: Table, seat_id: str, key: str, args: Mapping[str, object]) -> Table:
    """Return the table as it would be after a move, with any consent given. Nothing is stored.

    No dice are rolled; raises `Refused` as `decide` does.
    """
    return Decision(system, table, seat_id, key, args, None, agreed=True).turn.table


class Decision:
    """A decided move: its events, the table after each of them, and the turn that its rule saw.

    `tables` stops before a rewind, which is always the last event of a move and needs the log to be folded.
    """

    def __init__(
        self,
        system: System,
        table: Table,
        seat_id: str,
        key: str,
        args: Mapping[str, object],
        roll: Roll | None,
        override: bool = False,
        agreed: bool = False,
    ) -> None:
        seat, move = asking(system, table, seat_id, key)
        self.system, self.events, self.tables = system, list[Event](), list[Table]()
        self.turn = turn = turn_of(system, seen(table, seat), seat, move, roll, self._settle)
        if "check" in args and isinstance(args["check"], str):
            turn.args["check"] = args["check"]
        reasons = why_not(turn, move)
        level = turn.option("enforcement")
        stops = [r for r in stopping(reasons, level == "strict" and not override) if r.code != "price"]
        if stops:
            raise Refused(stops[0], reasons)
        bound = [r for r in reasons if r.code != "price"]
        asks_gm = bool(bound) and override and level == "strict" and seat.side != "gm"
        turn.args = parsed(turn, move.asks, args)
        short = cannot_pay(turn, move)
        if short is not None:
            raise Refused(replace(short, code="price", rule=short.rule or move.rule), reasons)
        aside = tuple(r.text for r in bound)
        counts = tuple(use for limit in (move.limits(turn) if move.limits else ()) if (use := limit.use(turn)))
        turn.table = table
        check = turn.check
        self._emit(MoveMade(key, seat_id, dict(turn.args), counts, aside, check.id if check else ""))
        turn.paid = move.cost(turn)
        if asks_gm or (move.approval and move.approval(turn) and not agreed):
            self._propose(move, counts, aside)
        else:
            self._pay(turn.paid)
            for event in move.body(turn):
                self._emit(event)
        told = said_of(self.events, table, seat, check)
        if told != self.events[0]:
            # The fold keeps the name of a move that everybody may see, so this changes the tables too.
            self.events[0] = told
            self.tables = list(accumulate(self.events[: len(self.tables)], evolve, initial=table))[1:]

    def _emit(self, event: Event) -> None:
        """Record an event: give it the audience of its subject, fold it, and run every reaction to it."""
        turn = self.turn
        event = of_its_subject(event, turn.table)
        if isinstance(event, CheckOpened | CheckChanged):
            hidden = openly_against(event.check, turn.table)
            if hidden is not None:
                raise turn.refused("argument", "hidden", "against", who=hidden.name)
        gone, before = taken_from_sight(event, turn.table), turn.table
        for one in (gone, event) if gone else (event,):
            self.events.append(one)
            if isinstance(one, Rewound):
                return
            turn.table = evolve(turn.table, one)
            self.tables.append(turn.table)
        for kind, reaction in self.system.reactions:
            if isinstance(event, kind):
                for more in reaction(turn, event):
                    self._emit(more)
        for known in brought_into_sight(event, before, turn.title, turn.seat.id):
            self._emit(known)

    def _pay(self, price: Points) -> None:
        """Take a price from the purses it names."""
        for (account, owner), n in price.items():
            for event in self.turn.change(account, -n, owner):
                self._emit(event)

    def _propose(self, move: Move, counts: tuple[Use, ...], aside: tuple[str, ...]) -> None:
        turn, check = self.turn, self.turn.check
        self._emit(
            Proposed(
                Proposal(
                    turn.fresh("p"),
                    turn.seat.id,
                    turn.key,
                    dict(turn.args),
                    _said(turn, move),
                    check.id if check else "",
                    turn.paid,
                    counts,
                    aside,
                )
            )
        )
        self._pay(turn.paid)

    def _settle(self, proposal: Proposal) -> Iterator[Event]:
        """Run the body of an accepted proposal's move, for the seat that proposed it."""
        system, turn = self.system, self.turn
        move = system.by_key[proposal.move]
        acting = turn_of(system, turn.table, turn.table.seats[proposal.seat], move, turn.roll, self._settle)
        acting.args, acting.about, acting.paid = dict(proposal.args), proposal.check, proposal.price
        # Uses, price and overrides were settled when it was proposed, but its moment may have passed since.
        reasons = why_not(acting, move)
        gone = [r for r in reasons if r.code in ("when", "sight") and r.text not in proposal.set_aside]
        if gone:
            raise Refused(gone[0])
        for event in move.body(acting):
            yield event
            acting.table = turn.table


def _said(turn: Turn, move: Move) -> str:
    """Return the move in words for the GM who has to agree: its `text` argument, or its title and its answers."""
    if turn.text("text"):
        return turn.text("text")
    answers = []
    for ask in move.asks:
        value = turn.args.get(ask.name)
        if ask.quiet or value in (None, False):
            continue
        labels = {choice.value: choice.label for choice in ask.offered(turn)}
        answers.append(labels.get(str(value), str(value)))
    return f"{turn.title}: {', '.join(answers)}" if answers else turn.title
