"""The verbs of Tranche, as a shell would run them."""

import json as _json
import subprocess
import sys
import threading

from tranche.launcher import TrancheError, find_launcher


def verb(name, *arguments, json=False, progress=True):
    """Runs a verb, such as `verb("train", "train.yml", "--out", "runs/a")`, and returns what it prints.

    `json=True` adds `--json` and returns the parsed answer. `progress` shows its messages while it runs. A verb that
    fails raises TrancheError with its message; exit code 5, done but for some orders, does not count as failing.
    """
    command = [find_launcher(), name, *map(str, arguments)]
    if json:
        command.append("--json")
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
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


def judge(run, orders=None, bars=None, costs=None, progress=False):
    """The judgement of a run or a model bundle, as `tranche judge --json` gives it: verdict, intervals, completion."""
    arguments = [run]
    for option, value in (("--orders", orders), ("--bars", bars), ("--costs", costs)):
        if value is not None:
            arguments += [option, value]
    return verb("judge", *arguments, json=True, progress=progress)
