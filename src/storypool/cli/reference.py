"""The reference of a game in Markdown, generated from the same rows that decide what may be done."""

from __future__ import annotations

import dis
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FunctionType
from typing import TypeVar

from storypool.engine.asks import Ask, Choice, ChoiceAsk
from storypool.engine.kit import Account
from storypool.engine.moves import Limit, Move
from storypool.engine.offers import turn_of
from storypool.engine.system import System
from storypool.engine.table import Points, Seat, Table
from storypool.engine.turn import Turn

Plain = TypeVar("Plain")

REFUSING = tuple(
    name for name, verb in vars(Turn).items() if getattr(verb, "__annotations__", {}).get("return") == "Refusal"
)
"""The methods of `Turn` that make a refusal from the catalogue."""


def reference(system: System) -> str:
    """Return the reference of a game in Markdown, generated from its code."""
    parts = [f"# {system.name}\n"]
    if system.about:
        parts.append(f"{system.about}\n")
    command = f"storypool rules {system.key} > reference.md"
    parts.append(f"<!-- Generated in the folder of the game: `{command}`. Change the moves, not this page. -->\n")
    parts += [*_dice(system), *_points(system), *_options(system), *_notes(system), "## Moves\n"]
    group = ""
    for move in _grouped(system.moves):
        if move.group != group:
            group = move.group
            parts.append(f"### {_group_name(system, group)}\n")
        parts.append(_move(system, move))
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
    yield "| die | faces, in the order in which they are numbered |\n|---|---|"
    for die in system.dice:
        if not any(die.faces):
            yield f"| {die.name} | {die.first} to {die.last}: what they say depends on the action |"
            continue
        faces = (" + ".join(s if n == 1 else f"{n} {s}" for s, n in face.items()) or "blank" for face in die.faces)
        yield f"| {die.name} | {' · '.join(f'{n} {face}' for n, face in enumerate(faces, die.first))} |"
    yield ""
    note = system.notation
    yield f"A pool is written `{note.show(dict.fromkeys((*note.helping, *note.hindering), 1))}`."
    for name, letters in note.schemes.items():
        behind = "".join(f"; `{k}` behind the slash: {v}" for k, v in note.after_slash.get(name, {}).items())
        yield f"Letters ({name}): {', '.join(f'`{letter}` {die}' for letter, die in letters.items())}{behind}."
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
        return "each character"
    spent = {"players": "the players", "gm": system.words["side.gm"]}.get(row.side)
    return f"the table; spent by {spent}" if spent else "the table"


def _most(row: Account) -> str:
    return "as the sheet or the table says" if callable(row.cap) else "no limit" if row.cap is None else str(row.cap)


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
        values = ", ".join(f"`{v}`" for v in sorted(option.values, key=lambda v: v != option.default))
        yield f"| `{option.key}` | {values} | {system.words.get(f'option.{option.key}', '')} |"
    yield ""


def _notes(system: System) -> Iterator[str]:
    for note in system.notes:
        yield f"## {note.title}\n"
        if note.text:
            yield f"{note.text}\n"
        if note.head:
            rows = (note.head, ("---",) * len(note.head), *note.rows)
            yield "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _move(system: System, move: Move) -> str:
    lines = [f"#### {move.title}\n"]
    more = inspect.cleandoc(move.body.__doc__ or "").partition("\n")[2].strip()
    if more:
        lines.append(f"{more}\n")
    rows = {
        "Move": f"`{move.key}`",
        "Who": ", ".join(system.words[f"side.{side}"] for side in move.by),
        "Asks": "; ".join(_ask(ask) for ask in move.asks),
        "Price": _price(system, move),
        "Limit": _limit(move),
        "Consent": "may need the game master's" if move.approval else "",
        "Refused": " · ".join(_reasons(system, move)),
        "Rule": move.rule,
    }
    lines += [f"- **{name}:** {text}" for name, text in rows.items() if text]
    for ask in move.asks:
        lines += _explained(system, move, ask)
    return "\n".join([*lines, ""])


def _explained(system: System, move: Move, ask: Ask) -> Iterator[str]:
    """Yield the choices of a question that are the same at every table and have a note besides their name."""
    choices = dict[str, Choice]()
    for side in move.by:
        turn = turn_of(system, Table(system=system.key), Seat("", "", side), move)
        choices |= {choice.value: choice for choice in ask.offered(turn)}
    if choices and all(len(choice.note.split()) > 2 for choice in choices.values()):
        yield f"\n| `{ask.name}` | | |\n|---|---|---|"
        yield from (f"| `{choice.value}` | {choice.label} | {choice.note} |" for choice in choices.values())


def _ask(ask: Ask) -> str:
    kind = {"choice": "a choice", "flag": "yes or no", "faces": "the faces of real dice", "sheet": "`key=number ...`"}
    said = kind.get(ask.kind, f"a {ask.kind}") + (
        " or your own words" if isinstance(ask, ChoiceAsk) and ask.free else ""
    )
    may = "" if ask.needed and ask.default is None else ", may stay open"
    return f"`{ask.name}` {ask.label} ({said}{may})"


def _price(system: System, move: Move) -> str:
    if move.price is None:
        return ""
    fixed = _held(move.price, Points)
    if fixed is None:
        return _first_line(move.price) or "as the answers say"
    return ", ".join(f"{n} {_word(system, purse.account, n)}" for purse, n in fixed.items()) or "nothing"


def _word(system: System, name: str, n: int) -> str:
    look = system.look.get(name)
    return name if look is None else look.word if n == 1 else look.plural or f"{look.word}s"


def _limit(move: Move) -> str:
    if move.limits is None:
        return ""
    fixed = _held(move.limits, tuple)
    if fixed is None:
        return _first_line(move.limits) or "as the table's options say"
    return "; ".join(_limited(limit) for limit in fixed if isinstance(limit, Limit))


_SCOPES = {"check": "action", "actor": "character", "seat": "seat", "side": "side"}


def _limited(limit: Limit) -> str:
    often = {1: "once", 2: "twice"}.get(limit.n, f"{limit.n} times")
    return f"{often} for each {' and '.join(_SCOPES.get(scope, scope) for scope in limit.per)} ({limit.group})"


def _reasons(system: System, move: Move) -> Iterator[str]:
    """Yield every sentence with which a condition of this move can refuse, in the order in which they are checked."""
    told = dict[str, None]()
    for condition in (move.window, move.when, *move.only_if):
        if condition is not None:
            told |= dict.fromkeys(_refusals(condition, set()))
    for key in told:
        # Of a sentence with plural forms, the most general one.
        for id in (f"no.{key}", f"no.{key}.other"):
            if id in system.words:
                yield re.sub(r"\{\w+\}", "…", system.words[id])


def _refusals(condition: object, been: set[object]) -> Iterator[str]:
    """Yield the ids of a condition's refusals: its own, those given to it, and those of the conditions it calls."""
    if not isinstance(condition, FunctionType) or condition in been:
        return
    been.add(condition)
    codes = [condition.__code__]
    held = [cell.cell_contents for cell in condition.__closure__ or ()]
    spoken = [given for given in held if isinstance(given, str)]
    for code in codes:
        spoken += _spoken(code)
        codes += [const for const in code.co_consts if isinstance(const, CodeType)]
        held += [condition.__globals__.get(name) for name in code.co_names]
    yield from spoken
    if spoken and condition.__name__ == "<lambda>":
        # A lambda with its own sentence negates the condition it calls, so that condition's sentence is never shown.
        return
    for one in held:
        for each in one if isinstance(one, tuple | list) else (one,):
            yield from _refusals(each, been)


def _spoken(code: CodeType) -> Iterator[str]:
    """Yield the first argument of each call of a refusing method of `Turn`, when it is a literal."""
    awaited = False
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_METHOD", "LOAD_ATTR"):
            awaited = step.argval in REFUSING
        elif awaited and step.opname == "LOAD_CONST":
            awaited = False
            if isinstance(step.argval, str):
                yield step.argval


def _held(function: Callable[..., object], kind: type[Plain]) -> Plain | None:
    """Return the plain value that a row gave and `move` wrapped, or None when the row gave a function."""
    closure = function.__closure__ if isinstance(function, FunctionType) else None
    return next((held for cell in closure or () if isinstance(held := cell.cell_contents, kind)), None)


def _first_line(function: Callable[..., object]) -> str:
    return (function.__doc__ or "").strip().partition("\n")[0].rstrip(".")
