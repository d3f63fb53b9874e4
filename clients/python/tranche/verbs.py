"""The verbs of Tranche, as a shell would run them."""

import json as _json
import os
import subprocess
import sys
import tempfile
import threading

from tranche.frames import Handed, has_frames, is_frame
from tranche.launcher import TrancheError, find_launcher

_LASTING = ("train", "tune", "roll")
"""Verbs whose folder remembers where its data are."""


def verb(name, *arguments, json=False, progress=True, policy=None):
    """Runs a verb, such as `verb("train", "train.yml", "--out", "runs/a")`, and returns what it prints.

    An argument may be a frame of pandas or a table of Arrow where the verb takes a file of bars or orders, or a dict where
    it takes a configuration, which may contain frames in turn. Runs keep the frames they were given in the folder of
    `--out`, so that every verb finds them there later.
    `json=True` adds `--json` and returns the parsed answer. `progress` shows its messages while it runs. A verb that
    fails raises TrancheError with its message; exit code 5, done but for some orders, does not count as failing.
    `policy` is the function of a run that `policy_run` made.
    """
    kept = _out(name, arguments) if name in _LASTING and has_frames(arguments) else None
    with Handed(kept) as handed, tempfile.TemporaryDirectory(prefix="tranche-") as folder:
        files = [_configuration(each, handed, folder) for each in arguments]
        if policy is None:
            return _run(name, files, json, progress)
        return _run_with(policy, name, files, json, progress)


def _out(name, arguments):
    """The folder that a verb is told to put its run into."""
    for word, following in zip(arguments, (*arguments[1:], None)):
        if isinstance(word, str) and word == "--out" and following is not None:
            return following
        if isinstance(word, str) and word.startswith("--out="):
            return word[len("--out=") :]
    raise ValueError(f"--out: expected the folder of the run, which keeps its frames, was none (tranche {name})")


def _run_with(policy, name, files, json, progress):
    from tranche.policies import PolicyServer

    with PolicyServer(policy) as server:
        try:
            printed = _run(name, files, json, progress, {server.variable: server.address})
        except TrancheError as e:
            raise e from server.failure
        if not server.asked:
            raise TrancheError(
                f"policy: expected a run that tranche.policy_run made, was one with a policy of its own (tranche {name})"
            )
        return printed


def policy_run(config, policy, out, *, flat=True, progress=False):
    """Makes a run of a Python function without learning anything, and returns its folder: pass it to `verb("backtest",
    ...)`, "select", "stress" or `judge`, each time with the same `policy`.

    config: a dict as for `make_vec`; out: the folder of the run.
    policy: given a batch of observations, returns their actions, as many as there are rows. Observations are those of
    environments: rows of numbers, or with `flat=False` a dict of arrays.
    """
    if not isinstance(config, dict):
        raise TypeError(f"config: expected a dict, was {config!r}")
    trainer = {"max_iterations": 1, "episodes_per_iteration": 1, **config.get("trainer", {})}
    run = {**config, "policy": {"class": "Callable", "kwargs": {"flat": flat}}, "trainer": trainer}
    run.pop("network", None)
    verb("train", run, "--out", out, progress=progress, policy=policy)
    return os.fspath(out)


def _configuration(argument, handed, folder):
    """A dict as a file; anything else as it is, but for frames."""
    if not isinstance(argument, dict):
        return handed.path(argument)
    file = os.path.join(folder, "config.json")
    with open(file, "w", encoding="utf-8") as out:
        _json.dump(handed.paths(argument), out)
    return file


def _run(name, arguments, json, progress, variables=None):
    command = [find_launcher(), name, *map(str, arguments)]
    if json:
        command.append("--json")
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, **(variables or {})},
    )
    try:
        printed, messages = _follow(process, progress)
    except BaseException:
        process.terminate()  # Ctrl-C in a notebook also ends the verb
        process.wait()
        raise
    if process.returncode not in (0, 5):
        raise TrancheError(f"tranche {name}: {messages.strip() or printed.strip()} (exit code {process.returncode})")
    return _json.loads(printed) if json else printed


def _follow(process, progress):
    messages = []

    def read():
        for line in process.stderr:
            messages.append(line)
            if progress:
                print(line, end="", file=sys.stderr, flush=True)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    printed = process.stdout.read()
    process.wait()
    reader.join()
    return printed, "".join(messages)


class Report:
    """A report page that a notebook shows inline: the last expression of a cell."""

    def __init__(self, path):
        path = os.fspath(path)
        self.path = os.path.join(path, "report.html") if os.path.isdir(path) else path
        if not os.path.isfile(self.path):
            raise TrancheError(f"{self.path}: expected a report page, was no such file")

    def _repr_html_(self):
        with open(self.path, encoding="utf-8") as page:
            text = page.read().replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{text}" sandbox="allow-scripts" style="width: 100%; height: 40em; border: 0"></iframe>'


def judge(run, orders=None, bars=None, costs=None, progress=False, policy=None):
    """The judgement of a run or a model bundle, as `tranche judge --json` gives it: verdict, intervals, completion.

    `run` may also be a frame of results, one row an order, such as `read_results` gives or another program made: columns
    instrument, side, amount, start and end (or date), and advantage_bps or net_advantage_bps, over TWAP; completion is 1
    if there is no such column. `policy` is the function of a run that `policy_run` made.
    """
    arguments = [run]
    for option, value in (("--orders", orders), ("--bars", bars), ("--costs", costs)):
        if value is not None:
            if is_frame(run):
                raise TypeError(f"{option[2:]}: expected None with a frame of results, was {type(value).__name__}")
            arguments += [option, value]
    return verb("judge", *arguments, json=True, progress=progress, policy=policy)
