"""Evenings of the text of a game file, played by a process of its own within bounds of time and
memory.

It reads what to play from its input as JSON: `text`, how many `evenings`, the `seconds` of
processor time for all of them, and the `folder` of the language. It prints what came of it, or what
is `refused`, as JSON. Nothing of the text is kept, and a policy of a file may only be one of
conditions.
"""

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

from storypool import systems
from storypool.engine.game.system import System
from storypool.engine.refusal import Refusal, Refused
from storypool.gamefile import Unread
from storypool.lab.course import EveningStuck
from storypool.lab.drafts.usual_evening import usual_evening
from storypool.lab.estimates import Estimate
from storypool.lab.evenings import Evening, evenings
from storypool.lab.flows import Pools, Unbalanced
from storypool.lab.playing import Setting
from storypool.lab.study import Row, Study, prepared, row_of
from storypool.play import PlayError
from storypool.systems import game_files
from storypool.words import Phrase, Words
from storypool.words.languages import ENGLISH, Language

MOST_ACTIONS = 100
MOST_POOLS = 12
MOST_FLOWS = 60
MEMORY = 512 * 1024 * 1024
"""Bytes of memory that the process may use."""


def played(text: str, n: int, seconds: float, language: Language = ENGLISH) -> dict[str, Any]:
    """Return what `n` evenings of a game do to its points: fewer than `n` where the time is over.

    It is the first evening of the file, or a usual one. `Refused` for one that cannot be played,
    `Unread` for a text that is no game.
    """
    until = process_time() + seconds
    system = systems.get(game_files.kept(text), language)
    try:
        which = _evening(system, language.program)
        rows = _rows(system, which, n, until)
    except EveningStuck as stuck:
        raise _no("stuck", why=stuck) from None
    except (PlayError, Unbalanced, ValueError, LookupError) as wrong:
        raise _no("broken", why=wrong) from None
    if not rows:
        raise _no("slow", seconds=round(seconds))
    return _shown(system, Study(which, Setting(), 0, n, rows), language.program)


def _evening(system: System, words: Words) -> Evening:
    """Return the first evening that a game brings, or a usual one; `Refused` for what is not played
    here.
    """
    found = (
        next(iter(evenings(system.key).values())) if systems.data(system.key, "evening") else None
    )
    which = found or usual_evening(system, words["lab.evening.usual"])
    if not 1 <= which.length <= MOST_ACTIONS or which.scenes < 1:
        raise _no("long", most=MOST_ACTIONS)
    for means in (which.players, which.gm):
        if means.policy == "solved":
            raise _no("policy", policy=means.policy)
    return which


def _rows(system: System, which: Evening, n: int, until: float) -> list[Row]:
    lab, sides = prepared(which, Setting(), 0), Pools(system, which.pools).sides
    rows = list[Row]()
    while len(rows) < n and process_time() < until:
        rows.append(row_of(lab, sides, len(rows)))
    return rows


def _shown(system: System, study: Study, words: Words) -> dict[str, Any]:
    pools = list(study.pools)[:MOST_POOLS]
    estimates = study.estimates()
    flows = [(flow, one) for flow, one in study.flows().items() if flow.pool in pools][:MOST_FLOWS]
    return {
        "title": study.evening.title,
        "actions": study.evening.length,
        "evenings": len(study.rows),
        "wanted": study.wanted,
        "pools": [
            {
                "account": pool,
                "bands": study.bands(pool),
                "end": _numbers(estimates[f"end.{pool}"]),
                "flows": [
                    {
                        "what": _what(system, flow.kind, pool, words),
                        "by": _by(system, flow.move),
                        **_numbers(one),
                    }
                    for flow, one in flows
                    if flow.pool == pool
                ],
            }
            for pool in pools
        ],
    }


def _numbers(one: Estimate) -> dict[str, object]:
    return {
        "mean": round(one.mean, 3),
        "margin": None if one.margin is None else round(one.margin, 3),
    }


def _what(system: System, kind: str, pool: str, words: Words) -> str:
    """Return what became of points in words: of those that are paid by letting them rise, which way
    they went.
    """
    account = system.by_account.get(pool)
    raised = account is not None and account.paying == "raises"
    return words[f"lab.raised.{kind}" if raised else f"lab.kind.{kind}"]


def _by(system: System, move: str) -> str:
    return system.words.get(f"source.{move}", system.title(move))


def _no(key: str, **values: object) -> Refused:
    return Refused(Refusal.of("argument", Phrase(f"lab.evening.{key}", **values), "text"))


def _bounded(seconds: float) -> None:
    """Bound this process, as far as its system can: what it takes from others is little, and
    ends.
    """
    with suppress(ImportError, OSError, ValueError):
        import os
        import resource

        os.nice(10)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (round(seconds) + 10, round(seconds) + 10))


def answered(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was asked for, or why it is refused."""
    language = Language(Path(asked["folder"]), asked["language"]) if asked["folder"] else ENGLISH
    try:
        return played(asked["text"], asked["evenings"], asked["seconds"], language)
    except Unread as wrong:
        first = wrong.mistakes[0]
        why = Phrase("web.workshop.line", line=first.line, why=first.what)
        return _refused(Refusal.of("argument", why), language)
    except Refused as no:
        return _refused(no.refusal, language)


def _refused(why: Refusal, language: Language) -> dict[str, Any]:
    found = why.localize(language.program)
    return {"refused": {"text": found.text, "remedy": found.remedy}}


if __name__ == "__main__":
    _bounded((order := json.load(sys.stdin))["seconds"])
    json.dump(answered(order), sys.stdout)
