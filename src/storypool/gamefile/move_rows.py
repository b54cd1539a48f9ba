"""The moves of a game file: each row becomes a move like those in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from storypool.engine import rules as r
from storypool.engine.copies import replace
from storypool.engine.table import Side
from storypool.gamefile.cards.card_asks import card_conditions, receivers
from storypool.gamefile.doing import RowExecutor, changes_the_action_alone
from storypool.gamefile.file_format.expressions import expressions_in
from storypool.gamefile.file_format.move_limits import limit_of
from storypool.gamefile.file_format.schema import AskRow, MoveRow
from storypool.gamefile.file_rolls.explosions import further_dice
from storypool.gamefile.file_rolls.roll_conditions import (
    belonging,
    in_window,
    no_actor,
    of_the_action,
)
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.move_asks import ACTOR_ASK, ask_of, is_own, to_choose, used_by
from storypool.gamefile.movers import Movers, able_first, is_about_character, reads_character
from storypool.gamefile.prices import FREE, Cost, Payment, enough_symbols, price_in_words
from storypool.gamefile.scope import TurnScope
from storypool.gamefile.together.joined import joined_by_seat
from storypool.gamefile.trays import added_die
from storypool.gamefile.turns.turn_moves import TurnMoves

__all__ = ["GIVEN", "compiled_move", "key_of"]

FACES = "faces"
GIVEN = "given "
"""Prefix of a term of the action: the points of this name given to the GM for it."""

NextWindow = Callable[[r.Turn, str], Iterator[r.Event]]
"""Skips windows without an open move, once the move of the row with this key has been made."""


def key_of(row: MoveRow) -> str:
    """The engine's key of a move."""
    return f"move.{row.key}"


class _Row:
    """One move of a file, and the functions of the engine's move."""

    def __init__(
        self,
        rules: Rules,
        row: MoveRow,
        next_window: NextWindow,
        turns: TurnMoves | None,
        movers: Movers | None = None,
    ) -> None:
        self.rules, self.row, self.next_window = rules, row, next_window
        on_turn = turns is not None and row.when == "on your turn"
        self.turns, self.group = turns, joined_by_seat if row.who == "joined" else movers
        side = ("gm",) if row.who == "gm" else ()
        own = turns.taking if turns and on_turn else r.characters(*side, own=True)
        self.everyone: Movers = self.group or own
        """The characters of the seat; those who can make the move now are open among `movers`."""
        self.movers = self.everyone
        if row.only is not None:
            self.movers = able_first(self.everyone, self.can, f"filed.{row.key}")
        self.in_action = row.when in ("before the roll", "after the roll")
        alone = not (self.in_action and row.who == "actor")
        both = row.secret == "both"
        apart = on_turn or both or self.group is not None
        self.own = apart or (reads_character(rules, row) and alone)
        self.names_next = {do.next for do in row.do if do.next}
        self.answers = {ask.name: ask for ask in row.asks}
        self.read_of = {one.question for read in expressions_in(row) for one in read.others}
        """The questions for the characters whose numbers the move reads."""
        decks, given = rules.game.deck, {do.give for do in row.do}
        hidden = {name for name, deck in decks.items() if deck.hands == "hidden"}
        self.handed = {ask.name for ask in row.asks if ask.name in given and hidden & {*ask.card}}
        """The questions for a card that passes from a hidden hand to another."""
        self.receives = {do.of: self.answers[do.give].card for do in row.do if do.give}
        """The decks of a card that the character of a question receives, by that question."""
        self.again = next((do for do in row.do if do.again is not None), None)
        self.throws = any(do.thrown for do in row.do)
        self.rolls = self.throws or self.again is not None
        self.is_one_throw = sum(bool(do.throw) or do.again is not None for do in self.row.do) == 1
        """Whether further faces of dice that explode can follow those of the throw."""
        self.payment = Payment(rules, row, self.scope)
        paid = {name for price in row.price for name in price}
        self.turning = {
            r.Purse(name): one.turns
            for name, one in rules.game.points.items()
            if one.turns and name in paid
        }

    def who(self, turn: r.Turn) -> r.Character | None:
        """The character who makes the move."""
        if self.in_action and self.row.who == "actor":
            check = turn.check
            if check:
                return turn.table.actor(check)
            return None
        if not self.own:
            return None
        able = (one.value for one in self.movers(turn) if not one.closed)
        return turn.character(ACTOR_ASK) or turn.table.characters.get(next(able, ""))

    def scope(self, turn: r.Turn, who: r.Character | None = None) -> TurnScope:
        """The name scope of this move, made by `who` or by the answered character."""
        return TurnScope(self.rules, turn, self.action(turn), who or self.who(turn), self.answers)

    def action(self, turn: r.Turn) -> r.Check | None:
        """The action of the move; a hidden one counts only by name."""
        check = turn.check
        if self.in_action or check is None:
            return check
        if self.row.when == "any time" and (not check.hidden or "check" in turn.args):
            return check
        return None

    def only(self, turn: r.Turn) -> bool:
        """Whether the condition of the row holds."""
        if not self.own:
            return self.can(turn)
        own = [turn.table.characters[one.value] for one in self.everyone(turn)]
        return any(self.can(turn, who) for who in own)

    def can(self, turn: r.Turn, who: r.Character | None = None) -> bool:
        """Whether the condition of the row holds for this character, or for who makes the move."""
        return self.row.only is None or self.row.only.holds(self.scope(turn, who))

    def would_reveal_action(self, turn: r.Turn) -> bool:
        """Whether the action is hidden, and the move takes or brings public points."""
        check, points = self.action(turn), self.rules.game.points
        if check is None or not check.hidden:
            return False
        who = self.who(turn)
        own_are_hidden = who is not None and who.hidden
        public = {name for name, one in points.items() if not one.is_own or not own_are_hidden}
        brought = {do.gain or do.lose or do.step for do in self.row.do if do.when is None}
        paid = bool(self.row.price) and all(public & way.keys() for way in self.row.price)
        return paid or bool(public & brought)

    def has_die_to_reroll(self, turn: r.Turn) -> bool:
        """Whether there is a die to roll again."""
        check = turn.check
        if check is None or self.again is None:
            return True
        return bool(self.doing(turn).rolled_again(self.again, check))

    def doing(self, turn: r.Turn, bought: bool = False) -> RowExecutor:
        """The row executor of this move."""
        check = self.action(turn)
        about, faces = check.id if check else "", turn.numbers(FACES) if self.rolls else ()
        return RowExecutor(
            self.rules,
            turn,
            self.who(turn),
            answers=self.answers,
            about=about,
            why=turn.title,
            faces=faces,
            bought=bought,
            further=self.is_one_throw,
        )

    def body(self, turn: r.Turn) -> Iterator[r.Event]:
        """Carry out the row; prices of dice and terms are refunded if the action is called off."""
        pay = self.payment
        due = pay.due(turn, pay.paid_by(turn)) if pay.apart else FREE
        doing = self.doing(turn, bought=bool(turn.paid or due.given))
        if pay.prices:
            yield from self.paid(turn, doing, due)
        yield from doing.all(self.row.at_once)
        if doing.pending is not None:
            yield doing.amend(doing.pending)
        doing.check_faces()
        used = [used_by(turn, turn.text(ask.name)) for ask in self.row.asks if ask.once]
        if used and doing.check is not None:
            yield turn.amend(doing.check, terms={**doing.check.terms, **dict.fromkeys(used, 1)})
        if self.in_action:
            yield from self.next_window(turn, self.row.key)

    def paid(self, turn: r.Turn, doing: RowExecutor, due: Cost) -> Iterator[r.Event]:
        """Give the GM's share, and keep in the action the points it took, refunds or becomes."""
        arrived = {}
        for (account, _), n in due.given.items():
            before = turn.table.balance(account)
            yield from turn.change(account, n)
            arrived[account] = turn.table.balance(account) - before
        check = doing.check
        if check is None:
            return
        changes: dict[str, object] = {}
        if due.symbols:
            if short := self.payment.missing_symbols(turn, self.payment.paid_by(turn)):
                raise turn.refused("price", "symbols.short", price=short[0], left=short[1])
            changes["left"] = check.left - due.symbols
        keeps = (
            check.phase == "build"
            and (turn.paid or due.given)
            and changes_the_action_alone(self.row, turn.args)
        )
        if keeps:
            changes["spent"] = check.spent + turn.paid
        if keeps and arrived:
            terms = changes["terms"] = dict(check.terms)
            for account, n in arrived.items():
                had = terms.get(f"{GIVEN}{account}", 0)
                terms[f"{GIVEN}{account}"] = n + (had if isinstance(had, int) else 0)
        owed = check.owed
        for purse, becomes in self.turning.items():
            if turn.paid[purse]:
                owed += r.Bag({becomes: turn.paid[purse]})
        changes |= {"owed": owed} if owed is not check.owed else {}
        if keeps:
            # All that these moves do changes the action, so one event stores both.
            doing.pending = replace(check, **changes)  # type: ignore[arg-type]
        elif changes:
            yield doing.amend(replace(check, **changes))  # type: ignore[arg-type]

    # The questions.

    def asks(self) -> Iterator[r.Ask]:
        """The questions of the move."""
        if self.own:
            yield r.ChoiceAsk(ACTOR_ASK, "Who?", self.movers, first=True)
        for ask in self.row.asked:
            made = ask_of(self.rules, ask, self.scope, self.is_meant, self.who)
            if ask.name in self.handed:
                made = replace(made, private=True)
            if isinstance(made, r.ChoiceAsk) and ask.character and ask.name in self.receives:
                decks = [self.rules.reading.decks[name] for name in self.receives[ask.name]]
                made = replace(made, choices=receivers(decks, made.choices, self.who))
            if isinstance(made, r.ChoiceAsk) and ask.character and ask.name in self.read_of:
                made = replace(made, choices=partial(self.in_sight, made.choices))
            if self.turns and ask.name in self.names_next:
                yield self.turns.among_next(made)
            else:
                yield made
        if len(self.payment.prices) > 1:
            pay = self.payment
            yield r.ChoiceAsk(
                "pay", "With what?", pay.ways, default=lambda turn: pay.paid_by(turn).key
            )
        faces = partial(
            r.FacesAsk, FACES, needed=False, further=self.exploding if self.is_one_throw else None
        )
        if self.throws:
            yield faces("What do your dice show?", dice=self.thrown)
        elif self.again is not None:
            yield faces("What do they show now?", dice=self.picked_up)

    def in_sight(
        self, choices: Callable[[r.Turn], Iterable[r.Choice]], turn: r.Turn
    ) -> Iterator[r.Choice]:
        """The characters whose numbers the move may read: in the open, none that are hidden."""
        for one in choices(turn):
            if self.may_read(turn, turn.table.characters[one.value]):
                yield one

    def may_read(self, turn: r.Turn, thing: r.Character | r.Trait) -> bool:
        """Whether the effects of the move may follow from this."""
        check = self.action(turn)
        return not thing.hidden or (check is not None and check.hidden)

    def is_meant(self, ask: AskRow, turn: r.Turn, trait: r.Trait) -> bool:
        """Whether a question can choose this statement."""
        if ask.held and not is_own(turn, trait.at):
            return False
        return self._is_in_sight(ask, turn, trait) and self._is_about_whom(ask, turn, trait)

    def _is_in_sight(self, ask: AskRow, turn: r.Turn, trait: r.Trait) -> bool:
        """Whether the action may use the statement, and it is hidden if it is to be revealed."""
        if not trait.hidden and any(do.reveal == ask.name for do in self.row.do):
            return False
        if ask.name in self.read_of and not self.may_read(turn, trait):
            return False
        check = self.action(turn)
        if check is None:
            return True
        used = any(do.verb in ("fill", "end") for do in self.row.do)
        return check.knows(trait) and (not used or check.may_use(trait))

    def _is_about_whom(self, ask: AskRow, turn: r.Turn, trait: r.Trait) -> bool:
        """Whether the statement is about a target of the question."""
        if ask.of == "actor":
            check = self.action(turn)
            return check is not None and trait.about == check.actor
        if ask.of == "mover":
            return is_own(turn, trait.about)
        anybody = ask.of or ask.held or any(one.character for one in self.row.asks)
        if anybody or not is_about_character(self.rules, trait.kind):
            return True
        who = self.who(turn)
        return who is None or trait.about == who.id

    def thrown(self, turn: r.Turn) -> Iterator[r.Choice]:
        """The dice that the move throws, one by one."""
        scope = self.scope(turn)
        for do in self.row.do:
            pool = self.rules.reading.pool_of(do.thrown, scope)
            for die in self.rules.game.pool_dice:
                yield from [r.Choice(die, turn.word(die))] * pool[die]

    def exploding(
        self, turn: r.Turn, first: tuple[str, ...], faces: tuple[int, ...]
    ) -> Iterator[r.Choice]:
        """The dice that explode after the typed faces of the throw."""
        return further_dice(turn, self.rules.of(self.action(turn)).reading, first, faces)

    def picked_up(self, turn: r.Turn) -> Iterator[r.Choice]:
        """The dice that are rolled again."""
        check = turn.check
        if check is not None and self.again is not None:
            for one in self.doing(turn).rolled_again(self.again, check):
                yield r.Choice(one[0].die, turn.word(one[0].die))


_WHEN: Mapping[str, r.Condition] = {
    "before the roll": r.building,
    "after the roll": r.rolled,
    "between actions": r.between_actions,
    "any time": r.in_session,
}


_BY: Mapping[str, tuple[Side, ...]] = {
    "actor": ("player", "gm"),
    "helper": ("player",),
    "joined": ("player", "gm"),
    "player": ("player",),
    "gm": ("gm",),
    "anybody": ("player", "gm"),
}


def compiled_move(
    rules: Rules,
    row: MoveRow,
    next_window: NextWindow,
    turns: TurnMoves | None = None,
    movers: Movers | None = None,
) -> r.Move:
    """The move of a row; `movers` are the characters who can make it, if not all of the seat."""
    made = _Row(rules, row, next_window, turns, movers)
    conditions: list[r.Condition] = []
    if row.who == "actor" and made.in_action:
        conditions.append(r.yours)
    if row.who == "helper" and made.in_action:
        conditions.append(no_actor)
    if made.group is not None:
        conditions.append(
            r.any_of(made.group, "filed.join.none" if row.who == "joined" else "filed.join.nobody")
        )
    elif made.own:
        conditions.append(r.has_a_character)
    if row.when != "between actions" and (
        row.price or any(do.gain or do.lose or do.step for do in row.do)
    ):
        conditions.append(
            r.requires(lambda turn: not made.would_reveal_action(turn), "points.secret", True)
        )
    if any(row.key in window.moves for one in rules.game.actions for window in one.window):
        conditions.append(in_window(rules, row))
    if row.when == "any time":
        conditions += of_the_action(row)
    only = [r.requires(made.only, f"filed.{row.key}")] if row.only is not None else []
    if row.unless:
        conditions += only
    for ask in row.asks:
        if ask.trait and ask.needed and ask.when is None:
            conditions.append(to_choose(rules, ask, made.is_meant))
    conditions += card_conditions(rules.reading.decks, row, made.who)
    if turns is not None:
        conditions += [turns.one_next(ask) for ask in made.asks() if ask.name in made.names_next]
    if made.again is not None:
        kind = ".cards" if {*rules.game.again(made.again)} <= rules.game.deck.keys() else ""
        conditions.append(r.requires(made.has_die_to_reroll, f"filed.again{kind}", True))
    if not row.unless:
        # Without a sentence of its own, any other reason says more.
        conditions += only
    if any(price.symbols for price in made.payment.prices):
        conditions.append(enough_symbols(made.payment))

    def body(turn: r.Turn) -> Iterator[r.Event]:
        return made.body(turn)

    body.__doc__ = f"{row.title}\n\n{row.about}"
    limits = tuple(one for text in row.limit if (one := limit_of(row, text)) is not None)
    panel: str = row.place or (
        "actions" if row.when != "between actions" or row.who != "gm" else "scene"
    )
    if added_die(rules, row):
        panel = "tray"
    when = _WHEN.get(row.when)
    if when is None:
        when = turns.conditions[row.when] if turns else r.between_actions
    if row.action and rules.several:
        when = r.all_of(when, belonging(rules, row.action, made.action))
    approval: Callable[[r.Turn], bool | str] | None = None
    if row.consent in ("gm", "others"):
        approval = r.proposes
    elif row.consent:
        approval = _PlayerOf(row.consent, made)
    made_of = r.move(
        key_of(row),
        by=_BY[row.who],
        when=when,
        price=r.Worded(price_in_words(rules, row), made.payment.price) if row.price else None,
        limit=limits,
        only_if=conditions,
        asks=tuple(made.asks()),
        approval=approval,
        rule=row.rule or row.title,
        loss=row.loss,
        place=r.at(panel, 40 if made.in_action else 50),
    )(body)
    shown_as = made.payment.title if made.payment.apart else None
    asked = {ask.name for ask in row.asks}
    varies = any(n.names & asked for price in row.price for n in price.values())
    caution = made.payment.caution if varies else None
    return replace(made_of, title=row.title, shown_as=shown_as, caution=caution)


@dataclass(frozen=True, slots=True)
class _PlayerOf(r.PlayerOf):
    """The player of the actor, of an answered character, or of an answered statement's one."""

    made: _Row

    def __call__(self, turn: r.Turn) -> str:
        check, given = self.made.action(turn), turn.text(self.ask)
        if self.ask == "actor":
            return check.actor if check is not None else ""
        trait = None
        if self.made.answers[self.ask].trait:
            trait = turn.table.traits.get(given)
        return trait.about if trait is not None else given
