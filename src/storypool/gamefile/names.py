"""Check the names in a game file: each must mean one thing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from copy import copy
from itertools import chain, islice
from textwrap import shorten

from storypool.engine.refusal import nearest
from storypool.gamefile import Mistake
from storypool.gamefile.doing import EACH, POOL
from storypool.gamefile.file_format.endless_points import endless_points
from storypool.gamefile.file_format.expressions import WORDS, Expression
from storypool.gamefile.file_format.file_text import MOST_MISTAKES, Path, line_of
from storypool.gamefile.file_format.game_bounds import beyond_bounds, wrong_words
from storypool.gamefile.file_format.number_bounds import FIGURES, KINDS, without_effect
from storypool.gamefile.file_format.schema import (
    VERBS,
    ActionRow,
    AskRow,
    DoRow,
    FigureRow,
    GameFile,
    MoveRow,
    OutcomeRow,
)
from storypool.gamefile.file_rolls.action_names import KEY, ActionNames, action_keys, rolls
from storypool.gamefile.file_rolls.roll_reading import blanks_of
from storypool.gamefile.looks import shared_words
from storypool.gamefile.move_rows import limit_of
from storypool.gamefile.scope import OUTCOME, ROUND, SIDE, Rules
from storypool.gamefile.turns.turn_order import THROWN, TURN_KINDS
from storypool.words import Phrase

__all__ = ["mistakes"]

RESERVED = frozenset(
    {"as", "face", OUTCOME, SIDE, "title", "pay", "faces", "secret", "check", *WORDS}
)
"""Names that have a meaning of their own."""
MEANT = frozenset({"actor", "mover", "gm", EACH})
"""Names that no question may have, since `of` and `consent` give them a meaning."""
LISTED = 400
"""The most characters of a list of known names in a mistake."""
MOST_SIDES = 100
MOST_DICE = 24
MOST_ACTIONS = 9
NEED_TURNS = ("on your turn", "in a conflict", "turn begins", "turn ends", "next")


def mistakes(game: GameFile, text: str, given: Iterable[str] = ()) -> tuple[Mistake, ...]:
    """The mistakes in the names of a game, in the order of its lines; Python gives the `given`."""
    if keys := tuple(action_keys(game)):
        return tuple(Mistake(line_of(text, path), what) for path, what in keys)
    names = _Names(game, given)
    every = chain(
        beyond_bounds(game, len(names.symbols)),
        wrong_words(game.words, shared_words()),
        names.all(),
        without_effect(game),
    )
    # A row of several actions may have the same mistake in each.
    once = dict.fromkeys((path, what) for path, what in islice(every, MOST_MISTAKES))
    found = (Mistake(line_of(text, path), what) for path, what in once)
    return tuple(sorted(found, key=lambda one: one.line))


Found = Iterator[tuple[Path, Phrase]]


def _wrong(path: Path, key: str, **values: object) -> tuple[Path, Phrase]:
    return path, Phrase(f"gamefile.{key}", **values)


def _wrong_time(verb: str, when: str) -> str:
    """Why an action cannot be changed at this time, or ""."""
    if verb not in VERBS[: VERBS.index("gain")]:
        return ""
    if when not in ("before the roll", "after the roll", "any time", "rolled", "closed"):
        return "no_action"
    if when in ("after the roll", "rolled", "closed") and verb in POOL:
        return "late"
    if when == "before the roll" and verb == "again":
        return "early"
    return ""


class _Names:
    """Looks up every name of a game."""

    def __init__(self, game: GameFile, given: Iterable[str]) -> None:
        self.game, self.rules, self.given = game, Rules(game), tuple(given)
        self.dice = tuple(game.dice)
        self.symbols = self.rules.reading.symbols
        self.sheet = tuple(self.rules.entries)
        self.actions = ActionNames(self.rules.readings)
        self._narrow(())

    def _narrow(self, keys: Collection[str]) -> None:
        game = self.game
        self.terms, self.reading, self.spends = self.actions.common(keys)
        self.known = (
            *self.reading,
            *game.points,
            *self.sheet,
            *game.option,
            *self.given,
            OUTCOME,
            SIDE,
        )
        self.known += (ROUND,) if game.turns is not None else ()

    def among(self, keys: Iterable[str]) -> _Names:
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
        yield from self._twice()
        yield from self._dice()
        yield from self._points()
        for n, action in enumerate(game.actions):
            one = self.among([action.key])
            yield from one._action(("action", n), action)
            yield from one._ladder(("action", n, "outcome"), action.outcome)
            if not (action.outcome or game.outcome):
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
        for name in game.effects:
            yield from self._consulted(name)._effects(name)
        for kind, trait in game.trait.items():
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
            if follows.on in ("points", "full"):
                yield from self._one_of((*path, "points"), follows.points, game.points)
            yield from self._with_turns((*path, "on"), follows.on)
            yield from self._actions((*path, "action"), follows.action)
            own_names = self.among(follows.action)
            yield from own_names._reads((*path, "when"), follows.when, own_names.known)
            yield from own_names._done((*path, "do"), follows.do, {}, ())
            yield from self._timed((*path, "do"), follows.do, follows.on)
        people = [(("character", n, "sheet"), one.sheet) for n, one in enumerate(game.character)]
        people += [(("npc", n, "sheet"), one.sheet) for n, one in enumerate(game.npc)]
        for place, numbers in people:
            for name in numbers:
                yield from self._one_of(place, name, self.sheet)

    def _actions(self, path: Path, keys: tuple[str, ...]) -> Found:
        """The keys of the actions that a row belongs to."""
        for key in keys:
            yield from self._one_of(path, key, self.rules.actions)

    def _ladder(self, path: Path, rungs: tuple[OutcomeRow, ...]) -> Found:
        for n, rung in enumerate(rungs):
            yield from self._key((*path, n, "key"), rung.key)
            yield from self._reads((*path, n, "when"), rung.when, self.reading, pure=True)
            for name in blanks_of(rung.words):
                yield from self._one_of((*path, n, "words"), name, self.reading)

    def _turns(self) -> Found:
        row, path = self.game.turns, ("turns",)
        if row is None:
            return
        if row.ranked and row.by is None and not row.throw:
            yield _wrong(path, "turns.by")
        if not row.ranked and (row.by is not None or row.throw):
            yield _wrong((*path, "order"), "turns.order")
        if row.slots == "side" and row.order == "handed over":
            yield _wrong((*path, "slots"), "turns.slots")
        if not 0 <= row.actions <= MOST_ACTIONS:
            yield _wrong((*path, "actions"), "turns.actions", most=MOST_ACTIONS)
        known = (*self.sheet, *self.game.points, *self.game.option)
        for die, n in row.throw.items():
            yield from self._one_of((*path, "throw"), die, self.dice)
            yield from self._reads((*path, "throw"), n, known)
        if row.throw:
            axes = (f"{THROWN}_{name}" for name in self.rules.reading.axes.names)
            known = (*known, THROWN, *axes)
        yield from self._reads((*path, "by"), row.by, known)
        for kind in row.out:
            yield from self._one_of((*path, "out"), kind, self.game.trait)
        for kind in sorted(TURN_KINDS & set(self.game.trait)):
            yield _wrong(("trait", kind), "reserved", name=kind)

    def _with_turns(self, path: Path, words: str) -> Found:
        """Uses of turns in a game without them."""
        if words in NEED_TURNS and self.game.turns is None:
            yield _wrong(path, "turns.none", words=words)

    def _consulted(self, table: str) -> _Names:
        """The names that the actions have whose rows consult a table of effects."""
        rows = [(one.action, one.do) for one in self.game.move]
        rows += [(one.action, one.do) for one in self.game.whenever]
        keys = list[str]()
        for actions, do in rows:
            if any(one.consult == table for one in do):
                keys += actions or self.rules.actions
        return self.among(keys)

    def _effects(self, name: str) -> Found:
        """A table of effects: its rows must rise, and lead to no further dice."""
        rows, before = self.game.effects[name], None
        yield from self._key(("effects", name), name)
        if not rows:
            yield _wrong(("effects", name), "effects")
        for n, row in enumerate(rows):
            path: Path = ("effects", name, n)
            if before is not None and row.at <= before:
                yield _wrong((*path, "at"), "effects.order")
            before = row.at
            yield from self._done((*path, "do"), row.do, {}, ())
            if any(do.throw or do.consult for do in row.do):
                yield _wrong((*path, "do"), "effects.ends")

    def _twice(self) -> Found:
        """Names with two meanings."""
        game = self.game
        places: list[tuple[Path, str]] = [(("dice", name), name) for name in game.dice]
        places += [(("symbols", name), name) for name in self.symbols]
        places += [(("points", name), name) for name in game.points]
        for group, entries in game.sheet.items():
            places += [(("sheet", group, "entries"), name) for name in entries.entries]
        places += [(("option", name), name) for name in game.option]
        seen = {*self.given, *self.actions.keyed}
        yield from self._new(places, seen)
        for n, action in enumerate(game.actions):
            own: list[tuple[Path, str]] = []
            own += [(("action", n, "asks", i), ask.name) for i, ask in enumerate(action.asks)]
            for part in ("terms", "figures", "counts"):
                own += [(("action", n, part, name), name) for name in getattr(action, part)]
            yield from self._new(own, set(seen))
        for where in ("trait", "sheet"):
            for name in getattr(game, where):
                yield from self._key((where, name), name)

    def _new(self, places: Iterable[tuple[Path, str]], seen: set[str]) -> Found:
        """Mistakes in new names: not a key, or `seen` before. Adds them to `seen`."""
        for path, name in places:
            yield from self._key(path, name)
            if name in seen:
                yield _wrong(path, "twice", name=name)
            seen.add(name)

    def _key(self, path: Path, name: str) -> Found:
        if name in RESERVED:
            yield _wrong(path, "reserved", name=name)
        elif not KEY.fullmatch(name):
            yield _wrong(path, "key", got=name[:40])

    def _dice(self) -> Found:
        if not 1 <= len(self.dice) <= MOST_DICE:
            yield _wrong(("dice",), "dice.number", most=MOST_DICE)
        for name, die in self.game.dice.items():
            path: Path = ("dice", name)
            sides = die.sides or len(die.faces)
            if bool(die.sides) == bool(die.faces) or not 2 <= sides <= MOST_SIDES:
                yield _wrong(path, "die", most=MOST_SIDES)
            if die.faces and die.shows:
                yield _wrong((*path, "shows"), "die.shows")
            terms = self.among(row.key for row in self.game.actions if rolls(row, name)).terms
            for symbol, shown in die.shows.items():
                yield from self._reads((*path, "shows", symbol), shown, (*terms, "face"), pure=True)
            if die.becomes:
                yield from self._one_of((*path, "becomes"), die.becomes, self.dice)
        for name, row in self.game.symbols.items():
            if row.opposite:
                yield from self._one_of(("symbols", name, "opposite"), row.opposite, self.symbols)

    def _points(self) -> Found:
        for name, row in self.game.points.items():
            path: Path = ("points", name)
            yield from self._reads((*path, "start"), row.start, (*self.sheet, *self.game.points))
            yield from self._reads((*path, "cap"), row.cap, (*self.sheet, *self.game.points))
            yield from self._reads((*path, "floor"), row.floor, self.sheet)
            if row.overflow not in ("lost", "refused"):
                yield from self._one_of(
                    (*path, "overflow"), row.overflow, ("lost", "refused", *self.game.points)
                )
            if row.turns:
                yield from self._one_of((*path, "turns"), row.turns, self.game.points)

    def _action(self, path: Path, row: ActionRow) -> Found:
        for n, ask in enumerate(row.asks):
            yield from self._ask((*path, "asks", n), ask, (*self.terms, *self.sheet))
        for name, expression in row.terms.items():
            yield from self._reads((*path, "terms", name), expression, self.known)
        for die, expression in row.pool.items():
            yield from self._one_of((*path, "pool", die), die, self.dice)
            yield from self._reads((*path, "pool", die), expression, self.known)
        for name in row.sized:
            yield from self._one_of((*path, "sized"), name, self.terms)
        for name, figure in row.figures.items():
            yield from self._figure((*path, "figures", name), figure)
        for name, count in row.counts.items():
            yield from self._reads((*path, "counts", name), count, self.reading, pure=True)
        for name in row.shown:
            yield from self._one_of((*path, "shown", name), name, self.reading)
        for name in row.spends:
            yield from self._one_of((*path, "spends"), name, self.symbols)
        if row.empty is not None:
            for die in row.empty.roll:
                yield from self._one_of((*path, "empty"), die, self.dice)
            for name, figure in row.empty.figures.items():
                yield from self._one_of((*path, "empty"), name, row.figures)
                yield from self._figure((*path, "empty"), figure)
        for n, window in enumerate(row.window):
            yield from self._reads((*path, "window", n), window.when, self.known)

    def _figure(self, path: Path, row: FigureRow) -> Found:
        if sum(bool(getattr(row, name)) for name in FIGURES) != 1:
            yield _wrong(path, "figure", kinds=", ".join(FIGURES))
        for die in row.of:
            yield from self._one_of((*path, "of"), die, self.dice)

    def _ask(self, path: Path, ask: AskRow, known: Iterable[str]) -> Found:
        yield from self._key((*path, "name"), ask.name)
        if ask.name in (*MEANT, *self.actions.keyed):
            yield _wrong((*path, "name"), "reserved", name=ask.name)
        if sum(bool(getattr(ask, name)) for name in KINDS) != 1:
            yield _wrong(path, "ask", kinds=", ".join(KINDS))
        for group in ask.entry:
            yield from self._one_of((*path, "entry"), group, self.game.sheet)
        for kind in ask.trait:
            yield from self._one_of((*path, "trait"), kind, self.game.trait)
        if ask.number and (len(ask.number) != 2 or ask.number[0] > ask.number[1]):
            yield _wrong((*path, "number"), "ask.number")
        yield from self._reads((*path, "default"), ask.default, (*known, *self.known))
        yield from self._reads((*path, "when"), ask.when, (*known, *self.known))

    def _move(self, path: Path, row: MoveRow) -> Found:
        yield from self._key((*path, "key"), row.key)
        asks = {ask.name: ask for ask in row.asks}
        for n, ask in enumerate(row.asks):
            yield from self._ask((*path, "asks", n), ask, asks)
        yield from self._reads((*path, "only"), row.only, self.known)
        for price in row.price:
            for name, n_of in price.items():
                yield from self._one_of((*path, "price"), name, (*self.game.points, *self.spends))
                yield from self._reads((*path, "price"), n_of, (*asks, *self.known))
        meant = (ask.name for ask in row.asks if ask.character or ask.trait)
        yield from self._one_of((*path, "consent"), row.consent, ("", "gm", "actor", *meant))
        for text in row.limit:
            if limit_of(row, text) is None:
                yield _wrong((*path, "limit"), "limit", got=text[:40])
        if row.who == "helper" and row.when not in ("before the roll", "after the roll"):
            yield _wrong((*path, "who"), "helper")
        yield from self._done((*path, "do"), row.do, asks, asks)
        yield from self._with_turns((*path, "when"), row.when)
        yield from self._timed((*path, "do"), row.do, row.when)

    def _timed(self, path: Path, rows: tuple[DoRow, ...], when: str) -> Found:
        """Changes of an action where there is none, too early or too late."""
        for n, do in enumerate(rows):
            effects = (one for effect in self.rules.effects(do.consult) for one in effect.do)
            for verb in (do.verb, *(one.verb for one in effects)):
                if key := _wrong_time(verb, when):
                    yield _wrong((*path, n), key, verb=verb)

    def _done(
        self, path: Path, rows: tuple[DoRow, ...], asks: dict[str, AskRow], known: Iterable[str]
    ) -> Found:
        read = set(known)
        for n, row in enumerate(rows):
            here: Path = (*path, n)
            verbs = [verb for verb in VERBS if getattr(row, verb)]
            if len(verbs) != 1:
                yield _wrong(here, "verb", verbs=", ".join(VERBS))
                continue
            yield from self._verb(here, row, verbs[0], asks)
            names = (*read, *self.known)
            for name, one in (("when", row.when), ("n", row.n), ("to", row.to), ("goal", row.goal)):
                yield from self._reads((*here, name), one, names)
            for one in row.throw.values():
                yield from self._reads(here, one, names)
            for name, figure in row.figures.items():
                yield from self._figure(here, figure)
                read.add(name)
            if row.throw:
                read |= {f"thrown_{name}" for name in self.rules.reading.axes.names}
            if row.of and row.of not in ("actor", "mover", EACH):
                meant = [name for name, ask in asks.items() if ask.character or ask.trait]
                yield from self._one_of((*here, "of"), row.of, ("actor", "mover", EACH, *meant))

    def _verb(self, path: Path, row: DoRow, verb: str, asks: dict[str, AskRow]) -> Found:
        yield from self._with_turns((*path, verb), verb)
        if verb == "throw":
            for die in row.throw:
                yield from self._one_of(path, die, self.dice)
        elif verb == "improve":
            named = [name for name, ask in asks.items() if ask.entry or ask.trait]
            yield from self._one_of((*path, verb), row.improve, (*named, *self.sheet))
        elif verb == "again":
            yield from self._reads((*path, verb), row.again, (*self.known, "face"))
            for die in row.dice:
                yield from self._one_of((*path, "dice"), die, self.dice)
        else:
            by_verb: dict[str, Iterable[str]] = {
                "add": [
                    *self.dice,
                    *(name for name, ask in asks.items() if ask.entry or ask.trait),
                ],
                "set": self.terms,
                "shift": self.terms,
                "symbol": self.symbols,
                "gain": self.game.points,
                "lose": self.game.points,
                "make": self.game.trait,
                "reveal": [name for name, ask in asks.items() if ask.trait],
                "consult": self.game.effects,
                "next": [name for name, ask in asks.items() if ask.character],
                "fill": [name for name, ask in asks.items() if ask.trait],
                "end": [*(name for name, ask in asks.items() if ask.trait), *self.game.trait],
            }
            yield from self._one_of((*path, verb), getattr(row, verb), by_verb.get(verb, self.dice))

    def _one_of(self, path: Path, name: str, known: Iterable[str]) -> Found:
        names = list(known)
        if name in names:
            return
        near = nearest(name, names)
        if len(self.rules.actions) > 1 and (owners := self.actions.owners.get(name)):
            actions = ", ".join(f'"{key}"' for key in owners)
            id = "name.actions" if path[0] in ("move", "whenever") else "name.elsewhere"
            yield _wrong(path, id, name=name, actions=actions)
        elif near:
            yield _wrong(path, "name.near", name=name[:40], near=near[0])
        else:
            yield _wrong(
                path,
                "name",
                name=name[:40],
                known=shorten(", ".join(filter(None, names)), LISTED, placeholder=" …") or "-",
            )

    def _reads(
        self, path: Path, expression: Expression | None, known: Iterable[str], pure: bool = False
    ) -> Found:
        """Check the names of an expression; a `pure` one has no table, so it counts nothing."""
        if expression is None:
            return
        names = list(known)
        for name in sorted(expression.names - set(names)):
            yield from self._one_of(path, name, names)
        for function, about in sorted(expression.counts):
            if pure and function != "dice":
                yield _wrong(path, "pure", function=function)
            else:
                names = list(self.game.trait if function == "traits" else self.dice)
                yield from self._one_of(path, about[0], names)
