"""Verifiable dice: the binding of each table's next roll, and the numbers of the players' pages.

Before a roll its seed is bound by a hash in the log, and so is a number of each page that takes
part. Only then are the numbers opened, and together with the seed they determine the faces: see
`docs/fair-dice.md`. Seeds follow from a secret of the store, so they survive a restart.
"""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from storypool.engine.dice import Die, Pile, Rolled
from storypool.engine.events import DiceBound, DiceRolled, Event
from storypool.engine.table import Binding, Table
from storypool.log.fair import FairFaces, cards_text, is_hex, seal
from storypool.log.store import Store

MAX_HASHES_OF_SEAT = 2
"""The most sealed numbers of one seat: for a telephone and a computer."""
MAX_HASHES_OF_TABLE = 24
"""The most sealed numbers of one table."""


@dataclass
class Numbers:
    """The numbers of one table: opened ones by hash, and seats by the hash for a later roll."""

    opened: dict[str, str] = field(default_factory=dict)
    sealed: dict[str, str] = field(default_factory=dict)


class BoundDice:
    """The dice of one move: each face follows from the seed and the numbers of the binding."""

    def __init__(self, binding: Binding, seed: str, numbers: tuple[str, ...]) -> None:
        self.binding, self.seed, self.numbers = binding, seed, numbers
        self.rolled: list[Rolled] = []
        self.piles: dict[str, tuple[int, ...]] = {}
        """The cards of each deck before its first draw."""
        self.provable = True
        """Whether the cards of each draw are known to everybody, and follow from those before."""
        self._left: dict[str, tuple[int, ...]] = {}
        self._faces = FairFaces(seed, binding.row, binding.place, numbers)

    def __call__(self, die: Die) -> int:
        """The number that the next die shows; of a pile, the place of the card that is drawn."""
        face = die.first + self._faces.below(die.sides)
        shown = self._drawn(die, face) if isinstance(die, Pile) else face
        self.rolled.append(Rolled(die.name, shown))
        return face

    def _drawn(self, pile: Pile, place: int) -> int:
        """The number of the card at this place, which is gone from then on."""
        name, card = pile.name, pile.cards[place - pile.first]
        self.piles.setdefault(name, pile.cards)
        self.provable &= pile.in_sight and self._left.get(name, pile.cards) == pile.cards
        self._left[name] = tuple(n for n in pile.cards if n != card)
        return card


class Bindings:
    """The bindings of the next roll of each table of a store."""

    def __init__(self, store: Store) -> None:
        self._secret, self._epoch = bytes.fromhex(store.secret), store.epoch

    def take(
        self,
        table_id: str,
        stored: Table,
        head: Table,
        seat: str,
        numbers: Iterable[str],
        sealed: str,
        held: Numbers,
    ) -> list[str]:
        """Take the numbers that a page opens for the next roll, and its hash for the following one.

        Returns the hashes of the opened numbers; `held`, the numbers of the table, is changed. A
        number without a binding is ignored, and so is a late one: the next roll is decided, and its
        commit is pending. So is a hash beyond the limits of a seat or a table.
        """
        bound = self.bound(table_id, stored)
        pending, known = self._hashes(table_id, head), self._hashes(table_id, stored)
        held.opened = {
            hash: number for hash, number in held.opened.items() if hash in pending | known
        }
        for hash in (pending | known) & held.sealed.keys():
            del held.sealed[hash]
        opened = []
        if bound is not None and head.binding == bound:
            taken = {seal(number): number for number in numbers if is_hex(number)}
            opened = [hash for hash in taken if f"{seat}={hash}" in bound.sealed]
            held.opened.update((hash, taken[hash]) for hash in opened)
        if (
            is_hex(sealed)
            and sealed not in pending | known
            and held.sealed.get(sealed, seat) == seat
        ):
            own = [hash for hash, owner in held.sealed.items() if owner == seat and hash != sealed]
            for hash in own[: max(0, len(own) + 1 - MAX_HASHES_OF_SEAT)]:
                del held.sealed[hash]
            if len(held.sealed) < MAX_HASHES_OF_TABLE:
                held.sealed[sealed] = seat
        return opened

    def due(self, table_id: str, table: Table, held: Numbers) -> DiceBound | None:
        """The event that begins a row, or skips a place so that a new page can take part; or None.

        A place is skipped only if each page bound to it has sealed its next number, so that none
        drops out.
        """
        bound = self.bound(table_id, table)
        held = _unbound(held, bound)
        if not held.sealed:
            return None
        if bound is None:
            row = self._row(table_id)
            return DiceBound(row, 0, seal(self._seed(row, 1)), _as_sealed(held))
        waiting, pages = set(held.sealed.values()), {one.partition("=")[0] for one in bound.sealed}
        if bound.sealed and not (waiting - bound.seats and pages <= waiting):
            return None
        return self._next_event(self._drawing(held, bound), held)

    def drawing(self, table_id: str, table: Table, held: Numbers) -> BoundDice | None:
        """The dice of the next move at this table, or None without a binding."""
        bound = self.bound(table_id, table)
        return self._drawing(_unbound(held, bound), bound) if bound else None

    def proof(
        self,
        drawing: BoundDice,
        events: Sequence[Event],
        after: int,
        dice: Iterable[Die],
        held: Numbers,
    ) -> DiceBound | None:
        """The event that proves the dice of a move, or None if some of them are hidden.

        `events` are those of the move, which follow record `after`; `dice` are those of the game.
        """
        rolls = {
            after + n: event for n, event in enumerate(events, 1) if isinstance(event, DiceRolled)
        }
        rolled_dice = [die for event in rolls.values() for die in event.rolled]
        faces = {die.name: die for die in dice}
        hidden = any(event.seen_by is not None for event in rolls.values())
        hidden = hidden or not drawing.provable
        if hidden or [die for die in rolled_dice if faces[die.die].sides > 1] != drawing.rolled:
            return None
        ranges = {die.die: f"{faces[die.die].first}-{faces[die.die].last}" for die in rolled_dice}
        ranges |= {name: cards_text(cards) for name, cards in drawing.piles.items()}
        return self._next_event(drawing, held, tuple(rolls), ranges)

    def _next_event(
        self,
        drawing: BoundDice,
        held: Numbers,
        rolls: tuple[int, ...] = (),
        dice: dict[str, str] | None = None,
    ) -> DiceBound:
        bound = drawing.binding
        next, sealed = seal(self._seed(bound.row, bound.place + 1)), _as_sealed(held)
        return DiceBound(
            bound.row,
            bound.place,
            next,
            sealed=sealed,
            seed=drawing.seed,
            numbers=drawing.numbers,
            rolls=rolls,
            dice=dice or {},
        )

    def _drawing(self, held: Numbers, bound: Binding) -> BoundDice:
        numbers = tuple(held.opened.get(one.partition("=")[2], "") for one in bound.sealed)
        return BoundDice(bound, self._seed(bound.row, bound.place), numbers)

    def bound(self, table_id: str, table: Table) -> Binding | None:
        """The binding of the table; None in another epoch, or for a copied log."""
        bound = table.binding
        return bound if bound is not None and bound.row == self._row(table_id) else None

    def _hashes(self, table_id: str, table: Table) -> set[str]:
        bound = self.bound(table_id, table)
        return {one.partition("=")[2] for one in bound.sealed} if bound else set()

    def _row(self, table_id: str) -> str:
        return f"{table_id}.{self._epoch}"

    def _seed(self, row: str, place: int) -> str:
        return hmac.digest(self._secret, f"{row}\n{place}".encode(), "sha256").hex()


def _unbound(held: Numbers, bound: Binding | None) -> Numbers:
    """The numbers of a table, without sealed ones that are already bound."""
    for one in bound.sealed if bound else ():
        held.sealed.pop(one.partition("=")[2], None)
    return held


def _as_sealed(held: Numbers) -> tuple[str, ...]:
    return tuple(f"{seat}={hash}" for hash, seat in held.sealed.items())
