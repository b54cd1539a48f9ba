"""A table: seats, characters, traits, actions, proposals, balances. No words of games, no rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, Self

from storypool.engine.bag import NO_POINTS, Bag, Multiset, Points, Purse
from storypool.engine.copies import replace
from storypool.engine.dice import Mod, Rolled

__all__ = [
    "Character",
    "Check",
    "Outcome",
    "Paper",
    "Points",
    "Proposal",
    "Purse",
    "Seat",
    "Table",
    "Team",
    "Trait",
    "Use",
]

Value = str | int | bool | tuple[str, ...] | tuple[int, ...]
"""An argument or an entry on a sheet: text, whole number, yes or no, list of texts or numbers."""

NOTHING = Bag()
"""The empty bag: bags are values, so one is enough."""

Side = Literal["gm", "player", "spectator"]
"""The role of a seat at the table."""


class Team(StrEnum):
    """One of the two sides of a table: the players', or the GM's.

    >>> Team.GM.other, Team.PLAYERS.mark
    (<Team.PLAYERS: 'players'>, '@players')
    """

    PLAYERS = "players"
    GM = "gm"

    @property
    def other(self) -> Team:
        """The other side."""
        return Team.PLAYERS if self is Team.GM else Team.GM

    @property
    def mark(self) -> str:
        """The `about` of a trait about the whole side."""
        return f"@{self}"


def _side(text: str) -> Team:
    """The GM's side for "gm", the players' for anything else."""
    return Team.GM if text == "gm" else Team.PLAYERS


Audience = tuple[str, ...] | None
"""The audience of a record: everybody (None), or these seats and, written "@gm", these sides."""

GM_ONLY: Audience = ("@gm",)
"""The audience of everything that only GMs may see."""

LEFT_OUT: Audience = ()
"""The audience of a hidden record that a copy of a log lacks and does not need: nobody."""


class Use:
    """One use of a limit: its group and the scopes in which it counts, each a kind and an id.

    At a table, one of a hidden move is `seen_by` the audience of that move alone.

    >>> use = Use("luck", (("check", "c5"), ("seat", "ann")))
    >>> str(use), use == Use.read("luck/check=c5/seat=ann/")
    ('luck/check=c5/seat=ann/', True)
    """

    __slots__ = ("_hash", "_text", "group", "scopes", "seen_by")

    def __init__(
        self,
        group: str,
        scopes: tuple[tuple[str, str], ...] = (),
        seen_by: Audience = None,
    ) -> None:
        self.group, self.scopes, self.seen_by = group, scopes, seen_by
        self._hash = hash((group, scopes, seen_by))
        self._text: str | None = None

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Use) and self.counts_as(other) and self.seen_by == other.seen_by

    def counts_as(self, other: Use) -> bool:
        """Whether both are uses of one limit in the same scopes, no matter which seats see them."""
        return self.group == other.group and self.scopes == other.scopes

    def __str__(self) -> str:
        if self._text is not None:
            return self._text
        scopes = self.scopes
        if self.seen_by is not None:
            scopes = (*scopes, (SEEN_BY, ",".join(self.seen_by)))
        return "".join([self.group, "/", *(f"{kind}={which}/" for kind, which in scopes)])

    def __repr__(self) -> str:
        audience = "" if self.seen_by is None else f", {self.seen_by!r}"
        return f"Use({self.group!r}, {self.scopes!r}{audience})"

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse a use; keep its text, because old logs leave out the last slash."""
        group, *scopes = text.removesuffix("/").split("/")
        parts = [scope.partition("=") for scope in scopes]
        pairs = [(kind, which) for kind, _, which in parts]
        seen_by: Audience = None
        if pairs and pairs[-1][0] == SEEN_BY:
            seen_by = tuple(pairs.pop()[1].split(","))
        use = cls(group, tuple(pairs), seen_by)
        use._text = text
        return use


SEEN_BY = "seen_by"
"""The last part of a written use that not everybody sees."""

NO_USES = Multiset[Use]()


def without_uses(uses: Multiset[Use], freed: Multiset[Use]) -> Multiset[Use]:
    """The uses of limits without those that are freed, as far as they were counted.

    A use is freed no matter which seats see it.

    >>> hidden = Use("luck", seen_by=("@gm",))
    >>> without_uses(Multiset([hidden, Use("nerve")]), Multiset([Use("luck"), Use("luck")]))
    Multiset({Use('nerve', ()): 1})
    """
    left, counts = dict(freed), dict(uses)
    for use, n in uses.items():
        for one in filter(use.counts_as, freed):
            counts[use] = max(0, n - left[one])
            left[one] = max(0, left[one] - n)
    return Multiset(counts)


@dataclass(frozen=True, slots=True)
class Seat:
    """One place at the table: a stable id, its name, its side, and whether it is taken (`here`)."""

    id: str
    name: str
    side: Side
    here: bool = True

    @property
    def team(self) -> Team:
        """The side that this seat plays for; everybody except a GM counts as a player."""
        return _side(self.side)


@dataclass(frozen=True, slots=True)
class Character:
    """Someone in the story: their side, the seat that plays them, and the numbers for pools.

    `sheet_seen_by` is who reads the sheet; others read only what is `shown` of it: entries, and
    traits by their ids. `picture` is a portrait: the key of a stored picture, or a drawn one.
    """

    id: str
    name: str
    side: Literal["players", "gm", "none"] = "players"
    seat: str = ""
    sheet: Mapping[str, Value] = field(default_factory=dict)
    seen_by: Audience = None
    sheet_seen_by: Audience = None
    shown: tuple[str, ...] = ()
    picture: str = ""

    @property
    def hidden(self) -> bool:
        """Whether only some may see this character."""
        return self.seen_by is not None

    def revealed(self) -> Character:
        """The character for everybody to see."""
        return replace(self, seen_by=None)

    @property
    def unread(self) -> Mapping[str, Value]:
        """The entries of the sheet that not everybody reads who sees the character."""
        if self.sheet_seen_by is None:
            return {}
        return {key: value for key, value in self.sheet.items() if key not in self.shown}

    def without_unread(self) -> Character:
        """The character with only the entries that everybody reads."""
        if not self.unread:
            return self
        return replace(self, sheet={k: v for k, v in self.sheet.items() if k in self.shown})

    @property
    def team(self) -> Team:
        """The side that this character is on: the GM's, or the players'."""
        return _side(self.side)

    def rating(self, key: str) -> int | None:
        """A number on the sheet, or None if it is not there."""
        value = self.sheet.get(key)
        return value if isinstance(value, int) else None


@dataclass(frozen=True, slots=True)
class Trait:
    """A true statement about someone or something.

    `about` is a character's id, a side ("@players", "@gm"), or "" for the whole scene. If the trait
    is a track, `rating` counts towards `goal`. `mods` are added to the next check of the character
    or side it is about. `until` is when it ends: "check", "round", "scene", "session", or "" for
    never. `shown_with` is the hidden character whose reveal shows a hidden trait, or "" where it is
    hidden on its own. `sheet_seen_by` is who reads a trait of a sheet, such as a weapon; the rules
    use it in the open all the same.
    """

    id: str
    kind: str
    text: str
    about: str = ""
    rating: int = 0
    goal: int = 0
    at: str = ""
    by: str = ""
    mods: tuple[Mod, ...] = ()
    until: str = ""
    terms: Mapping[str, Value] = field(default_factory=dict)
    seen_by: Audience = None
    shown_with: str = ""
    sheet_seen_by: Audience = None

    @property
    def hidden(self) -> bool:
        """Whether only some may see this trait."""
        return self.seen_by is not None

    @property
    def read_by(self) -> Audience:
        """The seats that are sent this trait: they see it and, if it is of a sheet, read that."""
        return self.sheet_seen_by if self.seen_by is None else self.seen_by

    def revealed(self) -> Trait:
        """The trait for everybody to see."""
        return replace(self, seen_by=None, shown_with="")


@dataclass(frozen=True, slots=True)
class Paper:
    """A private note or a handout: words of a seat for its audience. No rule reads it.

    `about` is a character's id, or "" where it is about nobody in particular; `scene` is the number
    of the scene in which it was written, 0 before the first. `by` is the seat that wrote it,
    `picture` the key of a stored picture.
    """

    id: str
    title: str = ""
    text: str = ""
    about: str = ""
    scene: int = 0
    by: str = ""
    seen_by: Audience = None
    picture: str = ""

    @property
    def hidden(self) -> bool:
        """Whether only some may see this paper."""
        return self.seen_by is not None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a roll: passed or not (None for neither), the margin, the net of each axis.

    `net` holds every axis with its sign; `words` is the result as a player would say it.
    """

    passed: bool | None
    margin: int
    net: Bag
    words: str = ""


@dataclass(frozen=True)
class Check:
    """One action, from its declaration until its points are settled.

    The pool is always derived: `base`, then `mods` in the book's order. `windows` lists the sides
    that may still decide; it is the first one's turn. `left` are symbols not spent yet, `owed`
    points that the table gets when the check closes, `spent` the points paid for it. `suggested`
    are a player's answers in the GM's place, as words by the name of the question; until the GM has
    agreed, dice and points wait.
    """

    id: str
    actor: str
    side: Literal["players", "gm"]
    by: str = ""
    title: str = ""
    against: str = ""
    base: Bag = NOTHING
    mods: tuple[Mod, ...] = ()
    pool: Bag = NOTHING
    terms: Mapping[str, Value] = field(default_factory=dict)
    phase: Literal["build", "rolled"] = "build"
    windows: tuple[str, ...] = ()
    rolled: tuple[Rolled, ...] = ()
    outcome: Outcome | None = None
    left: Bag = NOTHING
    owed: Bag = NOTHING
    spent: Points = NO_POINTS
    suggested: Mapping[str, str] = field(default_factory=dict)
    seen_by: Audience = None

    @property
    def hidden(self) -> bool:
        """Whether only some may see this action."""
        return self.seen_by is not None

    @property
    def team(self) -> Team:
        """The side that acts: the GM's, or the players'."""
        return _side(self.side)

    @property
    def passed(self) -> bool:
        """Whether its roll passed."""
        return self.outcome is not None and self.outcome.passed is True

    @property
    def failed(self) -> bool:
        """Whether its roll failed; a roll that cannot pass cannot fail."""
        return self.outcome is not None and self.outcome.passed is False

    def knows(self, thing: Character | Trait | Check) -> bool:
        """Whether this action may depend on this: a public action may not on something hidden."""
        return self.hidden or not thing.hidden

    def may_use(self, thing: Character | Trait) -> bool:
        """Whether this action may change or use up this: a hidden one may not if it is public."""
        return thing.hidden or not self.hidden

    def decided(self, *asks: str) -> Check:
        """The action without the suggestions for these questions, which the GM has decided.

        >>> suggested = {"difficulty": "Hard", "by": "Cool"}
        >>> Check("c1", "pash", "players", suggested=suggested).decided("by").suggested
        {'difficulty': 'Hard'}
        """
        return replace(
            self, suggested={ask: text for ask, text in self.suggested.items() if ask not in asks}
        )

    def also(self, words: str) -> Check:
        """The action with one more sentence in its result, if it has one."""
        outcome = self.outcome
        return (
            replace(self, outcome=replace(outcome, words=f"{outcome.words} {words}"))
            if outcome
            else self
        )


@dataclass(frozen=True, slots=True)
class Proposal:
    """A move that waits for consent. Its price is already paid, and is refunded if it is declined.

    So are the symbols (`left`) and the points (`owed`) of the open roll that it holds. `whom` is
    the character whose player has to agree; "" for the GM.
    """

    id: str
    seat: str
    move: str
    args: Mapping[str, Value]
    text: str = ""
    check: str = ""
    price: Points = NO_POINTS
    counts: tuple[Use, ...] = ()
    set_aside: tuple[str, ...] = ()
    left: Bag = NOTHING
    owed: Bag = NOTHING
    whom: str = ""
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class Binding:
    """The binding of the next public roll: the hash of the seed, and the players' sealed numbers.

    `place` is its place in the `row`; `seats` are all that had a sealed number in this row.
    """

    row: str
    place: int
    next: str
    sealed: tuple[str, ...]
    seats: frozenset[str] = frozenset()


@dataclass(frozen=True)
class SharedTable:
    """The part of the table after record `seq` that a seat is sent, as far as it may see it.

    `titles` are those of the latest session, scene and so on. `points` are the balances. `undo_to`
    is the record before the last move, `redo_to` the one to which a redo returns; 0 if there is
    none. `dice_at` is the last roll that everybody saw.
    """

    system: str = ""
    title: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    seats: Mapping[str, Seat] = field(default_factory=dict)
    characters: Mapping[str, Character] = field(default_factory=dict)
    points: Points = NO_POINTS
    traits: Mapping[str, Trait] = field(default_factory=dict)
    checks: Mapping[str, Check] = field(default_factory=dict)
    proposals: Mapping[str, Proposal] = field(default_factory=dict)
    papers: Mapping[str, Paper] = field(default_factory=dict)
    periods: Bag = NOTHING
    running: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    undo_to: int = 0
    redo_to: int = 0
    dice_at: int = 0
    seq: int = 0


@dataclass(frozen=True)
class Table(SharedTable):
    """The state of a table after record `seq`. Immutable; `evolve` returns the next one.

    Its own fields are sent to nobody: a count that rules keep can reveal a secret. `uses` counts
    the uses of each limit. `began` has the first record of the latest session, scene and so on.
    `undo_seen_by` and `redo_seen_by` are the audiences of the moves that an undo and a redo
    concern. `open_undo_to`, `last_move` and `last_seat` belong to the last public move: the record
    before it, its key, and the seat that made it. If that was the automatic end of an action, the
    record and the seat are those of the move before it, whose key is `ended_after`. `binding` is
    the binding of the next roll, which no rule reads and no rewind changes. `game` is the text of a
    game that is one file, so that the table can be played wherever its log goes.
    """

    uses: Multiset[Use] = NO_USES
    began: Bag = NOTHING
    undo_seen_by: Audience = None
    redo_seen_by: Audience = None
    open_undo_to: int = 0
    last_move: str = ""
    last_seat: str = ""
    ended_after: str = ""
    binding: Binding | None = None
    game: str = ""

    def balance(self, account: str, owner: str = "") -> int:
        """The balance of an account of the table or, with `owner`, of a character."""
        return self.points[Purse(account, owner)]

    def actor(self, check: Check) -> Character | None:
        """The character who acts in this action, or None for one who is not in the story."""
        return self.characters.get(check.actor)

    def target(self, check: Check) -> Character | None:
        """The character whom this action is against, or None."""
        return self.characters.get(check.against)

    def paid_proposals(self, check: str) -> list[Proposal]:
        """The paid proposals about this action that wait for an answer, oldest first."""
        return [one for one in self.proposals.values() if one.check == check and one.price]

    def of_kind(self, *kinds: str, at: str | None = None, about: str | None = None) -> list[Trait]:
        """The traits of these kinds, oldest first, limited to one place or subject if given."""
        found = (trait for trait in self.traits.values() if trait.kind in kinds)
        return [trait for trait in found if at in (None, trait.at) and about in (None, trait.about)]

    def in_turn(self, goes_first: Callable[[Table, Trait], bool] | None = None) -> list[Trait]:
        """The slots of an order of turns, highest rating first, then `goes_first` (the players)."""

        def place(slot: Trait) -> tuple[int, bool, int, str]:
            first = goes_first(self, slot) if goes_first else slot.about == Team.PLAYERS.mark
            # Ids count up: compare lengths first, so that the older of two equal slots goes first.
            return -slot.rating, not first, len(slot.id), slot.id

        return sorted(self.of_kind("slot"), key=place)
