"""Evenings of the text of a game file, played by a separate process with bounded resources.

The process reads its order from its input as JSON: `text`, the number of `evenings`, the `seconds`
of processor time for all of them, and the `folder` of the language. It prints the result, or the
reason why it is `refused`, as JSON. Nothing of the text is stored, and a policy of a file can only
consist of conditions.
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
from storypool.lab.drafts.unspent import unspent
from storypool.lab.drafts.usual_evening import usual_evening
from storypool.lab.estimates import Estimate
from storypool.lab.evenings import Evening, evenings
from storypool.lab.flows import Pools, Unbalanced
from storypool.lab.playing import Evenings, Setting
from storypool.lab.study import Row, Study, prepare, row_of
from storypool.play import PlayError
from storypool.systems import game_files
from storypool.words import Phrase, Words
from storypool.words.languages import ENGLISH, Language

MOST_ACTIONS = 100
MOST_POOLS = 12
MOST_FLOWS = 60
MEMORY = 512 * 1024 * 1024
"""The memory limit of the process in bytes."""


def played(text: str, n: int, seconds: float, language: Language = ENGLISH) -> dict[str, Any]:
    """The effects of `n` evenings on a game's points; fewer evenings if the time is over.

    It is the first evening of the file, or the default one. `Refused` for an evening that cannot be
    played, `Unread` for an invalid game.
    """
    until = process_time() + seconds
    system = systems.get(game_files.kept(text), language)
    try:
        which = _evening(system, language.program)
        lab = prepare(which, Setting(), 0)
        rows = _rows(system, lab, n, until)
        left = unspent(lab) if rows else []
    except EveningStuck as stuck:
        raise _no("stuck", why=stuck) from None
    except (PlayError, Unbalanced, ValueError, LookupError) as wrong:
        raise _no("broken", why=wrong) from None
    if not rows:
        raise _no("slow", seconds=round(seconds))
    shown = _shown(system, Study(which, Setting(), 0, n, rows), language.program)
    return {**shown, "unspent": left[:MOST_FLOWS]}


def _evening(system: System, words: Words) -> Evening:
    """The first evening of a game, or the default one; `Refused` if it exceeds the limits."""
    found = None
    if systems.data(system.key, "evening"):
        found = next(iter(evenings(system.key).values()))
    which = found or usual_evening(system, words["lab.evening.usual"])
    if not 1 <= which.length <= MOST_ACTIONS or which.scenes < 1:
        raise _no("long", most=MOST_ACTIONS)
    for means in (which.players, which.gm):
        if means.policy == "solved":
            raise _no("policy", policy=means.policy)
    return which


def _rows(system: System, lab: Evenings, n: int, until: float) -> list[Row]:
    sides = Pools(system, lab.evening.pools).sides
    rows = list[Row]()
    while len(rows) < n and process_time() < until:
        rows.append(row_of(lab, sides, len(rows)))
    return rows


def _shown(system: System, study: Study, words: Words) -> dict[str, Any]:
    pools = list(study.pools)[:MOST_POOLS]
    estimates, shown = study.estimates(), dict[str, dict[str, Any]]()
    for pool in pools:
        end = _numbers(estimates[f"end.{pool}"])
        shown[pool] = {"account": pool, "bands": study.bands(pool), "end": end, "flows": []}
    flows = [(flow, one) for flow, one in study.flows().items() if flow.pool in pools]
    for flow, one in flows[:MOST_FLOWS]:
        what = _flow_in_words(system, flow.kind, flow.pool, words)
        by = _source_in_words(system, flow.move)
        shown[flow.pool]["flows"].append({"what": what, "by": by, **_numbers(one)})
    return {
        "title": study.evening.title,
        "actions": study.evening.length,
        "evenings": len(study.rows),
        "wanted": study.wanted,
        "pools": list(shown.values()),
    }


def _numbers(one: Estimate) -> dict[str, object]:
    return {
        "mean": round(one.mean, 3),
        "margin": None if one.margin is None else round(one.margin, 3),
    }


def _flow_in_words(system: System, kind: str, pool: str, words: Words) -> str:
    """The kind of a flow in words; pools that are paid by raising them have their own words."""
    account = system.by_account.get(pool)
    raised = account is not None and account.paying == "raises"
    return words[f"lab.raised.{kind}" if raised else f"lab.kind.{kind}"]


def _source_in_words(system: System, move: str) -> str:
    return system.words.get(f"source.{move}", system.title(move))


def _no(key: str, **values: object) -> Refused:
    return Refused(Refusal.of("argument", Phrase(f"lab.evening.{key}", **values), "text"))


def _limit_resources(seconds: float) -> None:
    """Limit the priority, memory and time of this process, as far as its system can."""
    with suppress(ImportError, OSError, ValueError):
        import os
        import resource

        os.nice(10)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (round(seconds) + 10, round(seconds) + 10))


def answered(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The result of the order, or its refusal."""
    language = ENGLISH
    if asked["folder"]:
        language = Language(Path(asked["folder"]), asked["language"])
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
    _limit_resources((order := json.load(sys.stdin))["seconds"])
    json.dump(answered(order), sys.stdout)
