"""The reference of a game in Markdown, generated from the rows that decide its moves."""

from collections.abc import Iterable, Iterator

from storypool import systems
from storypool.cli.roll_answer import symbols_text
from storypool.contract.menus import menu, tables
from storypool.contract.row_words import conditions, limit, price, reasons
from storypool.engine.game.asks import Ask, Choice, ChoiceAsk
from storypool.engine.game.kit import Account
from storypool.engine.game.moves import Move
from storypool.engine.game.system import System
from storypool.engine.house.conditions import PlayerOf
from storypool.engine.table import Table

CHOSEN = ("choice", "several")
"""The kinds of questions with a list of answers."""
RULINGS = "../../../../docs/rulings.md"
"""The page with the reasons for rulings of the games here, relative to the folder of a game."""


def reference(system: System) -> str:
    """The reference of a game in Markdown, generated from its code."""
    parts = [f"# {system.name}\n"]
    if system.about:
        parts.append(f"{system.about}\n")
    if system.key in systems.names() and systems.package(system.key).startswith(systems.__name__):
        parts.append(f"Why its rulings are as they are is [another page]({RULINGS}).\n")
    command = f"storypool rules {system.key} > reference.md"
    parts.append(
        f"<!-- Generated in the folder of the game: `{command}`. Change the moves, not this page."
        " -->\n"
    )
    parts += [
        *_dice(system),
        *_points(system),
        *_options(system),
        *_sheet(system),
        *_notes(system),
        "## Moves\n",
    ]
    group, listed, at = "", dict[tuple[Choice, ...], str](), tables(system)
    for move in _grouped(system.moves):
        if move.group != group:
            group = move.group
            parts.append(f"### {_group_name(system, group)}\n")
        parts.append(_move(system, at, move, listed))
    return "\n".join(parts)


def _grouped(moves: Iterable[Move]) -> list[Move]:
    moves = list(moves)
    groups = list(dict.fromkeys(move.group for move in moves))
    return sorted(moves, key=lambda move: groups.index(move.group))


def _group_name(system: System, group: str) -> str:
    key = f"group.{group}"
    return system.words[key] if key in system.words else group.replace("-", " ").capitalize()


def _dice(system: System) -> Iterator[str]:
    yield "## Dice\n"
    if not system.dice:
        yield "This game has no dice.\n"
        return
    yield "| die | faces, in the order in which they are numbered |\n|---|---|"
    for die in system.dice:
        if not any(die.faces):
            yield f"| {die.name} | {die.first} to {die.last}: what they say depends on the action |"
            continue
        faces = (
            f"{n} {symbols_text(face, ' + ') or 'blank'}"
            for n, face in enumerate(die.faces, die.first)
        )
        yield f"| {die.name} | {' · '.join(faces)} |"
    yield ""
    note = system.notation
    yield f"A pool is written `{note.show(dict.fromkeys((*note.helping, *note.hindering), 1))}`."
    for name, letters in note.schemes.items():
        behind = "".join(
            f"; `{k}` behind the slash: {v}" for k, v in note.after_slash.get(name, {}).items()
        )
        yield (
            f"Letters ({name}):"
            f" {', '.join(f'`{letter}` {die}' for letter, die in letters.items())}{behind}."
        )
    yield ""


def _points(system: System) -> Iterator[str]:
    if not system.accounts:
        return
    yield "## Points\n"
    yield "| points | whose | at most | what is beyond |\n|---|---|---|---|"
    for row in system.accounts:
        yield f"| {row.name} | {_owner(system, row)} | {_most(row)} | {_beyond(row)} |"
    yield ""


def _owner(system: System, row: Account) -> str:
    if row.each == "character":
        whose = "each character of the players" if row.heroes else "each character"
        return whose if row.paying == "lowers" else f"{whose}; paying raises it"
    spent = {"players": "the players", "gm": system.words["side.gm"]}.get(row.side)
    return f"the table; spent by {spent}" if spent else "the table"


def _most(row: Account) -> str:
    if callable(row.cap):
        return "as the sheet or the table says"
    return "no limit" if row.cap is None else str(row.cap)


def _beyond(row: Account) -> str:
    if row.cap is None:
        return ""
    return row.overflow if row.overflow in ("lost", "refused") else f"goes to {row.overflow}"


def _options(system: System) -> Iterator[str]:
    if not system.options:
        return
    yield "## Options\n"
    yield "| option | values, the default first | what it decides |\n|---|---|---|"
    for option in system.options:
        ordered = sorted(option.values, key=lambda v: v != option.default)
        values = ", ".join(_value(system, option.key, v) for v in ordered)
        yield f"| `{option.key}` | {values} | {system.words.get(f'option.{option.key}', '')} |"
    yield ""


def _value(system: System, option: str, value: str) -> str:
    """A value of an option, with its label if that adds anything."""
    label = system.choice(option, value)
    return f"`{value}`" if label.casefold() == value else f"`{value}` ({label})"


def _sheet(system: System) -> Iterator[str]:
    if not system.sheet:
        return
    yield "## Sheet\n"
    yield "| key | what it is | group | numbers | at first |\n|---|---|---|---|---|"
    for entry in system.sheet:
        about = f": {entry.notes['about']}" if entry.notes.get("about") else ""
        numbers, first = f"{entry.low} to {entry.high}", str(entry.default)
        if entry.text:
            lines = f" on {entry.lines} lines" if entry.lines > 1 else ""
            numbers, first = f"a text of up to {entry.text} characters{lines}", "empty"
        group = system.group(entry.group)
        yield f"| `{entry.key}` | {entry.label}{about} | {group} | {numbers} | {first} |"
    yield ""


def _notes(system: System) -> Iterator[str]:
    for note in system.notes:
        yield f"## {note.title}\n"
        if note.text:
            yield f"{note.text}\n"
        if note.head:
            rows = (note.head, ("---",) * len(note.head), *note.rows)
            yield "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _move(
    system: System, at: Iterable[Table], move: Move, listed: dict[tuple[Choice, ...], str]
) -> str:
    lines = [f"#### {move.title}\n"]
    if move.about:
        lines.append(f"{move.about}\n")
    rows = {
        "Move": f"`{move.key}`",
        "Who": ", ".join(system.words[f"side.{side}"] for side in move.by),
        "Asks": "; ".join(
            _ask(ask, system.words.get(f"ask.{move.key}.{ask.name}", ask.label))
            for ask in move.asks
        ),
        "Price": price(system, move),
        "Limit": limit(move),
        "Consent": _consent(system, move),
        "Refused": " · ".join(
            dict.fromkeys(text for one in conditions(move) for text in reasons(system, one))
        ),
        "Rule": move.rule,
    }
    lines += [f"- **{name}:** {text}" for name, text in rows.items() if text]
    lines += _menus(system, at, move, listed)
    return "\n".join(lines).rstrip() + "\n"


def _consent(system: System, move: Move) -> str:
    if isinstance(move.approval, PlayerOf):
        return f"needs that of the player in `{move.approval.ask}`"
    return f"may need {system.words['wait.gm']}'s" if move.approval else ""


def _menus(
    system: System, at: Iterable[Table], move: Move, listed: dict[tuple[Choice, ...], str]
) -> Iterator[str]:
    """The rows of the menus of a move, each menu once on the page; `listed` are earlier ones."""
    for ask in move.asks:
        choices = menu(system, at, move, ask) if ask.kind in CHOSEN and not ask.quiet else ()
        values = {choice.value for choice in choices}
        if not choices or any(map(values.issubset, _known(system))):
            continue
        if choices in listed:
            yield f"- **`{ask.name}`:** as in {listed[choices]}"
        elif any(choice.note for choice in choices):
            yield f"\n| `{ask.name}` | | |\n|---|---|---|"
            yield from (
                f"| `{choice.value}` | {choice.label} | {choice.note} |" for choice in choices
            )
            yield ""
        else:
            yield f"- **`{ask.name}`:** {' · '.join(map(_labelled, choices))}"
        listed.setdefault(choices, f"`{move.key}`")


def _labelled(choice: Choice) -> str:
    value = f"`{choice.value}`"
    return value if choice.value == choice.label else f"{value} {choice.label}"


def _known(system: System) -> Iterator[set[str]]:
    """The names of things with a table of their own on the page."""
    yield {die.name for die in system.dice}
    yield {account.name for account in system.accounts}
    yield {option.key for option in system.options}
    yield {value for option in system.options for value in option.values}
    yield {entry.key for entry in system.sheet}


def _ask(ask: Ask, label: str) -> str:
    kind = {
        "choice": "a choice",
        "flag": "yes or no",
        "faces": "the faces of real dice",
        "sheet": "`key=number ...`",
        "several": "several choices, with commas between",
    }
    answer = kind.get(ask.kind, f"a {ask.kind}") + (
        " or your own words" if isinstance(ask, ChoiceAsk) and ask.free else ""
    )
    may = "" if ask.needed and not ask.has_default() else ", may stay open"
    return f"`{ask.name}` {label} ({answer}{may})"
