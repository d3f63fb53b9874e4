"""Tranche's simulators for Stable-Baselines3.

    from stable_baselines3 import PPO
    from tranche.sb3 import TrancheVecEnv

    PPO("MlpPolicy", TrancheVecEnv({"tranche": 1, "data": {"market": {}}}, num_envs=64)).learn(100_000)
"""

import time

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from tranche.environments import TrancheVectorEnv


class TrancheVecEnv(VecEnv):
    """A `VecEnv`; options as of `TrancheVectorEnv`, but observations are flat by default.

    Each info of an episode's end has "terminal_observation", "episode" (reward, length, time) and Tranche's metrics.
    Single numbers are arrays of one element, because policies of Stable-Baselines3 expect arrays.
    """

    def __init__(self, config, num_envs=1, *, flat=True, **options):
        self._vector = TrancheVectorEnv(
            config, num_envs=num_envs, flat=flat, autoreset_mode=AutoresetMode.SAME_STEP, **options
        )
        super().__init__(
            num_envs, _arrays_only(self._vector.single_observation_space), _arrays_only(self._vector.single_action_space)
        )
        self._seed = None
        self._began = time.time()
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, dtype=np.int64)

    def seed(self, seed=None):
        """Takes effect with the next reset."""
        self._seed = seed
        return [seed] * self.num_envs

    def reset(self):
        observations, _ = self._vector.reset(seed=self._seed)
        self._seed = None
        self._returns[:] = 0
        self._lengths[:] = 0
        return self._shown(observations)

    def step_async(self, actions):
        shape = (self.num_envs, *self._vector.single_action_space.shape)
        self._vector.step_async(np.asarray(actions).reshape(shape))

    def step_wait(self):
        observations, rewards, ended, _, infos = self._vector.step_wait()
        self._returns += rewards
        self._lengths += 1
        mine = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(ended):
            mine[i] = {name: float(infos[name][i]) for name in self._vector._bridge.metrics if infos["_" + name][i]}
            mine[i]["terminal_observation"] = self._shown(infos["final_obs"][i])
            mine[i]["TimeLimit.truncated"] = False
            passed = round(time.time() - self._began, 6)
            mine[i]["episode"] = {"r": float(self._returns[i]), "l": int(self._lengths[i]), "t": passed}
        self._returns[ended] = 0
        self._lengths[ended] = 0
        return self._shown(observations), rewards.astype(np.float32), ended, mine

    def _shown(self, values):
        return _with_arrays(values, self._vector.single_observation_space)

    def close(self):
        self._vector.close()

    def get_attr(self, attr_name, indices=None):
        return [getattr(self._vector, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name, value, indices=None):
        raise NotImplementedError("attributes of environments cannot be set: they live in Java")

    def env_method(self, method_name, *method_args, indices=None, **method_kwargs):
        raise NotImplementedError("environments have no methods of their own: they live in Java")

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * len(self._chosen(indices))

    def _chosen(self, indices):
        return list(self._get_indices(indices))


def _arrays_only(space):
    if isinstance(space, spaces.Dict):
        return spaces.Dict({name: _arrays_only(part) for name, part in space.spaces.items()})
    if isinstance(space, spaces.Box) and space.shape == ():
        return spaces.Box(space.low.reshape(1), space.high.reshape(1), dtype=space.dtype)
    return space


def _with_arrays(values, space):
    """Gives the single numbers of `space` a dimension of their own."""
    if isinstance(space, spaces.Dict):
        return {name: _with_arrays(values[name], part) for name, part in space.spaces.items()}
    if isinstance(space, spaces.Box) and space.shape == ():
        return np.asarray(values)[..., np.newaxis]
    return values
