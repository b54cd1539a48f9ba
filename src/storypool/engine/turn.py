"""What a rule sees while a move is decided: the table as it is by now, who moves, what was answered, and the verbs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from storypool.engine.dice import Die, Rolled, derive, in_order
from storypool.engine.events import CheckChanged, Event, PointsSet, TraitSet
from storypool.engine.kit import Kit, Roll
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.sight import check_in_sight
from storypool.engine.table import NO_POINTS, Character, Check, Points, Proposal, Seat, Table, Trait, Value
from storypool.words import Words

Settle = Callable[[Proposal], Iterator[Event]]
"""Carries out an accepted proposal. Handed in, like chance."""


class Turn:
    """What a rule sees: the table as it is by now, the seat, the arguments, chance, and the verbs of a rule.

    Each event that a body yields is folded before its next line runs, so `turn.table` is always the present. `key`,
    `title` and `rule` are those of the move, and `paid` is what it has cost by the time its body speaks.
    """

    def __init__(
        self,
        system: Kit,
        table: Table,
        seat: Seat,
        key: str,
        title: str = "",
        rule: str = "",
        roll: Roll | None = None,
        settle: Settle | None = None,
    ) -> None:
        self.system, self.table, self.seat = system, table, seat
        self.key, self.title, self.rule = key, title, rule
        self.roll, self._settle = roll, settle
        self.args: dict[str, Value] = {}
        self.paid = NO_POINTS
        self.made_at = table.seq + 1
        self.about: str | None = None

    def as_seat(self, seat: Seat, **args: Value) -> Turn:
        """The same move as another seat would make it, with these arguments: to ask what that seat could do."""
        theirs = Turn(self.system, self.table, seat, self.key, self.title, self.rule)
        theirs.args.update(args)
        return theirs

    @property
    def check(self) -> Check | None:
        """The action this move is about: the one named by the argument `check`, else the latest this seat may see.

        For a proposal it is the one that was open when it was made, if that still is.
        """
        if self.about is not None:
            return self.table.checks.get(self.about)
        return check_in_sight(self.table, self.seat, self.args.get("check"))

    @property
    def here(self) -> Check:
        """The action this move is about, where the row guarantees that there is one."""
        check = self.check
        if check is None:
            raise Refused(Refusal("when", self.system.words["no.check"], remedy=self.system.words["no.check.remedy"]))
        return check

    def text(self, name: str) -> str:
        """A text argument, or the empty text."""
        return str(self.args.get(name, "") or "")

    def number(self, name: str, default: int = 0) -> int:
        """A number argument, or its default."""
        value = self.args.get(name)
        return value if isinstance(value, int) else default

    def numbers(self, name: str) -> tuple[int, ...]:
        """A list of numbers, or the empty one."""
        value = self.args.get(name)
        return tuple(n for n in value if isinstance(n, int)) if isinstance(value, tuple) else ()

    def flag(self, name: str) -> bool:
        """A yes-or-no argument."""
        return self.args.get(name) is True

    def character(self, name: str) -> Character | None:
        """The character that an argument names by its id, or None."""
        return self.table.characters.get(self.text(name))

    @property
    def words(self) -> Words:
        """The sentences of the game."""
        return self.system.words

    def option(self, key: str) -> str:
        """What this table chose for an option."""
        return self.system.option(self.table, key)

    def fresh(self, prefix: str) -> str:
        """An id that no other thing at this table has."""
        return f"{prefix}{self.table.seq + 1}"

    @property
    def own_check(self) -> str:
        """The id of the action that this move opens, known before it is open."""
        return f"c{self.made_at}"

    def no(self, reason: str, /, **values: object) -> Refusal:
        """A refusal in the words of the catalogue, with its remedy where the catalogue has one."""
        words = self.system.words
        remedy = words.say(f"no.{reason}.remedy", **values) if f"no.{reason}.remedy" in words else ""
        return Refusal("", words.say(f"no.{reason}", **values), self.rule, remedy)

    def firm(self, reason: str, /, **values: object) -> Refusal:
        """A refusal that nobody can set aside: what the move is about is not there, or the move would tell of it."""
        return replace(self.no(reason, **values), firm=True)

    def refused(self, code: str, reason: str, field: str = "", /, **values: object) -> Refused:
        """A refusal to raise from a body, for what no one can set aside: arithmetic, unknown names, missing dice."""
        return Refused(replace(self.no(reason, **values), code=code, field=field))

    def short(self, account: str, price: int, have: int) -> Refusal:
        """The refusal of a price: what it is and what there is, with what brings more of just these points."""
        words, id = self.system.words, f"more.{account}"
        said = self.no("points", price=price, have=have, account=self.word(account, price))
        return replace(said, remedy=words[id]) if id in words else said

    # The verbs.

    def amend(self, check: Check, what: str = "", **changes: object) -> CheckChanged:
        """The check with changes, its pool derived anew."""
        changed: Check = replace(check, **changes)  # type: ignore[arg-type]
        return CheckChanged(replace(changed, pool=derive(changed.base, changed.mods, self.system.upgrades)), what)

    def trait(self, kind: str, text: str, about: str = "", **more: object) -> TraitSet:
        """A new trait of this kind, by the seat that makes the move; `more` are its other fields."""
        return TraitSet(Trait(self.fresh("t"), kind, text, about, by=self.seat.id, **more))  # type: ignore[arg-type]

    def change(self, account: str, delta: int, owner: str = "", why: str = "") -> Iterator[Event]:
        """A balance moved by so much: refused below zero; above its cap the excess goes where the account says."""
        row = self.system.by_account[account]
        before = self.table.balance(account, owner)
        after = before + delta
        if after < 0:
            raise Refused(replace(self.short(account, -delta, before), code="price"))
        most = row.most(self.table, owner)
        beyond = max(0, after - most) if most is not None and delta > 0 else 0
        if most is not None and beyond and row.overflow == "refused":
            raise self.refused("price", "cap", most=most, account=self.word(account, most))
        if delta - beyond:
            yield PointsSet(account, owner, after - beyond, delta - beyond, why or self.title, self.seat.id)
        if beyond and row.overflow != "lost":
            over = self.system.words.say("points.overflow", account=self.plural(account))
            onto = owner if self.system.by_account[row.overflow].each == "character" else ""
            yield from self.change(row.overflow, beyond, onto, over)

    def refund(self, points: Points, what: str) -> Iterator[Event]:
        """Give these points back to the purses they came from; `what` names what they had paid for."""
        for (account, owner), n in points.items():
            yield from self.change(account, n, owner, self.words.say("points.refund", what=what))

    def cast(self, pool: Mapping[str, int], typed: tuple[int, ...] = ()) -> tuple[Rolled, ...]:
        """The dice of a pool on the table: rolled, or as typed in by hand in the order in which the pool prints.

        A die with one face is not thrown: it lies as it is, and no face is typed for it.
        """
        dice = in_order(pool, self.system.dice)
        thrown = [die for die in dice if die.sides > 1]
        if typed:
            if len(typed) != len(thrown):
                counts = {"n": len(thrown), "got": len(typed), "pool": self.show(pool)}
                raise self.refused("argument", "faces.count", "faces", **counts)
            for die, face in zip(thrown, typed, strict=True):
                if not die.first <= face <= die.last:
                    found = {"die": die.name, "low": die.first, "high": die.last, "got": face}
                    raise self.refused("argument", "faces.range", "faces", **found)
        elif self.roll is None:
            raise self.refused("when", "chance")
        roll, faces = self.roll, iter(typed)

        def lie(die: Die) -> Rolled:
            if die.sides == 1:
                return Rolled(die.name, die.first)
            return Rolled(die.name, next(faces), "hand") if typed or roll is None else Rolled(die.name, roll(die))

        return tuple(map(lie, dice))

    def show(self, pool: Mapping[str, int]) -> str:
        """A pool in words."""
        return self.system.notation.show(pool)

    def word(self, name: str, n: int = 1) -> str:
        """The word that goes with so many of a die, symbol or account."""
        return self.system.word(name, n)

    def plural(self, name: str) -> str:
        """What several of a die, symbol or account are called, without a number."""
        return self.system.plural(name)

    def settle(self, proposal: Proposal) -> Iterator[Event]:
        """An accepted proposal carried out: its own move's events, made by the seat that proposed it.

        `Refused` where its moment has passed.
        """
        if self._settle is None:
            raise ValueError("Only a move that is being decided carries out a proposal.")
        return self._settle(proposal)
