"""The last move of a table in the sentences of its log, for the move that takes it back."""

from collections.abc import Iterable, Iterator, Mapping

from storypool.engine.copies import replace
from storypool.engine.events import (
    CheckChanged,
    ClockSet,
    MoveMade,
    ProposalSettled,
    Record,
    Rewound,
    SeatTaken,
    is_about_a_paper,
)
from storypool.engine.fold import UNDO
from storypool.engine.game.system import System
from storypool.engine.house.undoing import title_of_undo
from storypool.engine.offers import Offer
from storypool.engine.sight import seen, shown
from storypool.engine.story import sentence
from storypool.engine.story.log_line import ended
from storypool.engine.table import Seat, Table
from storypool.live.folded import Step

LONGEST = 200
"""The most characters that are shown of what an undo takes back."""


def with_named_undo(
    offers: list[Offer], system: System, table: Table, seat_id: str, steps: Iterable[Step]
) -> list[Offer]:
    """These offers of a seat, with an undo that names what it would take back."""
    seat = table.seats.get(seat_id)
    text = undone_text(system, seen(table, seat), seat, steps)
    title = title_of_undo(system.words, seen(table, seat), text, seat)
    named = list[Offer]()
    for one in offers:
        is_named = one.key == UNDO and text and not one.closed
        named.append(replace(one, title=title) if is_named else one)
    return named


def with_undo_text(
    args: Mapping[str, object], system: System, table: Table, seat_id: str, steps: Iterable[Step]
) -> Mapping[str, object]:
    """The arguments of an undo, with what it takes back as everybody may read it."""
    known = seen(table, table.seats.get(seat_id))
    if args.get("to", known.undo_to) != known.undo_to:
        return args
    text = undone_text(system, known, None, steps)
    return {**args, "what": text} if text else args


def undone_text(system: System, known: Table, seat: Seat | None, steps: Iterable[Step]) -> str:
    """What an undo at this seen table takes back, in the sentences that this seat reads.

    "" if its move is hidden, has no sentence, or has too many: its title says more then.
    """
    if known.undo_seen_by is not None:
        return ""
    current = _current(steps, known.undo_to, known.seq)
    text = " ".join(_sentences(system, current, seat)).removesuffix(".")
    return text if len(text) <= LONGEST else ""


def _current(steps: Iterable[Step], after: int, seq: int) -> list[Step]:
    """The steps after record `after` up to `seq` that were not undone, in order."""
    by_seq = {step.record.seq: step for step in steps if step.record.seq > after}
    found = list[Step]()
    while seq > after and (step := by_seq.get(seq)) is not None:
        event = step.record.event
        if isinstance(event, Rewound):
            seq = event.to
        else:
            found.insert(0, step)
            seq -= 1
    return found


def _sentence(record: Record, before: Table, system: System) -> str:
    """The sentence of a record; of a change that leaves the result as it was, the change alone."""
    match record.event:
        case CheckChanged(check, what) if what and (old := before.checks.get(check.id)):
            if check.outcome == old.outcome:
                return ended(what)
    return sentence(record, before, system)


def _sentences(system: System, steps: Iterable[Step], seat: Seat | None) -> Iterator[str]:
    """The sentences of moves, without requests to undo them.

    That a move was made, or agreed to, is a sentence only if nothing else came of it.
    """
    bare, asks, texts = "", False, 0
    for step in steps:
        record = shown(step.record, seat)
        event = record.event
        if event is None or isinstance(event, SeatTaken | ClockSet) or is_about_a_paper(event):
            continue
        text = _sentence(record, seen(step.before, seat), system)
        if isinstance(event, MoveMade):
            asks = event.move == UNDO
        if asks or not text:
            continue
        if isinstance(event, MoveMade) or (isinstance(event, ProposalSettled) and event.accepted):
            bare = text
        else:
            texts += 1
            yield text
    if bare and not texts:
        yield bare
