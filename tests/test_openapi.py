"""The documentation matches the server: each endpoint gets valid and invalid requests."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import jsonschema_rs
import pytest
import schemathesis
from schemathesis import GenerationMode
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR

from storypool.web import workshop_evenings
from storypool.web.app import ENDPOINTS
from storypool.web.endpoint import Endpoint, Nothing
from storypool.web.interface.live_forms import CLIENT_MESSAGES, SERVER_MESSAGES
from storypool.web.interface.openapi import document_of, problems_of
from storypool.web.interface.problems import PROBLEMS, VARIED, shown, status_of
from storypool.web.server_settings import Limits, Rate
from storypool.web.wire import encode, plain
from tests.browsers import WAIT, House, Party, serving
from tests.fixed_set import cases
from tests.test_examples import SPECK
from tools.documented import Documented

FREE = Rate(1e9, 1e9)
NO_LIMITS = Limits(
    client=FREE, session=FREE, joins=FREE, new_tables=FREE, texts_read=FREE, texts_kept=FREE
)


@pytest.fixture(scope="module")
def party(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Party]:
    """A table with people at it."""
    folder = tmp_path_factory.mktemp("openapi")
    with pytest.MonkeyPatch.context() as patch:
        # Schemathesis sends the example of a game, which can be played.
        patch.setattr(workshop_evenings, "EVENINGS", 2)
        with serving(folder, limits=NO_LIMITS, workshop=True) as house:
            yield house.table()


@pytest.fixture(scope="module")
def schema(party: Party) -> BaseSchema:
    """The server's own document."""
    schema = schemathesis.openapi.from_dict(_with_plain_rows(party.ann.get("/api/openapi.json")))
    # A body that is larger than any may be is refused before it is read.
    rejection = schema.config.checks.negative_data_rejection
    rejection.expected_statuses = [*rejection.expected_statuses, "413"]
    return schema


def _with_plain_rows(part: Any) -> Any:
    """A document for Schemathesis, which writes the `prefixItems` of an answer as its validator
    refuses: rows have their length and their kinds here, and their order in `test_examples`.
    """
    if isinstance(part, list):
        return [_with_plain_rows(one) for one in part]
    if not isinstance(part, dict):
        return part
    plain_part = {key: _with_plain_rows(one) for key, one in part.items()}
    if "prefixItems" in plain_part:
        plain_part["items"] = {"anyOf": plain_part.pop("prefixItems")}
    return plain_part


def test_every_endpoint_is_documented(party: Party) -> None:
    """Each endpoint has a sentence, its input, its output and the shape of refusals."""
    document = party.ann.get("/api/openapi.json")
    assert "3.1.0" == document["openapi"]
    documented = {
        (method, path) for path, operations in document["paths"].items() for method in operations
    }
    assert {(endpoint.method.lower(), endpoint.path) for endpoint in ENDPOINTS} == documented
    names = [
        operation["operationId"]
        for operations in document["paths"].values()
        for operation in operations.values()
    ]
    assert len(names) == len(set(names))
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert operation["summary"].endswith("."), path
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    schema = response["content"]["application/json"]["schema"]
                    assert {"$ref": "#/components/schemas/ErrorShown"} == schema, path


def test_document_is_valid() -> None:
    """OpenAPI's own schema accepts it, each pattern is ECMAScript's, and YAML's readers take it."""
    document = plain(document_of(ENDPOINTS))
    OPENAPI_31_VALIDATOR.validate(document)
    assert set[str]() == {
        one for one in encode(document).decode() if unicodedata.category(one) == "Cc"
    }
    document["components"]["schemas"]["Regex"] = {"pattern": r"^a\Z"}
    patterns = jsonschema_rs.Draft202012Validator({"format": "regex"}, validate_formats=True)
    assert [r"^a\Z"] == [one for one in _patterns(document) if not patterns.is_valid(one)]


def _patterns(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        for one in part:
            yield from _patterns(one)
    elif isinstance(part, dict):
        if isinstance(pattern := part.get("pattern"), str):
            yield pattern
        for one in part.values():
            yield from _patterns(one)


def test_every_problem_is_documented() -> None:
    """Each comes from some route and has a sentence, but for a method that no route takes."""
    document = plain(document_of(ENDPOINTS))
    listed = {key for endpoint in ENDPOINTS for key in problems_of(endpoint)}
    assert {*PROBLEMS, *VARIED} - listed == {"method"}
    assert listed == set(document["components"]["examples"])
    assert all(shown(key).text for key in listed)
    refusal = document["components"]["examples"]["toolarge"]["value"]["error"]
    assert "That is too large: at most {most} bytes are taken." == refusal["text"]


def test_undocumented_refusal_is_found() -> None:
    """The browsers of the tests compare status, code and sentence with the document."""
    documented = Documented(plain(document_of(ENDPOINTS)))

    def fault(status: int, key: str, path: str = "/api/tables", **changes: str) -> str:
        error = {**documented.examples[key]["value"]["error"], **changes}
        return documented.fault("GET", path, status, json.dumps({"error": error}).encode())

    assert "" == fault(401, "signin")
    assert "" == fault(429, "often", remedy="Wait 3 s and try again.")
    assert "" == fault(404, "absent", path="/elsewhere")
    assert "is not in the document" in fault(404, "absent")
    assert "is not in the document" in fault(401, "signin", code="origin")
    assert "is not in the document" in fault(401, "signin", text="Who are you?")


def test_every_tag_is_described(party: Party) -> None:
    """Each operation is in one group, which has a sentence."""
    document = party.ann.get("/api/openapi.json")
    assert {one.tag for one in ENDPOINTS} == {one["name"] for one in document["tags"]}
    assert all(one["description"].endswith(".") for one in document["tags"])


def test_every_schema_reference_is_valid(party: Party) -> None:
    """Each schema that is referenced exists, and each is referenced."""
    answer = party.ann.ask("GET", "/api/openapi.json")
    named = set(answer.json()["components"]["schemas"])
    # The messages of the live feed are there for their readers.
    live = {kind.__name__ for kind in (*SERVER_MESSAGES, *CLIENT_MESSAGES)}
    assert named == set(re.findall(r'"#/components/schemas/(\w+)"', answer.text)) | live


def test_every_route_has_its_security(party: Party) -> None:
    """It is signed in, optional or open, and the cookie is this server's."""
    document = party.ann.get("/api/openapi.json")
    assert (
        party.house.app.state.server.cookie
        == document["components"]["securitySchemes"]["session"]["name"]
    )
    for endpoint in ENDPOINTS:
        security = document["paths"][endpoint.path][endpoint.method.lower()]["security"]
        needed = 401 in map(status_of, endpoint.errors)
        assert needed == (bool(security) and {} not in security), endpoint.path


def test_page_lists_the_document(party: Party) -> None:
    """The help's page has each endpoint and shape with its sentences."""
    assert "/help/interface" == party.ann.ask("GET", "/api/docs").headers["location"]
    page, document = party.ann.ask("GET", "/help/interface"), party.ann.get("/api/openapi.json")
    assert (
        "<p>Open a table. You are its game master, and the link recovers your seat. In a game"
        " without a GM you are its first player.</p>" in page.text
    )
    assert '<p>Takes: <a href="#newtable">NewTable</a>.</p>' in page.text
    for path, operations in document["paths"].items():
        for method in operations:
            assert f"{method.upper()} {path}<" in page.text
    for name in document["components"]["schemas"]:
        assert f'<h3 id="{name.lower()}">{name}</h3>' in page.text


def _known(house: House, party: Party) -> dict[str, Any]:
    """Valid values of path parameters."""
    secret = party.secret("player")
    claim = house.browser().post("/api/join", secret=secret, seat="ann")["claim"]
    link = party.gm.post(f"{party.path}/links", side="player")
    picture = party.gm.post(f"{party.path}/pictures", picture=SPECK)["picture"]
    for move, args in (
        ("character.add", {"name": "Vey"}),
        ("character.portrait", {"who": "vey", "picture": picture}),
    ):
        party.gm.post(f"{party.path}/moves", move=move, args=args)
    party.ann.move(party.id, "check.declare", **{"as": "ilse", "pool": "2 coin"})
    party.ann.move(party.id, "check.roll")
    records = party.gm.get(f"{party.path}/log?after=12")["records"]
    roll = next(one for one in records if one["event"]["type"] == "dice.rolled")
    return {
        "picture": picture,
        "seq": str(roll["seq"]),
        "table": party.id,
        "claim": claim["id"],
        "link": link["id"],
        "of": "bo",
        "system": "tiny",
        "name": "Zephyr",
        "session": "1",
    }


CHECKS = [
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
    schemathesis.checks.not_a_server_error,
]


ASKED = [endpoint for endpoint in ENDPOINTS if "event-stream" not in endpoint.media]
"""Every endpoint that terminates."""
TAKING = [
    endpoint for endpoint in ASKED if endpoint.body is not Nothing or endpoint.query is not Nothing
]
"""Endpoints with parameters that can be wrong."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "endpoint",
    [endpoint for endpoint in ASKED if endpoint.method == "GET"],
    ids=lambda d: d.call.__name__,
)
def test_valid_answer_has_documented_shape(
    party: Party, schema: BaseSchema, endpoint: Endpoint
) -> None:
    """A valid request has status 200 and exactly its documented answer."""
    # A table of its own: each request is a claim, and the waiting claims of a table are limited.
    party = party.house.table()
    asker = party.house.host() if endpoint.tag == "host" else party.gm
    known = _known(party.house, party)
    if endpoint.call.__name__ == "own_claim":
        asker = party.house.browser()
        known["claim"] = asker.post("/api/join", secret=party.secret("player"), seat="bo")["claim"][
            "id"
        ]
    names = [name for name in known if f"{{{name}}}" in endpoint.path]
    query = {"system": "starwars", "pool": "2A/1D"} if endpoint.call.__name__ == "draw_odds" else {}
    case = schema[endpoint.path]["GET"].Case(
        path_parameters={name: known[name] for name in names}, query=query, headers=asker._cookie()
    )
    assert 200 == case.call_and_validate(base_url=party.house.here, checks=CHECKS[:3]).status_code


@pytest.mark.slow
@pytest.mark.parametrize("examples", cases((3, 15), (3,)))
@pytest.mark.parametrize(
    ("endpoint", "mode"),
    [(one, GenerationMode.POSITIVE) for one in ASKED]
    + [(one, GenerationMode.NEGATIVE) for one in TAKING],
    ids=lambda one: one.call.__name__ if isinstance(one, Endpoint) else one.value,
)
def test_endpoint_follows_its_documentation(
    party: Party, schema: BaseSchema, endpoint: Endpoint, mode: GenerationMode, examples: int
) -> None:
    """Valid and invalid requests get a documented status, type and shape."""
    operation = schema[endpoint.path][endpoint.method]
    party = party.house.table()
    known = _known(party.house, party)
    cookie = party.gm._cookie()

    @hypothesis.settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        # Most of a table's addresses are worth asking only where there is a table.
        for name in case.path_parameters or {}:
            case.path_parameters[name] = known[name]
        case.headers = {**(case.headers or {}), "Sec-Fetch-Site": "same-origin", **cookie}
        case.cookies = {}
        case.call_and_validate(base_url=party.house.here, checks=CHECKS, timeout=WAIT)

    ask()


def test_document_needs_no_table(tmp_path: Path) -> None:
    """It is the same whatever tables there are."""
    with serving(tmp_path) as house:
        first = house.browser().get("/api/openapi.json")
        house.table()
        assert first == house.browser().get("/api/openapi.json")
