"""Harm: hits, being taken out, conceding, and recovery.

Source: destinydice.md 3.5; seed 002, Using Special Symbols, for the lowest box and the lowest open
slot.
"""

from collections.abc import Iterator
from functools import partial

from storypool.engine import rules as r
from storypool.systems.destinydice.fight.conflict import go_on_without
from storypool.systems.destinydice.fight.stress import (
    Absorption,
    absorption_in_words,
    absorptions,
    take_consequence,
    turn_box,
)
from storypool.systems.destinydice.outcomes import attempter
from storypool.systems.destinydice.pool import has_actor, name_of
from storypool.systems.destinydice.sheet import SHIFTS, able, checked_boxes, number
from storypool.systems.destinydice.spends import close_if_finished
from storypool.systems.destinydice.state import Action, Aspect, Hit, TakenOut

HIT = r.PendingTrait("hit", "Which hit?")


def _absorptions(turn: r.Turn) -> list[Absorption]:
    """The ways to absorb the hit."""
    hit = HIT.chosen(turn)
    if hit:
        return absorptions(turn.table, hit.about, hit.rating)
    return []


def _ways(turn: r.Turn) -> Iterator[r.Choice]:
    named = ((way.key, absorption_in_words(turn, way)) for way in _absorptions(turn))
    return (r.Choice(key, text[:1].upper() + text[1:]) for key, text in named)


def _consequence_ask(severity: str) -> r.TextAsk:
    """The question for the name of a consequence, if the hit is taken with it."""
    label = f"What is the {severity} consequence?"
    return r.TextAsk(severity, label, shown=lambda turn: severity in turn.text("how").split("+"))


def _bearable(turn: r.Turn) -> r.Refusal | None:
    """The free boxes and consequences can absorb a hit."""
    hits = [turn.table.traits[choice.value] for choice in HIT.choices(turn)]
    can = not hits or any(absorptions(turn.table, hit.about, hit.rating) for hit in hits)
    if can:
        return None
    return turn.firm("hit.bearable", who=turn.table.characters[hits[0].about].name)


_answering = partial(r.move, when=r.any_of(HIT.choices, "hit.none"), rule="Stress and consequences")


@_answering(
    "harm.absorb",
    only_if=[_bearable],
    asks=[
        HIT.ask,
        r.ChoiceAsk("how", "How do you take it?", _ways, first=True),
        *map(_consequence_ask, SHIFTS),
    ],
    loss=True,
    place=r.at("primary", 1),
)
def absorb(turn: r.Turn) -> Iterator[r.Event]:
    """Take the hit

    At most one unchecked stress box, and any number of open consequences; together they take up all
    shifts of the hit. The attacker has a free invoke of each consequence. An attack that nobody has
    anything left to decide about is done with it.
    """
    hit = turn.table.traits[turn.text("hit")]
    way = next(way for way in _absorptions(turn) if way.key == turn.text("how"))
    yield r.TraitRemoved(hit.id, turn.words["hit.taken"])
    if way.box:
        yield from turn_box(turn, hit.about, way.box)
    for severity in way.taken:
        taken = take_consequence(turn, hit.about, severity, turn.text(severity), Hit.of(hit).by)
        # Only seats that see a hidden action see its effects.
        yield r.hidden_like(taken, hit)
    yield from close_if_finished(turn, hit.at)


def _going_down_caution(turn: r.Turn) -> str:
    """A caution with the character who goes down."""
    hit = HIT.chosen(turn)
    if hit:
        return turn.words.say("taken-out.loses", who=name_of(turn, hit.about))
    return ""


def _hit_in_the_open(turn: r.Turn) -> bool:
    """Whether everybody sees the hit.

    Going down is public, but its description would reveal a hidden attack.
    """
    hit = HIT.chosen(turn)
    return hit is not None and not hit.hidden


@_answering(
    "harm.fall",
    asks=[
        HIT.ask,
        r.TextAsk(
            "text", "What becomes of them? The attacker says", needed=False, shown=_hit_in_the_open
        ),
    ],
    caution=_going_down_caution,
    loss=True,
    place=r.at("actions", 66),
)
def fall(turn: r.Turn) -> Iterator[r.Event]:
    """Go down

    A character who cannot take up all shifts of a hit, or does not want to, is taken out: the
    attacker says how. They stay out, in later scenes too, until the GM brings them back.
    """
    hit = turn.table.traits[turn.text("hit")]
    yield r.TraitRemoved(hit.id)
    check = turn.table.checks.get(hit.at)
    # Everybody reads it: do not name a hidden attacker.
    by = name_of(turn, attempter(check)) if check and not check.hidden else ""
    how = turn.text("text")
    if how:
        id = "taken-out.how"
    elif by:
        id = "taken-out.by"
    else:
        id = "taken-out"
    text = turn.words.say(id, who=name_of(turn, hit.about), by=by, text=how)
    terms = TakenOut(by=attempter(check)).terms if check and by and not how else {}
    yield turn.trait("taken-out", text, hit.about, terms=terms)
    yield from close_if_finished(turn, hit.at)


def _undescribed(turn: r.Turn) -> Iterator[r.Choice]:
    """The characters taken out by this seat whose fate is undecided."""
    for trait in turn.table.of_kind("taken-out"):
        by = TakenOut.of(trait).by
        if by and r.plays(turn, turn.table.characters.get(by)):
            yield r.Choice(trait.id, name_of(turn, trait.about))


@r.move(
    "harm.describe",
    when=r.any_of(_undescribed, "taken-out.known"),
    asks=[
        r.first_choice("who", "Who got taken out?", _undescribed),
        r.TextAsk("text", "What becomes of them?"),
    ],
    rule="Stress and consequences",
    place=r.at("actions", 66),
)
def describe(turn: r.Turn) -> Iterator[r.Event]:
    """Say what becomes of them

    The attacker decides it, where that was not done at once.
    """
    trait = turn.table.traits[turn.text("who")]
    text = turn.words.say("taken-out.how", who=name_of(turn, trait.about), text=turn.text("text"))
    yield r.TraitSet(TakenOut.put(r.replace(trait, text=text), by=""))


def _taken_out(turn: r.Turn) -> Iterator[r.Choice]:
    """The characters who are taken out, the players' first."""
    marks = turn.table.of_kind("taken-out")
    for trait in sorted(marks, key=lambda one: turn.table.characters[one.about].team is r.Team.GM):
        yield r.Choice(trait.id, name_of(turn, trait.about))


@r.gm_move(
    "harm.bring_back",
    when=r.any_of(_taken_out, "taken-out.none"),
    asks=[
        r.first_choice("who", "Who is back?", _taken_out),
        r.TextAsk("text", "How?", needed=False),
    ],
    rule="Stress and consequences",
    place=r.at("scene", 62),
)
def bring_back(turn: r.Turn) -> Iterator[r.Event]:
    """Bring a character back

    Who was taken out can act again.
    """
    yield r.TraitRemoved(turn.text("who"), turn.text("text"))


def target_of_attack(check: r.Check) -> str:
    """The id of the character who is attacked in this check, or ""."""
    if Action.of(check).action == "attack":
        return check.against
    if Action.of(check).versus == "attack":
        return check.actor
    return ""


def _concedes(turn: r.Turn) -> Iterator[r.Choice]:
    """The characters who may concede: all before the roll; after it only the attacked one."""
    check = turn.check
    for choice in able(turn):
        if check is None or check.phase == "build" or target_of_attack(check) == choice.value:
            yield choice


def _in_conflict(turn: r.Turn) -> r.Refusal | None:
    """A conflict is open: turns are taken, or a character is attacked."""
    table = r.public(turn.table)
    fought = table.of_kind("slot") or any(map(target_of_attack, table.checks.values()))
    return None if fought else turn.no("concede.none")


_in_time = r.requires(lambda turn: any(_concedes(turn)) or not any(able(turn)), "concede.late")
"""No dice have been rolled, or only those of an attack on this seat's character."""


def _actions_of(turn: r.Turn, who: str) -> list[r.Check]:
    """The actions that end when this character concedes: their own, and attacks on them."""
    # Ending a hidden action openly would reveal it.
    secret = turn.table.characters[who].hidden
    known = [check for check in turn.table.checks.values() if secret or not check.hidden]
    return [check for check in known if who in (check.actor, target_of_attack(check))]


def _points_for(turn: r.Turn, who: str) -> int:
    """The Fate points for conceding: none after the roll of an ended action."""
    if any(check.phase == "rolled" and not check.hidden for check in _actions_of(turn, who)):
        return 0
    scene = turn.table.periods["scene"]
    taken = turn.table.of_kind("consequence", about=who)
    return 1 + sum(Aspect.of(trait).scene == scene for trait in taken)


CONCEDES = r.ChoiceAsk("as", "Who concedes?", _concedes)


def _gain_caution(turn: r.Turn) -> str:
    """A caution with the gain of conceding."""
    who = CONCEDES.chosen(turn)
    if not who:
        return ""
    n = _points_for(turn, who)
    id = "concede.brings" if n else "concede.nothing"
    return turn.words.say(id, who=name_of(turn, who), n=n)


@r.move(
    "conflict.concede",
    when=r.all_of(r.in_session, _in_conflict, _in_time),
    only_if=[has_actor],
    asks=[CONCEDES, r.TextAsk("text", "How do they go?", needed=False)],
    caution=_gain_caution,
    rule="Conceding",
    place=r.at("actions", 69),
)
def concede(turn: r.Turn) -> Iterator[r.Event]:
    """Concede

    In a conflict, on your own terms: an attack on you is over, and so is an action of your own.
    Before the roll it brings a Fate point, and one more for each consequence taken in this
    conflict; and what was spent on that action comes back. After the roll of an attack on you it
    hits no longer, and brings none. In one's own turn the next begins. You are back in the next
    scene.
    """
    who, how = turn.text("as"), turn.text("text")
    ended, n = _actions_of(turn, who), _points_for(turn, who)
    text = turn.words.say("conceded.how" if how else "conceded", who=name_of(turn, who), text=how)
    yield turn.trait("conceded", text, who, until="scene")
    if n:
        yield from turn.change("fate", n, who)
    for check in ended:
        yield from _end_attack(turn, check)
    yield from go_on_without(turn)


def _end_attack(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """End a conceded attack: cancelled before the roll; after it, without a hit."""
    conceded = Action.put(check, taken="conceded")
    if check.phase == "build":
        yield turn.amend(conceded)
        yield r.CheckClosed(check.id, "cancelled")
        yield from turn.refund(check.spent, check.title)
        return
    for hit in turn.table.of_kind("hit", at=check.id):
        yield r.TraitRemoved(hit.id)
    yield turn.amend(conceded, turn.words["concede.ends"])
    yield from close_if_finished(turn, check.id)


_with_stress = r.characters(
    only=lambda turn, one: number(one, "stress") or checked_boxes(turn.table, one.id)
)


def _their_boxes(turn: r.Turn) -> Iterator[r.Choice]:
    who = turn.character("who")
    if who is None:
        return
    full = checked_boxes(turn.table, who.id)
    # A checked box beyond the sheet's number can still be cleared.
    for box in sorted({*range(1, number(who, "stress") + 1)} | full):
        state = "checked" if box in full else "clear"
        yield r.Choice(str(box), turn.words.say("stress.box", n=box), turn.words[f"stress.{state}"])


_by_gm = partial(r.gm_move, rule="Stress and consequences")


@_by_gm(
    "stress.toggle",
    only_if=[r.any_of(_with_stress, "stress.boxes")],
    asks=[
        r.ChoiceAsk("who", "Whose stress?", _with_stress),
        r.ChoiceAsk("box", "Which box?", _their_boxes),
    ],
)
def toggle(turn: r.Turn) -> Iterator[r.Event]:
    """Check or clear a stress box"""
    yield from turn_box(turn, turn.text("who"), int(turn.text("box")))


@_by_gm("recovery.rest", when=r.in_session, place=r.at("scene", 61))
def rest(turn: r.Turn) -> Iterator[r.Event]:
    """Allow a rest

    Mild consequences are over at its end then. Stress is cleared at the end of every scene, whether
    anybody rests.
    """
    if not turn.table.of_kind("rest"):
        yield turn.trait("rest", turn.words["rest"], until="scene")


def _healing_caution(turn: r.Turn) -> str:
    """A caution with the consequences that end with the scenario."""
    taken = turn.table.of_kind("consequence")
    severe = [Aspect.of(trait).name for trait in taken if trait.at == "severe"]
    id = "cut_short.scenario.heals" if severe else "cut_short.scenario"
    return turn.words.say(id, what=turn.words["list.comma"].join(severe))


@_by_gm(
    "scenario.end",
    when=r.all_of(
        r.between_actions, r.requires(lambda t: "adventure" in t.table.running, "scenario.none")
    ),
    ends=_healing_caution,
    place=r.at("table", 62),
)
def end_scenario(turn: r.Turn) -> Iterator[r.Event]:
    """End the scenario

    Severe consequences are over with it.
    """
    yield r.PeriodEnded("adventure", turn.table.periods["adventure"])


@r.whenever(r.PeriodEnded)
def heal(turn: r.Turn, event: r.PeriodEnded) -> Iterator[r.Event]:
    """Remove the consequences that last until the end of this scene, session or scenario."""
    rested = bool(turn.table.of_kind("rest"))
    for trait in turn.table.of_kind("consequence"):
        over = {
            "mild": event.kind == "scene" and rested,
            "moderate": event.kind == "session" and event.number != Aspect.of(trait).session,
            "severe": event.kind == "adventure",
        }[trait.at]
        if over:
            yield r.TraitRemoved(trait.id, turn.words["consequence.over"])
