"""Adversaries, ready-made or in a few numbers: the rows of the game's adversaries.toml."""

from collections.abc import Callable, Iterator, Mapping

from storypool.engine import rules as r
from storypool.systems.narrative.fight.attacks import SOAK, WEAPON
from storypool.systems.narrative.fight.weapons import CRITICAL, RANGE, answered_weapon, set_weapon
from storypool.systems.narrative.sheet import FULL, MINIONS, is_combat
from storypool.systems.narrative.symbol_dice import HELPING

MOST_WOUNDS = 99
"""The most wounds of one character or a whole group: the limit of the sheet."""
NAMED = "weapon"
"""The question for the name of their weapon."""
MINION_WOUNDS = 5
"""The default for each of a group."""

Row = Mapping[str, str | int]


def adversary_words(game: str) -> dict[str, str]:
    """The names of a game's ready adversaries and their weapons, as sentences of the catalogue."""
    words: dict[str, str] = {}
    for key, row in r.rows(game, "adversaries").items():
        words[key] = row["name"]
        if "weapon" in row:
            words[f"{key}.weapon"] = row["weapon"]
    return words


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

    def of_weapon(key: str, ask: r.Ask) -> r.Ask:
        """A question about a named weapon: the default is that of the chosen row."""
        return r.replace(
            ask,
            needed=False,
            default=lambda t: table.get(t.text("ready"), {}).get(key),
            shown=lambda t: is_combat(t, t.text("skill")) and (ask.shown is None or ask.shown(t)),
        )

    def weapon_name(turn: r.Turn) -> str | None:
        """The weapon of the chosen row."""
        return turn.words.get(f"adversary.{turn.text('ready')}.weapon")

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
            r.replace(
                of_weapon("weapon", r.TextAsk(NAMED, "Their weapon", most=r.LONGEST_NAME)),
                default=weapon_name,
            ),
            number(WEAPON, "Damage of their weapon", _entry_default(WEAPON), 40),
            of_weapon(
                CRITICAL, r.NumberAsk(CRITICAL, "Advantages for a critical injury", low=1, high=6)
            ),
            of_weapon("range", RANGE),
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
        for entry in (WEAPON, CRITICAL, SOAK, "adversary"):
            if turn.number(entry):
                sheet[entry] = turn.number(entry)
        sheet |= r.sheet_of(turn.text("sheet"))
        added = r.npc(turn, sheet)
        yield added
        if turn.text(NAMED):
            yield set_weapon(turn, added.character, answered_weapon(turn, turn.text(NAMED)))

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
