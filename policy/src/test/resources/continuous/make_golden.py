"""Writes golden.json: log-probabilities, entropies, losses and gradients of continuous actions, by PyTorch in float64.

Run with any torch 2.x and numpy:  python make_golden.py golden.json
"""

import json
import math
import sys

import numpy as np
import torch
from torch.distributions import Beta, Normal
from torch.distributions.transforms import TanhTransform

torch.set_default_dtype(torch.float64)
MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def child(key, index):
    return mix((mix((key ^ GAMMA) & MASK) + index * 0xD1342543DE82EF95 + GAMMA) & MASK)


def uniform(key):
    return (mix((key + GAMMA) & MASK) >> 11) * 2.0**-53


def normal(key):
    radius = math.sqrt(-2 * math.log1p(-uniform(child(key, 0))))
    return radius * math.cos(2 * math.pi * uniform(child(key, 1)))


NODES, WEIGHTS = np.polynomial.hermite.hermgauss(32)
NODES = torch.tensor(NODES * math.sqrt(2))
WEIGHTS = torch.tensor(WEIGHTS / math.sqrt(math.pi))
TANH = TanhTransform()


def floats(x):
    """Numbers that float32 holds exactly, so both sides start alike."""
    return np.asarray(x, dtype=np.float32).astype(np.float64)


class Gaussian:
    def __init__(self, outputs, low, high):
        self.mean = outputs[..., 0::2]
        self.base = Normal(self.mean, torch.exp(-1.5 + 3.5 * torch.tanh(outputs[..., 1::2])))
        self.range = high - low

    def stretch(self, u):
        # As TanhTransform.log_abs_det_jacobian, whose softplus is cut off where it has nine digits.
        zero = torch.zeros(())
        found = math.log(2 * self.range) - torch.logaddexp(2 * u, zero) - torch.logaddexp(-2 * u, zero)
        assert torch.allclose(found, TANH.log_abs_det_jacobian(u, torch.tanh(u)) + math.log(self.range / 2))
        return found

    def log_prob(self, code):
        u = code / 2
        return (self.base.log_prob(u) - self.stretch(u)).sum(-1)

    def entropy(self):
        u = self.mean.unsqueeze(-1) + self.base.scale.unsqueeze(-1) * NODES
        return (self.base.entropy() + (WEIGHTS * self.stretch(u)).sum(-1)).sum(-1)


class BoundedBeta:
    def __init__(self, outputs, low, high):
        shapes = 1 + torch.nn.functional.softplus(outputs)
        self.base = Beta(shapes[..., 0::2], shapes[..., 1::2])
        self.range = high - low

    def log_prob(self, code):
        return (self.base.log_prob(torch.sigmoid(code)) - math.log(self.range)).sum(-1)

    def entropy(self):
        return (self.base.entropy() + math.log(self.range)).sum(-1)


HEADS = {"gaussian": Gaussian, "beta": BoundedBeta}


def slopes(value, outputs):
    return torch.autograd.grad(value, outputs, retain_graph=True)[0].tolist()


def distributions():
    random = np.random.default_rng(1)
    cases = []
    for head, make in HEADS.items():
        rows = [(random.normal(size=2), random.normal(size=1) * 3) for _ in range(8)]
        rows += [(random.normal(size=4), random.normal(size=2) * 3) for _ in range(8)]
        # The edges: saturated actions, far means, the least and the greatest spread, huge shapes.
        for code in (-16, -12, 0, 12, 16):
            for first in (-20, -8, 0, 8, 20):
                for second in (-10, -3, 3, 10):
                    if abs(first) > 8 and head == "gaussian":
                        first = math.copysign(9, first)
                    rows.append((np.array([first, second]), np.array([code])))
        if head == "beta":
            for shapes_at in ([300, 2], [5000, 5000], [1e5, 3e5], [-60, -60], [-60, 1000]):
                rows += [(np.array(shapes_at), np.array([code])) for code in (-3, 0.5, 8)]
        for outputs, code in rows:
            low, high = (0, 4) if len(outputs) == 2 else (-1, 1)
            outputs = torch.tensor(floats(outputs), requires_grad=True)
            code = torch.tensor(floats(code))
            made = make(outputs, low, high)
            log, entropy = made.log_prob(code), made.entropy()
            cases.append(
                dict(
                    head=head,
                    low=float(low),
                    high=float(high),
                    outputs=outputs.tolist(),
                    code=code.tolist(),
                    log=log.item(),
                    log_slopes=slopes(log, outputs),
                    entropy=entropy.item(),
                    entropy_slopes=slopes(made.entropy(), outputs),
                )
            )
    return cases


def linear(random, outputs, inputs, scale=0.7):
    return [floats(random.normal(size=(outputs, inputs)) * scale), floats(random.normal(size=outputs) * 0.3)]


def parameters(arrays):
    return [torch.tensor(a, requires_grad=True) for a in arrays]


def hidden(seen, weights):
    return torch.relu(seen @ weights[0].T + weights[1])


def ppo(head, count, teacher):
    """Three minibatches of all steps: from the second on, ratios are clipped. Each starts from weights in float32."""
    random = np.random.default_rng(7 + count)
    low, high = -1.0, 1.0
    seen = torch.tensor(floats(random.normal(size=(24, 3))))
    rewards = floats(random.normal(size=24))
    advice = floats(np.tanh(random.normal(size=(24, count))))
    weights = linear(random, 5, 3) + linear(random, 2 * count, 5, 0.1) + linear(random, 1, 5)
    made = parameters(weights)
    with torch.no_grad():
        base = HEADS[head](hidden(seen, made) @ made[2].T + made[3], low, high).base
        centre = base.mean if head == "gaussian" else torch.logit(base.mean) / 2
        spread = base.stddev if head == "gaussian" else 0.7
    places = np.tanh((centre + spread * torch.tensor(random.normal(size=(24, count)))).numpy())
    # What experience keeps is float32.
    logit = lambda x: torch.tensor(floats(np.clip(np.log1p(x) - np.log1p(-x), -16, 16)))
    code, advised = logit(places), logit(advice)
    with torch.no_grad():
        features = hidden(seen, made)
        before = HEADS[head](features @ made[2].T + made[3], low, high).log_prob(code)
        value = (features @ made[4].T + made[5])[:, 0]
    returns = torch.tensor(rewards)
    advantage = returns - value
    optimiser = torch.optim.Adam(made, lr=0.02, eps=1e-8)
    steps = []
    for _ in range(3):
        with torch.no_grad():
            for each in made:
                each.copy_(each.float().double())
        start = [p.flatten().tolist() for p in made]
        features = hidden(seen, made)
        distribution = HEADS[head](features @ made[2].T + made[3], low, high)
        scaled = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        ratio = (distribution.log_prob(code) - before).exp()
        clip = -torch.min(ratio * scaled, ratio.clamp(0.8, 1.2) * scaled).mean()
        values = ((returns - (features @ made[4].T + made[5])[:, 0]) ** 2).mean()
        entropy = distribution.entropy().mean()
        loss = clip + 0.5 * values - 0.02 * entropy
        advice_loss = -distribution.log_prob(advised).mean()
        if teacher:
            loss = loss + 0.1 * advice_loss
        optimiser.zero_grad()
        loss.backward()
        steps.append(
            dict(
                weights=start,
                loss=loss.item(),
                clip=clip.item(),
                value=values.item(),
                entropy=entropy.item(),
                teacher=advice_loss.item(),
                gradients=[p.grad.flatten().tolist() for p in made],
            )
        )
        optimiser.step()
    return dict(
        head=head,
        count=count,
        teacher=teacher,
        seen=seen.tolist(),
        actions=places.tolist(),
        rewards=rewards.tolist(),
        advice=advice.tolist(),
        steps=steps,
    )


def sac(count):
    """One minibatch of all steps: targets, both critics, the actor and the temperature."""
    random = np.random.default_rng(17 + count)
    rows, low, high = 12, 0.0, 4.0
    seen = torch.tensor(floats(random.normal(size=(rows, 3))))
    after = torch.tensor(floats(random.normal(size=(rows, 3))))
    done = np.arange(rows) % 3 == 2
    codes = floats(random.normal(size=(rows, count)) * 2)
    places = np.tanh(codes / 2)
    rewards = floats(random.normal(size=rows))
    key = 5
    own = child(key, 0)

    def noise(purpose):
        return torch.tensor(
            [[normal(child(child(child(own, purpose), row), i)) for i in range(count)] for row in range(rows)]
        )

    actor_weights = linear(random, 5, 3) + linear(random, 2 * count, 5, 0.4)
    critic = lambda: linear(random, 5, 3) + linear(random, 6, 5 + count) + linear(random, 1, 6)
    critic_weights, target_weights = [critic(), critic()], [critic(), critic()]
    log_temperature = float(np.float32(math.log(0.2)))
    alpha = math.exp(log_temperature)
    actor = parameters(actor_weights)

    def drawn(observed, purpose):
        outputs = hidden(observed, actor) @ actor[2].T + actor[3]
        u = outputs[:, 0::2] + torch.exp(-1.5 + 3.5 * torch.tanh(outputs[:, 1::2])) * noise(purpose)
        return u, Gaussian(outputs, low, high).log_prob(2 * u)

    def value(weights, observed, place):
        joined = torch.relu(torch.cat([hidden(observed, weights), place], 1) @ weights[2].T + weights[3])
        return (joined @ weights[4].T + weights[5])[:, 0]

    with torch.no_grad():
        u, log = drawn(after, 1)
        lowest = torch.min(*[value([torch.tensor(w) for w in t], after, torch.tanh(u)) for t in target_weights])
        rest = torch.where(torch.tensor(done), torch.zeros(rows), lowest - alpha * log)
        target = torch.tensor(rewards) + 0.9 * rest
    gradients, losses, moved = [], [], []
    for weights in critic_weights:
        made = parameters(weights)
        optimiser = torch.optim.Adam(made, lr=0.01, eps=1e-8)
        loss = ((value(made, seen, torch.tensor(places)) - target) ** 2).mean()
        loss.backward()
        losses.append(loss.item())
        gradients.append([p.grad.flatten().tolist() for p in made])
        optimiser.step()
        moved.append([p.detach() for p in made])
    u, log = drawn(seen, 2)
    loss = (alpha * log - torch.min(*[value(m, seen, torch.tanh(u)) for m in moved])).mean()
    loss.backward()
    gradients.append([p.grad.flatten().tolist() for p in actor])
    return dict(
        count=count,
        key=key,
        seen=seen.tolist(),
        after=after.tolist(),
        done=done.tolist(),
        actions=(low + (high - low) * (1 + places) / 2).tolist(),
        rewards=rewards.tolist(),
        actor=[w.flatten().tolist() for w in actor_weights],
        critics=[[w.flatten().tolist() for w in c] for c in critic_weights],
        targets=[[w.flatten().tolist() for w in c] for c in target_weights],
        log_temperature=log_temperature,
        critic_loss=sum(losses) / 2,
        actor_loss=loss.item(),
        entropy=-log.mean().item(),
        gradients=gradients,
    )


golden = dict(
    distributions=distributions(),
    ppo=[ppo(head, count, teacher) for head in HEADS for count in (1, 2) for teacher in (False, True)],
    sac=[sac(1), sac(2)],
)
with open(sys.argv[1], "w") as out:
    json.dump(golden, out)
    out.write("\n")
