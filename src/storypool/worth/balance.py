"""How the players' characters would fare against NPCs: a rough guide for a GM.

The chances are exact. The rest is a rough guide: everybody attacks once a round with the best
attack, nobody spends points, and each side takes out one opponent after the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, cast

from storypool import systems
from storypool.engine.decisions import decision_of
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.house.choices import here
from storypool.engine.refusal import Refused
from storypool.engine.sight import may_see
from storypool.engine.table import GM_ONLY, Character, Seat, Table
from storypool.odds.question import within_limits
from storypool.systems.game_parts import Attack, Encounters

LEVELS = (
    ("far_easier", Fraction(3)),
    ("easier", Fraction(3, 2)),
    ("even", Fraction(2, 3)),
    ("harder", Fraction(1, 3)),
    ("far_harder", Fraction(0)),
)
"""The words for a fight, each from this many times as long as the players hold out on."""


MANY = 40
"""Hits that are too many to be counted."""


@dataclass(frozen=True, slots=True)
class Weight:
    """How even a fight is: one of the words of `LEVELS`, and why in a sentence.

    Both are "" where a side has nobody with the numbers for an attack; then `text` says so.
    """

    level: str = ""
    text: str = ""


class _Best(NamedTuple):
    """The best attack of one on another, and how many such hits the other stands."""

    who: Character
    target: Character
    attack: Attack
    hits: int

    @property
    def share(self) -> Fraction:
        """The part of the target that one attempt takes out on average."""
        return self.attack.chance / self.hits


def weight(system: System, table: Table, seat: Seat, npcs: Sequence[str]) -> Weight | None:
    """How even a fight of the players' characters against these NPCs would be.

    None for a game without such numbers, and for the seat of a player.
    """
    parts = systems.part(system.key, "encounters")
    if parts is None or not may_see(seat, GM_ONLY):
        return None
    turn = Turn(system, table, seat, "")
    people = [one for one in table.characters.values() if here(one)]
    heroes = [one for one in people if one.side == "players"]
    foes = [one for one in people if one.id in npcs]
    with within_limits():
        game = cast(Encounters, parts)
        # Where sides have scores, each is one target.
        most = 1 if getattr(game, "SCORES", False) else None
        sides = (heroes, foes[:most]), (foes, heroes[:most])
        ours, theirs = (_all(game, turn, *side) for side in sides)
    if not ours or not theirs:
        side = "heroes" if not ours else "foes"
        return Weight(text=system.words[f"balance.unknown.{side}"])
    return _in_words(system, ours, theirs)


def _all(
    game: Encounters, turn: Turn, side: Sequence[Character], others: Sequence[Character]
) -> list[_Best]:
    """The best attack of everybody on each of the others, without those that do nothing."""
    found = []
    for who in side:
        for target in others:
            tried = []
            for attack in game.attacks(turn, who, target):
                stands = game.hits(turn, target, attack.harm) if attack.harm else 0
                if stands and attack.chance:
                    tried.append(_Best(who, target, attack, stands))
            if tried:
                found.append(max(tried, key=lambda one: one.share))
    return found


def _rounds(best: Sequence[_Best]) -> Fraction:
    """The rounds until everybody is out whom these attack, one after the other."""
    rounds = Fraction()
    for target in {one.target.id for one in best}:
        at_once = [one for one in best if one.target.id == target]
        rounds += 1 / sum((one.share for one in at_once), Fraction())
    return rounds


def _in_words(system: System, ours: Sequence[_Best], theirs: Sequence[_Best]) -> Weight:
    """The word for the fight, and the two best attacks with what the others stand of them."""
    needed, left = _rounds(ours), _rounds(theirs)
    level = next(name for name, least in LEVELS if left / needed >= least)
    our, their = (max(best, key=lambda one: one.share) for best in (ours, theirs))
    say = system.words.say
    parts = [
        say(
            "balance.attacks",
            who=our.who.name,
            foe=our.target.name,
            ours=_percent(our),
            other=their.who.name,
            hero=their.target.name,
            theirs=_percent(their),
        ),
        _stand(system, _stood(ours, our.who), _stood(theirs, their.who)),
        say("balance.attackers", n=_numbers(ours), theirs=_numbers(theirs)),
    ]
    text = say("balance.sentence", level=system.words[f"balance.{level}"], why=" ".join(parts))
    return Weight(level, text)


def _stand(system: System, theirs: int, ours: int) -> str:
    """The hits that both sides stand; a number beyond `MANY` says only that it is one."""
    if theirs > MANY:
        return system.words.say("balance.many", most=MANY, players=ours)
    return system.words.say("balance.stand", n=theirs, players=ours)


def _percent(best: _Best) -> int:
    return round(best.attack.chance * 100)


def _stood(best: Sequence[_Best], who: Character) -> int:
    """The hits like the best of this attacker that all whom it attacks stand together."""
    return sum(one.hits for one in best if one.who is who)


def _numbers(best: Sequence[_Best]) -> int:
    return len({one.who.id for one in best})


def weighed_rows(
    system: System, table: Table, seat: Seat, args: Mapping[str, object]
) -> Weight | None:
    """How even an encounter would be: a prepared one by its `id`, or one with these answers.

    It is brought in at a table that is not stored. None where that is refused.
    """
    before, id = table.characters, args.get("id")
    try:
        if "title" in args or id is None:
            answers = {"title": "...", **{key: n for key, n in args.items() if key != "id"}}
            made = decision_of(system, table, seat.id, "encounter.prepare", answers, roll=None)
            table = made.tables[-1]
            id = [*table.traits][-1]
        given = {"id": id, "secret": False}
        made = decision_of(system, table, seat.id, "encounter.bring", given, roll=None)
    except Refused:
        return None
    table = made.tables[-1]
    return weight(system, table, seat, [id for id in table.characters if id not in before])
