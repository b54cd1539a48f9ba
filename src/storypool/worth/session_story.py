"""The story of a session for people outside of the table: what everybody there saw.

It is computed from the log as a reader without a seat gets it (`sight.view(records, None)`), so
nothing hidden is in it, and what was taken back later is not in it either.
"""

from collections import deque
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field, replace

from storypool.engine import events
from storypool.engine.dice import Die, Rolled
from storypool.engine.events import Record
from storypool.engine.fold import evolve, kept_records
from storypool.engine.game.system import System
from storypool.engine.story import sentence
from storypool.engine.table import Check, Table, Team
from storypool.worth.session import (
    MAX_HINGES,
    SessionRecap,
    part_recap,
    points_of,
    session_recap,
    spent_accounts,
)
from storypool.worth.session_view import SessionView, view_session

LAST_LINES = 6
"""The last lines of the log that a story ends with."""
LOOKED_THROUGH = 60
"""The records at the end of a session in which its last lines are found."""
MAX_PEOPLE = 24
"""The most portraits of a story."""
MAX_SPENDS = 12
"""The most spends that a story lists one by one."""


@dataclass(frozen=True, slots=True)
class Throw:
    """A roll: its record, who tried what, each die with its face, and the result.

    `dice` are the dice with their faces as they count in the action. `about` says why it mattered.
    `seqs` are the records of all its rolls, `proof` the finding on them: "fair", "hand", "false" or
    "" if they cannot be verified.
    """

    seq: int
    who: str
    title: str
    rolled: tuple[Rolled, ...]
    dice: tuple[Die, ...]
    words: str = ""
    passed: bool | None = None
    about: str = ""
    seqs: tuple[int, ...] = ()
    proof: str = ""


@dataclass(frozen=True, slots=True)
class Player:
    """A character of the players with the name of their seat, and a portrait or ""."""

    name: str
    seat: str
    picture: str


@dataclass(frozen=True, slots=True)
class Story:
    """A session as everybody at the table saw it; times are in milliseconds since 1970, UTC."""

    title: str
    session: int
    began: int
    scenes: Sequence[str]
    people: Sequence[Player]
    throws: Sequence[Throw]
    last: Sequence[str]
    whole: SessionView


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A session in a list: its number, when it began, who was there, its points and a line."""

    session: int
    began: int
    running: bool
    people: Sequence[str]
    spent: int
    line: str


@dataclass(slots=True)
class _Throws:
    """The rolls of a log, each as it was at its end, while the records are read in order."""

    system: System
    table: Table = field(default_factory=Table)
    by_seq: dict[int, str] = field(default_factory=dict)
    found: dict[str, Throw] = field(default_factory=dict)

    def take(self, record: Record) -> None:
        """Read one more record."""
        event, before = record.event, self.table
        match event:
            case events.DiceRolled(check=id) if id in before.checks:
                self.by_seq[record.seq] = id
            case events.DiceRolled() if event.rolled:
                self.by_seq[record.seq] = id = f"#{record.seq}"
                self.found[id] = self._loose(record, event)
            case events.CheckChanged(check) if check.rolled:
                self.found[check.id] = self._of(check)
        self.table = evolve(before, event)

    def mattered(self, seq: int, about: str) -> Throw:
        """The roll of a record with the reason why it mattered."""
        id = self.by_seq[seq]
        seqs = tuple(one for one, of in self.by_seq.items() if of == id)
        return replace(self.found[id], seq=seq, about=about, seqs=seqs)

    def _of(self, check: Check) -> Throw:
        system, actor = self.system.played_at(self.table), self.table.characters.get(check.actor)
        bound = system.bind(self.table, check) if system.bind else ()
        seq = next((seq for seq, id in self.by_seq.items() if id == check.id), 0)
        return Throw(
            seq,
            actor.name if actor else "",
            check.title,
            rolled=check.rolled,
            dice=_dice(system, check.rolled, bound),
            words=check.outcome.words if check.outcome else "",
            passed=check.outcome.passed if check.outcome else None,
        )

    def _loose(self, record: Record, event: events.DiceRolled) -> Throw:
        """The roll of dice without an action."""
        system, seat = self.system.played_at(self.table), self.table.seats.get(record.seat)
        words = sentence(record, self.table, system)
        dice = _dice(system, event.rolled, ())
        who = seat.name if seat else ""
        return Throw(record.seq, who, event.why, rolled=event.rolled, dice=dice, words=words)


def _dice(system: System, rolled: Sequence[Rolled], bound: Sequence[Die]) -> tuple[Die, ...]:
    """The die of each rolled one, as it counts in its action."""
    known = {die.name: die for die in system.dice}
    found = []
    for i, one in enumerate(rolled):
        own = bound[i] if i < len(bound) and bound[i].name == one.die else known.get(one.die)
        found.append(own or Die(one.die, ()))
    return tuple(found)


def throw_at(records: Iterable[Record], system: System, seq: int) -> Throw | None:
    """The roll of a record, as its action has it now; None for any other record."""
    throws = _Throws(system)
    for record in kept_records(records):
        throws.take(record)
    return throws.found.get(throws.by_seq.get(seq, ""))


def sessions_of(kept: Sequence[Record]) -> dict[int, tuple[int, int]]:
    """Where each session of a log without undone records begins, and where it ends, by number."""
    begins = [
        (i, record.event.number)
        for i, record in enumerate(kept)
        if isinstance(record.event, events.PeriodBegan) and record.event.kind == "session"
    ]
    ends = [i for i, _ in begins[1:]] + [len(kept)] * bool(begins)
    return {
        number: (start, _end_of(kept, start, end))
        for (start, number), end in zip(begins, ends, strict=True)
    }


def _end_of(kept: Sequence[Record], start: int, end: int) -> int:
    """The index behind the end of a session that began at `start`."""
    for i in range(start, end):
        event = kept[i].event
        if isinstance(event, events.PeriodEnded) and event.kind == "session":
            return i + 1
    return end


def story_of(
    records: Iterable[Record], system: System, session: int, *, chances: bool, seconds: float
) -> Story | None:
    """The story of a session from what its readers may see; None if there is no such session."""
    whole_log = kept_records(records)
    if (there := sessions_of(whole_log).get(session)) is None:
        return None
    start, kept = there[0], whole_log[: there[1]]
    throws, tail = _Throws(system), deque[tuple[Record, Table]](maxlen=LOOKED_THROUGH)
    for i, record in enumerate(kept):
        if i > start:
            tail.append((record, throws.table))
        throws.take(record)
    table = throws.table
    found = session_recap(kept, system, chances=chances, seconds=seconds)
    whole = view_session(found, system, table.title)
    about = {one.seq: one.text for one in whole.hinges}
    rolls = [seq for seq in throws.by_seq if seq > kept[start].seq]
    chosen = list(about) or [seq for seq in rolls if _is_decided(throws, seq)][-MAX_HINGES:]
    mattered = [
        throws.mattered(seq, about.get(seq, ""))
        for seq in chosen
        if throws.by_seq.get(seq) in throws.found
    ]
    scenes = [
        record.event.title
        for record in kept[start:]
        if isinstance(record.event, events.PeriodBegan) and record.event.kind == "scene"
    ]
    return Story(
        table.title,
        session,
        kept[start].at,
        scenes=[title for title in scenes if title],
        people=_people(table, kept[start:])[:MAX_PEOPLE],
        throws=mattered,
        last=list(_lines(tail, system))[-LAST_LINES:],
        whole=whole,
    )


def _is_decided(throws: _Throws, seq: int) -> bool:
    found = throws.found.get(throws.by_seq[seq])
    return found is not None and found.passed is not None


def _people(table: Table, part: Sequence[Record]) -> list[Player]:
    """The characters of the players who did something in these records; all if nobody did."""
    there = {record.seat for record in part}
    people = [
        (one, table.seats[one.seat])
        for one in table.characters.values()
        if one.team is Team.PLAYERS and one.seat in table.seats
    ]
    acted = [(one, seat) for one, seat in people if seat.id in there]
    return [Player(one.name, seat.name, one.picture) for one, seat in acted or people]


def _lines(tail: Iterable[tuple[Record, Table]], system: System) -> Iterator[str]:
    """The sentences of words, results and facts, without pools, points and settings."""
    for record, before in tail:
        if _is_in_the_story(record.event, before):
            text = sentence(record, before, system.played_at(before))
            if text:
                yield text


def _is_in_the_story(event: events.Event | None, before: Table) -> bool:
    match event:
        case events.CheckChanged(check):
            old = before.checks.get(check.id)
            return check.outcome is not None and (old is None or old.outcome is None)
        case events.DiceRolled(check=id):
            return id not in before.checks
        case events.Said() | events.TraitSet() | events.TraitRemoved():
            return True
    return False


def campaign_of(
    records: Iterable[Record], system: System, known: MutableMapping[int, SessionLine]
) -> list[SessionLine]:
    """A line for each session, the latest first, from what its readers may see.

    `known` keeps the lines of sessions that were counted before, by their last records: the records
    before one stay the same.
    """
    found, table, last = list[SessionLine](), Table(), 0
    kept = kept_records(records)
    spent = spent_accounts(kept, system)
    for number, (start, end) in sessions_of(kept).items():
        for record in kept[last:start]:
            table = evolve(table, record.event)
        began = kept[start].at
        part, before = kept[start:end], table
        for record in part:
            table = evolve(table, record.event)
        if (line := known.get(part[-1].seq)) is None:
            recap = part_recap(part, system, before, (number, began), spent)
            people = [one.name for one in _people(table, part)]
            line = _line(recap, began, people, system)
            if not line.running:
                known[part[-1].seq] = line
        found.append(line)
        last = end
    return found[::-1]


def _line(recap: SessionRecap, began: int, people: Sequence[str], system: System) -> SessionLine:
    lines = {line.kind: line.text for line in recap.short.lines}
    return SessionLine(
        recap.short.session,
        began,
        recap.short.running,
        people=people,
        spent=sum(points_of(one, system).total() for one in recap.spends),
        line=next((lines[kind] for kind in _ONE_LINE if kind in lines), ""),
    )


_ONE_LINE = ("scenes", "ended", "facts", "quotes", "best", "rolls", "length")
"""The kinds of lines that may stand for a session in a list, the best first."""
