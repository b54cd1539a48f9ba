"""Attacks, tracks, and resisting defeat.

Source: seed 004, Attack Sequence, Resisting Defeat; dune.md 4.4.
"""

from storypool.engine import rules as r
from storypool.systems.dune.conditions import own, own_or_left, spend
from storypool.systems.dune.conflict.assets import ASSET, IN_PLAY, defences, owned
from storypool.systems.dune.conflict.turns import FIGHTER, action, everybody, fighters, state_of
from storypool.systems.dune.payment import Payment, pool_of
from storypool.systems.dune.people.sheet import MINOR, Defeat, is_defeated, rank, so_far
from storypool.systems.dune.pools import settled, suggestions
from storypool.systems.dune.skill_test_terms import Deed, SkillTest
from storypool.systems.dune.skill_tests import TEST, open_test, others

HIT, PRESS = 2, 2
"""The points of a success, besides the Potency of its asset; and what one point more costs."""


def _own_defeats(turn: r.Turn) -> list[r.Trait]:
    ours = {choice.value for choice in r.characters(own=True)(turn)}
    return [trait for trait in turn.table.of_kind("defeated") if trait.about in ours]


def _targets(turn: r.Turn) -> r.Choices:
    """The possible targets; their own side only where nobody of the other can act."""
    actor, who = turn.character("as"), turn.table.characters
    team = actor.team if actor else turn.team
    opposed = bool(fighters(turn.table, team.other))
    for one in others(turn, actor, turn.team):
        if not opposed or who[one.value].team is not team:
            defeated = is_defeated(turn.table, one.value)
            down = turn.firm("attack.defeated", who=one.label) if defeated else None
            yield r.replace(one, note=_condition(turn, who[one.value])).unless(down)


def _condition(turn: r.Turn, who: r.Character) -> str:
    if rank(who) == MINOR:
        return turn.words["target.minor"]
    track = turn.table.traits.get(f"track-{who.id}")
    return turn.words.say("target.track", **so_far(track)) if track else ""


def _only_target(turn: r.Turn) -> str | None:
    """The opponent, where one is not defeated, or one of those whom the conflict is against."""
    actor, who = turn.table.characters.get(FIGHTER.chosen(turn)), turn.table.characters
    able = [who[one.value] for one in _targets(turn) if not one.closed]
    foes = [one for one in able if actor and one.team is not actor.team]
    if len(foes) > 1 and state_of(turn.table).named:
        in_it = everybody(turn.table)
        foes = [one for one in foes if one in in_it]
    return foes[0].id if len(foes) == 1 else None


def _title(turn: r.Turn) -> str:
    who = turn.table.characters.get(_only_target(turn) or "")
    return turn.words.say("attack.whom", who=who.name) if who and "against" not in turn.args else ""


def _has_foe(turn: r.Turn) -> r.Refusal | None:
    if any(r.characters(only=lambda t, one: one.team is not t.team)(turn)):
        return None
    return turn.no("attack.nobody.gm") if turn.is_gm else turn.no("attack.nobody")


@action(
    "conflict.attack",
    only_if=[_has_foe, IN_PLAY],
    asks=[
        FIGHTER,
        r.ChoiceAsk(
            "against",
            "Target",
            _targets,
            default=_only_target,
            shown_as=lambda t: t.words["target.any_zone"] if any(r.zones(t)) else "",
        ),
        ASSET,
        *TEST,
    ],
    rule="Attack Sequence",
    place=r.at("actions", 68),
    shown_as=_title,
)
def attack(turn: r.Turn) -> r.Events:
    """Attack

    A contest against the target, who rolls first and may be in any zone. Each defensive asset in
    the target's zone adds 1 to the Difficulty.
    """
    asset = owned(turn)
    harder = [trait.text for trait in defences(turn.table, turn.text("against"))]
    title = turn.words.say("attack.title", asset=asset.text)
    yield from open_test(turn, "attack", title, Deed(asset=asset.id), harder=harder)


LASTING = Payment("lasting", 2)


def _scores(turn: r.Turn) -> r.Refusal | None:
    """The roll was an attack, or part of an extended task, and has not been counted."""
    test = SkillTest.of(turn.here)
    if test.kind != "attack" and test.deed.task not in turn.table.traits:
        return turn.firm("track.none")
    if test.scored:
        return turn.firm("track.scored")
    if test.at_cost:
        return turn.no("at_cost.track")
    return None if turn.here.passed else turn.firm("failed")


def _potency(turn: r.Turn, check: r.Check) -> int:
    asset = turn.table.traits.get(Deed.of(check).asset)
    return asset.rating if asset else 0


def _counts(turn: r.Turn) -> r.Choices:
    """The damage with and without another point; closed if nobody can pay for it."""
    n, pool = HIT + _potency(turn, turn.here), pool_of(turn.team)
    yield r.Choice("no", turn.words.say("track.points", n=n))
    have = turn.table.balance(pool) + turn.here.owed[pool]
    short = turn.short(pool, PRESS, have).text if have < PRESS and not TRACK.may_add(turn) else ""
    note = turn.words.say("track.press", price=r.priced(turn, r.Bag({pool: PRESS})))
    yield r.Choice("yes", turn.words.say("track.points", n=n + 1), note, closed=short)


def _on_track(turn: r.Turn) -> bool:
    test, target = SkillTest.of(turn.here), turn.table.target(turn.here)
    return test.deed.task in turn.table.traits or (target is not None and rank(target) > MINOR)


TRACK = Payment("track", lambda turn: PRESS if turn.text("press") == "yes" else 0)
COUNTS = r.ChoiceAsk(
    "press",
    "How much does it count?",
    _counts,
    default="no",
    # Nobody pays for a test that the players do not see, nor the GM for a player who left.
    shown=lambda t: not t.here.hidden and own(t) is None and _on_track(t),
    short=lambda turn, choice: True,
)


def _what_it_does(turn: r.Turn) -> str:
    attacks = turn.check is not None and SkillTest.of(turn.here).kind == "attack"
    if not attacks or (target := turn.table.target(turn.here)) is None:
        return ""
    id = "track.falls" if rank(target) <= MINOR else "track.nearer"
    return turn.words.say(id, who=target.name)


@TRACK.buys
@spend(
    "track.score",
    when=r.all_of(r.rolled, _scores),
    only_if=[own_or_left],
    asks=[COUNTS],
    rule="Attack Sequence",
    place=r.at("primary", 4),
    shown_as=_what_it_does,
)
def score(turn: r.Turn) -> r.Events:
    """Count the success

    2 and the Potency of the asset, and 1 more for 2 points. Who is minor is defeated at once;
    anybody else when their track is full.
    """
    yield from add_to_track(turn, turn.here, int(turn.text("press") == "yes"))


def add_to_track(turn: r.Turn, check: r.Check, more: int = 0) -> r.Events:
    """Count a success on the track of its target or of its task."""
    test, points = SkillTest.of(check), HIT + _potency(turn, check) + more
    yield turn.amend(SkillTest.put(check, scored=True, touched=True))
    if (task := turn.table.traits.get(test.deed.task)) is not None:
        done = task.rating + points >= task.goal
        # What is done stays in sight until the scene is over.
        task = r.replace(task, rating=task.rating + points, until="scene" if done else task.until)
        yield _with_progress(turn, task, task.text)
        yield r.TraitSet(task)
    target = turn.table.target(check)
    if test.kind != "attack" or target is None:
        return
    if rank(target) > MINOR:
        skill = test.contest.opponent_skill or test.skill
        text = turn.words.say("track.text", skill=turn.system.entry(skill))
        id, goal = f"track-{target.id}", r.rating(target, skill) or 4
        new = r.Trait(id, "track", text, target.id, goal=goal, at=skill, until="scene")
        track = turn.table.traits.get(id, r.hidden_like(new, check))
        track = r.replace(track, rating=track.rating + points)
        yield r.TraitSet(track)
        yield _with_progress(turn, track, target.name)
        if track.rating < track.goal:
            return
    yield from _defeat(turn, check, target)


def _defeat(turn: r.Turn, check: r.Check, target: r.Character) -> r.Events:
    """Defeat the target of an attack, after asking it to resist if it can do and pay that."""
    id, text, potency = f"defeated-{target.id}", turn.words["defeat.told"], _potency(turn, check)
    new = r.Trait(id, "defeated", text, target.id, potency, at=check.id, until="scene")
    defeat = r.hidden_like(new, check)
    pays = target.team is r.Team.PLAYERS or turn.table.balance("threat") > potency
    asked = pays and not _not_resistible(turn, defeat)
    how = _in_words(turn, check, target, 1 + potency if asked else 0)
    yield r.TraitSet(Defeat.put(defeat, how=how, asked=asked))
    if asked:
        yield turn.amend(turn.here, windows=("target",))


@r.whenever(r.CharacterSet)
def follow_skill(turn: r.Turn, event: r.CharacterSet) -> r.Events:
    """Whenever the skill of a track changes, so does its goal; the next attack defeats."""
    track = turn.table.traits.get(f"track-{event.character.id}")
    goal = r.rating(event.character, track.at) if track else None
    if track and goal is not None and goal != track.goal:
        yield r.TraitSet(r.replace(track, goal=goal))


def _with_progress(turn: r.Turn, track: r.Trait, what: str) -> r.Event:
    """Add to the result how far a track has come by it."""
    words = turn.words.say(f"result.{track.kind}", what=what, **so_far(track))
    return turn.amend(turn.here.also(words), words)


def _in_words(turn: r.Turn, check: r.Check, target: r.Character, cost: int = 0) -> str:
    """A defeat in words: by what, how far the track had come, and what resisting it costs."""
    traits, how = turn.table.traits, list[str]()
    if asset := traits.get(Deed.of(check).asset):
        how.append(turn.words.say("defeat.by", asset=asset.text))
    if rank(target) > MINOR and (track := traits.get(f"track-{target.id}")):
        how.append(turn.words.say("defeat.full", text=track.text, **so_far(track)))
    text = " ".join(how)
    if not cost:
        return text
    price = turn.words.say(f"defeat.price.{target.team}", n=cost)
    return turn.words.say("defeat.resistible", how=text, who=target.name, price=price)


def defeat_by(turn: r.Turn, check: r.Check) -> r.Trait | None:
    """The defeat that this attack brought, as long as it has not been resisted."""
    trait = turn.table.traits.get(f"defeated-{check.against}")
    return trait if trait and trait.at == check.id else None


def _has_defeated(turn: r.Turn) -> r.Refusal | None:
    if (trait := defeat_by(turn, turn.here)) is None:
        return turn.firm("defeat.none")
    if Defeat.of(trait).asked:
        return turn.firm("defeat.waits", who=turn.table.characters[trait.about].name)
    return turn.firm("defeat.lasts") if Defeat.of(trait).lasting else None


@LASTING.buys
@spend(
    "track.lasting",
    limit=r.Limit("lasting", ("check",)),
    only_if=[own, r.in_the_open, _has_defeated],
    asks=[r.TextAsk("text", "What becomes of them?")],
    rule="Attack Sequence",
    place=r.at("menu", 64),
)
def make_last(turn: r.Turn) -> r.Events:
    """Make it last

    For 2, when this attack defeated a character who cannot resist it, or does not: it is not over
    with the scene.
    """
    trait = defeat_by(turn, turn.here)
    if trait is not None:
        text = turn.words.say("defeat.lasting", text=turn.text("text"))
        yield r.TraitSet(r.replace(trait, text=text, until="", terms=Defeat(lasting=True).terms))


def answered(turn: r.Turn) -> r.Refusal | None:
    """Every complication is settled, and the target has resisted defeat or gone down."""
    check = turn.check
    defeat = defeat_by(turn, check) if check and check.phase == "rolled" else None
    if defeat and Defeat.of(defeat).asked:
        return turn.no("defeat.waits", who=turn.table.characters[defeat.about].name)
    return settled(turn)


def _not_resistible(turn: r.Turn, trait: r.Trait) -> str:
    """Why this defeat cannot be resisted, as the end of the id of its sentence, or ""."""
    who, defeat = turn.table.characters.get(trait.about), Defeat.of(trait)
    if defeat.lasting:
        return "lasting"
    if who is None or rank(who) <= MINOR:
        return "minor"
    if f"resisted-{trait.about}" in turn.table.traits:
        return "resisted"
    return "accepted" if defeat.accepted else ""


def _resisting(turn: r.Turn) -> r.Choices:
    for trait in sorted(_own_defeats(turn), key=lambda one: _not_resistible(turn, one) != ""):
        yield r.Choice(trait.about, turn.table.characters[trait.about].name, trait.text)


RESISTS = r.first_choice("who", "Who resists?", _resisting)


def _resist_cost(turn: r.Turn) -> int:
    trait = turn.table.traits.get(f"defeated-{RESISTS.chosen(turn)}")
    return 1 + trait.rating if trait else 1


def _any_fallen(turn: r.Turn) -> r.Refusal | None:
    reasons = {trait.about: _not_resistible(turn, trait) for trait in _own_defeats(turn)}
    if not reasons:
        return turn.firm("defeat.nobody")
    who, reason = next(iter(reasons.items()))
    if not all(reasons.values()):
        return None
    return turn.no(f"defeat.cannot.{reason}", who=turn.table.characters[who].name)


@Payment("resist", _resist_cost).buys
@spend(
    "defeat.resist",
    when=r.all_of(r.in_session, _any_fallen),
    only_if=[r.in_the_open],
    asks=[RESISTS, r.ChoiceAsk("text", "Which complication follows?", suggestions, free=True)],
    rule="Resisting Defeat",
    place=r.at("actions", 72),
)
def resist(turn: r.Turn) -> r.Events:
    """Resist defeat

    Once a scene, for 1 and the Potency of the asset that did it, in Momentum or added to Threat; an
    NPC's in Threat. A complication follows. Nothing is healed: the track stays full, and the next
    successful attack defeats.
    """
    trait = turn.table.traits[f"defeated-{turn.text('who')}"]
    if reason := _not_resistible(turn, trait):
        who = turn.table.characters[trait.about].name
        raise turn.refused("argument", f"defeat.cannot.{reason}", "who", who=who)
    yield r.TraitRemoved(trait.id, turn.words["defeat.resisted"])
    yield from _stop_waiting(turn, trait)
    if Defeat.of(trait).learned and turn.table.balance("advancement", trait.about):
        # A character who is not defeated after all has not learned by it.
        yield from turn.change("advancement", -1, trait.about, turn.title)
    words = turn.words.say("defeat.resists", who=turn.table.characters[trait.about].name)
    now = r.Trait(f"resisted-{trait.about}", "resisted", words, trait.about, until="scene")
    yield r.TraitSet(now)
    yield turn.trait("complication", turn.text("text"), trait.about, until="scene")


def _undecided(turn: r.Turn) -> r.Choices:
    for trait in _own_defeats(turn):
        if Defeat.of(trait).asked:
            yield r.Choice(trait.about, turn.table.characters[trait.about].name)


@spend(
    "defeat.accept",
    when=r.any_of(_undecided, "defeat.open"),
    asks=[r.first_choice("who", "Who goes down?", _undecided)],
    rule="Resisting Defeat",
    loss=True,
    place=r.at("actions", 73),
)
def accept_defeat(turn: r.Turn) -> r.Events:
    """Go down

    This defeat is not resisted any more.
    """
    trait = turn.table.traits[f"defeated-{turn.text('who')}"]
    who, check = turn.table.characters[trait.about], turn.table.checks.get(trait.at)
    # That it can be resisted is not true any more.
    how = _in_words(turn, check, who) if check else Defeat.of(trait).how
    # A card that says how to resist says this instead.
    trait = r.replace(trait, text=turn.words.say("conflict.defeated", who=who.name))
    yield r.TraitSet(Defeat.put(trait, how=how, asked=False, accepted=True))
    yield from _stop_waiting(turn, trait)


def _stop_waiting(turn: r.Turn, trait: r.Trait) -> r.Events:
    if check := turn.table.checks.get(trait.at):
        yield turn.amend(check, windows=())


def count_hit(turn: r.Turn, check: r.Check) -> r.Events:
    """Count the success of an attack, or of a part of a task, on its track once."""
    test = SkillTest.of(check)
    if check.passed and not test.scored and (test.kind == "attack" or test.deed.task):
        yield from add_to_track(turn, check)


def is_undecided(turn: r.Turn, check: r.Check) -> bool:
    """Whether this attack has just brought a defeat that can be resisted, or be made to last."""
    trait = defeat_by(turn, check)
    if trait is None or trait.id in turn.before.traits:
        return False
    return Defeat.of(trait).asked or (r.acts_in(turn, check) and can_last(turn, check))


def can_last(turn: r.Turn, check: r.Check) -> bool:
    """Whether the side that attacked can pay for a defeat to last."""
    pool = pool_of(check.team)
    pays = turn.table.balance(pool) + check.owed[pool] >= LASTING.cost(turn)
    may_add = LASTING.may_add(turn, check.team)
    return not check.hidden and not SkillTest.of(check).at_cost and (pays or may_add)


def learn_from_defeat(turn: r.Turn, check: r.Check) -> r.Events:
    """Give a player's character who stays defeated after an attack the lesson of it."""
    trait, target = defeat_by(turn, check), turn.table.target(check)
    if not check.passed or SkillTest.of(check).kind != "attack" or trait is None or target is None:
        return
    learns = target.team is r.Team.PLAYERS and bool(target.seat)
    if learns:
        yield from turn.change("advancement", 1, target.id, turn.words["advance.pain"])
    if learns or Defeat.of(trait).asked:
        yield r.TraitSet(Defeat.put(trait, learned=learns, asked=False))
