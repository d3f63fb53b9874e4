"""Writes feature/S1.pkl and backtest/S1.pkl in the shape of Qlib's gen_pickle_data.py.

Run with pandas 1.5 in this folder. The classes stand in for Qlib's: a pickle holds their names only.
"""

import os
import pickle
import sys
import types

import numpy as np
import pandas as pd


def stand_in(module, name):
    parts = module.split(".")
    for end in range(1, len(parts) + 1):
        sys.modules.setdefault(".".join(parts[:end]), types.ModuleType(".".join(parts[:end])))
    made = type(name, (), {"__module__": module})
    setattr(sys.modules[module], name, made)
    return made


DATASET = stand_in("qlib.data.dataset", "DatasetH")
LOADER = stand_in("qlib.data.dataset.loader", "QlibDataLoader")
HANDLERS = "qlib.contrib.data.highfreq_handler"
FEATURES = stand_in(HANDLERS, "HighFreqGeneralHandler")
BACKTEST = stand_in(HANDLERS, "HighFreqGeneralBacktestHandler")


def write(folder, handler, frame_name, names):
    times = pd.to_datetime(
        [f"2021-03-0{day} 09:{minute}:00" for day in (1, 2) for minute in (30, 35, 40)]
    )
    index = pd.MultiIndex.from_product([["S1"], times], names=["instrument", "datetime"])
    values = np.arange(len(times) * len(names), dtype=np.float32).reshape(len(times), len(names))
    loader = LOADER()
    loader.freq = "5min"
    loader.fields = ([name.rstrip("01_") for name in names], names)
    handler.day_length = 3
    handler.columns = ["$open", "$close"]
    handler.data_loader = loader
    setattr(handler, frame_name, pd.DataFrame(values, index=index, columns=names))
    dataset = DATASET()
    dataset.handler = handler
    dataset.segments = {"train": ("2021-03-01", "2021-03-02")}
    dataset.fetch_kwargs = {}
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/S1.pkl", "wb") as file:
        pickle.dump(dataset, file, protocol=4)


write("feature", FEATURES(), "_infer", ["$open", "$close", "$open_1", "$close_1", "$volume", "$volume_1"])
write("backtest", BACKTEST(), "_data", ["$close0", "$volume0"])
