package io.tranche.work.export;

import io.tranche.config.ComponentSpec;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureProvider;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.FeatureStore;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.market.feature.ProvidedFeatures;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The recipe behind a source of features.
final class FeatureRecipes {

  private static final Path HERE = Path.of("");

  private FeatureRecipes() {}

  /// Returns how features are made of bars. Where only their maker knows, each bar brings them.
  ///
  /// @param source a component of [io.tranche.execution.catalog.ExecutionCatalog#featureSources]
  /// @param columns which of its columns
  /// @param store a feature store with the same columns, which knows better; null for none
  /// @throws io.tranche.market.DataException if `store` is none, or lacks a column
  static FeatureRecipe of(ComponentSpec source, FeatureColumns columns, @Nullable Path store) {
    if (store != null) {
      return FeatureStore.open(store).recipe(columns);
    }
    return switch (source.name()) {
      case "ComputedFeatures" ->
          new ProvidedFeatures(
              source.kwargs().required("providers").asList().stream()
                  .map(FeatureProvider::named)
                  .toList(),
              0); // as the catalog has it
      case "FeatureStore" ->
          FeatureStore.open(source.kwargs().required("path").asPath(HERE)).recipe(columns);
      default -> new GivenFeatures(columns);
    };
  }
}
