package io.tranche.work.decide;

import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Fills;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Matching;
import io.tranche.backtest.Sums;
import io.tranche.backtest.Sums.Gaps;
import io.tranche.execution.Dialect;
import io.tranche.execution.ExecutionState;
import io.tranche.run.play.OrderResult;
import java.util.HashMap;
import java.util.Map;

/// Fills every child order at the bars of its step, as the simulator does that the model was
/// trained in: the same matching with the same frictions, to the last bit.
final class AssumedFills implements FillSource {

  private final Map<Dialect, Map<Frictions, Matching>> matchings = new HashMap<>();

  @Override
  public void settle(ReplayOrder order, ReplayDay day) {
    if (!order.isChildOver()) {
      return;
    }
    int from = order.from();
    int until = order.until();
    DayTicks ticks = day.ticks();
    ticks.requireClean(() -> order.named().place(), from, until);
    Matching matching = matching(dialect(order, ticks, from, until), order);
    Fills fills = order.fills(matching, ticks);
    double filled =
        matching.match(
            fills, order.kind(), order.volume(), order.remaining(), order.isLast(), from, until);
    if (filled > 0) {
      int slot = from - order.window().firstTick();
      double[] paid = fills.prices();
      double value =
          paid == null
              ? ticks.value(from, until, fills.amounts(), slot, Gaps.SKIP)
              : Sums.dot(paid, slot, fills.amounts(), slot, until - from, Gaps.SKIP);
      order.assume(filled, value / filled);
    }
    order.forgetChild();
  }

  /// Qlib's simulator trades bars that are not there, at NaN: where one is missing, the native one
  /// is used instead.
  private static Dialect dialect(ReplayOrder order, DayTicks ticks, int from, int until) {
    boolean isWhole = true;
    for (int tick = from; tick < until; tick++) {
      isWhole &= !ticks.isMissing(tick);
    }
    return order.terms().isQlib() && isWhole ? Dialect.QLIB : Dialect.NATIVE;
  }

  private Matching matching(Dialect dialect, ReplayOrder order) {
    return matchings
        .computeIfAbsent(dialect, _ -> new HashMap<>())
        .computeIfAbsent(
            order.terms().frictions(), frictions -> Matching.of(dialect.fillRule(), frictions));
  }

  @Override
  public OrderResult result(ReplayOrder order, ReplayDay day) {
    DayTicks ticks = day.ticks();
    var window = order.window();
    Dialect dialect = dialect(order, ticks, window.firstTick(), window.endTick());
    Matching matching = matching(dialect, order);
    return OrderResult.of(
        ExecutionState.matched(
            order.named().order(),
            ticks,
            matching,
            dialect,
            window,
            order.fills(matching, ticks),
            order.steps(),
            order.remaining()));
  }
}
