"""Frames of pandas and tables of Arrow, in and out. They cross as Parquet files: typed, and without a digit lost."""

import hashlib
import os
import tempfile
from pathlib import Path

from tranche.launcher import TrancheError

_STAGES = ("train", "valid", "test")


def is_frame(value):
    """Whether a value is a pandas frame, an Arrow table, or anything else with Arrow's interface for streams."""
    return type(value).__module__.split(".")[0] == "pandas" and hasattr(value, "columns") or hasattr(
        value, "__arrow_c_stream__"
    )


def write_frame(frame, path):
    """Writes a frame as a Parquet file and returns its path. Indexes with names are columns."""
    from pyarrow import parquet

    parquet.write_table(_arrow(frame), path, coerce_timestamps="us")
    return str(path)


def _arrow(frame):
    import pyarrow

    if not hasattr(frame, "reset_index"):
        return pyarrow.table(frame)
    named = [name for name in frame.index.names if name is not None]
    frame = frame.reset_index(level=named) if named else frame
    return pyarrow.Table.from_pandas(frame, preserve_index=False)


def write_orders(frame, folder):
    """Writes orders as a configuration's `data.orders` wants them, and returns the folder. The column `stage` says what an
    order is for: "train", "valid" or "test"."""
    from pyarrow import compute

    table = _arrow(frame)
    stages = set(table["stage"].to_pylist()) if "stage" in table.column_names else {}
    if not stages or not stages <= set(_STAGES):
        raise ValueError(f"orders: expected a column stage with {', '.join(_STAGES)}, was {sorted(stages, key=str) or 'none'}")
    for stage in _STAGES:
        os.makedirs(os.path.join(folder, stage))
        orders = table.filter(compute.equal(table["stage"], stage)).drop_columns(["stage"])
        if len(orders):
            write_frame(orders, os.path.join(folder, stage, "orders.parquet"))
    return str(folder)


def read_bars(path, *options):
    """The bars of a store or file in any form that Tranche reads, as a pandas frame; options as of `data convert`."""
    return _table("data", "convert", path, *options)


def read_features(store):
    """The features of a store that `tranche data features` made, as a pandas frame."""
    if not os.path.isfile(os.path.join(store, "features.yml")):
        raise TrancheError(f"{store}: expected a feature store, was something else")
    return read_bars(os.path.join(store, "feature"))


def make_orders(bars, *options):
    """Orders for bars, a path or a frame, as a pandas frame; options as of `orders generate`. The column `stage` says what
    an order is for; a configuration takes the frame as its `data.orders`."""
    import pandas
    from pyarrow import parquet

    from tranche.verbs import verb

    with tempfile.TemporaryDirectory(prefix="tranche-") as folder:
        made = os.path.join(folder, "orders")
        verb("orders", "generate", bars, "--out", made, "--format", "parquet", *options, progress=False)
        parts = [
            parquet.read_table(file).to_pandas().assign(stage=stage)
            for stage in _STAGES
            for file in sorted(Path(made, stage).glob("*.parquet"))
        ]
    return pandas.concat(parts, ignore_index=True)


def read_results(run):
    """The results of a backtest, one row an order, as a pandas frame. `run`: its folder, or the file itself."""
    import pandas

    file = Path(run)
    file = file / "result.csv" if file.is_dir() else file
    if not file.is_file():
        raise TrancheError(f"{file}: expected the results of a backtest, was no such file")
    # Numbers are written with all digits that tell them apart.
    frame = pandas.read_csv(file, float_precision="round_trip", dtype={"instrument": str})
    for column in ("start", "end", "datetime", "date"):
        if column in frame:
            frame[column] = pandas.to_datetime(frame[column])
    return frame


def read_journal(folder):
    """The events of a service's journal, oldest first, as a pandas frame, as `tranche journal export` writes them."""
    return _table("journal", "export", folder)


def read_decisions(journal, models):
    """The decisions of a service's journal and what led to each, as a pandas frame. They are taken again, so `models` is
    the folder of the bundles; a decision that differs from what is recorded raises TrancheError."""
    return _table("journal", "explain", journal, "--models", models)


def _table(*words):
    from pyarrow import parquet

    from tranche.verbs import verb

    with tempfile.TemporaryDirectory(prefix="tranche-") as folder:
        file = os.path.join(folder, "table.parquet")
        verb(*words, "--out", file, progress=False)
        return parquet.read_table(file).to_pandas()


class Handed:
    """Hands values to a process: frames become files, of a folder that is deleted afterwards unless they are kept.

    kept: the folder of what the process makes of them and reads again later, such as a run.
    """

    def __init__(self, kept=None):
        self._kept = None if kept is None else os.path.join(os.path.abspath(kept), "frames")
        self._folder = None
        self._count = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._folder is not None:
            self._folder.cleanup()

    def path(self, value, write=write_frame, suffix=".parquet"):
        """The path of a frame's file, or the value itself."""
        if not is_frame(value):
            return value
        if self._kept is not None:
            return _keep(value, write, suffix, self._kept)
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="tranche-")
        self._count += 1
        return write(value, os.path.join(self._folder.name, f"frame{self._count}{suffix}"))

    def paths(self, value, name=None):
        """The same for every frame in dicts and lists, such as a configuration."""
        if isinstance(value, dict):
            return {key: self.paths(part, key) for key, part in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.paths(part) for part in value]
        return self.path(value, write_orders, "") if name == "orders" else self.path(value)


def has_frames(value):
    """Whether a value is a frame, or a dict or list with one in it."""
    if isinstance(value, dict):
        return any(map(has_frames, value.values()))
    return any(map(has_frames, value)) if isinstance(value, (list, tuple)) else is_frame(value)


def _keep(frame, write, suffix, folder):
    """Writes a frame under the name of its content, so that the same one given again is the same file."""
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as unfinished:
        written = Path(write(frame, os.path.join(unfinished, "frame")))
        digest = hashlib.sha256()
        for file in [written] if written.is_file() else sorted(written.glob("*/*")):
            digest.update(str(file.relative_to(written)).encode())
            with open(file, "rb") as content:
                while block := content.read(1 << 20):
                    digest.update(block)
        kept = os.path.join(folder, digest.hexdigest()[:16] + suffix)
        if not os.path.exists(kept):
            os.replace(written, kept)
    return kept
