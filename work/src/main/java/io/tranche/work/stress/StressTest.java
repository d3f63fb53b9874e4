package io.tranche.work.stress;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import io.tranche.analysis.selection.Selection;
import io.tranche.backtest.FillRule;
import io.tranche.backtest.Frictions;
import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.TickSource;
import io.tranche.execution.baseline.TwapBaseline;
import io.tranche.market.Order;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import io.tranche.run.play.Summary;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Judges an agent against TWAP under many conditions: other frictions, parts of the orders by what
/// the market did, and other bars and orders.
///
/// Orders are executed once per level of frictions and per setting; every regime is a part of these
/// results. A condition has the words of a [Verdict] and its rules: better must be shown on each
/// side, for example. P-values are corrected by Holm besides, so that of all conditions together at
/// most one in twenty certificates has a wrong "better" or "worse".
public final class StressTest {

  private StressTest() {}

  /// @param gain over TWAP
  private record Measured(
      String frictions, String regime, Summary gain, Verdict.Kind alone, double completion) {}

  /// Judges under every condition.
  ///
  /// @param simulator of the run; must be a [SimpleSimulatorConfig]
  /// @param settings other bars and orders; each is made when its turn comes
  /// @param progress receives the frictions or the setting that are executed next
  /// @throws ConfigException if the simulator is another one, or has no orders
  public static <O extends Observation> List<Condition> run(
      Object simulator,
      TickSource ticks,
      Candidate<O> agent,
      List<Order> orders,
      Iterator<StressCase<O>> settings,
      ParallelFor parallel,
      Consumer<String> progress) {
    if (!(simulator instanceof SimpleSimulatorConfig simple)) {
      throw new ConfigException(
          "RUN", "a run with the SimpleSimulator, whose frictions can be changed", simulator);
    }
    var measured = new ArrayList<Measured>();
    Regimes regimes = null;
    for (Map.Entry<String, Frictions> level : FrictionLevels.of(simple.frictions()).entrySet()) {
      progress.accept(level.getKey());
      var factory = simple.withFrictions(level.getValue()).over(ticks);
      var player = new OrderPlayer(factory, orders, parallel);
      if (player.orders().isEmpty()) {
        throw new ConfigException("RUN", "test orders that can be executed", "none");
      }
      if (regimes == null) {
        regimes = Regimes.of(player);
      }
      PolicyResults results = player.run(agent);
      PolicyResults twap = player.run(Candidate.rule("TWAP", new TwapBaseline()));
      measured.add(measured(level.getKey(), Regimes.ALL, results, twap, null));
      regimes
          .market()
          .forEach(
              (name, part) -> measured.add(measured(level.getKey(), name, results, twap, part)));
      if (level.getKey().equals(FrictionLevels.OWN)) {
        regimes
            .others()
            .forEach(
                (name, part) -> measured.add(measured(level.getKey(), name, results, twap, part)));
      }
    }
    while (settings.hasNext()) {
      StressCase<O> setting = settings.next();
      progress.accept(setting.name());
      measured.addAll(measured(setting, simple, parallel));
    }
    return corrected(measured);
  }

  /// Executes all orders under a few other frictions: how much a judgement depends on them.
  ///
  /// @param simulator as above; another one has no such levels
  public static <O extends Observation> List<Condition> sensitivity(
      Object simulator,
      TickSource ticks,
      Candidate<O> agent,
      List<Order> orders,
      ParallelFor parallel) {
    if (!(simulator instanceof SimpleSimulatorConfig simple)
        || simple.dialect().fillRule() != FillRule.NATIVE) {
      return List.of();
    }
    var measured = new ArrayList<Measured>();
    FrictionLevels.few(simple.frictions())
        .forEach(
            (name, level) ->
                measured.addAll(
                    measured(
                            new StressCase<>(name, ticks, agent, orders),
                            simple.withFrictions(level),
                            parallel)
                        .stream()
                        .limit(1) // all orders
                        .toList()));
    return corrected(measured);
  }

  private static <O extends Observation> List<Measured> measured(
      StressCase<O> setting, SimpleSimulatorConfig simulator, ParallelFor parallel) {
    var player = new OrderPlayer(simulator.over(setting.ticks()), setting.orders(), parallel);
    if (player.orders().isEmpty()) {
      return List.of();
    }
    PolicyResults results = player.run(setting.agent());
    PolicyResults twap = player.run(Candidate.rule("TWAP", new TwapBaseline()));
    var measured = new ArrayList<Measured>();
    measured.add(measured(setting.name(), Regimes.ALL, results, twap, null));
    Regimes.sides(player.orders())
        .forEach((name, part) -> measured.add(measured(setting.name(), name, results, twap, part)));
    return measured;
  }

  private static Measured measured(
      String frictions,
      String regime,
      PolicyResults results,
      PolicyResults twap,
      @Nullable BitSet part) {
    PolicyResults own = part(results, part);
    PolicyResults reference = part(twap, part);
    var gain = new Summary.Builder();
    for (OrderResult each : own.minus(reference)) {
      gain.add(each.order().date(), each.netAdvantageBps());
    }
    Verdict.Kind alone = Verdict.of(Comparison.of(own, reference)).kind();
    return new Measured(frictions, regime, gain.build(), alone, own.completion(null));
  }

  private static PolicyResults part(PolicyResults results, @Nullable BitSet part) {
    return part == null
        ? results
        : new PolicyResults(
            results.policy(), part.stream().mapToObj(results.orders()::get).toList());
  }

  private static List<Condition> corrected(List<Measured> measured) {
    List<Measured> tested =
        measured.stream().filter(each -> Condition.isTested(each.alone)).toList();
    double[] adjusted =
        Selection.holm(tested.stream().mapToDouble(each -> each.gain.pValue()).toArray());
    var conditions = new ArrayList<Condition>();
    int next = 0;
    for (Measured each : measured) {
      boolean isTested = Condition.isTested(each.alone);
      conditions.add(
          new Condition(
              each.frictions,
              each.regime,
              each.gain,
              each.alone,
              each.completion,
              isTested ? adjusted[next++] : 1));
    }
    return List.copyOf(conditions);
  }
}
