"""Tranche's simulators as Gymnasium environments."""

import numbers

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from tranche.bridge import Bridge, put

_MODES = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}


class TrancheVectorEnv(VectorEnv):
    """Environments that share the orders of one stage of a run: each begins its next episode with the next order.

    config: a YAML file of Qlib's dialect or of our own, or a dict of the same content.
    stage: whose orders: "train" (shuffled), "valid" or "test".
    flat: observations are one row of numbers, those that Tranche's own Mlp reads; an action that is one number is an
    array of one.
    copy: False returns views of shared memory, which the next step overwrites.
    autoreset_mode: when an environment begins its next episode.
    out: where data that the config asks to be made are put; plugins: jars with your own components;
    settings: such as {"simulator.kwargs.ticks_per_step": 15}, as `--set` of the verbs; threads: change no result.
    """

    def __init__(
        self,
        config,
        num_envs=1,
        *,
        stage="train",
        flat=False,
        copy=True,
        autoreset_mode=AutoresetMode.NEXT_STEP,
        out=None,
        plugins=(),
        settings=None,
        threads=None,
        render_mode=None,
    ):
        if render_mode is not None:
            raise ValueError(f"render_mode: expected None, was {render_mode}")
        mode = AutoresetMode(autoreset_mode)
        options = ["--stage", stage, "--autoreset", _MODES[mode]]
        options += ["--flat"] if flat else []
        options += [] if out is None else ["--out", str(out)]
        options += [] if threads is None else ["--threads", str(threads)]
        for plugin in plugins:
            options += ["--plugins", str(plugin)]
        for key, value in (settings or {}).items():
            options += ["--set", f"{key}={value}"]
        self._bridge = Bridge(config, num_envs, options)
        self._copy = copy
        self._mode = mode
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.render_mode = None
        self.spec = None
        self.num_envs = num_envs
        self.num_orders = self._bridge.layout["orders"]
        layout = self._bridge.layout
        if flat and layout["action"].get("shape") == [] and layout["action"]["kind"] == "Box":
            layout["action"]["shape"] = [1]  # programs that want arrays want them of actions too
        self.single_observation_space = _space(layout["observation"])
        self.single_action_space = _space(layout["action"])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._observations = self._bridge.arrays(layout["observation"], num_envs)
        self._finals = self._bridge.arrays(layout["final_observation"], num_envs) if "final_observation" in layout else None
        self._actions = self._bridge.arrays(layout["action"], num_envs)
        self._rewards = self._bridge.array(layout["reward"], np.float64, (num_envs,))
        self._ended = self._bridge.array(layout["terminated"], np.bool_, (num_envs,))
        self._mask = self._bridge.array(layout["mask"], np.uint8, (num_envs,))
        self._metrics = self._bridge.array(
            layout["metrics"], np.float64, (num_envs, layout["metrics_per_environment"])
        )

    def reset(self, *, seed=None, options=None):
        """A seed gives the orders that a training in Java with this seed takes; without one, the next orders follow."""
        if seed is not None and not isinstance(seed, numbers.Integral):
            raise TypeError(f"seed: expected a whole number, as environments share their orders, was {seed!r}")
        mask = (options or {}).get("reset_mask")
        if mask is None:
            self._bridge.reset(None if seed is None else int(seed))
        else:
            if seed is not None:
                raise ValueError("seed: expected None with a reset_mask, was " + repr(seed))
            mask = np.asarray(mask, dtype=bool)
            if mask.shape != self._mask.shape:
                raise ValueError(f"reset_mask: expected the shape {self._mask.shape}, was {mask.shape}")
            self._mask[:] = mask
            self._bridge.reset(masked=True)
        return self._returned(self._observations), {}

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()

    def step_async(self, actions):
        """Java steps while Python does something else, until `step_wait`."""
        put(self._actions, np.asarray(actions))
        self._bridge.begin_step()

    def step_wait(self):
        """What `step` returns."""
        self._bridge.end_step()
        ended = self._ended.copy()
        infos = self._infos(ended) if ended.any() else {}
        observations = self._returned(self._observations)
        return observations, self._rewards.copy(), ended, np.zeros(self.num_envs, dtype=bool), infos

    def _infos(self, ended):
        """The metrics of the episodes that ended, as Gymnasium's vectors give them: values, and who has one."""
        names = self._bridge.metrics
        columns = np.ascontiguousarray(self._metrics[:, : len(names)].T)
        present = ~np.isnan(columns) & ended
        columns[:, ~ended] = 0.0
        infos = {}
        for name, values, who in zip(names, columns, present):
            infos[name] = values
            infos["_" + name] = who
        if self._finals is not None:
            finals = np.empty(self.num_envs, dtype=object)
            for i in np.flatnonzero(ended):
                finals[i] = _row(self._finals, i)
            infos["final_obs"] = finals
            infos["_final_obs"] = ended
        return infos

    def _returned(self, arrays):
        if isinstance(arrays, dict):
            return {name: self._returned(part) for name, part in arrays.items()}
        if isinstance(arrays, tuple):
            return tuple(self._returned(part) for part in arrays)
        return arrays.copy() if self._copy else arrays

    def close_extras(self, **_):
        self._bridge.close()


class TrancheEnv(gymnasium.Env):
    """One environment; options as of `TrancheVectorEnv`."""

    metadata = {"render_modes": []}

    def __init__(self, config, **options):
        self._vector = TrancheVectorEnv(config, num_envs=1, autoreset_mode=AutoresetMode.DISABLED, **options)
        self.observation_space = self._vector.single_observation_space
        self.action_space = self._vector.single_action_space
        self.render_mode = None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        observations, _ = self._vector.reset(seed=seed)
        return _row(observations, 0), {}

    def step(self, action):
        observations, rewards, ended, truncated, infos = self._vector.step(np.asarray(action)[np.newaxis])
        mine = {name: values[0] for name, values in infos.items() if not name.startswith("_") and infos["_" + name][0]}
        return _row(observations, 0), float(rewards[0]), bool(ended[0]), bool(truncated[0]), mine

    def close(self):
        self._vector.close()


def _space(described):
    kind = described["kind"]
    if kind == "Dict":
        return spaces.Dict({name: _space(part) for name, part in described["spaces"].items()})
    if kind == "Tuple":
        return spaces.Tuple([_space(part) for part in described["spaces"]])
    if kind == "Discrete":
        return spaces.Discrete(described["count"])
    if kind == "MultiDiscrete":
        return spaces.MultiDiscrete(described["counts"])
    if kind == "MultiBinary":
        return spaces.MultiBinary(described["shape"][0])
    dtype = np.dtype(described["type"])
    low, high = (dtype.type(float(described[key])) for key in ("low", "high"))
    return spaces.Box(low, high, shape=tuple(described["shape"]), dtype=dtype)


def _row(arrays, index):
    """The values of one environment, copied."""
    if isinstance(arrays, dict):
        return {name: _row(part, index) for name, part in arrays.items()}
    if isinstance(arrays, tuple):
        return tuple(_row(part, index) for part in arrays)
    return np.array(arrays[index])
