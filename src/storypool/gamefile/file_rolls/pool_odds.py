"""The exact odds of a pool of a game file: of every number read, and of every rung of the ladder.

Dice are folded in one after the other. A state holds only what the reading needs: the symbol
totals, the sums of all dice, and the highest and lowest dice. So rolls that read alike are counted
together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from storypool.engine.bag import Bag
from storypool.engine.dice import Die
from storypool.gamefile.cards.card_odds import GONE, drawn_states, gone_cards, redrawn_states
from storypool.gamefile.file_format.expressions import Expression, Value
from storypool.gamefile.file_format.schema import FigureRow
from storypool.gamefile.file_rolls.asked_terms import AskedTerms
from storypool.gamefile.file_rolls.labels import labels, term_in_words
from storypool.gamefile.file_rolls.roll_effects import RollEffects
from storypool.gamefile.file_rolls.roll_reading import (
    MOST_ROLLS,
    RollReading,
    SingleDie,
    Terms,
    TermScope,
    counts,
    figure,
)
from storypool.gamefile.file_rolls.roll_results import RollResults
from storypool.odds import Distribution, TooManyDice, odds
from storypool.odds.question import Question, Reckoned, no_odds, within_limits
from storypool.words import Phrase

__all__ = ["Again", "FileOdds"]

MOST_STEPS = 250_000
"""The most steps of one question: one face added to one state, or one number read off a state."""


class Again(NamedTuple):
    """The dice rolled once more: of these kinds, or all, whose face fulfils the expression."""

    when: Expression
    dice: tuple[str, ...] = ()


class _State(NamedTuple):
    """The dice so far: their symbols, their sums, and the single dice that can still count."""

    symbols: tuple[int, ...]
    kept: tuple[SingleDie, ...]
    sums: tuple[int, ...]


class _Counted(NamedTuple):
    """The odds of a pool: of every number read, and of the rungs."""

    numbers: Distribution
    rungs: Mapping[str, Fraction]


_Result = tuple[tuple[int, ...], int]
"""The symbols of a die on the axes, and its number."""


class _Face(NamedTuple):
    """A result of a die, with its number of ways."""

    symbols: tuple[int, ...]
    shown: SingleDie
    ways: int


class FileOdds:
    """Answers questions about the pools of a game."""

    def __init__(self, reading: RollReading) -> None:
        self.reading, self.key = reading, reading.game.key
        self.asked = AskedTerms(reading)
        self._known = lru_cache(maxsize=256)(self._counted)
        self._thrown = lru_cache(maxsize=256)(self._counted_throw)
        self.effects = RollEffects(reading, self._throw)

    def reckon(self, question: Question) -> Reckoned:
        """The odds of a pool under its terms; `Refused` for an unknown term or too many dice."""
        if question.against is not None:
            raise no_odds("sides", "against")
        if not self.reading.numbers:
            raise no_odds("unread", "pool")
        terms = self.asked.terms(question.terms, question.pool)
        found = self.distribution(question.pool, terms)
        assumed = self.asked.assumed(question.terms, question.pool)
        outcomes = self.outcomes(question.pool, terms)
        return Reckoned(
            self.key,
            question,
            found,
            outcomes,
            assumed=assumed,
            without=self.reading.left_out,
            labels=labels(self.reading),
            in_words={
                name: term_in_words(self.reading, name, value)
                for name, value in {**question.terms, **assumed}.items()
            },
        )

    def distribution(
        self, pool: Mapping[str, int], terms: Terms, again: Again | None = None
    ) -> Distribution:
        """The joint odds of every number read, after rerolling the dice where `again` holds."""
        return self._found(pool, terms, again).numbers

    def outcomes(
        self, pool: Mapping[str, int], terms: Terms, again: Again | None = None
    ) -> dict[str, Fraction]:
        """The chance to succeed, if the game has success, and that of every rung."""
        rungs, found = self.reading.game.outcome, self._found(pool, terms, again).rungs
        chances = {one.key: found.get(one.key, Fraction(0)) for one in rungs}
        if all(one.passed is None for one in rungs):
            return chances
        passed = sum((chances[one.key] for one in rungs if one.passed), Fraction(0))
        return {self.reading.passing: passed, **chances}

    def _found(self, pool: Mapping[str, int], terms: Terms, again: Again | None) -> _Counted:
        with within_limits():
            return self._known(Bag(pool), tuple(sorted(terms.items())), again)

    def _counted(
        self, pool: Bag, terms: tuple[tuple[str, Value], ...], again: Again | None
    ) -> _Counted:
        reading, known = self.reading, dict(terms)
        empty, thrown = reading.is_empty(pool), reading.thrown(pool)
        figures = reading.figures_of_odds(empty)
        summed = _summed(figures, thrown)
        ways: dict[_State, int] = {}
        if figures or (reading.explodes.keys() | reading.decks.keys()) & thrown.keys():
            ways = self._folded(thrown, known, again, figures)
        else:
            dice = {Die(die, self._faces(die, known, again)): n for die, n in thrown.items()}
            ways = {
                _State(row, (), ()): n for row, n in odds(dice, reading.axes).row_counts.items()
            }
        action = reading.game.action
        _check_steps(len(ways) * (len(figures) + len(action.counts) + len(reading.game.outcome)))
        total, steps = sum(ways.values()), 0
        results = RollResults(self.effects, known, pool)
        for state, n in ways.items():
            _check_steps(
                steps := steps + results.add(state.symbols, _numbers(state, figures, summed), n)
            )
        return _Counted(
            Distribution.from_outcomes(reading.numbers, results.rows()),
            {key: part / total for key, part in results.rungs().items()},
        )

    def _throw(
        self, pool: Bag, figures: Mapping[str, FigureRow]
    ) -> tuple[tuple[Mapping[str, int], Fraction], ...]:
        """The numbers read off thrown dice, each combination with its chance."""
        return self._thrown(pool, tuple(sorted(figures.items())))

    def _counted_throw(
        self, pool: Bag, rows: tuple[tuple[str, FigureRow], ...]
    ) -> tuple[tuple[Mapping[str, int], Fraction], ...]:
        figures, found = dict(rows), Counter[tuple[tuple[str, int], ...]]()
        summed = _summed(figures, pool)
        for state, n in self._folded(pool, {}, None, figures).items():
            numbers = _numbers(state, figures, summed)
            for axis, m in zip(self.reading.axes.names, state.symbols, strict=True):
                numbers[f"thrown_{axis}"] = m
            found[tuple(numbers.items())] += n
        total = found.total()
        return tuple((dict(numbers), Fraction(n, total)) for numbers, n in found.items())

    def _faces(self, name: str, terms: Terms, again: Again | None) -> tuple[Bag, ...]:
        """The faces of a die, equally likely; a rerolled face stands for all of them."""
        die = self.reading.die(name, terms)
        if again is None:
            return die.faces
        faces: list[Bag] = []
        for n, first in enumerate(die.faces, die.first):
            if _is_rerolled(again, name, n, terms):
                faces += die.faces
            else:
                faces += [first] * die.sides
        return tuple(faces)

    def _folded(
        self, pool: Bag, terms: Terms, again: Again | None, figures: Mapping[str, FigureRow]
    ) -> dict[_State, int]:
        """The number of ways to reach each state of the dice."""
        summed = _summed(figures, pool)
        single = [row for name, row in figures.items() if name not in summed]
        empty = _State((0,) * len(self.reading.axes.names), (), (0,) * len(summed))
        states, steps = {empty: 1}, 0

        kept_after = dict[tuple[tuple[SingleDie, ...], SingleDie], tuple[SingleDie, ...]]()

        def keeping(kept: tuple[SingleDie, ...], shown: SingleDie) -> tuple[SingleDie, ...]:
            if not single:
                return ()
            key = kept, shown
            if key not in kept_after:
                kept_after[key] = tuple(sorted(_needed(single, (*kept, shown))))
            return kept_after[key]

        def with_cards(state: _State, face: _Result, k: int) -> _State:
            shown = SingleDie(name, face[1], self.reading.by_name[name].sides)
            sums = [k * counts(row, shown) * shown.number for row in summed.values()]
            return _State(
                tuple(one + k * more for one, more in zip(state.symbols, face[0], strict=True)),
                tuple(sorted(_needed(single, (*state.kept, *[shown] * k)))),
                tuple(map(int.__add__, state.sums, sums)),
            )

        def counted(n: int) -> None:
            nonlocal steps
            steps += n * (1 + len(figures))
            _check_steps(steps)

        for name, n in pool.items():
            if name in self.reading.decks:
                cards = self._cards(name, terms, again, bool(figures))
                drawn = min(n, len(cards))
                if any(is_replaced for _, is_replaced in cards):
                    states = redrawn_states(states, cards, drawn, with_cards, counted)
                else:
                    results = [result for result, _ in cards]
                    states = drawn_states(states, results, drawn, with_cards, counted)
                continue
            faces = self._shown(name, terms, again, bool(figures))
            added = [_added(face, summed.values()) for face in faces]
            for _ in range(n):
                steps += len(states) * len(faces) * (1 + len(figures))
                _check_steps(steps)
                after: dict[_State, int] = {}
                for state, ways in states.items():
                    for face, more in zip(faces, added, strict=True):
                        symbols = tuple(map(int.__add__, state.symbols, face.symbols))
                        kept = keeping(state.kept, face.shown)
                        found = _State(symbols, kept, tuple(map(int.__add__, state.sums, more)))
                        after[found] = after.get(found, 0) + ways * face.ways
                states = after
        return states

    def _cards(
        self, name: str, terms: Terms, again: Again | None, numbered: bool
    ) -> list[tuple[_Result, bool]]:
        """The cards that can be drawn of a deck, each with whether it is replaced."""
        deck, axes = self.reading.decks[name], self.reading.axes
        found = []
        for n in gone_cards(deck, str(terms.get(f"{name}{GONE}", ""))):
            card = deck.card(n)
            net = axes.net(card.symbols)
            symbols = tuple(net[axis] for axis in axes.names)
            again_drawn = again is not None and _is_rerolled(again, name, card.value, terms)
            found.append(((symbols, card.value if numbered else 0), again_drawn))
        return found

    def has_enough(self, pool: Mapping[str, int], terms: Terms, again: Again) -> bool:
        """Whether each deck has enough cards for all that can be replaced, without a shuffle."""
        for name in self.reading.decks.keys() & pool.keys():
            cards = self._cards(name, terms, again, False)
            replaced = min(pool[name], sum(is_replaced for _, is_replaced in cards))
            if replaced > len(cards) - pool[name]:
                return False
        return True

    def _shown(self, name: str, terms: Terms, again: Again | None, numbered: bool) -> list[_Face]:
        """The results of a die with their symbols on the axes, equal ones once.

        Without `numbered` results that differ in their number alone are equal.
        """
        die = self.reading.die(name, terms)
        rolls = MOST_ROLLS if name in self.reading.explodes else 1
        each = self._by_first(die, rolls, numbered)
        ways = Counter[_Result]()
        for n, results in each.items():
            if again is None:
                ways.update(results)
            elif _is_rerolled(again, name, n, terms):
                for fresh in each.values():
                    ways.update(fresh)
            else:
                ways.update({one: m * die.sides for one, m in results.items()})
        return [
            _Face(symbols, SingleDie(name, number, die.sides), n)
            for (symbols, number), n in ways.items()
        ]

    def _by_first(self, die: Die, rolls: int, numbered: bool) -> dict[int, Counter[_Result]]:
        """The results of at most this many rolls of a die, by its first face.

        All ways together are the number of sides to the power of `rolls`.
        """
        further = Counter[_Result]()
        explodes = self.reading.explodes.get(die.name, ())
        if rolls > 1:
            for results in self._by_first(die, rolls - 1, numbered).values():
                further.update(results)
        found: dict[int, Counter[_Result]] = {}
        for n in range(die.first, die.last + 1):
            net, number = self.reading.axes.net(die.face(n)), n if numbered else 0
            symbols = tuple(net[axis] for axis in self.reading.axes.names)
            found[n] = Counter({(symbols, number): die.sides ** (rolls - 1)})
            if rolls > 1 and n in explodes:
                found[n] = Counter(
                    {
                        (tuple(map(int.__add__, symbols, more)), number + m): ways
                        for (more, m), ways in further.items()
                    }
                )
        return found


def _check_steps(steps: int) -> None:
    """Raise `TooManyDice` if this many steps are too many."""
    if steps > MOST_STEPS:
        raise TooManyDice(Phrase("odds.states", most=f"{MOST_STEPS:,}"))


def _is_rerolled(again: Again, die: str, face: int, terms: Terms) -> bool:
    """Whether a die that shows this face is rolled again."""
    return (not again.dice or die in again.dice) and again.when.holds(
        TermScope(terms, {"face": face})
    )


def _summed(figures: Mapping[str, FigureRow], pool: Mapping[str, int]) -> dict[str, FigureRow]:
    """The figures that are the sum of all dice of a pool that they count."""
    return {name: row for name, row in figures.items() if row.highest >= _counted(row, pool) > 0}


def _added(face: _Face, summed: Collection[FigureRow]) -> list[int]:
    """The addition of a die with this result to each figure that is a sum."""
    return [counts(row, face.shown) * face.shown.number for row in summed]


def _counted(row: FigureRow, pool: Mapping[str, int]) -> int:
    """The dice of a pool that a figure counts."""
    return sum(n for die, n in pool.items() if not row.of or die in row.of)


def _numbers(
    state: _State, figures: Mapping[str, FigureRow], summed: Collection[str]
) -> dict[str, int]:
    """The figures of all dice of a pool."""
    sums = dict(zip(summed, state.sums, strict=True))
    return sums | {
        name: figure(row, state.kept) for name, row in figures.items() if name not in sums
    }


def _needed(figures: Iterable[FigureRow], shown: tuple[SingleDie, ...]) -> Iterator[SingleDie]:
    """The dice that a figure can still need, whatever else is rolled."""
    needed, figures = set[int](), list(figures)
    if len(figures) == 1 and figures[0].against:
        return iter(_undecided(figures[0], shown))
    for row in figures:
        if row.against:
            kinds = (*row.of, *row.against)
            needed |= {place for place, one in enumerate(shown) if one.die in kinds}
            continue
        counted = [place for place, one in enumerate(shown) if counts(row, one)]
        falling = sorted(counted, key=lambda place: -shown[place].number)
        if row.lowest:
            needed |= set(falling[-row.lowest :])
            continue
        needed |= set(falling[: row.highest or row.next + 1])
        if row.left:
            ordered = sorted(counted, key=lambda place: (-shown[place].number, shown[place].sides))
            rest = [place for place in ordered[row.left :] if shown[place].number > 1]
            needed |= set(ordered[: row.left]) | set(
                sorted(rest, key=lambda place: -shown[place].sides)[:1]
            )
    return (shown[place] for place in needed)


def _undecided(row: FigureRow, shown: tuple[SingleDie, ...]) -> list[SingleDie]:
    """The dice of two sides that decide between them: equal ones of both have no part in it."""
    found = {True: list[SingleDie](), False: list[SingleDie]()}
    for one in shown:
        if one.die in (*row.of, *row.against) and one.number > row.over:
            found[one.die in row.of].append(one)
    theirs = Counter(one.number for one in found[False])
    mine = Counter(one.number for one in found[True])
    left = []
    for side in found.values():
        equal = mine & theirs
        for one in side:
            if equal[one.number]:
                equal[one.number] -= 1
            else:
                left.append(one)
    return left
