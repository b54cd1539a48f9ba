"""The server as a program: open the store, print the links, and serve until stopped."""

import asyncio
import gc
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import uvicorn

from storypool import systems
from storypool.engine.refusal import Refusal
from storypool.live.nightly import Nightly
from storypool.live.peers.shared_tables import tables_class
from storypool.live.tables import Tables
from storypool.log import snapshots
from storypool.log.disk import database
from storypool.log.disk.reading import ReadingStore
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.places import Data, DatabaseUrl, database_store
from storypool.log.snapshots import Snapshots
from storypool.log.store import Store, StoreError, StoreFull, StoreReadOnly
from storypool.web.app import app
from storypool.web.network.connection_limit import KEY, Connection
from storypool.web.network.limits import PROXY_ADDRESSES
from storypool.web.network.metrics import has_prometheus
from storypool.web.network.web_sockets import WebSocketProtocol
from storypool.web.notices import Notices
from storypool.web.server import Server
from storypool.web.server_log import RepeatFilter, write_log
from storypool.web.server_settings import Limits, Settings
from storypool.web.serving import lifetime, supervisor, systemd, workers
from storypool.web.serving.addresses import address_for_phones, print_addresses
from storypool.web.serving.host_links import (
    TOKEN,
    StartLink,
    begin_host,
    end_shared_link,
    host_link,
    set_host_token,
    shared_link,
    write_token,
)
from storypool.web.serving.listener import (
    EVERYWHERE,
    CannotServe,
    address_from_here,
    handed,
    moved,
    own_listener,
)
from storypool.web.serving.shared_server import server_class
from storypool.words import Phrase
from storypool.words.languages import Language, Languages

SHUTDOWN_TIMEOUT_S = 3
"""Seconds in which open requests may end when the server is stopped."""


class BackupPolicy(NamedTuple):
    """The folder of nightly backups, and the number of nights to keep them."""

    folder: Path
    days: int


class MetricsAt(NamedTuple):
    """The address of the figures for Prometheus."""

    host: str
    port: int


def run(
    data: Data,
    *,
    host: str = "",
    port: int | None = None,
    public_url: str = "",
    local: bool = False,
    open_browser: bool = True,
    ready: Callable[[Store], Sequence[StartLink]] | None = None,
    say: Callable[[str], object] = print,
    languages: Languages | None = None,
    nights: BackupPolicy | None = None,
    metrics: MetricsAt | None = None,
    log_as_json: bool = False,
    limits: Limits | None = None,
    processes: int = 1,
    workshop: bool = False,
    origins: tuple[str, ...] = (),
    keeps: bool = True,
    with_link: bool = True,
    host_token: str = "",
) -> None:
    """Serve the tables of a data folder, or of a database, until the process is asked to stop.

    It listens on the socket that systemd or a supervisor hands to it, or else on one of its own:
    without `host` on every address of this machine, with `local` or a `public_url` by https only on
    this machine. Without `port` it takes the default one; if that is taken and there is no
    `public_url`, the next free one, with a note. `ready` may prepare tables in the store, and
    returns links to show before the host's; the browser opens the first of them. A folder that
    cannot be written, or on a full disk, is served for reading. `nights` sets backups, `metrics`
    the address of figures for Prometheus; the log goes to stderr. A database may be served by
    several `processes`, each with figures at a port of its own, in a row. With `workshop` everybody
    may use the workshop. Pages of `origins` may use the interface with tokens. Without `with_link`
    it makes and prints no link of the host. `host_token` is a token with all rights of the host.
    Without `keeps` the caller throws the tables away at the end. `StoreError` if the tables cannot
    be used, `CannotServe` if the server cannot start.
    """
    if metrics and not has_prometheus():
        raise CannotServe(Phrase("serve.metrics.missing"))
    speaks = languages or Languages()
    write_log(sys.stderr, log_as_json)
    if (listener := handed()) is None:
        listener = own_listener(host, port, local, public_url)
        if phrase := moved(listener, port):
            say(phrase.localize(speaks.default.program))
    with ExitStack() as opened:
        opened.enter_context(closing(listener))
        address, port = listener.getsockname()[:2]
        host = host or address
        supervised = supervisor.is_supervised()
        if supervised:
            _check_can_open(data)
            supervisor.wait_for_turn()
        settings = Settings(
            port,
            public_url,
            address_for_phones(host, local),
            local=local,
            hosts=() if host in EVERYWHERE else (host,),
            workshop=workshop,
            origins=origins,
            limits=limits or Limits(),
        )
        here = f"http://{address_from_here(host)}:{port}"
        store, places = _opened(data, here, speaks.default, ready, with_link)
        opened.enter_context(closing(store))
        if not isinstance(store, ReadingStore):
            set_host_token(store, host_token)
        if isinstance(data, Path):
            data = data.absolute()
            opened.callback(_remove, data / TOKEN)
        kept = data if keeps else None
        opened.enter_context(
            lifetime.logged(listener, public_url, kept, supervisor.replaced(), supervised)
        )
        if supervisor.replaced() and not places:
            say(speaks.default.program["serve.replaced"])
        else:
            print_addresses(settings, places, say, speaks.default, kept)
            if not with_link:
                say(speaks.default.program.say("serve.link", data=data))
        if isinstance(store, ReadingStore):
            refusal = Refusal.of("storage", store.why).localize(speaks.default.program)
            say(f"{refusal.text} {refusal.remedy}")
        if open_browser and _has_display() and not supervised:
            webbrowser.open(here + (places[0].path if places else ""))
        if processes == 1 or isinstance(data, Path):
            serve(store, settings, listener, languages=speaks, nights=nights, metrics=metrics)
        else:
            # A connection must not be shared with another process.
            store.close()
            supervisor.report_serving()
            workers.run(processes, partial(_served, data, settings, listener, speaks, metrics))


def _remove(file: Path) -> None:
    with suppress(OSError):
        file.unlink()


def _check_can_open(data: Data) -> None:
    """Raise `StoreError` if this version cannot serve these tables; the old one still does."""
    if isinstance(data, DatabaseUrl):
        database_store(data).close()
    else:
        database.check_can_open(data / database.NAME)


def _served(
    url: DatabaseUrl,
    settings: Settings,
    listener: socket.socket,
    languages: Languages,
    metrics: MetricsAt | None,
    number: int,
) -> None:
    """Serve a database as one of several processes."""
    with closing(database_store(url)) as store:
        figures = metrics and metrics._replace(port=metrics.port + number)
        serve(store, settings, listener, languages, metrics=figures)


def _opened(
    data: Data,
    address: str,
    language: Language,
    ready: Callable[[Store], Sequence[StartLink]] | None = None,
    with_link: bool = True,
) -> tuple[Store, list[StartLink]]:
    """Open a store, for reading if the folder cannot be written, and return the links to show.

    There are none where this server replaces another, whose links go on.
    """

    def opened(store: Store) -> tuple[Store, list[StartLink]]:
        try:
            # The links of a store that is only read do not last.
            lasts = not isinstance(store, ReadingStore)
            if lasts and supervisor.replaced():
                if isinstance(data, Path):
                    write_token(store, data, language)
                return store, []
            places = list(ready(store) if ready else ())
            # When each seat has its link, the host's link is for further tables.
            label = "serve.host" if places else "serve.master"
            if lasts and not with_link:
                if isinstance(data, Path):
                    begin_host(store, data, language)
                else:
                    end_shared_link(store, address)
            elif isinstance(data, Path):
                places.append(host_link(store, data, label, language))
            else:
                places.append(shared_link(store, address, label, language))
        except BaseException:
            store.close()
            raise
        return store, places

    if isinstance(data, DatabaseUrl):
        return opened(database_store(data))
    try:
        return opened(SqliteStore(data, address))
    except (StoreFull, StoreReadOnly) as error:
        return opened(ReadingStore(data, error, address))


def serve(
    store: Store,
    settings: Settings,
    listener: socket.socket,
    languages: Languages | None = None,
    nights: BackupPolicy | None = None,
    metrics: MetricsAt | None = None,
) -> None:
    """Serve on an open socket until the process is asked to stop."""
    file = store.path.with_name(snapshots.NAME) if isinstance(store, SqliteStore) else None
    kept = Snapshots(store.epoch, file)
    config = configure(tables_class(store)(store, languages=languages, snapshots=kept), settings)
    server: Server = config.app.state.server  # type: ignore[union-attr]
    if isinstance(store, SqliteStore) and nights:
        server.nightly = Nightly(store.path, *nights, partial(_backed_up, server.notices))
    # The event loop and the writer of the log soon get their turns while another computes: see
    # architecture.md.
    sys.setswitchinterval(0.0001)
    # A full garbage collection stops every table for a tenth of a second, and folds leave no cycles
    # behind. So permanent objects are frozen, what is young is collected in small pieces, and all
    # of the rest rarely.
    gc.freeze()
    gc.set_threshold(2_000, 5, 10_000)
    gc.enable()
    with ExitStack() as served:
        if metrics:
            try:
                served.enter_context(server.metrics.serving(*metrics))
            except OSError as error:
                raise CannotServe(
                    Phrase("serve.metrics", why=error.strerror, **metrics._asdict())
                ) from None
        served.callback(kept.close)
        Serving(config).run(sockets=[listener])


def _backed_up(notices: Notices, error: StoreError | None) -> None:
    if error is None:
        notices.clear("backup")
    else:
        notices.show("backup", Refusal.of("storage", Phrase("serve.not_backed_up")), host=True)


_repeat_filter = RepeatFilter()


class Serving(uvicorn.Server):
    """A uvicorn server that ends its live feeds before it waits for open requests."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server, and accept connections within its limit."""
        await super().startup([])
        server: Server = self.config.app.state.server  # type: ignore[union-attr]

        def protocol(connection: Connection) -> asyncio.Protocol:
            # Like uvicorn's own; the scope of each request has the content of `app_state`.
            state = {"server_state": self.server_state, "app_state": {KEY: connection}}
            kind: Callable[..., asyncio.Protocol] = self.config.http_protocol_class
            return kind(config=self.config, **state)

        accepting = partial(server.connections.accept, protocol=protocol)
        self._accepting = [asyncio.create_task(accepting(one)) for one in sockets or ()]
        self._watchdog = asyncio.create_task(systemd.keep_watchdog())
        supervisor.report_serving()
        systemd.notify(systemd.READY, "STATUS=")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop the server on a signal, after a notification of systemd."""
        systemd.stopping()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the server, feeds first; accepted requests are answered."""
        server: Server = self.config.app.state.server  # type: ignore[union-attr]
        for task in (*self._accepting, self._watchdog):
            task.cancel()
        await server.connections.settle()
        server.feeds.stop()
        await super().shutdown(sockets)


def configure(
    tables: Tables, settings: Settings, games: Callable[[], Iterable[str]] = systems.playable
) -> uvicorn.Config:
    """The configuration for serving the application."""
    application = app(tables, settings, games, server_class(tables))
    for name in ("uvicorn.error", "asyncio", "storypool.web"):
        logging.getLogger(name).addFilter(_repeat_filter)
    return uvicorn.Config(
        application,
        loop="asyncio",
        http="h11",
        ws=WebSocketProtocol,
        ws_max_size=settings.limits.frame,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        h11_max_incomplete_event_size=32 * 1024,
        timeout_keep_alive=settings.limits.idle,
        # Only a proxy on this machine may name the address of a client.
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS") or [*PROXY_ADDRESSES],
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_S,
        server_header=False,
        access_log=False,
        log_config=None,
        log_level="warning",
    )


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
