"""The sides of characters, and who rolls and pays in a check.

Source: c2d10.md 2.1; seed 001, Hero points and NPC Successes.
"""

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.systems.c2d10.abilities import READY_DICE
from storypool.systems.c2d10.dice import ACTIVE, PARTS, Part
from storypool.systems.c2d10.test import Test, roller, winner

STANCES = ("opposed", "neutral", "heroes")
STANCE = "stance"


POOLS = {r.Team.PLAYERS: "hero", r.Team.GM: "villain"}
"""The account of each side."""


def stance(character: r.Character | None) -> str:
    """The side of a character: the heroes', opposed to them, or neither.

    A player's character is a hero; an NPC is opposed by default; one who has left has no side.
    """
    if character is None or not r.here(character):
        return "neutral"
    if character.team is r.Team.PLAYERS:
        return "heroes"
    known = str(character.sheet.get(STANCE))
    return known if known in STANCES else "opposed"


def is_replaced(table: r.Table, character: r.Character | None) -> bool:
    """Whether this character's player left, and is back under a seat with the same name."""
    seat = table.seats.get(character.seat) if character else None
    if seat is None or seat.here:
        return False
    return any(one.here and r.alike(one.name) == r.alike(seat.name) for one in table.seats.values())


def player_caution(
    turn: r.Turn, character: r.Character | None, key: str = "caution.decides"
) -> str:
    """The present player for whom the Keeper would act; "" for all other seats."""
    if character is None or not turn.is_gm or r.plays(turn, character):
        return ""
    return turn.words.say(
        key, who=character.name, whom=r.named(turn, r.player_of(turn.table, character.id))
    )


def pays_for(turn: r.Turn, character: r.Character | None) -> bool:
    """Whether this seat spends its side's points on the roll of a character.

    Each player on their own hero, any player on an NPC aligned with the party, the Keeper on
    everybody else.
    """
    if character is None or turn.is_gm:
        return character is not None and stance(character) != "heroes"
    mine = character.seat in ("", turn.seat.id) or character.team is r.Team.GM
    return stance(character) == "heroes" and mine


def rollers(turn: r.Turn) -> list[tuple[Part, r.Character | None]]:
    """The sides of the current check with their rollers: one in a test, two in a contest."""
    check = turn.check
    if check is None:
        return []
    parts = PARTS if Test.of(check).is_contest else (ACTIVE,)
    return [(part, roller(turn.table, check, part)) for part in parts]


def paid_parts(turn: r.Turn) -> list[Part]:
    """The sides of the current check that this seat spends points on."""
    return [part for part, character in rollers(turn) if pays_for(turn, character)]


def paid_part(turn: r.Turn) -> Part:
    """The side for this seat's points: the answer `for`, else the first, else ACTIVE."""
    found = paid_parts(turn)
    for part in found:
        if part.regular == turn.text("for"):
            return part
    return found[0] if found else ACTIVE


def _payable(turn: r.Turn) -> Iterator[r.Choice]:
    for part, character in rollers(turn):
        if character is not None and pays_for(turn, character):
            yield r.Choice(part.regular, character.name)


FOR = r.ChoiceAsk(
    "for",
    "For whom?",
    _payable,
    first=True,
    shown=lambda t: len(paid_parts(t)) > 1,
    known=lambda t: paid_part(t).regular,
)


pays = r.all_of(r.in_the_open, r.requires(paid_parts, "points.theirs"))
"""This seat spends points on this roll, which everybody sees."""


def succeeded(turn: r.Turn) -> r.Refusal | None:
    """The test was successful, and this seat spends points on the successful side."""
    won, mine = winner(turn.table, turn.here), paid_parts(turn)
    if won is None or (mine and won not in mine):
        return turn.no("unsuccessful")
    return None if won in mine else turn.no("points.theirs")


yours = r.requires(lambda t: t.is_gm or r.plays(t, roller(t.table, t.here, ACTIVE)), "yours")
"""The check is this seat's own, or this is the Keeper."""
unrolled = r.all_of(r.building, r.of_check(lambda check: not check.rolled, "rolled"))
"""A check is open, and no dice have been rolled for it, not even for a tie."""
_SIDES = r.answers("stance", *STANCES)
SIDE = r.ChoiceAsk("stance", "Whose side are they on?", _SIDES, default=STANCES[0], needed=False)


@r.gm_move(
    "npc.add",
    asks=[
        r.NAME,
        SIDE,
        r.NumberAsk("dice", "Their dice", default=4, low=1, high=20, needed=False),
        r.SheetAsk("sheet", "More numbers on the sheet", needed=False),
        r.SECRET,
    ],
    rule="NPC Successes",
    place=r.at("scene", 60),
)
def add(turn: r.Turn) -> Iterator[r.Event]:
    """Add an NPC

    Opposed to the party, their excess successes are villain points; aligned with it, hero points;
    neutral, neither.
    """
    sheet: dict[str, r.Value] = {
        READY_DICE: turn.number("dice", 4),
        **r.sheet_of(turn.text("sheet")),
    }
    sheet[STANCE] = turn.text("stance") or STANCES[0]
    yield r.npc(turn, sheet)


def _npcs(turn: r.Turn) -> Iterator[r.Choice]:
    for one in turn.table.characters.values():
        if one.team is r.Team.GM:
            yield r.Choice(
                one.id, one.name, turn.words[f"stance.{one.sheet.get(STANCE, STANCES[0])}"]
            )


@r.gm_move(
    "npc.stance",
    only_if=[r.any_of(_npcs, "npc.none")],
    asks=[r.ChoiceAsk("who", "Who?", _npcs), r.replace(SIDE, needed=True, default=None)],
    rule="NPC Successes",
    place=r.at("scene", 61),
)
def take_side(turn: r.Turn) -> Iterator[r.Event]:
    """Change an NPC's side"""
    one = turn.table.characters[turn.text("who")]
    yield r.CharacterSet(r.replace(one, sheet={**one.sheet, STANCE: turn.text("stance")}))
    side = turn.words[f"stance.{turn.text('stance')}"]
    yield r.hidden_like(
        r.Said(turn.seat.id, turn.words.say("stance.now", who=one.name, side=side)), one
    )
