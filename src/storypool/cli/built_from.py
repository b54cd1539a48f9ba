"""The version with its commit, so that a report says exactly which code it is about."""

from __future__ import annotations

import json
import subprocess
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from storypool import __version__

ARCHIVED = "$Format:%H$"
"""The commit of an archive: `git archive`, from which a release is built, writes it here."""
CHECKOUT = Path(__file__).resolve().parents[3]
DIGITS = 10


def version_with_commit() -> str:
    """`0.1.0 (commit 3f1c2a9b04)`, with `+` behind a commit that has changes, or the version alone.

    Only the version is known where a package was built by hand from files that may have changed.
    """
    commit = _commit()
    return f"{__version__} (commit {commit})" if commit else __version__


def _commit() -> str:
    if not ARCHIVED.startswith("$"):
        return ARCHIVED[:DIGITS]
    return _checked_out() if (CHECKOUT / "dev.py").is_file() else _installed_from()


def _checked_out() -> str:
    # Tags are left out, since the version is there already.
    words = ["describe", "--always", f"--abbrev={DIGITS}", "--dirty=+", "--exclude=*"]
    try:
        found = subprocess.run(
            ["git", *words], cwd=CHECKOUT, capture_output=True, text=True, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return found.stdout.strip()


def _installed_from() -> str:
    """The commit that an installer was given the address of, as in `pip install git+https://...`"""
    try:
        noted = distribution("storypool").read_text("direct_url.json")
    except PackageNotFoundError:
        return ""
    source = json.loads(noted) if noted else {}
    return str(source.get("vcs_info", {}).get("commit_id", ""))[:DIGITS]
