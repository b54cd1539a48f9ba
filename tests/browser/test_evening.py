"""A whole evening of three people at one table, in three browsers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from storypool.web.serving.addresses import lan_address
from tests.browser.guests import Come, Guest, Party, Serve, tap_face


def open_table(gm: Guest) -> str:
    """The players' address after the game master opens a table on the page."""
    gm.open("/")
    gm.tap("New table")
    gm.page.get_by_text("Star Wars narrative dice").click()
    gm.page.get_by_label("What is the table called?").fill("The long night")
    gm.page.get_by_label("And your name?").fill("Mira")
    gm.tap("Open the table")
    gm.see("svg.qr path")
    link = gm.page.get_by_label("The address of the link").input_value()
    gm.tap("Close")
    gm.live()
    return link


def sit_down(player: Guest, link: str, name: str, who: str) -> None:
    """Open the link as a player, type a name, choose a character, and join."""
    player.open(link)
    player.read("The long night")
    player.page.get_by_label("What shall we call you?").fill(name)
    player.tap("Sit down")
    player.page.get_by_role("button", name=who, exact=False).click()
    player.tap(f"Play {who}", exact=False)
    expect(player.page.locator("dialog[open]")).to_have_count(0)
    player.live()


def roll_by_hand(guest: Guest, faces: list[str]) -> None:
    """Tap the faces of real dice."""
    guest.tap_real_dice()
    rows = guest.page.locator(".face-row")
    expect(rows).to_have_count(len(faces))
    for i, face in enumerate(faces):
        tap_face(rows.nth(i), int(face))
    guest.page.locator("dialog[open]").get_by_role("button", name="Take these faces").click()
    expect(guest.page.locator("dialog[open]")).to_have_count(0)


def buy_the_first(guest: Guest) -> None:
    """Buy the first row of the menu, with the first payment and people on offer."""
    # What the other side has just bought is gone from this page too.
    guest.up_to_date()
    left = guest.page.locator(".left-token")
    before = left.count()
    guest.see(".menu-row").click()
    asked = "document.querySelector('dialog[open], .menu-next')"
    paid = f"n => {asked} || document.querySelectorAll('.left-token').length !== n"
    guest.page.wait_for_function(paid, arg=before)
    if guest.page.locator(".menu-next").count():
        guest.page.locator(".menu-next button").first.click()
    elif guest.page.locator("dialog[open]").count():
        guest.page.locator("dialog[open] button[type=submit]").press("Enter")
    expect(left).not_to_have_count(before)


def points(guest: Guest, light: str, dark: str) -> None:
    """The trays show these numbers of points, and of points about to change sides."""
    trays = guest.page.locator(".tray-place")
    expect(trays.nth(0)).to_have_attribute("aria-label", light)
    expect(trays.nth(1)).to_have_attribute("aria-label", dark)


def read_log(guest: Guest) -> list[tuple[int, str]]:
    """The log on this guest's page: the number and sentence of every entry in order."""
    guest.view("Log")
    guest.see(".log-entry")
    entries = guest.page.locator("[data-seq]").evaluate_all(
        "all => all.map(one => [Number(one.dataset.seq), (one.querySelector('s') ??"
        " one).textContent])"
    )
    guest.view("Play")
    return [(seq, " ".join(text.split())) for seq, text in entries]


@pytest.mark.exhaustive
def test_whole_evening(come: Come, serve: Serve) -> None:
    """It goes from the Force dice to the last point, with a server killed during an action."""
    server = serve()
    gm, ann, bo = (come(to=server, reduced_motion="no-preference") for _ in range(3))
    link = open_table(gm)
    sit_down(ann, link, "Ann", "Vessa Orn")
    sit_down(bo, link, "Bo", "Ilo Tamm")

    # The session begins, and destiny is rolled; real dice make it known what comes.
    gm.tap("Start a session")
    roll_by_hand(ann, ["12"])
    roll_by_hand(bo, ["7"])
    for guest in (gm, ann, bo):
        points(guest, "2 light points", "2 dark points")

    # An action is declared; every table shows its pool.
    ann.tap("Make a check")
    form = ann.page.locator("dialog[open]")
    form.get_by_label("What are you trying to do?").fill("Slip past the guards")
    form.locator("[data-ask=skill] .chosen").click()
    form.get_by_role("searchbox").fill("skul")
    form.get_by_role("searchbox").press("Enter")
    form.locator("[data-ask=difficulty]").get_by_text("Average").click()
    expect(form.locator(".would .die")).to_have_count(5)
    form.get_by_role("button", name="Make a check").click()
    for guest in (gm, ann, bo):
        guest.read("Slip past the guards")
        expect(guest.page.locator(".pool .die")).to_have_count(5)

    # The difficulty is the game master's: until they agree, in one tap, points and dice wait.
    ann.read("Waiting for the GM to agree: Difficulty Average")
    gm.tap("Agree: Difficulty Average")
    expect(ann.page).to_have_title(re.compile("^●"))

    # The acting player decides first, and upgrades; a second point is refused, with its reason.
    ann.offer("destiny.upgrade").click()
    points(bo, "1 light point, and 1 about to change sides", "2 dark points")
    fact = ann.offer("destiny.fact")
    expect(fact).to_have_attribute("aria-disabled", "true")
    fact.click(force=True)
    ann.read("You already spent a point on this check")
    ann.read("The GM may allow it.")

    # The other side answers, once; before the dice fall, the power fails.
    expect(gm.page.locator(".badge")).to_have_text("1")
    gm.offer("destiny.upgrade").click()
    points(
        ann,
        "1 light point, and 1 about to change sides",
        "1 dark point, and 1 about to change sides",
    )
    for guest in (gm, ann, bo):
        guest.server_is_gone = True
    server.kill()
    for guest in (gm, ann, bo):
        guest.read("Offline. Reconnecting")
    ann.tap("Roll the dice")
    ann.read("Not sent:")
    # A discarded move is not sent when the line is back.
    ann.tap("Discard")
    server.start()
    for guest in (gm, ann, bo):
        guest.live()
        guest.server_is_gone = False
        expect(guest.page.locator(".pool .die")).to_have_count(5)

    # The dice: a Triumph and a Despair lie face up.
    expect(ann.page.locator(".dock .button[data-kind=primary]")).to_contain_text("Roll the dice")
    roll_by_hand(ann, ["8", "12", "12", "4", "12"])
    for guest in (gm, ann, bo):
        guest.see(".outcome .result")
        expect(guest.page.locator(".fallen .throw")).to_have_count(5)
        expect(guest.page.locator(".stage .hand-chip")).to_be_visible()

    # Each side spends its own symbols, which then are gone.
    for guest in (ann, gm):
        buy_the_first(guest)
    for guest in (gm, ann):
        guest.leave_the_rest()

    # The action is done: both points turn over at the same moment.
    ann.page.locator("#primary").click()
    for guest in (gm, ann, bo):
        points(guest, "2 light points", "2 dark points")
        expect(guest.page.locator(".pool, .outcome")).to_have_count(0)

    # A fact is proposed and accepted; it is true for everybody, and its point turns over at once.
    bo.offer("destiny.fact").click()
    bo.page.get_by_label("What turns out to be true?").fill("The guard is a cousin of mine")
    bo.page.locator("dialog[open] button[type=submit]").press("Enter")
    points(bo, "1 light point", "2 dark points")
    expect(bo.page.get_by_role("heading", name="Waiting for an answer")).to_be_attached()
    gm.pull()
    expect(gm.page.get_by_role("heading", name="Needs your answer")).to_be_visible()
    gm.read("The guard is a cousin of mine")
    gm.tap("Agree")
    expect(gm.page.locator(".proposal")).to_have_count(0)
    gm.tap("Close")
    for guest in (gm, ann, bo):
        expect(guest.page.locator(".facts-list")).to_contain_text("The guard is a cousin of mine")
        points(guest, "1 light point", "3 dark points")

    # The last move is taken back.
    gm.view("Table")
    expect(gm.offer("table.undo")).to_have_text(
        "Take back: A fact is added: The guard is a cousin of mine."
        " 1 more dark point (3 in all): a point changes sides"
    )
    gm.offer("table.undo").click()
    gm.view("Play")
    for guest in (gm, ann, bo):
        expect(guest.page.locator(".facts-list")).to_have_count(0)
        points(guest, "1 light point", "2 dark points")

    # What everybody read is what is on record: nothing is missing, nothing is there twice.
    log = gm.log(gm.table, "mira")
    assert list(range(1, len(log) + 1)) == [one["seq"] for one in log]
    lines = [(one["seq"], " ".join(one["text"].split())) for one in log if one["text"]]
    for guest in (gm, ann, bo):
        entries = read_log(guest)
        assert [seq for seq, _ in lines] == [seq for seq, _ in entries]
        assert all(text in read for (_, text), (_, read) in zip(lines, entries, strict=True))


def test_refusal_can_be_set_aside(come: Come) -> None:
    """The GM overrides a refusal by a second tap, or a player asks for it; both are logged."""
    party = Party(come).sit("mira", "ann")
    gm, ann = party.gm, party.ann
    party.declare()
    party.make("ann", "destiny.upgrade")
    gm.caught_up(party.make("mira", "destiny.upgrade"))
    # Offers that are closed to players who do not act are folded away.
    gm.page.get_by_role("button", name=re.compile("not possible now$")).click()
    closed = gm.offer("destiny.upgrade")
    expect(closed).to_have_attribute("aria-disabled", "true")
    # Playwright taps at a place, and does not wait for what is closed to stand still there.
    closed.press("Enter")
    gm.tap("Allow this once")
    gm.read("This sets aside:")
    gm.tap("Break the rule, do it")
    expect(ann.page.locator(".tray-place").nth(1)).to_have_attribute(
        "aria-label", re.compile("2 about to change")
    )
    ann.still()
    ann.offer("destiny.fact").press("Enter")
    ann.tap("Ask the GM")
    ann.tap("Ask")
    ann.page.get_by_label("What turns out to be true?").fill("The lights go out")
    ann.page.locator("dialog[open] button[type=submit]").press("Enter")
    gm.pull()
    expect(gm.page.locator(".proposal")).to_contain_text("The lights go out")
    expect(gm.page.locator(".proposal")).to_contain_text("You already spent a point on this check")
    gm.tap("No, because …")
    gm.top.get_by_role("textbox").fill("they are on a battery")
    gm.page.locator("dialog[open]").last.locator("button[type=submit]").press("Enter")
    expect(gm.page.locator(".proposal")).to_have_count(0)
    gm.tap("Close")
    aside = [
        one for one in gm.log(party.id, "mira") if one["event"] and one["event"].get("set_aside")
    ]
    assert aside


def test_table_outlives_the_evening(come: Come, tmp_path: Path) -> None:
    """An exported and deleted table is opened again from its file, with its whole history."""
    party = Party(come, color_scheme="light").sit("mira", "ann")
    gm = party.gm
    party.make("mira", "table.say", text="To be continued.")
    gm.view("Table")
    gm.tap("Download, archive or delete")
    with gm.page.expect_download() as export:
        gm.page.get_by_role("link", name="Download the table (file)").click()
    export.value.save_as(tmp_path / "table.jsonl")
    with gm.page.expect_download() as story:
        gm.page.get_by_role("link", name="Download the story (text)").click()
    story.value.save_as(tmp_path / "story.md")
    assert "To be continued." in (tmp_path / "story.md").read_text(encoding="utf-8")
    # A player has the files alone, and the fold is called after them.
    party.ann.view("Table")
    party.ann.tap("Download")
    expect(party.ann.page.get_by_role("link", name="Download the story (text)")).to_be_visible()
    expect(party.ann.page.get_by_role("button", name="Delete the table")).to_have_count(0)
    party.ann.view("Play")
    # A player who asks for something at the very moment in which the table goes reads that it is
    # gone.
    for guest in (gm, party.ann):
        guest.expected |= {401, 404}
    gm.tap("Delete the table")
    confirm = gm.page.locator("dialog[open]").get_by_role("button", name="Delete the table")
    expect(confirm).to_have_attribute("aria-disabled", "true")
    gm.page.get_by_label("Type its title to be sure").fill("the long night")
    confirm.click()
    gm.read("No table yet.")
    party.ann.read("This table was deleted.")
    gm.page.locator("input[type=file]").set_input_files(tmp_path / "table.jsonl")
    gm.live()
    gm.view("Log")
    gm.read("To be continued.")


def test_character_is_read_from_numbers(come: Come) -> None:
    """Pasted JSON or text becomes a character, or a sentence explains the failure."""
    gm, ann = come(), come()
    ann.open(open_table(gm))
    ann.page.get_by_label("What shall we call you?").fill("Ann")
    ann.tap("Sit down")
    ann.page.get_by_text("Import a sheet").click()
    pasted = ann.page.get_by_role("textbox", name="Import a sheet")
    pasted.fill("{agility: 3}")
    ann.tap("Play")
    ann.read("These numbers can't be read.")
    pasted.fill("Agility 3, Stelth 2")
    ann.tap("Play")
    ann.read("This character has no name yet.")
    named = ann.page.get_by_role("textbox", name="Or make your own")
    named.fill("Tace")
    ann.tap("Play")
    ann.read("Did you mean stealth?")
    named.fill("")
    pasted.fill('{"name": "Tace", "sheet": {"agility": 4, "stealth": 2}}')
    ann.tap("Play")
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    ann.view("Characters")
    card = ann.page.locator(".person-card", has_text="Tace")
    card.get_by_role("button", name="Numbers").click()
    expect(card).to_contain_text("Stealth")
    card.get_by_role("button", name="More strain: Tace").click()
    expect(card.locator("output").first).to_contain_text("1")


@pytest.mark.exhaustive
def test_phone_needs_no_secure_context(come: Come, serve: Serve) -> None:
    """Over HTTP on a network address a table opens, is joined, and its link is copied."""
    address = lan_address()
    if not address:
        pytest.fail(
            "This machine has no address on any network: the page cannot be tried as a phone would"
            " open it."
        )
    away = serve(address)
    gm, ann = come(to=away), come(to=away)
    gm.open("/")
    assert gm.page.evaluate("isSecureContext") is False
    link = open_table(gm)
    assert link.startswith(away.address)
    gm.view("Table")
    gm.tap("Invite someone")
    gm.tap("Copy")
    gm.read("Copied.")
    gm.tap("Close")
    sit_down(ann, link, "Ann", "Vessa Orn")
    gm.view("Play")
    gm.tap("Start a session")
    ann.tap("Roll for Destiny")
    ann.see(".loose .throw")
