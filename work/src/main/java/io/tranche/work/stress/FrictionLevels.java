package io.tranche.work.stress;

import io.tranche.backtest.Costs;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Impact;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Other frictions than a run's, by name.
final class FrictionLevels {

  /// The conditions of the run.
  static final String OWN = "as in the run";

  /// Of runs without impact: an order of one percent of the volume moves the price by 10 bps.
  private static final List<Impact> USUAL = List.of(new Impact.SquareRoot(0.01));

  private FrictionLevels() {}

  /// Returns the run's frictions and others, the run's first.
  static Map<String, Frictions> of(Frictions own) {
    Costs costs = own.costs();
    List<Impact> impacts = costs.impacts().isEmpty() ? USUAL : costs.impacts();
    var levels = new LinkedHashMap<String, Frictions>();
    levels.put(OWN, own);
    for (double factor : new double[] {0, 0.5, 2, 3}) {
      levels.put("costs x " + text(factor), own.withCosts(scaled(costs, factor)));
    }
    for (double bps : new double[] {1, 2, 5}) {
      levels.put(
          "half spread + %s bps".formatted(text(bps)),
          own.withCosts(costs.withHalfSpread(costs.halfSpreadBps() + bps)));
    }
    for (double factor : new double[] {0, 0.5, 1, 2}) {
      levels.put(
          "impact x " + text(factor), own.withCosts(withImpacts(costs, scaled(impacts, factor))));
    }
    for (int ticks : new int[] {1, 2}) {
      levels.put("bars %d late".formatted(ticks), own.withLatency(own.latency() + ticks));
    }
    for (double part : new double[] {0.2, 0.1, 0.05}) {
      levels.put(
          "at most %.0f %% of the volume".formatted(100 * part),
          own.withParticipation(Math.min(own.participation(), part)));
    }
    return levels;
  }

  /// Returns the levels that every judgement shows: no and twice the costs, no, half and the whole
  /// impact, bars that are one and two late. Those that are the run's own are left out.
  static Map<String, Frictions> few(Frictions own) {
    Map<String, Frictions> levels = of(own);
    levels
        .keySet()
        .retainAll(
            List.of(
                "costs x 0",
                "costs x 2",
                "impact x 0",
                "impact x 0.5",
                "impact x 1",
                "bars 1 late",
                "bars 2 late"));
    levels.values().removeIf(own::equals);
    return levels;
  }

  /// Writes a factor without a needless fraction.
  static String text(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  private static Costs scaled(Costs costs, double factor) {
    return new Costs(
        factor * costs.commission(),
        factor * costs.minimum(),
        costs.minimumPer(),
        factor * costs.buyTax(),
        factor * costs.sellTax(),
        factor * costs.halfSpreadBps(),
        costs.impacts());
  }

  private static Costs withImpacts(Costs costs, List<Impact> impacts) {
    return costs.withImpacts(impacts.toArray(Impact[]::new));
  }

  private static List<Impact> scaled(List<Impact> impacts, double factor) {
    return impacts.stream()
        .<Impact>map(
            impact ->
                switch (impact) {
                  case Impact.Linear(double size) -> new Impact.Linear(factor * size);
                  case Impact.SquareRoot(double size) -> new Impact.SquareRoot(factor * size);
                  case Impact.Transient(double size, double decay) ->
                      new Impact.Transient(factor * size, decay);
                })
        .toList();
  }
}
