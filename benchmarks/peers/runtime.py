"""Decides with Qlib's network given the day so far, and with torch as the day goes: one step of the GRU a
tick, one small head a decision.

usage: runtime.py WEIGHTS OBSERVATIONS

OBSERVATIONS holds Qlib's observations of one order at each of its decisions, all as floats. A turn is the whole day
of the order. Values: the probabilities of every decision.
"""

import os

for library in ("OMP", "MKL", "OPENBLAS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import sys

import numpy as np
import torch
from gym.spaces import Discrete
from measure import take_turns
from qlib.rl.order_execution.network import Recurrent
from qlib.rl.order_execution.policy import PPO
from tianshou.data import Batch

weights_file, observations_file = sys.argv[1:]
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


def streamed():
    """Takes each tick as it comes, behind a row of zeros, and every decision when its tick has come."""
    day, own, probabilities = None, None, []
    for tick, row in enumerate(rows):
        _, day = network.raw_rnn(network.raw_fc(row), day)
        if tick in ticks:
            step = len(probabilities)
            private = torch.tensor([[[fractions[step], step / steps]]])
            _, own = network.pri_rnn(network.pri_fc(private), own)
            features = network.fc(torch.cat((day[-1], own[-1], network.dire_fc(side)), -1))
            probabilities.append(head(features)[0])
    return probabilities


def values(probabilities):
    return torch.cat(probabilities)


with torch.inference_mode():
    day = torch.as_tensor(seen["data_processed"][-1])
    rows = [each.view(1, 1, -1) for each in torch.cat((torch.zeros_like(day[:1]), day))]
    ticks = set(seen["cur_tick"].tolist())
    fractions = (seen["position"] / seen["target"]).tolist()
    side = torch.tensor([[1.0, 0.0]])
    take_turns({"whole": (whole, values), "streamed": (streamed, values)})
