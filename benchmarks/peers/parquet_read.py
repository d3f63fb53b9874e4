"""Reads a Parquet file of bars with pandas, and with pyarrow alone.

usage: parquet_read.py FILE

`pandas` stops at a data frame, as its users do. `pyarrow` goes on to one float32 array of each field per stock, the
nearest thing to what we make. Values: the number of rows and the sum of each field.
"""

import sys

import numpy
import pandas
import pyarrow.parquet
from measure import take_turns

(file,) = sys.argv[1:]
FIELDS = ["open", "high", "low", "close", "volume"]
STOCK = next(name for name in pyarrow.parquet.read_schema(file).names if name in ("symbol", "instrument"))


def read_pandas():
    return pandas.read_parquet(file, engine="pyarrow")


def read_pyarrow():
    table = pyarrow.parquet.read_table(file, columns=[STOCK, "datetime", *FIELDS], read_dictionary=[STOCK])
    codes = table[STOCK].combine_chunks().indices.to_numpy()
    ends = numpy.flatnonzero(numpy.diff(codes)) + 1
    columns = [table[field].to_numpy().astype("f4") for field in FIELDS]
    times = table["datetime"].to_numpy()
    return [numpy.split(times, ends), *(numpy.split(column, ends) for column in columns)]


def frame_sums(frame):
    return [len(frame), *(frame[field].sum() for field in FIELDS)]


def array_sums(arrays):
    times, *columns = arrays
    return [sum(map(len, times)), *(sum(numpy.nansum(part, dtype="f8") for part in column) for column in columns)]


take_turns({"pandas": (read_pandas, frame_sums), "pyarrow": (read_pyarrow, array_sums)})
