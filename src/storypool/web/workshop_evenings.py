"""Evenings of a draft game, played by the lab in a process of its own."""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from starlette.requests import ClientDisconnect

from storypool.engine.refusal import Refusal, Refused
from storypool.web.later_points import NO_LAB, has_lab
from storypool.web.problem import Problem, problem
from storypool.words.languages import Language

EVENINGS = 200
SECONDS = 8.0
"""Processor time of all evenings together; the evenings played until then are shown."""
PATIENCE_S = 60.0
"""Seconds after which the process is killed, however busy the machine is."""
COMMAND = (sys.executable, "-P", "-m", "storypool.lab.drafts.evening_job")


async def evenings_played(
    text: str, language: Language, gone: Callable[[], Coroutine[Any, Any, None]]
) -> bytes:
    """The effect of evenings of a game on its points, as JSON.

    The process ends when `gone` returns, with `ClientDisconnect`. `Refused` without the lab; a
    `Problem` for a game that cannot be played or exceeds the limits.
    """
    if not has_lab():
        raise Refused(NO_LAB)
    order = {
        "text": text,
        "evenings": EVENINGS,
        "seconds": SECONDS,
        "folder": str(language.folder or ""),
        "language": language.named,
    }
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *COMMAND, stdin=pipe, stdout=pipe, stderr=nothing
    )
    output = asyncio.ensure_future(process.communicate(json.dumps(order).encode()))
    left = asyncio.ensure_future(gone())
    try:
        await asyncio.wait((output, left), timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
        if left.done() and not output.done():
            raise ClientDisconnect
        found = output.result()[0] if output.done() else b""
    finally:
        left.cancel()
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        await asyncio.gather(output, left, return_exceptions=True)
    if not found:
        raise problem("workshop.evenings", "text")
    refused: Any = json.loads(found).get("refused")
    if refused:
        raise Problem(
            400, Refusal("argument", refused["text"], remedy=refused["remedy"], field="text")
        )
    return found
