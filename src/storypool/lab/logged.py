"""An evening derived from a table's own log: its seats, its attempts, and its spends."""

import json
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from storypool.engine.decisions import decision_of
from storypool.engine.dice import Die
from storypool.engine.events import CheckOpened, Event, MoveMade, PeriodBegan, Record, TraitSet
from storypool.engine.fold import evolve, kept_records
from storypool.engine.game.system import System
from storypool.engine.ledger import has_price
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.table import Character, Side, Table, Value
from storypool.lab.course import opening
from storypool.lab.evenings import Evening, Means, MoveLine, evenings, read
from storypool.play import PlayError
from storypool.words import Phrase

KEY = "logged"
"""The name of the evening in the file."""
TABLE_ONLY_ARGS = ("check", "secret", "faces")
"""Arguments that are specific to a table."""


@dataclass(slots=True)
class _Made:
    """One move of the log: the table before it, its event, and the events that followed."""

    before: Table
    event: MoveMade
    after: list[Event] = field(default_factory=list)


def logged(records: Sequence[Record], system: System) -> str:
    """The evening that was played in a log, as the text of a file; `Refused` without attempts.

    It includes the public moves, without those undone. An attempt that needs things absent at the
    beginning is left out, such as one against a character who came later and left.
    """
    table, moves, scenes = _replay(records)
    if not any(one.side == "gm" for one in table.seats.values()):
        raise Refused(Refusal.of("argument", Phrase("lab.logged.gm"), "file"))
    seated = list(_seats(table, system))
    begins = _Beginning(system, table.options, seated)
    for line in _settings(moves):
        begins.also(line)
    found = (next(filter(begins.may, ways), "") for ways in _deeds(moves, system))
    deeds = Counter(line for line in found if line)
    if not deeds:
        raise Refused(Refusal.of("argument", Phrase("lab.logged.nothing"), "file"))
    brought = _brought(system)
    scenes = max(1, min(scenes, deeds.total()))
    parts = [
        f"title = {_quoted(table.title)}",
        f"table = {_quoted(begins.text)}",
        f"scenes = {scenes}",
        f"actions = {max(1, round(deeds.total() / scenes))}",
        f"goes_on = {_listed(map(_written, brought.goes_on if brought else ()))}",
        f"pools = {_listed(brought.pools if brought else ())}",
    ]
    for side, seats, usual in (
        ("players", "player", brought.players if brought else Means()),
        ("gm", "gm", brought.gm if brought else Means()),
    ):
        spends = list(dict.fromkeys(_spends(moves, system, seats))) or [
            _written(one) for one in usual.spends
        ]
        parts.append(f"{side} = {{ spends = {_listed(spends)}, policy = {_quoted(usual.policy)} }}")
    lines = [f"{_quoted(line)} = {n}" for line, n in deeds.items()]
    text = "\n".join([f"[{KEY}]", *parts, "", f"[{KEY}.deeds]", *lines]) + "\n"
    read(system.key, text)
    return text


def _replay(records: Iterable[Record]) -> tuple[Table, list[_Made], int]:
    """The table at the end of a log, its moves, and its number of scenes."""
    table, moves, scenes = Table(), list[_Made](), 0
    for record in kept_records(records):
        event = record.event
        if isinstance(event, MoveMade) and not event.aside:
            moves.append(_Made(table, event))
        elif event is not None and moves:
            moves[-1].after.append(event)
        if isinstance(event, PeriodBegan) and event.kind == "scene":
            scenes += 1
        table = evolve(table, event)
    return table, moves, scenes


class _Beginning:
    """The first table of the evening, as the lines of a play, each tried before it is added."""

    def __init__(self, system: System, options: Mapping[str, str], lines: Sequence[str]) -> None:
        self.system, self._lines, self._later = system, list(lines), list[str]()
        known = {option.key for option in system.options}
        self._options = {
            key: value for key, value in options.items() if key in known and key != "trust"
        }
        master = next(line.split()[1] for line in lines if line.endswith("side=gm"))
        self._begins = f"{master} session.begin"
        self.table = self._table()

    @property
    def text(self) -> str:
        """The lines, for a file."""
        return self._text(self._begins)

    def _text(self, *begins: str) -> str:
        return "\n".join([*self._lines, *begins, *self._later]) + "\n"

    def also(self, line: str) -> None:
        """Add one more move, if it is possible at this table."""
        self._later.append(line)
        try:
            self.table = self._table()
        except PlayError:
            self._later.pop()

    def may(self, line: str) -> bool:
        """Whether this attempt is possible."""
        who, _, move = line.partition(" ")
        seat = next(one for one in self.table.seats.values() if shlex.split(who)[0] == one.name)
        made = MoveLine.read(move)
        try:
            decision_of(self.system, self.table, seat.id, made.move, made.ways[0], roll=_first_face)
        except Refused:
            return False
        return True

    def _table(self) -> Table:
        """The table in the middle of a session, after the moves that a session begins with."""
        evening = Evening(
            self.system.key,
            KEY,
            KEY,
            table=self._text(),
            scenes=1,
            actions=1,
            deeds=(),
            players=Means(),
            gm=Means(),
        )
        return opening(self.system, evening, self._options).table


def _first_face(die: Die) -> int:
    return die.first


def _seats(table: Table, system: System) -> Iterator[str]:
    """The seats and their characters as lines of a play."""
    masters = [one for one in table.seats.values() if one.side == "gm"]
    for seat in table.seats.values():
        if seat.side != "spectator":
            yield f"seat {shlex.quote(seat.name)} side={seat.side}"
    for one in table.characters.values():
        owner = table.seats.get(one.seat) or masters[0]
        if one.side != "none" and one.seen_by is None and owner.side != "spectator":
            numbers = " ".join(f"{key}={shlex.quote(str(n))}" for key, n in _values(one, system))
            named = f"name={shlex.quote(one.name)} side={one.side}"
            yield f"seat {shlex.quote(owner.name)} {one.id}: {named} {numbers}".rstrip()


def _values(one: Character, system: System) -> Iterator[tuple[str, Value]]:
    entries = {entry.key: entry for entry in system.sheet}
    for key, value in one.sheet.items():
        entry = entries.get(key)
        if entry is not None and value != "" and entry.fits(value):
            yield key, value


def _settings(moves: Iterable[_Made]) -> Iterator[str]:
    """The moves that only set traits, as lines of a play."""
    for made in moves:
        if (
            made.event.seen_by is None
            and made.after
            and all(isinstance(event, TraitSet) for event in made.after)
        ):
            yield _line(made, made.event.args)


def _needed(made: _Made, system: System) -> Mapping[str, Value]:
    """The arguments of a move without which it would have been a different move."""
    event = made.event
    args = {name: value for name, value in event.args.items() if name not in TABLE_ONLY_ARGS}
    about = {"check": event.check} if event.check else {}
    for name in list(args):
        without = {key: value for key, value in args.items() if key != name}
        try:
            [same, *_] = decision_of(
                system, made.before, event.seat, event.move, {**without, **about}, roll=_first_face
            ).events
        except Refused:
            continue
        if isinstance(same, MoveMade) and {**same.args, **about} == {**event.args, **about}:
            args = without
    return args


def _deeds(moves: Sequence[_Made], system: System) -> Iterator[tuple[str, str]]:
    """Each attempt of the log in two forms: with the GM's decisions, and as declared."""
    for made in moves:
        opened = [event.check for event in made.after if isinstance(event, CheckOpened)]
        if not opened or made.event.seen_by is not None or made.before.checks:
            continue
        check, asks = (
            opened[0],
            system.by_key[made.event.move].asks if made.event.move in system.by_key else (),
        )
        theirs = {ask.name for ask in asks if ask.whose}
        declared = _needed(made, system)
        agreed = dict(declared)
        for other in moves:
            if other.event.check == check.id and other.before.seats[other.event.seat].side == "gm":
                agreed |= {
                    name: value for name, value in other.event.args.items() if name in theirs
                }
        yield _line(made, agreed), _line(made, declared)


def _spends(moves: Iterable[_Made], system: System, side: Side | str) -> Iterator[str]:
    """The spends of this side in actions."""
    for made in moves:
        event = made.event
        seat = made.before.seats.get(event.seat)
        if seat is not None and seat.side == side and event.check and has_price(system, event.move):
            yield _line(made, _needed(made, system)).partition(" ")[2]


def _line(made: _Made, args: Mapping[str, Value]) -> str:
    """A move as a line, without arguments that are specific to its table."""
    kept = {}
    for name, value in args.items():
        if name not in TABLE_ONLY_ARGS and value not in made.before.traits:
            kept[name] = value
    answers = []
    for name, value in kept.items():
        if not isinstance(value, tuple):
            answers.append(f"{name}={shlex.quote(_text_of(value))}")
    seat = made.before.seats[made.event.seat].name
    return " ".join([shlex.quote(seat), made.event.move, *answers])


def _text_of(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("|", "/")


def _written(line: MoveLine) -> str:
    return " ".join(
        [
            line.move,
            *(f"{name}={shlex.quote('|'.join(values))}" for name, values in line.args.items()),
        ]
    )


def _brought(system: System) -> Evening | None:
    try:
        return next(iter(evenings(system.key).values()))
    except Refused:
        return None


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _listed(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"
