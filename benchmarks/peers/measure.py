"""How every peer measures: one JSON object per turn or number on standard output."""

import json
import os
import sys
import time

# Libraries that print must not disturb the figures: they get standard error.
_figures = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
sys.stdout = sys.stderr


def say(name, value):
    """Reports a number that is no time."""
    print(json.dumps({"name": name, "value": float(value)}), file=_figures, flush=True)


def take_turns(works):
    """Does one of the `works` for each line on standard input, until it ends."""
    while take_turn(works):
        pass


def take_turn(works):
    """Waits for a line on standard input and does the work of that name, which it returns; None at the end.

    A work is a pair: what is timed, and a function that returns numbers for its result, which is not; or a triple
    with something to do before it, untimed.
    """
    name = sys.stdin.readline().strip()
    if not name:
        return None
    work, values, *before = works[name]
    for prepare in before:
        prepare()
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    answer = {"wall_s": wall, "cpu_s": cpu, "values": [float(value) for value in values(result)]}
    del result
    print(json.dumps(answer), file=_figures, flush=True)
    return name
