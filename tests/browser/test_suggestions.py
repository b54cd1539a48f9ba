"""Decisions on the page: suggestions of players, the GM's consent, and hidden actions."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.guests import DESK, HOLDING, PHONE, Come, Guest, Party


def offered(guest: Guest, move: str) -> Locator:
    """The button of a move in the list of offers."""
    return guest.page.locator(f".offer-place[data-move='{move}'] .offer")


def try_something(guest: Guest, title: str, difficulty: str, shots: Path | None = None) -> None:
    """Declare an action in the form, like a player."""
    guest.page.locator("#primary", has_text="Make a check").click()
    form = guest.page.locator("dialog[open]")
    form.get_by_label("What are you trying to do?").fill(title)
    form.locator("[data-ask=skill] .chosen").click()
    form.locator("[data-ask=skill] .search-one", has_text="Skulduggery").click()
    form.locator("[data-ask=difficulty]").get_by_text(difficulty, exact=True).click()
    expect(form.locator("[data-ask=difficulty] .tag")).to_have_text("needs the GM's OK")
    # To leave it open is to leave it to the GM.
    expect(form.locator("[data-ask=difficulty] .pick").last).to_have_text("The GM decides")
    expect(form.locator(".would .if-agreed")).to_have_text("if agreed")
    if shots:
        guest.still()
        guest.picture(shots / "trust-360-form.png")
    form.get_by_role("button", name="Make a check").click()
    expect(guest.page.locator(".action-title")).to_have_text(title)


def text(page: Page) -> str:
    """The whole text of the document, visible or not."""
    return str(page.evaluate("document.documentElement.textContent"))


def shown(guest: Guest, seq: int) -> tuple[str, list[str]]:
    """The text of a page and its record numbers, once offers and odds belong to a record."""
    guest.caught_up(seq)
    guest.weighed(seq)
    return text(guest.page), guest.page.locator("[data-seq]").evaluate_all(
        "all => all.map(one => one.dataset.seq)"
    )


def wide(page: Page) -> None:
    """Check that nothing is wider than the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_difficulty_waits_for_the_gm(come: Come, shots: Path) -> None:
    """Ann suggests it and cannot roll; the GM agrees in one tap, or decides otherwise."""
    party = Party(come, size=PHONE).sit()
    ann, gm, bo = party.ann, party.gm, party.bo
    try_something(ann, "Slice the lock", "Hard", shots)
    for guest in (ann, bo):
        expect(guest.page.locator(".dock-state")).to_have_text(
            "Waiting for the GM to agree: Difficulty Hard."
        )
        expect(guest.page.locator(".suggested")).to_be_empty()
        expect(guest.page.locator(".odds .if-agreed")).to_have_text("if agreed")
        expect(guest.page.locator("#primary")).to_have_count(0)
    ann.picture(shots / "trust-360-ann-waits.png")
    # Free offers are folded away.
    ann.page.get_by_role("button", name=re.compile("not possible now$")).click()
    for move in ("check.roll", "destiny.upgrade"):
        # The previously opened row is scrolling into view, so the button is not yet in its place.
        offered(ann, move).dispatch_event("click")
        expect(ann.page.locator(f".offer-place[data-move='{move}'] .because")).to_contain_text(
            "not agreed yet"
        )
    expect(ann.page.locator(".tray-die .if-agreed").first).to_be_visible()
    expect(gm.page.locator(".dock-state")).to_have_text(
        "Ann suggests Difficulty Hard: agree, or decide otherwise."
    )
    expect(gm.page.locator("#primary")).to_have_text("Agree: Difficulty Hard")
    gm.picture(shots / "trust-360-gm-agrees.png")
    gm.pull()
    expect(
        gm.page.locator("dialog[open]").get_by_role("button", name="Agree: Difficulty Hard")
    ).to_be_visible()
    gm.picture(shots / "trust-360-gm-drawer.png")
    gm.tap("Close")
    gm.page.locator("#primary").click()
    expect(ann.page.locator(".dock-state")).not_to_contain_text("to agree")
    expect(ann.page.locator(".if-agreed")).to_have_count(0)
    ann.offer("destiny.upgrade").click()
    party.make("mira", "destiny.pass")
    ann.page.locator("#primary", has_text="Roll the dice").click()
    expect(ann.page.locator(".outcome[data-shown=true]")).to_be_visible()
    for guest in (ann, gm):
        guest.leave_the_rest()
    # If nothing is left, it has ended automatically.
    for guest in (ann, gm):
        guest.ends()

    try_something(ann, "Climb out", "Easy")
    gm.page.locator(".otherwise").get_by_role("button", name="Change it").click()
    form = gm.page.locator("dialog[open]")
    expect(form.locator("[data-ask=difficulty] input:checked + .pick-face")).to_contain_text("Easy")
    form.locator("[data-ask=difficulty]").get_by_text("Daunting", exact=True).click()
    expect(form.locator(".would")).to_be_visible()
    gm.picture(shots / "trust-360-gm-changes.png")
    form.locator(".form-foot button[type=submit]").press("Enter")
    expect(ann.page.locator(".action-terms")).to_contain_text("Daunting")
    expect(ann.page.locator(".dock-state")).not_to_contain_text("to agree")
    party.make("ann", "check.cancel")

    try_something(ann, "Run away", "Easy")
    gm.page.locator(".otherwise [data-move='check.cancel']").click()
    expect(ann.page.locator(".calm")).to_be_visible()
    for guest in (ann, gm, bo):
        wide(guest.page)


def test_second_action_shows_its_visibility(come: Come) -> None:
    """A second action is hidden next to an open one, and public next to a hidden one."""
    party = Party(come, size=DESK).sit("mira")
    begin = party.gm.page.locator(".offer-place[data-move='check.declare'] .offer")
    hidden = {
        "as": "captain-rusk",
        "title": "Hear a noise",
        "pool": "2 ability / 1 difficulty",
        "secret": True,
    }
    party.make("mira", "check.declare", **hidden)
    expect(begin).to_contain_text("visible to everybody, next to the hidden action")
    party.make("mira", "check.cancel")
    party.declare("Slice the lock")
    expect(begin).to_contain_text("hidden from the players, next to the open action")
    begin.click()
    expect(party.gm.top).to_contain_text("Hidden from the players, next to the open action")


def test_hidden_action_next_to_an_open_one(come: Come, shots: Path) -> None:
    """The GM switches between them, every tap means the visible one, and Ann sees nothing."""
    party = Party(come, size=PHONE).sit("mira", "ann")
    ann, gm = party.ann, party.gm
    party.declare("Slice the lock")
    ann.see(".odds-figure")
    ann.view("Log")
    ann.see(".log-entry")
    before = shown(ann, gm.log(party.id, "mira")[-1]["seq"])
    hidden = {"as": "captain-rusk", "title": "Hear a noise", "pool": "2 ability / 1 difficulty"}
    party.make("mira", "check.declare", **hidden)
    lanes = gm.page.locator(".lane")
    expect(lanes).to_have_count(2)
    expect(gm.page.locator(".action-title")).to_have_text("Slice the lock")
    for size in (DESK, PHONE):
        gm.resize(size)
        lanes.nth(0).click()
        expect(gm.page.locator(".action-title")).to_have_text("Slice the lock")
        lanes.nth(1).click()
        expect(gm.page.locator(".action-title")).to_have_text("Hear a noise")
        expect(gm.page.locator("#primary")).to_have_text("Roll the dice")
        expect(gm.page.locator(".odds-figure")).to_be_visible()
        wide(gm.page)
        gm.picture(shots / f"trust-{size['width']}-gm-hidden.png")
    # What a form sends is about the action that it was opened for, too.
    gm.offer("check.difficulty").click()
    form = gm.page.locator("dialog[open]")
    form.locator("[data-ask=difficulty]").get_by_text("Hard", exact=True).click()
    form.locator(".form-foot button[type=submit]").press("Enter")
    expect(gm.page.locator(".action-terms")).to_contain_text("Hard")
    gm.page.locator("#primary").click()
    expect(gm.page.locator(".outcome[data-shown=true]")).to_be_visible()
    lanes.nth(0).click()
    expect(gm.page.locator(".action-title")).to_have_text("Slice the lock")
    expect(gm.page.locator(".stage")).to_have_attribute("data-phase", "build")
    gm.picture(shots / "trust-360-gm-open.png")
    # The players have seen nothing of it: not a word, not a dot, not a number.
    assert before == shown(ann, gm.log(party.id, "mira")[-1]["seq"])
    assert "Hear a noise" not in ann.page.content()
    # It is shown on purpose, once nothing else is open.
    party.make("ann", "check.cancel")
    expect(gm.page.locator(".action-title")).to_have_text("Hear a noise")
    gm.offer("check.reveal").click()
    ann.view("Play")
    expect(ann.page.locator(".action-title")).to_have_text("Hear a noise")
    wide(gm.page)


def test_action_out_of_sight_shows_that_it_waits(come: Come) -> None:
    """While the GM views a hidden action, the link to Ann's says that it waits for the GM."""
    party = Party(come, size=DESK).sit("mira")
    party.declare("Slice the lock")
    hidden = {"as": "captain-rusk", "title": "Hear a noise", "pool": "2 ability / 1 difficulty"}
    party.make("mira", "check.declare", **hidden)
    lanes = party.gm.page.locator(".lane")
    lanes.nth(1).click()
    expect(lanes.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(lanes.locator(".tag")).to_have_count(0)
    party.make("ann", "destiny.upgrade")
    expect(lanes.nth(0).locator(".tag")).to_have_text("waits for you")
    # Once it is in sight the dock asks for it, and the hidden one is still to be rolled.
    lanes.nth(0).click()
    expect(party.gm.page.locator(".dock-state")).to_contain_text("or pass")
    expect(lanes.nth(0).locator(".tag")).to_have_count(0)
    expect(lanes.nth(1).locator(".tag")).to_have_text("waits for you")


def test_proposal_is_changed_and_accepted(come: Come, shots: Path) -> None:
    """The GM edits Ann's proposal in its own questions; rolls and payments stay."""
    party = Party(come, size=PHONE).sit("mira", "ann")
    ann, gm = party.ann, party.gm
    party.make("ann", "destiny.fact", text="There is a “back door”, isn't there")
    gm.pull()
    gm.tap("Change")
    form = gm.page.locator("dialog[open]").last
    field = form.locator("[data-ask=text] textarea")
    expect(field).to_have_value("There is a “back door”, isn't there")
    field.fill("There's a window = too high")
    gm.still()
    gm.picture(shots / "trust-360-gm-proposal.png")
    form.get_by_role("button", name="Agree with changes").click()
    ann.read("There's a window = too high")


def test_dropped_question_is_not_sent(come: Come) -> None:
    """An answer of a withdrawn choice is omitted, however quickly the form is sent."""
    party = Party(come, size=PHONE).sit("ann")
    ann = party.ann
    ann.page.locator("#primary", has_text="Make a check").click()
    form = ann.page.locator("dialog[open]")
    form.locator("[data-ask=skill] .chosen").click()
    form.locator("[data-ask=skill] .search-one", has_text="Skulduggery").click()
    form.locator("[data-ask=against]").get_by_text("Oska", exact=True).click()
    form.locator("[data-ask=difficulty] .pick", has_text="Opposed").click()
    form.locator("[data-ask=by_skill] .chosen").click()
    form.locator("[data-ask=by_skill] .search-one", has_text="Cool").first.click()
    form.locator("[data-ask=difficulty]").get_by_text("Easy", exact=True).click()
    form.locator(".form-foot button[type=submit]").press("Enter")
    expect(ann.page.locator(".action-terms")).to_contain_text("Easy")
    expect(ann.page.locator("dialog[open]")).to_have_count(0)


def test_unavailable_purchase_gives_its_reason(come: Come, shots: Path) -> None:
    """Every row is listed; closed ones are grey, last, and have the reason next to the lock."""
    party = Party(come, size=PHONE).sit("ann")
    ann = party.ann
    party.declare()
    for seat in ("ann", "mira"):
        party.make(seat, "destiny.pass")
    party.make("ann", "check.roll", faces="5 1 1 1 1")
    ann.page.locator(".menu-rows > .button").first.click()
    shut = ann.page.locator(".menu-row[aria-disabled=true]").first
    expect(shut.locator(".why")).to_be_visible()
    expect(shut.locator(".why")).not_to_be_empty()
    shut.scroll_into_view_if_needed()
    ann.picture(shots / "trust-360-menu.png")
    assert not ann.page.locator("dialog[open]").count()


REFUSAL = {
    "code": "when",
    "text": "The line is too long.",
    "remedy": "Make it shorter.",
    "rule": "",
    "field": "",
    "overridable": False,
}


def test_refusal_is_shown_at_the_finger(come: Come) -> None:
    """A refused side move shows its reason in the dock, above the main button."""
    party = Party(come, size=PHONE).sit("ann")
    ann = party.ann
    party.declare()
    # A later message replaces a refusal, and her page's numbers cause one automatically.
    party.bound("ann")
    ann.up_to_date()
    ann.page.route("**/moves", lambda route: route.fulfill(status=409, json={"error": REFUSAL}))
    step = ann.page.get_by_role("button", name="I rolled real dice")
    step.click()
    expect(ann.page.locator(".dock [role=alert]")).to_contain_text(
        "The line is too long. Make it shorter."
    )
    expect(ann.page.locator(".dock [role=alert]")).to_be_in_viewport(ratio=1)
    # Above a sheet that has no place for it, it is a notice.
    ann.page.locator(".mine .strip").click()
    ann.top.get_by_role("button", name="More strain: Pash").click()
    expect(ann.page.locator(".toast")).to_contain_text("The line is too long. Make it shorter.")
    ann.page.unroute_all(behavior="wait")


SHUT = """
window.change = (message) => {
  const { fields, entries, preview } = message;
  const sent = [fields?.offers, entries?.offers].flatMap((offers) => Object.values(offers ?? {}));
  const asks = [...sent, preview?.offer].flatMap((offer) => offer?.asks ?? []);
  const choices = asks.flatMap((ask) => ask.choices);
  const shut = { closed: "Nobody has a point left.", remedy: "Wait for one." };
  for (const choice of choices) if (choice.value === "impossible") Object.assign(choice, shut);
  return message;
};
"""
"""Close the greatest difficulty in each question that a page is sent."""


def test_closed_answer_gives_its_reason(come: Come, shots: Path) -> None:
    """It can be reached but not chosen, and its reason and remedy are read out."""
    party = Party(come, size=PHONE)
    ann = party.ann
    ann.prepare(HOLDING + SHUT)
    ann.at(party.id, "ann")
    ann.page.locator("#primary", has_text="Make a check").click()
    form = ann.page.locator("dialog[open]")
    difficulty = form.locator("[data-ask=difficulty]")
    closed = difficulty.get_by_role("radio", name="Impossible Nobody has a point left.")
    expect(closed).to_have_attribute("aria-disabled", "true")
    expect(difficulty.get_by_role("status")).to_be_empty()
    difficulty.evaluate("field => field.scrollIntoView({ block: 'center' })")
    difficulty.locator(".pick-face", has_text="Impossible").click(force=True)
    expect(difficulty.get_by_role("status")).to_have_text(
        "Impossible: Nobody has a point left. Wait for one."
    )
    expect(closed).not_to_be_checked()
    ann.still()
    ann.picture(shots / "trust-360-closed.png")
    difficulty.get_by_text("Hard", exact=True).click()
    expect(difficulty.get_by_role("status")).to_be_empty()
    expect(difficulty.locator("input:checked + .pick-face")).to_contain_text("Hard")


def test_check_terms_name_no_seat(come: Come) -> None:
    """The player who rolls without a GM answer is not a term of an open or rolled check."""
    party = Party(come).sit("mira", "ann")
    party.declare()
    terms = [guest.page.locator(".action-terms") for guest in (party.gm, party.ann)]
    expect(terms[0]).to_contain_text("Average")
    shown = terms[0].inner_text()
    party.make("ann", "check.ready")
    for guest, line in zip((party.gm, party.ann), terms, strict=True):
        expect(guest.page.locator(".dock-state")).to_contain_text("A roll for Pash is next")
        expect(line).to_have_text(shown)
    party.make("mira", "destiny.pass")
    expect(party.ann.page.locator(".result")).to_be_visible()
    expect(terms[1]).to_have_text(shown)


def test_deciding_gm_sees_the_facts(come: Come) -> None:
    """During the question of difficulty the facts are below the GM's pool, and on no player's."""
    party = Party(come, size=DESK)
    party.make("mira", "trait.set", text="To try: Skulduggery, Hard", secret=True)
    party.make("ann", "check.declare", title="Slice the lock", skill="skulduggery")
    party.sit("mira", "ann")
    gm, facts = party.gm, party.gm.page.locator(".stage .facts li")
    expect(facts).to_have_text(["To try: Skulduggery, Hard"])
    expect(facts).to_be_in_viewport(ratio=1)
    party.make("mira", "check.difficulty", difficulty="hard")
    expect(gm.page.locator(".dock-state")).to_contain_text("Waiting for Ann")
    expect(facts).to_have_count(0)
    expect(party.ann.page.locator(".stage .facts")).to_have_count(0)
