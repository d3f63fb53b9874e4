package io.tranche.execution;

import io.tranche.backtest.DayTicks;
import io.tranche.backtest.FillRule;
import io.tranche.backtest.Fills;
import io.tranche.backtest.Frictions;
import io.tranche.backtest.Matching;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.OrderWindow;
import java.time.LocalDateTime;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// The state of an order between two decisions. Immutable. Qlib: `SAOEState`.
///
/// Histories are views into the episode: making a state costs a few words, and later steps never
/// change what an earlier state shows. A *row* is a tick of the order that has been worked, counted
/// from the order's first tick; a *step* is a decision.
public final class ExecutionState implements StepProgress {

  private final OrderEpisode episode;
  private final int step;
  private final long time;
  private final int tick;
  private final int ticksPerStep;
  private final double remaining;
  private final @Nullable ExecutionMetrics metrics;

  /// @param ticksPerStep the value to show
  ExecutionState(
      OrderEpisode episode,
      int step,
      int ticksPerStep,
      long time,
      int tick,
      double remaining,
      @Nullable ExecutionMetrics metrics) {
    this.episode = episode;
    this.step = step;
    this.ticksPerStep = ticksPerStep;
    this.time = time;
    this.tick = tick;
    this.remaining = remaining;
    this.metrics = metrics;
  }

  /// Returns the end of an order whose child orders were matched outside a simulator, as bars came:
  /// with the metrics that the simulator would have given it.
  ///
  /// @param ticks of the whole day
  /// @param steps how many decisions were worked
  /// @param remaining what is not filled
  public static ExecutionState matched(
      Order order,
      DayTicks ticks,
      Matching matching,
      Dialect dialect,
      OrderWindow window,
      Fills fills,
      int steps,
      double remaining) {
    int first = window.firstTick();
    int end = window.endTick();
    double restPrice =
        dialect.fillRule() == FillRule.NATIVE
            ? matching.restPrice(ticks, order.side(), first, end)
            : Double.NaN;
    var episode = new OrderEpisode(order, ticks, ticks, dialect, window, fills, restPrice, false);
    for (int step = 1; step <= steps; step++) {
      episode.stepRows[step] = window.tickOf(step) - first;
    }
    ExecutionMetrics metrics = episode.total(steps, remaining);
    long time = BarTime.of(order.end());
    return new ExecutionState(
        episode, steps, window.ticksPerStep(), time, window.tickOf(steps), remaining, metrics);
  }

  /// Returns the first state of an order, for a simulator of the user's own: [#next] leads to the
  /// others.
  ///
  /// @param ticks of the whole day
  /// @param ticksPerStep number of ticks from one decision to the next, counted from the day's
  ///   first
  /// @throws DataException if the order has no tick or no price in its window
  public static ExecutionState first(Order order, DayTicks ticks, int ticksPerStep) {
    int firstTick = ticks.ceiling(BarTime.of(order.start()));
    int endTick = ticks.ceiling(BarTime.of(order.end()));
    if (firstTick >= endTick) {
      throw new DataException(OrderEpisode.name(order), "a tick of the day in its window", "none");
    }
    Matching matching = Matching.of(Dialect.NATIVE.fillRule(), Frictions.NONE);
    Fills fills = matching.fills(ticks, order.side(), firstTick, endTick);
    double restPrice = matching.restPrice(ticks, order.side(), firstTick, endTick);
    if (Double.isNaN(restPrice)) {
      throw new DataException(OrderEpisode.name(order), "a bar with a price in its window", "none");
    }
    var window = new OrderWindow(firstTick, endTick, ticksPerStep);
    var episode =
        new OrderEpisode(order, ticks, ticks, Dialect.NATIVE, window, fills, restPrice, false);
    return new ExecutionState(
        episode, 0, ticksPerStep, ticks.time(firstTick), firstTick, order.amount(), null);
  }

  /// Returns the state after one more decision. Only the newest state of an order has a next one.
  ///
  /// @param requested the volume that was asked for
  /// @param filled the fills of the ticks from [#tick] to [#stepEnd], at the deal prices
  /// @throws IllegalStateException if the order is finished, or this is not its newest state
  /// @throws IllegalArgumentException if the fills are not one per tick, negative, or more than
  ///   remains
  public ExecutionState next(double requested, double... filled) {
    if (isFinished() || episode.stepRows[step + 1] != 0) {
      throw new IllegalStateException(
          "state must be the newest one of an order that is not finished, was " + this);
    }
    int end = stepEnd();
    if (filled.length != end - tick) {
      throw new IllegalArgumentException(
          "filled must have %d ticks, was %d".formatted(end - tick, filled.length));
    }
    double left = remaining;
    for (int i = 0; i < filled.length; i++) {
      left -= filled[i];
      if (!(filled[i] >= 0) || left < -episode.dialect.remainder().of(order().amount())) {
        throw new IllegalArgumentException(
            "filled must be in [0, %s], was %s at tick %d"
                .formatted(left + filled[i], filled[i], tick + i));
      }
      int row = tick + i - episode.firstTick;
      episode.amounts[row] = filled[i];
      episode.remained[row] = left;
    }
    double rest = left < OrderEpisode.EPSILON ? 0 : left;
    episode.requested[step] = requested;
    episode.stepRemained[step] = rest;
    episode.stepRows[step + 1] = end - episode.firstTick;
    boolean isLast = end == episode.endTick;
    long until = isLast ? BarTime.of(order().end()) : episode.ticks.time(end);
    return new ExecutionState(
        episode,
        step + 1,
        ticksPerStep,
        until,
        end,
        rest,
        isLast || rest == 0 ? episode.total(step + 1, rest) : null);
  }

  /// Whether no decision is left: the order is filled, or its window is over.
  public boolean isFinished() {
    return remaining < OrderEpisode.EPSILON || tick >= episode.endTick;
  }

  @Override
  public Order order() {
    return episode.order;
  }

  /// Returns the whole day of the order's instrument. Qlib: `backtest_data` and `ticks_index`.
  public DayTicks ticks() {
    return episode.ticks;
  }

  /// Returns the time of the next decision, a [BarTime]; the order's end when there is none.
  public long time() {
    return time;
  }

  public LocalDateTime dateTime() {
    return BarTime.dateTime(time);
  }

  /// Returns the number of ticks of the day before [#time], which is the first tick of the next
  /// decision.
  @Override
  public int tick() {
    return tick;
  }

  /// Returns the tick after the last one of the next step.
  @Override
  public int stepEnd() {
    return tick >= episode.endTick
        ? episode.endTick
        : episode.window.tickOf(episode.window.stepAt(tick) + 1);
  }

  @Override
  public int step() {
    return step;
  }

  @Override
  public double remaining() {
    return remaining;
  }

  /// Returns the first tick of the order's window.
  public int firstTick() {
    return episode.firstTick;
  }

  /// Returns the tick after the last one of the order's window.
  @Override
  public int endTick() {
    return episode.endTick;
  }

  /// Returns the number of ticks in the order's window. Qlib: `len(ticks_for_order)`.
  @Override
  public int ticksForOrder() {
    return episode.endTick - episode.firstTick;
  }

  @Override
  public int ticksPerStep() {
    return ticksPerStep;
  }

  /// Returns the number of steps of the order's window. If its start is not aligned, the first step
  /// is shorter.
  public int maxSteps() {
    return episode.requested.length;
  }

  /// Returns the mean deal price of the order's window, the base of all price advantages.
  public double twapPrice() {
    return episode.twapPrice;
  }

  /// Returns the price at which what an order leaves unfilled counts: the last one of its window at
  /// which it could have traded. NaN if it does not count, as in Qlib.
  public double restPrice() {
    return episode.restPrice;
  }

  /// Returns the metrics of the whole order, null until it is finished.
  public @Nullable ExecutionMetrics metrics() {
    return metrics;
  }

  // ---- history, tick by tick ----

  /// Returns the number of ticks of the order that have been worked.
  public int rows() {
    return episode.stepRows[step];
  }

  public double filled(int row) {
    return episode.amounts[checkedRow(row)];
  }

  /// Returns the deal price of the market at `row`.
  public double marketPrice(int row) {
    return episode.ticks.price(episode.firstTick + checkedRow(row));
  }

  /// Returns the price of the fill at `row`, impact included.
  public double tradePrice(int row) {
    return episode.tradePrice(checkedRow(row));
  }

  /// Returns the fees of the rows from `from` (inclusive) to `to` (exclusive).
  public double fees(int from, int to) {
    return episode.fees(checkedEnd(from), checkedEnd(to));
  }

  /// Returns the fees so far, in basis points of the whole order's value at [#twapPrice].
  public double costBps() {
    double fees = fees(0, rows());
    return fees == 0 ? 0 : 10_000 * fees / (order().amount() * twapPrice());
  }

  /// Returns one row per tick, each computed on access. Qlib: `history_exec`.
  public List<ExecutionMetrics> tickRows() {
    return new Rows(rows(), episode::tickRow);
  }

  // ---- history, step by step ----

  /// Returns the first row of `past`, a step that has been taken, or [#rows] for `past` equal to
  /// [#step].
  public int firstRow(int past) {
    if (past < 0 || past > step) {
      throw new IndexOutOfBoundsException("step must be in [0, %d], was %d".formatted(step, past));
    }
    return episode.stepRows[past];
  }

  /// Returns the volume that was asked for in `past`.
  public double requested(int past) {
    return episode.requested[checkedStep(past)];
  }

  @Override
  public double remainingAfter(int past) {
    return episode.stepRemained[checkedStep(past)];
  }

  /// Returns the price advantage of the fills of `past`, as in its row, but without making the row.
  public double stepAdvantageBps(int past) {
    return episode.stepAdvantageBps(checkedStep(past));
  }

  /// Returns one row per step, each computed on access. Qlib: `history_steps`.
  public List<ExecutionMetrics> stepRows() {
    return new Rows(step, episode::stepRow);
  }

  /// Returns the order's state for errors.
  @Override
  public String toString() {
    return "tick %d (%s), %s left".formatted(tick, BarTime.format(time), remaining);
  }

  private int checkedRow(int row) {
    if (row < 0 || row >= rows()) {
      throw new IndexOutOfBoundsException("row must be in [0, %d), was %d".formatted(rows(), row));
    }
    return row;
  }

  private int checkedEnd(int row) {
    if (row < 0 || row > rows()) {
      throw new IndexOutOfBoundsException("row must be in [0, %d], was %d".formatted(rows(), row));
    }
    return row;
  }

  private int checkedStep(int past) {
    if (past < 0 || past >= step) {
      throw new IndexOutOfBoundsException("step must be in [0, %d), was %d".formatted(step, past));
    }
    return past;
  }

  private static final class Rows extends AbstractList<ExecutionMetrics> implements RandomAccess {
    private final int size;
    private final IntFunction<ExecutionMetrics> maker;

    Rows(int size, IntFunction<ExecutionMetrics> maker) {
      this.size = size;
      this.maker = maker;
    }

    @Override
    public ExecutionMetrics get(int index) {
      if (index < 0 || index >= size) {
        throw new IndexOutOfBoundsException(
            "row must be in [0, %d), was %d".formatted(size, index));
      }
      return maker.apply(index);
    }

    @Override
    public int size() {
      return size;
    }
  }
}
