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
# The file's defaults, and fewer passes over the same steps.
SETTINGS = [[], ["--update-epochs", "4"]]


def train(settings):
    sys.argv = [file, "--env-id", "market:Rates-v0", "--total-timesteps", steps, "--cuda", "false", *settings]
    ended = runpy.run_path(file, run_name="__main__")
    agent, env = ended["agent"], ended["envs"].envs[0]
    seen, space = env.get_wrapper_attr("obs_rms"), env.unwrapped.action_space

    def act(observations):
        scaled = np.clip((observations - seen.mean) / np.sqrt(seen.var + 1e-8), -10, 10)
        with torch.no_grad():
            actions = agent.actor_mean(torch.as_tensor(scaled, dtype=torch.float32)).numpy()
        return np.clip(actions, space.low, space.high)

    return act


market.judge(train, SETTINGS, market.RATES)
