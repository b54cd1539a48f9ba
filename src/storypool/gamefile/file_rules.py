"""The rules of a game file: everything derived from it that its moves share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from storypool.engine import rules as r
from storypool.engine.copies import replace
from storypool.gamefile.cards.decks import card_of
from storypool.gamefile.file_format.expressions import CHOSEN, Expression, Value
from storypool.gamefile.file_format.readable_names import ACTION, HERO
from storypool.gamefile.file_format.schema import AskRow, GameFile, MoveRow
from storypool.gamefile.file_rolls.labels import called_term
from storypool.gamefile.file_rolls.placed_dice import dice_at
from storypool.gamefile.file_rolls.roll_reading import RollReading, Rung, Terms

__all__ = ["ADDED_SYMBOL_PREFIX", "ENTRY", "Given", "Rules"]

ENTRY = "entry"
"""The term of a statement that names an entry of the sheet."""
ADDED_SYMBOL_PREFIX = "more "
"""Prefix of a term of the action: how many of this symbol moves have added."""

COUNTED = ("point", "token")
"""How words for points end that have a plural of their own."""

Given = Callable[[r.Turn], Value]
"""The value of a name that Python gives to a file, while a move is judged or made."""


class Rules:
    """A game file, everything derived from it that its moves share, and names given by Python.

    `actions` are the rules of each action by its key, all about the game of that action alone. The
    rules of a file with several read the first where no action is meant.
    """

    def __init__(self, game: GameFile, given: Mapping[str, Given] = {}) -> None:
        ladder = game.outcome or game.action.outcome
        self.game = game if game.outcome is ladder else replace(game, outcome=ladder)
        self.reading, self.given = RollReading(self.game), given
        self._rung: tuple[r.Table, r.Check, str] | None = None
        """The last rung that was read, with its table and its action."""
        self.actions: Mapping[str, Rules] = {game.action.key: self}
        self.several = len(game.actions) > 1
        """Whether the file has several actions."""
        if self.several:
            self.actions = {row.key: Rules(game.of_action(row), given) for row in game.actions}
            for one in self.actions.values():
                one.actions, one.several = self.actions, True

    def of(self, check: r.Check | None) -> Rules:
        """The rules of the action of a check; these ones where there is none."""
        if self.several and check is not None:
            return self.named(check.terms)
        return self

    def named(self, terms: Mapping[str, object]) -> Rules:
        """The rules of the action of these terms."""
        if not self.several:
            return self
        return self.actions.get(str(terms.get(ACTION)), next(iter(self.actions.values())))

    @property
    def readings(self) -> Mapping[str, RollReading]:
        """How the dice of each action are read, by its key."""
        return {key: one.reading for key, one in self.actions.items()}

    @property
    def left_out(self) -> str:
        """What the odds of some action leave out of what follows its roll; "" for nothing."""
        return next(filter(None, (one.left_out for one in self.readings.values())), "")

    @property
    def is_first(self) -> bool:
        """Whether these rules are about the first action of the file."""
        return next(iter(self.actions)) == self.game.action.key

    @property
    def declared(self) -> str:
        """The key of the move that declares this action."""
        return "check.declare" if self.is_first else f"action.{self.action}"

    @property
    def decided(self) -> str:
        """The key of the move with which the GM decides about this action."""
        return "check.decide" if self.is_first else f"decide.{self.action}"

    @property
    def closed_id(self) -> str:
        """The id of the sentence that says why this action cannot be declared."""
        return f"declared.{self.game.action.key}" if self.game.action.key else "declared"

    def outcome_id(self, rung: str) -> str:
        """The id of the sentence of a rung; a ladder of one action has its key before it."""
        row = self.game.action
        return f"outcome.{row.key}.{rung}" if row.key and row.outcome else f"outcome.{rung}"

    def answer_id(self, ask: AskRow, value: str) -> str:
        """The id of the words for a choice of an action's question."""
        key = self.game.action.key
        name = f"{key}.{ask.name}" if key else ask.name
        return f"filed.answer.{name}.{value}"

    @property
    def action(self) -> str:
        """The key of the one action that these rules are about, if it has one."""
        return self.game.action.key if len(self.game.actions) == 1 else ""

    @cached_property
    def asks(self) -> Mapping[str, AskRow]:
        """The questions of the action, by name."""
        return {ask.name: ask for ask in self.game.action.asks}

    @cached_property
    def moves(self) -> Mapping[str, MoveRow]:
        """The moves, by their keys in the file."""
        return {row.key: row for row in self.game.move}

    @cached_property
    def entries(self) -> frozenset[str]:
        """The keys of the numbers of the sheet."""
        return frozenset(key for group in self.game.sheet.values() for key in group.numbers)

    def plural(self, points: str) -> str:
        """What several of these points are called: their plural, else the word as it is written.

        Most points with one word are not countable, as with luck.
        """
        row = self.game.points[points]
        word = row.word or points
        return row.plural or (f"{word}s" if word.endswith(COUNTED) else word)

    @cached_property
    def has_traits(self) -> bool:
        """Whether the game has statements."""
        return bool(self.game.trait)

    def counts_of_character(self, expression: Expression) -> bool:
        """Whether an expression counts statements about a character."""
        kinds = [about[0] for name, about in expression.counts if name == "traits"]
        return any(
            kind in self.game.trait and self.game.trait[kind].of == "character" for kind in kinds
        )

    def is_of_character(self, name: str) -> bool:
        """Whether a name is an entry of the sheet, points of a character, or `hero`."""
        row = self.game.points.get(name)
        own = name in self.entries or (row is not None and row.is_own)
        return own or self.means_hero(name)

    def means_hero(self, name: str) -> bool:
        """Whether a name is `hero`, and the file has no other meaning for it."""
        return name == HERO and not self.named_hero

    @cached_property
    def named_hero(self) -> bool:
        """Whether the file has something of its own that is called `hero`."""
        game = self.game
        own = [*game.points, *game.option, *self.given]
        own += [key for group in game.sheet.values() for key in group.entries]
        for action in game.actions:
            own += [*action.terms, *action.figures, *action.counts]
            own += [ask.name for ask in action.asks]
        return HERO in own or HERO in self.reading.symbols

    def terms(self, check: r.Check, table: r.Table) -> dict[str, Value]:
        """The terms that the dice of an action are read by."""
        return {name: self.term(check, table, name) for name in self.reading.terms}

    def term(self, check: r.Check, table: r.Table, name: str) -> Value:
        """A term of an action; an entry of the sheet stands for its number."""
        value, ask = check.terms.get(name, 0), self.asks.get(name)
        if ask is not None and ask.entry:
            actor = table.actor(check)
            if value:
                return self.rating(actor, str(value))
            return 0
        if ask is not None and ask.trait:
            return self.statement(table, str(value), table.actor(check))
        if ask is not None and ask.card:
            return self.card(str(value))[0]
        return value if isinstance(value, int | str) else 0

    def text_of(self, check: r.Check, table: r.Table, name: str) -> Value:
        """The words of a term for a sentence, or its number."""
        ask, value = self.asks.get(name), check.terms.get(name, 0)
        if ask is None or ask.entry or not isinstance(value, str):
            return self.term(check, table, name)
        return self.answer_in_words(ask, value, table)

    def reads_entry(self, ask: AskRow) -> bool:
        """Whether the roll depends on which entry is meant, besides its number."""
        read = (*self.game.action.terms.values(), *self.game.action.pool.values())
        return any(name == ask.name for one in read for name, _ in one.texts)

    def entry_of(self, ask: AskRow, given: str, table: r.Table) -> str:
        """The entry of the sheet that an answer names, itself or by its statement; "" for none."""
        if not ask.trait:
            return given
        trait = table.traits.get(given)
        return str(trait.terms.get(ENTRY, "")) if trait is not None else ""

    def statement(self, table: r.Table, id: str, who: r.Character | None) -> int:
        """The number of the sheet that a statement names, else its rating; 0 without one."""
        trait = table.traits.get(id)
        entry = str(trait.terms.get(ENTRY, "")) if trait is not None else ""
        if entry:
            return self.rating(who, entry)
        if trait:
            return trait.rating
        return 0

    def card(self, answer: str) -> tuple[int, str]:
        """The value and the suit of the card that an answer means; 0 and "" without one."""
        found = card_of(self.reading.decks, answer)
        return (found[1].value, found[1].suit) if found is not None else (0, "")

    def rating(self, character: r.Character | None, entry: str) -> int:
        """A number of a sheet, or its default."""
        found = character.rating(entry) if character is not None else None
        if found is not None:
            return found
        return next(
            (group.default for group in self.game.sheet.values() if entry in group.entries), 0
        )

    def answer_in_words(self, ask: AskRow, given: str, table: r.Table) -> str:
        """The words of an answer: a label, the text of a statement, a name."""
        if ask.entry:
            return self.label(given)
        if ask.trait and given in table.traits:
            return table.traits[given].text
        if ask.card and (found := card_of(self.reading.decks, given)) is not None:
            return found[1].rank
        if ask.character and given in table.characters:
            return table.characters[given].name
        if ask.choose:
            return self.several_in_words(ask, given.split(CHOSEN))
        return ask.choices.get(given, given)

    def several_in_words(self, ask: AskRow, given: Iterable[object]) -> str:
        """The words of several answers."""
        return ", ".join(ask.choices.get(str(one), str(one)) for one in given)

    def label(self, entry: str) -> str:
        """The label of an entry of the sheet."""
        return next(
            (one.entries[entry] for one in self.game.sheet.values() if entry in one.entries), entry
        )

    def called(self, ask: AskRow) -> str:
        """The words of an answer to a question of the action."""
        return called_term(self.game.action, ask.name)

    def called_term(self, name: str) -> str:
        """What a term is called: as the page shows it, by its question, or by its key in words."""
        return called_term(self.game.action, name)

    def rung_of(self, table: r.Table, check: r.Check) -> str:
        """The key of the rung of a roll, which conditions of many moves read at the same table."""
        if check.outcome is None:
            return ""
        if (rules := self.of(check)) is not self:
            return rules.rung_of(table, check)
        known = self._rung
        if known is None or known[0] is not table or known[1] is not check:
            terms: Terms = self.terms(check, table)
            found = self.read(check.rolled, terms, check)
            self._rung = known = (table, check, found.outcome.key)
        return known[2]

    def read(self, rolled: tuple[r.Rolled, ...], terms: Terms, check: r.Check) -> Rung:
        """The result of these dice of an action under these terms."""
        placed = dice_at(self.reading, check.terms)
        return self.reading.result(rolled, terms, check.pool, self.more(check), placed)

    def die_of(self, check: r.Check, given: object) -> tuple[r.Rolled, ...]:
        """The rolls of the rolled die that an answer means; () for none."""
        dice = self.reading.by_die(check.rolled, self.reading.thrown(check.pool))
        text = str(given)
        return dice[int(text)] if text.isdecimal() and int(text) < len(dice) else ()

    def more(self, check: r.Check) -> Mapping[str, int]:
        """The symbols that moves have added to a roll."""
        found = (
            (name.removeprefix(ADDED_SYMBOL_PREFIX), n)
            for name, n in check.terms.items()
            if name.startswith(ADDED_SYMBOL_PREFIX)
        )
        return {name: n for name, n in found if isinstance(n, int)}
