"""Consent: proposals, and accepting, declining or withdrawing them."""

import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from storypool.engine.events import CheckClosed, Event, PeriodEnded, ProposalSettled, SeatTaken
from storypool.engine.fold import UNDO
from storypool.engine.game.asks import AskView, Choice, TextAsk, ask_views
from storypool.engine.game.moves import move, whenever
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn, release_held
from storypool.engine.game.waits import asked_for
from storypool.engine.house.choices import first_choice
from storypool.engine.house.conditions import requires
from storypool.engine.offers import listed, seat_and_move, turn_of
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import without_hidden
from storypool.engine.table import Proposal, Table
from storypool.engine.waiting import named
from storypool.words import BadValue

__all__ = ["lapsed"]


def _waiting(turn: Turn) -> Iterator[Choice]:
    for one in turn.table.proposals.values():
        if turn.is_gm or one.seat == turn.seat.id:
            yield Choice(one.id, one.text)


def _asked(turn: Turn) -> Iterator[Choice]:
    """Every proposal in sight, closed where the answer is not this seat's."""
    theirs = dict[tuple[str, ...], str]()
    for one in turn.table.proposals.values():
        seats = asked_for(turn.table, one)
        if seats not in theirs:
            theirs[seats] = ""
            if turn.seat.id not in seats:
                theirs[seats] = turn.words.say("proposal.theirs", who=named(turn, seats))
        yield Choice(one.id, one.text, closed=theirs[seats])


def _is_asked(turn: Turn) -> bool:
    """Whether a proposal waits for an answer of this seat."""
    proposals = turn.table.proposals.values()
    return any(turn.seat.id in asked_for(turn.table, one) for one in proposals)


PROPOSAL = first_choice("id", "Which?", _waiting)

ANSWERED = first_choice("id", "Which?", _asked)

WHY = TextAsk("why", "Why?", needed=False)


def _any_waits(turn: Turn) -> Refusal | None:
    return None if turn.table.proposals else turn.firm("proposal.none")


asked_of_you = requires(_is_asked, "proposal.none", firm=True)
"""A proposal waits for an answer of this seat."""


# Other answers to the questions of the proposed move, as key=value; quoted as in a shell. Front
# ends ask for them with the questions of that move.
CHANGES = TextAsk("changes", "What changes, as key=value", needed=False, quiet=True)


def _goes_too(turn: Turn) -> str:
    """The warning that a player's undo takes back more than the move they mean, or ""."""
    asked = turn.table.proposals.get(ANSWERED.chosen(turn))
    if asked is None or asked.move != UNDO or turn.table.undo_to <= int(str(asked.args["to"])):
        return ""
    return turn.words["undo.hidden_too" if turn.table.undo_seen_by else "undo.more"]


@move(
    "proposal.accept", by=["gm"], when=_any_waits, asks=[ANSWERED, WHY, CHANGES], caution=_goes_too
)
def accept(turn: Turn) -> Iterator[Event]:
    """Agree to the proposal

    As it is, or with other answers; its price stays.
    """
    proposal = turn.table.proposals[turn.text("id")]
    changes = _changes(turn)
    changed = any(name in proposal.args for name in changes)
    why = turn.text("why") or (turn.words["proposal.changed_why"] if changed else "")
    yield ProposalSettled(proposal.id, True, turn.seat.id, why)
    yield from turn.settle(proposal, changes)


def _changes(turn: Turn) -> Mapping[str, object]:
    try:
        return _pairs(turn.text("changes"))
    except ValueError:
        raise turn.refused("argument", "changes", "changes") from None


def _pairs(text: str) -> dict[str, str]:
    """The key=value pairs, quoted as in a shell; `ValueError` for a text with anything else."""
    parts = [part.partition("=") for part in shlex.split(text)]
    if not all(separator for _, separator, _ in parts):
        raise BadValue(text)
    return {name: value for name, _, value in parts}


def proposed_asks(
    system: System, table: Table, seat_id: str, args: Mapping[str, object]
) -> tuple[AskView, ...]:
    """The questions of a proposed move, with its answers and these changes as their defaults.

    The questions are those of the seat that proposed it, as far as this seat sees them too. Answers
    that cannot be read are left out. Empty if this seat does not see the proposal, or has no say in
    it.
    """
    judge = table.seats.get(seat_id)
    table = without_hidden(table, judge)
    proposal = table.proposals.get(str(args.get("id")))
    if proposal is None or judge is None or judge.side != "gm":
        return ()
    try:
        changes = _pairs(str(args.get("changes") or ""))
    except ValueError:
        changes = {}
    seat, move = seat_and_move(system, table, proposal.seat, proposal.move)
    turn = turn_of(system, without_hidden(table, seat), seat, move)
    turn.about = proposal.check
    given = {**proposal.args, **changes}
    for ask in move.asks:
        with suppress(Refused):
            if given.get(ask.name) not in (None, ""):
                turn.args[ask.name] = ask.read(turn, given[ask.name])
    return tuple(replace(view, suggests=False) for view in ask_views(turn, move.asks))


@move("proposal.decline", by=["gm"], when=_any_waits, asks=[PROPOSAL, WHY])
def decline(turn: Turn) -> Iterator[Event]:
    """Say no to the proposal"""
    yield from give_back(turn)


@move(
    "proposal.withdraw",
    by=["player"],
    when=lambda t: (
        None
        if any(p.seat == t.seat.id for p in t.table.proposals.values())
        else t.firm("proposal.yours")
    ),
    asks=[PROPOSAL],
)
def withdraw(turn: Turn) -> Iterator[Event]:
    """Withdraw what you proposed"""
    yield from give_back(turn)


def give_back(turn: Turn) -> Iterator[Event]:
    """Settle a proposal as not accepted: refund its price and free its uses of limits."""
    yield from _drop(turn, turn.table.proposals[turn.text("id")], turn.text("why"))


def _drop(turn: Turn, proposal: Proposal, why: str) -> Iterator[Event]:
    yield ProposalSettled(proposal.id, False, turn.seat.id, why, proposal.counts)
    yield from release_held(turn, proposal)
    yield from turn.refund(proposal.price, proposal.text)


def lapsed(turn: Turn) -> Iterator[Event]:
    """Drop the proposals about the open action, and give back what they hold.

    A move that ends an action calls it before it pays out what the action owes: a proposal may hold
    some of that.
    """
    for proposal in [one for one in turn.table.proposals.values() if one.check == turn.here.id]:
        yield from _drop(turn, proposal, turn.words["proposal.lapsed"])


@move(
    "check.agree",
    by=["gm"],
    when=lambda t: None if t.check and t.check.suggested else t.firm("suggested.none"),
)
def agree(turn: Turn) -> Iterator[Event]:
    """Agree to what is suggested

    What a player answered in your place for the open action. To change it, decide it yourself.
    """
    check = turn.here
    text = turn.words.say("suggestion.agreed", who=turn.seat.name, what=listed(check.suggested))
    yield turn.amend(check, text, suggested={})


@whenever(CheckClosed, SeatTaken, PeriodEnded)
def _lapse(turn: Turn, event: Event) -> Iterator[Event]:
    """A proposal ends with its action, scene or session, and with its seat."""
    match event:
        case CheckClosed(id):
            lapsed = [one for one in turn.table.proposals.values() if one.check == id]
        case SeatTaken(seat):
            lapsed = [
                one
                for one in turn.table.proposals.values()
                if one.seat == seat.id and not seat.here
            ]
        case PeriodEnded(kind="scene" | "session"):
            lapsed = list(turn.table.proposals.values())
        case _:
            return
    for proposal in lapsed:
        yield from _drop(turn, proposal, turn.words["proposal.lapsed"])
