"""A seat's texts on every surface: page, feed, export, transcript, recap, odds and refusals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from storypool.contract.random_game import Game
from storypool.engine import story
from storypool.engine.decisions import decision_of
from storypool.engine.ledger import economy
from storypool.engine.moments import moments
from storypool.engine.offers import offers
from storypool.engine.refusal import Refused
from storypool.engine.sight import copy_for, seen, view
from storypool.engine.table import Seat
from storypool.engine.waiting import waiting
from storypool.live.tables import Offered
from storypool.log.export import export_lines
from storypool.web.feeds.seat_view import SeatView, SentView
from storypool.web.wire import encode, record_json, took_price
from storypool.worth.session import session_recap
from storypool.worth.session_leaflet import leaflet
from storypool.worth.session_view import view_session
from storypool.worth.weighing import weighed, weighed_data

LINK = re.compile(r'"link":"[0-9a-f]{64}"')
"""The hash of an export's lines, which include numbers and times."""
NUMBERS = re.compile(
    r'("?\b(?:seq|at|began|undo_to|redo_to|dice_at|idle_since|records|to)"?[:=] ?)\d+'
)

CLOCK = re.compile(r"\b\d+ (?:h|min)\b")


def surfaces(game: Game, seat: Seat) -> Iterator[str]:
    """Every text for a seat, without the numbers and times that hidden records change."""
    system, table = game.system, game.table
    offered = offers(system, table, seat.id)
    notes = economy(game.records, system, seat.side).notes
    shown = SeatView(Offered(table, offered, waiting(system, table, seat.id)), seat, system, notes)
    own = view(game.records, seat)
    texts = [
        shown.message.json.decode(),
        SentView().message(shown).json.decode(),
        story.transcript(own, system),
        _without_records(repr(economy(own, system, seat.side))),
        # Every record of these games takes a while, so hidden ones make the session longer.
        CLOCK.sub("", repr(session_recap(own, system, chances=False).short)),
        CLOCK.sub(
            "",
            leaflet(view_session(session_recap(own, system), system, table.title), system).text(),
        ),
        encode(weighed_data(weighed(system, table, seat.id))).decode(),
        *(
            LINK.sub("", line.decode())
            for line in export_lines(copy_for(game.records, seat))
            if b'"event":null' not in line
        ),
    ]
    tables = [seen(one, seat) for one in game.tables]
    for record, (before, _) in zip(own, pairwise(tables), strict=True):
        if record.event is not None:
            text = story.sentence(record, before, system)
            brought = moments(record.event, before, system)
            texts.append(
                record_json(record, text, took_price(record, before, system), brought).decode()
            )
    for one in offered:
        if one.closed is None:
            try:
                decision_of(system, table, seat.id, one.key, {"nonsense": "x"}, roll=None)
            except Refused as no:
                texts.append(encode(no.refusal).decode())
    yield from (NUMBERS.sub(r"\1", text) for text in texts)


def _without_records(text: str) -> str:
    """The text of an economy without the start records of its scenes."""
    return re.sub(r"scenes=\([^)]*\)", "scenes", text)
