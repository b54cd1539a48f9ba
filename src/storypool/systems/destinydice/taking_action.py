"""An action from its declaration to the roll: its actor, means and opposition.

Source: seed 002, Building Your Die Pool, Roll and Interpret.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.systems.destinydice import aspects, outcomes
from storypool.systems.destinydice.dice import HINDERING, MIRROR, mirrored
from storypool.systems.destinydice.fight.between_zones import ZONE
from storypool.systems.destinydice.fight.conflict import (
    ORDER,
    actor_choices,
    in_turn,
    on_players_side,
)
from storypool.systems.destinydice.pool import has_actor
from storypool.systems.destinydice.sheet import (
    HIGHEST,
    LOWEST,
    abilities,
    best,
    is_mook,
    is_out,
    label,
    rating_at,
    rung,
    rungs,
)
from storypool.systems.destinydice.state import Action


def _answered(**given: str) -> Callable[[r.Turn], bool]:
    return lambda turn: all(turn.text(name) == answer for name, answer in given.items())


def _aspects(turn: r.Turn) -> list[r.Choice]:
    return [r.Choice(trait.id, aspects.name(trait)) for trait in aspects.invocable(turn)]


def _usual_action(turn: r.Turn) -> str | None:
    """The default action: an attack, in an order of turns, unless it leads to a zone."""
    return "attack" if ORDER.slots(turn.table) and not turn.text("zone") else None


ADVANTAGE = r.answers("known", *outcomes.ADVANTAGES)
DEFENCE = r.answers("action", "attack", "create")
ACTION = (
    r.ChoiceAsk(
        "action",
        "Which action?",
        r.answers("action", *outcomes.FOUR),
        default="overcome",
        preset=_usual_action,
    ),
    r.ChoiceAsk(
        "known",
        "Which aspect will it be?",
        ADVANTAGE,
        default="new",
        shown=_answered(action="create"),
        implies=("action", "create"),
    ),
    r.ChoiceAsk(
        "aspect",
        "Which aspect?",
        _aspects,
        shown=_answered(action="create", known="known"),
        implies=("known", "known"),
    ),
    r.ChoiceAsk(
        "versus",
        "Against what do you defend?",
        DEFENCE,
        default="attack",
        shown=_answered(action="defend"),
        implies=("action", "defend"),
    ),
)


def _opponent(turn: r.Turn) -> r.Character | None:
    check = turn.check
    return turn.table.characters.get(turn.text("against") or (check.against if check else ""))


_OPPOSED = ("difficulty", "opposed")
_opposed = _answered(difficulty="opposed")


def _opposition_decider(turn: r.Turn) -> r.Decider:
    """The GM decides about the opposition; a character's player may decide how they oppose."""
    if r.plays(turn, _opponent(turn)) and turn.text("difficulty") in ("", "opposed"):
        return ""
    return "gm"


@dataclass(frozen=True)
class Means:
    """The means of one side: an approach (`name`) with its rating, or a typed pool."""

    name: str
    rating: str
    pool: str
    whose: Callable[[r.Turn], r.Character | None]
    decides: Callable[[r.Turn], r.Decider] | r.Decider = ""
    opposes: bool = False

    def asks(
        self, label: str, asked: Callable[[r.Turn], bool], usual: bool, needed: bool
    ) -> tuple[r.Ask, r.Ask]:
        """The questions for the approach, `usual`ly the best, and for a missing number."""

        def shown(turn: r.Turn) -> bool:
            return asked(turn) and not turn.text(self.pool)

        def choices(turn: r.Turn) -> Iterator[r.Choice]:
            found = abilities(turn, self.whose(turn))
            if self.opposes:
                return (self._with_dice(turn, one) for one in found)
            return found

        default = (lambda turn: best(turn, self.whose(turn))) if usual else None
        approach = r.ChoiceAsk(
            self.name,
            label,
            choices,
            default=default,
            needed=needed,
            shown=shown,
            whose=self.decides,
        )
        rating = r.NumberAsk(
            self.rating,
            "How good are they at it?",
            default=0,
            low=LOWEST,
            high=HIGHEST,
            needed=False,
        )
        unrated = r.replace(
            rating, shown=lambda turn: shown(turn) and self._unrated(turn), known=self._rated
        )
        return approach, unrated

    def _with_dice(self, turn: r.Turn, one: r.Choice) -> r.Choice:
        """An approach with its dice against the other side."""
        dice = mirrored(rung(rating_at(turn, self.whose(turn), one.value) or 0).pool)
        named = turn.words.joined(f"{n} {turn.word(die, n)}" for die, n in dice.items())
        return r.replace(one, note=turn.words.say("level.dice", level=one.note, dice=named))

    def _rated(self, turn: r.Turn) -> int | None:
        """The character's rating in it, if this seat knows the sheet."""
        who = self.whose(turn)
        known = who is not None and (turn.is_gm or r.plays(turn, who))
        if known:
            return rating_at(turn, who, turn.text(self.name))
        return None

    def _unrated(self, turn: r.Turn) -> bool:
        """Whether this seat may write down a missing rating, without revealing a hidden action.

        Mooks only have knacks.
        """
        who, key = self.whose(turn), turn.text(self.name)
        if who is None or not key or is_mook(who) or rating_at(turn, who, key) is not None:
            return False
        # A new action may be visible while the open one is hidden.
        if turn.key == "check.declare":
            hidden = turn.flag("secret")
        else:
            hidden = turn.here.hidden
        return (turn.is_gm or r.plays(turn, who)) and (who.hidden or not hidden)

    def remembered(self, turn: r.Turn) -> Iterator[r.Event]:
        """Write a number that was asked for on the sheet."""
        who = self.whose(turn)
        if who:
            return r.remember(turn, who, {self.rating: self.name})
        return iter(())


ACTING = Means("approach", "rating", "pool", lambda turn: turn.character("as"))
OPPOSING = Means("by", "by_rating", "theirs", _opponent, _opposition_decider, opposes=True)


def _targeted(turn: r.Turn, one: r.Character) -> bool:
    """Whether an action can target a character: one in the scene other than its actor."""
    return one.id != _actor(turn) and not is_out(turn.table, one.id)


def _actor(turn: r.Turn) -> str:
    return turn.text("as") or (turn.check.actor if turn.check else "")


def _is_foe(turn: r.Turn, who: str) -> bool:
    """Whether a character is on the other side."""
    return on_players_side(turn.table, who) != on_players_side(turn.table, _actor(turn))


def _targets(turn: r.Turn) -> list[r.Choice]:
    """The possible targets, the other side first."""
    return sorted(r.characters(only=_targeted)(turn), key=lambda one: not _is_foe(turn, one.value))


def _usual_target(turn: r.Turn) -> str | None:
    """The only enemy, if the action needs a target."""
    if turn.text("action") not in ("attack", "defend"):
        return None
    foes = [one.value for one in _targets(turn) if _is_foe(turn, one.value)]
    return foes[0] if len(foes) == 1 else None


def _levels(turn: r.Turn) -> Iterator[r.Choice]:
    for key, row in rungs().items():
        if row.rating >= 0:
            n = row.difficulty
            if n:
                note = turn.words.say("level.note", n=n)
            else:
                note = turn.words["level.note.none"]
            yield r.Choice(key, row.title(turn.words), note)
    yield r.Choice("opposed", turn.words["level.opposed"])


LEVEL = r.ChoiceAsk(
    "difficulty",
    "Difficulty",
    lambda t: (one for one in _levels(t) if one.value != "opposed"),
    whose="gm",
)
AGAINST = r.ChoiceAsk("against", "Target", _targets, default=_usual_target, needed=False)
DIFFICULTY = r.ChoiceAsk(
    "difficulty",
    "Difficulty",
    _levels,
    default=lambda t: "opposed" if _opponent(t) is not None else None,
    whose=_opposition_decider,
)
THEIRS = r.PoolAsk("theirs", "Or the dice that they would roll", needed=False, whose="gm")


def _may_set(turn: r.Turn) -> bool:
    """Whether to ask for a difficulty: players do not set that of an attack or a defence."""
    return turn.is_gm or turn.text("action") not in ("attack", "defend")


@r.declares(
    only_if=[has_actor, in_turn],
    asks=[
        r.ChoiceAsk("as", "Who acts?", actor_choices, first=True),
        r.HIDE_ACTION,
        r.TITLE,
        *ACTION,
        ZONE,
        AGAINST,
        *ACTING.asks("How do you do it?", _answered(), usual=True, needed=False),
        r.PoolAsk(
            "pool",
            "Type a whole pool, in place of the dice of your approach",
            needed=False,
            whose="gm",
        ),
        r.replace(DIFFICULTY, needed=False, default=None, shown=_may_set),
        *(
            r.replace(ask, implies=_OPPOSED)
            for ask in OPPOSING.asks("How do they defend?", _opposed, False, False)
        ),
        r.replace(THEIRS, shown=_opposed, implies=_OPPOSED),
    ],
    rule="Building Your Die Pool",
    place=r.at("primary", 5),
)
def declare(turn: r.Turn) -> Iterator[r.Event]:
    """Take an action

    The pool starts with the Skill and Expertise dice of the approach, and with what was promised
    for this roll. What stands against it, the GM says: a difficulty, or what the opponent would
    roll.
    """
    actor = turn.table.characters[turn.text("as")]
    against, action, by_hand = turn.text("against"), turn.text("action"), turn.text("pool")
    if action in ("attack", "defend") and not against:
        raise turn.refused(
            "argument", "against.none", "against", action=turn.words[f"action.{action}"]
        )
    if not by_hand and not turn.text("approach") and actor.team is r.Team.PLAYERS:
        raise turn.refused("argument", "dice.own", "approach", who=actor.name)
    yield from ACTING.remembered(turn)
    # A defence uses the row of the attack or advantage.
    row = {
        "create": outcomes.ADVANTAGES.get(turn.text("known"), ""),
        "defend": turn.text("versus"),
    }.get(action, action)
    given = {key: turn.text(key) for key in ("approach", "known", "aspect", "versus", "zone")}
    stands = bool(by_hand) and any(turn.system.notation.parse(by_hand).only(HINDERING[:2]))
    level = "by hand" if stands else ""
    declared = Action("check", action, row, by_hand=by_hand, difficulty=level).changed(**given)
    how = label(turn, turn.text("approach"))
    if zone := turn.table.traits.get(turn.text("zone")):
        untitled = turn.words.say("check.untitled.zone", zone=zone.text)
    elif how:
        untitled = turn.words.say(f"check.untitled.{action}", how=how)
    else:
        untitled = turn.words[f"action.{action}"]
    title = turn.text("title") or untitled
    check = turn.action(actor, title, against, terms=declared.terms)
    check = r.replace(check, mods=r.promised(turn, check))
    if _opposed(turn):
        yield from OPPOSING.remembered(turn)
    level = turn.text("difficulty")
    if level:
        check = _with_opposition(turn, check, level, against)
    yield turn.open(_with_base_pool(turn, check))


def _with_base_pool(turn: r.Turn, check: r.Check) -> r.Check:
    """The check with its basic pool: an approach or a typed pool, and the opposition."""
    action = Action.of(check)
    if action.by_hand:
        own = turn.system.notation.parse(action.by_hand)
        if action.difficulty != "by hand":
            own -= own.only(HINDERING[:2])
    else:
        own = _dice_of(turn, check.actor, action.approach)
    return r.replace(check, base=own + _opposition(turn, check))


def _dice_of(turn: r.Turn, who: str, key: str) -> r.Bag:
    """The dice of a character acting in this way; those of Mediocre without a rating."""
    return rung(rating_at(turn, turn.table.characters.get(who), key) or 0).pool


def _opposition(turn: r.Turn, check: r.Check) -> r.Bag:
    """A fixed difficulty, or the opponent's dice, mirrored.

    Source: seed 002, Building Your Die Pool.
    """
    action = Action.of(check)
    level = action.difficulty
    if level in rungs():
        return r.Bag(difficulty=rungs()[level].difficulty)
    if level != "opposed":
        return r.Bag()
    if action.theirs:
        return mirrored(turn.system.notation.parse(action.theirs))
    return mirrored(_dice_of(turn, check.against, action.by))


def _with_opposition(turn: r.Turn, check: r.Check, level: str, against: str) -> r.Check:
    """The check with this opposition, and the opponent's promised dice, mirrored."""
    if level == "opposed" and not against:
        raise turn.refused("argument", "opponent", "against")
    ours = {mod.promise for mod in r.promised(turn, check)}
    mods = tuple(mod for mod in check.mods if not mod.promise or mod.promise in ours)
    check = r.replace(check, against=against, mods=mods)
    if level != "opposed":
        return Action.put(check, difficulty=level, by="", theirs="")
    check = Action.put(check, difficulty=level, by=turn.text("by"), theirs=turn.text("theirs"))
    theirs = r.promised(turn, check, against)
    mirrored_mods = (r.replace(mod, die=MIRROR[mod.die]) for mod in theirs)
    return r.replace(check, mods=(*mods, *mirrored_mods))


def _change_opposition(turn: r.Turn, level: str, against: str, what: str) -> Iterator[r.Event]:
    """The open action with a new opposition, and without earlier invokes."""
    if Action.of(turn.here).difficulty:
        yield from r.corrected(turn)
        if Action.of(turn.here).invoked:
            yield turn.amend(Action.put(turn.here, invoked=()))
    if level == "opposed":
        yield from OPPOSING.remembered(turn)
    check = _with_base_pool(turn, _with_opposition(turn, turn.here, level, against))
    changes = Counter[str]()
    for mod in check.mods:
        if mod.die == "difficulty":
            changes[mod.kind] += mod.n
    ups = changes["upgrade"]
    if ups > check.base["difficulty"] + changes["add"]:
        raise turn.refused("argument", "opposition.upgraded", "difficulty", n=ups)
    yield turn.amend(check.decided("difficulty", "by", "theirs"), what)


@r.gm_move(
    "check.oppose",
    when=r.building,
    asks=[LEVEL],
    rule="Building Your Die Pool",
    place=r.at("actions", 61),
)
def oppose(turn: r.Turn) -> Iterator[r.Event]:
    """Set the difficulty

    So many Difficulty dice. Set again after aspects were invoked, this gives their points back and
    takes out what they bought.
    """
    level = turn.text("difficulty")
    what = turn.words.say("check.difficulty", level=rungs()[level].title(turn.words))
    yield from _change_opposition(turn, level, turn.here.against, what)


def _may_defend(turn: r.Turn) -> r.Refusal | None:
    """The GM decides how an NPC defends; its player for a player's character."""
    check = turn.here
    if turn.is_gm:
        if any(not one.closed for one in AGAINST.choices(turn)):
            return None
        return turn.firm("opponent")
    if not r.plays(turn, turn.table.target(check)):
        return turn.no("difficulty.gm")
    if check.spent and Action.of(check).difficulty:
        return turn.no("difficulty.spent")
    return None


@r.move(
    "check.defend",
    when=r.building,
    only_if=[_may_defend],
    asks=[
        r.replace(
            AGAINST,
            label="Who opposes it?",
            default=lambda t: t.here.against or None,
            shown=lambda t: t.is_gm,
            without="opponent",
        ),
        r.replace(THEIRS, shown=lambda t: t.is_gm),
        *OPPOSING.asks(
            "Defend with what?", lambda turn: _opponent(turn) is not None, usual=True, needed=True
        ),
    ],
    shown_as=lambda t: (
        t.words["check.opponent"] if t.is_gm and t.check and not t.check.against else ""
    ),
    rule="Building Your Die Pool",
    place=r.at("actions", 60),
)
def defend(turn: r.Turn) -> Iterator[r.Event]:
    """Defend

    An opponent's whole pool comes mirrored, die for die: Skill as Difficulty, Expertise as
    Challenge, Aid as Hindrance, and the other way round. Chosen again after aspects were invoked,
    this gives their points back and takes out what they bought.
    """
    opponent = _opponent(turn)
    if opponent is None:
        raise turn.refused("argument", "opponent", "against")
    how = label(turn, turn.text("by")) or turn.words["check.somehow"]
    what = turn.words.say("check.opposed", who=opponent.name, how=how)
    yield from _change_opposition(turn, "opposed", opponent.id, what)


STANDING = r.standing(LEVEL, rule="Building Your Die Pool", place=r.at("scene", 11))


@r.cancels(
    rule="Building Your Die Pool",
    caution=lambda t: r.coming_back(t, t.here.spent),
    place=r.at("actions", 67),
)
def cancel(turn: r.Turn) -> Iterator[r.Event]:
    """Cancel the action

    Before the roll: every point spent on it comes back, and what was promised goes on waiting.
    """
    return r.call_off(turn, turn.here.spent)
