"""A game's first scene: the text the GM reads aloud, and the moves that set it up."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from storypool.play.text import Acting, read


@dataclass(frozen=True, slots=True)
class Staged:
    """A move of the first scene; text to read aloud is a `table.say`."""

    move: str
    args: Mapping[str, str]


@cache
def first_scene(text: str, system: str) -> tuple[Staged, ...]:
    """The steps of a `first_scene.play` in order; `PlayError` names the first invalid line.

    Comment lines are read aloud: each block of them is one paragraph. All other lines are moves of
    the GM, written as in a play.

    >>> text = "# A hangar at night.\\n# It rains.\\ngm trait.set text=Rain"
    >>> steps = first_scene(text, "starwars")
    >>> [(one.move, dict(one.args)) for one in steps]
    [('table.say', {'text': 'A hangar at night. It rains.'}), ('trait.set', {'text': 'Rain'})]
    """
    steps: list[Staged] = []
    aloud: list[str] = []

    def end_paragraph() -> None:
        if aloud:
            steps.append(Staged("table.say", {"text": " ".join(aloud)}))
            aloud.clear()

    for number, line in enumerate(text.splitlines(), 1):
        move = line.strip()
        if move.startswith("#"):
            if words := move.lstrip("# ").strip():
                aloud.append(words)
            else:
                end_paragraph()
            continue
        end_paragraph()
        if move:
            # Prefix empty lines, so that an error has the right line number.
            padded = "\n" * (number - 1) + move
            play = read(padded, f"{system}/first_scene.play", headed=False)
            steps += [
                Staged(one.move, one.args) for one in play.statements if isinstance(one, Acting)
            ]
    end_paragraph()
    return tuple(steps)
