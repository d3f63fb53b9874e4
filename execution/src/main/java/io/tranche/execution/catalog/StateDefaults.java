package io.tranche.execution.catalog;

import io.tranche.market.feature.FeatureSource;
import java.util.function.Supplier;

/// What the data of a run say about the states that a policy sees, for interpreters whose settings
/// leave it open.
///
/// @param ticks how many ticks a day has
/// @param maxSteps how many decisions an order takes at most
/// @param features opens the features to be shown
public record StateDefaults(int ticks, int maxSteps, Supplier<FeatureSource> features) {}
