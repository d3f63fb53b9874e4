"""The native fill rule, written again in pandas from docs/environments.md, as a check of the Java code.

Reads cases (JSON) and recomputes every order from the raw bars (CSV): fills, average price, benchmark, fees, advantage and
completion, by its child orders, by TWAP and by VWAP; its advantage at the arrival price; its size compared with the market.
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
    return dates, night


def grid(date, previous, session, width):
    """Returns the times of all ticks of a day."""
    times = []
    for number, (opens, closes) in enumerate(session):
        base = date
        if number == 0 and opens < 0:
            base = previous + pd.Timedelta(days=1)  # the night before Monday is Friday's
        times += [base + pd.Timedelta(seconds=s) for s in range(opens, closes, width)]
    return pd.DatetimeIndex(times)


VOLUME_DAYS = 10


class Market:
    def __init__(self, case):
        bars = pd.read_csv(case["bars"], parse_dates=["datetime"], dtype={"instrument": str})
        self.width = case["width"]
        self.sessions = case["sessions"]
        numbers = [c for c in bars.columns if c not in ("instrument", "datetime")]
        bars[numbers] = bars[numbers].astype("float32").astype("float64")
        self.bars = {code: part.set_index("datetime")[numbers] for code, part in bars.groupby("instrument")}
        self.dates, self.clocks = {}, {}
        for code, part in self.bars.items():
            self.dates[code], night = trading_days(part, self.sessions[code])
            self.clocks[code] = self.clock(code, part.index, night)
        self.starts, self.ends = {}, {}  # the first and last bar that any instrument of a session has on a date
        for code, dates in self.dates.items():
            key = json.dumps(self.sessions[code])
            for date, times in dates.groupby(dates).groups.items():
                self.starts[(key, date)] = min(times.min(), self.starts.get((key, date), times.min()))
                self.ends[(key, date)] = max(times.max(), self.ends.get((key, date), times.max()))

    def clock(self, code, times, night):
        """Returns the seconds from midnight; those of an evening are counted back from the midnight that follows."""
        seconds = (times - times.normalize()).total_seconds().to_numpy().astype(int)
        evening = night & (seconds >= self.sessions[code][0][0] + DAY)
        return seconds - np.where(evening, DAY, 0)

    def usual_volumes(self, code, date):
        """Returns clocks and volumes of the days before, and how many days they are."""
        dates = self.dates[code]
        before = sorted(d for d in dates.unique() if d < date)[-VOLUME_DAYS:]
        part = dates.isin(before).to_numpy()
        return self.clocks[code][part], np.nan_to_num(self.bars[code]["volume"].to_numpy()[part]), len(before)

    def tick_clocks(self, code, ticks):
        seconds = (ticks - ticks.normalize()).total_seconds().to_numpy().astype(int)
        first_open = self.sessions[code][0][0]
        return seconds - np.where((first_open < 0) & (seconds >= first_open + DAY), DAY, 0)

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

    def run_rule(self, step_ticks, share):
        """Trades a share of what remains at each decision; the last one sends everything."""
        tick = self.first
        while tick < self.end:
            to = min((tick // step_ticks + 1) * step_ticks, self.end)
            volume = self.remaining * share(tick, to)
            self.step({"kind": "market", "volume": volume}, to == self.end, tick, to)
            tick = to
        return self.result()

    def even(self, tick, to):
        return (to - tick) / (self.end - tick)

    def usual(self, clocks, history):
        """Returns the rule that follows the usual volume."""
        past, volumes, days = history

        def between(begin, end):
            high = clocks[end] if end < len(clocks) else math.inf
            return volumes[(past >= clocks[begin]) & (past < high)].sum() / days if days else 0.0

        def share(tick, to):
            ahead = between(tick, self.end)
            return min(1.0, between(tick, to) / ahead) if ahead > 0 else self.even(tick, to)

        return share

    def market_figures(self):
        window = slice(self.first, self.end)
        known = ~np.isnan(self.price[window])
        volume = self.volume[window][known].sum()
        turnover = (self.volume[window][known] * self.price[window][known]).sum()
        filled = self.amounts[window].sum()
        return {
            "participation": self.order["amount"] / volume if volume > 0 else math.nan,
            "turnover": turnover if volume > 0 else math.nan,
            "value": filled * turnover / volume if volume > 0 else math.nan,
        }

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
        cost = 1e4 * fees / (self.order["amount"] * twap)
        return {
            "filled": filled,
            "average_price": average,
            "benchmark_price": twap,
            "completion": filled / self.order["amount"],
            "advantage_bps": bps,
            "cost_bps": cost,
            "net_bps": bps - cost,
        }

    def arrival(self):
        price = self.price[self.first:self.end]
        price = price[~np.isnan(price)]
        ratio = price[0] / price.mean()
        return {"advantage_bps": ((1 - ratio) if self.buy else (ratio - 1)) * 1e4}


def main(path):
    with open(path) as file:
        case = json.load(file)
    market = Market(case)
    wrong = 0
    for order in case["orders"]:
        code, date = order["instrument"], pd.Timestamp(order["date"])
        day = market.day(code, date)
        steps = case["step_ticks"]

        def new():
            return Order(order, day, case["frictions"])

        own, by_volume = new(), new()
        usual = by_volume.usual(market.tick_clocks(code, day.index), market.usual_volumes(code, date))
        mine = {
            "result": own.run(steps),
            "market": own.market_figures(),
            "arrival": own.arrival(),
            "vwap": by_volume.run_rule(steps, usual),
        }
        even = new()
        mine["twap"] = even.run_rule(steps, even.even)
        for part, figures in mine.items():
            assert figures.keys() == order[part].keys(), part
            for name, ours in figures.items():
                theirs = math.nan if order[part][name] is None else order[part][name]
                scale = max(abs(ours), abs(theirs), 1.0 if name.endswith("_bps") else 1e-300)
                same = (math.isnan(ours) and math.isnan(theirs)) or abs(ours - theirs) <= 1e-9 * scale
                if not same:
                    wrong += 1
                    print(f"{order['id']} {part} {name}: pandas {ours!r}, tranche {theirs!r}")
    print(f"{len(case['orders'])} orders compared, {wrong} differences")
    return wrong


sys.exit(1 if sum(main(path) for path in sys.argv[1:]) else 0)
