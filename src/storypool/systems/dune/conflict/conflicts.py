"""The start and the end of conflicts.

Source: seed 004, Conflict, Moving Assets, Attack Sequence, Resisting Defeat; dune.md 4.4.
"""

from collections.abc import Callable

from storypool.engine import rules as r
from storypool.systems.dune.conflict import turns
from storypool.systems.dune.conflict.turns import CONFLICT, conflict, running
from storypool.systems.dune.people.adversaries import adversaries, bring_in
from storypool.systems.dune.people.sheet import Defeat, is_defeated, rank, so_far

KINDS = {
    "personal": "battle",
    "skirmish": "battle",
    "warfare": "battle",
    "espionage": "move",
    "intrigue": "communicate",
}
"""The five kinds of conflict, each with the skill that its tests mostly use."""


def usual_skill(turn: r.Turn) -> str | None:
    return KINDS.get(turns.state_of(turn.table).kind)


ALL = "all"
"""The answer that a conflict is against everybody of the other side."""


def _standing(side: str) -> Callable[[r.Turn], r.Choices]:
    return r.characters(
        side, hidden=False, only=lambda turn, one: not is_defeated(turn.table, one.id)
    )


def _against(turn: r.Turn) -> r.Choices:
    here = list(_standing("gm")(turn))
    if len(here) > 1:
        note = turn.words["list.comma"].join(one.label for one in here)
        yield r.Choice(ALL, turn.words["conflict.all"], note)
    yield from here
    yield from adversaries(turn, KINDS.get(turn.text("kind")))


def _those_here(turn: r.Turn) -> str | None:
    """Everybody who is here; in a duel the one of the highest rank."""
    here = [one.value for one in _standing("gm")(turn)]
    if turn.text("kind") == "personal":
        return max(here, key=lambda id: rank(turn.table.characters[id]), default=None)
    return ALL if len(here) > 1 else next(iter(here), None)


@r.gm_move(
    "conflict.begin",
    when=r.all_of(r.in_session, r.requires(lambda t: not conflict(t.table), "conflict.running")),
    asks=[
        r.ChoiceAsk("kind", "What kind?", r.answers("conflict", *KINDS)),
        r.TextAsk("text", "What is it about?"),
        r.ChoiceAsk(
            "fights",
            "Who of the players fights?",
            _standing("players"),
            needed=False,
            shown=r.answered("kind", "personal"),
        ),
        r.ChoiceAsk(
            "first",
            "Who goes first?",
            r.answers("conflict.first", "players", "gm"),
            default="players",
        ),
        r.ChoiceAsk(
            "against",
            "Who opposes them? Choose, or name a new NPC",
            _against,
            needed=False,
            free=True,
            preset=_those_here,
        ),
    ],
    caution=lambda t: "" if any(r.zones(t)) else t.words["conflict.no_zones"],
    rule="Conflict",
    place=r.at("scene"),
)
def begin(turn: r.Turn) -> r.Events:
    """Begin a conflict

    A duel, a skirmish, a war, espionage or an intrigue: all alike in zones, turns, assets and
    defeat. The GM says which side goes first, and whom it is against: NPCs who are there, a ready
    adversary, or a new one, a minor NPC by the name that is given. One player's character fights a
    duel, or all do. Others join in by acting.
    """
    kind = turn.text("kind")
    chosen = turn.text("against")
    here = tuple(one.value for one in _standing("gm")(turn))
    if chosen not in ("", ALL, *here):
        chosen = yield from bring_in(turn, chosen, KINDS[kind])
    title = turn.words.say(
        "conflict.title", kind=turn.words[f"conflict.{kind}"], text=turn.text("text")
    )
    one = (chosen,) if chosen else ()
    against = here if chosen == ALL else one
    named = against or tuple(who.id for who in turns.fighters(turn.table, r.Team.GM))
    now = turns.Conflict(
        kind=kind,
        side=turn.text("first"),
        against=named,
        named=bool(against),
        fights=turn.text("fights"),
        before=tuple(trait.at for trait in turn.table.of_kind("defeated")),
    )
    yield r.TraitSet(now.into(r.Trait(CONFLICT, "conflict", title, by=turn.seat.id, until="scene")))
    yield from turns.update_order(turn)


def _no_action(turn: r.Turn) -> r.Refusal | None:
    open_ones = (check for check in turn.table.checks.values() if turns.takes_turn(check))
    return next((turn.no("conflict.action", title=check.title) for check in open_ones), None)


def score(turn: r.Turn) -> str:
    """The result of a conflict: the defeated, the others' distance from it, and who can resist."""
    words, table = turn.words, r.public(turn.table)
    down, shown = {trait.about: trait for trait in turns.defeats(table)}, table.characters.values()
    fallen = [who for who in shown if who.id in down]
    parts = [r.naming(turn, "conflict.defeated", fallen)]
    for who in shown:
        track = table.traits.get(f"track-{who.id}")
        if track is not None and not is_defeated(turn.table, who.id):
            parts.append(words.say("conflict.track", who=who.name, **so_far(track)))
    resisting = [who for who in fallen if Defeat.of(down[who.id]).asked]
    parts.append(r.naming(turn, "conflict.resistible", resisting))
    return words["list.semicolon"].join(filter(None, parts)) or words["conflict.nobody"]


NOBODY = "nobody"
"""The answer that neither side wins."""


def _winner(turn: r.Turn) -> str:
    won = [team.value for team in r.Team if turns.is_beaten(turn.table, team.other)]
    return won[0] if len(won) == 1 else NOBODY


def _still_fight(turn: r.Turn) -> str:
    beaten = _winner(turn) != NOBODY
    return "" if beaten else r.naming(turn, "conflict.ends", turns.everybody(turn.table))


@r.gm_move(
    "conflict.end",
    when=r.all_of(running, _no_action),
    asks=[
        r.ChoiceAsk(
            "winner",
            "Who wins?",
            r.answers("conflict.first", *(team.value for team in r.Team), NOBODY),
            default=_winner,
            needed=False,
        )
    ],
    ends=_still_fight,
    rule="Conflict",
    place=r.at("slots", 61),
)
def end(turn: r.Turn) -> r.Events:
    """End the conflict

    The log shows who is defeated, how far the others were from it, who can still resist, and who
    won: the side whose opponents are all defeated, unless the GM says otherwise.
    """
    why, winner = score(turn), turn.text("winner")
    if winner != NOBODY:
        won = turn.words.say("conflict.won", side=turn.words[f"conflict.first.{winner}"])
        why = turn.words.say("conflict.ended", score=why, won=won)
        # Every screen marks the victory as the conflict ends.
        yield r.TraitSet(r.replace(turn.table.traits[CONFLICT], about=r.Team(winner).mark))
    yield r.TraitRemoved(CONFLICT, why)
    yield from turns.update_order(turn)
