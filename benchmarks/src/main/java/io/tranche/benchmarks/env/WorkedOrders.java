package io.tranche.benchmarks.env;

import io.tranche.backtest.ChildOrder;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.env.Problem;
import io.tranche.env.space.Action;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.Dialect;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulator;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.execution.reward.AdvantagePenaltyReward;
import io.tranche.execution.reward.AdvantagePenaltyReward.Weight;
import io.tranche.market.BarSource;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.feature.provider.FeatureProvider;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Orders over whole days of minutes, with eight decisions each and all their data in memory, in
/// Qlib's dialect.
final class WorkedOrders {

  static final int STEPS = 8;
  static final int TICKS = 240;

  /// The features of a tick.
  static final List<String> FEATURES = List.of("open", "high", "low", "close", "volume");

  private static final Action WAIT = new Action.Discrete(0);
  private static final Action TRADE = new Action.Discrete(1);

  private final BarSource bars;
  private final List<Order> orders;
  private final SimulatorFactory simulators;
  private final Problem<Order, ExecutionState, ChildOrder, FullHistoryObservation> problem;

  /// @param count the number of orders, shuffled as in a queue
  WorkedOrders(int instruments, int days, int count) {
    bars = new CachedBars(Generated.bars(instruments, days, Frequency.MINUTE), instruments);
    orders = orders(bars, days, count);
    int kept = instruments * days;
    simulators =
        new SimulatorFactory(
            SimpleSimulatorConfig.DEFAULT.withDialect(Dialect.QLIB),
            CachedTicks.of(bars, DealPrice.CLOSE, kept * Side.values().length));
    FeatureSource features = ComputedFeatures.of(bars, List.of(new Raw()), 0, kept);
    problem =
        new Problem<>(
            simulators,
            new FullHistoryInterpreter(STEPS, TICKS, FEATURES.size(), features),
            CategoricalInterpreter.of(CategoricalInterpreter.evenShares(STEPS)),
            new AdvantagePenaltyReward(100, 1, Weight.REQUESTED));
    for (Order order : orders) {
      simulators.create(order);
      features.day(order.instrument(), order.date());
    }
  }

  private static List<Order> orders(BarSource bars, int days, int count) {
    var random = new SplittableRandom(1);
    return Stream.generate(
            () -> {
              LocalDate date = bars.calendar().date(random.nextInt(days));
              return new Order(
                  bars.instruments().get(random.nextInt(bars.instruments().size())),
                  random.nextBoolean() ? Side.BUY : Side.SELL,
                  random.nextInt(1, 100) * 100,
                  date.atTime(9, 30),
                  date.atTime(15, 0));
            })
        .limit(count)
        .toList();
  }

  BarSource bars() {
    return bars;
  }

  List<Order> orders() {
    return orders;
  }

  Problem<Order, ExecutionState, ChildOrder, FullHistoryObservation> problem() {
    return problem;
  }

  /// Returns the orders in an endless loop.
  Iterator<Order> endless() {
    return Stream.iterate(0, i -> (i + 1) % orders.size()).map(orders::get).iterator();
  }

  /// Executes an order in equal parts, reading the state after each; returns the last.
  ExecutionState work(Order order) {
    ChildOrder part = ChildOrder.market(order.amount() / STEPS);
    SimpleSimulator simulator = simulators.create(order);
    while (!simulator.isDone()) {
      simulator.step(part);
      simulator.state();
    }
    return simulator.state();
  }

  /// Returns the action of a step: every second one waits, the others trade an eighth, so that no
  /// order is finished early.
  static Action action(long episode, int step) {
    return (episode + step) % 2 == 0 ? WAIT : TRADE;
  }

  /// The bars themselves as features.
  private record Raw() implements FeatureProvider {

    @Override
    public String name() {
      return "raw";
    }

    @Override
    public List<String> columns() {
      return FEATURES.stream().map(field -> "$" + field).toList();
    }

    @Override
    public List<String> fields() {
      return FEATURES;
    }

    @Override
    public void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
      int next = 0;
      for (int tick = 0; tick < day.ticks(); tick++) {
        for (String field : FEATURES) {
          target[next++] = day.value(day.fieldIndex(field), tick);
        }
      }
    }
  }
}
