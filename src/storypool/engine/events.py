"""The events of a table, which make up its log, and the record that holds one of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from storypool.engine.dice import Rolled
from storypool.engine.table import (
    Audience,
    Character,
    Check,
    Paper,
    Proposal,
    Seat,
    Trait,
    Use,
    Value,
)

__all__ = [
    "CharacterSet",
    "CheckChanged",
    "CheckClosed",
    "CheckOpened",
    "ClockSet",
    "DiceBound",
    "DiceRolled",
    "Event",
    "MoveMade",
    "OptionsSet",
    "PaperRemoved",
    "PaperSet",
    "PeriodBegan",
    "PeriodEnded",
    "PointsSet",
    "ProposalSettled",
    "Proposed",
    "Record",
    "Rewound",
    "RulesChanged",
    "Said",
    "SeatTaken",
    "SheetSet",
    "TableOpened",
    "TraitRemoved",
    "TraitSet",
]


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The first record: the game, the title, and the house rules.

    `game` is the text of a game that is one file, which the table keeps.
    """

    system: str
    title: str
    options: Mapping[str, str]
    game: str = ""


@dataclass(frozen=True, slots=True)
class OptionsSet:
    """The table's options and title from now on."""

    options: Mapping[str, str]
    title: str


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The table plays another text of its game from now on: its key, the text, its options.

    `changes` describes the differences in sentences.
    """

    system: str
    game: str
    options: Mapping[str, str]
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A seat as it is from now on: taken, renamed or left."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """A character from now on; on side "none" and without a seat, it has left the story."""

    character: Character


@dataclass(frozen=True, slots=True)
class SheetSet:
    """The numbers of a character that not everybody reads, from now on.

    It follows the `CharacterSet` that changed them, which has only the entries for everybody.
    """

    id: str
    sheet: Mapping[str, Value]
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class PeriodBegan:
    """A session, scene, round or adventure began; `number` counts them."""

    kind: str
    number: int
    title: str = ""


@dataclass(frozen=True, slots=True)
class PeriodEnded:
    """The running session, scene or round is over."""

    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class MoveMade:
    """A seat made a move; its effects follow.

    `counts` are the limits used, `set_aside` the refusals overridden. `hidden`: all of its effects
    are hidden from those who may not see this event. `automatic`: it ended an action right after
    the move before it, and is undone with that. `aside`: it is not part of the story, as a note is,
    so no undo takes it back.
    """

    move: str
    seat: str
    args: Mapping[str, Value]
    counts: tuple[Use, ...] = ()
    set_aside: tuple[str, ...] = ()
    check: str = ""
    hidden: bool = False
    seen_by: Audience = None
    automatic: bool = False
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Proposed:
    """A move now waits for consent."""

    proposal: Proposal


@dataclass(frozen=True, slots=True)
class ProposalSettled:
    """A proposal was accepted, declined or withdrawn; `freed` limits are no longer used."""

    id: str
    accepted: bool
    by: str
    why: str = ""
    freed: tuple[Use, ...] = ()
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class PointsSet:
    """A balance from now on; `delta` and `why` are the ledger line that a player reads."""

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
    """An open action from now on; `what` is the change in words.

    `freed` are the uses of limits that no longer count.
    """

    check: Check
    what: str = ""
    freed: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """Dice were rolled: their names and faces, and whether the server or a hand rolled them."""

    check: str
    seat: str
    rolled: tuple[Rolled, ...]
    why: str = ""
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class DiceBound:
    """The origin of a move's dice, and the binding of the next roll; see `docs/fair-dice.md`.

    `seed` and `numbers` opened what the roll at this `place` of the `row` was bound to, and made
    the dice of the records `rolls`; `dice` are their first and last faces ("1-12") by name. Without
    rolls the place was passed over. Place 0, without a seed, begins a row. `next` is the hash of
    the next seed, `sealed` are the hashes of the players' next numbers ("ann=HASH"); a number
    answers to the place of its hash, and is "" when it was not opened.
    """

    row: str
    place: int
    next: str
    sealed: tuple[str, ...]
    seed: str = ""
    numbers: tuple[str, ...] = ()
    rolls: tuple[int, ...] = ()
    dice: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CheckClosed:
    """The action is over: done and settled, or cancelled before its roll."""

    id: str
    how: Literal["done", "cancelled"]
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class TraitSet:
    """A statement that is true from now on, new or changed."""

    trait: Trait


@dataclass(frozen=True, slots=True)
class TraitRemoved:
    """A statement that is no longer true."""

    id: str
    why: str = ""
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class PaperSet:
    """A note or a handout from now on; `held_up`: its readers are shown it now."""

    paper: Paper
    held_up: bool = False


@dataclass(frozen=True, slots=True)
class PaperRemoved:
    """A note or a handout that is there no longer."""

    id: str
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class Said:
    """Words for the record, to everybody or to some."""

    seat: str
    text: str
    seen_by: Audience = None


@dataclass(frozen=True, slots=True)
class ClockSet:
    """The computer's clock was set, so times jump here by `by` milliseconds (negative: back)."""

    by: int


@dataclass(frozen=True, slots=True)
class Rewound:
    """The table is back to where it was after record `to`; seats stay.

    `dice`: a roll that everybody saw was undone.
    """

    to: int
    what: str = ""
    dice: bool = False
    redo: bool = False
    seen_by: Audience = None


Event = (
    TableOpened
    | OptionsSet
    | RulesChanged
    | SeatTaken
    | CharacterSet
    | SheetSet
    | PeriodBegan
    | PeriodEnded
    | MoveMade
    | Proposed
    | ProposalSettled
    | PointsSet
    | CheckOpened
    | CheckChanged
    | DiceRolled
    | DiceBound
    | CheckClosed
    | TraitSet
    | TraitRemoved
    | PaperSet
    | PaperRemoved
    | Said
    | ClockSet
    | Rewound
)
"""Every event of a log."""


class Record(NamedTuple):
    """One entry of the log: number, event (None if hidden from the reader), seat, time, audience.

    `at` is in milliseconds since 1970, UTC. `seen_by` was decided by the rules when the record was
    made.
    """

    seq: int
    event: Event | None
    seat: str
    at: int
    seen_by: Audience = None


def is_about_a_paper(event: Event | None) -> bool:
    """Whether an event sets or removes a note or a handout, or is the move that does."""
    return isinstance(event, PaperSet | PaperRemoved) or getattr(event, "aside", False)


def writes_a_sheet(event: Event) -> bool:
    """Whether an event writes what not everybody reads of a sheet: its numbers, or its traits."""
    match event:
        case TraitSet(trait):
            return trait.seen_by is None and trait.sheet_seen_by is not None
        case _:
            return isinstance(event, SheetSet)
