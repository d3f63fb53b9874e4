"""Works orders in Qlib's simple simulator, alone and wrapped into an environment or a vector of them.

usage: env_steps.py RUNS STORE FREQUENCY ORDERS TICKS STEPS REPETITIONS FIELD...

RUNS is `single` (the simulator and one environment) or `vector` (Qlib's own vector environments).

The fields serve as features, of today and of the day before. They are written as the pickled datasets
that Qlib's handler provider reads, one a stock. A `cold` run begins with Qlib's cache of days empty, a
`warm` one finds every day in it.
"""

import pickle
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from measure import measure, say
from qlib.backtest.decision import Order
from qlib.data import D
from qlib.data.dataset import DatasetH
from qlib.data.dataset.handler import DataHandler
from qlib.data.dataset.loader import StaticDataLoader
from qlib.rl.data.integration import init_qlib
from qlib.rl.data.native import HandlerProcessedDataProvider, load_handler_intraday_processed_data
from qlib.rl.order_execution.interpreter import CategoricalActionInterpreter, FullHistoryStateInterpreter
from qlib.rl.order_execution.reward import PAPenaltyReward
from qlib.rl.order_execution.simulator_simple import SingleAssetOrderExecutionSimple
from qlib.rl.utils import DataQueue, LogCollector, LogLevel, vectorize_env
from qlib.rl.utils.env_wrapper import EnvWrapper

runs, store, frequency, orders_file, ticks, steps, repetitions, *fields = sys.argv[1:]
ticks, steps, repetitions = int(ticks), int(steps), int(repetitions)
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


def simulator(order):
    return SingleAssetOrderExecutionSimple(order, Path(work), BACKTEST, ticks_per_step=ticks // steps)


def simulate():
    taken = 0
    for order in orders:
        episode = simulator(order)
        while not episode.done():
            episode.step(order.amount / steps)
            episode.get_state()
        taken += episode.cur_step
    return taken


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
    taken = 0
    for episode in range(len(orders)):
        environment.reset()
        done = False
        while not done:
            _, _, done, _ = environment.step((episode + environment.status["cur_step"]) % 2)
        taken += environment.status["cur_step"]
    return taken


def together(kind, count):
    """Works all orders in `count` environments at once, after the workers have started; the second pass counts."""
    queue = DataQueue(orders * 2, repeat=1, shuffle=False)
    with queue:
        states = iter(queue)

        def factory():
            return environment_of(states)

        environments = vectorize_env(factory, kind, count, [])
        with environments.collector_guard():
            environments.reset()
            for turn in range(2):
                began = time.perf_counter()
                for episode in range(len(orders) // count):
                    for step in range(steps):
                        _, _, done, _ = environments.step(np.full(count, (episode + step) % 2))
                    assert done.all(), "every order takes all steps"
                    if turn == 1 and episode == len(orders) // count - 1:
                        say(f"{kind}.steps_per_s", len(orders) * steps / (time.perf_counter() - began))
                    environments.reset()
        environments.close()


table = pd.read_csv(orders_file, parse_dates=["start", "end"])
orders = [Order(row.instrument, row.amount, row.direction, row.start, row.end) for row in table.itertuples()]
with tempfile.TemporaryDirectory() as work:
    write_days(sorted(set(table.instrument)))
    if runs == "vector":
        for kind, count in (("dummy", 8), ("shmem", 2)):
            together(kind, min(count, len(orders)))
    else:
        for name, run in (("simulator", simulate), ("wrapped", act)):
            measure(f"{name}.cold", repetitions, run, before=load_handler_intraday_processed_data.cache.clear)
            measure(f"{name}.warm", repetitions, run)
