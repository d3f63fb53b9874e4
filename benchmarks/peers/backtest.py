"""Runs Qlib's backtest, and the same orders in NumPy and PyTorch, all at once.

usage: backtest.py TWAP_CONFIG PPO_CONFIG STORE ORDERS FEATURES WEIGHTS RESULT

A turn goes from reading the files to the written result. `twap_expert` and `ppo_expert` write it to RESULT; they know
neither levels of executors, nor costs, nor limits, and stop when all orders are done. Values: the mean size of what was
filled, of its price, of the fill rate, of the benchmark price and of the advantage.
"""

import os

for library in ("OMP", "MKL", "OPENBLAS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import sys

import numpy as np
import pandas as pd
import torch
from gym.spaces import Discrete
from measure import take_turns
from qlib.rl.contrib.backtest import backtest
from qlib.rl.contrib.naive_config_parser import get_backtest_config_fromfile
from qlib.rl.order_execution.network import Recurrent
from qlib.rl.order_execution.policy import PPO

twap_config, ppo_config, store, orders_file, features_file, weights_file, result_file = sys.argv[1:]
torch.set_num_threads(1)

TICKS, STEPS, FEATURES, CHOICES = 240, 8, 5, 5
WIDTH = TICKS // STEPS
COMPARED = ["deal_amount", "trade_price", "ffr", "base_price", "pa"]


def with_qlib(config):
    return backtest(get_backtest_config_fromfile(config))


def prices(orders):
    with open(os.path.join(store, "calendars", "1min.txt")) as file:
        dates = [line[:10] for line in file.readlines()[::TICKS]]
    days = orders.datetime.map({date: i for i, date in enumerate(dates)}).to_numpy()
    rows = np.empty((len(orders), TICKS), np.float32)
    for stock in orders.instrument.unique():
        close = np.fromfile(os.path.join(store, "features", stock.lower(), "close.1min.bin"), "<f4")[1:]
        its = (orders.instrument == stock).to_numpy()
        rows[its] = close.reshape(-1, TICKS)[days[its]]
    return rows.reshape(len(orders), STEPS, WIDTH)


def twap(orders):
    yield from np.repeat(orders.amount.to_numpy(float)[:, None] / STEPS, STEPS, 1).T


def ppo(orders):
    """Decides for all orders as the day goes, with the states of both GRUs kept."""
    policy = PPO(Recurrent({"data_processed": np.empty((TICKS, FEATURES))}), None, Discrete(CHOICES), lr=1e-4)
    policy.load_state_dict(torch.load(weights_file, weights_only=True))
    network, head = policy.actor.extractor, policy.actor.layer_out
    known = torch.load(features_file, weights_only=True)
    keys = orders.instrument + " " + orders.datetime
    days = torch.stack([known[key][:, :FEATURES] for key in keys])
    days = torch.cat((torch.zeros_like(days[:, :1]), days), 1)
    amount = orders.amount.to_numpy(float)
    remaining = amount.copy()
    sides = torch.tensor([[0.0, 1.0], [1.0, 0.0]])[torch.as_tensor(orders.direction.to_numpy()).long()]
    day, own, seen = None, None, 0
    for step in range(STEPS):
        until = step * WIDTH + 1
        _, day = network.raw_rnn(network.raw_fc(days[:, seen:until]), day)
        seen = until
        private = np.stack((remaining / amount, np.full(len(amount), step / STEPS)), -1)
        private = torch.as_tensor(private, dtype=torch.float32)[:, None]
        _, own = network.pri_rnn(network.pri_fc(private), own)
        features = network.fc(torch.cat((day[-1], own[-1], network.dire_fc(sides)), -1))
        choice = head(features).argmax(-1).numpy()
        volume = remaining if step == STEPS - 1 else np.minimum(remaining, amount * (choice / (CHOICES - 1)))
        remaining = remaining - volume
        yield volume


def at_once(volumes):
    orders = pd.read_csv(orders_file, dtype={"datetime": str})
    price = prices(orders)
    amount = orders.amount.to_numpy(float)
    filled, value = np.zeros(len(orders)), np.zeros(len(orders))
    with torch.inference_mode():
        for step, volume in enumerate(volumes(orders)):
            filled += volume
            value += volume * price[:, step].mean(1, dtype="f8")
            if (filled >= amount - 1e-6).all():
                break
    base = price.mean((1, 2), dtype="f8")
    paid = value / filled
    sign = np.where(orders.direction == 1, -1, 1)
    result = orders.assign(
        deal_amount=filled, trade_price=paid, ffr=filled / amount, base_price=base, pa=sign * (paid / base - 1) * 1e4
    )
    result.to_csv(result_file, index=False)
    return result


def means(result):
    return result[COMPARED].astype(float).abs().mean()


take_turns(
    {
        "twap": (lambda: with_qlib(twap_config), means),
        "twap_expert": (lambda: at_once(twap), means),
        "ppo": (lambda: with_qlib(ppo_config), means),
        "ppo_expert": (lambda: at_once(ppo), means),
    }
)
