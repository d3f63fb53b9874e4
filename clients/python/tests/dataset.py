"""Writes and reads Minari datasets of rollouts and of a journal: `dataset.py CONFIG OUT JOURNAL MODELS`."""

import os
import sys
import warnings

import minari
import numpy as np
import tranche
from tranche import datasets

warnings.simplefilter("ignore")
config, out, journal, models = sys.argv[1:]
assert os.environ["MINARI_DATASETS_PATH"]


def late(observations):
    return (np.arange(len(observations)) % 5).astype(np.int64)


# The first episodes of one environment are those of the environment itself.
made = datasets.record(config, late, "tranche/rollouts-v0", 20, num_envs=1, seed=5, out=out)
read = minari.load_dataset("tranche/rollouts-v0")
assert read.total_episodes == made.total_episodes == 20
env = tranche.make_vec(config, num_envs=1, out=out, flat=True, autoreset_mode="SameStep")
observations, _ = env.reset(seed=5)
for episode in read.iterate_episodes():
    for step, reward in enumerate(episode.rewards):
        assert np.array_equal(episode.observations[step], observations[0])
        observations, rewards, ended, _, infos = env.step(episode.actions[step : step + 1])
        assert reward == rewards[0]
        assert ended[0] == episode.terminations[step] == (step == len(episode) - 1)
    assert np.array_equal(episode.observations[-1], infos["final_obs"][0])
env.close()

# With many environments, episodes are in the order in which they began: short ones are not preferred.
many = datasets.record(config, None, "tranche/many-v0", 50, num_envs=7, seed=5, out=out)
assert sorted(episode.id for episode in many.iterate_episodes()) == list(range(50))
parts = datasets.record(
    config, lambda seen: np.ones(len(seen["cur_step"]), dtype=np.int64), "tranche/parts-v0", 5, out=out, flat=False
)
assert parts.observation_space["data_processed"].shape == parts[0].observations["data_processed"].shape[1:]

worked = datasets.from_journal(journal, models, "tranche/journal-v0")
decisions, events = tranche.read_decisions(journal, models), tranche.read_journal(journal)
frame = datasets.read("tranche/journal-v0")
assert worked.total_episodes == decisions["order"].nunique() == (events["event"] == "OrderOpened").sum()
assert len(frame) == len(decisions) == (events["event"] == "Decided").sum()
assert (frame.groupby("episode")["observation.0"].first() == 1).all()
fills = events[events["event"] == "Filled"]
amounts = decisions.groupby("order")["amount"].first()
assert np.isclose(frame["action"].sum(), (decisions["volume"] / decisions["amount"]).sum(), rtol=1e-6)
sign = np.where(decisions.groupby("order")["side"].first() == "sell", 1, -1)
arrival = events[events["event"] == "Decided"].groupby("order")["price"].first()
value = (fills["price"] * fills["volume"]).groupby(fills["order"]).sum()
filled = fills.groupby("order")["volume"].sum()
won = sign * (value / arrival - filled) / amounts * 1e4
assert np.isclose(frame["reward"].sum(), won.sum(), rtol=1e-9, atol=1e-9), (frame["reward"].sum(), won.sum())
print("READ BACK", read.total_steps, worked.total_episodes)
