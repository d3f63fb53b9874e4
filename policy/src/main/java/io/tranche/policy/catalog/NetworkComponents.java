package io.tranche.policy.catalog;

import io.tranche.config.Component;
import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.network.CausalTransformer;
import io.tranche.policy.network.DualAttention;
import io.tranche.policy.network.DualAttentionConfig;
import io.tranche.policy.network.LayersConfig;
import io.tranche.policy.network.LayersNetwork;
import io.tranche.policy.network.Network;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.network.TransformerConfig;
import java.util.List;

/// Networks by name.
final class NetworkComponents {

  private static final String RECURRENT = "hidden output cell depth";
  private static final String QLIB_RECURRENT =
      "hidden=hidden_dim output=output_dim cell=rnn_type depth=rnn_num_layers";
  private static final String TRANSFORMER = "hidden output heads depth inner ticks";

  private NetworkComponents() {}

  static <O extends Observation & DayObservation> List<Component<Network.Factory<O>>> all(
      int dataWidth) {
    Class<Network.Factory<O>> kind = PolicyCatalog.network();
    return List.of(
        new Component<>(
            kind,
            "Recurrent",
            List.of("qlib.rl.order_execution.network", "qlib.rl.order_execution"),
            "recurrent layers over the day and over the decisions taken",
            node -> recurrent(LearningSettings.of(node, QLIB_RECURRENT), dataWidth)),
        Component.of(
            kind,
            "RecurrentNetwork",
            "recurrent layers over the day and over the decisions taken",
            node -> recurrent(LearningSettings.of(node, RECURRENT), dataWidth)),
        Component.of(
            kind,
            "DualAttention",
            "recurrent layers over today and yesterday, and attention to both",
            node -> dualAttention(LearningSettings.of(node, RECURRENT), dataWidth)),
        Component.of(
            kind,
            "CausalTransformer",
            "a transformer over the day",
            node -> transformer(LearningSettings.of(node, TRANSFORMER), dataWidth)),
        Component.of(
            kind,
            "Layers",
            "layers of your choice over the day",
            node -> layers(LearningSettings.of(node, "layers hidden output"), dataWidth)));
  }

  private static <O extends Observation & DayObservation> Network.Factory<O> recurrent(
      LearningSettings settings, int dataWidth) {
    RecurrentConfig byDefault = RecurrentConfig.DEFAULT;
    return Recurrent.factory(
        new RecurrentConfig(
            settings.count("hidden", byDefault.hidden()),
            settings.count("output", byDefault.output()),
            settings.choice("cell", byDefault.type()),
            settings.count("depth", byDefault.depth())),
        dataWidth);
  }

  private static <O extends Observation & DayObservation> Network.Factory<O> dualAttention(
      LearningSettings settings, int dataWidth) {
    DualAttentionConfig byDefault = DualAttentionConfig.DEFAULT;
    return DualAttention.factory(
        new DualAttentionConfig(
            settings.count("hidden", byDefault.hidden()),
            settings.count("output", byDefault.output()),
            settings.choice("cell", byDefault.type()),
            settings.count("depth", byDefault.depth())),
        dataWidth);
  }

  private static <O extends Observation & DayObservation> Network.Factory<O> layers(
      LearningSettings settings, int dataWidth) {
    RecurrentConfig byDefault = RecurrentConfig.DEFAULT;
    return LayersNetwork.factory(
        new LayersConfig(
            LayerComponents.read(settings.node().required("layers"), dataWidth),
            settings.count("hidden", byDefault.hidden()),
            settings.count("output", byDefault.output())),
        dataWidth);
  }

  private static <O extends Observation & DayObservation> Network.Factory<O> transformer(
      LearningSettings settings, int dataWidth) {
    TransformerConfig byDefault = TransformerConfig.DEFAULT;
    int hidden = settings.count("hidden", byDefault.hidden());
    int heads = settings.count("heads", byDefault.heads());
    if (hidden % heads != 0) {
      throw new ConfigException(
          settings.node().where(), "heads that divide hidden, which is " + hidden, heads);
    }
    return CausalTransformer.factory(
        new TransformerConfig(
            hidden,
            settings.count("output", byDefault.output()),
            heads,
            settings.count("depth", byDefault.depth()),
            settings.count("inner", byDefault.inner()),
            settings.count("ticks", byDefault.ticks())),
        dataWidth);
  }
}
