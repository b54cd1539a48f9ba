"""The recap of a session as a leaflet and as one picture to send to friends."""

from collections.abc import Sequence

from storypool.engine.game.system import System
from storypool.pictures import Theme
from storypool.pictures.drawing import EDGE, NUMBER, TITLE, WIDTH, Drawing, clipped
from storypool.pictures.leaflet import Leaf, Leaflet
from storypool.worth.session_view import LuckView, PoolView, SessionView

PLOT, LEFT = 120, 40
"""The height of the plot of the pools, and its left edge, in pixels."""
MARKS = ("first", "second", "quiet")
"""The colours of the pools, in order."""
DASHES = ("none", "5 4", "2 3")
MAX_SPENDS = 60
"""The most spends with a row of their own."""
METER_WIDTH_PX = 110
"""The width of a luck meter in pixels."""


def leaflet(view: SessionView, system: System) -> Leaflet:
    """The recap as text, Markdown or a page."""
    words = system.words
    if not view.session:
        return Leaflet(view.title, (words["recap.none"],), (), (), words.language)
    session = words.say("recap.session", n=view.session)
    running = (words["recap.running"],) if view.running else ()
    leaves = (
        _pools(view, system),
        _spends(view, system),
        _luck(view, system),
        _hinges(view, system),
    )
    locks = Leaf(words["recap.part.locks"], lines=tuple(one.text for one in view.locks))
    shown = tuple(leaf for leaf in (*leaves, locks) if leaf.rows or leaf.lines)
    pictures = (picture(view, system),) if view.pools else ()
    return Leaflet(
        view.title,
        (session, *running, *(line.text for line in view.lines)),
        shown,
        pictures,
        words.language,
    )


def _pools(view: SessionView, system: System) -> Leaf:
    rows = []
    for pool in view.pools:
        balances = [n for _, n in pool.steps]
        ends = balances[0], min(balances), max(balances), balances[-1]
        rows.append((_name(pool, system), *map(str, ends)))
    return Leaf(
        system.words["recap.part.pools"],
        _heads(system, "pool", "start", "low", "high", "end"),
        tuple(rows),
    )


def _spends(view: SessionView, system: System) -> Leaf:
    rows = [(one.who, one.move, one.action, one.price, one.change) for one in view.spends]
    heads = _heads(system, "who", "what", "action", "points", "gained")
    lines = [*view.bought, *view.about["spends"]]
    if len(rows) > MAX_SPENDS:
        lines.append(system.words.say("recap.spends.first", n=MAX_SPENDS, all=len(rows)))
    return Leaf(system.words["recap.part.spends"], heads, tuple(rows[:MAX_SPENDS]), tuple(lines))


def _luck(view: SessionView, system: System) -> Leaf:
    rows = []
    for one in view.luck:
        usual = system.words.say("recap.luck.between", low=one.low, high=one.high)
        rows.append((one.who, str(one.rolls), str(one.place), usual))
    heads = _heads(system, "who", "rolls", "place", "usual")
    return Leaf(system.words["recap.part.luck"], heads, tuple(rows), tuple(view.about["luck"]))


def _hinges(view: SessionView, system: System) -> Leaf:
    lines = (*view.about["hinges"], *(one.text for one in view.hinges))
    return Leaf(system.words["recap.part.hinges"], lines=lines)


def picture(view: SessionView, system: System, theme: Theme = "auto") -> str:
    """The session as one SVG picture: its lines, its pools, its luck and its moments."""
    words, drawing = system.words, Drawing()
    drawing.paragraph(view.title, TITLE, bold=True)
    for text in [line.text for line in view.lines] or [words["recap.none"]]:
        drawing.paragraph(text, NUMBER, "quiet")
    _draw_plot(drawing, view, system)
    if view.luck:
        drawing.y += 10
        drawing.paragraph(words["recap.part.luck"], bold=True)
        for one in view.luck:
            drawing.y += 18
            drawing.write(EDGE, drawing.y, f"{clipped(one.who, 24)} ({one.rolls})", NUMBER)
            _draw_meter(drawing, one)
        drawing.y += 6
        drawing.paragraph(words["recap.picture.luck"], NUMBER, "quiet")
    if view.hinges:
        drawing.y += 10
        drawing.paragraph(words["recap.part.hinges"], bold=True)
        for hinge in view.hinges:
            drawing.paragraph(hinge.text, NUMBER)
            drawing.y += 4
    pools = ", ".join(_name(pool, system) for pool in view.pools)
    if pools:
        about = words.say("recap.picture.about", pools=pools)
    else:
        about = view.title
    return drawing.svg(view.title, about, theme)


def _draw_meter(drawing: Drawing, one: LuckView) -> None:
    """Draw a percentile from 0 to 100, the usual range for fair dice, and a mark at 50."""
    left, y = WIDTH - EDGE - 30 - METER_WIDTH_PX, drawing.y - 4

    def x(place: int) -> float:
        return left + place / 100 * METER_WIDTH_PX

    drawing.put(
        "path",
        "none",
        stroke="line",
        d=f"M{left} {y}H{left + METER_WIDTH_PX}M{x(50)} {y - 4}V{y + 4}",
    )
    usual = f"M{x(one.low):.1f} {y}H{x(one.high):.1f}"
    drawing.put("path", "none", stroke="line", d=usual, stroke_width=5, stroke_opacity="0.5")
    drawing.put("circle", "first", cx=x(one.place), cy=y, r=4)
    drawing.write(WIDTH - EDGE, drawing.y, str(one.place), NUMBER, anchor="end", bold=True)


def _is_used(pool: PoolView) -> bool:
    return any(n for _, n in pool.steps)


def _draw_plot(drawing: Drawing, view: SessionView, system: System) -> None:
    """Draw the pools as steps, record by record."""
    shown = list(filter(_is_used, view.pools))
    if not shown:
        return
    first = min(pool.steps[0][0] for pool in shown)
    last = max(pool.steps[-1][0] for pool in shown)
    most = max(n for pool in shown for _, n in pool.steps)
    top = drawing.y + 14

    def x(seq: int) -> float:
        return LEFT + (seq - first) * (WIDTH - EDGE - LEFT) / max(1, last - first)

    def y(n: int) -> float:
        return top + PLOT * (1 - n / most)

    for n in sorted({0, most // 2, most}):
        drawing.put(
            "path",
            "none",
            stroke="line",
            d=f"M{LEFT} {y(n):.1f}H{WIDTH - EDGE}",
            stroke_opacity="0.5",
        )
        drawing.write(LEFT - 8, y(n) + 4, str(n), size=NUMBER, fill="quiet", anchor="end")
    looks = [(MARKS[i % len(MARKS)], DASHES[i % len(DASHES)], pool) for i, pool in enumerate(shown)]
    for mark, dashes, pool in looks:
        path = _stairs([(x(seq), y(n)) for seq, n in pool.steps], x(last))
        drawing.put("path", "none", stroke=mark, d=path, stroke_width=2.5, stroke_dasharray=dashes)
    drawing.y = top + PLOT + 8
    for mark, dashes, pool in looks:
        drawing.y += 18
        line = f"M{EDGE} {drawing.y - 4:.1f}H{EDGE + 20}"
        drawing.put("path", "none", stroke=mark, d=line, stroke_width=2.5, stroke_dasharray=dashes)
        drawing.write(EDGE + 28, drawing.y, _name(pool, system), NUMBER)
    drawing.y += 4


def _stairs(steps: Sequence[tuple[float, float]], end: float) -> str:
    (x, y), *rest = steps
    return f"M{x:.1f} {y:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in rest) + f"H{end:.1f}"


def _heads(system: System, *names: str) -> tuple[str, ...]:
    return tuple(system.words[f"recap.head.{name}"] for name in names)


def _name(pool: PoolView, system: System) -> str:
    name = system.plural(pool.account)
    return name[:1].upper() + name[1:]
