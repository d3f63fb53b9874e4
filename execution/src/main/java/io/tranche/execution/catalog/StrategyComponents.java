package io.tranche.execution.catalog;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.strategy.AlmgrenChrissStrategy;
import io.tranche.backtest.strategy.PairStrategy;
import io.tranche.backtest.strategy.SignalSource;
import io.tranche.backtest.strategy.TwapStrategy;
import io.tranche.config.Component;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigNode;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.PolicyStrategy;
import io.tranche.execution.baseline.Baseline;
import io.tranche.execution.baseline.DecisionInterpreter;
import io.tranche.execution.interpreter.VolumeInterpreter;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Strategies by name: those of Qlib, ours, and every baseline.
final class StrategyComponents {

  private static final List<String> RULES =
      List.of("qlib.contrib.strategy.rule_strategy", "qlib.contrib.strategy");
  private static final List<String> POLICIES =
      List.of("qlib.rl.order_execution.strategy", "qlib.rl.order_execution");

  private static final String POLICY_KEYS =
      "policy state_interpreter action_interpreter network data_granularity";

  private StrategyComponents() {}

  static List<Component<Strategy.Factory>> all(StrategySources sources) {
    var rows =
        new ComponentRows<>(Strategy.Factory.class)
            .qlib(
                RULES,
                "TWAPStrategy",
                "evenly, in whole trade units, as Qlib does it",
                _ -> TwapStrategy::asQlib,
                "")
            .own("TwapStrategy", "evenly", _ -> TwapStrategy::create, "")
            .qlib(
                RULES,
                "SBBStrategyEMA",
                "in the better of every two steps, as Qlib does it",
                settings -> pairs(settings, sources, PairStrategy::asQlib),
                "instruments freq")
            .own(
                "PairStrategy",
                "in the better of every two steps",
                settings -> pairs(settings, sources, PairStrategy::of),
                "instruments freq")
            .qlib(
                RULES,
                "ACStrategy",
                "along the trajectory of Almgren and Chriss; Qlib's, completed",
                settings -> almgrenChriss(settings, sources),
                "lamb eta window_size instruments freq")
            .qlib(
                POLICIES,
                "SAOEIntStrategy",
                "as a policy decides, with Qlib's states",
                settings -> policy(settings, sources, true),
                POLICY_KEYS)
            .own(
                "PolicyStrategy",
                "as a policy decides",
                settings -> policy(settings, sources, false),
                POLICY_KEYS);
    var all = new ArrayList<>(rows.all());
    for (Component<Policy<?>> policy : PolicyComponents.all(sources.bars())) {
      if (policy.modulePaths().isEmpty()) {
        all.add(
            Component.of(
                Strategy.Factory.class,
                policy.name(),
                policy.summary(),
                settings -> baseline((Baseline) policy.maker().apply(settings), sources)));
      }
    }
    return all;
  }

  private static Strategy.Factory pairs(
      ConfigNode settings, StrategySources sources, Function<SignalSource, Strategy> maker) {
    SignalSource signals = signals(settings, sources);
    return () -> maker.apply(signals);
  }

  private static Strategy.Factory almgrenChriss(ConfigNode settings, StrategySources sources) {
    double riskAversion = settings.notNegativeOr("lamb", 1e-6);
    double impact = settings.numberInOr("eta", 2.5e-6, Double.MIN_NORMAL, Double.MAX_VALUE);
    int window = (int) settings.numberInOr("window_size", 20, 2, 100_000);
    SignalSource signals = signals(settings, sources);
    return () -> new AlmgrenChrissStrategy(signals, riskAversion, impact, window);
  }

  /// As in Qlib, instruments that the setting does not name have no signals. Without the setting
  /// all have them; Qlib's default is the market csi300.
  private static SignalSource signals(ConfigNode settings, StrategySources sources) {
    ConfigNode node = settings.optional("freq");
    SignalSource all = sources.signals().apply(node == null ? Frequency.DAY : frequency(node));
    Set<String> named = instruments(settings.optional("instruments"), sources);
    return named == null
        ? all
        : (instrument, expression, start, end) ->
            named.contains(instrument)
                ? all.signal(instrument, expression, start, end)
                : (_, _) -> Double.NaN;
  }

  /// Returns the instruments of a list or a market; null for all.
  private static @Nullable Set<String> instruments(
      @Nullable ConfigNode node, StrategySources sources) {
    if (node == null || (!node.isList() && node.asText().equals("all"))) {
      return null;
    }
    if (node.isList()) {
      return Set.copyOf(node.asTexts());
    }
    if (!(sources.bars() instanceof QlibStore store)
        || !QlibStore.markets(store.root()).contains(node.asText().toLowerCase(Locale.ROOT))) {
      throw node.wrong("all, a list of codes, or a market of the store");
    }
    return Set.copyOf(store.instruments(node.asText()).keySet());
  }

  static Frequency frequency(ConfigNode node) {
    try {
      return Frequency.parse(node.asText());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw node.wrong("a frequency such as 1min or day");
    }
  }

  private static Strategy.Factory policy(
      ConfigNode settings, StrategySources sources, boolean qlib) {
    int granularity = settings.countOr("data_granularity", qlib ? 1 : sources.granularity());
    return policy(
        settings,
        sources,
        ExecutionCatalog.stateInterpreters(null)
            .withInstalled()
            .make(ComponentSpec.from(settings.required("state_interpreter"))),
        ExecutionCatalog.actionInterpreters()
            .withInstalled()
            .make(ComponentSpec.from(settings.required("action_interpreter"))),
        granularity,
        qlib);
  }

  private static <O extends Observation> Strategy.Factory policy(
      ConfigNode settings,
      StrategySources sources,
      StateInterpreter<ExecutionState, O> states,
      ActionInterpreter<ExecutionState, ChildOrder> actions,
      int granularity,
      boolean qlib) {
    @SuppressWarnings("unchecked") // made for this observation space
    Policy<O> policy =
        (Policy<O>)
            sources
                .policies()
                .make(
                    ComponentSpec.from(settings.required("policy")),
                    settings.optional("network"),
                    states.observationSpace(),
                    actions.actionSpace());
    return new PolicyStrategy.Parts<>(
        policy, states, actions, granularity, qlib, 0, sources.details());
  }

  private static Strategy.Factory baseline(Baseline baseline, StrategySources sources) {
    return new PolicyStrategy.Parts<>(
        baseline,
        new DecisionInterpreter(),
        new VolumeInterpreter(),
        sources.granularity(),
        false,
        0,
        sources.details());
  }
}
