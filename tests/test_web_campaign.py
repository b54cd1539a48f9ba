"""A table outlives the evening: home, export, transcript, economy, archive and deletion."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from urllib.parse import urlencode

import pytest

from storypool.engine import ledger as economy
from storypool.engine.events import (
    CheckClosed,
    Event,
    MoveMade,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    ProposalSettled,
    Proposed,
    Record,
    Rewound,
    TableOpened,
)
from storypool.engine.sight import records_of
from storypool.engine.table import GM_ONLY, Proposal, Side
from storypool.log.export import import_records
from storypool.log.memory import MemoryStore
from storypool.log.store import Answer, Append, StoreFull
from storypool.systems import get
from storypool.words import Phrase
from storypool.words.languages import ENGLISH
from tests.browsers import House, Party, error_of, serving
from tests.games.tiny import game as tiny


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server."""
    with serving(tmp_path) as house:
        yield house


@pytest.fixture
def party(house: House) -> Party:
    """A table with people at it."""
    return house.table()


def test_opened_table_has_a_gm_seat_and_link(house: House) -> None:
    """The host has a seat at once, and the link works on another device."""
    browser = house.browser()
    opened = browser.post(
        "/api/tables", system="tiny", title="Coins", name="Mona", options={"enforcement": "warn"}
    )
    assert ("mona", "gm", "gm") == (
        opened["seat"]["id"],
        opened["seat"]["side"],
        opened["link"]["side"],
    )
    state = browser.get(f"/api/tables/{opened['table']}")
    assert ("Coins", "tiny", "warn") == (
        state["title"],
        state["system"],
        state["table"]["options"]["enforcement"],
    )
    browser.refused(404, "POST", "/api/tables", system="chess")
    error = browser.refused(
        400, "POST", "/api/tables", system="tiny", options={"enforcement": "cruel"}
    )
    assert "enforcement" == error["field"]


def test_home_lists_this_browsers_tables(party: Party) -> None:
    """Only tables with seats of this browser are listed; without a session it says so."""
    other = party.house.table()
    assert [party.id] == [one["id"] for one in party.ann.get("/api/tables")]
    party.ann.post("/api/join", secret=other.secret("player"), name="Cy")
    listed = {
        one["id"]: [seat["name"] for seat in one["seats"]] for one in party.ann.get("/api/tables")
    }
    assert {party.id: ["Ann"], other.id: ["Cy"]} == listed
    party.house.browser().refused(401, "GET", "/api/tables")


def test_whole_table_is_exported_and_imported(party: Party) -> None:
    """The game master's file is the same table under another id, with its secrets."""
    party.gm.move(party.id, "trait.set", text="The butler did it", secret=True)
    party.ann.move(party.id, "table.say", text="Who did it?")
    file = party.gm.ask("GET", f"{party.path}/export")
    assert 'filename="coins.jsonl"' in file.headers["content-disposition"]
    browser = party.house.browser()
    edited = b"\xef\xbb\xbf" + file.content.replace(b"\n", b"\r\n") + b"\r\n"
    answer = browser.ask(
        "POST", "/api/tables/import", edited, {"Content-Type": "application/x-ndjson"}
    )
    assert 201 == answer.status_code, answer.text
    opened = answer.json()
    assert (opened["seat"]["id"], opened["table"] != party.id) == ("mona", True)
    assert party.house.store.read(party.id) == party.house.store.read(opened["table"])
    before, after = (
        party.gm.get(party.path)["table"],
        browser.get(f"/api/tables/{opened['table']}")["table"],
    )
    assert before == after
    browser.move(opened["table"], "table.say", text="And so it went on")


def test_spectators_export_has_their_view(party: Party) -> None:
    """It has every number and nothing hidden, and cannot be continued."""
    party.gm.move(party.id, "trait.set", text="The butler did it", secret=True)
    file = party.vera.ask("GET", f"{party.path}/export").content
    assert b"butler" not in file
    records = import_records(io.BytesIO(file))
    assert len(party.house.store.read(party.id)) == len(records)
    error = error_of(party.house.browser().ask("POST", "/api/tables/import", file), 400)
    assert "one seat" in error["text"]


def test_invalid_export_is_refused(house: House) -> None:
    """Another or a cut file is refused with its reason and opens no table."""
    browser = house.browser()
    for data in (
        b"",
        b"hello",
        b'{"format":"storypool table","v":1,"records":2}\n',
        b"\xff\xfe" * 100,
        b"{" * 5000,
    ):
        error = error_of(browser.ask("POST", "/api/tables/import", data), 400)
        assert "malformed" == error["code"]
        assert ".." not in error["text"]
    assert [] == house.store.listings()


def test_transcript_has_the_readers_view(party: Party) -> None:
    """The story is written from that seat's view: as Markdown, as plain text and as data."""
    party.gm.move(party.id, "table.say", text="The butler did it", secret=True)
    party.ann.move(party.id, "table.say", text="Who did it?")
    shown = party.vera.ask("GET", f"{party.path}/transcript.md")
    assert shown.headers["content-type"].startswith("text/markdown")
    assert "Who did it?" in shown.text
    assert "butler" not in shown.text
    assert "butler" in party.gm.ask("GET", f"{party.path}/transcript.md").text
    for form in ("txt", "json"):
        shown = party.vera.ask("GET", f"{party.path}/transcript.{form}")
        assert "Who did it?" in shown.text
        assert "butler" not in shown.text
        assert "butler" in party.gm.ask("GET", f"{party.path}/transcript.{form}").text
    [line] = [one for one in shown.json()["lines"] if "Who did it?" in one["text"]]
    assert ("line", False, False) == (line["kind"], line["undone"], line["secret"])


def test_transcript_has_the_readers_dates(party: Party) -> None:
    """It uses the page's zone, or minutes for an unknown one, and nothing else."""

    def days(**query: str) -> list[str]:
        page = party.ann.ask("GET", f"{party.path}/transcript.md?{urlencode(query)}").text
        return re.findall(r"\((\d{4}-\d\d-\d\d)\)", page)

    east, west = days(zone="Pacific/Kiritimati"), days(zone="Etc/GMT+12")
    assert date.fromisoformat(west[0]) < date.fromisoformat(east[0])
    assert (east, west) == (days(offset="840"), days(zone="Nowhere/Yet", offset="-720"))
    assert days() == days(zone="")
    for query in (
        "zone=Nowhere/Yet",
        "zone=../../etc/passwd",
        "zone=UTC%00",
        "offset=841",
        "offset=x",
    ):
        party.ann.refused(400, "GET", f"{party.path}/transcript.md?{query}")


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Ночь в городе", "filename=\"table.jsonl\"; filename*=UTF-8''%D0%BD"),
        (
            'Zoë\'s "x"; /a\\b',
            "filename=\"zoe-s-x-a-b.jsonl\"; filename*=UTF-8''zo%C3%AB-s-x-a-b.jsonl",
        ),
        ("a\u202egpj.exe", 'filename="a-gpj-exe.jsonl"'),
    ],
)
def test_download_has_the_tables_title(party: Party, title: str, names: str) -> None:
    """A file name keeps letters of all scripts, with plain ones for old programs."""
    party.gm.move(party.id, "table.rename", title=title)
    assert names in party.gm.ask("GET", f"{party.path}/export").headers["content-disposition"]


def test_closing_and_deleting_are_confirmed(party: Party) -> None:
    """A GM types the title to close, archive or delete; reopening needs none."""
    for action, body in (
        ("close", {"closed": True}),
        ("archive", {"archived": True}),
        ("delete", {}),
    ):
        path = f"{party.path}/{action}"
        party.ann.refused(403, "POST", path, **body, confirm="Coins")
        error = party.gm.refused(409, "POST", path, **body)
        assert ("confirm", "confirm") == (error["code"], error["field"])
        assert "Coins" in error["text"]
        party.gm.refused(409, "POST", path, **body, confirm="Dice")
    party.gm.post(f"{party.path}/close", closed=True, confirm="coins")
    refused = party.ann.refused(
        409, "POST", f"{party.path}/moves", move="table.say", args={"text": "x"}
    )
    assert "closed" in refused["text"]
    party.gm.post(f"{party.path}/archive", archived=True, confirm="Coins")
    listed = party.gm.get("/api/tables")[0]
    assert listed["closed"] > 0
    assert listed["archived"] > 0
    party.gm.post(f"{party.path}/close", closed=False)
    party.gm.post(f"{party.path}/archive", archived=False)
    assert (0, 0) == tuple(party.gm.get(party.path)[mark] for mark in ("closed", "archived"))
    party.ann.move(party.id, "table.say", text="back again")
    party.gm.post(f"{party.path}/delete", confirm="Coins")
    party.gm.refused(401, "GET", party.path)
    assert [] == party.house.store.listings()


def test_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move gets 503 with the reason, and acknowledged ones are still there."""
    store = MemoryStore()
    with serving(tmp_path, store) as house:
        party = house.table()
        seq = party.ann.get(party.path)["seq"]

        def full(append: Append, rows: object) -> Answer:
            raise StoreFull(Phrase("log.full", path="/srv/games/storypool.db"))

        with monkeypatch.context() as patched:
            patched.setattr(store, "_append", full)
            body = {"move": "table.say", "args": {"text": "x"}}
            error = party.ann.refused(503, "POST", f"{party.path}/moves", **body)
            assert "storage" == error["code"]
            assert error["text"].startswith("There is no room left on the server")
            assert seq == party.ann.get(party.path)["seq"]
        assert seq + 2 == party.ann.move(party.id, "table.say", text="x")["seq"]


def test_preview_shows_the_moves_effect(party: Party) -> None:
    """It has later questions, pool and check, or the refusal, and changes nothing."""
    seq = party.ann.get(party.path)["seq"]
    args = {"as": "ilse", "pool": "2C/W"}
    would = party.ann.post(f"{party.path}/preview", move="check.declare", args=args)
    assert ({"coin": 2, "weight": 1}, None) == (would["pool"], would["refused"])
    assert "check.declare" == would["offer"]["key"]
    assert would["check"]["pool"] == would["pool"]
    no = party.ann.post(f"{party.path}/preview", move="check.roll")
    assert ("when", None) == (no["refused"]["code"], no["check"])
    assert seq == party.ann.get(party.path)["seq"]


def test_games_and_words_are_public(house: House) -> None:
    """Games, dice, sheets, options, sentences and pool notation need no seat."""
    browser = house.browser()
    (listed,) = browser.get("/api/systems")
    assert ("tiny", "Coins", tiny.SYSTEM.about) == (listed["key"], listed["name"], listed["about"])
    assert "coin" == listed["look"]["coin"]["word"]
    game = browser.get("/api/systems/tiny")
    assert {"name": "coin", "first": 1, "faces": [{"heads": 1}, {"tails": 1}]} == game["dice"][0]
    assert [
        ("luck", "table"),
        ("doom", "table"),
        ("nerve", "character"),
        ("strain", "character"),
    ] == [(account["name"], account["each"]) for account in game["accounts"]]
    assert game["options"][0]["sentence"].startswith("When a rule says no")
    assert browser.get("/api/words")["side.gm"] == ENGLISH.program["side.gm"]
    page = browser.get("/api/words?of=page")
    assert {"language", "page"} == {id.partition(".")[0] for id in page}
    assert page["page.people.hidden"] == ENGLISH.program["page.people.hidden"]
    more = browser.get("/api/words?of=workshop").keys() - page.keys()
    assert more == {id for id in ENGLISH.program if id.startswith("page.workshop.")}
    plain, squeezed = (
        browser.ask("GET", "/api/words", headers={"Accept-Encoding": how}) for how in ("", "gzip")
    )
    assert ["", "gzip"] == [one.headers.get("content-encoding", "") for one in (plain, squeezed)]
    assert plain.content == squeezed.content
    assert {"pool": {"coin": 2, "weight": 1}, "text": "2 coin vs 1 weight"} == browser.post(
        "/api/notation", system="tiny", text="CC/W"
    )
    browser.refused(404, "GET", "/api/systems/chess")
    error = browser.refused(400, "POST", "/api/notation", system="tiny", text="2 coins of gold")
    assert "“coins” is not a die of this game (character 3)." == error["text"]
    assert "Did you mean coin?" == error["remedy"]


# How the table plays its points.


def ledger(*events: object) -> economy.Ledger:
    """The ledger of a table with these events, a minute apart."""
    opened = TableOpened("tiny", "Coins", {})
    records = [r._replace(at=60_000 * r.seq) for r in records_of([opened, *events], "ann", 0, 0)]  # type: ignore[list-item]
    return economy.Ledger(tiny.SYSTEM).enter(records)


def spend(n: int, left: int) -> list[object]:
    """A move with a price, and the price."""
    return [
        MoveMade("luck.spend", "ann", {}),
        PointsSet("luck", "", balance=left, delta=-n, why="spent", by="ann"),
    ]


def test_spent_points_are_prices() -> None:
    """Corrections and effects of rules are not spent, and another session starts afresh."""
    played = ledger(
        PeriodBegan("session", 1),
        MoveMade("points.correct", "mona", {}),
        PointsSet("luck", "", 5, 5, "start"),
        *spend(2, 3),
        MoveMade("points.correct", "mona", {}),
        PointsSet("luck", "", 2, -1, "a miscount"),
        PointsSet("nerve", "ilse", 1, -1, "not of the table"),
    )
    luck, doom = played.economy().accounts
    assert ("luck", "players", 2, 2, 5) == (
        luck.account,
        luck.side,
        luck.balance,
        luck.spent,
        luck.gained,
    )
    assert 6 * 60_000 == luck.idle_since
    assert (0, 0, 2 * 60_000) == (doom.spent, doom.gained, doom.idle_since)
    after = played.enter(
        records_of([PeriodEnded("session", 1), PeriodBegan("session", 2)], "mona", 9, 900_000)
    )
    luck = after.economy().accounts[0]
    assert (2, 0, 0, 900_000) == (luck.balance, luck.spent, luck.gained, luck.idle_since)


def test_undone_points_are_not_spent() -> None:
    """After a rewind the ledger is as before, and continues from there."""
    start = (PeriodBegan("session", 1), PointsSet("luck", "", 5, 5, "start"))
    played = ledger(*start, *spend(2, 3), Rewound(3), *spend(1, 4))
    luck = played.economy().accounts[0]
    assert (4, 1) == (luck.balance, luck.spent)


def test_each_change_has_its_source() -> None:
    """A session's changes have balance and source, with separate sums of gains and losses."""
    played = ledger(
        PointsSet("luck", "", 1, 1, "from the time before"),
        PeriodBegan("session", 1),
        PeriodBegan("scene", 1),
        MoveMade("points.correct", "mona", {}),
        PointsSet("luck", "", 5, 4, "set right by hand, a miscount"),
        *spend(2, 3),
        *spend(1, 2),
        MoveMade("luck.spend", "ann", {}),
        PointsSet("doom", "", balance=2, delta=2, why="spent", by="ann"),
    )
    hidden = Record(13, None, "", 0, None)
    played.enter(
        [hidden, *records_of([PointsSet("luck", "", 1, -1, "out of sight")], "mona", 13, 0)]
    )
    seen = played.economy()
    luck = seen.accounts[0]
    assert (1, 1, 4) == (luck.start, luck.balance, luck.gained)
    assert [4] == list(seen.scenes)
    assert [(6, 5), (8, 3), (10, 2), (12, 2), (14, 1)] == [
        (one.seq, one.balance) for one in seen.changes
    ]
    assert [
        ("luck", "out of sight", -1, 1, 14),
        ("doom", "Spend luck for a coin more", 2, 1, 12),
        ("luck", "Spend luck for a coin more", -3, 2, 10),
        ("luck", "Fixed by hand", 4, 1, 6),
    ] == [(one.account, one.source, one.points, one.times, one.last.seq) for one in seen.sources]


def test_accepted_proposal_keeps_its_source() -> None:
    """Its changes belong to the proposed move, not to the consent."""
    played = ledger(
        PeriodBegan("session", 1),
        MoveMade("luck.spend", "ann", {}),
        Proposed(Proposal("p1", "ann", "luck.spend", {}, "please")),
        MoveMade("proposal.accept", "mona", {}),
        ProposalSettled("p1", True, "mona"),
        PointsSet("doom", "", 1, 1, "owed"),
    )
    [change] = played.economy().changes
    assert "Spend luck for a coin more" == change.source


def test_overflow_has_its_own_source() -> None:
    """A pool's excess is counted separately where it arrives, whatever its cause."""
    c2d10 = get("c2d10")
    over = c2d10.words.say("points.overflow", account="hero points")
    opened = TableOpened("c2d10", "Full", {})
    close, full = MoveMade("check.close", "ann", {}), PointsSet("hero", "", 10, 2, "")
    happened: list[Event] = [
        opened,
        PeriodBegan("session", 1),
        close,
        full,
        PointsSet("villain", "", 3, 3, over),
    ]
    shown = economy.economy(records_of(happened, "ann", 0, 0), c2d10)
    assert ["More hero points than there was room for", "Successes above what was needed"] == [
        one.source for one in shown.sources
    ]
    assert [10, 20] == [account.most for account in shown.accounts]


def test_hoarding_side_is_noted_gently() -> None:
    """A note appears if the players spent nothing for some actions and the GM has nothing."""
    quiet = [CheckClosed(f"c{n}", "done") for n in range(economy.SITTING_CHECKS)]
    start = [PeriodBegan("session", 1), PointsSet("luck", "", 3, 3, "start")]
    assert () == ledger(*start, *quiet[1:]).economy().notes
    [note] = ledger(*start, *quiet).economy().notes
    assert "3 luck" in note
    assert () == ledger(*start, *quiet, *spend(1, 2)).economy().notes
    assert () == ledger(*start, PointsSet("doom", "", 1, 1, "some"), *quiet).economy().notes
    assert () == ledger(*start, *quiet, PeriodEnded("session", 1)).economy().notes
    [note] = (
        ledger(PeriodBegan("session", 1), PointsSet("doom", "", 2, 2, "start"), *quiet)
        .economy()
        .notes
    )
    assert "the players get one back" in note
    [note] = (
        ledger(PeriodBegan("session", 1), PointsSet("doom", "", 1, 1, "start"), *quiet)
        .economy()
        .notes
    )
    assert "You have the only doom. Spend it, and the players get one back." == note


def test_new_owner_of_all_points_is_no_hoarder() -> None:
    """A side that spent nothing before it had all points gets no note."""
    genesys = get("genesys")
    quiet: list[Event] = [CheckClosed(f"c{n}", "done") for n in range(economy.SITTING_CHECKS)]
    # The GM spends the last point, which crosses over to the players when that action is done.
    spent: list[Event] = [
        MoveMade("story.upgrade", "gm", {}),
        PointsSet("gm", "", 0, -1, "an upgrade"),
    ]
    crosses: list[Event] = [
        CheckClosed("c", "done"),
        PointsSet("players", "", 3, 1, "a point changes sides"),
    ]
    start: list[Event] = [
        PeriodBegan("session", 1),
        PointsSet("players", "", 2, 2, "start"),
        PointsSet("gm", "", 1, 1, "start"),
    ]

    def notes(*then: Event) -> tuple[str, ...]:
        events: list[Event] = [
            TableOpened("genesys", "", {}),
            *start,
            *quiet,
            *spent,
            *crosses,
            *then,
        ]
        return economy.economy(records_of(events, "gm", 0, 0), genesys).notes

    assert () == notes() == notes(*quiet[1:])
    assert (
        "The players have all 3 Story Points and spend none. Raise the stakes, and they will.",
    ) == notes(*quiet)


def test_both_sides_see_the_locked_side() -> None:
    """A side without points reads who holds them, and the holder reads it too."""
    quiet = [CheckClosed(f"c{n}", "done") for n in range(economy.SITTING_CHECKS)]
    hoards = {
        side: ledger(PeriodBegan("session", 1), PointsSet(points, "", 2, 2, "start"), *quiet)
        for side, points in (("player", "luck"), ("gm", "doom"))
    }
    for sitting, own in hoards.items():
        locked: Side = "gm" if sitting == "player" else "player"
        [mine], [theirs] = own.economy("player").notes, own.economy("gm").notes
        shown = {"player": mine, "gm": theirs}
        assert (
            "You have all the points. Spend one" in shown["player" if sitting == "player" else "gm"]
        )
        assert "You have all the points" not in shown[locked]
        assert () == own.economy("spectator").notes


def test_note_is_only_for_returning_points() -> None:
    """Dune's Threat brings players nothing when spent, so no note claims it."""
    quiet = [CheckClosed(f"c{n}", "done") for n in range(economy.SITTING_CHECKS)]
    for key, points, expected in (("dune", "threat", 0), ("starwars", "dark", 1)):
        events: list[Event] = [
            TableOpened(key, "", {}),
            PeriodBegan("session", 1),
            PointsSet(points, "", 9, 9, "start"),
            *quiet,
        ]
        shown = economy.Ledger(get(key)).enter(records_of(events, "ann", 0, 0)).economy("player")
        assert expected == len(shown.notes)


def test_hidden_actions_affect_no_note() -> None:
    """A note has the same numbers for everybody, without hidden actions."""
    start = [PeriodBegan("session", 1), PointsSet("luck", "", 3, 3, "start")]
    hidden = [CheckClosed(f"c{n}", "done", GM_ONLY) for n in range(economy.SITTING_CHECKS)]
    assert () == ledger(*start, *hidden).economy().notes


def test_note_is_for_both_sides(party: Party) -> None:
    """All see balances and spending; players and GMs read who is locked, in the feed too."""
    for _ in range(economy.SITTING_CHECKS):
        party.ann.move(party.id, "check.declare", **{"as": "ilse", "pool": "2 coin"})
        party.ann.move(party.id, "check.roll")
        party.ann.move(party.id, "check.close")
    played = party.gm.get(f"{party.path}/economy")
    assert ["luck", "doom"] == [account["account"] for account in played["accounts"]]
    assert 1 == len(played["notes"])
    seen = party.ann.get(f"{party.path}/economy")
    assert 1 == len(seen["notes"])
    assert {**played, "notes": seen["notes"]} == seen
    with party.gm.live(party.id) as gm, party.ann.live(party.id) as ann:
        gm.follow(0, offers=True)
        ann.follow(0, offers=True)
        assert (played["notes"], seen["notes"]) == (
            gm.hear("offers")["notes"],
            ann.hear("offers")["notes"],
        )
