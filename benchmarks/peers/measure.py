"""How every peer measures: one JSON object per repetition or number on standard output."""

import json
import os
import sys
import time

# Libraries that print must not disturb the figures: they get standard error.
_figures = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
sys.stdout = sys.stderr


def measure(run, repetitions, work, before=lambda: None):
    """Times `work` `repetitions` times under the name `run`; `before` is not timed."""
    for _ in range(repetitions):
        before()
        cpu, wall = time.process_time(), time.perf_counter()
        result = work()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        answer = {"run": run, "wall_s": wall, "cpu_s": cpu, "size": size(result)}
        print(json.dumps(answer), file=_figures, flush=True)
        del result


def say(name, value):
    """Reports a number that is no time."""
    print(json.dumps({"name": name, "value": float(value)}), file=_figures, flush=True)


def size(result):
    """The number of rows, so that the other side can see that the work was the same."""
    return int(result) if isinstance(result, int) else len(result)


def take_turns(works):
    """Does one of the `works` for each line on standard input, until it ends.

    Each is a pair: the work, which is timed, and a function that returns numbers for its result,
    which is not; or a triple with something to do before it, untimed.
    """
    for line in sys.stdin:
        work, values, *before = works[line.strip()]
        for prepare in before:
            prepare()
        cpu, wall = time.process_time(), time.perf_counter()
        result = work()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        answer = {"wall_s": wall, "cpu_s": cpu, "values": [float(value) for value in values(result)]}
        del result
        print(json.dumps(answer), file=_figures, flush=True)
