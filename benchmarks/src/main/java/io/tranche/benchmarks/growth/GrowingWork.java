package io.tranche.benchmarks.growth;

import io.tranche.backtest.ChildOrder;
import io.tranche.benchmarks.growth.GrowthBenchmark.Axis;
import io.tranche.benchmarks.growth.GrowthBenchmark.Subject;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.env.ParallelFor;
import io.tranche.env.RandomTree;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulator;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.evaluation.Column;
import io.tranche.market.expression.evaluation.ExpressionPlan;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.store.QlibStore;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.market.store.QlibStoreWriter.Existing;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.network.LiveNetwork;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What grows in [GrowthBenchmark]: stores are read, days go through a network tick by tick, orders
/// are executed, expressions evaluated.
final class GrowingWork {

  private static final Frequency FIVE = Frequency.ofMinutes(5);
  private static final int MINUTES = 240;
  private static final int FEATURES = 5;
  private static final int CHOICES = 5;
  private static final int ORDERS = 200;

  private final Path folder;
  private final BarSource bars = new CachedBars(Generated.bars(4, 5, Frequency.MINUTE), 4);
  private final CachedTicks ticks = CachedTicks.of(bars, DealPrice.CLOSE, 64);

  GrowingWork(Path folder) {
    this.folder = folder;
  }

  List<Axis> axes() {
    return List.of(
        new Axis("instruments", 10, size -> store("instruments" + size, size, 10)),
        new Axis("days", 10, size -> store("days" + size, 4, size)),
        new Axis("ticks", 24, size -> day(RecurrentConfig.DEFAULT, size)),
        new Axis("steps", 2, size -> orders(ORDERS, Math.min(size, MINUTES))),
        new Axis("orders", 100, size -> orders(size, 8)),
        new Axis("hidden", 4, size -> day(RecurrentConfig.DEFAULT.withHidden(size), 48)),
        new Axis("features", 1, this::expressions),
        new Axis("threads", 1, this::threads));
  }

  /// Opens a store and reads everything.
  private Subject store(String name, int instruments, int days) throws IOException {
    Path root = folder.resolve(name);
    if (!Files.exists(root)) {
      Generated.write(
          Generated.bars(instruments, days, FIVE), QlibStoreWriter.create(root, Existing.REFUSE));
    }
    return new Subject() {
      @Override
      public List<BarSeries> run() {
        try (QlibStore store = QlibStore.open(root, FIVE)) {
          return store.instruments().stream().map(store::series).toList();
        }
      }

      @Override
      public Long mappedBytes() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
          return files
              .filter(file -> file.toString().endsWith(".bin"))
              .mapToLong(file -> file.toFile().length())
              .sum();
        }
      }
    };
  }

  /// Makes a policy and streams a day through it.
  private static Subject day(RecurrentConfig network, int count) {
    ActorCritic<FullHistoryObservation> agent =
        ActorCritic.create(Recurrent.factory(network, FEATURES), CHOICES, RandomTree.generator(1));
    LivePolicy policy = agent.newLivePolicy(1);
    float[] row = {0.1f, -0.2f, 0.3f, -0.4f, 0.5f};
    float[] yesterday = new float[count * FEATURES];
    return () -> {
      LiveNetwork.Day day = policy.newDay(yesterday, count);
      for (int tick = 0; tick < count; tick++) {
        day.append(row, 0);
      }
      return day;
    };
  }

  /// Executes orders over whole days of minutes in equal parts.
  private Subject orders(int count, int steps) {
    SimulatorFactory simulators = simulators(steps);
    return () ->
        IntStream.range(0, count).mapToObj(i -> execute(simulators, i, steps)).toList();
  }

  private SimulatorFactory simulators(int steps) {
    return new SimulatorFactory(
        SimpleSimulatorConfig.DEFAULT.withMinutesPerStep(MINUTES / steps), ticks);
  }

  private ExecutionState execute(SimulatorFactory simulators, int number, int steps) {
    LocalDate date = bars.calendar().date(number % bars.calendar().days());
    List<String> instruments = bars.instruments();
    var order =
        new Order(
            instruments.get(number % instruments.size()),
            number % 2 == 0 ? Side.BUY : Side.SELL,
            100.0 * steps,
            date.atTime(9, 30),
            date.atTime(15, 0));
    SimpleSimulator simulator = simulators.create(order);
    while (!simulator.isDone()) {
      simulator.step(ChildOrder.market(100));
    }
    return simulator.state();
  }

  /// Evaluates different expressions over one instrument's days.
  private Subject expressions(int count) {
    BarSeries series = bars.series(bars.instruments().getFirst());
    List<Expression> all =
        IntStream.rangeClosed(1, count)
            .mapToObj(i -> Expression.parse("($close-Ref($close, %d))/$open".formatted(i)))
            .toList();
    var plan = new ExpressionPlan(bars.calendar(), all, 0, series.size() - 1);
    return () ->
        plan.evaluate(
            series.instrument(),
            (field, from, to) -> {
              float[] values = new float[to + 1 - from];
              series.copy(series.fieldIndex(field), from, values, 0, values.length);
              return Column.ofField(from, values);
            });
  }

  /// Executes the same orders with more and more threads.
  private Subject threads(int count) {
    var parallel = new ParallelFor(count);
    SimulatorFactory simulators = simulators(8);
    ExecutionState[] results = new ExecutionState[ORDERS];
    return new Subject() {
      @Override
      public ExecutionState[] run() {
        parallel.run(ORDERS, (i, _) -> results[i] = execute(simulators, i, 8));
        return results;
      }

      @Override
      public void close() {
        parallel.close();
      }
    };
  }
}
