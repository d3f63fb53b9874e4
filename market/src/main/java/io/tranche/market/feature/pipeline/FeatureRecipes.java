package io.tranche.market.feature.pipeline;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.market.feature.provider.ProvidedFeatures;

/// Reads feature recipes of every kind.
public final class FeatureRecipes {

  private FeatureRecipes() {}

  /// Reads what [FeatureRecipe#toConfig] writes: `kind: given`, `computed`, `pipeline` or
  /// `sessions`, and the settings of that kind.
  ///
  /// @throws ConfigException if something is missing, unknown or not installed
  public static FeatureRecipe from(ConfigNode node) {
    ConfigNode kind = node.required(FeatureRecipe.KIND);
    return switch (kind.asText()) {
      case GivenFeatures.KIND -> GivenFeatures.from(node);
      case ProvidedFeatures.KIND -> ProvidedFeatures.from(node);
      case PipelineFeatures.KIND -> PipelineFeatures.from(node);
      case SessionFeatures.KIND -> SessionFeatures.from(node);
      default -> throw kind.wrong("given, computed, pipeline or sessions");
    };
  }
}
