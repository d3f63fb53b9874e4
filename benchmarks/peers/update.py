"""Learns and decides with Qlib's PPO, and with PyTorch sharing one pass over a day between its decisions.

usage: update.py WEIGHTS STEPS LEARNING_RATE

STEPS holds Qlib's observations before and after each step, actions, rewards and ends, all as floats; the
steps of an episode follow one another. A turn of `qlib` or `shared` learns from all of them once more. Values: the
losses and the length of the gradient. A turn of `forward` or `streamed` decides all of them again, the same decision
of every episode at a time. Values: the mean probability of each choice.
"""

import os

for library in ("OMP", "MKL", "OPENBLAS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import sys
import time

import numpy as np
import torch
from gym.spaces import Discrete
from measure import peak_megabytes, take_turns
from qlib.rl.order_execution.network import Recurrent
from qlib.rl.order_execution.policy import PPO
from tianshou.data import Batch, ReplayBuffer
from torch import nn

weights_file, steps_file, learning_rate = sys.argv[1:]
learning_rate = float(learning_rate)
torch.set_num_threads(1)

CHOICES = 5
INTEGERS = ("acquiring", "cur_tick", "cur_step", "num_step")
TERMS = ("loss", "loss/clip", "loss/vf", "loss/ent")

tensors = torch.load(steps_file, weights_only=True)
weights = torch.load(weights_file, weights_only=True)
count = len(tensors["act"])
norms = []


def observations(prefix):
    arrays = {name[len(prefix) :]: each.numpy() for name, each in tensors.items() if name.startswith(prefix)}
    return Batch({name: each.astype(np.int32) if name in INTEGERS else each for name, each in arrays.items()})


def losses(result):
    return [result[term][-1] for term in TERMS] + [norms.pop()]


def noting(clip):
    def noted(*arguments, **options):
        norm = clip(*arguments, **options)
        norms.append(norm)
        return norm

    return noted


def new_policy():
    shape = observed["data_processed"].shape[1:]
    policy = PPO(Recurrent({"data_processed": np.empty(shape)}), None, Discrete(CHOICES), lr=learning_rate)
    policy.load_state_dict(weights)
    return policy


def prepared(policy):
    """What tianshou's update does before it learns."""
    buffer = ReplayBuffer(count)
    done = tensors["done"].numpy().astype(bool)
    for row in range(count):
        buffer.add(
            Batch(
                obs=observed[row],
                act=int(tensors["act"][row]),
                rew=float(tensors["rew"][row]),
                terminated=done[row],
                truncated=False,
                obs_next=following[row],
                info={},
            )
        )
    batch, indices = buffer.sample(0)
    return policy.process_fn(batch, buffer, indices)


def learn():
    return policy.learn(Batch(batch), batch_size=count, repeat=1)


class Product:
    """A product of square matrices, in NumPy and in torch."""

    size = 1024

    def __init__(self):
        self.arrays = [np.random.default_rng(seed).random((self.size, self.size), np.float32) for seed in range(3)]
        self.tensors = [torch.from_numpy(each) for each in self.arrays]

    def rates(self):
        """GFLOP a second."""
        left, right, out = self.arrays
        rates = [self.rate(lambda: np.matmul(left, right, out=out))]
        left, right, out = self.tensors
        return [*rates, self.rate(lambda: torch.mm(left, right, out=out))]

    def rate(self, multiply):
        """The faster of two, because the first finds the caches full of other work."""
        fastest = np.inf
        for _ in range(2):
            start = time.perf_counter()
            multiply()
            fastest = min(fastest, time.perf_counter() - start)
        return 2 * self.size**3 / fastest / 1e9


class Shared:
    """The same update with one pass over each day, for the actor and the critic together."""

    def __init__(self, policy, batch):
        self.policy = policy
        self.network = policy.actor.extractor
        self.batch = batch
        steps = int(observed["num_step"][0])
        last = slice(steps - 1, None, steps)  # the last observation of an episode has seen all of it
        ticks = int(observed["cur_tick"].max())
        days = torch.as_tensor(observed["data_processed"][last, :ticks])
        self.days = torch.cat((torch.zeros_like(days[:, :1]), days), 1).transpose(0, 1).contiguous()
        position = observed["position_history"][last] / observed["target"][last, None]
        step = np.broadcast_to(np.arange(steps) / np.float32(steps), position.shape)
        self.decisions = torch.as_tensor(np.stack((position, step), -1), dtype=torch.float32)
        self.decisions = self.decisions.transpose(0, 1).contiguous()
        self.lane = torch.arange(count) // steps
        self.tick = torch.as_tensor(observed["cur_tick"]).long()
        self.step = torch.as_tensor(observed["cur_step"]).long()
        self.side = torch.as_tensor(observed["acquiring"]).long()
        self.sides = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
        self.parameters = list(policy._actor_critic.parameters())

    def features(self):
        network = self.network
        day = network.raw_rnn(network.raw_fc(self.days).transpose(0, 1))[0][self.lane, self.tick]
        decisions = network.pri_rnn(network.pri_fc(self.decisions).transpose(0, 1))[0][self.lane, self.step]
        side = network.dire_fc(self.sides)[self.side]
        return network.fc(torch.cat((day, decisions, side), -1))

    def learn(self):
        policy, batch = self.policy, self.batch
        features = self.features()
        chances = torch.distributions.Categorical(policy.actor.layer_out(features), validate_args=False)
        value = policy.critic.value_out(features).flatten()
        advantage = (batch.adv - batch.adv.mean()) / batch.adv.std()
        ratio = (chances.log_prob(batch.act) - batch.logp_old).exp()
        clip = policy._eps_clip
        clip_loss = -torch.min(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage).mean()
        near = batch.v_s + (value - batch.v_s).clamp(-clip, clip)
        value_loss = torch.max((batch.returns - value).pow(2), (batch.returns - near).pow(2)).mean()
        entropy = chances.entropy().mean()
        loss = clip_loss + policy._weight_vf * value_loss - policy._weight_ent * entropy
        policy.optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters, max_norm=policy._grad_norm)
        policy.optim.step()
        terms = {"loss": loss, "loss/clip": clip_loss, "loss/vf": value_loss, "loss/ent": entropy}
        return {term: [each.item()] for term, each in terms.items()}


    def decide(self):
        """As the day goes: the GRU of a day takes the ticks since the last decision, that of an order one step."""
        network, chances = self.network, []
        day, own, seen = None, None, 0
        with torch.no_grad():
            for step, private in enumerate(self.decisions):
                until = int(self.tick[step]) + 1
                _, day = network.raw_rnn(network.raw_fc(self.days[seen:until]).transpose(0, 1), day)
                _, own = network.pri_rnn(network.pri_fc(private[:, None]), own)
                side = network.dire_fc(self.sides)[self.side[step :: len(self.decisions)]]
                features = network.fc(torch.cat((day[-1], own[-1], side), -1))
                chances.append(self.policy.actor.layer_out(features))
                chances[-1].multinomial(1)
                seen = until
        return torch.cat(chances)


def forward():
    """Decisions as a collector asks for them, those of many environments at a time."""
    with torch.no_grad():
        every = [np.arange(step, count, episode) for step in range(episode)]
        return torch.cat([decider(Batch(obs=observed[rows], info={})).logits for rows in every])


def in_mode(denormals_are_zero, work):
    """Qlib leaves denormals as they are, but careful code would not."""

    def run():
        torch.set_flush_denormal(denormals_are_zero)
        return work()

    return run


observed, following = observations("obs."), observations("obs_next.")
episode = int(observed["num_step"][0])
nn.utils.clip_grad_norm_ = noting(nn.utils.clip_grad_norm_)
policy, decider = new_policy(), new_policy()
batch = prepared(policy)
shared, streamed = Shared(new_policy(), batch), Shared(decider, batch)


def shares(chances):
    return chances.mean(0)


take_turns(
    {
        "qlib": (in_mode(False, learn), losses),
        "shared": (in_mode(True, shared.learn), losses),
        "forward": (in_mode(False, forward), shares),
        "streamed": (in_mode(True, streamed.decide), shares),
        "sgemm": (Product().rates, lambda rates: rates),
        "memory": (lambda: None, lambda _: [peak_megabytes()]),
    }
)
