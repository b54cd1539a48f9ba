"""The questions of moves: typed, with choices from the table, so any front end can ask them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from itertools import islice
from typing import ClassVar, Literal, Self, cast

from storypool.engine.game.kit import Entry
from storypool.engine.game.sheet_text import SheetKeys, lines_of, written_entries, written_entry
from storypool.engine.game.turn import Turn
from storypool.engine.notation import NotationError
from storypool.engine.refusal import Refusal, Refused, nearest, shortened
from storypool.engine.table import Value
from storypool.words.folding import alike, composed, folded, half_width, plain

__all__ = ["Ask", "AskView", "Choice", "ChoiceAsk", "Decider", "FlagAsk", "NumberAsk", "PoolAsk"]
__all__ += ["LONGEST_NAME", "SheetAsk", "TextAsk"]

Kind = Literal["choice", "text", "number", "flag", "faces", "pool", "sheet", "several"]
"""The kinds of questions, by the names that front ends use."""

Choices = Callable[[Turn], Iterable["Choice"]]
"""Returns the possible answers, given the table and the answers to earlier questions."""

Decider = Literal["", "gm"]
"""The decider of a question: the seat that makes the move, or the GM."""

LONGEST_TEXT = 400
"""The most characters in a text argument."""
LONGEST_NAME = 40
"""The most characters in the name of a person, or of an entry of a sheet."""
LONGEST_OWN = 60
"""The most characters in a player's own answer to a choice."""
MAX_ENTRIES = 80
"""The most entries of a sheet given at once."""
MAX_LISTED = 12
"""The most answers that a refusal lists."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a choice: its value, its label, and a short note.

    `closed` is the reason why it cannot be chosen now, or ""; it is shown all the same. `remedy` is
    what opens it.
    """

    value: str
    label: str
    note: str = ""
    closed: str = ""
    remedy: str = ""

    def unless(self, why: Refusal | None) -> Self:
        """This choice closed for this reason, with its remedy; unchanged for None."""
        return replace(self, closed=why.text, remedy=why.remedy) if why is not None else self


@dataclass(frozen=True, slots=True)
class Ask:
    """One typed argument of a move, with a subclass for each kind.

    `default` and `shown` may look at the table and at the answers to earlier questions. A question
    that is not `needed` may stay unanswered. A `quiet` one is never shown to people and takes its
    default. `whose` is who decides: what a player answers to a question of the GM's is a
    suggestion, which the GM agrees to or changes.

    `shown_as` returns the label that earlier answers call for; "" keeps the usual one.

    `implies` names another question, and the answer to it that follows if this one is answered.
    `known` is what is already true while the question is not shown, such as a number that the sheet
    has. `without` is the id of the sentence that refuses a move without an answer; a question that
    has one is needed while it has no default.

    A move with an answer to a `private` question is recorded for its seat and the GM alone, and so
    is a proposal of it; its effects have audiences of their own.
    """

    kind: ClassVar[Kind]

    name: str
    label: str
    _: KW_ONLY
    default: Value | Callable[[Turn], Value | None] | None = None
    needed: bool = True
    shown: Callable[[Turn], bool] | None = None
    quiet: bool = False
    whose: Decider | Callable[[Turn], Decider] = ""
    implies: tuple[str, Value] | None = None
    known: Callable[[Turn], Value | None] | None = None
    shown_as: Callable[[Turn], str] | None = None
    without: str = ""
    private: bool = False

    def __init_subclass__(cls) -> None:
        """Name the kind after its class."""
        cls.kind = cast(Kind, cls.__name__.removesuffix("Ask").lower())

    def suggests(self, turn: Turn) -> bool:
        """Whether an answer of this seat is only a suggestion, because the question is the GM's."""
        if not self.whose or turn.is_gm or turn.option("trust") == "players_set":
            return False
        return (self.whose(turn) if callable(self.whose) else self.whose) == "gm"

    def has_default(self) -> bool:
        """Whether it may stay unanswered because a default can answer it."""
        return self.default is not None

    def decides(self, turn: Turn) -> bool:
        """Whether an answer of this seat decides what a player's answer only suggests."""
        return bool(self.whose) and turn.is_gm

    def is_shown(self, turn: Turn) -> bool:
        """Whether a form asks it now."""
        return not self.quiet and (self.shown is None or self.shown(turn))

    def offered(self, turn: Turn) -> tuple[Choice, ...]:
        """The present choices; empty for kinds that list none."""
        return ()

    def bounds(self, turn: Turn | None = None) -> tuple[int, int]:
        """The least and the largest number allowed: ever, or with a turn, now."""
        return 0, 99

    def unasked(self, turn: Turn, choices: tuple[Choice, ...] | None = None) -> Value | None:
        """The value of an unanswered question, or None; `choices`: the present ones, if known."""
        return self.default(turn) if callable(self.default) else self.default

    def missing(self, turn: Turn) -> Refused:
        """The refusal for a missing answer."""
        if self.without:
            return turn.refused("argument", self.without, self.name)
        return _bad(turn, self, "missing")

    def read(self, turn: Turn, raw: object) -> Value:
        """Parse an answer; `Refused` names what was expected and what was given."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ChoiceAsk(Ask):
    """One of several answers, given by its value or label; `free` also accepts other words.

    A form begins with the answer that `preset` gives. It is not a default: a question that is left
    out has no answer. If `first` is set, the default is the first choice that is not closed.
    `short` returns whether a choice is closed for want of points.
    """

    choices: Choices
    _: KW_ONLY
    free: bool = False
    first: bool = False
    preset: Callable[[Turn], Value | None] | None = None
    short: Callable[[Turn, Choice], bool] | None = None

    def has_default(self) -> bool:
        """Whether it may stay unanswered because a default can answer it."""
        return self.first or self.default is not None

    def offered(self, turn: Turn) -> tuple[Choice, ...]:
        """The present choices."""
        return tuple(self.choices(turn))

    def unasked(self, turn: Turn, choices: tuple[Choice, ...] | None = None) -> Value | None:
        """The default, else the only choice of a question that needs an answer, else None."""
        if self.first:
            known = self.choices(turn) if choices is None else choices
            return next((choice.value for choice in known if not choice.closed), None)
        if callable(self.default):
            return self.default(turn)
        if self.default is None and self.needed and not self.free:
            choices = self.offered(turn) if choices is None else choices
            return choices[0].value if len(choices) == 1 and not choices[0].closed else None
        return self.default

    def chosen(self, turn: Turn) -> str:
        """The answer, or the default if there is none yet; "" if there is neither."""
        return turn.text(self.name) or str(self.unasked(turn) or "")

    def read(self, turn: Turn, raw: object) -> str:
        """The value of a choice, given by value or label in any case, or free words if `free`."""
        text = str(raw).strip()
        # Most answers are values: find one without making all choices.
        found = next((choice for choice in self.choices(turn) if choice.value == text), None)
        choices = self.offered(turn.as_read()) if found is None else ()
        found = (
            found
            or choice_named(choices, text, alike)
            or (None if self.free else choice_named(choices, text, folded))
        )
        if found is not None:
            if found.closed:
                raise self._closed(turn, found)
            return found.value
        if self.free and isinstance(raw, str) and plain(text):
            if len(composed(text)) > LONGEST_OWN:
                raise _bad(turn, self, "text", most=LONGEST_OWN)
            return plain(text)
        if not choices:
            raise _bad(turn, self, "none")
        labels = list(dict.fromkeys(choice.label for choice in choices))
        if near := nearest(text, labels):
            raise _bad(
                turn, self, "near", got=shortened(raw), choices=turn.words["list.or"].join(near)
            )
        listed = ", ".join(labels[:MAX_LISTED]) + (" ..." if len(labels) > MAX_LISTED else "")
        raise _bad(turn, self, "choice", got=shortened(raw), choices=listed)

    def missing(self, turn: Turn) -> Refused:
        """The refusal for a missing answer; if all choices are closed, the first one's reason."""
        choices = self.offered(turn)
        all_closed = bool(choices) and all(choice.closed for choice in choices)
        return self._closed(turn, choices[0]) if all_closed else Ask.missing(self, turn)

    def _closed(self, turn: Turn, choice: Choice) -> Refused:
        code = "price" if self.short and self.short(turn, choice) else "argument"
        return Refused(Refusal(code, choice.closed, turn.rule, choice.remedy, self.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class TextAsk(Ask):
    """The player's own words with a maximum of characters; never cut.

    They are on one line, unless `lines` are kept. A form begins with its `preset`, as for a choice.
    """

    most: int = LONGEST_TEXT
    lines: bool = False
    preset: Callable[[Turn], Value | None] | None = None

    def read(self, turn: Turn, raw: object) -> str:
        """The text on one line, or on its lines, without unprintable characters."""
        read = lines_of if self.lines else plain
        text = read(raw) if isinstance(raw, str) else None
        if text is None or len(text) > self.most:
            raise _bad(turn, self, "text", most=self.most)
        return text


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberAsk(Ask):
    """A whole number from `low` to `high`. A form begins with its `preset`, as for a choice.

    `least` is the lowest number where that follows from the table or from earlier answers. `most`
    is the largest that there is now, such as what is left of something: the move refuses more, or
    where it is `capped` the question itself.
    """

    low: int = 0
    high: int = 99
    least: Callable[[Turn], int] | None = None
    most: Callable[[Turn], int] | None = None
    preset: Callable[[Turn], Value | None] | None = None
    capped: bool = False

    def bounds(self, turn: Turn | None = None) -> tuple[int, int]:
        """The least and the largest number allowed: ever, or with a turn, now."""
        low = self.low if turn is None or self.least is None else self.least(turn)
        most = self.high if turn is None or self.most is None else min(self.high, self.most(turn))
        return low, max(low, most)

    def read(self, turn: Turn, raw: object) -> int:
        """The number, given as a number or as digits."""
        text = half_width(str(raw)).strip().removeprefix("+")
        number = (
            not isinstance(raw, bool) and len(text) <= 12 and text.removeprefix("-").isdecimal()
        )
        low, most = self.bounds(turn)
        high = most if self.capped else self.high
        if not number or not low <= int(text) <= high:
            raise _bad(turn, self, "number", got=shortened(raw), low=low, high=high)
        return int(text)


@dataclass(frozen=True, slots=True)
class FlagAsk(Ask):
    """Yes or no."""

    def read(self, turn: Turn, raw: object) -> bool:
        """Parse yes or no, in any of the ways programs and people write it."""
        plainly = alike(raw) if isinstance(raw, str) else raw
        if plainly in (True, "yes", "true", "on", 1, "1"):
            return True
        if plainly in (False, "no", "false", "off", 0, "0"):
            return False
        raise _bad(turn, self, "flag", got=shortened(raw))


@dataclass(frozen=True, slots=True)
class PoolAsk(Ask):
    """A pool of dice in the notation of the game."""

    def read(self, turn: Turn, raw: object) -> str:
        """The pool in the game's notation."""
        try:
            return turn.show(
                turn.system.notation.parse(str(raw), turn.table.options.get("scheme") or None)
            )
        except NotationError as error:
            raise Refused(
                Refusal.of("argument", error, self.name).localize(turn.system.words)
            ) from None


@dataclass(frozen=True, slots=True)
class SheetAsk(Ask):
    """The numbers and the words of a character."""

    def read(self, turn: Turn, raw: object) -> str:
        """A sheet as one line, `key=number key="text"`, from text or from an object."""
        added = {key for one in turn.table.characters.values() for key in one.sheet}
        added |= {
            str(trait.terms["entry"])
            for trait in turn.table.traits.values()
            if "entry" in trait.terms
        }
        keys = SheetKeys(turn.system.sheet, added)
        if isinstance(raw, str):
            pairs = list(islice(written_entries(raw, keys.groups, keys.in_words), MAX_ENTRIES + 1))
        elif isinstance(raw, Mapping):
            pairs = [(str(key), str(value)) for key, value in raw.items()]
        else:
            raise self._unread(turn, raw)
        if len(pairs) > MAX_ENTRIES:
            raise _bad(turn, self, "sheet.most", most=MAX_ENTRIES)
        return " ".join(self._entry(turn, keys, *pair) for pair in pairs)

    def _entry(self, turn: Turn, keys: SheetKeys, name: str, value: str | None) -> str:
        """An entry as the line has it; `Refused` names the mistake."""
        key = keys.find(name)
        if not name or (value is None and key is None):
            raise self._unread(turn, name or f"={value}")
        if key is None and (pair := keys.pair(name)):
            both = {"first": pair[0].label, "second": pair[1].label}
            raise turn.refused(
                "argument", "argument.entry.pair", self.name, name=shortened(name), **both
            )
        if key is None:
            near = turn.words["list.or"].join(keys.near(name))
            reason = "argument.entry.near" if near else "argument.entry.unknown"
            raise turn.refused("argument", reason, self.name, key=shortened(name), near=near)
        if len(key) > LONGEST_NAME or "=" in key:
            raise self._unread(turn, key)
        if keys.in_words(key):
            return self._words(turn, keys.entries[key], value or "")
        low, high = keys.bounds(key)
        number = half_width(value or "")
        if (
            not number.removeprefix("-").isdecimal()
            or len(number) > 4
            or not low <= int(number) <= high
        ):
            known = {"got": shortened(value or ""), "low": low, "high": high}
            raise turn.refused("argument", "argument.entry", self.name, key=key, **known)
        return written_entry(key, int(number))

    def _words(self, turn: Turn, entry: Entry, value: str) -> str:
        text = lines_of(value)
        if not entry.fits(text):
            id = "argument.entry.lines" if entry.lines > 1 else "argument.entry.text"
            known = {"key": entry.label, "most": entry.text, "lines": entry.lines}
            raise turn.refused("argument", id, self.name, **known)
        return written_entry(entry.key, text)

    def _unread(self, turn: Turn, got: object) -> Refused:
        entries = turn.system.sheet[:2]
        example = ", ".join(f"{entry.label} {entry.default or 1}" for entry in entries)
        return _bad(turn, self, "sheet", got=shortened(got), example=example)


@dataclass(frozen=True, slots=True)
class AskView:
    """A question at present, with its choices and its default worked out.

    `suggests`: this seat's answer is only a suggestion to the GM. `decides`: the answer is the GM's
    own. A form begins with `preset`, which is not a default: it does not answer a question that is
    left out.
    """

    name: str
    kind: Kind
    _: KW_ONLY
    label: str
    choices: tuple[Choice, ...]
    default: Value | None
    needed: bool
    low: int
    high: int
    free: bool
    suggests: bool = False
    decides: bool = False
    preset: Value | None = None


def ask_views(turn: Turn, asks: Iterable[Ask]) -> tuple[AskView, ...]:
    """The questions that a move asks now, given the answers so far.

    They list no trait of a sheet that the seat does not read.
    """
    return tuple(views_of(turn.as_read(), asks))


def views_of(turn: Turn, asks: Iterable[Ask]) -> Iterator[AskView]:
    """Yield the present questions of a move; the defaults of earlier ones become arguments."""
    for ask in asks:
        if not ask.is_shown(turn):
            continue
        choices = ask.offered(turn)
        default = usual(turn, ask, choices)
        low, high = ask.bounds(turn)
        if low == high == default:
            continue  # There is only one answer, which is read all the same.
        begins = ask.preset if isinstance(ask, ChoiceAsk | NumberAsk | TextAsk) else None
        yield AskView(
            ask.name,
            ask.kind,
            label=worded(turn, ask),
            choices=choices,
            default=default,
            needed=ask.needed or (ask.without != "" and default is None),
            low=low,
            high=high,
            free=isinstance(ask, ChoiceAsk) and ask.free,
            suggests=ask.suggests(turn),
            decides=ask.decides(turn),
            preset=begins(turn) if begins else None,
        )
        if default is not None and ask.name not in turn.args:
            turn.args[ask.name] = default


def usual(turn: Turn, ask: Ask, choices: tuple[Choice, ...] | None = None) -> Value | None:
    """The value of an unanswered question: the GM's standing decision, else its default."""
    decided = decided_before(turn, ask)
    return ask.unasked(turn, choices) if decided is None else decided


def decided_before(turn: Turn, ask: Ask) -> Value | None:
    """The GM's earlier decision on a question that this seat answers, or None.

    It is in a trait of the kind "standing", as a term with the question's name. One about the
    character who acts comes first.
    """
    if not ask.whose or turn.is_gm:
        return None
    for about in dict.fromkeys((turn.text("as"), "")):
        for trait in turn.table.of_kind("standing", about=about):
            if ask.name in trait.terms:
                return trait.terms[ask.name]
    return None


def worded(turn: Turn, ask: Ask) -> str:
    """The present label of a question: by `shown_as`, else from the catalogue, else its own."""
    if ask.shown_as is not None and (now := ask.shown_as(turn)):
        return now
    return turn.system.words.get(f"ask.{turn.key}.{ask.name}", ask.label)


def choice_named(choices: Iterable[Choice], text: str, key: Callable[[str], str]) -> Choice | None:
    """The one choice whose value or label has the key of this text, or the first similar one."""
    wanted = key(text)
    found = [choice for choice in choices if wanted in (key(choice.value), key(choice.label))]
    return found[0] if len(found) == 1 or (found and key is alike) else None


def _bad(turn: Turn, ask: Ask, reason: str, /, **values: object) -> Refused:
    return turn.refused(
        "argument", f"argument.{reason}", ask.name, name=worded(turn, ask), **values
    )
