"""The purchases of a roll, as each side of the table sees them."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.browser.guests import DESK, Come, Guest, Party
from tests.browser.page_scripts import script

BOOST = "The next ally to act gets a Boost"
SLOW = script("slow-scrolling")
WAYS = script("count-menus")
ABOVE_THE_DOCK = script("is-above-the-dock")


def card(guest: Guest, who: str) -> Locator:
    """The card of a character, among the open ones."""
    return guest.page.locator(".person-card").filter(
        has=guest.page.get_by_role("heading", name=who, exact=True)
    )


def test_promise_is_shown_with_its_targets(come: Come) -> None:
    """A purchase for the next ally asks without rolled dice and is only on allies' cards."""
    party = Party(come).sit("ann", "bo")
    ann, bo = party.ann, party.bo
    for n in range(12):
        party.make("mira", "trait.set", text=f"There is a door with the number {n}")
    party.ready()
    # Two Ability dice with three Advantages, a Triumph, and nothing against them: there are two
    # ways to pay.
    party.make("ann", "check.roll", faces="8 5 12 1 1")
    ann.page.locator(".menu-row", has_text=BOOST).click()
    form = ann.page.locator("dialog[open]")
    expect(form.locator("[data-ask=with] .pick")).to_have_count(2)
    form.locator("[data-ask=with]").get_by_text("1 Triumph").click()
    expect(form).not_to_have_attribute("aria-busy", "true")
    ann.still()
    expect(form.locator(".would")).to_have_count(0)
    form.locator("button[type=submit]").press("Enter")
    expect(ann.page.locator(".left-token")).to_have_count(3)
    for guest in (ann, bo):
        guest.view("Characters")
        expect(card(guest, "Oska")).to_contain_text(BOOST)
        expect(card(guest, "Pash")).to_be_visible()
        expect(card(guest, "Pash")).not_to_contain_text(BOOST)
    # With the last symbol the check ends, and its result comes back into sight.
    ann.view("Play")
    for left in (2, 1, 0):
        ann.page.evaluate("scrollTo(0, document.body.scrollHeight)")
        ann.page.locator(".menu-row", has_text="Notice one important thing").click()
        expect(ann.page.locator(".left-token")).to_have_count(left)
    expect(ann.page.locator(".menu-row")).to_have_count(0)
    expect(ann.page.locator(".outcome .result")).to_be_in_viewport(ratio=1)
    # On the strip it stands until it is in a pool.
    bo.view("Play")
    expect(bo.page.locator(".mine .strip-carried")).to_have_text(BOOST)
    party.make("bo", "check.declare", title="Talk them round", skill="charm", difficulty="average")
    expect(bo.page.locator(".mods .mod")).to_contain_text("Boost")
    expect(bo.page.locator(".mine .strip-carried")).to_have_count(0)


def test_fact_keeps_its_point_in_sight(come: Come) -> None:
    """A fact of an action is true at once; its point leans in the tray until the action ends."""
    party = Party(come).sit("bo")
    party.declare()
    party.make("ann", "destiny.pass")
    party.make("bo", "destiny.fact", text="The guard is a cousin of mine")
    [fact] = party.gm.api("GET", f"/api/tables/{party.id}?seat=mira")["table"]["proposals"]
    party.make("mira", "proposal.accept", id=fact)
    tray = party.bo.page.get_by_role("region", name="1 light point, and 1 about to change sides")
    expect(tray.locator(".point[data-state=turning]")).to_have_count(1)
    for move in ("destiny.pass", "check.roll"):
        party.make("mira", move)
    party.bo.up_to_date()
    expect(tray).to_be_visible()


def test_purchases_are_in_sight_below_the_result(come: Come) -> None:
    """On a phone rows fit below the result, with a link only while none is in sight."""
    party = Party(come).sit("ann")
    ann = party.ann
    party.ready()
    # Two Advantages, and a success.
    ann.rolls("8 2 3 1 1")
    ann.page.evaluate(WAYS)
    ann.page.locator("#primary").click()
    row, way = ann.page.locator(".menu-row").first, ann.page.locator(".dock-menu")
    ann.until(ABOVE_THE_DOCK, ".menu-row:first-child")
    expect(ann.page.locator(".outcome .result")).to_be_in_viewport(ratio=1)
    ann.until(ABOVE_THE_DOCK, ".left-token")
    expect(way).to_be_hidden()
    # Nor was it there before the result was in view.
    assert 0 == ann.page.evaluate("ways")
    ann.page.get_by_role("button", name="All 25").click()
    ann.go_elsewhere()
    expect(row).not_to_be_in_viewport()
    ann.page.get_by_role("button", name="Everything else", exact=True).click()
    ann.go_elsewhere()
    expect(way).to_be_visible()
    expect(way).to_have_attribute("data-kind", "primary")
    way.click()
    expect(row).to_be_in_viewport(ratio=1)
    expect(way).to_be_hidden()
    # On a large screen they are next to the action, which stays unchanged.
    ann.resize(DESK)
    expect(ann.page.locator(".action-title")).to_be_in_viewport(ratio=1)
    expect(row).to_be_in_viewport(ratio=1)


def test_purchase_target_is_asked_below_its_row(come: Come) -> None:
    """One open answer takes one more tap, and the form with custom words remains."""
    party = Party(come).sit("ann")
    ann = party.ann
    party.ready()
    party.make("ann", "check.roll", faces="8 8 3 1 1")
    row = ann.page.locator(".menu-row", has_text="The next check of anyone on your side")
    answers = ann.page.locator(".menu-next")
    row.click()
    expect(answers).to_contain_text("Which character is it for?")
    expect(answers.locator("[data-kind=chip]")).to_have_text(["Pash", "Oska"])
    expect(answers).to_be_in_viewport(ratio=1)
    # A second tap on the row thinks better of it.
    row.click()
    expect(answers).to_have_count(0)
    row.click()
    answers.get_by_role("button", name="Oska").click()
    expect(ann.page.locator(".left-token")).to_have_count(2)
    expect(answers).to_have_count(0)
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    ann.view("Characters")
    expect(card(ann, "Oska")).to_contain_text("A Boost on the next check")
    ann.view("Play")
    row.click()
    answers.get_by_role("button", name="More").click()
    expect(ann.page.locator("dialog[open] [data-ask=text]")).to_be_visible()


def test_symbols_are_not_lost_by_one_tap(come: Come) -> None:
    """The main button leaves remaining symbols by name; the next one finishes the action."""
    party = Party(come).sit("mira", "ann")
    ann, gm = party.ann, party.gm
    party.ready()
    # A Triumph for Ann and a Threat for the game master.
    party.make("ann", "check.roll", faces="1 1 12 4 1")
    # Each sign is whole in its token where text has twice the size, too.
    expect(ann.page.locator(".left-token")).to_have_count(2)
    ann.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert [] == ann.page.evaluate(script("cut"))
    ann.page.evaluate("document.documentElement.style.fontSize = ''")
    expect(gm.page.locator("#primary")).to_have_text("Done spending1 Threat will be lost.")
    expect(gm.page.locator(".dock-state")).to_have_text("Pash rolled 1 Threat: yours to spend.")
    expect(gm.page.locator(".menu [data-move='spend.waive']")).to_have_count(0)
    gm.leave_the_rest()
    expect(gm.page.locator(".dock-state")).to_have_text("Waiting for Ann to spend 1 Triumph.")
    # The last player to spend ends the check, and reads what would be lost.
    expect(ann.page.locator(".dock-state")).to_have_text("1 Triumph to spend for Pash.")
    done = ann.page.locator("#primary[data-move='check.close']")
    expect(done).to_contain_text("1 Triumph will be lost.")
    expect(done).not_to_have_attribute("data-kind", "primary")
    expect(ann.page.get_by_role("button", name=re.compile("^Done spending"))).to_have_count(0)
    expect(ann.page.locator(".menu :is(h3, h4):not(.visually-hidden)")).to_have_text(
        ["Spend the roll"]
    )
    # Lasting effects are on their character's strip, and everybody reads them near the action.
    party.make("ann", "check.close")
    party.ready()
    party.make("ann", "check.roll", faces="1 1 1 7 7")
    party.make("mira", "spend.buy", row="fall-prone", **{"with": "threat"})
    expect(ann.page.locator(".mine .strip-carried")).to_have_text("Fall prone")
    expect(gm.page.locator(".standing").filter(visible=True)).to_contain_text("Fall prone Pash")


def test_roll_is_awaited_once_both_sides_decided(come: Come) -> None:
    """After the GM's answer it does not say that time is over: the actor is free to roll."""
    party = Party(come).sit("mira", "ann")
    party.declare()
    party.make("ann", "destiny.upgrade")
    party.gm.offer("destiny.upgrade").click()
    expect(party.ann.page.locator("#primary")).to_contain_text("Roll the dice")
    expect(party.gm.page.locator(".dock-state")).to_have_text("Waiting for Ann to roll for Pash.")
    # A reason that is missing is asked for before anything is sent.
    made: list[str] = []
    party.gm.hear("request", lambda request: made.append(request.url))
    party.gm.offer("pool.add").click()
    party.gm.top.get_by_label("Why?").fill("")
    party.gm.top.locator("button[type=submit]").click()
    expect(party.gm.top.locator("[data-ask=why] .field-error")).to_contain_text("needs an answer")
    assert [] == [url for url in made if url.endswith("/moves")]


def test_form_shows_pool_and_odds_before_words(come: Come) -> None:
    """An added die changes them at once, with a reason that may stay as it is."""
    party = Party(come).sit("mira", "ann")
    party.declare()
    party.gm.offer("pool.add").click()
    form, dice = party.gm.top, party.gm.page.locator(".pool .die").count()
    expect(form.locator(".would .die")).to_have_count(dice + 1)
    expect(form.locator(".would")).to_contain_text("% success")
    form.locator("button[type=submit]").click()
    expect(form).to_have_count(0)
    expect(party.gm.page.locator(".mods .mod")).to_contain_text("the circumstances")


def test_form_follows_changes_of_its_action(come: Come) -> None:
    """The GM's added dice appear untouched in a player's open form."""
    party = Party(come).sit("mira")
    party.declare()
    party.gm.offer("pool.add").click()
    dice = party.gm.top.locator(".would .die")
    before = party.gm.page.locator(".pool .die").count()
    expect(dice).to_have_count(before + 1)
    party.make("mira", "pool.add", die="setback", n=1, why="dark")
    expect(dice).to_have_count(before + 2)


def test_form_odds_name_their_outcome(come: Come) -> None:
    """A Force power shows the odds of a light pip, in the form as next to the pool."""
    party = Party(come).sit("mira", "ann")
    sheet = party.gm.api("GET", f"/api/tables/{party.id}?seat=mira")["table"]["characters"]["pash"][
        "sheet"
    ]
    party.make("mira", "character.set", who="pash", sheet={**sheet, "force-rating": 1})
    party.ann.offer("force.use").click()
    expect(party.ann.top.locator(".would")).to_contain_text("42 % chance of a light pip")


def test_disabled_points_are_on_no_card(come: Come) -> None:
    """Conflict of the Force is on a character's card only if the table uses it."""
    party = Party(come).sit("mira", "ann")
    ann, strip = party.ann, party.ann.page.locator(".mine .strip")
    expect(strip).to_contain_text("Strain")
    expect(strip).not_to_contain_text("Conflict")
    strip.click()
    expect(card(ann, "Pash").locator(".tracks")).to_contain_text("Strain")
    expect(card(ann, "Pash").locator(".tracks")).not_to_contain_text("Conflict")
    party.make("mira", "table.settings", option="conflict", value="yes")
    expect(strip).to_contain_text("Conflict")


def test_fight_leaves_room_for_the_result(come: Come) -> None:
    """During an action a phone shows only the current turn, and the symbols to spend."""
    party = Party(come).sit("bo")
    bo = party.bo
    people = party.gm.api("GET", f"/api/tables/{party.id}?seat=mira")["table"][
        "characters"
    ].values()
    ids = {one["name"]: one["id"] for one in people}
    for seat, who in (("ann", "Pash"), ("bo", "Oska"), ("mira", "Captain Rusk")):
        party.make(seat, "initiative.roll", **{"as": ids[who], "with": "cool"})
    for _ in range(4):
        party.make("mira", "initiative.roll", **{"as": ids["Captain Rusk"], "with": "cool"})
    turns = bo.page.locator(".slot").filter(visible=True)
    expect(turns).to_have_count(7)
    party.ready(
        "Slice the lock of the great door behind the guards, and be quick",
        against=ids["Captain Rusk"],
    )
    party.make("ann", "check.roll", faces="8 2 3 1 1")
    expect(bo.page.locator(".outcome .result")).to_be_in_viewport(ratio=1)
    bo.until(ABOVE_THE_DOCK, ".left-token")
    expect(turns).to_have_count(0)
    expect(bo.page.locator(".slot-rest")).to_be_visible()
    party.make("ann", "check.close")
    expect(turns).to_have_count(7)


def test_gm_point_is_announced_without_the_pool(come: Come) -> None:
    """Players read its purchase in one sentence; the dice are above, and the rest is logged."""
    party = Party(come).sit("ann")
    party.declare()
    party.make("ann", "destiny.upgrade")
    party.make("mira", "destiny.upgrade")
    announced = party.ann.page.locator(".announced li").last
    expect(announced).to_have_text(
        "Mira spends 1 dark point (1 left). Mira upgrades a Difficulty die."
    )


def test_result_scrolls_into_view(come: Come) -> None:
    """Its smooth scroll is not interrupted by a jump, which would add to the distance."""
    party = Party(come, reduced_motion="no-preference")
    party.ann.prepare(f"({SLOW})()")
    party.sit("ann")
    ann = party.ann
    party.ready()
    ann.rolls("8 2 3 1 1")
    ann.page.locator("#primary").click()
    ann.until("""() => {
        const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
        const [head, result] = ['.table-head', '.outcome .result'].map(box);
        if (!result || ended !== scrolls) return false;
        return Math.abs(result.top - head.bottom) < 4;
    }""")
    assert 0 == ann.page.evaluate("jumps")
