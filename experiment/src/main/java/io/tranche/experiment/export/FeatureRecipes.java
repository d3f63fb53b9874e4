package io.tranche.experiment.export;

import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.GivenFeatures;

/// The recipe behind a source of features.
final class FeatureRecipes {

  private FeatureRecipes() {}

  /// Returns how the features of `source` are made of bars. Nobody but its maker knows: each bar
  /// brings them.
  static FeatureRecipe of(FeatureSource source) {
    return new GivenFeatures(source.columns());
  }
}
