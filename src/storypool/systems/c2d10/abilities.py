"""Skills and talents: the questions about them, and the dots on a sheet.

Source: c2d10.md 2.1. Names differ between versions of the game: a sheet may hold skills that are
not in skills.toml.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from storypool.engine import rules as r

Whose = Callable[[r.Turn], r.Character | None]

READY_DICE = "dice"
"""The entry of a sheet for the dice of a character without skills."""


def skills_of(whose: Whose) -> Callable[[r.Turn], Iterator[r.Choice]]:
    """The choice of all skills with their dots, this character's own included, the best first."""

    def choices(turn: r.Turn) -> Iterator[r.Choice]:
        found, one = list(r.entries("skill", "with")(turn)), whose(turn)
        for key in one.sheet if one else ():
            if r.rating(one, key) is not None and key not in turn.system.by_entry:
                found.append(r.Choice(key, key))
        yield from _with_dots(turn, one, found)

    return choices


def _with_dots(
    turn: r.Turn, one: r.Character | None, choices: Iterable[r.Choice]
) -> Iterator[r.Choice]:
    """These choices, the most dots first; the dots are shown to seats that know the sheet."""
    one = one if _knows_sheet(turn, one) else None
    for choice in sorted(choices, key=lambda choice: -(r.rating(one, choice.value) or 0)):
        if dots := r.rating(one, choice.value):
            if choice.note:
                note = turn.words.say("ability.dots", n=dots, what=choice.note)
            else:
                note = str(dots)
            yield r.replace(choice, note=note)
        else:
            yield choice


def best_skill(whose: Whose) -> Callable[[r.Turn], str | None]:
    """The trained skill with the most dice; None if none is known, or for ready dice."""

    def usual(turn: r.Turn) -> str | None:
        one = whose(turn)
        if not _knows_sheet(turn, one) or r.rating(one, READY_DICE):
            return None

        def dice(key: str) -> int:
            entry = turn.system.by_entry.get(key)
            talent = entry.notes["with"] if entry else ""
            return (r.rating(one, key) or 0) + (r.rating(one, talent) or 0)

        trained = (one.value for one in skills_of(whose)(turn))
        return max((key for key in trained if r.rating(one, key)), key=dice, default=None)

    return usual


def ability(
    before: str,
    whose: Whose,
    labels: tuple[str, str, str],
    asked: Callable[[r.Turn], bool] = lambda turn: True,
    decides: Callable[[r.Turn], r.Decider] = lambda turn: "",
    preset: bool = True,
) -> tuple[r.Ask, ...]:
    """The questions for a skill, a talent, a focus, and dots that the sheet lacks.

    The skill defaults to the character's best if it is `preset`.
    """
    skill, talent = f"{before}skill", f"{before}talent"

    def usual(turn: r.Turn) -> str | None:
        entry = turn.system.by_entry.get(turn.text(skill))
        return entry.notes.get("with") if entry else None

    def dots(key: str, name: str, label: str, least: int) -> r.Ask:
        return r.missing_number(name, label, key, knows, writes, low=least, high=5, default=least)

    def knows(turn: r.Turn) -> r.Character | None:
        one = whose(turn)
        return one if _knows_sheet(turn, one) else None

    def writes(turn: r.Turn) -> bool:
        """Whether the dots go on the sheet: not in a hidden test, which they would reveal."""
        one = whose(turn)
        return asked(turn) and (one is None or one.hidden or not turn.flag("secret"))

    ask = partial(r.ChoiceAsk, needed=False, shown=asked, whose=decides)
    focus = r.FlagAsk(f"{before}focus", labels[2], default=False, needed=False, whose=decides)
    best = best_skill(whose) if preset else None
    return (
        ask(skill, labels[0], skills_of(whose), default=best),
        ask(
            talent,
            labels[1],
            lambda t: _with_dots(t, whose(t), r.entries("talent", "group")(t)),
            default=usual,
        ),
        dots(skill, f"{before}dots", "Dots in the skill", 0),
        dots(talent, f"{before}talent_dots", "Dots in the talent", 1),
        r.replace(focus, shown=asked) if before else focus,
    )


def _knows_sheet(turn: r.Turn, character: r.Character | None) -> bool:
    """Whether this seat knows this sheet: its player or the Keeper."""
    return character is not None and (turn.is_gm or character.seat == turn.seat.id)


def remember(turn: r.Turn, character: r.Character, before: str) -> Iterator[r.Event]:
    """Write dots that were asked for the first time on the sheet."""
    asked = {f"{before}dots": f"{before}skill", f"{before}talent_dots": f"{before}talent"}
    return r.remember(turn, character, asked)
