"""Trains with Qlib's train_onpolicy on one thread, an iteration a turn.

usage: train.py CONFIG [start]

An iteration is collection and update alone: making the environments, saving and stopping the queue of orders come on
top. Values: the number of episodes. A turn of `memory` tells the largest resident set so far, in MB. With `start`, it
says so at the first step of an environment and waits to be killed.
"""

import os

for library in ("OMP", "MKL", "OPENBLAS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import sys
import time

import torch
from measure import peak_megabytes, say, take_turn
from qlib.rl.contrib import train_onpolicy
from qlib.rl.trainer import TrainingVessel
from qlib.rl.utils.env_wrapper import EnvWrapper
from ruamel.yaml import YAML

torch.set_num_threads(1)


def first_step(self, action):
    result = step(self, action)
    say("first_step", 1)
    time.sleep(600)
    return result


def train_in_turn(vessel, environments):
    results = []

    def iteration():
        results.append(train(vessel, environments))
        return results[-1]

    works = {
        "iteration": (iteration, lambda result: [result["n/ep"]]),
        "memory": (lambda: None, lambda _: [peak_megabytes()]),
    }
    while not results:
        if take_turn(works) is None:
            os._exit(0)  # in the midst of a training
    return results[0]


step, train = EnvWrapper.step, TrainingVessel.train
if sys.argv[2:] == ["start"]:
    EnvWrapper.step = first_step
else:
    TrainingVessel.train = train_in_turn
with open(sys.argv[1]) as file:
    train_onpolicy.main(YAML(typ="safe", pure=True).load(file), run_training=True, run_backtest=False)
