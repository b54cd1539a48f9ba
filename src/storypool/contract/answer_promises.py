"""The promises about questions: an open offer has an answer, and offered numbers are accepted."""

from collections.abc import Iterator, Mapping
from random import Random

from storypool.contract.finding import Broken
from storypool.contract.random_game import Game
from storypool.engine.bag import Bag
from storypool.engine.decisions import decision_of
from storypool.engine.game.asks import AskView
from storypool.engine.game.system import System
from storypool.engine.offers import Offer, offer, offers
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import may_see
from storypool.engine.table import Seat

Answers = Mapping[str, object]

UNTRIED = frozenset({"proposal.accept", "consent.give", "pack.take"})
"""Moves that may have no answer: a proposal may no longer be possible, and a pack is a file."""
MOST_TRIED = 60
"""The most random sets of answers to try for one offer."""


def check_numbers(game: Game, seat: Seat, one: Offer, args: Answers) -> None:
    """Check that the offered bounds of each number are accepted, for a move that can be made.

    Another reason, such as a price that cannot be paid, is not about the number.
    """
    for ask in one.asks:
        if ask.kind != "number":
            continue
        for n in (ask.low, ask.high):
            no = _refused(game, seat, one.key, {**args, ask.name: n})
            if no is not None and no.field == ask.name:
                raise Broken("number", move=one.key, ask=ask.name, n=n, text=no.text)


def check_open_offers(game: Game, seat: Seat) -> None:
    """Check that every open move is accepted, or proposed, with some answers."""
    for one in offers(game.system, game.table, seat.id):
        if one.all_closed or one.key in UNTRIED:
            continue
        if (no := unanswerable(game, seat, one.key)) is not None:
            raise Broken("unanswerable", move=one.key, seat=seat.id, text=no.text)


def unanswerable(game: Game, seat: Seat, key: str) -> Refusal | None:
    """The refusal of a move if none of the tried answers is accepted, else None.

    It tries no answers first, then the question that the refusal names, then random answers.
    """
    chance, system, table = Random(f"{game.seed} {key}"), game.system, game.table
    known = [one.id for one in table.checks.values() if may_see(seat, one.seen_by)]
    about: list[Answers] = [{}, *({"check": id} for id in known)]
    no: Refusal | None = None
    for args in about:
        no = _refused(game, seat, key, args)
        if no is None:
            return None
        for ask in offer(system, table, seat.id, key, args).asks:
            if ask.name != no.field:
                continue
            for answer in _answers(system, ask):
                if _refused(game, seat, key, {**args, ask.name: answer}) is None:
                    return None
    drawn = (
        _random_answers(game, seat, key, chance.choice(about), chance) for _ in range(MOST_TRIED)
    )
    if all(_refused(game, seat, key, args) for args in drawn):
        return no
    return None


def _random_answers(game: Game, seat: Seat, key: str, about: Answers, chance: Random) -> Answers:
    """Random answers to the required questions and to some others, in the order of a form."""
    args, asked, often = dict(about), set[str](), chance.random()
    while True:
        views = offer(game.system, game.table, seat.id, key, args).asks
        ask = next((one for one in views if one.name not in asked), None)
        if ask is None:
            return args
        asked.add(ask.name)
        needed = ask.needed and ask.default is None
        if (needed or chance.random() < often) and (found := list(_answers(game.system, ask))):
            args[ask.name] = chance.choice(found)


def _refused(game: Game, seat: Seat, key: str, args: Answers) -> Refusal | None:
    try:
        decision_of(game.system, game.table, seat.id, key, args, roll=lambda die: die.first)
    except Refused as no:
        return no.refusal
    return None


def _answers(system: System, ask: AskView) -> Iterator[object]:
    """Possible answers to a question."""
    match ask.kind:
        case "choice":
            open_ones = [choice.value for choice in ask.choices if not choice.closed]
            yield from open_ones or (["Words of one's own"] if ask.free else ())
        case "several":
            there = [choice.value for choice in ask.choices if not choice.closed]
            yield from (there[:n] for n in {ask.low, ask.high} if n)
        case "text":
            yield from ("A draft from below", "What the tide left")
        case "number":
            yield from {ask.low, min(ask.low + 1, ask.high), ask.high}
        case "flag":
            yield from (True, False)
        case "pool":
            yield from (system.notation.show(Bag({die.name: 1})) for die in system.pool_dice)
        case "sheet":
            numbers = [entry for entry in system.sheet if not entry.text]
            yield from ({one.key: n} for one in numbers[:2] for n in (one.low, one.high))
            yield from ({one.key: "x" * one.text} for one in system.sheet if one.text)
