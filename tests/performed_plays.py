"""Every play of every game, performed once in a process for all tests of the results."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from storypool import systems
from storypool.engine import story
from storypool.engine.events import Record
from storypool.engine.game.system import System
from storypool.engine.table import Table
from storypool.live.folded import Step, unfold
from storypool.play import Performance, Play, PlayError, PlayStep, read

TEXTS = {(key, name): text for key in systems.names() for name, text in systems.plays(key).items()}
PLAYS = tuple(TEXTS)
"""Each play by the key of its game and the name of its file."""


@dataclass(frozen=True)
class Played:
    """A performed play: the result of each statement, the final table and the log."""

    key: str
    name: str
    text: str
    play: Play
    system: System
    statements: tuple[tuple[PlayStep, Table], ...]
    records: tuple[Record, ...]

    @cached_property
    def log(self) -> list[Step]:
        """Each record with the table before and after it, folded only from the log."""
        return unfold(self.records)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentence of each record for a reader who sees all."""
        past = {0: Table(), **{step.record.seq: step.after for step in self.log}}
        return tuple(story.sentences(self.records, self.system, past.__getitem__))


@cache
def played(key: str, name: str) -> Played:
    """This play, performed; `PlayError` at its first broken statement."""
    text = TEXTS[key, name]
    play = read(text, name)
    performance = Performance(play)
    statements = list[tuple[PlayStep, Table]]()
    for step in performance.steps():
        if step.problem is not None:
            raise PlayError(name, step.line, step.problem)
        statements.append((step, performance.table))
    return Played(
        key,
        name,
        text,
        play=play,
        system=performance.system,
        statements=tuple(statements),
        records=tuple(performance.records),
    )


def plays_of(key: str) -> list[Played]:
    """Every play of a game, performed."""
    return [played(*place) for place in PLAYS if place[0] == key]
