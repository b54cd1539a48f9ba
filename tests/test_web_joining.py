"""Joining by a link: its preview, its effects, and the required consent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from storypool.log.disk.sqlite import SqliteStore
from storypool.web.access import hashed, mint
from storypool.web.serving.host_links import TOKEN, host_link
from tests.browsers import House, Party, error_of, secret_of, serving

pytestmark = pytest.mark.slow


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server."""
    with serving(tmp_path) as house:
        yield house


@pytest.fixture
def party(house: House) -> Party:
    """A table with people at it."""
    return house.table()


def test_link_secret_is_in_its_fragment(party: Party) -> None:
    """No browser sends the fragment, and a phone can open the address."""
    link = party.gm.post(f"{party.path}/links", side="player")
    assert link["path"].startswith("/join#link=")
    assert len(secret_of(link)) >= 32
    assert party.house.here + link["path"] == link["url"]


def test_viewing_a_link_changes_nothing(party: Party) -> None:
    """Opening it any number of times stores nothing, sets no cookie and gives no seat."""
    secret, seq = party.secret("player"), party.gm.get(party.path)["seq"]
    browser = party.house.browser()
    look, *others = [browser.post("/api/join", secret=secret) for _ in range(3)]
    assert [look, look] == others
    assert {"id": party.id, "title": "Coins", "system": "tiny", "language": "en"} == look["table"]
    assert [("Ann", True), ("Bo", True)] == [
        (seat["name"], seat["confirm"]) for seat in look["seats"]
    ]
    assert ("player", "player", None) == (look["link"], look["side"], look["seat"])
    assert browser.cookies == {}
    assert seq == party.gm.get(party.path)["seq"]


def test_new_name_takes_a_new_seat(party: Party) -> None:
    """A player with a new name joins at once, and the cookie is for that seat."""
    browser = party.house.browser()
    joined = browser.post("/api/join", secret=party.secret("player"), name="Cy")
    assert (True, party.id, "cy", "player") == (
        joined["joined"], joined["table"], joined["seat"]["id"], joined["seat"]["side"]
    )  # fmt: skip
    assert ["cy"] == [seat["seat"] for seat in browser.get("/api/session")["seats"]]
    assert browser.get(party.path)["seat"]["id"] == "cy"


def test_cookie_is_hidden_from_scripts_and_sites(party: Party) -> None:
    """It is HttpOnly and SameSite=Strict for the whole site, and not Secure over HTTP."""
    answer = party.house.browser().ask(
        "POST", "/api/join", {"secret": party.secret("player"), "name": "Cy"}
    )
    cookie = answer.headers["set-cookie"]
    for part in ("HttpOnly", "SameSite=strict", "Path=/", "Max-Age="):
        assert part in cookie
    assert "Secure" not in cookie
    assert "domain" not in cookie.lower()


def test_cookie_is_secure_over_https(tmp_path: Path) -> None:
    """It is Secure for the public https address, but not on the local network."""
    with serving(tmp_path, public_url="https://table.example") as house:
        host = house.host()
        opened = host.post("/api/tables", system="tiny", title="Coins", name="Mona")
        assert opened["link"]["url"].startswith("https://table.example/join#link=")
        body = {"secret": secret_of(opened["link"])}
        near = house.browser().ask("POST", "/api/join", {**body, "name": "Near"})
        far = house.browser().ask(
            "POST",
            "/api/join",
            {**body, "name": "Far"},
            {"Host": "table.example", "Origin": "https://table.example"},
        )
        assert "Secure" not in near.headers["set-cookie"]
        assert "Secure" in far.headers["set-cookie"]


def test_taken_seat_needs_consent(party: Party) -> None:
    """A claim waits for a device of that seat or a GM; until then the browser has no seat."""
    for friend in (party.ann, party.gm):
        browser = party.house.browser()
        joined = browser.post("/api/join", secret=party.secret("player"), seat="ann")
        claim = joined["claim"]
        assert (False, "waiting", None) == (joined["joined"], claim["state"], joined["seat"])
        assert [] == browser.get("/api/session")["seats"]
        assert 401 == browser.ask("GET", party.path).status_code
        assert [claim["code"]] == [c["code"] for c in friend.get(f"{party.path}/claims")]
        friend.post(f"{party.path}/claims/{claim['id']}", agree=True)
        assert "granted" == browser.get(f"/api/claims/{claim['id']}")["state"]
        assert browser.get(party.path)["seat"]["id"] == "ann"


def test_departed_player_returns_to_their_seat(party: Party) -> None:
    """A left seat is offered by name, and is theirs again with the GM's consent."""
    party.ann.post(f"{party.path}/moves", seat="ann", move="seat.remove", args={"seat": "ann"})
    browser = party.house.browser()
    offered = browser.post("/api/join", secret=party.secret("player"))["seats"]
    assert {"id": "ann", "name": "Ann", "side": "player", "confirm": True} in offered
    claim = browser.post("/api/join", secret=party.secret("player"), seat="ann")["claim"]
    assert not party.gm.get(party.path)["table"]["seats"]["ann"]["here"]
    party.gm.post(f"{party.path}/claims/{claim['id']}", agree=True)
    assert "granted" == browser.get(f"/api/claims/{claim['id']}")["state"]
    assert "ann" == browser.get(party.path)["seat"]["id"]
    assert party.gm.get(party.path)["table"]["seats"]["ann"]["here"]


def test_refused_claim_gives_nothing(party: Party) -> None:
    """After a player's no the browser is informed and still has no seat."""
    browser = party.house.browser()
    claim = browser.post("/api/join", secret=party.secret("player"), seat="ann")["claim"]
    party.ann.post(f"{party.path}/claims/{claim['id']}", agree=False)
    assert "refused" == browser.get(f"/api/claims/{claim['id']}")["state"]
    assert [] == browser.get("/api/session")["seats"]
    party.ann.refused(404, "POST", f"{party.path}/claims/{claim['id']}", agree=True)


def test_claim_is_private(party: Party) -> None:
    """Other players and spectators, and the claimant, may not agree to it or see others'."""
    browser = party.house.browser()
    claim = browser.post("/api/join", secret=party.secret("player"), seat="ann")["claim"]
    for other in (party.bo, party.vera):
        assert [] == other.get(f"{party.path}/claims")
        other.refused(404, "POST", f"{party.path}/claims/{claim['id']}", agree=True)
        other.refused(404, "GET", f"/api/claims/{claim['id']}")
    browser.refused(401, "POST", f"{party.path}/claims/{claim['id']}", agree=True)
    assert "waiting" == browser.get(f"/api/claims/{claim['id']}")["state"]


def test_claims_do_not_accumulate(party: Party) -> None:
    """A repeated claim replaces the earlier one, and strangers at a table are limited."""
    browser, secret = party.house.browser(), party.secret("player")
    for _ in range(3):
        browser.post("/api/join", secret=secret, seat="ann")
    assert 1 == len(party.gm.get(f"{party.path}/claims"))
    for _ in range(19):
        party.house.browser().post("/api/join", secret=secret, seat="ann")
    error = party.house.browser().refused(429, "POST", "/api/join", secret=secret, seat="ann")
    assert "limit" == error["code"]


def test_link_opens_only_its_own_side(party: Party) -> None:
    """A player's link gives no GM seat, by name or claim, and a spectator's no player's."""
    browser = party.house.browser()
    browser.refused(403, "POST", "/api/join", secret=party.secret("player"), seat="mona")
    browser.refused(403, "POST", "/api/join", secret=party.secret("spectator"), seat="ann")
    browser.refused(403, "POST", "/api/join", secret=party.secret("player"), host=True)
    assert {} == browser.cookies


def test_gm_link_needs_no_consent(party: Party) -> None:
    """It takes an existing GM's seat or a second one, and no player's."""
    browser, secret = party.house.browser(), party.secret("gm")
    browser.refused(403, "POST", "/api/join", secret=secret, seat="ann")
    assert browser.post("/api/join", secret=secret, seat="mona")["seat"]["side"] == "gm"
    assert browser.post("/api/join", secret=secret, name="Milo")["seat"]["side"] == "gm"
    assert ["milo", "mona"] == sorted(seat["seat"] for seat in browser.get("/api/session")["seats"])


def test_seat_makes_a_link_for_another_device(party: Party) -> None:
    """It gives exactly its seat at once to the guest who accepts it."""
    link = party.ann.post(f"{party.path}/links", side="device")
    browser = party.house.browser()
    look = browser.post("/api/join", secret=secret_of(link))
    assert ("device", "ann", False) == (look["link"], look["seat"]["id"], look["seat"]["confirm"])
    browser.refused(403, "POST", "/api/join", secret=secret_of(link), seat="bo")
    browser.refused(403, "POST", "/api/join", secret=secret_of(link), name="Annette")
    assert "ann" == browser.post("/api/join", secret=secret_of(link), seat="ann")["seat"]["id"]


def test_only_a_gm_invites(party: Party) -> None:
    """Players and spectators make links only for their own devices."""
    for other in (party.ann, party.vera):
        for side in ("gm", "player", "spectator"):
            assert (
                "identity" == other.refused(403, "POST", f"{party.path}/links", side=side)["code"]
            )
        other.refused(403, "POST", f"{party.path}/links", side="device", whose="bo")
    assert party.gm.post(f"{party.path}/links", side="device", whose="bo")["side"] == "device"


def test_link_lists_hold_no_secrets(party: Party) -> None:
    """A list has names and times, and its ids cannot be used to join."""
    link = party.gm.post(f"{party.path}/links", side="player", note="Cy's phone")
    listed = party.gm.ask("GET", f"{party.path}/links")
    assert secret_of(link) not in listed.text
    ours = next(one for one in listed.json() if one["id"] == link["id"])
    assert ("player", "Cy's phone") == (ours["side"], ours["note"])
    party.house.browser().refused(401, "POST", "/api/join", secret=link["id"])
    assert [] == party.ann.get(f"{party.path}/links")


def test_link_works_until_revoked(party: Party) -> None:
    """It admits any number of people; revoked, it admits nobody, and seats stay."""
    link = party.gm.post(f"{party.path}/links", side="player")
    first = party.house.browser()
    first.post("/api/join", secret=secret_of(link), name="Cy")
    party.house.browser().post("/api/join", secret=secret_of(link), name="Di")
    party.ann.refused(404, "DELETE", f"{party.path}/links/{link['id']}")
    assert 200 == party.gm.ask("DELETE", f"{party.path}/links/{link['id']}").status_code
    error = party.house.browser().refused(
        401, "POST", "/api/join", secret=secret_of(link), name="Ed"
    )
    assert "identity" == error["code"]
    assert "cy" == first.get(party.path)["seat"]["id"]


def test_secrets_are_stored_only_as_hashes(tmp_path: Path) -> None:
    """No secret of a link or a session is in any file of the data folder."""
    data = tmp_path / "data"
    store = SqliteStore(data)
    with serving(tmp_path, store) as house:
        party = house.table()
        secrets = [party.secret("player"), *party.ann.cookies.values(), party.token("player", "Cy")]
    store.close()
    stored = b"".join(path.read_bytes() for path in data.rglob("*") if path.is_file())
    for secret in secrets:
        assert secret.encode() not in stored
        assert hashed(secret).encode() in stored


def test_one_cookie_holds_many_seats(party: Party) -> None:
    """A browser with several seats names one, and gets what that seat may see."""
    party.ann.post("/api/join", secret=party.secret("gm"), name="Annmaster")
    error = party.ann.refused(400, "GET", party.path)
    assert "ann, annmaster" in error["remedy"]
    assert "gm" == party.ann.get(f"{party.path}?seat=annmaster")["seat"]["side"]
    assert "player" == party.ann.get(f"{party.path}?seat=ann")["seat"]["side"]


def test_seat_of_a_request_is_checked(party: Party) -> None:
    """A request's seat is checked: 401 without a session, 403 for another's seat."""
    body = {"seat": "mona", "move": "session.end"}
    assert "identity" == party.ann.refused(403, "POST", f"{party.path}/moves", **body)["code"]
    assert (
        "identity"
        == party.house.browser().refused(401, "POST", f"{party.path}/moves", **body)["code"]
    )
    party.ann.refused(403, "GET", f"{party.path}?seat=mona")
    party.ann.refused(403, "GET", f"{party.path}/log?seat=mona")
    party.ann.refused(403, "GET", f"{party.path}/events?seat=mona")


def test_foreign_and_missing_tables_look_alike(party: Party) -> None:
    """A client without a seat cannot tell whether a table exists."""
    other = party.house.table()
    there = party.ann.ask("GET", other.path)
    nowhere = party.ann.ask("GET", "/api/tables/0000000000")
    assert error_of(there, 404) == error_of(nowhere, 404)


def test_freed_seat_is_signed_out(party: Party) -> None:
    """When the GM frees it, its devices get a message and cannot return on their own."""
    party.gm.move(party.id, "seat.remove", seat="ann")
    assert "identity" == party.ann.refused(403, "GET", party.path)["code"]


def test_transferred_seat_signs_out_its_devices(party: Party) -> None:
    """It keeps its characters, ends sessions and links, and gets one new link."""
    old = secret_of(party.ann.post(f"{party.path}/links", side="device"))
    party.bo.refused(403, "POST", f"{party.path}/seats/ann/replace")
    link = party.gm.post(f"{party.path}/seats/ann/replace")
    party.ann.refused(401, "GET", party.path)
    party.house.browser().refused(401, "POST", "/api/join", secret=old)
    browser = party.house.browser()
    browser.post("/api/join", secret=secret_of(link), seat="ann")
    assert "ann" == browser.get(party.path)["table"]["characters"]["ilse"]["seat"]


def test_forgetting_a_device(party: Party) -> None:
    """A browser that signs out has no seat, nor does its old cookie; the seat stays."""
    cookies = dict(party.ann.cookies)
    answer = party.ann.ask("DELETE", "/api/session")
    assert "Max-Age=0" in answer.headers["set-cookie"]
    party.ann.cookies = cookies
    party.ann.refused(401, "GET", party.path)
    assert party.gm.get(party.path)["table"]["seats"]["ann"]["here"] is True


def test_programs_use_a_token(party: Party) -> None:
    """A program joins with its link as a bearer, and moves with a token and no cookie."""
    client = party.house.client
    bearer = {"Authorization": f"Bearer {party.secret('player')}"}
    joined = client.post("/api/join", json={"name": "Bot", "program": True}, headers=bearer)
    assert "set-cookie" not in joined.headers
    mine = {"Authorization": f"Bearer {joined.json()['token']}"}
    made = client.post(
        f"{party.path}/moves", json={"move": "table.say", "args": {"text": "beep"}}, headers=mine
    )
    assert 200 == made.status_code, made.text
    assert "bot" == client.get(party.path, headers=mine).json()["seat"]["id"]
    assert 401 == client.get(party.path, headers={"Authorization": "Bearer nonsense"}).status_code
    assert 401 == client.get(party.path, headers=bearer).status_code


def test_unknown_token_is_refused_everywhere(party: Party) -> None:
    """An unknown bearer or a link's secret gets a 401 without a cookie, also on public pages."""
    client = party.house.client
    for unknown in ("nonsense", party.secret("player")):
        header = {"Authorization": f"Bearer {unknown}"}
        asked = [
            client.get(path, headers=header)
            for path in ("/api", "/api/session", "/api/systems", "/api/tables")
        ]
        opening = client.post("/api/tables", json={"system": "tiny"}, headers=header)
        for answer in (*asked, opening, client.delete("/api/session", headers=header)):
            assert 401 == answer.status_code, answer.text
            assert "identity" == answer.json()["error"]["code"]
            assert "set-cookie" not in answer.headers


def test_token_holds_the_seats_it_joined(party: Party) -> None:
    """Each joining program gets a token; a sent token gets the further seat too."""
    client, secret = party.house.client, party.secret("player")

    def joined(name: str, token: str = "", program: bool = True) -> str:
        header = {"Authorization": f"Bearer {token or secret}"}
        body = {"name": name, "program": program, **({"secret": secret} if token else {})}
        return str(client.post("/api/join", json=body, headers=header).json()["token"])

    def seats(token: str) -> list[str]:
        session = client.get("/api/session", headers={"Authorization": f"Bearer {token}"}).json()
        return [seat["seat"] for seat in session["seats"]]

    one, two = joined("One"), joined("Two")
    assert (["one"], ["two"]) == (seats(one), seats(two))
    assert one == joined("Three", one, program=False)
    assert (["one", "three"], ["two"]) == (sorted(seats(one)), seats(two))


def test_link_view_names_the_missing_header(party: Party) -> None:
    """A program without browser headers or bearer reads which header it needs."""
    answer = party.house.client.post("/api/join", json={"secret": party.secret("player")})
    assert 403 == answer.status_code
    assert "Authorization: Bearer" in answer.json()["error"]["remedy"]


def test_program_keeps_its_table_after_a_restart(tmp_path: Path) -> None:
    """The opener by the host's link is still the GM, and may not open another table."""
    with closing(SqliteStore(tmp_path / "data")) as store:
        link = host_link(store, tmp_path).path.removeprefix("/#host=")
        with serving(tmp_path, store, public_url="https://table.example") as house:
            joined = house.client.post(
                "/api/join",
                json={"host": True, "program": True},
                headers={"Authorization": f"Bearer {link}"},
            )
            mine = {"Authorization": f"Bearer {joined.json()['token']}"}
            terminal = {"Authorization": f"Bearer {(tmp_path / TOKEN).read_text(encoding='utf-8')}"}
            new = {"system": "tiny", "title": "Coins", "name": "Mona"}
            table = house.client.post("/api/tables", json=new, headers=mine).json()["table"]
            other = house.client.post("/api/tables", json=new, headers=terminal).json()["table"]
            assert house.client.get("/api/session", headers=mine).json()["host"]
    with closing(SqliteStore(tmp_path / "data")) as store:
        host_link(store, tmp_path)
        with serving(tmp_path, store, public_url="https://table.example") as house:
            spoken = {"move": "table.say", "args": {"text": "Here I am again"}}
            made = house.client.post(f"/api/tables/{table}/moves", json=spoken, headers=mine)
            assert 200 == made.status_code, made.text
            assert not house.client.get("/api/session", headers=mine).json()["host"]
            assert 403 == house.client.post("/api/tables", json=new, headers=mine).status_code
            # The file with the terminal's token is rewritten, so the old one is nobody's.
            assert 401 == house.client.get(f"/api/tables/{other}", headers=terminal).status_code


def test_host_opens_tables_and_recovers_links(tmp_path: Path) -> None:
    """Behind a public address only the host opens tables, lists them, and makes GM links."""
    with serving(tmp_path, public_url="https://table.example") as house:
        stranger = house.browser()
        assert False is stranger.get("/api/session")["may_open"]
        stranger.refused(403, "POST", "/api/tables", system="tiny", title="Mine")
        gm, host = house.host(), house.host()
        id = gm.post("/api/tables", system="tiny", title="Coins", name="Mona")["table"]
        assert [("Coins", [])] == [(one["title"], one["seats"]) for one in host.get("/api/tables")]
        link = host.post(f"/api/tables/{id}/links", side="gm")
        host.refused(404, "POST", f"/api/tables/{id}/links", side="player")
        host.refused(404, "POST", "/api/tables/0000000000/links", side="gm")
        assert "mona" == host.post("/api/join", secret=secret_of(link), seat="mona")["seat"]["id"]


def test_host_link_is_viewed_first(house: House) -> None:
    """It gives nothing before it is accepted, and never a seat."""
    secret, browser = mint(house.store, "host"), house.browser()
    assert {"link": "host", "first": True}.items() <= browser.post(
        "/api/join", secret=secret
    ).items()
    assert {} == browser.cookies
    house.table()
    assert browser.post("/api/join", secret=secret)["first"] is False
    assert browser.post("/api/join", secret=secret, host=True)["host"] is True
    assert browser.get("/api/session")["host"] is True


def test_two_servers_keep_their_cookies_apart(tmp_path: Path) -> None:
    """Browsers share cookies between a host's ports, so each server's has its own name."""
    with serving(tmp_path) as one, serving(tmp_path) as two:
        assert one.table().ann.cookies.keys().isdisjoint(two.table().ann.cookies.keys())


def test_qr_code_is_rows_of_cells(house: House) -> None:
    """The code of a link is a square of 0 and 1 with three corners, requested by POST."""
    drawn = house.browser().post("/api/qr", text=f"{house.here}/join#link=abc")
    assert {drawn["size"]} == {len(drawn["rows"])} | {len(row) for row in drawn["rows"]}
    assert {0, 1} == {cell for row in drawn["rows"] for cell in row}
    corner = [1, 1, 1, 1, 1, 1, 1]
    assert [corner] * 3 == [drawn["rows"][0][:7], drawn["rows"][0][-7:], drawn["rows"][-1][:7]]
    assert 405 == house.browser().ask("GET", "/api/qr").status_code
