package io.tranche.execution.catalog;

import io.tranche.config.ConfigNode;
import io.tranche.market.feature.FeatureSource;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Defaults from the data of a run, for state interpreters whose settings do not state them.
///
/// @param ticks the number of ticks in a day
/// @param maxSteps the maximal number of decisions of an order
/// @param features opens the features to be shown
/// @param completion adds the run's bars to features that are named without theirs
public record StateDefaults(
    int ticks,
    int maxSteps,
    Supplier<FeatureSource> features,
    UnaryOperator<ConfigNode> completion) {}
