"""A seat in the terminal, at a table of any server: take it with a link, look, and play.

Lines are read and answered one by one; other players' moves are printed as they happen.
"""

import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from threading import Lock, Thread
from typing import Any
from urllib.parse import urlsplit

from storypool.cli import offered
from storypool.cli.address import Address
from storypool.cli.refusals import denied
from storypool.engine.game.system import System
from storypool.engine.refusal import Refused
from storypool.words import Words
from storypool.words.folding import alike, half_width, key_value

Say = Callable[[str], None]
Read = Callable[[str], str]
"""Shows a prompt and returns the typed line, without its end; `EOFError` at the end of input."""

LATEST = 12
"""Lines of the story that are printed at the start."""
MAX_QUESTIONS = 20
"""The most questions that one move asks."""


class Sitting:
    """One seat at one table, taken with a link: the seat with this name, or a new one."""

    def __init__(self, link: str, name: str, say: Say, words: Words, patience: float = 600) -> None:
        parts = urlsplit(link)
        secret = parts.fragment.removeprefix("link=")
        if not (
            parts.netloc
            and parts.scheme in ("http", "https")
            and parts.fragment.startswith("link=")
        ):
            raise denied(
                "argument", "sit.link", "link", link=parts._replace(fragment="").geturl()[:60]
            )
        self.server = Address(f"{parts.scheme}://{parts.netloc}")
        self.say, self.words = say, words
        self._printed, self._lock = set[int](), Lock()
        self.token, self.table = self._joined(secret, name, patience)
        self.path = f"/api/tables/{self.table}"
        state = self.server.json("GET", self.path, self.token)
        self.seat: dict[str, Any] = state["seat"]
        self.key, self.language = str(state["system"]), dict(state["table"]["options"])

    def _joined(self, secret: str, name: str, patience: float) -> tuple[str, str]:
        """Take a seat; return its token and the table's id. Wait if another seat has to agree."""
        look = self.server.json("POST", "/api/join", secret, {})
        if look["link"] == "host":
            raise denied("argument", "sit.host", "link")
        there = {alike(seat["name"]): seat["id"] for seat in look["seats"]}
        own = look["seat"]["id"] if look["seat"] else there.get(alike(name))
        whose = {"seat": own} if own else {"name": name}
        came = self.server.json("POST", "/api/join", secret, {**whose, "program": True})
        claim, until = came["claim"], time.monotonic() + patience
        if claim:
            self.say(self.words.say("cli.sit.claim", code=claim["code"]))
        while claim and claim["state"] == "waiting" and time.monotonic() < until:
            time.sleep(0.5)
            claim = self.server.json("GET", f"/api/claims/{claim['id']}", came["token"])
        if claim and claim["state"] != "granted":
            raise denied("identity", "sit.refused")
        return str(came["token"]), str(came["table"])

    # The moves of others.

    def follow(self) -> None:
        """Print the last lines of the story, and then new ones, until the program ends."""
        records = self._log()
        for record in records[-LATEST:]:
            self._print(record)
        after = records[-1]["seq"] if records else 0
        Thread(target=self._follow, args=(after,), daemon=True).start()

    def _log(self) -> list[dict[str, Any]]:
        records, more = list[dict[str, Any]](), True
        while more:
            after = records[-1]["seq"] if records else 0
            page = self.server.json("GET", f"{self.path}/log?after={after}&limit=1000", self.token)
            records, more = [*records, *page["records"]], page["more"]
        return records

    def _follow(self, after: int) -> None:
        try:
            for kind, data in self.server.feed(f"{self.path}/events?after={after}", self.token):
                if kind == "record":
                    self._print(data)
        except Refused as gone:
            self.say(self.words.say("cli.refused", text=str(gone)))

    def _print(self, record: Mapping[str, Any]) -> None:
        with self._lock:
            if record["seq"] not in self._printed and record["text"]:
                self._printed.add(record["seq"])
                self.say(f"{record['seq']:>5}  {record['text']}")

    # The moves of this seat.

    def obey(self, line: str, read: Read, system: System) -> bool:
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
                    self._say_lines(self.shown(system))
                case "offers":
                    self._say_lines(self.offers(system, rest[0] if rest else ""))
                case "ready":
                    self._say_lines(self.ready(system, rest[0] if rest else ""))
                case "make":
                    self.make(rest, read)
                case "say":
                    self._make_move("table.say", {"text": " ".join(rest)})
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

    def _state(self) -> dict[str, Any]:
        offered = self.server.json("GET", f"{self.path}/offers?worth=true", self.token)
        table = self.server.json("GET", self.path, self.token)["table"]
        return {**offered, "table": table, "odds": offered["weighing"]}

    def shown(self, system: System) -> Iterator[str]:
        """The open actions with odds, the waits, the points, and the characters of this seat."""
        state = self._state()
        table, points = state["table"], state["table"]["points"]
        yield from offered.lines({**state, "offers": []}, system, self.words)
        shared = [one.name for one in system.accounts if one.each == "table"]
        if common := [
            f"{points.get(name, 0)} {system.word(name, points.get(name, 0))}" for name in shared
        ]:
            yield self.words.say("cli.sit.points", points=", ".join(common))
        for one in table["characters"].values():
            if one["seat"] == self.seat["id"]:
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

    def offers(self, system: System, move: str = "") -> Iterator[str]:
        """The open moves with their prices and worth, or one move with its questions."""
        state = self._state()
        if move:
            found = [one for one in state["offers"] if move in (one["key"], one["title"])]
            if not found:
                raise denied("unknown", "sit.move", "move", move=move[:40])
            shown = {**state, "offers": found, "waits": [], "table": _nothing(state)}
            yield from offered.lines(shown, system, self.words)
        for one in () if move else state["offers"]:
            if one["closed"] is None:
                yield f"{one['key']}  {one['title']}{offered.price(one['price'], system)}"
        for row in state["weighing"]["worth"]:
            if row["move"] == move or not move:
                yield "    " + self._worth(row, system)

    def _worth(self, row: Mapping[str, Any], system: System) -> str:
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
            "of": system.word(of),
            "before": before,
            "after": after,
        }
        return self.words.say("cli.sit.worth", **values)

    def ready(self, system: System, which: str = "") -> Iterator[str]:
        """The game's ready characters by number; with a number, add that one."""
        numbered = {str(n): one for n, one in enumerate(system.ready, 1)}
        for n, one in () if which in numbered else numbered.items():
            yield f"  {n:>2}  {one['name']}: {one['about']}"
        if which in numbered:
            self._make_move(
                "character.add", {key: numbered[which][key] for key in ("name", "sheet")}
            )

    def make(self, typed: Sequence[str], read: Read) -> None:
        """Make a move with key=value answers, or the first one due; ask for missing answers."""
        args: dict[str, object] = dict(key_value(word) or (word, "") for word in typed[1:])
        move = typed[0] if typed else ""
        if not move:
            waits = [one for one in self._state()["waits"] if one["yours"]]
            if not waits:
                raise denied("when", "sit.nothing")
            move, args = waits[0]["moves"][0], {**waits[0]["args"]}
            if waits[0]["check"]:
                args["check"] = waits[0]["check"]
        for _ in range(MAX_QUESTIONS):
            would = self.server.json(
                "POST", f"{self.path}/preview", self.token, {"move": move, "args": args}
            )
            asks = {ask["name"]: ask for ask in would["offer"]["asks"] if ask["name"] not in args}
            missing = [ask for ask in asks.values() if ask["needed"] and ask["default"] is None]
            if not missing and would["refused"] and would["refused"]["field"] in asks:
                missing = [asks[would["refused"]["field"]]]
            if not missing:
                break
            args[missing[0]["name"]] = self._answer(missing[0], read)
        self._make_move(move, args)

    def _answer(self, ask: Mapping[str, Any], read: Read) -> str:
        """Ask a question by its label, with its choices by number, and return the answer."""
        choices = [choice for choice in ask["choices"] if not choice["closed"]]
        for n, choice in enumerate(choices, 1):
            note = f" ({choice['note']})" if choice["note"] else ""
            self.say(f"  {n:>2}  {choice['label']}{note}")
        answer = read(f"{ask['label']} ").strip()
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

    def _make_move(self, move: str, args: Mapping[str, object]) -> None:
        made = self.server.json(
            "POST", f"{self.path}/moves", self.token, {"move": move, "args": dict(args)}
        )
        for record in made["records"]:
            self._print(record)


def _nothing(state: Mapping[str, Any]) -> dict[str, Any]:
    """The table of a state without actions and proposals."""
    return {**state["table"], "checks": {}, "proposals": {}}


def _amount(text: str, of: str) -> str:
    """A chance in percent, or an amount."""
    number = Fraction(text)
    return f"{float(number):.0%}" if of == "chance" else f"{float(number):.1f}"
