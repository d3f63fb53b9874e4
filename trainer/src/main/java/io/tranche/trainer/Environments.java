package io.tranche.trainer;

import io.tranche.config.ConfigNode;
import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.vector.ChildConfig;
import io.tranche.env.vector.EnvSpec;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.VectorConfig;
import java.util.Iterator;
import java.util.List;

/// Where environments run. None of these changes a result. Qlib: `finite_env_type`.
public sealed interface Environments {

  /// On the trainer's thread, one after another.
  record Dummy() implements Environments {}

  /// On several threads of this process.
  ///
  /// @param threads how many, the trainer's included
  record Shmem(int threads) implements Environments {}

  /// In child processes, for code that may crash.
  ///
  /// @param component `{class, kwargs}` from which a child makes the environment again
  record Subproc(ConfigNode component, ChildConfig children) implements Environments {}

  /// Returns environments that share `initialStates`. Qlib: `Trainer.venv_from_iterator`.
  default <I, O extends Observation> FiniteVectorEnv<I, O> open(
      EnvSpec<I, O> spec,
      Iterator<? extends I> initialStates,
      VectorConfig config,
      List<? extends LogWriter> writers) {
    return switch (this) {
      case Dummy _ -> FiniteVectorEnv.dummy(spec.problem(), initialStates, config, writers);
      case Shmem(int threads) ->
          FiniteVectorEnv.shmem(spec.problem(), initialStates, config, writers, threads);
      case Subproc(var component, var children) ->
          FiniteVectorEnv.subproc(spec, component, initialStates, config, writers, children);
    };
  }
}
