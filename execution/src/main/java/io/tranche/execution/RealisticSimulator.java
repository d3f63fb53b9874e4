package io.tranche.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.exchange.Exchange;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.executor.Executor;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepCalendar;
import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.executor.TradeDecision;
import io.tranche.backtest.executor.TradeRange;
import io.tranche.backtest.strategy.OrderListStrategy;
import io.tranche.env.EnvContext;
import io.tranche.env.EpisodePlot;
import io.tranche.env.Simulator;
import io.tranche.execution.OrderTracker.TrackedOrders;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.cache.RecentCache;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Works one order in the backtest's nested executor: the levels below split each decision further,
/// and the exchange fills it by its rules. Qlib: `SingleAssetOrderExecution`.
///
/// The constructor runs to the first decision, [#step] to the next.
public final class RealisticSimulator implements Simulator<ExecutionState, ChildOrder> {

  private final ProxyStrategy proxy;
  private final Executor executor;
  private final EnvContext context;
  private final boolean qlib;
  private final List<ExchangeFill> fills = new ArrayList<>();

  RealisticSimulator(
      Order order,
      RealisticSimulatorConfig config,
      QuoteSource source,
      Exchange exchange,
      EnvContext context) {
    if (!order.end().toLocalDate().equals(order.date())) {
      throw new DataException(
          OrderEpisode.name(order), "an end on the day of the start", order.end().toLocalDate());
    }
    if (!order.start().isBefore(order.end())) {
      throw new DataException(OrderEpisode.name(order), "an end after the start", order.end());
    }
    this.context = context;
    this.qlib = config.qlib();
    this.proxy = new ProxyStrategy(config.granularity(), qlib);
    var window = TradeRange.between(order.start().toLocalTime(), order.end().toLocalTime());
    this.executor =
        new Executor(
            config.executor(proxy),
            new OrderListStrategy(List.of(order), window),
            source,
            exchange,
            config.accounts().get(),
            fills::add);
    long day = BarTime.of(order.date());
    executor.begin(day, day + BarTime.SECONDS_A_DAY - 1);
    if (!executor.advance()) {
      throw new DataException(
          OrderEpisode.name(order), "an amount to trade on a trading day", order.amount());
    }
  }

  @Override
  public ExecutionState state() {
    return proxy.state();
  }

  @Override
  public boolean isDone() {
    return executor.isFinished();
  }

  @Override
  public void step(ChildOrder child) {
    if (isDone()) {
      throw new IllegalStateException("order must not be finished, was: " + state());
    }
    // Written so that NaN is refused too.
    if (!(child.volume() >= 0)) {
      throw new IllegalArgumentException(
          "volume must not be negative, was %s at %s".formatted(child.volume(), state()));
    }
    proxy.offer(child);
    executor.advance();
    ExecutionState state = state();
    ExecutionMetrics metrics = state.metrics();
    if (isDone() && metrics != null && !qlib) {
      metrics.writeTo(context.log(), state, false);
    }
  }

  @Override
  public void draw(EpisodePlot picture) {
    ExecutionPlot.draw(state(), picture);
  }

  /// Returns the number of steps of its level since the first one of the trading range. While the
  /// order is worked that is the state's step; afterwards it includes the steps beyond the range.
  /// Qlib: `cur_step`.
  public int levelStep() {
    return proxy.levelStep();
  }

  /// Returns all fills so far.
  public List<ExchangeFill> fills() {
    return Collections.unmodifiableList(fills);
  }

  /// Returns the indicators of the steps of the level with this name.
  public List<StepIndicators> history(String level) {
    return executor.history(level);
  }

  /// Makes the episodes of a [RealisticSimulator]. Keeps the quotes of the latest days. Safe to use
  /// from several threads.
  public static final class RealisticSimulatorFactory
      implements Simulator.Factory<Order, ExecutionState, ChildOrder> {

    private record Day(String instrument, LocalDate date) {}

    private final RealisticSimulatorConfig config;
    private final QuoteSource source;
    private final RecentCache<Day, Exchange> exchanges;

    /// @param daysKept how many days of quotes are kept
    public RealisticSimulatorFactory(
        RealisticSimulatorConfig config, QuoteSource source, int daysKept) {
      this.config = config;
      this.source = source.keepingCalendars();
      this.exchanges =
          new RecentCache<>(
              daysKept,
              day ->
                  new Exchange(
                      config.exchange(),
                      List.of(
                          source.quotes(
                              config.exchange(), day.instrument(), day.date(), day.date()))));
    }

    /// @throws DataException if the order or its data break a rule
    @Override
    public RealisticSimulator create(Order order, EnvContext context) {
      Exchange exchange = exchanges.get(new Day(order.instrument(), order.date()));
      return new RealisticSimulator(order, config, source, exchange, context);
    }

    /// Makes an episode outside any environment; its log is discarded.
    ///
    /// @throws DataException as above
    public RealisticSimulator create(Order order) {
      return create(order, EnvContext.SILENT);
    }
  }

  /// Leaves the decisions for its only order to the caller: waits until a child order is offered.
  /// Qlib: `ProxySAOEStrategy`.
  static final class ProxyStrategy implements Strategy {

    private final TrackedOrders orders;
    private final boolean qlib;
    private @Nullable Level level;
    private @Nullable ChildOrder offered;

    /// @param granularity minutes per bar
    ProxyStrategy(int granularity, boolean qlib) {
      this.orders = new TrackedOrders(granularity, qlib);
      this.qlib = qlib;
    }

    @Override
    public void begin(Level begun) {
      if (begun.outer().orders().size() != 1) {
        throw new IllegalStateException(
            "decision must have one order, was " + begun.outer().orders());
      }
      level = begun;
      orders.begin(begun);
    }

    /// Gives the decision that the executor waits for.
    void offer(ChildOrder child) {
      offered = child;
    }

    @Override
    public @Nullable TradeDecision decide(Level current, @Nullable List<ExchangeFill> last) {
      ChildOrder decided = offered;
      orders.beginStep(current);
      if (decided == null) {
        return null;
      }
      offered = null;
      StepCalendar steps = current.steps();
      ChildOrder child =
          !qlib && steps.step() == current.lastStep()
              ? decided.withAll(state().remaining())
              : decided;
      orders.all().forEach(tracker -> tracker.request(child.volume()));
      ExchangeOrder order = current.outer().orders().getFirst();
      return TradeDecision.of(
          List.of(order.child(child.volume(), steps.stepStart(), steps.stepEnd(), child.kind())));
    }

    @Override
    public void filled(Level current, List<ExchangeFill> fills) {
      orders.endStep(fills, current);
    }

    @Override
    public void finished(Level current) {
      orders.finish();
    }

    ExecutionState state() {
      return orders.all().getFirst().state();
    }

    /// Returns the number of steps of the level since the first one of the trading range; after the
    /// end it includes those beyond the range. Qlib: `cur_step`.
    int levelStep() {
      Level known = Objects.requireNonNull(level, "the executor begins before this is called");
      return known.steps().step() - known.firstStep();
    }
  }
}
