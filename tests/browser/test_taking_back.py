"""Undo of discarded results, Back on sheets, and no loss of typed or unsent text."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.guests import DESK, HOLDING, PHONE, Come, Guest, Party
from tests.browser.page_scripts import script
from tests.browser.test_interruptions import moves

FORM = "dialog[open] form"


# An expiring notice would be gone before a busy machine taps it.
STANDING = """
const [set, clear] = [setTimeout, clearTimeout];
const kept = new Map();
let n = 0;
window.setTimeout = (work, wait, ...more) => {
  if (!(wait >= 5000)) return set(work, wait, ...more);
  const one = --n;
  kept.set(one, work);
  return one;
};
window.clearTimeout = (one) => kept.delete(one) || clear(one);
window.goOn = () => [...kept].forEach(([one, work]) => kept.delete(one) && work());
"""
"""A clock whose timers of five seconds or more fire when the test lets the page continue."""


OVER = script("covered-by-toasts")
LONG = (
    "document.querySelectorAll('.middle, .right').forEach(one => { one.style.paddingBottom ="
    " '2000px'; })"
)
"""Makes the columns longer than the window."""
TWO = """async () => {
    const { announcements } = await import(document.querySelector('script[type=module]').src);
    for (const text of ['One', 'Two']) announcements.notice(text, 'refusal');
}"""


def rolled(come: Come, *seats: str) -> Party:
    """Ann has rolled a Triumph, and a Threat for the GM; automatic steps wait for `goOn`."""
    party = Party(come, size=PHONE)
    for guest in (party.gm, party.ann, party.bo):
        guest.prepare(STANDING)
    party.sit(*seats)
    party.declare()
    party.make("ann", "destiny.pass")
    party.make("mira", "destiny.pass")
    party.make("ann", "check.roll", faces="1 1 12 4 1")
    return party


def test_discarded_symbols_can_be_restored(come: Come, shots: Path) -> None:
    """The GM undoes it at once; a player's undo is a request to the GM."""
    party = rolled(come)
    ann, bo, gm = party.ann, party.bo, party.gm
    gm.resize(DESK)
    party.make("ann", "spend.waive")
    for guest, text in (
        (ann, "You're done spending."),
        (bo, "Ann is done spending."),
        (gm, "Ann is done spending."),
    ):
        expect(guest.page.locator(".toast[data-thrown]")).to_contain_text(text)
        # The result comes into view next to it, once the page knows the height of the notice.
        guest.until(f"() => ({OVER})().length === 0")
    # A refusal goes before it, and there is one notice at a time.
    bo.page.evaluate(TWO)
    expect(bo.page.locator(".toast")).to_have_text(["Two"])
    bo.tap("Close")
    expect(bo.page.locator(".toast")).to_have_attribute("data-thrown", "true")
    for guest in (bo, gm):
        guest.picture(shots / f"thrown-{guest.page.viewport_size}.png")
    expect(ann.top.get_by_role("button", name="Ask to undo")).to_be_visible()
    gm.tap("Undo")
    expect(ann.page.locator(".left-token")).to_have_count(2)
    for guest in (ann, bo, gm):
        expect(guest.page.locator(".toast[data-thrown]")).to_have_count(0)
    for seat in ("ann", "mira"):
        party.make(seat, "spend.waive")
    party.make("ann", "check.close")
    # Only who has ended it reads that it is done, and could ask to take that back: the others see
    # its result.
    expect(ann.page.locator(".toast[data-thrown]")).to_contain_text("“Slice the lock” is done.")
    for guest in (bo, gm):
        expect(guest.page.locator(".last-result")).to_be_visible()
        expect(guest.page.locator(".toast[data-thrown]")).to_have_count(0)
    ann.tap("Ask to undo")
    ann.read("Now it's up to the GM.")
    # The GM agrees to it or says no: nothing of it can be changed.
    expect(gm.page.get_by_role("button", name="No, because …")).to_be_visible()
    expect(gm.page.get_by_role("button", name="Change", exact=True)).to_have_count(0)
    assert 1 == len(ann.api("GET", f"/api/tables/{party.id}?seat=ann")["table"]["proposals"])
    # The next move ends it, and for those who come later it was never there.
    expect(ann.page.locator(".toast[data-thrown]")).to_have_count(0)
    ann.at(party.id, "ann")
    ann.still()
    expect(ann.page.locator(".toast[data-thrown]")).to_have_count(0)


def test_later_move_is_not_undone_with_it(come: Come) -> None:
    """The button goes with the next move, which an undo would include."""
    party = rolled(come, "mira")
    party.make("ann", "spend.waive")
    expect(party.gm.page.locator(".toast[data-thrown]")).to_be_visible()
    party.make("bo", "table.say", text="Wait")
    expect(party.gm.page.locator(".toast[data-thrown]")).to_have_count(0)


def back(guest: Guest) -> None:
    """Go back in the browser, like a phone's gesture."""
    guest.page.evaluate("history.back()")


def test_back_closes_a_sheet_and_keeps_text(come: Come) -> None:
    """Back closes the top sheet with its text kept; a second one leaves the table."""
    ann = Party(come, size=PHONE).sit("ann").ann
    ann.open("/")
    ann.page.get_by_text("The long night").first.click()
    ann.live()
    address = ann.page.url
    ann.page.locator("#primary").click()
    typed = ann.page.locator(f"{FORM} [data-ask=title] input")
    typed.fill("Jump the gap")
    back(ann)
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    assert address == ann.page.url
    for size in (PHONE, DESK, PHONE):
        ann.resize(size)
        ann.page.locator("#primary").click()
        expect(typed).to_have_value("Jump the gap")
        ann.tap("Cancel")
        expect(ann.page.locator("dialog[open]")).to_have_count(0)
    # Closed sheets leave nothing behind in the history.
    ann.page.wait_for_timeout(200)
    back(ann)
    expect(ann.page.locator(".home-head")).to_be_visible()
    ann.page.evaluate("history.forward()")
    ann.live()
    ann.page.locator("#primary").click()
    expect(typed).to_have_value("Jump the gap")
    assert 1 == ann.page.evaluate("history.state.layer")


def test_back_closes_one_sheet_at_a_time(come: Come) -> None:
    """A form over the drawer closes first."""
    gm = Party(come).sit("mira").gm
    gm.pull()
    gm.page.locator(".drawer .offer-place[data-move='character.bring'] .offer").click()
    expect(gm.page.locator("dialog[open]")).to_have_count(2)
    back(gm)
    expect(gm.page.locator("dialog[open]")).to_have_count(1)
    back(gm)
    expect(gm.page.locator("dialog[open]")).to_have_count(0)
    expect(gm.page.locator(".table")).to_be_visible()


def test_undo_next_to_the_log_names_its_move(come: Come, shots: Path) -> None:
    """The GM undoes at once, a player asks; after a no it names whose move it is."""
    party = Party(come, size=PHONE).sit("ann", "mira")
    ann, gm = party.ann, party.gm
    party.make("ann", "track.suffer", who="pash", track="strain", by=2)
    gm.resize(DESK)
    ann.view("Log")
    ann.tap("Take something back")
    ann.picture(shots / "undo-360.png")
    ann.tap("Take back: Pash suffered 2 strain needs the GM's OK")
    ann.read("Now it's up to the GM.")
    # The request names it to the GM.
    gm.read("Ann asks: Take back: Pash suffered 2 strain")
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    ann.up_to_date()
    # A pending request is not offered again.
    expect(ann.page.get_by_role("button", name="Take something back")).to_have_count(0)
    ann.caught_up(party.make("mira", "proposal.decline"))
    expect(ann.page.get_by_role("button", name="Take something back")).to_have_count(0)
    ann.caught_up(party.make("bo", "table.say", text="Well."))
    gm.up_to_date()
    gm.tap("Take something back")
    gm.tap("Take back: Bo: “Well.”")
    expect(gm.page.locator("dialog[open]")).to_have_count(0)
    # Ann's asking is the other one.
    assert 2 == moves(gm, party, "mira", "table.undo")


def test_undo_is_on_play_too(come: Come) -> None:
    """On a phone it is also below the offers, in one tap; a large screen has only the log's."""
    party = Party(come, size=PHONE).sit("ann", "mira")
    party.make("ann", "track.suffer", who="pash", track="strain", by=2)
    for guest, take in (
        (party.ann, "Take back: Pash suffered 2 strain needs the GM's OK"),
        (party.gm, "Take back: Pash suffered 2 strain"),
    ):
        guest.up_to_date()
        expect(guest.page.get_by_role("button", name=take, exact=True)).to_be_visible()
    # It is the one tap that it takes.
    party.ann.tap("Take back: Pash suffered 2 strain needs the GM's OK")
    party.ann.read("Now it's up to the GM.")
    party.gm.resize(DESK)
    expect(party.gm.page.get_by_role("button", name="Take something back")).to_have_count(1)
    expect(party.gm.page.get_by_role("button", name="Take back")).to_have_count(0)


def test_undo_under_table_reports_each_step(come: Come) -> None:
    """Two moves of the same name are undone one by one, each with its own number."""
    party = Party(come, size=PHONE)
    gm = party.gm
    gm.prepare(STANDING)
    party.sit("mira")
    for n in (1, 2):
        party.make("ann", "track.suffer", who="pash", track="strain", by=n)
    gm.up_to_date()
    gm.view("Table")
    gm.page.get_by_role("button", name="Take back: Pash suffered 2 strain").click()
    expect(gm.page.locator(".toast")).to_contain_text("Mira undid: Pash suffered 2 strain.")
    expect(gm.page.get_by_role("button", name="Take back: Pash suffered 1 strain")).to_be_visible()


def test_removing_a_character_is_confirmed(come: Come, shots: Path) -> None:
    """The button is last on the card, names the character, and asks once more."""
    party = Party(come, size=PHONE).sit("ann")
    ann = party.ann
    for size in (DESK, PHONE):
        ann.resize(size)
        ann.page.locator(".strip").first.click()
        remove = ann.top.get_by_role("button", name="Remove Pash")
        top, button = (
            ann.top.get_by_role("button", name="Close").bounding_box(),
            remove.bounding_box(),
        )
        assert top
        assert button
        assert 100 < button["y"] - top["y"] - top["height"]
        ann.picture(shots / f"remove-{size['width']}.png")
        remove.click()
        expect(ann.top).to_contain_text("Pash leaves the story")
        ann.tap("Cancel")
        assert 0 == moves(ann, party, "ann", "character.leave")
        ann.tap("Close")
        expect(ann.page.locator("dialog[open]")).to_have_count(0)
    ann.page.locator(".strip").first.click()
    ann.tap("Remove Pash")
    ann.tap("Remove Pash")
    expect(ann.page.locator(".dock .dock-state")).to_have_text("You have no character.")


def test_sent_form_starts_over(come: Come) -> None:
    """Text of a form that was sent does not return."""
    party = Party(come).sit("bo")
    bo = party.bo
    party.declare()
    bo.offer("destiny.fact").click()
    bo.page.get_by_label("What turns out to be true?").fill("There is a side door")
    bo.page.locator("dialog[open] button[type=submit]").press("Enter")
    expect(bo.page.locator("dialog[open]")).to_have_count(0)
    party.make("ann", "check.cancel")
    bo.offer("destiny.fact").click()
    expect(bo.page.get_by_label("What turns out to be true?")).to_have_value("")


def test_form_saves_every_shown_number(come: Come, shots: Path) -> None:
    """Numbers in an opened group are saved on the sheet; unseen ones are not."""
    party = Party(come).sit("mira")
    gm = party.gm
    gm.tool("adversary.add")
    gm.page.locator(f"{FORM} [data-ask=name] input").fill("Kest")
    gm.tap("More options")
    gm.tap("Characteristics")
    gm.page.get_by_role("button", name="More: Agility").click()
    expect(gm.page.get_by_role("textbox", name="Brawn")).to_have_value("2")
    gm.page.locator(FORM).get_by_role("button", name="Tracks").click()
    gm.picture(shots / "numbers.png")
    gm.page.locator("dialog[open] button[type=submit]").press("Enter")
    expect(gm.page.locator(FORM)).to_have_count(0)
    sheet = gm.api("GET", f"/api/tables/{party.id}?seat=mira")["table"]["characters"]["kest"][
        "sheet"
    ]
    assert {"brawn": 2, "agility": 3, "wound-threshold": 12}.items() <= sheet.items()
    assert "cool" not in sheet


def injured(party: Party) -> None:
    """Captain Rusk has hit Pash and caused more than wounds."""
    party.make(
        "mira",
        "check.declare",
        **{"as": "captain-rusk", "skill": "melee", "against": "pash"},
        difficulty="simple",
    )
    party.make("mira", "destiny.pass")
    party.make("ann", "destiny.pass_all")
    party.make("mira", "check.roll", faces="2 1 12")
    party.make("mira", "attack.hit", damage=6, soak=0)
    party.make("mira", "spend.buy", row="critical")
    party.make("mira", "check.close")


def test_session_end_is_confirmed(come: Come, shots: Path) -> None:
    """The GM sees points and owners of leftovers, may cancel, and then reads the recap."""
    party = Party(come, size=PHONE).sit("mira")
    gm = party.gm
    party.make("mira", "track.suffer", who="pash", track="strain", by=2)
    injured(party)
    party.make("ann", "initiative.roll", **{"as": "pash", "with": "cool", "faces": "4 6"})
    party.make("mira", "initiative.end")
    party.make("mira", "trait.set", text="The alarm rings", scene=True)
    for ended, size in enumerate((PHONE, DESK)):
        gm.resize(size)
        # A phone's drawer is a column next to the table on a large screen.
        expect(gm.page.locator("dialog[open]")).to_have_count(0)
        gm.page.evaluate(LONG)
        gm.go_elsewhere()
        gm.tool("session.end")
        expect(gm.top).to_contain_text("Where everyone stands")
        expect(gm.top).to_contain_text("Pash")
        expect(gm.top.locator(".last-people")).to_contain_text(
            "2 strain, 8 wounds, A critical injury"
        )
        expect(gm.top.locator(".last-people")).to_contain_text("nothing to note")
        # The end of the fight is not a loss.
        expect(gm.top.locator(".facts-list li")).to_have_text(
            "Each player with a character rolls for Destiny" if ended else "The alarm rings"
        )
        # Beside that the name is not broken.
        assert gm.top.locator(".last-people dt").first.evaluate("one => one.clientHeight") < 30
        gm.still()
        gm.picture(shots / f"ending-{size['width']}.png")
        gm.tap("Not yet")
        assert ended == moves(gm, party, "mira", "session.end")
        gm.tool("session.end")
        gm.page.locator(".form-foot [data-kind=primary]").click()
        gm.see(".recap")
        # Wherever the GM was on the page, the recap comes into sight.
        expect(gm.page.locator(".recap h3")).to_be_in_viewport(ratio=1)
        assert ended + 1 == moves(gm, party, "mira", "session.end")
        party.make("mira", "session.begin")
        expect(gm.page.locator(".recap")).to_have_count(0)


def test_connection_trouble_is_in_the_dock(come: Come, shots: Path) -> None:
    """At any scroll position it shows the lost line and unsent text, sent automatically later."""
    party = Party(come, size=PHONE).sit("ann")
    ann = party.ann
    party.declare()
    ann.server_is_gone = True
    expect(ann.offer("destiny.upgrade")).to_be_enabled()
    ann.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    ann.context.set_offline(True)
    ann.offer("destiny.upgrade").click()
    ann.read("Not sent:")
    ann.page.evaluate("window.dispatchEvent(new Event('offline'))")
    for size in (DESK, PHONE):
        ann.resize(size)
        for end in ("0", "document.body.scrollHeight"):
            ann.page.evaluate(f"scrollTo(0, {end})")
            expect(ann.page.locator(".banner").last).to_be_in_viewport(ratio=1)
        ann.picture(shots / f"unsent-{size['width']}.png")
        ann.view("Characters")
        expect(ann.page.locator(".banner").last).to_be_in_viewport(ratio=1)
    ann.context.set_offline(False)
    ann.read("Sent now:")
    expect(ann.page.locator(".banner")).to_have_count(0)
    assert 1 == moves(ann, party, "ann", "destiny.upgrade")


def test_outdated_odds_are_dimmed(come: Come, shots: Path) -> None:
    """Old odds are dimmed until new ones arrive, and open details below them stay open."""
    party = Party(come)
    ann = party.ann
    ann.prepare(HOLDING)
    ann.at(party.id, "ann")
    ann.weighed(party.declare())
    ann.tap("More about these odds")
    ann.see(".heat")
    ann.page.evaluate("window.holding = 'answer'")
    seq = party.make("ann", "destiny.upgrade")
    ann.page.wait_for_function("() => window.held.length")
    expect(ann.page.locator(".odds[data-old=true]")).to_be_visible()
    ann.see(".heat")
    ann.picture(shots / "odds-old.png")
    ann.page.evaluate("window.release()")
    ann.weighed(seq)
    ann.see(".heat")
