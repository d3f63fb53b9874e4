package io.tranche.benchmarks.judge;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import io.tranche.analysis.selection.GuardFit;
import io.tranche.analysis.selection.Selection;
import io.tranche.execution.DeviationGuard;
import io.tranche.market.BarSeries;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.synthetic.Schedule;
import io.tranche.market.synthetic.StepRule;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.synthetic.VisibleOptimum;
import io.tranche.market.synthetic.Window;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;

/// Embedded markets, judged with a policy that would be the best if they had the usual signal.
final class SilentMarkets {

  private static final int HALF_HOUR = 1800;
  private static final int INSTRUMENTS = 6;

  /// Half of them validate the policy, the other half fit its guard.
  private static final int DAYS = 48;

  private SilentMarkets() {}

  /// @param better the part of the markets on which the policy was called better than TWAP
  /// @param opens the part on which a guard let it deviate
  /// @param opensShuffled the same, where each order's result has the sign of another day
  /// @param kept the part of the gain that the guard kept, over all markets
  record Rates(double better, double opens, double opensShuffled, double kept) {}

  /// @param signal 0 for none, 1 for the usual one
  static Rates judge(int markets, double signal) {
    Schedule schedule = new SyntheticMarket(SyntheticConfig.DEFAULT).wholeDay(HALF_HOUR);
    int better = 0;
    int opens = 0;
    int shuffled = 0;
    double gain = 0;
    double kept = 0;
    for (int seed = 1; seed <= markets; seed++) {
      SyntheticConfig config = SyntheticConfig.DEFAULT.withSeed(seed).withSize(INSTRUMENTS, DAYS);
      var usual = new SyntheticMarket(config);
      var market = signal == 0 ? new SyntheticMarket(config.withSignal(0)) : usual;
      PolicyResults agent = results(market, new VisibleOptimum(usual, schedule), schedule);
      PolicyResults twap = scaled(agent, 0);
      better += Verdict.of(Comparison.of(agent, twap)).kind() == Verdict.Kind.BETTER ? 1 : 0;
      DeviationGuard guard = guard(agent);
      opens += guard.isTwap() ? 0 : 1;
      shuffled += guard(shuffled(agent, seed)).isTwap() ? 0 : 1;
      gain += agent.meanBps(null);
      kept += guard.size() * agent.meanBps(null);
    }
    double all = markets;
    return new Rates(better / all, opens / all, shuffled / all, gain == 0 ? 0 : kept / gain);
  }

  /// Fits a guard as the end of a training does.
  private static DeviationGuard guard(PolicyResults agent) {
    List<LocalDate> days =
        agent.orders().stream().map(each -> each.order().date()).distinct().sorted().toList();
    LocalDate later = days.get(days.size() / 2);
    PolicyResults validated = part(agent, each -> each.isBefore(later));
    PolicyResults selected = part(agent, each -> !each.isBefore(later));
    return GuardFit.fit(
        Selection.of(List.of(validated), scaled(validated, 0)),
        scaled(selected, 0),
        each -> scaled(selected, each == null ? 1 : each.size()));
  }

  private static PolicyResults part(PolicyResults results, Predicate<LocalDate> days) {
    return new PolicyResults(
        results.policy(),
        results.orders().stream().filter(each -> days.test(each.order().date())).toList());
  }

  private static PolicyResults results(
      SyntheticMarket market, VisibleOptimum optimum, Schedule schedule) {
    var results = new ArrayList<OrderResult>();
    for (String code : market.instruments()) {
      BarSeries series = market.series(code);
      StepRule rule = optimum.policy(series);
      for (int day = 0; day < series.endDay(); day++) {
        DayFrame frame = Objects.requireNonNull(series.day(day));
        var window = new Window(schedule, frame);
        if (!window.isTradable()) {
          continue;
        }
        LocalDate date = frame.date();
        for (Side side : Side.values()) {
          var order = new Order(code, side, 1, date.atTime(9, 30), date.atTime(15, 0), date);
          results.add(OrderResult.of(order, window.advantageBps(side, rule), 1));
        }
      }
    }
    return new PolicyResults("the optimum of the usual signal", results);
  }

  /// Returns what a guard of this size leaves: without costs and impact, the gain shrinks with the
  /// deviation.
  private static PolicyResults scaled(PolicyResults results, double size) {
    return new PolicyResults(
        results.policy(),
        results.orders().stream()
            .map(each -> OrderResult.of(each.order(), size * each.advantageBps(), 1))
            .toList());
  }

  /// Turns the results of half of the days round, drawn by chance: what is left has no mean.
  private static PolicyResults shuffled(PolicyResults results, long seed) {
    List<LocalDate> days =
        new ArrayList<>(
            results.orders().stream().map(each -> each.order().date()).distinct().toList());
    Collections.shuffle(days, new Random(seed));
    List<LocalDate> turned = days.subList(0, days.size() / 2);
    return new PolicyResults(
        results.policy(),
        results.orders().stream()
            .map(
                each ->
                    OrderResult.of(
                        each.order(),
                        turned.contains(each.order().date())
                            ? -each.advantageBps()
                            : each.advantageBps(),
                        1))
            .toList());
  }

  /// Returns the upper end of the 95 % interval of a rate (Wilson).
  static double upper(double rate, int count) {
    double z = 1.96;
    double square = z * z / count;
    double middle = rate + square / 2;
    double width = z * Math.sqrt(rate * (1 - rate) / count + square / (4 * count));
    return Math.min(1, (middle + width) / (1 + square));
  }
}
