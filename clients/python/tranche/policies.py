"""A Python function as a policy of Tranche's verbs."""

import json
import mmap
import os
import socket
import struct
import tempfile
import threading

import numpy as np

from tranche.bridge import PROTOCOL, put, views
from tranche.launcher import TrancheError

_DONE, _FAILED = b"\x00", b"\x01"
_LONGEST_TEXT = 1 << 24
_ROWS = struct.Struct(">I")


class PolicyServer:
    """Answers verbs that run meanwhile: their observations are the function's arguments, its results their actions.

    Numbers cross in memory that both processes map; nothing is pickled. The function is called by one thread at a time.
    """

    variable = "TRANCHE_POLICY"

    def __init__(self, function):
        if not callable(function):
            raise TypeError(f"policy: expected a function of a batch of observations, was {function!r}")
        self._function = function
        self._turn = threading.Lock()
        self.asked = 0
        """How many batches the function was called with."""
        self.failure = None
        """The first exception of the function."""

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="tranche-")
        self.address = os.path.join(self._folder.name, "policy")
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.address)
        self._listener.listen()
        self._lines = []
        self._threads = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()
        return self

    def __exit__(self, *_):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        for line in self._lines:
            try:
                line.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it is closed
        for thread in self._threads:
            thread.join()
        self._folder.cleanup()

    def _accept(self):
        while True:
            try:
                line, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(line,), daemon=True)
            self._lines.append(line)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection):
        line = connection.makefile("rwb")
        try:
            observations, actions = _mapped(line)
            _answer(line, _DONE)
            while header := line.read(_ROWS.size):
                (rows,) = _ROWS.unpack(header)
                _answer(line, self._decide(_first(observations, rows), actions[:rows]))
        except (OSError, ValueError, KeyError, TrancheError, struct.error):
            pass  # the verb ended, or says itself what is wrong
        finally:
            connection.close()

    def _decide(self, observations, actions):
        try:
            with self._turn:
                self.asked += 1
                decided = np.asarray(self._function(observations))
            if decided.shape == (*actions.shape, 1):
                decided = decided[..., 0]  # of libraries whose actions are always arrays
            put(actions, decided)
            return _DONE
        except Exception as e:  # whatever the function raises is the verb's error, and its caller's
            self.failure = self.failure or e
            text = f"{type(e).__name__}: {e}".encode()[:4000]
            return _FAILED + _ROWS.pack(len(text)) + text


def _mapped(line):
    """The arrays of a verb: observations, and where actions are put."""
    (length,) = _ROWS.unpack(line.read(_ROWS.size))
    if length > _LONGEST_TEXT:
        raise TrancheError(f"description: expected at most {_LONGEST_TEXT} bytes, was {length}")
    described = json.loads(line.read(length))
    if described["protocol"] != PROTOCOL:
        raise TrancheError(f"protocol: expected {PROTOCOL}, was {described['protocol']}")
    with open(described["file"], "r+b") as file:
        memory = mmap.mmap(file.fileno(), described["size"])
    os.unlink(described["file"])
    rows = described["environments"]
    return views(memory, described["observation"], rows), views(memory, described["action"], rows)


def _answer(line, answer):
    line.write(answer)
    line.flush()


def _first(arrays, rows):
    """Copies, so that a function may keep what it was shown."""
    if isinstance(arrays, dict):
        return {name: _first(part, rows) for name, part in arrays.items()}
    if isinstance(arrays, tuple):
        return tuple(_first(part, rows) for part in arrays)
    return arrays[:rows].copy()
