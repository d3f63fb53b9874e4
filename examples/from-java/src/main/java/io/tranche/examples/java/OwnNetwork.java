package io.tranche.examples.java;

import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.policy.network.LayersConfig;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.run.ExecutionRun;
import io.tranche.tensor.layer.Layers;
import io.tranche.work.start.TrainedAgent;
import io.tranche.work.start.Tranche;
import java.nio.file.Path;

/// A network of your own from layers; nobody writes a backward pass.
public final class OwnNetwork {

  private OwnNetwork() {}

  /// The layers read the day tick by tick, once for all its orders.
  static LayersConfig network() {
    return LayersConfig.of(
            Layers.concat(Layers.dense(16), Layers.sequence(Layers.dense(16), Layers.tanh())),
            Layers.norm(),
            Layers.residual(Layers.dense(32), Layers.relu()),
            Layers.gru(16))
        .withHidden(16)
        .withOutput(16);
  }

  static ExecutionRun run() {
    return Tranche.run()
        .withMarket(SyntheticConfig.DEFAULT)
        .withNetwork(network())
        .withAlgorithm(PpoConfig.DEFAULT.withLearningRate(1e-3));
  }

  static void main() {
    try (TrainedAgent agent = Tranche.train(run(), Path.of("runs/own-network"))) {
      IO.println(agent.judge().assessment().verdict().sentence());
      agent.export(Path.of("runs/own-network/model.tranche"));
    }
  }
}
