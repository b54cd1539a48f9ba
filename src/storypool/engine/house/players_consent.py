"""Consent between players: a move whose `approval` names a character waits for the player of that character."""

from collections.abc import Iterator

from storypool.engine.events import Event, ProposalSettled
from storypool.engine.game.moves import move
from storypool.engine.game.turn import Turn
from storypool.engine.house.consent import ANSWERED, WHY, asked_of_you, give_back


@move("consent.give", by=["player"], when=asked_of_you, asks=[ANSWERED, WHY])
def give(turn: Turn) -> Iterator[Event]:
    """Agree to what another player asks of you"""
    proposal = turn.table.proposals[turn.text("id")]
    yield ProposalSettled(proposal.id, True, turn.seat.id, turn.text("why"))
    yield from turn.settle(proposal, {})


@move("consent.refuse", by=["player"], when=asked_of_you, asks=[ANSWERED, WHY])
def refuse(turn: Turn) -> Iterator[Event]:
    """Say no to what another player asks of you"""
    yield from give_back(turn)
