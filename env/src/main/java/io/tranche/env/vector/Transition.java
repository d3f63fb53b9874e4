package io.tranche.env.vector;

import io.tranche.env.Observation;
import io.tranche.env.space.Action;

/// One step of a collector. Observations are references, never copies.
///
/// @param env the environment; its steps come in order
/// @param episode its number, which does not depend on the environment that runs it
/// @param step index of the decision within the episode, from 0
/// @param drawKey the random key of the policy's action
/// @param <O> the observation
public record Transition<O extends Observation>(
    int env,
    long episode,
    int step,
    O observation,
    Action action,
    double reward,
    boolean done,
    O next,
    long drawKey) {}
