"""The view of a rule while a move is decided: the table, the seat, the answers, and its verbs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from storypool.engine.bag import NO_POINTS, Multiset, Points, Purse
from storypool.engine.copies import replace
from storypool.engine.dice import Die, Pile, Rolled, in_order
from storypool.engine.events import CheckChanged, CheckOpened, Event, PointsSet, TraitSet
from storypool.engine.game.kit import Kit, Roll
from storypool.engine.refusal import Refusal, Refused, Waived
from storypool.engine.sight import check_in_sight, hidden_like, known_to, public, without_unread
from storypool.engine.table import (
    GM_ONLY,
    Character,
    Check,
    Proposal,
    Seat,
    Table,
    Team,
    Trait,
    Use,
    Value,
    without_uses,
)
from storypool.words import BadValue, Words

__all__ = ["Turn"]

Settle = Callable[[Proposal, Mapping[str, object]], Iterator[Event]]
"""Carries out an accepted proposal, with changes to its arguments. An argument, like chance."""


class Turn:
    """The view of a rule: the present table, the seat, the arguments, chance, and verbs.

    Each event that a body yields is folded before its next line runs, so `turn.table` is always up
    to date; `before` is the table before the move, and in a reaction `previous` the one before its
    event. `key`, `title` and `rule` are the move's; `paid`
    is its price, already paid when the body runs. `beyond` counts the points that found no room
    below a cap, by purse. Where only a yes or no counts it is not `worded`: a refusal is then the
    id of its reason.
    """

    # Most turns only ask whether a move is open: they are made and copied by the thousand.
    paid: Points = NO_POINTS
    hidden_roll_announced = False
    worded = True
    _refusal: type[Refusal] = Refusal
    _visible: tuple[Table, bool, Table] | None = None
    _check: tuple[Table, object, Check | None] | None = None

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
        self.system, self.table, self.before, self.seat = system, table, table, seat
        self.previous = table
        self.key, self.title, self.rule = key, title, rule
        self.roll, self._settle = roll, settle
        self.args: dict[str, Value] = {}
        self.about: str | None = None
        self.beyond: dict[Purse, int] = {}

    def as_seat(self, seat: Seat, **args: Value) -> Turn:
        """The same move made by another seat with these arguments: a turn to ask if it could."""
        theirs = Turn(self.system, self.table, seat, self.key, title=self.title, rule=self.rule)
        theirs.args.update(args)
        return theirs

    def waiving(self) -> Turn:
        """This turn with every waivable refusal set aside: those that its `no` makes are false."""
        turn = self._copy()
        turn._refusal = Waived
        return turn

    def as_read(self) -> Turn:
        """This turn for what its seat reads: without traits of sheets that it does not read."""
        turn = self._copy()
        turn.table, turn.args = without_unread(self.table, self.seat), dict(self.args)
        return turn

    def _copy(self) -> Turn:
        # A quick `copy`: every closed move asks for one.
        turn = object.__new__(type(self))
        turn.__dict__.update(self.__dict__)
        return turn

    @property
    def check(self) -> Check | None:
        """The action of this move: named by the argument `check`, else the latest visible one.

        For a proposal it is the action that was open when the proposal was made, if it still is.
        None if there is none.
        """
        if self.about is not None:
            return self.table.checks.get(self.about)
        named, known = self.args.get("check"), self._check
        # Conditions ask for it repeatedly; a turn's table changes with each event of its body.
        if known is None or known[0] is not self.table or known[1] != named:
            self._check = known = self.table, named, check_in_sight(self.table, self.seat, named)
        return known[2]

    @property
    def here(self) -> Check:
        """The action this move is about, for moves that need one; `Refused` if there is none."""
        check = self.check
        if check is None:
            raise Refused(
                Refusal(
                    "when",
                    self.system.words["no.check"],
                    remedy=self.system.words["no.check.remedy"],
                )
            )
        return check

    @property
    def visible(self) -> Table:
        """The table that this move's action may use: all for a hidden action, else the public one.

        It is the public one also if no action is open.
        """
        check, known = self.check, self._visible
        hidden = check is not None and check.hidden
        if known is None or known[0] is not self.table or known[1] != hidden:
            self._visible = known = self.table, hidden, known_to(self.table, check)
        return known[2]

    @property
    def team(self) -> Team:
        """The side that makes this move."""
        return self.seat.team

    @property
    def is_gm(self) -> bool:
        """Whether a game master makes this move."""
        return self.seat.side == "gm"

    @property
    def leads(self) -> bool:
        """Whether this seat decides for a GM: as one, or as a player in a game without a GM."""
        return self.is_gm or (not self.system.has_gm and self.seat.side == "player")

    def text(self, name: str) -> str:
        """A text argument, or ""."""
        return str(self.args.get(name, "") or "")

    def number(self, name: str, default: int = 0) -> int:
        """A number argument, or the default."""
        value = self.args.get(name)
        return value if isinstance(value, int) else default

    def numbers(self, name: str) -> tuple[int, ...]:
        """A list of numbers, or an empty one."""
        value = self.args.get(name)
        return tuple(n for n in value if isinstance(n, int)) if isinstance(value, tuple) else ()

    def flag(self, name: str) -> bool:
        """A yes-or-no argument; False if it was not given."""
        return self.args.get(name) is True

    def character(self, name: str) -> Character | None:
        """The character whose id is this argument, or None."""
        return self.table.characters.get(self.text(name))

    @property
    def words(self) -> Words:
        """The sentences of the game."""
        return self.system.words

    def option(self, key: str) -> str:
        """This table's value for an option, or the default."""
        return self.system.option(self.table, key)

    def fresh(self, prefix: str) -> str:
        """An id that nothing else at this table has."""
        return f"{prefix}{self.table.seq + 1}"

    @property
    def made_at(self) -> int:
        """The number of the move's first record."""
        return self.before.seq + 1

    @property
    def own_check(self) -> str:
        """The id of the action that this move opens, known before it opens."""
        return f"c{self.made_at}"

    def no(self, reason: str, /, **values: object) -> Refusal:
        """The refusal `no.REASON` of the catalogue, with `no.REASON.remedy` if there is one."""
        return self._refusal("", *self._texts(reason, values))

    def firm(self, reason: str, /, **values: object) -> Refusal:
        """A refusal that no GM can override: the subject is missing, or would be revealed."""
        return Refusal("", *self._texts(reason, values), firm=True)

    def refused(self, code: str, reason: str, field: str = "", /, **values: object) -> Refused:
        """A refusal to raise from a body. No GM can override it: arithmetic, unknown names."""
        return Refused(Refusal(code, *self._texts(reason, values), field))

    def short(self, account: str, price: int, have: int, raises: bool = False) -> Refusal:
        """The refusal of a price, with the points available and how to get more.

        Available are the balance, or the room below the cap where paying `raises` it.
        """
        words, id = self.system.words, f"more.{account}"
        # Use `firm`: a price counts even where every waivable refusal is set aside.
        values = {"price": price, "n": have, "account": self.word(account, price)}
        if raises:
            refusal = self.firm("room", **values) if have else self.firm("room.none", **values)
        else:
            refusal = self.firm("points", **values) if have else self.firm("points.none", **values)
        refusal = replace(refusal, firm=False)
        return replace(refusal, remedy=words[id]) if id in words else refusal

    def _texts(self, reason: str, values: Mapping[str, object]) -> tuple[str, str, str]:
        """The text, the rule and the remedy of the refusal `no.REASON`."""
        words, id = self.system.words, f"no.{reason}"
        if not self.worded:
            return id, self.rule, ""
        remedy = words.say(f"{id}.remedy", **values) if f"{id}.remedy" in words else ""
        return words.say(id, **values), self.rule, remedy

    # The verbs.

    def action(self, actor: Character, title: str, against: str = "", **more: object) -> Check:
        """A new action of this character for this move to open; `more` are further fields.

        It is hidden where the question `secret` was answered with yes, or where the character is.
        """
        more |= {"seen_by": GM_ONLY} if self.flag("secret") else {"seen_by": actor.seen_by}
        side: Literal["players", "gm"] = "gm" if actor.team is Team.GM else "players"
        known = self.own_check, actor.id, side, self.seat.id, title, against
        return Check(*known, **more)  # type: ignore[arg-type]

    def open(self, check: Check, beside: bool = False) -> CheckOpened:
        """The event that opens an action; its pool is derived.

        At most one action is open that everybody sees, and one that is hidden from the players;
        `Refused` for a second, unless it is `beside` the one that is open, as a test that opposes
        it is.
        """
        actor = self.table.actor(check)
        hidden = check.seen_by is not None or (actor is not None and actor.seen_by is not None)
        busy = [one for one in self.table.checks.values() if (one.seen_by is not None) == hidden]
        if busy and not beside:
            raise self.refused("argument", "busy", title=busy[0].title)
        return CheckOpened(replace(check, pool=self.system.pool(check.base, check.mods)))

    def amend(
        self, check: Check, what: str = "", freed: tuple[Use, ...] = (), **changes: object
    ) -> CheckChanged:
        """The event that changes a check; its pool is derived again.

        `what` is the change in words. `freed` are uses of limits that no longer count.
        """
        base, mods = changes.get("base", check.base), changes.get("mods", check.mods)
        changes["pool"] = self.system.pool(base, mods)  # type: ignore[arg-type]
        return CheckChanged(replace(check, **changes), what, freed)  # type: ignore[arg-type]

    def read(self, rolled: tuple[Rolled, ...]) -> CheckChanged:
        """The event that stores these dice and their outcome in the open action."""
        check = self.here
        return self.amend(
            check,
            phase="rolled",
            rolled=rolled,
            outcome=self.system.read(self.table, check, rolled),
        )

    def trait(
        self, kind: str, text: str, about: str = "", secret: bool = False, **more: object
    ) -> TraitSet:
        """The event that sets a new trait by the moving seat; `more` are its further fields.

        Only GMs see one that is `secret`.
        """
        more |= {"seen_by": GM_ONLY} if secret else {}
        trait = Trait(self.fresh("t"), kind, text, about, by=self.seat.id, **more)  # type: ignore[arg-type]
        return TraitSet(trait)

    def sealed(self, trait: Trait) -> TraitSet:
        """The event that sets a trait which only the moving seat sees, no GM either."""
        return TraitSet(replace(trait, seen_by=(self.seat.id,)))

    def result(self, kind: str, text: str, about: str = "", **more: object) -> TraitSet:
        """The event that sets a new trait as a result of the open action; `more` are fields.

        It is hidden if the action is, or the character that it is about.
        """
        trait = Trait(self.fresh("t"), kind, text, about, by=self.seat.id, **more)  # type: ignore[arg-type]
        return self.hide_with_action(trait)

    def hide_with_action(self, trait: Trait) -> TraitSet:
        """The event that sets a trait, hidden like the open action or the trait's character."""
        made, who = TraitSet(trait), self.table.characters.get(trait.about)
        if who is not None and who.hidden and trait.until != "check":
            return hidden_like(made, who)
        # A trait that ends with a hidden action is not shown before it.
        return hidden_like(made, self.check) if self.check else made

    def change(self, account: str, delta: int, owner: str = "", why: str = "") -> Iterator[Event]:
        """Change a balance by `delta`; points beyond its cap go to the account in its `overflow`.

        `Refused` below its floor, and above the cap of an account whose `overflow` is "refused".
        """
        row = self.system.by_account[account]
        before = self.table.balance(account, owner)
        after = before + delta
        least = row.least(self.table, owner)
        if after < least and delta < 0:
            raise Refused(
                replace(self.short(account, -delta, max(0, before - least)), code="price")
            )
        most = row.most(self.table, owner)
        # A balance above a lowered cap stays: new points do not reduce it.
        surplus = min(delta, max(0, after - most)) if most is not None and delta > 0 else 0
        if most is not None and surplus and row.overflow == "refused":
            raise self.refused("price", "cap", most=most, account=self.word(account, most))
        if surplus:
            self.beyond[Purse(account, owner)] = self.beyond.get(Purse(account, owner), 0) + surplus
        if delta - surplus:
            yield PointsSet(
                account,
                owner,
                balance=after - surplus,
                delta=delta - surplus,
                why=why or self.title,
                by=self.seat.id,
            )
        if surplus and row.overflow != "lost":
            reason = self.system.words.say("points.overflow", account=self.plural(account))
            receiver = owner if self.system.by_account[row.overflow].each == "character" else ""
            yield from self.change(row.overflow, surplus, receiver, reason)

    def set_balance(self, account: str, n: int, owner: str = "", why: str = "") -> Iterator[Event]:
        """Set a balance by a rule, naming no seat. Nothing happens if it is already so."""
        if delta := n - self.table.balance(account, owner):
            yield PointsSet(account, owner, n, delta, why)

    def refund(self, points: Points, what: str) -> Iterator[Event]:
        """Give these points back to the purses they came from; `what` names what they had paid for.

        A track that paying raised, and that was lowered since, falls no further than to its floor.
        """
        for (account, owner), n in points.items():
            row = self.system.by_account[account]
            returned = max(
                -row.paid(n),
                min(0, row.least(self.table, owner) - self.table.balance(account, owner)),
            )
            yield from self.change(
                account, returned, owner, self.words.say("points.refund", what=what)
            )

    def cast(self, pool: Mapping[str, int], typed: tuple[int, ...] = ()) -> tuple[Rolled, ...]:
        """Roll the dice of a pool, or take the faces `typed` in by hand, in printed order.

        A die with one face is not rolled, and no face is typed for it. Of a deck a card is drawn,
        one of those that are left, or typed by its number; where there are fewer than the pool
        has, each of them is drawn. `Refused` if the faces do not fit the dice.
        """
        piles = self._piles(self.table, pool)
        known = self._piles(public(self.table), pool) if piles else {}
        in_sight = known == piles
        pool = {**pool, **{name: min(pool[name], len(pile)) for name, pile in piles.items()}}
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

        def rolled(die: Die) -> Rolled:
            if die.name in piles:
                pile = Pile(die, piles[die.name], in_sight)
                drawn = self._drawn(pile, next(faces, 0) if typed else 0)
                piles[die.name].remove(drawn.face)
                return drawn
            if die.sides == 1:
                return Rolled(die.name, die.first)
            return (
                Rolled(die.name, next(faces), "hand")
                if typed or roll is None
                else Rolled(die.name, roll(die))
            )

        return tuple(map(rolled, dice))

    def _piles(self, table: Table, pool: Mapping[str, int]) -> dict[str, list[int]]:
        """The cards that can be drawn at this table of each deck in a pool."""
        draws, found = self.system.draws, dict[str, list[int]]()
        for name, n in pool.items() if draws is not None else ():
            cards = draws(table, name, n) if draws is not None else None
            if cards is not None:
                found[name] = list(cards)
        return found

    def _drawn(self, pile: Pile, typed: int) -> Rolled:
        """A card drawn from a pile, or the typed one, or one like it."""
        if not typed and self.roll is not None:
            return Rolled(pile.name, pile.cards[self.roll(pile) - pile.first])
        card = self.system.face_in_words(pile.name, typed)
        like = (n for n in pile.cards if self.system.face_in_words(pile.name, n) == card)
        found = typed if typed in pile.cards else next(like, 0)
        if not found:
            raise self.refused("argument", "cards.gone", "faces", card=card)
        return Rolled(pile.name, found, "hand")

    def show(self, pool: Mapping[str, int]) -> str:
        """A pool in the game's notation."""
        return self.system.notation.show(pool)

    def word(self, name: str, n: int = 1) -> str:
        """The word for n of a die, symbol or account."""
        return self.system.word(name, n)

    def plural(self, name: str) -> str:
        """The plural of a die, symbol or account, used without a number."""
        return self.system.plural(name)

    def settle(self, proposal: Proposal, changes: Mapping[str, object]) -> Iterator[Event]:
        """Carry out an accepted proposal: yield the events of its move, made by its proposer.

        `changes` replace some of its arguments. `Refused` if the present table does not allow it.
        """
        if self._settle is None:
            raise BadValue("Only a move that is being decided carries out a proposal.")
        return self._settle(proposal, changes)


def release_held(turn: Turn, proposal: Proposal) -> Iterator[Event]:
    """Give back a proposal's symbols and points of a roll, if the roll is still open."""
    check = turn.table.checks.get(proposal.check)
    if check is not None and (proposal.left or proposal.owed):
        yield turn.amend(check, left=check.left + proposal.left, owed=check.owed + proposal.owed)


def unpaid(system: Kit, table: Table, proposal: Proposal) -> Table:
    """The table as if a proposal had not been paid for and had used up no limit.

    A proposal is judged again on it: its own claims must not count against it.
    """
    points = table.points
    for (account, owner), n in proposal.price.items():
        points += Points({Purse(account, owner): -system.by_account[account].paid(n)})
    uses = without_uses(table.uses, Multiset(proposal.counts))
    return replace(table, points=points, uses=uses)
