"""Adversaries, ready-made or in a few numbers: the rows of the game's adversaries.toml."""

from collections.abc import Callable, Iterator, Mapping

from storypool.engine import rules as r
from storypool.systems.narrative.fight.attacks import SOAK, WEAPON
from storypool.systems.narrative.sheet import FULL, MINIONS
from storypool.systems.narrative.symbol_dice import HELPING

MOST_WOUNDS = 99
"""The most wounds of one character or a whole group: the limit of the sheet."""
MINION_WOUNDS = 5
"""The default for each of a group."""

Row = Mapping[str, str | int]


def adversary_words(game: str) -> dict[str, str]:
    """The names of a game's ready adversaries, as sentences of the catalogue."""
    return {key: row["name"] for key, row in r.rows(game, "adversaries").items()}


def adversary_moves(game: str) -> tuple[r.Move, ...]:
    """The move that adds an adversary of this game."""
    table: Mapping[str, Row] = r.rows(game, "adversaries")

    def ready(turn: r.Turn) -> Iterator[r.Choice]:
        """The ready adversaries, each with their best skill and number."""
        for key, row in table.items():
            group = ""
            if "group" in row:
                group = turn.words.say("adversary.group", n=row["group"])
            note = turn.words["list.comma"].join(
                filter(None, (turn.system.entry(str(row["skill"])), group))
            )
            yield r.Choice(key, turn.words[f"adversary.{key}"], note)

    def of_row(key: str, else_: Callable[[r.Turn], r.Value]) -> Callable[[r.Turn], r.Value]:
        """A default: the number of the chosen row, or `else_`."""
        return lambda turn: table.get(turn.text("ready"), {}).get(key, else_(turn))

    def number(
        key: str,
        label: str,
        usual: Callable[[r.Turn], int],
        high: int,
        low: int = 0,
        most: Callable[[r.Turn], int] | None = None,
    ) -> r.Ask:
        return r.NumberAsk(
            key, label, default=of_row(key, usual), low=low, high=high, needed=False, most=most
        )

    def name(turn: r.Turn) -> str | None:
        """The name of the chosen row, numbered if it is taken."""
        chosen = turn.text("ready")
        if chosen in table:
            return r.free_name(turn, turn.words[f"adversary.{chosen}"])
        return None

    @r.gm_move(
        "adversary.add",
        asks=[
            r.ChoiceAsk("ready", "Ready-made", ready, needed=False),
            r.replace(r.NAME, default=name),
            r.PoolAsk(
                "pool", "Their dice", default=of_row("pool", lambda t: "2 ability"), needed=False
            ),
            number("group", "How many are they?", lambda t: 1, 12, low=1),
            number(
                "wounds",
                "Wounds that each can take",
                _default_wounds,
                MOST_WOUNDS,
                low=1,
                most=_most_wounds_each,
            ),
            r.ChoiceAsk(
                "skill",
                "What are they good at?",
                r.entries("skill"),
                default=lambda t: table.get(t.text("ready"), {}).get("skill"),
                needed=False,
            ),
            number(WEAPON, "Damage of their weapon", _entry_default(WEAPON), 40),
            number(SOAK, "Soak", _entry_default(SOAK), 30),
            number("adversary", "Adversary rank", lambda t: 0, 5),
            r.SheetAsk("sheet", "More numbers on the sheet", needed=False),
            r.SECRET,
        ],
        place=r.at("scene", 60),
    )
    def add_adversary(turn: r.Turn) -> Iterator[r.Event]:
        """Bring in an adversary

        Several of one kind are one group: in the skill of the group each who stands after the first
        upgrades their dice once, and they fall one by one as wounds come.
        """
        dice, group = (
            turn.system.notation.parse(turn.text("pool")).only(HELPING[:2]),
            turn.number("group", 1),
        )
        wounds = turn.number("wounds", 1) * group
        if wounds > MOST_WOUNDS:
            raise turn.refused("argument", "adversary.wounds", "wounds", n=wounds, most=MOST_WOUNDS)
        sheet: dict[str, r.Value] = {**dice, FULL["wounds"]: wounds}
        if group > 1:
            sheet[MINIONS] = group
        if turn.text("skill"):
            sheet[turn.text("skill")] = 1
        for entry in (WEAPON, SOAK, "adversary"):
            if turn.number(entry):
                sheet[entry] = turn.number(entry)
        sheet |= r.sheet_of(turn.text("sheet"))
        yield r.npc(turn, sheet)

    return (add_adversary,)


def _entry_default(key: str) -> Callable[[r.Turn], int]:
    """A default: that of a sheet's entry."""
    return lambda turn: next(entry.default for entry in turn.system.sheet if entry.key == key)


def _most_wounds_each(turn: r.Turn) -> int:
    """The most wounds for each of a group."""
    group = str(turn.args.get("group", 1))
    if group.isdecimal():
        return MOST_WOUNDS // max(1, int(group))
    return MOST_WOUNDS


def _default_wounds(turn: r.Turn) -> int:
    if turn.number("group", 1) > 1:
        return MINION_WOUNDS
    return _entry_default(FULL["wounds"])(turn)
