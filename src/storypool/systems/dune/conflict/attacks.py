"""Attacks: a contest over an asset, the track that leads to defeat, lasting defeat, and resisting it.

Source: seed 004, Attack Sequence and Resisting Defeat; dune.md 4.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storypool.engine import rules as r
from storypool.systems.dune.checks import TEST, opened
from storypool.systems.dune.conflict.acting import ASSET, FIGHTER
from storypool.systems.dune.conflict.assets import defences, owned
from storypool.systems.dune.conflict.turns import in_turn, nobody_acts, running
from storypool.systems.dune.people.sheet import MINOR, noted, rank, traits_of
from storypool.systems.dune.pools import settled, suggestions
from storypool.systems.dune.terms import Payment, in_the_open, own, own_or_left, passed, purse, spend

HIT = 2
"""Points of a successful attack, besides the Potency of its asset."""


def _ours(turn: r.Turn, sort: str) -> list[r.Trait]:
    """The traits of this kind that those whom this seat plays have."""
    ours = {choice.value for choice in r.characters(own=True)(turn)}
    return [trait for trait in traits_of(turn.table, sort) if trait.about in ours]


def _targets(turn: r.Turn) -> Iterator[r.Choice]:
    """Everybody but the attacker, the other side first, each with how far they are from defeat; closed for those who
    are defeated.
    """
    actor = turn.character("as")
    ours = (actor.team if actor else turn.team) is r.Team.GM
    everybody = [turn.table.characters[choice.value] for choice in r.characters()(turn)]
    for who in sorted(everybody, key=lambda who: (who.side == "gm") == ours):
        down = turn.words.say("no.attack.defeated", who=who.name) if f"defeated-{who.id}" in turn.table.traits else ""
        if actor is None or who.id != actor.id:
            yield r.Choice(who.id, who.name, _condition(turn, who), down)


def _condition(turn: r.Turn, who: r.Character) -> str:
    """How far somebody is on the way to defeat, as a note."""
    if rank(who) == MINOR:
        return turn.words["target.minor"]
    track = turn.table.traits.get(f"track-{who.id}")
    return turn.words.say("target.track", n=track.rating, goal=track.goal) if track else ""


def _only_target(turn: r.Turn) -> str | None:
    """The opponent, where just one stands."""
    actor, who = turn.character("as"), turn.table.characters
    standing = [one.value for one in _targets(turn) if not one.closed]
    foes = [id for id in standing if actor and (who[id].side == "gm") != (actor.side == "gm")]
    return foes[0] if len(foes) == 1 else None


@r.move(
    "conflict.attack",
    when=lambda t: running(t) or nobody_acts(t),
    window=in_turn,
    only_if=[lambda t: None if _ours(t, "asset") else t.no("asset.own")],
    asks=[FIGHTER, r.ChoiceAsk("against", "Target", _targets, default=_only_target), ASSET, *TEST],
    rule="Attack Sequence",
    place=r.at("actions", 68),
)
def attack(turn: r.Turn) -> Iterator[r.Event]:
    """Attack

    A contest against the target, who rolls first. Each defensive asset in the target's zone adds 1 to the Difficulty.
    """
    asset = owned(turn)
    against = turn.text("against")
    title = turn.words.say("attack.title", asset=asset.text)
    harder = [trait.text for trait in defences(turn.table, against)]
    yield from opened(turn, "attack", title, harder=harder, asset=asset.id)


# The track.

PRESS = Payment("track", lambda turn: 2 if turn.flag("press") else 0)
LASTING = Payment("lasting")


def _scores(turn: r.Turn) -> r.Refusal | None:
    """The roll was an attack, or part of an extended task, and has not been counted."""
    check = turn.here
    if check.text("kind") != "attack" and check.text("task") not in turn.table.traits:
        return turn.firm("track.none")
    if check.terms.get("scored"):
        return turn.firm("track.scored")
    if check.terms.get("at_cost"):
        return turn.no("at_cost.track")
    return None if passed(check) else turn.firm("failed")


def _pays(turn: r.Turn) -> bool:
    """A test that the players do not see spends nothing, and neither does the GM for somebody who left."""
    return turn.check is not None and not turn.check.hidden and own(turn) is None


@r.move(
    "track.score",
    when=lambda t: r.rolled(t) or _scores(t),
    price=PRESS.price,
    only_if=[own_or_left],
    asks=[r.FlagAsk("press", "One point more, for 2?", default=False, needed=False, shown=_pays), *PRESS.asks],
    rule="Attack Sequence",
    group="spend",
    place=r.at("primary", 4),
)
def score(turn: r.Turn) -> Iterator[r.Event]:
    """Count the hit

    2 and the Potency of the asset, and 1 more for 2 points. Who is minor is defeated at once; anybody else when their
    track is full.
    """
    yield from PRESS.paid(turn)
    yield from scored(turn, turn.here, int(turn.flag("press")))


def scored(turn: r.Turn, check: r.Check, more: int = 0) -> Iterator[r.Event]:
    """A success counted on the track of its target or of its task."""
    asset = turn.table.traits.get(check.text("asset"))
    potency = asset.rating if asset else 0
    yield turn.amend(check.with_terms(scored=True, touched=True))
    task = turn.table.traits.get(check.text("task"))
    if task is not None:
        yield r.TraitSet(replace(task, rating=task.rating + HIT + potency + more))
    target = turn.table.characters.get(check.against)
    if check.text("kind") != "attack" or target is None:
        return
    if rank(target) > MINOR:
        skill = check.text("opponent_skill") or check.text("skill")
        said, goal = turn.words.say("track.text", skill=turn.system.entry(skill)), r.rating(target, skill) or 4
        new = r.Trait(f"track-{target.id}", "track", said, target.id, 0, goal, until="scene")
        track = turn.table.traits.get(new.id, r.hidden_like(new, check))
        track = replace(track, rating=track.rating + HIT + potency + more)
        yield r.TraitSet(track)
        if track.rating < track.goal:
            return
    id, said = f"defeated-{target.id}", turn.words["defeat.told"]
    fall = r.hidden_like(r.Trait(id, "defeated", said, target.id, potency, at=check.id, until="scene"), check)
    asked = resistible(turn, fall) and (target.side != "gm" or turn.table.balance("threat") > potency)
    fall = fall.with_terms(how=_how(turn, target, asset, 1 + potency if asked else 0))
    yield r.TraitSet(fall.with_terms(asked=True) if asked else fall)
    if asked:
        yield turn.amend(turn.here, windows=("target",))


def _how(turn: r.Turn, target: r.Character, asset: r.Trait | None, cost: int) -> str:
    """A defeat in words: by what, how far the track had come, and what resisting it costs, if that can be done."""
    track = turn.table.traits.get(f"track-{target.id}")
    how = [turn.words.say("defeat.by", asset=asset.text)] if asset else []
    if track is not None and rank(target) > MINOR:
        how.append(turn.words.say("defeat.full", n=min(track.rating, track.goal), goal=track.goal, text=track.text))
    told = " ".join(how)
    return turn.words.say("defeat.resistible", how=told, who=target.name, cost=cost) if cost else told


def fallen(turn: r.Turn, check: r.Check) -> r.Trait | None:
    """The defeat that this attack brought, as long as it stands."""
    trait = turn.table.traits.get(f"defeated-{check.against}")
    return trait if trait is not None and trait.at == check.id else None


def _has_defeated(turn: r.Turn) -> r.Refusal | None:
    trait = fallen(turn, turn.here)
    if trait is None:
        return turn.firm("defeat.none")
    if trait.terms.get("asked"):
        return turn.firm("defeat.waits", who=turn.table.characters[trait.about].name)
    return turn.firm("defeat.lasts") if trait.terms.get("lasting") else None


@spend(
    "track.lasting",
    price=LASTING.price,
    limit=r.Limit("lasting", ("check",)),
    only_if=[own, in_the_open, _has_defeated],
    asks=[r.TextAsk("text", "What becomes of them?"), *LASTING.asks],
    rule="Attack Sequence",
    place=r.at("menu", 64),
)
def lasting(turn: r.Turn) -> Iterator[r.Event]:
    """Make the defeat last

    For 2, when this attack defeated somebody who cannot resist it, or does not: it is not over with the scene.
    """
    yield from LASTING.paid(turn)
    trait = fallen(turn, turn.here)
    if trait is not None:
        said = turn.words.say("defeat.lasting", text=turn.text("text"))
        yield r.TraitSet(replace(trait, text=said, until="", terms={"lasting": True}))


# Resisting.


def answered(turn: r.Turn) -> r.Refusal | None:
    """Every complication is settled, and whoever this attack defeated has resisted or gone down."""
    check = turn.check
    fall = fallen(turn, check) if check is not None and check.phase == "rolled" else None
    if fall is not None and fall.terms.get("asked"):
        return turn.no("defeat.waits", who=turn.table.characters[fall.about].name)
    return settled(turn)


def resistible(turn: r.Turn, trait: r.Trait) -> bool:
    """Whether this defeat can be resisted: once a scene, not by a minor character, and not once it is accepted."""
    who = turn.table.characters.get(trait.about)
    if trait.terms.get("lasting") or trait.terms.get("accepted"):
        return False
    return who is not None and rank(who) > MINOR and f"resisted-{trait.about}" not in turn.table.traits


def _fallen(turn: r.Turn) -> Iterator[r.Choice]:
    for trait in sorted(_ours(turn, "defeated"), key=lambda trait: not resistible(turn, trait)):
        who = turn.table.characters[trait.about]
        yield r.Choice(who.id, who.name, trait.text)


def _resist_cost(turn: r.Turn) -> int:
    named = turn.text("who") or next((choice.value for choice in _fallen(turn)), "")
    trait = turn.table.traits.get(f"defeated-{named}")
    return 1 + trait.rating if trait else 1


RESIST = Payment("resist", _resist_cost)


def _any_fallen(turn: r.Turn) -> r.Refusal | None:
    defeats = _ours(turn, "defeated")
    if not defeats:
        return turn.firm("defeat.nobody")
    return None if any(resistible(turn, trait) for trait in defeats) else turn.no("defeat.resisted")


@r.move(
    "defeat.resist",
    when=lambda t: r.in_session(t) or _any_fallen(t),
    price=RESIST.price,
    only_if=[in_the_open],
    asks=[
        r.ChoiceAsk("who", "Who resists?", _fallen, default=lambda t: next((c.value for c in _fallen(t)), None)),
        r.ChoiceAsk("text", "Which complication follows?", suggestions, free=True),
        *RESIST.asks,
    ],
    rule="Resisting Defeat",
    group="spend",
    place=r.at("actions", 72),
)
def resist(turn: r.Turn) -> Iterator[r.Event]:
    """Resist defeat

    Once a scene, for 1 and the Potency of the asset that did it, in Momentum or added to Threat; an NPC's in Threat.
    A complication follows. Nothing is healed: the track stays full, and the next successful attack defeats.
    """
    trait = turn.table.traits.get(f"defeated-{turn.text('who')}")
    if trait is None:
        raise turn.refused("argument", "defeat.nobody", "who")
    if not resistible(turn, trait):
        raise turn.refused("argument", "defeat.resisted", "who")
    yield from RESIST.paid(turn)
    yield r.TraitRemoved(trait.id, turn.title)
    yield from _answered(turn, trait)
    if trait.terms.get("learned") and turn.table.balance("advancement", trait.about):
        # A character who is not defeated after all has not learned by it.
        yield from turn.change("advancement", -1, trait.about, turn.title)
    yield r.TraitSet(r.Trait(f"resisted-{trait.about}", "resisted", "", trait.about, until="scene"))
    yield noted(turn, r.Trait("", "complication", turn.text("text"), trait.about, until="scene"))


def _asked(turn: r.Turn) -> Iterator[r.Choice]:
    for trait in _ours(turn, "defeated"):
        if trait.terms.get("asked"):
            yield r.Choice(trait.about, turn.table.characters[trait.about].name)


@r.move(
    "defeat.accept",
    when=r.any_of(_asked, "defeat.open"),
    asks=[r.first_choice("who", "Who goes down?", _asked)],
    rule="Resisting Defeat",
    group="spend",
    place=r.at("actions", 73),
)
def accept_defeat(turn: r.Turn) -> Iterator[r.Event]:
    """Go down

    This defeat is not resisted any more.
    """
    trait = turn.table.traits[f"defeated-{turn.text('who')}"]
    yield r.TraitSet(trait.with_terms(asked=False, accepted=True))
    yield from _answered(turn, trait, turn.words.say("defeat.accepted", who=turn.table.characters[trait.about].name))


def _answered(turn: r.Turn, trait: r.Trait, said: str = "") -> Iterator[r.Event]:
    """The attack that brought this defeat waits for its target no more."""
    check = turn.table.checks.get(trait.at)
    if check is not None:
        yield turn.amend(check, said, windows=())


def counted(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """The success of an attack, or of a part of a task, counted on its track if nobody has."""
    if passed(check) and not check.terms.get("scored") and (check.text("kind") == "attack" or check.text("task")):
        yield from scored(turn, check)


def undecided(turn: r.Turn, check: r.Check) -> bool:
    """Whether this attack has just brought a defeat that can be resisted, or be made to last by points that are
    there.
    """
    trait = fallen(turn, check)
    if trait is None or trait.id in turn.before.traits:
        return False
    pool = purse(turn.seat.side)
    can_last = r.acts_in(turn, check) and not check.hidden and not check.terms.get("at_cost")
    pays = turn.table.balance(pool) + check.owed[pool] >= LASTING.cost(turn) or LASTING.may_add(turn)
    return bool(trait.terms.get("asked")) or (can_last and pays)


def fell(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """When an attack is over, a player's character left defeated learns by it."""
    if not passed(check):
        return
    trait = fallen(turn, check) if check.text("kind") == "attack" else None
    target = turn.table.characters.get(check.against)
    if trait is None or target is None:
        return
    learns = target.side == "players" and bool(target.seat)
    if learns:
        yield from turn.change("advancement", 1, target.id, turn.words["advance.pain"])
    if learns or trait.terms.get("asked"):
        yield r.TraitSet(trait.with_terms(learned=learns, asked=False))
