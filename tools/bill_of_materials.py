"""What a release is made of, as CycloneDX: its locked packages, and what the page has from others.

It names what `requirements/run.txt` installs, which is what a host of a checkout runs. The wheel
names ranges, so what an installer chooses for it may be newer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

LOCKED = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)
SHIPPED = (
    "preact",
    "@preact/signals",
    "@preact/signals-core",
    "htm",
    "ogl",
    "@fontsource-variable/",
)
"""The packages of `vendor` that are in the wheel; the others only build or test."""


def bill(root: Path, version: str, commit: str, epoch: int) -> str:
    """The document of one version, the same for the same commit."""
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, f'storypool/{version}/{commit}')}",
        "version": 1,
        "metadata": {
            "timestamp": f"{datetime.fromtimestamp(epoch, UTC):%Y-%m-%dT%H:%M:%SZ}",
            "component": {
                **_component("pypi", "storypool", version, "application"),
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": [*_installed(root), *_shipped(root)],
    }
    return json.dumps(document, indent=2) + "\n"


def _installed(root: Path) -> Iterator[dict[str, Any]]:
    text = (root / "requirements" / "run.txt").read_text(encoding="utf-8")
    for name, version in LOCKED.findall(text):
        yield _component("pypi", name, version)


def _shipped(root: Path) -> Iterator[dict[str, Any]]:
    named = json.loads((root / "vendor" / "package.json").read_text(encoding="utf-8"))
    for name, version in {**named["dependencies"], **named["devDependencies"]}.items():
        if name.startswith(SHIPPED):
            yield _component("npm", name, version)


def _component(kind: str, name: str, version: str, what: str = "library") -> dict[str, Any]:
    purl = f"pkg:{kind}/{name.replace('@', '%40')}@{version}"
    return {"type": what, "bom-ref": purl, "name": name, "version": version, "purl": purl}
