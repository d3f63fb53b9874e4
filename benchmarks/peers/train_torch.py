"""Trains as an expert would in NumPy and PyTorch, an iteration a turn: all orders of an iteration in one array, one
pass over a day for its actor, its critic and all its decisions, up to the last tick that is read, everything in memory.

usage: train_torch.py CONFIG WEIGHTS STEPS

The configuration is Qlib's. Minibatches are of whole episodes, cut as soon as they have enough steps. Values of an
`iteration`: the number of episodes. A turn of `known` learns from the experience of update.py in one minibatch, with
the training's own code and WEIGHTS. Values: the losses and the length of the gradient.
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
config_file, weights_file, steps_file = sys.argv[1:]
with open(config_file) as file:
    config = YAML(typ="safe", pure=True).load(file)

trainer, source = config["trainer"], config["data"]["source"]
provider = config["state_interpreter"]["kwargs"]
COLUMNS = provider["processed_data_provider"]["kwargs"]["feature_columns_today"]
TICKS, STEPS, FEATURES = provider["data_ticks"], provider["max_step"], provider["data_dim"]
CHOICES = config["action_interpreter"]["kwargs"]["values"] + 1
SLICES = 4
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
        self.sides = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
        self.count, self.mean, self.square = 0, 0.0, 0.0  # of all returns so far

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
        self.buys = torch.as_tensor(buys).long()
        position = amount.copy()
        privates, choices, chances, values, rewards, alive = [], [], [], [], [], []
        own, seen = None, 0
        with torch.no_grad():
            side = network.dire_fc(self.sides)[self.buys]
            day = torch.zeros(1, len(drawn), network.raw_rnn.hidden_size)
            for step in range(STEPS):
                until = step * TICKS // STEPS + 1
                live = torch.as_tensor(np.flatnonzero(position > 0))
                if len(live):
                    _, day[:, live] = network.raw_rnn(network.raw_fc(self.days[live, seen:until]), day[:, live])
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
        self.days = self.days.transpose(0, 1).contiguous()  # by tick, as the GRU reads them
        self.decisions = torch.stack(privates, 1)
        together = (torch.stack(each, 1) for each in (choices, chances, values))
        return *together, np.stack(rewards, 1), torch.as_tensor(np.stack(alive, 1))

    def note(self, returns):
        total = self.count + returns.size
        delta = returns.mean() - self.mean
        self.square += returns.var() * returns.size + delta**2 * self.count * returns.size / total
        self.mean += delta * returns.size / total
        self.count = total

    def iteration(self):
        choice, chance, value, reward, alive = self.collect(self.draw())
        parts = choice, chance, value, *self.judged(value, reward, alive)
        self.lengths = alive.sum(1)
        for _ in range(REPEAT):
            for rows in self.minibatches():
                self.learn(rows, alive[rows], *(each[rows][alive[rows]] for each in parts))
        return [len(choice)]

    def judged(self, value, reward, alive):
        """The advantage of each step, and the sum of the rewards from it on by the deviation before, as in tianshou."""
        reward = np.where(alive.numpy(), reward, 0)
        summed = np.cumsum(reward[:, ::-1], 1)[:, ::-1]
        scale = np.sqrt(self.square / self.count + 1e-8) if self.count else 1.0
        self.note(summed[alive.numpy()])
        return tuple(torch.as_tensor(each, dtype=torch.float32) for each in (summed - value.numpy() * scale, summed / scale))

    def minibatches(self):
        """Whole episodes at random, cut where there are enough steps; what is left joins the last."""
        rows, cuts, steps = torch.randperm(len(self.lengths)), [], 0
        for at, length in enumerate(self.lengths[rows].tolist(), 1):
            steps += length
            if steps >= BATCH:
                cuts.append(at)
                steps = 0
        parts = list(rows.tensor_split(cuts))
        if len(parts) > 1:
            parts[-2:] = [torch.cat(parts[-2:])]
        return parts

    def features(self, rows, kept):
        """Days are read as far as decisions need them, in slices of those that end at about the same decision: faster
        than all together, packed, or each end by itself."""
        network = self.policy.actor.extractor
        lengths = kept.sum(1)
        day = torch.zeros(len(rows), STEPS, network.raw_rnn.hidden_size)
        for its in lengths.argsort().chunk(SLICES):
            steps = int(lengths[its].max())
            ticks = torch.arange(steps) * TICKS // STEPS
            inputs = network.raw_fc(self.days[: ticks[-1] + 1, rows[its]])
            day[its, :steps] = network.raw_rnn(inputs.transpose(0, 1))[0][:, ticks]
        own = network.pri_rnn(network.pri_fc(self.decisions[rows]))[0]
        side = network.dire_fc(self.sides)[self.buys[rows]][:, None].expand(-1, STEPS, -1)
        return torch.cat((day[kept], own[kept], side[kept]), -1)

    def learn(self, rows, kept, choice, chance, old, advantage, returns):
        policy = self.policy
        features = policy.actor.extractor.fc(self.features(rows, kept))
        choosing = torch.distributions.Categorical(policy.actor.layer_out(features), validate_args=False)
        value = policy.critic.value_out(features).flatten()
        advantage = (advantage - advantage.mean()) / advantage.std()
        ratio = (choosing.log_prob(choice) - chance).exp()
        clip = policy._eps_clip
        clip_loss = -torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage).mean()
        near = old + (value - old).clamp(-clip, clip)
        value_loss = torch.max((returns - value).pow(2), (returns - near).pow(2)).mean()
        entropy = choosing.entropy().mean()
        loss = clip_loss + policy._weight_vf * value_loss - policy._weight_ent * entropy
        policy.optim.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.parameters, max_norm=policy._grad_norm)
        policy.optim.step()
        return loss, clip_loss, value_loss, entropy, norm

    def known(self):
        """Learns from recorded steps as from those of an iteration."""
        self.policy.load_state_dict(torch.load(weights_file, weights_only=True))
        steps = torch.load(steps_file, weights_only=True)
        ends = np.flatnonzero(steps["done"].numpy())
        episode = np.concatenate(([0], steps["done"].numpy().cumsum()[:-1])).astype(int)
        number = steps["obs.cur_step"].long()
        alive = torch.zeros(len(ends), STEPS, dtype=bool)
        alive[episode, number] = True

        def by_episode(values):
            table = torch.zeros(len(ends), STEPS, *values.shape[1:], dtype=values.dtype)
            table[episode, number] = values
            return table

        days = steps["obs.data_processed"][ends]
        self.days = torch.cat((torch.zeros_like(days[:, :1]), days), 1).transpose(0, 1).contiguous()
        self.buys = steps["obs.acquiring"][ends].long()
        self.decisions = by_episode(torch.stack((steps["obs.position"] / steps["obs.target"], number / STEPS), -1))
        choice, reward = by_episode(steps["act"].long()), by_episode(steps["rew"]).double().numpy()
        rows = torch.arange(len(ends))
        with torch.no_grad():
            features = self.policy.actor.extractor.fc(self.features(rows, alive))
            choosing = torch.distributions.Categorical(self.policy.actor.layer_out(features), validate_args=False)
            chance = by_episode(choosing.log_prob(choice[alive]))
            value = by_episode(self.policy.critic.value_out(features).flatten())
        parts = choice, chance, value, *self.judged(value, reward, alive)
        return self.learn(rows, alive, *(each[alive] for each in parts))


orders = Orders()
training = Training(orders)
take_turns(
    {
        "iteration": (training.iteration, lambda result: result),
        "known": (lambda: Training(orders).known(), lambda result: result),
    }
)
