package io.tranche.execution;

import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Fills;
import io.tranche.backtest.Sums;
import io.tranche.backtest.Sums.Gaps;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.order.OrderWindow;
import org.jspecify.annotations.Nullable;

/// The history of one order, one array per quantity. The simulator writes each element once, tick
/// after tick, so all states of the episode share it.
///
/// Only fills are kept; the rows that Qlib stores are computed on access. A row is a tick of the
/// order, 0 the first.
final class OrderEpisode {

  /// Amounts below this count as none. Qlib: `EPS`.
  static final double EPSILON = 1e-12;

  final Order order;
  final DayTicks ticks;
  final DayTicks market; // the ticks as rows show them: Qlib's realistic simulator fills gaps
  final Dialect dialect;
  final OrderWindow window;
  final int ticksPerStep;
  final int firstTick;
  final int endTick;
  final double twapPrice;
  final double restPrice; // at which what is not filled counts; NaN if it does not

  final Fills fills;
  final double[] amounts; // the fills' amounts
  final double[] remained;

  final double[] requested;
  final double[] stepRemained;
  final int[] stepRows; // one more than there are steps
  final double @Nullable [] levelAdvantages; // what each step's ticks show instead of their own

  /// @param market the ticks as rows show them
  /// @param restPrice at which what is not filled counts; NaN if it does not, as in Qlib
  /// @param showsLevel whether a tick's advantage is that of the level's step, to be set in
  ///   `levelAdvantages`
  OrderEpisode(
      Order order,
      DayTicks ticks,
      DayTicks market,
      Dialect dialect,
      OrderWindow window,
      Fills fills,
      double restPrice,
      boolean showsLevel) {
    this.order = order;
    this.ticks = ticks;
    this.market = market;
    this.dialect = dialect;
    this.window = window;
    this.ticksPerStep = window.ticksPerStep();
    this.firstTick = window.firstTick();
    this.endTick = window.endTick();
    this.twapPrice = ticks.meanPrice(firstTick, endTick);
    this.restPrice = restPrice;
    this.fills = fills;
    this.amounts = fills.amounts();
    this.remained = new double[amounts.length];
    int steps = window.steps();
    this.requested = new double[steps];
    this.stepRemained = new double[steps];
    this.stepRows = new int[steps + 1];
    this.levelAdvantages = showsLevel ? new double[steps] : null;
  }

  double tradePrice(int row) {
    double[] paid = fills.prices();
    return paid == null ? market.price(firstTick + row) : paid[row];
  }

  double fees(int from, int to) {
    double[] fees = fills.fees();
    return fees == null ? 0 : Sums.sum(fees, from, to - from, Gaps.SPREAD);
  }

  /// Returns the value of the fills of the rows from `from` to `to`.
  double value(int from, int to, Gaps gaps) {
    double[] paid = fills.prices();
    return paid == null
        ? market.value(firstTick + from, firstTick + to, amounts, from, gaps)
        : Sums.dot(paid, from, amounts, from, to - from, gaps);
  }

  /// Returns the average price of the rows weighted by their fills, 0 if there are none.
  double averagePrice(int from, int to, double filled, Gaps gaps) {
    if (Math.abs(filled) < EPSILON) {
      return 0;
    }
    return value(from, to, gaps) / Sums.sum(amounts, from, to - from, gaps);
  }

  /// Returns the advantage of an average price over the TWAP of the order's window.
  double advantageBps(double averagePrice, double filled) {
    return Math.abs(filled) < EPSILON && !dialect.pricesNothingAtZero()
        ? 0
        : ExecutionMetrics.advantageBps(order.side(), averagePrice, twapPrice);
  }

  ExecutionMetrics tickRow(int row) {
    double amount = amounts[row];
    double price = tradePrice(row);
    return new ExecutionMetrics(
        order.instrument(),
        BarTime.dateTime(ticks.time(firstTick + row)),
        order.side(),
        market.volume(firstTick + row),
        market.price(firstTick + row),
        amount,
        amount,
        amount,
        price,
        price * amount,
        remained[row],
        amount / order.amount(),
        levelAdvantages == null ? tickAdvantageBps(price) : levelAdvantages[stepOf(row)]);
  }

  private int stepOf(int row) {
    int step = 0;
    while (stepRows[step + 1] <= row) {
      step++;
    }
    return step;
  }

  private double tickAdvantageBps(double price) {
    return dialect.addsSingles() && ticks.isSingle()
        ? ExecutionMetrics.singleAdvantageBps(order.side(), (float) price, (float) twapPrice)
        : ExecutionMetrics.advantageBps(order.side(), price, twapPrice);
  }

  ExecutionMetrics stepRow(int step) {
    int from = stepRows[step];
    int to = stepRows[step + 1];
    Gaps gaps = stepGaps();
    double filled = Sums.sum(amounts, from, to - from, Gaps.SPREAD);
    double average = averagePrice(from, to, filled, gaps);
    return new ExecutionMetrics(
        order.instrument(),
        BarTime.dateTime(ticks.time(firstTick + from)),
        order.side(),
        market.totalVolume(firstTick + from, firstTick + to, gaps, dialect.addsSingles()),
        market.meanPrice(firstTick + from, firstTick + to, gaps, dialect.addsSingles()),
        requested[step],
        filled,
        filled,
        average,
        value(from, to, gaps),
        stepRemained[step],
        filled / order.amount(),
        advantageBps(average, filled));
  }

  /// Returns the advantage of a step's fills, as in its row.
  double stepAdvantageBps(int step) {
    int from = stepRows[step];
    int to = stepRows[step + 1];
    double filled = Sums.sum(amounts, from, to - from, Gaps.SPREAD);
    return advantageBps(averagePrice(from, to, filled, stepGaps()), filled);
  }

  private Gaps stepGaps() {
    return dialect.trustsData() ? Gaps.SPREAD : Gaps.SKIP;
  }

  /// Returns the metrics of the whole order after `steps` steps. Unlike those of a step, its sums
  /// skip NaN under either dialect; only the average price does not.
  ExecutionMetrics total(int steps, double remaining) {
    int rows = stepRows[steps];
    double filled = Sums.sum(amounts, 0, rows, Gaps.SKIP);
    double average = averagePrice(0, rows, filled, stepGaps());
    double value = value(0, rows, Gaps.SKIP);
    return new ExecutionMetrics(
        order.instrument(),
        BarTime.dateTime(ticks.time(0)),
        order.side(),
        market.totalVolume(firstTick, firstTick + rows, Gaps.SKIP, dialect.addsSingles()),
        market.meanPrice(firstTick, firstTick + rows, Gaps.SKIP, dialect.addsSingles()),
        Sums.sum(requested, 0, steps, Gaps.SKIP),
        filled,
        filled,
        average,
        value,
        remaining,
        filled / order.amount(),
        remaining > 0 && !Double.isNaN(restPrice)
            ? ExecutionMetrics.advantageBps(
                order.side(), (value + remaining * restPrice) / order.amount(), twapPrice)
            : advantageBps(average, filled));
  }

  /// Returns the order's name in errors.
  static String name(Order order) {
    return "order %s %s %s, %s .. %s"
        .formatted(order.side(), order.amount(), order.instrument(), order.start(), order.end());
  }
}
