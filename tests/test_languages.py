"""Another language: every public text is from the catalogue, in all play and refusals.

The tests use a language that has each sentence of the catalogue in Cyrillic letters. Latin text was
written in code or filled into a blank. Only these are allowed, each in its place:

- typed text: names, titles and texts of users, and the file name of a play, its table's title; -
typed pools, `2 ability vs 1 difficulty`: notation and dice names are the same in every language; -
input words in a refused argument: keys of options, questions and answers, as the terminal takes
them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from storypool import systems
from storypool.contract.material import material
from storypool.engine import house
from storypool.engine.bag import Bag
from storypool.engine.catalogue import translated, whole
from storypool.engine.decisions import decide
from storypool.engine.events import (
    SeatTaken,
)
from storypool.engine.game.system import System
from storypool.engine.notation import NotationError
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.table import Seat, Side, Table
from storypool.log.codec import FORMS, Codec, encode
from storypool.log.disk import database
from storypool.log.disk.lock import FolderLock
from storypool.log.export import BadFile, import_records
from storypool.log.memory import MemoryStore
from storypool.log.store import StoreError
from storypool.odds.question import Question
from storypool.play import Performance, PlayError, read
from storypool.web.endpoints.game_endpoints import game_shown
from storypool.web.prints.printed_reference import printable_page
from storypool.words import Phrase, Words, as_toml, english, localize
from storypool.words.languages import Language, Languages, languages
from tests.browsers import Party, serving
from tests.fixed_set import cases
from tests.games_with_odds import TELLING
from tests.languages import (
    foreign,
    nobodys,
    not_in_catalogue,
    of_refusal,
    typed_codes,
    typed_dice,
    words_in,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("key", systems.names())
def test_game_descriptions_use_the_catalogue(key: str, language: Language) -> None:
    """Name, looks, panels, sheet, options, ready characters and printed reference use it."""
    system = systems.get(key, language)
    shown = game_shown(system)
    texts = [shown.name, shown.about, *shown.groups.values(), *shown.terms.values()]
    texts += [
        text for look in system.look.values() for text in (look.word, look.plural, look.letter)
    ]
    texts += [panel.title for panel in system.panels] + [entry.label for entry in system.sheet]
    texts += [entry.notes.get("about", "") for entry in system.sheet]
    texts += [
        text for option in shown.options for text in (option.sentence, *option.words.values())
    ]
    texts += [str(text) for one in system.ready for text in (one["name"], one.get("about", ""))]
    texts += [text for note in system.notes for text in (note.title, note.text, *note.head)]
    texts += [cell for note in system.notes for row in note.rows for cell in row]
    assert {} == not_in_catalogue(texts, ())
    assert "zyx" in not_in_catalogue([*texts, "zyx"], ())
    for text in (shown.name, *(note.title for note in system.notes)):
        assert text in printable_page(system, language)


@pytest.mark.parametrize("key", TELLING)
def test_odds_texts_use_the_catalogue(key: str, language: Language) -> None:
    """Outcomes and axes of odds have words, and so do refused questions."""
    system, reckon, brings = systems.get(key, language), systems.odds(key).reckon, material(key)
    typed = brings.words.get("typed", ())
    # How many pools, and the terms: of each die some of these questions are answered, and the
    # others refused.
    questions: list[tuple[int, Mapping[str, str]]] = [(1, {}), (2, {}), (1, {"zyx": "zyx"})]
    questions += [(1, terms) for terms in brings.odds.get("terms", ())]
    questions += [(2, terms) for terms in brings.odds.get("contests", ())]
    questions += [(1, {each: "zyx"}) for each in typed]
    words, asked = {**system.look, **game_shown(system).terms}, 0
    for name in (die.name for die in system.pool_dice):
        pool = Bag({name: 2})
        for pools, terms in questions:
            described: list[str] = []
            try:
                answer = reckon(Question(pool, terms, *[pool][: pools - 1])).brief()
                asked += 1
                named = {*answer["outcomes"], *answer["axes"], *answer["mean"]}
            except Refused as wrong:
                named, described = set(), list(of_refusal(wrong.refusal.localize(language.program)))
            assert set() == named - words.keys()
            assert {} == not_in_catalogue(
                described, typed_dice(system) | words_in([*typed, "zyx"])
            ), (pool, terms)
    assert asked >= len(system.dice)


def sat(system: System) -> Table:
    """A table with a game master, a player and a spectator."""
    table = Table(system=system.key, options=house.checked_options(system, {}))
    sides: dict[str, Side] = {"gm": "gm", "ann": "player", "vera": "spectator"}
    return replace(table, seats={id: Seat(id, id, side) for id, side in sides.items()})


BAD: tuple[object, ...] = (
    "zyx " * 200,
    "zyx",
    "-1",
    10**9,
    True,
    [1, "zyx"],
    {"zyx": "zyx"},
    {"wits zyx": 1},
    None,
)


@pytest.mark.parametrize("key", cases(systems.names(), ("starwars",), pytest.mark.slow))
def test_bad_arguments_use_the_catalogue(key: str, language: Language) -> None:
    """Faults in any move's arguments have sentences of it; so does an unknown seat."""
    system = systems.get(key, language)
    table, refused = sat(system), set[str]()
    known = typed_codes(system) | {"zyx", "zy", "wits", "True"} | set(table.seats)

    def no(seat: str, move: str, args: dict[str, object]) -> None:
        try:
            decide(system, table, seat, move, args, roll=None, override=True)
        except Refused as wrong:
            refused.add(move)
            for one in wrong.all:
                assert {} == not_in_catalogue(of_refusal(one), known), (move, args)

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
def test_opening_and_joining_use_the_catalogue(key: str, language: Language) -> None:
    """Unknown options and values, and missing or taken names are refused in its words."""
    system, table = systems.get(key, language), sat(systems.get(key, language))
    ways: tuple[Callable[[], object], ...] = (
        lambda: house.open_table(system, "zyx", {"zyx": "zyx"}),
        lambda: house.open_table(system, "zyx", {"enforcement": "zyx"}),
        lambda: house.take_seat(system, table, " ", "player"),
        lambda: house.take_seat(system, table, "ANN", "player"),
    )
    for way in ways:
        with pytest.raises(Refused) as refused:
            way()
        known = typed_codes(system) | {"zyx", "ANN"}
        assert {} == not_in_catalogue(of_refusal(refused.value.refusal), known)


@pytest.mark.parametrize("key", systems.names())
def test_notation_mistakes_use_the_catalogue(key: str, language: Language) -> None:
    """All invalid pools are described from the catalogue."""
    system = systems.get(key, language)
    one = system.dice[0].name
    counts = [f"{n} {one}" for n in ("0", "01", "-1", "99", "9999")]
    pools = (
        "zyx",
        "2 2",
        "2",
        *counts,
        one + " vs vs",
        "2 vs",
        "+" + one,
        one + "++" + one,
        "x" * 300,
        "",
        "?",
    )
    for pool in (*pools, one[:-1] + "q"):
        with pytest.raises(NotationError) as wrong:
            system.notation.parse(pool)
        assert {} == not_in_catalogue(
            [localize(wrong.value, language.program)],
            typed_dice(system) | words_in([pool, pool[:20], *pool]),
        )
    with pytest.raises(NotationError) as wrong:
        system.notation.parse(one, "zyx")
    assert {} == not_in_catalogue(
        [localize(wrong.value, language.program)], {"zyx", *system.notation.schemes}
    )


def test_storage_errors_use_the_catalogue(tmp_path: Path, language: Language) -> None:
    """Store, codec and import describe errors from it, with paths and names filled in."""

    def described(way: Callable[[], object], *known: str) -> None:
        with pytest.raises((StoreError, BadFile)) as wrong:
            way()
        assert {} == not_in_catalogue(
            [localize(wrong.value, language.program)], words_in([str(tmp_path), *known])
        )

    lock = FolderLock(tmp_path / "held", "http://zyx")
    described(lambda: FolderLock(tmp_path / "held"), "http://zyx", "held")
    lock.release()
    described(lambda: database.backup(tmp_path / "none", tmp_path / "to"), "none", database.NAME)
    described(lambda: database.restore(tmp_path / "none", tmp_path / "to"), "none")
    (tmp_path / "zyx").write_text("zyx " * 2000, encoding="utf-8")
    described(lambda: database.backup(tmp_path / "held", tmp_path / "zyx"), "zyx")
    described(lambda: database.open_database(tmp_path / "zyx"), "zyx")
    described(lambda: MemoryStore().mark("zyx", "closed", 1), "zyx")
    described(
        lambda: encode(SeatTaken(Seat("a", "a", "zyx"))),  # type: ignore[arg-type]
        "seat.taken seat side gm player spectator zyx",
    )
    described(lambda: Codec({}, {}).encode(SeatTaken(Seat("a", "a", "gm"))), "SeatTaken")
    described(lambda: Codec({}, {}).decode("zyx", 1, {}), "zyx")
    described(lambda: Codec(FORMS, {}).decode("seat.taken", 99, {}), "seat.taken")
    described(lambda: import_records([b"zyx\n"]))
    described(lambda: import_records([b'{"format":"storypool table","v":99,"records":1}\n']))
    described(lambda: import_records([b'{"format":"storypool table","v":1,"records":1}\n']))
    described(lambda: import_records([b"zyx\n" * 9], 10))


def test_broken_play_uses_the_catalogue(language: Language) -> None:
    """Plays that cannot be read or performed are described from the catalogue."""
    for text in (
        "",
        "zyx",
        "table starwars\nseat",
        "table starwars\nann say.zyx zyx",
        'table starwars\nann sees "zyx',
    ):
        with pytest.raises(PlayError) as wrong:
            read(text, "zyx")
        assert {} == not_in_catalogue(
            [localize(wrong.value, language.program)], words_in([text, "zyx"])
        )
    opening = "table starwars\nseat gm side=gm\nseat ann pash: agility=3\n"
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
        *_, step = Performance(read(opening + line, "zyx"), language=language).steps()
        known = words_in([opening, line, "OWNER"]) | typed_codes(systems.get("starwars", language))
        assert step.problem is not None
        assert {} == not_in_catalogue([localize(step.problem, language.program)], known), line


def test_language_changes_only_words() -> None:
    """A game in other words keeps its keys, ids, dice, prices and limits."""
    plain = translated(systems.get("starwars"), Words({}))
    assert [move.key for move in plain.moves] == list(systems.get("starwars").by_key)
    assert game_shown(plain) == game_shown(systems.get("starwars"))
    one = translated(
        plain,
        Words(
            {"title.check.roll": "Würfeln", "look.strain": "Anstrengung", "no.such.id": "nothing"}
        ),
    )
    assert ("Würfeln", "Anstrengung") == (one.title("check.roll"), one.word("strain"))
    assert one.words.keys() == plain.words.keys()
    assert {"no.such.id"}.isdisjoint(one.words)


def test_unknown_blank_is_refused() -> None:
    """A language may omit or move a blank, but its own blank is reported at once."""
    assert "Frei: {most}" == english().under(Words({"no.cap": "Frei: {most}"}))["no.cap"]
    with pytest.raises(ValueError, match=r"no\.cap"):
        english().under(Words({"no.cap": "{zyx}"}))


@pytest.mark.slow
def test_terminal_uses_a_folders_language(tmp_path: Path) -> None:
    """`STORYPOOL_WORDS` gives the folder's words for results and refusals."""
    environ = {**os.environ, "STORYPOOL_WORDS": str(tmp_path)}

    def say(*words: str) -> subprocess.CompletedProcess[str]:
        run = [sys.executable, "-m", "storypool.cli", *words]
        return subprocess.run(
            run, env=environ, capture_output=True, text=True, encoding="utf-8", check=False
        )

    (tmp_path / "starwars.toml").write_text(
        'result.plain = "{head} und sonst nichts."\n', encoding="utf-8"
    )
    (tmp_path / "program.toml").write_text(
        'cli.faces.count.other = "{got} statt {n}"\n', encoding="utf-8"
    )
    assert "und sonst nichts." in say("roll", "starwars", "1A", "--faces", "3").stdout
    assert "3 statt 2" in say("roll", "starwars", "2A", "--faces", "3 3 3").stderr
    assert '"game.name" = ' in say("words", "starwars").stdout
    (tmp_path / "program.toml").write_text('"cli.faces.count.one" = "{zyx}"\n', encoding="utf-8")
    refused = say("roll", "starwars", "1A")
    assert 2 == refused.returncode
    assert "cli.faces.count" in refused.stderr


def three_languages(folder: Path) -> Languages:
    """English, the invented language as `xx`, and a `pl` with few words of its own."""
    for key in ("xx", "pl"):
        (folder / key).mkdir()
    nobodys(folder / "xx")
    (folder / "pl" / "program.toml").write_text(
        '[language]\nname = "polski"\n[web]\ngm = "Tylko mistrz gry."\n[page.new]\ntitle = "Nowy'
        ' stół"\n[no]\ncheck = "Nic się nie dzieje."\n',
        encoding="utf-8",
    )
    (folder / "pl" / "starwars.toml").write_text(
        'title.session.begin = "Zacznij sesję"\nstory.began = "{kind} {number}: początek."\n',
        encoding="utf-8",
    )
    return languages(folder)


@pytest.mark.slow
def test_tables_have_their_own_languages(tmp_path: Path) -> None:
    """Records, offers, refusals and the page are in a table's language, or English.

    Clients that may not know of a table, and messages about no table, get the server's language.
    """
    (tmp_path / "words").mkdir()
    began = {
        "xx": foreign("Session") + " 1 " + foreign("began."),
        "pl": "Session 1: początek.",
        "": "Session 1 began.",
    }
    only = {"xx": foreign(english()["web.gm"]), "pl": "Tylko mistrz gry.", "": english()["web.gm"]}
    idle = {
        "xx": foreign(english()["no.check"]),
        "pl": "Nic się nie dzieje.",
        "": english()["no.check"],
    }
    new = {"xx": foreign("New table"), "pl": "Nowy stół", "": "New table"}
    begin = {"xx": foreign("Start a session"), "pl": "Zacznij sesję", "": "Start a session"}
    with serving(tmp_path, languages=three_languages(tmp_path / "words")) as house:
        parties = {}
        for key in began:
            gm = house.browser()
            options = {"language": key} if key else {}
            opened = gm.post(
                "/api/tables", system="starwars", title="Coins", name="Mona", options=options
            )
            parties[key] = party = Party(house, opened["table"], gm)
            party.ann = party.join("player", "Ann")
        for key, party in parties.items():
            offered = party.gm.get(f"{party.path}/offers")["offers"]
            assert begin[key] == next(
                one["title"] for one in offered if one["key"] == "session.begin"
            )
        for key, party in parties.items():
            assert began[key] in [
                one["text"] for one in party.gm.move(party.id, "session.begin")["records"]
            ]
        for key, party in parties.items():
            with party.ann.live(party.id) as live:
                live.follow()
                seq = party.ann.get(party.path)["seq"]
                assert began[key] in [record["text"] for record in live.records(seq)]
            for browser in (party.gm, party.ann):
                assert began[key] in [
                    record["text"] for record in browser.get(f"{party.path}/log")["records"]
                ]
            close = party.ann.refused(
                403, "POST", f"{party.path}/close", closed=True, confirm="Coins"
            )
            assert only[key] == close["text"]
            no = party.ann.refused(409, "POST", f"{party.path}/moves", move="check.roll", args={})
            assert idle[key] == no["text"]
            look = house.browser().post("/api/join", secret=party.secret("player"))
            assert (key or "en") == look["table"]["language"]
            chosen = f"?language={key}" if key else ""
            assert key == party.ann.get(party.path)["table"]["options"].get("language", "")
            assert new[key] == house.browser().get(f"/api/words{chosen}")["page.new.title"]
            assert {"options", "look"} <= house.browser().get(
                f"/api/systems/starwars{chosen}"
            ).keys()
            absent = house.browser().refused(401, "GET", party.path)
            assert english()["web.signin"] == absent["text"]
            stranger = parties["" if key else "pl"].ann.refused(404, "GET", party.path)
            assert english()["web.absent"] == stranger["text"]
        about = house.browser().get("/api")
        assert ("en", {"en": "English", "pl": "polski"}) == (
            about["language"],
            {key: name for key, name in about["languages"].items() if key != "xx"},
        )
        no = house.browser().refused(
            400, "POST", "/api/tables", system="starwars", title="x", options={"language": "de"}
        )
        assert ("argument", "language") == (no["code"], no["field"])
        assert "xx" in no["text"]


def test_missing_language_falls_back(tmp_path: Path) -> None:
    """A table keeps its choice; on a server without it the server's language is used."""
    (tmp_path / "words").mkdir()
    spoken = three_languages(tmp_path / "words")
    opened = house.open_table(systems.get("starwars"), "Coins", {"language": "pl"}, spoken.by_key)
    assert "polski" == spoken.of(opened.options).name
    assert "English" == Languages().of(opened.options).name
    assert "English" == spoken.of({}).name


@pytest.mark.parametrize("wrong", ['language = "all of them"\n', '"no.name" = "{zyx}"\n', "no = ["])
def test_invalid_languages_are_refused(tmp_path: Path, wrong: str) -> None:
    """Invalid TOML, an unknown blank and a name unknown to browsers are errors of the folder."""
    (tmp_path / "pl").mkdir()
    (tmp_path / "pl" / "program.toml").write_text(wrong, encoding="utf-8")
    with pytest.raises(ValueError, match=r".+"):
        languages(tmp_path)
    with pytest.raises(OSError, match=r".+"):
        languages(tmp_path / "nowhere")


def test_printed_catalogue_can_be_read() -> None:
    """The output of `storypool words` is TOML of the same catalogue."""
    texts = whole(systems.get("starwars"))
    assert texts == dict(Words({}).also(tomllib.loads(as_toml(texts))))
    assert {
        "title.check.roll",
        "ask.check.declare.skill",
        "panel.drawer.pool",
        "entry.brawn",
    } <= texts.keys()
    assert {
        "look.strain.plural",
        "option.destiny_limit.side",
        "buys.notice",
        "no.busy",
        "game.about",
    } <= texts.keys()


def test_phrase_uses_the_given_language(language: Language) -> None:
    """A phrase of id and values, nested ones too, reads in the given words or English."""
    most, cap = Phrase("no.cap", most=1, account=Phrase("no.name")), english()["no.cap"]
    assert cap.format(most=1, account="A seat needs a name.") == str(most)
    assert foreign(cap).format(most=1, account=foreign("A seat needs a name.")) == most.localize(
        language.program
    )
    refusal = Refusal.of("argument", ValueError(Phrase("no.name.taken", name="Ann")), "name")
    assert english()["no.name.taken.remedy"] == refusal.remedy
    assert foreign(refusal.remedy) == refusal.localize(language.program).remedy
    assert "name" == refusal.localize(language.program).field
