"""The embedded market as other libraries see it, and whether an agent of theirs beats TWAP there."""

import gymnasium
import numpy as np
import tranche

CHOICES = {"tranche": 1, "data": {"market": {"instruments": 8, "days": 250}}}
RATES = {**CHOICES, "action_interpreter": {"class": "TwapRelativeInterpreter", "kwargs": {"max_rate": 4}}}

for name, config in (("Choices-v0", CHOICES), ("Rates-v0", RATES)):
    gymnasium.register(id=name, entry_point="tranche.environments:TrancheEnv", kwargs={"config": config, "flat": True})


def beats_twap(act, config=CHOICES):
    """Prints whether actions of `act`, given a batch of observations, beat TWAP on orders that nobody trained on: the mean
    advantage over the order's average price is more than two standard errors above 0."""
    env = tranche.make_vec(config, num_envs=16, stage="test", flat=True, autoreset_mode="SameStep")
    observations, _ = env.reset()
    space = env.single_action_space
    advantages = []
    while len(advantages) < env.num_orders:
        actions = act(observations)
        if isinstance(space, gymnasium.spaces.Box):
            actions = np.clip(actions, space.low, space.high)
        observations, _, _, _, infos = env.step(actions)
        advantages += [float(infos["pa"][i]) for i in np.flatnonzero(infos.get("_pa", []))]
    env.close()
    error = np.std(advantages) / np.sqrt(len(advantages))
    print("BEATS TWAP" if np.mean(advantages) > 2 * error else "DOES NOT", np.mean(advantages), error)
