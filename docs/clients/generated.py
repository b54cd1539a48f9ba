"""Play a check with a generated client: `python generated.py SERVER LINK`, with a player's link to
a Star Wars table.

The client is made from the server's own description, under the name `storypool_client`:

    openapi-python-client generate --url SERVER/api/openapi.json --output-path storypool_client
    --meta none
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from storypool_client import AuthenticatedClient
from storypool_client.api.joining import join
from storypool_client.api.tables import make_move, offers
from storypool_client.models.dice_rolled import DiceRolled
from storypool_client.models.join import Join
from storypool_client.models.joined import Joined
from storypool_client.models.made_state import MadeState
from storypool_client.models.move_body import MoveBody
from storypool_client.models.move_body_args import MoveBodyArgs
from storypool_client.models.offers_state import OffersState
from storypool_client.models.record_shown import RecordShown
from storypool_client.models.seat import Seat


def play(server: str, link: str) -> Iterator[str]:
    """Take a new seat, play one check, and yield what the log says of it."""
    secret = link.rpartition("=")[2]
    stranger = AuthenticatedClient(base_url=server, token=secret)
    came = join.sync(client=stranger, body=Join(secret=secret, name="Robo", program=True))
    if not (isinstance(came, Joined) and came.token and isinstance(came.seat, Seat) and came.table):
        raise SystemExit(f"The link does not let me in: {came}")
    client, table = AuthenticatedClient(base_url=server, token=came.token), came.table

    def make(move: str, args: dict[str, str]) -> list[RecordShown]:
        body = MoveBody(move=move, args=MoveBodyArgs.from_dict(args))
        made = make_move.sync(table, client=client, body=body)
        if not isinstance(made, MadeState):
            raise SystemExit(f"{move} is refused: {made}")
        return made.records

    make("character.add", {"name": "R0-B0", "sheet": "agility=3 stealth=1"})
    make(
        "check.declare", {"title": "Roll past the guards", "skill": "stealth", "difficulty": "easy"}
    )
    state = offers.sync(table, client=client)
    if isinstance(state, OffersState):
        yield from (wait.text for wait in state.waits if wait.yours)
    for record in make("check.roll", {}):
        if isinstance(record.event, DiceRolled):
            yield f"{len(record.event.rolled)} dice fell."
        if record.text:
            yield record.text


if __name__ == "__main__":
    print(*play(*sys.argv[1:]), sep="\n")
