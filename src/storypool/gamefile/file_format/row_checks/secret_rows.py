"""The mistakes of secret questions: their kinds, their time, and the rows that read them."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.gamefile.file_format.expressions import Expression, expressions_in
from storypool.gamefile.file_format.schema import DoRow, GameFile, MoveRow
from storypool.words import Phrase

__all__ = ["wrong_secrets"]

KINDS = ("choices", "entry", "number", "text", "character")
"""The kinds of questions that can be secret."""
TIMES = ("between actions", "on your turn", "in a conflict")
"""The times of moves with secret questions: part of no action."""
VERBS = ("gain", "lose", "make", "end", "fill", "reveal", "improve", "consult", "next")
"""The verbs of a secret choice: nothing is rolled, and no action changes."""

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


def wrong_secrets(game: GameFile) -> Found:
    """Each secret question where none can be, and each row that reads an answer too early."""
    for n, action in enumerate(game.actions):
        for i, ask in enumerate(action.asks):
            if ask.secret:
                yield ("action", n, "asks", i, "whose"), Phrase("gamefile.secret.action")
    for n, move in enumerate(game.move):
        yield from _plain(("move", n), move)
        if move.secret:
            yield from _move(game, ("move", n), move)


def _plain(path: Path, move: MoveRow) -> Found:
    """Questions that a GM answers, or several in secret, of kinds that they cannot."""
    for i, ask in enumerate(move.asks):
        if ask.secret and not any(getattr(ask, kind) for kind in KINDS):
            yield (*path, "asks", i), Phrase("gamefile.secret.kind", kinds=", ".join(KINDS))
        if ask.whose == "gm" and (ask.text or ask.character):
            of = "text" if ask.text else "character"
            yield (*path, "asks", i, "whose"), Phrase("gamefile.idle", key="whose", of=of)


def _move(game: GameFile, path: Path, move: MoveRow) -> Found:
    secret = {ask.name: ask for ask in move.asks if ask.secret}
    if len({ask.whose for ask in secret.values()}) > 1:
        yield (*path, "asks"), Phrase("gamefile.secret.one")
    if move.when not in TIMES:
        yield (*path, "when"), Phrase("gamefile.secret.when", times=", ".join(TIMES))
    others = [ask for ask in move.asked if ask.character]
    if move.secret == "both" and (len(others) != 1 or not others[0].needed):
        yield (*path, "asks"), Phrase("gamefile.secret.both")
    early: list[tuple[Path, object]] = [
        ((*path, "only"), move.only),
        ((*path, "price"), move.price),
    ]
    early += [((*path, "asks", i), ask) for i, ask in enumerate(move.asks)]
    for here, row in early:
        for name in sorted(
            {name for one in expressions_in(row) for name in _read(one)} & secret.keys()
        ):
            yield here, Phrase("gamefile.secret.early", name=name)
    for i, do in enumerate(move.do):
        here = (*path, "do", i)
        if do.verb not in VERBS:
            yield here, Phrase("gamefile.secret.verb", verb=do.verb, verbs=", ".join(VERBS))
        row = game.points.get(do.gain)
        if row is not None and row.overflow == "refused":
            yield here, Phrase("gamefile.secret.refused", name=do.gain)
        yield from _read_by(here, move, do)
        for function, about in sorted(_counts(do)):
            ask = secret.get(about[0])
            if (
                function == "chose"
                and ask is not None
                and ask.choices
                and about[1] not in ask.choices
            ):
                known = ", ".join(ask.choices)
                yield here, Phrase("gamefile.silent.typed.choice", got=about[1], known=known)


def _read_by(path: Path, move: MoveRow, do: DoRow) -> Found:
    """An answer that is nobody's, or compared with a text that it never is."""
    secret = {ask.name: ask for ask in move.asks if ask.secret}
    for one in expressions_in(do):
        own = one.names & secret.keys()
        if own and move.secret == "all" and do.of != "each":
            yield path, Phrase("gamefile.secret.each", name=min(own))
        for name, text in sorted(one.texts):
            question, _, last = name.rpartition(".")
            ask = secret.get(last) if question else None
            if ask is not None and ask.choices and text not in ask.choices:
                known = ", ".join(ask.choices)
                yield path, Phrase("gamefile.silent.typed.choice", got=text[:40], known=known)
    for key in ("of", "text", "improve"):
        if getattr(do, key) in secret and move.secret == "all" and do.of != "each":
            yield (*path, key), Phrase("gamefile.secret.each", name=getattr(do, key))


def _read(one: Expression) -> set[str]:
    """All names that an expression reads, of others and as counts too."""
    return {*one.names, *(read.name for read in one.others), *_first(one)}


def _first(one: Expression) -> Iterator[str]:
    return (about[0] for function, about in one.counts if function == "chose")


def _counts(row: DoRow) -> set[tuple[str, tuple[str, ...]]]:
    return {count for one in expressions_in(row) for count in one.counts}
