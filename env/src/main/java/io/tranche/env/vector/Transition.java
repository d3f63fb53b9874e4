package io.tranche.env.vector;

import io.tranche.env.Observation;
import io.tranche.env.space.Action;

/// One step that a collector experienced. Observations are references, never copies.
///
/// @param env the environment; its steps come in order
/// @param episode its number: the same wherever it runs
/// @param step which decision of the episode this is, from 0 on
/// @param drawKey the key that the policy drew its action from
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
