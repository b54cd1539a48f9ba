"""The moves that a game gets automatically for its kinds of statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.gamefile.file_format.expression_parser import parse
from storypool.gamefile.file_format.expressions import constant
from storypool.gamefile.file_format.schema import AskRow, DoRow, GameFile, MoveRow, TraitRow
from storypool.gamefile.looks import shared_words

__all__ = ["standard_rows"]


def standard_rows(game: GameFile) -> GameFile:
    """A game with the moves for its kinds of statements, except those that it defines."""
    own = {row.key for row in game.move}
    agrees = "gm"
    if not game.gm:
        agrees = "others"
        # What a GM adds elsewhere, anybody does, and another player agrees in the GM's place.
        traits = dict(game.trait)
        for kind, row in traits.items():
            if row.by == "gm":
                traits[kind] = replace(row, by="anybody")
        game = replace(game, trait=traits)
    more = (
        row
        for kind, trait in game.trait.items()
        for row in _moves(kind, trait, agrees)
        if row.key not in own
    )
    return replace(game, move=(*game.move, *more))


def _moves(kind: str, trait: TraitRow, agrees: str) -> Iterator[MoveRow]:
    """The moves that make, fill and end a kind of statement; `agrees` is who agrees to players."""
    if trait.by == "rules":
        return
    who = "gm" if trait.by == "gm" else "anybody"
    consent = agrees if trait.by == "player" else ""
    say, word = shared_words().say, trait.lower_word
    about: list[AskRow] = []
    if trait.of == "character":
        about = [AskRow(name="whom", label=say("filed.whom"), character="any")]
    size: list[AskRow] = []
    if len(trait.goal) > 1:
        choices = {str(n): str(n) for n in trait.goal}
        size = [AskRow(name="size", label=say("filed.size"), choices=choices)]
    kinds: list[AskRow] = []
    if trait.kinds:
        kinds = [AskRow(name="kind", label=say("filed.kind"), choices=trait.kinds)]
    fixed = [one for one in trait.rank if one.fixed is not None]
    ranks: list[AskRow] = []
    if trait.rank and len(fixed) == len(trait.rank):
        ranks = [AskRow(name="rank", label=say("filed.which_rank"), number=trait.rank)]
    which = AskRow(name="which", label=say("filed.which"), trait=(kind,))

    def row(verb: str, asks: list[AskRow], do: DoRow) -> MoveRow:
        return MoveRow(
            key=f"{kind}_{verb}",
            title=say(f"filed.{verb}", word=word),
            rule=trait.word,
            who=who,  # type: ignore[arg-type]
            when="any time",
            asks=tuple(asks),
            consent=consent,
            do=(do,),
            place="scene" if who == "gm" else "actions",
        )

    text = AskRow(name="text", label=say("filed.text"), text=True)
    of = "whom" if about else ""
    goal = parse("size") if size else None
    new = DoRow(make=kind, text="text", of=of, goal=goal, kind="kind" if kinds else "")
    if ranks:
        new = replace(new, n=parse("rank"))
    yield row("new", [*about, text, *kinds, *ranks, *size], new)
    if trait.rank:
        by = AskRow(name="n", label=say("filed.ranks"), number=(constant(-5), constant(5)))
        by = replace(by, default=constant(1))
        yield row("rank", [which, by], DoRow(rank="which", n=parse("n")))
    if trait.goal:
        bounds = (constant(-3), constant(6))
        n = AskRow(name="n", label=say("filed.segments"), number=bounds, default=constant(1))
        yield row("fill", [which, n], DoRow(fill="which", n=parse("n")))
    if trait.hidden:
        yield row("reveal", [which], DoRow(reveal="which"))
    yield row("end", [which], DoRow(end="which"))
