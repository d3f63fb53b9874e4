package io.tranche.policy.catalog;

import io.tranche.config.Component;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.DayObservation;
import io.tranche.policy.network.CausalTransformer;
import io.tranche.policy.network.DualAttention;
import io.tranche.policy.network.DualAttentionConfig;
import io.tranche.policy.network.Network;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.network.TransformerConfig;
import io.tranche.tensor.RnnType;
import java.util.List;

/// Networks by name.
final class NetworkComponents {

  private static final RecurrentConfig DEFAULT = RecurrentConfig.DEFAULT;

  private NetworkComponents() {}

  static <O extends DayObservation> List<Component<Network.Factory<O>>> all(int dataWidth) {
    Class<Network.Factory<O>> kind = PolicyCatalog.network();
    return List.of(
        new Component<>(
            kind,
            "Recurrent",
            List.of("qlib.rl.order_execution.network", "qlib.rl.order_execution"),
            "recurrent layers over the day and over the decisions taken",
            settings ->
                recurrent(
                    settings,
                    dataWidth,
                    List.of("hidden_dim", "output_dim", "rnn_type", "rnn_num_layers"))),
        Component.of(
            kind,
            "RecurrentNetwork",
            "recurrent layers over the day and over the decisions taken",
            settings ->
                recurrent(settings, dataWidth, List.of("hidden", "output", "cell", "depth"))),
        Component.of(
            kind,
            "DualAttention",
            "recurrent layers over today and yesterday, and attention to both",
            settings -> dualAttention(settings, dataWidth)),
        Component.of(
            kind,
            "CausalTransformer",
            "a transformer over the day",
            settings -> transformer(settings, dataWidth)));
  }

  /// @param keys of the width, the number of features, the type and the depth
  private static <O extends DayObservation> Network.Factory<O> recurrent(
      ConfigNode settings, int dataWidth, List<String> keys) {
    settings.rejectUnknown(keys);
    return Recurrent.factory(
        new RecurrentConfig(
            settings.countOr(keys.get(0), DEFAULT.hidden()),
            settings.countOr(keys.get(1), DEFAULT.output()),
            cell(settings, keys.get(2), DEFAULT.type()),
            settings.countOr(keys.get(3), DEFAULT.depth())),
        dataWidth);
  }

  private static <O extends DayObservation> Network.Factory<O> dualAttention(
      ConfigNode settings, int dataWidth) {
    settings.rejectUnknown(List.of("hidden", "output", "cell", "depth"));
    DualAttentionConfig byDefault = DualAttentionConfig.DEFAULT;
    return DualAttention.factory(
        new DualAttentionConfig(
            settings.countOr("hidden", byDefault.hidden()),
            settings.countOr("output", byDefault.output()),
            cell(settings, "cell", byDefault.type()),
            settings.countOr("depth", byDefault.depth())),
        dataWidth);
  }

  private static <O extends DayObservation> Network.Factory<O> transformer(
      ConfigNode settings, int dataWidth) {
    settings.rejectUnknown(List.of("hidden", "output", "heads", "depth", "inner", "ticks"));
    TransformerConfig byDefault = TransformerConfig.DEFAULT;
    int hidden = settings.countOr("hidden", byDefault.hidden());
    int heads = settings.countOr("heads", byDefault.heads());
    if (hidden % heads != 0) {
      throw new ConfigException(
          settings.where(), "heads that divide hidden, which is " + hidden, heads);
    }
    return CausalTransformer.factory(
        new TransformerConfig(
            hidden,
            settings.countOr("output", byDefault.output()),
            heads,
            settings.countOr("depth", byDefault.depth()),
            settings.countOr("inner", byDefault.inner()),
            settings.countOr("ticks", byDefault.ticks())),
        dataWidth);
  }

  private static RnnType cell(ConfigNode settings, String key, RnnType fallback) {
    ConfigNode node = settings.written(key);
    if (node == null) {
      return fallback;
    }
    return switch (node.asText()) {
      case "rnn" -> RnnType.RNN;
      case "lstm" -> RnnType.LSTM;
      case "gru" -> RnnType.GRU;
      default -> throw node.wrong("rnn, lstm or gru");
    };
  }
}
