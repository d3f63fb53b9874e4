package io.tranche.runtime;

import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Frictions;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.execution.Dialect;
import io.tranche.execution.ExecutionMetrics;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.TickSource;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.SidedFeatures;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/// A random day: what streams in live, and what the simulator has of it.
final class TestDay implements FeatureSource {

  static final LocalDate DATE = LocalDate.of(2026, 3, 3);
  private static final LocalDate BEFORE = LocalDate.of(2026, 3, 2);

  private final ModelSpec spec;
  private final String instrument;
  final long[] times;
  final float[] today;
  private final DayFeatures features;
  private final DayTicks ticks;
  final DayFrame earlier;

  TestDay(ModelSpec spec, String instrument, SplittableRandom random) {
    this.spec = spec;
    this.instrument = instrument;
    int count = spec.ticks();
    int width = TestModel.COLUMNS.today().size();
    times = spec.session().barTimes(DATE, BEFORE, spec.frequency());
    today = new float[count * width];
    float[] yesterday = new float[count * width];
    float[][] columns = new float[width][count];
    double[] prices = new double[count];
    double[] volumes = new double[count];
    for (int tick = 0; tick < count; tick++) {
      for (int column = 0; column < width; column++) {
        today[tick * width + column] = (float) random.nextGaussian();
        yesterday[tick * width + column] = (float) random.nextGaussian();
        columns[column][tick] = yesterday[tick * width + column];
      }
      prices[tick] = random.nextDouble(9, 11);
      volumes[tick] = random.nextDouble(0, 2000);
    }
    features =
        DayFeatures.wrap(instrument, DATE, TestModel.COLUMNS, times, today.clone(), yesterday);
    ticks = DayTicks.of(instrument, times, prices, volumes, false);
    var calendar =
        Calendar.of(
            spec.frequency(),
            spec.session().barTimes(BEFORE, BEFORE.minusDays(3), spec.frequency()),
            spec.session());
    var fields = TestModel.COLUMNS.yesterday().stream().map(name -> name.substring(1)).toList();
    earlier =
        Objects.requireNonNull(
            BarSeries.wrap(instrument, calendar, 0, fields, columns).day(0), "the day before");
  }

  @Override
  public FeatureColumns columns() {
    return TestModel.COLUMNS;
  }

  @Override
  public DayFeatures day(String name, LocalDate date) {
    return features;
  }

  int count() {
    return times.length;
  }

  /// Returns the bar of `tick`, as it comes.
  float[] bar(int tick) {
    int width = TestModel.COLUMNS.today().size();
    float[] bar = new float[width];
    System.arraycopy(today, tick * width, bar, 0, width);
    return bar;
  }

  LiveDay open(DecisionRuntime runtime) {
    return runtime.openDay(instrument, DATE, List.of(earlier));
  }

  /// Draws an order somewhere on the day.
  Order draw(SplittableRandom random) {
    int first = random.nextInt(count());
    int end = random.nextInt(first + 1, count() + 1);
    return new Order(
        instrument,
        random.nextBoolean() ? Side.BUY : Side.SELL,
        random.nextDouble(1, 10_000),
        BarTime.dateTime(times[first]),
        BarTime.dateTime(
            end == count() ? times[end - 1] + spec.frequency().seconds() - 1 : times[end]));
  }

  /// What one decision was in the simulator, and what came of it.
  record Simulated(
      FullHistoryObservation observation,
      int choice,
      double volume,
      double filled,
      double price,
      boolean isLast) {}

  /// Works `order` in the simulator.
  List<Simulated> simulate(TestModel model, Order order) {
    return simulate(model, order, _ -> ticks, this);
  }

  /// Works `order` in the simulator, on ticks and features of whole days.
  static List<Simulated> simulate(
      TestModel model, Order order, TickSource ticks, FeatureSource features) {
    ModelSpec spec = model.spec();
    int minutes = spec.frequency().seconds() / 60;
    var simulators =
        new SimulatorFactory(
            new SimpleSimulatorConfig(
                spec.ticksPerStep() * minutes,
                minutes,
                Frictions.NONE.withParticipation(0.1),
                spec.isQlib() ? Dialect.QLIB : Dialect.NATIVE),
            ticks);
    var sided =
        spec.mirrors() ? SidedFeatures.mirrored(features, 4) : SidedFeatures.alike(features);
    var states =
        new FullHistoryInterpreter(
            spec.maxSteps(), spec.ticks(), spec.features().columns().today().size(), sided);
    Policy<FullHistoryObservation> policy = model.agents().getFirst().newPolicy(1);
    var steps = new ArrayList<Simulated>();
    var simulator = simulators.create(order);
    while (!simulator.isDone()) {
      var state = simulator.state();
      FullHistoryObservation observation = states.observe(state);
      Action action = policy.act(List.of(observation), new long[1], Policy.Mode.EVALUATE)[0];
      double volume = model.actions().act(state, action).volume();
      boolean isLast = state.stepEnd() >= state.endTick();
      simulator.step(model.actions().act(state, action));
      ExecutionMetrics row = simulator.state().stepRows().getLast();
      steps.add(
          new Simulated(
              observation,
              (int) action.number(),
              volume,
              row.filledAmount(),
              row.tradePrice(),
              isLast));
    }
    return steps;
  }
}
