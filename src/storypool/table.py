"""The table and its events: what is stored, how a log folds into a table, and who sees which record. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from storypool.bag import Bag
from storypool.dice import Mod, Rolled

Value = str | int | bool | tuple[str, ...] | tuple[int, ...]
"""What an argument or an entry on a sheet may be: text, a whole number, yes or no, or a list of texts or numbers."""

NOTHING = Bag()
"""The empty bag: bags are values, so one is enough."""

Side = Literal["gm", "player", "spectator"]
Audience = tuple[str, ...] | None
"""Who may see a record: everybody (None), or these seats and, written "@gm", these sides."""

GM_ONLY: Audience = ("@gm",)


@dataclass(frozen=True, slots=True)
class Seat:
    """One place at the table: a stable id, the name people read, its side, and whether it is still taken."""

    id: str
    name: str
    side: Side
    here: bool = True


@dataclass(frozen=True, slots=True)
class Character:
    """Someone in the story: whose side they are on, the seat that plays them, and the numbers that fill a pool."""

    id: str
    name: str
    side: Literal["players", "gm", "none"] = "players"
    seat: str = ""
    sheet: Mapping[str, Value] = field(default_factory=dict)
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class Trait:
    """A true statement about someone or something.

    `about` is a character's id, a side ("@players", "@gm"), or empty for the whole scene. `rating` counts towards
    `goal` where the trait is a track. `mods` arrive by themselves on the next check of whom it is about. `until`
    says what ends it: "check", "round", "scene", "session", or empty for never.
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a roll came to: passed or not (None where there is no such thing), by how much, what is left on each axis.

    `net` holds every axis with its sign; `words` is the result as a player would say it.
    """

    passed: bool | None
    margin: int
    net: Bag
    words: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One action, from its declaration until what it owes is paid.

    The pool is always derived: `base`, then `mods` in the book's order. `windows` are those who may still decide,
    the first of them now. `left` are symbols not spent yet, `owed` points that arrive when the check is closed.
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
    spent: Bag = NOTHING
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A move that waits for somebody's consent; its price is set aside meanwhile and comes back when it is declined."""

    id: str
    seat: str
    move: str
    args: Mapping[str, Value]
    text: str = ""
    check: str = ""
    price: Bag = NOTHING
    counts: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The first record: which game, under what name, with which house rules."""

    system: str
    title: str
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class OptionsSet:
    """The table's options as they are from now on."""

    options: Mapping[str, str]
    title: str


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A seat as it is from now on: taken, renamed, or left."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """A character as it is from now on; one on side "none" without a seat has left the story."""

    character: Character


@dataclass(frozen=True, slots=True)
class PeriodBegan:
    """A session, scene, round or adventure began; `number` counts them."""

    kind: str
    number: int
    title: str = ""


@dataclass(frozen=True, slots=True)
class PeriodEnded:
    """The running session or scene is over."""

    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class MoveMade:
    """Somebody made a move; what it did follows. `counts` are the limits it used up, `set_aside` refusals waved."""

    move: str
    seat: str
    args: Mapping[str, Value]
    counts: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()
    check: str = ""
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class Proposed:
    """A move now waits for consent."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class ProposalSettled:
    """A proposal was accepted, declined or withdrawn, and no longer waits."""

    id: str
    accepted: bool
    by: str
    why: str = ""
    freed: tuple[str, ...] = ()
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class PointsSet:
    """A balance as it is from now on; `delta` and `why` are the line of the ledger that a player reads."""

    account: str
    owner: str
    balance: int
    delta: int
    why: str
    by: str = ""
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class CheckOpened:
    """An action was declared."""

    check: Check


@dataclass(frozen=True, slots=True)
class CheckChanged:
    """An open action as it is from now on, and what changed in words."""

    check: Check
    what: str = ""


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """Dice lie on the table: which, what they show, and whether the server or a hand rolled them."""

    check: str
    seat: str
    rolled: tuple[Rolled, ...]
    why: str = ""
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class CheckClosed:
    """The action is over: done and settled, or cancelled before its roll."""

    id: str
    how: Literal["done", "cancelled"]
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class TraitSet:
    """A statement that is true from now on, or as it is from now on."""

    trait: Trait


@dataclass(frozen=True, slots=True)
class TraitRemoved:
    """A statement that is no longer true."""

    id: str
    why: str = ""
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class Said:
    """Words for the record, to everybody or to some."""

    seat: str
    text: str
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class Rewound:
    """The table is again as it was after record `to`; seats stay. `dice` says that visible dice are taken back."""

    to: int
    what: str = ""
    dice: bool = False
    redo: bool = False


Event = (
    TableOpened
    | OptionsSet
    | SeatTaken
    | CharacterSet
    | PeriodBegan
    | PeriodEnded
    | MoveMade
    | Proposed
    | ProposalSettled
    | PointsSet
    | CheckOpened
    | CheckChanged
    | DiceRolled
    | CheckClosed
    | TraitSet
    | TraitRemoved
    | Said
    | Rewound
)


class Record(NamedTuple):
    """One entry of the log: its number, the event (None where the reader may not look), who made it, when, for whom.

    `at` is in milliseconds since 1970, UTC. `seen_by` was decided by the rules when the record was made.
    """

    seq: int
    event: Event | None
    seat: str
    at: int
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that is true at the table after record `seq`. Immutable; `evolve` gives the next one.

    `points` are keyed by account, or "owner.account". `made` counts the uses of each limit. `undo_to` is the record
    before the last move, `redo_to` the one before the last undo; 0 when there is none. `dice_at` is the last record
    of dice that everybody saw.
    """

    system: str = ""
    title: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    seats: Mapping[str, Seat] = field(default_factory=dict)
    characters: Mapping[str, Character] = field(default_factory=dict)
    points: Bag = NOTHING
    traits: Mapping[str, Trait] = field(default_factory=dict)
    checks: Mapping[str, Check] = field(default_factory=dict)
    proposals: Mapping[str, Proposal] = field(default_factory=dict)
    made: Bag = NOTHING
    periods: Bag = NOTHING
    running: tuple[str, ...] = ()
    undo_to: int = 0
    redo_to: int = 0
    last_move: str = ""
    dice_at: int = 0
    seq: int = 0

    def balance(self, account: str, owner: str = "") -> int:
        """The balance of an account of the table, or of one of its characters."""
        return self.points[f"{owner}.{account}" if owner else account]


def evolve(table: Table, event: Event | None) -> Table:
    """The table after one more record. It sets and counts; it runs no rule, no clock and no die.

    A `Rewound` needs the past, which `fold` has: here it raises `ValueError`.
    """
    seq = table.seq + 1
    match event:
        case None:
            return replace(table, seq=seq)
        case TableOpened(system, title, options):
            return replace(table, seq=seq, system=system, title=title, options=options)
        case OptionsSet(options, title):
            return replace(table, seq=seq, options=options, title=title)
        case SeatTaken(seat):
            return replace(table, seq=seq, seats={**table.seats, seat.id: seat})
        case CharacterSet(character):
            return replace(table, seq=seq, characters={**table.characters, character.id: character})
        case PeriodBegan(kind, number, _):
            running = table.running if kind in table.running else (*table.running, kind)
            return replace(table, seq=seq, periods=table.periods.with_count(kind, number), running=running)
        case PeriodEnded(kind, _):
            return replace(table, seq=seq, running=tuple(k for k in table.running if k != kind))
        case MoveMade():
            made = table.made + Bag(event.counts) if event.counts else table.made
            last = event.move if event.seen_by is None else ""
            return replace(table, seq=seq, made=made, undo_to=table.seq, redo_to=0, last_move=last)
        case Proposed(proposal):
            return replace(table, seq=seq, proposals={**table.proposals, proposal.id: proposal})
        case ProposalSettled():
            left = {key: one for key, one in table.proposals.items() if key != event.id}
            # Uses of an action that is over are no longer counted.
            freed = Bag(counter for counter in event.freed if table.made[counter])
            return replace(table, seq=seq, proposals=left, made=table.made - freed)
        case PointsSet(account, owner, balance):
            name = f"{owner}.{account}" if owner else account
            return replace(table, seq=seq, points=table.points.with_count(name, balance))
        case CheckOpened(check) | CheckChanged(check):
            return replace(table, seq=seq, checks={**table.checks, check.id: check})
        case CheckClosed(id):
            # The uses counted for this check can never matter again.
            made = Bag({name: n for name, n in table.made.items() if f"check={id}/" not in name})
            return replace(table, seq=seq, checks={k: c for k, c in table.checks.items() if k != id}, made=made)
        case TraitSet(trait):
            return replace(table, seq=seq, traits={**table.traits, trait.id: trait})
        case TraitRemoved(id):
            return replace(table, seq=seq, traits={k: t for k, t in table.traits.items() if k != id})
        case DiceRolled():
            return replace(table, seq=seq, dice_at=seq if event.seen_by is None else table.dice_at)
        case Said():
            return replace(table, seq=seq)
        case Rewound():
            raise ValueError("A rewind needs the log before it: fold the records.")


def rewind(now: Table, then: Table, event: Rewound) -> Table:
    """The table after a rewind: as it was then, with the seats and the count of records of now."""
    redo_to = then.redo_to if event.redo else now.undo_to
    return replace(then, seq=now.seq + 1, seats=now.seats, redo_to=redo_to)


def fold(records: Sequence[Record]) -> Table:
    """The table that a whole log makes, from its first record; a hidden record only counts.

    `ValueError` for a rewind to a record that is not there yet.
    """
    wanted = {record.event.to for record in records if isinstance(record.event, Rewound)}
    table = Table()
    past = {0: table}

    def at(seq: int) -> Table:
        if seq not in past:
            raise ValueError(f"Record {seq} is not there yet: nothing can be rewound to it.")
        return past[seq]

    for record in records:
        table = fold_on(table, [record], at)
        if table.seq in wanted:
            past[table.seq] = table
    return table


def fold_on(table: Table, records: Iterable[Record], past: Callable[[int], Table]) -> Table:
    """The table after further records; `past(seq)` gives the table after an earlier one, asked for only by a rewind."""
    for record in records:
        if isinstance(record.event, Rewound):
            table = rewind(table, past(record.event.to), record.event)
        else:
            table = evolve(table, record.event)
    return table


def may_see(seat: Seat | None, seen_by: Audience) -> bool:
    """Whether a seat may look at something with this audience; nobody at all sees what everybody may."""
    return seen_by is None or (seat is not None and (seat.id in seen_by or f"@{seat.side}" in seen_by))


def view(records: Iterable[Record], seat: Seat | None) -> list[Record]:
    """The log as one seat may read it: the same length, empty where that seat may not look.

    What the rules recorded about the audience is the audience; the request has no say, and neither has the reader.
    """
    return [shown(record, seat) for record in records]


def shown(record: Record, seat: Seat | None) -> Record:
    """One record as a seat may read it. A hidden one keeps its number and its time, and nothing else."""
    if may_see(seat, record.seen_by):
        return record._replace(seen_by=None)
    return Record(record.seq, None, "", record.at, None)


def seen(table: Table, seat: Seat | None) -> Table:
    """The table without what a seat may not see: the same as folding that seat's own log, where nothing was renamed."""

    def ours(audience: Audience) -> bool:
        return may_see(seat, audience)

    things = (table.characters, table.traits, table.checks, table.proposals)
    if all(ours(thing.seen_by) for kind in things for thing in kind.values()):
        return table
    hidden = {c.id for c in table.characters.values() if not ours(c.seen_by)}
    return replace(
        table,
        characters={k: c for k, c in table.characters.items() if ours(c.seen_by)},
        traits={k: t for k, t in table.traits.items() if ours(t.seen_by)},
        checks={k: c for k, c in table.checks.items() if ours(c.seen_by)},
        proposals={k: p for k, p in table.proposals.items() if ours(p.seen_by)},
        points=Bag({k: n for k, n in table.points.items() if k.partition(".")[0] not in hidden}),
    )


def audience(event: Event) -> Audience:
    """Who may see an event: its own audience, or that of what it is about. A kind without one does not type-check."""
    match event:
        case CharacterSet(subject) | TraitSet(subject) | CheckOpened(subject) | CheckChanged(subject):
            return subject.seen_by
        case Proposed(proposal):
            return proposal.seen_by
        case MoveMade() | ProposalSettled() | PointsSet() | DiceRolled() | CheckClosed() | TraitRemoved() | Said():
            return event.seen_by
        case TableOpened() | OptionsSet() | SeatTaken() | PeriodBegan() | PeriodEnded() | Rewound():
            return None


def records_of(events: Iterable[Event], seat: str, after: int, at: int) -> list[Record]:
    """Events as the records that follow record `after`, each with the audience that the rules gave it."""
    return [Record(after + i, event, seat, at, audience(event)) for i, event in enumerate(events, 1)]
