package io.tranche.policy.catalog;

import io.tranche.config.Component;
import io.tranche.config.ConfigNode;
import io.tranche.execution.catalog.Settings;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.network.Network;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.tensor.RnnType;
import java.util.List;

/// Networks by name.
final class NetworkComponents {

  private static final RecurrentConfig DEFAULT = RecurrentConfig.DEFAULT;

  private NetworkComponents() {}

  static List<Component<Network.Factory<FullHistoryObservation>>> all(int dataWidth) {
    return List.of(
        new Component<>(
            PolicyCatalog.NETWORK,
            "Recurrent",
            List.of("qlib.rl.order_execution.network", "qlib.rl.order_execution"),
            "recurrent layers over the day and over the decisions taken",
            settings ->
                recurrent(
                    settings,
                    dataWidth,
                    List.of("hidden_dim", "output_dim", "rnn_type", "rnn_num_layers"))),
        Component.of(
            PolicyCatalog.NETWORK,
            "RecurrentNetwork",
            "recurrent layers over the day and over the decisions taken",
            settings ->
                recurrent(settings, dataWidth, List.of("hidden", "output", "cell", "depth"))));
  }

  /// @param keys of the width, the number of features, the type and the depth
  private static Network.Factory<FullHistoryObservation> recurrent(
      ConfigNode settings, int dataWidth, List<String> keys) {
    settings.rejectUnknown(keys);
    return Recurrent.factory(
        new RecurrentConfig(
            Settings.countOr(settings, keys.get(0), DEFAULT.hidden()),
            Settings.countOr(settings, keys.get(1), DEFAULT.output()),
            cell(settings, keys.get(2)),
            Settings.countOr(settings, keys.get(3), DEFAULT.depth())),
        dataWidth);
  }

  private static RnnType cell(ConfigNode settings, String key) {
    ConfigNode node = settings.optional(key);
    if (node == null) {
      return DEFAULT.type();
    }
    return switch (node.asText()) {
      case "rnn" -> RnnType.RNN;
      case "lstm" -> RnnType.LSTM;
      case "gru" -> RnnType.GRU;
      default -> throw node.wrong("rnn, lstm or gru");
    };
  }
}
