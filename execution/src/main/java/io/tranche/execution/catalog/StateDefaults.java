package io.tranche.execution.catalog;

import io.tranche.market.feature.FeatureSource;
import java.util.function.Supplier;

/// Defaults from the data of a run, for state interpreters whose settings do not state them.
///
/// @param ticks the number of ticks in a day
/// @param maxSteps the maximal number of decisions of an order
/// @param features opens the features to be shown
public record StateDefaults(int ticks, int maxSteps, Supplier<FeatureSource> features) {}
