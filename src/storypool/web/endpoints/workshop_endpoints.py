"""The endpoints of the workshop: texts to begin from, and the mistakes or the game of a text."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from msgspec.structs import asdict, replace

from storypool import systems
from storypool.contract.row_words import conditions, limit, price, reasons
from storypool.engine.game.moves import Move
from storypool.engine.game.system import System
from storypool.engine.refusal import Refused
from storypool.gamefile import Unread
from storypool.odds.question import OddsShown
from storypool.pictures.markup import Markup, element
from storypool.web.endpoint import Call, Endpoint, endpoint
from storypool.web.endpoint import read as body_of
from storypool.web.endpoints.brought_texts import count_reading
from storypool.web.endpoints.game_endpoints import game_shown
from storypool.web.endpoints.odds_picture_endpoints import read
from storypool.web.interface import workshop_forms
from storypool.web.interface.forms import shown
from storypool.web.interface.game_forms import listed
from storypool.web.interface.problems import QUEUED
from storypool.web.interface.workshop_forms import (
    ActionShown,
    MistakeShown,
    MoveShown,
    WorkshopShown,
)
from storypool.web.prints.printed_reference import printable_page
from storypool.web.prints.printed_sheets import ready_sheets
from storypool.web.problem import Problem, problem
from storypool.web.workshop_evenings import evenings_played
from storypool.words import Words, localize
from storypool.words.languages import Language

if TYPE_CHECKING:  # The compiler is imported with the first file, to start the server faster.
    from storypool.gamefile.compiled import CompiledGame
    from storypool.web.previewed_action import PreviewedAction

SHORT = 20_000
"""The most characters of a file that is quick to read."""


@endpoint(
    "POST",
    "/api/workshop",
    body=workshop_forms.WorkshopBody,
    gives=workshop_forms.WorkshopShown,
    errors=("hostonly", "texts.often", *QUEUED),
    tag="workshop",
    price=16,
    large=True,
)
async def show_file(call: Call) -> WorkshopShown:
    """The mistakes in a game file, line by line, or its game as the page shows it.

    Nothing is kept. For the host, and for everybody if the host allows it.
    """
    await _admitted(call)
    await count_reading(call)
    body: workshop_forms.WorkshopBody = call.body
    queue = call.server.small if len(body.text) <= SHORT else call.server.large
    try:
        game, found, tried = await call.queued(queue, partial(_shown, body))
    except Unread as wrong:
        words = call.language.program
        mistakes = [
            shown(MistakeShown, one, text=one.what.localize(words)) for one in wrong.mistakes
        ]
        return WorkshopShown(mistakes=mistakes)
    return replace(found, **await _odds(call, game, body.pool, tried))


@endpoint(
    "POST",
    "/api/workshop/completion",
    body=workshop_forms.CompletionBody,
    gives=workshop_forms.CompletionShown,
    errors=("hostonly", *QUEUED),
    tag="workshop",
    price=8,
    large=True,
)
async def complete_file(call: Call) -> workshop_forms.CompletionShown:
    """Completions at the caret of a game file, each with its meaning, and the key there.

    The text may be half written. Nothing is kept.
    """
    await _admitted(call)
    body: workshop_forms.CompletionBody = call.body
    short = len(body.before) + len(body.after) <= SHORT
    queue = call.server.small if short else call.server.large
    return await call.queued(queue, partial(_completed, body, call.language))


def _completed(
    body: workshop_forms.CompletionBody, language: Language
) -> workshop_forms.CompletionShown:
    from storypool.gamefile.authoring.completion import completion

    found, words = completion(body.before, body.after), language.program
    key = found.key and shown(workshop_forms.KeyShown, found.key)
    known = [
        workshop_forms.KnownShown(
            name=one.name, written=one.written, about=localize(one.about, words)
        )
        for one in found.known
    ]
    replaced = len(body.before[found.start :].encode("utf-16-le", "surrogatepass")) // 2
    return workshop_forms.CompletionShown(replaced=replaced, known=known, key=key)


@endpoint(
    "POST",
    "/api/workshop/evenings",
    body=workshop_forms.EveningsBody,
    gives=workshop_forms.EveningsShown,
    errors=("hostonly", "argument", "unknown", "workshop.evenings", *QUEUED),
    tag="workshop",
    price=16,
    large=True,
)
async def play_evenings(call: Call) -> bytes:
    """The effect of evenings of a game file on its points.

    Some hundred are played, of its first `evening` or of a usual one, for one request at a time.
    Ending the request ends them.
    """
    await _admitted(call)
    body: workshop_forms.EveningsBody = call.body

    async def gone() -> None:
        while (await call.request.receive())["type"] != "http.disconnect":
            pass

    return await call.in_turn(
        call.server.evenings, lambda: evenings_played(body.text, call.language, gone)
    )


@endpoint(
    "GET",
    "/api/workshop/games",
    gives=list[workshop_forms.WrittenGame],
    errors=("hostonly", *QUEUED),
    tag="workshop",
)
async def list_written_games(call: Call) -> list[workshop_forms.WrittenGame]:
    """The games of one page that come with the program, with their texts, to begin from."""
    await _admitted(call)
    return await call.queued(call.server.small, _written)


@cache
def _written() -> list[workshop_forms.WrittenGame]:
    from storypool.gamefile.authoring.written_games import written_games
    from storypool.gamefile.compiled import compiled

    found = []
    for text in written_games().values():
        look = listed(compiled(text).system)
        found.append(shown(workshop_forms.WrittenGame, look, text=text))
    return found


@endpoint(
    "GET",
    "/api/gallery",
    gives=list[workshop_forms.GalleryGame],
    errors=QUEUED,
    tag="workshop",
    price=8,
)
async def show_gallery(call: Call) -> list[workshop_forms.GalleryGame]:
    """The games of this server and those of one page, each with a short scene of it."""
    own = [call.tables.find(key, call.language) for key in call.server.games()]
    return await call.queued(call.server.large, partial(_gallery, own))


def _gallery(own: list[System]) -> list[workshop_forms.GalleryGame]:
    """The games that have a scene, those of this server first."""
    keys = {one.key for one in own}
    games = [_in_gallery(one.key, systems.demo(one.key) or "", one) for one in own]
    games += [one for one in _written_scenes() if one.key not in keys]
    return [one for one in games if one.scene]


@cache
def _written_scenes() -> list[workshop_forms.GalleryGame]:
    from storypool.gamefile.authoring.written_games import written_games
    from storypool.gamefile.compiled import compiled

    games = map(compiled, written_games().values())
    return [_in_gallery(one.key, one.game.demo, one.system) for one in games]


_SCENES: dict[tuple[str, str], workshop_forms.GalleryGame] = {}
"""The games with their scenes, by key and demo: a scene is played once."""


def _in_gallery(key: str, demo: str, system: System) -> workshop_forms.GalleryGame:
    from storypool.web.gallery_scenes import scene_of

    if (key, demo) not in _SCENES:
        scene = scene_of(system, demo) if demo else []
        _SCENES[key, demo] = shown(workshop_forms.GalleryGame, listed(system), scene=scene)
    return _SCENES[key, demo]


@endpoint(
    "POST",
    "/api/workshop/draft",
    body=workshop_forms.DraftBody,
    gives=workshop_forms.DraftShown,
    errors=("hostonly", *QUEUED),
    tag="workshop",
)
async def draft_file(call: Call) -> workshop_forms.DraftShown:
    """A small valid game file from six answers, as a first draft."""
    await _admitted(call)
    return await call.queued(call.server.small, partial(_drafted, call.body))


def _drafted(body: workshop_forms.DraftBody) -> workshop_forms.DraftShown:
    from storypool.gamefile.authoring.first_draft import FirstAnswers, first_draft

    return workshop_forms.DraftShown(text=first_draft(FirstAnswers(**asdict(body))))


@endpoint(
    "POST",
    "/api/workshop/sheet",
    gives=str,
    errors=("hostonly", "texts.often", "workshop.line", *QUEUED),
    media="text/html; charset=utf-8",
    tag="workshop",
    raw=True,
    price=16,
)
async def print_file(call: Call) -> str:
    """The rules of a game file in words and sheets for its characters, as a plain page to print.

    The body is that of a form with the field `text`.
    """
    await _admitted(call)
    await count_reading(call)
    limits = call.settings.limits
    data = await body_of(call.request, 2 * limits.game, limits.slow_body)
    text = parse_qs(data.decode("utf-8", "replace")).get("text", [""])[0]
    try:
        return await call.queued(call.server.large, partial(_printed, text, call.language))
    except Unread as wrong:
        first = wrong.mistakes[0]
        raise problem("workshop.line", "text", line=first.line, why=first.what) from None


def _printed(text: str, language: Language) -> str:
    from storypool.gamefile.compiled import compiled

    game = compiled(text)
    system, words = game.system, language.program
    moves = [_in_words(one, words) for one in _own_moves(game)]
    rules = element("h2", words["print.moves"], class_="side") if moves else ()
    columns = element("div", moves, class_="columns") if moves else ()
    return printable_page(system, language, (rules, columns, *ready_sheets(system, language)))


def _in_words(move: MoveShown, words: Words) -> Markup:
    """A move in words: its meaning, its seats, price and limit, and when it is closed."""
    terms = " · ".join(filter(None, (move.who, move.price, move.limit)))
    closed = (
        element("p", words["print.refused"], class_="quiet fine"),
        element("ul", (element("li", one) for one in move.refused)),
    )
    return element(
        "section",
        element("h3", move.title),
        element("p", move.about) if move.about else (),
        element("p", terms, class_="quiet"),
        closed if move.refused else (),
    )


async def _admitted(call: Call) -> None:
    """Refuse a request that may not use the workshop with 403."""
    session = await call.session()
    if not (call.settings.workshop or (session and session.host)):
        raise problem("hostonly")


def _shown(
    body: workshop_forms.WorkshopBody,
) -> tuple[CompiledGame, WorkshopShown, PreviewedAction]:
    """The game of a text, its form for the page, and its action; `Unread` if it has mistakes."""
    from storypool.gamefile.compiled import compiled
    from storypool.web.previewed_action import preview

    game = compiled(body.text)
    tried = preview(game, body.action, body.answers)
    found = WorkshopShown(
        game=game_shown(game.system, bool(game.game.first_scene)),
        moves=_own_moves(game),
        actions=_actions(game),
        outcomes={row.key: row.words for row in game.game.action.outcome or game.game.outcome},
        action=tried.action,
        asks=list(tried.asks),
        answers=tried.answers,
    )
    return game, found, tried


def _own_moves(game: CompiledGame) -> list[MoveShown]:
    """The moves of a file in words."""
    own = {f"move.{row.key}" for row in game.game.move}
    return [_move(game.system, move) for move in game.system.moves if move.key in own]


def _actions(game: CompiledGame) -> list[ActionShown]:
    """The actions of a game with several, each with a pool to type for its odds."""
    if len(game.game.actions) == 1:
        return []
    from storypool.web.previewed_action import declared

    show, pools = game.system.notation.show, game.usual_pools
    return [
        ActionShown(key=move, title=row.title, pool=f"{show(pools[row.key])} action={row.key}")
        for move, row in zip(declared(game.system), game.game.actions, strict=True)
    ]


def _move(system: System, move: Move) -> MoveShown:
    refused = dict.fromkeys(text for one in conditions(move) for text in reasons(system, one))
    return shown(
        MoveShown,
        move,
        about=move.about,
        who=", ".join(system.words[f"side.{side}"] for side in move.by),
        price=price(system, move),
        limit=limit(move, named=False),
        refused=list(refused),
    )


def _usual(game: CompiledGame, move: str) -> str:
    """The typed pool of a new character's action, by the key of its move."""
    pools = {one.key: one.pool for one in _actions(game)}
    return pools.get(move) or game.system.notation.show(game.usual_pool)


async def _odds(
    call: Call, game: CompiledGame, text: str, tried: PreviewedAction
) -> dict[str, object]:
    """The odds of a typed pool, or of the action; or the reason why there are none."""
    system = game.system

    def work() -> OddsShown:
        return game.reckon(question).plain()

    try:
        if tried.question is not None and not text.strip():
            question = tried.question
        elif tried.refused is not None and tried.answers and not text.strip():
            raise tried.refused
        else:
            question = read(system, text.strip() or _usual(game, tried.action))
        found = await call.server.answers.reckoned(call.whose, work)
        pool = text or system.notation.show(question.pool)
        return {"pool": pool, "odds": found, "outcomes": dict(game.rungs(question))}
    except (Problem, Refused) as wrong:
        refusal = wrong.refusal.localize(call.language.program)
        return {"pool": text, "no_odds": f"{refusal.text} {refusal.remedy}".strip()}
    except TimeoutError:
        return {"pool": text, "no_odds": call.language.program["web.pool.slow"]}


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
