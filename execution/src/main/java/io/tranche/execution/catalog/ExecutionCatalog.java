package io.tranche.execution.catalog;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.executor.Strategy;
import io.tranche.config.Catalog;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.AuxInfoCollector;
import io.tranche.env.Metric;
import io.tranche.env.Policy;
import io.tranche.env.Reward;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.Dialect;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.SimulatorSetup;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.market.BarSource;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.provider.FeatureProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  public static final Class<Metric<ExecutionState>> METRIC = kind(Metric.class);

  public static final Class<AuxInfoCollector<ExecutionState>> AUX_INFO =
      kind(AuxInfoCollector.class);

  private ExecutionCatalog() {}

  @SuppressWarnings("unchecked") // a class object cannot say its type's parameters
  private static <T> Class<T> kind(Class<?> raw) {
    return (Class<T>) raw;
  }

  /// Returns features that providers compute from bars, as a run has them.
  ///
  /// @param isNeutral whether providers see prices without the market's moves
  public static FeatureSource computedFeatures(
      BarSource bars, List<FeatureProvider> providers, boolean isNeutral) {
    return FeatureComponents.computed(bars, providers, FeatureComponents.CACHED_DAYS, isNeutral);
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

  /// Returns the metrics of plug-ins; none is built in.
  public static Catalog<Metric<ExecutionState>> metrics() {
    return Catalog.of(METRIC, List.of());
  }

  /// Returns the collectors of side information of plug-ins; none is built in.
  public static Catalog<AuxInfoCollector<ExecutionState>> auxInfos() {
    return Catalog.of(AUX_INFO, List.of());
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

  /// Returns a built-in simulator as a configuration names it; null if it is another.
  public static @Nullable ConfigNode describe(SimulatorSetup simulator) {
    if (!(simulator instanceof SimpleSimulatorConfig simple)
        || !simple.dialect().equals(Dialect.NATIVE)) {
      return null;
    }
    Map<String, Object> keys = FrictionSettings.describe(simple.frictions());
    keys.put("minutes_per_step", simple.minutesPerStep());
    keys.put("data_granularity", simple.minutesPerTick());
    ConfigNode node = named("SimpleSimulator", keys);
    boolean isSame = simulators(1).make(ComponentSpec.from(node)).equals(simulator);
    return isSame ? node : null;
  }

  /// Returns a built-in action interpreter as a configuration names it; null if it is another.
  public static @Nullable ConfigNode describe(
      ActionInterpreter<ExecutionState, ChildOrder> actions) {
    if (!(actions instanceof CategoricalInterpreter categorical)) {
      return null;
    }
    ConfigNode node = named("CategoricalInterpreter", Map.of("shares", categorical.shares()));
    boolean isSame =
        categorical.shares().stream().allMatch(share -> share >= 0 && share <= 1)
            && actionInterpreters().make(ComponentSpec.from(node)).equals(actions);
    return isSame ? node : null;
  }

  private static ConfigNode named(String name, Map<String, Object> settings) {
    var part = new LinkedHashMap<String, Object>();
    part.put("class", name);
    part.put("kwargs", settings);
    return ConfigFiles.of("the run", part);
  }
}
