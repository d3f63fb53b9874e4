"""Serves Qlib's network behind FastAPI and uvicorn (uvloop, httptools, orjson), one process, one thread of torch.

usage: serve.py WEIGHTS BATCHED

Prints `listening on PORT` and serves until it is killed. The paths and answers are those of the other side:

- /v1/predict: observations as Qlib makes them, through Qlib's network as it is. With BATCHED 1, those that have come
  while the network was busy go through it together.
- /v1/orders, /v1/bars, /v1/orders/{id}/decide, /v1/orders/{id}/fills: as the day goes. An instrument keeps the state of
  its GRU, which takes the bars that have come since when a decision is asked for, all at once; an order keeps the state
  of its own GRU, and takes one step a decision. Everything is in memory alone.
"""

import asyncio
import os
import socket
import sys

for library in ("OMP", "MKL", "OPENBLAS"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import numpy as np
import orjson
import torch
import uvicorn
from fastapi import FastAPI, Request, Response
from gym.spaces import Discrete
from qlib.rl.order_execution.network import Recurrent
from qlib.rl.order_execution.policy import PPO

weights_file, batched = sys.argv[1], sys.argv[2] == "1"

torch.set_num_threads(1)
torch.set_flush_denormal(True)
torch.set_grad_enabled(False)

CHOICES, FEATURES, STEPS = 5, 5, 8
MAX_ROWS = 64
KEPT_DAYS = 2

policy = PPO(Recurrent({"data_processed": np.empty((240, FEATURES))}), None, Discrete(CHOICES), lr=1e-4)
policy.load_state_dict(torch.load(weights_file, weights_only=True))
policy.eval()
network, head = policy.actor.extractor, policy.actor.layer_out


class Order:
    __slots__ = ("amount", "remaining", "working", "side", "hidden", "step", "day", "children", "fills")

    def __init__(self, body, day):
        self.amount = self.remaining = body["amount"]
        self.working = 0.0
        self.side = SIDES[body["side"]]
        self.hidden = NOTHING
        self.step = 0
        self.day = day
        self.children = {}
        self.fills = {}


class Day:
    """The state of an instrument's GRU, and the bars that it has not taken yet."""

    __slots__ = ("hidden", "bars", "ids")

    def __init__(self):
        self.hidden = NOTHING
        self.bars = [[0.0] * FEATURES]  # Qlib puts a row of zeros in front
        self.ids = []

    def state(self):
        if self.bars:
            rows = torch.tensor(self.bars)
            self.bars.clear()
            self.hidden = network.raw_rnn(network.raw_fc(rows), self.hidden)[1]
        return self.hidden


class Step(torch.nn.Module):
    """One decision: a step of the order's GRU, and the head."""

    def __init__(self):
        super().__init__()
        cell = torch.nn.GRUCell(network.hidden_dim, network.hidden_dim)
        cell.load_state_dict({name.removesuffix("_l0"): each for name, each in network.pri_rnn.state_dict().items()})
        self.cell, self.private, self.features, self.head = cell, network.pri_fc, network.fc, head

    def forward(self, private, hidden, day, side):
        hidden = self.cell(self.private(private), hidden)
        return self.head(self.features(torch.cat((day, hidden, side), -1))).argmax(-1), hidden


NOTHING = torch.zeros(1, network.hidden_dim)
SIDES = {"buy": network.dire_fc(torch.tensor([[1.0, 0.0]])), "sell": network.dire_fc(torch.tensor([[0.0, 1.0]]))}
decide_step = torch.jit.freeze(torch.jit.script(Step().eval()))
days, orders = {}, {}
app = FastAPI(openapi_url=None)


def answer(value):
    return Response(orjson.dumps(value), media_type="application/json")


def day_of(body):
    known = days.setdefault(body["instrument"], {})
    day = known.get(body["date"])
    if day is None:
        day = known[body["date"]] = Day()
        while len(known) > KEPT_DAYS:
            for each in known.pop(min(known)).ids:
                orders.pop(each, None)
    return day


def state(identity, order):
    return answer(
        {
            "id": identity,
            "status": "working" if order.remaining > 0 else "done",
            "amount": order.amount,
            "remaining": order.remaining,
            "working": order.working,
            "next_step": order.step,
        }
    )


@app.post("/v1/orders")
async def open_order(request: Request):
    body = orjson.loads(await request.body())
    day = day_of(body)
    order = orders[body["id"]] = Order(body, day)
    day.ids.append(body["id"])
    return state(body["id"], order)


@app.post("/v1/bars")
async def bar(request: Request):
    body = orjson.loads(await request.body())
    day_of(body).bars.append(body["values"])
    return answer({"answer": "taken"})


@app.post("/v1/orders/{identity}/decide")
async def decide(identity: str, request: Request):
    step = orjson.loads(await request.body())["step"]
    order = orders[identity]
    child = order.children.get(step)
    if child is None:
        private = torch.tensor([[order.remaining / order.amount, step / STEPS]])
        action, order.hidden = decide_step(private, order.hidden, order.day.state(), order.side)
        volume = min(order.amount / (CHOICES - 1) * action.item(), order.remaining)
        order.working, order.step = volume, step + 1
        child = order.children[step] = {"id": identity, "step": step, "volume": volume, "source": "model"}
    return answer(child)


@app.post("/v1/orders/{identity}/fills")
async def fill(identity: str, request: Request):
    body = orjson.loads(await request.body())
    order = orders[identity]
    if order.fills.setdefault(body["fill_id"], body) is body:
        order.remaining -= body["volume"]
        order.working -= body["volume"]
    return state(identity, order)


INTEGERS = ("acquiring", "cur_tick", "cur_step", "num_step")
FLOATS = ("data_processed", "position_history", "target", "position")


def evaluate(observations):
    """Qlib's network on what it looks at."""
    batch = {name: torch.from_numpy(np.array([each[name] for each in observations], np.float32)) for name in FLOATS}
    for name in INTEGERS:
        batch[name] = torch.tensor([each[name] for each in observations])
    probabilities = head(network(batch))
    return list(zip(probabilities.argmax(-1).tolist(), probabilities.tolist()))


waiting = []
wakeup = asyncio.Event()


async def evaluate_waiting():
    loop = asyncio.get_running_loop()
    while True:
        await wakeup.wait()
        wakeup.clear()
        while waiting:
            batch = waiting[:MAX_ROWS]
            del waiting[:MAX_ROWS]
            results = await loop.run_in_executor(None, evaluate_in_thread, [each for each, _ in batch])
            for (_, future), result in zip(batch, results):
                if not future.done():  # its client has left
                    future.set_result(result)


def evaluate_in_thread(observations):
    with torch.inference_mode():
        return evaluate(observations)


evaluator = None


@app.post("/v1/predict")
async def predict(request: Request):
    observations = orjson.loads(await request.body())["observations"]
    if batched:
        global evaluator
        if evaluator is None:
            evaluator = asyncio.create_task(evaluate_waiting())
        futures = [asyncio.get_running_loop().create_future() for _ in observations]
        waiting.extend(zip(observations, futures))
        wakeup.set()
        results = await asyncio.gather(*futures)
    else:
        results = evaluate(observations)
    return answer({"predictions": [{"action": action, "scores": scores} for action, scores in results]})


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1024)
print(f"listening on {listener.getsockname()[1]}", flush=True)
with torch.inference_mode():
    config = uvicorn.Config(app, loop="uvloop", http="httptools", log_level="error", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])
