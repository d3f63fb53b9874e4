package io.tranche.policy.catalog;

import io.tranche.env.Observation;
import io.tranche.policy.learn.Algorithm;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An algorithm as a configuration asks for it.
///
/// @param factory makes it, with weights that are not drawn yet
/// @param weightFile where its first weights come from, as it is written there; null to draw them
/// @param <O> the observation
public record AlgorithmSetup<O extends Observation>(
    Supplier<Algorithm<O>> factory, @Nullable String weightFile) {}
