"""Minari datasets, for offline learning elsewhere: episodes of our environments, and orders that a service worked.

    from tranche import datasets

    datasets.record({"tranche": 1, "data": {"market": {}}}, policy, "tranche/market-v0", episodes=1000)
    datasets.from_journal("journal", "models", "tranche/desk-v0")
    minari.load_dataset("tranche/desk-v0")

Minari puts them where its variable MINARI_DATASETS_PATH says.
"""

import minari
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from minari.data_collector.episode_buffer import EpisodeBuffer

from tranche.environments import TrancheVectorEnv, _row
from tranche.frames import read_decisions, read_journal
from tranche.launcher import TrancheError


def record(config, policy, dataset_id, episodes, *, num_envs=16, seed=None, about=None, **options):
    """Plays episodes with a policy, writes them as a dataset and returns it.

    config, options: as of `tranche.make_vec`; observations are flat unless `flat=False`.
    policy: given a batch of observations, returns their actions; None takes actions at random.
    about: more of `minari.create_dataset_from_buffers`, such as {"author": "..."}.
    """
    if episodes < 1:
        raise ValueError(f"episodes: expected at least 1, was {episodes}")
    env = TrancheVectorEnv(
        config, num_envs=num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **{"flat": True, **options}
    )
    try:
        env.action_space.seed(seed)
        buffers = _played(env, policy or (lambda _: env.action_space.sample()), episodes, seed)
        return _created(dataset_id, buffers, env.single_observation_space, env.single_action_space, about)
    finally:
        env.close()


def _played(env, policy, episodes, seed):
    """The episodes in the order in which they began, so that short ones are not preferred."""
    observations, _ = env.reset(seed=seed)
    running = list(range(env.num_envs))
    steps = {i: ([_row(observations, i)], [], []) for i in running}
    begun = env.num_envs
    done = {}
    while any(i not in done for i in range(episodes)):
        actions = np.asarray(policy(observations))
        observations, rewards, ended, _, infos = env.step(actions)
        for i, episode in enumerate(running):
            seen, taken, paid = steps[episode]
            taken.append(np.array(actions[i]))
            paid.append(float(rewards[i]))
            seen.append(infos["final_obs"][i] if ended[i] else _row(observations, i))
            if ended[i]:
                done[episode] = steps.pop(episode)
                running[i] = begun
                steps[begun] = ([_row(observations, i)], [], [])
                begun += 1
    return [_buffer(i, *done[i]) for i in range(episodes)]


def from_journal(journal, models, dataset_id, *, about=None):
    """Writes the orders of a service's journal as a dataset and returns it: an episode is an order, a step a decision.

    Decisions are taken again to see what led to them, so `models` is the folder of the bundles that took them.
    Observations are rows as of environments with flat observations: the share that remains, progress, side (1 buys), and
    the features of the newest tick. An action is the share of the order that was sent. A reward is what its fills won
    over the price at the first decision, in basis points of the order, so its sum is minus the implementation shortfall.
    Orders with decisions that no model took are left out: they are not the policy's.
    """
    decisions, events = read_decisions(journal, models), read_journal(journal)
    features = [name for name in decisions.columns if name.startswith("feature.")]
    fills = events[events["event"] == "Filled"]
    arrival = events[events["event"] == "Decided"].groupby("order")["price"].first()
    buffers = []
    for order, steps in decisions.groupby("order", sort=False):
        steps = steps.sort_values("step")
        if (steps["source"] != "MODEL").any() or not arrival[order] > 0:
            continue
        buffers.append(_order(len(buffers), steps, fills[fills["order"] == order], arrival[order], features))
    if not buffers:
        raise TrancheError(f"{journal}: expected orders whose decisions models took, was none")
    low, high = -np.inf, np.inf
    seen = spaces.Box(low, high, shape=(3 + len(features),), dtype=np.float32)
    return _created(dataset_id, buffers, seen, spaces.Box(0, np.inf, shape=(1,), dtype=np.float32), about)


def _order(number, steps, fills, arrival, features):
    amount, sign = steps["amount"].iloc[0], 1 if steps["side"].iloc[0] == "sell" else -1
    rows = np.column_stack(
        [
            steps["remaining"] / amount,
            steps["step"] / steps["steps"],
            np.full(len(steps), (1 - sign) // 2),
            steps[features].fillna(0),  # before the first tick, as in environments
        ]
    )
    last = rows[-1].copy()
    last[:2] = 1 - fills["volume"].sum() / amount, 1
    # A fill without a step belongs to the newest decision before it.
    at = np.searchsorted(steps["number"].to_numpy(), fills["number"].to_numpy()) - 1
    named = fills["step"].notna().to_numpy()
    at[named] = np.searchsorted(steps["step"].to_numpy(), fills["step"].to_numpy()[named])
    won = sign * (fills["price"] / arrival - 1) * fills["volume"] / amount * 1e4
    rewards = np.bincount(np.clip(at, 0, len(steps) - 1), weights=won, minlength=len(steps))
    actions = (steps["volume"] / amount).to_numpy(dtype=np.float32)[:, np.newaxis]
    return _buffer(number, list(np.vstack([rows, last]).astype(np.float32)), list(actions), list(rewards))


def _buffer(number, observations, actions, rewards):
    return EpisodeBuffer(
        id=number,
        observations=_joined(observations),
        actions=actions,
        rewards=rewards,
        terminations=[False] * (len(rewards) - 1) + [True],
        truncations=[False] * len(rewards),
    )


def _joined(rows):
    """Minari's form: a list of values, or a dict of such lists."""
    return {name: _joined([row[name] for row in rows]) for name in rows[0]} if isinstance(rows[0], dict) else rows


def _created(dataset_id, buffers, observations, actions, about):
    return minari.create_dataset_from_buffers(
        dataset_id,
        buffers,
        observation_space=observations,
        action_space=actions,
        data_format="hdf5",
        **(about or {}),
    )


def read(dataset):
    """A dataset, or the one of this name, as a frame of pandas: one row a step; observations are `observation.0`, ..."""
    import pandas

    dataset = minari.load_dataset(dataset) if isinstance(dataset, str) else dataset
    parts = []
    for episode in dataset.iterate_episodes():
        steps = len(episode.rewards)
        columns = {"episode": episode.id, "step": np.arange(steps)}
        columns.update(_columns("observation", episode.observations, steps))
        columns.update(_columns("action", episode.actions, steps))
        columns.update(reward=episode.rewards, terminated=episode.terminations, truncated=episode.truncations)
        parts.append(pandas.DataFrame(columns))
    return pandas.concat(parts, ignore_index=True)


def _columns(name, values, steps):
    if isinstance(values, dict):
        return {k: v for key, part in values.items() for k, v in _columns(f"{name}.{key}", part, steps).items()}
    flat = np.asarray(values)[:steps].reshape(steps, -1)
    return {name: flat[:, 0]} if flat.shape[1] == 1 else {f"{name}.{i}": flat[:, i] for i in range(flat.shape[1])}
