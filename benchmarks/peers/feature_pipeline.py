"""Builds feature and backtest files of a store as Qlib's order-execution example does, and with NumPy.

usage: feature_pipeline.py STORE FREQUENCY DAY_LENGTH START TRAIN_END VALID_START VALID_END TEST_START END [TARGET]

The calls and the configuration of `qlib` are those of gen_pickle_data.py and pickle_data_config.yml: two
whole-market frames, which fit the normaliser, then a feature and a backtest dataset a stock. The example starts 32
worker processes for the stocks; here they run in this process, because on few cores starting the workers would cost
more than their work. `numpy` computes the same columns for all stocks at once, and knows no gaps; it leaves an array
a stock. Values: the mean size of each column. With TARGET, a new folder, Qlib's files are made there once.
"""

import copy
import os
import pickle
import shutil
import sys
import tempfile

import joblib
import numpy as np
import qlib.contrib.data.highfreq_provider as highfreq
from measure import say, take_turns

(store, frequency, day_length, start, train_end, valid_start, valid_end, test_start, end, *target) = sys.argv[1:]
ticks = int(day_length)
highfreq.Parallel = lambda n_jobs: joblib.Parallel(n_jobs=1)

SEGMENTS = {"train": (start, train_end), "valid": (valid_start, valid_end), "test": (test_start, end)}


def dataset(path, handler, columns, **more):
    kwargs = {
        "start_time": start,
        "end_time": end,
        "instruments": "all",
        "day_length": ticks,
        "freq": frequency,
        "columns": columns,
        "inst_processors": [
            {
                "class": "TimeRangeFlt",
                "module_path": "qlib.data.dataset.processor",
                "kwargs": {"start_time": start, "end_time": end, "freq": frequency},
            }
        ],
        **more,
    }
    handler = {"class": handler, "module_path": "qlib.contrib.data.highfreq_handler", "kwargs": kwargs}
    return {
        "path": path,
        "class": "DatasetH",
        "module_path": "qlib.data.dataset",
        "kwargs": {"handler": handler, "segments": SEGMENTS},
    }


def pipeline():
    norm = {
        "class": "HighFreqNorm",
        "module_path": "qlib.contrib.data.highfreq_processor",
        "kwargs": {"feature_save_dir": "./stat/", "norm_groups": {"price": 8, "volume": 2}},
    }
    provider = highfreq.HighFreqProvider(
        start_time=start,
        end_time=end,
        train_end_time=train_end,
        valid_start_time=valid_start,
        valid_end_time=valid_end,
        test_start_time=test_start,
        qlib_conf={"provider_uri": {frequency: store}, "redis_port": -1, "kernels": 1},
        feature_conf=dataset(
            "./feature.pkl",
            "HighFreqGeneralHandler",
            ["$open", "$high", "$low", "$close"],
            fit_start_time=start,
            fit_end_time=train_end,
            infer_processors=[norm],
        ),
        backtest_conf=dataset("./backtest.pkl", "HighFreqGeneralBacktestHandler", ["$close", "$volume"]),
        freq=frequency,
    )
    frames = provider._gen_dataframe(copy.deepcopy(provider.feature_conf))
    provider._gen_dataframe(copy.deepcopy(provider.backtest_conf))
    for kind, conf in (("feature", provider.feature_conf), ("backtest", provider.backtest_conf)):
        conf["path"] = os.path.splitext(conf["path"])[0] + "/"
        provider._gen_stock_dataset(copy.deepcopy(conf), kind)
    return sum(len(frame) for frame in frames)


PRICES = ("open", "high", "low", "close")
MEAN_DAYS = 30


def lines(name):
    with open(os.path.join(store, name)) as file:
        return file.read().split("\n")[:-1]


def with_numpy():
    times = lines(f"calendars/{frequency}.txt")
    stocks = [line.split("\t")[0] for line in lines("instruments/all.txt")]
    dates = [time[:10] for time in times[::ticks]]

    def read(field):
        files = [os.path.join(store, "features", stock.lower(), f"{field}.{frequency}.bin") for stock in stocks]
        return np.stack([np.fromfile(file, "<f4")[1:].reshape(-1, ticks) for file in files])

    fields = {field: read(field) for field in (*PRICES, "volume")}
    first, end_day, fit_end = dates.index(start), dates.index(end), dates.index(train_end)
    last = fields["close"][:, :, -1:]
    volume = fields["volume"]
    sums = np.cumsum(volume.sum(2, dtype="f8"), 1)
    sums[:, MEAN_DAYS:] -= sums[:, :-MEAN_DAYS].copy()
    counts = np.minimum(np.arange(1, len(dates) + 1), MEAN_DAYS) * ticks
    mean = (sums / counts).astype("f4")[:, first - 1 : end_day - 1, None]
    columns = [fields[field][:, first:end_day] / last[:, first - 2 : end_day - 2] for field in PRICES]
    columns += [fields[field][:, first - 1 : end_day - 1] / last[:, first - 1 : end_day - 1] for field in PRICES]
    columns += [volume[:, first:end_day] / mean, volume[:, first - 1 : end_day - 1] / mean]
    features = np.stack(columns, -1)
    features[..., 8:] = np.log1p(features[..., 8:])
    for group in (slice(0, 8), slice(8, 10)):
        fitted = features[:, : fit_end + 1 - first, :, group]
        centre = fitted.mean()
        features[..., group] = (features[..., group] - centre) / np.abs(fitted - centre).std()
    backtest = np.stack((fields["close"][:, first:end_day], volume[:, first:end_day]), -1)
    for i, stock in enumerate(stocks):
        np.save(f"{stock}.feature.npy", features[i])
        np.save(f"{stock}.backtest.npy", backtest[i])
    return features, backtest


def array_sizes(arrays):
    features, backtest = arrays
    close, volume = np.moveaxis(backtest, -1, 0)
    sizes = np.abs(features).mean((0, 1, 2), dtype="f8")
    return [*sizes, close.mean(dtype="f8"), np.log1p(volume).mean(dtype="f8")]


def file_sizes(_):
    def read(kind):
        frames = []
        for name in sorted(os.listdir(kind)):
            if name != "tmp_dataset.pkl":
                with open(os.path.join(kind, name), "rb") as file:
                    frames.append(pickle.load(file).handler.fetch().to_numpy())
        return np.concatenate(frames)

    return array_sizes((read("feature")[None, None], read("backtest")[None, None]))


store = os.path.abspath(store)
with tempfile.TemporaryDirectory() as work:

    def clean():
        os.chdir("/")
        shutil.rmtree(work)
        os.mkdir(work)
        os.chdir(work)

    if target:
        clean()
        say("rows", pipeline())
        os.chdir("/")
        shutil.copytree(work, target[0])
    else:
        take_turns({"qlib": (pipeline, file_sizes, clean), "numpy": (with_numpy, array_sizes, clean)})
    os.chdir("/")
