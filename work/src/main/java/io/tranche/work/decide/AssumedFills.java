package io.tranche.work.decide;

import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Matching;
import io.tranche.backtest.Sums;
import io.tranche.backtest.Sums.Gaps;
import io.tranche.market.Side;

/// Fills every child order at the bars of its step, like the simple simulator without frictions.
final class AssumedFills implements FillSource {

  private final Matching matching = Matching.of(Frictions.NONE);

  @Override
  public void settle(ReplayOrder order, ReplayDay day) {
    if (!order.isChildOver()) {
      return;
    }
    int from = order.from();
    int until = order.until();
    Side side = order.named().order().side();
    DayTicks ticks = day.ticks(side);
    ticks.requireClean(() -> order.named().place(), from, until);
    var fills = matching.fills(ticks, side, from, until);
    double filled =
        matching.match(
            fills, order.kind(), order.volume(), order.remaining(), order.isLast(), from, until);
    if (filled > 0) {
      double[] paid = fills.prices();
      double value =
          paid == null
              ? ticks.value(from, until, fills.amounts(), 0, Gaps.SKIP)
              : Sums.dot(paid, 0, fills.amounts(), 0, until - from, Gaps.SKIP);
      order.assume(filled, value / filled);
    }
    order.forgetChild();
  }

  @Override
  public boolean areAssumed() {
    return true;
  }
}
