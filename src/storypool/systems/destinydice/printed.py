"""The printed page: the faces of the six dice and the quick reference, from the game's data."""

from collections.abc import Iterator, Mapping

from storypool.engine import rules as r
from storypool.systems.destinydice import actions, outcomes, spends
from storypool.systems.destinydice.dice import DICE
from storypool.systems.destinydice.look import LOOK
from storypool.systems.destinydice.sheet import HERE, rungs

SEVERITIES = r.rows(HERE, "harm")


def row_words() -> dict[str, str]:
    """The names and texts of the tables' rows, as sentences of the catalogue."""
    ways = (way for row in outcomes.ROWS.values() for ways in row.values() for way in ways)
    return {
        **{f"rung.{rung.key}": rung.name for rung in rungs().values()},
        **{f"row.{key}": row["name"] for key, row in outcomes.PRINTED.items()},
        **{f"ends.{way.id}": way.text for way in ways},
        **{f"buys.{row.key}": row.text for row in spends.ROWS.values()},
        **{f"severity.{key}": row["name"] for key, row in SEVERITIES.items()},
        **{f"severity.{key}.over": row["over"] for key, row in SEVERITIES.items()},
    }


def notes(system: r.System) -> tuple[r.Note, ...]:
    """The pages of the reference apart from the moves: the printed one first, credits last."""
    words = system.words

    def page(
        key: str, columns: str, lines: Iterator[tuple[str, ...]], printed: bool = True
    ) -> r.Note:
        head = tuple(words[f"printed.column.{column}"] for column in columns.split())
        return r.Note(
            words[f"printed.{key}"],
            words.get(f"printed.{key}_about", ""),
            head,
            tuple(lines),
            printed,
        )

    rulings = (f"- {words[key]}" for key in words if key.startswith("ruling."))
    action, fate, conflict = r.notes_of(words, r.rows(HERE, "paper"))
    shown = {symbol for die in DICE for face in die.faces for symbol in face}
    symbols = (
        (LOOK[one].letter, system.word(one), words[f"symbol.{one}"]) for one in LOOK if one in shown
    )
    harm = (
        (words[f"severity.{key}"], str(row["shifts"]), words[f"severity.{key}.over"])
        for key, row in SEVERITIES.items()
    )
    return (
        action,
        page("dice", "die letter colour meaning", _dice(system), printed=False),
        _faces(system),
        page("symbols", "sign symbol meaning", symbols),
        page("ladder", "rating pool difficulty", _ladder(system)),
        page("actions", f"action {' '.join(outcomes.GRADES)}", _actions(system)),
        page("spends", "symbols who effect", _spends(system)),
        fate,
        conflict,
        page("harm", "consequence shifts over", harm),
        r.Note(words["printed.rulings"], "\n".join(rulings), printed=False),
        r.Note(words["printed.credits"], words["credits"]),
    )


def signs(face: Mapping[str, int], between: str = " ") -> str:
    """A face as it is drawn on the die: one sign for each symbol.

    >>> signs({"success": 1, "advantage": 1}), signs({"disadvantage": 2}), signs({})
    ('+ ○', '⊗ ⊗', '')
    """
    return between.join(LOOK[symbol].letter for symbol, n in face.items() for _ in range(n))


def _dice(system: r.System) -> Iterator[tuple[str, ...]]:
    for die in DICE:
        look = system.look[die.name]
        yield (
            look.word,
            look.letter,
            system.words[f"colour.{look.colour}"],
            system.words[f"die.{die.name}"],
        )


def _faces(system: r.System) -> r.Note:
    words = system.words
    head = (f"{word} ({colour})" for word, _, colour, _ in _dice(system))
    lines = []
    for n in range(1, 7):
        shown = (signs(die.face(n)) or words["story.blank"] for die in DICE)
        lines.append((str(n), *shown))
    return r.Note(
        words["printed.faces"],
        words["printed.faces_about"],
        ("#", *head),
        tuple(lines),
        printed=False,
    )


def _actions(system: r.System) -> Iterator[tuple[str, ...]]:
    for key, row in outcomes.ROWS.items():
        ends = (actions.ends_in_words(system.words, ways) for ways in row.values())
        yield system.words[f"row.{key}"], *ends


def _ladder(system: r.System) -> Iterator[tuple[str, ...]]:
    for rung in reversed(list(rungs().values())):
        pool = ", ".join(f"{n} {system.word(die)}" for die, n in rung.pool.items())
        yield rung.title(system.words), pool, str(rung.difficulty) if rung.rating >= 0 else ""


def _spends(system: r.System) -> Iterator[tuple[str, ...]]:
    for row in spends.ROWS.values():
        whose = "theirs"
        if set(row.costs[0]) <= set(spends.SHARES.helping):
            whose = "ours"
        price = " / ".join(signs(cost, "") for cost in row.costs)
        yield price, system.words[f"printed.{whose}"], system.words[f"buys.{row.key}"]
