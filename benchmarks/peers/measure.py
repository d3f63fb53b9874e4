"""How every peer measures: one JSON object per turn or number on standard output."""

import glob
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


def take_turns(works, times=1):
    """Does one of the `works` for each line on standard input, until it ends."""
    while take_turn(works, times):
        pass


def take_turn(works, times=1):
    """Waits for a line on standard input and does the work of that name, which it returns; None at the end.

    A work is a pair: what is timed, and a function that returns numbers for its result, which is not; or a triple
    with something to do before it, untimed. The work does so many `times` what others do once, and its time is that of
    one.
    """
    name = sys.stdin.readline().strip()
    if not name:
        return None
    work, values, *before = works[name]
    for prepare in before:
        prepare()
    cpu, wall = _cpu(), time.perf_counter()
    result = work()
    wall, cpu = time.perf_counter() - wall, _cpu() - cpu
    numbers = [float(value) for value in values(result)]
    answer = {"wall_s": wall / times, "cpu_s": cpu / times, "values": numbers}
    del result
    print(json.dumps(answer), file=_figures, flush=True)
    return name


def _cpu():
    """The processor time of this process and of those that it has started, which must still be there."""
    used = time.process_time()
    for listed in glob.glob("/proc/self/task/*/children"):
        with open(listed) as children:
            for child in children.read().split():
                with open(f"/proc/{child}/stat") as stat:
                    fields = stat.read().rpartition(")")[2].split()
                used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used
