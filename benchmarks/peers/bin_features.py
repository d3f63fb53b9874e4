"""Reads bars from a .bin store with Qlib's D.features, and with NumPy alone.

usage: bin_features.py STORE FREQUENCY FIELD...

`cold` begins with Qlib's memory cache empty, `warm` finds every expression in it, `numpy` reads each file of the
store into an array. The operating system's page cache is warm in all. Values: the sum of each field.
"""

import os
import sys

import numpy
from measure import take_turns
from qlib.data import D
from qlib.data.cache import H
from qlib.rl.data.integration import init_qlib

store, frequency, *fields = sys.argv[1:]
init_qlib({f"provider_uri_{frequency}": store})
instruments = D.list_instruments(D.instruments("all"), freq=frequency, as_list=True)
# The cache counts entries; its default of 500 would evict what the warm run is about to ask for.
H["f"].set_limit_size(len(instruments) * len(fields))


def read():
    return D.features(instruments, ["$" + field for field in fields], freq=frequency)


def read_files():
    folders = [os.path.join(store, "features", instrument.lower()) for instrument in instruments]
    return [
        [numpy.fromfile(os.path.join(folder, f"{field}.{frequency}.bin"), "<f4")[1:] for field in fields]
        for folder in folders
    ]


def frame_sums(frame):
    return [numpy.nansum(frame[column].to_numpy(), dtype="f8") for column in frame.columns]


def file_sums(arrays):
    return [sum(numpy.nansum(stock[i], dtype="f8") for stock in arrays) for i in range(len(fields))]


take_turns({"cold": (read, frame_sums, H.clear), "warm": (read, frame_sums), "numpy": (read_files, file_sums)})
