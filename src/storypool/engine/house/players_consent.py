"""Consent between players: a move whose `approval` is a character waits for its player."""

from collections.abc import Iterator

from storypool.engine.events import Event, ProposalSettled
from storypool.engine.game.moves import move
from storypool.engine.game.turn import Turn
from storypool.engine.house.consent import ANSWERED, WHY, asked_of_you, give_back
from storypool.engine.refusal import Refused


@move("consent.give", by=["player"], when=asked_of_you, asks=[ANSWERED, WHY])
def give(turn: Turn) -> Iterator[Event]:
    """Agree to what another player asks of you"""
    proposal = turn.table.proposals[turn.text("id")]
    yield ProposalSettled(proposal.id, True, turn.seat.id, turn.text("why"))
    try:
        yield from turn.settle(proposal, {})
    except Refused as no:
        if turn.table.seats[proposal.seat].side != "gm":
            raise
        # A player must not read the reason, which is written for a GM, who sees more.
        raise turn.refused("argument", "consent.over", "id") from no


@move("consent.refuse", by=["player"], when=asked_of_you, asks=[ANSWERED, WHY])
def refuse(turn: Turn) -> Iterator[Event]:
    """Say no to what another player asks of you"""
    yield from give_back(turn)
