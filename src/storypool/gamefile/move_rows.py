"""The moves of a game file: each row becomes a move like those that are written in Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from storypool.engine import rules as r
from storypool.engine.table import Side
from storypool.gamefile.doing import REFUNDED, Doing, verb_of
from storypool.gamefile.expressions import Expression
from storypool.gamefile.move_asks import AS, ask_of, is_own, to_choose
from storypool.gamefile.price_words import price_in_words
from storypool.gamefile.schema import AskRow, MoveRow
from storypool.gamefile.scope import Rules, TurnScope
from storypool.gamefile.turns.turn_moves import TurnMoves

__all__ = ["GIVEN", "compiled_move", "key_of", "limit_of", "reads_character"]

FACES = "faces"
GIVEN = "given "
"""Before the name of points: the term of an action with how many were given to the GM for it."""

GoesOn = Callable[[r.Turn, str], Iterator[r.Event]]
"""Passes over those for whom nothing is left to decide, once the move of the row with this key has been made."""

_LIMIT = re.compile(
    r"(once|twice|(\d{1,2}) times) (?:an?|each) (action|scene|session|round)(?: for each (seat|side))?"
)


def key_of(row: MoveRow) -> str:
    """Return the key of a move as the engine knows it."""
    return f"move.{row.key}"


def limit_of(row: MoveRow, text: str) -> r.Limit | None:
    """Return the limit that a text says; None where it says none.

    >>> limit_of(MoveRow(key="push", title="Push"), "twice a scene for each seat")
    Limit(group='push', per=('scene', 'seat'), n=2, check='')
    """
    found = _LIMIT.fullmatch(text.strip())
    if found is None:
        return None
    n = {"once": 1, "twice": 2}.get(found[1]) or int(found[2])
    period = "check" if found[3] == "action" else found[3]
    return r.Limit(row.key, (period, found[4]) if found[4] else (period,), n)


def reads_character(rules: Rules, row: MoveRow) -> bool:
    """Whether a move needs a character of the seat that makes it: for its price, or what it does and reads."""
    prices = [(name, one) for price in row.price for name, one in price.items()]
    rows = [*row.do, *(do for one in row.do for effect in rules.effects(one.consult) for do in effect.do)]
    expressions = [one for _, one in prices] + [one for one in (row.only,) if one]
    expressions += [one for do in rows for one in (do.n, do.to, do.when, do.goal) if one]
    expressions += [one for do in rows for one in do.throw.values()]
    named = any(rules.is_of_character(name) for name, _ in prices)
    asked = any(ask.entry or ask.held or ask.of == "mover" for ask in row.asks)
    done = any(
        (do.make in rules.game.trait and rules.game.trait[do.make].held)
        or (
            do.of in ("", "mover")
            and (
                rules.is_of_character(do.gain or do.lose)
                or _is_about(rules, do.make or do.end)
                or do.improve != ""
                or do.promise != ""
            )
        )
        for do in rows
    )
    return named or asked or done or any(map(rules.of_character, expressions))


def _is_about(rules: Rules, kind: str) -> bool:
    return kind in rules.game.trait and rules.game.trait[kind].of == "character"


class _Row:
    """One move of a file, and the functions of which the engine's move is made."""

    def __init__(self, rules: Rules, row: MoveRow, goes_on: GoesOn, turns: TurnMoves | None) -> None:
        self.rules, self.row, self.goes_on = rules, row, goes_on
        on_turn = turns is not None and row.when == "on your turn"
        self.turns, self.movers = turns, turns.taking if turns and on_turn else r.characters(own=True)
        self.in_action = row.when in ("before the roll", "after the roll")
        self.own = on_turn or (reads_character(rules, row) and not (self.in_action and row.who == "actor"))
        self.names_next = {do.next for do in row.do if do.next}
        self.answers = {ask.name: ask for ask in row.asks}
        self.refunds = all(verb_of(do) in REFUNDED for do in row.do)
        self.again = next((do for do in row.do if do.again is not None), None)

    def who(self, turn: r.Turn) -> r.Character | None:
        """Return the character who makes the move."""
        if self.in_action and self.row.who == "actor":
            check = turn.check
            return turn.table.characters.get(check.actor) if check else None
        if not self.own:
            return None
        return turn.character(AS) or next((turn.table.characters[one.value] for one in self.movers(turn)), None)

    def scope(self, turn: r.Turn, who: r.Character | None = None) -> TurnScope:
        """Return what knows the names for this move, made by `who` or by the character that was answered."""
        return TurnScope(self.rules, turn, self.action(turn), who or self.who(turn), self.answers)

    def action(self, turn: r.Turn) -> r.Check | None:
        """Return the action that the move is about; one that is hidden and merely open is not meant."""
        check = turn.check
        if self.in_action or check is None:
            return check
        return check if self.row.when == "any time" and (not check.hidden or "check" in turn.args) else None

    def price(self, turn: r.Turn) -> r.Points:
        """Return what the move costs, in the way that was chosen."""
        return self.cost(turn, self.paid_by(turn))

    def cost(self, turn: r.Turn, price: Mapping[str, Expression]) -> r.Points:
        """Return the points that a price takes, without those that are given to the GM."""
        found, scope, who = dict[r.Purse, int](), self.scope(turn), self.who(turn)
        for name, n in price.items():
            row = self.rules.game.points.get(name)
            if row is None:
                continue
            owner = (who.id if who else "") if row.of == "character" else ""
            if (row.of != "character" or owner) and not self.gives(turn, name):
                found[r.Purse(name, owner)] = max(0, n.number(scope))
        return r.Points(found)

    def gives(self, turn: r.Turn, name: str) -> bool:
        """Whether these points are given to the GM, because it is for the players that they are paid."""
        check, points = self.action(turn), self.rules.pays(name)
        team = check.team if check is not None and self.row.who == "actor" else turn.team
        return points is not None and points.of == "gm" and team is not r.Team.GM

    def given(self, turn: r.Turn) -> r.Points:
        """Return what the move gives to the GM, in the way that was chosen."""
        scope = self.scope(turn)
        chosen = {name: n for name, n in self.paid_by(turn).items() if self.gives(turn, name)}
        return r.Points({r.Purse(name): max(0, n.number(scope)) for name, n in chosen.items()})

    def symbols(self, turn: r.Turn, price: Mapping[str, Expression]) -> r.Bag:
        """Return what a price takes of the roll."""
        points, scope = self.rules.game.points, self.scope(turn)
        return r.Bag({name: max(0, n.number(scope)) for name, n in price.items() if name not in points})

    def too_little(self, turn: r.Turn, *prices: Mapping[str, Expression]) -> tuple[str, str] | None:
        """Return what a price takes of the roll and what is left of it, where that is too little for each."""
        costs = [self.symbols(turn, price) for price in prices]
        left = turn.check.left if turn.check else r.Bag()
        if any(left >= cost for cost in costs):
            return None
        cost = next(filter(None, costs), r.Bag())
        return r.priced(turn, cost), r.priced(turn, left.only(cost)) or turn.words["nothing"]

    def paid_by(self, turn: r.Turn) -> Mapping[str, Expression]:
        """Return the price that was chosen, else the first that can be paid, else the first."""
        chosen, prices = turn.text("pay"), self.row.price
        if chosen or len(prices) < 2:
            return next((price for price in prices if _key(price) == chosen), prices[0])
        payable = (one for one in prices if not self.short(turn, one) and not self.too_little(turn, one))
        return next(payable, prices[0])

    def short(self, turn: r.Turn, price: Mapping[str, Expression]) -> r.Refusal | None:
        """Return why a price cannot be paid now, or None."""
        for (account, owner), n in self.cost(turn, price).items():
            row = turn.system.by_account[account]
            room = row.room(turn.table, owner)
            if room is not None and room < n:
                return turn.short(account, n, room, row.paying == "raises")
        return None

    def only(self, turn: r.Turn) -> bool:
        """Whether the condition of the row holds."""
        only = self.row.only
        if only is None or not self.own:
            return only is None or only.holds(self.scope(turn))
        own = [turn.table.characters[one.value] for one in self.movers(turn)]
        return any(only.holds(self.scope(turn, who)) for who in own)

    def again_left(self, turn: r.Turn) -> bool:
        """Whether there is a die to roll again."""
        check = turn.check
        if check is None or self.again is None:
            return True
        return bool(self.doing(turn).rolled_again(self.again, check))

    def doing(self, turn: r.Turn) -> Doing:
        """Return what carries out the rows of this move."""
        check = self.action(turn)
        about = check.id if check else ""
        return Doing(self.rules, turn, self.who(turn), self.answers, about, turn.title, turn.numbers(FACES))

    def body(self, turn: r.Turn) -> Iterator[r.Event]:
        """Do what the row says; what was paid for dice and terms comes back if the action is called off."""
        doing, given = self.doing(turn), self.given(turn) if self.row.price else r.Points()
        before = turn.table
        for (account, _), n in given.items():
            yield from turn.change(account, n)
        check = doing.check
        if check is not None and self.row.price and (cost := self.symbols(turn, self.paid_by(turn))):
            if short := self.too_little(turn, self.paid_by(turn)):
                raise turn.refused("price", "symbols.short", price=short[0], left=short[1])
            yield turn.amend(check, left=check.left - cost)
            check = doing.check
        if check is not None and self.refunds and check.phase == "build" and (turn.paid or given):
            terms = dict(check.terms)
            for account, _ in given:
                had = terms.get(name := f"{GIVEN}{account}", 0)
                arrived = turn.table.balance(account) - before.balance(account)
                terms[name] = arrived + (had if isinstance(had, int) else 0)
            yield turn.amend(check, spent=check.spent + turn.paid, terms=terms)
        check = doing.check
        turning = {
            row.turns: turn.paid[r.Purse(name)] for name, row in self.rules.game.points.items() if row.turns
        }
        if check is not None and any(turning.values()):
            yield turn.amend(check, owed=check.owed + r.Bag(turning))
        yield from doing.all(self.row.do, bought=bool(turn.paid or given))
        doing.check_faces()
        if self.in_action:
            yield from self.goes_on(turn, self.row.key)

    # The questions.

    def asks(self) -> Iterator[r.Ask]:
        """Yield the questions of the move."""
        if self.own:
            side = ("gm",) if self.row.who == "gm" else ()
            movers = r.characters(*side, own=True) if self.row.when != "on your turn" else self.movers
            yield r.ChoiceAsk(AS, "Who?", movers, first=True)
        for ask in self.row.asks:
            made = ask_of(self.rules, ask, self.scope, self.is_meant)
            yield self.turns.among_next(made) if self.turns and ask.name in self.names_next else made
        if len(self.row.price) > 1:
            yield r.ChoiceAsk("pay", "With what?", self.ways, default=lambda turn: _key(self.paid_by(turn)))
        if any(do.throw for do in self.row.do):
            yield r.FacesAsk(FACES, "What do your dice show?", needed=False, dice=self.thrown)
        elif self.again is not None:
            yield r.FacesAsk(FACES, "What do they show now?", needed=False, dice=self.picked_up)

    def is_meant(self, ask: AskRow, turn: r.Turn, trait: r.Trait) -> bool:
        """Whether a question can mean this statement: of whom it is about, who holds it, and what is hidden."""
        check, kind = self.action(turn), trait.kind
        if not trait.hidden and any(do.reveal == ask.name for do in self.row.do):
            return False
        used = any(verb_of(do) in ("fill", "end") for do in self.row.do)
        if check is not None and not (check.knows(trait) and (not used or check.may_use(trait))):
            return False
        if ask.held and not is_own(turn, trait.at):
            return False
        of = ask.of or ("anybody" if ask.held or any(one.character for one in self.row.asks) else "")
        if of == "actor":
            return check is not None and trait.about == check.actor
        if of == "mover":
            return is_own(turn, trait.about)
        who = self.who(turn) if _is_about(self.rules, kind) and not of else None
        return who is None or trait.about == who.id

    def ways(self, turn: r.Turn) -> Iterator[r.Choice]:
        """Yield the ways to pay."""
        for price in self.row.price:
            yield r.Choice(_key(price), self.in_words(turn, price))

    def in_words(self, turn: r.Turn, price: Mapping[str, Expression]) -> str:
        """Return a price in words, with whether it is given to the GM."""
        scope = self.scope(turn)
        words = [f"{n.number(scope)} {turn.word(name, n.number(scope))}" for name, n in price.items()]
        given = any(self.gives(turn, name) for name in price)
        text = turn.words["list.comma"].join(words)
        return turn.words.say("filed.given", price=text) if given else text

    def title(self, turn: r.Turn) -> str:
        """Return the title with what it gives to the GM or takes of the roll: the engine takes no such price."""
        price = self.row.price[0] if len(self.row.price) == 1 else {}
        apart = any(self.gives(turn, name) or self.rules.pays(name) is None for name in price)
        return turn.words.say("filed.title", title=turn.title, price=self.in_words(turn, price)) if apart else ""

    def thrown(self, turn: r.Turn) -> Iterator[r.Choice]:
        """Yield the dice that the move throws, one by one."""
        scope = self.scope(turn)
        for do in self.row.do:
            for die, n in do.throw.items():
                for _ in range(max(0, min(20, n.number(scope)))):
                    yield r.Choice(die, turn.word(die))

    def picked_up(self, turn: r.Turn) -> Iterator[r.Choice]:
        """Yield the dice that are rolled again."""
        check = turn.check
        if check is not None and self.again is not None:
            for one in self.doing(turn).rolled_again(self.again, check):
                yield r.Choice(one.die, turn.word(one.die))


def _key(price: Mapping[str, Expression]) -> str:
    return "+".join(price)


def _left_enough(made: _Row) -> r.Condition:
    def enough(turn: r.Turn) -> r.Refusal | None:
        """The roll has the symbols left that the move costs, in one way at least."""
        short = made.too_little(turn, *made.row.price)
        return turn.no("symbols.short", price=short[0], left=short[1]) if short else None

    return enough


_WHEN: Mapping[str, r.Condition] = {
    "before the roll": r.building,
    "after the roll": r.rolled,
    "between actions": r.between_actions,
    "any time": r.in_session,
}


_BY: Mapping[str, tuple[Side, ...]] = {
    "actor": ("player", "gm"),
    "helper": ("player",),
    "player": ("player",),
    "gm": ("gm",),
    "anybody": ("player", "gm"),
}


def no_actor(turn: r.Turn) -> r.Refusal | None:
    """The actor does not help."""
    check = turn.check
    return turn.no("filed.helper") if check is not None and r.acts_in(turn, check) else None


def compiled_move(rules: Rules, row: MoveRow, goes_on: GoesOn, turns: TurnMoves | None = None) -> r.Move:
    """Return the move of a row."""
    made = _Row(rules, row, goes_on, turns)
    conditions: list[r.Condition] = []
    if row.who == "actor" and made.in_action:
        conditions.append(r.yours)
    if row.who == "helper" and made.in_action:
        conditions.append(no_actor)
    if made.own:
        conditions.append(r.has_a_character)
    windows = tuple(str(n) for n, window in enumerate(rules.game.action.window) if row.key in window.moves)
    if windows:
        conditions.append(r.of_check(lambda check: check.windows[:1] in {(n,) for n in windows}, "filed.decided"))
    if row.only is not None:
        conditions.append(r.requires(made.only, f"filed.{row.key}"))
    for ask in row.asks:
        if ask.trait and ask.needed and ask.when is None:
            conditions.append(to_choose(rules, ask, made.is_meant))
    if any(name not in rules.game.points for price in row.price for name in price):
        conditions.append(_left_enough(made))
    if turns is not None:
        conditions += [turns.one_next(ask) for ask in made.asks() if ask.name in made.names_next]
    if made.again is not None:
        conditions.append(r.requires(made.again_left, "filed.again", True))

    def price(turn: r.Turn) -> r.Points:
        return made.price(turn)

    price.__doc__ = f"{price_in_words(rules, row)}."

    def body(turn: r.Turn) -> Iterator[r.Event]:
        yield from made.body(turn)

    body.__doc__ = f"{row.title}\n\n{row.about}"
    limits = tuple(one for text in row.limit if (one := limit_of(row, text)) is not None)
    panel = row.place or ("actions" if row.when != "between actions" or row.who != "gm" else "scene")
    made_of = r.move(
        key_of(row),
        by=_BY[row.who],
        when=_WHEN.get(row.when) or (turns.conditions[row.when] if turns else r.between_actions),
        price=price if row.price else None,
        limit=limits,
        only_if=conditions,
        asks=tuple(made.asks()),
        approval=r.proposes if row.consent == "gm" else _PlayerOf(row.consent, made) if row.consent else None,
        rule=row.rule or row.title,
        place=r.at(panel),
    )(body)
    paid = [rules.pays(name) for price in row.price for name in price]
    apart = any(one is None or (one.of == "gm" and row.who != "gm") for one in paid)
    return replace(made_of, title=row.title, shown_as=made.title if apart else None)


@dataclass(frozen=True, slots=True)
class _PlayerOf(r.PlayerOf):
    """The player of the actor, of the character in an answer, or of the one whom the statement in it is about."""

    made: _Row

    def __call__(self, turn: r.Turn) -> str:
        check, trait = self.made.action(turn), turn.table.traits.get(turn.text(self.ask))
        if self.ask == "actor":
            return check.actor if check is not None else ""
        return trait.about if trait is not None else turn.text(self.ask)
