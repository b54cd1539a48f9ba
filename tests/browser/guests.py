"""A server as a process, and its guests with browsers."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self
from urllib.request import ProxyHandler, Request, build_opener

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Route,
    ViewportSize,
    expect,
)
from playwright.sync_api import Error as PlaywrightError

from tests.browser.page_scripts import script

ROOT = Path(__file__).resolve().parents[2]
# The program as it is, but that odds have time on a busy machine, as what is tested is what the
# page makes of them; and that a file's tests, which come from one address, may open a table and
# join as soon as a quick machine wants to.
SCRIPT = """
import os
import sys
from functools import partial
from storypool.cli import main
from storypool.web.serving import serve
from storypool.web.server_settings import Rate
from tools.seeded_dice import SeededDice
often = Rate(1_000, 100)
joining = {"joins": often, "new_tables": often, "texts_read": often, "texts_kept": often}
serve.Limits = partial(serve.Limits, odds=60, **joining)
with SeededDice(os.environ.get("STORYPOOL_TEST_DICE")).used():
    sys.exit(main())
"""
# The popups of the address bar are pages of their own: each new window would spend more on them
# than on a table. This list takes the place of Playwright's, so what Playwright turns off is in it
# too.
UNUSED = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    *("AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *(
        "DestroyProfileOnBrowserClose",
        "HttpsFirstBalancedModeAutoEnable",
        "HttpsUpgrades",
        "LensOverlay",
        "MediaRouter",
    ),
    *("NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
    "ThirdPartyStoragePartitioning",
)
QUIET = [
    f"--disable-features={','.join(UNUSED)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # There is no graphics card: a process of its own for what is drawn only passes messages around.
    "--in-process-gpu",
    # No page lives long enough for what the compilers that optimize would spend on it.
    "--js-flags=--no-opt --no-maglev",
]
DRAWING = [
    *(one for one in QUIET if one != "--disable-gpu" and not one.startswith("--js-flags")),
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
"""A browser that draws in three dimensions, on the processor."""

CALM = {"locale": "en-GB", "reduced_motion": "reduce"}
"""The settings of a guest's browser: no motion, unless a test is about it."""
MEDIA = {"media": "null", "color_scheme": "null", "reduced_motion": "reduce"}
"""The same, for a page with other settings."""
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}
WIDE = 1000
"""The width in pixels from which the game master's drawer is a column of the table."""
WAIT = 60_000
"""Milliseconds to wait for an element, enough for a busy machine."""

expect.set_options(timeout=WAIT)

SETTLED = script("settled")
REAL_DICE = re.compile("^(I rolled real dice|Real dice)$")
"""The names of the button for real dice: next to the roll, and as the main one."""


UNPAINTED = """() => {
    if (!globalThis.unpainted) {
        globalThis.unpainted = new CSSStyleSheet();
        unpainted.replaceSync('html, dialog, .toasts, [data-motion] { opacity: 0 !important }');
    }
    document.adoptedStyleSheets = [unpainted];
}"""
"""Unseen content is laid out but not painted, which saves a third of the time."""
PAINTED = "() => { document.adoptedStyleSheets = []; }"
EMPTY = "about:blank"
"""The address of a page without content."""
PICTURES = "STORYPOOL_SHOTS" in os.environ
"""Whether this run keeps pictures of the pages."""


GO = script("go-to-table")

AT_END = """() => {
    const middle = document.querySelector('.middle');
    const one = getComputedStyle(middle).overflowY === 'auto' ? middle : document.scrollingElement;
    return one.scrollTop + one.clientHeight >= one.scrollHeight - 1;
}"""
"""Whether the reader is at the end of the page, or of the middle column of a large screen."""

# Playwright waits for frames before it taps anything, so a page without them looks like a button
# that never comes.
ALIVE = {
    "answers": "() => true",
    "is drawn": "() => new Promise((done) => requestAnimationFrame(() => done(true)))",
}

# The page holds the table and the offers that came with it. Its script exports the modules that are
# joined in it.
CAUGHT_UP = """async (seq) => {
    const { store } = await import(document.querySelector('script[type=module]').src);
    return (store.table.value?.seq ?? 0) >= seq;
}"""


def free_port() -> int:
    """A free port below those that systems assign, so that it stays free during a restart."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Server:
    """`storypool serve` as a process: started, killed and restarted on the same data.

    Its data are in a folder, or in a database if an address is given.
    """

    def __init__(
        self, data: Path | str, host: str = "127.0.0.1", options: Sequence[str] = ()
    ) -> None:
        self.place, self.data, self.host, self.port = str(data), Path(data), host, free_port()
        self.options = options
        self.process: subprocess.Popen[str] | None = None
        self.link = ""
        """The path of the game master's link, as printed at the start."""

    @property
    def address(self) -> str:
        """The address of the server."""
        return f"http://{self.host}:{self.port}"

    def start(self) -> Server:
        """Start, and wait until it reports that it is open."""
        paths = [str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")]
        environ = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "PYTHONUNBUFFERED": "1",
        }
        options = [
            "serve",
            "--data",
            self.place,
            "--port",
            str(self.port),
            "--host",
            self.host,
            "--no-browser",
        ]
        options += self.options
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, *options],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._wait_until_open()
        return self

    def replace(self) -> None:
        """Replace it by another process, which is then open. It was started `--replaceable`."""
        assert self.process is not None
        self.process.send_signal(signal.SIGUSR2)
        self._wait_until_open()

    def _wait_until_open(self) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if "#host=" in line:
                self.link = "/#" + line.strip().partition("#")[2]
                break
            if "has taken the place" in line:
                return
        assert self.process.poll() is None, "".join(lines)
        assert f":{self.port}" in "".join(lines), "the port was taken: " + "".join(lines)

    def kill(self) -> None:
        """Kill it like a power cut."""
        assert self.process is not None
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop it like its owner."""
        if self.process is not None and self.process.poll() is None:
            self._end(signal.SIGINT)

    def terminate(self) -> None:
        """Stop it like a system that restarts it."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait(WAIT / 1000)
        assert self.process.stdout is not None
        self.process.stdout.close()


HOLDING = """
window.held = [];
window.WebSocket = class extends WebSocket {
  set onmessage(take) {
    super.onmessage = (event) => {
      const message = JSON.parse(event.data);
      const changed = () => take({ data: JSON.stringify(window.change?.(message) ?? message) });
      if (window.dead) return;
      if (window.holding === message.type) window.held.push(changed);
      else changed();
    };
  }
};
window.release = () => {
  window.holding = "";
  window.held.splice(0).forEach((release) => release());
};
"""
"""A script that can hold back, release or change feed messages by type."""


class Place(Protocol):
    """A server in any process."""

    @property
    def address(self) -> str:
        """Its address."""


TAPS = script("recent-taps")

BEEN_HERE = """
localStorage.setItem('storypool.hints', JSON.stringify(['dock', 'pool', 'points']));
localStorage.setItem('storypool.offered', '"yes"');
"""
"""The stored settings of a browser whose first hints were closed and that saw a first roll."""


class Guest:
    """A person with a browser at a table, whose complaints are kept in `troubles`.

    A `regular` has closed the hints of a first visit. The pages are `painted` if this run keeps
    pictures.
    """

    def __init__(
        self,
        browser: Browser,
        server: Place,
        size: Mapping[str, int],
        regular: bool = False,
        painted: bool = PICTURES,
        **more: Any,
    ) -> None:
        self.size = ViewportSize(width=size["width"], height=size["height"])
        self.regular, self.painted = regular, painted
        self.context: BrowserContext = browser.new_context(viewport=self.size, **{**CALM, **more})
        self.context.set_default_timeout(WAIT)
        self.context.add_init_script(f"({TAPS})()")
        if regular:
            self.context.add_init_script(BEEN_HERE)
        if not painted:
            self.context.add_init_script(f"({UNPAINTED})()")
        self.page: Page = self.context.new_page()
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self._own, self._heard, self._prepared = self.page, list[tuple[Any, Any]](), False
        self.arrive(server)

    def arrive(self, server: Place) -> None:
        """Come to a server that does not know this guest."""
        self.server = server
        self.troubles: list[str] = []
        self.server_is_gone = False
        self.expected = {400, 409, 413}

    def leave(self) -> bool:
        """Leave the server and forget it. True if the browser may be used again."""
        for event, listener in self._heard:
            self._own.remove_listener(event, listener)
        self._heard.clear()
        if self._prepared or self._own.is_closed():
            return False
        self.page = self._own
        try:
            for page in self.context.pages:
                if page is not self.page:
                    page.close()
            self.page.unroute_all(behavior="ignoreErrors")
            has_opened = self.page.url != EMPTY
            if has_opened:
                self.page.goto(EMPTY)
            self.context.set_offline(False)
            self.context.clear_cookies()
            # Half of the guests come only so that they have a seat, and their pages have kept
            # nothing.
            if has_opened:
                devtools = self.context.new_cdp_session(self.page)
                devtools.send(
                    "Storage.clearDataForOrigin",
                    {"origin": self.server.address, "storageTypes": "all"},
                )
                is_under_way = True
                with suppress(PlaywrightError):
                    devtools.send("Page.resetNavigationHistory")
                    is_under_way = False
                devtools.detach()
                # A step back in the history leads, or has led, to the page again; without a history
                # none can follow.
                if is_under_way or self.page.url != EMPTY:
                    self.page.goto(EMPTY)
        except PlaywrightError:
            return False
        return True

    def dress(self, size: Mapping[str, int], **media: Any) -> None:
        """Set the window size, and exactly these settings of `emulate_media`."""
        self.resize(size)
        self.page.emulate_media(**{**MEDIA, **media})

    def resize(self, size: Mapping[str, int]) -> None:
        """Continue in a window of another size."""
        self.page.set_viewport_size(ViewportSize(width=size["width"], height=size["height"]))

    def hear(self, event: Any, listener: Callable[[Any], None]) -> None:
        """Listen to an event of the page until this guest leaves."""
        self._own.on(event, listener)
        self._heard.append((event, listener))

    def prepare(self, script: str) -> None:
        """Run a script before those of each later page. This browser is not used again."""
        self.page.add_init_script(script)
        self._prepared = True

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        # The browser itself writes down every answer that says no, and every connection that is
        # lost: what the page makes of them is what the tests look at.
        asked = message.location["url"]
        if "Failed to load resource" in message.text and "/api/" in asked:
            status = re.search(r"status of (\d+)", message.text)
            if self.server_is_gone or (status and int(status[1]) in self.expected):
                return
        if self.server_is_gone and "WebSocket connection" in message.text:
            return
        self.troubles.append(f"{message.type}: {message.text} ({asked})")

    # Coming and going.

    def open(self, path: str) -> None:
        """Open an address of the server."""
        self.page.goto(path if path.startswith("http") else self.server.address + path)

    def go(self, table: str, path: str) -> None:
        """Open another table's address and follow it, without loading an open page again."""
        if "/t/" in self.page.url:
            self.page.evaluate(GO, {"table": table, "address": path, "wait": WAIT})
        else:
            self.open(path)
            self.live()

    def at(self, table: str, seat: str) -> None:
        """Open a table from one of these seats."""
        self.open(f"/t/{table}?seat={seat}")
        expect(self.page.locator(".table")).to_be_visible()
        self.live()

    def live(self) -> None:
        """Wait for the feed."""
        expect(self.page.locator(".line[data-live=true]")).to_be_visible()

    @property
    def table(self) -> str:
        """The id of the open table."""
        return self.page.url.split("/t/")[1].split("?")[0]

    def state(self) -> str:
        """The state of the page for the report of a failed test: address, activity and content."""
        lines = [self.page.url.partition("#")[0]]
        try:
            for what, script in ALIVE.items():
                self.page.wait_for_function(script, polling=100, timeout=5_000)
                lines.append(f"It {what}.")
            lines.append(self.page.locator("body").inner_text(timeout=5_000))
            lines.append(
                self.page.evaluate(
                    "[...tapsHere, `It is ${Math.round(performance.now())} now.`].join('\\n')"
                )
            )
        except PlaywrightError as error:
            lines.append(f"No more is known of it: {error.message}")
        return "\n".join([*lines, *self.troubles])

    # Looking and touching.

    def picture(self, path: Path, **more: Any) -> None:
        """Take a picture of the page, if this run keeps pictures."""
        if self.painted:
            self.page.screenshot(path=path, **more)

    def see(self, selector: str) -> Locator:
        """Wait until an element is visible."""
        found = self.page.locator(selector).filter(visible=True).first
        expect(found).to_be_visible()
        return found

    def read(self, text: str) -> None:
        """Wait until a text is visible."""
        expect(self.page.get_by_text(text).filter(visible=True).first).to_be_visible()

    @property
    def top(self) -> Locator:
        """The touchable part: the topmost sheet or the whole page."""
        sheets = self.page.locator("dialog[open]")
        return sheets.last if sheets.count() else self.page.locator("body")

    def tap(self, name: str, *, exact: bool = True) -> None:
        """Tap the button with this name, in the open sheet if there is one."""
        self.top.get_by_role("button", name=name, exact=exact).first.click()

    def offer(self, move: str) -> Locator:
        """The button of a move: among the offers, in the dock, or below the dice of the tray."""
        return self.see(
            f":is(.offer-place[data-move='{move}'] .offer, .dock .button[data-move='{move}'],"
            f" .tray-more[data-move='{move}'])"
        )

    def pull(self) -> None:
        """Open the game master's drawer, which is a column of a large screen."""
        opener, drawer = (
            self.page.locator(".drawer-button button"),
            self.page.locator("dialog.drawer[open]"),
        )
        # A page whose window has just changed is drawn once more as it was.
        beside = (self.page.viewport_size or DESK)["width"] >= WIDE
        (self.page.locator(".drawer-place") if beside else opener).first.wait_for()
        if not beside and not drawer.count():
            opener.click()
            expect(drawer).to_be_visible()

    def tool(self, move: str) -> None:
        """Tap a move in the game master's drawer, wherever both are."""
        self.pull()
        place = self.page.locator(":is(dialog.drawer, .drawer-place)")
        offer = place.locator(f".offer-place[data-move='{move}'] .offer")
        place.get_by_role("button").first.wait_for()
        if not offer.count():
            place.get_by_role("button", name="More tools", exact=True).click()
        offer.first.click()

    def tap_real_dice(self) -> None:
        """Tap the button for real dice: next to the roll, or the main one after their first use."""
        self.page.get_by_role("button", name=REAL_DICE).first.click()

    def leave_the_rest(self) -> None:
        """Leave this guest's part of a roll unspent, if the dock has the button for it."""
        waits = self.api(
            "GET", f"/api/tables/{self.table}/offers?{self.page.url.partition('?')[2]}"
        )["waits"]
        if any(one["yours"] and "spend.waive" in one["moves"] for one in waits):
            rest = self.page.locator(".dock .button[data-move='spend.waive']")
            rest.click()
            expect(rest).to_have_count(0)

    def rolls(self, faces: str, move: str = "check.roll") -> None:
        """Set the faces of the dice that a move rolls on this guest's page from now on."""

        def typed(route: Route) -> None:
            body = json.loads(route.request.post_data or "{}")
            if body.get("move") != move:
                route.fallback()
                return
            body["args"]["faces"] = faces
            route.continue_(post_data=json.dumps(body))

        self.page.route("**/moves", typed)

    def ends(self) -> None:
        """End the check if this guest has the question."""
        waits = self.api(
            "GET", f"/api/tables/{self.table}/offers?{self.page.url.partition('?')[2]}"
        )["waits"]
        if any(one["yours"] and "check.close" in one["moves"] for one in waits):
            self.page.locator(".dock .button[data-move='check.close']").click()

    def go_elsewhere(self) -> None:
        """Scroll by the wheel to the end of the page, or of a large screen's middle column."""
        size = self.page.viewport_size or PHONE
        self.page.mouse.move(size["width"] / 2, size["height"] / 2)
        turned = self.page.evaluate("wheelsHere")
        end = time.monotonic() + WAIT / 1000
        at_end = False
        # Meanwhile new content makes the page longer.
        while not at_end:
            assert time.monotonic() < end, "the wheel does not reach the end"
            self.page.mouse.wheel(0, 100_000)
            turned += 1
            # The wheel's event follows the scroll: content that arrives in between would be left by
            # it.
            self.until("(turned) => wheelsHere >= turned", turned)
            at_end = self.page.evaluate(AT_END)

    def view(self, name: str) -> None:
        """Open another part of the table."""
        self.page.locator(".views").get_by_role("button", name=name).click()

    def still(self) -> None:
        """Wait until nothing moves."""
        self.until(SETTLED)

    def awake(self) -> None:
        """Wait until nothing under the thumb is asleep: it then looks and answers normally."""
        self.until("() => !document.querySelector('.shield, .dock[data-asleep]')")
        self.still()

    def caught_up(self, seq: int) -> None:
        """Wait until the page shows the offers after this record, in place of earlier ones."""
        self.until(CAUGHT_UP, seq)

    def up_to_date(self) -> None:
        """Wait until the page shows the offers after everything that has happened."""
        seat = self.page.url.partition("?")[2]
        self.caught_up(self.api("GET", f"/api/tables/{self.table}/offers?{seat}")["seq"])

    def weighed(self, seq: int) -> None:
        """Wait until the page shows this record's offers and odds, which move content below."""
        self.caught_up(seq)
        self.until("(seq) => Number(document.querySelector('.odds')?.dataset.after) >= seq", seq)

    def until(self, script: str, arg: object = None) -> None:
        """Wait until a script is true of the page: Playwright accepts any promise."""
        end = time.monotonic() + WAIT / 1000
        while not self.page.evaluate(script, arg):
            assert time.monotonic() < end, script
            self.page.wait_for_timeout(20)

    def api(self, method: str, path: str, **body: object) -> Any:
        """The server's answer to this browser, with the name it came by."""
        name = self.page.url.partition("/t/")[0] if "/t/" in self.page.url else self.server.address
        answer = self.context.request.fetch(
            name + path,
            method=method,
            data=dict(body) if body else None,
            headers={"Origin": name, "Content-Type": "application/json"},
        )
        assert answer.ok, answer.text()
        return answer.json()

    def joins(self, gm: Guest, table: str, name: str, who: str, sheet: Mapping[str, int]) -> Guest:
        """Join with a character by a link of the game master's, without the page."""
        link = gm.api("POST", f"/api/tables/{table}/links", seat="mira", side="player")
        self.api("POST", "/api/join", secret=link["path"].partition("#link=")[2], name=name)
        self.make(table, name.lower(), "character.add", name=who, sheet=sheet)
        return self

    def make(self, table: str, seat: str, move: str, **args: object) -> Any:
        """Make a move without the page, and wait until the page shows it."""
        made = self.api("POST", f"/api/tables/{table}/moves", seat=seat, move=move, args=args)
        return made["seq"]

    def log(
        self, table: str, seat: str, known: Sequence[dict[str, Any]] = ()
    ) -> list[dict[str, Any]]:
        """The server's records for this seat, except for known ones."""
        records = list(known)
        more = True
        while more:
            found = self.api(
                "GET", f"/api/tables/{table}/log?seat={seat}&limit=1000&after={len(records)}"
            )
            records, more = [*records, *found["records"]], found["more"]
        return records


def tap_face(row: Locator, face: int) -> None:
    """Tap a die by its number; equal faces are drawn once, with the lowest number."""
    numbers = [
        int(value)
        for value in row.locator("input").evaluate_all("all => all.map((one) => one.value)")
    ]
    place = numbers.index(max(number for number in numbers if number <= face))
    row.locator(".face-pick").nth(place).click()


class Browsers:
    """Browsers that are lent to guests and reused."""

    IDLE = 8
    """The maximum of idle browsers, each a process."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle: list[tuple[dict[str, Any], Guest]] = []
        self._lent: list[tuple[dict[str, Any], Guest]] = []

    def lend(self, server: Place, size: Mapping[str, int], **more: Any) -> Guest:
        """A guest of a server, with a browser of these settings."""
        media = {name: more.pop(name) for name in MEDIA if name in more}
        found = next((one for one in self._idle if one[0] == more), None)
        if found:
            self._idle.remove(found)
            found[1].arrive(server)
        else:
            found = more, Guest(self._browser, server, size, **more)
        found[1].dress(size, **media)
        self._lent.append(found)
        return found[1]

    def take_back(self, guest: Guest) -> None:
        """Let a guest leave, and keep the browser for the next."""
        found = next(one for one in self._lent if one[1] is guest)
        self._lent.remove(found)
        if guest.leave():
            self._idle.append(found)
        else:
            guest.context.close()
        if len(self._idle) > self.IDLE:
            self._idle.pop(0)[1].context.close()


Come = Callable[..., Guest]
Serve = Callable[..., Server]


class Pair(NamedTuple):
    """A Keeper, Ann with her hero Juna, and their table of C2D10."""

    gm: Guest
    ann: Guest
    table: str


DIRECT = build_opener(ProxyHandler({}))
"""The headers of a client that is not a browser."""


class Client:
    """A client without a browser, which joined a server as a player by a link."""

    def __init__(self, server: str, secret: str, name: str) -> None:
        self._server = server
        self._token = secret
        self._token = self._ask("/api/join", name=name, program=True)["token"]

    def make(self, table: str, seat: str, move: str, **args: object) -> Any:
        """Make a move like `Guest.make`."""
        return self._ask(f"/api/tables/{table}/moves", seat=seat, move=move, args=args)["seq"]

    def _ask(self, path: str, **body: object) -> Any:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        with DIRECT.open(
            Request(self._server + path, json.dumps(body).encode(), headers)
        ) as answer:
            return json.load(answer)


class Gathering:
    """A table of a game with its game master, and players who get a browser on first use.

    Earlier moves are made without pages, by a client for each player.
    """

    def __init__(
        self, come: Come, system: str, title: str, size: Mapping[str, int] = PHONE, **more: Any
    ) -> None:
        self._come = partial(come, size, **more)
        self.gm = self._come()
        self.id: str = self.gm.api("POST", "/api/tables", system=system, title=title, name="Mira")[
            "table"
        ]
        self._guests, self._clients = {"mira": self.gm}, dict[str, Client]()

    def player(self, name: str, who: str, sheet: Mapping[str, int]) -> None:
        """A player with a character."""
        seat = name.lower()
        self._clients[seat] = Client(self.gm.server.address, self._link(side="player"), name)
        self.make(seat, "character.add", name=who, sheet=sheet)

    def _link(self, **whose: str) -> str:
        link: str = self.gm.api("POST", f"/api/tables/{self.id}/links", seat="mira", **whose)[
            "path"
        ]
        return link.partition("#link=")[2]

    def guest(self, seat: str) -> Guest:
        """The guest of this seat, with a browser."""
        if seat not in self._guests:
            self._guests[seat] = self._come()
            self._guests[seat].api(
                "POST", "/api/join", secret=self._link(side="device", whose=seat), seat=seat
            )
        return self._guests[seat]

    @property
    def ann(self) -> Guest:
        """The first player."""
        return self.guest("ann")

    @property
    def bo(self) -> Guest:
        """The second player."""
        return self.guest("bo")

    @property
    def guests(self) -> tuple[Guest, Guest, Guest]:
        """Everybody at a table of three."""
        return self.gm, self.ann, self.bo

    def make(self, seat: str, move: str, **args: object) -> int:
        """Make a move of a seat without the page."""
        seq: int = self._clients.get(seat, self.gm).make(self.id, seat, move, **args)
        return seq

    def sit(self, *seats: str) -> Self:
        """Open the table for everybody, or for these seats."""
        for seat in seats or ("mira", *self._clients):
            self.guest(seat).at(self.id, seat)
        return self


class MillRace(Gathering):
    """A table of Destiny Dice with a game master, Ann and her character Juna, in a session."""

    def __init__(self, come: Come, size: Mapping[str, int] = PHONE, **sheet: int) -> None:
        super().__init__(come, "destinydice", "The mill race", size)
        self.player("Ann", "Juna", sheet)
        self.make("mira", "session.begin")


class Party(Gathering):
    """A table ready to play: a GM, two players with a character each, points on both sides."""

    def __init__(
        self, come: Come, system: str = "starwars", size: Mapping[str, int] = PHONE, **more: Any
    ) -> None:
        super().__init__(come, system, "The long night", size, **more)
        sheet = {
            "agility": 3,
            "cunning": 3,
            "presence": 2,
            "willpower": 2,
            "skulduggery": 1,
            "charm": 1,
            "cool": 1,
        }
        for name, who in (("Ann", "Pash"), ("Bo", "Oska")):
            self.player(name, who, sheet)
        self.make("mira", "session.begin")
        for account in ("light", "dark"):
            self.make("mira", "points.correct", account=account, to=2, why="for the test")
        self.make("mira", "destiny.begin")
        self.make("mira", "adversary.add", name="Captain Rusk", pool="2 ability 1 proficiency")

    def bound(self, *seats: str) -> None:
        """Wait until an automatic record has bound the next roll to numbers of these pages."""
        end = time.monotonic() + WAIT / 1000
        while time.monotonic() < end:
            events = [one["event"] for one in self.gm.log(self.id, "mira")]
            sealed = [
                one
                for event in events
                if event and event["type"] == "dice.bound"
                for one in event["sealed"]
            ]
            if set(seats or ("mira", "ann", "bo")) <= {one.partition("=")[0] for one in sealed}:
                return
            self.gm.page.wait_for_timeout(50)
        raise AssertionError("The pages have sealed no numbers.")

    def declare(self, title: str = "Slice the lock", **more: object) -> int:
        """The last record after Ann's character tries something with a set difficulty."""
        self.make(
            "ann", "check.declare", title=title, skill="skulduggery", difficulty="average", **more
        )
        return self.make("mira", "check.agree")

    def ready(self, title: str = "Slice the lock", **more: object) -> int:
        """The last record of the same action without spent points: Ann can roll."""
        self.declare(title, **more)
        self.make("ann", "destiny.pass")
        return self.make("mira", "destiny.pass")
