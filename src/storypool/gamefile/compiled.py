"""Compile a game file to a `System`, with its dice, its odds and its stakes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from hashlib import sha256
from types import SimpleNamespace
from typing import TypeVar

from storypool.engine import rules as r
from storypool.engine.bag import Bag
from storypool.engine.dice import Rolled
from storypool.engine.game.panels import Panel
from storypool.engine.game.waits import WaitRule
from storypool.gamefile import Mistake, Unread
from storypool.gamefile.action_stakes import FileStakes
from storypool.gamefile.cards.hands import hands_follow
from storypool.gamefile.cards.piles import Piles
from storypool.gamefile.doing import (
    RowExecutor,
    after_roll,
    allowed_consequences,
    cause,
    only_moves_points,
)
from storypool.gamefile.file_actions import FileActions
from storypool.gamefile.file_format.expressions import CHOSEN, Value
from storypool.gamefile.file_format.file_text import read
from storypool.gamefile.file_format.number_bounds import FOLLOWED_BY
from storypool.gamefile.file_format.schema import GameFile, MoveRow, WheneverRow
from storypool.gamefile.file_points import FilePoints, account_of
from storypool.gamefile.file_rolls.action_odds import ActionOdds
from storypool.gamefile.file_rolls.step_dice import with_ends_of_steps
from storypool.gamefile.file_rolls.usual_terms import UsualScope
from storypool.gamefile.file_rules import Given, Rules
from storypool.gamefile.file_zones import zone_moves
from storypool.gamefile.followed_changes import change_of, in_sight_of, is_taken_back
from storypool.gamefile.looks import hues, look, panels, words
from storypool.gamefile.move_asks import answers_in_words
from storypool.gamefile.move_rows import compiled_move, key_of
from storypool.gamefile.names import mistakes
from storypool.gamefile.npc_rows import bring_in
from storypool.gamefile.paper.paper_notes import paper_notes
from storypool.gamefile.scope import TurnScope
from storypool.gamefile.secret.secret_choices import SecretChoices
from storypool.gamefile.standard import standard_rows
from storypool.gamefile.statements.ranked_rows import note_of
from storypool.gamefile.statements.statement_waits import StatementWaits
from storypool.gamefile.together.joined import with_joined
from storypool.gamefile.turns.turn_moves import TurnMoves
from storypool.gamefile.turns.turn_order import FileTurns
from storypool.gamefile.without_gm.players_moves import OPTIONS, players_moves
from storypool.odds.question import Question, Reckoned, no_odds
from storypool.words import BadValue, Phrase, package_file
from storypool.words.languages import ENGLISH, Language
from storypool.words.text_files import plain, text_in

__all__ = ["Additions", "CompiledGame", "base", "compiled"]

One = TypeVar("One")

MOST_MOVES = 200
"""The most moves of a game, including those made for kinds of statements."""
SILENT = "gamefile.silent."
"""How the keys of mistakes begin that would be 0, or do nothing, without a word."""
HASHED = 12
"""The digits of the text's hash in the key of a kept game."""

Reaction = Callable[[r.Turn, r.Event], Iterable[r.Event]]
"""The events that follow from an event."""

Holds = Callable[[WheneverRow, r.Turn, r.Event], bool]
"""Whether a row means an event."""


def compiled(
    text: str, kept: bool = False, given: Mapping[str, Given] | None = None
) -> CompiledGame:
    """The game of a file, which may use `given` names of Python; `Unread` with all mistakes.

    One that is `kept` by a table has a key that no other text has: that of the file, and the hash
    of its text. An earlier version may have accepted what would be 0 without a word, so those
    mistakes are its `doubts`.

    >>> compiled("format = 2")
    Traceback (most recent call last):
    ...
    storypool.gamefile.Unread: The file begins with format = 1; nothing else is known here.
    """
    written = plain(text)
    found = read(written)
    wrong, game = found.findings, found.game and with_joined(with_ends_of_steps(found.game))
    if game and not wrong:
        wrong = mistakes(game, written, given)
    doubts = tuple(one for one in wrong if kept and one.what.key.startswith(SILENT))
    if len(wrong) > len(doubts) or game is None:
        raise Unread(tuple(wrong))
    game = standard_rows(game)
    if (n := len(game.move)) > MOST_MOVES:
        raise Unread((Mistake(1, Phrase("gamefile.most.moves", n=n, most=MOST_MOVES)),))
    if kept:
        game = replace(game, key=f"{game.key}-{text_hash(text)}")
    return CompiledGame(game, given or {}, doubts)


def base(package: str, name: str, **given: Given) -> CompiledGame:
    """The game of NAME.game.toml in a package, as the base for its Python.

    Its expressions may use the `given` names, each with its value in a turn. Raises `ValueError`
    with the first wrong line.
    """
    path = package_file(package, f"{name}.game.toml")
    try:
        return compiled(text_in(path), given=given)
    except Unread as wrong:
        raise BadValue(f"{path}:{wrong.mistakes[0]}") from None


@dataclass(frozen=True, kw_only=True)
class Additions:
    """The parts that a Python game adds to its file, or puts in place of those with the same key.

    A move whose `when` is `building` or `rolled` takes part in the windows of the action. Waits of
    Python come before those of the file. `words` are packages, each with its `words.toml`.
    """

    moves: tuple[r.Move, ...] = ()
    waits: tuple[WaitRule, ...] = ()
    reactions: tuple[tuple[type, Reaction], ...] = ()
    panels: tuple[Panel, ...] = ()
    accounts: tuple[r.Account, ...] = ()
    options: tuple[r.Option, ...] = ()
    sheet: tuple[r.Entry, ...] = ()
    look: Mapping[str, r.Look] = field(default_factory=dict)
    words: tuple[str, ...] = ()


def text_hash(text: str) -> str:
    """The end of the key of a game that a table keeps with this text."""
    return sha256(text.encode()).hexdigest()[:HASHED]


class CompiledGame:
    """A game made from a file: the modules of a Python game, by name."""

    def __init__(
        self,
        game: GameFile,
        given: Mapping[str, Given] = {},
        doubts: tuple[Mistake, ...] = (),
    ) -> None:
        self.game, self.key, self.doubts = game, game.key, doubts
        self.rules = Rules(game, given)
        self._odds = ActionOdds(self.rules.readings)
        self.spoken: dict[str, r.System] = {}
        """The game in the languages in which it is played, by their keys."""

    @cached_property
    def system(self) -> r.System:
        """The whole game."""
        return self.grown(Additions())

    def grown(self, more: Additions) -> r.System:
        """The whole game with additions of Python."""
        game, rules, reading = self.game, self.rules, self.rules.reading
        turns = self._turns()
        actions = FileActions(rules, lambda: whole.by_key, self._in_action, turns, more.moves)
        asked, secret = StatementWaits(rules), SecretChoices(rules)
        upgrades = {name: die.becomes for name, die in game.dice.items() if die.becomes}
        moves: tuple[r.Move, ...] = (
            *actions.moves(),
            *(
                secret.opening(row, compiled_move(rules, row, actions.next_window, turns))
                for row in game.move
            ),
            *secret.moves(),
            *bring_in(rules),
            *(turns.moves() if turns else ()),
            *zone_moves(rules),
            *r.house.MOVES,
        )
        if not game.gm or any(row.consent not in ("", "gm") for row in game.move):
            moves = (*moves, *r.house.PLAYERS_CONSENT)
        if not game.gm:
            moves = tuple(players_moves(moves))
        sheet = _sheet(game)
        accounts = (account_of(rules, name, row) for name, row in game.points.items())
        options = (
            *(one for one in r.house.OPTIONS if game.gm or one.key in OPTIONS),
            *(_option(key, tuple(row.values)) for key, row in game.option.items()),
        )
        whole = r.System(
            key=game.key,
            name=game.name,
            about=game.about,
            dice=reading.dice,
            axes=reading.axes,
            notation=reading.notation,
            upgrades=upgrades,
            reader=actions.reader,
            bind=actions.bind if reading.bound else None,
            draws=self._drawable if game.deck else None,
            describe_terms=actions.described,
            has_gm=game.gm,
            world=game.world.like,
            hues=hues(game.world),
            describe_move=partial(answers_in_words, rules),
            describe_trait=partial(note_of, rules),
            words=r.with_words(words(rules), *more.words),
            pages=lambda system: tuple(paper_notes(rules, system)),
            accounts=_with_replacements(accounts, more.accounts, lambda one: one.name),
            moves=_with_replacements(moves, map(actions.joined, more.moves), lambda one: one.key),
            waits=(
                *r.house.WAITS,
                *more.waits,
                actions.waits,
                *((asked.waits,) if asked.kinds else ()),
                *((secret.waits,) if secret.rows else ()),
                *((turns.waits,) if turns else ()),
            ),
            reactions=(
                *self._reactions(),
                *hands_follow(rules.reading.decks),
                *(turns.reactions() if turns else ()),
                *(secret.reactions() if secret.rows else ()),
                *more.reactions,
                *r.house.REACTIONS,
            ),
            options=_with_replacements(options, more.options, lambda one: one.key),
            sheet=_with_replacements(sheet, more.sheet, lambda one: one.key),
            sheet_traits=tuple(kind for kind, row in game.trait.items() if row.sheet),
            sheet_rolls=actions.sheet_rolls,
            look={**look(rules), **more.look},
            panels=_with_replacements(panels(rules), more.panels, lambda one: one.name or one.kind),
            ready=tuple(
                {"name": one.name, "about": one.about, "sheet": dict(one.sheet)}
                for one in game.character
            ),
        )
        return whole

    def _drawable(self, table: r.Table, name: str, n: int) -> Sequence[int] | None:
        """The cards that a draw can bring; None for a die."""
        deck = self.rules.reading.decks.get(name)
        return None if deck is None else Piles(deck, table).drawable(n)

    @cached_property
    def modules(self) -> Mapping[str, object]:
        """A stand-in for each module that a game may have."""
        reading, odds = self.rules.reading, self._odds
        return {
            "game": SimpleNamespace(SYSTEM=self.system),
            "dice": SimpleNamespace(
                DICE=reading.dice, AXES=reading.axes, NOTATION=reading.notation
            ),
            "result": SimpleNamespace(
                result=self._result,
                under=self._under,
                assumed=self._odds.assumed,
                rolls_on=reading.rolls_on,
            ),
            **({"odds": odds, "stakes": FileStakes(self.rules, odds)} if reading.dice else {}),
        }

    @property
    def usual_pool(self) -> Bag:
        """The dice of a new character's first action when nobody changes the form."""
        return self.usual_pools[self.game.action.key]

    @property
    def usual_pools(self) -> Mapping[str, Bag]:
        """The dice of each action of a new character when nobody changes the form, by its key."""
        return {key: _usual_pool(one) for key, one in self.rules.actions.items()}

    def rungs(self, question: Question) -> Mapping[str, str]:
        """The sentences of the action that a question is about, by the keys of its outcomes."""
        game = self._odds.of(question.terms, question.pool).reading.game
        return {row.key: row.words for row in game.outcome}

    def reckon(self, question: Question) -> Reckoned:
        """The odds of a pool under its terms, like `odds.reckon` of a game.

        `Refused` for a game without dice.
        """
        if not self.rules.reading.dice:
            raise no_odds("dice", "system", system=self.game.name)
        return self._odds.reckon(question)

    def _result(
        self, pool: Mapping[str, int], rolled: Sequence[Rolled], language: Language = ENGLISH
    ) -> tuple[bool | None, Bag, str]:
        return self._read(pool, self._odds.terms({}, pool), rolled, language)

    def _under(
        self, pool: Bag, terms: Mapping[str, str], language: Language = ENGLISH
    ) -> tuple[tuple[r.Die, ...], Callable[[Sequence[Rolled]], tuple[bool | None, Bag, str]]]:
        known = self._odds.terms(terms, pool)
        reading = self.rules.named(known).reading
        thrown = reading.thrown(pool)
        dice = tuple(
            reading.die(die.name, known) for die in reading.dice for _ in range(thrown[die.name])
        )
        return dice, lambda rolled: self._read(pool, known, rolled, language)

    def _read(
        self,
        pool: Mapping[str, int],
        known: Mapping[str, Value],
        rolled: Sequence[Rolled],
        language: Language,
    ) -> tuple[bool | None, Bag, str]:
        rules = self.rules.named(known)
        reading, asks = rules.reading, rules.asks
        found = reading.result(rolled, known, pool)
        words = language.game(self.key)
        text = words.get(rules.outcome_id(found.outcome.key), found.outcome.words)
        texts = dict(known)
        for name, n in known.items():
            if name in asks and asks[name].choose:
                texts[name] = rules.several_in_words(asks[name], str(n).split(CHOSEN))
            elif name in asks:
                texts[name] = asks[name].choices.get(str(n), n)
        return found.outcome.passed, found.net, reading.sentence(found, texts, text)

    def _reactions(self) -> Iterator[tuple[type, Callable[[r.Turn, r.Event], Iterator[r.Event]]]]:
        yield from FilePoints(self.rules).reactions()
        for row in self.game.whenever:
            if row.on in _EVENTS:
                kind, holds = _EVENTS[row.on]
                yield kind, partial(self._whenever, row, holds)
            elif row.on in FOLLOWED_BY["points"]:
                number = r.CharacterSet if row.entry else r.PointsSet
                yield r.TraitSet if row.trait else number, partial(self._changed, row)

    def _whenever(
        self, row: WheneverRow, holds: Holds, turn: r.Turn, event: r.Event
    ) -> Iterator[r.Event]:
        """The consequences of an event that a row means, where its condition holds."""
        if holds(row, turn, event):
            yield from self._followed(row, turn, None, "")

    def _changed(self, row: WheneverRow, turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
        """The consequences of a change of points or of a clock that a row means."""
        if isinstance(event, r.PointsSet) and is_taken_back(turn, event):
            return
        change = change_of(self.game, row, turn, event)
        if change is None or self._came_before(row, turn, event):
            return
        who, reached = turn.table.characters.get(change.about), 0
        if row.reaches is not None:
            reached = row.reaches.number(TurnScope(self.rules, turn, who=who))
        if change.is_meant(row, reached):
            yield from in_sight_of(event, turn, self._followed(row, turn, who, ""))

    @cached_property
    def _rolling_again(self) -> frozenset[str]:
        """The moves that roll dice again."""
        return frozenset(map(key_of, filter(_rolls_again, self.game.move)))

    def _came_before(self, row: WheneverRow, turn: r.Turn, event: r.Event) -> bool:
        """Whether only points follow again from a roll made again; other effects stay."""
        if (
            not isinstance(event, r.PointsSet)
            or turn.key not in self._rolling_again
            or only_moves_points(row)
        ):
            return False
        before = turn.before.balance(event.account, event.owner)
        return event.balance <= before if event.delta > 0 else event.balance >= before

    def _turns(self) -> TurnMoves | None:
        """The moves of turns and rounds, where the game has them."""
        row = self.game.turns
        if row is None:
            return None
        answers = [one.declared for one in self.rules.actions.values()]
        answers += [key_of(one) for one in self.game.move if one.when == "on your turn"]
        return TurnMoves(FileTurns(self.rules, row, self._in_turn), tuple(answers))

    def _in_turn(
        self, on: str, turn: r.Turn, who: r.Character | None, numbers: Mapping[str, Value]
    ) -> Iterator[r.Event]:
        """The consequences of the begin or the end of a character's turn, or of a throw for it."""
        for row in self.game.whenever:
            if row.on == on:
                yield from self._followed(row, turn, who, "", numbers)

    def _in_action(self, on: str, turn: r.Turn, about: str) -> Iterator[r.Event]:
        """The consequences of the roll or the end of an action."""
        if on == "rolled":
            yield from after_roll(self.rules, turn, about)
            return
        check = turn.table.checks[about]
        who = turn.table.characters.get(check.actor)
        for row in self.rules.of(check).game.whenever:
            if row.on == on:
                yield from allowed_consequences(turn, about, self._followed(row, turn, who, about))

    def _followed(
        self,
        row: WheneverRow,
        turn: r.Turn,
        who: r.Character | None,
        about: str,
        numbers: Mapping[str, Value] = {},
    ) -> Iterator[r.Event]:
        why = cause(self.rules, turn.words, row)
        doing = RowExecutor(self.rules, turn, who, answers={}, about=about, why=why)
        doing.numbers |= numbers
        if row.when is None or row.when.holds(doing.scope()):
            yield from doing.all(row.do)


def _sheet(game: GameFile) -> Iterator[r.Entry]:
    """The entries of the sheet; every new character has each number."""
    for name, group in game.sheet.items():
        for key, label in group.entries.items():
            if group.text:
                yield r.Entry(key, label, name, text=group.most, lines=group.lines)
            else:
                low, high, default = group.low, group.high, group.default
                yield r.Entry(key, label, name, low=low, high=high, default=default, given=True)


def _usual_pool(rules: Rules) -> Bag:
    action = rules.game.action
    found = dict(rules.reading.base_pool(UsualScope(rules.game, {})))
    if action.empty and not any(found.values()):
        found = dict(action.empty.roll)
    first = [die.name for die in rules.reading.dice[:1]]
    return Bag(found) or Bag(dict.fromkeys(first, 2))


def _with_replacements(
    own: Iterable[One], more: Iterable[One], key: Callable[[One], str]
) -> tuple[One, ...]:
    """All of these, where a key in `more` replaces its like."""
    return tuple({key(one): one for one in (*own, *more)}.values())


def _period(row: WheneverRow, turn: r.Turn, event: r.Event) -> bool:
    kind = row.on.partition(" ")[0]
    return isinstance(event, r.PeriodBegan | r.PeriodEnded) and event.kind == kind


_EVENTS: Mapping[str, tuple[type, Holds]] = {
    "session begins": (r.PeriodBegan, _period),
    "session ends": (r.PeriodEnded, _period),
    "scene begins": (r.PeriodBegan, _period),
    "scene ends": (r.PeriodEnded, _period),
    "round begins": (r.PeriodBegan, _period),
}
"""The events that each `on` listens to, and the test for those that it means."""


def _option(key: str, values: tuple[str, ...]) -> r.Option:
    return r.Option(key, values, values[0])


def _rolls_again(row: MoveRow) -> bool:
    return any(do.again is not None for do in row.do)
