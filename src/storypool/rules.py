"""The rules engine: moves as rows with a sentence beside them, what may be done and why not, and deciding a move once.

`why_not` is the only place that says no. `offers` reads it for every front end; `decide` reads it before it lets a
move's body speak. Knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from storypool.asks import Ask, AskView, ask_views, parsed
from storypool.bag import Bag
from storypool.dice import Axes, Die, Rolled, derive, in_order
from storypool.notation import Notation
from storypool.refusal import Refusal, Refused
from storypool.table import (
    Audience,
    Check,
    CheckChanged,
    CheckClosed,
    CheckOpened,
    DiceRolled,
    Event,
    MoveMade,
    Outcome,
    PointsSet,
    Proposal,
    ProposalSettled,
    Proposed,
    Rewound,
    Seat,
    Side,
    Table,
    TraitRemoved,
    Value,
    audience,
    evolve,
    may_see,
    seen,
)
from storypool.words import Words

Roll = Callable[[Die], int]
"""Gives the printed face of one die. Chance is always an argument."""

Condition = Callable[["Turn"], Refusal | None]
Body = Callable[["Turn"], Iterable[Event]]
Reaction = Callable[["Turn", Event], Iterable[Event]]


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `n` uses of a group in each scope: of "check", "seat" (all game masters are one), "side", "actor",
    or a period such as "session" or "scene". Where a scope does not exist just now, the limit does not bind.
    `check` names an action that is only being opened.
    """

    group: str
    per: tuple[str, ...]
    n: int = 1
    check: str = ""

    def counter(self, turn: Turn) -> str | None:
        """The name under which the uses are counted, or None where the limit does not bind."""
        scopes = [self.group]
        for scope in self.per:
            check = turn.check
            if scope == "check" and self.check:
                scopes.append(f"check={self.check}")
            elif scope == "check" or scope == "actor":
                if check is None:
                    return None
                scopes.append(f"check={check.id}" if scope == "check" else f"actor={check.actor}")
            elif scope == "seat":
                scopes.append(f"seat={'@gm' if turn.seat.side == 'gm' else turn.seat.id}")
            elif scope == "side":
                scopes.append(f"side={turn.seat.side}")
            else:
                scopes.append(f"{scope}={turn.table.periods[scope]}")
        return "/".join(scopes) + "/"


@dataclass(frozen=True, slots=True)
class Account:
    """A kind of points: a balance of the table or of each character, its bounds, and where what its cap refuses goes.

    `side` spends it. `overflow` names another account, or is "lost" or "refused". `cap` may depend on its owner.
    """

    name: str
    each: Literal["table", "character"] = "table"
    side: Literal["players", "gm", ""] = ""
    cap: int | Callable[[Table, str], int | None] | None = None
    overflow: str = "refused"

    def most(self, table: Table, owner: str) -> int | None:
        """The cap for this owner, or None where there is none."""
        return self.cap(table, owner) if callable(self.cap) else self.cap


@dataclass(frozen=True, slots=True)
class Move:
    """A row of the book's table, with the sentence beside it as its body. Made with the decorator `move`."""

    key: str
    body: Body
    title: str
    by: tuple[Side, ...]
    when: Condition | None = None
    window: Condition | None = None
    price: Callable[[Turn], Bag] | None = None
    limits: Callable[[Turn], tuple[Limit, ...]] | None = None
    only_if: tuple[Condition, ...] = ()
    asks: tuple[Ask, ...] = ()
    approval: Callable[[Turn], bool] | None = None
    rule: str = ""
    group: str = ""

    def cost(self, turn: Turn) -> Bag:
        """What the move costs as things stand."""
        return self.price(turn) if self.price else Bag()


def move(
    key: str,
    *,
    by: Iterable[Side] = ("player", "gm"),
    when: Condition | None = None,
    window: Condition | None = None,
    price: Bag | Callable[[Turn], Bag] | None = None,
    limit: Limit | tuple[Limit, ...] | Callable[[Turn], tuple[Limit, ...]] = (),
    only_if: Iterable[Condition] = (),
    asks: Iterable[Ask] = (),
    approval: Callable[[Turn], bool] | None = None,
    rule: str = "",
    group: str = "",
) -> Callable[[Body], Move]:
    """A decorator that makes a `Move` of a generator of events; the first line of its docstring is the title."""

    def made(body: Body) -> Move:
        title = (body.__doc__ or "").strip().partition("\n")[0].rstrip(".")
        if not title:
            raise ValueError(f"The move {key} needs a docstring: its first line is the title on every button.")
        fixed = (limit,) if isinstance(limit, Limit) else limit
        return Move(
            key,
            body,
            title,
            tuple(by),
            when,
            window,
            price if callable(price) or price is None else (lambda _: price),
            fixed if callable(fixed) else (lambda _: fixed) if fixed else None,
            tuple(only_if),
            tuple(asks),
            approval,
            rule,
            group or key.partition(".")[0],
        )

    return made


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule that a table may choose: its values, and the one it has unless the table says otherwise."""

    key: str
    values: tuple[str, ...]
    default: str
    system: bool = True


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry on a character's sheet: its key, its label, its group, and the range of its number."""

    key: str
    label: str
    group: str
    low: int = 0
    high: int = 99
    default: int = 0
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Look:
    """How a die, a symbol or an account is shown: word, letter, outline, pattern, colour token and glyph."""

    word: str
    plural: str = ""
    letter: str = ""
    outline: str = ""
    pattern: str = "plain"
    colour: str = ""
    glyph: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A generic panel of the page, bound to asks, traits or balances by name."""

    kind: str
    title: str
    binds: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class System:
    """A game: dice, axes, accounts, moves, reactions, and how a check is read. Everything the core needs to know."""

    key: str
    name: str
    dice: tuple[Die, ...]
    axes: Axes
    notation: Notation
    moves: tuple[Move, ...]
    read: Callable[[Table, Check, tuple[Rolled, ...]], Outcome]
    words: Words
    accounts: tuple[Account, ...] = ()
    reactions: tuple[tuple[type, Reaction], ...] = ()
    upgrades: Mapping[str, str] = field(default_factory=dict)
    options: tuple[Option, ...] = ()
    sheet: tuple[Entry, ...] = ()
    look: Mapping[str, Look] = field(default_factory=dict)
    panels: tuple[Panel, ...] = ()
    ready: tuple[Mapping[str, object], ...] = ()
    about: str = ""
    bind: Callable[[Table, Check], tuple[Die, ...]] | None = None

    @cached_property
    def by_key(self) -> Mapping[str, Move]:
        """Every move by its key; `ValueError` when two share one."""
        if len({move.key for move in self.moves}) < len(self.moves):
            raise ValueError(f"Two moves of {self.name} share a key.")
        return {move.key: move for move in self.moves}

    @cached_property
    def by_account(self) -> Mapping[str, Account]:
        """Every account by its name."""
        return {account.name: account for account in self.accounts}

    def option(self, table: Table, key: str) -> str:
        """What this table chose for an option, or its default."""
        return table.options.get(key) or next(o.default for o in self.options if o.key == key)


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
            yield PointsSet(account, owner, after - beyond, delta - beyond, why or self.move.title, self.seat.id)
        if beyond and row.overflow != "lost":
            yield from self.change(row.overflow, beyond, why=self.system.words.say("points.overflow", account=account))

    def cast(self, pool: Mapping[str, int], typed: tuple[int, ...] = ()) -> tuple[Rolled, ...]:
        """The dice of a pool on the table: rolled, or as typed in by hand in the order in which the pool prints."""
        dice = in_order(pool, self.system.dice)
        if typed:
            if len(typed) != len(dice):
                counts = {"want": len(dice), "got": len(typed), "pool": self.show(pool)}
                raise self.refused("argument", "faces.count", "faces", **counts)
            for die, face in zip(dice, typed, strict=True):
                if not die.first <= face <= die.last:
                    found = {"die": die.name, "low": die.first, "high": die.last, "got": face}
                    raise self.refused("argument", "faces.range", "faces", **found)
            return tuple(Rolled(die.name, face, "hand") for die, face in zip(dice, typed, strict=True))
        if self.roll is None:
            raise Refused(Refusal("when", "No dice are rolled here."))
        return tuple(Rolled(die.name, self.roll(die)) for die in dice)

    def times(self, limit: Limit) -> int:
        """How often this limit's group has been used in its scope."""
        counter = limit.counter(self)
        return self.table.made[counter] if counter else 0

    def show(self, pool: Mapping[str, int]) -> str:
        """A pool in words."""
        return self.system.notation.show(pool)

    def word(self, name: str, n: int = 1) -> str:
        """The word for a die, symbol or account, in the singular or the plural."""
        look = self.system.look.get(name)
        if look is None:
            return name
        return look.word if n == 1 else look.plural or look.word + "s"

    # What follows is for `decide`.

    def emit(self, event: Event) -> None:
        """Take an event: give it the audience of what it is about, fold it, and let every reaction to it speak."""
        event = self._for_its_audience(event)
        self.events.append(event)
        if isinstance(event, Rewound):
            return
        self.table = evolve(self.table, event)
        for kind, reaction in self.system.reactions:
            if isinstance(event, kind):
                for more in reaction(self, event):
                    self.emit(more)

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
                reasons.append(replace(reason, code=stage, rule=reason.rule or made.rule, overridable=overridable))

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
        made.title,
        made.group,
        price,
        ask_views(turn, made.asks) if not reasons or aside or reasons[0].code in ("window", "limit", "only_if") else (),
        None if aside or not reasons else reasons[0],
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
    refuse, and it is recorded; a player who overrides asks the GM for it.
    """
    turn = _turn(system, table, seat_id, key, roll)
    if "check" in args and isinstance(args["check"], str):
        turn.args["check"] = args["check"]
    made = turn.move
    reasons = why_not(turn)
    fatal = [r for r in reasons if not r.overridable and r.code != "price"]
    if fatal:
        raise Refused(fatal[0], reasons)
    level = turn.option("enforcement")
    bound = [r for r in reasons if r.code != "price"]
    asks_gm = bool(bound) and override and level == "strict" and turn.seat.side != "gm"
    if bound and level == "strict" and not override:
        raise Refused(bound[0], reasons)
    turn.args = parsed(turn, made.asks, args)
    short = _cannot_pay(turn)
    if short is not None:
        raise Refused(replace(short, code="price", rule=short.rule or made.rule), reasons)
    aside = tuple(r.text for r in bound)
    counts = tuple(c for limit in (made.limits(turn) if made.limits else ()) if (c := limit.counter(turn)))
    check = turn.check
    turn.emit(MoveMade(key, seat_id, dict(turn.args), counts, aside, check.id if check else ""))
    price = made.cost(turn)
    if asks_gm or (made.approval and made.approval(turn)):
        _propose(turn, price, counts, aside)
    else:
        pay(turn, price)
        for event in made.body(turn):
            turn.emit(event)
    hidden = next((a for event in turn.events[1:] if (a := audience(event)) is not None), None)
    if hidden is not None:
        turn.events[0] = _for(turn.events[0], hidden)
    return turn.events


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
                turn.text("text") or turn.move.title,
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
    return turn.no("side", side=turn.system.words[f"side.{turn.move.by[0]}"], title=turn.move.title)


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
