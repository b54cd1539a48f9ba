"""Moments, lasting cards, the last result and the recap, on every screen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from playwright.sync_api import expect

from storypool.engine.game.moment_panel import Cue
from tests.browser.guests import DESK, PHONE, Come, Guest, MillRace, Pair, Party
from tests.browser.page_scripts import script

MOVING = {"reduced_motion": "no-preference"}
WATCH = script("watch-moments")
HOLD = script("hold-moment")
TALL = "one => one.getBoundingClientRect().height"
CUT_SHORT = """() => {
    const to = Element.prototype.scrollTo;
    Element.prototype.scrollTo = function () { Element.prototype.scrollTo = to; };
}"""
"""The next smooth scroll stops at its start."""
ENDLESS = """() => {
    const later = window.setTimeout;
    window.setTimeout = (what, ms, ...more) => later(what, ms === 1400 ? 1e8 : ms, ...more);
}"""
"""A still moment stays until a tap or a key."""
LONG = "document.querySelector('.right').style.paddingBottom = '2000px'"


def rolled(party: Party, faces: str, title: str = "Slice the lock") -> None:
    """Ann's action with these dice: two Ability, a Proficiency, two Difficulty."""
    party.ready(title)
    party.make("ann", "check.roll", faces=faces)


def evening(party: Party, title: str = "Slice the lock") -> None:
    """Ann upgrades an action and rolls a Triumph, and the session ends."""
    party.declare(title)
    party.make("ann", "destiny.upgrade")
    party.make("mira", "destiny.pass")
    party.make("ann", "check.roll", faces="5 12 1 1 1")
    party.make("ann", "spend.waive")
    party.make("ann", "check.close")
    party.make("mira", "session.end")


def shows_moments(guest: Guest, *moments: list[str]) -> None:
    """These moments were shown in this order and announced."""
    guest.page.wait_for_function("(n) => window.shownMoments.length >= n", arg=len(moments))
    assert list(moments) == guest.page.evaluate("window.shownMoments")
    expect(guest.page.locator("[data-moments=announced]")).to_have_text(moments[-1][2])


@pytest.mark.exhaustive
def test_moment_is_shown_on_every_screen(come: Come, shots: Path) -> None:
    """Good and bad differ; a moment ends automatically, and taps during it work."""
    party = Party(come, size=PHONE, **MOVING).sit()
    everybody = (party.gm, party.ann, party.bo)
    for guest in everybody:
        guest.page.evaluate(WATCH)
    rolled(party, "1 1 12 1 1")
    party.gm.see(".moment")
    party.gm.page.evaluate(HOLD)
    party.gm.picture(shots / "moment-triumph.png")
    for guest in everybody:
        shows_moments(guest, ["sun", "good", "Triumph"])
    expect(party.bo.page.locator(".moment")).to_have_count(0)
    party.make("ann", "spend.waive")
    party.make("ann", "check.close")
    # A moment takes no tap from what is below it.
    party.declare("Slip past")
    party.make("ann", "destiny.pass")
    party.make("mira", "destiny.upgrade")
    party.make("ann", "check.roll", faces="1 1 1 1 12")
    party.ann.see(".moment")
    party.ann.page.evaluate(HOLD)
    party.ann.picture(shots / "moment-despair.png")
    party.ann.view("Log")
    expect(party.ann.page.locator(".log")).to_be_visible()
    expect(party.ann.page.locator(".moment")).to_have_count(0)
    shows_moments(party.gm, ["sun", "good", "Triumph"], ["whirl", "bad", "Despair"])
    party.make("mira", "spend.waive")
    party.make("ann", "check.close")
    shows_moments(
        party.bo,
        ["sun", "good", "Triumph"],
        ["whirl", "bad", "Despair"],
        ["turn", "good", "A point for the players"],
    )
    # What the players gain by it is the GM's loss.
    assert ["turn", "bad", "A point for the players"] == party.gm.page.evaluate(
        "window.shownMoments.at(-1)"
    )


def test_reduced_motion_shows_a_still_moment(come: Come) -> None:
    """Its words are announced and shown until a tap, nothing moves, and nothing sounds unasked."""
    party = Party(come).sit("ann")
    page = party.ann.page
    page.evaluate(WATCH)
    page.evaluate(ENDLESS)
    page.evaluate("() => { window.AudioContext = () => { throw new Error('it sounds') } }")
    rolled(party, "1 1 12 1 1")
    expect(page.locator("[data-moments=announced]")).to_have_text("Triumph")
    still = page.locator(".still-moment")
    expect(still).to_have_attribute("data-motion", "sun")
    expect(still).to_have_text("Triumph")
    moving = "(one) => one.getAnimations({ subtree: true }).length"
    assert 0 == still.evaluate(moving)
    page.keyboard.press("Shift")
    expect(still).to_have_count(0)
    assert [] == page.evaluate("window.shownMoments")


def test_moment_of_several_dice_names_their_number(come: Come) -> None:
    """Two dice with the same symbol are one moment, which says so in words."""
    party = Party(come).sit("ann", "mira")
    party.declare("Slice the lock")
    party.make("ann", "destiny.upgrade")
    party.make("mira", "destiny.pass")
    party.make("ann", "check.roll", faces="5 12 12 1 1")
    expect(party.ann.page.locator("[data-moments=announced]")).to_have_text("Triumph on 2 dice")


def test_sound_and_vibration_are_opt_in(come: Come) -> None:
    """Both are device settings; then a moment sounds and shakes, and a move shakes briefly."""
    party = Party(come).sit("ann")
    ann = party.ann
    ann.page.evaluate(
        """() => { window.heard = [];
        navigator.vibrate = (time) => window.heard.push(...[time].flat());
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (at) { window.heard.push('note');
            return start.call(this, at); }; }"""
    )
    rolled(party, "1 1 12 1 1")
    expect(ann.page.locator("[data-moments=announced]")).to_have_text("Triumph")
    assert [] == ann.page.evaluate("window.heard")
    ann.view("Table")
    for name in ("Sound", "Vibration"):
        ann.page.get_by_role("group", name=name).get_by_text("On", exact=True).click()
    ann.page.wait_for_function("() => window.heard.includes('note') && window.heard.includes(60)")
    ann.page.evaluate("window.heard.length = 0")
    party.make("ann", "spend.waive")
    party.make("ann", "check.close")
    party.declare("Again")
    party.make("ann", "destiny.pass")
    # A turn is over when the page has drawn that it is: only then does the next one begin.
    expect(ann.page.locator(".dock")).to_have_attribute("data-mine", "false")
    party.make("mira", "destiny.pass")
    # And it starts when that is drawn: one that a quick roll ends before is never seen.
    expect(ann.page.locator(".dock")).to_have_attribute("data-mine", "true")
    party.make("ann", "check.roll", faces="1 1 12 1 1")
    ann.page.wait_for_function("() => window.heard.includes('note') && window.heard.includes(60)")
    assert 20 in ann.page.evaluate("window.heard")


def test_heavy_cues_and_hard_hits_are_louder(come: Come) -> None:
    """Each cue and each material is heard, and none is as loud as a device can be."""
    guest = come()
    guest.open("/")
    folder = f"{guest.server.address}/static/js/sounds"
    heard = guest.page.evaluate(script("hear-sounds"), {"folder": folder})
    assert {cue for cue in get_args(Cue) if cue} < heard.keys()
    assert [] == [name for name, (soft, loud) in heard.items() if not 0.005 < soft < loud < 0.8]


def test_deciding_die_lands_last(come: Come) -> None:
    """Dice land one by one; the one that brings a moment is last, wherever it is."""
    party = Party(come, size=DESK, **MOVING).sit("ann")
    party.ann.page.evaluate("""() => { window.falls = []; const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, how) {
            if (this.classList.contains('solid')) window.falls.push(how.delay + how.duration);
            return animate.call(this, frames, how); }; }""")
    rolled(party, "1 1 12 1 1")
    party.ann.page.wait_for_function("() => window.falls.length === 5")
    falls: list[float] = party.ann.page.evaluate("window.falls")
    assert 2 == falls.index(max(falls))
    assert 5 == len(set(falls))
    assert sorted(falls)[-1] - sorted(falls)[-2] > 100
    assert 700 < max(falls) < 1200


@pytest.mark.exhaustive
def test_last_result_stays_and_is_shared(come: Come, shots: Path) -> None:
    """It is small until the next action; a tap enlarges it, with a picture and text to share."""
    party = Party(come).sit()
    ann, bo = party.ann, party.bo
    rolled(party, "5 5 5 1 1")
    party.make("ann", "spend.waive")
    party.make("ann", "check.close")
    for guest in (party.gm, ann, bo):
        expect(guest.page.locator(".last-result")).to_contain_text("Slice the lock")
        expect(guest.page.locator(".last-result .die")).to_have_count(5)
    words = bo.page.locator(".last-result .result").inner_text()
    bo.picture(shots / "last-result-360.png")
    bo.page.locator(".last-result").click()
    whole = bo.page.locator("dialog[open]")
    expect(whole.locator(".fallen .throw")).to_have_count(5)
    expect(whole.locator("textarea")).to_have_value(f"Pash: Slice the lock. {words}")
    bo.picture(shots / "whole-360.png")
    with bo.page.expect_download() as saved:
        whole.get_by_role("button", name="Share this roll").click()
    picture = shots / "roll.png"
    saved.value.save_as(picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 10_000
    bo.read("The sentence is copied, and the picture is saved.")
    bo.tap("Close")
    # The next scene begins without it.
    party.make("mira", "scene.begin")
    expect(bo.page.locator(".last-result")).to_have_count(0)
    party.make("mira", "table.undo")
    expect(bo.page.locator(".last-result")).to_have_count(1)
    # An undone roll is not a result, and the next action takes its place.
    party.make("bo", "check.declare", title="Look around", skill="skulduggery", difficulty="easy")
    expect(ann.page.locator(".last-result")).to_have_count(0)
    party.make("bo", "check.cancel")
    expect(ann.page.locator(".last-result")).to_contain_text("Slice the lock")
    for _ in range(3):
        party.make("mira", "table.undo")
    party.make("mira", "table.undo")
    expect(ann.page.locator(".last-result")).to_have_count(0)
    # A secret roll says so, to the GM alone.
    party.make("ann", "spend.waive")
    party.make("ann", "check.close")
    hidden = {
        "as": "captain-rusk",
        "title": "Hear a noise",
        "pool": "1 ability / 1 difficulty",
        "secret": True,
    }
    party.make("mira", "check.declare", **hidden)
    party.make("mira", "check.roll", faces="1 1")
    seq = party.make("mira", "check.close")
    expect(party.gm.page.locator(".last-result .label")).to_have_text(
        "Last result, hidden from the players"
    )
    ann.caught_up(seq)
    expect(ann.page.locator(".last-result .label")).to_have_text("Last result")


def test_logged_roll_is_shown_whole(come: Come) -> None:
    """Each roll in the log has its dice one tap away."""
    party = Party(come).sit("bo")
    rolled(party, "5 5 5 1 1")
    party.bo.view("Log")
    party.bo.page.locator(".log-entry[data-kind='dice.rolled']").last.get_by_role(
        "button", name="Show this roll"
    ).click()
    expect(party.bo.page.locator("dialog[open] .fallen .throw")).to_have_count(5)


@pytest.mark.exhaustive
def test_session_end_summarizes_the_evening(come: Come, shots: Path) -> None:
    """Everybody sees length, rolls, moments, the best roll and a gauge of the pools."""
    party = Party(come).sit()
    evening(party)
    for guest in (party.gm, party.ann, party.bo):
        recap = guest.page.locator(".recap")
        expect(recap.locator("li[data-kind]")).to_have_count(5)
        expect(recap.locator("[data-kind=who]")).to_contain_text("Pash")
        expect(recap.locator("[data-kind=moments]")).to_contain_text("Triumph")
        expect(recap.locator("[data-kind=best]")).to_contain_text("Pash, Slice the lock")
        expect(recap.locator(".gauge-chart")).to_be_visible()
    # The evening is over: another one is not the next step.
    expect(party.gm.page.locator(".dock-state")).to_contain_text("The session is over.")
    expect(party.gm.page.locator("#primary[data-move='session.begin']")).to_have_attribute(
        "data-kind", "wide"
    )
    party.ann.picture(shots / "recap-360.png", full_page=True)
    # It comes first, no matter who falls after it.
    for who in ("pash", "oska"):
        party.make("mira", "track.suffer", who=who, track="wounds", by=13)
    expect(party.bo.page.locator(".fallen-card")).to_have_count(2)
    party.bo.page.reload()
    expect(party.bo.page.locator(".fallen-card")).to_have_count(2)
    heading = party.bo.page.locator(".recap h3")
    expect(heading).to_be_in_viewport(ratio=1)
    assert heading.evaluate("one => one.getBoundingClientRect().top / innerHeight") < 0.4
    party.ann.page.locator(".recap").get_by_role("button", name="The whole recap").click()
    whole = party.ann.page.locator("dialog[open] .session")
    expect(whole).to_contain_text("Ann spent 1 point, worth")
    expect(whole.locator(".session-rows").first).to_contain_text(
        "Pash, Slice the lock: success. The chance"
    )
    expect(whole.locator(".session-luck tbody tr")).to_have_count(1)
    party.ann.picture(shots / "recap-whole-360.png")
    with party.ann.page.expect_download() as coming:
        whole.get_by_role("button", name="Send a picture").click()
    assert b"\x89PNG" == Path(coming.value.path()).read_bytes()[:4]
    whole.get_by_role("button", name="Copy as text").click()
    expect(whole.get_by_label("The recap as text")).to_have_value(
        re.compile("# The long night: recap")
    )
    # From there to its line of the log.
    whole.locator(".session-rows").first.get_by_role("button", name="Show it in the log").click()
    expect(party.ann.page.locator(".log-entry:focus")).to_contain_text("rolled")
    expect(
        party.ann.page.locator(".log-filter").get_by_role("button", name="The whole recap")
    ).to_be_visible()
    party.make("mira", "session.begin")
    party.ann.view("Play")
    expect(party.ann.page.locator(".recap")).to_have_count(0)
    # Pools that nobody touched would be a chart of nothing.
    party.make("mira", "session.end")
    recap = party.ann.page.locator(".recap")
    expect(recap.locator("[data-kind=length]")).to_be_visible()
    expect(recap.locator(".gauge-chart")).to_have_count(0)


def test_past_card_keeps_text_off_its_edges(come: Come) -> None:
    """A past card is small, but its lines stay clear of the frame."""
    party = Party(come).sit("ann")
    for who in ("pash", "oska"):
        party.make("mira", "track.suffer", who=who, track="wounds", by=13)
    # The cards go below the order of turns then.
    party.ann.caught_up(party.declare())
    names = party.ann.page.locator(".fallen-card[data-past=true] .name")
    expect(names).to_have_count(2)
    for name in names.all():
        gap = (
            "one => one.getBoundingClientRect().top - one.closest('li').getBoundingClientRect().top"
        )
        assert name.evaluate(gap) >= 4


def test_spend_value_is_one_line(come: Come) -> None:
    """A recap's number keeps its sign at any length. Offline, it is refused, then retried."""
    party = Party(come).sit("ann")
    evening(party, "Slice the lock of the door behind the counter")
    whole = party.ann.page.locator(".recap").get_by_role("button", name="The whole recap")
    party.ann.page.route("**/app.session-recap.js", lambda route: route.fulfill(status=409))
    whole.click()
    expect(party.ann.page.locator(".toast")).to_contain_text("The server did not answer.")
    assert "app.session-recap.js" in party.ann.troubles.pop()
    whole.click()
    worth = party.ann.page.locator("dialog[open] .session-rows .count").first
    expect(worth).to_contain_text("%")
    assert worth.evaluate(
        "one => one.offsetHeight < 2 * parseFloat(getComputedStyle(one).fontSize)"
    )


@pytest.mark.exhaustive
def test_defeat_card_stays_until_closed(come: Come, shots: Path) -> None:
    """Each reader closes their own card; it is bad for the loser's side."""
    gm, ann = come(DESK, **MOVING), come(PHONE, **MOVING)
    opened: dict[str, Any] = gm.api(
        "POST", "/api/tables", system="destinydice", title="The pit", name="Mira"
    )
    table = opened["table"]
    ann.joins(gm, table, "Ann", "Juna", {})
    gm.make(table, "mira", "session.begin")
    gm.at(table, "mira")
    ann.at(table, "ann")
    for guest in (gm, ann):
        guest.page.evaluate(WATCH)
    gm.make(table, "mira", "mook.add", name="Thug", skilled="Brawling", stress=1)
    ann.make(
        table,
        "ann",
        "check.declare",
        **{"as": "juna", "action": "attack", "pool": "4 skill", "against": "thug"},
    )
    gm.make(table, "mira", "check.defend", theirs="1 skill")
    gm.make(table, "mira", "check.agree")
    ann.make(table, "ann", "check.roll", faces="6 6 6 6 1")
    ann.make(table, "ann", "outcome.take", how="hit")
    gm.make(table, "mira", "harm.fall")
    for guest, tone in ((gm, "bad"), (ann, "good")):
        shows_moments(guest, ["card", tone, "Taken out"])
        expect(guest.page.locator(f".fallen-card[data-tone={tone}]")).to_contain_text("Thug")
    ann.still()
    ann.picture(shots / "card-360.png")
    # Wherever a reader is on the page, the end of a roll comes into sight, and then the card.
    ann.page.emulate_media(reduced_motion="reduce")
    gm.make(table, "mira", "mook.add", name="Lout", stress=1)
    ann.make(
        table,
        "ann",
        "check.declare",
        **{"as": "juna", "action": "attack", "pool": "4 skill", "against": "lout"},
    )
    gm.make(table, "mira", "check.defend", theirs="1 skill")
    gm.make(table, "mira", "check.agree")
    ann.make(table, "ann", "check.roll", faces="6 6 6 6 1")
    expect(ann.page.locator(".outcome .result")).to_contain_text("Or: Hit for")
    ann.page.evaluate(LONG)
    ann.go_elsewhere()
    ann.make(table, "ann", "outcome.take", how="hit")
    expect(ann.page.locator(".outcome .result", has_text="Hit for 8 shifts.")).to_be_in_viewport(
        ratio=1
    )
    ann.go_elsewhere()
    gm.make(table, "mira", "harm.fall")
    lout, thug = (ann.page.locator(".fallen-card", has_text=who) for who in ("Lout", "Thug"))
    expect(lout).to_be_in_viewport(ratio=1)
    # An earlier action's result is a line next to it, without the title of its kind.
    expect(lout.locator(".label")).to_be_visible()
    expect(thug.locator(".label")).to_be_hidden()
    expect(thug.locator(".name")).to_be_visible()
    assert thug.evaluate(TALL) < lout.evaluate(TALL) * 0.75
    # Of several, one button puts all away.
    expect(ann.page.locator(".fallen-card")).to_have_count(2)
    ann.tap("Put all away")
    expect(ann.page.locator(".fallen-card")).to_have_count(0)
    expect(gm.page.locator(".fallen-card")).to_have_count(2)
    # The session does not end before Juna's player decides what becomes of both, and they stay out
    # after it.
    expect(gm.page.locator(".dock [data-move='session.end']")).to_have_count(0)
    for fate in ("Flees", "Sleeps"):
        ann.make(table, "ann", "harm.describe", text=fate)
    gm.page.locator(".dock [data-move='session.end']").click()
    expect(gm.page.locator("dialog[open] .last-points")).to_be_visible()
    expect(gm.page.locator("dialog[open] .facts-list li", has_text="got taken out")).to_have_count(
        0
    )


def test_concession_is_a_card(come: Come) -> None:
    """A concession has a card like a defeat, with the player's words."""
    table = MillRace(come)
    table.make("mira", "character.add", name="Thug")
    table.make("mira", "conflict.begin", kind="physical")
    ann = table.sit("ann").ann
    ann.caught_up(
        table.make("mira", "conflict.concede", **{"as": "thug", "text": "Leaps into the river"})
    )
    card = ann.page.locator(".fallen-card")
    expect(card).to_contain_text("Thug conceded: Leaps into the river")
    expect(card).to_be_in_viewport(ratio=1)


def test_fight_that_breaks_out_is_felt_once(come: Come) -> None:
    """Everybody sees that turns are taken now, with the first slot, and leaves no card."""
    party = Party(come, size=PHONE, **MOVING).sit("mira", "ann")
    for guest in (party.gm, party.ann):
        guest.page.evaluate(WATCH)
    for seat in ("ann", "bo"):
        party.make(seat, "initiative.roll", faces="1 1", **{"with": "cool"})
    for guest in (party.gm, party.ann):
        shows_moments(guest, ["clash", "bad", "A fight breaks out"])
        expect(guest.page.locator(".moment")).to_have_count(0)
        expect(guest.page.locator(".fallen-card")).to_have_count(0)


STRIPS = """() => {
    window.struck = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
        if (this.matches('.strip')) struck.push(this.dataset.character);
        return animate.call(this, frames, how);
    };
    navigator.vibrate = (time) => struck.push(time);
}"""
"""Notes which strips move and how long the device buzzes."""


@pytest.mark.parametrize(("motion", "felt"), [("no-preference", [60, "pash"]), ("reduce", [])])
def test_own_strip_is_struck_by_a_hit(come: Come, motion: str, felt: list[Any]) -> None:
    """A hit moves the strip and buzzes where that is on; recovery does neither."""
    party = Party(come, size=PHONE, reduced_motion=motion)
    ann = party.ann
    ann.prepare("localStorage.setItem('storypool.buzz', JSON.stringify('on'))")
    party.sit("ann")
    ann.page.evaluate(STRIPS)
    strip = ann.page.locator(".mine .strip")
    for move, by in (("track.suffer", 3), ("track.recover", 1)):
        party.make("mira", move, who="pash", track="wounds", by=by)
        expect(strip).to_contain_text(f"{3 if by == 3 else 2} of 12")
    assert felt == ann.page.evaluate("struck")


def test_new_session_offers_the_last_recap(come: Come) -> None:
    """Until the first action the stage opens the recap of the last session, for latecomers too."""
    party = Party(come, size=PHONE)
    evening(party)
    party.make("mira", "session.begin")
    ann = party.sit("ann").ann
    ann.tap("What happened last time")
    recap = ann.top.locator(".recap")
    expect(recap.locator("h3")).to_have_text("Session 1")
    expect(recap.locator("[data-kind=best]")).to_contain_text("Pash, Slice the lock")
    expect(recap.locator(".gauge-chart")).to_have_count(0)
    ann.page.keyboard.press("Escape")
    party.make("mira", "destiny.begin")
    party.declare("Slip past")
    expect(ann.page.get_by_role("button", name="What happened last time")).to_have_count(0)


@pytest.mark.exhaustive
def test_conflict_end_card_survives_a_reload(come: Come, shots: Path) -> None:
    """The reason, score and stakes are one log line, and a card until it is closed."""
    gm, ann = come(DESK), come(PHONE)
    opened: dict[str, Any] = gm.api(
        "POST", "/api/tables", system="c2d10", title="The vote", name="Mira"
    )
    table = opened["table"]
    ann.joins(gm, table, "Ann", "Juna", {})
    gm.make(table, "mira", "session.begin")
    stakes = {"stake": "The city", "their_stake": "The crown"}
    gm.make(table, "mira", "conflict.open", title="The vote", type="opposed", target=7, **stakes)
    gm.at(table, "mira")
    ann.at(table, "ann")
    # With an order of turns, the round ends after the conflict.
    ann.make(table, "ann", "initiative.roll")
    gm.make(table, "mira", "conflict.end", text="They get away")
    recap = (
        "“The vote” is over: They get away; nobody won; the heroes 0 of 7; the opposition 0 of 7; "
        "at stake for the heroes: The city; for the other side: The crown."
    )
    for guest in (gm, ann):
        expect(guest.page.locator(".fallen-card .label")).to_have_text("The conflict is over")
        expect(guest.page.locator(".fallen-card .name")).to_have_text(recap)
    ann.page.reload()
    ann.live()
    expect(ann.page.locator(".fallen-card .name")).to_have_text(recap)
    ann.still()
    wide = "one => one.getBoundingClientRect().width"
    assert ann.page.get_by_role("button", name="Put away").evaluate(wide) > 80
    ann.picture(shots / "over-360.png")
    gm.picture(shots / "over-1280.png")
    ann.tap("Put away")
    ann.page.reload()
    ann.live()
    expect(ann.page.locator(".stage")).to_be_visible()
    expect(ann.page.locator(".fallen-card")).to_have_count(0)
    expect(gm.page.locator(".fallen-card")).to_be_visible()
    ended = [
        one for one in gm.log(table, "mira") if (one["event"] or {}).get("type") == "trait.removed"
    ]
    assert [recap] == [one["text"] for one in ended if one["text"]]
    # The next scene is another story.
    gm.make(table, "mira", "scene.begin")
    expect(gm.page.locator(".fallen-card")).to_have_count(0)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("who", "tones"), [("corvin", ("good", "bad")), ("juna", ("bad", "good"))])
def test_won_duel_is_good_for_its_side(pair: Pair, who: str, tones: tuple[str, str]) -> None:
    """The losing side's card of a conflict is not gold."""
    gm, ann, table = pair
    gm.make(table, "mira", "session.begin")
    gm.make(table, "mira", "npc.add", name="Corvin", dice=4)
    gm.make(
        table,
        "mira",
        "conflict.open",
        title="The boat hook",
        type="duel",
        one="juna",
        other="corvin",
    )
    gm.at(table, "mira")
    ann.at(table, "ann")
    guest, seat = (gm, "mira") if who == "corvin" else (ann, "ann")
    skilled = {"skill": "athletics", "talent": "strength"} if who == "juna" else {}
    guest.make(table, seat, "check.declare", **{"as": who, **skilled})
    gm.make(table, "mira", "check.dc", dc=1)
    guest.make(table, seat, "check.roll", faces="9 9 9 9")
    guest.ends()
    for guest, tone in zip((gm, ann), tones, strict=True):
        expect(guest.page.locator(f".fallen-card[data-tone={tone}]")).to_contain_text(
            "“The boat hook” is over"
        )


def test_interrupted_scroll_still_shows_the_card(come: Come) -> None:
    """The page brings its target into view even if its smooth scroll was cut short."""
    gm, ann = come(DESK), come(PHONE, **MOVING)
    opened: dict[str, Any] = gm.api(
        "POST", "/api/tables", system="c2d10", title="The vote", name="Mira"
    )
    table = opened["table"]
    ann.joins(gm, table, "Ann", "Juna", {})
    gm.make(table, "mira", "session.begin")
    gm.make(table, "mira", "conflict.open", title="The vote", type="unopposed", target=7)
    ann.at(table, "ann")
    ann.page.evaluate(LONG)
    ann.go_elsewhere()
    ann.page.evaluate(CUT_SHORT)
    gm.make(table, "mira", "conflict.end")
    expect(ann.page.locator(".fallen-card")).to_be_in_viewport(ratio=1)
