"""Numbers and keys of a game file without an effect: each is a mistake at its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storypool.gamefile.file_format.expressions import Expression, Scope, Value
from storypool.gamefile.file_format.game_bounds import MOST_DICE
from storypool.gamefile.file_format.row_checks.look_rows import wrong_looks
from storypool.gamefile.file_format.row_checks.several_choices import wrong_choose
from storypool.gamefile.file_format.row_checks.sheet_words import (
    misused_words,
    wrong_words_of_sheet,
)
from storypool.gamefile.file_format.row_checks.statement_rows import wrong_forwards, wrong_kinds
from storypool.gamefile.file_format.schema import (
    ActionRow,
    AskRow,
    DoRow,
    FigureRow,
    GameFile,
    MoveRow,
    WheneverRow,
)
from storypool.gamefile.file_rolls.placed_dice import wrong_places
from storypool.gamefile.file_rolls.step_dice import wrong_steps
from storypool.gamefile.together.joined import wrong_together
from storypool.words import Phrase

__all__ = ["FOLLOWED_BY", "without_effect"]

MOST_RATING = 99
MOST_THROWN = 20
FIGURES = ("highest", "lowest", "next", "left", "against")
KINDS = ("choices", "entry", "number", "text", "character", "trait", "card", "rolled")
"""The kinds of questions, by their key."""
APART = ("between actions", "on your turn", "in a conflict")
"""The times of moves that are part of no action."""
ONE_OR_MORE = ("add", "remove", "upgrade", "downgrade", "gain", "lose", "promise", "draw")
"""Verbs that need a number of at least one."""
SOME = ("fill", "shift", "improve", "step", "symbol", "rank", "forward")
"""Verbs with a number of either sign, but not 0."""
USED_BY: Mapping[str, tuple[str, ...]] = {
    "n": (*ONE_OR_MORE, *SOME, "make", "consult"),
    "to": ("set", "rank"),
    "at": ("put",),
    "kind": ("make",),
    "action": ("forward",),
    "dice": ("again",),
    "figures": ("throw",),
    "goal": ("make",),
    "text": ("make", "promise"),
    "of": (
        *("gain", "lose", "make", "end", "improve", "promise"),
        *("draw", "give", "step", "forward"),
    ),
}
"""The verbs that use a key of a row."""
ASKED_BY: Mapping[str, tuple[str, ...]] = {
    "default": ("choices", "entry", "number"),
    "whose": ("choices", "entry", "number", "text", "character"),
    "of": ("trait",),
    "choose": ("choices",),
    "held": ("trait",),
    "once": ("trait",),
}
"""The kinds of questions that use a key."""

CHANGES = ("full", "empty", "lost", "reaches")
FOLLOWED_BY: Mapping[str, tuple[str, ...]] = {
    "points": ("points", *CHANGES),
    "trait": CHANGES,
    "entry": CHANGES,
    "direction": ("points", "reaches"),
    "action": ("rolled", "closed"),
    "reaches": ("reaches",),
}
"""The events whose rows use a key."""

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


def without_effect(game: GameFile) -> Found:
    """Each number of a game out of bounds, and each key that nothing reads."""
    yield from _explosions(game)
    yield from wrong_steps(game)
    yield from wrong_places(game)
    yield from wrong_together(game)
    yield from _points(game)
    yield from _sheet(game)
    yield from wrong_words_of_sheet(game)
    yield from wrong_looks(game)
    yield from misused_words(game)
    yield from wrong_kinds(game)
    yield from wrong_forwards(game)
    games = {row.key: game.of_action(row) for row in game.actions}
    for n, action in enumerate(game.actions):
        yield from _action(("action", n), action)
        for i, ask in enumerate(action.asks):
            yield from _ask(("action", n, "asks", i), ask)
    for kind, trait in game.trait.items():
        for n in trait.goal:
            yield from _between(("trait", kind, "goal"), n, 1, MOST_RATING)
    for n, move in enumerate(game.move):
        for i, ask in enumerate(move.asks):
            yield from _ask(("move", n, "asks", i), ask)
        yield from _price(game, ("move", n, "price"), move)
        for one in _named(games, move.action):
            yield from _rows(one, ("move", n, "do"), move.do)
        if move.action and move.when in APART:
            yield ("move", n, "action"), Phrase("gamefile.idle", key="action", of=move.when)
    for name, effects in game.effects.items():
        for n, effect in enumerate(effects):
            for one in games.values():
                yield from _rows(one, ("effects", name, n, "do"), effect.do)
    for n, follows in enumerate(game.whenever):
        path: Path = ("whenever", n)
        for one in _named(games, follows.action):
            yield from _rows(one, (*path, "do"), follows.do)
        for key, events in FOLLOWED_BY.items():
            if getattr(follows, key) not in (None, "", (), "rises") and follows.on not in events:
                yield (*path, key), Phrase("gamefile.idle", key=key, of=follows.on)
        yield from _reached(game, (*path, "reaches"), follows)
        if (
            follows.on == "full"
            and follows.points in game.points
            and game.points[follows.points].cap is None
        ):
            yield (*path, "points"), Phrase("gamefile.never.full", name=follows.points)


def _reached(game: GameFile, path: Path, row: WheneverRow) -> Found:
    """A number that points or segments never come to."""
    if row.on != "reaches":
        return
    if row.reaches is None:
        yield path, Phrase("gamefile.reaches")
        return
    n, points, trait = row.reaches.fixed, game.points.get(row.points), game.trait.get(row.trait)
    group = next((one for one in game.sheet.values() if row.entry in one.entries), None)
    if n is None:
        return
    least, most = n, n
    if points is not None:
        floor = points.floor.fixed if points.floor is not None else 0
        cap = points.cap.fixed if points.cap is not None else None
        least, most = n if floor is None else floor, n if cap is None else cap
    elif trait is not None:
        least, most = 0, max((*trait.goal, *trait.steps), default=0)
    elif group is not None:
        least, most = group.low, group.high
    if not least <= n <= most:
        yield path, Phrase("gamefile.never.reaches", name=row.points or row.trait or row.entry, n=n)


def _explosions(game: GameFile) -> Found:
    """Faces that a die does not have, and dice that would be rolled without end."""
    for name, die in game.dice.items():
        path, sides = ("dice", name, "explodes"), die.sides or len(die.faces)
        missing = next((face for face in die.explodes if not 1 <= face <= sides), None)
        if missing is not None:
            yield path, Phrase("gamefile.die.explodes", got=missing, sides=sides)
        elif len(set(die.explodes)) >= sides:
            yield path, Phrase("gamefile.die.explodes.always")


def _points(game: GameFile) -> Found:
    for name, row in game.points.items():
        least = row.floor.fixed if row.floor is not None else 0
        most = row.cap.fixed if row.cap is not None else None
        start = row.start.fixed if row.start is not None else None
        if least is not None and most is not None and least > most:
            yield ("points", name, "floor"), Phrase("gamefile.bounds.floor", floor=least, cap=most)
        elif start is not None:
            if least is not None and start < least:
                yield (
                    ("points", name, "start"),
                    Phrase("gamefile.bounds.start", n=start, least=least),
                )
            elif most is not None and start > most:
                yield (
                    ("points", name, "start"),
                    Phrase("gamefile.bounds.start.most", n=start, most=most),
                )


def _sheet(game: GameFile) -> Found:
    bounds: dict[str, tuple[int, int]] = {}
    for name, group in game.sheet.items():
        if not group.entries:
            yield ("sheet", name, "entries"), Phrase("gamefile.group.empty")
        bounds |= dict.fromkeys(group.numbers, (group.low, group.high))
        if group.low > group.high:
            yield (
                ("sheet", name, "low"),
                Phrase("gamefile.bounds.low", low=group.low, high=group.high),
            )
        else:
            yield from _between(("sheet", name, "default"), group.default, group.low, group.high)
    people = [(("character", n, "sheet"), one.sheet) for n, one in enumerate(game.character)]
    people += [(("npc", n, "sheet"), one.sheet) for n, one in enumerate(game.npc)]
    for path, values in people:
        for entry, value in values.items():
            if entry in bounds and isinstance(value, int):
                yield from _between((*path, entry), value, *bounds[entry])


def _named(games: Mapping[str, GameFile], keys: tuple[str, ...]) -> Iterator[GameFile]:
    """The games of these actions, or of all."""
    return (one for key, one in games.items() if not keys or key in keys)


def _action(path: Path, action: ActionRow) -> Found:
    yield from _between((*path, "most"), action.most, 1, MOST_DICE)
    for die, number in action.pool.items():
        if number.fixed is not None:
            yield from _between((*path, "pool", die), number.fixed, 0, max(1, action.most))
    for name, figure in action.figures.items():
        yield from _figure((*path, "figures", name), figure)
    if action.empty is not None:
        for die, n in action.empty.roll.items():
            yield from _between((*path, "empty", "roll", die), n, 1, MOST_DICE)
        for name, figure in action.empty.figures.items():
            yield from _figure((*path, "empty", "figures", name), figure)


def _figure(path: Path, row: FigureRow) -> Found:
    for n in (row.highest, row.lowest, row.next, row.left):
        if n < 0:
            yield path, Phrase("gamefile.bounds.least", got=n, least=1)
    if row.against and (not row.of or {*row.of} & {*row.against}):
        yield (*path, "against"), Phrase("gamefile.figure.against")
    if row.over < 0:
        yield (*path, "over"), Phrase("gamefile.bounds.least", got=row.over, least=0)


def _ask(path: Path, ask: AskRow) -> Found:
    kind = next((name for name in KINDS if getattr(ask, name)), "")
    for key, kinds in ASKED_BY.items():
        if getattr(ask, key) and kind and kind not in kinds:
            yield (*path, key), Phrase("gamefile.idle", key=key, of=kind)
    yield from wrong_choose(path, ask)
    usual = _constant(ask.default)
    if usual is None:
        return
    low, high = [one.fixed for one in ask.number] if len(ask.number) == 2 else (None, None)
    if low is not None and high is not None and isinstance(usual, int):
        yield from _between((*path, "default"), usual, low, high)
    elif ask.choices and usual not in ask.choices:
        yield (
            (*path, "default"),
            Phrase("gamefile.bounds.choice", got=usual, known=", ".join(ask.choices)),
        )


def _price(game: GameFile, path: Path, move: MoveRow) -> Found:
    for price in move.price:
        for name, n in price.items():
            row = game.points.get(name)
            if n.fixed is None:
                continue
            if n.fixed < 0:
                yield path, Phrase("gamefile.bounds.least", got=n.fixed, least=0)
            if row is None or row.cap is None or (row.of == "gm" and move.who != "gm"):
                continue
            least, most = (row.floor.fixed if row.floor is not None else 0), row.cap.fixed
            if least is not None and most is not None and n.fixed > most - least:
                yield path, Phrase("gamefile.never.paid", n=n.fixed, most=most - least)


def _rows(game: GameFile, path: Path, rows: tuple[DoRow, ...]) -> Found:
    asks = {ask.name: ask for ask in game.action.asks}
    for i, row in enumerate(rows):
        here, verb, n = (*path, i), row.verb, row.n.fixed if row.n is not None else None
        for key, verbs in USED_BY.items():
            if getattr(row, key) and verb and verb not in verbs and (key, row.of) != ("of", "each"):
                yield (*here, key), Phrase("gamefile.idle", key=key, of=verb)
        if n is not None and ((verb in ONE_OR_MORE and n < 1) or (verb in SOME and n == 0)):
            yield (*here, "n"), Phrase("gamefile.bounds.least", got=n, least=1)
        if n is not None and verb == "make":
            yield from _between((*here, "n"), n, 0, MOST_RATING)
        if row.goal is not None and row.goal.fixed is not None:
            yield from _between((*here, "goal"), row.goal.fixed, 1, MOST_RATING)
        for thrown in row.throw.values():
            if thrown.fixed is not None:
                yield from _between((*here, "throw"), thrown.fixed, 1, MOST_THROWN)
        for name, figure in row.figures.items():
            yield from _figure((*here, "figures", name), figure)
        ask, value = asks.get(row.set), _constant(row.to)
        if ask is not None and ask.choices and value is not None and value not in ask.choices:
            yield (
                (*here, "to"),
                Phrase("gamefile.bounds.choice", got=value, known=", ".join(ask.choices)),
            )
        changed = asks.get(row.set or row.shift)
        if changed is not None and changed.choose:
            key = "set" if row.set else "shift"
            yield (*here, key), Phrase("gamefile.choose.changed", name=changed.name)
        moved = asks.get(row.shift)
        if moved is not None and not (moved.choices or moved.number):
            yield (*here, "shift"), Phrase("gamefile.shift", name=row.shift)


def _constant(expression: Expression | None) -> Value | None:
    """The value of a constant expression; None if it reads anything."""
    if expression is None or expression.names or expression.counts:
        return None
    return expression(Scope())


def _between(path: Path, n: int, low: int, high: int) -> Found:
    if not low <= n <= high:
        yield path, Phrase("gamefile.bounds.between", got=n, low=low, high=high)
