"""The one door for games: whatever a rule is written with is imported from here.

The dice of a game and its odds import `bag`, `dice` and `notation` themselves, so that a roll needs no rules.
"""

from __future__ import annotations

from storypool.engine import house
from storypool.engine.asks import Ask, Choice, ChoiceAsk, FacesAsk, FlagAsk, NumberAsk, PoolAsk, SheetAsk, TextAsk
from storypool.engine.bag import Bag
from storypool.engine.dice import Die, Mod, Rolled, derive, symbols
from storypool.engine.events import (
    CharacterSet,
    CheckChanged,
    CheckClosed,
    CheckOpened,
    DiceRolled,
    Event,
    MoveMade,
    OptionsSet,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    ProposalSettled,
    Proposed,
    Record,
    Rewound,
    Said,
    SeatTaken,
    TableOpened,
    TraitRemoved,
    TraitSet,
)
from storypool.engine.house.choices import characters, here, players_with_a_character, sheet_of, slug
from storypool.engine.house.conditions import acting, building, idle, in_session, rolled
from storypool.engine.house.people import SECRET, WHO
from storypool.engine.kit import Account, Entry, Look, Note, Option, Read, Roll
from storypool.engine.moves import Body, Condition, Limit, Move, Reaction, move
from storypool.engine.notation import Notation, NotationError
from storypool.engine.panels import Panel
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.system import System
from storypool.engine.table import (
    GM_ONLY,
    NOTHING,
    Audience,
    Character,
    Check,
    Outcome,
    Seat,
    Side,
    Table,
    Trait,
    Value,
)
from storypool.engine.turn import Turn

__all__ = [
    "GM_ONLY",
    "NOTHING",
    "SECRET",
    "WHO",
    "Account",
    "Ask",
    "Audience",
    "Bag",
    "Body",
    "Character",
    "CharacterSet",
    "Check",
    "CheckChanged",
    "CheckClosed",
    "CheckOpened",
    "Choice",
    "ChoiceAsk",
    "Condition",
    "DiceRolled",
    "Die",
    "Entry",
    "Event",
    "FacesAsk",
    "FlagAsk",
    "Limit",
    "Look",
    "Mod",
    "Move",
    "MoveMade",
    "Notation",
    "NotationError",
    "Note",
    "NumberAsk",
    "Option",
    "OptionsSet",
    "Outcome",
    "Panel",
    "PeriodBegan",
    "PeriodEnded",
    "PointsSet",
    "PoolAsk",
    "ProposalSettled",
    "Proposed",
    "Reaction",
    "Read",
    "Record",
    "Refusal",
    "Refused",
    "Rewound",
    "Roll",
    "Rolled",
    "Said",
    "Seat",
    "SeatTaken",
    "SheetAsk",
    "Side",
    "System",
    "Table",
    "TableOpened",
    "TextAsk",
    "Trait",
    "TraitRemoved",
    "TraitSet",
    "Turn",
    "Value",
    "acting",
    "building",
    "characters",
    "derive",
    "here",
    "house",
    "idle",
    "in_session",
    "move",
    "players_with_a_character",
    "rolled",
    "sheet_of",
    "slug",
    "symbols",
]
