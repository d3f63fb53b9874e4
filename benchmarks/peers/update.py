"""Learns with Qlib's PPO, and with PyTorch sharing one pass over a day between its decisions.

usage: update.py WEIGHTS STEPS LEARNING_RATE CHECKED REPETITIONS

STEPS holds Qlib's observations before and after each step, actions, rewards and ends, all as floats; the
steps of an episode follow one another. The first CHECKED minibatches report losses and lengths of
gradients, so that the other side can see that the work was the same.
"""

import os

for library in ("OMP", "MKL", "OPENBLAS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import resource
import sys
import time

import numpy as np
import torch
from gym.spaces import Discrete
from measure import measure, say
from qlib.rl.order_execution.network import Recurrent
from qlib.rl.order_execution.policy import PPO
from tianshou.data import Batch, ReplayBuffer
from torch import nn

weights_file, steps_file, learning_rate, checked, repetitions = sys.argv[1:]
learning_rate, checked, repetitions = float(learning_rate), int(checked), int(repetitions)
torch.set_num_threads(1)

CHOICES = 5
INTEGERS = ("acquiring", "cur_tick", "cur_step", "num_step")
FORWARD = 256

tensors = torch.load(steps_file, weights_only=True)
weights = torch.load(weights_file, weights_only=True)
count = len(tensors["act"])
norms = []


def observations(prefix):
    arrays = {name[len(prefix) :]: each.numpy() for name, each in tensors.items() if name.startswith(prefix)}
    return Batch({name: each.astype(np.int32) if name in INTEGERS else each for name, each in arrays.items()})


def report(peer, losses):
    for term, values in losses.items():
        for minibatch, value in enumerate(values):
            say(f"{peer}.{term}.{minibatch}", value)
    for minibatch, norm in enumerate(norms):
        say(f"{peer}.gradient_norm.{minibatch}", norm)
    norms.clear()


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


def learn(policy, batch, repeat=1):
    return policy.learn(Batch(batch), batch_size=count, repeat=repeat)


def sgemm(multiply, size=1024):
    """GFLOP a second, of the fastest of several products."""
    fastest = np.inf
    for _ in range(60 if repetitions > 1 else 1):
        start = time.perf_counter()
        multiply()
        fastest = min(fastest, time.perf_counter() - start)
    return 2 * size**3 / fastest / 1e9


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


def learn_shared(shared, repeat):
    runs = [shared.learn() for _ in range(repeat)]
    return {term: [run[term][0] for run in runs] for term in runs[0]}


def forward(policy):
    """Decisions as a collector asks for them, those of many environments at a time."""
    chosen = 0
    with torch.no_grad():
        for rows in np.array_split(np.arange(count), count // FORWARD):
            chosen += len(policy(Batch(obs=observed[rows], info={})).act)
    return chosen


observed, following = observations("obs."), observations("obs_next.")
nn.utils.clip_grad_norm_ = noting(nn.utils.clip_grad_norm_)

policy = new_policy()
batch = prepared(policy)
report("qlib", learn(policy, batch, checked))
measure("qlib", repetitions, lambda: len(learn(policy, batch)["loss"]) * count)
say("peak_mb", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
measure("forward", repetitions, lambda: forward(policy))
norms.clear()

torch.set_flush_denormal(True)  # Qlib does not, but careful code would
policy = new_policy()
shared = Shared(policy, batch)
report("torch_shared", learn_shared(shared, checked))
measure("torch_shared", repetitions, lambda: len(learn_shared(shared, 1)["loss"]) * count)

left, right = (np.random.default_rng(seed).random((1024, 1024), np.float32) for seed in (1, 2))
say("sgemm.numpy", sgemm(lambda: left @ right))
left, right = torch.from_numpy(left), torch.from_numpy(right)
say("sgemm.torch", sgemm(lambda: torch.mm(left, right)))
