"""A played evening: the bytes of the feed for each move and follower, with offers whole and in
parts.

Evenings of the lab, one of each game with its usual policies: every seat follows from the beginning
of the evening to its end. What a page reads when it comes is apart; from then on each move brings
its records, as this seat may read them, and what the seat is shown after it. Nothing depends on the
machine, so the same version prints the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from benchmarks import brief
from storypool import systems
from storypool.engine.events import MoveMade
from storypool.engine.game.system import System
from storypool.lab.evenings import evening
from storypool.lab.playing import Setting
from storypool.lab.study import prepared
from storypool.live.folded import Step, unfold
from storypool.live.tables import offered
from storypool.web.feeds.parts import Parts, SeatView
from storypool.web.wire import Records

GAMES = brief(("starwars", "genesys", "c2d10", "dune", "destinydice"), ("starwars",))
MAX_MOVES = brief(10_000, 10)
GOAL = 3000
"""The most bytes for a move and a follower, on average."""


def played(key: str) -> tuple[int, list[Step]]:
    """Return an evening, and the record with which it begins."""
    lab = prepared(evening(key), Setting(), 1, keep=True)
    lab.play(1)
    return len(lab.begins.records), unfold(lab.records)


def moves(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Yield the steps of each move."""
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
    """Return how many moves there were, how many followers, and the bytes of each kind that all of
    them read.
    """
    seats = [seat for seat in before.after.seats.values() if seat.here]
    written, parts = Records(), {seat.id: Parts() for seat in seats}
    read, n = {"records": 0, "whole": 0, "in parts": 0, "on coming": 0}, 0
    for seat in seats:
        first = SeatView(offered(system, before.after, seat.id), seat, system)
        read["on coming"] += len(parts[seat.id].message(first).json)
    for made in islice(moves(evening), MAX_MOVES):
        n += 1
        for seat in seats:
            shown = SeatView(offered(system, made[-1].after, seat.id), seat, system)
            for step in made:
                record = written.message("t", step, seat, system)
                parts[seat.id].hear(record)
                read["records"] += len(record.json)
            read["whole"] += len(shown.message.json)
            read["in parts"] += len(parts[seat.id].message(shown).json)
    return n, len(seats), read


def main() -> None:
    """Print the figures of each game."""
    for key in GAMES:
        begins, steps = played(key)
        n, followers, read = travelled(systems.get(key), steps[begins - 1], steps[begins:])
        each = {kind: bytes / n / followers for kind, bytes in read.items()}
        sent = each["records"] + each["in parts"]
        print(
            f"{key:12} {n:4} moves, {followers} followers: {sent:5.0f} bytes for a move and a"
            f" follower, at most {GOAL} (records {each['records']:.0f}, in parts"
            f" {each['in parts']:.0f}; whole {each['whole']:.0f}; on coming"
            f" {read['on coming'] / followers:.0f} once)"
        )
