"""The page of a story, for people outside of the table: it reads without scripts and an account.

Everything on it comes from what everybody at the table saw (`worth.session_story`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from storypool.engine.game.system import System
from storypool.pictures.markup import Content, Markup, element, fragment, page
from storypool.web.prints.drawn_dice import drawn_die, face_of, glyph
from storypool.web.wire import encode
from storypool.words import Words
from storypool.worth.session_story import MAX_SPENDS, Player, SessionLine, Story, Throw

STYLES = (
    "fonts/fonts.css",
    "css/tokens.css",
    "css/base.css",
    "css/dice.css",
    "css/worlds.css",
    "css/story.css",
)
SCRIPT = "js/sessions/story-page.js"
PICTURE_SIZE = (1200, 630)
"""The width and height in pixels of the picture that chats show."""
DRAWN_NAME = 32
"""A portrait with a shorter key is one of the page's own drawings."""


@dataclass(frozen=True, slots=True)
class Dress:
    """How the page of a story looks, and where it is: its world, its addresses, its words.

    `path` is that of the page, `query` selects a session of a campaign, `base` is the server's own
    address. `draws`: the extra for pictures is installed. `pictures` are the portraits that
    everybody sees now.
    """

    words: Words
    path: str
    base: str = ""
    query: str = ""
    world: str = ""
    hues: Mapping[str, int] = field(default_factory=dict)
    draws: bool = False
    pictures: frozenset[str] = frozenset()

    def address(self, part: str = "") -> str:
        """The address of the page, or of a part of it."""
        return f"{self.path}{part}{self.query}"


def story_page(story: Story, system: System, dress: Dress) -> Markup:
    """A session as a page: its title, its people, the rolls that mattered, the last lines."""
    words, whole = dress.words, story.whole
    about = about_session(story, words)
    first = next((line.text for line in whole.lines if line.kind != "who"), about)
    skipped = ("who",) if story.people else ()
    lines = [line.text for line in whole.lines if line.kind not in skipped]
    body = [
        _title_card(story, dress),
        _part(words["recap_page.people"], _people(story.people, dress)),
        _part(words["recap_page.throws"], [_throw(one, system, dress) for one in story.throws]),
        _part(words["recap_page.lines"], _list(lines)),
        _part(words["recap_page.spent"], _spends(story, words)),
        _part(words["recap_page.last"], _last(story.last)),
        _foot(dress, back=bool(dress.query)),
    ]
    return _document(story.title, f"{about}. {first}", body, dress)


def campaign_page(
    title: str, sessions: Sequence[SessionLine], dress: Dress, *, game: str = ""
) -> Markup:
    """All sessions of a table as a page: when, who was there, the points, a line, the recap."""
    words = dress.words
    count = words.say("recap_page.count", n=len(sessions))
    card = _card(title, [words["recap_page.campaign"], " · ".join(filter(None, [count, game]))])
    items = [element("li", _session(one, dress), class_="card stack gap-2") for one in sessions]
    listed = element("ul", items, class_="stack") if items else _text(words["recap_page.none"])
    body = [card, _part(words["recap_page.all"], listed), _foot(dress)]
    return _document(title, f"{words['recap_page.campaign']}: {count}.", body, dress)


def gone_page(words: Words) -> Markup:
    """The page for a link that was revoked, or never was one."""
    body = [
        element("h1", words["recap_page.gone"], class_="result"),
        _text(words["recap_page.goneText"]),
        element("p", words["recap_page.goneText.remedy"], class_="quiet"),
    ]
    card = element("header", body, class_="story-card card stack")
    dress = Dress(words, "")
    return _document(words["recap_page.gone"], words["recap_page.goneText"], card, dress)


def about_session(story: Story, words: Words) -> str:
    """The number and the day of a session."""
    return words.say("recap_page.about", n=story.session, day=_day(story.began))


def _document(title: str, about: str, body: Content, dress: Dress) -> Markup:
    head = [
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="dark light"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="robots", content="noindex"),
        element("title", title),
        element("link", rel="icon", href="/static/favicon.svg", type="image/svg+xml"),
        [element("link", rel="stylesheet", href=f"/static/{path}") for path in STYLES],
        list(_preview(title, about, dress)) if dress.path else (),
        element("script", type="module", src=f"/static/{SCRIPT}"),
    ]
    main = element("main", body, class_="story stack")
    more = {f"data_{name}": str(value) for name, value in dress.hues.items()}
    if dress.world:
        more["data_world"] = dress.world
    return page(dress.words["language"], head, main, **more)


def _preview(title: str, about: str, dress: Dress) -> Iterator[Markup]:
    """The preview of a link in other programs: the title, a sentence and the picture."""
    found = {
        "og:type": "article",
        "og:site_name": "Storypool",
        "og:title": title,
        "og:description": about[:300],
        "og:url": dress.base + dress.address(),
    }
    if dress.draws:
        width, height = PICTURE_SIZE
        found["og:image"] = dress.base + dress.address("/picture.png")
        found |= {"og:image:width": str(width), "og:image:height": str(height)}
        found["og:image:alt"] = dress.words["recap_page.pictured"]
    for name, content in found.items():
        yield element("meta", property=name, content=content)
    yield element("meta", name="description", content=about[:300])
    card = "summary_large_image" if dress.draws else "summary"
    yield element("meta", name="twitter:card", content=card)


def _title_card(story: Story, dress: Dress) -> Markup:
    words = dress.words
    session = words.say("recap_page.session", n=story.session)
    lines: list[Content] = [(session, " · ", element("time", _day(story.began)))]
    if story.scenes:
        lines.append(element("bdi", words["list.semicolon"].join(story.scenes)))
    if story.whole.running:
        lines.append(words["recap_page.running"])
    return _card(story.title, lines)


def _card(title: str, lines: Sequence[Content]) -> Markup:
    return element(
        "header",
        element("div", _glyph("storypool"), class_="story-sign", aria_hidden="true"),
        element("h1", element("bdi", title), class_="result"),
        [element("p", line, class_="quiet") for line in lines],
        class_="story-card card stack gap-2",
    )


def _glyph(name: str) -> Markup:
    shapes = Markup("".join(element(tag, **attributes) for tag, attributes in glyph(name)))
    more = {"fill": "none", "stroke": "currentColor", "stroke-width": "2"}
    return element("svg", shapes, viewBox="0 0 24 24", class_="story-glyph", **more)


def _part(title: str, content: Content) -> Markup:
    """A part of the page under its heading; nothing without content."""
    inside = fragment(content)
    if not inside:
        return Markup("")
    return element("section", element("h2", title, class_="label"), inside, class_="stack gap-2")


def _text(text: str) -> Markup:
    """A paragraph, isolated in its own direction of writing."""
    return element("p", element("bdi", text))


def _list(texts: Sequence[str]) -> Content:
    items = [element("li", element("bdi", text)) for text in texts]
    return element("ul", items, class_="stack gap-1") if items else ()


def _people(people: Sequence[Player], dress: Dress) -> Content:
    items = [
        element(
            "li",
            _portrait(one, dress),
            element("strong", element("bdi", one.name)),
            element("span", dress.words.say("recap_page.as", who=one.seat), class_="fine quiet"),
            class_="stack gap-1",
        )
        for one in people
    ]
    return element("ul", items, class_="story-people cluster gap-4") if items else ()


def _portrait(one: Player, dress: Dress) -> Markup:
    """A portrait that everybody sees still; else the first letter of the name."""
    if not one.picture or one.picture not in dress.pictures:
        return element("span", one.name[:1], class_="story-face", aria_hidden="true")
    address = dress.address(f"/portraits/{one.picture}")
    if len(one.picture) < DRAWN_NAME:
        address = f"/static/faces/{one.picture}.svg"
    return element("img", src=address, alt="", width=72, height=72, class_="story-face")


def _throw(one: Throw, system: System, dress: Dress) -> Markup:
    """A roll with its dice, its result, why it mattered, and its moving picture if asked for."""
    words, title = dress.words, ": ".join(filter(None, [one.who, one.title]))
    moving = dress.words.say("recap_page.moving", who=one.who, title=one.title)
    parts: list[Content] = [
        element("h3", element("bdi", title)),
        _dice(one, system, words),
        element("p", element("bdi", one.words), class_="result story-result"),
    ]
    if one.about:
        parts.append(element("p", element("bdi", one.about), class_="fine quiet"))
    if one.proof:
        parts.append(element("p", words[f"recap_page.proof.{one.proof}"], class_="fine quiet"))
    if dress.draws and one.rolled:
        address = dress.address(f"/throws/{one.seq}.gif")
        picture = element("img", src=address, alt=moving, loading="lazy", class_="story-moving")
        again = element("summary", words["recap_page.again"], class_="button")
        save = element(
            "a",
            words["recap_page.save"],
            href=address,
            class_="button",
            data_kind="plain",
            download="roll.gif",
        )
        parts.append(element("div", element("details", again, picture), save, class_="cluster"))
    passed = {True: "true", False: "false", None: ""}[one.passed]
    return element(
        "article",
        parts,
        class_="story-throw card stack gap-2",
        data_passed=passed,
        data_dice=_data(one, system),
    )


def _data(one: Throw, system: System) -> str:
    """A roll with its dice and their looks, for the script that throws them in space."""
    names = {die.name for die in one.dice}
    for die in one.dice:
        names.update(*die.faces)
    look = {name: system.look[name] for name in sorted(names) if name in system.look}
    return encode({"rolled": one.rolled, "dice": one.dice, "look": look}).decode()


def _dice(one: Throw, system: System, words: Words) -> Markup:
    items = []
    for rolled, die in zip(one.rolled, one.dice, strict=True):
        face = face_of(system, die, rolled.face, words)
        look = system.look.get(die.name)
        label = f"{system.word(die.name, 1)}: {face.words}"
        drawing = element(
            "svg",
            drawn_die(system, die, face),
            viewBox="0 0 24 24",
            role="img",
            aria_label=label,
            class_="story-die",
            data_colour=(look.colour if look else "") or "grey",
        )
        items.append(element("li", drawing))
    return element("ul", items, class_="story-dice cluster gap-1")


def _spends(story: Story, words: Words) -> Content:
    """A sentence for each person, and the spends one by one, those that bought most first."""
    whole = story.whole
    sentences = [_text(text) for text in whole.bought]
    spends = sorted(whole.spends, key=lambda one: (not one.gained, one.seq))[:MAX_SPENDS]
    rows = []
    for one in sorted(spends, key=lambda one: one.seq):
        what = ": ".join(filter(None, [one.who, one.move]))
        action = words.say("recap_page.for", action=one.action) if one.action else ""
        more = " · ".join(filter(None, [one.price, action, one.change]))
        rows.append(
            element(
                "li",
                element("bdi", what),
                element("span", element("bdi", more), class_="fine quiet block"),
            )
        )
    return (sentences, element("ul", rows, class_="stack gap-2") if rows else ())


def _last(lines: Sequence[str]) -> Content:
    quoted = [element("p", element("bdi", line)) for line in lines]
    return element("blockquote", quoted, class_="story-last stack gap-1") if quoted else ()


def _session(one: SessionLine, dress: Dress) -> Content:
    words = dress.words
    spent = words.say("recap_page.points", n=one.spent) if one.spent else ""
    title = words.say("recap_page.session", n=one.session)
    facts = (_day(one.began), words["list.comma"].join(one.people), spent)
    return (
        element("h3", element("a", title, href=f"{dress.path}?session={one.session}")),
        element("p", element("bdi", " · ".join(filter(None, facts))), class_="fine quiet"),
        _text(one.line) if one.line else (),
    )


def _foot(dress: Dress, *, back: bool = False) -> Markup:
    words, parts = dress.words, list[Content]()
    if back:
        all_sessions = words["recap_page.all"]
        parts.append(element("a", all_sessions, href=dress.path, class_="button"))
    if dress.draws:
        address = dress.address("/picture.png")
        save = words["recap_page.picture"]
        parts.append(element("a", save, href=address, class_="button", download="recap.png"))
    made = element("p", words["recap_page.made"], class_="fine quiet")
    return element("footer", element("div", parts, class_="cluster"), made, class_="stack gap-2")


def _day(at: int) -> str:
    """The day of a time, in the server's time zone."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone().date().isoformat()
