package io.tranche.execution.catalog;

import io.tranche.config.Component;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigNode;
import io.tranche.env.Reward;
import io.tranche.env.RewardCombination;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.reward.AdvantagePenaltyReward.Weight;
import io.tranche.execution.reward.AdvantagePenaltyReward;
import io.tranche.execution.reward.CostAwareReward;
import io.tranche.execution.reward.FiniteReward;
import io.tranche.execution.reward.HoldingReward;
import io.tranche.execution.reward.PriceTierReward;
import io.tranche.execution.reward.ShortfallReward;
import io.tranche.execution.reward.VariancePenalisedReward;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;

/// Rewards by name.
final class RewardComponents {

  private static final List<String> MODULES =
      List.of("qlib.rl.order_execution.reward", "qlib.rl.order_execution");

  private RewardComponents() {}

  static List<Component<Reward<ExecutionState>>> all() {
    return List.of(
        new Component<>(
            ExecutionCatalog.REWARD,
            "PAPenaltyReward",
            MODULES,
            "price advantage of what was asked for, less a penalty on trading much at once",
            settings -> advantagePenalty(settings, Weight.REQUESTED)),
        new Component<>(
            ExecutionCatalog.REWARD,
            "PPOReward",
            MODULES,
            "-1, 0 or 1 by the price of the whole order, paid up to twice",
            RewardComponents::qlibPriceTier),
        new Component<>(
            ExecutionCatalog.REWARD,
            "RewardCombination",
            List.of("qlib.rl.reward", "qlib.rl"),
            "a weighted sum: rewards maps names to [reward, weight]",
            RewardComponents::combination),
        own(
            "AdvantagePenaltyReward",
            "price advantage of what was filled, less a penalty on trading much at once",
            settings -> advantagePenalty(settings, Weight.FILLED)),
        own(
            "PriceTierReward",
            "-1, 0 or 1 by the price of the whole order, paid once",
            settings -> {
              settings.rejectUnknown(List.of());
              return PriceTierReward.once();
            }),
        own(
            "ShortfallReward",
            "what was saved against the arrival price, fees included",
            settings -> new ShortfallReward(scale(settings))),
        own(
            "HoldingReward",
            "the same, but paid as prices move: what was traded and what was kept back",
            settings -> new HoldingReward(scale(settings))),
        own(
            "VariancePenalisedReward",
            "shortfall, less a penalty on the risk of what is still held",
            RewardComponents::variancePenalised),
        own("CostAwareReward", "price advantage less fees", RewardComponents::costAware));
  }

  private static Component<Reward<ExecutionState>> own(
      String name, String summary, Function<ConfigNode, Reward<ExecutionState>> maker) {
    return Component.of(ExecutionCatalog.REWARD, name, summary, maker);
  }

  private static Reward<ExecutionState> advantagePenalty(ConfigNode settings, Weight weight) {
    settings.rejectUnknown(List.of("penalty", "scale"));
    return new AdvantagePenaltyReward(
        settings.doubleOr("penalty", 100), settings.doubleOr("scale", 1), weight);
  }

  /// Qlib takes the two indices and does not use them.
  private static Reward<ExecutionState> qlibPriceTier(ConfigNode settings) {
    settings.rejectUnknown(List.of("max_step", "start_time_index", "end_time_index"));
    return PriceTierReward.qlib(settings.required("max_step").asCount());
  }

  /// Reads the only setting there is.
  private static double scale(ConfigNode settings) {
    settings.rejectUnknown(List.of("scale"));
    return settings.doubleOr("scale", 1);
  }

  private static Reward<ExecutionState> variancePenalised(ConfigNode settings) {
    settings.rejectUnknown(List.of("risk_aversion", "scale"));
    return new VariancePenalisedReward(
        settings.required("risk_aversion").asNotNegative(), settings.doubleOr("scale", 1));
  }

  private static Reward<ExecutionState> costAware(ConfigNode settings) {
    settings.rejectUnknown(List.of("cost_weight", "scale"));
    return new CostAwareReward(
        settings.notNegativeOr("cost_weight", 1), settings.doubleOr("scale", 1));
  }

  private static Reward<ExecutionState> combination(ConfigNode settings) {
    settings.rejectUnknown(List.of("rewards"));
    ConfigNode rewards = settings.required("rewards");
    var terms = new LinkedHashMap<String, RewardCombination.Term<ExecutionState>>();
    for (String name : rewards.keys()) {
      ConfigNode pair = rewards.required(name);
      List<ConfigNode> parts = pair.isList() ? pair.asList() : List.of();
      if (parts.size() != 2) {
        throw pair.wrong("a reward and its weight");
      }
      Reward<ExecutionState> reward =
          ExecutionCatalog.rewards().withInstalled().make(ComponentSpec.from(parts.getFirst()));
      terms.put(
          name,
          new RewardCombination.Term<>(new FiniteReward(name, reward), parts.getLast().asDouble()));
    }
    return new RewardCombination<>(terms);
  }
}
