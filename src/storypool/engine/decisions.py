"""Decide a move, once, into events. Pure: chance is an argument, and no table is changed."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import accumulate

from storypool.engine import events
from storypool.engine.copies import replace
from storypool.engine.dice import Die
from storypool.engine.events import Event
from storypool.engine.fold import evolve
from storypool.engine.game.asks import FlagAsk, NumberAsk, TextAsk, worded
from storypool.engine.game.given_answers import parsed
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
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import (
    audience,
    brought_into_sight,
    check_in_sight,
    hide_move,
    in_parts,
    may_see,
    of_its_sheet,
    of_its_subject,
    openly_against,
    taken_from_sight,
    without_hidden,
)
from storypool.engine.table import Audience, Check, Points, Proposal, Seat, Table, Use

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
    """The events of a move, the first a `MoveMade`; `Refused` with the reason if it is closed.

    Pure: chance comes from `roll`, and the table passed in is not changed. A GM who overrides sets
    the rules' refusals aside, and they are recorded; a player who overrides asks the GM to do so.
    As in `offers`, the table as the seat sees it decides whether a move is open and what its
    arguments mean, so no answer reveals anything hidden.
    """
    return decision_of(system, table, seat_id, key, args, roll=roll, override=override).events


def what_if(
    system: System, table: Table, seat_id: str, key: str, args: Mapping[str, object]
) -> Table:
    """The table as it would be after a move, with any consent given. Nothing is stored.

    No dice are rolled; raises `Refused` as `decide` does.
    """
    return decision_of(system, table, seat_id, key, args, roll=None, agreed=True).turn.table


@dataclass(frozen=True, slots=True)
class Decision:
    """A decided move: its events, the table after each of them, and the turn that its rule saw.

    `needs_consent`: another seat has to agree to it, so it became a proposal, unless it was decided
    as `agreed`. `tables` stops before a rewind, which is always the last event of a move and needs
    the log to be folded.
    """

    events: list[Event]
    tables: list[Table]
    turn: Turn
    needs_consent: bool


def decision_of(
    system: System,
    table: Table,
    seat_id: str,
    key: str,
    args: Mapping[str, object],
    roll: Roll | None,
    override: bool = False,
    agreed: bool = False,
    automatic: bool = False,
) -> Decision:
    """Decide a move as `decide` does, with everybody's consent if `agreed`."""
    seat, move = seat_and_move(system, table, seat_id, key)
    effects = _Effects(system, table, seat, move, roll)
    turn = effects.turn
    _choose_action(turn, move, args)
    reasons = _waived(turn, move, override)
    turn.args = parsed(turn, move.asks, args)
    price = _payable(turn, move, reasons)
    waived, counts = tuple(reason.text for reason in reasons), _counts(turn, move)
    effects.begin(waived, counts, automatic)
    turn.paid = price
    decider = consent_to(turn, move)
    asks_gm = bool(reasons) and effects.strict and not turn.is_gm
    if asks_gm and isinstance(decider, str):
        # A GM cannot agree for a player as well.
        raise Refused(replace(reasons[0], overridable=False), reasons)
    needs_consent = asks_gm or bool(decider)
    if needs_consent and not agreed:
        # Carry it out first: an impossible move is not proposed. Its dice fall once it is accepted.
        turn.roll = _first_face
    effects.carry_out()
    needs_consent = needs_consent or effects.awaits_agreement
    if needs_consent and not agreed:
        effects.drop()
        effects.propose(counts, waived, decider if isinstance(decider, str) else "")
    effects.hide(waived)
    return Decision(effects.events, effects.tables, turn, needs_consent)


def _first_face(die: Die) -> int:
    return die.first


def _choose_action(turn: Turn, move: Move, args: Mapping[str, object]) -> None:
    """Direct the turn to the action that the arguments name, or that the rules choose."""
    named = args.get("check")
    if named and isinstance(named, str):
        found = check_in_sight(turn.table, turn.seat, named)
        turn.args["check"] = found.id if found else named
    else:
        assume_hidden_action(turn, move)


def _waived(turn: Turn, move: Move, override: bool) -> list[Refusal]:
    """The reasons against a move that are set aside; `Refused` if any of them stops it."""
    reasons = why_not(turn, move, priced=False)
    stops = stopping(reasons, turn.option("enforcement") == "strict" and not override)
    if stops:
        raise Refused(stops[0], why_not(turn, move))
    return reasons


def _payable(turn: Turn, move: Move, reasons: list[Refusal]) -> Points:
    """The price of a move; `Refused` if the seat cannot pay it."""
    price = move.cost(turn)
    short = cannot_pay(turn, price)
    if short is not None:
        short = replace(short, code="price", rule=short.rule or move.rule)
        raise Refused(short, (*reasons, short))
    return price


def _counts(turn: Turn, move: Move) -> tuple[Use, ...]:
    """The uses of limits that a move counts."""
    return tuple(use for limit in move.limits_now(turn) if (use := limit.use(turn)))


class _Effects:
    """The events of a move while it is decided, the table after each, and the turn of its rule.

    `suggested` are its seat's answers in the GM's place; `decided` are the questions that its GM
    decides, so that other suggestions for the action still wait. The move is `about` an action;
    `candidates` are those that it could be about. It is `secret` once it changes something hidden,
    and `strict` where nothing is set aside at will.
    """

    def __init__(
        self, system: System, table: Table, seat: Seat, move: Move, roll: Roll | None
    ) -> None:
        self.system, self.before, self.move = system, table, move
        self.events, self.tables = list[Event](), list[Table]()
        self.turn = turn_of(
            system, without_hidden(table, seat), seat, move, roll=roll, settle=self._settle
        )
        self.strict = self.turn.option("enforcement") == "strict"
        self.about: Check | None = None
        self.suggested: Mapping[str, str] = {}
        self.decided: Set[str] = set()
        self.candidates: tuple[Check, ...] = ()
        self.secret = False

    def begin(self, waived: tuple[str, ...], counts: tuple[Use, ...], automatic: bool) -> None:
        """Record that the move is made; from now on its turn sees the whole table."""
        turn, move = self.turn, self.move
        turn.table = self.before
        self.suggested = suggestions(turn, move.asks)
        self.decided = {ask.name for ask in move.asks if ask.whose and turn.is_gm}
        self.candidates = () if "check" in turn.args else candidate_actions(turn, move)
        # A note is about no action: one may be open that its readers do not see.
        self.about = None if move.aside else turn.check
        self._emit(
            events.MoveMade(
                move.key,
                turn.seat.id,
                dict(turn.args),
                counts=counts,
                set_aside=waived,
                check=self.about.id if self.about else "",
                automatic=automatic,
                aside=move.aside,
            )
        )

    @property
    def awaits_agreement(self) -> bool:
        """Whether the GM has to agree to what is suggested before anything is done.

        A move that opens an action shows its suggestions at once.
        """
        opens = any(isinstance(event, events.CheckOpened) for event in self.events)
        return bool(self.suggested) and not opens

    def hide(self, waived: tuple[str, ...]) -> None:
        """Hide the move if all of its effects are hidden; `Refused` if it would reveal them."""
        # The refusals in public view matter only if some were set aside, or the table refuses
        # nothing.
        public_reasons = self._public_reasons() if waived or not self.strict else ()
        # The move is not about a hidden action that merely happens to be open.
        has_hidden_reasons = bool(waived) and set(waived) != set(public_reasons)
        named = "check" in self.turn.args
        about = self.about if self.secret or has_hidden_reasons or named else None
        made = hide_move(self.events, self.before, self.turn.seat, about)
        if made.seen_by is None:
            made = replace(made, seen_by=self._private_audience)
        if made.seen_by is None and not self.strict:
            # Public texts must not depend on facts that only some seats know.
            made = replace(made, set_aside=public_reasons)
        if made != self.events[0]:
            # The fold keeps the name of a public move, so this changes the tables too.
            self.events[0] = made
            folded = accumulate(self.events[: len(self.tables)], evolve, initial=self.before)
            self.tables = list(folded)[1:]
        self._keep_secret()

    @property
    def _private_audience(self) -> Audience:
        """The readers of the answers, where one of them is to a private question; else None."""
        given = self.turn.args
        private = any(ask.private and ask.name in given for ask in self.move.asks)
        return (self.turn.seat.id, "@gm") if private else None

    def _public_reasons(self) -> tuple[str, ...]:
        """The reasons against the move if its seat saw only the public table."""
        turn, move = self.turn, self.move
        publicly = turn_of(self.system, without_hidden(turn.before, None), turn.seat, move)
        return tuple(no.text for no in why_not(publicly, move, priced=False))

    def carry_out(self) -> None:
        """Take the price and run the body."""
        self._pay(self.turn.paid)
        for event in self.move.body(self.turn):
            self._check_named(event)
            self._emit(event)

    def drop(self) -> None:
        """Drop every event after the first, and its tables."""
        del self.events[1:], self.tables[1:]
        self.turn.beyond.clear()
        self.turn.table = self.tables[0]

    def _check_named(self, event: Event) -> None:
        """Note an event about an open action.

        `Refused` if two are open and it may be meant for the other.
        """
        match event:
            case events.CheckOpened(check) | events.CheckChanged(check):
                id = check.id
            case events.CheckClosed(id=id) | events.DiceRolled(check=id) if id:
                pass
            case _:
                return
        if len(self.candidates) == 2 and id in self.turn.before.checks:
            first, second = self.candidates
            raise self.turn.refused(
                "argument", "which", "check", one=first.title, other=second.title
            )
        self.secret |= audience(of_its_subject(event, self.turn.table)) is not None

    def _keep_secret(self) -> None:
        """Refuse a move about a hidden action that would show the players something of it."""
        public = (
            audience(event) is None and not isinstance(event, events.Said)
            for event in self.events[1:]
        )
        if self.secret and any(public):
            raise self.turn.refused("argument", "tells")

    def _emit(self, event: Event) -> None:
        """Record an event: give it its subject's audience, fold it, run every reaction to it."""
        turn = self.turn
        event = self._with_suggestions(of_its_subject(event, turn.table))
        event = of_its_sheet(event, turn.table, self.system.sheet_traits)
        match event:
            case events.CheckOpened(check) | events.CheckChanged(check):
                hidden = openly_against(check, turn.table)
                if hidden is not None:
                    raise turn.refused("argument", "hidden", "against", who=hidden.name)
        gone, before = taken_from_sight(event, turn.table), turn.table
        parts = in_parts(event, turn.table)
        for one in (gone, *parts) if gone else parts:
            self.events.append(one)
            if isinstance(one, events.Rewound):
                return
            turn.table = evolve(turn.table, one)
            self.tables.append(turn.table)
        if isinstance(event, events.RulesChanged):
            # The new rules decide the rest.
            turn.system = self.system = self.system.played_at(turn.table)
        for reaction in self.system.reactions_to[type(event)]:
            turn.previous = before
            for more in reaction(turn, event):
                self._emit(more)
        for known in brought_into_sight(event, before, turn.table, turn.title, turn.seat.id):
            self._emit(known)

    def _with_suggestions(self, event: Event) -> Event:
        """An event about an action with a player's suggestions, or without once the GM decided."""
        if not (self.suggested or self.decided):
            return event
        if isinstance(event, events.CheckOpened) and self.suggested:
            return replace(event, check=replace(event.check, suggested=self.suggested))
        if isinstance(event, events.CheckChanged) and not self.decided.isdisjoint(
            event.check.suggested
        ):
            waits = {
                name: words
                for name, words in event.check.suggested.items()
                if name not in self.decided
            }
            return replace(event, check=replace(event.check, suggested=waits))
        if (
            isinstance(event, events.CheckChanged)
            and self.suggested
            and event.check.id == self.turn.own_check
        ):
            # Later events of the move that opened the action are made from the check without
            # suggestions.
            return replace(event, check=replace(event.check, suggested=self.suggested))
        return event

    def _pay(self, price: Points) -> None:
        """Take a price from the purses it names."""
        for (account, owner), n in price.items():
            for event in self.turn.change(account, self.system.by_account[account].paid(n), owner):
                self._emit(event)

    def propose(self, counts: tuple[Use, ...], waived: tuple[str, ...], whom: str) -> None:
        """Record a proposal in place of the effects."""
        turn, move, check = self.turn, self.move, self.turn.check
        held = move.holds(turn) if move.holds and check else Held()
        proposal = Proposal(
            turn.fresh("p"),
            turn.seat.id,
            turn.key,
            dict(turn.args),
            text=_move_text(turn, move),
            check=check.id if check else "",
            price=turn.paid,
            counts=counts,
            set_aside=waived,
            left=held.left,
            owed=held.owed,
            seen_by=self._private_audience,
            whom=whom,
        )
        # Propose first: a reaction that ends an action with nothing left has to see the proposal.
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
        """Run the move of an accepted proposal for its proposer, with the GM's changes.

        It is judged again by the present table, without its price and uses, which were taken when
        it was proposed.
        """
        system, turn = self.system, self.turn
        self.candidates = ()
        yield from release_held(turn, proposal)
        seat = turn.table.seats[proposal.seat]
        move = system.by_key[proposal.move]
        table = self._unpaid(proposal)
        acting = turn_of(
            system, without_hidden(table, seat), seat, move, roll=turn.roll, settle=self._settle
        )
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
        """The table as if a proposal and its effects had not been paid for; nothing is recorded.

        Its points may be why another seat has nothing to decide, or whose turn it is.
        """
        turn, current, recorded = self.turn, self.turn.table, len(self.events)
        turn.table = unpaid(self.system, current, proposal)
        for (account, owner), n in proposal.price.items():
            refund = -self.system.by_account[account].paid(n)
            balance = turn.table.balance(account, owner)
            self._emit(
                events.PointsSet(
                    account, owner, balance=balance, delta=refund, why=turn.title, by=turn.seat.id
                )
            )
        table, turn.table = turn.table, current
        del self.events[recorded:], self.tables[recorded:]
        return table


def _move_text(turn: Turn, move: Move) -> str:
    """The move in words for the GM's approval: its `text` argument, or its title and answers.

    A number equal to its default is left out; any other is named with its question.
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
            in_words = named if isinstance(ask, NumberAsk) else answer
            chosen.append(in_words(turn, ask, value))
    title = move.title_now(turn)
    text = f"{title} ({', '.join(chosen)})" if chosen else title
    return f"{text}: {', '.join(written)}" if written else text
