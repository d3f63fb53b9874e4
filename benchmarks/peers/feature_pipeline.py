"""Builds feature and backtest files of a store as Qlib's order-execution example does.

usage: feature_pipeline.py STORE FREQUENCY DAY_LENGTH START TRAIN_END VALID_START VALID_END TEST_START END REPETITIONS [TARGET]

The calls and the configuration are those of gen_pickle_data.py and pickle_data_config.yml: two
whole-market frames, which fit the normaliser, then a feature and a backtest dataset a stock. The
example starts 32 worker processes for the stocks; here they run in this process, because on few
cores starting the workers would cost more than their work. TARGET, a new folder, gets the files of the last
repetition.
"""

import copy
import os
import shutil
import sys
import tempfile

import joblib
import qlib.contrib.data.highfreq_provider as highfreq
from measure import measure

(store, frequency, day_length, start, train_end, valid_start, valid_end, test_start, end, repetitions, *target) = sys.argv[1:]
highfreq.Parallel = lambda n_jobs: joblib.Parallel(n_jobs=1)

SEGMENTS = {"train": (start, train_end), "valid": (valid_start, valid_end), "test": (test_start, end)}


def dataset(path, handler, columns, **more):
    kwargs = {
        "start_time": start,
        "end_time": end,
        "instruments": "all",
        "day_length": int(day_length),
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


store = os.path.abspath(store)
with tempfile.TemporaryDirectory() as work:

    def clean():
        os.chdir("/")
        shutil.rmtree(work)
        os.mkdir(work)
        os.chdir(work)

    measure("pipeline", int(repetitions), pipeline, before=clean)
    os.chdir("/")
    if target:
        shutil.copytree(work, target[0])
