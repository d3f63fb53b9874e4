"""Runs CleanRL's file `ppo_continuous_action.py`, unmodified, as a user would: `peer_cleanrl.py FILE STEPS`."""

import functools
import runpy
import sys

import gymnasium
import market
import numpy as np
import torch

file, steps = sys.argv[1:]
# The file was written for Gymnasium 0.28, where this argument did not exist; None means the same.
gymnasium.wrappers.TransformObservation = functools.partial(
    gymnasium.wrappers.TransformObservation, observation_space=None
)
sys.argv = [file, "--env-id", "market:Rates-v0", "--total-timesteps", steps, "--update-epochs", "4", "--cuda", "false"]
ended = runpy.run_path(file, run_name="__main__")

agent, seen = ended["agent"], ended["envs"].envs[0].get_wrapper_attr("obs_rms")


def act(observations):
    scaled = np.clip((observations - seen.mean) / np.sqrt(seen.var + 1e-8), -10, 10)
    with torch.no_grad():
        return agent.actor_mean(torch.as_tensor(scaled, dtype=torch.float32)).numpy()


market.beats_twap(act, market.RATES)
