"""Steps our environments as a training in Python does.

usage: gym_steps.py PACKAGE LAUNCHER CONFIG OUT ENVIRONMENTS WARMUP BATCHES

`full` is the full history as views of shared memory, `copied` the same as arrays of their own, `read` reads every
value at every step besides, `flat` is one row of numbers an environment.
"""

import os
import sys
import time

package, launcher, config, out, count, warmup, batches = sys.argv[1:]
count, warmup, batches = int(count), int(warmup), int(batches)
sys.path.insert(0, package)
os.environ["TRANCHE"] = launcher

import numpy as np  # noqa: E402
import tranche  # noqa: E402
from measure import say  # noqa: E402


def touch(observations):
    for values in observations.values():
        values.sum()


def run(name, each, **options):
    environments = tranche.make_vec(config, num_envs=count, out=out, **options)
    observations, _ = environments.reset(seed=1)
    space = environments.single_observation_space
    sizes = [np.prod(part.shape) for part in space.values()] if hasattr(space, "values") else space.shape
    actions = [np.full(count, step % 2) for step in range(2)]
    took = []
    for step in range(warmup + batches):
        began = time.perf_counter()
        observations, *_ = environments.step(actions[step % 2])
        each(observations)
        took.append(time.perf_counter() - began)
    environments.close()
    counted = np.array(took[warmup:])
    say(f"{name}.values", sum(sizes))
    say(f"{name}.steps_per_s", count * batches / counted.sum())
    say(f"{name}.batch.us", counted.mean() * 1e6)


run("full", lambda _: None, copy=False)
run("read", touch, copy=False)
run("copied", lambda _: None)
run("flat", lambda _: None, copy=False, flat=True)
