package io.tranche.work.backtest;

import io.tranche.backtest.ChildOrder;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.network.Network;
import io.tranche.run.Part;
import org.jspecify.annotations.Nullable;

/// A strategy of a backtest that asks a policy, as the configuration describes it.
///
/// @param level how often the strategy decides, such as `1day`
/// @param strategy the component that makes the strategy
/// @param where the place of its settings, for errors
/// @param network null if the policy has none
public record PolicyLevel(
    String level,
    ConfigNode strategy,
    String where,
    int minutesPerTick,
    Part<AgentSpec<?>> policy,
    Part<StateInterpreter<ExecutionState, ?>> stateInterpreter,
    Part<ActionInterpreter<ExecutionState, ChildOrder>> actionInterpreter,
    @Nullable Part<Network.Factory<?>> network) {

  private static final String POLICY = "policy";

  /// @param minutesPerTick of the data. Policies count bars in minutes, so another number in the
  ///   settings would shift everything they see.
  /// @return null if the strategy has no policy
  /// @throws ConfigException if the settings are wrong
  static @Nullable PolicyLevel from(String level, ConfigNode strategy, int minutesPerTick) {
    ConfigNode settings = strategy.isMapping() ? strategy.optional("kwargs") : null;
    if (settings == null || !settings.isMapping() || settings.optional(POLICY) == null) {
      return null;
    }
    if (settings.intOr("data_granularity", 1) != minutesPerTick) {
      throw new ConfigException(
          settings.where(),
          "data_granularity %d, as the data have it".formatted(minutesPerTick),
          settings.intOr("data_granularity", 1));
    }
    ConfigNode network = settings.optional("network");
    return new PolicyLevel(
        level,
        strategy,
        settings.where(),
        minutesPerTick,
        Part.from(settings.required(POLICY)),
        Part.from(settings.required("state_interpreter")),
        Part.from(settings.required("action_interpreter")),
        network == null ? null : Part.from(network));
  }

  /// Returns the file with the weights of the policy, or null if none is named.
  @Nullable String weightFile() {
    ConfigNode settings = policy.describe().optional("kwargs");
    ConfigNode file = settings == null ? null : settings.optional(BacktestPlan.WEIGHTS);
    return file == null ? null : file.asText();
  }
}
