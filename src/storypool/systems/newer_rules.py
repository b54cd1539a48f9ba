"""A table's text of its game: its owner, and the changes of a newer text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from storypool import systems
from storypool.engine.events import Record
from storypool.engine.fold import fold
from storypool.engine.house import NewRules
from storypool.engine.refusal import Refusal, Refused
from storypool.engine.table import Table
from storypool.systems import game_files
from storypool.words.languages import ENGLISH, Language


def played_in(records: Sequence[Record]) -> str:
    """The key of the game at the end of a table's log; its kept text is known from now on."""
    return systems.of_table(fold(records)).key


def whose(key: str) -> Literal["", "copy", "own"]:
    """The owner of a table's game: "" for this server, "copy" or "own" for the table.

    It is a "copy" if the server's text has changed since, and its "own" if the server has no game
    of this name.
    """
    if game_files.file_key(key) == key:
        return ""
    from storypool.gamefile.compiled import text_hash  # only a game of a file needs it

    text = systems.newest(key)
    if not text:
        return "own"
    if key.endswith(f"-{text_hash(text)}"):
        return ""
    return "copy"


def new_rules(table: Table, text: str, language: Language = ENGLISH) -> NewRules:
    """The changes of a newer text of a table's game; `Unread` lists its mistakes.

    `Refused` for a text of another game, for the one that the table plays already, and where it
    keeps none.
    """
    from storypool.gamefile.authoring.rule_changes import gone_kinds, rule_changes

    now, key = systems.of_table(table, language), game_files.kept(text)
    new, words = systems.get(key, language), now.words
    # A scene set up from a play keeps no text: it uses the current file.
    played = table.game or systems.newest(now.key)
    if not played or game_files.file_key(key) != game_files.file_key(now.key):
        other = words.say("no.rules.other", name=new.name, ours=now.name)
        raise Refused(Refusal("argument", other, remedy=words["no.rules.other.remedy"]))
    if text == played:
        raise Refused(Refusal("argument", words["no.rules.same"]))
    old, game = game_files.written(played).game, game_files.written(text).game
    return NewRules(new, text, rule_changes(old, game, words), gone_kinds(old, game))
