"""Every operation of the OpenAPI document has an example, which a running server gave."""

from __future__ import annotations

import json
import tempfile
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import jsonschema_rs
import pytest

from storypool import __version__, systems
from storypool.web import gallery_scenes, workshop_evenings
from storypool.web.access import mint
from storypool.web.app import ENDPOINTS
from storypool.web.endpoints import workshop_endpoints
from storypool.web.interface import examples
from storypool.web.interface.openapi import document_of
from storypool.web.interface.schemas import Schema
from storypool.web.wire import plain
from tests.browsers import House, serving

BY_NAME = {endpoint.call.__name__: endpoint for endpoint in ENDPOINTS}
SPECK = (
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGNk"
    "aGhgYGBgYmBgYGBgAAALqgEE5z0TngAAAABJRU5ErkJggg=="
)
"""A small PNG in base64."""
MANY, LONG = 2, 160
"""The entries of a list or a catalogue, and the letters of a text, that an example shows."""
EVENINGS = 2
"""The evenings that the lab plays for its example."""
TITLE = "The Long Night"
CHECK = {"title": "Roll past the guards", "skill": "stealth", "difficulty": "easy"}
DRAFT = {
    "name": "Coins",
    "sides": 6,
    "reading": "highest",
    "points": "luck",
    "move": "Wish",
    "character": "Ilse",
}


class Recorder:
    """Programs at a server; the requests that they show are kept as examples."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.kept: dict[str, Any] = {}
        self.names = {house.here: "https://table.example.org"}

    def ask(
        self,
        operation: str,
        token: str = "",
        body: Any = None,
        query: Mapping[str, object] | None = None,
        **path: str,
    ) -> Any:
        """The answer to a request, as data or as text."""
        endpoint = BY_NAME[operation]
        address = endpoint.path.format_map(path) + (f"?{urlencode(query)}" if query else "")
        content = body if body is None or isinstance(body, str) else json.dumps(body)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if not endpoint.raw:
            headers["Content-Type"] = "application/json"
        client = self.house.client
        with client.stream(endpoint.method, address, content=content, headers=headers) as answer:
            given = _given(answer)
        assert answer.status_code in endpoint.status, given
        self.latest = {
            "path": path,
            "query": dict(query or {}),
            "body": body,
            "status": answer.status_code,
            "answer": given,
        }
        return given

    def show(self, operation: str, *given: Any, **more: Any) -> Any:
        """The answer to a request, which is kept as the example of its operation."""
        answer = self.ask(operation, *given, **more)
        assert operation not in self.kept
        self.kept[operation] = self.latest
        return answer

    def named(self, name: str, value: str) -> str:
        """This value, which differs each time; examples have its name."""
        self.names[value] = name
        return value

    def secret(self, name: str, link: Mapping[str, str]) -> str:
        """The secret of a link."""
        self.named(f"LINK_OF_{name}", link["id"])
        return self.named(f"SECRET_OF_{name}", link["path"].partition("#link=")[2])

    def move(self, token: str, table: str, move: str, **args: object) -> Any:
        """A move made."""
        return self.ask("make_move", token, {"move": move, "args": args}, table=table)

    def written(self) -> str:
        """The examples as a file."""
        document = plain(document_of(ENDPOINTS))
        for operations in document["paths"].values():
            for operation in operations.values():
                if kept := self.kept.get(operation["operationId"]):
                    answer = operation["responses"][str(kept["status"])]
                    kept["answer"] = cut(kept["answer"], _schema(answer), document)
                    if kept["body"] is not None:
                        body = _schema(operation["requestBody"])
                        kept["body"] = cut(kept["body"], body, document)
        text = json.dumps(self.kept, ensure_ascii=False, indent=1)
        for value, name in {**self.names, f'"{__version__}"': '"1.0.0"'}.items():
            text = text.replace(value, name)
        return f"{text}\n"


def cut(value: Any, schema: Schema, document: Schema) -> Any:
    """The value with its first entries where it may have any number of them."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for kind in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        if is_valid(value, kind, document):
            return cut(value, kind, document)
    if isinstance(value, str):
        return value if len(value) <= LONG else f"{value[:LONG]}…"
    if isinstance(value, list) and "items" in schema:
        return [cut(one, schema["items"], document) for one in value[:MANY]]
    if isinstance(value, list):
        kinds = schema.get("prefixItems", [{}] * len(value))
        return [cut(one, kind, document) for one, kind in zip(value, kinds, strict=True)]
    if isinstance(value, dict):
        kinds, other = schema.get("properties", {}), schema.get("additionalProperties") or {}
        shown = [*value] if kinds or not other else [*value][:MANY]
        return {key: cut(value[key], kinds.get(key, other), document) for key in shown}
    return value


def is_valid(value: Any, schema: Schema, document: Schema) -> bool:
    """Whether a value fits a schema of this document."""
    whole = {**schema, "components": document["components"]}
    return jsonschema_rs.Draft202012Validator(whole).is_valid(value)


def _schema(part: Schema) -> Schema:
    (content,) = part["content"].values()
    schema: Schema = content["schema"]
    return schema


def _given(answer: httpx.Response) -> Any:
    """An answer: data, a text, the first bytes of a picture in base64, or events of a feed."""
    kind = answer.headers["content-type"]
    if "event-stream" in kind:
        heard, parts = "", answer.iter_text()
        while heard.count("\n\n") < MANY:
            heard += next(parts)
        return heard
    content = answer.read()
    if kind == "application/json":
        return answer.json()
    picture = kind in ("image/png", "image/jpeg", "image/gif")
    return b64encode(content[:9]).decode() if picture else content.decode()


def play(house: House) -> Recorder:
    """An evening in which each operation is asked for once."""
    kept = Recorder(house)
    host = _host(kept)
    for name in ("about", "health", "list_systems", "show_gallery"):
        kept.show(name)
    kept.show("one_system", system="starwars")
    kept.show("print_reference", system="starwars")
    kept.show("all_words", query={"of": "page"})
    kept.show("read_notation", host, {"system": "starwars", "text": "2 ability, 1 difficulty"})
    kept.show("odds", host, {"system": "starwars", "pool": "2 ability, 1 difficulty"})
    kept.show("draw_odds", query={"system": "starwars", "pool": "2A 1D", "theme": "light"})
    kept.show("qr", host, {"text": "https://table.example.org/join#link=SECRET"})
    _play_a_table(kept, _bot(kept, host))
    _use_the_workshop(kept, host)
    return kept


def _bot(kept: Recorder, host: str) -> str:
    """The token of a bot that opens tables, which the host makes among other credentials."""
    link = kept.show("make_host_link", host, {"name": "home"})
    kept.named("SECRET_OF_THE_HOST", link["path"].partition("#host=")[2])
    bot = kept.show("make_host_token", host, {"name": "bot", "rights": ["open", "watch"]})
    kept.show("list_credentials", host)
    kept.show("revoke_credential", host, name="home")
    figures = kept.show("figures", bot["token"]).splitlines()
    # Others differ each time, and from system to system.
    kept.latest["answer"] = "\n".join(one for one in figures if "storypool_moves_total" in one)
    return kept.named("TOKEN_OF_A_BOT", bot["token"])


def _host(kept: Recorder) -> str:
    secret = mint(kept.house.store, "host")
    joined = kept.ask("join", secret, {"secret": secret, "host": True, "program": True})
    return str(joined["token"])


def _play_a_table(kept: Recorder, bot: str) -> None:
    options = {"trust": "players_set"}
    body = {"system": "starwars", "title": TITLE, "name": "Mona", "options": options}
    opened = kept.show("open_table", bot, body)
    table = kept.named("TABLE", opened["table"])
    kept.secret("MONA", opened["link"])
    link = kept.show("invite", bot, {"side": "player", "note": "for Ann"}, table=table)
    secret = kept.secret("ANN", link)
    code = kept.show("code_of_link", bot, {}, table=table, link=link["id"])["code"]
    kept.named("CODE", code)
    joining: dict[str, object] = {"secret": secret, "name": "Ann", "program": True}
    ann = kept.named("TOKEN_OF_ANN", kept.show("join", secret, joining)["token"])
    for name in ("session_state", "list_tables"):
        kept.show(name, bot)
    kept.show("links", bot, table=table)
    kept.move(bot, table, "session.begin")
    kept.move(bot, table, "destiny.begin")
    kept.move(ann, table, "character.add", name="Pash", sheet="agility=3 stealth=1")
    kept.show("preview", ann, {"move": "check.declare", "args": CHECK}, table=table)
    body = {"move": "check.declare", "args": CHECK, "token": "first-try"}
    kept.show("make_move", ann, body, table=table)
    kept.show("offers", ann, query={"worth": True}, table=table)
    kept.show("weigh", ann, query={"brief": True}, table=table)
    kept.show("take_numbers", ann, {"numbers": [], "sealed": "5e" * 32}, table=table)
    kept.move(ann, table, "check.roll")
    kept.move(ann, table, "check.close")
    kept.show("sheet_rolls", ann, {"character": "pash", "sheet": {"agility": 4}}, table=table)
    kept.show("character_steps", ann, {"step": 3, "chosen": {"origin": ["pilot"]}}, table=table)
    kept.show("read_characters", ann, {"text": "Name,Agilty,Luck\nVeda,3,2"}, table=table)
    for name in ("read_plain_transcript", "read_transcript_data"):
        kept.show(name, ann, table=table)
    for name in ("save_characters", "save_characters_as_csv"):
        kept.show(name, ann, table=table, query={"who": "pash"})
    kept.show("log", ann, query={"after": 12, "limit": 2}, table=table)
    kept.show("search_the_log", ann, query={"words": "guards"}, table=table)
    kept.show("events", ann, query={"after": 12}, table=table)
    for name in (
        *("table_state", "how_points_are_played", "read_transcript", "print_sheets"),
        *("what_became_of_the_session", "tell_the_session", "write_the_session"),
        *("draw_the_session", "paint_the_session"),
    ):
        kept.show(name, ann, table=table)
    records = kept.ask("log", ann, table=table)["records"]
    rolled = next(one for one in reversed(records) if one["event"]["type"] == "dice.rolled")
    kept.show("move_roll", ann, table=table, seq=str(rolled["seq"]))
    story = kept.show("open_story", bot, {"session": 1}, table=table)
    kept.named("KEY", story["path"].rpartition("/")[2])
    kept.show("list_stories", ann, table=table)
    kept.show("end_story", bot, table=table, session="1")
    export = kept.show("export", bot, table=table)
    picture = kept.show("store_picture", ann, {"picture": SPECK}, table=table)["picture"]
    kept.named("PICTURE", picture)
    kept.move(ann, table, "character.portrait", who="pash", picture=picture)
    kept.show("show_picture", ann, table=table, picture=picture)
    _prepare(kept, bot, table)
    _let_in(kept, bot, table, secret)
    _end(kept, bot, export)


def _prepare(kept: Recorder, bot: str, table: str) -> None:
    """The GM prepares an encounter, and saves it for other tables."""
    guards = {"title": "At the gate", "who1": "dock-guards", "n1": 4}
    kept.move(bot, table, "character.set", who="pash", sheet="melee=2 brawn=3 damage=5")
    kept.show("weigh_encounter", bot, {"args": guards}, table=table)
    kept.move(bot, table, "encounter.prepare", **guards)
    shown = kept.show("list_encounters", bot, table=table)["encounters"]
    pack = kept.show("save_pack", bot, table=table, query={"chosen": shown[0]["id"]})
    kept.show("look_into_pack", bot, {"pack": json.dumps(pack)}, table=table)


def _let_in(kept: Recorder, bot: str, table: str, secret: str) -> None:
    """Ann's other device asks for her seat; then the seat and the link go to another player."""
    body = {"secret": secret, "seat": "ann", "program": True}
    claimed = kept.ask("join", secret, body)
    claim = kept.named("CLAIM", claimed["claim"]["id"])
    kept.named("CODE", claimed["claim"]["code"])
    kept.show("own_claim", claimed["token"], claim=claim)
    kept.show("claims", bot, table=table)
    kept.show("answer_claim", bot, {"agree": True}, table=table, claim=claim)
    kept.show("forget", claimed["token"])
    link = kept.ask("invite", bot, {"side": "player"}, table=table)
    kept.show("revoke", bot, table=table, link=kept.named("LINK", link["id"]))
    given = kept.show("replace_seat", bot, {}, table=table, of="ann")
    kept.secret("THE_SEAT", given)


def _end(kept: Recorder, bot: str, export: str) -> None:
    """A second table is opened, and ended in each way; the first is imported."""
    opened = kept.ask("open_table", bot, {"system": "starwars", "title": TITLE})
    table = kept.named("TABLE", opened["table"])
    kept.show("first_scene", bot, {}, table=table)
    kept.show("close", bot, {"closed": True, "confirm": TITLE}, table=table)
    kept.show("archive", bot, {"archived": True, "confirm": TITLE}, table=table)
    kept.show("delete", bot, {"confirm": TITLE}, table=table)
    opened = kept.show("import_table", bot, export)
    kept.named("TABLE", opened["table"])
    kept.secret("MONA", opened["link"])


def _use_the_workshop(kept: Recorder, host: str) -> None:
    kept.show("list_written_games", host)
    text = kept.show("draft_file", host, DRAFT)["text"]
    kept.show("show_file", host, {"text": text, "pool": "2 dice"})
    kept.show("complete_file", host, {"before": "[poi"})
    kept.show("play_evenings", host, {"text": text})
    kept.show("print_file", host, urlencode({"text": text}))
    table = kept.named("TABLE", kept.ask("open_table", host, {"game": text})["table"])
    newer = text.replace("cap = 6", "cap = 7")
    shown = kept.show("show_new_rules", host, {"game": newer}, table=table)
    kept.show("take_over_rules", host, {"game": newer, "to": shown["key"]}, table=table)


def record(folder: Path) -> str:
    """The examples as a server in this process gives them now."""
    with pytest.MonkeyPatch.context() as patch, serving(folder, games=systems.playable) as house:
        patch.setattr(workshop_evenings, "EVENINGS", EVENINGS)
        # The gallery plays its scenes with other dice each time, and once for a process.
        patch.setattr(gallery_scenes, "randbelow", lambda sides: 0)
        patch.setattr(workshop_endpoints, "_SCENES", {})
        patch.setattr(workshop_endpoints, "_written_scenes", list)
        return play(house).written()


@pytest.mark.slow
def test_examples_are_what_a_server_answers(tmp_path: Path) -> None:
    """Each request is made again; `python -m tests.test_examples` writes the answers of today."""
    assert examples.FILE.read_text(encoding="utf-8") == record(tmp_path)


def test_every_operation_has_an_example() -> None:
    """Its parameters, its body and its answer are in the document, and fit their schemas."""
    document = plain(document_of(ENDPOINTS))
    assert set(BY_NAME) == set(examples.examples())
    for path, operations in document["paths"].items():
        for operation in operations.values():
            for one in operation["parameters"]:
                if one["required"] or "example" in one:
                    assert is_valid(one["example"], one["schema"], document), path
            shown = examples.examples()[operation["operationId"]]
            parts = [operation["responses"][str(shown.status)], operation.get("requestBody")]
            for part in filter(None, parts):
                (content,) = part["content"].values()
                assert is_valid(content["example"], content["schema"], document), path


def main() -> None:
    """Write the examples again."""
    with tempfile.TemporaryDirectory() as folder:
        examples.FILE.write_text(record(Path(folder)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
