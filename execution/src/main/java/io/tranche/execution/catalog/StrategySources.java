package io.tranche.execution.catalog;

import io.tranche.backtest.strategy.SignalSource;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigNode;
import io.tranche.env.Policy;
import io.tranche.env.space.Space;
import io.tranche.execution.PolicyStrategy;
import io.tranche.market.BarSource;
import io.tranche.market.Frequency;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What is needed to make the strategies that a configuration names.
///
/// @param bars of the exchange; baselines use the volumes of earlier days
/// @param signals of a frequency; used only by strategies that need them
/// @param policies makes the policies of strategies that have one
/// @param details receives the decisions of policies; must be safe to use from several threads
public record StrategySources(
    BarSource bars,
    Function<Frequency, SignalSource> signals,
    PolicyMaker policies,
    Consumer<PolicyStrategy.Detail> details) {

  /// Makes the policy of a strategy.
  @FunctionalInterface
  public interface PolicyMaker {

    /// @param policy as named in the configuration
    /// @param network the settings of its network, null if there are none
    /// @throws io.tranche.config.ConfigException if the component is unknown or its settings wrong
    Policy<?> make(
        ComponentSpec policy, @Nullable ConfigNode network, Space observations, Space actions);
  }

  /// Returns sources whose policies need no training.
  public static StrategySources of(BarSource bars, Function<Frequency, SignalSource> signals) {
    return new StrategySources(
        bars,
        signals,
        (policy, _, _, _) -> ExecutionCatalog.policies(bars).withInstalled().make(policy),
        _ -> {});
  }

  int granularity() {
    return Math.max(bars.calendar().frequency().seconds() / 60, 1);
  }
}
