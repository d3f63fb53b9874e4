"""Trains PPO of tianshou 2: `peer_tianshou.py STEPS`."""

import sys

import gymnasium
import market
import numpy as np
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from tianshou.utils.net.common import Net
from tianshou.utils.net.discrete import DiscreteActor, DiscreteCritic

# The library's defaults of Adam and of discounting, and those that suit episodes of eight steps.
SETTINGS = [{"lr": 1e-3, "gamma": 0.99}, {"lr": 3e-4, "gamma": 1.0}]


def train(settings):
    np.random.seed(1)
    torch.manual_seed(1)
    envs = DummyVectorEnv([lambda: gymnasium.make("Choices-v0") for _ in range(4)])
    envs.seed(1)
    observed, chosen = envs.observation_space[0], envs.action_space[0]

    def layers():
        return Net(state_shape=observed.shape, hidden_sizes=[64, 64], activation=torch.nn.Tanh)

    policy = ProbabilisticActorPolicy(
        actor=DiscreteActor(preprocess_net=layers(), action_shape=chosen.n, softmax_output=False),
        dist_fn=lambda logits: torch.distributions.Categorical(logits=logits),
        action_space=chosen,
        observation_space=observed,
        action_scaling=False,
        action_bound_method=None,
        deterministic_eval=True,
    )
    algorithm = PPO(
        policy=policy,
        critic=DiscreteCritic(preprocess_net=layers()),
        optim=AdamOptimizerFactory(lr=settings["lr"]),
        gamma=settings["gamma"],
    )
    algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=Collector[CollectStats](algorithm, envs, VectorReplayBuffer(8192, 4)),
            max_epochs=5,
            epoch_num_steps=int(sys.argv[1]) // 5,
            collection_step_num_env_steps=2048,
            update_step_num_repetitions=4,
            batch_size=256,
            show_progress=False,
            verbose=False,
        )
    )
    envs.close()
    policy.eval()

    def act(observations):
        with torch.no_grad():
            return policy(Batch(obs=observations, info=Batch())).act.numpy()

    return act


market.judge(train, SETTINGS)
