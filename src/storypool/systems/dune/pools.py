"""Momentum, Threat and complications.

Source: seed 004, Momentum Uses, Adding to Threat, Spending Threat.
"""

from storypool.engine import rules as r
from storypool.systems.dune.conditions import (
    MAY_SPEND,
    before_roll,
    has_difficulty,
    in_play,
    known,
    own,
    spend,
)
from storypool.systems.dune.payment import Payment, threat
from storypool.systems.dune.people.advancement import returnable
from storypool.systems.dune.skill_test_terms import (
    SkillTest,
    difficulty_in_words,
    shifted,
    with_gone,
)
from storypool.systems.twod20.dice import BASE, D20, MOST, ONE


def dice_price(bought: int, n: int, first_free: bool = False) -> int:
    """The price of `n` more dice, by either side, after those already bought: 1, 2, 3.

    Source: seed 004, Momentum Uses; dune.md 4.6.

    >>> dice_price(0, 3), dice_price(1, 1), dice_price(0, 3, first_free=True)
    (6, 2, 5)
    """
    free = first_free and bought == 0 and n > 0
    return sum(range(bought + 1, bought + n + 1)) - int(free)


def room(check: r.Check | None) -> int:
    return MOST - (check.pool[D20.name] + check.pool[ONE.name]) if check else MOST - BASE


def _dice_cost(turn: r.Turn) -> int:
    test = SkillTest.of(turn.check) if turn.check else SkillTest()
    n = min(turn.number("n", 1), max(1, room(turn.check)))
    return dice_price(test.bought, n, bool(test.abilities.proficiency))


@Payment("dice", _dice_cost).buys
@before_roll(
    "dice.buy",
    only_if=[
        own,
        r.in_the_open,
        known,
        lambda t: None if room(t.check) > 0 else t.firm("dice.most", most=MOST, room=0),
    ],
    asks=[
        r.NumberAsk(
            "n",
            "How many dice?",
            default=1,
            low=1,
            high=MOST - BASE,
            most=lambda t: room(t.check),
        )
    ],
    rule="Momentum Uses: Buying d20s",
    place=r.at("tray"),
)
def buy_dice(turn: r.Turn) -> r.Events:
    """Buy d20s

    The first costs 1, the second 2, the third 3, whichever pool pays: Momentum, or as many points
    added to Threat, or some of both; the GM pays in Threat for NPCs. Never more than 5d20.
    """
    check, n = turn.here, turn.number("n", 1)
    if n > room(check):
        raise turn.refused("argument", "dice.most", "n", most=MOST, room=room(check))
    why = turn.words.say("dice.bought", who=turn.seat.name, n=n)
    mod = r.Mod(
        "add",
        D20.name,
        n,
        why,
        turn.seat.id,
        bought=bool(returnable(turn, turn.paid) or not turn.paid),
    )
    yield turn.amend(SkillTest.add(check, bought=n), why, mods=(*check.mods, mod))


ABOUT = r.ChoiceAsk("about", "About whom?", r.characters(), needed=False)


TRAIT = Payment("trait", 2)


@TRAIT.buys
@spend(
    "momentum.trait",
    limit=r.Limit("trait", ("check", "seat")),
    only_if=MAY_SPEND,
    asks=[r.TextAsk("text", "Which trait follows from what was just done?"), ABOUT],
    approval=r.proposes,
    rule="Momentum Uses: Create a Trait",
    place=r.at("menu", 62, row=True),
)
def create_trait(turn: r.Turn) -> r.Events:
    """Create a trait

    It costs 2, relates to the action just attempted, and could reasonably result from it: the GM
    agrees to it.
    """
    yield turn.trait("trait", turn.text("text"), turn.text("about"), until="scene")


@Payment("ask", lambda turn: turn.number("n", 1)).buys
@spend(
    "momentum.ask",
    only_if=MAY_SPEND,
    asks=[
        r.TextAsk("text", "What do you want to know?"),
        r.NumberAsk("n", "How many questions is that?", default=1, low=1, high=20, needed=False),
        # The GM can write it down as they agree.
        r.TextAsk("answer", "The answer", needed=False, shown=lambda t: t.about is not None),
    ],
    approval=r.proposes,
    rule="Momentum Uses: Obtain Information",
    place=r.at("menu", 63, row=True),
)
def ask_question(turn: r.Turn) -> r.Events:
    """Ask a question

    1 for each question about the situation, as many as can be paid. The GM writes the answer down,
    now or later: it is a fact of the story. Where they cannot answer, they decline, and the point
    comes back.
    """
    text, answer = turn.text("text"), turn.text("answer")
    if not answer:
        yield turn.result("question", text)
        return
    yield turn.amend(turn.here, turn.words.say("momentum.answered", text=text, answer=answer))
    yield turn.result("fact", turn.words.say("question.fact", question=text, answer=answer))


REASON = r.TextAsk("text", "What happens?")


@r.move(
    "threat.escalate",
    when=r.in_session,
    price=threat(
        "Nothing for a player, whose escalation adds 1 Threat; 1 Threat for the GM",
        lambda t: int(t.is_gm),
    ),
    asks=[REASON],
    rule="Adding to Threat: Escalation",
    place=r.at("actions", 74),
)
def escalate(turn: r.Turn) -> r.Events:
    """Escalate, for 1 Threat

    A player's action that does so adds 1 to Threat; an NPC's costs 1.
    """
    if turn.team is r.Team.PLAYERS:
        yield from turn.change("threat", 1, why=turn.text("text"))
    yield turn.trait("effect", turn.text("text"), until="scene")


@in_play(
    "threat.circumstances",
    limit=r.Limit("circumstances", ("scene",)),
    asks=[REASON, r.NumberAsk("n", "How much Threat?", default=1, low=1, high=2)],
    rule="Adding to Threat: Threatening Circumstances",
    place=r.at("threat", 64),
)
def add_for_danger(turn: r.Turn) -> r.Events:
    """Add Threat for a dangerous scene

    A new scene's surroundings add 1 or 2 to Threat, once a scene.
    """
    yield from turn.change("threat", turn.number("n", 1), why=turn.text("text"))


@r.gm_move(
    "threat.harder",
    when=r.in_session,
    price=threat("2 Threat for each step of Difficulty", lambda t: 2 * t.number("n", 1)),
    only_if=[r.building, r.in_the_open, has_difficulty],
    asks=[r.NumberAsk("n", "By how much?", default=1, low=1, high=5), r.TextAsk("text", "Why?")],
    rule="Spending Threat: Increase Difficulty",
    place=r.at("threat", 60),
)
def harden(turn: r.Turn) -> r.Events:
    """Spend Threat: raise the Difficulty

    By 1 for every 2 Threat, before the roll, for this test alone.
    """
    check, n, why = turn.here, turn.number("n", 1), turn.text("text")
    back, raised = returnable(turn, turn.paid), shifted(check, n, why)
    again = tuple(one.why for one in SkillTest.of(raised).shifts[-1:] if back)
    changed = r.replace(SkillTest.add(raised, raised=again), spent=check.spent + back)
    changed = with_gone(changed, turn.paid - back)
    what = turn.words.say("threat.harder", n=n, why=why)
    yield turn.amend(changed, f"{what} {difficulty_in_words(turn, changed)}".strip())


changeable = r.traits(
    "trait", "fact", "complication", only=lambda turn, trait: trait.text != "" and not trait.hidden
)
"""Offers the traits of the scene that can be changed or removed, as far as everybody sees them."""


def _ways_to_reshape(turn: r.Turn) -> r.Choices:
    for choice in r.answers("trait", "create", "change", "remove")(turn):
        none = choice.value != "create" and not any(changeable(turn))
        yield choice.unless(turn.firm("trait.none") if none else None)


RESHAPING = (
    r.ChoiceAsk("do", "What do you do?", _ways_to_reshape, default="create"),
    r.ChoiceAsk("id", "Which trait?", changeable, shown=r.answered("do", "change", "remove")),
    r.TextAsk("text", "What is true now?", shown=r.answered("do", "create", "change")),
    r.replace(ABOUT, shown=r.answered("do", "create")),
)
"""The questions of a move that creates, changes or removes a trait."""


def reshape(turn: r.Turn) -> r.Events:
    text = turn.text("text")
    match turn.text("do"):
        case "create":
            yield turn.trait("trait", text, turn.text("about"), until="scene")
        case "change":
            yield r.TraitSet(r.replace(turn.table.traits[turn.text("id")], text=text))
        case "remove":
            yield r.TraitRemoved(turn.text("id"))


@in_play(
    "threat.trait",
    price=r.Bag(threat=2),
    asks=RESHAPING,
    rule="Spending Threat: Traits",
    place=r.at("threat", 61),
)
def reshape_with_threat(turn: r.Turn) -> r.Events:
    """Spend 2 Threat: a trait

    It costs 2.
    """
    yield from reshape(turn)


@in_play(
    "threat.environment",
    price=threat("As much Threat as the GM says, at least 1", lambda t: t.number("n", 1)),
    asks=[REASON, r.NumberAsk("n", "How much Threat?", default=1, low=1, high=20)],
    rule="Spending Threat: Environmental Effects and Narrative Changes",
    place=r.at("threat", 62),
)
def trouble_surroundings(turn: r.Turn) -> r.Events:
    """Spend Threat: trouble with the surroundings

    For as much Threat as it is worth, announced to everybody.
    """
    yield turn.trait("effect", turn.text("text"), until="scene")


def _houses(turn: r.Turn) -> r.Choices:
    return (r.Choice(trait.text, trait.text) for trait in turn.table.of_kind("house"))


@in_play(
    "threat.house",
    price=r.Bag(threat=1),
    only_if=[r.any_of(_houses, "house.none")],
    asks=[
        r.ChoiceAsk("house", "Which House?", _houses),
        r.replace(REASON, label="How do they step in?"),
    ],
    rule="Spending Threat: Rival House Action",
    place=r.at("threat", 63),
)
def act_as_house(turn: r.Turn) -> r.Events:
    """Spend 1 Threat: a rival House

    A known enemy of the players' House takes a hand in the situation, for 1 Threat.
    """
    text = turn.words.say("house.acts", house=turn.text("house"), text=turn.text("text"))
    yield turn.trait("effect", text, until="scene")


@r.gm_move(
    "house.add",
    asks=[
        r.TextAsk("text", "Which House is an enemy?"),
        r.FlagAsk("secret", "Hidden from the players?", default=False, needed=False),
    ],
    rule="Spending Threat: Rival House Action",
    group="threat",
    place=r.at("scene", 65),
)
def add_house(turn: r.Turn) -> r.Events:
    """Add an enemy House"""
    yield turn.trait("house", turn.text("text"), secret=turn.flag("secret"))


COMPLICATION = 2
"""Threat for each complication: players add it, the GM spends it."""
SUGGESTIONS = r.rows("storypool.systems.dune", "complications")["suggestions"]
_HAS_COMPLICATION = r.of_check(
    lambda check: check.left["complication"], "complication.none", firm=True
)


def price_of_success(turn: r.Turn, check: r.Check) -> int:
    """The complications that cannot be ignored: the price of a success. Source: rulings.md."""
    return int(SkillTest.of(check).unpaid and turn.option("cost_can_be_ignored") == "no")


def _to_ignore(turn: r.Turn) -> int:
    return turn.check.left["complication"] - price_of_success(turn, turn.check) if turn.check else 0


def suggestions(turn: r.Turn) -> r.Choices:
    """Complications that fit anywhere, for players and GMs without an idea of their own."""
    for key in SUGGESTIONS:
        text = turn.words[f"complication.suggestion.{key}"]
        yield r.Choice(text, text)


@spend(
    "complication.suffer",
    only_if=[r.yours, _HAS_COMPLICATION],
    asks=[r.ChoiceAsk("text", "What goes wrong?", suggestions, free=True)],
    approval=r.proposes,
    holds=lambda t: r.Held(left=r.Bag(complication=1)),
    rule="Complications",
    loss=True,
    place=r.at("menu", 60),
)
def suffer(turn: r.Turn) -> r.Events:
    """Suffer a complication

    Each is a trait of its own. The GM says which; a player may propose one.
    """
    check, text = turn.here, turn.text("text")
    yield _settle(turn, 1, "", unpaid=False)
    yield turn.result("complication", text, check.actor, until="scene")


def _settle(turn: r.Turn, n: int, what: str, **changes: r.Value) -> r.Event:
    check = turn.here
    return turn.amend(
        SkillTest.put(check, touched=True, **changes), what, left=check.left - r.Bag(complication=n)
    )


def _ignores_one(turn: r.Turn) -> str:
    alone = turn.team is r.Team.PLAYERS and _to_ignore(turn) == 1
    return turn.words.say("complication.ignore_one", n=COMPLICATION) if alone else ""


@spend(
    "complication.ignore",
    price=threat(
        "2 Threat for each, for an NPC", lambda t: COMPLICATION * t.number("n", 1) if t.is_gm else 0
    ),
    only_if=[
        own,
        r.in_the_open,
        _HAS_COMPLICATION,
        r.requires(lambda t: _to_ignore(t) > 0, "complication.price"),
    ],
    asks=[
        r.NumberAsk(
            "n", "How many complications?", default=1, low=1, high=10, needed=False, most=_to_ignore
        )
    ],
    rule="Adding to Threat: Ignore Complications",
    place=r.at("menu", 61),
    shown_as=_ignores_one,
)
def ignore(turn: r.Turn) -> r.Events:
    """Ignore complications

    Players add 2 to Threat for each; the GM spends 2 Threat for each of an NPC's. The price of a
    success at cost cannot be ignored.
    """
    n, left = turn.number("n", 1), _to_ignore(turn)
    if n > left:
        raise turn.refused("argument", "complication.most", "n", n=left)
    yield _settle(turn, n, turn.words.say("complication.ignored", n=n))
    if turn.team is r.Team.PLAYERS:
        yield from turn.change("threat", COMPLICATION * n)


def settled(turn: r.Turn) -> r.Refusal | None:
    """Every complication of this roll has been suffered or ignored."""
    check = turn.check
    if check is None or check.phase != "rolled":
        return None
    held = [
        one.left["complication"] for one in turn.table.proposals.values() if one.check == check.id
    ]
    n = check.left["complication"] + sum(held)
    return turn.no("complication.left", n=n) if n else None
