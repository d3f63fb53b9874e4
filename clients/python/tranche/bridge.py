"""A Java process that hosts environments. Numbers cross in shared memory, commands through a pipe; nothing is pickled."""

import json
import mmap
import os
import struct
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from tranche.frames import Handed
from tranche.launcher import TrancheError, find_launcher

PROTOCOL = 1
_DONE, _FAILED, _TEXT = 0, 1, 2
_LONGEST_TEXT = 1 << 24
_PATIENCE = 10.0
_DESCRIBED = ("size", "orders", "action", "observation", "reward", "terminated", "mask", "metrics")


class Bridge:
    """Starts `tranche gym` and speaks with it. Belongs to one thread.

    When this process dies, Java sees the end of its input and ends. When Java dies, the next call raises TrancheError.
    The shared memory has no name where the system allows that, so nothing is left behind.
    """

    def __init__(self, config, environments, options):
        self._process = None
        self._memory = None
        self._temporary = None
        self._handed = Handed(options[options.index("--out") + 1] if "--out" in options else None)
        self._errors = tempfile.TemporaryFile()
        file, descriptor = _shared_file()
        try:
            command = [find_launcher(), "gym", self._config(config, options), "--file", file]
            command += ["--environments", str(environments), *options]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                pass_fds=(descriptor,),
            )
            self.layout = self._parsed(self._answer(), dict)
            if self.layout.get("protocol") != PROTOCOL:
                raise TrancheError(
                    f"protocol: expected {PROTOCOL}, was {self.layout.get('protocol')}:"
                    " package and launcher are of different versions"
                )
            missing = [name for name in _DESCRIBED if name not in self.layout]
            if missing:
                raise TrancheError(f"answer: expected the description of environments, was without {missing}")
            self._memory = mmap.mmap(descriptor, self.layout["size"])
        except BaseException:
            self.close()
            raise
        finally:
            os.close(descriptor)
            if not file.startswith("/proc/"):
                os.unlink(file)
        self.metrics = []

    def _config(self, config, options):
        if not isinstance(config, dict):
            return os.fspath(config)
        self._temporary = tempfile.TemporaryDirectory(prefix="tranche-")
        file = Path(self._temporary.name) / "environment.json"
        file.write_text(json.dumps(self._handed.paths(config)), encoding="utf-8")
        if "--out" not in options:
            options += ["--out", os.path.join(self._temporary.name, "run")]
        return str(file)

    def array(self, offset, dtype, shape):
        """A view of the shared memory."""
        return _view(self._memory, offset, dtype, shape)

    def arrays(self, described, rows):
        """Views of the shared memory, one or more as a description of a space says."""
        return views(self._memory, described, rows)

    def reset(self, seed=None, masked=False):
        flags = (1 if seed is not None else 0) | (2 if masked else 0)
        self._ask(b"R" + struct.pack(">Bq", flags, 0 if seed is None else seed))

    def begin_step(self):
        """Java steps while this process does something else, until `end_step`."""
        self._send(b"S")

    def end_step(self):
        self._receive()

    def _ask(self, command):
        self._send(command)
        self._receive()

    def _send(self, command):
        if self._process is None:
            raise TrancheError("environments: expected open ones, was closed")
        try:
            self._process.stdin.write(command)
        except OSError:
            raise self._ended() from None

    def _receive(self):
        text = self._answer()
        if text is not None:
            self.metrics = self._parsed(text, list)

    @staticmethod
    def _parsed(text, kind):
        try:
            value = json.loads(text or "")
        except ValueError:
            value = text
        if not isinstance(value, kind):
            raise TrancheError(f"answer: expected a {kind.__name__} as JSON, was {str(value)[:80]!r}")
        return value

    def _answer(self):
        kind = self._read(1)[0]
        if kind == _DONE:
            return None
        if kind not in (_FAILED, _TEXT):
            raise TrancheError(f"answer: expected one of 0, 1 and 2, was {kind}")
        (length,) = struct.unpack(">I", self._read(4))
        if length > _LONGEST_TEXT:
            raise TrancheError(f"answer: expected at most {_LONGEST_TEXT} bytes, was {length}")
        text = self._read(length).decode("utf-8", "replace")
        if kind == _FAILED:
            raise TrancheError(text)
        return text

    def _read(self, count):
        parts = []
        while count > 0:
            part = self._process.stdout.read(count)
            if not part:
                raise self._ended()
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _ended(self):
        """Java's own message, with how it ended."""
        try:
            code = self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        self._errors.seek(0)
        message = self._errors.read()[-4000:].decode("utf-8", "replace").strip()
        return TrancheError(f"{message or 'the Java process ended'} (exit code {code})")

    def close(self):
        process, self._process = self._process, None
        if process is not None:
            try:
                process.stdin.close()
            except OSError:
                pass
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()
        self._errors.close()
        if self._temporary is not None:
            self._temporary.cleanup()
        self._handed.__exit__()
        self._memory = None  # unmapped when the last array that views it is gone


def _view(memory, offset, dtype, shape):
    count = int(np.prod(shape, dtype=np.int64))
    return np.frombuffer(memory, dtype=dtype, count=count, offset=offset).reshape(shape)


def views(memory, described, rows):
    """Arrays of so many rows in a shared memory, one or more as a description of a space says."""
    if described["kind"] == "Dict":
        return {name: views(memory, part, rows) for name, part in described["spaces"].items()}
    if described["kind"] == "Tuple":
        return tuple(views(memory, part, rows) for part in described["spaces"])
    return _view(memory, described["offset"], described["type"], (rows, *described["shape"]))


def put(target, actions):
    """Writes actions into the shared memory. Java says whether they are in their space."""
    if actions.shape != target.shape:
        raise ValueError(f"actions: expected the shape {target.shape}, was {actions.shape}")
    if target.dtype.kind == "i" and actions.dtype.kind not in "iub":
        raise TypeError(f"actions: expected whole numbers, was {actions.dtype}")
    target[:] = actions


def _shared_file():
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("tranche", 0)
        return f"/proc/self/fd/{descriptor}", descriptor
    descriptor, file = tempfile.mkstemp(prefix="tranche-")
    return file, descriptor
