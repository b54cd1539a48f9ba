"""A bot that plays any game: it buys what is worth it, answers what the table waits for, and else
tries something.

`python bot.py SERVER LINK NAME` plays one seat until nothing has been left to do for a while. It
needs httpx.
"""

import sys
import time
from fractions import Fraction
from typing import Any

import httpx


class Bot:
    """One seat, taken with a link. It knows no game: moves, questions and worth all come from the
    server.
    """

    def __init__(self, server: str, link: str, name: str) -> None:
        self.http = httpx.Client(
            base_url=server, headers={"Authorization": f"Bearer {link.rpartition('=')[2]}"}
        )
        came = self.http.post("/api/join", json={"name": name, "program": True}).json()
        self.http.headers["Authorization"], self.table = (
            f"Bearer {came['token']}",
            f"/api/tables/{came['table']}",
        )
        game = self.http.get(f"/api/systems/{self.http.get(self.table).json()['system']}").json()
        self.begins = [
            move
            for one in game["panels"]
            if one["kind"] == "primary"
            for move in one["binds"]["moves"]
        ]
        if came["seat"]["side"] == "player":
            self.make("character.add", {key: game["ready"][0][key] for key in ("name", "sheet")})

    def turn(self) -> str:
        """Make one move and return its key, or "" where there is nothing to do."""
        state = self.http.get(f"{self.table}/offers?worth=true").json()
        rows = [
            row
            for row in state["weighing"]["worth"]
            if row["price"] and not (row["approval"] or row["texts"])
        ]
        rows = [row for row in rows if row["of"] == "chance" and gain(row) >= Fraction(1, 10)]
        wanted = [(row["move"], row["args"]) for row in sorted(rows, key=gain, reverse=True)]
        for wait in state["waits"]:
            wanted += [
                (move, {**wait["args"], "check": wait["check"]})
                for move in wait["moves"]
                if wait["yours"]
            ]
        wanted += [(move, {}) for move in self.begins if not state["waits"]]
        return next((move for move, args in wanted if self.make(move, args)), "")

    def make(self, move: str, args: dict[str, Any]) -> bool:
        """Make a move, and answer the questions that it still asks; False where it is refused."""
        given = {name: value for name, value in args.items() if value != ""}
        while True:
            body = {"move": move, "args": given}
            made = self.http.post(f"{self.table}/moves", json=body)
            # An answer may change what is asked next, so the first question is answered alone.
            if not (missing := made.json().get("missing")):
                return made.is_success
            given[missing[0]["name"]] = answer(missing[0])


def gain(row: dict[str, Any]) -> Fraction:
    """How much of a chance a row moves, after the other side's answer."""
    return abs(
        Fraction((row["answered"] or row["after"])[row["goal"]])
        - Fraction(row["before"][row["goal"]])
    )


def answer(ask: dict[str, Any]) -> object:
    """The preset, the first choice, or where the game master decides the middle one; else some
    words.
    """
    values = [choice["value"] for choice in ask["choices"] if not choice["closed"]]
    usual = values[len(values) // 2 if ask["decides"] else 0] if values else "So be it"
    usual = usual if ask["preset"] is None else ask["preset"]
    return {"number": (ask["low"] + min(ask["high"], 5)) // 2, "flag": False}.get(
        ask["kind"], usual
    )


if __name__ == "__main__":
    bot, idle = Bot(*sys.argv[1:]), 0
    while idle < 30:
        idle = 0 if bot.turn() else idle + 1
        time.sleep(0.5)
