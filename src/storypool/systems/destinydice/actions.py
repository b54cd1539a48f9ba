"""The roll, its results in words, carrying them out, and the end of the action.

Source: seed 002, Roll and Interpret; destinydice.md 3.5.
"""

from collections.abc import Callable, Iterator

from storypool.engine import rules as r
from storypool.systems.destinydice import result
from storypool.systems.destinydice.aspects import free_invokes, new_aspect, read_dice, use_up
from storypool.systems.destinydice.fight.stress import absorptions_in_words
from storypool.systems.destinydice.outcomes import (
    Result,
    attempter,
    is_due,
    is_plain_hit,
    margin_of_attempt,
    resister,
    results,
    warded_off,
)
from storypool.systems.destinydice.pool import KNOWN, contested, defends, name_of, parties
from storypool.systems.destinydice.spends import SHARES, close_if_finished, spendable
from storypool.systems.destinydice.state import Action, Hit
from storypool.words import Words


@r.rolls(
    only_if=[r.yours, r.of_check(lambda check: Action.of(check).difficulty, "difficulty")],
    rule="Roll and Interpret",
    place=r.at("primary", 2),
)
def roll(turn: r.Turn) -> Iterator[r.Event]:
    """Roll the dice

    The entire pool at once, the opposition's dice among them. Or type in the faces of real dice, in
    the order in which the pool is written. An attack that hits, with nothing to choose about it,
    hits at once.
    """
    check = turn.here
    rolled = yield from r.roll_pool(turn)
    yield from r.kept_promises(turn, check)
    yield from use_up(turn, check)
    yield read_dice(turn, rolled)
    if is_plain_hit(turn, turn.here) and not reveals_attack(turn, turn.here):
        way = results(turn.here)[0]
        yield turn.amend(Action.put(turn.here, taken=way.key))
        yield _hit(turn, margin_of_attempt(turn.here))


def reveals_attack(turn: r.Turn, check: r.Check) -> bool:
    """Whether a hit of this action would reveal it to a player."""
    hit = turn.table.characters.get(resister(check))
    return check.hidden and hit is not None and hit.side == "players"


def _hit(turn: r.Turn, n: int) -> r.Event:
    """A hit with this many shifts, which waits for its target.

    Seats that see the action see the hit, because its target has to answer it. It has no seat
    as its author.
    """
    check, whom = turn.here, resister(turn.here)
    text = turn.words.say("hit.text", n=n, what=absorptions_in_words(turn, whom, n))
    hit = r.Trait(turn.fresh("t"), "hit", text, whom, n, at=check.id, until="scene")
    return r.hidden_like(r.TraitSet(Hit(by=parties(check, turn)[0]).into(hit)), check)


def reader(words: Words) -> Callable[[r.Table, r.Check, tuple[r.Rolled, ...]], r.Outcome]:
    """A reader of rolls that speaks in these words."""

    def read(table: r.Table, check: r.Check, dice: tuple[r.Rolled, ...]) -> r.Outcome:
        net = result.net(dice, table.options.get("hope_success_uncancellable") == "yes")
        outcome = r.Outcome(result.passed(net["margin"]), net["margin"], net)
        text = result.sentence(words, net, contested(check))
        if Action.of(check).row is not None:
            rolled = r.replace(check, outcome=outcome)
            text = words.say(
                "result.means",
                said=text,
                ways=ends_in_words(words, results(rolled), margin_of_attempt(rolled)),
            )
            if warded_off(rolled):
                held = table.characters.get(resister(rolled))
                who = held.name if held else words["outcome.opposition"]
                text = words.say("result.warded", said=text, who=who)
        return r.replace(outcome, words=text)

    return read


def _settled(turn: r.Turn, way: Result) -> r.Event:
    """The action with the chosen result in place of all possible ones."""
    check, words = turn.here, turn.words
    assert check.outcome is not None
    text = result.sentence(words, check.outcome.net, contested(check))
    text = words.say("result.means", said=text, ways=_ends(words, way, margin_of_attempt(check)))
    what = words.say("outcome.taken", who=name_of(turn, check.actor), text=text)
    return turn.amend(
        Action.put(check, taken=way.key), what, outcome=r.replace(check.outcome, words=text)
    )


def ends_in_words(words: Words, ways: tuple[Result, ...], shifts: int = 0) -> str:
    """The possible ends of an action, in words; with the shifts of a hit after a roll."""
    return f"{words['result.or']} ".join(_ends(words, way, shifts) for way in ways)


def _ends(words: Words, way: Result, shifts: int) -> str:
    if way.effect == "hit" and shifts:
        return words.say(f"ends.{way.key}", n=shifts - way.trade)
    return words[f"ends.{way.id}"]


def _others_done(turn: r.Turn) -> r.Refusal | None:
    """The result is carried out, the hit taken, and the other side's symbols are spent."""
    check = turn.check
    if check is None or check.phase != "rolled":
        return None
    if is_due(check):
        return turn.no("outcome.due", who=name_of(turn, attempter(check)))
    if waits := _hit_waits(turn):
        return waits
    others = spendable(turn, check, SHARES.others(turn, check))
    if others:
        return turn.no("symbols", left=r.priced(turn, others))
    return None


def _unspent_caution(turn: r.Turn) -> str:
    """The symbols that could still buy something and would be lost, in words."""
    left = spendable(turn, turn.here, SHARES.own(turn, turn.here))
    if left:
        return turn.words.say("spend.loses", left=r.priced(turn, left))
    return ""


@r.closes(
    window=_others_done,
    caution=_unspent_caution,
    rule="Using Special Symbols",
    place=r.at("primary", 4),
)
def close(turn: r.Turn) -> Iterator[r.Event]:
    """Done

    No one is required to spend symbols; those that are left are lost.
    """
    yield r.CheckClosed(turn.here.id, "done")


def _hit_waits(turn: r.Turn) -> r.Refusal | None:
    """The hit of the open action has not been taken."""
    hit = next(iter(turn.table.of_kind("hit", at=turn.here.id)), None)
    if hit is None:
        return None
    waits = turn.no("hit.due", who=name_of(turn, hit.about), n=hit.rating)
    return r.replace(
        waits,
        remedy=turn.words.say("hit.takes", what=absorptions_in_words(turn, hit.about, hit.rating)),
    )


def _something_due(turn: r.Turn) -> r.Refusal | None:
    """A result of the roll has not been carried out."""
    if is_due(turn.here):
        return None
    waits = _hit_waits(turn)
    if waits:
        return r.replace(waits, firm=True)
    return turn.firm("outcome")


def _may_take(turn: r.Turn) -> r.Refusal | None:
    """This seat takes the outcome: it tried something, or held and has a boost or no choice."""
    check = turn.here
    if turn.is_gm:
        return None
    if r.plays(turn, turn.table.characters.get(attempter(check))):
        return None
    only = warded_off(check) or (defends(check) and len(results(check)) == 1)
    if only and r.plays(turn, turn.table.characters.get(resister(check))):
        return None
    return turn.no("outcome.theirs", who=name_of(turn, attempter(check)))


def _open_results(turn: r.Turn) -> tuple[Result, ...]:
    check = turn.check
    if check and check.phase == "rolled":
        return results(check)
    return ()


def _ways(turn: r.Turn) -> Iterator[r.Choice]:
    for way in _open_results(turn):
        check, closed = turn.here, ""
        if way.effect == "hit" and reveals_attack(turn, check):
            closed = turn.words.say("no.hit.hidden", who=name_of(turn, resister(check)))
        yield r.Choice(way.key, _ends(turn.words, way, margin_of_attempt(check)), closed=closed)


def _chosen(turn: r.Turn) -> Result | None:
    ways = _open_results(turn)
    for way in ways:
        if way.key == turn.text("how"):
            return way
    return ways[0] if ways else None


def _may_choose(turn: r.Turn) -> bool:
    """Whether there is a choice.

    A result that cannot be chosen is shown with its reason; so is the refusal of a wrong
    answer.
    """
    ways = list(_ways(turn))
    return len(ways) != 1 or bool(ways[0].closed) or bool(turn.text("how"))


def _has_effect(*effects: str) -> Callable[[r.Turn], bool]:
    """A condition: the chosen result has one of these effects."""
    return lambda turn: (way := _chosen(turn)) is not None and way.effect in effects


def _name_question(turn: r.Turn) -> str:
    """The question for a name: of the new aspect, or the cost."""
    return turn.words["outcome.asks.cost" if _has_effect("cost")(turn) else "outcome.asks.aspect"]


def _gives_boost(turn: r.Turn) -> bool:
    way = _chosen(turn)
    return way is not None and (way.effect == "boost" or way.trade > 0 or warded_off(turn.here))


def _usual_boost(turn: r.Turn) -> str:
    """The default name of a boost: its owner's."""
    who = resister(turn.here) if warded_off(turn.here) else attempter(turn.here)
    return turn.words.say("outcome.boost", who=name_of(turn, who))


def _take_title(turn: r.Turn) -> str:
    """The title without a choice: a boost or a free invoke is taken."""
    if turn.check is None or _may_choose(turn):
        return ""
    if _gives_boost(turn):
        given = "boost"
    elif _has_effect("free")(turn):
        given = "free"
    else:
        given = ""
    if given:
        return turn.words[f"outcome.take.{given}"]
    return ""


@r.move(
    "outcome.take",
    when=r.rolled,
    only_if=[_something_due, _may_take],
    shown_as=_take_title,
    asks=[
        r.ChoiceAsk("how", "How does it end?", _ways, first=True, shown=_may_choose),
        r.TextAsk(
            "name",
            "In a few words, what is it?",
            shown=_has_effect("aspect", "cost"),
            shown_as=_name_question,
        ),
        r.ChoiceAsk(
            "about",
            "Who is it about, if not the scene?",
            KNOWN,
            needed=False,
            shown=_has_effect("aspect"),
        ),
        r.TextAsk(
            "boost",
            "What is the boost called?",
            default=_usual_boost,
            needed=False,
            shown=_gives_boost,
        ),
    ],
    rule="Roll and Interpret",
    place=r.at("primary", 3),
)
def take(turn: r.Turn) -> Iterator[r.Event]:
    """Say what comes of it

    The outcome of the action by its margin: an aspect with its free invokes, a boost, a hit, a
    cost. An action that nobody has anything left to decide about is done with it.
    """
    check, way = turn.here, _chosen(turn)
    assert way is not None
    trying, other = parties(check, turn)
    shifts = margin_of_attempt(check)
    if len(_open_results(turn)) > 1:
        yield _settled(turn, way)
    else:
        yield turn.amend(Action.put(check, taken=way.key))
    match way.effect:
        case "aspect":
            side = other if way.theirs else trying
            yield new_aspect(
                turn, "aspect", turn.text("name"), about=turn.text("about"), side=side, n=way.n
            )
        case "free":
            aspect = turn.table.traits.get(Action.of(check).aspect)
            if aspect is not None:
                yield free_invokes(turn, aspect, trying, way.n)
        case "hit":
            yield _hit(turn, shifts - way.trade)
        case "cost":
            yield turn.result("effect", turn.text("name"), check.actor, until="scene")
    named = turn.text("boost") or _usual_boost(turn)
    if way.effect == "boost" or way.trade:
        yield new_aspect(turn, "boost", named, about="", side=trying, n=1)
    if warded_off(check):
        yield new_aspect(turn, "boost", named, about="", side=other, n=1)
    yield from close_if_finished(turn, check.id)
