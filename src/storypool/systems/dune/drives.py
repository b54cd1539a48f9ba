"""A drive with a statement against the test. Source: seed 004, Challenging Drives; dune.md 4.3."""

from storypool.engine import rules as r
from storypool.systems.dune.conditions import before_roll, no_offer, own, own_or_left
from storypool.systems.dune.payment import refund
from storypool.systems.dune.people import sheet
from storypool.systems.dune.skill_test_terms import SkillTest, awaits_opponent, of_test

OFFERED = r.all_of(r.building, of_test(lambda test: test.offer == "made", "offer.none", firm=True))
"""A point is offered, and neither accepted nor refused."""


@before_roll(
    "drive.offer",
    by=["gm"],
    only_if=[
        of_test(lambda test: test.fit == "contradicts", "fit.contradicts"),
        no_offer,
        r.in_the_open,
    ],
    rule="Challenging Drives",
    place=r.at("test"),
)
def offer_point(turn: r.Turn) -> r.Events:
    """Offer a point of Determination

    Where the statement contradicts the action. Without an offer the test goes on, and no
    Determination is spent on it.
    """
    check = turn.here
    drive = sheet.label(turn, SkillTest.of(check).drive)
    what = turn.words.say("offer.made", who=turn.table.characters[check.actor].name, drive=drive)
    yield turn.amend(SkillTest.put(check, offer="made"), what, windows=("active",))


def gain_point(turn: r.Turn, who: r.Character, why: str) -> r.Events:
    """Give a point of Determination; one beyond the cap is lost, and recorded.

    An NPC gains 3 Threat instead.

    Source: seed 004, Spending Threat: Determination; rulings.md.
    """
    if who.team is r.Team.GM:
        yield from turn.change("threat", 3, why=why)
        return
    before = turn.table.balance("determination", who.id)
    yield from turn.change("determination", 1, who.id, why)
    if turn.table.balance("determination", who.id) == before:
        lost = turn.words.say("determination.lost", why=why)
        yield r.PointsSet("determination", who.id, before, 0, lost, by=turn.seat.id)


@r.move(
    "drive.accept",
    when=OFFERED,
    only_if=[own],
    asks=[
        r.ChoiceAsk(
            "vow",
            "Comply with the drive, or challenge it?",
            r.answers("vow", "comply", "challenge"),
        )
    ],
    rule="Challenging Drives",
    place=r.at("primary", 2),
)
def accept_point(turn: r.Turn) -> r.Events:
    """Accept the point, and comply or challenge

    The test is made with the same drive. Who complies gets a complication afterwards; who
    challenges strikes the statement, and uses that drive no more until it is changed or recovered.
    """
    check, vow = turn.here, turn.text("vow")
    who = turn.table.characters[check.actor]
    what = turn.words.say(
        f"vow.{vow}.told", who=who.name, drive=sheet.label(turn, SkillTest.of(check).drive)
    )
    yield turn.amend(
        SkillTest.put(check, offer=vow), what, windows=("target",) if awaits_opponent(check) else ()
    )
    yield from gain_point(turn, who, what)


@r.move(
    "drive.refuse",
    when=OFFERED,
    only_if=[own_or_left],
    rule="Challenging Drives",
    place=r.at("actions", 67),
)
def refuse_point(turn: r.Turn) -> r.Events:
    """Refuse the point, and fail

    The test fails, with no further consequences.
    """
    check = turn.here
    what = turn.words.say("offer.refused", who=turn.table.characters[check.actor].name)
    # What was paid for dice that are not rolled comes back.
    yield from refund(turn, check)
    refused = SkillTest.put(check, offer="refused", touched=True)
    failed = r.Outcome(False, 0, r.NOTHING, what)
    yield turn.amend(refused, outcome=failed, phase="rolled", windows=(), spent=r.Points())
