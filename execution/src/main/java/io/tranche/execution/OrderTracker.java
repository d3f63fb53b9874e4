package io.tranche.execution;

import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Fills;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Matching;
import io.tranche.backtest.Sums;
import io.tranche.backtest.Sums.Gaps;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.exchange.Quotes;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepCalendar;
import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.executor.TradeRange;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.OrderWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Follows one order of a backtest through the levels below its strategy, and shows its state to
/// policies. Qlib: `SAOEStateAdapter`.
///
/// Under Qlib's rules histories have its quirks: the advantage of a tick is that of the level's
/// whole step, as a fraction; a step's requested volume is what it filled; prices are the market's;
/// and the metrics subtract the fills twice from what remains (quirks Q36, Q37).
final class OrderTracker {

  private final ExchangeOrder order;
  private final OrderEpisode episode;
  private final boolean qlib;
  private final int shownTicksPerStep;

  private int taken;
  private int tick;
  private int stepTick; // the ticks of the step that is being executed
  private int stepEnd;
  private long time;
  private double remaining;
  private double requested;
  private @Nullable ExecutionMetrics metrics;

  /// @param granularity minutes per bar
  OrderTracker(ExchangeOrder order, Level level, int granularity, boolean qlib) {
    this.order = order;
    this.qlib = qlib;
    TradeRange range = level.range();
    Quotes quotes = level.exchange().quotes(order.instrument());
    int from = quotes == null ? 0 : quotes.from(order.start());
    int to = quotes == null ? 0 : quotes.to(order.end());
    if (quotes == null || from >= to) {
      throw new DataException(
          order.toString(), "bars of the instrument on the order's day", "none");
    }
    int minutes = level.steps().minutes();
    if (granularity < 1 || minutes % granularity != 0) {
      throw new DataException(
          "level " + level.frequency(),
          "steps of a multiple of %d minutes, the data's granularity".formatted(granularity),
          minutes);
    }
    DayTicks ticks = quotes.ticks(order.side(), from, to);
    long start = order.start();
    long first = range == null ? start : range.clipStart(start);
    long last = range == null ? order.end() : range.clipEnd(start, order.end());
    int firstTick = ticks.ceiling(first);
    int endTick = ticks.ceiling(last + 1);
    if (firstTick >= endTick) {
      throw new DataException(order.toString(), "a bar within the trading window", "none");
    }
    int rows = minutes / granularity;
    this.episode =
        new OrderEpisode(
            qlib ? order(order, start, order.end()) : order(order, first, last),
            ticks,
            qlib ? withoutGaps(ticks, firstTick, endTick, rows) : ticks,
            qlib ? Dialect.QLIB : Dialect.NATIVE,
            new OrderWindow(firstTick, endTick, rows),
            Fills.recorded(ticks, order.side(), firstTick, endTick, !qlib),
            qlib ? Double.NaN : restPrice(level, ticks, firstTick, endTick),
            qlib);
    this.shownTicksPerStep = qlib ? minutes : rows;
    this.tick = firstTick;
    this.time = ticks.time(firstTick);
    this.remaining = order.amount();
  }

  private double restPrice(Level level, DayTicks ticks, int firstTick, int endTick) {
    Matching matching = level.matching();
    return (matching == null ? Matching.of(Frictions.NONE) : matching)
        .restPrice(ticks, order.side(), firstTick, endTick);
  }

  private static Order order(ExchangeOrder order, long start, long end) {
    return new Order(
        order.instrument(),
        order.side(),
        order.amount(),
        BarTime.dateTime(start),
        BarTime.dateTime(end));
  }

  /// Returns the ticks with each step's gaps replaced by the median of the step.
  private static DayTicks withoutGaps(DayTicks ticks, int firstTick, int endTick, int rows) {
    double[] prices = new double[ticks.count()];
    double[] volumes = new double[ticks.count()];
    long[] times = new long[ticks.count()];
    for (int i = 0; i < prices.length; i++) {
      times[i] = ticks.time(i);
      prices[i] = ticks.price(i);
      volumes[i] = ticks.volume(i);
    }
    for (int from = firstTick; from < endTick; from += rows - from % rows) {
      int to = Math.min(from + rows - from % rows, endTick);
      fillGaps(prices, from, to);
      fillGaps(volumes, from, to);
    }
    return DayTicks.of(ticks.instrument(), times, prices, volumes, false);
  }

  private static void fillGaps(double[] values, int from, int to) {
    int numbers = Sums.numbers(values, from, to - from);
    if (numbers == to - from || numbers == 0) {
      return;
    }
    double[] sorted = new double[numbers];
    int next = 0;
    for (int i = from; i < to; i++) {
      if (!Double.isNaN(values[i])) {
        sorted[next++] = values[i];
      }
    }
    Arrays.sort(sorted);
    double median = (sorted[(numbers - 1) / 2] + sorted[numbers / 2]) / 2;
    for (int i = from; i < to; i++) {
      values[i] = Double.isNaN(values[i]) ? median : values[i];
    }
  }

  boolean follows(ExchangeOrder other) {
    return order.instrument().equals(other.instrument()) && order.side() == other.side();
  }

  ExecutionState state() {
    return new ExecutionState(episode, taken, shownTicksPerStep, time, tick, remaining, metrics);
  }

  /// Remembers which ticks the current step covers.
  void beginStep(Level level) {
    StepCalendar steps = level.steps();
    stepTick = Math.max(episode.ticks.ceiling(steps.stepStart()), episode.firstTick);
    stepEnd = Math.min(episode.ticks.ceiling(steps.stepEnd() + 1), episode.endTick);
  }

  void request(double volume) {
    requested = volume;
  }

  /// Records the fills of the step; `fills` are those of all orders.
  void endStep(List<ExchangeFill> fills, Level level) {
    if (stepEnd <= stepTick) {
      return;
    }
    double[] filled = episode.amounts;
    int first = stepTick - episode.firstTick;
    int end = stepEnd - episode.firstTick;
    double[] prices = episode.fills.prices();
    if (prices != null) {
      // Without a fill the price is the market's, as in the simple simulator.
      for (int row = first; row < end; row++) {
        prices[row] = episode.ticks.price(episode.firstTick + row);
      }
    }
    for (ExchangeFill fill : fills) {
      if (follows(fill.order())) {
        record(fill);
      }
    }
    double sum = Sums.sum(filled, first, end - first, Gaps.SPREAD);
    if (qlib && sum > remaining && sum > 0) {
      // Rounding to trade units may have filled more than remained (quirk Q30).
      double scale = remaining / sum;
      for (int row = first; row < end; row++) {
        filled[row] *= scale;
      }
      sum = Sums.sum(filled, first, end - first, Gaps.SPREAD);
    }
    double running = 0;
    for (int row = first; row < end; row++) {
      running += filled[row];
      episode.remained[row] = remaining - running;
    }
    remaining -= sum;
    if (!qlib && Math.abs(remaining) < Dialect.NATIVE.remainder().of(order.amount())) {
      remaining = 0;
    }
    episode.requested[taken] = qlib ? sum : requested;
    episode.stepRemained[taken] = remaining;
    if (episode.levelAdvantages != null) {
      StepIndicators latest = level.latest();
      episode.levelAdvantages[taken] = latest == null ? Double.NaN : latest.advantage();
    }
    taken++;
    episode.stepRows[taken] = end;
    moveOn();
  }

  private void record(ExchangeFill fill) {
    int at = episode.ticks.ceiling(fill.time());
    if (at < stepTick || at >= stepEnd) {
      throw new IllegalStateException(
          "fill must be within the step, was %s at %s"
              .formatted(fill.order(), BarTime.format(fill.time())));
    }
    int row = at - episode.firstTick;
    episode.amounts[row] = fill.amount();
    double[] prices = episode.fills.prices();
    double[] fees = episode.fills.fees();
    if (prices != null && fees != null) {
      prices[row] = fill.price();
      fees[row] = fill.cost();
    }
  }

  private void moveOn() {
    DayTicks ticks = episode.ticks;
    int next = tick + episode.ticksPerStep - tick % episode.ticksPerStep;
    boolean over = qlib ? next >= ticks.count() : next >= episode.endTick;
    tick = over ? (qlib ? ticks.count() : episode.endTick) : next;
    time = over ? BarTime.of(episode.order.end()) : ticks.time(next);
  }

  /// Computes the metrics; no step will follow.
  void finish() {
    double filled = Sums.sum(episode.amounts, 0, episode.stepRows[taken], Gaps.SKIP);
    metrics = episode.total(taken, qlib ? remaining - filled : remaining);
  }

  /// The orders that a strategy splits, each followed through the levels below. Qlib:
  /// `SAOEStrategy`.
  static final class TrackedOrders {

    private final int granularity;
    private final boolean qlib;
    private final List<OrderTracker> trackers = new ArrayList<>();

    /// @param granularity minutes per bar
    TrackedOrders(int granularity, boolean qlib) {
      this.granularity = granularity;
      this.qlib = qlib;
    }

    void begin(Level level) {
      trackers.clear();
      if (!level.outer().isEmpty()) {
        for (ExchangeOrder order : level.outer().orders()) {
          trackers.add(new OrderTracker(order, level, granularity, qlib));
        }
      }
    }

    /// Returns one tracker per order of the decision above.
    List<OrderTracker> all() {
      return trackers;
    }

    void beginStep(Level level) {
      trackers.forEach(tracker -> tracker.beginStep(level));
    }

    void endStep(List<ExchangeFill> fills, Level level) {
      trackers.forEach(tracker -> tracker.endStep(fills, level));
    }

    void finish() {
      trackers.forEach(OrderTracker::finish);
    }
  }
}
