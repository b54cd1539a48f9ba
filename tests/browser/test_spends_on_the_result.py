"""What a roll bought stands below its result, in the words of the log, until the next action."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.guests import Come, Gathering, Party

SPENDS = ".result-spends > span"


def test_spends_stay_until_the_next_action(come: Come) -> None:
    """A Triumph's sentence and a spend in the player's own words are on every page."""
    party = Party(come).sit("mira", "ann")
    pages = [guest.page.locator(SPENDS) for guest in (party.gm, party.ann)]
    party.ready()
    party.make("ann", "check.roll", faces="5 1 12 1 1")
    party.make("ann", "spend.buy", row="vital", text="The door is open")
    for spends in pages:
        expect(spends).to_have_text(["Ann spends 1 Triumph: The door is open."])
    party.make("ann", "spend.free", text="A lamp swings", **{"with": "advantage"})
    lines = ["Ann spends 1 Triumph: The door is open.", "Ann spends 1 Advantage: A lamp swings."]
    for spends in pages:
        expect(spends).to_have_text(lines)
    party.make("ann", "check.close")
    for guest, spends in zip((party.gm, party.ann), pages, strict=True):
        expect(guest.page.locator(".last-result")).to_be_visible()
        expect(spends).to_have_text(lines)
        expect(guest.page.locator(".facts .told")).to_have_text(["The door is open"])
    party.declare("The next door")
    for spends in pages:
        expect(spends).to_have_count(0)


def test_injury_is_in_one_line(come: Come) -> None:
    """The result describes an injury, and the line below it the throw alone."""
    party = Party(come).sit("ann")
    sheet = {"ranged-light": 1, "damage": 6, "wound-threshold": 12}
    party.make("ann", "character.set", who="pash", sheet=sheet)
    attack = {"skill": "ranged-light", "against": "captain-rusk", "difficulty": "simple"}
    party.make("ann", "check.declare", **attack)
    party.make("mira", "check.agree")
    party.make("ann", "destiny.pass")
    party.make("mira", "destiny.pass")
    party.make("ann", "check.roll", faces="2 8 11")
    party.make("ann", "attack.hit")
    party.make("ann", "spend.buy", row="critical", injury="thrown", shows=84)
    expect(party.ann.page.locator(".outcome .result")).to_contain_text("Staggered")
    expect(party.ann.page.locator(SPENDS)).to_have_text(
        ["Critical injury for Captain Rusk: Ann rolled by hand d100 84."]
    )
    # An injury lasts and has a die for the next roll: a strip has it once.
    party.make("ann", "check.close")
    party.make("mira", "track.suffer", who="pash", track="wounds", by=20)
    party.make("mira", "track.settle", who="pash", injury="thrown", shows=1)
    strip = party.ann.page.locator(".strip[data-character=pash] .strip-carried")
    expect(strip).to_have_text("Winded: a Setback on every check (light)")


def test_accepted_spend_has_its_line(come: Come) -> None:
    """What the GM agreed to is a spend like any other, without the words of the proposal."""
    table = Gathering(come, "dune", "The old port")
    table.player("Ann", "Ruhan", {"battle": 7, "duty": 8})
    table.make("mira", "session.begin")
    table.sit("mira", "ann")
    table.make("ann", "check.declare", skill="battle", drive="duty", difficulty=1)
    table.make("mira", "check.agree")
    table.make("ann", "check.roll", faces="1 1")
    table.make("ann", "momentum.trait", text="The guards are shaken")
    for guest in (table.gm, table.ann):
        expect(guest.page.locator(".outcome .result")).to_be_visible()
        expect(guest.page.locator(SPENDS)).to_have_count(0)
    table.make("mira", "proposal.accept")
    for guest in (table.gm, table.ann):
        expect(guest.page.locator(SPENDS)).to_have_text(
            [
                "Ann spends 2 Momentum from this roll (1 left of it)."
                " A trait is true from now on: The guards are shaken."
            ]
        )
