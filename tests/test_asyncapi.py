"""The description of the live feed is valid AsyncAPI, and the feed matches it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from storypool.web.app import ENDPOINTS
from storypool.web.interface import asyncapi
from storypool.web.interface.openapi import document_of
from storypool.web.wire import plain
from tests.browsers import serving

STANDARD = Path(__file__).parent / "vendor" / "asyncapi-3.0.0.json"
PARSE = """
import { createRequire } from "node:module";
const { Parser } = createRequire(`${process.cwd()}/`)("@asyncapi/parser");
const text = await new Response(Deno.stdin.readable).text();
const { document, diagnostics } = await new Parser().parse(text);
console.log(JSON.stringify({ parsed: Boolean(document), diagnostics }));
"""
LIVE = ("hello", "record", "offers", "presence")
"""The messages of every feed."""


@pytest.fixture(scope="module")
def document() -> Any:
    """The description as a client reads it."""
    return plain(asyncapi.document())


def test_document_is_valid(document: Any) -> None:
    """AsyncAPI's own schema accepts it, and refuses OpenAPI's form of a discriminator."""
    validator = jsonschema_rs.Draft7Validator(json.loads(STANDARD.read_text(encoding="utf-8")))
    validator.validate(document)
    whole = document_of(ENDPOINTS)["components"]["schemas"]
    assert "discriminator" in whole["RecordShown"]["properties"]["event"]["anyOf"][0]
    components = {**document["components"], "schemas": whole}
    assert not validator.is_valid({**document, "components": components})


def test_schemas_have_keywords_of_draft_7(document: Any) -> None:
    """They are OpenAPI's without what draft 7 or AsyncAPI would read differently."""
    whole = document_of(ENDPOINTS)["components"]["schemas"]
    for name, schema in document["components"]["schemas"].items():
        assert asyncapi.in_draft_7(whole[name]) == schema
    text = json.dumps(document)
    assert [] == [word for word in ("prefixItems", '"discriminator"', "$defs") if word in text]


def test_every_reference_leads_somewhere(document: Any) -> None:
    """Each part of the document that is referenced exists."""

    def follow(part: Any) -> None:
        if isinstance(part, list):
            for one in part:
                follow(one)
        if isinstance(part, dict):
            target = document
            for step in str(part.get("$ref", "#")).split("/")[1:]:
                target = target[step]
            for one in part.values():
                follow(one)

    follow(document)


@pytest.mark.exhaustive
def test_own_parser_finds_nothing(document: Any, tmp_path: Path) -> None:
    """AsyncAPI's parser has no error and no warning, only word of a newer version."""
    folder = os.environ.get("STORYPOOL_ASYNCAPI")
    if not folder:
        pytest.skip("STORYPOOL_ASYNCAPI names no folder with npm's @asyncapi/parser")
    (script := tmp_path / "parse.mjs").write_text(PARSE, encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "deno", "run", "--quiet", "--node-modules-dir=manual"),
            *("--no-prompt", "--allow-read", "--allow-env", "--allow-sys", str(script)),
        ],
        cwd=folder,
        input=json.dumps(document),
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert found["parsed"]
    assert {"asyncapi-latest-version"} >= {one["code"] for one in found["diagnostics"]}


def test_live_messages_have_documented_shapes(document: Any, tmp_path: Path) -> None:
    """The feed's messages match their schemas by type."""
    messages = document["components"]["messages"].values()
    shapes = {
        one["name"]: {**one["payload"], "components": document["components"]} for one in messages
    }
    answers: dict[str, dict[str, Any]] = {}
    with serving(tmp_path) as house:
        party = house.table()
        assert document == party.ann.get("/api/asyncapi.json")
        with party.ann.live(party.id) as feed:
            feed.send(type="follow", after=0, offers=True)
            while set(LIVE) - set(answers):
                message = feed.hear()
                jsonschema_rs.Draft7Validator(shapes[message["type"]]).validate(message)
                answers[message["type"]] = message
    wrong = {**answers["record"], "event": {"type": "said", "by": 3}}
    assert not jsonschema_rs.Draft7Validator(shapes["record"]).is_valid(wrong)
