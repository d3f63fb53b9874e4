"""Tranche from Python: its simulators as Gymnasium environments, its verbs, and a client of its service.

    import tranche

    env = tranche.make_vec({"tranche": 1, "data": {"market": {}}}, num_envs=8)      # the embedded market
    observations, _ = env.reset(seed=1)
    observations, rewards, terminated, truncated, infos = env.step(env.action_space.sample())

It needs a JDK 25, and the launcher of Tranche: see `tranche.launcher`.
"""

from tranche.frames import (
    make_orders,
    read_bars,
    read_decisions,
    read_features,
    read_journal,
    read_results,
    write_frame,
)
from tranche.launcher import TrancheError, find_launcher
from tranche.verbs import Report, judge, policy_run, verb

__all__ = [
    "Report",
    "TrancheError",
    "find_launcher",
    "judge",
    "make",
    "make_orders",
    "make_vec",
    "policy_run",
    "read_bars",
    "read_decisions",
    "read_features",
    "read_journal",
    "read_results",
    "verb",
    "write_frame",
]


def make_vec(config, num_envs=1, **options):
    """A `gymnasium.vector.VectorEnv`; see `tranche.environments.TrancheVectorEnv`."""
    from tranche.environments import TrancheVectorEnv

    return TrancheVectorEnv(config, num_envs=num_envs, **options)


def make(config, **options):
    """A `gymnasium.Env`; see `tranche.environments.TrancheEnv`."""
    from tranche.environments import TrancheEnv

    return TrancheEnv(config, **options)


def _register():
    """Makes `gymnasium.make("tranche/Execution-v0", config=...)` work. Verbs and the client need no Gymnasium."""
    try:
        import gymnasium
    except ImportError:
        return
    gymnasium.register(
        id="tranche/Execution-v0",
        entry_point="tranche.environments:TrancheEnv",
        vector_entry_point="tranche.environments:TrancheVectorEnv",
    )
    # A problem of a plug-in: gymnasium.make("tranche/Problem-v0", config={"problem": {"class": ...}}, plugins=[...]).
    gymnasium.register(
        id="tranche/Problem-v0",
        entry_point="tranche.environments:TrancheEnv",
        vector_entry_point="tranche.environments:TrancheVectorEnv",
        kwargs={"flat": True},
    )
    # For programs that take nothing but a name.
    gymnasium.register(
        id="tranche/Embedded-v0",
        entry_point="tranche.environments:TrancheEnv",
        vector_entry_point="tranche.environments:TrancheVectorEnv",
        kwargs={"config": {"tranche": 1, "data": {"market": {}}}, "flat": True},
    )


_register()
