"""Declaring a test or a contest: questions, pool, DC, and changes before the roll.

Source: c2d10.md 2.1, 2.2, 2.5; rulings.md.
"""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.c2d10 import conflicts, dc, initiative
from storypool.systems.c2d10.abilities import READY_DICE, ability, best_skill, remember, skills_of
from storypool.systems.c2d10.conflicts import Conflict
from storypool.systems.c2d10.dc import dc_now, with_target
from storypool.systems.c2d10.dice import ACTIVE, RIVAL, Part
from storypool.systems.c2d10.sides import player_caution, stance, unrolled
from storypool.systems.c2d10.test import Test, roller

tested = r.all_of(r.building, r.of_check(lambda check: not Test.of(check).is_contest, "contest.dc"))
"""A test against a DC is open, and its dice have not been rolled."""
contested = r.all_of(r.of_check(lambda check: check.against, "contest.none", firm=True), unrolled)
"""A contest is open, and nobody has rolled."""
AS = r.first_choice("as", "Who acts?", initiative.actors(hidden=True))


def _has_one_side(turn: r.Turn) -> bool:
    """Whether no dice of another side were typed, which would make it a contest."""
    try:
        return not turn.text("pool") or not turn.system.notation.parse(turn.text("pool")).only(
            RIVAL.dice
        )
    except r.NotationError:
        return True


def _opposition_decider(turn: r.Turn) -> r.Decider:
    """The decider on how a character opposes: their player, else the Keeper."""
    if r.plays(turn, turn.character("against") or rival(turn)):
        return ""
    return "gm"


def rival(turn: r.Turn) -> r.Character | None:
    """The opposing character in the open contest."""
    if turn.check:
        return roller(turn.table, turn.check, RIVAL)
    return None


def _in_conflict(turn: r.Turn) -> bool:
    """Whether there is a conflict in which this character can act openly."""
    actor = turn.character("as")
    unseen = turn.flag("secret") or (actor is not None and actor.hidden)
    return not unseen and bool(conflicts.current(turn.table).id)


def _assets(turn: r.Turn) -> Iterator[r.Choice]:
    """The assets that the actor can use: their own, their side's, and everybody's."""
    user = turn.character("as") or (roller(turn.table, turn.check, ACTIVE) if turn.check else None)
    for trait in turn.table.of_kind("asset"):
        theirs = trait.about in ("", user.id if user else "", conflicts.side_of(turn.table, user))
        if theirs and (not trait.hidden or (user is not None and user.hidden)):
            yield r.Choice(trait.id, trait.text, str(trait.rating))


ASSET = r.ChoiceAsk("asset", "Use an asset?", _assets, needed=False)


LABELS = ("Skill", "Talent", "Does a focus apply?")
OWN = (
    r.TITLE,
    r.PoolAsk(
        "pool",
        "Type a whole pool, in place of the dice of skill and talent",
        needed=False,
        whose="gm",
    ),
    *ability("", lambda t: t.character("as"), LABELS, lambda t: not t.text("pool")),
)
THEIR_LABELS = ("Their skill", "Their talent", "Does their focus apply?")
THEIRS = ability(
    "by_",
    lambda t: t.character("against"),
    THEIR_LABELS,
    _has_one_side,
    _opposition_decider,
    preset=False,
)


def _usual_dc(turn: r.Turn) -> int | None:
    """The conflict's default DC."""
    return Conflict.of(conflicts.current(turn.table)).dc


def _sets_dc(turn: r.Turn) -> r.Decider:
    usual = _usual_dc(turn)
    if usual is not None and turn.args.get("dc", usual) == usual:
        return ""
    return "gm"


DC = r.NumberAsk(
    "dc",
    "DC",
    default=_usual_dc,
    needed=False,
    high=dc.HIGHEST,
    shown=_has_one_side,
    whose=_sets_dc,
)
SET_DC = r.replace(
    DC, needed=True, default=None, shown=None, preset=lambda t: _usual_dc(t) or conflicts.USUAL_DC
)
STANDING = r.standing(SET_DC, rule="Tests", place=r.at("scene", 10))
IN_CONFLICT = (
    r.FlagAsk("conflict", "Part of the conflict?", default=True, needed=False, shown=_in_conflict),
    # An asset adds to the progress of the test's conflict.
    r.replace(ASSET, shown=lambda t: _in_conflict(t) and t.flag("conflict") and any(_assets(t))),
)
TESTING = (*OWN, DC, *IN_CONFLICT)
"""The questions of a test, except for its actor."""


def dice_of(turn: r.Turn, check: r.Check, part: Part, by_hand: r.Bag | None = None) -> r.Bag:
    """The dice of one side: the dots of skill and talent, at least one, and one for a focus.

    Without either, an NPC's ready dice; a rival without those has none until their player
    answers. The crisis value replaces this many regular dice with crisis dice, but not the
    focus die or dice that are bought (c2d10.md 2.2).
    """
    character, side = roller(turn.table, check, part), Test.of(check).side(part)
    named = [key for key in (side.skill, side.talent) if key]
    n = sum(r.rating(character, key) or 0 for key in named or [READY_DICE])
    if part is RIVAL and not named and not n:
        return r.NOTHING
    n, crisis = max(1, n), 0
    if by_hand is not None:
        n, crisis = by_hand.only(ACTIVE.dice).total, by_hand[ACTIVE.crisis]
    return dice_for(turn.table, character, part, n, crisis) + r.Bag({part.regular: side.focus})


def dice_for(table: r.Table, who: r.Character | None, part: Part, n: int, crisis: int = 0) -> r.Bag:
    """This many dice; the crisis value, or `crisis`, is the number of crisis dice among them."""
    crisis = min(n, max(crisis, table.balance("crisis", who.id) if who else 0))
    return r.Bag({part.regular: n - crisis, part.crisis: crisis})


KEPT = ("skill", "talent", "by_skill", "by_talent", "asset", "focus", "by_focus", "dc")
"""The answers that are kept with a check."""


def open_test(turn: r.Turn, kind: str, **more: r.Value) -> Iterator[r.Event]:
    """Open the check of the answers with its pool; dice of another side make it a contest."""
    for who, before in (("as", ""), ("against", "by_")):
        if character := turn.character(who):
            yield from remember(turn, character, before)
    actor = turn.table.characters[turn.text("as")]
    by_hand = None
    if turn.text("pool"):
        by_hand = turn.system.notation.parse(turn.text("pool"))
    rivals = by_hand.only(RIVAL.dice) if by_hand else r.NOTHING
    kind = "contest" if rivals and kind == "test" else kind
    if rivals and kind != "contest":
        raise turn.refused("argument", "pool.rival", "pool")
    kept = {key: turn.args[key] for key in KEPT if key in turn.args}
    conflict = conflicts.current(turn.table).id if turn.flag("conflict") else ""
    key = turn.text("skill") or turn.text("talent")
    untitled = turn.words["check.contest" if kind == "contest" else "check.untitled"]
    title = turn.text("title") or (turn.system.entry(key) if key else untitled)
    check = turn.action(actor, title, turn.text("against"))
    check = Test.put(check, kind=kind, conflict=conflict, **kept, **more)
    base = dice_of(turn, check, ACTIVE, by_hand)
    if kind == "contest":
        base += rivals or dice_of(turn, check, RIVAL)
    if not base.only(ACTIVE.dice):
        raise turn.refused("argument", "pool.empty", "pool")
    yield turn.open(with_target(turn.table, r.replace(check, base=base)))


@r.declares(
    only_if=[r.has_a_character, initiative.in_turn],
    asks=[AS, r.HIDE_ACTION, *TESTING],
    rule="Tests",
    place=r.at("primary", 6),
)
def declare(turn: r.Turn) -> Iterator[r.Event]:
    """Make a test

    As many dice as the skill and the talent have dots, at least one, and one more where a focus
    applies. As many of them as the crisis value says are crisis dice instead. 7 and 8 are a
    success, 9 is two; as many as the DC are needed.
    """
    yield from open_test(turn, "test")


def _others(turn: r.Turn) -> Iterator[r.Choice]:
    """Everybody else: the duel's other fighter first, then a hero's opponents; allies last."""
    table, who = turn.table, turn.character("as")
    side, duel = conflicts.side_of(table, who), conflicts.fighters(table)
    others = [table.characters[choice.value] for choice in r.characters(hidden=False)(turn)]

    def distance(one: r.Character) -> tuple[bool, bool, bool]:
        fights = one.id in duel and turn.text("as") in duel
        opposes = stance(who) == "heroes" and stance(one) == "opposed"
        return not fights, not opposes, conflicts.side_of(table, one) == side

    for one in sorted(others, key=distance):
        if one.id != turn.text("as"):
            note = ""
            if one.team is r.Team.GM:
                note = turn.words[f"stance.{stance(one)}"]
            yield r.Choice(one.id, one.name, note)


def _has_a_rival(turn: r.Turn) -> bool:
    """Whether a visible character could oppose one of this seat's."""
    in_sight = {choice.value for choice in r.characters(hidden=False)(turn)}
    return any(in_sight - {choice.value} for choice in r.characters(own=True)(turn))


@r.move(
    "contest.declare",
    when=r.all_of(r.in_session, r.none_open),
    only_if=[
        r.has_a_character,
        r.requires(_has_a_rival, "contest.alone", firm=True),
        initiative.in_turn,
    ],
    asks=[
        r.first_choice("as", "Who acts?", initiative.actors()),
        r.ChoiceAsk("against", "Target", _others, first=True),
        *OWN,
        *THEIRS,
        *IN_CONFLICT,
    ],
    rule="Contests",
    place=r.at("actions", 67),
)
def declare_contest(turn: r.Turn) -> Iterator[r.Event]:
    """Start a contest

    Both sides roll, and more successes win; as many change nothing, unless the table says
    otherwise. The other side says with what before the dice are rolled. There is no DC.
    """
    yield from open_test(turn, "contest")


_opposes = r.requires(lambda t: t.is_gm or r.plays(t, rival(t)), "contest.theirs")
# The Keeper can still correct it, which refunds the points.
_unspent = r.requires(lambda t: t.is_gm or not t.here.spent, "contest.spent")


def _opposing(turn: r.Turn) -> Iterator[r.Choice]:
    """The rival's means to oppose: ready dice, if there are any, and every skill."""
    if ready := r.rating(rival(turn), READY_DICE):
        yield r.Choice(READY_DICE, turn.system.entry(READY_DICE), str(ready))
    yield from skills_of(rival)(turn)


def _usual_opposing(turn: r.Turn) -> str | None:
    """The rival's ready dice, if there are any, else their best skill."""
    if r.rating(rival(turn), READY_DICE):
        return READY_DICE
    return best_skill(rival)(turn)


@r.move(
    "contest.answer",
    when=contested,
    only_if=[_opposes, _unspent],
    asks=[
        r.ChoiceAsk(
            "by_skill", "Skill", _opposing, default=_usual_opposing, whose=_opposition_decider
        ),
        *ability(
            "by_", rival, LABELS, lambda t: t.text("by_skill") != READY_DICE, _opposition_decider
        )[1:],
    ],
    caution=lambda t: player_caution(t, rival(t)),
    rule="Contests",
    place=r.at("actions", 66),
    shown_as=lambda t: (
        t.words["contest.otherwise"] if t.check and t.check.pool.only(RIVAL.dice) else ""
    ),
)
def answer(turn: r.Turn) -> Iterator[r.Event]:
    """Oppose it

    Say with which skill and talent, or with the dice that an NPC has ready; the dice of both sides
    are rolled together.
    """
    yield from refund_purchases(turn)
    opponent = rival(turn)
    assert opponent is not None
    yield from remember(turn, opponent, "by_")
    answers = {"by_skill": turn.text("by_skill"), "by_talent": turn.text("by_talent")}
    check = Test.put(turn.here, by_focus=turn.flag("by_focus"), **answers)
    base = check.base.only(ACTIVE.dice) + dice_of(turn, check, RIVAL)
    what = turn.words.say("check.opposed", who=opponent.name)
    yield turn.amend(check.decided("by_skill", "by_talent", "by_focus"), what, base=base)


@r.whenever(r.TraitSet, r.TraitRemoved)
def retarget(turn: r.Turn, event: r.TraitSet | r.TraitRemoved) -> Iterator[r.Event]:
    """Update the DC of unrolled tests when a circumstance changes."""
    for check in turn.table.checks.values():
        changed = with_target(turn.table, check)
        if check.phase == "build" and changed.terms != check.terms:
            yield turn.amend(changed, dc_now(turn, changed))


def refund_purchases(turn: r.Turn) -> Iterator[r.Event]:
    """Remove and refund bought dice, because the opposition of the open action changes."""
    yield from r.corrected(turn)
    test = Test.of(turn.here)
    if test.bought or test.rival_bought:
        yield turn.amend(Test.put(turn.here, bought=0, rival_bought=0))


@r.gm_move("check.dc", when=tested, asks=[SET_DC], rule="Tests", place=r.at("actions", 60))
def set_dc(turn: r.Turn) -> Iterator[r.Event]:
    """Set the DC

    0 to 10; circumstances and what is brought into play move it. Once points were spent on the
    test, this gives them back and takes out what they bought.
    """
    yield from refund_purchases(turn)
    check = with_target(turn.table, Test.put(turn.here.decided("dc"), dc=turn.number("dc")))
    yield turn.amend(check, dc_now(turn, check))


PLAYABLE = ("fact", "effect", "setback", "complication", "mess", "asset", "bonus", "dire")


def _playable(turn: r.Turn) -> Iterator[r.Choice]:
    check = turn.here
    for trait in turn.visible.of_kind(*PLAYABLE):
        # Using up a bonus would reveal a hidden test.
        usable = trait.kind != "bonus" or check.may_use(trait)
        if trait.text and usable and trait.id not in Test.of(check).traits:
            yield r.Choice(trait.id, trait.text)


def _is_hero(turn: r.Turn, who: str) -> bool:
    return stance(turn.table.characters.get(who)) == "heroes"


def _asks_keeper(turn: r.Turn) -> bool:
    """Whether the Keeper decides if it counts; she has already granted a hero's bonus."""
    trait = turn.table.traits.get(turn.text("trait"))
    granted = trait is not None and trait.kind == "bonus" and _is_hero(turn, trait.about)
    return r.proposes(turn) and not (granted and turn.text("way") == "easier")


@r.move(
    "check.trait",
    when=tested,
    only_if=[r.any_of(_playable, "traits.none")],
    asks=[
        r.ChoiceAsk("trait", "Which fact?", _playable),
        r.ChoiceAsk("way", "Does it help or hinder?", r.answers("way", "easier", "harder")),
    ],
    approval=_asks_keeper,
    rule="Traits",
    place=r.at("actions", 61),
)
def bring_into_play(turn: r.Turn) -> Iterator[r.Event]:
    """Use a fact

    A trait or an asset makes this test easier or harder by 1, each once; the Keeper decides, a
    player proposes. What was found out as a bonus is used up by it; the Keeper, who granted it, is
    not asked again.
    """
    check, trait = turn.here, turn.table.traits.get(turn.text("trait"))
    if trait is None:
        raise turn.refused("argument", "traits.gone", "trait")
    step = conflicts.step(turn)
    check = Test.add(
        check, traits=(trait.id,), shift=step, moved=(conflicts.signed_change(step, trait.text),)
    )
    if trait.kind == "bonus":
        check = Test.add(check, bonus=(trait.about, trait.text))
    check = with_target(turn.table, check)
    text = turn.words.say(f"check.{turn.text('way')}", text=trait.text)
    yield turn.amend(check, f"{text} {dc_now(turn, check)}".strip())
    if trait.kind == "bonus":
        yield r.TraitRemoved(trait.id, turn.words["bonus.used"])
