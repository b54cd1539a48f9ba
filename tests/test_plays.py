"""Every play of every game, performed once for all checks of sentences, log and waits."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping

import pytest

from storypool import systems
from storypool.contract.random_game import Game
from storypool.contract.wait_promises import check_end, check_waits
from storypool.engine.decisions import decision_of
from storypool.engine.dice import Die
from storypool.engine.events import (
    CheckChanged,
    CheckOpened,
    DiceRolled,
    MoveMade,
    PointsSet,
    Proposed,
    Rewound,
    Said,
)
from storypool.engine.game.asks import ChoiceAsk
from storypool.engine.game.system import System
from storypool.engine.ledger import economy, paid_of_roll
from storypool.engine.offers import offer
from storypool.engine.sight import audience, view
from storypool.engine.table import Check, Table
from storypool.live.folded import ledger_of
from storypool.live.tables import Tables
from storypool.log.memory import MemoryStore
from storypool.log.snapshots import Snapshots
from storypool.log.store import Append
from storypool.play import Performance
from storypool.web.endpoints.game_endpoints import game_shown
from storypool.words.languages import Language
from storypool.worth.session import session_recap
from storypool.worth.session_leaflet import leaflet, picture
from storypool.worth.session_view import view_session
from tests.fixed_set import cases, each_fifth
from tests.languages import (
    not_in_catalogue,
    of_log,
    of_offers,
    of_refusal,
    typed_codes,
    typed_dice,
    without_words,
    words_in,
)
from tests.performed_plays import PLAYS, Played, played, plays_of
from tests.sentence_faults import wrong_with

PLAYED = [key for key in systems.names() if systems.plays(key)]


every_game = pytest.mark.parametrize("key", PLAYED)


# The text of plays.


def test_every_game_has_plays() -> None:
    """Each game's plays are found, so no run is green because of an empty folder."""
    assert list(systems.names()) == PLAYED


@pytest.mark.parametrize(
    "place",
    cases(PLAYS, PLAYS[::10], pytest.mark.slow),
    ids=lambda one: "/".join(one).removesuffix(".play"),
)
def test_play(place: tuple[str, str]) -> None:
    """It runs as written, its log folds and can be stored, and all observers hold."""
    play = played(*place)
    assert len(play.play.statements) > 2
    for holds in OBSERVERS:
        holds(play)


@pytest.mark.slow
def test_plays_state_their_checks() -> None:
    """A comment has the checked fact, and for listed sources its place in one."""
    comments = {
        (key, name): [line for line in systems.plays(key)[name].splitlines() if "#" in line]
        for key, name in PLAYS
    }
    assert [] == [place for place, lines in comments.items() if not lines]
    listed = {
        key
        for key in systems.names()
        if systems.folder(key).joinpath("plays", "seeds.toml").is_file()
    }
    sourced = {place: lines for place, lines in comments.items() if place[0] in listed}
    assert [] == [
        place for place, lines in sourced.items() if not any("seed" in line for line in lines)
    ]


@pytest.mark.slow
@every_game
def test_reference_has_all_choices_of_plays(key: str) -> None:
    """Each chosen answer is something at the table, or is listed by id."""
    page, missing = (
        systems.folder(key).joinpath("reference.md").read_text(encoding="utf-8"),
        set[str](),
    )
    asks = {
        (move.key, ask.name)
        for move in systems.get(key).moves
        for ask in move.asks
        if isinstance(ask, ChoiceAsk) and not ask.free
    }
    for play in plays_of(key):
        events = [record.event for record in play.records]
        own = " ".join(repr(event) for event in events if not isinstance(event, MoveMade))
        for made in (event for event in events if isinstance(event, MoveMade)):
            for ask, value in made.args.items():
                if (made.move, ask) in asks and isinstance(value, str) and f"`{value}`" not in page:
                    here = re.split("[.:/+ ]", value)[0]
                    if not here.isdecimal() and f"'{value}'" not in own and f"'{here}'" not in own:
                        missing.add(f"{made.move} {ask}={value}")
    assert set() == missing


# Snapshots.


def tables_come_back_the_same(one: Played) -> None:
    """Every table of every play survives a snapshot, with the same order."""
    kept = Snapshots("an epoch")
    for step in one.log:
        kept.keep("t", step.record, step.after)
        back = kept.after("t", step.record)
        assert back == step.after
        assert back is not None
        assert ordered(back) == ordered(step.after)


def ordered(table: Table) -> list[list[object]]:
    """The order of things at a table: equal tables may differ in it, and a page shows it."""
    values = [getattr(table, name) for name in Table.__dataclass_fields__]
    return [list(value) for value in values if isinstance(value, Mapping)]


def session_is_counted_from_its_beginning(one: Played) -> None:
    """A session's ledger for every seat matches the whole log."""
    store = MemoryStore()
    store.append(Append("t", 0, one.records))
    steps = asyncio.run(Tables(store).session("t"))
    for seat in one.log[-1].after.seats.values():
        whole = economy(view(one.records, seat), one.system, seat.side)
        assert whole == ledger_of(one.system, steps, seat).economy(seat.side)


# The log.


def sentences_are_whole(one: Played) -> None:
    """Every line is a sentence with a full stop, and without ids, doubles or disagreement."""
    assert [] == [wrong for line in filter(None, one.sentences) for wrong in wrong_with(line, one)]


SHORT = re.compile(r"Difficulty: \w+\.|It fails\.|\S+ conceded\.|\S+: Failure\.")
"""The lines of two words: an event, or a new state."""


def no_line_is_a_bare_name(one: Played) -> None:
    """A line reports an event: not only typed text or one word, except for speech."""
    bare, typed = [], set[str]()
    for step, line in zip(one.log, one.sentences, strict=True):
        event = step.record.event
        if isinstance(event, MoveMade):
            typed = {str(value).rstrip(".") for value in event.args.values()}
        short = len(line.split()) < 3 and not SHORT.fullmatch(line)
        if line and not isinstance(event, Said) and (short or line.rstrip(".") in typed):
            bare.append((step.record.seq, line))
    assert [] == bare


def no_outcome_changes_silently(one: Played) -> None:
    """Each record with a new outcome of an action reports it.

    The next record may report additions.
    """
    silent = []
    for step, line, following in zip(one.log, one.sentences, (*one.sentences[1:], ""), strict=True):
        event = step.record.event
        if isinstance(event, CheckChanged | CheckOpened) and event.check.outcome is not None:
            old = step.before.checks.get(event.check.id)
            new = (
                old is None or old.outcome is None or old.outcome.words != event.check.outcome.words
            )
            before = old.outcome.words if old and old.outcome else ""
            added = (
                event.check.outcome.words.removeprefix(before).strip().rstrip(".") if before else ""
            )
            if (
                new
                and event.check.outcome.words not in line
                and (not added or added not in f"{line} {following}")
            ):
                silent.append((step.record.seq, event.check.outcome.words, line))
    assert [] == silent


def every_move_has_a_line(one: Played) -> None:
    """Each move leaves at least one line in the log."""
    moves: list[tuple[str, bool]] = []
    for record, line in zip(one.records, one.sentences, strict=True):
        if isinstance(record.event, MoveMade):
            moves.append((record.event.move, bool(line)))
        elif moves and line:
            moves[-1] = (moves[-1][0], True)
    assert [] == [move for move, shown in moves if not shown]


def every_change_of_points_has_a_line(one: Played) -> None:
    """Each public change of points has a line with its number, even for a roll's payment.

    The price of a proposal has its line after consent.
    """
    silent, proposed = [], False
    for step, line in zip(one.log, one.sentences, strict=True):
        event, changes = step.record.event, list[int]()
        if isinstance(event, MoveMade | Proposed):
            proposed = isinstance(event, Proposed)
        if isinstance(event, PointsSet):
            changes = [abs(event.delta)]
        elif isinstance(event, CheckChanged) and not proposed:
            changes = [*paid_of_roll(step.before.checks.get(event.check.id), event.check).values()]
        counted = {int(n) for n in re.findall(r"\d+", line)}
        if event and audience(event) is None and any(n and n not in counted for n in changes):
            silent.append((step.record.seq, changes, line))
    assert [] == silent


def each_side_has_a_recap(one: Played) -> None:
    """Each side always has a recap, and each roll its place among others."""
    for seat in {seat.side: seat for seat in one.log[-1].after.seats.values()}.values():
        found = session_recap(view(one.records, seat), one.system)
        assert all(0 <= roll.place <= 1 for roll in found.rolls)
        recap = view_session(found, one.system, one.name)
        assert not re.search(r"[{}]", leaflet(recap, one.system).text())
        assert picture(recap, one.system)


@pytest.mark.slow
@every_game
def test_attack_is_one_sentence(key: str) -> None:
    """It names both sides in words that fit one and many."""
    attacks = 0
    for play in plays_of(key):
        for step, line in zip(play.log, play.sentences, strict=True):
            event = step.record.event
            if isinstance(event, CheckOpened) and attacked(play.system, check := event.check):
                actor, target = (
                    step.before.characters[id].name for id in (check.actor, check.against)
                )
                assert re.match(rf"{actor} (attacked|used .* to attack) {target}\b", line), line
                attacks += 1
    assert attacks or key not in ("starwars", "destinydice", "dune")


def attacked(system: System, check: Check) -> bool:
    """Whether an action attacks another character, by the games' declarations."""
    declared = {
        check.terms.get("kind"),
        check.terms.get("action"),
        f"skill.{check.terms.get('skill')}",
    }
    fights = {
        id.removeprefix("story.declared.")
        for id, text in system.words.items()
        if id.startswith("story.declared.skill.") and " attacked " in text
    }
    return bool(check.against) and bool(declared & {"attack", *fights})


@pytest.mark.slow
@each_fifth
@every_game
def test_texts_of_plays_use_the_catalogue(key: str, step: int, language: Language) -> None:
    """Everything shown, offered, asked or refused is from the catalogue, or was typed."""
    for name in list(systems.plays(key))[::step]:
        says_only_what_is_in_the_catalogue(played(key, name), language)


def says_only_what_is_in_the_catalogue(one: Played, language: Language) -> None:
    """Check it for one play, performed again in an invented language."""
    system, typed = (
        systems.get(one.key, language),
        frozenset(words_in([one.text, one.name.removesuffix(".play")])),
    )
    performance, known = (
        Performance(without_words(one), language=language),
        typed | typed_dice(system),
    )
    terms = {*game_shown(system).terms, *(entry.key for entry in system.sheet), "none"}
    for step in performance.steps():
        where = f"{one.name}:{step.line}"
        assert step.problem is None, f"{where}: {step.problem}"
        # At each third line a seat looks at its buttons, each in its turn.
        seats = list(performance.table.seats) or [""]
        if step.line % 3 == 0:
            shown = of_offers(system, performance.table, seats[step.line // 3 % len(seats)])
            assert {} == not_in_catalogue(shown, known), where
        if step.refusal is not None:
            more = typed_codes(system) if step.refusal.code == "argument" else set()
            assert {} == not_in_catalogue(of_refusal(step.refusal), known | more), where
        for name, value in words_of_terms(performance.table):
            ours = value in terms or value in performance.table.characters
            assert ours or words_in([value]) <= typed, (where, name, value)
    assert {} == not_in_catalogue(of_log(system, performance.records), known), one.name
    for side in ("gm", "player"):
        assert {} == not_in_catalogue(economy(performance.records, system, side).notes, known), (
            one.name
        )


def words_of_terms(table: Table) -> Iterator[tuple[str, str]]:
    """The terms of open actions that are words, except the kind of action."""
    for check in table.checks.values():
        for name, value in check.terms.items():
            if (
                name != "kind"
                and isinstance(value, str)
                and value.replace(" ", "").replace("-", "").isalpha()
            ):
                yield name, value


# Waits.


@pytest.mark.slow
@each_fifth
@every_game
def test_action_waits_for_a_present_seat(key: str, step: int) -> None:
    """Whichever player leaves at whichever line, a remaining seat can continue."""
    leavings: list[tuple[Played, int, Table, str, str]] = []
    for play in plays_of(key):
        before = None
        for statement, table in play.statements:
            # A statement that was refused, or that looks at something, changes nothing.
            if table is before:
                continue
            before = table
            masters = [seat.id for seat in table.seats.values() if seat.side == "gm" and seat.here]
            players = [
                seat.id for seat in table.seats.values() if seat.side == "player" and seat.here
            ]
            if masters and any(check.seen_by is None for check in table.checks.values()):
                leavings += (
                    (play, statement.line, table, masters[0], player) for player in players
                )
    assert leavings
    for play, line, table, master, player in leavings[::step]:
        args = {"seat": player}
        gone = decision_of(play.system, table, master, "seat.remove", args, roll=lowest).tables[-1]
        try:
            check_waits(Game(play.system, seed=0, tables=[gone]))
        except Exception as error:
            raise AssertionError(f"{play.name}:{line}, without {player}") from error


def lowest(die: Die) -> int:
    """The face of every die in an action that is rolled because nobody is left."""
    return die.first


def no_end_leaves_anything_to_spend(one: Played) -> None:
    """An automatic end of an action comes only when nobody can buy anything."""
    moves = [n for n, step in enumerate(one.log) if isinstance(step.record.event, MoveMade)]
    for first, following in zip(moves, [*moves[1:], len(one.log)], strict=False):
        made, last = one.log[first], one.log[following - 1]
        if not isinstance(last.record.event, Rewound) and isinstance(made.record.event, MoveMade):
            check_end(Game(one.system, 0, tables=[last.after]), made.before, made.record.event.seat)


def real_dice_are_asked_for_by_name(one: Played) -> None:
    """A form for real dice names each die, or uses those of the open action."""
    faces = {die.name: len(die.faces) for die in one.system.dice}
    before = Table()
    for step, table in one.statements:
        made = step.events[0] if step.events else None
        rolled = [
            die for event in step.events if isinstance(event, DiceRolled) for die in event.rolled
        ]
        # A die of one face is set, and nobody throws it.
        rolled_names = [die.die for die in rolled if faces[die.die] > 1]
        if isinstance(made, MoveMade) and made.seat and rolled_names:
            asks = offer(one.system, before, made.seat, made.move, dict(made.args)).asks
            named = [[die.value for die in ask.choices] for ask in asks if ask.kind == "faces"]
            wanted = [] if made.move == "check.roll" else rolled_names
            assert named in ([], [wanted]), f"{one.name}:{step.line}"
        before = table


OBSERVERS = (
    tables_come_back_the_same,
    session_is_counted_from_its_beginning,
    sentences_are_whole,
    no_line_is_a_bare_name,
    no_outcome_changes_silently,
    every_move_has_a_line,
    every_change_of_points_has_a_line,
    each_side_has_a_recap,
    no_end_leaves_anything_to_spend,
    real_dice_are_asked_for_by_name,
)
"""The checks of every play."""
