"""An evening of C2D10: a first scene, few taps to a result, conflicts that proceed alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from storypool.engine.events import Record
from storypool.engine.offers import Offer, offer
from storypool.engine.story import sentences
from storypool.engine.table import Table
from storypool.engine.waiting import waiting
from storypool.play import perform, read
from storypool.play.first_scene import first_scene
from storypool.systems import first_scene as scene_of
from storypool.systems import get

SYSTEM = get("c2d10")
PEOPLE = """
table c2d10
seat gm   side=gm
seat Ann  mira: name=Mira systems=3 logic=3 melee=1
seat Bo   odo: name=Odo brawl=2 strength=2
seat gm   thug: name=Thug dice=3
"""


CHIPS = 8
"""The most choices that the page's dock draws as chips."""


def story(records: tuple[Record, ...] | list[Record]) -> list[str]:
    """The log in sentences."""
    return [text for text in sentences(list(records), SYSTEM) if text]


def test_first_scene_can_be_played() -> None:
    """Its steps are open moves of the Keeper, whose notes suggest three things to try."""
    text = scene_of("c2d10")
    assert text is not None
    steps = first_scene(text, "c2d10")
    lines = []
    for one in steps:
        args = (f'{name}="{_plain(written)}"' for name, written in one.args.items())
        lines.append(f"gm {one.move} {' '.join(args)}")
    table = perform(read(PEOPLE + "\n".join(lines))).table
    assert len(table.of_kind("conflict")) == 1
    assert [one.goal for one in table.of_kind("progress")] == [15]
    assert sum(one.side == "gm" for one in table.characters.values()) == 3
    assert 3 == sum(one.hidden for one in table.of_kind("try"))


def _plain(text: str) -> str:
    return text.replace('"', "'")


def taps(found: Offer, given: Mapping[str, object], answered: Mapping[str, object]) -> int:
    """The taps of a move on the page: one if nothing is needed; a chip; a form and its choices."""
    needed = [ask for ask in found.asks if ask.needed and ask.name not in given]
    chosen = [
        ask for ask in found.asks if ask.name in answered and answered[ask.name] != ask.default
    ]
    if not chosen and not needed:
        return 1
    ask = needed[0] if len(needed) == 1 else None
    if ask is not None and [one.name for one in chosen] == [ask.name]:
        if ask.kind == "choice":
            options = len(ask.choices)
        else:
            options = ask.high - ask.low + 1
        if options <= CHIPS:
            return 1
    return 2 + len(chosen)


class Evening:
    """A table that counts the taps of each seat's moves."""

    def __init__(self, *lines: str) -> None:
        self.lines = [PEOPLE, *lines]
        self.taps = 0

    @property
    def table(self) -> Table:
        """The current table."""
        return perform(read("\n".join(self.lines))).table

    def press(self, seat: str, key: str, faces: str = "", **answered: object) -> None:
        """Make a move with these answers and its presets, and count its taps."""
        wait = next(
            (
                one
                for one in waiting(SYSTEM, self.table, seat.lower())
                if one.yours and key in one.moves
            ),
            None,
        )
        given = dict(wait.args) if wait else {}
        found = offer(SYSTEM, self.table, seat.lower(), key, given)
        assert found.closed is None
        self.taps += taps(found, given, answered)
        written = " ".join(f"{name}={value}" for name, value in {**given, **answered}.items())
        self.lines.append(f"{seat} {key} {written} {f'dice {faces}' if faces else ''}")


def test_check_takes_five_taps_and_the_dc() -> None:
    """From "I try" to the closed result: form, skill other than the best, send; roll; done."""
    evening = Evening()
    evening.press("Ann", "check.declare", skill="melee")
    before = evening.taps
    evening.press("gm", "check.dc", dc=2)
    dc = evening.taps - before
    evening.press("Ann", "check.roll", "1 7")
    evening.press("Ann", "check.close")
    assert not evening.table.checks
    assert evening.taps - dc == 5
    # With a DC set for the scene, nobody needs to set it.
    scene = Evening("gm check.standing dc=2 until=scene")
    scene.press("Ann", "check.declare", skill="melee")
    scene.press("Ann", "check.roll", "1 7")
    scene.press("Ann", "check.close")
    assert scene.taps == 5


def _round(evening: Evening) -> Iterator[str]:
    """The character of each turn, as the Keeper reads it."""
    yield from (one.text for one in waiting(SYSTEM, evening.table, "gm") if one.id == "turn")


def test_round_of_three_takes_fifteen_taps() -> None:
    """Three contests, one against a hero: turns follow each other without a tap."""
    fight = 'gm conflict.open title="On the roof" type=opposed dc=2 target=40'
    rolls = ("Ann initiative.roll dice 9", "Bo initiative.roll dice 5", "gm initiative.roll dice 1")
    evening = Evening(fight, *rolls)
    assert list(_round(evening)) == ["Waiting for Ann: it is Mira's turn."]
    evening.press("Ann", "contest.declare", against="thug")
    evening.press("Ann", "check.roll", "7 7 1 1 1 1 1 1 1")
    evening.press("Ann", "check.close")
    evening.press("Bo", "contest.declare", against="thug")
    evening.press("Bo", "check.roll", "7 7 1 1 1 1 1")
    evening.press("Bo", "check.close")
    evening.press("gm", "contest.declare", against="odo")
    evening.press("Bo", "contest.answer")
    evening.press("gm", "check.roll", "7 0 1 1 1 1 1")
    evening.press("gm", "check.close")
    assert list(_round(evening)) == ["Waiting for Ann: it is Mira's turn."]
    assert evening.taps <= 15


def test_conflict_ends_in_one_line() -> None:
    """It has the reason, the score and the stakes; slots and circumstances go silently."""
    lines = (
        'gm conflict.open title="On the roof" type=opposed dc=1 target=3 stake="The files"',
        "gm circumstance.set text=Rain way=harder",
        "Ann initiative.roll dice 9",
        "gm initiative.next",
        "Ann check.declare as=mira skill=systems",
        "Ann check.roll dice 7 7 7 1 1 1",
        "Ann check.close",
    )
    performance = perform(read("\n".join((PEOPLE, *lines))))
    over = [
        text for text in story(performance.records) if "No longer so" in text or "is over" in text
    ]
    assert over == [
        (
            "“On the roof” is over: the heroes reached the target and won; the heroes 3 of 3; the"
            " opposition 0 of 3; at stake for the heroes: The files."
        ),
        "Round 1 is over.",
    ]
