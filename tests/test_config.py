"""The settings of `serve`: options, then variables, then a file, then defaults."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import pytest

from storypool.cli import main
from storypool.cli.commands.serve_command import serve
from storypool.cli.config import config_file
from storypool.cli.config.config_file import NAME
from storypool.cli.config.configured import by_key, key_of, variable
from storypool.log.disk.sqlite import SqliteStore
from storypool.log.memory import MemoryStore
from storypool.web.access import hashed
from storypool.web.serving.host_links import GIVEN, set_host_token
from tests.browsers import serving

Row = dict[str, Any]
Checked = Callable[..., dict[str, Row]]
TOKEN = "a-token-that-nobody-guesses"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as that of this user."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))
    for option in serve.params:
        monkeypatch.delenv(variable(option), raising=False)
    return tmp_path


def written(file: Path, *lines: str) -> Path:
    """A file of settings with these lines."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.fixture
def checked(capsys: pytest.CaptureFixture[str]) -> Checked:
    """What `config check` says of each option, with no mistake."""

    def check(*words: str) -> dict[str, Row]:
        assert 0 == main(["config", "check", "--json", *words]), capsys.readouterr()
        found = json.loads(capsys.readouterr().out)
        assert [] == found["mistakes"]
        return {one["option"]: one for one in found["settings"]}

    return check


def test_command_line_counts_before_variable_and_file(
    home: Path, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each source counts where the ones before it have nothing, and is named."""
    assert (None, "default") == (checked()["port"]["value"], checked()["port"]["source"])
    file = written(home / "settings/storypool" / NAME, "# mine", "", "port = 8001")
    port = checked()["port"]
    assert (8001, f"{file}:3") == (port["value"], port["source"])
    monkeypatch.setenv("STORYPOOL_PORT", "8002")
    port = checked()["port"]
    assert (8002, "STORYPOOL_PORT") == (port["value"], port["source"])
    port = checked("--port", "8003")["port"]
    assert (8003, "--port") == (port["value"], port["source"])


def sample(option: click.Option) -> Any:
    """A value that is not the default."""
    if option.is_flag:
        return option.default is not True
    if option.multiple:
        return ["https://a.example", "https://b.example"]
    if isinstance(option.type, click.IntRange):
        return 1 if option.name == "processes" else 77
    texts = {"public_url": "https://x.example", "metrics": "127.0.0.1:9230", "log": "json"}
    return texts.get(str(option.name), "/tmp/here")


@pytest.mark.parametrize("key", sorted(by_key(serve)))
def test_every_option_has_a_key_and_a_variable(
    key: str, home: Path, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both take what the option takes."""
    value = sample(by_key(serve)[key])
    if key == "host-token-file":
        value = str(written(home / "token", TOKEN))
    name = variable(by_key(serve)[key])
    assert name == f"STORYPOOL_{key.upper().replace('-', '_')}"
    file = written(home / "file.toml", f"{key} = {json.dumps(value)}")
    row = checked("--config", str(file))[key]
    # The check itself is asked for JSON.
    if key != "json":
        assert (value, f"{file}:1") == (row["value"], row["source"])
    monkeypatch.setenv(name, " ".join(value) if isinstance(value, list) else str(value))
    row = checked()[key]
    if key != "json":
        assert (value, name) == (row["value"], row["source"])


def test_file_is_in_the_data_folder_or_the_users(
    home: Path, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one that is there counts alone; a named one counts before both."""
    written(home / "settings/storypool" / NAME, "port = 8001", "workshop = true")
    assert 8001 == checked()["port"]["value"]
    written(home / "data/storypool" / NAME, "port = 8002")
    written(home / "other" / NAME, "port = 8003")
    settings = checked()
    assert (8002, False) == (settings["port"]["value"], settings["workshop"]["value"])
    assert 8003 == checked("--data", str(home / "other"))["port"]["value"]
    file = written(home / "named.toml", "port = 8004")
    monkeypatch.setenv("STORYPOOL_CONFIG", str(file))
    assert 8004 == checked("--data", str(home / "other"))["port"]["value"]


def test_paths_begin_at_the_file(
    home: Path, checked: Checked, capsys: pytest.CaptureFixture[str]
) -> None:
    """So they mean the same wherever a command is run; `data` counts for other commands too."""
    file = written(home / "settings/storypool" / NAME, 'data = "mine"', 'backup-to = "kept"')
    settings = checked()
    assert str(file.parent / "mine") == settings["data"]["value"]
    assert str(file.parent / "kept") == settings["backup-to"]["value"]
    SqliteStore(file.parent / "mine").close()
    assert 0 == main(["table", "list"])
    assert 0 == main(["doctor", "--json"])
    found = json.loads(capsys.readouterr().out.partition("\n")[2])
    assert "doctor.form" in [one["id"] for one in found["findings"]]


MISTAKES = {
    "prot = 8230": "there is no option “prot”. The nearest: port.",
    "public_url = 'https://x'": "there is no option “public_url”. The nearest: public-url",
    "unheard-of = 1": "there is no option “unheard-of”. The options are: allow-origin, backup-",
    "config = 'x'": "there is no option “config”.",
    "port = '8230'": "“port” is a whole number, without quotation marks.",
    "port = true": "“port” is a whole number",
    "port = 99999": "“port” cannot be that. 99999 is not in the range",
    "workshop = 1": "“workshop” is true or false.",
    "log = true": "“log” is a text in quotation marks.",
    "log = 'text'": "“log” cannot be that. 'text' is not one of 'lines', 'json'.",
    "public-url = 'ftp://x'": "“public-url” cannot be that. Others cannot reach this server at",
    "allow-origin = 'https://x.example'": "“allow-origin” is a list of texts",
    "allow-origin = ['https://x.example', 1]": "“allow-origin” is a list of texts",
    "allow-origin = ['*']": "“allow-origin” cannot be that. No page comes from “*”.",
    "data = 'postgres:/x'": "“data” cannot be that. “postgres:/” is not the beginning",
    "[serve]": "there is no option “serve”.",
}


@pytest.mark.parametrize("line", MISTAKES)
def test_mistake_is_refused_at_its_line(
    line: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server does not start with it, and the check exits with 2."""
    file = written(home / "file.toml", "backup-days = 3", "", line)
    for command in ("serve", "config check"):
        assert 2 == main([*command.split(), "--config", str(file)])
        answer = capsys.readouterr().err
        assert answer.startswith(f"storypool: {file}, line 3: {MISTAKES[line]}"), answer
        assert 1 == answer.count("\n")
    assert not (home / "data").exists()


def test_check_lists_every_mistake(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has all of the file; and also what does not go together, and misspelt variables."""
    each_once = {line.partition(" =")[0]: line for line in MISTAKES}
    file = written(home / "file.toml", *each_once.values())
    assert 2 == main(["config", "check", "--config", str(file)])
    assert len(each_once) == len(capsys.readouterr().err.splitlines())
    monkeypatch.setenv("STORYPOOL_PUBLIC_URI", "https://x")
    assert 2 == main(["config", "check", "--processes", "2"])
    answer = capsys.readouterr()
    assert "A data folder is served by one process." in answer.err
    assert "STORYPOOL_PUBLIC_URI is that of no option. The nearest: STORYPOOL_PUBLIC_URL" in (
        answer.err
    )
    assert "would start" not in answer.out


@pytest.mark.parametrize(
    ("text", "reason"),
    [("port =\n", r"is no TOML: .*line 1"), (None, "cannot be read: No such file or directory")],
)
def test_unreadable_file_is_refused(
    text: str | None, reason: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A named file must be there and be TOML; the help needs none."""
    if text is not None:
        written(home / "file.toml", text)
    assert 2 == main(["serve", "--config", str(home / "file.toml")])
    assert re.search(reason, capsys.readouterr().err)
    assert 0 == main(["serve", "--config", str(home / "file.toml"), "--help"])


def test_bad_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The refusal has its name, not that of the option."""
    monkeypatch.setenv("STORYPOOL_BACKUP_DAYS", "many")
    assert 2 == main(["serve"])
    assert "Invalid value for STORYPOOL_BACKUP_DAYS" in capsys.readouterr().err


def test_password_is_nowhere_to_be_seen(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may come by a variable or a file, and is refused where other users can list it."""
    address = "postgresql://ann:hidden-word@127.0.0.1:1/d"
    monkeypatch.setenv("STORYPOOL_DATA", address)
    assert 0 == main(["config", "check"])
    monkeypatch.delenv("STORYPOOL_DATA")
    file = written(home / "file.toml", f'data = "{address}"')
    file.chmod(0o644)
    for more in ([], ["--json"]):
        assert 0 == main(["config", "check", "--config", str(file), *more])
    printed = capsys.readouterr().out
    assert 3 == printed.count("postgresql://127.0.0.1:1/d")
    assert "Other users of this machine can read" in printed
    for text in (address, "postgresql://127.0.0.1:1/d?password=hidden-word"):
        assert 2 == main(["serve", "--data", text])
        refused = capsys.readouterr().err
        assert "Other users of this machine could read the password" in refused
        printed += refused
    assert "hidden-word" not in printed


def test_token_of_a_file_is_the_hosts(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It works until a start with another one, or with none; one that could be guessed does not."""
    store = MemoryStore()
    with serving(home, store, public_url="https://table.example") as house:

        def is_host(token: str) -> bool:
            house.app.state.server.access.forget()
            bearer = {"Authorization": f"Bearer {token}"}
            return bool(house.client.get("/api/session", headers=bearer).json().get("host"))

        for token in (TOKEN, TOKEN, f"{TOKEN}-2"):
            set_host_token(store, token)
            assert is_host(token)
        assert not is_host(TOKEN)
        assert [hashed(f"{TOKEN}-2")] == [
            one.hash for one in store.grants(table="") if one.note == GIVEN and not one.revoked
        ]
        set_host_token(store, "")
        assert not is_host(f"{TOKEN}-2")
    for text in ("short", "a token with spaces in it, long", "ü" * 30):
        file = written(home / "token", text)
        assert 2 == main(["serve", "--host-token-file", str(file)])
        assert "could be guessed" in capsys.readouterr().err
    assert 2 == main(["serve", "--host-token-file", str(home / "none")])
    assert "cannot be read" in capsys.readouterr().err


def test_start_takes_the_token_of_a_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of its file may come by a variable."""
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
    monkeypatch.setenv("STORYPOOL_HOST_TOKEN_FILE", str(written(home / "token", TOKEN, "")))
    assert 0 == main(["serve", "--local", "--port", "0", "--no-browser", "--data", str(home / "d")])
    with closing(SqliteStore(home / "d")) as store:
        assert hashed(TOKEN) in [one.hash for one in store.grants(table="")]


def test_tables_stay_at_their_earlier_place(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new folder is where platformdirs says; one with tables goes on, unless both have some."""
    new, old = home / "data/storypool", home / "old"
    monkeypatch.setattr(config_file, "earlier", lambda: old)
    assert new == config_file.standard()
    old.mkdir()
    assert new == config_file.standard()
    SqliteStore(old).close()
    assert old == config_file.standard()
    assert 0 == main(["table", "list"])
    SqliteStore(new).close()
    assert new == config_file.standard()


@pytest.mark.skipif(sys.platform != "linux", reason="it is about the folders of Linux")
@pytest.mark.parametrize("place", ["/srv/data", "", None])
def test_place_on_linux_is_as_before(place: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the one that the hosting page names, with and without XDG_DATA_HOME."""
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if place is not None:
        monkeypatch.setenv("XDG_DATA_HOME", place)
    folder = Path(place or Path.home() / ".local/share") / "storypool"
    assert (folder, folder) == (config_file.standard(), config_file.earlier())


def test_page_has_a_file_that_works(home: Path, checked: Checked) -> None:
    """The example of the hosting page is taken as it is, and its table has real variables."""
    page = (Path(__file__).parents[1] / "docs/hosting.md").read_text(encoding="utf-8")
    example = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[0]
    file = written(home / "file.toml", example)
    settings = checked("--config", str(file))
    sources = [one["source"] for one in settings.values() if one["source"] != "default"]
    assert len(example.splitlines()) == sum(one.startswith(str(file)) for one in sources)
    known = {variable(option) for option in serve.params} | {"STORYPOOL_WORDS"}
    assert set(re.findall(r"STORYPOOL_[A-Z_]+", page)) <= known
    assert {key_of(option) for option in serve.params} >= set(re.findall(r"`([a-z-]+) = ", page))
