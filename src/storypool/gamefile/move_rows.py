"""The moves of a game file: each row becomes a move like those that are written in Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from storypool.engine import rules as r
from storypool.engine.table import Side
from storypool.gamefile.doing import REFUNDED, Doing, verb_of
from storypool.gamefile.expressions import Expression, Value
from storypool.gamefile.schema import AskRow, MoveRow
from storypool.gamefile.scope import Rules, TurnScope

__all__ = ["AS", "GIVEN", "ask_of", "compiled_move", "key_of", "limit_of", "reads_character"]

AS = "as"
"""The question whose character makes a move."""
FACES = "faces"
GIVEN = "given "
"""Before the name of points: the term of an action with how many were given to the GM for it."""

GoesOn = Callable[[r.Turn], Iterator[r.Event]]
"""Passes over those for whom nothing is left to decide after a roll."""

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
    asked = any(ask.entry for ask in row.asks)
    done = any(
        do.of in ("", "mover")
        and (
            rules.is_of_character(do.gain or do.lose)
            or _is_about(rules, do.make or do.end)
            or do.improve != ""
            or do.promise != ""
        )
        for do in rows
    )
    return named or asked or done or any(map(rules.of_character, expressions))


def _is_about(rules: Rules, kind: str) -> bool:
    return kind in rules.game.trait and rules.game.trait[kind].of == "character"


class _Row:
    """One move of a file, and the functions of which the engine's move is made."""

    def __init__(self, rules: Rules, row: MoveRow, goes_on: GoesOn) -> None:
        self.rules, self.row, self.goes_on = rules, row, goes_on
        self.in_action = row.when in ("before the roll", "after the roll")
        self.own = reads_character(rules, row) and not (self.in_action and row.who == "actor")
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
        return turn.character(AS) or turn.table.characters.get(r.first_own(turn) or "")

    def scope(self, turn: r.Turn, who: r.Character | None = None) -> TurnScope:
        """Return what knows the names for this move, made by `who` or by the character that was answered."""
        return TurnScope(self.rules, turn, self.action(turn), who or self.who(turn), self.answers)

    def action(self, turn: r.Turn) -> r.Check | None:
        """Return the action that the move is about."""
        return turn.check if self.in_action or self.row.when == "any time" else None

    def price(self, turn: r.Turn) -> r.Points:
        """Return what the move costs, in the way that was chosen."""
        found, scope, who = dict[r.Purse, int](), self.scope(turn), self.who(turn)
        for name, n in self.paid_by(turn).items():
            row = self.rules.game.points[name]
            owner = (who.id if who else "") if row.of == "character" else ""
            if (row.of != "character" or owner) and not self.gives(turn, name):
                found[r.Purse(name, owner)] = max(0, n.number(scope))
        return r.Points(found)

    def gives(self, turn: r.Turn, name: str) -> bool:
        """Whether these points are given to the GM, because it is for the players that they are paid."""
        check = self.action(turn)
        team = check.team if check is not None and self.row.who == "actor" else turn.team
        return self.rules.game.points[name].of == "gm" and team is not r.Team.GM

    def given(self, turn: r.Turn) -> r.Points:
        """Return what the move gives to the GM, in the way that was chosen."""
        scope = self.scope(turn)
        chosen = {name: n for name, n in self.paid_by(turn).items() if self.gives(turn, name)}
        return r.Points({r.Purse(name): max(0, n.number(scope)) for name, n in chosen.items()})

    def paid_by(self, turn: r.Turn) -> Mapping[str, Expression]:
        """Return the price that was chosen, or the only one."""
        chosen = turn.text("pay")
        return next((price for price in self.row.price if _key(price) == chosen), self.row.price[0])

    def only(self, turn: r.Turn) -> bool:
        """Whether the condition of the row holds."""
        only = self.row.only
        if only is None or not self.own:
            return only is None or only.holds(self.scope(turn))
        own = [turn.table.characters[one.value] for one in r.characters(own=True)(turn)]
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
        return Doing(self.rules, turn, self.who(turn), self.answers, about, turn.title)

    def body(self, turn: r.Turn) -> Iterator[r.Event]:
        """Do what the row says; what was paid for dice and terms comes back if the action is called off."""
        doing, given = self.doing(turn), self.given(turn) if self.row.price else r.Points()
        before = turn.table
        for (account, _), n in given.items():
            yield from turn.change(account, n)
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
        if self.row.when == "after the roll":
            yield from self.goes_on(turn)

    # The questions.

    def asks(self) -> Iterator[r.Ask]:
        """Yield the questions of the move."""
        if self.own:
            side = ("gm",) if self.row.who == "gm" else ()
            yield r.ChoiceAsk(AS, "Who?", r.characters(*side, own=True), first=True)
        revealed = {do.reveal for do in self.row.do}
        for ask in self.row.asks:
            only_hidden = ask.name in revealed
            yield ask_of(self.rules, ask, self.scope, self.is_hidden if only_hidden else self.is_meant)
        if len(self.row.price) > 1:
            yield r.ChoiceAsk("pay", "With what?", self.ways, first=True)
        if any(do.throw for do in self.row.do):
            yield r.FacesAsk(FACES, "What do your dice show?", needed=False, dice=self.thrown)
        elif self.again is not None:
            yield r.FacesAsk(FACES, "What do they show now?", needed=False, dice=self.picked_up)

    def is_hidden(self, turn: r.Turn, trait: r.Trait) -> bool:
        """Whether a statement can be revealed."""
        return trait.hidden and self.is_meant(turn, trait)

    def is_meant(self, turn: r.Turn, trait: r.Trait) -> bool:
        """Whether a statement is about the character who makes the move, unless the move says about whom it is."""
        of_character = _is_about(self.rules, trait.kind) and not any(ask.character for ask in self.row.asks)
        who = self.who(turn) if of_character else None
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
        """Return the title of the move, with what is given for it, as that is no price that the engine takes."""
        price = self.row.price[0] if len(self.row.price) == 1 else {}
        given = any(self.gives(turn, name) for name in price)
        return turn.words.say("filed.title", title=turn.title, price=self.in_words(turn, price)) if given else ""

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


Meant = Callable[[r.Turn, r.Trait], bool]
"""Whether a statement is one of those that a question can mean."""


def ask_of(
    rules: Rules, ask: AskRow, scope: Callable[[r.Turn], TurnScope], meant: Meant = lambda turn, trait: True
) -> r.Ask:
    """Return a question of the file as one that the engine asks."""
    when = ask.when
    shown = (lambda turn: when.holds(scope(turn))) if when is not None else None
    whose = ask.whose

    def default(turn: r.Turn) -> Value | None:
        return ask.default(scope(turn)) if ask.default is not None else None

    usual = default if ask.default is not None else None
    if ask.choices:
        listed = [r.Choice(value, label) for value, label in ask.choices.items()]
        return r.ChoiceAsk(
            ask.name, ask.label, lambda turn: listed, default=usual, needed=ask.needed, shown=shown, whose=whose
        )
    if ask.entry:
        return r.ChoiceAsk(
            ask.name, ask.label, _entries(rules, ask), default=usual, needed=ask.needed, shown=shown, whose=whose
        )
    if ask.number:
        low, high = ask.number[0], ask.number[-1]
        fallback = usual if usual is not None else (low if ask.needed else None)
        return r.NumberAsk(
            ask.name, ask.label, default=fallback, low=low, high=high, needed=ask.needed, shown=shown, whose=whose
        )
    if ask.character:
        return r.ChoiceAsk(ask.name, ask.label, _characters(ask), needed=ask.needed, shown=shown)
    if ask.trait:
        return r.ChoiceAsk(ask.name, ask.label, r.traits(ask.trait, only=meant), needed=ask.needed, shown=shown)
    return r.TextAsk(ask.name, ask.label, needed=ask.needed, shown=shown)


def _entries(rules: Rules, ask: AskRow) -> Callable[[r.Turn], Iterator[r.Choice]]:
    def choices(turn: r.Turn) -> Iterator[r.Choice]:
        for group in ask.entry:
            for key, label in rules.game.sheet[group].entries.items() if group in rules.game.sheet else ():
                yield r.Choice(key, label)

    return choices


def _characters(ask: AskRow) -> Callable[[r.Turn], Iterator[r.Choice]]:
    if ask.character in ("players", "gm"):
        return r.characters(ask.character)
    if ask.character == "other":
        return r.characters(only=lambda turn, one: not r.plays(turn, one))
    return r.characters()


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


def compiled_move(rules: Rules, row: MoveRow, goes_on: GoesOn) -> r.Move:
    """Return the move of a row."""
    made = _Row(rules, row, goes_on)
    conditions: list[r.Condition] = []
    if row.who == "actor" and made.in_action:
        conditions.append(r.yours)
    if row.who == "helper" and made.in_action:
        conditions.append(no_actor)
    if made.own:
        conditions.append(r.has_a_character)
    if row.only is not None:
        conditions.append(r.requires(made.only, f"filed.{row.key}"))
    if made.again is not None:
        conditions.append(r.requires(made.again_left, "filed.again", True))

    def price(turn: r.Turn) -> r.Points:
        return made.price(turn)

    price.__doc__ = _price_in_words(rules, row)

    def body(turn: r.Turn) -> Iterator[r.Event]:
        yield from made.body(turn)

    body.__doc__ = f"{row.title}\n\n{row.about}"
    limits = tuple(one for text in row.limit if (one := limit_of(row, text)) is not None)
    panel = row.place or ("actions" if row.when != "between actions" or row.who != "gm" else "scene")
    made_of = r.move(
        key_of(row),
        by=_BY[row.who],
        when=_WHEN[row.when],
        price=price if row.price else None,
        limit=limits,
        only_if=conditions,
        asks=tuple(made.asks()),
        approval=r.proposes if row.consent == "gm" else None,
        rule=row.rule or row.title,
        place=r.at(panel),
    )(body)
    gives = any(rules.game.points[name].of == "gm" for price in row.price for name in price)
    return replace(made_of, title=row.title, shown_as=made.title if gives and row.who != "gm" else None)


def _price_in_words(rules: Rules, row: MoveRow) -> str:
    ways = [", ".join(f"{n.text} {_word(rules, name, n)}" for name, n in price.items()) for price in row.price]
    return f"{' or '.join(ways)}."


def _word(rules: Rules, name: str, n: Expression) -> str:
    row = rules.game.points.get(name) or rules.game.symbols.get(name)
    if row is None:
        return name
    return (row.word if n.fixed == 1 else row.plural or row.word) or name
