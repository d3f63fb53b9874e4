"""Works orders in Qlib's simple simulator, alone and wrapped into an environment or a vector of them, and in NumPy.

usage: env_steps.py RUNS STORE FREQUENCY ORDERS TICKS STEPS FIELD...

RUNS is `single` (the simulator and one environment) or `vector` (Qlib's own vector environments: eight in this process,
or two in processes of their own).

The fields serve as features, of today and of the day before. They are written as the pickled datasets that Qlib's
handler provider reads, one a stock. Qlib finds every day in its cache, and NumPy has all of them in one array, on
which it works all orders at once. Values of a simulator: the mean size of the advantage of a step, the mean share that
remains after one, the mean size of the advantage of an order. Of an environment: the mean size of a reward, and of the
logarithms of today's and yesterday's features in the last observation.
"""

import contextlib
import pickle
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from measure import take_turns
from qlib.backtest.decision import Order
from qlib.data import D
from qlib.data.dataset import DatasetH
from qlib.data.dataset.handler import DataHandler
from qlib.data.dataset.loader import StaticDataLoader
from qlib.rl.data.integration import init_qlib
from qlib.rl.data.native import HandlerProcessedDataProvider
from qlib.rl.order_execution.interpreter import CategoricalActionInterpreter, FullHistoryStateInterpreter
from qlib.rl.order_execution.reward import PAPenaltyReward
from qlib.rl.order_execution.simulator_simple import SingleAssetOrderExecutionSimple
from qlib.rl.utils import DataQueue, LogCollector, LogLevel, vectorize_env
from qlib.rl.utils.env_wrapper import EnvWrapper

runs, store, frequency, orders_file, ticks, steps, *fields = sys.argv[1:]
ticks, steps = int(ticks), int(steps)
torch.set_num_threads(1)
init_qlib({f"provider_uri_{frequency}": store})

BACKTEST = ["$close0", "$volume0"]
TODAY = ["$" + field for field in fields]
YESTERDAY = [column + "_1" for column in TODAY]


def write(folder, instrument, frame):
    """Writes a frame as a dataset, which is what gen_pickle_data.py leaves for every stock."""
    path = Path(work, folder, f"{instrument}.pkl")
    path.parent.mkdir(exist_ok=True)
    dataset = DatasetH(DataHandler(data_loader=StaticDataLoader(frame)), segments={})
    dataset.config(dump_all=True, recursive=True)
    with open(path, "wb") as file:
        pickle.dump(dataset, file)


def write_days(instruments):
    bars = D.features(instruments, TODAY, freq=frequency)
    for instrument in instruments:
        frame = bars.loc[[instrument]]
        write("backtest", instrument, frame[["$close", "$volume"]].set_axis(BACKTEST, axis=1))
        yesterday = frame.shift(ticks).fillna(0).set_axis(YESTERDAY, axis=1)
        write("feature", instrument, pd.concat([frame, yesterday], axis=1))


def choices(episodes, step):
    """Every second action waits, the others trade an eighth. In a vector all orders do the same at the same time."""
    return ((episodes if runs == "single" else 0 * episodes) + step) % 2


def simulator(order):
    return SingleAssetOrderExecutionSimple(order, Path(work), BACKTEST, ticks_per_step=ticks // steps)


def simulate():
    states = []
    for order in orders:
        episode = simulator(order)
        while not episode.done():
            episode.step(order.amount / steps)
            state = episode.get_state()
        states.append(state)
    return states


def simulator_values(states):
    advantages = np.concatenate([state.history_steps["pa"].to_numpy(float) for state in states])
    remaining = np.concatenate(
        [state.history_steps["position"].to_numpy(float) / state.order.amount for state in states]
    )
    whole = [state.metrics["pa"] for state in states]
    return np.abs(advantages).mean(), remaining.mean(), np.abs(whole).mean()


def environment_of(initial):
    return EnvWrapper(
        simulator,
        FullHistoryStateInterpreter(
            steps, ticks, len(fields), HandlerProcessedDataProvider(work, TODAY, YESTERDAY)
        ),
        CategoricalActionInterpreter(steps),
        initial,
        PAPenaltyReward(),
        logger=LogCollector(LogLevel.PERIODIC),
    )


def act():
    environment = environment_of(orders)
    rewards, observations = [], []
    for episode in range(len(orders)):
        environment.reset()
        done = False
        while not done:
            seen, reward, done, _ = environment.step(choices(episode, environment.status["cur_step"]))
            rewards.append(reward)
        observations.append((seen["data_processed"], seen["data_processed_prev"]))
    return rewards, observations


def environment_values(result):
    rewards, observations = result
    sizes = [np.mean([np.log1p(np.abs(each[i], dtype="f8")).mean() for each in observations]) for i in range(2)]
    return np.abs(rewards).mean(), *sizes


class Together:
    """All orders at once, in arrays; the days are in memory, as Qlib's are in its cache."""

    def __init__(self, stocks):
        frame = D.features(stocks, TODAY, freq=frequency)
        dates = sorted({f"{time:%Y-%m-%d}" for time in frame.index.get_level_values("datetime")})
        values = frame.to_numpy().reshape(len(stocks), len(dates), ticks, len(fields))
        self.days = values
        self.before = np.concatenate((np.zeros_like(values[:, :1]), values[:, :-1]), 1)
        self.stock = np.array([stocks.index(order.stock_id) for order in orders])
        self.day = np.array([dates.index(f"{order.start_time:%Y-%m-%d}") for order in orders])
        self.close = fields.index("close")

    def begin(self):
        self.amount = np.array([order.amount for order in orders], float)
        self.buys = np.array([order.direction == Order.BUY for order in orders])
        self.prices = self.days[self.stock, self.day, :, self.close].reshape(len(orders), steps, -1)
        self.twap = self.prices.mean((1, 2), dtype="f8")
        self.position = self.amount.copy()
        self.history = [self.position]
        self.filled, self.advantages = [], []

    def advantage(self, value, filled):
        price = np.divide(value, filled, out=np.zeros_like(value), where=filled > 1e-7)
        return np.where(self.buys, 1 - price / self.twap, price / self.twap - 1) * 1e4

    def step(self, step, volume):
        prices = self.prices[:, step]
        filled = np.repeat(volume[:, None] / prices.shape[1], prices.shape[1], 1)
        if step == steps - 1:
            filled[:, -1] += self.position - filled.sum(1)
        whole = filled.sum(1)
        position = self.position - whole
        self.position = np.where(np.abs(position) < 1e-6, 0, position)
        advantage = self.advantage((prices * filled).sum(1), whole)
        self.history.append(self.position)
        self.filled.append(filled)
        self.advantages.append(advantage)
        return filled, advantage

    def simulate(self):
        self.begin()
        for step in range(steps):
            self.step(step, self.amount / steps)
        filled = np.stack(self.filled, 1)
        whole = self.advantage((self.prices * filled).sum((1, 2)), filled.sum((1, 2)))
        return np.stack(self.advantages), np.stack(self.history[1:]) / self.amount, whole

    def observe(self, step):
        tick = step * ticks // steps
        today = self.days[self.stock, self.day]
        today[:, tick:] = 0
        history = np.zeros((len(orders), steps + 1), np.float32)
        history[:, : len(self.history)] = np.stack(self.history, 1)
        return {
            "data_processed": today,
            "data_processed_prev": self.before[self.stock, self.day],
            "acquiring": self.buys,
            "cur_tick": np.full(len(orders), min(tick, ticks - 1)),
            "cur_step": np.full(len(orders), min(step, steps - 1)),
            "num_step": np.full(len(orders), steps),
            "target": self.amount.astype("f4"),
            "position": self.position.astype("f4"),
            "position_history": history[:, :steps],
        }

    def act(self):
        self.begin()
        self.observe(0)
        rewards = []
        for step in range(steps):
            action = choices(np.arange(len(orders)), step)
            volume = np.minimum(self.position, self.amount * (action / steps))
            filled, advantage = self.step(step, volume)
            impact = ((filled / self.amount[:, None]) ** 2).sum(1)
            rewards.append(advantage * volume / self.amount - 100 * impact)
            seen = self.observe(step + 1)
        return rewards, [(seen["data_processed"], seen["data_processed_prev"])]


def array_values(arrays):
    return [np.abs(each).mean() for each in arrays]


def vector(stack, kind, count):
    """Returns a work: all orders in `count` environments at once."""
    states = iter(stack.enter_context(DataQueue(orders, repeat=-1, shuffle=False)))
    environments = vectorize_env(lambda: environment_of(states), kind, count, [])
    stack.callback(environments.close)
    stack.enter_context(environments.collector_guard())

    def play():
        rewards, observations = [], []
        for _ in range(len(orders) // count):
            environments.reset()
            for step in range(steps):
                seen, reward, done, _ = environments.step(choices(np.arange(count), step))
                rewards.append(reward)
            assert done.all(), "every order takes all steps"
            observations += [(each["data_processed"], each["data_processed_prev"]) for each in seen]
        return rewards, observations

    return play


table = pd.read_csv(orders_file, parse_dates=["start", "end"])
orders = [Order(row.instrument, row.amount, row.direction, row.start, row.end) for row in table.itertuples()]
with tempfile.TemporaryDirectory() as work, contextlib.ExitStack() as stack:
    write_days(sorted(set(table.instrument)))
    at_once = Together(sorted(set(table.instrument)))
    works = {
        "simulator": (simulate, simulator_values),
        "simulator_numpy": (at_once.simulate, array_values),
        "environment": (act, environment_values),
        "environment_numpy": (at_once.act, environment_values),
    }
    if runs == "vector":
        for kind, count in (("dummy", 8), ("shmem", 2)):
            works[kind] = (vector(stack, kind, min(count, len(orders))), environment_values)
    take_turns(works)
