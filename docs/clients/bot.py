"""A bot that plays any game: it answers what the table waits for, buys what is worth it, and else tries something.

`python bot.py SERVER LINK NAME` plays one seat until nothing has been left to do for a while.
"""

from __future__ import annotations

import json
import sys
import time
from fractions import Fraction
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class Bot:
    """One seat, taken with a link. It knows no game: moves, questions and worth are all told."""

    def __init__(self, server: str, link: str, name: str) -> None:
        self.server, self.token, self.name = server, link.rpartition("=")[2], name
        came = self.ask("POST", "/api/join", {"name": name, "program": True})
        self.token, self.table = came["token"], f"/api/tables/{came['table']}"
        game = self.ask("GET", f"/api/systems/{self.ask('GET', self.table)['system']}")
        self.begins = [move for one in game["panels"] if one["kind"] == "primary" for move in one["binds"]["moves"]]
        if came["seat"]["side"] == "player":
            someone = game["ready"][0]
            self.make("character.add", {"name": someone["name"], "sheet": someone["sheet"]})

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Ask the server; a refusal is an `HTTPError`."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(self.server + path, data, headers, method=method)) as answer:
                return json.load(answer)
        except HTTPError as no:
            if no.code != 429:
                raise
            time.sleep(int(no.headers["Retry-After"]))
            return self.ask(method, path, body)

    def turn(self) -> str:
        """Make one move and return its key, or "" where there is nothing to do."""
        state = self.ask("GET", f"{self.table}/offers?worth=true")
        rows = [
            row for row in state["weighing"]["worth"] if row["of"] == "chance" and not (row["approval"] or row["texts"])
        ]
        rows = [row for row in rows if row["price"] and self.gain(row) >= Fraction(1, 10)]
        wanted = [(row["move"], row["args"]) for row in sorted(rows, key=self.gain, reverse=True)]
        for wait in state["waits"]:
            if wait["yours"]:
                wanted += [(move, {**wait["args"], "check": wait["check"]}) for move in wait["moves"]]
        if not state["waits"]:
            wanted += [(move, {}) for move in self.begins]
        return next((move for move, args in wanted if self.make(move, args)), "")

    def gain(self, row: dict[str, Any]) -> Fraction:
        """How much of a chance a row moves, after the other side's answer."""
        return abs(Fraction((row["answered"] or row["after"])[row["goal"]]) - Fraction(row["before"][row["goal"]]))

    def make(self, move: str, args: dict[str, Any]) -> bool:
        """Answer what a move still asks, and make it; False where it is refused."""
        args = {name: value for name, value in args.items() if value != ""}
        try:
            for _ in range(12):
                would = self.ask("POST", f"{self.table}/preview", {"move": move, "args": args})
                asks = {ask["name"]: ask for ask in would["offer"]["asks"] if ask["name"] not in args}
                missing = [name for name, ask in asks.items() if ask["needed"] and ask["default"] is None]
                missing += [no["field"] for no in [would["refused"]] if no and no["field"] in asks]
                if not missing:
                    break
                args[missing[0]] = self.answer(asks[missing[0]])
            self.ask("POST", f"{self.table}/moves", {"move": move, "args": args})
        except HTTPError:
            return False
        return True

    def answer(self, ask: dict[str, Any]) -> object:
        """The preset, the first choice, or where the game master decides the middle one; else some words."""
        values = [choice["value"] for choice in ask["choices"] if not choice["closed"]]
        usual = values[len(values) // 2 if ask["decides"] else 0] if values else "So be it"
        usual = usual if ask["preset"] is None else ask["preset"]
        return {"number": (ask["low"] + min(ask["high"], 5)) // 2, "flag": False}.get(ask["kind"], usual)


if __name__ == "__main__":
    bot, idle = Bot(*sys.argv[1:]), 0
    while idle < 30:
        idle = 0 if bot.turn() else idle + 1
        time.sleep(0.5)
