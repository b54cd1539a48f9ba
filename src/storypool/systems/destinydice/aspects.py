"""Aspects: creating them, their free invokes, and invoking them for a die.

Source: seed 002, Aspects; destinydice.md 3.5, Invoke.
"""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.destinydice.dice import MIRROR, SYMBOLS
from storypool.systems.destinydice.pool import opposes, takes_part
from storypool.systems.destinydice.state import Action, Aspect

_sides = r.answers("aspect.side", *map(str, r.Team))


def name(trait: r.Trait) -> str:
    """The name of an aspect, without the count of its free invokes."""
    return Aspect.of(trait).name or trait.text


def new_aspect(turn: r.Turn, kind: str, text: str, about: str, side: str, n: int) -> r.TraitSet:
    """A new aspect of the scene, or a boost, with free invokes for a side."""
    new = turn.result(kind, text, about, until="scene", terms=Aspect(text).terms)
    return free_invokes(turn, new.trait, side, n)


def free_invokes(turn: r.Turn, trait: r.Trait, side: str, n: int) -> r.TraitSet:
    """An aspect with this many more free invokes for a side, or fewer, and with a new text."""
    changed = Aspect.put(trait, name=name(trait), **{str(side): Aspect.of(trait).free(side) + n})
    left = sum(Aspect.of(changed).free(team) for team in r.Team)
    rating = changed.rating if trait.kind == "consequence" else left
    return r.TraitSet(r.replace(changed, text=_in_words(turn, changed), rating=rating))


def _in_words(turn: r.Turn, trait: r.Trait) -> str:
    """An aspect with each side's free invokes, except those that wait for a roll."""
    counts = {team: n for team in r.Team if (n := unused_invokes(turn, trait, team))}
    listed = ", ".join(turn.words.say(f"aspect.free.{team}", n=n) for team, n in counts.items())
    severity = turn.words.get(f"severity.{trait.at}", "")
    text = turn.words.say(f"aspect.{trait.kind}", name=name(trait), severity=severity)
    if listed:
        return turn.words.say("aspect.with", text=text, free=listed)
    return text


def _asks_free_invokes(turn: r.Turn) -> bool:
    """Whether to ask for free invokes; a player's answer is refused with its own reason."""
    return turn.is_gm or turn.number("free") > 0


@r.move(
    "aspect.add",
    asks=[
        r.TextAsk("text", "What is true?"),
        r.ChoiceAsk("about", "Who is it about, if not the scene?", r.written_by, needed=False),
        r.NumberAsk(
            "free",
            "How many free invokes?",
            default=0,
            high=9,
            needed=False,
            shown=_asks_free_invokes,
        ),
        r.ChoiceAsk(
            "side",
            "Whose are they?",
            _sides,
            default="players",
            shown=lambda t: t.number("free") > 0,
        ),
        r.replace(r.SECRET, shown=lambda t: t.is_gm),
    ],
    approval=lambda t: r.proposes(t) and not t.text("about"),
    rule="Aspects",
    place=r.at("characters", 60),
)
def add_aspect(turn: r.Turn) -> Iterator[r.Event]:
    """Add an aspect

    Of a character it stays; of the scene it ends with the scene. A player proposes one of the
    scene.
    """
    about = turn.text("about")
    if not turn.is_gm and (turn.number("free") or turn.flag("secret")):
        raise turn.refused("argument", "aspect.gm", "free")
    until = "" if about else "scene"
    new = turn.trait("aspect", turn.text("text"), about, turn.flag("secret"), until=until)
    yield free_invokes(turn, new.trait, turn.text("side") or "players", turn.number("free"))


# Invoking.


def invocable(turn: r.Turn) -> list[r.Trait]:
    """The traits that can be invoked: those that everybody sees."""
    return r.public(turn.table).of_kind("aspect", "boost", "consequence")


def unused_invokes(turn: r.Turn, trait: r.Trait, side: str) -> int:
    """The free invokes of a side, except those that wait for a roll."""
    free = Aspect.of(trait).free(side)
    if not free:
        return 0
    mark, open_checks = f"{side}:{trait.id}:free", turn.table.checks.values()
    unrolled = [check for check in open_checks if check.phase == "build"]
    waiting = sum(Action.of(check).invoked.count(mark) for check in unrolled)
    return max(0, free - waiting)


def purses(turn: r.Turn) -> Iterator[r.Choice]:
    """The Fate points of this seat: its characters', and the GM's budget; closed if empty."""
    if turn.is_gm:
        yield _purse(turn, r.Purse("budget"), turn.plural("budget"))
    for choice in r.characters(own=True)(turn):
        if not turn.table.characters[choice.value].hidden:
            yield _purse(
                turn, r.Purse("fate", choice.value), f"{choice.label}: {turn.plural('fate')}"
            )


def _purse(turn: r.Turn, purse: r.Purse, label: str) -> r.Choice:
    n = turn.table.points[purse]
    closed = "" if n else turn.short(purse.account, 1, n).text
    return r.Choice(str(purse), label, str(n), closed)


def is_short(turn: r.Turn, choice: r.Choice) -> bool:
    """Whether a purse is closed because it is empty: always."""
    return True


def _aspects(turn: r.Turn) -> Iterator[r.Choice]:
    """The aspects that this side can invoke for this roll, once each; a boost only for free.

    Those with a free invoke come first, then those of the scene, the actor and the target.
    """
    check = turn.check
    if check is None:
        return
    side = turn.team
    used = [mark.removesuffix(":free") for mark in Action.of(check).invoked]
    near = (check.actor, check.against, "")
    found = [(unused_invokes(turn, trait, side), trait) for trait in invocable(turn)]
    for n, trait in sorted(found, key=lambda one: (not one[0], one[1].about not in near)):
        whose = turn.table.characters.get(trait.about)
        if (n or trait.kind != "boost") and f"{side}:{trait.id}" not in used:
            notes = [whose.name] if whose else []
            if n:
                notes.append(turn.words.say(f"aspect.free.{side}", n=n))
            yield r.Choice(trait.id, name(trait), ", ".join(notes))


ASPECT = r.ChoiceAsk("aspect", "Which aspect?", _aspects, first=True)


def _payments(turn: r.Turn) -> Iterator[r.Choice]:
    """The possible payments: a free invoke if there is one, or a Fate point."""
    trait = turn.table.traits.get(ASPECT.chosen(turn))
    if trait is None or turn.check is None:
        return
    if n := unused_invokes(turn, trait, turn.team):
        yield r.Choice("free", turn.words["invoke.free"], str(n))
    if trait.kind != "boost":
        yield from purses(turn)


def _can_pay(turn: r.Turn) -> bool:
    """Whether this seat has a purse, or a free invoke."""
    if any(True for _ in purses(turn)):
        return True
    traits = (turn.table.traits[one.value] for one in _aspects(turn))
    return any(unused_invokes(turn, trait, turn.team) for trait in traits)


PAYMENT = r.ChoiceAsk("with", "With what?", _payments, first=True, short=is_short)


@r.worded("A Fate point, or a free invoke")
def _price(turn: r.Turn) -> r.Points:
    paid = PAYMENT.chosen(turn) or next((purse.value for purse in purses(turn)), "")
    if paid not in ("", "free"):
        return r.Points({r.Purse.read(paid): 1})
    return r.Points()


def _dice(turn: r.Turn) -> tuple[str, str]:
    """The die that this side adds, and the one that it upgrades."""
    if opposes(turn, turn.here):
        return (MIRROR["aid"], MIRROR["skill"])
    return ("aid", "skill")


def _die_to_roll(turn: r.Turn) -> list[r.Choice]:
    """The die to roll for an action that is already rolled."""
    die = _dice(turn)[0]
    return [r.Choice(die, turn.word(die))]


def _uses(turn: r.Turn) -> Iterator[r.Choice]:
    """The added die, or the upgrade if there is a die to upgrade, with the greater die's gain."""
    check, (die, lesser) = turn.here, _dice(turn)
    greater = turn.system.upgrades[lesser]
    label = turn.words.say("invoke.upgrade", die=turn.word(lesser), to=turn.word(greater))
    yield r.Choice("aid", turn.words.say("invoke.add", die=turn.word(die)))
    if check.phase != "build":
        yield r.Choice("upgrade", label, closed=turn.words["no.upgrade.late"])
    elif not check.pool[lesser]:
        yield r.Choice("upgrade", label, closed=turn.words.say("no.upgrade", die=turn.word(lesser)))
    else:
        yield r.Choice("upgrade", label, turn.words[f"invoke.brings.{greater}"])


def _in_time(turn: r.Turn) -> r.Refusal | None:
    """Before the roll; or after it by an option, until anything is spent or carried out."""
    check = turn.check
    if check is None or check.phase == "build":
        return r.acting(turn)
    if turn.option("late_invoke") == "no":
        return turn.no("late")
    if Action.of(check).spent or Action.of(check).taken:
        return turn.no("late.spent")
    return None


@r.move(
    "aspect.invoke",
    when=_in_time,
    price=_price,
    only_if=[
        r.in_the_open,
        takes_part,
        r.any_of(_aspects, "invoke"),
        r.requires(_can_pay, "nobody", firm=True),
    ],
    asks=[
        r.ChoiceAsk("how", "What for?", _uses, default="aid"),
        ASPECT,
        PAYMENT,
        r.FacesAsk(
            "face",
            "What does your die show?",
            needed=False,
            dice=_die_to_roll,
            shown=lambda t: not r.rolled(t),
        ),
    ],
    rule="Aspects",
    place=r.at("actions", 62),
)
def invoke(turn: r.Turn) -> Iterator[r.Event]:
    """Invoke an aspect

    For a Fate point or a free invoke: an Aid die, or a Skill die upgraded to Expertise. Who opposes
    a contested action adds a Hindrance die instead, or upgrades a Difficulty die to Challenge. Each
    aspect once a roll; nothing is rolled again.
    """
    check, trait, side = turn.here, turn.table.traits[turn.text("aspect")], turn.team
    at_no_cost, (die, lesser) = PAYMENT.chosen(turn) == "free", _dice(turn)
    id = "invoke.gratis" if at_no_cost else "invoke.why"
    why = turn.words.say(id, who=turn.seat.name, name=name(trait))
    mod = r.Mod("add", die, 1, why, turn.seat.id, bought=True)
    if turn.text("how") == "upgrade":
        mod = r.replace(mod, kind="upgrade", die=lesser)
    mark = f"{side}:{trait.id}" + (":free" if at_no_cost else "")
    invoked = Action.add(check, invoked=(mark,))
    yield turn.amend(invoked, f"{why}.", mods=(*check.mods, mod), spent=check.spent + turn.paid)
    if check.phase == "rolled":
        # Roll only the added die; it counts with the others (option `late_invoke`).
        rolled = turn.cast({die: 1}, turn.numbers("face"))
        yield r.DiceRolled(check.id, turn.seat.id, rolled)
        yield read_dice(turn, (*check.rolled, *rolled))
        if at_no_cost:
            yield from _use_up_one(turn, trait, side)


def read_dice(turn: r.Turn, rolled: tuple[r.Rolled, ...]) -> r.Event:
    """The open action with rolled dice: its outcome, and the symbols to spend."""
    outcome = turn.system.read(turn.table, turn.here, rolled)
    left = turn.system.axes.named(outcome.net).only(SYMBOLS[2:])
    return turn.amend(turn.here, rolled=rolled, outcome=outcome, left=left, phase="rolled")


@r.whenever(r.CheckChanged, r.CheckClosed)
def update_texts(turn: r.Turn, event: r.CheckChanged | r.CheckClosed) -> Iterator[r.Event]:
    """Update an aspect's text when a free invoke begins or stops to wait for a roll."""
    id = event.check.id if isinstance(event, r.CheckChanged) else event.id
    both = (turn.before.checks.get(id), turn.table.checks.get(id))
    marks = {mark for check in both if check is not None for mark in Action.of(check).invoked}
    for _, trait_id, *how in sorted(mark.split(":") for mark in marks):
        trait = turn.table.traits.get(trait_id)
        if how and trait is not None and (text := _in_words(turn, trait)) != trait.text:
            yield r.TraitSet(r.replace(trait, text=text))


def use_up(turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
    """Use up the free invokes of rolled dice; a boost goes with its last one."""
    for mark in Action.of(check).invoked:
        side, id, *how = mark.split(":")
        if how and id in turn.table.traits:
            yield from _use_up_one(turn, turn.table.traits[id], side)


def _use_up_one(turn: r.Turn, trait: r.Trait, side: str) -> Iterator[r.Event]:
    left = free_invokes(turn, trait, side, -min(1, Aspect.of(trait).free(side)))
    if trait.kind == "boost" and not left.trait.rating:
        yield r.TraitRemoved(trait.id, turn.words["invoke.boost"])
    else:
        yield left
