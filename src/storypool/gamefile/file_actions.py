"""The actions of a game file together: the moves and the waits of each, and those all share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import wraps

from storypool.engine import rules as r
from storypool.engine.copies import replace
from storypool.gamefile.action_moves import Action, Follows, Moves, taken_back
from storypool.gamefile.cards.card_rows import cards_taken_back
from storypool.gamefile.file_format.expressions import CHOSEN
from storypool.gamefile.file_rolls.explosions import further_dice
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.move_asks import ask_of
from storypool.gamefile.statements.forwards import taken_ids
from storypool.gamefile.together.joining import join_moves
from storypool.gamefile.turns.turn_moves import TurnMoves
from storypool.words import Words

__all__ = ["FileActions"]


class FileActions:
    """The actions of a game.

    `moves` are those of the complete game; `more` are those added by Python.
    """

    def __init__(
        self,
        rules: Rules,
        moves: Moves,
        follows: Follows,
        turns: TurnMoves | None = None,
        more: tuple[r.Move, ...] = (),
    ) -> None:
        self.rules = rules
        known = rules.actions if rules.game.actions else {}
        self.each = {key: Action(one, moves, follows, turns, more) for key, one in known.items()}
        self.rolled = any(one.is_rolled for one in self.each.values())

    def of(self, check: r.Check) -> Action:
        """The action of a check."""
        return self.each[self.rules.of(check).game.action.key]

    def reader(self, words: Words) -> r.Read:
        """The reader of rolls, for the kit of a game."""

        def read(table: r.Table, check: r.Check, rolled: tuple[r.Rolled, ...]) -> r.Outcome:
            rules = self.rules.of(check)
            terms = rules.terms(check, table)
            found = rules.read(rolled, terms, check)
            texts = {name: rules.text_of(check, table, name) for name in terms}
            sentence = words[rules.outcome_id(found.outcome.key)]
            text = rules.reading.sentence(found, texts, sentence)
            return r.Outcome(found.outcome.passed, found.net["margin"], found.net, text)

        return read

    def bind(self, table: r.Table, check: r.Check) -> tuple[r.Die, ...]:
        """Each die of an action with the symbols of its faces in it."""
        rules = self.rules.of(check)
        reading, terms = rules.reading, rules.terms(check, table)
        names = [one.die for one in check.rolled] or [
            die.name for die in reading.dice for _ in range(check.pool[die.name])
        ]
        return tuple(reading.die(name, terms) for name in names)

    def described(self, words: Words, table: r.Table, check: r.Check) -> str:
        """The terms of a declared action for the log."""
        rules, found = self.rules.of(check), []
        for ask in rules.game.action.asks:
            value = check.terms.get(ask.name)
            if ask.choices and value is not None:
                chosen = str(value).split(CHOSEN) if ask.choose else [str(value)]
                found += [words.get(rules.answer_id(ask, one), one) for one in chosen]
            elif ask.entry and value:
                found.append(rules.label(str(value)))
            elif value and (ask.trait or ask.character):
                found.append(rules.answer_in_words(ask, str(value), table))
            elif ask.number and value is not None:
                found.append(words.say("filed.answer", name=rules.called(ask), value=value))
        found += [table.traits[id].text for id in taken_ids(check) if id in table.traits]
        return words["list.comma"].join(filter(None, found))

    def moves(self) -> Iterator[r.Move]:
        """The moves of each action, and those that all of them share."""
        if not self.each:
            return
        for one in self.each.values():
            yield from one.moves()
        rows = [one.row for one in self.each.values()]
        places = {row.rule or row.title for row in rows}
        rule = places.pop() if len(places) == 1 else self.rules.game.name
        if asks := tuple(self._decided_beforehand()):
            yield r.standing(*asks, rule=rule, place=r.at("scene"))

        def may_close(turn: r.Turn) -> r.Refusal | None:
            """It is this seat's turn to say that it is done."""
            check = turn.check
            if check is None:
                return None
            action = self.of(check)
            if action.passes_alone(turn, check):
                return None
            if windows := action.deciding(turn, turn.table, check):
                if not action.decides(turn, check, windows[0]):
                    return turn.no("filed.window")
                if (row := action.due(turn, check, windows[0])) is not None:
                    return turn.no("filed.due", title=row.title)
                return None
            if turn.is_gm or r.acts_in(turn, check):
                return None
            return turn.no("yours")

        def is_rolled(turn: r.Turn) -> r.Refusal | None:
            """Dice are rolled in the open action."""
            check = turn.check
            if check is None or self.of(check).is_rolled:
                return None
            return turn.firm("filed.no_roll")

        def may_end(turn: r.Turn) -> r.Refusal | None:
            """An action is open that has been rolled, or that nobody rolls."""
            check = turn.check
            if check is None:
                return turn.firm("check")
            if check.phase == "rolled" or not self.of(check).is_rolled:
                return None
            return turn.no("unrolled")

        roll, close, cancel = r.rolling(rule, r.of_check(_no_window, "filed.window"))
        if self.rolled:
            always = all(one.is_rolled for one in self.each.values())
            only = roll.only_if if always else (*roll.only_if, is_rolled)
            asks = (replace(r.FACES, pool=self._thrown, further=self._exploding),)
            yield replace(
                roll, body=lambda turn: self.of(turn.here).roll(turn), only_if=only, asks=asks
            )
        if not all(one.is_rolled for one in self.each.values()):
            close = replace(close, when=may_end, window=roll.window)
        yield replace(close, body=lambda turn: self.of(turn.here).close(turn), only_if=(may_close,))
        yield replace(cancel, body=self._cancel)
        yield from join_moves(self.rules, self.next_window)
        if any(not window.moves for row in rows for window in row.window):
            yield self._let(rule)

    def _thrown(self, turn: r.Turn) -> r.Bag:
        """The dice that the open action throws."""
        return self.rules.of(turn.here).reading.thrown(turn.here.pool)

    def _exploding(
        self, turn: r.Turn, first: tuple[str, ...], faces: tuple[int, ...]
    ) -> Iterator[r.Choice]:
        """The dice that explode after typed faces of the open action."""
        return further_dice(turn, self.rules.of(turn.here).reading, first, faces)

    def _cancel(self, turn: r.Turn) -> Iterator[r.Event]:
        """Cancel

        Points that were spent on it come back, and cards that were played.
        """
        yield from taken_back(turn)
        yield from cards_taken_back(turn, self.rules.reading.decks)
        check = turn.here
        yield from turn.refund(check.spent, check.title)
        yield r.CheckClosed(check.id, "cancelled")

    def _decided_beforehand(self) -> Iterator[r.Ask]:
        """The questions that the GM can answer before a player declares an action.

        A decision counts for each action with a question of its name. So two that differ under one
        name are left out.
        """
        rows = {row.name: row for one in self.each.values() for row in one.gms}
        for one in self.each.values():
            for row in one.gms:
                if rows.get(row.name) != row:
                    rows.pop(row.name, None)
        for one in self.each.values():
            for row in filter(None, [rows.pop(row.name, None) for row in one.gms]):
                ask = ask_of(one.rules, row, one.before_roll)
                if self.rules.several:
                    ask = replace(ask, needed=False, default=None)  # nobody decides all at once
                yield ask

    def _let(self, rule: str) -> r.Move:
        def mine(turn: r.Turn) -> r.Refusal | None:
            """It is this seat's window."""
            check = turn.check
            if check is None or not check.windows or check.phase != "build":
                return turn.firm("filed.window.none")
            if self.of(check).window(check).moves:
                return turn.firm("filed.window")
            if turn.seat.id in self.of(check).deciders(turn.table, check):
                return None
            return turn.no("filed.window")

        @r.move("check.let", when=r.building, only_if=[mine], rule=rule, place=r.at("actions"))
        def let(turn: r.Turn) -> Iterator[r.Event]:
            """Let them roll"""
            check = turn.here
            let = turn.words.say("filed.let", who=turn.seat.name)
            yield turn.amend(check, let, windows=check.windows[1:])

        return let

    def joined(self, move: r.Move) -> r.Move:
        """A move added by Python; after one of an action, the action continues as after a row."""
        if move.when not in (r.building, r.rolled):
            return move

        @wraps(move.body)
        def body(turn: r.Turn) -> Iterator[r.Event]:
            yield from move.body(turn)
            yield from self.next_window(turn, move.key.removeprefix("move."))

        return replace(move, body=body)

    def next_window(self, turn: r.Turn, made: str) -> Iterator[r.Event]:
        """Open the next window, once the move of this row has been made."""
        check = turn.check
        if check is not None and check.windows:
            yield from self.of(check).next_window(turn, check, made)

    def sheet_rolls(self, turn: r.Turn, who: r.Character) -> Iterator[r.SheetRoll]:
        """The first action that asks for each entry, with its dice where they depend on it."""
        started = set[str]()
        for one in self.each.values():
            rolls = [roll for roll in one.sheet_rolls(turn, who) if roll.entry not in started]
            yield from rolls
            started |= {roll.entry for roll in rolls}

    def waits(self, turn: r.Turn) -> Iterator[r.Wait]:
        """The wait of every open action."""
        for check in turn.table.checks.values():
            yield from self.of(check).waits(turn, check)


def _no_window(check: r.Check) -> bool:
    return not check.windows
