"""A client of Tranche's decision service: one file, standard library only.

    from tranche_client import TrancheClient

    with TrancheClient("http://127.0.0.1:8700") as service:
        service.open_order("4711", "SH600000", "2026-03-03", "sell", 10_000,
                           "2026-03-03T09:30:00", "2026-03-03T14:59:00")
        service.bar("SH600000", "2026-03-03", "2026-03-03T09:30:00", {"close": 10.02, "volume": 1200})
        child = service.decide("4711")
        service.fill("4711", "fill-1", child["volume"], 10.02)

Every request is idempotent: repeat it if there was no answer. This client does so when a connection is broken or refused,
`retries` times with growing pauses, so it survives the restart of a service. Answers are dictionaries whose entries are
also attributes with types, such as `child.volume`. An instance belongs to one thread.
"""

import http.client
import json
import math
import ssl
import struct
import time as _clock
import urllib.parse
from datetime import date as _date
from datetime import datetime as _datetime
from datetime import timedelta as _timedelta
from typing import List, Optional

_EPOCH = _date(1970, 1, 1)
_EPOCH_TIME = _datetime(1970, 1, 1)
_BAR_ANSWERS = ("taken", "repeated", "contradicting", "late", "outside")
_SOURCES = ("model", "twap", "kill_switch")
_STATUSES = ("working", "partly_filled", "done", "cancelled", "expired")
_PHASES = ("pending_new", "working", "pending_cancel", "done")
_REASONS = ("invalid", "unknown", "conflict", "not_due", "overloaded", "unavailable", "risk", "unmatched",
            "unconfirmed")


class Refused(Exception):
    """The service refused a request."""

    def __init__(self, status, error, message, request=None):
        super().__init__(f"{status} {error}: {message}")
        self.status = status
        self.error = error
        self.message = message
        self.request = request

    @property
    def is_passing(self):
        """Whether the same request may succeed a moment later."""
        return self.status in (429, 503, 504)


class Record(dict):
    """An answer: a dictionary whose known entries are attributes too."""

    def __getattr__(self, name):
        for kind in type(self).__mro__:
            if name in kind.__dict__.get("__annotations__", {}):
                return self.get(name)
        raise AttributeError(f"{type(self).__name__}: expected one of {sorted(self)}, was {name}")


class ChildOrder(Record):
    """What to send to the market now."""

    id: str
    step: int
    volume: float
    limit_offset_bps: Optional[float]
    source: str
    limited: Optional[str]
    reference_price: Optional[float]
    limit_price: Optional[float]


class OrderState(Record):
    """Where an order stands."""

    id: str
    model: str
    status: str
    amount: float
    remaining: float
    working: float
    average_price: Optional[float]
    next_step: int
    due: bool
    filled: float
    phase: str
    out: float
    instrument: str
    side: str
    date: str
    start: str
    end: str
    account: Optional[str]


class ChildState(Record):
    """Where a child order stands."""

    step: int
    volume: float
    filled: float
    phase: str
    source: str
    limited: Optional[str]


class Fill(Record):
    """A fill that was reported."""

    id: str
    fill_id: str
    step: Optional[int]
    volume: float
    price: float


class OrderDetails(Record):
    """An order with its child orders and fills."""

    state: OrderState
    children: List[ChildState]
    fills: List[Fill]


class TrancheClient:
    """Talks to a decision service over one persistent connection."""

    def __init__(self, url, token=None, timeout=10.0, context=None, retries=3, pause=0.1):
        """`context` is an ssl.SSLContext, for example one that trusts your own certificate.

        `retries`: how often a request is sent again over a new connection; before the second time there is a `pause` in
        seconds, before every further one twice the last.
        """
        self._retries = retries
        self._pause = pause
        parts = urllib.parse.urlsplit(url)
        if parts.scheme == "https":
            context = context or ssl.create_default_context()
            self._another = lambda: http.client.HTTPSConnection(
                parts.hostname, parts.port, timeout=timeout, context=context)
        else:
            self._another = lambda: http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)
        self._connection = self._another()
        self._headers = {"Authorization": "Bearer " + token} if token else {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._connection.close()

    # Days and bars

    def open_day(self, instrument, date, earlier=()):
        """`earlier`: [{"date": ..., "fields": [...], "bars": [{"time": ..., "values": [...]}]}], oldest first."""
        return self._post("/v1/days", {"instrument": instrument, "date": str(date), "earlier": list(earlier)})

    def end_days(self, up_to, instrument=None):
        return self._post("/v1/days/end", _without_none({"instrument": instrument, "up_to": str(up_to)}))

    def bar(self, instrument, date, time, values):
        """`values`: field to number; NaN or None for none. Returns the answer, such as "taken"."""
        return self._post("/v1/bars", _bar(instrument, date, time, values))["answer"]

    def bars(self, bars):
        """`bars`: tuples (instrument, date, time, values). Returns one dictionary per bar, which may hold an error."""
        return self._post("/v1/bars", {"bars": [_bar(*each) for each in bars]})["answers"]

    # Orders

    def open_order(self, id, instrument, date, side, amount, start, end, model=None, account=None,
                   replaces=None) -> OrderState:
        """Times are ISO 8601 texts or datetimes, exchange-local. `replaces`: an open order to cancel in the same moment."""
        body = {"id": id, "instrument": instrument, "date": str(date), "side": side, "amount": amount,
                "start": _time(start), "end": _time(end), "model": model, "account": account, "replaces": replaces}
        return OrderState(self._post("/v1/orders", _without_none(body)))

    def decide(self, id, step=None, deadline_micros=None) -> ChildOrder:
        """Returns the child order to send. It replaces the previous one, which must be withdrawn."""
        body = _without_none({"step": step, "deadline_micros": deadline_micros})
        return ChildOrder(self._post(_order(id, "/decide"), body))

    def fill(self, id, fill_id, volume, price, step=None) -> OrderState:
        """`step`: the step of the filled child order, which may have been withdrawn since; None for the newest."""
        return OrderState(self._post(_order(id, "/fills"), _without_none(
            {"fill_id": fill_id, "step": step, "volume": volume, "price": price})))

    def amend(self, id, amount=None, end=None) -> OrderState:
        """Changes amount or end of an open order."""
        return OrderState(self._post(_order(id, "/amend"), _without_none(
            {"amount": amount, "end": None if end is None else _time(end)})))

    def report(self, id, step, phase) -> OrderState:
        """What the market did with a child order: "working", or "done" if nothing of it can fill any more."""
        return OrderState(self._post(_order(id, "/children"), {"step": step, "phase": phase}))

    def details(self, id) -> OrderDetails:
        """Returns an order with its child orders and fills."""
        answer = self._json("GET", _order(id, "/children"), None)
        return OrderDetails(
            state=OrderState(answer["state"]),
            children=[ChildState(each) for each in answer["children"]],
            fills=[Fill(each) for each in answer["fills"]])

    def unmatched(self):
        """Returns the newest fills of orders that the service does not know."""
        return [Fill(each) for each in self._json("GET", "/v1/unmatched", None)["fills"]]

    def cancel(self, id) -> OrderState:
        return OrderState(self._post(_order(id, "/cancel"), None))

    def order(self, id) -> OrderState:
        return OrderState(self._json("GET", _order(id, ""), None))

    def orders(self):
        """Yields the state of every order, sorted by id."""
        page = self._json("GET", "/v1/orders", None)
        yield from map(OrderState, page["orders"])
        while not page["whole"]:
            last = urllib.parse.quote(page["orders"][-1]["id"], safe="")
            page = self._json("GET", "/v1/orders/after/" + last, None)
            yield from map(OrderState, page["orders"])

    def models(self):
        """Returns the loaded models and what they need: fields, earlier days, steps."""
        return self._json("GET", "/v1/models", None)["models"]

    def events(self, after=None):
        """Yields the service's events as dictionaries, for ever, over a connection of its own.

        `after`: the `sequence` of the last event that is known; None for from now on. The stream ends when the service
        stops or this reader is too slow (Refused with status 410): then ask for what came after the last one.
        """
        connection = self._another()
        try:
            path = "/v1/events" if after is None else "/v1/events/after/%d" % after
            connection.request("GET", path, headers=self._headers)
            response = connection.getresponse()
            if response.status != 200:
                raise _refused(response.status, response.read())
            event = None
            for line in response:
                key, _, value = line.decode().rstrip("\n").partition(": ")
                if key == "event":
                    event = value
                elif key == "data" and event == "gone":
                    raise Refused(410, "gone", "too slow to follow the events")
                elif key == "data" and event != "position":
                    yield json.loads(value)
        finally:
            connection.close()

    # Risk

    def limits(self):
        """Returns the limits in force."""
        return self._json("GET", "/v1/limits", None)["limits"]

    def reference(self, instrument, date, price):
        """Gives the price that closes of a day are compared with."""
        return self._post("/v1/references", {"instrument": instrument, "date": str(date), "price": price})

    def halt(self, instrument, date, halted):
        return self._post("/v1/halts", {"instrument": instrument, "date": str(date), "halted": halted})

    def heartbeat(self, account, seconds):
        """Keeps an account on: without the next heartbeat in time it is switched off; 0 for no more."""
        return self._post("/v1/heartbeats", {"account": account, "seconds": seconds})

    # Predictions

    def predict(self, observations, model=None, deadline_micros=None):
        """`observations`: Qlib's dictionaries; numpy arrays and numbers are accepted."""
        body = {"observations": [{key: _plain(value) for key, value in each.items()} for each in observations],
                "model": model, "deadline_micros": deadline_micros}
        return self._post("/v1/predict", _without_none(body))["predictions"]

    # For operators, with a token

    def switch(self, scope, off, name=None):
        return self._post("/v1/admin/switches", _without_none({"scope": scope, "name": name, "off": off}))

    def switches(self):
        """Returns what is switched off."""
        return self._json("GET", "/v1/switches", None)["off"]

    def set_limits(self, limits, scope="all", name=None):
        """`limits`: key to number; an empty dictionary returns to those of the configuration."""
        return self._post("/v1/admin/limits", _without_none({"scope": scope, "name": name, "limits": limits}))

    def correct_fill(self, id, fill_id, volume, price):
        """`volume`: 0 for a bust."""
        return self._post("/v1/admin/corrections/fills",
                          {"id": id, "fill_id": fill_id, "volume": volume, "price": price})

    def correct_bar(self, instrument, date, time, values):
        return self._post("/v1/admin/corrections/bars", _bar(instrument, date, time, values))["answer"]

    def load(self, model):
        return self._post("/v1/admin/models/load", {"model": model})

    def unload(self, model):
        return self._post("/v1/admin/models/unload", {"model": model})

    def route(self, model, canary=None, canary_share=0.0, shadows=()):
        body = {"model": model, "canary": canary, "canary_share": canary_share, "shadows": list(shadows)}
        return self._post("/v1/admin/route", _without_none(body))

    def drain(self):
        return self._post("/v1/admin/drain", None)

    def is_ready(self):
        try:
            return self._send("GET", "/ready", None, {})[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    # The compact form

    def frames(self, requests):
        """Bars, decisions and fills as bytes, many at once.

        `requests`: ("bar", instrument, date, time, values), ("decide", id, step, deadline_micros) or
        ("fill", id, fill_id, volume, price, step). Returns one dictionary per request, which may hold an error.
        """
        body = b"".join(_frame(each) for each in requests)
        status, answer = self._send("POST", "/v1/frames", body, {"Content-Type": "application/x-tranche"})
        if status != 200:
            raise _refused(status, answer)
        reader = _Reader(answer)
        answers = [reader.answer() for _ in requests]
        reader.end()
        return answers

    # The wire

    def _post(self, path, body):
        return self._json("POST", path, body)

    def _json(self, method, path, body):
        headers = {} if body is None else {"Content-Type": "application/json"}
        content = None if body is None else json.dumps(body, allow_nan=False).encode()
        status, answer = self._send(method, path, content, headers)
        if status != 200:
            raise _refused(status, answer)
        return json.loads(answer)

    def _send(self, method, path, body, headers):
        for attempt in range(self._retries + 1):
            try:
                return self._try(method, path, body, headers)
            except (OSError, http.client.HTTPException) as e:
                # Whatever is left of the answer must not be read as the next one.
                self._connection.close()
                broken = isinstance(e, (ConnectionError, http.client.RemoteDisconnected, http.client.IncompleteRead))
                if not broken or attempt == self._retries:
                    raise
                if attempt > 0:  # at first it was most likely an idle connection that the server had closed
                    _clock.sleep(self._pause * 2 ** (attempt - 1))

    def _try(self, method, path, body, headers):
        self._connection.request(method, path, body=body, headers={**self._headers, **headers})
        response = self._connection.getresponse()
        return response.status, response.read()


def _refused(status, answer):
    try:
        error = json.loads(answer)
        return Refused(status, error["error"], error["message"], error.get("request"))
    except (ValueError, KeyError, TypeError):
        return Refused(status, "unknown", "no answer of a decision service")


def _without_none(body):
    return {key: value for key, value in body.items() if value is not None}


def _order(id, action):
    return "/v1/orders/" + urllib.parse.quote(id, safe="") + action


def _time(time):
    return time.isoformat() if isinstance(time, _datetime) else str(time)


def _number(value):
    return None if value is None or math.isnan(value) else float(value)


def _bar(instrument, date, time, values):
    return {"instrument": instrument, "date": str(date), "time": _time(time), "fields": list(values),
            "values": [_number(value) for value in values.values()]}


def _plain(value):
    return value.tolist() if hasattr(value, "tolist") else value


def _text(text, size=">B"):
    encoded = text.encode()
    return struct.pack(size, len(encoded)) + encoded


def _frame(request):
    kind = request[0]
    if kind == "bar":
        _, instrument, date, time, values = request
        days = (_date.fromisoformat(str(date)) - _EPOCH).days
        seconds = int((_datetime.fromisoformat(_time(time)) - _EPOCH_TIME).total_seconds())
        numbers = [math.nan if value is None else value for value in values.values()]
        return (b"\x01" + _text(instrument) + struct.pack(">iq", days, seconds)
                + _text(",".join(values), ">H") + struct.pack(">%df" % len(numbers), *numbers))
    if kind == "decide":
        _, id, step, deadline = (*request, None, None)[:4]
        return b"\x02" + _text(id) + struct.pack(">ii", -1 if step is None else step, deadline or 0)
    if kind == "fill":
        _, id, fill_id, volume, price, step = (*request, None)[:6]
        return b"\x03" + _text(id) + _text(fill_id) + struct.pack(">idd", -1 if step is None else step, volume, price)
    if kind == "report":
        _, id, step, phase = request
        return b"\x04" + _text(id) + struct.pack(">iB", step, ("working", "done").index(phase))
    raise ValueError("request must be a bar, decide, fill or report, was " + repr(kind))


def _or_none(value):
    return None if math.isnan(value) else value


class _Reader:
    def __init__(self, data):
        self._data = data
        self._at = 0

    def _take(self, format):
        values = struct.unpack_from(">" + format, self._data, self._at)
        self._at += struct.calcsize(">" + format)
        return values

    def _text(self, format="B"):
        (length,) = self._take(format)
        text = self._data[self._at:self._at + length].decode()
        self._at += length
        return text

    def answer(self):
        (kind,) = self._take("B")
        if kind == 1:
            return {"answer": _BAR_ANSWERS[self._take("B")[0]]}
        if kind == 2:
            step, volume, offset, source = self._take("iddB")
            limited = self._text() or None
            reference, limit = self._take("dd")
            return {"step": step, "volume": volume, "limit_offset_bps": _or_none(offset),
                    "source": _SOURCES[source], "limited": limited,
                    "reference_price": _or_none(reference), "limit_price": _or_none(limit)}
        if kind == 3:
            status = _STATUSES[self._take("B")[0]]
            model = self._text()
            amount, remaining, working, price, step, due, filled = self._take("ddddiBd")
            phase, out = self._take("Bd")
            instrument = self._text()
            side, date, start, end = self._take("Biqq")
            return {"status": status, "model": model, "amount": amount, "remaining": remaining, "working": working,
                    "average_price": _or_none(price), "next_step": step, "due": bool(due),
                    "filled": filled, "phase": _PHASES[phase], "out": out, "instrument": instrument,
                    "side": ("sell", "buy")[side], "date": str(_EPOCH + _timedelta(days=date)),
                    "start": (_EPOCH_TIME + _timedelta(seconds=start)).isoformat(),
                    "end": (_EPOCH_TIME + _timedelta(seconds=end)).isoformat(), "account": self._text() or None}
        if kind == 255:
            return {"error": _REASONS[self._take("B")[0]], "message": self._text("H")}
        raise ValueError("answer must be of a known kind, was %d" % kind)

    def end(self):
        if self._at != len(self._data):
            raise ValueError("answers must be one a request, was more")
