"""Another language: every text that reaches people comes from the catalogue, whatever is played and refused.

The program is made to speak a language that has each sentence of the catalogue in Cyrillic letters. What is left in
Latin ones was written in code, or was filled into a blank as it is. That is right for these alone, so they are let
through, each where it can stand:

- what people typed: names, titles and texts of their own, and the name of the file of a play, its table's title;
- pools as they are typed, `2 ability vs 1 difficulty`: the notation and its names of dice are one in every language;
- what is to be typed, in a refusal of an argument: keys of options, questions and answers, as the terminal takes them.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from storypool import systems
from storypool.engine import house, story
from storypool.engine.asks import AskView
from storypool.engine.bag import Bag
from storypool.engine.catalogue import translated, whole
from storypool.engine.decisions import decide
from storypool.engine.events import (
    CheckChanged,
    CheckOpened,
    DiceRolled,
    Event,
    MoveMade,
    PointsSet,
    ProposalSettled,
    Proposed,
    Record,
    Rewound,
    SeatTaken,
    TraitRemoved,
    TraitSet,
)
from storypool.engine.ledger import economy
from storypool.engine.notation import NotationError
from storypool.engine.offers import Offer, offers
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.system import System
from storypool.engine.table import Check, Seat, Side, Table
from storypool.log import database
from storypool.log.codec import FORMS, Codec, encode
from storypool.log.export import BadFile, import_records
from storypool.log.lock import FolderLock
from storypool.log.memory import MemoryStore
from storypool.log.store import StoreError
from storypool.odds.question import Question
from storypool.play import Performance, Play, PlayError, read
from storypool.web.games import system_data
from storypool.web.printable import printable_page
from storypool.words import Phrase, Words, as_toml, english, program
from tests import contract
from tests.languages import bare, foreign, nobodys, without_words, words_in
from tests.tries import tries

SEEDS = (0, 3, 6)
"""Games at random that begin at the beginning: the others go on from plays, which expect English."""
TRIES = 120


@pytest.fixture(scope="module", autouse=True)
def language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The program speaks a language that nobody speaks, read from its files as any other would be."""
    english_plays()
    with nobodys(tmp_path_factory.mktemp("words")):
        yield


@functools.cache
def english_plays() -> dict[str, list[tuple[Play, frozenset[str]]]]:
    """Every play of every game without its words, and what its author typed."""
    found: dict[str, list[tuple[Play, frozenset[str]]]] = {}
    for key in systems.names():
        for name, text in systems.plays(key).items():
            own = frozenset(words_in([text, name.removesuffix(".play")]))
            found.setdefault(key, []).append((without_words(read(text, name)), own))
    return found


def typed_dice(system: System) -> set[str]:
    """The words of the notation."""
    return words_in(
        [*(die.name for die in system.dice), "vs", "no dice", *map("".join, system.notation.schemes.values())]
    )


def codes(system: System) -> set[str]:
    """What can be typed as the key of anything."""
    return words_in([*whole(system), *(row.name for row in system.accounts), "t c p"])


def of_refusal(refusal: Refusal) -> Iterator[str]:
    """What a refusal says."""
    yield from (refusal.text, refusal.remedy, refusal.rule)


def of_ask(ask: AskView) -> Iterator[str]:
    """What a question says, and each of its answers."""
    yield ask.label
    for choice in ask.choices:
        yield from (choice.label, choice.note)


def of_offer(offer: Offer) -> Iterator[str]:
    """What a button says, before and behind it."""
    yield from (offer.title, offer.rule, offer.caution)
    for refusal in (*offer.all_closed, *([offer.closed] if offer.closed else [])):
        yield from of_refusal(refusal)
    for ask in offer.asks:
        yield from of_ask(ask)


def of_check(check: Check) -> Iterator[str]:
    """What the page says of an action."""
    yield check.title
    yield from (mod.why for mod in check.mods)
    if check.outcome is not None:
        yield check.outcome.words


def of_event(event: Event | None) -> Iterator[str]:
    """What the page reads from an event itself, besides its sentence."""
    match event:
        case PointsSet(why=why) | DiceRolled(why=why) | ProposalSettled(why=why) | TraitRemoved(why=why):
            yield why
        case TraitSet(trait):
            yield trait.text
        case CheckOpened(check):
            yield from of_check(check)
        case CheckChanged(check, what):
            yield from (*of_check(check), what)
        case Proposed(proposal):
            yield from (proposal.text, *proposal.set_aside)
        case MoveMade(set_aside=aside):
            yield from aside
        case Rewound(what=what):
            yield what


def of_offers(system: System, table: Table, seat: str) -> Iterator[str]:
    """What a seat can read on its buttons."""
    for offer in offers(system, table, seat):
        yield from of_offer(offer)


def of_log(system: System, records: list[Record]) -> Iterator[str]:
    """What a log says: each record as a sentence, and what the page reads from it."""
    yield from story.told(records, system)
    for record in records:
        yield from of_event(record.event)


def unsaid(texts: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Each word that is neither from the catalogue nor known, with a text in which it stands."""
    known = set(known)
    return {word: text for text in texts for word in bare(text) - known}


@pytest.mark.parametrize("key", systems.names())
def test_everything_that_a_play_says_is_in_the_catalogue(key: str) -> None:
    """In every play of every game, what is told, offered, asked, closed and refused comes from the catalogue."""
    system = systems.get(key)
    for play, own in english_plays()[key]:
        performance, known = Performance(play), own | typed_dice(system)
        for step in performance.steps():
            assert step.problem is None, f"{play.file}:{step.line}: {step.problem}"
            # At each third line a seat looks at its buttons, each in its turn.
            seats = list(performance.table.seats) or [""]
            if step.line % 3 == 0:
                told = of_offers(system, performance.table, seats[step.line // 3 % len(seats)])
                assert {} == unsaid(told, known), f"{play.file}:{step.line}"
            if step.refusal is not None:
                more = codes(system) if step.refusal.code == "argument" else set()
                assert {} == unsaid(of_refusal(step.refusal), known | more), f"{play.file}:{step.line}"
        assert {} == unsaid(of_log(system, performance.records), known), play.file
        assert {} == unsaid(economy(performance.records, system, program()).notes, known), play.file


@pytest.mark.parametrize("key", systems.names())
def test_everything_that_random_play_says_is_in_the_catalogue(key: str) -> None:
    """So it is in games at random, which keep every promise of the contract in this language too."""
    system = systems.get(key)
    for seed in SEEDS[: tries(len(SEEDS))]:
        game = contract.play(system, seed, TRIES)
        typed = [str(arg) for r in game.records if isinstance(r.event, MoveMade) for arg in r.event.args.values()]
        names = [name for name, _ in contract.SEATS]
        known = words_in([*typed, *names, "A table", "Guest"]) | typed_dice(system)
        assert {} == unsaid(of_log(system, game.records), known), seed
        for seat in game.table.seats:
            assert {} == unsaid(of_offers(system, game.table, seat), known), seed


@pytest.mark.parametrize("key", systems.names())
def test_terms_of_actions_have_words(key: str) -> None:
    """What stands on an action in one word is a word of the catalogue, or was typed."""
    system, terms = systems.get(key), system_data(systems.get(key))["terms"]
    sheet = {entry.key for entry in system.sheet}
    for play, own in english_plays()[key]:
        performance = Performance(play)
        for _ in performance.steps():
            for check in performance.table.checks.values():
                for name, value in check.terms.items():
                    if (
                        name == "kind"
                        or not isinstance(value, str)
                        or not value.replace(" ", "").replace("-", "").isalpha()
                    ):
                        continue
                    ours = value in terms or value in sheet or value in performance.table.characters or value == "none"
                    assert ours or words_in([value]) <= own, (play.file, name, value)


@pytest.mark.parametrize("key", systems.names())
def test_a_game_describes_itself_in_the_catalogue(key: str) -> None:
    """Name, looks, panels, sheet, options, ready-made characters and the reference to print: nothing else is said."""
    system = systems.get(key)
    shown = system_data(system)
    texts = [shown["name"], shown["about"], *shown["groups"].values(), *shown["terms"].values()]
    texts += [text for look in system.look.values() for text in (look.word, look.plural, look.letter)]
    texts += [panel.title for panel in system.panels] + [entry.label for entry in system.sheet]
    texts += [entry.notes.get("about", "") for entry in system.sheet]
    texts += [text for option in shown["options"] for text in (option["sentence"], *option["words"].values())]
    texts += [str(text) for one in system.ready for text in (one["name"], one.get("about", ""))]
    texts += [text for note in system.notes for text in (note.title, note.text, *note.head)]
    texts += [cell for note in system.notes for row in note.rows for cell in row]
    assert {} == unsaid(texts, ())
    assert "zyx" in unsaid([*texts, "zyx"], ())
    for text in (shown["name"], *(note.title for note in system.notes)):
        assert text in printable_page(system)


QUESTIONS: tuple[tuple[int, dict[str, str]], ...] = (
    *((1, {}), (1, {"target": "12", "difficulty": "1"}), (1, {"dc": "2"})),
    *((2, {}), (2, {"target": "12", "their_target": "12"})),
)
"""How many pools, and the terms: a game answers some of these questions and refuses the others."""


@pytest.mark.parametrize("key", systems.names())
def test_odds_are_told_and_refused_in_the_catalogue(key: str) -> None:
    """Each outcome and each axis of odds has a word, and a question that cannot be answered is refused in words."""
    system, reckon = systems.get(key), systems.odds(key).reckon
    words, asked = {**system.look, **system_data(system)["terms"]}, 0
    for name in (die.name for die in system.dice):
        pool = Bag({name: 2})
        for pools, terms in (*QUESTIONS, (1, {"zyx": "zyx"}), *((1, {each: "zyx"}) for each in TERMS)):
            told: list[str] = []
            try:
                answer = reckon(Question(pool, terms, *[pool][: pools - 1])).brief()
                asked += 1
                named = {*answer["outcomes"], *answer["axes"], *answer["mean"]}
            except Refused as wrong:
                named, told = set(), list(of_refusal(wrong.refusal))
            assert set() == named - words.keys()
            assert {} == unsaid(told, typed_dice(system) | words_in([*TERMS, "zyx"])), (pool, terms)
    assert asked >= len(system.dice)


TERMS = (
    *("dc", "reroll", "contest_tie", "contest_style", "target", "focus", "range", "difficulty", "defence", "assist"),
    *("hope_success_uncancellable", "their_target", "their_focus", "their_range", "their_assist", "dune", "srd", "yes"),
    *(
        "rerolls",
        "gains",
        "hero",
        "villain",
        "ones",
        "crisis",
        "competitive_tiebreak",
        "no",
        "draw",
        "defender",
        "failed",
        "none",
        "hero_points",
        "defence=n",
        "assist=target:focus",
        "target:focus",
    ),
)
"""What is typed in a question of odds: its terms, and some of their values."""


def sat(system: System) -> Table:
    """A table where a game master, a player and a spectator sit."""
    table = Table(system=system.key, options=house.checked_options(system, {}))
    sides: dict[str, Side] = {"gm": "gm", "ann": "player", "vera": "spectator"}
    return replace(table, seats={id: Seat(id, id, side) for id, side in sides.items()})


BAD: tuple[object, ...] = ("zyx " * 200, "zyx", "-1", 10**9, True, [1, "zyx"], {"zyx": "zyx"}, {"wits zyx": 1}, None)


@pytest.mark.parametrize("key", systems.names())
def test_bad_arguments_are_refused_in_the_catalogue(key: str) -> None:
    """Whatever is wrong with an argument of any move is said from the catalogue; so is a seat that is none."""
    system = systems.get(key)
    table, refused = sat(system), set[str]()
    known = codes(system) | {"zyx", "zy", "wits", "True"} | set(table.seats)

    def no(seat: str, move: str, args: dict[str, object]) -> None:
        try:
            decide(system, table, seat, move, args, None, override=True)
        except Refused as wrong:
            refused.add(move)
            for one in wrong.all:
                assert {} == unsaid(of_refusal(one), known), (move, args)

    for move in system.moves:
        for seat in table.seats:
            no(seat, move.key, {})
            no(seat, move.key, {"zyx": "zyx"})
            for ask in move.asks:
                for value in BAD:
                    no(seat, move.key, {ask.name: value})
    no("zyx", "table.say", {})
    no("ann", "zyx", {})
    assert {"zyx", *system.by_key} == refused


@pytest.mark.parametrize("key", systems.names())
def test_opening_and_sitting_down_are_refused_in_the_catalogue(key: str) -> None:
    """An option that there is none of, a value it does not have, a seat without a name, a name that is taken."""
    system, table = systems.get(key), sat(systems.get(key))
    ways: tuple[Callable[[], object], ...] = (
        lambda: house.open_table(system, "zyx", {"zyx": "zyx"}),
        lambda: house.open_table(system, "zyx", {"enforcement": "zyx"}),
        lambda: house.take_seat(table, " ", "player"),
        lambda: house.take_seat(table, "ANN", "player"),
    )
    for way in ways:
        with pytest.raises(Refused) as refused:
            way()
        known = codes(system) | {"zyx", "ANN"}
        assert {} == unsaid(of_refusal(refused.value.refusal), known)


@pytest.mark.parametrize("key", systems.names())
def test_mistakes_of_notation_are_told_in_the_catalogue(key: str) -> None:
    """Whatever cannot be read as a pool is told from the catalogue."""
    system = systems.get(key)
    one = system.dice[0].name
    pools = ("zyx", "2 2", "2", "0 " + one, "9999 " + one, "99 " + one, one + " vs vs", "2 vs", "x" * 300, "", "?")
    for pool in (*pools, one[:-1] + "q"):
        with pytest.raises(NotationError) as wrong:
            system.notation.parse(pool)
        assert {} == unsaid([str(wrong.value)], typed_dice(system) | words_in([pool]))
    with pytest.raises(NotationError) as wrong:
        system.notation.parse(one, "zyx")
    assert {} == unsaid([str(wrong.value)], {"zyx", *system.notation.schemes})


def test_what_cannot_be_kept_is_told_in_the_catalogue(tmp_path: Path) -> None:
    """The store, the codec and the import say what is wrong from the catalogue; paths and names are filled in."""

    def told(way: Callable[[], object], *known: str) -> None:
        with pytest.raises((StoreError, BadFile)) as wrong:
            way()
        assert {} == unsaid([str(wrong.value)], words_in([str(tmp_path), *known]))

    lock = FolderLock(tmp_path / "held", "http://zyx")
    told(lambda: FolderLock(tmp_path / "held"), "http://zyx", "held")
    lock.release()
    told(lambda: database.backup(tmp_path / "none", tmp_path / "to"), "none", database.NAME)
    told(lambda: database.restore(tmp_path / "none", tmp_path / "to"), "none")
    (tmp_path / "zyx").write_text("zyx " * 2000, encoding="utf-8")
    told(lambda: database.backup(tmp_path / "held", tmp_path / "zyx"), "zyx")
    told(lambda: database.open_database(tmp_path / "zyx"), "zyx")
    told(lambda: MemoryStore().mark("zyx", "closed", 1), "zyx")
    told(lambda: encode(SeatTaken(Seat("a", "a", "zyx"))), "seat.taken seat side gm player spectator zyx")  # type: ignore[arg-type]
    told(lambda: Codec({}, {}).encode(SeatTaken(Seat("a", "a", "gm"))), "SeatTaken")
    told(lambda: Codec({}, {}).decode("zyx", 1, {}), "zyx")
    told(lambda: Codec(FORMS, {}).decode("seat.taken", 99, {}), "seat.taken")
    told(lambda: import_records([b"zyx\n"]))
    told(lambda: import_records([b'{"format":"storypool table","v":99,"records":1}\n']))
    told(lambda: import_records([b'{"format":"storypool table","v":1,"records":1}\n']))
    told(lambda: import_records([b"zyx\n" * 9], 10))


def test_a_broken_play_is_told_in_the_catalogue() -> None:
    """What is wrong with a play is told from the catalogue, whether it cannot be read or cannot be played."""
    for text in ("", "zyx", "table starwars\nseat", "table starwars\nann say.zyx zyx", 'table starwars\nann sees "zyx'):
        with pytest.raises(PlayError) as wrong:
            read(text, "zyx")
        assert {} == unsaid([str(wrong.value)], words_in([text, "zyx"]))
    begun = "table starwars\nseat gm side=gm\nseat ann pash: agility=3\n"
    for line in (
        "points zyx=1",
        "points light=-1",
        "bo table.say text=zyx",
        "ann zyx.zyx",
        "rewind 99",
        "ann offers zyx.zyx",
        "ann table.say text=zyx => zyx",
        "ann table.say text=zyx => passed",
        "ann table.say dice 3",
        "seat ann side=gm",
    ):
        *_, step = Performance(read(begun + line, "zyx")).steps()
        known = words_in([begun, line, "OWNER"]) | codes(systems.get("starwars"))
        assert step.problem is not None
        assert {} == unsaid([str(step.problem)], known), line


def test_a_language_changes_words_alone() -> None:
    """A game in other words has the keys, ids, dice, prices and limits that it had."""
    plain = translated(systems.get("starwars"), {})
    assert [move.key for move in plain.moves] == list(systems.get("starwars").by_key)
    assert system_data(plain) == system_data(systems.get("starwars"))
    one = translated(plain, {"title.check.roll": "Würfeln", "look.strain": "Anstrengung", "no.such.id": "nothing"})
    assert ("Würfeln", "Anstrengung") == (one.title("check.roll"), one.word("strain"))
    assert one.words.keys() == plain.words.keys()
    assert {"no.such.id"}.isdisjoint(one.words)


def test_a_sentence_with_a_blank_that_nothing_fills_is_refused() -> None:
    """Another language may leave a blank out or move it, and an id with a blank of its own is told at once."""
    assert "Frei: {most}" == english().under({"no.cap": "Frei: {most}"})["no.cap"]
    with pytest.raises(ValueError, match=r"no\.cap"):
        english().under({"no.cap": "{zyx}"})


def test_the_terminal_speaks_the_language_of_a_folder(tmp_path: Path) -> None:
    """With `STORYPOOL_WORDS` the terminal says its results and refusals in the words of that folder."""
    environ = {**os.environ, "STORYPOOL_WORDS": str(tmp_path)}

    def say(*words: str) -> subprocess.CompletedProcess[str]:
        run = [sys.executable, "-m", "storypool.cli", *words]
        return subprocess.run(run, env=environ, capture_output=True, text=True, encoding="utf-8", check=False)

    (tmp_path / "starwars.toml").write_text('result.plain = "{head} und sonst nichts."\n', encoding="utf-8")
    (tmp_path / "program.toml").write_text('"cli.faces.count" = "{got} statt {want}"\n', encoding="utf-8")
    assert "und sonst nichts." in say("roll", "starwars", "1A", "--faces", "3").stdout
    assert "2 statt 1" in say("roll", "starwars", "1A", "--faces", "3 3").stderr
    assert '"game.name" = ' in say("words", "starwars").stdout
    (tmp_path / "program.toml").write_text('"cli.faces.count" = "{zyx}"\n', encoding="utf-8")
    refused = say("roll", "starwars", "1A")
    assert 2 == refused.returncode
    assert "cli.faces.count" in refused.stderr


def test_the_catalogue_of_a_game_is_a_file_that_can_be_read() -> None:
    """What `storypool words` prints is TOML, and read again it is the catalogue."""
    texts = whole(systems.get("starwars"))
    assert texts == dict(Words({}).also(tomllib.loads(as_toml(texts))))
    assert {"title.check.roll", "ask.check.declare.skill", "panel.drawer.pool", "entry.brawn"} <= texts.keys()
    assert {"look.strain.plural", "option.destiny_limit.side", "buys.notice", "no.busy", "game.about"} <= texts.keys()


def test_a_phrase_is_said_in_the_language_of_now() -> None:
    """A phrase holds its id and its values, so it is said as the program speaks when it is read."""
    assert foreign("A seat needs a name.") == str(Phrase("no.name"))
    assert foreign(english()["no.cap"]).format(most=1, account="x") == str(Phrase("no.cap", most=1, account="x"))
