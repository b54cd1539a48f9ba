"""The log as readable sentences: each record for its permitted readers."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest

from storypool.engine import story
from storypool.engine.dice import Mod
from storypool.engine.events import (
    CharacterSet,
    CheckChanged,
    CheckOpened,
    Event,
    PointsSet,
    Record,
    Rewound,
    Said,
    SeatTaken,
    TableOpened,
    TraitRemoved,
    TraitSet,
)
from storypool.engine.fold import fold
from storypool.engine.game.kit import Look
from storypool.engine.sight import view
from storypool.engine.table import GM_ONLY, Trait
from tests.games.tiny import game as tiny
from tests.sample_table import Evening

FORGED = "*bold* [link](x) <b> `code` | \\"


def lines(evening: Evening, seat: str | None = None, after: int = 0) -> list[str]:
    """A seat's sentences, record by record, without silent ones."""
    records = view(evening.records, evening.table.seats[seat]) if seat else evening.records
    return [text for text in list(story.sentences(records, tiny.SYSTEM))[after:] if text]


def test_evening_reads_as_a_story() -> None:
    """An action from declaration to close reads as a sentence for each event."""
    evening = Evening()
    start = len(evening.records)
    evening.toss(pool="coin vs weight")
    evening.make("ann", "luck.spend")
    evening.make("ann", "check.roll", faces=[1, 2, 3])
    evening.make("ann", "check.close")
    written = "\n".join(lines(evening, after=start))
    for text in (
        "Pash: a toss, with 1 coin vs 1 weight.",
        "Ann spends 1 luck (2 left).",
        "The pool is now 2 coin vs 1 weight.",
        "Ann rolled by hand coin: 1 heads, 1 tails; weight: 2 tails.",
        "Pash: Tails by 2.",
        "Ann adds 1 doom (1 in all).",
        "Something stirs in the dark.",
        "“a toss” is done.",
    ):
        assert text in written


def test_result_is_in_the_story_once() -> None:
    """It is written when dice are read, not again on later changes."""
    evening = Evening()
    evening.toss()
    evening.make("ann", "check.roll")
    evening.make("ann", "check.close")
    assert 1 == sum("Heads by 2." in text for text in lines(evening))


def changed(evening: Evening, **changes: object) -> str:
    """The text about these changes of the open action."""
    old = next(iter(evening.table.checks.values()))
    check = replace(old, **changes)  # type: ignore[arg-type]
    return story.sentence(Record(1, CheckChanged(check), "ann", 0), evening.table, tiny.SYSTEM)


def test_changed_result_is_written_again() -> None:
    """A re-roll with a new result has its new verdict, whatever else its record has."""
    evening = Evening()
    evening.toss()
    evening.make("ann", "check.roll")
    outcome = next(iter(evening.table.checks.values())).outcome
    assert outcome is not None
    other = replace(outcome, passed=False, words="Tails by 1.")
    assert "Pash now: Tails by 1." == changed(evening, outcome=other)
    assert "" == changed(evening, outcome=outcome)


def test_action_line_has_its_terms() -> None:
    """Terms with sentences of the game are written on opening and changing an action."""
    wording = {
        "wind": "{value} wind",
        "wind.no": "",
        "rope": "tied to {value} in {wind} wind",
        "all": "{value}",
    }
    words = tiny.SYSTEM.words.also(wording, "story.term").also({"strong": "Strong"}, "term")
    system = replace(tiny.SYSTEM, words=words)
    evening = Evening(system)
    evening.toss()
    check = replace(next(iter(evening.table.checks.values())), mods=())

    def line_of(event: Event) -> str:
        return story.sentence(Record(1, event, "ann", 0), evening.table, system)

    written = replace(check, terms={"wind": "strong", "rope": "oska", "secret": "x"})
    assert "Pash: a toss (Strong wind, tied to Oska in Strong wind), with 2 coin." == line_of(
        CheckOpened(written)
    )
    assert "Pash: a toss, with 2 coin." == line_of(
        CheckOpened(replace(check, terms={"wind": "no"}))
    )
    assert "a toss: Strong wind, tied to Oska in Strong wind." == line_of(CheckChanged(written))
    assert "The wind rises." == line_of(CheckChanged(written, "The wind rises"))
    hidden = replace(check, terms={"wind": "strong", "all": ("t99", "oska"), "rope": "t99"})
    assert "Pash: a toss (Strong wind, Oska), with 2 coin." == line_of(CheckOpened(hidden))
    mods = (Mod("add", "coin", 1, "A rope."), Mod("add", "coin"))
    several = replace(check, terms={"all": ("oska", "strong")}, mods=mods)
    assert "Pash: a toss (Oska, Strong), with 2 coin. In play: A rope." == line_of(
        CheckOpened(several)
    )


@pytest.mark.parametrize(
    ("title", "against", "terms", "written"),
    [
        ("Cross the ice", "", {}, "Pash: Cross the ice, with 2 coin."),
        ("Cross the ice", "oska", {}, "Pash: Cross the ice, against Oska, with 2 coin."),
        ("Beat Oska", "oska", {}, "Pash: Beat Oska, with 2 coin."),
        ("Pash jumps", "", {}, "Pash jumps, with 2 coin."),
        ("Wits", "", {}, "Pash tried Wits, with 2 coin."),
        ("Wits", "oska", {}, "Pash tried Wits against Oska, with 2 coin."),
        ("A toss", "", {}, "Pash tried something, with 2 coin."),
        ("A toss", "oska", {}, "Pash tried something against Oska, with 2 coin."),
        (
            "A push",
            "oska",
            {"way": "push", "with": "Strong"},
            "Pash pushed Oska with Strong (Bo), with 2 coin.",
        ),
        ("A push", "", {"way": "push"}, "Pash: A push (push), with 2 coin."),
    ],
)
def test_action_is_declared_in_a_sentence(
    title: str, against: str, terms: dict[str, str], written: str
) -> None:
    """It has actor, target, text and dice, or the game's own sentence for a term."""
    line_of = {
        "declared.way.push": "{actor} pushed {against} with {with}",
        "term.way": "{value}",
        "term.by": "{value}",
    }
    words = tiny.SYSTEM.words.also(line_of, "story").also({"untitled": "A toss"}, "check")
    system = replace(tiny.SYSTEM, words=words)
    evening = Evening(system)
    evening.toss()
    check = next(iter(evening.table.checks.values()))
    by = {"by": "Bo"} if terms.get("with") else {}
    one = replace(check, mods=(), title=title, against=against, terms={**terms, **by})
    assert written == story.sentence(Record(1, CheckOpened(one), "ann", 0), evening.table, system)


@pytest.mark.parametrize(
    ("account", "owner", "delta", "why", "written"),
    [
        ("luck", "", -1, "Spend luck for a coin more", "Ann spends 1 luck (5 left)."),
        ("luck", "", 2, "Close the action", "Ann adds 2 luck (5 in all)."),
        ("luck", "", -1, "the wind turned", "1 luck gone (5 left): the wind turned."),
        ("luck", "", 1, "the wind turned.", "1 more luck (5 in all): the wind turned."),
        ("luck", "pash", -1, "Spend luck for a coin more", "Pash spends 1 luck (5 left)."),
        ("luck", "pash", 1, "Close the action", "Pash gains 1 luck (5 in all)."),
        ("luck", "pash", -2, "a fall", "Pash loses 2 luck (5 left): a fall."),
        ("luck", "pash", 1, "a charm", "Pash gains 1 luck (5 in all): a charm."),
        ("luck", "pash", 0, "no room for more", "Pash has 5 luck: no room for more."),
        ("luck", "", 0, "kept from the last session", "Still 5 luck: kept from the last session."),
    ],
)
def test_points_have_whole_sentences(
    account: str, owner: str, delta: int, why: str, written: str
) -> None:
    """Prices, additions to pools and other changes have owner, number and reason."""
    event = PointsSet(account, owner, balance=5, delta=delta, why=why, by="ann")
    assert written == story.sentence(Record(1, event, "ann", 0), Evening().table, tiny.SYSTEM)


def test_account_may_have_its_own_sentences() -> None:
    """A game describes the changes of a balance in its own words."""
    words = tiny.SYSTEM.words.also(
        {"lost": "{who} is {n} luck short ({why})."}, "story.points.luck"
    )
    event = PointsSet("luck", "pash", balance=0, delta=-1, why="a fall", by="ann")
    written = story.sentence(
        Record(1, event, "ann", 0), Evening().table, replace(tiny.SYSTEM, words=words)
    )
    assert "Pash is 1 luck short (a fall)." == written


def test_hidden_record_is_silent() -> None:
    """Only permitted readers get its text."""
    evening = Evening()
    evening.make("mona", "trait.set", text="The butler did it", secret=True)
    evening.make("ann", "table.say", text="I stole it", secret=True)
    assert [] == [text for text in lines(evening, "bo") if "butler" in text or "stole" in text]
    assert "A fact is added: The butler did it." in lines(evening, "mona")
    assert "Ann, in confidence: “I stole it”" in lines(evening, "ann")


def test_seats_have_lines() -> None:
    """Joining, renaming and leaving have a sentence each."""
    evening = Evening()
    evening.make("bo", "seat.rename", name="Beau")
    evening.make("bo", "seat.remove")
    written = lines(evening)
    assert "Bo sat down." in written
    assert "Bo is called Beau now." in written
    assert "Beau left the table." in written


def test_character_line_has_its_new_numbers() -> None:
    """Characters come, change and go; only new values of a sheet are written."""
    evening = Evening()
    evening.make("ann", "character.set", who="pash", sheet="wits=3")
    evening.make("ann", "character.set", who="pash", sheet="wits=4")
    evening.make("ann", "character.leave", who="pash")
    written = lines(evening)
    for text in ("Pash joined the story.", "Pash changed: Wits 4.", "Pash left the story."):
        assert text in written


def test_new_characters_traits_are_on_its_sheet() -> None:
    """Aspects, assets and the like have no line on joining, but later."""
    table = Evening().table
    record = Record(1, TraitSet(Trait("t", "fact", "Owes money", "pash")), "ann", 0)
    assert "" == story.sentence(record, replace(table, last_move="character.add"), tiny.SYSTEM)
    assert "A fact is added about Pash: Owes money." == story.sentence(
        record, replace(table, last_move="trait.set"), tiny.SYSTEM
    )


def test_character_line_has_its_name_and_player() -> None:
    """A new name has the old one, and a handed-over character its player."""
    evening = Evening()
    start = len(evening.records)
    evening.make("ann", "character.set", who="pash", name="Captain Pash")
    evening.make("mona", "character.give", who="pash", seat="bo")
    evening.make("mona", "character.give", who="pash")
    written = [
        "Pash became Captain Pash.",
        "Captain Pash went to Bo.",
        "Captain Pash went to the GM.",
    ]
    assert written == lines(evening, after=start)


def test_proposal_lines() -> None:
    """A proposal has its words, and its answer the seat and reason."""
    evening = Evening()
    for key, seat, text in (
        ("proposal.accept", "mona", "Mona agrees: A cellar."),
        ("proposal.decline", "mona", "Mona says no: A cellar (too easy)."),
        ("proposal.withdraw", "ann", "Ann withdraws: A cellar."),
    ):
        start = len(evening.records)
        evening.make("ann", "fact.add", text="A cellar")
        evening.make(seat, key, {"why": "too easy"} if key == "proposal.decline" else {})
        written = lines(evening, after=start)
        assert "Ann proposes: A cellar." in written
        assert text in written


def test_override_names_its_refusal() -> None:
    """The story has the exact words that the GM overrode."""
    evening = Evening()
    evening.toss()
    evening.make("mona", "scene.begin", override=True)
    assert "Mona breaks a rule (Start a new scene): An action is still going on: a toss." in lines(
        evening
    )


def test_rewinds_are_described_with_their_dice() -> None:
    """An undo names the undone move, and the public dice that go with it."""
    evening = Evening()
    evening.toss()
    evening.make("mona", "table.undo")
    evening.make("mona", "table.redo")
    evening.make("ann", "check.roll")
    evening.make("mona", "table.undo")
    written = lines(evening)
    assert "Mona undid: Declare an action." in written
    assert "Mona brought back what was undone." in written
    assert (
        "Mona undid: Toss the coins. Its dice are gone, though everyone has seen them." in written
    )


def test_sentences_follow_the_current_table() -> None:
    """After a rewind a change is described relative to the restored table."""
    evening = Evening()
    evening.make("mona", "points.correct", account="doom", to=2, why="a")
    evening.make("mona", "table.undo")
    evening.make("mona", "points.correct", account="doom", to=1, why="b")
    assert "1 more doom (1 in all): fixed by hand, b." in lines(evening)


@pytest.mark.parametrize("seat", ["mona", "ann", "vera"])
def test_transcript_has_headings_and_every_sentence(seat: str) -> None:
    """Markdown has the title, a heading for each session and scene, and lines for the rest."""
    evening = Evening()
    evening.make("mona", "scene.begin", title="The docks")
    evening.make("mona", "trait.set", text="A hidden hatch", secret=True)
    page = story.transcript(view(evening.records, evening.table.seats[seat]), tiny.SYSTEM)
    assert page.startswith("# An evening\n")
    assert "## Session 1 began (1970-01-01)" in page
    assert "### Scene 2 began: The docks" in page
    assert (seat == "mona") == ("A hidden hatch" in page)
    assert page.endswith("\n")


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        (None, date(2026, 11, 27)),
        (ZoneInfo("America/Los_Angeles"), date(2026, 11, 27)),
        (ZoneInfo("Pacific/Auckland"), date(2026, 11, 28)),
        (timezone(timedelta(hours=-4)), date(2026, 11, 28)),
    ],
)
def test_transcript_has_local_dates(
    zone: tzinfo | None, day: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session's date is in the given time zone, or else the computer's."""
    friday = datetime(2026, 11, 27, 20, 30, tzinfo=timezone(timedelta(hours=-8)))
    records = [record._replace(at=int(friday.timestamp() * 1000)) for record in Evening().records]
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "America/Los_Angeles")
        time.tzset()
        page = story.transcript(records, tiny.SYSTEM, zone)
    time.tzset()
    assert f"## Session 1 began ({day})" in page


def test_transcript_marks_undone_and_secret_lines() -> None:
    """Undone lines are marked, and a GM who shares it sees its secrets."""
    evening = Evening()
    evening.make("mona", "trait.set", text="A hidden hatch", secret=True)
    evening.make("mona", "trait.set", text="A red door")
    evening.make("mona", "table.undo")
    evening.make("mona", "trait.set", text="A blue door")
    page = story.transcript(
        view(evening.records, evening.table.seats["mona"]), tiny.SYSTEM
    ).splitlines()
    assert [
        "- A fact is added: A hidden hatch. (not everyone saw this)",
        "- ~~A fact is added: A red door.~~",
        "- Mona undid: Add a fact.",
        "- A fact is added: A blue door.",
    ] == page[-4:]
    own = view(evening.records, evening.table.seats["mona"])
    assert [
        "A fact is added: A hidden hatch. (not everyone saw this)",
        "Mona undid: Add a fact.",
        "A fact is added: A blue door.",
    ] == story.plain_transcript(own, tiny.SYSTEM).splitlines()[-3:]


def test_transcript_escapes_user_text() -> None:
    """Markdown signs in user text create no heading, link or table."""
    evening = Evening()
    evening.make("ann", "table.say", text=FORGED)
    evening.make("ann", "table.say", text="# Not a heading")
    page = story.transcript(evening.records, tiny.SYSTEM)
    assert r"\*bold\* \[link\](x) \<b\> \`code\` \| \\" in page
    assert r"“\# Not a heading”" in page


def test_unknown_names_use_their_ids() -> None:
    """A seat or character that the reader never saw is named by id, without failing."""
    record = Record(1, Said("stranger", "hello"), "stranger", 0)
    assert "stranger: “hello”" == story.sentence(record, fold([]), tiny.SYSTEM)


@pytest.mark.parametrize(
    "event",
    [
        TraitSet(Trait("t", "promise", "")),
        TraitSet(Trait("t", "fact", "so")),
    ],
)
def test_statement_without_new_words_is_silent(event: Event) -> None:
    """No text, or the same text as before, adds no line."""
    before = replace(fold([]), traits={"t": Trait("t", "fact", "so", rating=1)})
    assert "" == story.sentence(Record(1, event, "mona", 0), before, tiny.SYSTEM)


def test_rewinds_are_described_in_one_pass() -> None:
    """Each earlier table of a log of many rewinds is computed once."""
    opened = TableOpened("tiny", "A table", {})
    records = [
        Record(1, opened, "", 0),
        *(Record(n, Rewound(n - 1), "mona", 0) for n in range(2, 120)),
    ]
    assert 119 == len(list(story.sentences(records, tiny.SYSTEM)))


def test_every_sentence_has_its_readers() -> None:
    """A GM's log gives other readers nothing, at the same length."""
    evening = Evening()
    hidden = [
        record._replace(seen_by=GM_ONLY)
        for record in evening.records
        if not isinstance(record.event, SeatTaken)
    ]
    written = list(story.sentences(view(hidden, evening.table.seats["ann"]), tiny.SYSTEM))
    assert [""] * len(hidden) == written


def test_ended_trait_may_have_its_own_sentence() -> None:
    """An end is reported generally, or in the game's words for its kind."""
    before = replace(
        fold([]),
        traits={"t": Trait("t", "fog", "Fog lies on the docks."), "e": Trait("e", "fog", "")},
    )

    def line_of(removed: TraitRemoved, **kinds: str) -> str:
        system = replace(tiny.SYSTEM, words=tiny.SYSTEM.words.also(kinds, "story.removed"))
        return story.sentence(Record(1, removed, "mona", 0), before, system)

    assert "No longer true: Fog lies on the docks." == line_of(TraitRemoved("t"))
    assert "No longer true: Fog lies on the docks (a storm)." == line_of(
        TraitRemoved("t", "a storm.")
    )
    assert "The fog lifts (a storm)." == line_of(TraitRemoved("t", "a storm"), fog="The fog lifts.")
    assert ["", "", ""] == [
        line_of(TraitRemoved("t", "so"), fog=""),
        line_of(TraitRemoved("e")),
        line_of(TraitRemoved("x")),
    ]


@pytest.mark.parametrize(
    ("running", "sentence"), [(("session", "scene"), "No longer true: Fog."), (("session",), "")]
)
def test_scene_end_covers_its_facts(running: tuple[str, ...], sentence: str) -> None:
    """Only a fact removed before the scene's end has a line."""
    facts = {"t": Trait("t", "fog", "Fog", until="scene")}
    before = replace(fold([]), traits=facts, running=running)
    assert sentence == story.sentence(Record(1, TraitRemoved("t"), "mona", 0), before, tiny.SYSTEM)


def test_sheet_text_has_its_own_sentence() -> None:
    """A number on a sheet has its label; a text has a sentence or none."""
    evening = Evening()
    pash = evening.table.characters["pash"]
    words = tiny.SYSTEM.words.also({"oath": {"sworn": "{character} has sworn."}}, "story.sheet")

    def line_of(**sheet: str | int) -> str:
        event = CharacterSet(replace(pash, sheet={**pash.sheet, **sheet}))
        return story.sentence(
            Record(1, event, "ann", 0), evening.table, replace(tiny.SYSTEM, words=words)
        )

    assert "Pash changed: Wits 5. Pash has sworn." == line_of(wits=5, oath="sworn")
    assert ("", "") == (line_of(oath="broken"), line_of())


def test_pool_uses_the_words_for_its_dice() -> None:
    """The log has a die's word in the form of its number, not the typed name."""
    system = replace(
        tiny.SYSTEM, look={**tiny.SYSTEM.look, "coin": Look("silver coin", "silver coins")}
    )
    evening = Evening(system)
    evening.toss(pool="2 coin vs 1 weight")
    assert "Pash: a toss, with 2 silver coins, 1 weight." in list(
        story.sentences(evening.records, system)
    )
