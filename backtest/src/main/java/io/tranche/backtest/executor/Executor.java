package io.tranche.backtest.executor;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.Matching;
import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.Exchange;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.executor.ExecutorConfig.LevelConfig;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Side;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Executes decisions within decisions: each step of a level is carried out by the steps of the
/// level below, down to the market. Qlib: `NestedExecutor` around a `SimulatorExecutor`, and
/// `collect_data_loop`.
///
/// An interruptible state machine: when a strategy waits for an external decision, [#advance]
/// returns, and the next call continues from there. The levels' current steps are the whole state;
/// no thread waits. Used by one thread at a time.
public final class Executor {

  /// Receives events; called by the thread that advances.
  @FunctionalInterface
  public interface Listener {

    void filled(ExchangeFill fill);

    /// Receives a decision before the level below executes it, or the market if `level` is the
    /// lowest.
    default void decided(Level level, TradeDecision decision) {}
  }

  private final List<Level> levels = new ArrayList<>();
  private final Leaf leaf;
  private final Listener listener;
  private final boolean valuesBelow;
  private int depth;

  /// @param outermost decides at the steps of the outermost level
  /// @param calendars of the levels' steps
  /// @throws DataException if there is no calendar of a level's frequency
  public Executor(
      ExecutorConfig config,
      Strategy outermost,
      QuoteSource calendars,
      Exchange exchange,
      Account account,
      Listener listener) {
    Matching matching = config.matching() == null ? null : Matching.of(config.matching());
    Strategy strategy = outermost;
    for (LevelConfig level : config.levels()) {
      levels.add(
          level(config, level.name(), level.frequency(), strategy, calendars, exchange, matching));
      strategy = level.strategy().create();
    }
    String leafName = config.leaf().toString();
    levels.add(level(config, leafName, config.leaf(), strategy, calendars, exchange, matching));
    this.leaf =
        matching == null
            ? new BarLeaf(account, config.buysFirst())
            : new MatchingLeaf(matching, levels.getFirst());
    this.listener = listener;
    this.valuesBelow = config.indicators().valuesBelow();
  }

  private static Level level(
      ExecutorConfig config,
      String name,
      Frequency frequency,
      Strategy strategy,
      QuoteSource calendars,
      Exchange exchange,
      @Nullable Matching matching) {
    Calendar steps = calendars.calendar(frequency);
    return new Level(
        name,
        strategy,
        new StepCalendar(steps, config.lastStepTrades()),
        new IndicatorSums(exchange, config.indicators()),
        exchange,
        calendars.calendar(),
        matching);
  }

  /// Returns the levels that have a level below, the outermost first.
  public List<Level> levels() {
    return levels.subList(0, levels.size() - 1);
  }

  /// Announces the coming orders to every strategy, by date; call it before [#begin].
  public void expect(List<Order> orders) {
    levels.forEach(level -> level.strategy.expect(orders));
  }

  /// Begins a run over the outermost steps that start between `start` and `end`.
  public void begin(long start, long end) {
    depth = 0;
    levels.getFirst().begin(start, end, null);
  }

  /// Whether all steps are over.
  public boolean isFinished() {
    return levels.getFirst().steps.isFinished();
  }

  /// Executes until a strategy waits or all steps are over.
  ///
  /// @return whether a strategy waits
  public boolean advance() {
    while (depth > 0 || !levels.getFirst().isOver()) {
      Level level = levels.get(depth);
      if (level.isOver()) {
        level.strategy.finished(level);
        depth--;
        measure(levels.get(depth));
      } else if (!isInRange(level)) {
        level.steps.advance();
      } else {
        TradeDecision decision = level.strategy.decide(level, level.last);
        if (decision == null) {
          return true;
        }
        execute(level, decision.within(level.range()));
      }
    }
    return false;
  }

  /// Returns the history of the level with this name.
  ///
  /// @throws IllegalArgumentException if there is none
  public List<StepIndicators> history(String name) {
    for (Level level : levels()) {
      if (level.frequency().equals(name)) {
        return List.copyOf(level.history);
      }
    }
    throw new IllegalArgumentException("level must be one of the executor's, was " + name);
  }

  private static boolean isInRange(Level level) {
    int step = level.steps.step();
    return step >= level.firstStep() && step <= level.lastStep();
  }

  private void execute(Level level, TradeDecision decision) {
    level.decision = decision;
    listener.decided(level, decision);
    if (depth < levels.size() - 1) {
      level.fills = new ArrayList<>();
      level.sums.clear();
      depth++;
      levels.get(depth).begin(level.steps.stepStart(), level.steps.stepEnd(), decision);
      return;
    }
    List<ExchangeFill> fills = leaf.fill(level, decision);
    fills.forEach(listener::filled);
    StepCalendar steps = level.steps;
    IndicatorSums above = levels.get(depth - 1).sums;
    above.add(steps.stepStart(), steps.stepEnd(), decision.range(), fills, leaf.fillsOnce());
    level.fills = fills;
    complete(level, depth);
  }

  /// Measures the current step of a level after all steps below it.
  private void measure(Level level) {
    long start = level.steps.stepStart();
    TradeDecision decision = level.currentDecision();
    StepIndicators indicators = level.sums.measure(start, decision);
    level.history.add(depth > 0 && valuesBelow ? indicators.withValuesAsPrices() : indicators);
    if (depth > 0) {
      levels.get(depth - 1).sums.add(start, level.steps.stepEnd(), decision.range(), indicators);
    }
    complete(level, depth);
  }

  private void complete(Level level, int at) {
    level.steps.advance();
    level.last = level.fills;
    level.strategy.filled(level, level.fills);
    if (at > 0) {
      levels.get(at - 1).fills.addAll(level.fills);
    }
  }

  /// Sends each order of a step to the exchange as a whole. Qlib: `SimulatorExecutor`.
  private static final class BarLeaf implements Leaf {

    private final Account account;
    private final boolean buysFirst;
    private final Map<String, double[]> filledToday = new HashMap<>();
    private long today = Long.MIN_VALUE;

    /// @param buysFirst whether purchases go first, so that they cannot use the proceeds of sales.
    ///   Qlib: trade type `parallel`
    BarLeaf(Account account, boolean buysFirst) {
      this.account = account;
      this.buysFirst = buysFirst;
    }

    @Override
    public boolean fillsOnce() {
      return true;
    }

    @Override
    public List<ExchangeFill> fill(Level level, TradeDecision decision) {
      List<ExchangeOrder> orders = decision.orders();
      if (orders.isEmpty()) {
        return List.of();
      }
      long day = Math.floorDiv(level.steps().stepStart(), BarTime.SECONDS_A_DAY);
      if (day > today) {
        today = day;
        filledToday.clear();
      }
      if (buysFirst) {
        orders = new ArrayList<>(orders);
        orders.sort(Comparator.comparing(order -> order.side() == Side.SELL));
      }
      var fills = new ArrayList<ExchangeFill>(orders.size());
      for (ExchangeOrder order : orders) {
        fills.add(fill(level, order));
      }
      return fills;
    }

    private ExchangeFill fill(Level level, ExchangeOrder order) {
      if (!(order.kind() instanceof Kind.Market)) {
        throw new IllegalArgumentException("order must be a market order, was " + order.kind());
      }
      double[] filled = filledToday.computeIfAbsent(order.instrument(), _ -> new double[1]);
      ExchangeFill fill = level.exchange().fill(order, account, filled[0]);
      filled[0] += fill.amount();
      return fill;
    }
  }
}
