"""The benchmark of pages makes the same requests as real pages through a check."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

import httpx
import pytest
from playwright.sync_api import APIResponse, Request, Route, WebSocket, expect

from benchmarks._page import Page, answer, kind_of
from tests.browser.guests import WAIT, Come, Guest, Party
from tests.browser.page_scripts import script

T = TypeVar("T")
PREVIEW = "watch preview"
"""A form's request of a page."""


SHOWN = script("shown-table")
WEIGHED = """async (seq) => {
    const { odds, store } = await import(document.querySelector('script[type=module]').src);
    return !store.check.value || (odds.weighed.value?.seq ?? 0) >= seq;
}"""
"""Whether a page has this record's odds, if there is an action."""


class Loop:
    """An event loop in a thread, for clients without a browser."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.pages: list[Page] = []

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of this coroutine."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(WAIT / 1000)

    def close(self) -> None:
        """Close every connection, and stop."""
        for page in self.pages:
            self.do(page.leave())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


@pytest.fixture
def loop() -> Iterator[Loop]:
    """A loop for the benchmark's pages."""
    loop = Loop()
    yield loop
    loop.close()


class Both:
    """One seat with a real page and a benchmark page."""

    def __init__(self, gm: Guest, guest: Guest, table: str, seat: str, loop: Loop) -> None:
        self.guest, self.loop = guest, loop
        link = gm.api("POST", f"/api/tables/{table}/links", seat="mira", side="device", whose=seat)
        secret, server = link["path"].partition("#link=")[2], guest.server.address
        body = {"seat": seat, "program": True}
        joined = httpx.post(
            f"{server}/api/join", json=body, headers={"Authorization": f"Bearer {secret}"}
        ).json()
        self.page = Page(int(server.rpartition(":")[2]), table, seat, joined["token"])
        self.asked: Counter[str] = Counter()
        self.start = f"/api/tables/{table}/"
        self.names: set[str] = set()
        self.watched: dict[str, Any] = {}
        self.pending: set[str] = set()
        """The previews without an answer."""
        self.answers = 0
        guest.hear("request", self._hear)
        guest.hear("websocket", self._follow)
        guest.at(table, seat)
        loop.pages.append(self.page)
        loop.do(self.page.come())

    def _hear(self, request: Request) -> None:
        path = request.url.removeprefix(self.guest.server.address)
        if path.startswith(self.start):
            self.asked[kind_of(request.method, path.removeprefix(self.start))] += 1

    def _follow(self, feed: WebSocket) -> None:
        feed.on("framesent", lambda message: self._say(json.loads(message)))
        feed.on("framereceived", lambda heard: self._take(json.loads(heard)))

    def _take(self, heard: dict[str, Any]) -> None:
        if heard["type"] == "answer":
            self.answers += 1
            self.pending.discard(heard["name"])

    def _say(self, message: dict[str, Any]) -> None:
        self.watched = message.get("questions", self.watched)
        for name, question in self.watched.items():
            if name not in self.names:
                self.names.add(name)
                if "preview" in question:
                    self.pending.add(name)
                of_move = " of a move" if question.get("move") else ""
                self.asked[
                    "watch preview" if "preview" in question else f"watch odds{of_move}"
                ] += 1
        if message["type"] not in ("ping", "pong", "watch"):
            self.asked[message["type"]] += 1

    def begin(self) -> None:
        """Start to count."""
        self.asked.clear()
        self.page.asked.clear()

    def same(self, seq: int) -> bool:
        """Whether both show the state after this record with its odds, and equal counts."""
        mine, theirs = self.asked["POST numbers"], self.page.asked["POST numbers"]
        return (
            self.page.weighed
            and self.page.table["seq"] >= seq
            and mine == theirs
            and self.weighed(seq)
        )

    def weighed(self, seq: int) -> bool:
        """Whether the real page has this record's odds, if there is an action."""
        return bool(self.guest.page.evaluate(WEIGHED, seq))


class Table:
    """A game master and a player, each on both kinds of page."""

    def __init__(self, come: Come, loop: Loop) -> None:
        party = Party(come)
        self.id, self.loop = party.id, loop
        self.mira = Both(party.gm, party.gm, self.id, "mira", loop)
        self.ann = Both(party.gm, party.ann, self.id, "ann", loop)
        assert [1, 1] == [one.asked["follow"] for one in (self.mira, self.ann)]
        # A page that joins after the binding of the next roll has fewer numbers to send.
        party.bound("mira", "ann")
        for one in (self.mira, self.ann):
            one.guest.caught_up(self.seq)
            one.begin()
        self.last = self.seq

    @property
    def seq(self) -> int:
        """The number of the last record."""
        return int(self.mira.guest.api("GET", f"/api/tables/{self.id}?seat=mira")["seq"])

    def settled(self) -> None:
        """Wait for a new record, until all pages show it and have sent their requests."""
        before = self.last
        self.wait(self.mira, lambda: self.seq > before)
        self.last = seq = self.seq
        for both in (self.mira, self.ann):
            both.guest.caught_up(seq)
            self.wait(both, lambda both=both: both.same(seq))

    def wait(self, both: Both, done: Any) -> None:
        """Wait for a condition, up to the longest wait."""
        end = time.monotonic() + WAIT / 1000
        while not done():
            assert time.monotonic() < end, (both.asked, both.page.asked)
            both.guest.page.wait_for_timeout(20)

    def previewed(self, n: int) -> None:
        """Wait until Ann's and Mira's real pages have this many previews, with retries."""
        both = self.ann, self.mira
        self.wait(
            self.ann,
            lambda: (
                sum(one.asked[PREVIEW] for one in both) >= n
                and not any(one.pending for one in both)
            ),
        )
        for one in (self.ann, self.mira):
            expect(one.guest.page.locator("form[aria-busy=true]")).to_have_count(0)


def by_hand(table: Table) -> None:
    """A check on the real pages: tried, difficulty set, a die added, a point spent and rolled."""
    ann, gm = table.ann.guest, table.mira.guest
    ann.tap("Make a check")
    form = ann.page.locator("dialog[open]")
    table.previewed(1)
    form.get_by_label("What are you trying to do?").fill("Slip past the guards")
    table.previewed(2)
    form.locator("[data-ask=skill] .chosen").click()
    form.get_by_role("searchbox").fill("stealth")
    form.get_by_role("searchbox").press("Enter")
    table.previewed(3)
    form.get_by_role("button", name="Make a check").click()
    table.settled()
    gm.see(".chips[data-move='check.difficulty']").get_by_text("Average").click()
    table.settled()
    before = table.mira.asked[PREVIEW] + table.ann.asked[PREVIEW]
    gm.offer("pool.add").click()
    form = gm.page.locator("dialog[open]").last
    # The number of dice begins with an answer, which is previewed too.
    table.previewed(before + 2)
    form.locator("[data-ask=die]").get_by_text("Setback").click()
    table.previewed(before + 3)
    form.get_by_label("Why?").fill("Smoke")
    table.previewed(before + 4)
    form.locator("button[type=submit]").click()
    table.settled()
    expect(gm.page.locator("dialog[open]")).to_have_count(0)
    ann.offer("destiny.upgrade").click()
    table.settled()
    gm.offer("destiny.pass").click()
    table.settled()
    ann.rolls(FACES)
    ann.offer("check.roll").click()
    table.settled()
    # The menu previews its first row.
    table.previewed(before + 5)


def by_program(table: Table) -> None:
    """The same on the benchmark's pages, each move after all show the last one's result."""
    ann, gm = table.ann.page, table.mira.page
    moves: tuple[Callable[[], Coroutine[Any, Any, int]], ...] = (
        lambda: ann.fill("check.declare", {"title": "Slip past the guards"}, {"skill": "stealth"}),
        lambda: gm.choose("check.difficulty", {"difficulty": "average"}),
        lambda: gm.fill("pool.add", {"die": "setback"}, {"why": "Smoke"}),
        lambda: ann.make("destiny.upgrade"),
        lambda: gm.make("destiny.pass"),
        lambda: ann.make("check.roll", {"faces": FACES}),
    )
    for move in moves:
        table.loop.do(move())
        table.settled()
    table.wait(table.ann, lambda: not ann.previewing)


async def ended(*pages: Page) -> None:
    """End the check on the benchmark's pages, whatever its result."""
    while pages[0].actions:
        page, move, args = answer(pages, ("spend.waive", "check.close"))
        seq = await page.make(move, args)
        for one in pages:
            await one.shows(seq)
            await one.until(lambda one=one: one.weighed)  # type: ignore[misc]


SEEN = """(state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""
"""Hide a page as behind another window, or show it again."""


def hidden(table: Table) -> None:
    """Hidden, Ann's page watches nothing; shown, it gets one answer for the newest record."""
    ann, mira = table.ann, table.mira
    ann.guest.page.evaluate(SEEN, "hidden")
    table.wait(ann, lambda: ann.watched == {})
    answers = ann.answers
    for text in ("So", "Careful", "Now"):
        message = table.loop.do(mira.page.make("table.say", {"text": text}))
        ann.guest.caught_up(message)
        table.wait(mira, lambda message=message: mira.same(message))
    assert answers == ann.answers
    ann.guest.page.evaluate(SEEN, "visible")
    table.wait(ann, lambda: ann.same(message))
    assert answers + 1 == ann.answers
    table.last = table.seq


FACES = "2 2 6 1 1 1"
"""Dice results: a success with an Advantage to spend keeps the action open with odds."""


@pytest.mark.exhaustive
def test_benchmark_requests_match_the_page(come: Come, loop: Loop) -> None:
    """A check by taps and by program makes the same requests, with odds once an action."""
    table = Table(come, loop)
    both = {"ann": table.ann, "mira": table.mira}
    by_hand(table)
    hands = {seat: Counter(one.asked) for seat, one in both.items()}
    assert {1} == {one["watch odds"] for one in hands.values()}
    hidden(table)
    loop.do(ended(table.ann.page, table.mira.page))
    table.settled()
    for one in both.values():
        one.begin()
    by_program(table)
    assert hands == {seat: one.page.asked for seat, one in both.items()}
    for one in both.values():
        shown = {"table": one.page.table, "offers": one.page.offers, "waits": one.page.waits}
        assert shown == one.guest.page.evaluate(SHOWN)


def test_sent_form_asks_nothing_about_its_action(come: Come) -> None:
    """Although the feed arrives before its answer, and the form is open until then."""
    party = Party(come)
    ann, questions, late = party.ann, list[dict[str, Any]](), list[tuple[Route, APIResponse]]()

    def follow(feed: WebSocket) -> None:
        feed.on(
            "framesent",
            lambda message: questions.extend(json.loads(message).get("questions", {}).values()),
        )

    ann.hear("websocket", follow)
    ann.at(party.id, "ann")
    ann.page.route("**/moves", lambda route: late.append((route, route.fetch())))
    ann.tap("Make a check")
    form = ann.page.locator("dialog[open] form")
    form.get_by_label("What are you trying to do?").fill("Slip past the guards")
    form.locator("[data-ask=skill] .chosen").click()
    form.get_by_role("searchbox").fill("stealth")
    form.get_by_role("searchbox").press("Enter")
    form.locator("[data-ask=difficulty]").get_by_text("Average").click()
    expect(form).not_to_have_attribute("aria-busy", "true")
    form.locator("button[type=submit]").press("Enter")
    expect(ann.page.locator(".stage[data-phase=build] .action-title")).to_have_text(
        "Slip past the guards"
    )
    # The odds of the action are asked for when it is drawn, and so was what the form asked.
    ann.weighed(party.gm.log(party.id, "mira")[-1]["seq"])
    [(route, answer)] = late
    expect(form).to_be_visible()
    route.fulfill(response=answer)
    expect(form).to_have_count(0)
    assert [] == [one for one in questions if one.get("move")]
    assert any(one.get("brief") for one in questions)
