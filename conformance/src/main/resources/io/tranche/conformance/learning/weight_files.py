"""Makes the files of the weight_file cases with the real torch: python weight_files.py FOLDER

A policy of Qlib's shape (an extractor that actor and critic share, registered once more below
_actor_critic) whose n-th number, over all parameters without duplicates, is (n - 11) / 16.
"""

import collections
import pathlib
import sys

import numpy
import torch
from torch import nn


class Extractor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)


class Actor(nn.Module):
    def __init__(self, extractor):
        super().__init__()
        self.extractor = extractor
        self.layer_out = nn.Sequential(nn.Linear(2, 4), nn.Softmax(dim=-1))


class Critic(nn.Module):
    def __init__(self, extractor):
        super().__init__()
        self.extractor = extractor
        self.value_out = nn.Linear(2, 1)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        extractor = Extractor()
        self.actor = Actor(extractor)
        self.critic = Critic(extractor)
        self._actor_critic = nn.ModuleDict({"actor": self.actor, "critic": self.critic})


policy = Policy()
number = 0
for parameter in policy.parameters():
    values = torch.arange(number, number + parameter.numel(), dtype=torch.float32)
    parameter.data = ((values - 11) / 16).reshape(parameter.shape)
    number += parameter.numel()
weights = policy.state_dict()


def checkpoint(metrics, callbacks, loggers):
    return {
        "vessel": {"policy": weights},
        "callbacks": callbacks,
        "loggers": loggers,
        "should_stop": False,
        "current_iter": 4,
        "current_episode": 4600,
        "current_stage": "val",
        "metrics": metrics,
    }


def only(wanted):
    return collections.OrderedDict((key, value) for key, value in weights.items() if wanted(key))


folder = pathlib.Path(sys.argv[1])
torch.save(weights, folder / "plain_state_dict.pth")
torch.save(
    checkpoint({"reward": 0.5}, {}, {}), folder / "trainer_checkpoint_python_floats.pth"
)
torch.save(
    checkpoint(
        {"reward": numpy.float64(0.125), "val/ffr": 1.0, "count": numpy.int64(3)},
        {
            "checkpoint": None,
            "earlystopping": {
                "wait": 1,
                "best": numpy.float64(6.5),
                "best_weights": weights,
                "best_iter": 3,
            },
        },
        {
            "logbuffer": {
                "global_step": numpy.int64(98765432100),
                "active_env_ids": {0, 1},
                "episode_rewards": {0: [0.25, numpy.float32(0.5)], 1: []},
                "episode_logs": collections.defaultdict(list, {0: [("a", True)]}),
            }
        },
    ),
    folder / "trainer_checkpoint_numpy_metrics.pth",
)
torch.save(
    only(lambda key: not key.startswith("_actor_critic.")),
    folder / "without_actor_critic_duplicates.pth",
)
torch.save(only(lambda key: "critic.value_out" not in key), folder / "missing_critic.pth")
