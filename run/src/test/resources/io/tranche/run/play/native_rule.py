"""The native fill rule, written again in pandas from docs/environments.md, as a check of the Java code.

Reads a case (JSON) and recomputes every order from the bars: fills, average price, benchmarks, fees, advantage, completion.
Prints one line per difference above 1e-9 and a last line with the number of orders compared.
"""
import json
import math
import sys

import numpy as np
import pandas as pd

DAY = 86400


def trading_days(bars, session):
    """Returns the bars of an instrument by trading date: night bars belong to the next date with a day session."""
    seconds = (bars.index - bars.index.normalize()).total_seconds().astype(int)
    night = np.zeros(len(bars), bool)
    first_open, first_close = session[0]
    if first_open < 0:
        night = (seconds >= first_open + DAY) | (seconds < max(first_close, 0))
    dates = bars.index.normalize().to_series(index=bars.index)
    dates[night] = pd.NaT
    dates = dates.bfill()
    return dates


def grid(date, previous, session, width):
    """Returns the times of all ticks of a day."""
    times = []
    for number, (opens, closes) in enumerate(session):
        base = date
        if number == 0 and opens < 0:
            base = previous + pd.Timedelta(days=1)  # the night before Monday is Friday's
        times += [base + pd.Timedelta(seconds=s) for s in range(opens, closes, width)]
    return pd.DatetimeIndex(times)


class Market:
    def __init__(self, case):
        bars = pd.read_csv(case["bars"], parse_dates=["datetime"], dtype={"instrument": str})
        self.width = case["width"]
        self.sessions = case["sessions"]
        numbers = [c for c in bars.columns if c not in ("instrument", "datetime")]
        bars[numbers] = bars[numbers].astype("float32").astype("float64")
        self.bars = {code: part.set_index("datetime")[numbers] for code, part in bars.groupby("instrument")}
        self.dates = {code: trading_days(part, self.sessions[code]) for code, part in self.bars.items()}
        self.starts, self.ends = {}, {}  # the first and last bar that any instrument of a session has on a date
        for code, dates in self.dates.items():
            key = json.dumps(self.sessions[code])
            for date, times in dates.groupby(dates).groups.items():
                self.starts[(key, date)] = min(times.min(), self.starts.get((key, date), times.min()))
                self.ends[(key, date)] = max(times.max(), self.ends.get((key, date), times.max()))

    def day(self, code, date):
        key = json.dumps(self.sessions[code])
        first = self.starts[(key, date)]
        previous = first.normalize() if first.normalize() < date else date - pd.Timedelta(days=1)
        ticks = grid(date, previous, self.sessions[code], self.width)
        ticks = ticks[ticks <= self.ends[(key, date)]]
        return self.bars[code].reindex(ticks)


class Order:
    def __init__(self, order, day, frictions):
        self.order, self.f = order, frictions
        self.buy = order["side"] == "buy"
        self.times = day.index
        self.price = day["close"].to_numpy()
        self.volume = day["volume"].to_numpy()
        self.col = {c: day[c].to_numpy() for c in day.columns}
        start, end = pd.Timestamp(order["start"]), pd.Timestamp(order["end"])
        self.first = int(np.searchsorted(self.times, start))
        self.end = int(np.searchsorted(self.times, end))
        self.amounts = np.zeros(self.end)
        self.prices = np.zeros(self.end)
        self.fees = np.zeros(self.end)
        self.push = 0.0
        self.charged = None
        self.remaining = order["amount"]

    def tradable(self, tick):
        if all(np.isnan(self.col[c][tick]) for c in self.col):
            return False
        change = self.col.get("change")
        limit = self.f.get("price_limit")
        if change is None or limit is None:
            return True
        return not (change[tick] >= limit if self.buy else change[tick] <= -limit)

    def whole(self, amount):
        lot = self.f.get("lot", 0)
        return amount if lot == 0 else math.floor(amount / lot + 1e-9) * lot

    def allowed(self, tick, amount):
        share = self.f.get("participation")
        return self.whole(amount if share is None else min(amount, share * self.volume[tick]))

    def quote(self, names, tick):
        for name in names:
            if name in self.col and self.col[name][tick] > 0:
                return self.col[name][tick]
        return None

    def half_spread(self, tick):
        has = self.quote(["ask" if self.buy else "bid"], tick)
        return 0.0 if has is not None else self.f["costs"].get("half_spread_bps", 0) / 1e4

    def worse(self, price, shift):
        return price * (1 + shift) if self.buy else price / (1 + shift)

    def market_price(self, tick, amount):
        part = amount / max(self.volume[tick], amount) if amount > 0 else 0.0
        shift = 0.0
        for impact in self.f["costs"].get("impacts", []):
            if impact["kind"] == "transient":
                self.push = self.push * impact["decay"] + impact["coefficient"] * part
                shift += self.push
            elif impact["kind"] == "linear":
                shift += impact["coefficient"] * part
            else:
                shift += impact["coefficient"] * math.sqrt(part)
        if not amount > 0:
            return self.price[tick]
        return self.worse(self.price[tick], shift + self.half_spread(tick))

    def fee(self, value):
        c = self.f["costs"]
        if not value > 0:
            return 0.0
        due = value * c.get("commission", 0)
        tax = value * c.get("buy_tax" if self.buy else "sell_tax", 0)
        minimum = c.get("minimum", 0)
        if c.get("minimum_per", "parent") == "fill":
            return max(due, minimum) + tax
        before = self.charged
        total_before = 0.0 if before is None else max(before, minimum)
        self.charged = (before or 0.0) + due
        return max(self.charged, minimum) - total_before + tax

    def run(self, step_ticks):
        tick = self.first
        for child in self.order["children"]:
            boundary = (tick // step_ticks + 1) * step_ticks
            last = boundary >= self.end
            to = self.end if last else boundary
            self.step(child, last, tick, to)
            tick = to
        return self.result()

    def step(self, child, last, begin, end):
        if self.f["costs"].get("minimum_per") == "child":
            self.charged = None
        volume = self.remaining if last else child["volume"]
        if child["kind"] == "limit":
            self.limit(child["offset_bps"], volume, last, begin, end)
        else:
            self.market(volume, last, begin, end)
        self.remaining -= self.amounts[begin:end].sum()
        if self.remaining < 1e-12 * max(1.0, self.order["amount"]):
            self.remaining = max(self.remaining, 0.0)

    def market(self, volume, last, begin, end):
        ticks = [t for t in range(begin + self.f.get("latency", 0), end) if self.tradable(t)]
        carried = 0.0
        for t in ticks:
            wanted = volume / len(ticks) + carried
            rounded = self.whole(wanted)
            carried = wanted - rounded
            self.amounts[t] = self.allowed(t, rounded)
        if last and ticks:
            rest = self.remaining - self.amounts[begin:end].sum()
            self.amounts[ticks[-1]] = self.allowed(ticks[-1], self.amounts[ticks[-1]] + rest)
        for t in range(begin, end):
            self.prices[t] = self.market_price(t, self.amounts[t])
            self.fees[t] = self.fee(self.prices[t] * self.amounts[t])

    def limit(self, offset, volume, last, begin, end):
        known = next((t for t in range(begin - 1, -1, -1) if not np.isnan(self.price[t])), None)
        if known is None:
            known = next(t for t in range(begin, len(self.price)) if not np.isnan(self.price[t]))
        start = max(begin + self.f.get("latency", 0), known + 1)
        reference = self.quote(["bid" if self.buy else "ask"], known) or self.price[known]
        sign = 1 if self.buy else -1
        limit = reference * (1 - sign * offset / 10_000)
        ticks = [t for t in range(start, end) if self.tradable(t)]
        filled, arrived = 0.0, False
        for t in range(begin, end):
            resting, paid = 0.0, self.price[t]
            if t in ticks:
                offered = self.quote(["ask" if self.buy else "bid"], t)
                if offered is None:
                    offered = self.worse(self.price[t], self.half_spread(t))
                if "low" in self.col and "high" in self.col:
                    extreme = self.col["low" if self.buy else "high"][t]
                    reached = extreme < limit if self.buy else extreme > limit
                else:
                    reached = offered <= limit if self.buy else offered >= limit
                if reached:
                    resting = self.allowed(t, max(volume - filled, 0.0))
                    if resting > 0:
                        better = min(limit, offered) if self.buy else max(limit, offered)
                        paid = limit if arrived else better
                arrived = True
            amount = resting
            if last and ticks and t == ticks[-1]:
                amount = self.allowed(t, self.remaining - filled)
            market = self.market_price(t, amount - resting)
            self.amounts[t] = amount
            self.prices[t] = (resting * paid + (amount - resting) * market) / amount if amount > resting else paid
            filled += amount
        for t in range(begin, end):
            self.fees[t] = self.fee(self.prices[t] * self.amounts[t])

    def result(self):
        window = slice(self.first, self.end)
        price, amounts = self.price[window], self.amounts[window]
        filled = amounts.sum()
        value = np.nansum(self.prices[window] * amounts)
        twap = np.nanmean(price)
        rest = max(self.order["amount"] - filled, 0.0)
        last = next((self.price[t] for t in range(self.end - 1, self.first - 1, -1)
                     if self.tradable(t) and not np.isnan(self.price[t])), None)
        if last is None:
            last = price[~np.isnan(price)][-1]
        done = rest <= 1e-9 * self.order["amount"]
        average = value / filled if filled > 0 else math.nan
        paid = average if done else (value + rest * last) / self.order["amount"]
        bps = (1 - paid / twap) * 1e4 if self.buy else (paid / twap - 1) * 1e4
        fees = self.fees[window].sum()
        volume = self.volume[window]
        return {
            "filled": filled,
            "average_price": average,
            "benchmark_price": twap,
            "vwap": np.nansum(price * volume) / np.nansum(volume),
            "arrival": price[~np.isnan(price)][0],
            "completion": filled / self.order["amount"],
            "advantage_bps": bps,
            "cost_bps": 1e4 * fees / (self.order["amount"] * twap),
        }


def main(path):
    with open(path) as file:
        case = json.load(file)
    market = Market(case)
    wrong = 0
    for order in case["orders"]:
        day = market.day(order["instrument"], pd.Timestamp(order["date"]))
        mine = Order(order, day, case["frictions"]).run(case["step_ticks"])
        for name, theirs in order["result"].items():
            if theirs is None:
                theirs = math.nan
            ours = mine[name]
            scale = max(abs(ours), abs(theirs), 1.0 if name.endswith("_bps") else 1e-300)
            same = (math.isnan(ours) and math.isnan(theirs)) or abs(ours - theirs) <= 1e-9 * scale
            if not same:
                wrong += 1
                print(f"{order['id']} {name}: pandas {ours!r}, tranche {theirs!r}")
    print(f"{len(case['orders'])} orders compared, {wrong} differences")
    sys.exit(1 if wrong else 0)


main(sys.argv[1])
