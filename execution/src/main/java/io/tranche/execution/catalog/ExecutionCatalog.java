package io.tranche.execution.catalog;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.executor.Strategy;
import io.tranche.config.Catalog;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.Policy;
import io.tranche.env.Reward;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimulatorSetup;
import io.tranche.market.BarSource;
import io.tranche.market.feature.FeatureSource;
import org.jspecify.annotations.Nullable;

/// The catalogs of the order-execution problem. Components under Qlib's names behave as in Qlib,
/// including its quirks; native names are those of the classes.
///
/// Components that see the future have no name: only code can create them.
public final class ExecutionCatalog {

  public static final Class<StateInterpreter<ExecutionState, ?>> STATE_INTERPRETER =
      kind(StateInterpreter.class);

  public static final Class<ActionInterpreter<ExecutionState, ChildOrder>> ACTION_INTERPRETER =
      kind(ActionInterpreter.class);

  public static final Class<Reward<ExecutionState>> REWARD = kind(Reward.class);

  public static final Class<Policy<?>> POLICY = kind(Policy.class);

  private ExecutionCatalog() {}

  @SuppressWarnings("unchecked") // a class object cannot say its type's parameters
  private static <T> Class<T> kind(Class<?> raw) {
    return (Class<T>) raw;
  }

  /// @param minutesPerTick the width of bars, for native simulators that do not state it
  public static Catalog<SimulatorSetup> simulators(int minutesPerTick) {
    return Catalog.of(SimulatorSetup.class, SimulatorComponents.all(minutesPerTick));
  }

  /// Returns the strategies of backtests.
  public static Catalog<Strategy.Factory> strategies(StrategySources sources) {
    return Catalog.of(Strategy.Factory.class, StrategyComponents.all(sources));
  }

  /// @param defaults for native interpreters, from the data; null if their settings must be
  ///   complete
  public static Catalog<StateInterpreter<ExecutionState, ?>> stateInterpreters(
      @Nullable StateDefaults defaults) {
    return Catalog.of(STATE_INTERPRETER, StateComponents.all(defaults));
  }

  public static Catalog<ActionInterpreter<ExecutionState, ChildOrder>> actionInterpreters() {
    return Catalog.of(ACTION_INTERPRETER, ActionComponents.all());
  }

  public static Catalog<Reward<ExecutionState>> rewards() {
    return Catalog.of(REWARD, RewardComponents.all());
  }

  /// Returns where features come from.
  ///
  /// @param dimension the number of features of a tick, for files that do not name them
  public static Catalog<FeatureSource> featureSources(int dimension) {
    return Catalog.of(FeatureSource.class, FeatureComponents.all(dimension));
  }

  /// Returns the policies that need no training.
  ///
  /// @param bars where the volumes of earlier days are read
  public static Catalog<Policy<?>> policies(BarSource bars) {
    return Catalog.of(POLICY, PolicyComponents.all(bars));
  }
}
