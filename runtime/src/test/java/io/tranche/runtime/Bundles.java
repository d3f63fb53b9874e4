package io.tranche.runtime;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.RandomTree;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.weights.Precision;
import io.tranche.policy.weights.Quantiser;
import io.tranche.policy.weights.StateDict;
import io.tranche.runtime.ModelSpec.Combination;
import io.tranche.tensor.RnnType;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Small bundles to read, write and damage.
final class Bundles {

  private static final int HIDDEN = 4;
  private static final List<String> COLUMNS = List.of("$close", "$volume");

  private Bundles() {}

  /// @param members how many sets of weights
  static ModelBundle of(int members) {
    List<StateDict> weights = new ArrayList<>();
    List<Lineage.Source> sources = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      weights.add(weights(i, HIDDEN));
      sources.add(new Lineage.Source("%03d.ckpt".formatted(i), "ab".repeat(32), (long) i));
    }
    return new ModelBundle(
        spec(Session.CHINA_STOCKS),
        weights,
        new Lineage(
            "cd".repeat(32),
            null,
            "ef".repeat(32),
            "0.1.0",
            null,
            sources,
            LocalDate.of(2020, 1, 2),
            LocalDate.of(2020, 6, 30)),
        Map.of("val/pa", 1.5));
  }

  /// Returns a bundle with all that there can be in one.
  static ModelBundle of(int members, Precision precision) {
    ModelBundle bundle = of(members);
    var features =
        List.of(
            new ReferenceStatistics.Feature("$close", 0.1, 1.5),
            new ReferenceStatistics.Feature("$volume", -2, 0));
    return bundle
        .with(
            precision,
            bundle.members().stream()
                .map(each -> Quantiser.round(each, precision, _ -> 0.9))
                .toList())
        .with(new ReferenceStatistics(10, 75, features, List.of(0.5, 0.25, 0.25, 0.0, 0.0)));
  }

  static StateDict weights(long seed, int hidden) {
    return ActorCritic.create(
            Recurrent.factory(new RecurrentConfig(hidden, 3, RnnType.GRU, 1), COLUMNS.size()),
            5,
            RandomTree.generator(RandomTree.root(seed, "weights")))
        .weights()
        .stateDict();
  }

  static ModelSpec spec(Session session) {
    return ModelSpec.of(
            node("{class: RecurrentNetwork, kwargs: {hidden: %d, output: 3}}".formatted(HIDDEN)),
            node("{class: Ppo, kwargs: {learning_rate: 0.001}}"),
            node("{class: CategoricalInterpreter, kwargs: {shares: 4}}"),
            new GivenFeatures(new FeatureColumns(COLUMNS, List.of("$close_1", "$volume_1"))))
        .withMirrors(true)
        .withBars(session, Frequency.MINUTE)
        .withCombination(Combination.MAJORITY);
  }

  private static ConfigNode node(String yaml) {
    return ConfigFiles.parse("test", yaml);
  }
}
