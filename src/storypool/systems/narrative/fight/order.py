"""The order of a fight: initiative and turns. Source: starwars.md 1.6, Initiative."""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.narrative.fight.slots import (
    ORDER,
    Rolled,
    has_fallen,
    npcs_left_out,
    ready_to_act,
    side_of,
    text_of,
    unrolled,
)
from storypool.systems.narrative.reading import net
from storypool.systems.narrative.sheet import (
    missing_value,
    note_of,
    rank_of,
    ready_dice,
    remember,
)
from storypool.systems.narrative.symbol_dice import skilled

READY = ("cool", "vigilance")
ALL = "@gm"
"""The answer that rolls for each NPC without a slot."""


# Rolling for it.


def roll_characteristic(turn: r.Turn) -> str:
    """The characteristic of the chosen skill, or "" for a sheet with ready dice."""
    if ready_dice(turn, turn.character("as")):
        return ""
    return note_of(turn, turn.text("with"), "with")


def _rollers(turn: r.Turn) -> Iterator[r.Choice]:
    """The characters of this seat, those who have not rolled first.

    A player rolls once in a fight for each character. The NPCs who are left out come last of
    those who have not rolled, after the choice of all NPCs at once.
    """
    rolled = {Rolled.of(slot).by for slot in turn.table.of_kind("slot")}
    people, left_out = turn.table.characters, [one.id for one in npcs_left_out(turn.table)]
    own = sorted(
        r.characters(own=True)(turn),
        key=lambda choice: has_fallen(turn.table, people[choice.value]),
    )
    together = _npcs_at_once(turn)
    names = turn.words["list.comma"].join(one.name for one in together)
    at_once = [r.Choice(ALL, turn.words["initiative.all"], names)][: len(together) > 1]
    fresh = [choice for choice in own if choice.value not in (*rolled, *left_out)]
    late = [choice for choice in own if choice.value in left_out]
    yield from (*fresh, *at_once, *late) if left_out else (*at_once, *fresh)
    for choice in own:
        if choice.value in rolled:
            if turn.is_gm:
                yield r.replace(choice, note=turn.words["initiative.known"], closed="")
            else:
                once = turn.words.say("initiative.once", who=choice.label)
                yield r.replace(choice, note="", closed=once)


def _npcs_at_once(turn: r.Turn) -> list[r.Character]:
    """The NPCs who can roll at once: in sight, standing, with numbers for both skills."""
    waiting = unrolled(turn.table, r.Team.GM) if turn.is_gm else ()
    together = []
    for one in waiting:
        has_dice = all(skill_pool(turn, one, skill) for skill in READY)
        if has_dice and not has_fallen(turn.table, one):
            together.append(one)
    return together


def skill_pool(turn: r.Turn, who: r.Character, skill: str) -> r.Bag:
    """The dice of a character for a skill; a characteristic that the sheet lacks is answered."""
    value = r.rating(who, note_of(turn, skill, "with")) or turn.number("value")
    return ready_dice(turn, who, skill) or skilled(value, rank_of(turn, who, skill) or 0)


def dice_to_roll(turn: r.Turn, skill: str = "") -> list[r.Choice]:
    """The dice of the character who rolls this skill, or the answered one, in printed order."""
    who, skill = turn.character("as"), skill or turn.text("with")
    if who is None or not skill:
        return []
    pool = skill_pool(turn, who, skill)
    names = [die.name for die in turn.system.dice for _ in range(pool[die.name])]
    return [r.Choice(name, turn.word(name)) for name in names]


def _first_to_roll(turn: r.Turn) -> str | None:
    """The default of the form."""
    return next((choice.value for choice in _rollers(turn)), None)


def _last_npc_skill(turn: r.Turn) -> str | None:
    """The skill of the last NPC's roll: the GM's side is usually ready, or surprised, together."""
    before = [
        Rolled.of(slot).skill for slot in turn.table.of_kind("slot") if side_of(slot) is r.Team.GM
    ]
    if turn.is_gm and before:
        return before[-1] or None
    return None


def _roll_title(turn: r.Turn) -> str:
    """The title once others have rolled: the GM's has the name, or that it is one more turn."""
    whom = turn.text("as") or _first_to_roll(turn) or ""
    if not whom or not ORDER.slots(turn.table):
        return ""
    if whom == ALL:
        return turn.words["initiative.for.all"]
    who = turn.table.characters[whom]
    if any(Rolled.of(slot).by == who.id for slot in turn.table.of_kind("slot")):
        return turn.words["initiative.more"]
    if turn.is_gm:
        return turn.words.say("initiative.for", who=who.name)
    return ""


@r.move(
    "initiative.roll",
    when=r.between_actions,
    only_if=[r.has_a_character, r.any_of(_rollers, "initiative.rolled")],
    asks=[
        r.ChoiceAsk("as", "Who?", _rollers, default=_first_to_roll),
        r.ChoiceAsk(
            "with", "Ready, or surprised?", r.answers("initiative", *READY), default=_last_npc_skill
        ),
        missing_value(roll_characteristic),
        r.replace(r.FACES, dice=dice_to_roll, shown=lambda t: t.text("as") != ALL),
    ],
    rule="Initiative",
    place=r.at("scene", 20),
    shown_as=_roll_title,
)
def roll_initiative(turn: r.Turn) -> Iterator[r.Event]:
    """Roll initiative

    A Simple check of Cool or Vigilance; by net successes, then Advantage. The slot belongs to the
    side.
    """
    skill = turn.text("with")
    if turn.text("as") == ALL:
        for one in _npcs_at_once(turn):
            yield from _roll_slot(turn, one, skill)
        return
    who = turn.table.characters[turn.text("as")]
    yield from remember(who, {roll_characteristic(turn): turn.number("value")})
    yield from _roll_slot(turn, who, skill)


def _roll_slot(turn: r.Turn, who: r.Character, skill: str) -> Iterator[r.Event]:
    """Roll for a slot of this character's side."""
    rolled = turn.cast(skill_pool(turn, who, skill), turn.numbers("faces"))
    why = turn.words.say("initiative.rolled", who=who.name, skill=turn.system.entry(skill))
    yield r.hidden_like(r.DiceRolled("", turn.seat.id, rolled, why), who)
    for slot in turn.table.of_kind("slot"):
        if Rolled.of(slot).by == who.id and slot.hidden != who.hidden:
            yield r.TraitRemoved(slot.id)
    success, advantage = net(rolled)["success"], net(rolled)["advantage"]
    own = Rolled(success, advantage, who.team.value, who.id, skill)
    place = success * 100 + advantage
    new = turn.trait(
        "slot", text_of(turn, who.team, own), who.team.mark, rating=place, until="scene"
    )
    yield r.hidden_like(r.TraitSet(own.into(new.trait)), who)


# Taking turns.


_between_turns = r.all_of(
    r.requires(lambda t: ORDER.slots(t.table), "slots.none", firm=True), r.idle
)


def _own_slot(turn: r.Turn) -> r.Refusal | None:
    """Players end only their own side's turn, if they may take it or nobody is left for it."""
    slot = ORDER.present(turn.table)
    if not turn.is_gm and (slot is None or side_of(slot) is not r.Team.PLAYERS):
        return turn.no("slot.players")
    ready = ready_to_act(turn.table, r.Team.PLAYERS)
    ours = turn.is_gm or not ready or any(r.plays(turn, one) for one in ready)
    return None if ours else turn.no("slot.acted")


def _possible_actors(turn: r.Turn) -> Iterator[r.Choice]:
    """The possible actors of this turn: a player's own characters; for the GM any of that side."""
    slot = ORDER.present(turn.table)
    if slot is None:
        return
    for one in ready_to_act(turn.table, side_of(slot)):
        if turn.is_gm or r.plays(turn, one):
            yield r.Choice(one.id, one.name)


def _missing_caution(turn: r.Turn) -> str:
    """The players' characters who could still roll before the first turn."""
    if ORDER.present(turn.table):
        missing = []
    else:
        missing = unrolled(turn.table, r.Team.PLAYERS)
    return r.naming(turn, "initiative.misses", missing)


@r.move(
    "initiative.next",
    when=_between_turns,
    caution=_missing_caution,
    only_if=[_own_slot],
    asks=[
        r.ChoiceAsk(
            "who",
            "Who took this turn?",
            _possible_actors,
            default=lambda t: (
                next((c.value for c in _possible_actors(t)), None) if not t.is_gm else None
            ),
            needed=False,
            shown=lambda t: any(_possible_actors(t)),
        )
    ],
    rule="Initiative",
    place=r.at("slots"),
    shown_as=lambda t: "" if ORDER.present(t.table) else t.words["initiative.start"],
)
def next_slot(turn: r.Turn) -> Iterator[r.Event]:
    """Next turn

    The first one starts the fight. An action that is done ends its turn automatically. After the
    last turn the next round begins.
    """
    return ORDER.go_on(turn, turn.text("who"))


@r.whenever(r.CheckClosed)
def end_turn(turn: r.Turn, event: r.CheckClosed) -> Iterator[r.Event]:
    """End the turn when its side closes an action that everybody sees."""
    check, slot = turn.before.checks.get(event.id), ORDER.present(turn.table)
    if check is None or check.hidden or event.how != "done" or slot is None:
        return
    if slot.about == check.team.mark:
        yield from ORDER.go_on(turn, check.actor)


OVER = "fight-over"
"""The kind of the trait with the end of a fight."""


def _standing_caution(turn: r.Turn) -> str:
    """The NPCs with a slot who still stand."""
    rolled = {Rolled.of(slot).by for slot in ORDER.slots(turn.table) if side_of(slot) is r.Team.GM}
    rollers = (one for id in rolled if (one := turn.table.characters.get(id)) and r.here(one))
    standing = [one for one in rollers if not has_fallen(turn.table, one)]
    return r.naming(turn, "fight.ends", sorted(standing, key=lambda one: one.name))


@r.gm_move(
    "initiative.end",
    when=_between_turns,
    ends=_standing_caution,
    rule="Initiative",
    place=r.at("slots"),
)
def end_order(turn: r.Turn) -> Iterator[r.Event]:
    """End the fight

    The log shows in which round, and who is past a threshold.
    """
    rolled = {Rolled.of(slot).by for slot in turn.table.of_kind("slot")}
    past = dict.fromkeys(
        mark.about for mark in r.public(turn.table).of_kind("beyond") if mark.about in rolled
    )
    fallen = [one for id in past if (one := turn.table.characters.get(id))]
    id = "fight.over" if "round" in turn.table.running else "fight.unstarted"
    ended = turn.words.say(id, n=turn.table.periods["round"])
    yield turn.trait(
        OVER, r.naming(turn, "fight.beyond", fallen, text=ended) or ended, until="scene"
    )
    yield from ORDER.end(turn)


@r.whenever(r.TraitSet)
def clear_last_end(turn: r.Turn, event: r.TraitSet) -> Iterator[r.Event]:
    """Remove the end of the last fight once a visible slot is rolled."""
    if event.trait.kind == "slot" and not event.trait.hidden:
        for end in turn.table.of_kind(OVER):
            yield r.TraitRemoved(end.id)
