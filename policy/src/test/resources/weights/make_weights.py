"""Writes the files of this folder with real PyTorch: python make_weights.py FOLDER"""

import collections
import pathlib
import sys
import zipfile

import numpy as np
import torch

folder = pathlib.Path(sys.argv[1])


def ramp(*shape, start=0.5):
    count = int(np.prod(shape, dtype=int))
    return (torch.arange(count, dtype=torch.float32) * 0.25 + start).reshape(shape)


weight = ramp(2, 3)
bias = ramp(2, start=-1.0)
plain = collections.OrderedDict(weight=weight, bias=bias)
torch.save(plain, folder / "plain.pth")

base = ramp(3, 4)
views = {
    "transposed": base.t(),
    "slice": base[1:, 1:3],
    "row": base[2],
    "whole": base,
    "scalar": torch.tensor(3.5),
    "empty": torch.zeros(0, 4),
    "parameter": torch.nn.Parameter(base[0].clone()),
    "alias": base,
}
torch.save(views, folder / "views.pth")

special = torch.tensor([0.0, -0.0, 1.0, -2.5, float("inf"), float("nan"), 65504.0, 6e-8])
types = {
    "half": special.half(),
    "bfloat16": special.bfloat16(),
    "double": special.double() / 3,
    "long": torch.tensor([0, -1, 1 << 24, -(1 << 62)]),
}
torch.save(types, folder / "types.pth")
torch.save({"weight": torch.tensor([1, 2], dtype=torch.int8)}, folder / "int8.pth")
torch.save({"weight": torch.tensor([(1 << 24) + 1])}, folder / "long_too_large.pth")
torch.save({"weight": torch.tensor([1.0]).expand(1000)}, folder / "expanded.pth")
torch.save(plain, folder / "legacy.pth", _use_new_zipfile_serialization=False)

# The same contents in another shape of file: compressed, big-endian, another folder.
with zipfile.ZipFile(folder / "plain.pth") as source:
    contents = {name.split("/", 1)[1]: source.read(name) for name in source.namelist()}
with zipfile.ZipFile(folder / "deflated.pth", "w", zipfile.ZIP_DEFLATED) as target:
    for name, data in contents.items():
        target.writestr("another name/" + name, data)
with zipfile.ZipFile(folder / "big_endian.pth", "w") as target:
    for name, data in contents.items():
        if name == "byteorder":
            data = b"big"
        elif name.startswith("data/"):
            data = np.frombuffer(data, "<f4").astype(">f4").tobytes()
        target.writestr("archive/" + name, data)


class Extractor(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 2)


class Actor(torch.nn.Module):
    def __init__(self, extractor):
        super().__init__()
        self.extractor = extractor
        self.layer_out = torch.nn.Sequential(torch.nn.Linear(2, 4))


class Critic(torch.nn.Module):
    def __init__(self, extractor):
        super().__init__()
        self.extractor = extractor
        self.value_out = torch.nn.Linear(2, 1)


class ActorCritic(torch.nn.Module):
    def __init__(self, actor, critic):
        super().__init__()
        self.actor = actor
        self.critic = critic


class Policy(torch.nn.Module):
    """The modules of Qlib's PPO, and so the keys of its state dict."""

    def __init__(self):
        super().__init__()
        extractor = Extractor()
        self.actor = Actor(extractor)
        self.critic = Critic(extractor)
        self._actor_critic = ActorCritic(self.actor, self.critic)


torch.manual_seed(7)
policy = Policy()
checkpoint = {
    "vessel": {"policy": policy.state_dict()},
    "callbacks": {
        "checkpoint": None,
        "earlystopping": {
            "wait": 1,
            "best": np.float64(6.5),
            "best_weights": policy.state_dict(),
            "best_iter": 3,
        },
    },
    "loggers": {
        "logbuffer": {
            "global_step": np.int64(98_765_432_100),
            "active_env_ids": {0, 1},
            "episode_rewards": {0: [0.25, np.float32(0.5)], 1: []},
            "episode_logs": collections.defaultdict(list, {0: [("a", True)]}),
        }
    },
    "should_stop": False,
    "current_iter": 4,
    "current_episode": 4600,
    "current_stage": "val",
    "metrics": {"reward": np.float64(0.125), "val/ffr": 1.0, "count": np.int64(3)},
}
torch.save(checkpoint, folder / "checkpoint.pth")
