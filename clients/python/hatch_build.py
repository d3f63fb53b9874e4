"""Lets a package that was installed from a clone find the launcher there."""

import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version, build_data):
        package = Path(self.root)
        clone = package.parent.parent
        if version == "editable" or (package / "tranche/home").exists() or not (clone / "tranche").is_file():
            return
        self._folder = tempfile.TemporaryDirectory()
        file = Path(self._folder.name, "clone.txt")
        file.write_text(str(clone), encoding="utf-8")
        build_data["force_include"][str(file)] = "tranche/clone.txt"

    def finalize(self, version, build_data, artifact_path):
        if hasattr(self, "_folder"):
            self._folder.cleanup()
