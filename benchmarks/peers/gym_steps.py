"""Steps our environments as a training in Python does.

usage: gym_steps.py PACKAGE LAUNCHER QLIB DAYS OUT ENVIRONMENTS ORDERS REPEAT

QLIB is a configuration in Qlib's dialect with so many ORDERS, DAYS one of our own with very many. Works: `full` is the
full history as views of shared memory, on two threads, `one` on one thread; `read` reads every value at every step
besides; `copied` gives arrays of their own; `days` and `flat` have very many days, and `flat` is one row of numbers an
environment. A turn plays every environment's order REPEAT times; its time is that of ORDERS orders. Values: as of
env_steps.py, where all have the full history of QLIB; otherwise how many numbers an observation has.
"""

import functools
import os
import sys

package, launcher, qlib, days, out, count, orders, repeat = sys.argv[1:]
count, orders, repeat = int(count), int(orders), int(repeat)
sys.path.insert(0, package)
os.environ["TRANCHE"] = launcher

import numpy as np  # noqa: E402
import tranche  # noqa: E402
from measure import take_turns  # noqa: E402

STEPS = 8
ACTIONS = [np.full(count, step % 2) for step in range(2)]


class Environments:
    """All of them have ended their episodes, between turns."""

    def __init__(self, config, each=None, **options):
        self._vector = tranche.make_vec(config, num_envs=count, out=f"{out}-{len(made)}", **options)
        made.append(self._vector)
        self._each = each
        self._vector.reset(seed=1)
        self._episode()

    def _episode(self):
        rewards = []
        for step in range(STEPS):
            observations, reward, ended, _, _ = self._vector.step(ACTIONS[step % 2])
            rewards.append(reward)
            if self._each is not None:
                self._each(observations)
        assert ended.all(), "every order takes all steps"
        return rewards, observations

    def play(self):
        for _ in range(repeat):
            self._vector.step(ACTIONS[0])  # begins the next episode
            result = self._episode()
        return result


def touch(observations):
    for values in observations.values():
        values.sum()


def sizes(result):
    rewards, observations = result
    seen = (np.log1p(np.abs(observations[name], dtype="f8")).mean() for name in ("data_processed", "data_processed_prev"))
    return np.abs(rewards).mean(), *seen


def numbers(result):
    parts = result[1].values() if isinstance(result[1], dict) else [result[1]]
    return (sum(part[0].size for part in parts),)


def work(values, config, **options):
    environments = functools.cache(lambda: Environments(config, **options))
    return lambda: environments().play(), values, environments


made = []
of_orders = {"stage": "test", "threads": 2, "copy": False}
of_days = {"threads": 2, "copy": False}
take_turns(
    {
        "full": work(sizes, qlib, **of_orders),
        "one": work(sizes, qlib, **{**of_orders, "threads": 1}),
        "read": work(sizes, qlib, each=touch, **of_orders),
        "copied": work(sizes, qlib, **{**of_orders, "copy": True}),
        "days": work(numbers, days, **of_days),
        "flat": work(numbers, days, flat=True, **of_days),
    },
    repeat * count // orders,
)
for each in made:
    each.close()
