package io.tranche.backtest.strategy;

import io.tranche.backtest.exchange.Exchange;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepCalendar;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.executor.TradeDecision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Trades evenly over the steps of its range and makes up for what earlier steps did not fill.
/// Qlib: `TWAPStrategy`.
///
/// Amounts are rounded to the nearest trade unit; the last step takes all that remains.
public final class TwapStrategy implements Strategy {

  /// Amounts up to this are too small for an order.
  static final double NOTHING = 1e-5;

  private final Remaining remaining;
  private double[] units = {}; // of the orders above

  private TwapStrategy(boolean bySide) {
    this.remaining = new Remaining(bySide);
  }

  public static TwapStrategy create() {
    return new TwapStrategy(true);
  }

  /// Returns Qlib's strategy: two orders for one instrument share what remains (quirk Q33).
  public static TwapStrategy asQlib() {
    return new TwapStrategy(false);
  }

  @Override
  public void begin(Level level) {
    List<ExchangeOrder> orders = level.outer().orders();
    remaining.begin(orders);
    units = new double[orders.size()];
    for (int i = 0; i < units.length; i++) {
      ExchangeOrder order = orders.get(i);
      units[i] = level.exchange().tradeUnit(order.instrument(), order.start(), order.end());
    }
  }

  @Override
  public TradeDecision decide(Level level, @Nullable List<ExchangeFill> last) {
    remaining.take(last);
    StepCalendar steps = level.steps();
    Exchange exchange = level.exchange();
    int count = level.lastStep() - level.firstStep() + 1;
    int step = steps.step() - level.firstStep();
    long start = steps.stepStart();
    long end = steps.stepEnd();
    List<ExchangeOrder> outer = level.outer().orders();
    var children = new ArrayList<ExchangeOrder>(outer.size());
    for (int i = 0; i < units.length; i++) {
      ExchangeOrder order = outer.get(i);
      // A price limit may still block the order later.
      if (!exchange.isSuspended(order.instrument(), start, end)) {
        double amount = amount(order, units[i], step, count);
        if (amount > NOTHING) {
          children.add(order.child(amount, start, end));
        }
      }
    }
    return TradeDecision.of(children);
  }

  private double amount(ExchangeOrder order, double unit, int step, int count) {
    double left = remaining.of(order);
    if (step == count - 1) {
      return left;
    }
    double expected = order.amount() / count * (step + 1);
    double due = expected - (order.amount() - left);
    return unit == 0 ? due : Math.min(Math.rint(due / unit) * unit, left);
  }
}
