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


def peak_megabytes():
    """The largest resident set of this process so far.

    Not `ru_maxrss`, which a process has from the one that started it: here a JVM that is larger than many a peer.
    """
    with open("/proc/self/status") as status:
        (peak,) = (line.split()[1] for line in status if line.startswith("VmHWM:"))
    return int(peak) / 1024


def take_turns(works, share=1):
    """Does one of the `works` for each line on standard input, until it ends."""
    while take_turn(works, share):
        pass


def take_turn(works, share=1):
    """Waits for a line on standard input and does the work that it names; returns the name, None at the end.

    A line is a name, and how often to do the work if more than once: as often as the other side does it in a turn. A
    work is a pair: what is timed, and a function that returns numbers for its result, which is not; or a triple with
    something to do before it, untimed. The time is that of one, and of a `share` of it if the work is as much as so
    many of others.
    """
    name, *repeated = sys.stdin.readline().split() or [None]
    if name is None:
        return None
    times = int(repeated[0]) if repeated else 1
    work, values, *before = works[name]
    for prepare in before:
        prepare()
    # To look for children takes time, which must not count as the work's.
    cpu = -_children_cpu() - time.process_time()
    wall = time.perf_counter()
    for _ in range(times):
        result = work()
    wall = time.perf_counter() - wall
    cpu += time.process_time() + _children_cpu()
    numbers = [float(value) for value in values(result)]
    answer = {"wall_s": wall / times / share, "cpu_s": cpu / times / share, "values": numbers}
    del result
    print(json.dumps(answer), file=_figures, flush=True)
    return name


def _children_cpu():
    """The processor time of the processes that this one has started, which must still be there."""
    used = 0
    for listed in glob.glob("/proc/self/task/*/children"):
        with open(listed) as children:
            for child in children.read().split():
                with open(f"/proc/{child}/stat") as stat:
                    fields = stat.read().rpartition(")")[2].split()
                used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used
