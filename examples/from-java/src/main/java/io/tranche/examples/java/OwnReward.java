package io.tranche.examples.java;

import io.tranche.execution.ExecutionState;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.run.ExecutionRun;
import io.tranche.work.start.TrainedAgent;
import io.tranche.work.start.Tranche;
import java.nio.file.Path;

/// PPO on order execution with a reward of your own: train, judge, backtest, export.
public final class OwnReward {

  private OwnReward() {}

  static ExecutionRun run() {
    return Tranche.run()
        .withMarket(SyntheticConfig.DEFAULT)
        .withNetwork(RecurrentConfig.DEFAULT.withHidden(32).withOutput(16))
        .withAlgorithm(PpoConfig.DEFAULT.withLearningRate(1e-3))
        .withReward((state, _) -> gain(state));
  }

  /// Pays what the step's fills gained over TWAP, in percent of the order.
  static double gain(ExecutionState state) {
    int step = state.step() - 1;
    double before = step == 0 ? state.order().amount() : state.remainingAfter(step - 1);
    double share = (before - state.remaining()) / state.order().amount();
    return share * state.stepAdvantageBps(step) / 100;
  }

  static void main() {
    try (TrainedAgent agent = Tranche.train(run(), Path.of("runs/own-reward"))) {
      IO.println(agent.judge().assessment().verdict().sentence());
      agent.backtest().writeTo(Path.of("runs/own-reward/orders.csv"));
      agent.export(Path.of("runs/own-reward/model.tranche"));
    }
  }
}
