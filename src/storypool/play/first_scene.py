"""A game's first scene: what the GM reads aloud, and the moves that set it up, ready to be
played.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from storypool.play.text import Acting, read


@dataclass(frozen=True, slots=True)
class Staged:
    """A move of the first scene. What is read aloud is a `table.say`, too."""

    move: str
    args: Mapping[str, str]


@cache
def first_scene(text: str, system: str) -> tuple[Staged, ...]:
    """Return the steps of a `first_scene.play` in their order; `PlayError` names the first line
    that is none.

    Comment lines are read aloud: each block of them is one paragraph. All other lines are moves of
    the GM, written as in a play.

    >>> steps = first_scene("# A hangar at night.\\n# It rains.\\ngm trait.set text=Rain", "starwars")
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
            # The lines before it are left empty, so that an error names the right one.
            padded = "\n" * (number - 1) + move
            play = read(padded, f"{system}/first_scene.play", headed=False)
            steps += [
                Staged(one.move, one.args) for one in play.statements if isinstance(one, Acting)
            ]
    end_paragraph()
    return tuple(steps)
