"""The rules engine: moves as rows with a sentence beside them, what may be done and why not, and deciding a move once.

`why_not` is the only place that says no. `offers` reads it for every front end; `decide` reads it before it lets a
move's body speak. Knows no game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from storypool.asks import AskView, ask_views, parsed
from storypool.bag import Bag
from storypool.dice import Die, Rolled, derive, in_order
from storypool.refusal import Refusal, Refused
from storypool.system import (
    Account,
    Body,
    Condition,
    Entry,
    Limit,
    Look,
    Move,
    Option,
    Panel,
    Reaction,
    Roll,
    System,
    move,
)
from storypool.table import (
    Audience,
    Check,
    CheckChanged,
    CheckClosed,
    CheckOpened,
    DiceRolled,
    Event,
    MoveMade,
    PointsSet,
    Proposal,
    ProposalSettled,
    Proposed,
    Rewound,
    Seat,
    Table,
    TraitRemoved,
    TraitSet,
    Value,
    audience,
    evolve,
    may_see,
    seen,
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
        self._about: str | None = None

    @property
    def check(self) -> Check | None:
        """The action this move is about: the one named by the argument `check`, else the latest this seat may see.

        For a proposal it is the one that was open when it was made, if that still is.
        """
        if self._about is not None:
            return self.table.checks.get(self._about)
        named = self.args.get("check")
        ours = [c for c in self.table.checks.values() if may_see(self.seat, c.seen_by)]
        if named:
            return next((c for c in ours if c.id == named), None)
        return ours[-1] if ours else None

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
            raise self.refused("price", "points", price=-delta, have=before, account=self.word(account, -delta))
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
        return event if subject is None or audience(event) is not None else _for(event, subject)


@dataclass(frozen=True, slots=True)
class Offer:
    """A move as one seat sees it now: its title, its price, what it asks, and why it is closed, or None.

    `all_closed` lists every reason. `caution` is what would be set aside at a table that only warns.
    """

    key: str
    title: str
    group: str
    price: Bag
    asks: tuple[AskView, ...]
    closed: Refusal | None
    all_closed: tuple[Refusal, ...]
    caution: str = ""
    approval: bool = False
    rule: str = ""


def why_not(turn: Turn) -> list[Refusal]:
    """Every reason why this move is closed to this seat now, the first being the answer; empty when it is open.

    Arguments are not looked at, but for the price, which may grow with them.
    """
    made, reasons = turn.move, list[Refusal]()

    def ask(stage: str, conditions: Iterable[Condition | None], overridable: bool = True) -> None:
        for condition in conditions:
            reason = condition(turn) if condition else None
            if reason is not None:
                waivable = overridable and not reason.firm
                reasons.append(replace(reason, code=stage, rule=reason.rule or made.rule, overridable=waivable))

    ask("identity", (_wrong_side,), overridable=False)
    if reasons:
        return reasons
    ask("sight", (_out_of_sight,), overridable=False)
    ask("window", (made.window,))
    ask("when", (made.when,))
    if reasons and turn.check is None:
        return reasons
    ask("limit", (_over_limit,))
    ask("only_if", made.only_if)
    ask("price", (_cannot_pay,), overridable=False)
    return reasons


def offers(system: System, table: Table, seat_id: str) -> list[Offer]:
    """Every move of the system that this seat's side can ever make, as it stands now, open or closed with its reason.

    Computed on the table as the seat sees it, so an offer never tells of what is hidden.
    """
    seat = table.seats.get(seat_id)
    if seat is None or not seat.here:
        return []
    table = seen(table, seat)
    return [_offer(Turn(system, table, seat, made)) for made in system.moves if seat.side in made.by]


def offer(system: System, table: Table, seat_id: str, key: str, args: Mapping[str, object]) -> Offer:
    """One offer with some of its arguments already chosen: later questions and the price follow from them."""
    turn = _turn(system, seen(table, table.seats.get(seat_id)), seat_id, key, None)
    for name, value in args.items():
        if isinstance(value, (str, int, bool)) and value != "":
            turn.args[name] = value
    return _offer(turn)


def _offer(turn: Turn) -> Offer:
    made = turn.move
    reasons = why_not(turn)
    level = turn.option("enforcement")
    aside = bool(reasons) and level != "strict" and all(r.overridable for r in reasons)
    price = Bag() if reasons and turn.check is None else made.cost(turn)
    return Offer(
        made.key,
        turn.title,
        made.group,
        price,
        ask_views(turn, made.asks) if all(r.overridable for r in reasons) else (),
        next(iter(_stopping(reasons, level == "strict")), None),
        tuple(reasons),
        reasons[0].text if aside and level == "warn" else "",
        bool(made.approval and made.approval(turn)) if not reasons or aside else False,
        made.rule,
    )


def decide(
    system: System,
    table: Table,
    seat_id: str,
    key: str,
    args: Mapping[str, object],
    roll: Roll | None,
    override: bool = False,
) -> list[Event]:
    """The events that a move makes, the first a `MoveMade`; raises `Refused` with the reason when it may not be made.

    Pure: chance comes from `roll`, and the table given is not touched. A GM who overrides sets aside what the rules
    refuse, and it is recorded; a player who overrides asks the GM for it. Whether a move is open and what its
    arguments mean is read from the table as the seat sees it, as `offers` does, so no answer tells of what is hidden.
    """
    return _decided(system, table, seat_id, key, args, roll, override).events


def what_if(system: System, table: Table, seat_id: str, key: str, args: Mapping[str, object]) -> Table:
    """The table as it would be after a move, agreed to where that is needed: a table that nobody keeps.

    No dice are rolled for it; raises `Refused` as `decide` does.
    """
    return _decided(system, table, seat_id, key, args, None, agreed=True).table


def _decided(
    system: System,
    table: Table,
    seat_id: str,
    key: str,
    args: Mapping[str, object],
    roll: Roll | None,
    override: bool = False,
    agreed: bool = False,
) -> Turn:
    turn = _turn(system, seen(table, table.seats.get(seat_id)), seat_id, key, roll)
    if "check" in args and isinstance(args["check"], str):
        turn.args["check"] = args["check"]
    made = turn.move
    reasons = why_not(turn)
    level = turn.option("enforcement")
    stops = [r for r in _stopping(reasons, level == "strict" and not override) if r.code != "price"]
    if stops:
        raise Refused(stops[0], reasons)
    bound = [r for r in reasons if r.code != "price"]
    asks_gm = bool(bound) and override and level == "strict" and turn.seat.side != "gm"
    turn.args = parsed(turn, made.asks, args)
    short = _cannot_pay(turn)
    if short is not None:
        raise Refused(replace(short, code="price", rule=short.rule or made.rule), reasons)
    aside = tuple(r.text for r in bound)
    counts = tuple(c for limit in (made.limits(turn) if made.limits else ()) if (c := limit.counter(turn)))
    turn.table = table
    check = turn.check
    turn.emit(MoveMade(key, seat_id, dict(turn.args), counts, aside, check.id if check else ""))
    price = made.cost(turn)
    if asks_gm or (made.approval and made.approval(turn) and not agreed):
        _propose(turn, price, counts, aside)
    else:
        pay(turn, price)
        for event in made.body(turn):
            turn.emit(event)
    done = [audience(event) for event in turn.events[1:]]
    audiences = [check.seen_by if check else None, *_audiences_of(table, turn.args), *done]
    # What a seat said itself holds nothing that this seat may not see.
    hidden = next((a for a in audiences if a is not None and may_see(turn.seat, a)), None)
    if hidden is not None:
        turn.events[0] = _for(turn.events[0], hidden)
    return turn


def _audiences_of(table: Table, args: Mapping[str, Value]) -> Iterator[Audience]:
    """The audience of each character and trait that is named by its id, or by an account of its own."""
    for value in args.values():
        if isinstance(value, str):
            thing = table.traits.get(value) or table.characters.get(value.partition(".")[0])
            if thing is not None:
                yield thing.seen_by


def _stopping(reasons: Iterable[Refusal], strictly: bool) -> list[Refusal]:
    """The reasons that do stop a move: all of them, or those alone that nobody sets aside."""
    return [reason for reason in reasons if strictly or not reason.overridable]


def _for(event: Event, seen_by: Audience) -> Event:
    """An event of a kind that holds its own audience, for this audience."""
    return replace(event, seen_by=seen_by)  # type: ignore[arg-type]


def pay(turn: Turn, price: Bag) -> None:
    """Take a price from the accounts it names."""
    for name, n in price.items():
        owner, _, account = name.rpartition(".")
        for event in turn.change(account, -n, owner):
            turn.emit(event)


def settle(turn: Turn, proposal: Proposal) -> Iterator[Event]:
    """An accepted proposal carried out: its move's body speaks, for the seat that proposed it."""
    made = turn.system.by_key[proposal.move]
    acting = Turn(turn.system, turn.table, turn.table.seats[proposal.seat], made, turn.roll)
    acting.args = dict(proposal.args)
    acting._about = proposal.check
    # What was counted and paid stays so, and so does what the GM set aside; but the moment may have passed.
    gone = [r for r in why_not(acting) if r.code in ("when", "sight") and r.text not in proposal.set_aside]
    if gone:
        raise Refused(gone[0])
    for event in acting.move.body(acting):
        yield event
        acting.table = turn.table


def _propose(turn: Turn, price: Bag, counts: tuple[str, ...], aside: tuple[str, ...]) -> None:
    check = turn.check
    turn.emit(
        Proposed(
            Proposal(
                turn.fresh("p"),
                turn.seat.id,
                turn.move.key,
                dict(turn.args),
                turn.said(),
                check.id if check else "",
                price,
                counts,
                aside,
                check.seen_by if check else None,
            )
        )
    )
    pay(turn, price)


def _turn(system: System, table: Table, seat_id: str, key: str, roll: Roll | None) -> Turn:
    words = system.words
    seat = table.seats.get(seat_id)
    if seat is None or not seat.here:
        raise Refused(Refusal("identity", words.say("no.seat", seat=seat_id), remedy=words["no.seat.remedy"]))
    made = system.by_key.get(key)
    if made is None:
        raise Refused(Refusal("unknown", words.say("no.move", move=key), remedy=words["no.move.remedy"]))
    return Turn(system, table, seat, made, roll)


def _wrong_side(turn: Turn) -> Refusal | None:
    if turn.seat.side in turn.move.by:
        return None
    return turn.no("side", side=turn.system.words[f"side.{turn.move.by[0]}"], title=turn.title)


def _out_of_sight(turn: Turn) -> Refusal | None:
    return turn.no("sight") if turn.args.get("check") and turn.check is None else None


def _over_limit(turn: Turn) -> Refusal | None:
    for limit in turn.move.limits(turn) if turn.move.limits else ():
        if turn.times(limit) >= limit.n:
            return turn.no(f"limit.{limit.group}", n=limit.n)
    return None


def _cannot_pay(turn: Turn) -> Refusal | None:
    for name, n in turn.move.cost(turn).items():
        have = turn.table.points[name]
        if have < n:
            account = name.rpartition(".")[2]
            return turn.no("points", price=n, have=have, account=turn.word(account, n))
    return None


__all__ = [
    "Account",
    "Body",
    "Condition",
    "Entry",
    "Limit",
    "Look",
    "Move",
    "Offer",
    "Option",
    "Panel",
    "Reaction",
    "Refusal",
    "Refused",
    "Roll",
    "System",
    "Turn",
    "decide",
    "move",
    "offer",
    "offers",
    "pay",
    "settle",
    "what_if",
    "why_not",
]
