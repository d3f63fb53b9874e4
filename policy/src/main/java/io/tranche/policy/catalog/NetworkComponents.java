package io.tranche.policy.catalog;

import io.tranche.config.Component;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.network.DayNetworkConfig;
import io.tranche.policy.network.DayNetworkFactory;
import io.tranche.policy.network.DualAttentionConfig;
import io.tranche.policy.network.LayersConfig;
import io.tranche.policy.network.Mlp;
import io.tranche.policy.network.MlpFactory;
import io.tranche.policy.network.Network;
import io.tranche.policy.network.NetworkInput;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.network.TransformerConfig;
import java.util.List;

/// Networks by name.
final class NetworkComponents {

  private static final String RECURRENT = "hidden output cell depth";
  private static final String QLIB_RECURRENT =
      "hidden=hidden_dim output=output_dim cell=rnn_type depth=rnn_num_layers";
  private static final String TRANSFORMER = "hidden output heads depth inner ticks";

  private static final int[] MLP_WIDTHS = {64, 64};

  private NetworkComponents() {}

  static <O extends Observation> List<Component<Network.Maker<O>>> all() {
    Class<Network.Maker<O>> kind = PolicyCatalog.network();
    return List.of(
        new Component<>(
            kind,
            "Recurrent",
            List.of("qlib.rl.order_execution.network", "qlib.rl.order_execution"),
            "recurrent layers over the day and over the decisions taken",
            node -> days(node, QLIB_RECURRENT, NetworkComponents::recurrent)),
        Component.of(
            kind,
            "RecurrentNetwork",
            "recurrent layers over the day and over the decisions taken",
            node -> days(node, RECURRENT, NetworkComponents::recurrent)),
        Component.of(
            kind,
            "DualAttention",
            "recurrent layers over today and yesterday, and attention to both",
            node -> days(node, RECURRENT, NetworkComponents::dualAttention)),
        Component.of(
            kind,
            "CausalTransformer",
            "a transformer over the day",
            node -> days(node, TRANSFORMER, NetworkComponents::transformer)),
        Component.of(
            kind,
            "Layers",
            "layers of your choice over the day",
            node -> days(node, "layers hidden output", NetworkComponents::layers)),
        Component.of(
            kind,
            "Mlp",
            "layers of your choice over the numbers of one observation",
            node -> mlp(LearningSettings.of(node, "widths layers"))));
  }

  /// Reads the settings of a network over the day.
  @FunctionalInterface
  private interface Reader {

    DayNetworkConfig read(LearningSettings settings, int features);
  }

  /// Returns the maker of a network over the day, whose settings are read at once as far as they do
  /// not depend on the features.
  private static <O extends Observation> Network.Maker<O> days(
      ConfigNode node, String names, Reader reader) {
    var settings = LearningSettings.of(node, names);
    return context -> {
      if (context.features() == 0) {
        throw new ConfigException(
            node.where(),
            "a network for any observation, such as Mlp, or a state_interpreter that shows days,"
                + " such as FullHistoryInterpreter",
            "a network over days");
      }
      return factory(reader.read(settings, context.features()), context.features());
    };
  }

  @SuppressWarnings("unchecked") // observations with features show days
  private static <O extends Observation, D extends Observation & DayObservation>
      Network.Factory<O> factory(DayNetworkConfig config, int features) {
    return (Network.Factory<O>) new DayNetworkFactory<D>(config, features);
  }

  private static <O extends Observation> Network.Maker<O> mlp(LearningSettings settings) {
    ConfigNode layers = settings.optional("layers");
    ConfigNode widths = settings.optional("widths");
    if (layers == null) {
      return Mlp.flat(widths == null ? MLP_WIDTHS : widths(widths));
    }
    if (widths != null) {
      throw widths.wrong("no widths beside layers");
    }
    return context -> {
      var input = NetworkInput.of(context);
      return new MlpFactory<>(LayerComponents.read(layers, MlpFactory.inputs(input)), input);
    };
  }

  private static int[] widths(ConfigNode list) {
    int[] widths = list.asList().stream().mapToInt(ConfigNode::asCount).toArray();
    if (widths.length == 0) {
      throw list.wrong("at least one width");
    }
    return widths;
  }

  private static DayNetworkConfig recurrent(LearningSettings settings, int features) {
    RecurrentConfig byDefault = RecurrentConfig.DEFAULT;
    return new RecurrentConfig(
        settings.count("hidden", byDefault.hidden()),
        settings.count("output", byDefault.output()),
        settings.choice("cell", byDefault.type()),
        settings.count("depth", byDefault.depth()));
  }

  private static DayNetworkConfig dualAttention(LearningSettings settings, int features) {
    DualAttentionConfig byDefault = DualAttentionConfig.DEFAULT;
    return new DualAttentionConfig(
        settings.count("hidden", byDefault.hidden()),
        settings.count("output", byDefault.output()),
        settings.choice("cell", byDefault.type()),
        settings.count("depth", byDefault.depth()));
  }

  private static DayNetworkConfig layers(LearningSettings settings, int features) {
    RecurrentConfig byDefault = RecurrentConfig.DEFAULT;
    return new LayersConfig(
        LayerComponents.read(settings.node().required("layers"), features),
        settings.count("hidden", byDefault.hidden()),
        settings.count("output", byDefault.output()));
  }

  private static DayNetworkConfig transformer(LearningSettings settings, int features) {
    TransformerConfig byDefault = TransformerConfig.DEFAULT;
    int hidden = settings.count("hidden", byDefault.hidden());
    int heads = settings.count("heads", byDefault.heads());
    if (hidden % heads != 0) {
      throw new ConfigException(
          settings.node().where(), "heads that divide hidden, which is " + hidden, heads);
    }
    return new TransformerConfig(
        hidden,
        settings.count("output", byDefault.output()),
        heads,
        settings.count("depth", byDefault.depth()),
        settings.count("inner", byDefault.inner()),
        settings.count("ticks", byDefault.ticks()));
  }
}
