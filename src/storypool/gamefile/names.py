"""Check the names in a game file: each must mean one thing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from copy import copy
from dataclasses import replace
from itertools import chain, islice

from storypool.gamefile import Mistake
from storypool.gamefile.cards.deck_names import wrong_decks
from storypool.gamefile.doing import EACH
from storypool.gamefile.file_format.endless_points import endless_points
from storypool.gamefile.file_format.expression_parser import parse
from storypool.gamefile.file_format.expressions import Expression
from storypool.gamefile.file_format.file_text import MOST_MISTAKES, Path, line_of
from storypool.gamefile.file_format.game_bounds import beyond_bounds, wrong_words
from storypool.gamefile.file_format.idle_rows import idle_rows, wrong_goal
from storypool.gamefile.file_format.move_limits import limit_of
from storypool.gamefile.file_format.number_bounds import (
    FIGURES,
    FOLLOWED_BY,
    KINDS,
    without_effect,
)
from storypool.gamefile.file_format.readable_names import (
    DECLARED,
    PLAYERS,
    READING,
    WITHOUT_CHARACTER,
    Place,
    ReadableNames,
    one_of,
    place_of_time,
)
from storypool.gamefile.file_format.row_checks.effect_tables import nested_rows, wrong_tables
from storypool.gamefile.file_format.row_checks.given_names import names_twice, wrong_key
from storypool.gamefile.file_format.row_checks.turn_rows import wrong_turns
from storypool.gamefile.file_format.row_checks.zone_checks import wrong_zones
from storypool.gamefile.file_format.schema import (
    VERBS,
    ActionRow,
    AskRow,
    DoRow,
    FigureRow,
    GameFile,
    MoveRow,
    OutcomeRow,
    WheneverRow,
)
from storypool.gamefile.file_format.thing_rows import words_of
from storypool.gamefile.file_format.verb_names import named_by
from storypool.gamefile.file_rolls.action_names import KEY, ActionNames, action_keys, rolls
from storypool.gamefile.file_rolls.action_times import wrong_times
from storypool.gamefile.file_rolls.roll_reading import blanks_of
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.looks import shared_words
from storypool.gamefile.movers import is_of_mover
from storypool.gamefile.together.joined import joining_row
from storypool.gamefile.turns.turn_order import THROWN, TURN_KINDS
from storypool.words import Phrase

__all__ = ["Names", "mistakes"]

MEANT = frozenset({"actor", "mover", "gm", EACH})
"""Names that no question may have, since `of` and `consent` give them a meaning."""
OF_STATEMENTS = ("fill", "end", "rank")
"""The verbs that can name a question of the action for a statement."""
MOST_SIDES, MOST_DICE = 100, 24
AGREE = ("", "gm", "actor")
FACE, DICE, NONE = frozenset({"face"}), frozenset({"dice"}), frozenset[str]()
OF_POINTS = frozenset({"entry"})
"""What the bounds of points can read besides points."""
NEED_TURNS = ("on your turn", "in a conflict", "turn begins", "turn ends", "turn thrown", "next")


def mistakes(game: GameFile, text: str, given: Iterable[str] | None = None) -> tuple[Mistake, ...]:
    """The mistakes in the names of a game, in the order of its lines.

    Python gives the `given` to a game that is its base; None for another.
    """
    if keys := tuple(action_keys(game)):
        return tuple(Mistake(line_of(text, path), what) for path, what in keys)
    names = Names(game, given or ())
    every = chain(
        beyond_bounds(game, len(names.symbols)),
        wrong_words(game.words, shared_words()),
        names.all(),
        without_effect(game),
        idle_rows(game, extended=given is not None),
    )
    found = [Mistake(line_of(text, path), what) for path, what in islice(every, MOST_MISTAKES)]
    # Rows of several actions, and effects that several moves consult, are checked for each.
    once = {(one.line, str(one.what)): one for one in found}
    return tuple(sorted(once.values(), key=lambda one: one.line))


def _is_reversed(low: Expression, high: Expression) -> bool:
    """Whether two bounds are numbers, and the first is the larger one."""
    return low.fixed is not None and high.fixed is not None and low.fixed > high.fixed


Found = Iterator[tuple[Path, Phrase]]


def _wrong(path: Path, key: str, **values: object) -> tuple[Path, Phrase]:
    return path, Phrase(f"gamefile.{key}", **values)


class Names:
    """Looks up every name of a game."""

    def __init__(self, game: GameFile, given: Iterable[str]) -> None:
        self.game, self.rules, self.given = game, Rules(game), tuple(given)
        self.dice = tuple(game.pool_dice)
        self.symbols = self.rules.reading.symbols
        self.sheet = tuple(self.rules.entries)
        self.written = (*self.sheet, *words_of(game.sheet))
        self.actions = ActionNames(self.rules.readings)
        self._narrow(())

    def _narrow(self, keys: Collection[str]) -> None:
        game = self.game
        self.terms, self.reading, self.spends = self.actions.common(keys)
        rows = [row for row in game.actions if row.key in keys] or list(game.actions)
        owners = self.actions.owners if self.actions.keyed else {}
        self.readable = ReadableNames(game, rows, owners, given=self.given, names=self.reading)
        self.read = self.readable.mistakes

    def among(self, keys: Iterable[str]) -> Names:
        """A copy that knows only the names that all of these actions have."""
        if len(self.rules.actions) == 1:
            return self
        found = copy(self)
        found._narrow(set(keys))
        return found

    def all(self) -> Found:
        """Every mistake with its path."""
        game = self.game
        if not KEY.fullmatch(game.key):
            yield _wrong(("key",), "key", got=game.key[:40])
        yield from names_twice(game, self.symbols, (*self.given, *self.actions.keyed))
        yield from self._dice()
        yield from self._points()
        for n, action in enumerate(game.actions):
            one = self.among([action.key])
            yield from one._action(("action", n), action)
            yield from one._ladder(("action", n, "outcome"), action.outcome)
            if game.is_rolled(action) and not (action.outcome or game.outcome):
                yield _wrong(("action", n, "outcome"), "outcome.none")
        sharing = [one.key for one in game.actions if not one.outcome]
        yield from self.among(sharing)._ladder(("outcome",), game.outcome)
        keys = set[str]()
        for n, row in enumerate(game.move):
            if row.key in keys:
                yield _wrong(("move", n, "key"), "twice", name=row.key)
            keys.add(row.key)
            yield from self._actions(("move", n, "action"), row.action)
            yield from self.among(row.action)._move(("move", n), row)
        yield from wrong_tables(game)
        for kind, trait in game.trait.items():
            ranks = Place(key="rank", kinds=OF_POINTS, character=trait.of == "character")
            for bound in trait.rank:
                yield from self.read(("trait", kind, "rank"), bound, ranks, number=True)
            for key in trait.answers:
                yield from self._one_of(("trait", kind, "answers"), key, keys)
        for n, action in enumerate(game.actions):
            own = [row.key for row in game.of_action(action).move]
            for i, window in enumerate(action.window):
                for key in window.moves:
                    yield from self._one_of(("action", n, "window", i, "moves"), key, own)
        yield from self._turns()
        yield from endless_points(game)
        for n, follows in enumerate(game.whenever):
            path: Path = ("whenever", n)
            yield from self._changes(path, follows)
            yield from self._with_turns((*path, "on"), follows.on)
            yield from self._actions((*path, "action"), follows.action)
            own_names = self.among(follows.action)
            place = place_of_time("whenever.when", follows.on, character=self._is_about(follows))
            if follows.on == "turn thrown":
                place = place.at("whenever.when", *self._thrown_for_turns())
            yield from own_names.read((*path, "when"), follows.when, place)
            yield from own_names.read(
                (*path, "reaches"), follows.reaches, place.at("reaches"), True
            )
            yield from own_names._done((*path, "do"), follows.do, place)
            yield from wrong_times(game, (*path, "do"), follows.do, follows.on)
        people = [(("character", n, "sheet"), one.sheet) for n, one in enumerate(game.character)]
        people += [(("npc", n, "sheet"), one.sheet) for n, one in enumerate(game.npc)]
        for of_person, numbers in people:
            for name in numbers:
                yield from one_of(of_person, name, self.written)

    def _changes(self, path: Path, row: WheneverRow) -> Found:
        """The subject of an event that is a change: points, or the segments of a clock."""
        if row.on not in FOLLOWED_BY["points"]:
            return
        clocks = [kind for kind, trait in self.game.trait.items() if trait.goal or trait.steps]
        if row.on == "points" or row.points:
            yield from one_of((*path, "points"), row.points, self.game.points)
        if row.trait:
            yield from one_of((*path, "trait"), row.trait, clocks)
        if row.entry:
            yield from one_of((*path, "entry"), row.entry, self.sheet)
        subjects = [name for name in (row.points, row.trait, row.entry) if name]
        if row.on != "points" and len(subjects) != 1:
            yield _wrong((*path, "on"), "changes", on=row.on)

    def _is_about(self, row: WheneverRow) -> bool:
        """Whether what a row follows is about a character."""
        if row.on in FOLLOWED_BY["points"]:
            about = self.rules.is_of_character(row.points)
            return about or bool(row.entry) or self.readable.about_character(row.trait)
        turns = self.game.turns
        return row.on not in WITHOUT_CHARACTER and not (
            row.on == "turn begins" and turns is not None and turns.by_side
        )

    def _actions(self, path: Path, keys: tuple[str, ...]) -> Found:
        """The keys of the actions that a row belongs to."""
        for key in keys:
            yield from self._one_of(path, key, self.rules.actions)

    def _ladder(self, path: Path, rungs: tuple[OutcomeRow, ...]) -> Found:
        for n, rung in enumerate(rungs):
            yield from wrong_key(self.game, (*path, n, "key"), rung.key)
            place = Place(key="outcome.when", kinds=READING, counts=DICE)
            yield from self.read((*path, n, "when"), rung.when, place)
            for name in blanks_of(rung.words):
                yield from self._one_of((*path, n, "words"), name, self.reading)

    def _turns(self) -> Found:
        row, path = self.game.turns, ("turns",)
        yield from wrong_turns(self.game)
        yield from wrong_zones(self.game)
        if row is None:
            return
        place = place_of_time("turns.throw", "turn begins")
        for die, n in row.throw.items():
            yield from one_of((*path, "throw"), die, self.dice)
            yield from self.read((*path, "throw"), n, place, number=True)
        place = place.at("turns.by", *self._thrown_for_turns())
        yield from self.read((*path, "by"), row.by, place, number=True)
        for kind in row.out:
            yield from self._one_of((*path, "out"), kind, self.game.trait)
        for kind in sorted(TURN_KINDS & set(self.game.trait)):
            yield _wrong(("trait", kind), "reserved", name=kind)

    def _thrown_for_turns(self) -> tuple[str, ...]:
        """The names that are read off what is thrown for a place in the order of turns."""
        row = self.game.turns
        if row is None or not row.throw:
            return ()
        return (THROWN, *(f"{THROWN}_{name}" for name in self.rules.reading.axes.names))

    def _with_turns(self, path: Path, words: str) -> Found:
        """Uses of turns in a game without them."""
        if words in NEED_TURNS and self.game.turns is None:
            yield _wrong(path, "turns.none", words=words)

    def _dice(self) -> Found:
        if len(self.dice) > MOST_DICE:
            yield _wrong(("dice",), "dice.number", most=MOST_DICE)
        yield from wrong_decks(self.game)
        for name, die in self.game.dice.items():
            path: Path = ("dice", name)
            sides = die.sides or len(die.faces)
            if bool(die.sides) == bool(die.faces) or not 2 <= sides <= MOST_SIDES:
                yield _wrong(path, "die", most=MOST_SIDES)
            if die.faces and die.shows:
                yield _wrong((*path, "shows"), "die.shows")
            own = self.among(row.key for row in self.game.actions if rolls(row, name))
            place = Place(key="shows", kinds=READING - {"read"}, counts=NONE, more=FACE)
            for symbol, shown in die.shows.items():
                yield from own.read((*path, "shows", symbol), shown, place, number=True)
            if die.becomes:
                yield from self._one_of((*path, "becomes"), die.becomes, self.game.dice)
        for name, row in self.game.symbols.items():
            if row.opposite:
                yield from self._one_of(("symbols", name, "opposite"), row.opposite, self.symbols)

    def _points(self) -> Found:
        for name, row in self.game.points.items():
            path: Path = ("points", name)
            for key, more in (("start", {"points"}), ("cap", {"points"}), ("floor", set[str]())):
                kinds, own = OF_POINTS | more, row.is_own
                place = Place(key=key, kinds=kinds, character=own, more=frozenset({PLAYERS}))
                yield from self.read((*path, key), getattr(row, key), place, number=True)
            if row.overflow not in ("lost", "refused"):
                yield from self._one_of(
                    (*path, "overflow"), row.overflow, ("lost", "refused", *self.game.points)
                )
            if row.turns:
                yield from self._one_of((*path, "turns"), row.turns, self.game.points)

    def _action(self, path: Path, row: ActionRow) -> Found:
        asks = frozenset(ask.name for ask in row.asks)
        only = place_of_time("only", "between actions", later=asks)
        yield from self.read((*path, "only"), row.only, only)
        place = Place(key="asks", kinds=DECLARED)
        for n, ask in enumerate(row.asks):
            yield from self._ask((*path, "asks", n), ask, place.at("asks"))
        for name, expression in row.terms.items():
            place = place.at("terms")
            yield from self.read((*path, "terms", name), expression, place, number=True)
        for die, expression in row.pool.items():
            yield from one_of((*path, "pool", die), die, self.dice)
            yield from self.read((*path, "pool", die), expression, place.at("pool"), number=True)
        yield from self._sizes((*path, "sized"), row.sized, place)
        for name, figure in row.figures.items():
            yield from self._figure((*path, "figures", name), figure)
        counted = Place(key="counts", kinds=READING, counts=DICE)
        for name, count in row.counts.items():
            yield from self.read((*path, "counts", name), count, counted, number=True)
        for name in row.shown:
            yield from self._one_of((*path, "shown", name), name, self.reading)
        for name in row.spends:
            yield from one_of((*path, "spends"), name, self.symbols)
        if row.empty is not None:
            for die in row.empty.roll:
                yield from one_of((*path, "empty"), die, self.dice)
            for name, figure in row.empty.figures.items():
                yield from one_of((*path, "empty"), name, row.figures)
                yield from self._figure((*path, "empty"), figure)
        if (joining := joining_row(row)) is not None:
            yield from self._move((*path, "together"), joining)
        place = place_of_time("window.when", "before the roll")
        for n, window in enumerate(row.window):
            yield from self.read((*path, "window", n, "when"), window.when, place)

    def _figure(self, path: Path, row: FigureRow) -> Found:
        if sum(bool(getattr(row, name)) for name in FIGURES) != 1:
            yield _wrong(path, "figure", kinds=", ".join(FIGURES))
        for key in ("of", "against"):
            for die in getattr(row, key):
                yield from self._one_of((*path, key), die, self.dice)

    def _ask(self, path: Path, ask: AskRow, place: Place) -> Found:
        yield from wrong_key(self.game, (*path, "name"), ask.name)
        if ask.name in (*MEANT, *self.actions.keyed):
            yield _wrong((*path, "name"), "reserved", name=ask.name)
        if sum(bool(getattr(ask, name)) for name in KINDS) != 1:
            yield _wrong(path, "ask", kinds=", ".join(KINDS))
        for group in ask.entry:
            yield from self._one_of((*path, "entry"), group, self.game.sheet)
        for kind in ask.trait:
            yield from self._one_of((*path, "trait"), kind, self.game.trait)
        for deck in ask.card:
            yield from self._one_of((*path, "card"), deck, self.game.deck)
        if ask.number and (len(ask.number) != 2 or _is_reversed(*ask.number)):
            yield _wrong((*path, "number"), "ask.number")
        for key in ("number", "choose"):
            for bound in getattr(ask, key):
                yield from self.read((*path, key), bound, place.at(key), number=True)
        usual = place.at("default", *(self.sheet if ask.entry else ()))
        yield from self.read((*path, "default"), ask.default, usual, number=bool(ask.number))
        yield from self.read((*path, "when"), ask.when, place.at("asks.when"))

    def _move(self, path: Path, row: MoveRow) -> Found:
        yield from wrong_key(self.game, (*path, "key"), row.key)
        asks = {ask.name: ask for ask in row.asks}
        place = place_of_time("do", row.when, asks=asks)
        for n, ask in enumerate(row.asks):
            yield from self._ask((*path, "asks", n), ask, place)
        only = place_of_time("only", row.when, later=frozenset(asks))
        yield from self.read((*path, "only"), row.only, only)
        for price in row.price:
            for name, n_of in price.items():
                yield from self._one_of((*path, "price"), name, (*self.game.points, *self.spends))
                yield from self.read((*path, "price"), n_of, place.at("price"), number=True)
        meant = [name for name, ask in asks.items() if ask.character or ask.trait]
        agree = AGREE if self.game.gm else (*AGREE, "others")
        yield from self._one_of((*path, "consent"), row.consent, (*agree, *meant))
        for text in row.limit:
            if limit_of(row, text) is None:
                yield _wrong((*path, "limit"), "limit", got=text[:40])
        if row.who == "helper" and row.when not in ("before the roll", "after the roll"):
            yield _wrong((*path, "who"), "helper")
        yield from self._done((*path, "do"), row.do, place)
        yield from self._with_turns((*path, "when"), row.when)
        yield from wrong_times(self.game, (*path, "do"), row.do, row.when)

    def _done(self, path: Path, rows: tuple[DoRow, ...], place: Place) -> Found:
        asks, own = place.asks, place
        for n, row in enumerate(rows):
            place = replace(own, character=own.character or row.of == EACH)
            here: Path = (*path, n)
            verbs = [verb for verb in VERBS if getattr(row, verb)]
            yield from self.read((*here, "when"), row.when, place.at("do.when"))
            if len(verbs) != 1:
                yield _wrong(here, "verb", verbs=", ".join(VERBS))
                continue
            yield from self._verb(here, row, verbs[0], place)
            yield from self.read((*here, "n"), row.n, place.at("n"), number=True)
            yield from self.read((*here, "to"), row.to, place.at("to"), self._is_number(row.set))
            yield from self.read((*here, "goal"), row.goal, place.at("goal"), number=True)
            for one in row.throw.values():
                yield from self.read(here, one, place.at("throw"), number=True)
            for figure in row.figures.values():
                yield from self._figure(here, figure)
            thrown = self.rules.reading.axes.names if row.throw else ()
            own = own.at(own.key, *row.figures, *(f"{THROWN}_{name}" for name in thrown))
            yield from wrong_goal(self.game, (*here, "goal"), row)
            about = replace(row, of="") if row.of == "actor" else row
            if not place.character and is_of_mover(self.rules, about):
                yield _wrong(here, "silent.nobody", verb=verbs[0])
            if row.of and row.of not in ("actor", "mover", EACH):
                known = {**asks, **(self.readable.asks if "ask" in place.kinds else {})}
                meant = [name for name, ask in known.items() if ask.character or ask.trait]
                yield from one_of((*here, "of"), row.of, ("actor", "mover", EACH, *meant))
            for of_effect, effect in nested_rows(self.game, row.consult):
                if path[0] != "effects":
                    inside = replace(place, asks={})
                    yield from self._done((*of_effect, "do"), effect.do, inside)

    def _is_number(self, name: str) -> bool:
        """Whether a term of the action is always a number."""
        ask = self.readable.asks.get(name)
        return name in self.terms if ask is None else bool(ask.number)

    def _verb(self, path: Path, row: DoRow, verb: str, place: Place) -> Found:
        asks = place.asks
        yield from self._with_turns((*path, verb), verb)
        if verb == "throw":
            yield from self._sizes(path, row.throw, place.at(verb), self.dice)
        elif verb == "add":
            yield from self._sizes((*path, verb), [row.add], place.at(verb), self.dice)
        elif verb in ("improve", "step"):
            named = [name for name, ask in asks.items() if ask.entry or ask.trait]
            points = self.game.points if verb == "step" else ()
            rising = (*named, *self.written, *points)
            yield from one_of((*path, verb), getattr(row, verb), rising)
        elif verb == "again":
            yield from self.read((*path, verb), row.again, place.at("again", "face"))
            for die in row.dice:
                yield from one_of((*path, "dice"), die, self.dice)
        else:
            if verb in OF_STATEMENTS and "ask" in place.kinds:
                asks = {**self.readable.asks, **asks}
            known = named_by(verb, self.game, asks, self.terms, self.symbols)
            yield from self._one_of((*path, verb), getattr(row, verb), known)

    def _sizes(
        self, path: Path, names: Iterable[str], place: Place, dice: Collection[str] = ()
    ) -> Found:
        """The mistakes of names of these dice, or else of numbers that are the size of one."""
        for name in names:
            if name not in dice and KEY.fullmatch(name) and self.readable.kind(name, place):
                yield from self.read(path, parse(name), place, number=True)
            else:
                yield from self._one_of(path, name, (*dice, *self.readable.known(place)))

    def _one_of(self, path: Path, name: str, known: Iterable[str]) -> Found:
        """The mistake of a name that is not known, which other actions may have."""
        return one_of(path, name, known, self.readable.owners)
