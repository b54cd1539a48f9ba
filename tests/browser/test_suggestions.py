"""Who decides what, on the page: what a player suggests, what the GM agrees to or changes, and a
hidden action.
"""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.guests import DESK, HOLDING, PHONE, Come, Guest, Party


def offered(guest: Guest, move: str) -> Locator:
    """The button of a move in the list of offers."""
    return guest.page.locator(f".offer-place[data-move='{move}'] .offer")


def try_something(guest: Guest, title: str, difficulty: str, shots: Path | None = None) -> None:
    """Declare an action in the form, as a player does."""
    guest.page.locator("#primary", has_text="Make a check").click()
    form = guest.page.locator("dialog[open]")
    form.get_by_label("What are you trying to do?").fill(title)
    form.locator("[data-ask=skill] .chosen").click()
    form.locator("[data-ask=skill] .search-one", has_text="Skulduggery").click()
    form.locator("[data-ask=difficulty]").get_by_text(difficulty, exact=True).click()
    expect(form.locator("[data-ask=difficulty] .tag")).to_have_text("the GM agrees")
    # To leave it open is to leave it to the GM.
    expect(form.locator("[data-ask=difficulty] .pick").last).to_have_text("The GM decides")
    expect(form.locator(".would .if-agreed")).to_have_text("if agreed")
    if shots:
        guest.still()
        guest.picture(shots / "trust-360-form.png")
    form.get_by_role("button", name="Make a check").click()
    expect(guest.page.locator(".action-title")).to_have_text(title)


def text(page: Page) -> str:
    """Everything that stands in the document, whether it is seen or not."""
    return str(page.evaluate("document.documentElement.textContent"))


def shown(guest: Guest, seq: int) -> tuple[str, list[str]]:
    """The text of a page and the records that it names, once both its offers and its odds are those
    of a record.
    """
    guest.caught_up(seq)
    guest.weighed(seq)
    return text(guest.page), guest.page.locator("[data-seq]").evaluate_all(
        "all => all.map(one => one.dataset.seq)"
    )


def wide(page: Page) -> None:
    """Nothing is wider than the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_difficulty_waits_for_the_gm(come: Come, shots: Path) -> None:
    """Ann suggests it and cannot roll; the GM agrees in one tap; the next time the GM decides
    otherwise.
    """
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
    # What costs nothing is folded away.
    ann.page.get_by_role("button", name=re.compile("not possible now$")).click()
    for move in ("check.roll", "destiny.upgrade"):
        # What was opened before is scrolled into view just now, so the place of a button is not yet
        # where it will be.
        offered(ann, move).dispatch_event("click")
        expect(ann.page.locator(f".offer-place[data-move='{move}'] .because")).to_contain_text(
            "not agreed yet"
        )
    expect(ann.page.locator(".offer-effect .if-agreed").first).to_be_visible()
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
    # Where nothing is left, it has ended by itself.
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


def test_what_starts_beside_an_action_says_who_sees_it(come: Come) -> None:
    """Beside an open action a further one is hidden, and beside a hidden one it is in sight of
    all.
    """
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


def test_a_hidden_action_stands_beside_an_open_one(come: Come, shots: Path) -> None:
    """The GM turns from one to the other, and every tap is about the one in sight; nothing of it
    comes to Ann.
    """
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


def test_an_action_out_of_sight_says_that_it_waits(come: Come) -> None:
    """Ann spends a point while the GM looks at a hidden action: the way to hers says that it waits
    for the GM.
    """
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


def test_a_proposal_is_agreed_to_with_changes(come: Come, shots: Path) -> None:
    """The GM changes what Ann proposes in the questions of her own move; what was rolled or paid
    stays.
    """
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


def test_what_is_not_asked_any_more_is_not_sent(come: Come) -> None:
    """An answer that belongs to a choice which was taken back is left out, however quickly the form
    is sent.
    """
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


def test_what_cannot_be_bought_says_why(come: Come, shots: Path) -> None:
    """Every row of a menu is there; a closed one is greyed, behind the open ones, and says why
    beside its lock.
    """
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


def test_a_refusal_is_seen_where_the_finger_was(come: Come) -> None:
    """A move beside the main button that is refused says why in the dock, above the main button, in
    the window.
    """
    party = Party(come, size=PHONE).sit("ann")
    ann = party.ann
    party.declare()
    # A later message takes a refusal away, and that of her page's own numbers comes by itself.
    party.bound("ann")
    ann.up_to_date()
    ann.page.route("**/moves", lambda route: route.fulfill(status=409, json={"error": REFUSAL}))
    step = ann.page.locator(".dock .dock-row .button[data-move]:not(#primary)").first
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
"""Have the greatest difficulty closed in each question that a page is sent."""


def test_a_closed_answer_of_a_form_says_why(come: Come, shots: Path) -> None:
    """It can be reached and tapped, is not chosen, and its reason and remedy are read out; others
    are as before.
    """
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


def test_the_terms_of_a_check_name_no_seat(come: Come) -> None:
    """A player who rolls unless the GM answers is no term of the check, while it is open and once
    it is rolled.
    """
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


def test_what_is_true_is_in_sight_of_a_gm_who_decides(come: Come) -> None:
    """While the GM is asked for a difficulty, the facts of the scene are below the pool, and on no
    player's page.
    """
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
