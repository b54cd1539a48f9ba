"""Offers as the page gets them: what their buttons show, without the questions of their forms."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from storypool.engine.game.asks import AskView
from storypool.engine.game.panels import MenuPanel, MovesPanel, PrimaryPanel, SlotsPanel
from storypool.engine.game.system import System
from storypool.engine.game.waits import gms
from storypool.engine.offers import Offer
from storypool.engine.table import Check, Seat
from storypool.live.tables import Offered
from storypool.web.problem import refusal_data

EVENING = ("scene.begin", "session.end")
"""The moves of the house with which a game master goes on with the evening."""
APART = ("asks", "closed", "all_closed")
PLAIN_FIELDS = tuple(name for name in Offer.__dataclass_fields__ if name not in APART)


def brief_offers(
    system: System, seat: Seat, checks: Mapping[str, Check], offered: Offered, whole: bool = False
) -> dict[str, dict[str, Any]]:
    """Offers by their keys as `BriefOffer`, without empty fields; `whole` ones with all questions.

    `checks` are the open actions that the seat sees.
    """
    docked, menus = _docked(system, seat, checks, offered), set(_moves_in(system, MenuPanel))
    found = {}
    for offer in offered.offers:
        data = _button(system, offer, in_menu=offer.key in menus)
        if offer.closed is None and (whole or (offer.key in docked and "rows" not in data)):
            data["asks"] = offer.asks
        found[offer.key] = data
    return found


def _docked(
    system: System, seat: Seat, checks: Mapping[str, Check], offered: Offered
) -> frozenset[str]:
    """The keys of the moves that the dock may show.

    They answer what is asked of the seat, begin an action, go on with the evening, or decide what a
    player has suggested.
    """
    keys = set[str]()
    for wait in offered.waits:
        keys.update(wait.moves if wait.yours else ())
    if not checks:
        keys.update(_moves_in(system, PrimaryPanel))
    if seat.id in gms(offered.table):
        keys.update(EVENING, _moves_in(system, SlotsPanel))
    suggested = set[str]().union(*(check.suggested for check in checks.values()))
    for offer in offered.offers:
        if any(ask.decides and ask.name in suggested for ask in offer.asks):
            keys.add(offer.key)
    return frozenset(keys)


def _moves_in(system: System, kind: type[MovesPanel]) -> Iterator[str]:
    for panel in system.panels:
        if isinstance(panel, kind):
            yield from panel.moves


def _button(system: System, offer: Offer, in_menu: bool) -> dict[str, Any]:
    """What the button of an offer shows; of one reason alone, `closed` says all."""
    data = {name: value for name in PLAIN_FIELDS if (value := getattr(offer, name))}
    if offer.closed is not None:
        data["closed"] = refusal_data(offer.closed)
    if offer.all_closed not in ((), (offer.closed,)):
        data["all_closed"] = [refusal_data(refusal) for refusal in offer.all_closed]
    if offer.asks:
        facts = _facts(system, offer, in_menu)
        data.update((name, value) for name, value in facts.items() if value)
    return data


def _facts(system: System, offer: Offer, in_menu: bool) -> dict[str, Any]:
    """What a button shows of the questions of an offer."""
    asks, board = offer.asks, system.board_asks.get(offer.key, ())
    facts: dict[str, Any] = {
        "among": {ask.name: _open_values(ask) for ask in asks if ask.name in board}
    }
    if offer.closed is not None:
        return facts
    facts["asked"] = [ask.name for ask in asks if ask.needed or ask.kind != "faces"]
    facts["empty"] = _why_empty(system, asks)
    facts["usual"] = {ask.name: _usual(ask) for ask in asks if ask.default is not None}
    if in_menu:
        facts["rows"] = next((ask for ask in asks if ask.needed and ask.kind == "choice"), None)
        facts["real_dice"] = any(ask.kind == "faces" for ask in asks)
    return facts


def _open_values(ask: AskView) -> list[str]:
    return [choice.value for choice in ask.choices if not choice.closed]


def _usual(ask: AskView) -> dict[str, Any]:
    labels = (choice.label for choice in ask.choices if choice.value == ask.default)
    return {"value": ask.default, "label": next(labels, str(ask.default))}


def _why_empty(system: System, asks: Sequence[AskView]) -> str:
    """Why a question that is needed has no possible answer now, or "".

    Questions after an open one depend on its answer.
    """
    for ask in asks:
        if ask.needed and ask.kind == "choice" and not ask.free and not _open_values(ask):
            reasons = {choice.closed for choice in ask.choices}
            alone = len(reasons) == 1
            return reasons.pop() if alone else system.words.say("offer.empty", label=ask.label)
        if ask.needed and ask.default is None:
            break
    return ""
