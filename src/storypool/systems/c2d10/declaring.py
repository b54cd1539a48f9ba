"""Declaring a test or a contest: the questions, the pool, the DC, and what moves it before the roll.

Source: c2d10.md 2.1, 2.2, 2.5; rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from storypool.engine import rules as r
from storypool.systems.c2d10 import conflicts, dc, initiative
from storypool.systems.c2d10.abilities import READY_DICE, ability, remembered
from storypool.systems.c2d10.dc import dc_now, targeted
from storypool.systems.c2d10.dice import ACTIVE, PARTS, RIVAL, Part
from storypool.systems.c2d10.result import is_contest
from storypool.systems.c2d10.sides import acts_for, people, roller, stance, unrolled

Terms = Mapping[str, r.Value]


def free_to_act(turn: r.Turn) -> r.Refusal | None:
    """A session is going on, and no action that everybody sees."""
    return r.in_session(turn) or r.idle(turn)


def tested(turn: r.Turn) -> r.Refusal | None:
    """A test against a DC is going on, and its dice have not been rolled."""
    check = turn.check
    return r.building(turn) or (turn.no("contest.dc") if check and is_contest(check) else None)


def contested(turn: r.Turn) -> r.Refusal | None:
    """A contest is going on, and nobody has rolled."""
    check = turn.check
    return turn.firm("contest.none") if check is not None and not check.against else unrolled(turn)


AS = r.first_choice("as", "Who acts?", initiative.actors(hidden=True))
FACES = r.FacesAsk("faces", "What do your dice show?", needed=False)


def typed(turn: r.Turn) -> r.Bag:
    """The dice by hand; none where there are none, or not readable ones."""
    try:
        return turn.system.notation.parse(turn.text("pool")) if turn.text("pool") else r.NOTHING
    except r.NotationError:
        return r.NOTHING


def _no_pool(turn: r.Turn) -> bool:
    return not turn.text("pool")


def _alone(turn: r.Turn) -> bool:
    """No dice of another side were typed, which would make a contest of it."""
    return not typed(turn).only(RIVAL.dice)


def _theirs(turn: r.Turn) -> r.Decider:
    """How somebody opposes is for their player to say, of everybody else for the Keeper."""
    one = turn.character("against") or rival(turn)
    return "" if one is not None and one.seat == turn.seat.id else "gm"


def rival(turn: r.Turn) -> r.Character | None:
    """The character who opposes in the current contest."""
    return roller(turn, turn.check, RIVAL) if turn.check else None


def _in_conflict(turn: r.Turn) -> bool:
    """Whether there is a conflict that this character can act in openly."""
    actor = turn.character("as")
    return not turn.flag("secret") and conflicts.current(turn.table) is not None and (actor is None or not actor.hidden)


def _assets(turn: r.Turn) -> Iterator[r.Choice]:
    """The assets that whoever acts can use: their own, their side's, and everybody's."""
    user = turn.character("as") or (roller(turn, turn.check, ACTIVE) if turn.check else None)
    for trait in turn.table.of_kind("asset"):
        theirs = trait.about in ("", user.id if user else "", conflicts.side_of(turn.table, user))
        if theirs and (not trait.hidden or (user is not None and user.hidden)):
            yield r.Choice(trait.id, trait.text, str(trait.rating))


ASSET = r.ChoiceAsk("asset", "Use an asset?", _assets, needed=False)


def _uses_assets(turn: r.Turn) -> bool:
    """Whether an asset counts for something: for the progress of the conflict that this is a part of."""
    return _in_conflict(turn) and turn.flag("conflict") and any(_assets(turn))


LABELS = ("Skill", "Talent", "Does a focus apply?")
OWN = (
    r.TextAsk("title", "What are you trying to do?", needed=False),
    r.PoolAsk("pool", "Dice by hand", needed=False, whose="gm"),
    *ability("", lambda t: t.character("as"), LABELS, _no_pool),
)
THEIR_LABELS = ("Their skill", "Their talent", "Does their focus apply?")
THEIRS = ability("by_", lambda t: t.character("against"), THEIR_LABELS, _alone, _theirs, preset=False)


def _usual_dc(turn: r.Turn) -> int | None:
    """The usual DC of the conflict, which counts unless the Keeper says otherwise."""
    conflict = conflicts.current(turn.table)
    return conflict.number("dc") if conflict else None


def _sets_dc(turn: r.Turn) -> r.Decider:
    usual = _usual_dc(turn)
    return "" if usual is not None and turn.args.get("dc", usual) == usual else "gm"


DC = r.NumberAsk("dc", "DC", default=_usual_dc, needed=False, high=dc.HIGHEST, shown=_alone, whose=_sets_dc)
SET_DC = replace(DC, needed=True, default=None, shown=None)
STANDING = r.standing(SET_DC, rule="Tests", place=r.at("scene", 10))
IN_CONFLICT = (
    r.FlagAsk("conflict", "Part of the conflict?", default=True, needed=False, shown=_in_conflict),
    replace(ASSET, shown=_uses_assets),
)
TESTING = (*OWN, DC, *IN_CONFLICT)
"""What a test asks besides who makes it."""


def dice_of(
    turn: r.Turn, character: r.Character | None, part: Part, terms: Terms, by_hand: r.Bag | None = None
) -> r.Bag:
    """The dice of one side: as many as skill and talent have dots, at least one; then one more where a focus applies.

    Where neither is named, they are the dice that an NPC has ready; a rival without those has none until somebody says
    with what they oppose. As many as the crisis value says are crisis dice, which take the place of regular ones, never
    more than there are. The focus die and dice that are bought are always regular (c2d10.md 2.2).
    """
    before = "" if part is ACTIVE else "by_"
    named = [str(terms[key]) for key in (f"{before}skill", f"{before}talent") if key in terms]
    n = sum(r.rating(character, key) or 0 for key in named or [READY_DICE])
    if part is RIVAL and not named and not n:
        return r.NOTHING
    n, crisis = max(1, n), turn.table.balance("crisis", character.id) if character else 0
    if by_hand is not None:
        n, crisis = by_hand.only(ACTIVE.dice).total, max(by_hand[ACTIVE.crisis], crisis)
    crisis = min(n, crisis)
    return r.Bag({part.regular: n - crisis + bool(terms.get(f"{before}focus")), part.crisis: crisis})


KEPT = ("skill", "talent", "by_skill", "by_talent", "asset", "focus", "by_focus")
"""The answers that stay with a check."""


def opened(turn: r.Turn, kind: str) -> Iterator[r.Event]:
    """Open the check that the answers describe, with its pool; dice for another side make it a contest."""
    for who, before in (("as", ""), ("against", "by_")):
        if character := turn.character(who):
            yield from remembered(turn, character, before)
    actor = turn.table.characters[turn.text("as")]
    by_hand = turn.system.notation.parse(turn.text("pool")) if turn.text("pool") else None
    rivals = by_hand.only(RIVAL.dice) if by_hand else r.NOTHING
    kind = "contest" if rivals and kind == "test" else kind
    if rivals and kind != "contest":
        raise turn.refused("argument", "pool.rival", "pool")
    terms: dict[str, r.Value] = {"kind": kind} | {key: turn.args[key] for key in KEPT if turn.args.get(key)}
    conflict = conflicts.current_id(turn.table)
    if conflict and turn.flag("conflict"):
        terms["conflict"] = conflict
    if "dc" in turn.args:
        terms["dc"] = turn.number("dc")
    key = turn.text("skill") or turn.text("talent")
    title = turn.text("title") or (turn.system.entry(key) if key else turn.words["check.untitled"])
    base = dice_of(turn, actor, ACTIVE, terms, by_hand)
    if kind == "contest":
        base += rivals or dice_of(turn, turn.character("against"), RIVAL, terms)
    if not base.only(ACTIVE.dice):
        raise turn.refused("argument", "pool.empty", "pool")
    yield begun(turn, actor, title, base, terms, turn.text("against"))


def begun(turn: r.Turn, actor: r.Character, title: str, base: r.Bag, terms: Terms, against: str = "") -> r.CheckOpened:
    """Open this check, with its DC as circumstances have it now."""
    return turn.open(targeted(turn, turn.action(actor, title, against, base=base, terms=terms)))


@r.move(
    "check.declare",
    when=lambda t: r.in_session(t) or r.may_open(t),
    only_if=[r.has_a_character, initiative.in_turn],
    asks=[AS, r.HIDE_ACTION, *TESTING],
    rule="Tests",
    place=r.at("primary", 6),
)
def declare(turn: r.Turn) -> Iterator[r.Event]:
    """Make a test

    As many dice as the skill and the talent have dots, at least one, and one more where a focus applies. As many of
    them as the crisis value says are crisis dice instead. 7 and 8 are a success, 9 is two; as many as the DC are
    needed.
    """
    yield from opened(turn, "test")


def _others(turn: r.Turn) -> Iterator[r.Choice]:
    """Everybody else, those on another side first."""
    side = conflicts.side_of(turn.table, turn.character("as"))
    others = list(people(lambda t, character: character.id != t.text("as"))(turn))

    def same(choice: r.Choice) -> bool:
        return conflicts.side_of(turn.table, turn.table.characters[choice.value]) == side

    for choice in sorted(others, key=same):
        one = turn.table.characters[choice.value]
        yield replace(choice, note=turn.words[f"stance.{stance(one)}"] if one.side == "gm" else "")


@r.move(
    "contest.declare",
    when=free_to_act,
    only_if=[r.has_a_character, initiative.in_turn],
    asks=[
        r.first_choice("as", "Who acts?", initiative.actors()),
        r.first_choice("against", "Target", _others),
        *OWN,
        *THEIRS,
        *IN_CONFLICT,
    ],
    rule="Contests",
    place=r.at("actions", 67),
)
def declare_contest(turn: r.Turn) -> Iterator[r.Event]:
    """Start a contest

    Both sides roll, and more successes win; as many change nothing, unless the table says otherwise. The other
    side says with what before the dice are rolled. There is no DC.
    """
    yield from opened(turn, "contest")


def _opposes(turn: r.Turn) -> r.Refusal | None:
    """Whoever opposes is this seat's, or this is the Keeper."""
    return None if turn.is_gm or acts_for(turn, rival(turn)) else turn.no("contest.theirs")


def _unspent(turn: r.Turn) -> r.Refusal | None:
    """No points were spent on the contest yet; the Keeper corrects it all the same, which gives them back."""
    spent = turn.check is not None and turn.check.spent
    return turn.no("contest.spent") if spent and turn.seat.side == "player" else None


@r.move(
    "contest.answer",
    when=contested,
    only_if=[_opposes, _unspent],
    asks=[
        replace(ask, needed=ask.needed or ask.name == "by_skill")
        for ask in ability("by_", rival, LABELS, decides=_theirs)
    ],
    rule="Contests",
    place=r.at("actions", 66),
)
def answer(turn: r.Turn) -> Iterator[r.Event]:
    """Roll against it

    Say with which skill and talent; the dice of both sides are rolled together.
    """
    yield from decided_again(turn)
    check, opponent = turn.here, rival(turn)
    assert opponent is not None
    yield from remembered(turn, opponent, "by_")
    kept = {key: value for key, value in check.terms.items() if not key.startswith("by_")}
    terms = kept | {key: turn.args[key] for key in ("by_skill", "by_talent", "by_focus") if turn.args.get(key)}
    base = check.base.only(ACTIVE.dice) + dice_of(turn, rival(turn), RIVAL, terms)
    suggested = {name: said for name, said in check.suggested.items() if not name.startswith("by_")}
    what = turn.words.say("check.opposed", who=opponent.name)
    yield turn.amend(check, what, base=base, terms=terms, suggested=suggested)


@r.whenever(r.TraitSet, r.TraitRemoved)
def retarget(turn: r.Turn, event: r.TraitSet | r.TraitRemoved) -> Iterator[r.Event]:
    """Whenever a circumstance comes, changes or goes, every test that is not rolled yet has its new DC."""
    for check in turn.table.checks.values():
        changed = targeted(turn, check)
        if check.phase == "build" and changed.terms != check.terms:
            yield _with_dc(turn, changed)


def _with_dc(turn: r.Turn, check: r.Check) -> r.Event:
    return turn.amend(check, dc_now(turn, check))


def decided_again(turn: r.Turn) -> Iterator[r.Event]:
    """What points bought for the open action goes, and they come back: what stands against it is being corrected."""
    yield from r.corrected(turn)
    bought = [f"{part.mark}bought" for part in PARTS]
    if any(turn.here.terms.get(term) for term in bought):
        yield turn.amend(turn.here, terms={key: n for key, n in turn.here.terms.items() if key not in bought})


@r.move("check.dc", by=["gm"], when=tested, asks=[SET_DC], rule="Tests", place=r.at("actions", 60))
def set_dc(turn: r.Turn) -> Iterator[r.Event]:
    """Set the DC

    0 to 10; circumstances and what is brought into play move it. Once points were spent on the test, this gives them
    back and takes out what they bought.
    """
    yield from decided_again(turn)
    yield _with_dc(turn, targeted(turn, turn.here.with_terms(dc=turn.number("dc"))))


PLAYABLE = ("fact", "effect", "setback", "complication", "mess", "asset", "bonus", "dire")


def _playable(turn: r.Turn) -> Iterator[r.Choice]:
    check = turn.check
    for trait in turn.table.of_kind(*PLAYABLE):
        hidden = check is not None and check.hidden
        # A bonus is used up, and everybody would see that a hidden test has used it.
        known = trait.hidden == hidden if trait.kind == "bonus" else hidden or not trait.hidden
        if trait.text and known and not (check and trait.id in check.names("traits")):
            yield r.Choice(trait.id, trait.text)


@r.move(
    "check.trait",
    when=tested,
    only_if=[r.any_of(_playable, "traits.none")],
    asks=[
        r.ChoiceAsk("trait", "Which fact?", _playable),
        r.ChoiceAsk("way", "Does it help or hinder?", r.answers("way", "easier", "harder")),
    ],
    approval=r.proposes,
    rule="Traits",
    place=r.at("actions", 61),
)
def bring_into_play(turn: r.Turn) -> Iterator[r.Event]:
    """Use a fact

    A trait or an asset makes this test easier or harder by 1, each once; the Keeper decides, a player proposes. What
    was found out as a bonus is used up by it.
    """
    check, trait = turn.here, turn.table.traits.get(turn.text("trait"))
    if trait is None:
        raise turn.refused("argument", "traits.gone", "trait")
    shift = check.number("shift") + conflicts.step(turn)
    moved = (*check.names("moved"), conflicts.signed(conflicts.step(turn), trait.text))
    check = targeted(turn, check.with_terms(traits=(*check.names("traits"), trait.id), shift=shift, moved=moved))
    said = turn.words.say(f"check.{turn.text('way')}", text=trait.text)
    yield turn.amend(check, f"{said} {dc_now(turn, check)}".strip())
    if trait.kind == "bonus":
        yield turn.amend(turn.here.with_terms(bonus=(*turn.here.names("bonus"), trait.about, trait.text)))
        yield r.TraitRemoved(trait.id, turn.words["bonus.used"])
