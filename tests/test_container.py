"""The container of docs/hosting: its files, and each step of the image run without containers."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from storypool.cli.group import storypool
from tests.wheelhouse import ROOT, UV

FOLDER = ROOT / "docs" / "hosting" / "container"
FILE = FOLDER / "Containerfile"
PAGE = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")


def instructions() -> list[tuple[str, str]]:
    """The file's instructions with their arguments, each on one line."""
    lines = [
        line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    ]
    whole = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [
        (word, rest)
        for word, _, rest in (line.partition(" ") for line in whole.splitlines() if line)
    ]


def stages() -> list[list[tuple[str, str]]]:
    """The instructions of each stage without its FROM."""
    found: list[list[tuple[str, str]]] = []
    for word, rest in instructions():
        if word == "FROM":
            found.append([])
        elif found:
            found[-1].append((word, rest))
    return found


def last(word: str) -> str:
    """The arguments of the final stage's last instruction of this kind."""
    return [rest for one, rest in stages()[-1] if one == word][-1]


def services() -> dict[str, Any]:
    """The services of the compose file."""
    found: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))[
        "services"
    ]
    return found


@pytest.mark.slow
def test_container_linter_finds_nothing() -> None:
    """hadolint, which also checks the shell, has no finding."""
    checked = subprocess.run(
        [UV.with_name("hadolint"), "--no-color", FILE], capture_output=True, text=True
    )
    assert (0, "") == (checked.returncode, checked.stdout)


def test_image_runs_with_few_rights() -> None:
    """Its base is a required argument; it is not root, uses a volume, and has a health check."""
    assert ("ARG", "BASE") == instructions()[0]
    assert ["${BASE} AS build", "${BASE}"] == [
        rest for word, rest in instructions() if word == "FROM"
    ]
    words = [word for word, _ in stages()[-1]]
    assert "10001:10001" == last("USER")
    assert "RUN" not in words[words.index("USER") :]
    assert [] == [rest for word, rest in stages()[-1] if word == "RUN" and "pip" in rest]
    assert last("VOLUME") == "/data"
    assert "/api/health" in last("HEALTHCHECK")
    assert "ADD" not in {word for word, _ in instructions()}
    assert "--require-hashes -r requirements/container.txt" in dict(stages()[0])["RUN"]


def test_services_run_with_few_rights() -> None:
    """Each has a read-only root and listed rights only; the host names the images."""
    for name, service in services().items():
        assert service["read_only"], name
        assert ["ALL"] == service["cap_drop"], name
        assert ["no-new-privileges:true"] == service["security_opt"], name
        assert "always" == service["restart"], name
        assert "storypool" == service["image"] or re.fullmatch(
            r"\$\{[A-Z]+:\?[^}]+\}", service["image"]
        ), name
    assert [] == services()["storypool"].get("cap_add", [])


def test_services_match_each_other() -> None:
    """The server has valid options, listens at the proxy's target and awaits its database."""
    found = services()
    command = found["storypool"]["command"]
    serve = storypool.get_command(click.Context(storypool), command[0])
    assert serve is not None
    assert {word for word in command if word.startswith("--")} <= {
        option for param in serve.params for option in (*param.opts, *param.secondary_opts)
    }
    assert "127.0.0.1" == command[command.index("--host") + 1]
    assert "127.0.0.1:8230" == found["proxy"]["command"][-1]
    assert {"service:address"} == {found[name]["network_mode"] for name in ("storypool", "proxy")}
    assert {"80:80", "443:443", "443:443/udp"} == set(found["address"]["ports"])
    assert [] == [name for name in found if name != "address" and "ports" in found[name]]
    assert "service_healthy" == found["storypool"]["depends_on"]["database"]["condition"]
    assert (
        "postgresql://storypool@database/storypool"
        == found["storypool"]["environment"]["STORYPOOL_DATA"]
    )


def test_page_explains_compose_variables() -> None:
    """The hosting page has each variable of the compose file."""
    text = (FOLDER / "compose.yaml").read_text(encoding="utf-8")
    wanted = set(re.findall(r"\$\{([A-Z]+)", text))
    assert wanted == set(re.findall(r"(?m)^([A-Z]+)=", PAGE))


# Each step of the image, in a root of its own.


class Root:
    """A root that starts as this machine's, and stores changes in a folder."""

    def __init__(self, place: Path) -> None:
        self.place = place
        for name in ("changed", "work", "root"):
            (place / name).mkdir(parents=True)
        self.variables = {
            "PATH": f"{Path(sys.base_prefix) / 'bin'}:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
        }
        self.folder = "/"

    def run(
        self, script: str, *namespaces: str, before: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a shell script in it, after `before` outside of it."""
        root, environ = (
            self.place / "root",
            [f"{name}={text}" for name, text in self.variables.items()],
        )
        layers = f"lowerdir=/,upperdir={self.place / 'changed'},workdir={self.place / 'work'}"
        inside = shlex.join(["env", "-i", "-C", self.folder, *environ, "sh", "-euc", script])
        outside = f"""
            mount -t overlay overlay -o {layers} {root}
            mount --bind /dev {root}/dev
            mount -t proc proc {root}/proc
            {before}
            exec chroot {root} {inside}"""
        command = ["unshare", "--mount", "--pid", "--fork", *namespaces, "sh", "-euc", outside]
        return subprocess.run(command, capture_output=True, text=True)

    def do(self, steps: list[tuple[str, str]], built: Root | None) -> None:
        """Run the steps of a stage as written, with the files that another stage `built`."""
        for word, rest in steps:
            if word == "ENV":
                for name, text in (pair.split("=", 1) for pair in shlex.split(rest)):
                    self.variables[name] = text.replace("$PATH", self.variables["PATH"])
            elif word == "WORKDIR":
                self.folder = rest
                (self.place / "changed" / rest[1:]).mkdir(parents=True, exist_ok=True)
            elif word == "COPY":
                self.copy(shlex.split(rest), built)
            elif word == "RUN":
                done = self.run(rest)
                assert 0 == done.returncode, f"{rest}\n{done.stdout}\n{done.stderr}"

    def copy(self, words: list[str], built: Root | None) -> None:
        """Copy from the checkout or the built stage."""
        source = ROOT
        if words[0].startswith("--from="):
            assert built is not None
            source, words = built.place / "changed", words[1:]
        *names, target = words
        place = self.place / "changed" / Path(self.folder, target).relative_to("/")
        for name in names:
            file = source / name.lstrip("/")
            if file.is_dir():
                shutil.copytree(
                    file, place, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
                )
            else:
                to = place / file.name if target.endswith("/") else place
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, to)


def may_mount() -> bool:
    """Whether this machine allows a separate root."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0 or not shutil.which("unshare"):
        return False
    return subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0


@pytest.fixture
def image(tmp_path: Path) -> Root:
    """The root of the last stage."""
    built, image = Root(tmp_path / "build"), Root(tmp_path / "image")
    first, second = stages()
    # The Python that stands for that of the base image may be in the folder of a user.
    assert (
        0
        == image.run(
            shlex.join(["chmod", "o+x", *map(str, Path(sys.base_prefix).parents)])
        ).returncode
    )
    built.do(first, None)
    image.do(second, built)
    return image


@pytest.mark.exhaustive
@pytest.mark.skipif(not may_mount(), reason="needs root on Linux, to make a root of its own")
def test_image_steps_make_a_server(image: Root) -> None:
    """Both stages' steps work as written, and the result serves with the image's rights.

    As its user, without rights, on a read-only root: it becomes healthy, writes only to the volume,
    supports PostgreSQL, and exits with 0 when stopped.
    """
    serve = shlex.join([*json.loads(last("ENTRYPOINT")), *json.loads(last("CMD"))])
    healthy = shlex.join(json.loads(last("HEALTHCHECK").partition("CMD ")[2]))
    script = f"""
        id -u
        ! touch /written /opt/storypool/written 2>/dev/null && echo read only
        python -c 'import psycopg'
        {serve} &
        for _ in $(seq 600); do {healthy} 2>/dev/null && echo healthy && break; sleep 0.1; done
        ls /data
        kill -TERM $!
        wait $! && echo ended"""
    uid, _, gid = last("USER").partition(":")
    rights = (
        f"setpriv --reuid={uid} --regid={gid} --clear-groups --no-new-privs --bounding-set=-all sh"
        " -euc"
    )
    root = image.place / "root"
    bounded = (
        f"mount -o remount,ro {root}; mount -t tmpfs tmpfs {root}/tmp; mount --bind"
        f" {image.place}/data {root}/data"
    )
    shutil.copytree(image.place / "changed" / "data", image.place / "data")
    os.chown(image.place / "data", int(uid), int(gid))
    done = image.run(
        f"exec {rights} {shlex.quote(script)}", "--net", before=f"ip link set lo up; {bounded}"
    )
    lines = done.stdout.splitlines()
    assert 0 == done.returncode, done.stderr
    assert [uid, "read only"] == lines[:2]
    assert {"healthy", "ended", "storypool.db"} <= set(lines)
