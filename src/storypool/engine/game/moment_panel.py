"""The panel of a moment, and the cues with which a page marks one.

A cue is a light, a motion and a sound of its own, and the page draws cues and knows no game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from storypool.engine.game.panels import Names, Panel, Tone

__all__ = ["SCENE_OVER", "MomentPanel"]

Cue = Literal[
    "",
    "card",
    "clash",
    "crack",
    "curtain",
    "dusk",
    "knot",
    "seal",
    "stamp",
    "stand",
    "star",
    "sun",
    "tide",
    "tremor",
    "turn",
    "whirl",
]
Weight = Literal[1, 2, 3]


@dataclass(frozen=True, kw_only=True)
class MomentPanel(Panel):
    """A cue of about a second on every screen: light, motion, and sound and vibration if on.

    Its title is its name in a word or two, which screen readers speak. It binds its causes: a face
    of a die, a change of points, or a trait that becomes true or ends. The card of a trait falls
    face up with its line in the log, and stays for each reader until that reader puts it away. The
    `moments` of a record list its causes by their `name`, so each needs one. Dice that cause one
    land last.
    """

    tone: Annotated[
        Tone,
        "`good` or `bad`: how it looks and sounds; where a trait about a character brings it, to"
        " that character's side, and the opposite to the other; the end of what one side has won,"
        " to that side; where a point turns over, to the players, and the opposite to the GM",
    ]
    symbols: Annotated[Names, "symbols of dice: when one is rolled"] = ()
    die: Annotated[str, "a die whose number brings it"] = ""
    faces: Annotated[tuple[int, ...], "the numbers of that die"] = ()
    gained: Annotated[Names, "accounts: when a balance rises"] = ()
    filled: Annotated[
        Names, "accounts: when a balance reaches its cap, or points run over from it"
    ] = ()
    turned: Annotated[
        Names, "accounts: when a spent point turns over to it, for the reason `points.turned`"
    ] = ()
    traits: Annotated[Names, "kinds of traits: when one comes to be true"] = ()
    ended: Annotated[Names, "kinds of traits: when one ends, as a conflict does"] = ()
    kept: Annotated[
        Names, "kinds of traits that the recap of a session counts in place of the symbols"
    ] = ()
    won: Annotated[
        Names, "kinds of traits: when one ends that a side has won, which it is `about` by then"
    ] = ()
    reached: Annotated[Names, "kinds of traits: when the rating of one reaches its goal"] = ()
    terms: Annotated[
        Names, "`KIND TERM`: when such a trait gets this term, as a statement that is struck"
    ] = ()
    began: Annotated[
        Names, "kinds of traits: when the first one comes to be true, as an order of turns does"
    ] = ()
    periods: Annotated[Names, "kinds of periods: when one ends, as a scene does"] = ()
    cue: Annotated[
        Cue,
        "its light, motion and sound: `sun` or `star` for the best that dice bring, `whirl` or"
        " `tremor` for the worst, `stamp` and `crack` for a number, `knot` for a snag, `turn` for a"
        " point, `tide` for a full pool, `card` for a fall, `stand` for one averted, `clash` for"
        " a fight that begins, `dusk` for one that is over, `seal` for a goal, `curtain` for a"
        " scene; without one, that of its cause",
    ] = ""
    weight: Annotated[Weight, "1 to 3: how long, how large and how loud it is"] = 2

    def __post_init__(self) -> None:
        """Give a moment without a cue that of its cause."""
        if not self.cue:
            object.__setattr__(self, "cue", self._usual_cue())

    def _usual_cue(self) -> Cue:
        is_good = self.tone == "good"
        by_cause: tuple[tuple[Names | tuple[int, ...], Cue, Cue], ...] = (
            (self.turned, "turn", "turn"),
            (self.filled, "tide", "tide"),
            (self.faces, "stamp", "crack"),
            (self.symbols + self.gained, "sun", "whirl"),
            (self.began, "clash", "clash"),
            (self.periods, "curtain", "curtain"),
            (self.ended + self.won, "dusk", "dusk"),
            (self.terms, "seal", "knot"),
        )
        for cause, good, bad in by_cause:
            if cause:
                return good if is_good else bad
        return "seal" if is_good else "card"


SCENE_OVER = MomentPanel(
    "The scene is over", tone="good", periods=("scene",), name="scene-over", weight=1
)
"""The end of a scene, in every game."""
