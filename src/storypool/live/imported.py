"""Validation of an imported log: moves at a table must be able to produce it."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence

from storypool.contract.finding import Broken
from storypool.contract.table_promises import check_balances
from storypool.engine import events
from storypool.engine.copies import replace
from storypool.engine.events import Event, Record
from storypool.engine.fold import fold_on
from storypool.engine.game.asks import LONGEST_TEXT
from storypool.engine.game.system import System
from storypool.engine.table import LEFT_OUT, Table
from storypool.log.codec import encode
from storypool.log.export import BadFile, Imported, import_table
from storypool.words import Phrase

MAX_TEXT_LENGTH = 10 * LONGEST_TEXT
"""The longest text in a record: texts of a game are longer than those people may type."""
MAX_NAME_LENGTH = 200
"""The longest name, title or id."""
MAX_ENTRIES = 2_000
"""The most entries of a list or a table in a record."""
MAX_NUMBER = 1_000_000
"""The largest number in a record, including balances but not times; no question allows more."""
MAX_RULES = 400
"""The most texts of newer rules in a log: those a table may take over, and some taken back."""
MAX_AHEAD_MS = 24 * 60 * 60 * 1000
"""The most milliseconds by which the last record may be ahead of this computer's clock."""
NOT_IN_IDS = frozenset("@=/ ,")
"""Characters that would make an id look like an audience, or like a part of a limit."""


Encode = Callable[[bytes], Awaitable[bytes]]
"""Encodes a picture again; `BadFile` for one that is not taken."""


def imported(lines: Iterable[bytes], find: Callable[[Table], System], now: int) -> Imported:
    """The records and pictures of an exported file, which `judge` has judged; else `BadFile`."""
    found = import_table(lines)
    if any(one.event is None and one.seen_by != LEFT_OUT for one in found.records):
        raise BadFile(Phrase("log.file.partial"))
    judge(found.records, find, now)
    return found


def judge(records: Sequence[Record], find: Callable[[Table], System], now: int) -> None:
    """Raise `BadFile` with the number of the first record that no move here could have made.

    It checks everything that others rely on: a known game, one opening, seats and ids that cannot
    be mistaken for an audience, known accounts with balances that the game allows, texts of the
    length that people may type, and numbers no larger than those of any table. Times go back only
    if a record says that the clock was set, and end at most a day after `now`, in milliseconds
    since 1970: a new record is never earlier than the one before it.
    """
    wanted = {record.event.to for record in records if isinstance(record.event, events.Rewound)}
    before, past, system, last, taken_over = Table(), {0: Table()}, None, 0, 0
    for record in records:
        try:
            if record.at < last and not (
                isinstance(record.event, events.ClockSet) and record.event.by < 0
            ):
                raise ValueError(Phrase("log.file.backwards"))
            if record is records[-1] and record.at > now + MAX_AHEAD_MS:
                raise ValueError(Phrase("log.file.ahead"))
            last = record.at
            after = fold_on(before, [record], past.__getitem__)
            taken_over += isinstance(record.event, events.RulesChanged)
            if taken_over > MAX_RULES:
                raise ValueError(Phrase("log.file.rules", most=MAX_RULES))
            if system is None or after.game is not before.game:
                system = _game(after, find)
            _judge(record.event, before, after, system)
        except (Broken, ValueError) as error:
            raise BadFile(Phrase("log.file.line", n=record.seq + 1, why=error)) from None
        if record.seq in wanted:
            past[record.seq] = after
        before = after


def _game(table: Table, find: Callable[[Table], System]) -> System:
    try:
        return find(table)
    except LookupError as error:
        raise ValueError(*error.args) from None


def _judge(event: Event | None, before: Table, after: Table, system: System) -> None:
    if event is None:
        return
    if isinstance(event, events.TableOpened) and before.seq:
        raise ValueError(Phrase("log.file.opens_again"))
    for id in _ids(event):
        if not id or len(id) > MAX_NAME_LENGTH or NOT_IN_IDS & set(id):
            raise ValueError(Phrase("log.file.id", id=repr(id[:MAX_NAME_LENGTH])))
    if isinstance(event, (events.SeatTaken, events.CharacterSet)):
        name = event.seat.name if isinstance(event, events.SeatTaken) else event.character.name
        if len(name) > MAX_NAME_LENGTH or not name.strip():
            raise ValueError(Phrase("log.file.name", most=MAX_NAME_LENGTH))
    if isinstance(event, events.TableOpened) and len(event.title) > MAX_NAME_LENGTH:
        raise ValueError(Phrase("log.file.name", most=MAX_NAME_LENGTH))
    if not isinstance(event, events.ClockSet):
        _check_size(encode(_without_game(event)).data)
    check_balances(system, before, after)


def _without_game(event: Event) -> Event:
    """An event without the text of a game, which has its own limit and was already parsed."""
    if isinstance(event, events.TableOpened | events.RulesChanged):
        return replace(event, game="")
    return event


def _ids(event: Event) -> Iterator[str]:
    """The ids that an event introduces."""
    match event:
        case events.SeatTaken(seat):
            yield seat.id
        case events.CharacterSet(character):
            yield character.id
        case events.CheckOpened(check) | events.CheckChanged(check):
            yield check.id
        case events.TraitSet(trait):
            yield trait.id
        case events.PaperSet(paper):
            yield paper.id
        case events.Proposed(proposal):
            yield proposal.id


def _check_size(value: object) -> None:
    """Raise `ValueError` for a text that is too long, a number too large, or too many entries."""
    if isinstance(value, int) and abs(value) > MAX_NUMBER:
        raise ValueError(Phrase("log.file.number", most=MAX_NUMBER))
    if isinstance(value, str):
        if len(value) > MAX_TEXT_LENGTH:
            raise ValueError(Phrase("log.file.long", most=MAX_TEXT_LENGTH))
    elif isinstance(value, (Mapping, list, tuple)):
        if len(value) > MAX_ENTRIES:
            raise ValueError(Phrase("log.file.many", most=MAX_ENTRIES))
        for one in value:
            _check_size(one)
        if isinstance(value, Mapping):
            for one in value.values():
                _check_size(one)
