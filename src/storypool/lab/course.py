"""The course of an evening: its first table, its waits, its spenders, and the answers.

The player of evenings and the solver both use it, so both take the same actions through the same
windows.
"""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from storypool.engine import house
from storypool.engine.decisions import Decision, decision_of
from storypool.engine.events import Record
from storypool.engine.game.asks import AskView
from storypool.engine.game.kit import Roll
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.game.waits import Wait, gms
from storypool.engine.offers import offer
from storypool.engine.refusal import Refusal, Refused, nearest
from storypool.engine.table import Table
from storypool.lab.evenings import Evening, MoveLine
from storypool.lab.position import Position
from storypool.play import perform, read
from storypool.words import Phrase, StorypoolError

AGREEING = {"proposal.accept", "consent.give"}
"""The moves that agree to a proposal."""


class EveningStuck(StorypoolError, RuntimeError):
    """An evening that cannot go on: an endless action, or a wait that no move answers."""


@dataclass(frozen=True, slots=True)
class StartingTable:
    """A table at which an evening can begin, made once for many: game, table and log."""

    system: System
    evening: Evening
    table: Table
    records: tuple[Record, ...]


def opening(system: System, evening: Evening, options: Mapping[str, str]) -> StartingTable:
    """The first table of an evening with these options; `PlayError` for an invalid beginning.

    `Refused` for an unknown move, option or value.
    """
    named = [deed.line for deed in evening.deeds] + [
        *evening.players.spends,
        *evening.gm.spends,
        *evening.goes_on,
    ]
    unknown = next((line.move for line in named if line.move not in system.by_key), None)
    if unknown is not None:
        near = ", ".join(nearest(unknown, system.by_key)) or ", ".join(system.by_key)
        raise Refused(
            Refusal.of(
                "unknown", Phrase("lab.evening.move", move=unknown[:40], near=near), "evening"
            )
        )
    lines = [line for line in evening.table.strip().splitlines() if line.strip()]
    trusted = {"trust": "players_set"} if system.has_gm else {}
    chosen = {**trusted, **options}
    house.checked_options(system, chosen)
    head = " ".join(
        [
            f"table {evening.system} title={shlex.quote(evening.title)}",
            *(f"{key}={n}" for key, n in chosen.items()),
        ]
    )
    performance = perform(read("\n".join([head, *lines]) + "\n"), lambda key, language: system)
    return StartingTable(system, evening, performance.table, tuple(performance.records))


class Course:
    """The course of an evening from any of its tables; it is stateless."""

    def __init__(self, begins: StartingTable) -> None:
        self.system, self.evening = begins.system, begins.evening
        self._goes_on = {line.move: (rank, line) for rank, line in enumerate(self.evening.goes_on)}
        seats = begins.table.seats.values()
        self.masters = list(gms(begins.table))
        self.players = [seat.id for seat in seats if seat.side == "player"]
        self.seats = {seat.name: seat.id for seat in seats}
        self._begins = {deed.line.move for deed in self.evening.deeds}

    def waits(self, table: Table) -> Iterator[Wait]:
        """The waits of the table other than for a new attempt, in a GM's view; proposals first."""
        turn = Turn(self.system, table, table.seats[self.masters[0]], "")
        waits = chain.from_iterable(rule(turn) for rule in self.system.waits)
        found = (wait for wait in waits if not self._begins.issuperset(wait.moves))
        if not table.proposals:
            return found
        return iter(sorted(found, key=lambda wait: AGREEING.isdisjoint(wait.moves)))

    def spenders(self, table: Table, wait: Wait) -> tuple[str, str]:
        """The seats that may spend before a wait is answered: the one asked, then the opponent."""
        asked = wait.whom[0] if wait.whom else self.masters[0]
        others = self.players if table.seats[asked].side == "gm" else self.masters
        return asked, next((id for id in others if id != asked), asked)

    def position(self, table: Table, seat: str, to_come: int) -> Position:
        """The view of a seat, and its spends."""
        return Position(
            self.system,
            table,
            seat,
            lines=self.evening.means(table.seats[seat].side),
            to_come=to_come,
            evening=self.evening,
        )

    def answered(self, table: Table, wait: Wait, roll: Roll) -> Decision | None:
        """The decided move that answers a wait, by one of the seats asked or else a GM.

        None if nobody can answer it.
        """
        known = self._goes_on
        moves = sorted(wait.moves, key=lambda key: known[key][0] if key in known else len(known))
        for seat in dict.fromkeys((*wait.whom, *self.masters)):
            for key in moves:
                if table.seats[seat].side not in self.system.by_key[key].by:
                    continue
                line = known[key][1] if key in known else MoveLine(key)
                args = {
                    **wait.args,
                    **line.ways[0],
                    **({"check": wait.check} if wait.check else {}),
                }
                try:
                    return decision_of(self.system, table, seat, key, args, roll=roll)
                except Refused as no:
                    if no.refusal.code != "argument":
                        continue
                made = self._completed(table, seat, key, args, roll)
                if made is not None:
                    return made
        return None

    def _completed(
        self, table: Table, seat: str, key: str, args: Mapping[str, object], roll: Roll
    ) -> Decision | None:
        """Answer the open questions of a move one by one, and decide it.

        None if it is not possible.
        """
        args = dict(args)
        for _ in range(12):
            asks = offer(self.system, table, seat, key, args).asks
            ask = next(
                (
                    one
                    for one in asks
                    if one.needed and one.default is None and one.name not in args
                ),
                None,
            )
            if ask is None:
                break
            args[ask.name] = _usual(ask)
        try:
            return decision_of(self.system, table, seat, key, args, roll=roll)
        except Refused:
            return None


def _usual(ask: AskView) -> object:
    """A valid answer to a question: its preset, first open choice, least number, or some words."""
    if ask.preset is not None:
        return ask.preset
    choices = [choice.value for choice in ask.choices if not choice.closed]
    if choices:
        return choices[0]
    return {"number": ask.low, "flag": False}.get(ask.kind, "So be it")
