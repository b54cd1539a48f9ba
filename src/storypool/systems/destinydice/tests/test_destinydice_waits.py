"""Destiny Dice: whom a table waits for, what each seat reads, and how many taps an action takes."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.engine.waiting import Waiting, waiting
from storypool.play import perform, read

SYSTEM = systems.get("destinydice")
TABLE = """
table destinydice
seat gm   side=gm
seat ann  juna: quick=3 careful=0 refresh=3 name=Juna
seat bo   bram: quick=1 careful=2 refresh=3 name=Bram
seat gm   duke: quick=2 name=Duke
"""
ATTACK = TABLE + "gm check.declare as=duke action=attack against=bram title=Charge\n"
ROLLED = ATTACK + "bo check.defend by=quick\n"
TRY = TABLE + "ann check.declare as=juna title=Leap\n"


def read_by(scene: str, seat: str) -> list[Waiting]:
    """What this seat reads at the end of a scene."""
    return waiting(SYSTEM, perform(read(scene)).table, seat)


@pytest.mark.parametrize(
    ("scene", "whom", "id", "yours", "others", "moves"),
    [
        (
            TRY,
            "gm",
            "difficulty",
            "How hard is it for Juna?",
            "Waiting for the GM to set the difficulty.",
            ("check.oppose", "check.defend"),
        ),
        (
            TABLE + "ann check.declare as=juna action=attack against=duke",
            "gm",
            "opposition",
            "Juna against Duke: choose a defence for Duke.",
            "Waiting for the GM to choose a defence for Duke.",
            ("check.defend", "check.oppose"),
        ),
        (
            ATTACK,
            "bo",
            "attacked",
            "You're attacked by Duke: choose how you defend.",
            "An attack on Bram by Duke: waiting for bo to defend.",
            ("check.defend",),
        ),
        (
            TABLE + "ann check.declare as=juna against=bram",
            "bo",
            "defence",
            "You're up against Juna: choose how you resist.",
            "Waiting for bo to say how to resist Juna.",
            ("check.defend",),
        ),
        (
            TRY + "gm check.oppose difficulty=fair",
            "ann",
            "roll",
            "Roll the dice.",
            "Waiting for ann to roll.",
            ("check.roll",),
        ),
        (
            TRY + "gm check.oppose difficulty=fair\nann check.roll dice 1 1 1 4",
            "ann",
            "outcome.choice",
            "How does it end for Juna?",
            "Waiting for ann to say how it ends.",
            ("outcome.take",),
        ),
        (
            TRY + "gm check.oppose difficulty=fair\nann check.roll dice 4 1 1 4",
            "ann",
            "outcome.cost",
            "It works, at a cost. What is it?",
            "Waiting for ann to name the cost.",
            ("outcome.take",),
        ),
        (
            ROLLED + "gm check.roll dice 1 1 1 6 6",
            "bo",
            "outcome.boost",
            "A boost for Bram: take it.",
            "A boost for Bram: waiting for bo.",
            ("outcome.take",),
        ),
        (
            ROLLED + "gm check.roll dice 6 1 1 1 1",
            "bo",
            "hit",
            "A 2-shift hit on Bram: how do you take it?",
            "A 2-shift hit on Bram: waiting for bo.",
            ("harm.absorb", "harm.fall"),
        ),
        (
            TRY + "gm check.oppose difficulty=fair\nann check.roll dice 5 3 1 1",
            "ann",
            "spend",
            "You have 3 Advantages to spend.",
            "Waiting for ann to spend 3 Advantages.",
            ("spend.buy", "check.close"),
        ),
        (
            TRY + "gm check.oppose difficulty=good\nann check.roll dice 4 1 2 2 1",
            "gm",
            "spend",
            "You have 1 Disadvantage to spend.",
            "Waiting for the GM to spend 1 Disadvantage.",
            ("spend.buy", "spend.waive"),
        ),
        (
            TRY + "gm check.oppose difficulty=fair\nann check.roll dice 4 1 2 1",
            "ann",
            "close",
            "All done?",
            "Waiting for ann to finish.",
            ("check.close",),
        ),
        (
            TABLE + 'ann aspect.add about=juna text=Proud\ngm compel.offer who=juna aspect=Proud text="A duel"',
            "ann",
            "compel",
            "Compelled: A duel. Take a Fate point for it, or buy it off?",
            "Waiting for ann to answer a compel of Juna.",
            ("compel.accept",),
        ),
        (
            TABLE + "gm conflict.begin kind=physical",
            "ann",
            "turn",
            "It's your turn, Juna. What do you do?",
            "Juna's turn: waiting for ann.",
            ("check.declare", "conflict.concede"),
        ),
        (
            TABLE + "gm conflict.begin kind=physical\ngm conflict.next",
            "gm",
            "turn.gm",
            "Duke's turn: act, or go on to Bram.",
            "Duke's turn: waiting for the GM. Then Bram.",
            ("check.declare", "conflict.next"),
        ),
        (
            TABLE + "gm conflict.begin kind=physical\nann conflict.concede",
            "gm",
            "next",
            "Next: Duke.",
            "Waiting for the GM to go on to Duke.",
            ("conflict.next",),
        ),
        (
            TABLE + "gm conflict.begin kind=physical\ngm conflict.concede",
            "gm",
            "over",
            "One side is beaten. End the conflict.",
            "One side is beaten: waiting for the GM to end the conflict.",
            ("conflict.end",),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value and len(value) < 20 else "",
)
def test_whoever_is_asked_reads_it_first(
    scene: str, whom: str, id: str, yours: str, others: str, moves: tuple[str, ...]
) -> None:
    """Whoever is asked reads what to do, with the moves that do it; everybody else reads for whom they wait."""
    for seat in ("gm", "ann", "bo"):
        found = next(wait for wait in read_by(scene, seat) if wait.id == id)
        assert (seat == whom, (whom,)) == (found.yours, found.whom)
        assert (yours if seat == whom else others) == found.text
        if seat == whom:
            assert moves == found.moves
            assert read_by(scene, seat)[0].id == id


def test_what_nothing_takes_up_takes_somebody_down() -> None:
    """Where boxes and consequences are too few, the only answer left is to go down."""
    scene = TABLE + "gm mook.add name=Thug stress=1\nann check.declare action=attack as=juna against=thug\n"
    scene += "gm check.defend by=quick\nann check.roll dice 6 4 3 1"
    with_hit = scene + "\nann outcome.take how=hit"
    found = read_by(with_hit, "gm")[0]
    assert ("fall", ("harm.fall",)) == (found.id, found.moves)
    assert "4 shifts are more than Thug can take." == found.text


def test_an_unseen_attack_is_revealed_before_it_hits() -> None:
    """A hidden attack that hits a player's character waits for the GM to reveal it."""
    scene = TABLE + "gm check.declare as=duke action=attack against=juna difficulty=mediocre secret=yes\n"
    scene += "gm check.roll dice 4 4 4"
    assert ("reveal", ("check.reveal",)) == (read_by(scene, "gm")[0].id, read_by(scene, "gm")[0].moves)
    assert [] == read_by(scene, "ann")


def test_done_says_what_it_would_lose() -> None:
    """Closing stands below spending, and says which symbols would be lost."""
    from storypool.engine.offers import offer

    table = perform(read(TRY + "gm check.oppose difficulty=fair\nann check.roll dice 5 3 1 1")).table
    assert "3 Advantages will be lost." == offer(SYSTEM, table, "ann", "check.close", {}).caution


LINES = {
    # A form costs its opening and its submit button, and each choice that is made in it; anything else costs one.
    "a check": (
        TABLE,
        [
            (3, "ann check.declare as=juna approach=careful"),
            (1, "gm check.oppose difficulty=fair"),
            (1, "ann check.roll dice 6 4"),
            (1, "ann check.close"),
        ],
        6,
    ),
    "a check that fails": (
        TABLE,
        [
            (2, "ann check.declare as=juna"),
            (1, "gm check.oppose difficulty=fair"),
            (1, "ann check.roll dice 1 1 1 4"),
            (1, "ann outcome.take how=fail"),
        ],
        5,
    ),
    "an NPC's attack that hits": (
        TABLE,
        [
            (3, "gm check.declare as=duke action=attack"),
            (1, "ann check.defend by=quick"),
            (1, "gm check.roll dice 4 4 4 1 1 2"),
            (1, "ann harm.absorb how=2"),
        ],
        6,
    ),
    "an NPC's attack that misses": (
        TABLE,
        [
            (3, "gm check.declare as=duke action=attack"),
            (1, "ann check.defend by=quick"),
            (1, "gm check.roll dice 1 1 1 4 1 2"),
            (1, "gm check.close"),
        ],
        6,
    ),
}


@pytest.mark.parametrize(("table", "lines", "taps"), LINES.values(), ids=list(LINES))
def test_taps_from_a_try_to_its_end(table: str, lines: list[tuple[int, str]], taps: int) -> None:
    """From the try to its end all seats together tap six times at most, each on what it is asked for."""
    scene = table
    for n, (_, line) in enumerate(lines):
        seat, move, *_ = line.split()
        if n:
            first = next(wait for wait in read_by(scene, seat) if wait.yours)
            assert move in first.moves
        scene += f"{line}\n"
    assert taps == sum(n for n, _ in lines) <= 6
    assert not perform(read(scene)).table.checks
