"""The embedded market as other libraries see it, and whether an agent of theirs beats TWAP there.

Agents learn from the training orders. Which of a library's settings is used is decided on the validation orders, of
days after those. The test orders, of still later days, are seen once, by Tranche's judge, when nothing is left to decide.
"""

import json

import gymnasium
import numpy as np
import tranche

# Before the judge, nobody has looked at the test days of this seed.
CHOICES = {"tranche": 1, "data": {"market": {"seed": 26, "instruments": 16, "days": 300}}}
RATES = {**CHOICES, "action_interpreter": {"class": "TwapRelativeInterpreter", "kwargs": {"max_rate": 4}}}
RUN = "judged run"

for name, config in (("Choices-v0", CHOICES), ("Rates-v0", RATES)):
    gymnasium.register(id=name, entry_point="tranche.environments:TrancheEnv", kwargs={"config": config, "flat": True})


def advantage(act, config):
    """The mean advantage on the validation orders over their average prices, in basis points."""
    env = tranche.make_vec(config, num_envs=16, stage="valid", flat=True, autoreset_mode="SameStep")
    observations, _ = env.reset()
    advantages = []
    while len(advantages) < env.num_orders:
        observations, _, _, _, infos = env.step(act(observations))
        advantages += [float(infos["pa"][i]) for i in np.flatnonzero(infos.get("_pa", []))]
    env.close()
    return float(np.mean(advantages))


def judge(train, settings, config=CHOICES):
    """Trains an agent with each of the settings, chooses one of them, and prints what the judge says of it.

    train: given settings, returns a function that gives actions for a batch of observations.
    """
    agents = [train(each) for each in settings]
    found = [advantage(each, config) for each in agents]
    best = int(np.argmax(found))
    for each, mean in zip(settings, found):
        print("validation", json.dumps(each), f"{mean:.2f}")
    run = tranche.policy_run(config, agents[best], RUN)
    judged = tranche.judge(run, policy=agents[best])
    print("chosen", json.dumps(settings[best]))
    print(judged["verdict"], judged["policies"][0]["over_twap_bps"])
