"""The events of a table, which make up its log, and the record that keeps one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from storypool.engine.dice import Rolled
from storypool.engine.table import Audience, Character, Check, Proposal, Seat, Trait, Use, Value


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
    counts: tuple[Use, ...] = ()
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
    freed: tuple[Use, ...] = ()
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
