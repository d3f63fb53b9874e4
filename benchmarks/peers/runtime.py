"""Decides with Qlib's network given the day so far, and with torch as the day goes: one step of the GRU a
tick, one small head a decision.

usage: runtime.py WEIGHTS OBSERVATIONS REPETITIONS

OBSERVATIONS holds Qlib's observations of one order at each of its decisions, all as floats. Both ways report
their probabilities, so that the other side can see that the work was the same.
"""

import os

for library in ("OMP", "MKL", "OPENBLAS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import sys

import numpy as np
import torch
from gym.spaces import Discrete
from measure import measure, say
from qlib.rl.order_execution.network import Recurrent
from qlib.rl.order_execution.policy import PPO
from tianshou.data import Batch

weights_file, observations_file, repetitions = sys.argv[1:]
repetitions = int(repetitions)
torch.set_num_threads(1)

CHOICES = 5
INTEGERS = ("acquiring", "cur_tick", "cur_step", "num_step")

seen = {name: each.numpy() for name, each in torch.load(observations_file, weights_only=True).items()}
seen = Batch({name: each.astype(np.int32) if name in INTEGERS else each for name, each in seen.items()})
steps = len(seen["cur_step"])

policy = PPO(Recurrent({"data_processed": np.empty(seen["data_processed"].shape[1:])}), None, Discrete(CHOICES), lr=1e-4)
policy.load_state_dict(torch.load(weights_file, weights_only=True))
policy.eval()
network, head = policy.actor.extractor, policy.actor.layer_out


def whole():
    """The network alone, without what tianshou wraps around it."""
    return [policy.actor(seen[step : step + 1])[0][0] for step in range(steps)]


def streamed_ticks():
    """What each tick makes of the day, behind a row of zeros."""
    hidden, states = None, []
    for row in rows:
        _, hidden = network.raw_rnn(network.raw_fc(row), hidden)
        states.append(hidden[-1])
    return states


def streamed_decisions():
    hidden, probabilities = None, []
    for step in range(steps):
        private = torch.tensor([[[fractions[step], step / steps]]])
        _, hidden = network.pri_rnn(network.pri_fc(private), hidden)
        features = network.fc(torch.cat((states[ticks[step]], hidden[-1], network.dire_fc(side)), -1))
        probabilities.append(head(features)[0])
    return probabilities


def report(name, probabilities):
    for i, value in enumerate(torch.cat(probabilities).tolist()):
        say(f"{name}.{i}", value)


with torch.no_grad():
    report("whole", whole())
    measure("whole", repetitions, whole)
    day = torch.as_tensor(seen["data_processed"][-1])
    rows = [each.view(1, 1, -1) for each in torch.cat((torch.zeros_like(day[:1]), day))]
    ticks = seen["cur_tick"].tolist()
    fractions = (seen["position"] / seen["target"]).tolist()
    side = torch.tensor([[1.0, 0.0]])
    states = streamed_ticks()
    report("streamed", streamed_decisions())
    measure("ticks", repetitions, streamed_ticks)
    measure("decisions", repetitions, streamed_decisions)
