"""Spending a roll: the purchases for its symbols, each symbol booked once.

Source: starwars.md 1.5 (rows in spends.toml), seed 003, Advantages and Threats, Triumph
and Despair.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from storypool.engine import rules as r
from storypool.systems.narrative.attempt import Attempt
from storypool.systems.narrative.fight import injuries
from storypool.systems.narrative.fight.weapons import CRITICAL, weapon_of
from storypool.systems.narrative.healing import patient
from storypool.systems.narrative.lasting import note, promise
from storypool.systems.narrative.open_check import HELPING, HINDERING, SHARES
from storypool.systems.narrative.sheet import (
    MINIONS,
    NARRATIVE,
    is_combat,
    note_of,
    standing_of,
    until_one_more_falls,
)

GREAT = ("triumph", "despair")
"""The symbols whose sentence is a fact of the scene."""
SCENES = ("any", "combat", "social", "story")
"""The scenes that a row may belong to; story is neither combat nor social."""


@dataclass(frozen=True, slots=True)
class Row(r.MenuRow):
    """A purchase for symbols. Its fields are explained at the head of spends.toml."""

    side: str = ""
    scene: str = "any"
    amount: int = 1
    mod: Mapping[str, str] = field(default_factory=dict)
    until: str = "scene"
    at: str = ""
    agree: bool = False
    failed: bool = False
    rating: str = ""
    hurt: bool = False
    instead: bool = False
    treats: bool = False
    tell: bool = False


TABLE = r.menu_rows(NARRATIVE, "spends", Row)
"""Every row of the table, by its key."""


class Spends(r.Menu[Row]):
    """The family's table with the rows that this table added.

    A Triumph or a Despair also pays for each.
    """

    def rows(self, turn: r.Turn) -> Mapping[str, Row]:
        return {**TABLE, **{added.id: _added_row(added) for added in turn.table.of_kind("spend")}}

    def costs(self, turn: r.Turn, check: r.Check, row: Row) -> Sequence[r.Bag]:
        """The prices of a row; that of a weapon is the named one's, or on the actor's sheet."""
        price, named = (
            r.rating(turn.table.actor(check), row.rating),
            weapon_of(turn, Attempt.of(check).weapon),
        )
        if named is not None and row.rating == CRITICAL:
            price = named.critical
        if price is None or price < 1:
            return row.costs
        costs = list(row.costs)
        for i, cost in enumerate(costs):
            if "triumph" not in cost:
                costs[i] = r.Bag(dict.fromkeys(cost, price))
        return costs

    def closed(self, turn: r.Turn, check: r.Check, row: Row, costs: Sequence[r.Bag]) -> str:
        if row.scene not in ("any", note_of(turn, Attempt.of(check).skill, "kind") or "story"):
            return turn.words[f"spend.only.{row.scene}"]
        if row.failed and check.outcome is not None and check.outcome.passed is not False:
            return turn.words["spend.only.failed"]
        dealt = Attempt.of(check).dealt
        if row.hurt and check.against and not dealt:
            return turn.words["spend.only.hurt"]
        if row.instead and dealt:
            return turn.words["spend.only.instead"]
        if row.treats and patient(turn, check) is None:
            return turn.words["spend.only.treats"]
        return self.short(turn, check, costs) or _why_pointless(turn, check, row)

    def people(self, turn: r.Turn, check: r.Check, row: Row) -> Iterator[r.Choice]:
        suits = {"ally": self._is_ally, "target": self._is_target}.get(row.whom)
        if suits is None:
            return
        for who in turn.table.characters.values():
            if r.here(who) and check.knows(who) and suits(turn, check, row, who):
                yield r.Choice(who.id, who.name)

    def _is_ally(self, turn: r.Turn, check: r.Check, row: Row, who: r.Character) -> bool:
        return who.team is check.team and who.id != _rival(turn, check)

    def _is_target(self, turn: r.Turn, check: r.Check, row: Row, who: r.Character) -> bool:
        # The effects of a hit that hurts, or of a treatment, are only for its target.
        if row.treats or (row.hurt and check.against):
            return who.id == check.against
        opposes = who.id == check.against or who.team is not check.team
        return opposes and who.id != check.actor

    def usual(self, check: r.Check, row: Row) -> str:
        """The default character: the target for a row about it; the actor for a hindered ally."""
        hinders = row.whom == "ally" and row.side == "hindering"
        if row.whom == "target":
            return check.against
        if hinders:
            return check.actor
        return ""

    def begins(self, turn: r.Turn, row: Row) -> str:
        """The default text; empty for something vital to the scene, which the player describes."""
        return self.printed(turn, row) if row.tell else ""

    def choices(self, turn: r.Turn) -> Iterator[r.Choice]:
        """The purchasable rows first: effects of a hit, then those with their own price.

        For players, what happens to a foe names them.
        """
        left, rows = self.left(turn), self.rows(turn)
        hurts = bool(turn.check and Attempt.of(turn.check).dealt)

        def place(choice: r.Choice) -> tuple[bool, bool, bool]:
            row = rows[choice.value]
            return (
                bool(choice.closed),
                not (row.hurt and hurts),
                not left >= self.costs(turn, turn.here, row)[0],
            )

        for choice in sorted(super().choices(turn), key=place):
            row, who = rows[choice.value], turn.table.actor(turn.here)
            foe = who is not None and who.team is r.Team.GM and not turn.is_gm
            if who and foe and row.whom == "actor" and row.effect in _TRACKS:
                label = turn.words.say("spend.whose", who=who.name, text=choice.label)
                choice = r.replace(choice, label=label)
            yield choice


MENU = Spends(SHARES)


@dataclass(frozen=True)
class Added(r.State):
    """A row that a table has added: its price in a symbol, and its scene."""

    symbol: str = ""
    scene: str = ""


def _added_row(trait: r.Trait) -> Row:
    symbol = Added.of(trait).symbol
    greater = (HELPING if symbol in HELPING else HINDERING)[1]
    costs = [r.Bag({symbol: trait.rating}), r.Bag({greater: 1})]
    return Row(
        trait.id, tuple(costs[: 1 + (symbol != greater)]), trait.text, scene=Added.of(trait).scene
    )


def _why_pointless(turn: r.Turn, check: r.Check, row: Row) -> str:
    """Why a row would have no effect, or "".

    An empty track has nothing to heal, a change that everybody sees would reveal a hidden roll,
    and a promise to nobody would lapse.
    """
    words, people = turn.words, turn.table.characters
    actor, target = people.get(check.actor), people.get(check.against)
    if row.effect in _TRACKS:
        owner = target if row.whom == "target" else actor
        if owner is not None and not check.may_use(owner):
            return words["spend.only.seen"]
        track = _TRACKS[row.effect]
        takes = row.amount < 0 or row.effect == "strain to wound"
        if takes and owner is not None and not turn.table.balance(track, owner.id):
            return words.say("spend.empty", track=turn.plural(track))
    if row.effect == "critical" and _is_group(target) and not standing_of(turn, target):
        return words["spend.none.stands"]
    apart = _excluded(turn, check)
    allies = r.characters(
        only=lambda _, who: who.team is check.team and who.id not in apart and check.knows(who)
    )
    if row.whom == "allies" and not any(allies(turn)):
        return words["spend.no.allies"]
    if row.whom == "target" and not check.against and not any(MENU.people(turn, check, row)):
        return words["spend.no.target"]
    return ""


def _is_group(who: r.Character | None) -> bool:
    """Whether a character is a group of minions: one falls instead of a critical injury."""
    return bool(r.rating(who, MINIONS))


_TRACKS = {"strain": "strain", "wounds": "wounds", "strain to wound": "strain"}
"""The track that an effect changes."""


def _rival(turn: r.Turn, check: r.Check) -> str:
    """The opponent that resists or is attacked, who is not an ally even on the same side; or ""."""
    attempt = Attempt.of(check)
    resists = attempt.difficulty == "opposed" or is_combat(turn, attempt.skill)
    return check.against if resists else ""


def _excluded(turn: r.Turn, check: r.Check) -> tuple[str, ...]:
    """The actor and the rival, who get nothing for an ally."""
    return tuple(filter(None, (check.actor, _rival(turn, check))))


_has_symbols = r.requires(MENU.left, "no.symbols")


def _needs_approval(turn: r.Turn) -> bool:
    """The GM approves players' purchases about an NPC, and rows that require it."""
    row = MENU.row(turn)
    return not turn.is_gm and (turn.here.team is r.Team.GM or bool(row and row.agree))


def _left(turn: r.Turn) -> int:
    """The number left of the chosen symbol."""
    return MENU.left(turn)[turn.text("with")]


def _own_price(turn: r.Turn) -> r.Bag:
    return r.Bag({turn.text("with"): turn.number("n", 1)})


def _injures(turn: r.Turn) -> bool:
    """Whether the chosen row is a critical injury of a single character."""
    row = MENU.row(turn) if turn.check else None
    if row is None or row.effect != "critical":
        return False
    return not _is_group(turn.table.characters.get(_subject_id(turn, row)))


@r.move(
    "spend.buy",
    when=r.rolled,
    only_if=[_has_symbols],
    asks=(
        *MENU.asks[:-1],
        *injuries.injury_asks(_injures, preset=lambda t: injuries.THROWN),
        *MENU.asks[-1:],
    ),
    approval=_needs_approval,
    holds=lambda t: r.Held(left=MENU.price(t)),
    rule="Advantages and Threats",
    place=r.at("menu", 10),
)
def buy(turn: r.Turn) -> Iterator[r.Event]:
    """Spend symbols

    The roller spends Advantage and Triumph, the other side Threat and Despair. One Triumph or
    Despair pays for anything that its lesser symbol can buy.
    """
    row, price = MENU.rows(turn)[turn.text("row")], MENU.price(turn)
    effect, whom = None, turn.table.characters.get(_subject_id(turn, row))
    if whom is not None and _injures(turn):
        effect = yield from injuries.effect_of(turn, whom)
    text = injuries.in_words(turn, effect, turn.text("text")) or _effect_text(turn, row)
    check = Attempt.put(turn.here, dealt=0) if row.instead else turn.here
    check, line = _with_injury(turn, check, row, text)
    yield MENU.booked(turn, check, price, line, _subject_name(turn, row))
    yield from _effect(turn, row, text, r.priced(turn, price), effect)
    if row.tell and text != _effect_text(turn, row):
        yield from _fact(turn, price)


def _with_injury(turn: r.Turn, check: r.Check, row: Row, text: str) -> tuple[r.Check, str]:
    """The check with a critical injury in its result, and the same in words for the log.

    The buyer's own words say how.
    """
    whom = turn.table.characters.get(_subject_id(turn, row))
    if row.effect != "critical" or whom is None or check.outcome is None:
        return check, text
    if _is_group(whom):
        id = "injury.group"
    elif turn.text("text") or turn.text("injury"):
        id = "injury.as"
    else:
        id = "injury"
    words = turn.words.say(f"attack.{id}", who=whom.name, text=text)
    return check.also(words), words.removesuffix(".")


def _fact(turn: r.Turn, price: r.Bag) -> Iterator[r.Event]:
    """The buyer's sentence as a fact of the scene, if a Triumph or Despair paid for it."""
    if price.only(GREAT):
        yield turn.result("fact", turn.text("text"), until="scene")


def _effect_text(turn: r.Turn, row: Row) -> str:
    """The effect of a row, or its short promise if it is for one character."""
    if row.effect == "promise" and row.whom != "allies":
        return turn.words[f"next.{row.mod['die']}"]
    return MENU.printed(turn, row)


def _subject_id(turn: r.Turn, row: Row) -> str:
    """The id of the row's character, or ""."""
    return turn.text("whom") or (turn.here.against if row.whom == "target" else turn.here.actor)


def _subject_name(turn: r.Turn, row: Row) -> str:
    """The name of the row's one character, if everybody sees them; else ""."""
    who = turn.table.characters.get(_subject_id(turn, row))
    lasts = row.effect in ("promise", "note", "critical") and row.whom != "allies"
    if who and lasts and not who.hidden:
        return who.name
    return ""


@r.move(
    "spend.free",
    when=r.rolled,
    only_if=[_has_symbols],
    asks=[
        r.TextAsk("text", "What happens?"),
        r.ChoiceAsk(
            "with",
            "With what?",
            lambda t: [r.Choice(symbol, t.word(symbol)) for symbol in MENU.left(t)],
        ),
        r.NumberAsk("n", "How many?", default=1, low=1, high=30, needed=False, most=_left),
    ],
    approval=_needs_approval,
    holds=lambda t: r.Held(left=_own_price(t)),
    rule="Advantages and Threats",
    place=r.at("menu", 20),
)
def free(turn: r.Turn) -> Iterator[r.Event]:
    """Spend symbols on something else

    A Triumph or Despair brings a fact of the scene, which the GM can remove.
    """
    yield MENU.booked(turn, turn.here, _own_price(turn), turn.text("text"))
    yield from _fact(turn, _own_price(turn))


@r.gm_move(
    "spend.add",
    asks=[
        r.TextAsk("text", "What does it do?"),
        r.ChoiceAsk("with", "With what?", lambda t: [r.Choice(s, t.word(s)) for s in SHARES.both]),
        r.NumberAsk("n", "How many?", default=1, low=1, high=10, needed=False),
        r.ChoiceAsk(
            "scene", "Where?", r.answers("scene", *SCENES), default=SCENES[0], needed=False
        ),
    ],
    rule="Advantages and Threats",
    place=r.at("table", 50),
)
def add_row(turn: r.Turn) -> Iterator[r.Event]:
    """Add to the spending list

    One Triumph or Despair buys it too. It stays until it is removed, and players see it with its
    price.
    """
    added = Added(turn.text("with"), turn.text("scene") or SCENES[0])
    yield turn.trait("spend", turn.text("text"), rating=turn.number("n", 1), terms=added.terms)


def _waived_caution(turn: r.Turn) -> str:
    """The unspent symbols of this seat, if nobody else could spend them."""
    left = r.priced(turn, MENU.left(turn))
    if left and not MENU.lost_to_others(turn):
        return turn.words.say("check.lost", what=left)
    return ""


@r.move(
    "spend.waive",
    when=r.all_of(r.rolled, _has_symbols),
    ends=MENU.lost_to_others,
    caution=_waived_caution,
    rule="Advantages and Threats",
)
def waive(turn: r.Turn) -> Iterator[r.Event]:
    """Done spending"""
    yield MENU.done(turn, turn.here)


def _effect(
    turn: r.Turn, row: Row, text: str, cost: str, injury: injuries.Effect | None
) -> Iterator[r.Event]:
    check = turn.here
    whom = _subject_id(turn, row)
    logged = bool(_subject_name(turn, row)) or row.whom == "allies"
    match row.effect:
        case "strain" | "wounds":
            yield from turn.change(row.effect, row.amount, whom, cost)
        case "strain to wound":
            yield from turn.change("strain", -row.amount, check.actor, cost)
            yield from turn.change("wounds", row.amount, check.actor, cost)
        case "promise":
            allies = row.whom == "allies"
            about = check.team.mark if allies else whom
            but = " ".join(_excluded(turn, check)) if allies else ""
            # The promised die may be used in an open action: do not reveal a hidden one's text.
            why = text if not check.hidden else _effect_text(turn, row)
            kind: Literal["add", "upgrade"] = "add" if row.mod["kind"] == "add" else "upgrade"
            mod = r.Mod(kind, row.mod["die"], 1, why, turn.seat.id)
            yield promise(turn, mod, about, text, but=but, logged=logged)
        case "critical" if _is_group(turn.table.characters.get(whom)):
            falls = until_one_more_falls(turn, turn.table.characters[whom])
            yield from turn.change("wounds", falls, whom, cost)
        case "critical":
            yield injuries.injure(turn, whom, injury, text, logged)
        case "note":
            yield note(turn, text, whom, row.until, row.at, logged=logged)
