"""Reads a Parquet file with pandas and pyarrow.

usage: parquet_read.py FILE REPETITIONS

The first run is not reported: it warms the page cache and the libraries.
"""

import sys

import pandas
from measure import measure

file, repetitions = sys.argv[1:]


def read():
    return pandas.read_parquet(file, engine="pyarrow")


read()
measure("read", int(repetitions), read)
