"""Writes the pickles of this folder with whatever pandas runs it: make_pickles.py PREFIX TARGET_FOLDER."""

import pickle
import sys
import types
from pathlib import Path

import numpy as np
import pandas as pd

prefix, target = sys.argv[1], Path(sys.argv[2])


def write(name, value):
    for protocol in (4, 5):
        (target / f"{prefix}_{name}_p{protocol}.pkl").write_bytes(pickle.dumps(value, protocol))


days = pd.to_datetime(["2021-03-01", "2021-03-02", "2021-03-03"])
ticks = pd.DatetimeIndex(
    [pd.Timestamp(f"2021-03-0{d} 09:{m}:00") for d in (1, 2) for m in (30, 35, 40, 45)])

# orders as gen_training_orders.py writes them
orders = pd.DataFrame(
    {"date": days, "instrument": ["S1"] * 3, "$close0": [10.5, 11.25, 12.0],
     "amount": [100.0, 250.5, 3.0], "order_type": [0, 1, 0]}).set_index(["date", "instrument"])
write("orders", orders)

# backtest prices with the index of the pickle-styled files
price = np.arange(1, 9, dtype=np.float32)
backtest = pd.DataFrame(
    {"instrument": "S1", "datetime": ticks, "date": ticks.normalize(), "$bid0": price - 0.5,
     "$ask0": price + 0.5, "$close0": price, "$volume0": 100 * price})
backtest = backtest.set_index(["instrument", "datetime", "date"])
write("backtest", backtest)

# processed features, new format: shuffled columns, "_1" is yesterday
names = ["$high", "$low", "$open", "$close", "$volume"]
columns = [names[i] + s for i in (4, 0, 3, 1, 2) for s in ("_1", "")]
values = np.arange(80, dtype=np.float64).reshape(8, 10)
write("processed", pd.DataFrame(values, index=backtest.index, columns=columns))

# processed features, legacy format: one flat vector a day
days_of_rows = np.repeat(pd.to_datetime(["2021-03-01", "2021-03-02"]), 40)
legacy = pd.DataFrame({"instrument": "S1", "date": days_of_rows, "v": np.arange(80) / 8})
write("legacy", legacy.set_index(["instrument", "date"]))

# every kind of column
mixed = pd.DataFrame(
    {"text": ["one", None, "drei", "四"],
     "double": [1.5, np.nan, -np.inf, 1e-300],
     "single": np.array([1.5, np.nan, 3.25, -0.0], dtype=np.float32),
     "long": np.array([1, -2, 3, 2**40]),
     "small": np.array([1, -2, 3, 127], dtype=np.int8),
     "unsigned": np.array([1, 2, 3, 65535], dtype=np.uint16),
     "flag": [True, False, True, True],
     "nanos": pd.to_datetime(["2021-03-01 09:30:00", None, "1969-12-31 23:59:59", "2021-03-04 00:00:00"]).astype("datetime64[ns]"),
     "objects": np.array([1, 2.5, None, True], dtype=object),
     "category": pd.Categorical(["b", None, "a", "b"])})
if prefix != "pandas15":
    for unit in ("us", "ms", "s"):
        mixed["in_" + unit] = mixed["nanos"].astype(f"datetime64[{unit}]")
mixed["big_endian"] = np.array([1.5, 2.5, 3.5, 4.5], dtype=">f8")
write("mixed", mixed)

# layouts: a row-major and a column-major block, a slice of rows, columns dropped and reordered
write("row_major", pd.DataFrame(np.arange(12.0).reshape(4, 3), columns=list("abc")))
write("column_major", pd.DataFrame(np.asfortranarray(np.arange(12.0).reshape(4, 3)), columns=list("abc")))
frame = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [1, 2, 3, 4], "c": [5.0, 6, 7, 8], "d": list("wxyz")})
frame["e"] = frame["b"] * 2
write("pieces", frame.iloc[1::2][["d", "c", "e", "a", "b"]])
write("series", pd.Series([1.5, 2.5], index=pd.Index(["x", "y"], name="key"), name="value"))
write("unnamed_series", pd.Series([1, 2], index=pd.to_datetime(["2021-03-01", "2021-03-02"])))
write("empty", orders.iloc[:0])
missing = pd.MultiIndex.from_arrays([["a", None, "b"], pd.to_datetime(["2021-03-01", None, "2021-03-02"])], names=["k", "t"])
write("missing_keys", pd.DataFrame({"v": [1.0, 2.0, 3.0]}, index=missing))
write("half_second", pd.DataFrame({"t": pd.to_datetime(["2021-03-01 09:30:00.5"])}))
write("zoned", pd.DataFrame({"t": pd.to_datetime(["2021-03-01 09:30:00"]).tz_localize("Asia/Shanghai")}))
write("plain", {"list": [1, -1, 2**70, 1.5, "x", None, True, b"yz"], "tuple": (1, (2, 3)), "set": {1}, "frozen": frozenset([2]),
                "scalar": np.float64(2.5), "stamp": pd.Timestamp("2021-03-01 09:30:00"), "array": np.arange(3, dtype=np.int32)})
joined = pd.concat([pd.DataFrame({"s": ["a", "bb"]}), pd.DataFrame({"s": [None, "a"]})], ignore_index=True)
write("joined", joined)
write("masked", pd.DataFrame({"i": pd.array([1, None, 3], dtype="Int64"), "b": pd.array([True, None, False], dtype="boolean")}))
write("dates", pd.DataFrame({"date": ticks[:2].date, "stamp": pd.Series([ticks[0], pd.NaT], dtype=object),
                             "text": pd.array(["x", pd.NA], dtype=pd.StringDtype("python"))}))
# the same orders in the protocols before 4
for protocol in (2, 3):
    (target / f"{prefix}_orders_p{protocol}.pkl").write_bytes(pickle.dumps(orders, protocol))


# the layout of Qlib's handler pickles, with stand-ins for its classes
def stand_in(module, name, **state):
    parts = module.split(".")
    for i in range(len(parts)):
        path = ".".join(parts[: i + 1])
        namespace = sys.modules.setdefault(path, types.ModuleType(path))
    if not hasattr(namespace, name):
        setattr(namespace, name, type(name, (), {"__module__": module}))
    made = getattr(namespace, name)()
    made.__dict__.update(state)
    return made


two_levels = backtest.reset_index("date", drop=True)
for kind, handler_name, frames in (
        ("feature", "HighFreqGeneralHandler", ("_infer", "_learn")),
        ("prices", "HighFreqGeneralBacktestHandler", ("_data",))):
    frame = two_levels[["$close0", "$volume0"]]
    loader = stand_in("qlib.data.dataset.loader", "QlibDataLoader", freq="5min",
                      fields=(["Cut($close, 8, None)", "Cut($volume, 8, None)"], ["$close0", "$volume0"]))
    handler = stand_in("qlib.contrib.data.highfreq_handler", handler_name, day_length=4, columns=["$close"],
                       data_loader=loader, instruments=["S1"], start_time="2021-03-01", end_time="2021-03-02",
                       **{name: frame for name in frames})
    write("handler_" + kind, stand_in("qlib.data.dataset", "DatasetH", handler=handler, fetch_kwargs={},
                                      segments={"train": ("2021-03-01", "2021-03-01"), "test": ("2021-03-02", "2021-03-02")}))
