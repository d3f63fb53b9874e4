"""Trains with Qlib's train_onpolicy on one thread for a while, validating after each iteration.

usage: train.py CONFIG SECONDS

SECONDS count from the start of the process, without the validations. The iteration under way is still
finished. An iteration is collection and update alone: making the environments, saving and stopping the queue
of orders come on top.
"""

import os

for library in ("OMP", "MKL", "OPENBLAS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import resource
import sys
import time

import torch
from measure import measure, say
from qlib.rl.contrib import train_onpolicy
from qlib.rl.trainer import Trainer, TrainingVessel
from qlib.rl.utils.env_wrapper import EnvWrapper
from ruamel.yaml import YAML
from tianshou.data import Collector
from tianshou.policy import BasePolicy

config_file, seconds = sys.argv[1], float(sys.argv[2])
torch.set_num_threads(1)


def age():
    """Seconds since this process was started, without its validations."""
    with open("/proc/self/stat") as file:
        ticks = int(file.read().rsplit(")", 1)[1].split()[19])
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK") - sum(validations)


def first_step(self, action):
    EnvWrapper.step = step
    say("start_s", age())
    return step(self, action)


def noted(name, work):
    """Has `work` report what it takes whenever it is part of an iteration."""

    def run(*arguments, **options):
        results = []

        def timed():
            results.append(work(*arguments, **options))
            return 1

        if training:
            measure(name, 1, timed)
        else:
            timed()
        return results[0]

    return run


def train_iteration(vessel, environments):
    results = []

    def iteration():
        results.append(train(vessel, environments))
        return int(results[0]["n/ep"])

    training.append(vessel)
    measure("iteration", 1, iteration)
    training.clear()
    say("peak_mb", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    vessel.trainer.should_stop = age() >= seconds
    vessel.trainer.val_every_n_iters = 1
    return results[0]


def validate_uncounted(vessel, environments):
    start = time.monotonic()
    result = validate(vessel, environments)
    validations.append(time.monotonic() - start)
    advantages.append(vessel.trainer.metrics["val/pa"])
    return result


def fit_and_tell(trainer, *arguments):
    fit(trainer, *arguments)
    say("iterations", trainer.current_iter)
    say("advantage", max(advantages))


training, validations, advantages = [], [], []
step, train, validate, fit = EnvWrapper.step, TrainingVessel.train, TrainingVessel.validate, Trainer.fit
EnvWrapper.step, TrainingVessel.train, Trainer.fit = first_step, train_iteration, fit_and_tell
TrainingVessel.validate = validate_uncounted
Collector.collect = noted("collect", Collector.collect)
BasePolicy.update = noted("update", BasePolicy.update)

with open(config_file) as file:
    train_onpolicy.main(YAML(typ="safe", pure=True).load(file), run_training=True, run_backtest=False)
