package io.tranche.serving;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.weights.Precision;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.Lineage;
import io.tranche.runtime.ModelBundle;
import io.tranche.runtime.ModelSpec;
import io.tranche.runtime.ReferenceStatistics;
import io.tranche.tensor.Weights;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Models with random weights, drawn so large that their choices differ.
public final class TestModels {

  public static final List<String> FIELDS = List.of("close", "volume");

  private static final FeatureColumns COLUMNS =
      new FeatureColumns(List.of("$close", "$volume"), List.of("$close_1", "$volume_1"));

  private TestModels() {}

  public static ModelSpec spec() {
    return ModelSpec.of(
        node("network", "{class: RecurrentNetwork, kwargs: {hidden: 8, output: 5}}"),
        node("policy", "{class: Ppo, kwargs: {learning_rate: 0.001}}"),
        node("actions", "{class: CategoricalInterpreter, kwargs: {shares: 4}}"),
        new GivenFeatures(COLUMNS));
  }

  private static ConfigNode node(String name, String text) {
    return ConfigFiles.parse(name, text);
  }

  /// Returns a model that places limit orders.
  ///
  /// @param offsets in basis points, as a list of YAML
  public static ModelSpec quoting(String offsets) {
    return ModelSpec.of(
        node("network", "{class: RecurrentNetwork, kwargs: {hidden: 8, output: 5}}"),
        node("policy", "{class: Ppo, kwargs: {learning_rate: 0.001}}"),
        node(
            "actions",
            "{class: QuoteInterpreter, kwargs: {shares: [0.15, 0.5], offsets_bps: %s}}"
                .formatted(offsets)),
        new GivenFeatures(COLUMNS));
  }

  public static ModelBundle draw(long seed, @Nullable ReferenceStatistics reference) {
    return draw(spec(), seed, reference);
  }

  private static ModelBundle draw(
      ModelSpec spec, long seed, @Nullable ReferenceStatistics reference) {
    var actions = ExecutionCatalog.actionInterpreters().make(ComponentSpec.from(spec.actions()));
    Agent<FullHistoryObservation> agent =
        spec.agent(actions.actionSpace()).create(new SplittableRandom(seed));
    Weights weights = agent.weights().parts().getFirst().weights();
    for (int i = 0; i < weights.size(); i++) {
      weights.values()[i] *= 2.5f;
    }
    weights.changed();
    var lineage =
        new Lineage(
            null,
            null,
            null,
            null,
            null,
            List.of(new Lineage.Source("test", "ab".repeat(32), null)),
            null,
            null);
    return new ModelBundle(
        spec,
        List.of(agent.weights().stateDict()),
        lineage,
        Map.of(),
        Precision.FLOAT32,
        reference);
  }

  /// Writes a model into the folder.
  public static void write(Path folder, String name, long seed) {
    write(folder, name, seed, spec());
  }

  public static void write(
      Path folder, String name, long seed, @Nullable ReferenceStatistics reference) {
    BundleFile.write(folder.resolve(name + BundleFile.SUFFIX), draw(seed, reference));
  }

  public static void write(Path folder, String name, long seed, ModelSpec spec) {
    BundleFile.write(folder.resolve(name + BundleFile.SUFFIX), draw(spec, seed, null));
  }
}
