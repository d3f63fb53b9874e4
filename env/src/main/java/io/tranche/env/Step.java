package io.tranche.env;

import io.tranche.env.space.Value;

/// The result of an action in an environment.
///
/// @param done whether the episode is over
/// @param aux side information; an empty [Value.Dict] without a collector
/// @param log what the step logged; valid until the environment's next step
/// @param <O> the observation
public record Step<O extends Observation>(
    O observation, double reward, boolean done, Value aux, LogCollector log) {}
