"""The recap of a session as a leaflet and as one picture to send to friends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt

from storypool.engine.system import System
from storypool.pictures.drawing import EDGE, NUMBER, TITLE, WIDTH, Drawing, Theme, clipped
from storypool.pictures.leaflet import Leaf, Leaflet
from storypool.pictures.rows import percent
from storypool.worth.session import SessionRecap

NINE_OF_TEN = 1.645
"""How many standard deviations to either side hold nine of ten means."""
PLOT, LEFT = 120, 40
"""The height of the plot of the pools, and its left edge."""
MARKS = ("first", "second", "quiet")
"""The colours of the pools, in their order."""
DASHES = ("none", "5 4", "2 3")
MOST_TOLD = 60
"""The most spends that are told one by one."""


def leaflet(of: SessionRecap, system: System, title: str) -> Leaflet:
    """Return a recap in the words of its game."""
    words, lines = system.words, tuple(line.text for line in of.short.lines)
    if not of.short.session:
        return Leaflet(words.say("recap.title", table=title), (words["recap.none"],), (), (), words.language)
    session = words.say("recap.session", n=of.short.session)
    running = (words["recap.running"],) if of.short.running else ()
    leaves = (_pools(of, system), _spends(of, system), _luck(of, system), _hinges(of, system), _locks(of, system))
    told = tuple(leaf for leaf in leaves if leaf.rows or leaf.lines)
    pictures = (picture(of, system, title),) if of.pools else ()
    head = (session, *running, *lines)
    return Leaflet(words.say("recap.title", table=title), head, told, pictures, words.language)


def _pools(of: SessionRecap, system: System) -> Leaf:
    heads = _heads(system, "pool", "start", "low", "high", "end")
    rows = []
    for name, steps in of.pools.items():
        balances = [n for _, n in steps]
        rows.append((_pool(system, name), *map(str, (balances[0], min(balances), max(balances), balances[-1]))))
    return Leaf(system.words["recap.part.pools"], heads, tuple(rows))


def _spends(of: SessionRecap, system: System) -> Leaf:
    heads = _heads(system, "who", "what", "action", "points", "gained")
    rows, sums = [], dict[str, tuple[int, Fraction]]()
    for one in of.spends:
        signs = (*(("", *paid) for paid in one.points.items()), *(("+", *added) for added in one.adds.items()))
        price = ", ".join(f"{sign}{n} {system.word(account, n)}" for sign, account, n in signs)
        gained = "" if one.gained is None else _change(one.gained)
        rows.append((one.who, one.move, one.action, price, gained))
        n, much = sums.get(one.who, (0, Fraction(0)))
        sums[one.who] = n + sum(one.points.values()) + sum(one.adds.values()), much + (one.gained or 0)
    say = system.words.say
    lines = [say("recap.bought", who=who, n=n, gained=_change(much)) for who, (n, much) in sums.items()]
    return Leaf(system.words["recap.part.spends"], heads, tuple(rows[:MOST_TOLD]), tuple(lines))


def _luck(of: SessionRecap, system: System) -> Leaf:
    words, rows = system.words, []
    for (who, side), (n, place) in of.luck().items():
        reach = Fraction(round(1000 * NINE_OF_TEN * sqrt(1 / (12 * n))), 1000)
        low, high = max(Fraction(0), Fraction(1, 2) - reach), min(Fraction(1), Fraction(1, 2) + reach)
        usual = words.say("recap.luck.between", low=_hundredth(low), high=_hundredth(high))
        rows.append((who or _side(system, side), str(n), _hundredth(place), usual))
    heads = _heads(system, "who", "rolls", "place", "usual")
    lines = (words["recap.luck.is"], words["recap.luck.not"]) if rows else ()
    return Leaf(words["recap.part.luck"], heads, tuple(rows), lines)


def _hinges(of: SessionRecap, system: System) -> Leaf:
    told = tuple(_hinge_lines(of, system))
    words = system.words
    return Leaf(words["recap.part.hinges"], lines=(words["recap.hinges.are"], *told) if told else ())


def _hinge_lines(of: SessionRecap, system: System) -> Iterator[str]:
    for one in of.hinges():
        result = system.words["recap.passed" if one.passed else "recap.failed"]
        told = {"who": one.who, "title": one.action, "result": result, "chance": percent(one.chance)}
        if one.bought:
            yield system.words.say("recap.hinge.bought", **told, bought=percent(one.bought))
        else:
            yield system.words.say("recap.hinge", **told)


def _locks(of: SessionRecap, system: System) -> Leaf:
    say, lines = system.words.say, []
    for one in of.locks if of.locks and of.locks[0].actions else ():
        side = _side(system, one.side)
        told = {"n": one.without, "actions": one.actions, "longest": one.longest}
        lines.append(say("recap.lock.some", side=side, **told) if one.without else say("recap.lock.none", side=side))
    return Leaf(system.words["recap.part.locks"], lines=tuple(lines))


def picture(of: SessionRecap, system: System, title: str, theme: Theme = "auto") -> str:
    """Return the session as one picture in SVG: its lines, its pools, its luck and its moments."""
    words, drawing = system.words, Drawing()
    drawing.paragraph(title, TITLE, bold=True)
    for line in of.short.lines:
        drawing.paragraph(line.text, NUMBER, "quiet")
    _plot(drawing, of, system)
    if luck := of.luck():
        drawing.y += 10
        drawing.paragraph(words["recap.part.luck"], bold=True)
        for (who, side), (n, place) in luck.items():
            drawing.y += 18
            name = clipped(who or _side(system, side), 24)
            drawing.write(EDGE, drawing.y, f"{name} ({n})", NUMBER)
            _meter(drawing, place)
        drawing.y += 6
    if hinges := list(_hinge_lines(of, system)):
        drawing.y += 10
        drawing.paragraph(words["recap.part.hinges"], bold=True)
        for told in hinges:
            drawing.paragraph(told, NUMBER)
    about = words.say("recap.picture.about", pools=", ".join(_pool(system, name) for name in of.pools))
    return drawing.svg(title, about, theme)


def _meter(drawing: Drawing, place: Fraction) -> None:
    """Draw where a mean of places lies between 0 and 100, with a mark at 50."""
    left, wide = WIDTH - EDGE - 140, 110
    y = drawing.y - 4
    drawing.put("path", "none", stroke="line", d=f"M{left} {y}H{left + wide}M{left + wide / 2} {y - 4}V{y + 4}")
    drawing.put("circle", "first", cx=left + float(place) * wide, cy=y, r=4)
    drawing.write(WIDTH - EDGE, drawing.y, _hundredth(place), NUMBER, anchor="end", bold=True)


def _plot(drawing: Drawing, of: SessionRecap, system: System) -> None:
    """Draw the pools as steps, record by record."""
    shown = {name: steps for name, steps in of.pools.items() if any(n for _, n in steps)}
    if not shown:
        return
    first = min(steps[0][0] for steps in shown.values())
    last = max(max(seq for seq, _ in steps) for steps in shown.values())
    most = max(n for steps in shown.values() for _, n in steps)
    top = drawing.y + 14

    def x(seq: int) -> float:
        return LEFT + (seq - first) * (WIDTH - EDGE - LEFT) / max(1, last - first)

    def y(n: int) -> float:
        return top + PLOT * (1 - n / most)

    for n in sorted({0, most // 2, most}):
        drawing.put("path", "none", stroke="line", d=f"M{LEFT} {y(n):.1f}H{WIDTH - EDGE}", stroke_opacity="0.5")
        drawing.write(LEFT - 8, y(n) + 4, str(n), NUMBER, "quiet", "end")
    for i, (_, steps) in enumerate(shown.items()):
        path = _stairs([(x(seq), y(n)) for seq, n in steps], x(last))
        mark, dashes = MARKS[i % len(MARKS)], DASHES[i % len(DASHES)]
        drawing.put("path", "none", stroke=mark, d=path, stroke_width=2.5, stroke_dasharray=dashes)
    drawing.y = top + PLOT + 8
    for i, name in enumerate(shown):
        drawing.y += 18
        mark, dashes = MARKS[i % len(MARKS)], DASHES[i % len(DASHES)]
        line = f"M{EDGE} {drawing.y - 4:.1f}H{EDGE + 20}"
        drawing.put("path", "none", stroke=mark, d=line, stroke_width=2.5, stroke_dasharray=dashes)
        drawing.write(EDGE + 28, drawing.y, _pool(system, name), NUMBER)
    drawing.y += 4


def _stairs(steps: Sequence[tuple[float, float]], end: float) -> str:
    (x, y), *rest = steps
    return f"M{x:.1f} {y:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in rest) + f"H{end:.1f}"


def _heads(system: System, *names: str) -> tuple[str, ...]:
    return tuple(system.words[f"recap.head.{name}"] for name in names)


def _side(system: System, side: str) -> str:
    if side == "players":
        return system.words["recap.side.players"]
    return system.words.say("recap.side.gm", gm=_capital(system.words["wait.gm"]))


def _pool(system: System, name: str) -> str:
    return _capital(system.plural(name))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _change(gained: Fraction) -> str:
    """Return a change of a chance in points of a hundred, with its sign."""
    sign = "−" if gained < 0 else "+"
    return f"{sign}{percent(abs(gained))}"


def _hundredth(share: Fraction) -> str:
    return str(round(100 * share))
