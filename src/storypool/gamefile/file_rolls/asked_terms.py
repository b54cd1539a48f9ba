"""The terms of a question about odds: as typed, or as an unchanged form of the action has them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from itertools import chain, islice, product

from storypool.engine.bag import Bag
from storypool.gamefile.cards.card_odds import GONE, numbers_in
from storypool.gamefile.file_format.expressions import CHOSEN, Value
from storypool.gamefile.file_format.readable_names import ACTION
from storypool.gamefile.file_format.schema import AskRow
from storypool.gamefile.file_rolls.roll_reading import RollReading, Terms
from storypool.gamefile.file_rolls.usual_terms import UsualScope, possible_answers
from storypool.odds.question import LONGEST, no_odds, unknown

__all__ = ["AskedTerms"]

MOST_TRIED = 1_000
"""The most combinations of answers that are tried for the dice of a pool."""


class AskedTerms:
    """Reads the terms of questions about the pools of one action."""

    def __init__(self, reading: RollReading) -> None:
        self.reading = reading
        self._asks = {ask.name: ask for ask in reading.game.action.asks}

    def assumed(
        self, given: Mapping[str, str], pool: Mapping[str, int] | None = None
    ) -> dict[str, str]:
        """The deciding terms that are not given, with their values; without open questions."""
        known = self.terms(given, pool)
        found = {name: str(value) for name, value in known.items() if name not in given}
        return {name: value for name, value in found.items() if value}

    def terms(
        self, given: Mapping[str, str], pool: Mapping[str, int] | None = None
    ) -> dict[str, Value]:
        """The terms that dice are read by, as typed, or by default as in an unchanged form.

        Questions from which such a term is worked out are terms too. Where the default answers give
        other dice than the `pool`, those that give its dice are taken if there are any.
        """
        known = self.needed(given)
        gone = {name: text for name, text in given.items() if self._is_gone(name, text)}
        for name in given:
            if name not in known and name not in gone:
                raise unknown(name, sorted(known))
        typed = {name: self._typed(name, text) for name, text in given.items() if name not in gone}
        if pool is not None:
            typed |= self._implied(Bag(pool), typed, known)
        scope = UsualScope(self.reading.game, typed)
        return {name: scope.value(name) for name in known} | gone

    def _is_gone(self, name: str, text: str) -> bool:
        """Whether a term says which cards of a deck are gone; `Refused` if it says it wrongly."""
        deck = self.reading.decks.get(name.removesuffix(GONE)) if name.endswith(GONE) else None
        if deck is None:
            return False
        if numbers_in(text, len(deck.cards)) is None:
            raise no_odds("cards", name, key=name, most=len(deck.cards), got=text[:LONGEST])
        return True

    def _implied(self, pool: Bag, typed: Terms, known: Iterable[str]) -> dict[str, Value]:
        """The answers with which an action has just these dice; none where the defaults give them.

        A single answer is preferred to several.
        """
        reading, game = self.reading, self.reading.game

        def gives(answers: Terms) -> bool:
            return reading.base_pool(UsualScope(game, {**typed, **answers})) == pool

        open_asks = {
            name: values
            for name, ask in self._asks.items()
            if name in known and name not in typed and (values := possible_answers(game, ask))
        }
        alone = ({name: value} for name, values in open_asks.items() for value in values)
        several = (
            dict(zip(open_asks, values, strict=True)) for values in product(*open_asks.values())
        )
        tried = islice(chain([{}], alone, several), MOST_TRIED)
        return next((answers for answers in tried if gives(answers)), {})

    def needed(self, given: Container[str]) -> list[str]:
        """The questions and terms that a reading depends on, in the order of the file.

        What a given term would be worked out from makes no difference.
        """
        action, found, ahead = self.reading.game.action, set[str](), list(self.reading.terms)
        while ahead:
            name = ahead.pop()
            if name in found or not (name in self._asks or name in action.terms):
                continue
            found.add(name)
            if name in given:
                continue
            ask = self._asks.get(name)
            read = [action.terms[name]] if ask is None else [ask.default, ask.when, *ask.choose]
            for expression in read:
                if expression is not None:
                    ahead += expression.names
        key = [ACTION] if action.key else []
        return [*key, *(name for name in (*self._asks, *action.terms) if name in found)]

    def _typed(self, name: str, text: str) -> Value:
        ask = self._asks.get(name)
        keyed = name == ACTION and ask is None
        if keyed or (ask is not None and (ask.text or ask.character)):
            return text
        if ask is None or not ask.choices:
            return self._number(name, text)
        if text in ("", "0") and not (ask.needed and ask.when is None):
            return ""
        if ask.choose:
            return self._several(ask, text)
        if text not in ask.choices:
            raise no_odds(
                "value", name, key=name, value=text[:LONGEST], values=", ".join(ask.choices)
            )
        return text

    def _several(self, ask: AskRow, text: str) -> Value:
        """Several answers in the order of the question; `Refused` if those cannot be chosen."""
        given = [one.strip() for one in text.split(CHOSEN)]
        low, high = ask.choose[0].fixed or 0, ask.choose[-1].fixed or len(ask.choices)
        known = {*given} <= ask.choices.keys() and len({*given}) == len(given)
        if not known or not low <= len(given) <= high:
            values, n = ", ".join(ask.choices), str(low) if low == high else f"{low}–{high}"
            got = text[:LONGEST]
            raise no_odds("several", ask.name, key=ask.name, n=n, got=got, values=values)
        return CHOSEN.join(one for one in ask.choices if one in given)

    def _number(self, name: str, text: str) -> int:
        digits = text.removeprefix("-")
        if not (digits.isdecimal() and digits.isascii() and len(digits) <= 3):
            raise no_odds("number", name, key=name, low=-999, high=999, got=text[:LONGEST])
        return int(text)
