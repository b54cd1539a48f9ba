"""How many frames a throw of dice has on a slow processor, and how long its script runs for each.

    python -m tools.frames [--throws 5] [--slower 6]

A page with dice that fall rolls a pool, on a phone and on a desk, with its processor slowed by the
browser. Drawing is in another thread and is not slowed; without a graphics card it takes the time
of the machine, which is why the time of the script is a figure of its own.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import quantiles

from playwright.sync_api import Browser, sync_playwright

import dev
from tests.browser.guests import DESK, DRAWING, PHONE, Guest
from tests.browser.test_dice_in_space import WANTED
from tools.states import states
from tools.visits import House, served

WATCH = """
window.throwFrames = [];
window.throwOver = new Promise((done) =>
  new MutationObserver(() => document.querySelector('.felt[data-falling=false]') && done()).observe(
    document,
    { subtree: true, childList: true, attributeFilter: ['data-falling'] },
  )
);
const ask = window.requestAnimationFrame;
window.requestAnimationFrame = (draw) => ask((now) => {
  const isThrow = document.querySelector('.felt[data-falling=true]');
  const start = performance.now();
  draw(now);
  if (isThrow) window.throwFrames.push([start, performance.now() - start]);
});
"""
"""Notes when each frame of a throw began and the milliseconds of its script, and waits for its end.

Playwright's own waiting would look at the page again and again, in the time of the throw.
"""
IDLE = "() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done)))"
SIZES = {"phone": PHONE, "desk": DESK}


@dataclass(frozen=True, slots=True)
class Throw:
    """The frames of a throw: how long they took in all, and the script of each, in milliseconds."""

    lasted: float
    scripts: tuple[float, ...]


def throws(
    browser: Browser, house: House, size: Mapping[str, int], number: int, slower: float
) -> Iterator[Throw]:
    """Roll the same pool so often, each time at a table of its own."""
    state = next(one for one in states("genesys") if one.name == "moment-triumph")
    guest = Guest(browser, house, size, regular=True, painted=True, reduced_motion="no-preference")
    guest.prepare(WANTED)
    guest.prepare(WATCH)
    for _ in range(number):
        table, _, links = house.open(replace(state, others=("ann",)))
        guest.api("POST", "/api/join", secret=links["ann"], seat="ann")
        guest.at(table, "ann")
        guest.page.wait_for_load_state("networkidle")
        # While a pool is shown there is time to prepare its dice.
        guest.page.evaluate(IDLE)
        devtools = guest.context.new_cdp_session(guest.page)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        guest.make(table, "ann", "check.roll")
        guest.page.evaluate("window.throwOver")
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        frames = guest.page.evaluate("window.throwFrames")
        lasted = frames[-1][0] - frames[0][0] if frames else 0
        yield Throw(lasted, tuple(script for _, script in frames))
    assert not guest.troubles, guest.troubles
    guest.context.close()


def report(name: str, made: list[Throw]) -> str:
    """A line of figures for all throws of a size."""
    firsts = [one.scripts[0] for one in made if one.scripts]
    scripts = sorted(script for one in made for script in one.scripts[1:])
    lasted, frames = sum(one.lasted for one in made), sum(len(one.scripts) for one in made)
    tenths = quantiles(scripts, n=10)
    return (
        f"{name}: {len(made)} throws, {frames} frames in {lasted / 1000:.1f} s,"
        f" {1000 * frames / lasted:.0f} a second; script of a frame"
        f" p50 {tenths[4]:.1f} ms, p90 {tenths[8]:.1f} ms, max {scripts[-1]:.1f} ms,"
        f" first {max(firsts):.1f} ms"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--throws", type=int, default=5, help="of each size (5)")
    parser.add_argument("--slower", type=float, default=6, help="times slower (6)")
    given = parser.parse_args()
    with sync_playwright() as playwright, served() as house:
        browser = playwright.chromium.launch(executable_path=dev.find_browser(), args=DRAWING)
        load = os.getloadavg()[0]
        print(f"processor {given.slower:g} times slower, {os.cpu_count()} cores, load {load:.1f}")
        for name, size in SIZES.items():
            print(report(name, list(throws(browser, house, size, given.throws, given.slower))))
        browser.close()


if __name__ == "__main__":
    main()
