"""Decide a move, once, into events. Pure: chance is an argument, and no table is changed."""

from collections.abc import Iterator, Mapping
from itertools import accumulate

from storypool.engine import events
from storypool.engine.copies import replace
from storypool.engine.events import Event
from storypool.engine.fold import evolve
from storypool.engine.game.asks import FlagAsk, NumberAsk, TextAsk, parsed, worded
from storypool.engine.game.kit import Roll
from storypool.engine.game.moves import Held, Move
from storypool.engine.game.suggestions import answer, named, suggestions
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn, release_held, unpaid
from storypool.engine.game.waits import asked_for
from storypool.engine.offers import (
    assume_hidden_action,
    candidate_actions,
    cannot_pay,
    consent_to,
    seat_and_move,
    stopping,
    turn_of,
    why_not,
)
from storypool.engine.refusal import Refused
from storypool.engine.sight import (
    audience,
    brought_into_sight,
    check_in_sight,
    hide_move,
    may_see,
    of_its_subject,
    openly_against,
    seen,
    taken_from_sight,
)
from storypool.engine.table import Points, Proposal, Table, Use

__all__ = ["decide", "what_if"]


def decide(
    system: System,
    table: Table,
    seat_id: str,
    key: str,
    args: Mapping[str, object],
    roll: Roll | None,
    override: bool = False,
) -> list[Event]:
    """Return the events of a move, the first a `MoveMade`; `Refused` gives the reason if it may not
    be made.

    Pure: chance comes from `roll`, and the table passed in is not changed. A GM who overrides sets
    the rules' refusals aside, and they are recorded; a player who overrides asks the GM to do so.
    As in `offers`, the table as the seat sees it decides whether a move is open and what its
    arguments mean, so no answer reveals anything hidden.
    """
    return Decision(system, table, seat_id, key, args, roll, override).events


def what_if(
    system: System, table: Table, seat_id: str, key: str, args: Mapping[str, object]
) -> Table:
    """Return the table as it would be after a move, with any consent given. Nothing is stored.

    No dice are rolled; raises `Refused` as `decide` does.
    """
    return Decision(system, table, seat_id, key, args, None, agreed=True).turn.table


class Decision:
    """A decided move: its events, the table after each of them, and the turn that its rule saw.

    `needs_consent`: another seat has to agree to it, so it became a proposal, unless it was decided
    as `agreed`. `tables` stops before a rewind, which is always the last event of a move and needs
    the log to be folded.
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
        automatic: bool = False,
    ) -> None:
        seat, move = seat_and_move(system, table, seat_id, key)
        self.system, self.events, self.tables = system, list[Event](), list[Table]()
        self.turn = turn = turn_of(system, seen(table, seat), seat, move, roll, self._settle)
        if args.get("check") and isinstance(args["check"], str):
            found = check_in_sight(turn.table, seat, args["check"])
            turn.args["check"] = found.id if found else args["check"]
        else:
            assume_hidden_action(turn, move)
        reasons = why_not(turn, move, priced=False)
        level = turn.option("enforcement")
        stops = stopping(reasons, level == "strict" and not override)
        if stops:
            raise Refused(stops[0], why_not(turn, move))
        asks_gm = bool(reasons) and override and level == "strict" and seat.side != "gm"
        turn.args = parsed(turn, move.asks, args)
        price = move.cost(turn)
        short = cannot_pay(turn, price)
        if short is not None:
            short = replace(short, code="price", rule=short.rule or move.rule)
            raise Refused(short, (*reasons, short))
        aside = tuple(r.text for r in reasons)
        counts = tuple(
            use for limit in (move.limits(turn) if move.limits else ()) if (use := limit.use(turn))
        )
        turn.table = table
        check = turn.check
        self._suggested = suggestions(turn, move.asks)
        # What the GM decides with this move; whatever else is suggested for the action still waits.
        decided = {ask.name for ask in move.asks if ask.whose}
        self._decided, self._secret = decided if seat.side == "gm" else set[str](), False
        self._candidates = () if "check" in turn.args else candidate_actions(turn, move)
        id = check.id if check else ""
        made = events.MoveMade(
            key, seat_id, dict(turn.args), counts, aside, id, automatic=automatic
        )
        self._emit(made)
        turn.paid = price
        whose = consent_to(turn, move)
        if asks_gm and isinstance(whose, str):
            # A GM cannot agree for a player as well.
            raise Refused(replace(reasons[0], overridable=False), reasons)
        self.needs_consent = asks_gm or bool(whose)
        # What cannot be carried out now is not proposed either.
        if agreed or not self.needs_consent or not any(ask.kind == "faces" for ask in move.asks):
            self._carry_out(move)
        # A move that opens an action shows its suggestions at once; any other waits until they are
        # agreed to.
        if self._suggested and not any(
            isinstance(event, events.CheckOpened) for event in self.events
        ):
            self.needs_consent = True
        if self.needs_consent and not agreed:
            self._drop_effects(table)
            self._propose(move, counts, aside, whose if isinstance(whose, str) else "")
        # What everybody could see set aside matters only where something was, or nothing is
        # refused.
        openly = self._openly(move) if aside or level != "strict" else ()
        # The move is not about a hidden action that merely happens to be open.
        secretly_aside = bool(aside) and set(aside) != set(openly)
        about = check if self._secret or secretly_aside or "check" in turn.args else None
        made = hide_move(self.events, table, seat, about)
        if made.seen_by is None and level != "strict":
            # What everybody reads must not depend on what only some of them know.
            made = replace(made, set_aside=openly)
        if made != self.events[0]:
            # The fold keeps the name of a move that everybody may see, so this changes the tables
            # too.
            self.events[0] = made
            self.tables = list(accumulate(self.events[: len(self.tables)], evolve, initial=table))[
                1:
            ]
        self._keep_secret()

    def _openly(self, move: Move) -> tuple[str, ...]:
        """Return the reasons against the move as they would be if its seat saw only what everybody
        sees.
        """
        turn = self.turn
        publicly = turn_of(self.system, seen(turn.before, None), turn.seat, move)
        return tuple(no.text for no in why_not(publicly, move, priced=False))

    def _carry_out(self, move: Move) -> None:
        """Take the price and run the body."""
        self._pay(self.turn.paid)
        for event in move.body(self.turn):
            self._check_named(event)
            self._emit(event)

    def _drop_effects(self, table: Table) -> None:
        """Drop every event after the first, and its tables."""
        del self.events[1:], self.tables[1:]
        self.turn.beyond.clear()
        self.turn.table = self.tables[0] if self.tables else table

    def _check_named(self, event: Event) -> None:
        """Note an event about an open action; `Refused` if it may be meant for the other of two
        that are open.
        """
        match event:
            case events.CheckOpened(check) | events.CheckChanged(check):
                id = check.id
            case events.CheckClosed(id=id) | events.DiceRolled(check=id):
                pass
            case _:
                return
        if len(self._candidates) == 2 and id in self.turn.before.checks:
            first, second = self._candidates
            raise self.turn.refused(
                "argument", "which", "check", one=first.title, other=second.title
            )
        self._secret |= audience(of_its_subject(event, self.turn.table)) is not None

    def _keep_secret(self) -> None:
        """Refuse a move about a hidden action that would show the players something of it."""
        public = (
            audience(event) is None and not isinstance(event, events.Said)
            for event in self.events[1:]
        )
        if self._secret and any(public):
            raise self.turn.refused("argument", "tells")

    def _emit(self, event: Event) -> None:
        """Record an event: give it the audience of its subject, fold it, and run every reaction to
        it.
        """
        turn = self.turn
        event = self._suggesting(of_its_subject(event, turn.table))
        match event:
            case events.CheckOpened(check) | events.CheckChanged(check):
                hidden = openly_against(check, turn.table)
                if hidden is not None:
                    raise turn.refused("argument", "hidden", "against", who=hidden.name)
        gone, before = taken_from_sight(event, turn.table), turn.table
        for one in (gone, event) if gone else (event,):
            self.events.append(one)
            if isinstance(one, events.Rewound):
                return
            turn.table = evolve(turn.table, one)
            self.tables.append(turn.table)
        if isinstance(event, events.RulesChanged):
            # What follows is decided by the new rules.
            turn.system = self.system = self.system.played_at(turn.table)
        for reaction in self.system.reactions_to[type(event)]:
            for more in reaction(turn, event):
                self._emit(more)
        for known in brought_into_sight(event, before, turn.title, turn.seat.id):
            self._emit(known)

    def _suggesting(self, event: Event) -> Event:
        """Return an event about an action with what a player suggests, or without once the GM has
        decided.
        """
        if not (self._suggested or self._decided):
            return event
        if isinstance(event, events.CheckOpened) and self._suggested:
            return replace(event, check=replace(event.check, suggested=self._suggested))
        if isinstance(event, events.CheckChanged) and not self._decided.isdisjoint(
            event.check.suggested
        ):
            waits = {
                name: words
                for name, words in event.check.suggested.items()
                if name not in self._decided
            }
            return replace(event, check=replace(event.check, suggested=waits))
        if (
            isinstance(event, events.CheckChanged)
            and self._suggested
            and event.check.id == self.turn.own_check
        ):
            # What follows in the move that opened the action was made from the check without them.
            return replace(event, check=replace(event.check, suggested=self._suggested))
        return event

    def _pay(self, price: Points) -> None:
        """Take a price from the purses it names."""
        for (account, owner), n in price.items():
            for event in self.turn.change(account, self.system.by_account[account].paid(n), owner):
                self._emit(event)

    def _propose(
        self, move: Move, counts: tuple[Use, ...], aside: tuple[str, ...], whom: str
    ) -> None:
        turn, check = self.turn, self.turn.check
        held = move.holds(turn) if move.holds and check else Held()
        proposal = Proposal(
            turn.fresh("p"),
            turn.seat.id,
            turn.key,
            dict(turn.args),
            _move_text(turn, move),
            check.id if check else "",
            turn.paid,
            counts,
            aside,
            *held,
            whom,
        )
        # Before the action changes: a reaction that ends what nothing is left of has to see what
        # waits.
        self._emit(events.Proposed(proposal))
        seen_by = turn.table.proposals[proposal.id].seen_by
        if not any(
            may_see(turn.table.seats[id], seen_by) for id in asked_for(turn.table, proposal)
        ):
            raise turn.refused("argument", "proposal.unseen")
        if check is not None and (held.left or held.owed):
            self._emit(turn.amend(check, left=check.left - held.left, owed=check.owed - held.owed))
        self._pay(turn.paid)

    def _settle(self, proposal: Proposal, changes: Mapping[str, object]) -> Iterator[Event]:
        """Run the body of an accepted proposal's move for the seat that proposed it, with the GM's
        changes.

        It is judged again as the table is now, without its price and uses, which were taken when it
        was proposed.
        """
        system, turn = self.system, self.turn
        self._candidates = ()
        yield from release_held(turn, proposal)
        seat = turn.table.seats[proposal.seat]
        move = system.by_key[proposal.move]
        table = self._unpaid(proposal)
        acting = turn_of(system, seen(table, seat), seat, move, turn.roll, self._settle)
        acting.before, acting.about, acting.paid = turn.before, proposal.check, proposal.price
        acting.beyond = turn.beyond
        reasons = [
            r for r in why_not(acting, move, priced=False) if r.code not in ("agreed", "limit")
        ]
        stops = [r for r in reasons if r.text not in proposal.set_aside]
        if stops:
            raise Refused(stops[0], reasons)
        acting.args = parsed(acting, move.asks, {**proposal.args, **changes})
        if changes and move.cost(acting) != proposal.price:
            raise turn.refused("argument", "changes.price", "changes")
        acting.table = turn.table
        for event in move.body(acting):
            yield event
            acting.table = turn.table

    def _unpaid(self, proposal: Proposal) -> Table:
        """The table as if a proposal had not been paid for, and what follows from that; nothing of
        it is recorded.

        Its points may be why another seat has nothing to decide, or whose turn it is.
        """
        turn, now, recorded = self.turn, self.turn.table, len(self.events)
        turn.table = unpaid(self.system, now, proposal)
        for (account, owner), n in proposal.price.items():
            back = -self.system.by_account[account].paid(n)
            balance = turn.table.balance(account, owner)
            self._emit(events.PointsSet(account, owner, balance, back, turn.title, turn.seat.id))
        table, turn.table = turn.table, now
        del self.events[recorded:], self.tables[recorded:]
        return table


def _move_text(turn: Turn, move: Move) -> str:
    """Return the move in words for the GM who has to agree: its `text` argument, or its title and
    its answers.

    A number that is its default is left out; any other is named with its question.
    """
    if turn.text("text"):
        return turn.text("text")
    chosen, written = [], []
    for ask in move.asks:
        value = turn.args.get(ask.name)
        if (
            ask.quiet
            or value in (None, False)
            or (isinstance(ask, NumberAsk) and value == ask.default)
        ):
            continue
        if isinstance(ask, TextAsk):
            written.append(str(value))
        elif isinstance(ask, FlagAsk):
            chosen.append(worded(turn, ask))
        else:
            chosen.append(
                named(turn, ask, value) if isinstance(ask, NumberAsk) else answer(turn, ask, value)
            )
    title = move.title_now(turn)
    text = f"{title} ({', '.join(chosen)})" if chosen else title
    return f"{text}: {', '.join(written)}" if written else text
