"""A game: its kit, moves, reactions, waits, panels, and the pages of its reference."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import get_args

from storypool.engine.events import Event
from storypool.engine.game.kit import Kit, Note
from storypool.engine.game.moves import Move, Reaction, at
from storypool.engine.game.panels import (
    BoardPanel,
    CardsPanel,
    DrawerPanel,
    ListPanel,
    MenuPanel,
    MovesPanel,
    Panel,
)
from storypool.engine.game.sheet_rolls import SheetRule
from storypool.engine.game.steps import CharacterStep
from storypool.engine.game.waits import WaitRule
from storypool.engine.table import Table, Trait
from storypool.words import BadValue

__all__ = ["System"]


@dataclass(frozen=True, kw_only=True)
class System(Kit):
    """A whole game.

    `waits` are the rules for waits, the most pressing first. `pages` returns the notes for its
    reference, in its words; `ready` are ready-made characters. `turns` returns the slots of a fight
    in their order. `sheet_rolls` yields the rolls of a character's entries. `steps` are those in
    which a player makes a character, up to the name.
    """

    moves: tuple[Move, ...]
    reactions: tuple[tuple[type, Reaction], ...] = ()
    waits: tuple[WaitRule, ...] = ()
    panels: tuple[Panel, ...] = ()
    ready: tuple[Mapping[str, object], ...] = ()
    steps: tuple[CharacterStep, ...] = ()
    turns: Callable[[Table], Sequence[Trait]] = Table.in_turn
    sheet_rolls: SheetRule = lambda turn, who: ()
    pages: Callable[[System], tuple[Note, ...]] = lambda _: ()

    def __post_init__(self) -> None:
        """Put each move into the panels that it names."""
        object.__setattr__(self, "panels", with_moves(self.panels, self.moves))

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The pages of the reference beyond the moves, in the game's words; shared rulings last."""
        words, gm = self.words, self.words["wait.gm"]
        rulings = [
            f"- {words.say(id, gm=gm)}" for id in words if id.startswith("at_every_table.rule.")
        ]
        return *self.pages(self), Note(
            words["at_every_table.title"], "\n".join(rulings), printed=False
        )

    @cached_property
    def by_key(self) -> Mapping[str, Move]:
        """Every move, by key; `ValueError` if two share one."""
        if len({move.key for move in self.moves}) < len(self.moves):
            raise BadValue(f"Two moves of {self.name} share a key.")
        return {move.key: move for move in self.moves}

    @cached_property
    def board_asks(self) -> Mapping[str, frozenset[str]]:
        """The questions with which moves begin on a board, a list or a card, by their moves."""
        boards = (panel for panel in self.panels if isinstance(panel, BoardPanel))
        lists = (panel.any for panel in self.panels if isinstance(panel, ListPanel | CardsPanel))
        pairs = ((*one.own, *one.any, *one.here) for one in boards)
        found = defaultdict[str, set[str]](set)
        for pair in chain.from_iterable((*pairs, *lists)):
            key, _, ask = pair.partition(" ")
            found[key].add(ask)
        return {key: frozenset(asks) for key, asks in found.items()}

    @cached_property
    def reactions_to(self) -> Mapping[type, Sequence[Reaction]]:
        """The reactions to each kind of event, in their order."""
        found: dict[type, list[Reaction]] = {kind: [] for kind in get_args(Event)}
        for kind, bodies in found.items():
            bodies += [body for of, body in self.reactions if issubclass(kind, of)]
        return found

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The title of every move, by key, in the words of this game."""
        return {key: self.words.get(f"title.{key}", row.title) for key, row in self.by_key.items()}

    def title(self, key: str) -> str:
        """The title of a move: the catalogue's, else the first line of the move's docstring.

        "" if the game has no such move.
        """
        return self.titles.get(key) or super().title(key)


def with_moves(panels: Sequence[Panel], moves: Sequence[Move]) -> tuple[Panel, ...]:
    """The panels with the moves that name them, in the order of their places.

    A panel is named by its kind, a drawer by its own name. The moves that a panel lists itself,
    such as those of the house, come before the others of order 50.
    """
    return tuple(_with_moves(panel, moves) for panel in panels)


def _with_moves(panel: Panel, moves: Sequence[Move]) -> Panel:
    if not isinstance(panel, MovesPanel):
        return panel
    name = panel.name if isinstance(panel, DrawerPanel) else panel.kind
    places = [(at(name), key) for key in panel.moves]
    for move in moves:
        places += [(spot, move.key) for spot in move.places if spot.panel == name]
    keys = tuple(
        dict.fromkeys(key for spot, key in sorted(places, key=lambda place: place[0].order))
    )
    if isinstance(panel, MenuPanel):
        rows = (key for spot, key in places if spot.row or key in panel.rows)
        return replace(panel, moves=keys, rows=tuple(sorted(set(rows), key=keys.index)))
    return replace(panel, moves=keys)
