"""Verified dice in a browser: the page's verifier, the independent one, and the mark on a roll."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from hmac import digest
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from storypool.engine.events import DiceBound, DiceRolled, Record
from storypool.log.export import import_records
from storypool.log.fair import seal
from storypool.log.verified import verified
from storypool.web.wire import record_json
from tests.browser.guests import DESK, Come, Party
from tests.browser.page_scripts import script
from tests.fair_logs import (
    CHEATS,
    RANGES,
    as_file,
    bound,
    cards_swapped,
    cheated,
    honest,
    number_left_out,
    rewritten,
    started_again,
    with_cards,
)

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "/verify-dice.mjs": ROOT / "docs" / "verify-dice.mjs",
    "/proof.js": ROOT / "src/storypool/web/static/js/dice/proof.js",
    "/sha256.js": ROOT / "src/storypool/web/static/js/dice/sha256.js",
}
INDEPENDENT = (
    "async (files) => { const { verify } = await import('/verify-dice.mjs'); return"
    " Promise.all(files.map(verify)); }"
)
OF_THE_PAGE = """async ([logs, ranges, own, whole = true]) => {
    const { Verifier } = await import('/proof.js');
    return logs.map((records) => {
        const verifier = new Verifier(ranges, (hash) => own[hash], whole);
        for (const record of records) verifier.take(record);
        const told = [...verifier.found].map(([seq, { verdict, fault }]) => [seq, verdict, fault]);
        return told.sort((one, other) => one[0] - other[0]);
    });
}"""
SPARE = """async ([numbers, log]) => {
    const { spare } = await import('/proof.js');
    return spare(new Map(numbers), 'table/ann', 'ann', log) ?? null;
}"""
HASHES = script("hashes")
OPENED = script("opened-numbers")

TURNED_OVER = script("change-a-face")


def evaluated(browser: Browser, *asked: tuple[str, Any]) -> list[Any]:
    """The results of functions in a page with only these files."""

    def serve(route: Route) -> None:
        file = FILES.get(route.request.url.removeprefix("http://localhost"))
        kind = "text/javascript" if file else "text/html"
        route.fulfill(body=file.read_text(encoding="utf-8") if file else "", content_type=kind)

    page = browser.new_page()
    page.route("**/*", serve)
    page.goto("http://localhost/")
    given = [page.evaluate(function, argument) for function, argument in asked]
    page.close()
    return given


def as_page(records: list[Record]) -> list[dict[str, Any]]:
    """A log in the form that a page gets."""
    return [json.loads(record_json(one, "", False)) for one in records]


def test_every_verifier_finds_every_cheat(browser: Browser) -> None:
    """The page, the independent verifier and Python agree on honest and false logs."""
    # The browser has an event loop of its own in this thread.
    with ThreadPoolExecutor() as apart:
        log = apart.submit(honest).result()
        cards = apart.submit(with_cards).result()
    golden = import_records(
        (ROOT / "tests/logs/events-dice.jsonl").read_bytes().splitlines(keepends=True)
    )
    logs = [log, *(cheated(cheat, log) for cheat in CHEATS)]
    logs += [cards, cheated(cards_swapped, cards)]
    own = {}
    binding = [bound(record) for record in log if isinstance(record.event, DiceBound)]
    for before, after in pairwise(binding):
        # What Mona's page remembers: its number, and what it saw when it opened that.
        saw = json.dumps(
            [before.row, before.place, before.next, before.sealed], separators=(",", ":")
        )
        number = after.numbers[0]
        own[seal(number)] = {
            "number": number,
            "taken": True,
            "saw": sha256(saw.encode()).hexdigest(),
        }
    texts = [("key", "x" * n) for n in (0, 1, 55, 56, 63, 64, 65, 119, 120, 1000)]
    files = [as_file(one).decode() for one in [*logs, golden]]
    pages = [as_page(one) for one in logs]
    independent, page, mine, [theirs], hashes = evaluated(
        browser,
        (INDEPENDENT, files),
        (OF_THE_PAGE, [pages, RANGES, {}]),
        (OF_THE_PAGE, [[*pages, as_page(cheated(rewritten, log))], RANGES, own]),
        (OF_THE_PAGE, [[as_page(golden)], {}, {}]),
        (HASHES, texts),
    )
    for records, alone in zip([*logs, golden], independent, strict=True):
        verdicts = [(one.seq, one.verdict, one.fault or "") for one in verified(records)]
        assert verdicts == [(one["seq"], one["verdict"], one["why"]) for one in alone]
    for records, alone in zip(logs, page, strict=True):
        rolls = {record.seq for record in records if isinstance(record.event, DiceRolled)}
        verdicts = [
            (one.seq, one.verdict, one.fault or "")
            for one in verified(records, RANGES)
            if one.seq in rolls
        ]
        assert verdicts == [tuple(one) for one in alone]
    assert [(one.seq, one.verdict, one.fault or "") for one in verified(golden)] == [
        tuple(one) for one in theirs
    ]
    assert ["mine"] * 4 == [verdict for _, verdict, _ in mine[0]]
    left = mine[1 + list(CHEATS).index(number_left_out)]
    assert ("false", "left") in [tuple(one[1:]) for one in left]
    assert ["fair"] * 4 == [one.verdict for one in verified(cheated(rewritten, log), RANGES)]
    assert ["mine", "false", "mine", "mine"] == [verdict for _, verdict, _ in mine[-1]]
    assert "changed" == mine[-1][1][2]
    known = [
        (sha256(t.encode()).hexdigest(), digest(k.encode(), t.encode(), "sha256").hex())
        for k, t in texts
    ]
    assert known == [tuple(one) for one in hashes]


def test_page_verifies_the_end_of_a_log(browser: Browser) -> None:
    """Each roll has the verdict of the whole log, or is bound in an earlier part."""
    with ThreadPoolExecutor() as apart:
        log = apart.submit(honest).result()
    whole = {found.seq: found.verdict for found in verified(log, RANGES)}
    ends = [log[n:] for n in range(1, len(log))]
    second = next(
        n
        for n, record in enumerate(log)
        if isinstance(record.event, DiceBound) and record.event.place == 1
    )
    later = [cheated(cheat, log)[second:] for cheat in CHEATS]
    evaluated_there, cheats = evaluated(
        browser,
        (OF_THE_PAGE, [[as_page(end) for end in ends], RANGES, {}, False]),
        (OF_THE_PAGE, [[as_page(end) for end in later], RANGES, {}, False]),
    )
    for end, found in zip(ends, evaluated_there, strict=True):
        assert {record.seq for record in end if isinstance(record.event, DiceRolled)} == {
            seq for seq, _, _ in found
        }
        for n, (seq, verdict, _) in enumerate(found):
            assert verdict == whole[seq] or (n == 0 and verdict == "before")
    for cheat, found in zip(CHEATS, cheats, strict=True):
        whole = {one.seq: one.verdict for one in verified(cheated(cheat, log), RANGES)}
        verdicts, known = [verdict for _, verdict, _ in found], [whole[seq] for seq, _, _ in found]
        # That there was a row before shows in what came before.
        at_once = [verdict if verdict != "anew" else "before" for verdict in known]
        assert verdicts in (known, at_once) or (cheat is started_again and "false" in verdicts), (
            cheat.__name__
        )


def test_page_seals_no_number_twice(browser: Browser) -> None:
    """Only waiting numbers are sealed, not opened or bound ones or another seat's."""
    log = [
        {"seq": 1, "event": None},
        {"seq": 2, "event": {"type": "dice.bound", "sealed": ["ann=bound", "bo=waits"]}},
    ]
    waits = ["waits", {"of": "table/ann", "number": "1"}]
    others = [
        ["opened", {"of": "table/ann", "number": "2", "saw": "it"}],
        ["bound", {"of": "table/ann", "number": "3"}],
        ["elsewhere", {"of": "other/ann", "number": "4"}],
    ]
    assert ["waits", None] == evaluated(
        browser, (SPARE, [[waits, *others], log]), (SPARE, [others, log])
    )


@pytest.mark.fair
def test_page_marks_each_roll(come: Come) -> None:
    """Each page takes part automatically and marks verified rolls; typed dice are marked too."""
    party = Party(come, size=DESK).sit()
    guests = (party.gm, party.ann, party.bo)
    for guest in guests:
        guest.until(OPENED, 3)
    party.declare()
    party.make("ann", "destiny.pass")
    party.make("mira", "destiny.pass")
    party.make("ann", "check.roll")
    for guest in guests:
        expect(guest.page.locator(".log-entry .verification-mark[data-fair=mine]")).to_have_count(1)
    party.ann.page.reload()
    mark = party.ann.page.locator(".log-entry .verification-mark")
    expect(mark).to_have_attribute("aria-label", "Verified by this page")
    mark.click()
    party.ann.read("Nobody can have chosen this roll.")
    # A host who turns a die over after the roll: the page says so at once, and where.
    party.bo.page.evaluate(TURNED_OVER)
    party.bo.read("A roll at this table is false.")
    party.bo.page.locator(".log-entry .verification-mark[data-fair=false]").click()
    party.bo.read("The dice do not show the faces that the numbers give.")
