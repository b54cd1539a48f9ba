"""Points that two sides pass back and forth: upgrades, facts, talents, the impossible.

Sources: seed 000; starwars.md 1.7 and 1.9; rulings.md. Games have the same moves under two names,
and make their own with `point_moves`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from storypool.engine import rules as r
from storypool.systems.narrative import windows
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.checks import difficulty_known, is_unpaid, ready
from storypool.systems.narrative.lasting import note, promise
from storypool.systems.narrative.open_check import roll_if_ready
from storypool.systems.narrative.sheet import missing_value, remember

OWN = "own-talent"
"""The kind of trait for a character's talent; the term `talent` has its key."""


def _pass_line(turn: r.Turn, id: str) -> str:
    """The line of a pass, with the seat and the actor."""
    actor = turn.table.actor(turn.here)
    return turn.words.say(id, who=turn.seat.name, actor=actor.name if actor else "")


def _pass_title(turn: r.Turn) -> str:
    """The title of a pass for the seat that rolls, since rolling is a pass too."""
    check = turn.check
    own = check is not None and (turn.seat.id,) == r.actor_of(turn.table, check)
    return turn.words["point.waits"] if own else ""


def _silent_title(turn: r.Turn) -> str:
    """The title for a seat that is silent already."""
    return turn.words["point.asked"] if r.is_silent(turn.table, turn.seat.id) else ""


@dataclass(frozen=True, slots=True)
class Talent:
    """An ability that costs points: a row of data. `effect` is what the program does."""

    key: str
    name: str
    text: str
    cost: int = 1
    side: str = "player"
    effect: str = ""
    amount: str = ""
    until: str = "scene"


def talents(game: str) -> dict[str, Talent]:
    """The talents of a game by their keys."""
    return {key: Talent(key, **row) for key, row in r.rows(game, "talents").items()}


def talent_words(game: str) -> dict[str, str]:
    """The names and texts of talents, as sentences of the catalogue."""
    found = talents(game).values()
    return {
        f"talent.{row.key}{of}": text
        for row in found
        for of, text in (("", row.name), (".does", row.text))
    }


def own_talent(turn: r.Turn, who: r.Character, key: str) -> r.TraitSet:
    """The event that gives a character a talent."""
    had = turn.words.say("talent.had", who=who.name, name=turn.words[f"talent.{key}"])
    return turn.trait(OWN, had, about=who.id, terms={"talent": key})


@r.worded("One point of this seat's side")
def one_point(turn: r.Turn) -> r.Bag:
    return r.Bag({windows.purses(turn)[0]: 1})


def after_payment(turn: r.Turn, n: int = 1, stays: bool = False) -> Iterator[r.Event]:
    """The consequences of a payment: the points turn over after the action, or now without one.

    They come back when the action is cancelled, unless their effect `stays`.
    """
    own, other = windows.purses(turn)
    if turn.check is None or windows.crosses_at_once(turn):
        yield from turn.change(other, n, why=turn.words["points.turned"])
    if turn.check is not None:
        check = windows.after_spend(turn, turn.here)
        if windows.crosses_at_once(turn):
            owed = check.owed
        else:
            owed = check.owed + r.Bag({other: n})
        back = r.Points() if stays else r.Points({r.Purse(own): n})
        yield turn.amend(check, spent=check.spent + back, owed=owed)


def is_newcomer(turn: r.Turn, one: r.Character) -> bool:
    """Whether this is the first character of a player, added during a session."""
    if turn.key != "character.add" or "session" not in turn.table.running or not one.seat:
        return False
    return all(other.seat != one.seat for other in turn.before.characters.values())


def unchanged_note(turn: r.Turn, account: str, why: str) -> r.PointsSet:
    """The note that an account is unchanged, with the reason why it does not grow."""
    return r.PointsSet(account, "", turn.table.balance(account), 0, why)


def _before_answer(turn: r.Turn) -> r.Refusal | None:
    """Before the roll no player's point follows the answer of the GM."""
    check = windows.unrolled_check(turn)
    first = check is not None and check.team is r.Team.PLAYERS
    if check and first and windows.has_spent(turn, check, r.Team.GM):
        return turn.no("point.answered")
    return None


def _may_touch(turn: r.Turn) -> r.Refusal | None:
    """The actor's player upgrades the pool; the players it acts against upgrade the opposition."""
    check = turn.here
    if turn.is_gm or r.acts_in(turn, check) or check.team is r.Team.GM:
        return None
    if r.plays(turn, turn.table.target(check)):
        return None
    return turn.no("point.theirs")


_impossible = r.of_check(
    lambda check: Attempt.of(check).difficulty == "impossible", "not.impossible"
)


def _default_user(turn: r.Turn) -> str | None:
    """The actor, if this seat plays them; else a player's first character, or nobody for the GM."""
    check = turn.check
    ours = [choice.value for choice in r.characters(own=True)(turn)]
    if check is not None and check.actor in ours:
        return check.actor
    return None if turn.is_gm else r.first_own(turn)


def _plays_or_masters(turn: r.Turn) -> r.Refusal | None:
    """A player needs a character for an ability; the GM has abilities without one."""
    return None if turn.is_gm else r.has_a_character(turn)


def point_moves(prefix: str, rule: str, game: str) -> tuple[r.Move, ...]:
    """The moves of a two-sided pool of points, under the game's own name, with its talents."""
    table = talents(game)

    @r.move(
        f"{prefix}.upgrade",
        when=r.building,
        window=windows.own_window,
        price=one_point,
        limit=windows.one_upgrade,
        only_if=[r.in_the_open, _may_touch, difficulty_known, ready],
        rule=rule,
        place=r.at("actions", 10),
    )
    def upgrade(turn: r.Turn) -> Iterator[r.Event]:
        """Upgrade a die with a point

        The acting side upgrades an Ability die; the other side a Difficulty die (seed 000, Helping
        and Inhibiting).
        """
        check = windows.after_decision(turn, turn.here)
        # A seat that plays both sides of a check answers in the target's window.
        answers = Attempt.of(turn.here).undecided[:1] == ("target",)
        die = "difficulty"
        if r.acts_in(turn, check) and not answers:
            die = "ability"
        why = turn.words.say(f"point.upgrade.{die}", who=turn.seat.name)
        mod = r.Mod("upgrade", die, 1, why, turn.seat.id, bought=True)
        yield turn.amend(check, why, mods=(*check.mods, mod))
        yield from after_payment(turn)
        yield from roll_if_ready(turn, turn.here)

    @r.move(
        f"{prefix}.pass",
        when=r.building,
        window=windows.own_window,
        only_if=[difficulty_known],
        rule=rule,
        place=(r.at("primary", 6), r.at("actions", 11)),
        shown_as=_pass_title,
    )
    def pass_on(turn: r.Turn) -> Iterator[r.Event]:
        """Spend no point

        You spend nothing on this check.
        """
        yield turn.amend(windows.after_decision(turn, turn.here), _pass_line(turn, "point.passed"))
        yield from roll_if_ready(turn, turn.here)

    @r.move(
        f"{prefix}.pass_all",
        when=r.all_of(r.building, windows.npc_acts),
        window=windows.may_pass_for_all,
        only_if=[difficulty_known],
        rule=rule,
        place=(r.at("primary", 5), r.at("actions", 12)),
    )
    def pass_for_all(turn: r.Turn) -> Iterator[r.Event]:
        """No player spends a point

        On an NPC's action, where each would have to say it else. The option `pass_for_all` says who
        may.
        """
        yield turn.amend(
            windows.after_all_pass(turn, turn.here), _pass_line(turn, "point.passed_all")
        )
        yield from roll_if_ready(turn, turn.here)

    @r.move(
        f"{prefix}.silent",
        when=r.in_session,
        rule=rule,
        shown_as=_silent_title,
    )
    def be_silent(turn: r.Turn) -> Iterator[r.Event]:
        """Answer only when I say so

        Rolls of others no longer wait for your point. The same move again has you asked, also about
        a check whose dice have not fallen.
        """
        yield from r.be_silent(turn, turn.words.say("point.silent", who=turn.seat.name))
        for check in turn.table.checks.values():
            yield from roll_if_ready(turn, check)

    @r.move(
        f"{prefix}.attempt",
        when=lambda t: r.building(t) or _impossible(t),
        price=one_point,
        limit=windows.one_point,
        only_if=[r.of_check(is_unpaid, "impossible.paid"), windows.acts],
        rule="Impossible Tasks",
        place=(r.at("primary", 2), r.at("actions", 13)),
    )
    def attempt(turn: r.Turn) -> Iterator[r.Event]:
        """Attempt the impossible

        The point buys nothing else, and is this player's one point (starwars.md 1.2).
        """
        yield from after_payment(turn)
        yield turn.amend(Attempt.put(turn.here, paid=True))

    @r.move(
        f"{prefix}.fact",
        by=["player"],
        when=r.in_session,
        window=windows.leaves_the_last,
        price=one_point,
        limit=windows.one_point,
        only_if=[r.in_the_open, _before_answer, ready],
        asks=[
            r.TextAsk("text", "What turns out to be true?"),
            r.ChoiceAsk("about", "About whom?", r.characters(), needed=False),
        ],
        approval=r.proposes,
        rule="Luck and Deus Ex Machina",
        place=r.at("actions", 70),
    )
    def fact(turn: r.Turn) -> Iterator[r.Event]:
        """Add a fact with a point

        The GM has the last word: the point is set aside until then, and comes back if the answer is
        no.
        """
        yield turn.trait("fact", turn.text("text"), turn.text("about"))
        yield from after_payment(turn, stays=True)
        yield from roll_if_ready(turn, turn.check)

    def known(turn: r.Turn) -> Iterator[r.Choice]:
        """The talents of this side, those of the character first, and what the table has added."""
        gm, words = turn.is_gm, turn.words
        has_any = any(_has(turn, key) for key in table)

        def listed(
            key: str, name: str, cost: int, text: str, row: Talent | None = None
        ) -> r.Choice:
            id = "talent.note" if cost < 2 else "talent.exception"
            note = words.say(id, n=cost, text=text)
            if row and _lacks(turn, key):
                note = words.say("talent.asks", note=note)
            elif row and has_any and not _has(turn, key):
                note = words.say("talent.other", note=note)
            return r.Choice(key, name, note, _why_closed(turn, cost, row))

        for row in sorted(table.values(), key=lambda row: not _has(turn, row.key)):
            if (row.side == "gm") == gm:
                of = f"talent.{row.key}"
                yield listed(row.key, words[of], row.cost, words[f"{of}.does"], row)
        for added in turn.table.of_kind("talent"):
            yield listed(added.id, added.text.partition(":")[0], max(1, added.rating), added.text)

    def usual_talent(turn: r.Turn) -> str | None:
        """The first of the character's own talents that can be used now."""
        return next(
            (one.value for one in known(turn) if _has(turn, one.value) and not one.closed), None
        )

    def counts_by(turn: r.Turn) -> str:
        """The characteristic that is the amount of the chosen talent, or ""."""
        row = table.get(turn.text("talent"))
        if row and not row.amount.isdecimal():
            return row.amount
        return ""

    @r.worded("As many points of this seat's side as the ability says")
    def talent_price(turn: r.Turn) -> r.Bag:
        key, n = turn.text("talent"), 1
        if key in table:
            n = table[key].cost
        elif key in turn.table.traits:
            n = max(1, turn.table.traits[key].rating)
        return one_point(turn) * n

    @r.move(
        f"{prefix}.talent",
        when=r.in_session,
        window=lambda t: windows.in_turn(t) or windows.leaves_the_last(t),
        price=talent_price,
        limit=windows.one_point,
        only_if=[r.in_the_open, _plays_or_masters, ready],
        asks=[
            r.ChoiceAsk(
                "as", "Whose ability?", r.characters(own=True), default=_default_user, needed=False
            ),
            r.ChoiceAsk("talent", "Which ability?", known, preset=usual_talent),
            missing_value(counts_by),
        ],
        approval=lambda turn: turn.text("talent") in table and _lacks(turn, turn.text("talent")),
        rule="Special Abilities and Talents",
        place=r.at("actions", 71),
    )
    def talent(turn: r.Turn) -> Iterator[r.Event]:
        """Use a talent or an ability

        One that costs two needs both at once; its own text overrides the limit of one, and uses it
        up.
        """
        row, who = table.get(turn.text("talent")), turn.text("as")
        lacks = row is not None and _lacks(turn, row.key)
        if row is not None and lacks:
            yield own_talent(turn, turn.table.characters[who], row.key)
        stays = row is None or lacks or not _of_this_pool(turn, row, who)
        yield from after_payment(turn, talent_price(turn).total, stays=stays)
        if row is not None:
            yield from _effect(turn, row, who)
        yield from roll_if_ready(turn, turn.check)

    @r.gm_move(
        f"{prefix}.ability",
        asks=[
            r.TextAsk("text", "Name: what it does"),
            r.NumberAsk("cost", "How many points does it cost?", default=1, low=1, high=3),
        ],
        rule="Special Abilities and Talents",
        place=r.at("table", 45),
    )
    def ability(turn: r.Turn) -> Iterator[r.Event]:
        """Add a custom talent

        An ability that costs points, for this table.
        """
        yield turn.trait("talent", turn.text("text"), rating=turn.number("cost", 1))

    return (upgrade, pass_on, pass_for_all, be_silent, attempt, fact, talent, ability)


# The effects of talents.

_HEALS = {"heal strain": "strain", "heal wounds": "wounds"}
"""The tracks that effects heal."""

_MODIFIES: Mapping[str, tuple[Literal["add", "upgrade", "downgrade", "remove"], str]] = {
    "upgrade ability": ("upgrade", "ability"),
    "downgrade difficulty": ("downgrade", "challenge"),
    "remove setback": ("remove", "setback"),
    "add boost": ("add", "boost"),
}
"""The change of a pool by effect: of the open check, or promised for the next."""


def _why_closed(turn: r.Turn, cost: int, row: Talent | None) -> str:
    """Why a talent cannot be used now, or ""; `row` is None for one that the table added.

    The price checks whether there are enough points.
    """
    who, waits = turn.character("as"), windows.leaves_the_last(turn, cost)
    if waits is not None:
        return waits.text
    if row is None or not row.effect:
        return ""
    if who is None:
        return turn.words.say("no.talent.whose", name=turn.words[f"talent.{row.key}"])
    track = _HEALS.get(row.effect)
    empty = track is not None and not turn.table.balance(track, who.id)
    if track and empty:
        return turn.words.say("spend.empty", track=turn.plural(track))
    return ""


def _lacks(turn: r.Turn, key: str) -> bool:
    """Whether a player's character does not have this talent yet. Source: rulings.md."""
    if turn.is_gm or turn.character("as") is None or turn.option("talents") == "any":
        return False
    return not _has(turn, key)


def _has(turn: r.Turn, key: str) -> bool:
    """Whether the actor is known to have this talent."""
    who = turn.text("as")
    return any(trait.terms["talent"] == key for trait in turn.table.of_kind(OWN, about=who))


def _of_this_pool(turn: r.Turn, row: Talent, who: str) -> bool:
    """Whether a talent only changes the pool of the open action."""
    check = windows.unrolled_check(turn)
    return row.effect in _MODIFIES and check is not None and check.actor == who


def _effect(turn: r.Turn, row: Talent, who: str) -> Iterator[r.Event]:
    """Carry out a talent; its amount is a number, or the name of a characteristic."""
    name, does = turn.words[f"talent.{row.key}"], turn.words[f"talent.{row.key}.does"]
    does_what = turn.words.say("talent.told", name=name, text=does)
    if not row.effect:
        yield note(turn, does_what, who, row.until)
        return
    yield from remember(turn.table.characters[who], {row.amount: turn.number("value")})
    if row.amount.isdecimal():
        n = int(row.amount)
    else:
        n = turn.table.characters[who].rating(row.amount) or 0
    if row.effect in _HEALS:
        track = _HEALS[row.effect]
        yield from turn.change(track, -min(n, turn.table.balance(track, who)), who, name)
    else:
        kind, die = _MODIFIES[row.effect]
        mod = r.Mod(kind, die, n, name, who)
        if _of_this_pool(turn, row, who):
            yield turn.amend(turn.here, name, mods=(*turn.here.mods, r.replace(mod, bought=True)))
        else:
            yield promise(turn, mod, who, does_what)
