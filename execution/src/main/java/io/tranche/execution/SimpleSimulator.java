package io.tranche.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.DayTicks;
import io.tranche.backtest.FillRule;
import io.tranche.backtest.Fills;
import io.tranche.backtest.Matching;
import io.tranche.backtest.ParentOrder;
import io.tranche.env.EnvContext;
import io.tranche.env.EpisodePlot;
import io.tranche.env.Simulator;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.OrderWindow;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/// Works one order over one day of ticks: each decision trades until the next step boundary, and
/// the last one finishes the order. Qlib: `SingleAssetOrderExecutionSimple`.
///
/// Steps are aligned to the day's first tick, so an order that starts between two boundaries has a
/// short first step. [Dialect] lists the differences between Qlib's behaviour and the native one.
///
/// Hot path: a step allocates nothing; a state is one small object, and the metrics are made once.
public final class SimpleSimulator implements Simulator<ExecutionState, ChildOrder> {

  private final Matching matching;
  private final EnvContext context;
  private final OrderEpisode episode;
  private final ParentOrder parent;
  private final long end;

  private int step;
  private int tick;
  private long time;
  private double remaining;
  private @Nullable ExecutionMetrics metrics;

  SimpleSimulator(
      Order order,
      DayTicks ticks,
      SimpleSimulatorConfig config,
      Matching matching,
      EnvContext context) {
    this.matching = matching;
    this.context = context;
    this.end = BarTime.of(order.end());
    int firstTick = ticks.ceiling(BarTime.of(order.start()));
    int endTick = ticks.ceiling(end);
    Dialect dialect = config.dialect();
    if (!dialect.trustsData()) {
      requireSound(order, ticks, firstTick, endTick);
    }
    if (firstTick >= endTick) {
      throw new DataException(OrderEpisode.name(order), "a tick of the day in its window", "none");
    }
    Fills fills = matching.fills(ticks, order.side(), firstTick, endTick);
    var window = new OrderWindow(firstTick, endTick, config.ticksPerStep());
    double restPrice =
        dialect.fillRule() == FillRule.NATIVE
            ? matching.restPrice(ticks, order.side(), firstTick, endTick)
            : Double.NaN;
    if (dialect.fillRule() == FillRule.NATIVE && Double.isNaN(restPrice)) {
      throw new DataException(OrderEpisode.name(order), "a bar with a price in its window", "none");
    }
    this.episode = new OrderEpisode(order, ticks, ticks, dialect, window, fills, restPrice, false);
    this.parent = new ParentOrder(order.amount(), dialect.remainder().of(order.amount()));
    this.tick = firstTick;
    this.time = ticks.time(firstTick);
    this.remaining = order.amount();
  }

  private static void requireSound(Order order, DayTicks ticks, int firstTick, int endTick) {
    if (!(order.amount() >= OrderEpisode.EPSILON)) {
      throw new DataException(OrderEpisode.name(order), "a positive amount", order.amount());
    }
    if (ticks.count() > 0) {
      LocalDate lastDate = BarTime.date(ticks.time(ticks.count() - 1));
      if (BarTime.of(order.end()) > BarTime.of(lastDate.plusDays(1))) {
        throw new DataException(
            OrderEpisode.name(order), "an end on the trading day " + lastDate, order.end());
      }
    }
    ticks.requireClean(() -> OrderEpisode.name(order), firstTick, endTick);
  }

  @Override
  public ExecutionState state() {
    return new ExecutionState(episode, step, episode.ticksPerStep, time, tick, remaining, metrics);
  }

  @Override
  public boolean isDone() {
    return remaining < OrderEpisode.EPSILON || time >= end;
  }

  @Override
  public void step(ChildOrder child) {
    if (isDone()) {
      throw new IllegalStateException(
          "order must not be finished, was at %s with %s left: %s"
              .formatted(BarTime.format(time), remaining, OrderEpisode.name(episode.order)));
    }
    int next = episode.window.tickOf(step + 1);
    boolean last = next == episode.endTick;

    double before = remaining;
    double volume = send(child.volume(), last);
    double filled = matching.match(episode.fills, child.kind(), volume, before, last, tick, next);
    receive(filled, volume, last, next);
    remember(volume, before, next);
    tick = next;
    time = last ? end : episode.ticks.time(next);

    boolean isFilled = remaining < OrderEpisode.EPSILON;
    if (isFilled || (last && !episode.dialect.dropsUnfilledMetrics())) {
      finish();
    }
  }

  @Override
  public void draw(EpisodePlot picture) {
    ExecutionPlot.draw(state(), picture);
  }

  /// Returns how much of `volume` goes to the market. The last decision sends everything.
  private double send(double volume, boolean last) {
    Dialect.Excess excess = episode.dialect.excess();
    if (excess == Dialect.Excess.REFUSE_WHEN_FILLED) {
      return volume;
    }
    double limit = parent.available();
    // Written so that NaN is refused too.
    if (!(volume >= 0) || (excess == Dialect.Excess.REFUSE && volume > limit)) {
      throw refused(volume);
    }
    double sent = last ? limit : Math.min(volume, limit);
    parent.submit(sent);
    return sent;
  }

  /// Records what the market filled.
  private void receive(double filled, double volume, boolean last, int next) {
    if (episode.dialect.excess() == Dialect.Excess.REFUSE_WHEN_FILLED) {
      if (Double.isNaN(remaining - filled)) {
        remaining = Double.NaN; // Qlib continues with an unknown volume
        return;
      }
      requirePossible(filled, volume, next);
      parent.submit(filled);
    }
    parent.fill(filled);
    parent.withdraw();
    if (last && !parent.status().isFinal()) {
      parent.expire();
    }
    remaining = parent.remaining();
  }

  private void requirePossible(double filled, double volume, int next) {
    boolean possible = filled < remaining + episode.dialect.remainder().of(episode.order.amount());
    for (int row = tick - episode.firstTick; row < next - episode.firstTick; row++) {
      possible &= episode.amounts[row] >= -OrderEpisode.EPSILON;
    }
    if (!possible) {
      throw refused(volume);
    }
  }

  private IllegalArgumentException refused(double volume) {
    return new IllegalArgumentException(
        "volume must be in [0, %s], was %s at tick %d (%s) of %s"
            .formatted(
                remaining, volume, tick, BarTime.format(time), OrderEpisode.name(episode.order)));
  }

  private void remember(double volume, double before, int next) {
    double sum = 0;
    int end = next - episode.firstTick;
    for (int row = tick - episode.firstTick; row < end; row++) {
      sum += episode.amounts[row];
      episode.remained[row] = before - sum;
    }
    episode.requested[step] = volume;
    episode.stepRemained[step] = remaining;
    step++;
    episode.stepRows[step] = end;
  }

  private void finish() {
    ExecutionMetrics total = episode.total(step, remaining);
    metrics = total;
    boolean singles = episode.dialect.addsSingles() && episode.ticks.isSingle();
    total.writeTo(context.log(), state(), singles);
    if (matching.frictions().costs().hasFees()) {
      double cost = state().costBps();
      context.log().scalar("cost_bps", cost);
      context.log().scalar("net_pa", total.advantageBps() - cost);
    }
  }

  /// Makes the episodes of a [SimpleSimulator]. It holds everything that they share, so an episode
  /// costs little more than the memory for its fills. Safe to use from several threads.
  public static final class SimulatorFactory
      implements Simulator.Factory<Order, ExecutionState, ChildOrder> {

    private final SimpleSimulatorConfig config;
    private final TickSource ticks;
    private final Matching matching;

    public SimulatorFactory(SimpleSimulatorConfig config, TickSource ticks) {
      this.config = config;
      this.ticks = ticks;
      this.matching = Matching.of(config.dialect().fillRule(), config.frictions());
    }

    /// Returns the volume cap, as a fraction of each tick's volume; infinite if there is none.
    public double participation() {
      return config.frictions().participation();
    }

    /// @throws DataException if the order or its ticks break a rule; names the order, the tick and
    ///   the value
    @Override
    public SimpleSimulator create(Order order, EnvContext context) {
      return new SimpleSimulator(order, ticks.ticks(order), config, matching, context);
    }

    /// Makes an episode outside any environment; its log is discarded.
    ///
    /// @throws DataException as above
    public SimpleSimulator create(Order order) {
      return create(order, EnvContext.SILENT);
    }
  }
}
