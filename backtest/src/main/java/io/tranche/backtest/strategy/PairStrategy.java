package io.tranche.backtest.strategy;

import io.tranche.backtest.exchange.Exchange;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepCalendar;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.executor.TradeDecision;
import io.tranche.market.Side;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Picks the better of every two steps: where the price is expected to rise, purchases trade in the
/// first step of a pair and sales in the second, and the other way round where it is expected to
/// fall. The trend is the sign of a fast minus a slow moving average. Qlib: `SBBStrategyEMA`.
public final class PairStrategy implements Strategy {

  /// Qlib's trend: the difference of two exponential averages of the close.
  private static final String TREND = "EMA($close, 10)-EMA($close, 20)";

  private final SignalSteps signals;
  private final boolean finishes;
  private final Remaining remaining;
  private final Map<String, Double> trends = new HashMap<>();

  private PairStrategy(SignalSource source, boolean sound) {
    this.signals = new SignalSteps(source, TREND);
    this.finishes = sound;
    this.remaining = new Remaining(sound);
  }

  /// Returns a strategy that keeps to the trading range and finishes in its last step.
  public static PairStrategy of(SignalSource source) {
    return new PairStrategy(source, true);
  }

  /// Returns Qlib's strategy: it counts the steps of the whole day whatever the trading range, and
  /// finishes only sales in the last one.
  public static PairStrategy asQlib(SignalSource source) {
    return new PairStrategy(source, false);
  }

  @Override
  public void begin(Level level) {
    remaining.begin(level.outer().orders());
    trends.clear();
    signals.begin(level);
  }

  @Override
  public TradeDecision decide(Level level, @Nullable List<ExchangeFill> last) {
    remaining.take(last);
    StepCalendar steps = level.steps();
    int step = finishes ? steps.step() - level.firstStep() : steps.step();
    int count = finishes ? level.lastStep() - level.firstStep() + 1 : steps.count();
    long start = steps.stepStart();
    long end = steps.stepEnd();
    boolean firstOfPair = step % 2 == 0;
    var children = new ArrayList<ExchangeOrder>();
    for (ExchangeOrder order : level.outer().orders()) {
      if (firstOfPair) {
        trends.put(order.instrument(), Math.signum(signals.before(order, steps)));
      }
      double trend = trends.getOrDefault(order.instrument(), 0.0);
      boolean flat = !(trend > 0 || trend < 0);
      if (level.exchange().isTradable(order.instrument(), null, start, end)
          && (flat || isTurn(order.side(), trend, firstOfPair, finishes && step == count - 1))) {
        double amount = amount(level.exchange(), order, step, count, flat);
        if (amount > TwapStrategy.NOTHING) {
          children.add(order.child(amount, start, end));
        }
      }
    }
    return TradeDecision.of(children);
  }

  /// Whether a side trades in this step of the pair.
  private static boolean isTurn(Side side, double trend, boolean firstOfPair, boolean last) {
    boolean early = trend > 0 == (side == Side.BUY);
    return last || early == firstOfPair;
  }

  private double amount(Exchange exchange, ExchangeOrder order, int step, int count, boolean flat) {
    double left = remaining.of(order);
    int steps = count - step;
    double unit = exchange.tradeUnit(order.instrument(), order.start(), order.end());
    // With a trend one step does the work of two: of n steps left, it takes 2 parts of n + 1.
    double amount;
    if (unit == 0) {
      amount = flat ? left / steps : 2 * left / (steps + 1);
    } else {
      double units = Math.floor(left / unit);
      amount =
          flat
              ? Math.floor((units + steps - 1) / steps) * unit
              : Math.floor((units + steps) / (steps + 1)) * 2 * unit;
    }
    boolean finishing = finishes || order.side() == Side.SELL;
    if (finishing
        && left > TwapStrategy.NOTHING
        && (amount < TwapStrategy.NOTHING || step == count - 1)) {
      amount = left;
    }
    return Math.min(amount, left);
  }
}
