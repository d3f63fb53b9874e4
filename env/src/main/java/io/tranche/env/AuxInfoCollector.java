package io.tranche.env;

import io.tranche.env.space.Value;

/// Side information about a step, carried beside the observation. Qlib: `qlib.rl.aux_info`.
///
/// @param <S> the simulator's state
@FunctionalInterface
public interface AuxInfoCollector<S> {

  Value collect(S state, EnvContext context);
}
