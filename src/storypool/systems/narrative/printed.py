"""The printed reference: the family's rules, purchases by price, the game's own, rulings."""

from collections.abc import Callable, Iterator

from storypool.engine import rules as r
from storypool.systems.narrative import spends
from storypool.systems.narrative.open_check import HELPING, HINDERING
from storypool.systems.narrative.sheet import NARRATIVE

SHARED = r.rows(NARRATIVE, "paper")


def pages(game: str) -> Callable[[r.System], tuple[r.Note, ...]]:
    """The maker of a game's notes: a check, its points, purchases, the rulings."""

    def notes(system: r.System) -> tuple[r.Note, ...]:
        shared = {key: note for key, note in SHARED.items() if key != "spends"}
        return (
            *r.notes_of(system.words, shared),
            *r.notes_of(system.words, r.rows(game, "paper")),
            *_spends(system),
            *(
                note
                for of in (NARRATIVE, game)
                for note in r.notes_of(system.words, r.rows(of, "notes"), False)
            ),
        )

    return notes


def _spends(system: r.System) -> Iterator[r.Note]:
    """The purchases of each side, a row for each price, the lowest first."""
    words = system.words
    head = tuple(cell.strip() for cell in words["paper.spends.head"].split("|"))
    for side, title, text in (
        ("helping", words["paper.spends.help"], words["paper.spends.text"]),
        ("hindering", words["paper.spends.hinder"], words["paper.spends.other"]),
    ):
        bought: dict[str, list[str]] = {}
        ours = [row for row in spends.TABLE.values() if row.side == side]
        for row in sorted(ours, key=_price):
            price = ", ".join(f"{n} {system.word(symbol, n)}" for symbol, n in row.costs[0].items())
            bought.setdefault(price, []).append(_effect(system, row))
        yield r.Note(
            title, text, head, tuple((price, " · ".join(found)) for price, found in bought.items())
        )


def _price(row: spends.Row) -> tuple[bool, int]:
    """The sort key of a row: the lesser symbol first."""
    [(symbol, n)] = row.costs[0].items()
    return symbol in (HELPING[1], HINDERING[1]), n


def _effect(system: r.System, row: spends.Row) -> str:
    text = system.words[f"buys.{row.key}"]
    if row.scene in ("combat", "social"):
        return f"{text} ({system.words[f'paper.spends.{row.scene}']})"
    return text
