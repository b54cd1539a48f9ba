"""A running play: each statement carried out on a table, and its expectations checked."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any, Literal, NamedTuple, cast

from storypool import systems
from storypool.engine import house, story
from storypool.engine.decisions import decide
from storypool.engine.dice import Die, Pile
from storypool.engine.events import (
    CharacterSet,
    DiceRolled,
    Event,
    PeriodBegan,
    PointsSet,
    Record,
    Rewound,
)
from storypool.engine.fold import fold, fold_on
from storypool.engine.game.sheet_text import SheetKeys, lines_of
from storypool.engine.game.system import System
from storypool.engine.notation import NotationError
from storypool.engine.offers import offer, offers
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import of_its_subject, records_of, seen, view
from storypool.engine.table import GM_ONLY, Character, Table, Value
from storypool.log import codec
from storypool.play.expecting import Expectation, expect_offered, purse_named
from storypool.play.text import (
    Acting,
    Fault,
    Offering,
    Opening,
    Play,
    PlayError,
    Pointing,
    Rewinding,
    Seating,
    Seeing,
    Statement,
    fault,
    read,
    whole_number,
)
from storypool.words.folding import alike, half_width
from storypool.words.languages import ENGLISH, Language

CHARACTER_SIDES = ("players", "gm", "none")


class PlayStep(NamedTuple):
    """The result of a statement: its records, its refusal, and its fault if it is broken."""

    line: int
    text: str
    records: tuple[Record, ...]
    refusal: Refusal | None = None
    problem: Fault | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the records."""
        return tuple(record.event for record in self.records if record.event is not None)


@dataclass
class Performance:
    """A running play: its current table, and every record so far.

    It is played in one language. `when` gives the time of a line in milliseconds since 1970; the
    real time is not used.
    """

    play: Play
    find: Callable[[str, Language], System] = systems.get
    when: Callable[[int], int] = lambda line: line * 1000
    language: Language = ENGLISH
    table: Table = field(default_factory=Table)
    records: list[Record] = field(default_factory=list)
    _after: dict[int, int] = field(default_factory=dict)
    _system: System | None = None

    @property
    def system(self) -> System:
        """The game of the play."""
        if self._system is None:
            raise fault("table.none")
        return self._system

    @cached_property
    def _keys(self) -> SheetKeys:
        return SheetKeys(self.system.sheet)

    def steps(self) -> Iterator[PlayStep]:
        """The steps of the play, up to the first broken one; at the end the log is read back."""
        for statement in self.play.statements:
            step = self._step(statement)
            yield step
            if step.problem is not None:
                return
        last = self.play.statements[-1]
        try:
            verify(self)
        except Fault as wrong:
            yield PlayStep(last.line, self.language.program["play.end"], (), problem=wrong)

    def _step(self, statement: Statement) -> PlayStep:
        start, refusal = len(self.records), None
        problem: Fault | None = None
        try:
            refusal = self._perform(statement)
        except Fault as wrong:
            problem = wrong
            if isinstance(wrong.__cause__, Refused):
                refusal = wrong.__cause__.refusal
        except NotationError as error:
            problem = fault("notation", why=error.reason)
        except Refused as refused:
            refusal, problem = (
                refused.refusal,
                fault("table.refused", code=refused.refusal.code, text=refused),
            )
        self._after[statement.line] = self.table.seq
        return PlayStep(
            statement.line, statement.text, tuple(self.records[start:]), refusal, problem
        )

    def _perform(self, statement: Statement) -> Refusal | None:
        match statement:
            case Opening():
                self._open(statement)
            case Seating():
                self._seat(statement)
            case Pointing(points=points):
                self._keep(
                    statement.line, "", [self._balance_set(name, n) for name, n in points.items()]
                )
            case Acting():
                return self._act(statement)
            case Seeing(seat=seat, sees=sees, words=words):
                wanted = alike(words)
                if any(wanted in alike(text) for text in self.in_sight(seat)) != sees:
                    raise fault("unseen" if sees else "seen", words=words, seat=seat)
            case Offering():
                self._expect_offer(statement)
            case Rewinding(line=line, to=to):
                self._rewind(line, to)
        return None

    def _keep(self, line: int, seat: str, events: Iterable[Event]) -> None:
        new = records_of(events, seat, self.table.seq, self.when(line))
        self.table = fold_on(self.table, new, lambda seq: fold(self.records[:seq]))
        self.records += new

    def _open(self, opening: Opening) -> None:
        try:
            self._system = self.find(opening.system, self.language)
        except systems.UnfitSystem as error:
            raise fault("game.unfit", game=error.key, why=error) from None
        except systems.UnknownSystem as error:
            raise fault("game", game=error.key, known=", ".join(error.known)) from None
        options = dict(opening.options)
        title = options.pop("title", "") or self.play.file.rpartition("/")[2].removesuffix(".play")
        events: list[Event] = [house.open_table(self.system, title, options)]
        if opening.session:
            events += [PeriodBegan("session", 1), PeriodBegan("scene", 1)]
        self._keep(opening.line, "", events)

    def _seat(self, seating: Seating) -> None:
        line = seating.line
        taken = next(
            (s for s in self.table.seats.values() if alike(s.name) == alike(seating.seat)), None
        )
        if taken is not None and seating.side is not None:
            raise fault("seat.twice", seat=seating.seat)
        if taken is None:
            sat = house.take_seat(self.system, self.table, seating.seat, seating.side or "player")
            taken = sat.seat
            self._keep(line, "", [sat])
        if not seating.character:
            return
        entries = dict(seating.entries)
        side = entries.pop("side", "gm" if taken.side == "gm" else "players")
        if side not in CHARACTER_SIDES:
            raise fault("side", side=side, known=", ".join(CHARACTER_SIDES))
        name, secret = entries.pop("name", seating.character), entries.pop("secret", "no")
        if secret not in ("yes", "no") or (secret == "yes" and side != "gm"):
            raise fault("secret", secret=secret, side=side)
        id = house.slug(seating.character, ())
        if id in self.table.characters:
            raise fault("character.twice", character=seating.character)
        sheet = dict(self._entry(key, value) for key, value in entries.items())
        mine = "" if taken.side == "gm" else taken.id
        hidden = GM_ONLY if secret == "yes" else None
        character = Character(
            id,
            name,
            cast(Literal["players", "gm", "none"], side),
            seat=mine,
            sheet=sheet,
            seen_by=hidden,
        )
        self._keep(line, "", [CharacterSet(character)])

    def _entry(self, name: str, value: str) -> tuple[str, Value]:
        """An entry of a sheet as its key and a value that it can hold; a `Fault` if unknown."""
        keys = self._keys
        key = keys.find(name)
        if key is None:
            near = self.system.words["list.or"].join(keys.near(name))
            raise fault("key.near" if near else "key", key=name, near=near)
        entry, digits = keys.entries[key], half_width(value)
        if entry.text:
            if not entry.fits(text := lines_of(value)):
                raise fault("entry.text", key=key, most=entry.text, lines=entry.lines)
            return key, text
        if not digits.removeprefix("-").isdecimal() or not entry.low <= int(digits) <= entry.high:
            raise fault("entry", key=key, value=value, low=entry.low, high=entry.high)
        return key, int(digits)

    def _balance_set(self, name: str, n: int) -> Event:
        account, owner = purse_named(self.system, self.table, name)
        row = self.system.by_account[account]
        least, most = row.least(self.table, owner), row.most(self.table, owner)
        if n < least or (most is not None and n > most):
            id = "points" if most is None else "points.most"
            raise fault(id, name=name, n=n, least=least, most=most)
        why = self.language.program["play.set_up"]
        return of_its_subject(
            PointsSet(account, owner, n, n - self.table.balance(account, owner), why), self.table
        )

    def _seat_id(self, name: str) -> str:
        for seat in self.table.seats.values():
            if alike(name) in (alike(seat.name), seat.id) and seat.here:
                return seat.id
        here = ", ".join(seat.name for seat in self.table.seats.values() if seat.here)
        raise fault("seat" if here else "seat.none", name=name, known=here)

    # Moves.

    def _act(self, acting: Acting) -> Refusal | None:
        seat = self._seat_id(acting.seat)
        faces = Faces(acting.dice)
        events: list[Event] = []
        refusal: Refusal | None = None
        # Check the refusal first: if it is unexpected, it also breaks the rest of the line.
        expects = sorted(acting.expects, key=lambda words: words[0] != "refused:")
        refused_for = ""
        if expects and expects[0][0] == "refused:":
            refused_for = expects[0][1]
        try:
            events = decide(
                self.system,
                self.table,
                seat,
                acting.move,
                acting.args,
                roll=faces,
                override=acting.override,
            )
            faces.done()
        except Fault:
            if refused_for:
                raise fault("made", code=refused_for) from None
            raise
        except Refused as refused:
            refusal = refused.refusal
            if not refused_for:
                text = f"{refusal.text} {refusal.remedy}".strip()
                raise fault("refused", code=refusal.code, text=text) from refused
        self._keep(acting.line, seat, events)
        expected = Expectation(self.system, self.table, self.records, events, refusal)
        for words in expects:
            expected.expect(words)
        return refusal

    # Views, offers, rewinds.

    def in_sight(self, seat_name: str) -> Iterator[str]:
        """What a seat receives, as text: its log as fields and sentences, its table, its offers."""
        seat = self.table.seats[self._seat_id(seat_name)]
        ours = view(self.records, seat)
        texts: list[str] = []
        table = Table()
        for record in ours:
            texts += _texts(record.event)
            texts.append(story.sentence(record, table, self.system))
            table = fold_on(table, [record], lambda seq: fold(ours[:seq]))
        yield "\n".join(texts)
        yield "\n".join(_texts(seen(self.table, seat)))
        yield "\n".join(_texts(offers(self.system, self.table, seat.id)))

    def _expect_offer(self, offering: Offering) -> None:
        seat = self._seat_id(offering.seat)
        try:
            found = offer(self.system, self.table, seat, offering.move, self._answers(offering))
        except Refused as refused:
            raise fault("move", code=refused.refusal.code, text=refused) from None
        closed = found.closed
        if offering.offered and closed is not None:
            raise fault("closed", move=offering.move, code=closed.code, text=closed.text)
        if not offering.offered and closed is None:
            id = "open.because" if offering.code else "open"
            raise fault(id, move=offering.move, code=offering.code)
        if closed is not None and offering.code:
            because = {"code": closed.code, "text": closed.text}
            if offering.code != closed.code or alike(offering.words) not in alike(closed.text):
                expected = f"{offering.code} {offering.words}".strip()
                raise fault("because", move=offering.move, expected=expected, **because)
        for words in offering.expects:
            expect_offered(found, words)

    def _answers(self, offering: Offering) -> dict[str, Value]:
        """The answers of an offer as its form would give them: whole numbers, and yes or no."""
        move, answers = self.system.by_key.get(offering.move), dict[str, Value](offering.args)
        if move is None:
            return answers
        asks = {ask.name: ask for ask in move.asks}
        for name, value in offering.args.items():
            if name not in asks:
                raise fault("answer", name=name, known=", ".join(asks))
            if asks[name].kind == "number":
                answers[name] = whole_number(value, name)
            elif asks[name].kind == "flag":
                answers[name] = value == "yes"
        return answers

    def _rewind(self, line: int, to: int) -> None:
        back = self._after.get(to)
        if back is None:
            raise fault("line", line=to, known=", ".join(map(str, self._after)))
        dice = any(isinstance(record.event, DiceRolled) for record in self.records[back:])
        masters = [seat.id for seat in self.table.seats.values() if seat.side == "gm"]
        what = self.language.program.say("play.line.found", line=to)
        seat = masters[0] if masters else ""
        self._keep(line, seat, [Rewound(back, what, dice)])


class Faces:
    """The dice of a move: the faces given in the play, in order, checked against the dice."""

    def __init__(self, given: tuple[int, ...]) -> None:
        self._given, self._used = given, 0

    def __call__(self, die: Die) -> int:
        if not self._given:
            raise fault("faces.none", die=die.name)
        if self._used == len(self._given):
            raise fault("faces.few", n=len(self._given), die=die.name)
        face = self._given[self._used]
        if isinstance(die, Pile) and face in die.cards:
            # A play names a card by its number, whatever else is left of the deck.
            self._used += 1
            return die.first + die.cards.index(face)
        if isinstance(die, Pile):
            raise fault("faces.card", face=face, die=die.name)
        if not die.first <= face <= die.last:
            at = {"low": die.first, "high": die.last, "die": die.name}
            raise fault("faces.range", face=face, n=self._used + 1, **at)
        self._used += 1
        return face

    def done(self) -> None:
        """Raise a `Fault` if a face is left over."""
        if self._used < len(self._given):
            raise fault("faces.many", n=len(self._given), used=self._used)


def verify(performance: Performance) -> None:
    """Raise a `Fault` unless the log alone makes this table, and each record survives storage."""
    stored = [codec.from_row(*codec.to_row(record)) for record in performance.records]
    for before, after in zip(performance.records, stored, strict=True):
        if before != after:
            raise fault("stored", n=after.seq, found=after, expected=before)
    if fold(stored) != performance.table:
        raise fault("log")


def perform(play: Play | str, find: Callable[[str, Language], System] = systems.get) -> Performance:
    """Run a whole play, or its text; `PlayError` at its first broken statement.

    >>> done = perform("table starwars\\nseat gm side=gm\\npoints light=1\\ngm table.say text=Go")
    >>> done.table.balance("light")
    1
    """
    play = read(play) if isinstance(play, str) else play
    performance = Performance(play, find)
    for step in performance.steps():
        if step.problem is not None:
            raise PlayError(play.file, step.line, step.problem)
    return performance


def _texts(value: object) -> list[str]:
    """Every text in a value, in its fields and its keys, but not the names of fields."""
    texts: list[str] = []
    kind: type = type(value)
    for one in _parts(kind)(value):
        if isinstance(one, str):
            texts.append(one)
        else:
            texts += _texts(one)
    return texts


@cache
def _parts(kind: type) -> Callable[[Any], Iterable[object]]:
    """How to get the values within a value of this type."""
    if issubclass(kind, Mapping):
        return lambda value: chain.from_iterable(value.items())
    if is_dataclass(kind):
        names = [one.name for one in fields(kind)]
        return lambda value: [getattr(value, name) for name in names]
    if issubclass(kind, (tuple, list)):
        return lambda value: value
    return lambda value: ()
