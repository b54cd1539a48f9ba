"""The meanings of the names in a game file at a table: answers, terms, dice, points, the sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storypool.engine import rules as r
from storypool.gamefile.cards.piles import Piles
from storypool.gamefile.file_format.expressions import (
    GROUP,
    Other,
    Scope,
    Value,
    as_number,
    as_value,
)
from storypool.gamefile.file_format.readable_names import (
    ACTION,
    HERO,
    OUTCOME,
    PLAYERS,
    ROUND,
    SIDE,
)
from storypool.gamefile.file_format.schema import AskRow
from storypool.gamefile.file_rolls.usual_terms import usual_number
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.together.joined import joined

__all__ = ["KIND", "TurnScope", "is_hero"]

KIND, RANK = "kind", "rank"
"""The term of a statement that has its kind, and the name by which its rank is read."""


def is_hero(who: r.Character | None) -> bool:
    """Whether this is a character of a player's."""
    return who is not None and who.side == "players"


class TurnScope(Scope):
    """Every name at a table: answers, and what is true of the action and of a character."""

    def __init__(
        self,
        rules: Rules,
        turn: r.Turn,
        check: r.Check | None = None,
        who: r.Character | None = None,
        answers: Mapping[str, AskRow] | None = None,
        numbers: dict[str, Value] | None = None,
    ) -> None:
        self.rules, self.turn, self.check, self.who = rules.of(check), turn, check, who
        self.answers, self.numbers = answers or {}, {} if numbers is None else numbers
        self.given: Mapping[str, object] = turn.args
        """The answers to the questions of the move."""
        self._asking = set[str]()

    def value(self, name: str) -> Value:
        """The value of a name, the nearest meaning first: of the move, the action, the table."""
        if name in self.numbers:
            return self.numbers[name]
        rules, check, table = self.rules, self.check, self.turn.table
        if name in self.answers and self._asks(name):
            return self._answer(self.answers[name])
        if check is None and self.answers is rules.asks and name in rules.game.action.terms:
            return self._term(name)
        if check is not None and (name in rules.asks or name in rules.game.action.terms):
            return rules.term(check, table, name)
        if name == SIDE:
            team = check.team if check is not None else self.turn.seat.team
            return str(team)
        if check is not None and check.outcome is not None:
            if name == OUTCOME:
                return rules.rung_of(table, check)
            if name in rules.reading.numbers:
                return check.outcome.net[name]
        if (row := rules.game.points.get(name)) is not None:
            if not row.is_own:
                return table.balance(name, "")
            if self.who:
                return table.balance(name, self.who.id)
            return 0
        if name in rules.entries:
            return rules.rating(self.who, name)
        if name in rules.game.option:
            return self.turn.option(name)
        if name == ROUND and table.of_kind("slot"):
            return table.periods["round"]
        if name == ACTION:
            return rules.action
        if name == PLAYERS:
            return len(r.players(table))
        if name in rules.given:
            return rules.given[name](self.turn)
        return int(name == HERO and is_hero(self.who))

    def call(self, function: str, about: tuple[str, ...]) -> int:
        """Count dice of the action, dice with a number, or statements of the character or scene."""
        check, name = self.check, about[0]
        if function == "traits":
            whom = {"", self.who.id if self.who else ""}
            return sum(trait.about in whom for trait in self.turn.table.of_kind(name))
        if function in ("hand", "left"):
            piles = Piles(self.rules.reading.decks[name], self.turn.table)
            if function == "left":
                return piles.left
            return piles.count(self.who.id) if self.who is not None else 0
        if function in GROUP:
            return GROUP[function](list(self._of_group(name)))
        if check is None:
            return 0
        if function == "dice":
            return check.pool[name]
        return sum(one.die == name and str(one.face) == about[1] for one in check.rolled)

    def _of_group(self, name: str) -> Iterator[int]:
        """A number of each character who acts together; one who acts alone is a group too."""
        check, table, ask = self.check, self.turn.table, self.rules.asks.get(name)
        if check is None:
            yield as_number(self.value(name))
            return
        rules, entry = self.rules, name if ask is None else str(check.terms.get(name, ""))
        for id in (check.actor, *joined(check.terms)):
            numbers = table.balance if name in rules.game.points else None
            yield numbers(name, id) if numbers else rules.rating(table.characters.get(id), entry)

    def is_text(self, name: str, text: str) -> bool:
        """Whether this is the text of a name: of an entry which one it is, of a statement what."""
        ask, given = self._answered(name)
        if ask is not None and ask.card:
            return self.rules.card(str(given or ""))[1] == text
        if ask is None or not (ask.entry or ask.trait):
            return self.value(name) == text
        if given is None and name in self.answers:
            given = self._usual(ask)
        if text in ask.trait and (trait := self.turn.table.traits.get(str(given or ""))):
            return trait.kind == text
        return self.rules.entry_of(ask, str(given or ""), self.turn.table) == text

    def other(self, read: Other) -> Value:
        """A number of the character whom a question means; 0 where it is not answered.

        Of a statement that a question means, its rank or its kind.
        """
        ask, given = self._answered(read.question)
        if ask is not None and ask.reads_statement(read, self.rules.game.trait):
            trait = self.turn.table.traits.get(str(given))
            if read.name == RANK:
                return trait.rating if trait is not None else 0
            return str(trait.terms.get(KIND, "")) if trait is not None else ""
        one, table = self.meant(read.question), self.turn.table
        if one is None:
            return 0
        if read.function == "points":
            return table.balance(read.name, one.id)
        if read.function == "traits":
            about = table.of_kind(read.name, about=one.id)
            return sum(self._is_hidden or not trait.hidden for trait in about)
        if self.rules.means_hero(read.name):
            return int(is_hero(one))
        return self.rules.rating(one, read.name)

    @property
    def _is_hidden(self) -> bool:
        """Whether this is about a hidden action, also one that is being declared."""
        if self.check is not None:
            return self.check.hidden
        declared = self.answers is self.rules.asks
        return declared and (self.turn.flag("secret") or (self.who is not None and self.who.hidden))

    def meant(self, question: str) -> r.Character | None:
        """The character of an answer, or whom the answered statement is about."""
        (ask, given), table = self._answered(question), self.turn.table
        if ask is not None and ask.trait:
            trait = table.traits.get(str(given))
            given = trait.about if trait is not None else ""
        return table.characters.get(str(given))

    def _answered(self, name: str) -> tuple[AskRow | None, object]:
        """A question of the move or of the action, and its answer."""
        if name in self.answers and self._asks(name):
            return self.answers[name], self.given.get(name)
        if self.check is not None and name in self.rules.asks:
            return self.rules.asks[name], self.check.terms.get(name)
        return None, None

    def _asks(self, name: str) -> bool:
        """Whether this move asks a question, which may be one of the action's again."""
        again = self.check is not None and self.answers is self.rules.asks
        return not again or name in self.given

    def _term(self, name: str) -> int:
        """A term of the action that is being declared; a circle reads 0."""
        if name in self._asking:
            return 0
        self._asking.add(name)
        try:
            return self.rules.game.action.terms[name].number(self)
        finally:
            self._asking.discard(name)

    def _answer(self, ask: AskRow) -> Value:
        given = self.given.get(ask.name)
        if given is None:
            given = self._usual(ask)
        if ask.entry:
            if given:
                return self.rules.rating(self.who, str(given))
            return 0
        if ask.trait:
            return self.rules.statement(self.turn.table, str(given), self.who)
        if ask.card:
            return self.rules.card(str(given or ""))[0]
        if ask.rolled:
            die = self.rules.die_of(self.check, given) if self.check is not None else ()
            return sum(one.face for one in die)
        if given is None and ask.number:
            return 0
        return as_value(given)

    def _usual(self, ask: AskRow) -> r.Value | None:
        """The default of an unanswered question; None if it has none."""
        if ask.name in self._asking:
            return None
        self._asking.add(ask.name)
        try:
            if ask.when is not None and not ask.when.holds(self):
                return None
            if ask.number:
                return usual_number(ask, self)
            if ask.default is None:
                return None
            if ask.entry and ask.default.text in self.rules.entries:
                return ask.default.text
            return ask.default(self)
        finally:
            self._asking.discard(ask.name)
