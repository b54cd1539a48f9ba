"""A bad evening: double taps, lost connections, nonsense, and taps during animations."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Request, Route, expect

from tests.browser.guests import DESK, HOLDING, Come, Guest, Party, Serve
from tests.browser.page_scripts import script


def moves(guest: Guest, party: Party, seat: str, key: str) -> int:
    """The number of records of this move."""
    log = guest.log(party.id, seat)
    return sum(one["event"] is not None and one["event"].get("move") == key for one in log)


IDLE = """async () => {
    const { store } = await import(document.querySelector('script[type=module]').src);
    return !store.busy.value;
}"""
"""Whether no move is under way or waits for another."""


def hold_first(guest: Guest) -> tuple[list[Route], list[str]]:
    """The first move that the page sends from now on, held back, and the keys of all it sends."""
    held, sent = list[Route](), list[str]()

    def hold(route: Route) -> None:
        sent.append(json.loads(route.request.post_data or "{}")["move"])
        if held:
            route.continue_()
        else:
            held.append(route)

    guest.page.route("**/moves", hold)
    return held, sent


def test_double_tap_makes_one_move(come: Come) -> None:
    """Two quick taps on a button, or on the submit button of a form, make one move."""
    party = Party(come).sit("ann", "bo")
    ann = party.ann
    party.declare()
    ann.offer("destiny.upgrade").dblclick()
    expect(ann.page.locator(".point[data-state=turning]")).to_have_count(1)
    party.make("mira", "destiny.pass")
    expect(ann.page.locator("#primary")).to_contain_text("Roll the dice")
    ann.page.locator("#primary").dblclick()
    ann.see(".outcome .result")
    assert 1 == moves(ann, party, "ann", "destiny.upgrade")
    assert 1 == moves(ann, party, "ann", "check.roll")
    party.bo.offer("destiny.fact").click()
    party.bo.page.get_by_label("What turns out to be true?").fill("There is a side door")
    party.bo.page.locator("dialog[open] button[type=submit]").dblclick()
    expect(party.bo.page.locator("dialog[open]")).to_have_count(0)
    assert 1 == moves(party.bo, party, "bo", "destiny.fact")


def test_tap_while_leaving_sends_nothing(come: Come) -> None:
    """A move tapped before the seat is free waits for that, and would then be refused."""
    ann = Party(come).sit("ann").ann
    ann.expected |= {401, 404}
    held, sent = hold_first(ann)
    ann.view("Table")
    ann.tap("Leave the table")
    with ann.page.expect_request("**/moves"):
        ann.top.get_by_role("button", name="Leave the table").click()
    ann.view("Log")
    ann.page.get_by_label("Write in the log").fill("One more thing")
    ann.tap("Send")
    held[0].continue_()
    ann.read("This device has no seat at this table.")
    ann.until(IDLE)
    assert ["seat.remove"] == sent


TWO_LINES = """async () => {
    const { store } = await import(document.querySelector('script[type=module]').src);
    for (const text of ['One', 'Two']) store.make('table.say', { text });
}"""


def test_move_never_reaches_another_table(come: Come) -> None:
    """A page that goes to another table drops the moves that wait, and those without an answer."""
    gm = Party(come).sit("mira").gm
    gm.server_is_gone = True
    other = gm.api("POST", "/api/tables", system="c2d10", title="Elsewhere", name="Mira")["table"]
    held, sent = hold_first(gm)
    with gm.page.expect_request("**/moves"):
        gm.page.evaluate(TWO_LINES)
    gm.go(other, f"/t/{other}?seat=mira")
    held[0].abort()
    gm.until(IDLE)
    gm.still()
    expect(gm.page.locator(".banner")).to_have_count(0)
    assert ["table.say"] == sent


def test_lost_connection_is_shown_and_recovers(come: Come) -> None:
    """An offline page says so; a move is not sent silently, and a retry makes it once."""
    party = Party(come).sit()
    ann, gm = party.ann, party.gm
    party.declare()
    ann.see(".pool .die")
    ann.server_is_gone = True
    lost: list[str] = []

    def cut(route: Route) -> None:
        # The answer is lost on its way back: the move was made, and the page cannot know it.
        lost.append(route.request.post_data or "")
        route.fetch()
        route.abort()

    ann.page.route("**/moves", cut)
    ann.offer("destiny.upgrade").click()
    ann.read("Not sent:")
    with ann.page.expect_request("**/moves"):
        ann.tap("Retry (safe to repeat)")
    ann.read("Not sent:")
    # Later it is automatically sent once more, always with the same token.
    ann.page.unroute_all(behavior="wait")
    expect(ann.page.locator(".banner")).to_have_count(0)
    assert len(lost) > 1
    assert 1 == len({json.loads(one)["token"] for one in lost})
    assert 1 == moves(ann, party, "ann", "destiny.upgrade")

    # Without any network nothing is sent; the tap is automatically sent again on reconnection.
    bo = party.bo
    bo.server_is_gone = True
    bo.view("Log")
    bo.page.get_by_label("Write in the log").fill("Wait for me")
    bo.context.set_offline(True)
    bo.tap("Send")
    bo.read("Not sent:")
    bo.context.set_offline(False)
    bo.read("Sent now:")
    expect(bo.page.locator(".banner")).to_have_count(0)
    gm.view("Log")
    expect(gm.page.locator(".log-entry", has_text="Wait for me")).to_have_count(1)
    assert 1 == moves(bo, party, "bo", "table.say")


AWAY = {
    "error": {
        "code": "unreachable",
        "text": "The PostgreSQL database d does not answer.",
        "remedy": "",
    }
}


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 502, "content_type": "text/html", "body": "<h1>Bad Gateway</h1>"},
        {"status": 503, "json": AWAY},
    ],
    ids=["a proxy", "a database"],
)
def test_gateway_error_is_not_a_refusal(come: Come, answer: dict[str, Any]) -> None:
    """If a proxy or server lost its backend, the move is retried with its token, once."""
    party = Party(come).sit("ann")
    ann = party.ann
    party.declare()
    ann.see(".pool .die")
    ann.server_is_gone = True
    sent: list[str] = []

    def lose(route: Route) -> None:
        route.fetch()
        route.fulfill(**answer)

    def is_second(request: Request) -> bool:
        if request.url.endswith("/moves"):
            sent.append(json.loads(request.post_data or "{}")["token"])
        return len(sent) == 2

    ann.page.route("**/moves", lose, times=1)
    # Nothing is looked at in between: on a slow machine it is sent again before that.
    with ann.page.expect_request(is_second):
        ann.offer("destiny.upgrade").click()
    assert sent[0] == sent[1]
    expect(ann.page.locator(".banner")).to_have_count(0)
    assert 1 == moves(ann, party, "ann", "destiny.upgrade")


def test_feed_catches_up_without_a_gap(come: Come, serve: Serve) -> None:
    """Records made while the server was unreachable arrive once each."""
    server = serve()
    party = Party(lambda *size, **more: come(*size, to=server, **more)).sit("ann")
    ann = party.ann
    ann.view("Log")
    ann.see(".log-entry")
    for guest in (party.gm, party.ann, party.bo):
        guest.server_is_gone = True
    server.kill()
    ann.read("Offline. Reconnecting")
    server.start()
    for n in range(30):
        party.make("mira", "table.say", text=f"Line {n}")
    expect(ann.page.locator(".log-entry", has_text="Line 29")).to_be_visible()
    numbers = ann.page.locator("[data-seq]").evaluate_all(
        "all => all.map(one => Number(one.dataset.seq))"
    )
    shown = [one["seq"] for one in ann.log(party.id, "ann") if one["text"]]
    assert shown == numbers

    # Started where it may not write, it is there to be read: the page says so, and keeps what was
    # typed.
    server.kill()
    (server.data / "storypool.witness.draft").mkdir()
    server.start()
    banner = ann.page.locator(".banner", has_text="This server may not write to its data folder")
    expect(banner).to_contain_text("nothing is lost")
    line = ann.page.get_by_label("Write in the log")
    line.fill("Does anybody hear me?")
    with ann.page.expect_response("**/moves") as answer:
        ann.tap("Send")
    assert 503 == answer.value.status
    expect(line).to_have_value("Does anybody hear me?")
    expect(ann.page.locator(".log-entry", has_text="Line 29")).to_be_visible()
    server.kill()
    (server.data / "storypool.witness.draft").rmdir()
    server.start()
    ann.tap("Send")
    expect(ann.page.locator(".log-entry", has_text="Does anybody hear me?")).to_be_visible()
    expect(banner).to_have_count(0)


WITHOUT_SOCKETS = script("without-sockets")


def test_page_is_live_without_websockets(come: Come) -> None:
    """Server-sent events replace a WebSocket that does not get through.

    Their silent failure is detected within ten seconds too.
    """
    party = Party(come)
    ann = party.ann
    ann.server_is_gone = True
    ann.prepare(f"({WITHOUT_SOCKETS})()")
    ann.page.clock.install()
    ann.at(party.id, "ann")
    ann.weighed(party.declare("Through the tunnel"))
    ann.read("Through the tunnel")
    # Its questions are requests, made again where the server had no time.
    ann.expected |= {429, 503}
    answers = iter([429, 503])
    busy = (
        '{"error": {"code": "crowded", "text": "Too much waits here.", "remedy": "Try again in a'
        ' moment."}}'
    )
    ann.page.route(
        "**/odds?**",
        lambda route: route.fulfill(
            status=next(answers), content_type="application/json", body=busy
        ),
        times=2,
    )
    seq = party.make("ann", "destiny.upgrade")
    expect(ann.page.locator(".odds[data-old=true]")).to_be_visible()
    ann.weighed(seq)
    assert [] == list(answers)
    party.make("ann", "check.cancel")
    expect(ann.page.locator(".calm")).to_be_visible()
    ann.page.evaluate("window.dead = true")
    ann.page.clock.run_for(10_000)
    ann.read("Offline. Reconnecting")


def test_move_is_logged_before_its_feed(come: Come) -> None:
    """The answer's records are shown at once and only once, whenever the feed brings them.

    A silent failure is detected within ten seconds.
    """
    party = Party(come)
    ann = party.ann
    ann.prepare(HOLDING)
    ann.page.clock.install()
    ann.at(party.id, "ann")
    # Pages seal their numbers automatically; the bindings of the next roll are not meant here.
    party.bound("ann")
    ann.up_to_date()
    ann.view("Log")
    ann.page.evaluate("window.holding = 'record'")
    ann.page.get_by_label("Write in the log").fill("I was first")
    ann.tap("Send")
    mine = ann.page.locator(".log-entry", has_text="I was first")
    expect(mine).to_be_visible()
    ann.page.wait_for_function("() => window.held.length === 2")
    ann.page.evaluate("window.release()")
    party.make("bo", "table.say", text="And I am second")
    expect(ann.page.locator(".log-entry", has_text="And I am second")).to_be_visible()
    expect(mine).to_have_count(1)
    ann.page.evaluate("window.dead = true")
    ann.page.clock.run_for(10_000)
    ann.read("Offline. Reconnecting")
    # The line is dead until the press: the page's own retry would remove the button.
    ann.page.evaluate(
        "addEventListener('click', () => { window.dead = false }, { capture: true, once: true })"
    )
    ann.tap("Try now")
    ann.live()


def test_nonsense_gets_a_sentence(come: Come) -> None:
    """An invalid pool, too many dice and odd characters get a clear sentence and do no harm."""
    party = Party(come).sit("ann")
    ann = party.ann
    ann.tap("Make a check")
    form = ann.page.locator("dialog[open]")
    form.get_by_role("button", name="More options").click()
    written = form.locator("[data-ask=pool] input.notation")
    for text, reason in (
        ("7 unicorns", "is not a die of this game"),
        ("2000 ability", "at most"),
        ("3 / 2D", "Name a die after the number."),
    ):
        written.fill(text)
        expect(form.locator("[data-ask=pool] .field-error").first).to_contain_text(reason)
    written.fill("2A1P/2D")
    expect(form.locator("[data-ask=pool]")).to_contain_text(
        "2 ability 1 proficiency vs 2 difficulty"
    )
    form.locator("[data-ask=pool] .dice-dials li").nth(2).get_by_role("button").last.click()
    expect(form.locator("[data-ask=pool]")).to_contain_text("1 boost")
    form.get_by_label("What are you trying to do?").fill(
        "<img src=x onerror=alert(1)> & “quotes” \u202e"
    )
    form.get_by_role("button", name="Make a check").click()
    expect(ann.page.locator(".action-title")).to_contain_text("<img src=x onerror=alert(1)> &")
    assert 0 == ann.page.locator(".action-title img").count()
    ann.expected |= {401}
    ann.open("/join#link=nonsense")
    ann.read("This link does not work")
    ann.open("/t/nothing?seat=nobody")
    ann.read("This device has no seat at this table.")


def test_real_dice_are_never_rolled_by_the_server(come: Come) -> None:
    """If a player has real dice, the server rolls nothing and needs every face."""
    party = Party(come).sit("ann")
    ann = party.ann
    party.declare()
    party.make("ann", "destiny.pass")
    party.make("mira", "destiny.pass")
    ann.tap("I rolled real dice")
    form = ann.page.locator("dialog[open]")
    rows = form.locator(".face-row")
    expect(rows).to_have_count(5)
    send = form.get_by_role("button", name="Take these faces")
    for shown in range(5):
        expect(send).to_have_attribute("data-wanting", "true")
        send.click()
        expect(form.get_by_text("Some dice have no face yet.")).to_be_in_viewport()
        rows.nth(shown).locator(".face-pick").first.click()
        expect(form).not_to_contain_text("Some dice have no face yet.")
    expect(send).not_to_have_attribute("data-wanting", "true")
    send.click()
    expect(ann.page.locator(".stage .hand-chip")).to_be_visible()
    assert 1 == moves(ann, party, "ann", "check.roll")
    # The line of the log says once that they were.
    ann.view("Log")
    line = ann.page.locator(".log-entry[data-kind='dice.rolled']")
    expect(line).to_contain_text("rolled by hand")
    assert 1 == line.inner_text().count("by hand")


@pytest.mark.exhaustive
def test_tap_during_any_animation_works(come: Come) -> None:
    """A tap works while points turn, dice arrive and fall, and sheets rise."""
    party = Party(come, size=DESK, reduced_motion="no-preference").sit()
    ann, gm = party.ann, party.gm
    party.declare()
    # A die arrives in the pool, and a point leans over: the next button is tapped in the same
    # moment.
    ann.offer("destiny.upgrade").click()
    gm.page.locator("#primary").click()
    expect(ann.page.locator("#primary")).to_contain_text("Roll the dice")
    # The dice fall: taps elsewhere end the fall, and still do what they were meant for.
    ann.page.locator("#primary").click()
    ann.page.wait_for_selector(".fallen[data-falling=true]")
    ann.page.locator(".views").get_by_role("button", name="Characters").click()
    expect(ann.page.locator(".fallen[data-falling=false]")).to_be_visible()
    expect(ann.page.locator(".people")).to_be_visible()
    # A sheet is still rising, and its cross is tapped.
    bo = party.bo
    bo.offer("destiny.fact").click()
    bo.page.locator("dialog[open]").get_by_role("button", name="Close").click()
    expect(bo.page.locator("dialog[open]")).to_have_count(0)
    # The points turn over, and the next action is declared meanwhile.
    for guest in (ann, gm):
        guest.leave_the_rest()
    # If nothing is left, it has ended automatically.
    for guest in (ann, gm):
        guest.ends()
    expect(ann.page.locator("#primary")).to_contain_text("Make a check")
    ann.page.locator("#primary").click()
    expect(ann.page.locator("dialog[open]")).to_be_visible()
    assert 1 == moves(ann, party, "ann", "check.close")
