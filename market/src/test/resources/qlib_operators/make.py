"""Makes input.tsv and expected.tsv beside this file by asking the real Qlib. See README.md."""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
FREQ = "5min"
START, END = "2021-03-02 10:00:00", "2021-03-03 09:45:00"


def calendar():
    times = pd.date_range("09:30", "11:25", freq="5min").append(pd.date_range("13:00", "14:55", freq="5min"))
    days = ["2021-03-01", "2021-03-02", "2021-03-03"]
    return [pd.Timestamp(f"{day} {time.time()}") for day in days for time in times]


def fields(rng, n):
    close = 20 * np.exp(np.cumsum(rng.normal(0, 0.004, n)))
    volume = rng.integers(0, 9000, n).astype(float)
    signed = rng.normal(0, 3, n)
    steps = np.repeat(rng.integers(1, 5, n // 6 + 1), 6)[:n].astype(float)  # runs of equal values
    wild = rng.normal(0, 1, n) * 10.0 ** rng.integers(-3, 4, n)
    close[rng.random(n) < 0.05] = np.nan
    signed[rng.random(n) < 0.15] = np.nan
    steps[rng.random(n) < 0.05] = np.nan
    volume[rng.random(n) < 0.1] = 0
    wild[rng.random(n) < 0.04] = np.inf
    wild[rng.random(n) < 0.04] = -np.inf
    wild[60:75] = np.nan
    columns = {"close": close, "volume": volume, "signed": signed, "steps": steps, "wild": wild}
    return {name: values.astype("<f4") for name, values in columns.items()}


def store(root, times):
    rng = np.random.default_rng(20210301)
    listed = {"AA": (0, len(times)), "BB": (55, 80)}  # BB comes late and leaves early
    for name in ["calendars", "instruments"]:
        (root / name).mkdir()
    (root / "calendars" / f"{FREQ}.txt").write_text("".join(f"{t}\n" for t in times))
    (root / "instruments" / "all.txt").write_text(
        "".join(f"{code}\t{times[first]}\t{times[first + n - 1]}\n" for code, (first, n) in listed.items())
    )
    lines = []
    for code, (first, n) in listed.items():
        folder = root / "features" / code.lower()
        folder.mkdir(parents=True)
        for name, values in fields(rng, n).items():
            begin = first + (7 if name == "steps" else 0)  # one field begins later than the others
            values = values[begin - first :]
            np.hstack([[begin], values]).astype("<f4").tofile(folder / f"{name}.{FREQ}.bin")
            lines.append("\t".join([code, name, str(begin), " ".join(map(str, values))]))
    (HERE / "input.tsv").write_text("\n".join(lines) + "\n")


def expressions():
    yield from ["$close", "$missing", "$missing+$close", "$close+$steps", "$steps-$close", "$steps*$missing"]
    for field in ["$close", "$volume", "$signed", "$steps", "$wild"]:
        for name in "Abs Sign Log IsNull IsInf FFillNan BFillNan DayLast".split():
            yield f"{name}({field})"
        for name in "Mean Sum Std Var Skew Kurt Max Min Med Count Mad IdxMax IdxMin Rank Slope Rsquare Resi WMA EMA".split():
            for window in [0, 1, 4, 20, 500]:
                if not (name in ("Skew", "Kurt") and 0 < window < 3):
                    yield f"{name}({field}, {window})"
        for bars in [0, 5, -3, 500]:
            yield f"Ref({field}, {bars})"
            yield f"Delta({field}, {bars})"
        for probability in [0, 0.2, 0.5, 0.9, 1]:
            yield f"Quantile({field}, 7, {probability})"
        yield f"Quantile({field}, 0, 0.3)"
        for name in "Mean Sum Std Max Count EMA".split():
            yield f"{name}({field}, 0.1)"
        for name in "Corr Cov".split():
            for other in ["$close", "$volume", "$wild"]:
                for window in [1, 3, 10, 500]:
                    yield f"{name}({field}, {other}, {window})"
        for exponent in ["2", "0.5", "-1", "3", "0", "1.7"]:
            yield f"Power({field}, {exponent})"
        for name in "Add Sub Mul Div Greater Less Gt Ge Lt Le Eq Ne".split():
            yield f"{name}({field}, $signed)"
            yield f"{name}(2.5, {field})"
    yield from [
        "$close**2", "2**$signed", "$close**$signed", "-2*$close", "$close*-2", "$close-1-2", "$close/2/3", "2-$close",
        "1/$signed", "$close*1e39", "$close*1e300", "$close*123456789.123", "$volume*16777217", "$volume*65535", "$volume*-32769", "$close>65536", "If($close>20, 70000, $close)", "0.1+$close",
        "($close>20)", "$close>20.1", "20>$close", "$close!=$signed", "$volume==0", "($close>20)+($signed>0)",
        "($close>20)*($signed>0)", "($close>20)+1", "($close>20)*0.3", "($close>20)*$close", "($close>20)/2",
        "($close>20)&($signed>0)", "($close>20)|($signed>0)", "And($close>20, $signed>0)", "Or($close>20, $signed>0)",
        "Not($close>20)", "Not(($close>20)+1)", "(($close>20)+1)&3", "Abs($close>20)", "Sign($close>20)", "Log($close>20)",
        "Greater($close>20, $signed>0)", "If($close>20, $close, $signed)", "If($close>20, 1, 0)", "If($close>20, 1, 0.1)",
        "If($close>20, 0.1, $close)", "If($signed, $close, $volume)", "If($signed-$signed, $close, 7)", "If($close>20, $close>21, $close)",
        "If($close>20, 1, 0)*$close", "If($close>20, 1, 0)/3", "If($close>20, 0.1, 0)*$close", "If($close>20, 1, 0)+$close*0.1",
        "Mean($close>20, 4)", "Sum($close>20, 4)", "Ref($close>20, 1)", "Ref($close>20, 1)+$close", "Ref($close>20, 0)",
        "Delta($close>20, 1)", "FFillNan($close>20)", "DayLast($close>20)", "Mean(Ref($close, 2), 3)", "Ref(Mean($close, 3), 2)",
        "Mean($close, 3)/$close", "Mean($close, 3)*0.1", "Std($close, 5)/Mean($close, 5)", "$close/Ref($close, 1)-1",
        "Mean(FFillNan($signed), 4)", "FFillNan(Mean($signed, 2))", "Ref(DayLast($close), 48)", "DayLast(Ref($close, 48))",
        "Max($close, 5)-Min($close, 5)", "Corr($close, $volume+1, 10)", "Corr(Ref($close, 1), $signed, 6)", "Cov($steps, $close, 4)",
        "Corr($steps, $close, 4)", "Corr($missing, $close, 4)", "Mean($missing, 4)", "Cut($close, 5)", "Cut($close, 5, -2)", "Cut($close, None, -2)",
        "Cut($close, 5, None)+$close", "Cut($close, 500)", "Mean(Cut($close, 3), 4)", "Cut(Mean($close, 4), 3)", "Ref(Cut($close, 2, -2), 1)",
        "Select($volume>4000, $close)", "Select($volume>4000, $close)+$close", "Mean(Select($volume>4000, $close), 3)",
        "DayLast(Select($volume>4000, $close))", "Select($close>20, Select($volume>4000, $close))", "Ref(Select($volume>4000, $close), 1)",
        "IsNull($close/0)", "IsInf($close/0)", "Log($signed)", "Abs($signed)**0.5", "EMA(Mean($close, 3), 5)", "Rank(Delta($close, 1), 6)",
        "Sum(If($close>Ref($close, 1), $volume, 0), 5)", "Mean($close>Ref($close, 1), 5)", "Resi($close, 5)/$close",
        "IdxMax($close, 5)-IdxMin($close, 5)", "Greater($close, $volume)/Less($close, $volume)", "($close-Min($close, 9))/(Max($close, 9)-Min($close, 9)+1e-12)",
        # What Qlib refuses.
        "($close>20)-($signed>0)", "($close>20)/($signed>0)", "($close>20)**($signed>0)", "$close&$signed", "Not($close)", "$close>$steps", "$steps==$close",
        "$close>$missing", "If($steps>1, $close, 0)", "If(IsNull($missing), $close, $missing)", "Select($close, $close)",
        "Select($close>20, $steps)", "Select($steps>1, $close)", "Skew($close, 2)", "Kurt($close, 3)", "Mean($close, -1)", "Mean($close, 2.5)",
        "Quantile($close, 5, 1.5)", "Cut($close, 0)", "Cut($close, 5, 2)", "DayCumsum($close, '8:00')", "DayCumsum($close, '9:30', '14:59', 7)",
        "DayCumsum($close, '9:30', '14:59', 5)", "Nosuch($close)", "Ref($close)", "$close+", "Mean($close, 3", "$close $open", "1+2", "Mad($close, 0.1)",
        "Delta($close>20, 0)",
    ]


def ranges(indices):
    parts = []
    for index in indices:
        if parts and parts[-1][1] == index - 1:
            parts[-1][1] = index
        else:
            parts.append([index, index])
    return ",".join(f"{a}-{b}" for a, b in parts)


def main():
    times = calendar()
    with tempfile.TemporaryDirectory() as folder:
        store(Path(folder), times)
        import qlib
        from qlib.data import D
        from qlib.data.cache import H
        from qlib.rl.data.integration import init_qlib

        init_qlib({"provider_uri_5min": folder})
        position = {time: index for index, time in enumerate(times)}
        lines = []
        for expression in expressions():
            H.clear()
            # One instrument a query: an error of one must not hide the answer of the other.
            for code in ["AA", "BB"]:
                try:
                    frame = D.features([code], [expression], START, END, freq=FREQ)
                    column = frame[expression.replace(" ", "")] if expression not in frame else frame[expression]
                    indices = [position[time] for _, time in frame.index]
                    values = " ".join(str(np.float32(v)) for v in column.values)
                    lines.append("\t".join([expression, code, ranges(indices), values]))
                except Exception as e:  # noqa: BLE001  every kind of refusal is of interest
                    lines.append("\t".join([expression, code, "error", type(e).__name__]))
    (HERE / "expected.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
