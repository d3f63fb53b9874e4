"""Writes the CSV files of an order folder as the pickles that Qlib's order script leaves.

usage: order_pickles.py SOURCE TARGET

SOURCE has folders such as train and valid, with one file a stock; TARGET gets the same.
"""

import sys
from pathlib import Path

import pandas as pd
from measure import say

source, target = map(Path, sys.argv[1:])

for file in sorted(source.glob("*/*.csv")):
    orders = pd.read_csv(file, parse_dates=["date"]).set_index(["date", "instrument"])
    orders = orders.astype({"$close0": "float32", "amount": "float32", "order_type": "int64"})
    folder = target / file.parent.name
    folder.mkdir(parents=True, exist_ok=True)
    orders.to_pickle(folder / f"{file.stem}.pkl.target")
for folder in sorted(target.iterdir()):
    say(folder.name, sum(len(pd.read_pickle(file)) for file in folder.iterdir()))
