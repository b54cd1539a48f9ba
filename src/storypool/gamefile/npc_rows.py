"""The NPCs of a game file: one move of the GM brings in any of them."""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import rules as r
from storypool.gamefile.file_rules import Rules

__all__ = ["bring_in"]


def bring_in(rules: Rules) -> Iterator[r.Move]:
    """The move that brings in an NPC of the file, if it has any."""
    rows = {one.key: one for one in rules.game.npc}
    if not rows:
        return
    listed = [r.Choice(key, one.name) for key, one in rows.items()]

    @r.gm_move(
        "npc.bring",
        when=r.in_session,
        asks=[
            r.ChoiceAsk("kind", "Who comes in?", lambda turn: listed),
            r.TextAsk("name", "By another name?", needed=False, most=r.LONGEST_NAME),
            r.SECRET,
        ],
        rule="People of the GM's" if rules.game.gm else "People of the story",
        place=r.at("scene"),
    )
    def bring(turn: r.Turn) -> Iterator[r.Event]:
        """Bring an NPC in

        With the numbers that the game has for them.
        """
        row = rows[turn.text("kind")]
        numbers = {entry.key: entry.default for entry in turn.system.sheet if entry.given}
        yield r.npc(turn, {**numbers, **row.sheet}, turn.text("name") or row.name)

    yield bring
