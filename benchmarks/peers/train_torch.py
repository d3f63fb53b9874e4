"""Trains as an expert would in NumPy and PyTorch, an iteration a turn: all orders of an iteration in one array, one
pass over a day for its actor, its critic and all its decisions, everything in memory.

usage: train_torch.py CONFIG

The configuration is Qlib's. Minibatches are of whole episodes. Values: the number of episodes.
"""

import os

for library in ("OMP", "MKL", "OPENBLAS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import pickle
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from gym.spaces import Discrete
from measure import take_turns
from qlib.rl.order_execution.network import Recurrent
from qlib.rl.order_execution.policy import PPO
from ruamel.yaml import YAML
from torch import nn

torch.set_num_threads(1)
torch.set_flush_denormal(True)
with open(sys.argv[1]) as file:
    config = YAML(typ="safe", pure=True).load(file)

trainer, source = config["trainer"], config["data"]["source"]
provider = config["state_interpreter"]["kwargs"]
COLUMNS = provider["processed_data_provider"]["kwargs"]["feature_columns_today"]
TICKS, STEPS, FEATURES = provider["data_ticks"], provider["max_step"], provider["data_dim"]
CHOICES = config["action_interpreter"]["kwargs"]["values"] + 1
PENALTY, SCALE = (config["reward"]["kwargs"][name] for name in ("penalty", "scale"))
EPISODES, REPEAT, BATCH = (trainer[name] for name in ("episode_per_collect", "repeat_per_collect", "batch_size"))


class Orders:
    """All training orders, with their days."""

    def __init__(self):
        files = sorted(Path(source["order_dir"], "train").glob("*.pkl.target"))
        table = pd.concat([pd.read_pickle(file) for file in files]).reset_index()
        self.amount = table.amount.to_numpy(float)
        self.buys = table.order_type.to_numpy() == 1
        self.days = np.empty((len(table), TICKS, FEATURES), np.float32)
        self.prices = np.empty((len(table), TICKS), np.float32)
        for stock, rows in table.groupby("instrument").indices.items():
            for kind, columns, target in (("feature", COLUMNS, self.days), ("backtest", "$close0", self.prices)):
                with open(Path(source["feature_root_dir"], kind, f"{stock}.pkl"), "rb") as file:
                    frame = pickle.load(file).handler.fetch()[columns].droplevel("instrument")
                dates = {date: i for i, date in enumerate(sorted(set(frame.index.normalize())))}
                values = frame.to_numpy().reshape((len(dates), *target.shape[1:]))
                target[rows] = values[[dates[date] for date in table.date.iloc[rows]]]
        self.twap = self.prices.mean(1, dtype="f8")
        self.prices = self.prices.reshape(len(table), STEPS, -1)


class Training:
    def __init__(self, orders):
        self.orders = orders
        self.random = np.random.default_rng(config["runtime"]["seed"])
        self.waiting = np.empty(0, int)
        torch.manual_seed(config["runtime"]["seed"])
        self.policy = PPO(
            Recurrent({"data_processed": np.empty((TICKS, FEATURES))}), None, Discrete(CHOICES), lr=1e-4
        )
        self.parameters = list(self.policy._actor_critic.parameters())
        self.count, self.mean, self.square = 0, 0.0, 0.0

    def draw(self):
        while len(self.waiting) < EPISODES:
            self.waiting = np.concatenate((self.waiting, self.random.permutation(len(self.orders.amount))))
        drawn, self.waiting = self.waiting[:EPISODES], self.waiting[EPISODES:]
        return drawn

    def collect(self, drawn):
        """Works all orders at once: rewards and choices by step, and which steps there were."""
        network, head = self.policy.actor.extractor, self.policy.actor.layer_out
        amount, buys, twap = self.orders.amount[drawn], self.orders.buys[drawn], self.orders.twap[drawn]
        self.days = torch.as_tensor(self.orders.days[drawn])
        self.days = torch.cat((torch.zeros_like(self.days[:, :1]), self.days), 1)
        self.sides = torch.tensor([[0.0, 1.0], [1.0, 0.0]])[torch.as_tensor(buys).long()]
        position = amount.copy()
        privates, choices, chances, values, rewards, alive = [], [], [], [], [], []
        day, own, seen = None, None, 0
        with torch.no_grad():
            side = network.dire_fc(self.sides)
            for step in range(STEPS):
                until = step * TICKS // STEPS + 1
                _, day = network.raw_rnn(network.raw_fc(self.days[:, seen:until]), day)
                seen = until
                private = np.stack((position / amount, np.full(len(drawn), step / STEPS)), -1)
                privates.append(torch.as_tensor(private, dtype=torch.float32))
                _, own = network.pri_rnn(network.pri_fc(privates[-1][:, None]), own)
                features = network.fc(torch.cat((day[-1], own[-1], side), -1))
                choosing = torch.distributions.Categorical(head(features), validate_args=False)
                choice = choosing.sample()
                choices.append(choice)
                chances.append(choosing.log_prob(choice))
                values.append(self.policy.critic.value_out(features).flatten())
                alive.append(position > 0)
                volume = np.minimum(position, amount * (choice.numpy() / (CHOICES - 1)))
                volume = position if step == STEPS - 1 else volume
                prices = self.orders.prices[drawn, step]
                filled = np.repeat(volume[:, None] / prices.shape[1], prices.shape[1], 1)
                price = prices.mean(1)
                advantage = np.where(buys, 1 - price / twap, price / twap - 1) * 1e4 * volume / amount
                rewards.append((advantage - PENALTY * ((filled / amount[:, None]) ** 2).sum(1)) * SCALE)
                position = np.where(position - volume < 1e-6, 0, position - volume)
        self.decisions = torch.stack(privates, 1)
        together = (torch.stack(each, 1) for each in (choices, chances, values))
        return *together, np.stack(rewards, 1), torch.as_tensor(np.stack(alive, 1))

    def normalise(self, returns):
        """As tianshou does: by the deviation of all returns so far."""
        total = self.count + returns.size
        delta = returns.mean() - self.mean
        self.square += returns.var() * returns.size + delta**2 * self.count * returns.size / total
        self.mean += delta * returns.size / total
        self.count = total
        return returns / np.sqrt(self.square / self.count + 1e-8)

    def iteration(self):
        choice, chance, value, reward, alive = self.collect(self.draw())
        reward = np.where(alive.numpy(), reward, 0)
        summed = np.cumsum(reward[:, ::-1], 1)[:, ::-1]
        scale = np.sqrt(self.square / self.count + 1e-8) if self.count else 1.0
        advantage = torch.as_tensor(summed - value.numpy() * scale, dtype=torch.float32)
        returns = torch.as_tensor(self.normalise(summed), dtype=torch.float32)
        size = max(1, BATCH // STEPS)
        for _ in range(REPEAT):
            for rows in torch.randperm(len(choice)).split(size):
                kept = alive[rows]
                parts = (each[rows][kept] for each in (choice, chance, value, advantage, returns))
                self.learn(rows, kept, *parts)
        return [len(choice)]

    def features(self, rows):
        network = self.policy.actor.extractor
        last = (STEPS - 1) * TICKS // STEPS + 1
        ticks = torch.arange(STEPS) * TICKS // STEPS
        day = network.raw_rnn(network.raw_fc(self.days[rows, :last]))[0][:, ticks]
        own = network.pri_rnn(network.pri_fc(self.decisions[rows]))[0]
        side = network.dire_fc(self.sides[rows])[:, None].expand(-1, STEPS, -1)
        return torch.cat((day, own, side), -1)

    def learn(self, rows, kept, choice, chance, old, advantage, returns):
        policy = self.policy
        features = policy.actor.extractor.fc(self.features(rows)[kept])
        choosing = torch.distributions.Categorical(policy.actor.layer_out(features), validate_args=False)
        value = policy.critic.value_out(features).flatten()
        advantage = (advantage - advantage.mean()) / advantage.std()
        ratio = (choosing.log_prob(choice) - chance).exp()
        clip = policy._eps_clip
        clip_loss = -torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage).mean()
        near = old + (value - old).clamp(-clip, clip)
        value_loss = torch.max((returns - value).pow(2), (returns - near).pow(2)).mean()
        loss = clip_loss + policy._weight_vf * value_loss - policy._weight_ent * choosing.entropy().mean()
        policy.optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters, max_norm=policy._grad_norm)
        policy.optim.step()


training = Training(Orders())
take_turns({"iteration": (training.iteration, lambda result: result)})
