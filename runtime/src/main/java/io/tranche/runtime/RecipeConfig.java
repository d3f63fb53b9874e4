package io.tranche.runtime;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.catalog.Settings;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.GivenFeatures;
import java.util.LinkedHashMap;
import java.util.List;

/// Recipes of features as configuration: the one place that knows them all by name.
final class RecipeConfig {

  private static final String GIVEN = "given";

  private RecipeConfig() {}

  static ConfigNode write(FeatureRecipe recipe) {
    return switch (recipe) {
      case GivenFeatures(var columns) -> {
        var node = new LinkedHashMap<String, Object>();
        node.put("kind", GIVEN);
        node.put("today", columns.today());
        node.put("yesterday", columns.yesterday());
        yield ConfigFiles.of("the features", node);
      }
    };
  }

  static FeatureRecipe read(ConfigNode node) {
    node.required("kind").asChoice(List.of(GIVEN));
    node.rejectUnknown(List.of("kind", "today", "yesterday"));
    return new GivenFeatures(
        new FeatureColumns(
            Settings.texts(node.required("today")), Settings.texts(node.required("yesterday"))));
  }
}
