"""The one error shape, for everything that can go wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
from starlette.responses import Response

from storypool.engine.game.asks import AskView
from storypool.engine.notation import NotationError
from storypool.engine.refusal import Refusal, Refused
from storypool.log.store import (
    Conflict,
    NoTable,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnreachable,
    TokenReused,
)
from storypool.web.interface.forms import RefusalShown
from storypool.web.interface.problems import PROBLEMS, STATUS
from storypool.words import Phrase, StorypoolError, Words


@dataclass(slots=True)
class Problem(StorypoolError):
    """An error response: a status, the refusal that explains it, and what a move still asks."""

    status: int
    refusal: Refusal
    headers: Mapping[str, str] = field(default_factory=dict)
    missing: Sequence[AskView] = ()

    def __str__(self) -> str:
        return self.refusal.text

    def response(self, words: Words) -> Response:
        """The problem as JSON, in these words."""
        body: dict[str, object] = {"error": refusal_data(self.refusal.localize(words))}
        if self.missing:
            body["missing"] = self.missing
        content = msgspec.json.encode(body)
        return Response(content, self.status, dict(self.headers), "application/json")


def refusal_data(refusal: Refusal) -> dict[str, object]:
    """A refusal in the one error shape."""
    return {name: getattr(refusal, name) for name in RefusalShown.__struct_fields__}


def problem(
    key: str, field: str = "", headers: Mapping[str, str] | None = None, **values: object
) -> Problem:
    """A problem of `PROBLEMS` with the words `web.KEY` and, if there are any, `web.KEY.remedy`."""
    status, code = PROBLEMS[key]
    return Problem(status, Refusal.of(code, Phrase(f"web.{key}", **values), field), headers or {})


def problem_of(refused: Refused) -> Problem:
    """A refusal as a response."""
    return Problem(STATUS.get(refused.refusal.code, 409), refused.refusal)


def problem_for(error: Exception) -> Problem | None:
    """An exception as a response to the client; None for a fault of the server."""
    match error:
        case Problem():
            return error
        case Refused():
            return problem_of(error)
        case NotationError():
            return Problem(400, Refusal.of("argument", error))
        case NoTable():
            return problem("absent")
        case TokenReused():
            return Problem(409, Refusal.of("token", error, "token"))
        case Conflict():
            return Problem(409, Refusal.of("when", error))
        case StoreUnreachable():
            return problem("unreachable", headers={"Retry-After": "5"})
        case StoreError():
            return _storage_failed(error)
        case _:
            return None


def _storage_failed(error: StoreError) -> Problem:
    """A failure of the store as a response; details about the host stay in the server's log.

    A phrase without values has no such details, so it is passed on.
    """
    given = error.args[0] if error.args else None
    if isinstance(given, Phrase) and not given.values:
        return Problem(503, Refusal.of("storage", given), {"Retry-After": "5"})
    match error:
        case StoreFull():
            key = "storage.full"
        case StoreReadOnly():
            key = "storage.read_only"
        case _:
            key = "storage"
    return problem(key, headers={"Retry-After": "5"})
