"""Endpoints for the host: lasting links and tokens, and the figures."""

import asyncio
import re

from storypool.log.store import Grant
from storypool.web.access import ALL, LASTING, LINKED, NAMED_TOKEN, Right
from storypool.web.endpoint import Call, Endpoint, Reply, endpoint
from storypool.web.interface import forms, host_forms
from storypool.web.problem import problem

NAME = re.compile(r"\w[\w .@-]*")
"""The name of a credential, which is a part of a path."""
KINDS = {"host": "link", NAMED_TOKEN: "token", LINKED: "session"}


async def _only_host(call: Call) -> None:
    session = await call.session()
    if not (session and session.host):
        raise problem("hostonly")


@endpoint(
    "GET",
    "/api/host/credentials",
    gives=list[host_forms.Credential],
    errors=("hostonly",),
    tag="host",
)
async def list_credentials(call: Call) -> list[host_forms.Credential]:
    """The lasting links and tokens, and the sessions that came by these links, oldest first."""
    await _only_host(call)
    found = await call.access.credentials()
    return [_shown(grant) for grant in sorted(found, key=lambda grant: grant.made)]


def _shown(grant: Grant) -> host_forms.Credential:
    return host_forms.Credential(
        name=grant.note,
        kind=KINDS[grant.kind],  # type: ignore[arg-type]
        rights=_rights(grant),
        made=grant.made,
    )


def _checked(name: str) -> str:
    if not NAME.fullmatch(name):
        raise problem("credential.name", "name", name=name)
    return name


def _rights(grant: Grant) -> list[Right]:
    return ["all"] if grant.side in (ALL, LASTING) else grant.side.split()  # type: ignore[return-value]


@endpoint(
    "POST",
    "/api/host/links",
    body=host_forms.NewHostLink,
    gives=host_forms.HostLink,
    status=(201,),
    errors=("hostonly", "credential.name", "credential.taken"),
    tag="host",
)
async def make_host_link(call: Call) -> host_forms.HostLink:
    """Mint a link that lasts until it is revoked, in place of an earlier one of this name."""
    await _only_host(call)
    name = _checked(call.body.name)
    for grant in await call.access.credentials():
        if grant.note == name and grant.kind == NAMED_TOKEN:
            raise problem("credential.taken", "name", name=name)
        if grant.note == name and grant.kind != LINKED:
            await call.access.revoke(hash=grant.hash)
    secret = await call.access.mint("host", side=LASTING, note=name)
    path = f"/#host={secret}"
    return host_forms.HostLink(name=name, path=path, url=call.settings.base + path)


@endpoint(
    "POST",
    "/api/host/tokens",
    body=host_forms.NewHostToken,
    gives=host_forms.HostToken,
    status=(201,),
    errors=("hostonly", "credential.name", "credential.taken"),
    tag="host",
)
async def make_host_token(call: Call) -> host_forms.HostToken:
    """Mint a token that lasts until it is revoked."""
    await _only_host(call)
    body: host_forms.NewHostToken = call.body
    name = _checked(body.name)
    if any(grant.note == name for grant in await call.access.credentials()):
        raise problem("credential.taken", "name", name=name)
    side = ALL if "all" in body.rights else " ".join(body.rights)
    token = await call.access.mint(NAMED_TOKEN, side=side, note=name)
    return host_forms.HostToken(name=name, rights=body.rights, token=token)


@endpoint(
    "DELETE",
    "/api/host/credentials/{name}",
    gives=forms.Done,
    errors=("hostonly", "credential.no", "credential.unknown"),
    tag="host",
)
async def revoke_credential(call: Call) -> forms.Done:
    """Revoke a link, with the host's rights of all who came by it, or a token with its seats."""
    await _only_host(call)
    credentials, name = await call.access.credentials(), call.path("name")
    named = [grant for grant in credentials if grant.note == name]
    if not named:
        known = ", ".join(sorted({grant.note for grant in credentials}))
        key = "credential.unknown" if known else "credential.no"
        raise problem(key, "name", name=name, known=known)
    for grant in named:
        await call.access.revoke(hash=grant.hash, table=None if grant.kind == NAMED_TOKEN else "")
    return forms.Done(done=True)


@endpoint(
    "GET",
    "/api/host/figures",
    gives=str,
    errors=("hostonly", "metrics.missing"),
    media="text/plain; version=0.0.4",
    tag="host",
)
async def figures(call: Call) -> Reply:
    """The figures for Prometheus, as text, for the host and for tokens that may `watch`."""
    session = await call.session()
    if not (session and session.may("watch")):
        raise problem("hostonly")
    text = await asyncio.to_thread(call.server.metrics.text)
    if text is None:
        raise problem("metrics.missing")
    return Reply(text, media="text/plain; version=0.0.4; charset=utf-8")


ENDPOINTS = tuple(value for value in list(globals().values()) if isinstance(value, Endpoint))
"""Every endpoint of this module."""
