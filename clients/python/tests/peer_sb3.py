"""Trains PPO of Stable-Baselines3, after its checker has seen the environment: `peer_sb3.py STEPS`."""

import sys
import warnings

import market
import tranche
from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from tranche.sb3 import TrancheVecEnv

warnings.simplefilter("ignore")
env = tranche.make(market.CHOICES, flat=True)
check_env(env)
env.close()
env = TrancheVecEnv(market.CHOICES, num_envs=4, flat=False)
PPO("MultiInputPolicy", env, n_steps=16).learn(64)
env.close()

# The library's defaults, with their 2,048 steps an update taken by 16 environments; and rarer, larger updates.
SETTINGS = [{"n_steps": 128}, {"n_steps": 256, "batch_size": 512, "n_epochs": 4}]


def train(settings):
    env = TrancheVecEnv(market.CHOICES, num_envs=16)
    env.seed(1)
    model = PPO("MlpPolicy", env, seed=1, device="cpu", **settings).learn(int(sys.argv[1]))
    env.close()
    return lambda observations: model.predict(observations, deterministic=True)[0]


market.judge(train, SETTINGS)
