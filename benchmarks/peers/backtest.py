"""Runs Qlib's backtest.

usage: backtest.py NAME CONFIG REPETITIONS
"""

import os

for library in ("OMP", "MKL", "OPENBLAS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import sys

import torch
from measure import measure
from qlib.rl.contrib.backtest import backtest
from qlib.rl.contrib.naive_config_parser import get_backtest_config_fromfile

name, config, repetitions = sys.argv[1:]
torch.set_num_threads(1)
measure(name, int(repetitions), lambda: backtest(get_backtest_config_fromfile(config)))
