"""Verifying a log's rolls: whether each face follows from the seed and numbers bound before.

The public log is enough. A log cannot show what was never in it: whether a page's own number is the
one that it sent, only that page knows.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from storypool.engine.dice import Rolled
from storypool.engine.events import DiceBound, DiceRolled, Record
from storypool.log.fair import CARDS, FairFaces, cards_in, is_hex, seal

__all__ = ["Verified", "verified"]

RANGE = re.compile("[0-9]{1,5}-[0-9]{1,5}")
"""The first and the last face of a die; no die has more than 100,000."""

Verdict = Literal["fair", "false", "hand", "missing", "alone", "anew", "unbound"]
"""The finding on a roll.

`fair`: every face follows from what was bound before. `false`: something was changed. `hand`: typed
in. Not verifiable are `missing`, a number that was sealed and not opened; `alone`, no player's
number; `anew`, the first of a row that follows on another; `unbound`, no row at all, or a roll
outside of it.
"""

Fault = Literal["order", "seed", "again", "number", "faces", "dice", "thrown", "row"]
"""Why something is false.

The order of rolls, the seed, a repeated hash, a number, faces, the dice, a roll thrown away, a row
started twice.
"""


class Verified(NamedTuple):
    """The finding on one roll or a binding record: its number, and the seats of missing numbers."""

    seq: int
    verdict: Verdict
    fault: Fault | None = None
    seats: tuple[str, ...] = ()


@dataclass
class _Log:
    """The known facts of a log so far."""

    ranges: dict[str, str]
    rolls: dict[int, tuple[Rolled, ...]] = field(default_factory=dict)
    last: DiceBound | None = None
    last_at: int = 0
    rows: set[str] = field(default_factory=set)
    hashes: set[str] = field(default_factory=set)
    seats: set[str] = field(default_factory=set)
    is_new_row: bool = False
    fault: Fault | None = None


def verified(records: Iterable[Record], ranges: Mapping[str, str] = {}) -> list[Verified]:
    """The finding on each roll that everybody saw, in the order of the log.

    `ranges` are the first and the last face of each die ("1-12") by name, as the game has them;
    without it, they are taken from the log. A false record that is not a roll has a finding of its
    own, at its place.
    """
    log, found = _Log(dict(ranges)), dict[int, Verified]()
    for record in records:
        match record.event:
            case DiceRolled(rolled=rolled) if (
                record.seen_by is None and record.event.seen_by is None
            ):
                by_hand = any(die.source == "hand" for die in rolled)
                found[record.seq] = Verified(record.seq, "hand" if by_hand else "unbound")
                if not by_hand:
                    log.rolls[record.seq] = rolled
            case DiceBound():
                for one in _bound(log, record.seq, record.event):
                    found[one.seq] = one
    return [found[seq] for seq in sorted(found)]


def _bound(log: _Log, seq: int, event: DiceBound) -> Iterator[Verified]:
    """Yield the findings on the rolls that this record proves, and keep its binding."""
    begins = not event.place and not event.seed
    fault = _beginning(log, event) if begins else _fault(log, event)
    if fault and not event.rolls:
        yield Verified(seq, "false", fault)
    # Report a fault of the last row at the next roll too: that is where people look.
    fault, log.fault = (fault or log.fault), None
    if event.rolls:
        missing = _missing(log.last, event)
        verdict: Verdict = "fair"
        if fault:
            verdict = "false"
        elif log.is_new_row:
            verdict = "anew"
        elif missing:
            verdict = "missing"
        elif not event.numbers:
            verdict = "alone"
        for roll in event.rolls:
            known = log.rolls.pop(roll, None) is not None
            yield Verified(roll if known else seq, verdict, fault, () if fault else missing)
        log.is_new_row = False
    else:
        log.fault = fault
    if begins:
        log.is_new_row, log.seats = bool(log.rows), set()
        log.rows.add(event.row)
    log.hashes.add(event.next)
    log.seats |= set(_seats(event.sealed))
    log.last, log.last_at = event, seq


def _beginning(log: _Log, event: DiceBound) -> Fault | None:
    if event.row in log.rows or event.rolls or event.numbers:
        return "row"
    return _hashes(log, event)


def _hashes(log: _Log, event: DiceBound) -> Fault | None:
    if not is_hex(event.next) or event.next in log.hashes:
        return "again"
    return None if all(is_hex(one.rpartition("=")[2]) for one in event.sealed) else "number"


def _fault(log: _Log, event: DiceBound) -> Fault | None:
    """The fault in a record that opens a binding, or None."""
    last = log.last
    if last is None or event.row != last.row or event.place != last.place + 1:
        return "order"
    if not is_hex(event.seed) or seal(event.seed) != last.next:
        return "seed"
    if len(event.numbers) != len(last.sealed):
        return "number"
    for number, bound in zip(event.numbers, last.sealed, strict=True):
        if number and (not is_hex(number) or seal(number) != bound.rpartition("=")[2]):
            return "number"
    if not event.rolls:
        newcomers = set(_seats(event.sealed)) - log.seats
        return _hashes(log, event) if newcomers or not last.sealed else "thrown"
    in_order = list(event.rolls) == sorted(set(event.rolls)) and event.rolls[0] > log.last_at
    if not in_order or not set(event.rolls) <= log.rolls.keys():
        return "order"
    return _faces(log, event) or _hashes(log, event)


def _faces(log: _Log, event: DiceBound) -> Fault | None:
    chance = FairFaces(event.seed, event.row, event.place, event.numbers)
    left = {name: cards_in(text) for name, text in event.dice.items() if CARDS.fullmatch(text)}
    for die in (die for roll in event.rolls for die in log.rolls[roll]):
        faces, cards = event.dice.get(die.die, ""), left.get(die.die)
        if cards is not None:
            # A card that was drawn is not there for the next draw.
            if not cards or die.face != cards[chance.below(len(cards))]:
                return "faces"
            cards.remove(die.face)
            continue
        if not RANGE.fullmatch(faces) or log.ranges.setdefault(die.die, faces) != faces:
            return "dice"
        first, last = map(int, faces.split("-"))
        if first > last or die.face != first + chance.below(last - first + 1):
            return "faces"
    return None


def _missing(last: DiceBound | None, event: DiceBound) -> tuple[str, ...]:
    if last is None or len(last.sealed) != len(event.numbers):
        return ()
    pairs = zip(_seats(last.sealed), event.numbers, strict=True)
    return tuple(dict.fromkeys(seat for seat, number in pairs if not number))


def _seats(sealed: Sequence[str]) -> list[str]:
    return [one.rpartition("=")[0] for one in sealed]
