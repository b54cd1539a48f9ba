"""What a rule sees while a move is decided: the table as it is by now, who moves, what was answered, and the verbs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from storypool.dice import Die, Rolled, derive, in_order
from storypool.refusal import Refusal, Refused
from storypool.system import Limit, Move, Roll, System
from storypool.table import (
    Audience,
    Check,
    CheckChanged,
    CheckClosed,
    CheckOpened,
    DiceRolled,
    Event,
    PointsSet,
    ProposalSettled,
    Rewound,
    Seat,
    Table,
    TraitRemoved,
    TraitSet,
    Value,
    audience,
    evolve,
    may_see,
)


class Turn:
    """What a rule sees: the table as it is by now, the seat, the arguments, chance, and the verbs of a rule.

    Each event that a body yields is folded before its next line runs, so `turn.table` is always the present.
    """

    def __init__(self, system: System, table: Table, seat: Seat, made: Move, roll: Roll | None = None) -> None:
        self.system, self.table, self.seat, self.move = system, table, seat, made
        self.args: dict[str, Value] = {}
        self.events: list[Event] = []
        self.roll = roll
        self.made_at = table.seq + 1
        self.about: str | None = None

    @property
    def check(self) -> Check | None:
        """The action this move is about: the one named by the argument `check`, else the latest this seat may see.

        For a proposal it is the one that was open when it was made, if that still is.
        """
        if self.about is not None:
            return self.table.checks.get(self.about)
        named, found = self.args.get("check"), None
        for check in self.table.checks.values():
            if (not named or check.id == named) and (check.seen_by is None or may_see(self.seat, check.seen_by)):
                found = check
        return found

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
        return Refusal("", words.say(f"no.{reason}", **values), self.move.rule, remedy)

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

    def change(self, account: str, delta: int, owner: str = "", why: str = "") -> Iterator[Event]:
        """A balance moved by so much: refused below zero; above its cap the excess goes where the account says."""
        row = self.system.by_account[account]
        before = self.table.balance(account, owner)
        after = before + delta
        if after < 0:
            raise Refused(replace(self.short(account, -delta, before), code="price"))
        most = row.most(self.table, owner)
        beyond = max(0, after - most) if most is not None and delta > 0 else 0
        if beyond and row.overflow == "refused":
            raise self.refused("price", "cap", most=most, account=self.word(account, 2))
        if delta - beyond:
            yield PointsSet(account, owner, after - beyond, delta - beyond, why or self.title, self.seat.id)
        if beyond and row.overflow != "lost":
            over = self.system.words.say("points.overflow", account=self.word(account, 2))
            onto = owner if self.system.by_account[row.overflow].each == "character" else ""
            yield from self.change(row.overflow, beyond, onto, over)

    def cast(self, pool: Mapping[str, int], typed: tuple[int, ...] = ()) -> tuple[Rolled, ...]:
        """The dice of a pool on the table: rolled, or as typed in by hand in the order in which the pool prints.

        A die with one face is not thrown: it lies as it is, and no face is typed for it.
        """
        dice = in_order(pool, self.system.dice)
        thrown = [die for die in dice if die.sides > 1]
        if typed:
            if len(typed) != len(thrown):
                counts = {"want": len(thrown), "got": len(typed), "pool": self.show(pool)}
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

    @property
    def title(self) -> str:
        """What this move is called on its button."""
        return self.system.title(self.move.key)

    def said(self) -> str:
        """The move in words for whoever has to agree: its own text, or its title with what was answered."""
        if self.text("text"):
            return self.text("text")
        answers = []
        for ask in self.move.asks:
            value = self.args.get(ask.name)
            if ask.quiet or value in (None, False):
                continue
            labels = {choice.value: choice.label for choice in ask.choices(self)} if ask.choices else {}
            answers.append(labels.get(str(value), str(value)))
        return f"{self.title}: {', '.join(answers)}" if answers else self.title

    def times(self, limit: Limit) -> int:
        """How often this limit's group has been used in its scope."""
        counter = limit.counter(self)
        return self.table.made[counter] if counter else 0

    def show(self, pool: Mapping[str, int]) -> str:
        """A pool in words."""
        return self.system.notation.show(pool)

    def word(self, name: str, n: int = 1) -> str:
        """The word for a die, symbol or account, in the singular or the plural."""
        return self.system.word(name, n)

    # What follows is for `decide`.

    def emit(self, event: Event) -> None:
        """Take an event: give it the audience of what it is about, fold it, and let every reaction to it speak."""
        event = self._for_its_audience(event)
        if isinstance(event, CheckOpened | CheckChanged):
            self._openly_against(event.check)
        self.events.append(event)
        if isinstance(event, Rewound):
            return
        self.table = evolve(self.table, event)
        for kind, reaction in self.system.reactions:
            if isinstance(event, kind):
                for more in reaction(self, event):
                    self.emit(more)

    def _openly_against(self, check: Check) -> None:
        """An action that everybody sees names nobody whom not everybody may see."""
        target = self.table.characters.get(check.against)
        if target is not None and target.seen_by is not None and check.seen_by is None:
            raise self.refused("argument", "hidden", "against", who=target.name)

    def _for_its_audience(self, event: Event) -> Event:
        """What is said of something hidden is hidden with it; rules decide this, never the request."""
        subject: Audience = None
        match event:
            case DiceRolled(check=id) | CheckClosed(id=id):
                subject = self.table.checks[id].seen_by if id in self.table.checks else None
            case PointsSet(owner=owner) if owner in self.table.characters:
                subject = self.table.characters[owner].seen_by
            case TraitRemoved(id=id) if id in self.table.traits:
                subject = self.table.traits[id].seen_by
            case ProposalSettled(id=id) if id in self.table.proposals:
                subject = self.table.proposals[id].seen_by
            case TraitSet(trait) if trait.about in self.table.characters:
                hidden = self.table.characters[trait.about].seen_by
                return TraitSet(replace(trait, seen_by=hidden)) if trait.seen_by is None and hidden else event
            case CheckOpened(check) if check.actor in self.table.characters:
                hidden = self.table.characters[check.actor].seen_by
                return CheckOpened(replace(check, seen_by=hidden)) if check.seen_by is None and hidden else event
        return event if subject is None or audience(event) is not None else for_audience(event, subject)


def for_audience(event: Event, seen_by: Audience) -> Event:
    """An event of a kind that holds its own audience, for this audience."""
    return replace(event, seen_by=seen_by)  # type: ignore[arg-type]
