package io.tranche.policy.catalog;

import io.tranche.config.Component;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.network.CausalTransformer;
import io.tranche.policy.network.DualAttention;
import io.tranche.policy.network.DualAttentionConfig;
import io.tranche.policy.network.LayersConfig;
import io.tranche.policy.network.LayersNetwork;
import io.tranche.policy.network.Mlp;
import io.tranche.policy.network.MlpFactory;
import io.tranche.policy.network.Network;
import io.tranche.policy.network.NetworkInput;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.network.TransformerConfig;
import io.tranche.tensor.layer.Layers;
import java.util.List;

/// Networks by name.
final class NetworkComponents {

  private static final String RECURRENT = "hidden output cell depth";
  private static final String QLIB_RECURRENT =
      "hidden=hidden_dim output=output_dim cell=rnn_type depth=rnn_num_layers";
  private static final String TRANSFORMER = "hidden output heads depth inner ticks";

  private static final int[] MLP_WIDTHS = {64, 64};

  private NetworkComponents() {}

  /// Reads the settings of a network over the day.
  ///
  /// @param <O> what it reads
  @FunctionalInterface
  private interface DayMaker<O extends Observation & DayObservation> {
    Network.Factory<O> make(LearningSettings settings, int dataWidth);
  }

  /// Any observation that shows a day.
  private interface AnyDay extends Observation, DayObservation {}

  static <O extends Observation> List<Component<Network.Factory<O>>> all(NetworkInput input) {
    Class<Network.Factory<O>> kind = PolicyCatalog.network();
    return List.of(
        new Component<>(
            kind,
            "Recurrent",
            List.of("qlib.rl.order_execution.network", "qlib.rl.order_execution"),
            "recurrent layers over the day and over the decisions taken",
            node -> day(node, QLIB_RECURRENT, input, NetworkComponents::recurrent)),
        Component.of(
            kind,
            "RecurrentNetwork",
            "recurrent layers over the day and over the decisions taken",
            node -> day(node, RECURRENT, input, NetworkComponents::recurrent)),
        Component.of(
            kind,
            "DualAttention",
            "recurrent layers over today and yesterday, and attention to both",
            node -> day(node, RECURRENT, input, NetworkComponents::dualAttention)),
        Component.of(
            kind,
            "CausalTransformer",
            "a transformer over the day",
            node -> day(node, TRANSFORMER, input, NetworkComponents::transformer)),
        Component.of(
            kind,
            "Layers",
            "layers of your choice over the day",
            node -> day(node, "layers hidden output", input, NetworkComponents::layers)),
        Component.of(
            kind,
            "Mlp",
            "layers of your choice over the numbers of one observation",
            node -> mlp(node, input)));
  }

  @SuppressWarnings("unchecked") // observations that show a day are day observations
  private static <O extends Observation> Network.Factory<O> day(
      ConfigNode node, String settings, NetworkInput input, DayMaker<AnyDay> maker) {
    var read = LearningSettings.of(node, settings);
    if (input instanceof NetworkInput.Day(int features)) {
      return (Network.Factory<O>) (Network.Factory<?>) maker.make(read, features);
    }
    throw new ConfigException(
        node.where(),
        "a state_interpreter that shows the full history, such as FullHistoryInterpreter, or the"
            + " network Mlp",
        "a network over the day, and observations without one");
  }

  private static <O extends Observation> Network.Factory<O> mlp(
      ConfigNode node, NetworkInput input) {
    node.rejectUnknown(List.of("widths", "layers"));
    ConfigNode layers = node.optional("layers");
    ConfigNode widths = node.optional("widths");
    if (layers != null && widths != null) {
      throw widths.wrong("no widths beside layers");
    }
    if (layers == null) {
      return new MlpFactory<>(Mlp.dense(widths == null ? MLP_WIDTHS : widths(widths)), input);
    }
    int inputs = new MlpFactory<O>(List.of(Layers.relu()), input).inputs();
    return new MlpFactory<>(LayerComponents.read(layers, inputs), input);
  }

  private static int[] widths(ConfigNode list) {
    int[] widths = list.asList().stream().mapToInt(ConfigNode::asCount).toArray();
    if (widths.length == 0) {
      throw list.wrong("at least one width");
    }
    return widths;
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
