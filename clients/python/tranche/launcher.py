"""Finds the launcher `tranche`, which finds a JDK and runs a verb."""

import os
import shutil
from pathlib import Path


class TrancheError(RuntimeError):
    """Tranche refused something, or its process ended."""


def find_launcher():
    """The launcher: what the environment variable TRANCHE names, the one in this package, the one of the clone that this
    package is in or was installed from, or the first on PATH."""
    named = os.environ.get("TRANCHE")
    if named:
        if not os.access(named, os.X_OK) or os.path.isdir(named):
            raise TrancheError(f"TRANCHE: expected the path of the launcher 'tranche', was {named}")
        return named
    here = Path(__file__).resolve().parent
    installed_from = here / "clone.txt"
    clone = [Path(installed_from.read_text(encoding="utf-8"))] if installed_from.is_file() else []
    for folder in (here / "home", *here.parents, *clone):
        launcher = folder / "tranche"
        if launcher.is_file() and os.access(launcher, os.X_OK):
            return str(launcher)
    on_path = shutil.which("tranche")
    if on_path:
        return on_path
    raise TrancheError(
        "launcher: expected 'tranche' on PATH, in this package or in the environment variable TRANCHE, was none"
    )
