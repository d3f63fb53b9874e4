package io.tranche.execution.catalog;

import io.tranche.config.Component;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigNode;
import io.tranche.env.Reward;
import io.tranche.env.RewardCombination;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.reward.AdvantagePenaltyReward;
import io.tranche.execution.reward.AdvantagePenaltyReward.Weight;
import io.tranche.execution.reward.CostAwareReward;
import io.tranche.execution.reward.FiniteReward;
import io.tranche.execution.reward.HoldingReward;
import io.tranche.execution.reward.PriceTierReward;
import io.tranche.execution.reward.ShortfallReward;
import io.tranche.execution.reward.VariancePenalisedReward;
import java.util.LinkedHashMap;
import java.util.List;

/// Rewards by name.
final class RewardComponents {

  private static final List<String> MODULES =
      List.of("qlib.rl.order_execution.reward", "qlib.rl.order_execution");

  /// What simulators log of a finished order, besides which each term is logged.
  private static final List<String> METRICS =
      List.of(
          "market_volume",
          "market_price",
          "amount",
          "inner_amount",
          "deal_amount",
          "trade_price",
          "trade_value",
          "position",
          "ffr",
          "pa",
          "reward",
          "steps_per_episode");

  private RewardComponents() {}

  static List<Component<Reward<ExecutionState>>> all() {
    return new ComponentRows<>(ExecutionCatalog.REWARD)
        .qlib(
            MODULES,
            "PAPenaltyReward",
            "price advantage of what was asked for, less a penalty on trading much at once",
            settings -> advantagePenalty(settings, Weight.REQUESTED),
            "penalty scale")
        .qlib(
            MODULES,
            "PPOReward",
            "-1, 0 or 1 by the price of the whole order, paid up to twice",
            // Qlib takes the two indices and does not use them.
            settings -> PriceTierReward.qlib(settings.required("max_step").asCount()),
            "max_step start_time_index end_time_index")
        .qlib(
            List.of("qlib.rl.reward", "qlib.rl"),
            "RewardCombination",
            "a weighted sum: rewards maps names to [reward, weight]",
            settings -> combination(settings.required("rewards")),
            "rewards")
        .own(
            "AdvantagePenaltyReward",
            "price advantage of what was filled, less a penalty on trading much at once",
            settings -> advantagePenalty(settings, Weight.FILLED),
            "penalty scale")
        .own(
            "PriceTierReward",
            "-1, 0 or 1 by the price of the whole order, paid once",
            _ -> PriceTierReward.once(),
            "")
        .own(
            "ShortfallReward",
            "savings compared with the arrival price, fees included",
            settings -> new ShortfallReward(scale(settings)),
            "scale")
        .own(
            "HoldingReward",
            "shortfall, paid as prices move, for the filled and the remaining volume, less"
                + " leaving_bps of what is filled in another step than TWAP's",
            settings ->
                new HoldingReward(scale(settings), settings.notNegativeOr("leaving_bps", 0)),
            "scale leaving_bps")
        .own(
            "VariancePenalisedReward",
            "shortfall, less a penalty on the risk of what is still held",
            settings ->
                new VariancePenalisedReward(
                    settings.required("risk_aversion").asNotNegative(), scale(settings)),
            "risk_aversion scale")
        .own(
            "CostAwareReward",
            "price advantage less fees",
            settings ->
                new CostAwareReward(settings.notNegativeOr("cost_weight", 1), scale(settings)),
            "cost_weight scale")
        .all();
  }

  private static double scale(ConfigNode settings) {
    return settings.doubleOr("scale", 1);
  }

  private static AdvantagePenaltyReward advantagePenalty(ConfigNode settings, Weight weight) {
    return new AdvantagePenaltyReward(settings.doubleOr("penalty", 100), scale(settings), weight);
  }

  private static Reward<ExecutionState> combination(ConfigNode rewards) {
    var terms = new LinkedHashMap<String, RewardCombination.Term<ExecutionState>>();
    for (String name : rewards.keys()) {
      ConfigNode pair = rewards.required(name);
      if (METRICS.contains(name)) {
        throw pair.wrong("a name that is not a metric of the simulator: " + METRICS);
      }
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
