"""Consent: proposals, and accepting, declining or withdrawing them."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine.asks import Choice, TextAsk
from storypool.engine.events import Event, ProposalSettled
from storypool.engine.house.choices import first_choice
from storypool.engine.moves import move
from storypool.engine.refusal import Refusal
from storypool.engine.turn import Turn


def _waiting(turn: Turn) -> Iterator[Choice]:
    for one in turn.table.proposals.values():
        if turn.seat.side == "gm" or one.seat == turn.seat.id:
            yield Choice(one.id, one.text)


PROPOSAL = first_choice("id", "Which?", _waiting)

WHY = TextAsk("why", "Why?", needed=False)


def _any_waits(turn: Turn) -> Refusal | None:
    return None if turn.table.proposals else turn.firm("proposal.none")


@move("proposal.accept", by=["gm"], when=_any_waits, asks=[PROPOSAL, WHY])
def accept(turn: Turn) -> Iterator[Event]:
    """Agree to what is proposed"""
    proposal = turn.table.proposals[turn.text("id")]
    yield ProposalSettled(proposal.id, True, turn.seat.id, turn.text("why"))
    yield from turn.settle(proposal)


@move("proposal.decline", by=["gm"], when=_any_waits, asks=[PROPOSAL, WHY])
def decline(turn: Turn) -> Iterator[Event]:
    """Say no to what is proposed"""
    yield from _give_back(turn)


@move(
    "proposal.withdraw",
    by=["player"],
    when=lambda t: None if any(p.seat == t.seat.id for p in t.table.proposals.values()) else t.firm("proposal.yours"),
    asks=[PROPOSAL],
)
def withdraw(turn: Turn) -> Iterator[Event]:
    """Withdraw what you proposed"""
    yield from _give_back(turn)


def _give_back(turn: Turn) -> Iterator[Event]:
    """Settle a proposal as not accepted: refund its price and free its uses of limits."""
    proposal = turn.table.proposals[turn.text("id")]
    yield ProposalSettled(proposal.id, False, turn.seat.id, turn.text("why"), proposal.counts)
    yield from turn.refund(proposal.price, proposal.text)
