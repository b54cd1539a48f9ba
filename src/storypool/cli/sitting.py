"""A seat in the terminal, at a table of any server: take it with a link, look, and play.

Lines are read and answered one by one; other players' moves are printed as they happen.
"""

import asyncio
import shlex
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from fractions import Fraction
from typing import Any

from storypool.cli import offered
from storypool.cli.refusals import denied
from storypool.client import ClientSeat, SeenRecord, Unreachable, connect
from storypool.engine.game.system import System
from storypool.engine.refusal import Refused
from storypool.words import StorypoolError, Words
from storypool.words.folding import alike, half_width, key_value

__all__ = ["Sitting", "Unreachable", "play"]

Say = Callable[[str], None]
Read = Callable[[str], Awaitable[str]]
"""Shows a prompt and returns the typed line, without its end; `EOFError` at the end of input."""

LATEST = 12
"""Lines of the story that are printed at the start."""
MAX_QUESTIONS = 20
"""The most questions that one move asks."""


async def play(
    link: str, name: str, say: Say, words: Words, game: Callable[[ClientSeat], System]
) -> None:
    """Take the seat with this name, or a new one, and play from standard input until it ends."""

    async def read(prompt: str) -> str:
        return await asyncio.to_thread(input, prompt)

    def claim(code: str) -> None:
        say(words.say("cli.sit.claim", code=code))

    async with connect(link, name, on_claim=claim) as seat:
        sitting = Sitting(seat, game(seat), say, words)
        following = asyncio.create_task(sitting.follow())
        going = True
        while going:
            try:
                going = await sitting.obey(await read("> "), read)
            except EOFError:
                going = False
        following.cancel()


class Sitting:
    """A seat at a table, printed with `say`; what `obey` carries out is typed."""

    def __init__(self, seat: ClientSeat, system: System, say: Say, words: Words) -> None:
        self.seat, self.system, self.say, self.words = seat, system, say, words
        self._printed = set[int]()

    # The moves of others.

    async def follow(self) -> None:
        """Print the last lines of the story, and then new ones, until the program ends."""
        try:
            async with aclosing(self.seat.follow(0)) as feed:
                first = -LATEST
                async for news in feed:
                    for line in news.records[first:]:
                        self._print(line)
                    first = 0
        except StorypoolError as gone:
            self.say(self.words.say("cli.refused", text=str(gone)))

    def _print(self, line: SeenRecord) -> None:
        if line.record.seq not in self._printed and line.text:
            self._printed.add(line.record.seq)
            self.say(f"{line.record.seq:>5}  {line.text}")

    # The moves of this seat.

    async def obey(self, line: str, read: Read) -> bool:
        """Carry out a line; False to leave. A refusal is printed with its remedy."""
        try:
            words = shlex.split(line)
        except ValueError:
            words = line.split()
        command, rest = (half_width(words[0]).casefold(), words[1:]) if words else ("", [])
        try:
            match command:
                case "":
                    pass
                case "quit" | "leave" | "exit":
                    return False
                case "show":
                    self._say_lines(self.shown(await self._state()))
                case "offers":
                    self._say_lines(self.offers(await self._state(), *rest[:1]))
                case "ready":
                    await self.ready(*rest[:1])
                case "make":
                    await self.make(rest, read)
                case "say":
                    await self._make_move("table.say", {"text": " ".join(rest)})
                case _:
                    self.say(self.words["cli.sit.help"])
        except Refused as refused:
            no = refused.refusal
            self.say(
                self.words.say("cli.refused", text=" ".join(filter(None, (no.text, no.remedy))))
            )
        return True

    def _say_lines(self, lines: Iterator[str]) -> None:
        for line in lines:
            self.say(line)

    async def _state(self) -> dict[str, Any]:
        server, path, me = self.seat.server, self.seat.path, self.seat.me.id
        offered = await server.get(f"{path}/offers", seat=me, worth=True)
        table = (await server.get(path, seat=me))["table"]
        return {**offered, "table": table, "odds": offered["weighing"]}

    def shown(self, state: Mapping[str, Any]) -> Iterator[str]:
        """The open actions with odds, the waits, the points, and the characters of this seat."""
        system = self.system
        table, points = state["table"], state["table"]["points"]
        yield from offered.lines({**state, "offers": []}, system, self.words)
        shared = [one.name for one in system.accounts if one.each == "table"]
        if common := [
            f"{points.get(name, 0)} {system.word(name, points.get(name, 0))}" for name in shared
        ]:
            yield self.words.say("cli.sit.points", points=", ".join(common))
        for one in table["characters"].values():
            if one["seat"] == self.seat.me.id:
                own = {
                    account.name: points.get(f"{one['id']}.{account.name}", 0)
                    for account in system.accounts
                }
                owned = [f"{n} {system.word(name, n)}" for name, n in own.items() if n]
                owned += [
                    f"{system.entry(key)} {n}"
                    for key, n in one["sheet"].items()
                    if isinstance(n, int) and n
                ]
                yield self.words.say("cli.sit.me", who=one["name"], told=", ".join(owned))

    def offers(self, state: Mapping[str, Any], move: str = "") -> Iterator[str]:
        """The open moves with their prices and worth, or one move with its questions."""
        if move:
            found = [one for one in state["offers"] if move in (one["key"], one["title"])]
            if not found:
                raise denied("unknown", "sit.move", "move", move=move[:40])
            shown = {**state, "offers": found, "waits": [], "table": _nothing(state)}
            yield from offered.lines(shown, self.system, self.words)
        for one in () if move else state["offers"]:
            if one["closed"] is None:
                yield f"{one['key']}  {one['title']}{offered.price(one['price'], self.system)}"
        for row in state["weighing"]["worth"]:
            if row["move"] == move or not move:
                yield "    " + self._worth(row)

    def _worth(self, row: Mapping[str, Any]) -> str:
        """A row of worth as text: the move with its answers, and the change it makes."""
        args = " ".join(
            f"{name}={shlex.quote(str(value))}"
            for name, value in row["args"].items()
            if name != "check"
        )
        of = row["goal"]
        before, after = (_amount(row[when].get(of, "0"), row["of"]) for when in ("before", "after"))
        values = {
            "what": f"{row['move']} {args}".strip(),
            "of": self.system.word(of),
            "before": before,
            "after": after,
        }
        return self.words.say("cli.sit.worth", **values)

    async def ready(self, which: str = "") -> None:
        """Print the game's ready characters by number; with a number, add that one."""
        numbered = {str(n): one for n, one in enumerate(self.system.ready, 1)}
        if which in numbered:
            added = {key: numbered[which][key] for key in ("name", "sheet")}
            await self._make_move("character.add", added)
            return
        for n, one in numbered.items():
            self.say(f"  {n:>2}  {one['name']}: {one['about']}")

    async def make(self, typed: Sequence[str], read: Read) -> None:
        """Make a move with key=value answers, or the first one due; ask for missing answers."""
        args: dict[str, object] = dict(key_value(word) or (word, "") for word in typed[1:])
        move = typed[0] if typed else ""
        if not move:
            waits = [one for one in (await self._state())["waits"] if one["yours"]]
            if not waits:
                raise denied("when", "sit.nothing")
            move, args = waits[0]["moves"][0], {**waits[0]["args"]}
            if waits[0]["check"]:
                args["check"] = waits[0]["check"]
        for _ in range(MAX_QUESTIONS):
            would = await self.seat.preview(move, **args)
            asks = {ask["name"]: ask for ask in would["offer"]["asks"] if ask["name"] not in args}
            missing = [ask for ask in asks.values() if ask["needed"] and ask["default"] is None]
            if not missing and would["refused"] and would["refused"]["field"] in asks:
                missing = [asks[would["refused"]["field"]]]
            if not missing:
                break
            args[missing[0]["name"]] = await self._answer(missing[0], read)
        await self._make_move(move, args)

    async def _answer(self, ask: Mapping[str, Any], read: Read) -> str:
        """Ask a question by its label, with its choices by number, and return the answer."""
        choices = [choice for choice in ask["choices"] if not choice["closed"]]
        for n, choice in enumerate(choices, 1):
            note = f" ({choice['note']})" if choice["note"] else ""
            self.say(f"  {n:>2}  {choice['label']}{note}")
        answer = (await read(f"{ask['label']} ")).strip()
        named = {
            alike(choice[key]): choice["value"] for choice in choices for key in ("label", "value")
        }
        numbered = {str(n): choice["value"] for n, choice in enumerate(choices, 1)}
        several = ask["kind"] == "several" and alike(answer) not in named
        found = []
        for part in answer.split(",") if several else [answer]:
            one = part.strip()
            found.append(str(named.get(alike(one)) or numbered.get(half_width(one)) or one))
        return ",".join(found)

    async def _make_move(self, move: str, args: Mapping[str, object]) -> None:
        for line in await self.seat.make(move, args):
            self._print(line)


def _nothing(state: Mapping[str, Any]) -> dict[str, Any]:
    """The table of a state without actions and proposals."""
    return {**state["table"], "checks": {}, "proposals": {}}


def _amount(text: str, of: str) -> str:
    """A chance in percent, or an amount."""
    number = Fraction(text)
    return f"{float(number):.0%}" if of == "chance" else f"{float(number):.1f}"
