package io.tranche.backtest.executor;

import io.tranche.backtest.Matching;
import io.tranche.backtest.exchange.Exchange;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.market.Calendar;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One level of a nested execution: its steps, the strategy that decides at each, and the results.
public final class Level {

  final Strategy strategy;
  final StepCalendar steps;
  final IndicatorSums sums; // of the steps below the current one
  final List<StepIndicators> history = new ArrayList<>();
  private final String frequency;
  private final Exchange exchange;
  private final Calendar bars;
  private final @Nullable Matching matching;

  @Nullable TradeDecision outer;
  @Nullable TradeDecision decision; // for the current step, while it is executed
  @Nullable List<ExchangeFill> last;
  List<ExchangeFill> fills = new ArrayList<>(); // of the current step
  private int firstStep;
  private int lastStep;

  Level(
      String frequency,
      Strategy strategy,
      StepCalendar steps,
      IndicatorSums sums,
      Exchange exchange,
      Calendar bars,
      @Nullable Matching matching) {
    this.frequency = frequency;
    this.strategy = strategy;
    this.steps = steps;
    this.sums = sums;
    this.exchange = exchange;
    this.bars = bars;
    this.matching = matching;
  }

  void begin(long start, long end, @Nullable TradeDecision above) {
    steps.reset(start, end);
    outer = above;
    last = null;
    firstStep = above == null ? 0 : above.firstStep(steps);
    lastStep = above == null ? steps.count() - 1 : above.lastStep(steps);
    strategy.begin(this);
  }

  /// Whether this level has no further step to execute.
  boolean isOver() {
    return steps.isFinished() || (outer != null && outer.isEmpty());
  }

  /// Returns the width of its steps, as written in the configuration.
  public String frequency() {
    return frequency;
  }

  public StepCalendar steps() {
    return steps;
  }

  public Exchange exchange() {
    return exchange;
  }

  /// Returns the calendar of the exchange's bars.
  public Calendar bars() {
    return bars;
  }

  /// Returns what fills orders at the lowest level, null if it is the exchange.
  public @Nullable Matching matching() {
    return matching;
  }

  /// Whether there is a level above.
  public boolean hasOuter() {
    return outer != null;
  }

  /// Returns the decision of the level above.
  ///
  /// @throws IllegalStateException if there is no level above
  public TradeDecision outer() {
    if (outer == null) {
      throw new IllegalStateException(
          "level " + frequency + " must have a level above, was the outermost");
    }
    return outer;
  }

  /// Returns the first step within the range of the decision above.
  public int firstStep() {
    return firstStep;
  }

  /// Returns the last step within the range of the decision above.
  public int lastStep() {
    return lastStep;
  }

  /// Returns the range of the decision above, null if it has none.
  public @Nullable TradeRange range() {
    return outer == null ? null : outer.range();
  }

  /// Returns the indicators of the latest step, null before the first and at the lowest level.
  public @Nullable StepIndicators latest() {
    return history.isEmpty() ? null : history.getLast();
  }

  TradeDecision currentDecision() {
    return Objects.requireNonNull(decision, "the executor sets it before the level below runs");
  }
}
