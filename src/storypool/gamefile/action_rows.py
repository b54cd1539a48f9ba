"""The verbs of a game file that change the action of a move: its dice, its terms, its roll."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from functools import lru_cache
from typing import Any

from storypool.engine import rules as r
from storypool.engine.copies import replace
from storypool.gamefile.file_format.expressions import Expression, Value
from storypool.gamefile.file_format.game_bounds import MOST_DICE
from storypool.gamefile.file_format.schema import AskRow, DoRow
from storypool.gamefile.file_rolls.explosions import exploded
from storypool.gamefile.file_rolls.placed_dice import lifted, put_at
from storypool.gamefile.file_rolls.roll_reading import TermScope
from storypool.gamefile.file_rules import ADDED_SYMBOL_PREFIX, Rules
from storypool.gamefile.scope import TurnScope

FACE = frozenset({"face"})
NO_DICE = r.Bag()
BROUGHT_TERM = "moved "
"""Prefix of a term of the action: by how much its roll moved the term of this name."""


@lru_cache(maxsize=1024)
def _holds_for(expression: Expression, face: int) -> bool:
    """Whether an expression about the face of a die alone holds for this one."""
    return expression.holds(TermScope({}, {"face": face}))


class ActionRows:
    """The rows of one move or reaction, as far as they change the action and its roll.

    `faces` are typed faces of real dice, in the order in which the rows roll.
    """

    def __init__(
        self,
        rules: Rules,
        turn: r.Turn,
        who: r.Character | None,
        answers: Mapping[str, AskRow],
        about: str,
        why: str,
        faces: tuple[int, ...] = (),
        bought: bool = False,
        further: bool = False,
    ) -> None:
        self.rules = rules.of(turn.table.checks.get(about))
        self.turn, self.answers, self.about, self.why = turn, answers, about, why
        self._who = who
        self.numbers: dict[str, Value] = {}
        self.faces, self.typed, self.cast, self.bought = faces, len(faces), NO_DICE, bought
        self.further = further
        """Whether further faces of dice that explode are typed after those of their throw."""
        self.pending: r.Check | None = None
        """The action with what was paid for it, until the next event stores it."""
        self.moved: dict[str, int] = {}
        """By how much the rows so far have moved the terms of the action; a choice along its list.
        """
        self.nested = 0
        """How many tables of effects are being consulted inside each other."""
        self._scope: TurnScope | None = None

    @property
    def who(self) -> r.Character | None:
        """The character who makes the move, after the rows so far."""
        return self._who and self.turn.table.characters.get(self._who.id, self._who)

    @property
    def check(self) -> r.Check | None:
        """The open action, after the rows so far."""
        return self.pending or self.turn.table.checks.get(self.about)

    def amend(self, check: r.Check, what: str = "", **changes: object) -> r.Event:
        """The event that changes the action, with the price paid for it."""
        self.pending = None
        return self.turn.amend(check, what, **changes)  # type: ignore[arg-type]

    def statement(self, question: str) -> r.Trait | None:
        """The statement that a question of the move means, or one of its action."""
        if question in self.answers:
            given = self.turn.text(question)
        else:
            given = str(self.check.terms.get(question, "")) if self.check is not None else ""
        return self.turn.table.traits.get(given)

    def scope(self) -> TurnScope:
        """The current name scope."""
        scope = self._scope
        if scope is None:
            self._scope = scope = TurnScope(
                self.rules,
                self.turn,
                check=None,
                who=self.who,
                answers=self.answers,
                numbers=self.numbers,
            )
        scope.check, scope.who = self.check, self.who
        return scope

    def _cast(self, pool: r.Bag) -> tuple[r.Rolled, ...]:
        """Roll dice, or take the next typed faces; raises `Refused` if they are too few."""
        typed, self.faces = self.faces[: pool.total], self.faces[pool.total :]
        self.cast += pool
        if self.typed and len(typed) < pool.total:
            raise self._miscounted()
        return self.turn.cast(pool, typed)

    def _exploded(
        self, fell: tuple[r.Rolled, ...]
    ) -> Generator[r.Event, None, list[tuple[r.Rolled, ...]]]:
        further = self.faces if self.further else ()
        dice, left = yield from exploded(self.turn, self.rules.reading, self.about, fell, further)
        if self.further:
            self.faces = left
        return dice

    def check_faces(self) -> None:
        """Raise `Refused` if more faces were typed than dice were rolled."""
        if self.faces:
            raise self._miscounted()

    def _miscounted(self) -> r.Refused:
        counts = {"n": self.cast.total, "got": self.typed, "pool": self.turn.show(self.cast)}
        return self.turn.refused("argument", "faces.count", "faces", **counts)

    def _n(self, row: DoRow) -> int:
        if row.n is None:
            return 1
        fixed = row.n.fixed
        if fixed is None:
            return row.n.number(self.scope())
        return fixed

    def _pool(self, row: DoRow) -> Iterator[r.Event]:
        check, n, verb = self.check, self._n(row), row.verb
        if check is None or check.phase != "build" or n < 1:
            return
        die = getattr(row, verb)
        if die not in self.rules.game.pool_dice:
            size = self.scope().value(die)
            die = self.rules.reading.sized(size if isinstance(size, int) else 0)
        if not die:
            return
        by, most = self.turn.seat.id, min(n, MOST_DICE)
        mod = r.Mod(verb, die, most, self.why, by, bought=self.bought)  # type: ignore[arg-type]
        if self.turn.system.pool(check.base, (*check.mods, mod)).total > MOST_DICE:
            raise self.turn.refused("argument", "filed.dice", n=MOST_DICE)
        what = self.turn.words.say(f"mod.{verb}", n=n, die=self.turn.word(die, n), why=self.why)
        yield self.amend(check, what, mods=(*check.mods, mod))

    _add = _remove = _upgrade = _downgrade = _pool

    def _set(self, row: DoRow) -> Iterator[r.Event]:
        value, check = row.to(self.scope()) if row.to is not None else 0, self.check
        value = int(value) if isinstance(value, bool) else value
        if check is not None and (brought := f"{BROUGHT_TERM}{row.set}") in check.terms:
            # A new value replaces what the roll brought, so a re-roll takes nothing back.
            terms = {name: n for name, n in check.terms.items() if name != brought}
            yield self.amend(check, terms=terms)
        yield from self._term(row.set, value)

    def _shift(self, row: DoRow) -> Iterator[r.Event]:
        if self.check is not None:
            value = self.rules.reading.shifted(
                row.shift, self.check.terms.get(row.shift, 0), self._n(row)
            )
            yield from self._term(row.shift, value)

    def _term(self, name: str, value: Value) -> Iterator[r.Event]:
        check = self.check
        if check is None or check.terms.get(name) == value:
            return
        ask, by = self.rules.asks.get(name), self.rules.reading.place(name, value)
        self.moved[name] = (
            self.moved.get(name, 0) + by - self.rules.reading.place(name, check.terms.get(name, 0))
        )
        shown = ask.choices.get(str(value), value) if ask is not None else value
        what = ""
        if check.phase == "build" or ask is not None or name in self.rules.game.action.shown:
            # The new result shows a number that only the reading of the roll needs.
            what = self.turn.words.say(
                "filed.term", name=self.rules.called_term(name), value=shown, why=self.why
            )
        yield self.amend(
            check, what, **worked_out(self.rules, self.turn, check, {**check.terms, name: value})
        )
        yield from self.read_again()

    def _put(self, row: DoRow) -> Iterator[r.Event]:
        check, given = self.check, self.turn.text(row.put)
        if check is None or check.phase != "rolled" or not (die := self.rules.die_of(check, given)):
            return
        reading = self.rules.reading
        place = reading.game.action.places[row.at]
        name, n = self.turn.word(die[0].die), sum(one.face for one in die)
        what = self.turn.words.say("filed.put", die=name, n=n, place=place)
        yield self.amend(check, what, terms=put_at(reading, check, int(given), row.at))
        yield from self.read_again()

    def _symbol(self, row: DoRow) -> Iterator[r.Event]:
        check, n = self.check, self._n(row)
        if check is None or not n:
            return
        name = f"{ADDED_SYMBOL_PREFIX}{row.symbol}"
        had = check.terms.get(name, 0)
        terms = {**check.terms, name: (had if isinstance(had, int) else 0) + n}
        self.moved[name] = self.moved.get(name, 0) + n
        what = self.turn.words.say(
            "filed.symbol", n=n, symbol=self.turn.word(row.symbol, n), why=self.why
        )
        yield self.amend(check, what, terms=terms)
        yield from self.read_again()

    def by_die(self, check: r.Check) -> list[tuple[r.Rolled, ...]]:
        """The rolls of each die of an action."""
        reading = self.rules.reading
        return reading.by_die(check.rolled, reading.thrown(check.pool))

    def taken_back(self, check: r.Check) -> r.Check:
        """The action with its terms as they were before what its roll brought."""
        for brought, n in check.terms.items():
            if not brought.startswith(BROUGHT_TERM) or not isinstance(n, int):
                continue
            name = brought.removeprefix(BROUGHT_TERM)
            terms = {one: value for one, value in check.terms.items() if one != brought}
            value = self.rules.reading.shifted(name, terms.get(name, 0), -n)
            changed = worked_out(self.rules, self.turn, check, {**terms, name: value})
            check = replace(check, **changed)
        return check

    def rolled_again(self, row: DoRow, check: r.Check) -> list[tuple[r.Rolled, ...]]:
        """The dice to roll again, each with its rolls; the first of them decides."""
        again, number = row.again, self.rules.reading.number
        if again is None:
            return []
        kinds = self.rules.game.again(row)
        meant = [one for one in self.by_die(check) if one[0].die in kinds]
        if again.names <= FACE and not again.counts:
            return [one for one in meant if _holds_for(again, number(one[0].die, one[0].face))]
        scope, found = self.scope(), []
        for one in meant:
            self.numbers["face"] = number(one[0].die, one[0].face)
            if again.holds(scope):
                found.append(one)
        self.numbers.pop("face", None)
        return found

    def read_again(self, rolled: tuple[r.Rolled, ...] = ()) -> Iterator[r.Event]:
        """Read the roll again after its terms have changed."""
        check = self.check
        if check is None or check.phase != "rolled" or check.outcome is None:
            return
        reading, dice, left, had = (
            self.rules.reading,
            rolled or check.rolled,
            check.left,
            check.outcome,
        )
        if rolled and self.rules.game.action.places:
            check = replace(check, terms=lifted(check.terms))
        outcome = self.turn.system.read(self.turn.table, check, dice)
        if reading.game.action.spends:
            more = reading.to_spend(outcome.net) - reading.to_spend(had.net)
            left = r.Bag({name: max(0, n) for name, n in (left + more).items()})
        yield self.amend(check, rolled=dice, outcome=outcome, left=left)


def worked_out(
    rules: Rules, turn: r.Turn, check: r.Check, terms: Mapping[str, r.Value]
) -> dict[str, Any]:
    """The terms and the dice of an action after a change, with dependent terms recomputed.

    Dependent terms move by the difference, so earlier changes by moves stay.
    """
    actor = turn.table.actor(check)
    old, new = (
        TurnScope(rules, turn, replace(check, terms=one), actor) for one in (check.terms, terms)
    )
    changed = {name for name in terms if terms[name] != check.terms.get(name)}
    for name, expression in rules.reading.terms_in_order.items():
        by = 0
        if changed & expression.names:
            by = expression.number(new) - expression.number(old)
        had = check.terms.get(name, 0)
        if by and name not in changed and isinstance(had, int):
            terms = {**terms, name: had + by}
            new = TurnScope(rules, turn, replace(check, terms=terms), actor)
            changed.add(name)
    before, after = map(rules.reading.base_pool, (old, new))
    if check.phase != "build" or before == after:
        return {"terms": terms}
    dice = {die: check.base[die] + after[die] - before[die] for die in rules.game.pool_dice}
    return {"terms": terms, "base": r.Bag({die: max(0, n) for die, n in dice.items()})}
