"""Every state of every game on a phone and a large screen: nothing is wrong that a program can
find.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import pytest
from playwright.sync_api import expect

from storypool import systems
from storypool.engine import house as engine
from storypool.engine.fold import fold
from tests.browser.guests import DESK, PHONE, SETTLED, Come, Guest
from tests.browser.presses import Presser
from tests.browser.test_access import MARK, SMALL, TARGET, Reader, violations
from tests.browser.test_screens import TOO_WIDE
from tools.states import TABLE, State, after, states
from tools.visits import House, act, arrive, tap, visit

GAMES = [key for key in systems.playable() if systems.package(key).startswith("storypool.systems")]
# What the tab key goes to is scrolled just into the window, and there nothing may lie over it.
COVERED = """() => {
    const BARS = '.dock-state, .dock-row, .thumb, .views, .table-head, .form-foot, .sheet-head, .screen-foot';
    const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    const pressed = 'button:not([disabled], [aria-disabled=true]), a[href], input, select, textarea, summary';
    const out = [];
    const scrolled = document.querySelectorAll('.middle, .right, .side, .dock, .thumb, dialog');
    const columns = [document.scrollingElement, ...scrolled];
    const before = columns.map((one) => one.scrollTop);
    for (const one of place.querySelectorAll(pressed)) {
        if (!one.checkVisibility({ visibilityProperty: true }) || one.closest('.visually-hidden, .skip-link')) continue;
        one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        const { left, right, top, bottom } = one.getBoundingClientRect();
        if (right - left < 2 || bottom - top < 2) continue;
        // What is higher than the room between the bars is seen by its upper part.
        const y = Math.min((top + bottom) / 2, top + innerHeight / 6);
        const over = document.elementFromPoint((left + right) / 2, y);
        const own = over && (one.contains(over) || over.contains(one) || over.closest('label')?.contains(one));
        const bar = over?.closest(BARS);
        if (!own && bar && !bar.contains(one)) out.push(`${one.outerHTML.slice(0, 160)} below .${bar.className}`);
    }
    columns.forEach((one, n) => { one.scrollTop = before[n]; });
    return out;
}"""

# What is asked for stands in the dock alone, and what is asked can be answered there, or in rows
# that are in sight. What is locked says why, and the graph of the points is below what can be done.
STEPS = """() => {
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const docked = new Set(shown('.dock[data-mine=true] [data-move]').map((one) => one.dataset.move));
    const beside = shown('.offers-place [data-move], .drawer-place .drawer-group [data-move]');
    const twice = beside.map((one) => one.dataset.move).filter((key) => docked.has(key));
    const asked = shown('.dock[data-mine=true]').length > 0;
    const seen = (one) => one.getBoundingClientRect().top < innerHeight;
    const closed = shown(':is(.offer, .menu-row)[aria-disabled=true]:not([data-asleep] *)');
    const mute = closed.filter((one) => !one.matches('.dock *') && !one.querySelector('.offer-note, .why')?.innerText
        && !one.closest('.offer-place')?.querySelector('.because'));
    const box = (one) => one.getBoundingClientRect();
    const above = (one, other) => one.top < other.top && one.left < other.right && other.left < one.right;
    const graphs = shown('.glance').filter((one) => shown('.offers-place [data-move], .drawer-place')
        .some((other) => above(box(one), box(other))));
    const stuck = asked && !shown('.dock button').length && !shown('.menu-rows').some(seen);
    return [...twice.map((key) => `stands twice: ${key}`), ...(stuck ? ['is asked for, and has no button'] : []),
        ...mute.map((one) => `is locked, and says not why: ${one.innerText}`),
        ...graphs.map(() => 'the graph of points is above what can be done')];
}"""


# All that the page says about whose move it is comes from the waits, once each; and gold is the
# reader's own next step.
VOICE = """async () => {
    const { store } = await import(document.querySelector('script[type=module]').src);
    const waits = store.waits.value;
    const told = /^(Waiting for|All clear)/;
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const lines = shown('.table :is(p, li, span, strong)').filter((one) => !one.closest('.log') && !one.children.length)
        .map((one) => one.textContent.trim())
        .filter((line) => told.test(line) || waits.some((one) => one.text === line));
    const own = waits.filter((one) => one.yours);
    return [
        ...lines.filter((line) => !waits.some((one) => one.text === line) && !(waits.length === 0 && /^All/.test(line)))
            .map((line) => `says “${line}” and waits for ${JSON.stringify(waits.map((one) => one.text))}`),
        ...lines.filter((line, n) => lines.indexOf(line) !== n).map((line) => `says twice: ${line}`),
        ...lines.map((line) => waits.find((one) => one.text === line))
            .filter((one, n, all) => one?.check && !one.yours
                && all.findIndex((other) => `${other?.check} ${other?.whom}` === `${one.check} ${one.whom}`) !== n)
            .map((one) => `waits for the same seats once more: ${one.text}`),
        ...(waits.length ? shown('.board-turn') : []).map((one) => `says besides whose turn it is: ${one.textContent}`),
        ...(waits.length && !own.length ? shown('.table [data-kind=primary]') : [])
            .map((one) => `is gold while others are waited for: ${one.textContent}`),
    ];
}"""


PLACES = """() => {
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()).at(-1);
    return ['.outcome[data-shown=true] > .result', '.stage[data-phase=build] .action-title', '.recap h3',
        '.loose > li', '.last-result .result', '.calm-words', '.slots .slot[aria-current]',
        '.dock[data-mine=true] .dock-state'].map(shown);
}"""
"""The places that speak, the first of them before the others, and last the dock where it asks
something.
"""
SPOKE = f"() => {{ globalThis.spoke = ({PLACES})().map((one) => one?.textContent); }}"
"""Remembers what the places say before something happens: it need not be shown once more."""
ALL_NEW = "() => { globalThis.spoke = undefined; }"
"""Forgets it: a reader who comes to a table sees what it says last."""


SPEAKS = (
    f"async () => {{ const places = {PLACES};"
    """
    if (document.querySelector('dialog[open]')) return [];
    const speak = () => {
        const dock = places().length - 1;
        const spoke = globalThis.spoke;
        // That no action is under way is no news of a move: whom the table waits for is in the dock.
        const isOld = (one, n) => one?.textContent === spoke?.[n] || (spoke && one?.matches('[data-words=waits]'));
        const news = places().map((one, n) => isOld(one, n) && n !== dock ? null : one);
        return [news.slice(0, dock).find(Boolean), news[dock]].filter(Boolean);
    };
    const seen = (one, x, y) => {
        const over = document.elementFromPoint(x, y);
        return over?.closest('.table') && (one.contains(over) || over.contains(one));
    };
    const out = (one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const x = (left + right) / 2;
        return !seen(one, x, top + 8) || !seen(one, x, Math.min(bottom - 8, top + innerHeight / 4));
    };
    // A card of what has just fallen speaks as well as the result that brought it.
    const hidden = () => {
        const card = [...document.querySelectorAll('.fallen-cards[data-news=true] .fallen-card:last-child')]
            .filter((one) => one.checkVisibility()).at(-1);
        return speak().filter((one) => out(one) && (one.matches('.dock *') || !card || out(card)));
    };
    // What changes the page is followed within a few frames, however long those take.
    let found = [];
    for (let n = 0; n < 60; n += 1) {
        await new Promise(requestAnimationFrame);
        found = hidden();
        if (!found.length) break;
    }
    return found.map((one) =>
        `speaks out of sight: ${one.className || one.localName}: ${one.textContent.slice(0, 50)}`);
}"""
)
"""What speaks to this seat now, and is not to be read: out of the window, or under a bar."""


TWICE = """() => {
    const root = document.documentElement;
    const boxes = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
        .map((one) => one.getBoundingClientRect());
    const labels = boxes('.views .tab > span:not(.dot)');
    const [views] = boxes('.views');
    const [button] = document.querySelector('dialog[open]') ? [] : boxes('.dock #primary');
    const table = document.querySelector('.table');
    const found = Object.entries({
        'the page is too wide': root.scrollWidth > root.clientWidth,
        'the page scrolls as a whole': table && innerWidth >= 1000 && root.scrollHeight > root.clientHeight,
        'labels of tabs touch': labels.some((one, n) => n && labels[n - 1].right > one.left),
        'a tab is cut': labels.some((one) => one.right > innerWidth),
        'the tabs are cut': views && views.bottom > innerHeight,
        'the button at the thumb lies over the tabs':
            innerWidth < 1000 && views && button && button.bottom > views.top,
        'a notice takes a third of a phone':
            innerWidth < 1000 && boxes('.thumb > .toast').some((one) => one.height > innerHeight / 3),
    });
    return found.filter(([, wrong]) => wrong).map(([what]) => what);
}"""
"""What is wrong with a page when its text has twice the size."""


WORDS = r"""() => {
    const text = (one) => one.innerText.replace(/ of /g, '');
    const unnamed = [...document.querySelectorAll('.inline')].filter((one) => one.checkVisibility()
        && one.querySelector('svg.glyph') && !one.closest('[aria-hidden=true]')
        && /\d/.test(text(one)) && !/\p{L}/u.test(text(one)));
    // A dash alone takes one away between two steps, and means nothing elsewhere.
    const dash = (one) => one.querySelector('path[d="M4 12H20"]') && !one.closest('.dial');
    const bare = [...document.querySelectorAll('button')].filter((one) => one.checkVisibility()
        && (dash(one) || !one.querySelector('svg, img')) && !/[\p{L}\p{N}\p{Emoji}]/u.test(one.innerText));
    // A sentence with a blank, a key, or what a program has where it has no words.
    const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    const raw = /\{\w+\}|\b[a-z]+_[a-z_]+\b|\b(undefined|null|NaN)\b|\[object /;
    const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT), words = [];
    while (texts.nextNode())
        if (texts.currentNode.parentElement.checkVisibility()) words.push(texts.currentNode.data);
    for (const one of place.querySelectorAll('[aria-label], [title]')) words.push(one.ariaLabel ?? one.title);
    // Moves that are called the same cannot be told apart.
    const moves = [...place.querySelectorAll('button:is([data-move], [data-change])')]
        .filter((one) => one.checkVisibility() && one.innerText.trim());
    const named = Object.groupBy(moves, (one) => (one.ariaLabel ?? one.innerText).trim());
    const alike = Object.entries(named)
        .filter(([, all]) => new Set(all.map(({ dataset }) => dataset.move ?? dataset.change)).size > 1);
    const owned = document.body.innerText.match(/[^.\n]*[^s\n]s's\b/gi) ?? [];
    return [...bare.map((one) => `has neither a word nor a sign: ${one.outerHTML.slice(0, 160)}`),
        ...unnamed.map((one) => `has a sign and a number, and no word: ${one.outerHTML.slice(0, 160)}`),
        ...words.filter((text) => raw.test(text)).map((text) => `is not for people: ${text.slice(0, 80)}`),
        ...alike.map(([name]) => `is what different moves are called: ${name}`),
        ...owned.map((text) => `reads badly: ${text}`)];
}"""
"""Buttons that are a dash, numbers beside signs that nobody can name, keys and blanks, moves with
the name of another, and owners who end in s and get another one.
"""


CUT = """() => {
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const pen = document.createElement('canvas').getContext('2d'), range = document.createRange();
    // The lowest ink of a line: below its baseline, which is above the end of its box by the descent of its font.
    const isCut = (one) => {
        const edge = one.getBoundingClientRect().top + one.clientTop + one.clientHeight;
        const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            pen.font = getComputedStyle(texts.currentNode.parentElement).font;
            const { fontBoundingBoxDescent: descent, actualBoundingBoxDescent: ink } = pen.measureText('gjpqy');
            range.selectNodeContents(texts.currentNode);
            for (const { top, bottom } of range.getClientRects())
                if ((top + bottom) / 2 < edge && bottom - descent + ink > edge + 0.5) return true;
        }
        return false;
    };
    const isClipped = (one) => !one.closest('.visually-hidden') && getComputedStyle(one).overflowY !== 'visible';
    const lines = shown('h1, h2, h3, h4, .result, .name, .one-line, .clamped, .last-title, .lane-title')
        .filter((one) => isClipped(one) && isCut(one));
    const out = [];
    const HOLDERS = [['.tray > li', '.tray'], ['.left-token > *', '.left-token'], ['.slot > *', '.slot'],
        ['.offer-place > *', '.offer-place']];
    for (const [inner, outer] of HOLDERS)
        for (const one of shown(inner)) {
            const [own, whole] = [one, one.closest(outer)].map((of) => of.getBoundingClientRect());
            const [left, right] = [whole.left - own.left, own.right - whole.right];
            const over = [left, right, whole.top - own.top, own.bottom - whole.bottom];
            if (Math.max(...over) > 1) out.push(`is not whole in its ${outer}: ${one.outerHTML.slice(0, 120)}`);
        }
    // A dock that scrolls by itself cuts shadows: they have the room in it that the column has.
    for (const one of shown('.dock :is(.button, .offer)')) {
        const dock = one.closest('.dock'), { boxShadow } = getComputedStyle(one);
        const [own, column] = [dock, dock.parentElement].map((of) => of.getBoundingClientRect());
        const { left, right, bottom } = one.getBoundingClientRect();
        const [, down, blur] = boxShadow.match(/px (\\d+)px (\\d+)px/)?.map(Number) ?? [0, 0, 0];
        const still = getComputedStyle(dock).overflowY === 'visible' || dock.scrollHeight > dock.clientHeight;
        const over = [Math.min(bottom + down + blur, column.bottom) - own.bottom,
            Math.min(right + blur, column.right) - own.right, own.left - Math.max(left - blur, column.left)];
        if (blur && !still && Math.max(...over) > 1) out.push(`has its shadow cut: ${one.textContent.slice(0, 50)}`);
    }
    // A symbol fits in a diamond where its corners do: their distances from the middle, added, are within half of it.
    for (const face of shown('[data-outline=d8] > .face:not(.numbered)')) {
        const { left, width, top, height } = face.getBoundingClientRect();
        for (const sign of face.querySelectorAll('.glyph')) {
            const { left: from, right: to, top: high, bottom: low } = sign.getBoundingClientRect();
            const far = (ends, middle) => Math.max(...ends.map((end) => Math.abs(end - middle)));
            if (far([from, to], left + width / 2) + far([high, low], top + height / 2) > width / 2)
                out.push(`runs over the edge of its die: ${face.outerHTML.slice(0, 120)}`);
        }
    }
    return [...lines.map((one) => `loses the feet of its letters: ${one.textContent.slice(0, 50)}`), ...out];
}"""
"""Lines whose letters are cut below, and signs that do not fit in what they are drawn on."""


SHORTENED = """() => {
    const isShort = (one) => {
        const { textOverflow, overflowX, webkitLineClamp: lines } = getComputedStyle(one);
        const { scrollWidth, clientWidth, scrollHeight, clientHeight } = one;
        const ends = textOverflow === 'ellipsis' && overflowX !== 'visible';
        return (ends && scrollWidth > clientWidth + 1)
            || (lines !== 'none' && scrollHeight > clientHeight + 1);
    };
    const opens = '[title], button, a, summary, [role=button], input';
    return [...document.querySelectorAll('body *')]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }))
        .filter((one) => !one.closest('.visually-hidden') && !one.closest(opens) && isShort(one))
        .map((one) => `is cut without a way to the whole: ${one.outerHTML.slice(0, 160)}`);
}"""
"""Texts that end in dots, where neither a tap nor a pointer shows the whole."""


LOOK = f"""async ({{ phone, known, least, every }}) => {{
    const still = () => !document.querySelector('.shield, .dock[data-asleep]') && ({SETTLED})();
    for (let n = 0; !still(); n += 1) {{
        if (n > 3600) throw new Error('something moves all the time');
        await new Promise(requestAnimationFrame);
    }}
    const root = document.documentElement, large = Boolean(root.style.fontSize);
    const dressed = async (size) => {{
        root.style.fontSize = size;
        // What is laid out by the height of a bar is so a frame later.
        for (let n = 0; n < 2; n += 1) await new Promise(requestAnimationFrame);
    }};
    const kinds = ({MARK})(known), table = document.querySelector('.table'), twice = table && (every || kinds.length);
    // What is scrolled into view keeps clear of the bars once the page knows how high they are.
    const BARS = [['.thumb', '--thumb-height'], ['.views', '--views-height'],
        ['.screen-foot', 'scroll-padding-block-end']];
    const isKnown = ([bar, property]) => {{
        const height = document.querySelector(bar)?.getBoundingClientRect().height;
        return height === undefined || Math.abs(parseFloat(root.style.getPropertyValue(property)) - height) < 1;
    }};
    // So does the row at the foot of a sheet, which may grow with an answer that has just come.
    const isClear = (foot) => {{
        const kept = parseFloat(foot.closest('dialog').style.scrollPaddingBlockEnd);
        return Number.isNaN(kept) || Math.abs(kept - foot.getBoundingClientRect().height) < 1;
    }};
    const measured = async () => {{
        const feet = () => [...document.querySelectorAll('dialog[open] .form-foot')];
        const known = () => BARS.every(isKnown) && feet().every(isClear);
        for (let n = 0; n < 60 && !known(); n += 1) await new Promise(requestAnimationFrame);
    }};
    const inTwice = async () => {{
        const found = [...await ({SPEAKS})(), ...({TWICE})()];
        await measured();
        if (large) found.push(...({COVERED})().map((one) => `is covered: ${{one}}`), ...({CUT})());
        return found.map((one) => `at twice the size: ${{one}}`);
    }};
    // As the page is, before anything else looks around and scrolls.
    const found = large ? await inTwice() : await ({SPEAKS})();
    if (large) {{
        await dressed('');
        found.push(...await ({SPEAKS})());
    }} else if (twice) {{
        await dressed('200%');
        found.push(...await inTwice());
        await dressed('');
    }}
    await measured();
    const wider = root.scrollWidth - root.clientWidth, taller = root.scrollHeight - root.clientHeight;
    found.push(
        ...({SMALL})(least),
        ...({TOO_WIDE})().map((one) => `runs out of the window: ${{one}}`),
        ...(wider ? [`is ${{wider}} px too wide`] : []),
        // On a large screen the parts of a table scroll, and never the whole.
        ...(!phone && table && taller ? [`scrolls as a whole, by ${{taller}} px`] : []),
        ...({COVERED})().map((one) => `is covered: ${{one}}`),
        ...({STEPS})(),
        ...({WORDS})(),
        ...({CUT})(),
        ...({SHORTENED})(),
        ...(table ? await ({VOICE})() : []),
    );
    return {{ kinds, found }};
}}"""
"""All that is looked for, once nothing moves; and the kinds of elements that no page before had."""


class Look:
    """A window of a size and a theme, in which states are looked at."""

    def __init__(
        self, size: Mapping[str, int], theme: Literal["light", "dark"], reader: Reader
    ) -> None:
        self.size, self.theme, self.reader = size, theme, reader

    def taken(self, guest: Guest) -> None:
        """From here on the guest's window is like this."""
        guest.page.emulate_media(color_scheme=self.theme)
        guest.resize(self.size)

    def troubles(self, guest: Guest, every: bool = False) -> list[str]:
        """All that is wrong with what this guest sees; with `every`, with large text too where
        nothing is new.
        """
        given = {
            "phone": self.size is PHONE,
            "known": self.reader.known,
            "least": TARGET,
            "every": every,
        }
        seen = guest.page.evaluate(LOOK, given)
        self.reader.take(seen["kinds"])
        axe = []
        if self.reader.anything_new:
            axe = violations(guest, whole=self.reader.whole)
        return [f"{self.theme}: {one}" for one in [*seen["found"], *axe, *guest.troubles]]


ELSEWHERE = """() => {
    scrollTo(0, document.body.scrollHeight);
    document.querySelector('.middle').scrollTo(0, 1e6);
}"""
"""The reader has scrolled down."""


def looks() -> list[Look]:
    """Return a dark phone, and a large light screen."""
    reader = Reader()
    return [Look(PHONE, "dark", reader), Look(DESK, "light", reader)]


def chosen(key: str) -> list[State]:
    """The states of a game in the fixed set: those that every game has are each of one game."""
    found = states(key)
    shared = [state.name for state in found if state.shared]
    own = shared[GAMES.index(key) :: len(GAMES)]
    return [state for state in found if not state.shared or state.name in own]


def seats_beside(state: State) -> list[State]:
    """A state as it is seen by the GM, by a player and by a spectator, where they are not those
    whose state it is.
    """
    if not state.records or state.path != TABLE:
        return []
    live = replace(state.live, shown=".table")
    table = fold(live.records)
    own = table.seats[state.seat]
    # A seat that the last move frees sees nothing of what comes of it.
    stay = {seat.id for seat in fold(state.records).seats.values() if seat.here}
    sides = {
        seat.side: seat
        for seat in reversed(list(table.seats.values()))
        if seat.id in stay and seat is not own
    }
    if own.side != "player":
        sides.pop(own.side, None)
    beside = [replace(live, seat=seat.id) for side, seat in sides.items() if side != "spectator"]
    if own.side != "spectator":
        nell = engine.take_seat(systems.get(state.game), table, "Nell", "spectator")
        beside.append(replace(live, records=after(live.records, [nell]), seat=nell.seat.id))
    return [replace(one, name=f"{state.name}, to {one.seat}") for one in beside]


LARGE = "(large) => { document.documentElement.style.fontSize = large ? '200%' : ''; }"
"""Sets the size of the text."""


class Walk:
    """A walk through the states of a game: in which window each is seen, and what was wrong
    there.
    """

    def __init__(self, come: Come, house: House) -> None:
        self.come, self.house, self.order = come, house, looks()
        self.regular = come(self.order[0].size, regular=True)
        self.wrong: dict[str, list[str]] = {}

    def enter(self, state: State, live: bool, large: bool = False) -> Guest:
        """Open a state in the window whose turn it is; `live`, its last move is made while the
        reader is elsewhere.
        """
        shown, state = state.shown, state.live if live else state
        alone = state.new or state.path == "/"
        visitor = self.come(self.order[0].size, regular=not state.new) if alone else self.regular
        self.order[0].taken(visitor)
        speaks = (*state.others, state.then.seat) if state.then else state.others
        arrive(visitor, self.house, replace(state, others=speaks))
        visitor.page.evaluate(ALL_NEW)
        if state.taps:
            # A reader who has tapped something reads that, wherever on the page it is.
            visitor.still()
            visitor.page.evaluate(SPOKE)
        tap(visitor, state)
        visitor.page.evaluate(LARGE, large)
        if state.then:
            visitor.page.evaluate(SPOKE)
            visitor.go_elsewhere()
            visitor.caught_up(act(visitor, state.then))
            visitor.see(shown)
        return visitor

    def dress(self, visitor: Guest, large: bool) -> None:
        """Show what is open in the window whose turn it is, with text of this size."""
        self.order[0].taken(visitor)
        visitor.page.evaluate(LARGE, large)

    def look(self, state: State, visitor: Guest) -> None:
        """Look at what was entered, first in the window whose turn it is and then in the other
        one.
        """
        self.note(state, self.order[0].troubles(visitor, every=True))
        # The next state is opened as this one is seen last.
        self.order.reverse()
        self.order[0].taken(visitor)
        self.note(state, self.order[0].troubles(visitor, every=True))

    def press(self, state: State, visitor: Guest, presser: Presser, large: bool = False) -> None:
        """Press what no state before had, with text of this size."""
        visitor.page.evaluate(LARGE, large)
        what = "is dead at twice the size" if large else "is dead"
        dead = [f"{what}: {one}" for one in presser.dead(visitor, whole=state.shared)]
        self.note(state, [*dead, *visitor.troubles])
        visitor.page.evaluate(LARGE, False)

    def note(self, state: State, found: list[str]) -> None:
        """Note what was wrong with a state."""
        if found:
            self.wrong.setdefault(state.name, []).extend(found)


@pytest.mark.parametrize("key", GAMES)
def test_no_state_of_a_game_has_a_fault(come: Come, house: House, key: str) -> None:
    """On a phone axe finds nothing, nothing is too wide or covered, and the browser does not
    complain.
    """
    walk = Walk(come, house)
    for state in chosen(key):
        visitor = walk.enter(state, live=False)
        walk.note(state, walk.order[0].troubles(visitor))
        visitor.troubles.clear()
    assert {} == walk.wrong, walk.wrong


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", GAMES)
def test_no_state_has_a_fault_in_another_window(come: Come, house: House, key: str) -> None:
    """In each state the same holds on a dark phone and on a large light screen, with text of both
    sizes, where its last move is made while the page is open, and as other seats see it.

    What every state brings is pressed, with text of both sizes too.
    """
    walk, small, large = Walk(come, house), Presser(), Presser()
    for state in states(key):
        visitor = walk.enter(state, live=False)
        walk.look(state, visitor)
        walk.press(state, visitor, small)
        seen = False
        for n, in_large in enumerate((False, False, True, True)):
            if n:
                walk.order.reverse()
            # Where no move leads to it, one page is looked at in all sizes until something is
            # pressed on it.
            if seen and state.live.then is None:
                walk.dress(visitor, in_large)
            else:
                visitor = walk.enter(state, live=True, large=in_large)
            walk.note(state, walk.order[0].troubles(visitor, every=not in_large))
            if in_large:
                walk.press(state, visitor, large, large=True)
            seen = not in_large
        visitor.troubles.clear()
        walk.order.reverse()
        for beside in seats_beside(state):
            visitor = walk.enter(beside, live=True)
            walk.look(beside, visitor)
            visitor.troubles.clear()
    assert {} == walk.wrong, walk.wrong


NEWS = [("c2d10", "turn-player"), ("destinydice", "attacked-gm"), ("dune", "keep-gm")]


@pytest.mark.parametrize(("key", "name"), NEWS)
def test_what_a_move_brings_is_in_sight(come: Come, house: House, key: str, name: str) -> None:
    """Dice come into view with the turn they began, a dock that was scrolled says what it asks, a
    notice has room.
    """
    walk, state = Walk(come, house), next(state for state in states(key) if state.name == name)
    for large in (False, True):
        visitor = walk.enter(state, live=True, large=large)
        walk.note(state, walk.order[0].troubles(visitor))
    assert {} == walk.wrong


def test_what_has_fallen_stays_in_sight_in_another_window(come: Come, house: House) -> None:
    """On a phone its card is drawn again in another place: with text of twice the size it is
    scrolled to there.
    """
    walk = Walk(come, house)
    state = next(state for state in states("genesys") if state.name == "beyond-gm")
    for beside in (state, *seats_beside(state)):
        # First on a large screen, then on the phone.
        walk.order.sort(key=lambda look: look.size is PHONE)
        visitor = walk.enter(beside, live=True)
        walk.look(beside, visitor)
    assert {} == walk.wrong


def test_why_an_answer_is_closed_is_clear_of_the_foot_of_its_form(come: Come, house: House) -> None:
    """With large text the foot would be half as high as a phone, and the reason stands below all
    answers.
    """
    walk, state = (
        Walk(come, house),
        next(one for one in states("dune") if one.name == "turn.players-player"),
    )
    guest = walk.enter(state, live=True, large=True)
    guest.awake()
    guest.page.locator(".dock [data-change='conflict.attack']").click()
    target = guest.page.locator("dialog[open] fieldset.picks", has_text="Target")
    for who in ("Swordmaster", "Envoy"):
        guest.page.locator("dialog[open]").evaluate("one => one.scrollTo(0, 0)")
        target.locator("label.pick", has_text=who).locator("input").dispatch_event("click")
        expect(target.locator(".why")).to_contain_text(f"{who}: A defeat has put")
        guest.still()
        foot, why = (
            target.page.locator(f"dialog[open] {one}") for one in (".form-foot", ".why:not(:empty)")
        )
        clear = """([foot, why]) => why.getBoundingClientRect().bottom
            <= Math.min(foot.getBoundingClientRect().top, innerHeight) + 1"""
        assert guest.page.evaluate(clear, [foot.element_handle(), why.element_handle()])


BREAK = """() => {
    const add = (name, style) => document.body.appendChild(Object.assign(document.createElement(name), { style }));
    add('button', 'position: fixed; inset-block-end: 20px; z-index: 1; width: 60px; height: 60px');
    add('p', 'width: 200vw; height: 4px');
    add('p', 'position: fixed; inset: 0 0 50%; width: 100vw');
    const sign = Object.assign(add('p', 'position: fixed; inset: 0 auto auto 0'), { className: 'inline' });
    sign.append(Object.assign(document.createElement('svg'), { className: 'glyph' }), '1.4');
    add('p', 'position: fixed; inset: 0 auto auto 0').textContent = "The hands's turn";
    add('p', 'position: fixed; inset: 20% auto auto 0').textContent = 'immediate_only';
    add('p', 'position: fixed; inset: 25% auto auto 0; width: 40px; overflow: hidden; white-space: nowrap; '
        + 'text-overflow: ellipsis').textContent = 'A sentence without its end';
    for (const move of ['one.do', 'other.do']) {
        const twin = add('button', 'position: fixed; inset: 10% auto auto 0; width: 60px; height: 60px');
        Object.assign(twin.dataset, { move });
        Object.assign(twin, { textContent: 'A twin', disabled: true });
    }
    add('p', 'position: fixed; inset: 0 auto auto 0; line-height: 0.5; height: 9px').className = 'one-line';
    document.body.lastChild.textContent = 'going';
    const lock = Object.assign(add('button', 'position: fixed; inset: 40% auto auto 0'), { className: 'menu-row' });
    lock.setAttribute('aria-disabled', 'true');
    lock.textContent = 'A lock';
    add('button', 'position: fixed; inset: 30% auto auto 0; width: 60px; height: 60px').textContent = '–';
    const table = document.querySelector('.table');
    table.append(Object.assign(document.createElement('p'), { textContent: 'Waiting for Godot.' }));
    console.error('a mistake');
}"""


def test_faults_are_found(come: Come, house: House) -> None:
    """A button without a name, below a bar; one that does nothing; a paragraph wider than the
    window; a complaint.

    So are a sentence about a wait that there is not, a lock without a reason, and letters that are
    cut.
    """
    guest, [phone, _] = come(PHONE, regular=True), looks()
    phone.taken(guest)
    visit(guest, house, next(state for state in states("genesys") if state.name == "spectator"))
    assert [] == phone.troubles(guest)
    guest.page.evaluate(BREAK)
    found = "\n".join(phone.troubles(guest))
    mistakes = (
        "button-name",
        "is covered",
        "runs out of the window",
        "too wide",
        "a mistake",
        "twice the size",
    )
    more = (
        "out of sight",
        "no word",
        "reads badly",
        "loses the feet",
        "A lock",
        "neither a word nor a sign",
        "Godot",
        "is cut without a way to the whole",
    )
    others = "not for people", "different moves"
    assert [] == [one for one in (*mistakes, *more, *others) if one not in found]
    # What comes to rest after a press is taken for what the press has changed: on a busy machine it
    # is pressed again.
    guest.still()
    tries = (Presser().dead(guest, whole=False) for _ in range(5))
    assert 1 == len(next(filter(None, tries)))
    guest.troubles.clear()
