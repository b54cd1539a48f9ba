"""Game files of strangers: each is taken or refused, cheap, and touches only its own table.

A process of its own, a fork of this one, reads each file: so the peak of its memory is that of the
file, and a file that kills its process kills no other. An audit hook reports everything that is
opened, sent or run there.

Found in the source, and fixed: numbers of thousands of digits, braces in sentences that were filled
in as blanks, sentences that list names without end, odds with uncounted steps, and first scenes
that are not plays.

Planted and found: `gamefile.looks` that leaves braces in sentences as they are (try 4 of the quick
form).
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import resource
import signal
import sys
import sysconfig
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
from starlette.applications import Starlette

import storypool
from storypool import systems
from storypool.contract.answers import answers
from storypool.contract.random_game import Game
from storypool.engine import house, story
from storypool.engine.decisions import decide
from storypool.engine.offers import offers
from storypool.engine.refusal import Refused
from storypool.engine.table import Side
from storypool.engine.waiting import waiting
from storypool.gamefile import Unread
from storypool.gamefile.compiled import CompiledGame, compiled
from storypool.live.tables import Tables
from storypool.log.export import export_lines
from storypool.log.memory import MemoryStore
from storypool.odds.question import Question, within_limits
from storypool.systems import game_files
from storypool.web.app import app
from storypool.web.server_settings import Limits, Rate, Settings
from tools.torture.game_texts import game_text
from tools.torture.harness import Harness, Run

SECOND, MEGABYTES = 1.0, 100.0
"""The most processor time of any step with a file, and the most memory of its process."""
STEP = 0.1
"""The most processor time of one step of the event loop."""
MOVES = 12
USED = frozenset(
    f"{room}.{what}"
    for room, several in {
        "os": "system remove rename mkdir rmdir chmod exec fork posix_spawn link symlink truncate",
        "socket": "connect bind sendto getaddrinfo",
    }.items()
    for what in several.split()
)
"""Audit events that no game file may cause."""
ROOMS = tuple(
    f"{Path(one).resolve()}/"
    for one in {
        *storypool.__path__,
        *sysconfig.get_paths().values(),
        sys.prefix,
        sys.base_prefix,
        os.getcwd(),
    }
)
"""The folders of the program's code and data, which may be read and run."""


@dataclass
class Report:
    """The result for a file: whether it was taken, failures, and each step's processor time."""

    taken: bool = False
    failures: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    megabytes: float = 0.0
    step: float = 0.0
    requests: int = 0
    moves: int = 0

    @contextmanager
    def doing(self, what: str) -> Iterator[None]:
        """Time a step; an exception is a failure, and the next step follows."""
        began = time.process_time()
        try:
            yield
        except (Exception, RecursionError, MemoryError) as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            self.failures.append(
                f"{what}: {error!r:.200} at {Path(place.filename).name}:{place.lineno}"
            )
        finally:
            self.seconds[what] = max(self.seconds.get(what, 0.0), time.process_time() - began)


def read_file(report: Report, text: str) -> CompiledGame | None:
    """The game of a text, or None if it is refused."""
    with report.doing("read"):
        try:
            game = compiled(text)
            assert game.system.moves
            report.taken = True
            return game
        except Unread as wrong:
            lines = text.count("\n") + 1
            for one in wrong.mistakes:
                sentence = str(one.what)
                if not (sentence.strip() and 1 <= one.line <= lines and len(sentence) < 1000):
                    report.failures.append(f"line {one.line} of {lines}: {sentence[:200]!r}")
    return None


def play(report: Report, compiled_game: CompiledGame, chance: random.Random) -> None:
    """Play a few random moves, ask for all offers, odds and sentences."""
    system = compiled_game.system
    for key, pool in compiled_game.usual_pools.items():
        terms = {"action": key} if key else {}
        with report.doing("odds"), suppress(Refused), within_limits(Limits().odds):
            compiled_game.reckon(Question(pool, terms))
    game = Game(system, 0, chance)
    with report.doing("beginning"):
        game.keep([house.open_table(system, "A table")], "")
        for name in ("Mona", "Ann", "Bo"):
            side: Side = "gm" if name == "Mona" else "player"
            game.keep([house.take_seat(system, game.table, name, side)], name.lower())
        for id, begins, given in (
            ("mona", "session.begin", {}),
            ("ann", "character.add", {"name": "Pash"}),
            ("bo", "character.add", {"name": "Oska"}),
        ):
            game.keep(decide(system, game.table, id, begins, given, roll=game.roll), id)
    if report.failures:
        return
    own = {f"move.{row.key}" for row in compiled_game.game.move} | {"check.roll", "check.close"}
    own |= {one.declared for one in compiled_game.rules.actions.values()}
    for _ in range(MOVES):
        seat = game.table.seats[chance.choice(("mona", "ann", "bo"))]
        with report.doing("offers"):
            found = [one.key for one in offers(system, game.table, seat.id) if one.closed is None]
            waiting(system, game.table, seat.id)
        with report.doing("a move"):
            if not (
                chosen := [key for key in found if key in own] if chance.random() < 0.85 else found
            ):
                continue
            key = chance.choice(chosen)
            try:
                args = dict(answers(game, seat, key))
                game.keep(decide(system, game.table, seat.id, key, args, roll=game.roll), seat.id)
                report.moves += 1
            except Refused as no:
                if not no.refusal.localize(system.words).text.strip():
                    report.failures.append(f"{key} is refused without a sentence")
    with report.doing("the log"):
        list(export_lines(game.records))
        story.transcript(game.records, system)


@cache
def server() -> tuple[Tables, Starlette]:
    """Tables in memory and their application: made once, and then copied by each process."""
    free = Rate(1e9, 1e9)
    limits = Limits(pace=free, client=free, session=free, joins=free)
    tables = Tables(MemoryStore(), randbelow=random.Random(1).randrange)
    return tables, app(tables, Settings(workshop=True, limits=limits), lambda: ("starwars",))


class Web:
    """The server's own application in this process, with a table of another game."""

    def __init__(self, report: Report, text: str, taken: bool) -> None:
        self.report, self.text, self.taken = report, text, taken
        # Client work happens before the measurement.
        self.shown = json.dumps({"text": text, "pool": ""}).encode()
        self.opens = json.dumps({"title": "A table", "name": "Mona", "game": text}).encode()
        self.printed = urlencode({"text": text}).encode()
        self.tables, self.app = server()

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request; a failure of the server fails the file."""
        headers = {
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/json",
            **more.pop("headers", {}),
        }
        place = path.split("?")[0].replace(self.table, "TABLE") if self.table else path
        with self.report.doing(f"{method} {place}"):
            self.report.requests += 1
            answer = await self.client.request(method, path, headers=headers, **more)
            if answer.status_code >= 500:
                self.report.failures.append(
                    f"{method} {path}: {answer.status_code} {answer.text[:200]}"
                )
            return answer
        return httpx.Response(500)

    async def serve(self) -> None:
        """Show the file in the workshop, use a table with it, then check the other table."""
        self.table = ""
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=True)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost:8230"
        ) as self.client:
            other = await self.tables.open("starwars", "Another table")
            await self.tables.take_seat(other, "Mona", "gm")
            await self.tables.make(other, "mona", "table.say", {"text": "Before"})
            before, names = list(export_lines(await self.tables.records(other))), systems.names()
            await self._with_file()
            if (
                list(export_lines(await self.tables.records(other))) != before
                or systems.names() != names
            ):
                self.report.failures.append("another table, or the list of games, has changed")
            with self.report.doing("a move at another table"):
                await self.tables.make(other, "mona", "table.say", {"text": "After"})

    async def _with_file(self) -> None:
        shown = await self.ask("POST", "/api/workshop", content=self.shown)
        if shown.status_code == 200 and bool(shown.json()["game"]) is not self.taken:
            self.report.failures.append("the workshop takes another file than the table")
        await self.ask("POST", "/api/workshop/sheet", content=self.printed)
        opened = await self.ask("POST", "/api/tables", content=self.opens)
        if (opened.status_code == 201) is not self.taken:
            self.report.failures.append(
                f"POST /api/tables: {opened.status_code} {opened.text[:200]}"
            )
        if opened.status_code != 201:
            return
        self.table = opened.json()["table"]
        path = f"/api/tables/{self.table}"
        await self.tables.take_seat(self.table, "Ann", "player")
        for seat, move, args in (
            ("mona", "session.begin", {}),
            ("mona", "character.add", {"name": "Pash"}),
            ("mona", "check.declare", {}),
        ):
            await self.ask("POST", f"{path}/moves", json={"seat": seat, "move": move, "args": args})
        await self.ask("POST", f"{path}/first-scene", json={"seat": "mona"})
        key = (await self.ask("GET", f"{path}?seat=mona")).json().get("system", "")
        for what in (
            "",
            "/offers",
            "/odds",
            "/log",
            "/sheets",
            "/recap",
            "/economy",
            "/transcript.md",
        ):
            await self.ask("GET", f"{path}{what}?seat=mona")
        await self.ask("GET", f"/api/systems/{key}")
        whole = await self.ask("GET", f"{path}/export?seat=mona")
        brought = await self.ask("POST", "/api/tables/import", content=whole.content)
        if brought.status_code != 201:
            self.report.failures.append(f"its export is not taken: {brought.text[:200]}")


def judged(text: str, chance: random.Random) -> Report:
    """The result for a file in this process, which does nothing else."""
    report, heard = Report(), list[str]()
    watched = [True]

    def hear(event: str, args: tuple[Any, ...]) -> None:
        if watched[0] and (what := touched(event, args)):
            heard.append(what)

    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")
    begins = memory()
    steps = longest_step()
    sys.addaudithook(hear)
    game = read_file(report, text)
    if game is not None:
        play(report, game, chance)
    with report.doing("serving"):
        asyncio.run(Web(report, text, game is not None).serve())
    report.seconds.pop("serving")
    watched[0] = False
    report.step = steps[0]
    report.megabytes = memory() - begins
    report.failures += sorted(set(heard))
    return report


def memory() -> float:
    """The peak memory of this process since the last reset, in MB."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1000


def longest_step() -> list[float]:
    """A list with the processor time of the event loop's longest step from now on."""
    longest, run = [0.0], asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        began = time.thread_time()
        run(handle)
        longest[0] = max(longest[0], time.thread_time() - began)

    asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]
    return longest


def touched(event: str, args: tuple[Any, ...]) -> str:
    """What an audit event touches against the rules; "" if nothing."""
    if event == "open" and isinstance(args[0], str | bytes | os.PathLike):
        path, mode = os.path.realpath(os.fsdecode(args[0])), args[1] or "r"
        writes = any(c in mode for c in "wax+") if isinstance(mode, str) else False
        if writes or not f"{path}/".startswith((*ROOMS, "/proc/", "/dev/null", "/usr/", "/etc/ld")):
            return f"it opened {path} ({mode})"
    elif event == "exec":
        name = getattr(args[0], "co_filename", "")
        if not name.startswith((*ROOMS, "<frozen", "<string>", "<attrs", "<dataclass")):
            return f"it ran {name}"
    elif event in USED or event.partition(".")[0] in ("subprocess", "ctypes", "shutil", "urllib"):
        return f"it used {event}"
    return ""


def sent(run: Run) -> None:
    """Judge each file in a process of its own, as many at a time as there are processors."""
    warm()
    gc.freeze()
    left, going, most, times = (
        list(reversed(run.numbers)),
        dict[int, int](),
        Report(),
        list[float](),
    )
    slow = dict[int, int]()
    while left or going:
        while left and len(going) < (os.cpu_count() or 1):
            n = left.pop()
            going[forked(run, n)] = n
        pid = next(iter(going))
        n, (_, status) = going.pop(pid), os.waitpid(pid, 0)
        file = run.folder / f"{n}.json"
        if status or not file.exists():
            run.fail(n, f"its process ended with {os.waitstatus_to_exitcode(status)}")
            continue
        report = Report(**json.loads(file.read_text(encoding="utf-8")))
        file.unlink()
        what, longest = max(report.seconds.items(), key=lambda one: one[1])
        if (SECOND < longest < 2 * SECOND or STEP < report.step < 2 * STEP) and slow.get(n, 0) < 2:
            # Other programs of the machine are part of what was measured: the least of three
            # counts.
            slow[n] = slow.get(n, 0) + 1
            left.append(n)
            continue
        _kept(run, n, report)
        times.append(longest)
        if longest > SECOND:
            run.fail(n, f"{what} took {longest:.1f} s of processor")
        if report.step > STEP:
            run.fail(n, f"a step of the event loop took {report.step:.2f} s of processor")
        if report.megabytes > MEGABYTES:
            run.fail(n, f"it took {report.megabytes:.0f} MB")
        most.megabytes, most.step = (
            max(most.megabytes, report.megabytes),
            max(most.step, report.step),
        )
    times.sort()
    run.notes.append(
        f"The most processor time of anything done with a file: {times[-1]:.2f} s, in the median of"
        f" files {times[len(times) // 2]:.3f} s; the most memory {most.megabytes:.0f} MB; the"
        f" longest step of the event loop {most.step * 1000:.0f} ms."
    )


def _kept(run: Run, n: int, report: Report) -> None:
    run.count("taken" if report.taken else "refused")
    run.count("moves", report.moves)
    run.count("requests", report.requests)
    for why in report.failures:
        run.fail(n, why)


def forked(run: Run, n: int) -> int:
    """Judge a file in a process of its own, which writes its report into the folder of the run."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
        resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, 2 << 30))
        report = judged(game_text(run.chance(n)), run.chance(n, "moves"))
        (run.folder / f"{n}.json").write_text(json.dumps(asdict(report)), encoding="utf-8")
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def warm() -> None:
    """Import and read everything that all files need, so that no file pays for it."""
    report = Report()
    text = (Path(__file__).parents[2] / "docs" / "games" / "nightshift.game.toml").read_text(
        encoding="utf-8"
    )
    game = read_file(report, text)
    assert game is not None
    play(report, game, random.Random(1))
    asyncio.run(Web(report, text, True).serve())
    assert [] == report.failures, report.failures
    game_files.forget_kept()
    # Objects of a closed event loop cannot be reused in another.
    server.cache_clear()
    server()


HARNESS = Harness(
    "files",
    "A game file of a stranger is taken or refused with sentences; nothing done with it takes more"
    " than a second of processor or 100 MB; it touches no other table, no file, no network and no"
    " code, and does not hold up the event loop.",
    "{tries} files, {taken} of them taken and {refused} refused; {moves} moves and {requests}"
    " requests",
    quick=150,
    long=10_000,
    run=sent,
)
