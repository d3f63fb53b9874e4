"""Reads bars from a .bin store with Qlib's D.features.

usage: bin_features.py STORE FREQUENCY REPETITIONS FIELD...

Run `cold` begins with Qlib's memory cache empty, `warm` finds every expression in it. The operating
system's page cache is warm in both.
"""

import sys

from measure import measure
from qlib.data import D
from qlib.data.cache import H
from qlib.rl.data.integration import init_qlib

store, frequency, repetitions, *fields = sys.argv[1:]
init_qlib({f"provider_uri_{frequency}": store})
instruments = D.list_instruments(D.instruments("all"), freq=frequency, as_list=True)
# The cache counts entries; its default of 500 would evict what the warm run is about to ask for.
H["f"].set_limit_size(len(instruments) * len(fields))


def read():
    return D.features(instruments, ["$" + field for field in fields], freq=frequency)


measure("cold", int(repetitions), read, before=H.clear)
measure("warm", int(repetitions), read)
