"""A played evening: the compressed bytes of the feed for each move and follower.

Evenings of the lab, one for each game with its usual policies: every seat follows from the
beginning to the end. Offers are sent whole and as changes. The first messages of a page are counted
apart; then each move brings its records, as this seat may read them, and the new offers. Nothing
depends on the machine, so a version always prints the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from itertools import islice

from benchmarks import brief
from storypool import systems
from storypool.engine.events import MoveMade
from storypool.engine.game.system import System
from storypool.engine.table import Seat, Table
from storypool.lab.evenings import evening
from storypool.lab.playing import Setting
from storypool.lab.study import prepare
from storypool.live.folded import Step, unfold
from storypool.live.tables import offered
from storypool.web.feeds.seat_view import SeatView, SentView
from storypool.web.wire import Message, Records

GAMES = brief(("starwars", "genesys", "c2d10", "dune", "destinydice"), ("starwars",))
MAX_MOVES = brief(10_000, 10)
GOAL = 3000
"""The most bytes for a move and a follower, on average."""


def played(key: str) -> tuple[int, list[Step]]:
    """An evening, and its first record."""
    lab = prepare(evening(key), Setting(), 1, keep=True)
    lab.play(1)
    return len(lab.begins.records), unfold(lab.records)


def moves(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """The steps of each move."""
    made: list[Step] = []
    for step in steps:
        if isinstance(step.record.event, MoveMade) and made:
            yield made
            made = []
        made.append(step)
    yield made


def travelled(
    system: System, before: Step, evening: Sequence[Step]
) -> tuple[int, int, dict[str, int]]:
    """The number of moves and of followers, and the bytes of each kind that all of them read."""
    seats = [seat for seat in before.after.seats.values() if seat.here]
    written, sent = Records(), {seat.id: SentView() for seat in seats}
    whole, brief = {seat.id: Wire() for seat in seats}, {seat.id: Wire() for seat in seats}
    read, n = {"records": 0, "whole": 0, "as changes": 0, "on coming": 0}, 0

    def shown(table: Table, seat: Seat, brief: bool) -> SeatView:
        return SeatView(offered(system, table, seat.id, brief=brief), seat, system, brief=brief)

    for seat in seats:
        first = sent[seat.id].message(shown(before.after, seat, True))
        read["on coming"] += brief[seat.id].bytes_of(first)
    for made in islice(moves(evening), MAX_MOVES):
        n += 1
        for seat in seats:
            for step in made:
                record = written.message("t", step, seat, system)
                read["records"] += brief[seat.id].bytes_of(record)
            table = made[-1].after
            read["whole"] += whole[seat.id].bytes_of(shown(table, seat, False).message)
            changes = sent[seat.id].message(shown(table, seat, True))
            read["as changes"] += brief[seat.id].bytes_of(changes)
    return n, len(seats), read


class Wire:
    """A connection, compressed as uvicorn does it."""

    def __init__(self) -> None:
        self._packer = zlib.compressobj(wbits=-12, memLevel=5)

    def bytes_of(self, message: Message) -> int:
        """The bytes of the next message."""
        packed = self._packer.compress(message.json) + self._packer.flush(zlib.Z_SYNC_FLUSH)
        return len(packed) - 4


def main() -> None:
    """Print the figures of each game."""
    for key in GAMES:
        begins, steps = played(key)
        n, followers, read = travelled(systems.get(key), steps[begins - 1], steps[begins:])
        each = {kind: bytes / n / followers for kind, bytes in read.items()}
        sent = each["records"] + each["as changes"]
        print(
            f"{key:12} {n:4} moves, {followers} followers: {sent:5.0f} bytes for a move and a"
            f" follower, at most {GOAL} (records {each['records']:.0f}, as changes"
            f" {each['as changes']:.0f}; whole {each['whole']:.0f}; on coming"
            f" {read['on coming'] / followers:.0f} once)"
        )
