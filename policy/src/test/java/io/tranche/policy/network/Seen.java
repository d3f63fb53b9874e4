package io.tranche.policy.network;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.DayTicks;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// A state of a random order on a random day, and its observation.
///
/// @param minutes minutes between two rows of features; there is one tick per minute
record Seen(ExecutionState state, int episode, DayFeatures day, int minutes) {

  static final int WIDTH = 3;
  static final int MAX_STEPS = 5;

  private static final LocalDate DATE = LocalDate.of(2021, 3, 1);
  private static final long OPEN = BarTime.of(DATE.atTime(9, 30));
  private static final FeatureColumns COLUMNS =
      new FeatureColumns(List.of("a", "b", "c"), List.of("a_1", "b_1", "c_1"));

  /// Returns every state, the last ones too, of a few orders on each of three days of different
  /// lengths.
  static List<Seen> random(long seed, int minutes) {
    var random = new SplittableRandom(seed);
    var all = new ArrayList<Seen>();
    for (int ticks : new int[] {20, 13, 17}) {
      int rows = (ticks + minutes - 1) / minutes;
      DayFeatures day = day(rows, minutes, features(random, rows), features(random, rows));
      for (int i = 0; i < 3; i++) {
        int episode = all.size();
        run(random, ticks).forEach(state -> all.add(new Seen(state, episode, day, minutes)));
      }
    }
    return all;
  }

  private static List<ExecutionState> run(SplittableRandom random, int ticks) {
    long[] times = new long[ticks];
    Arrays.setAll(times, i -> OPEN + 60L * i);
    double[] ones = new double[ticks];
    Arrays.fill(ones, 1);
    DayTicks market = DayTicks.of("SH600000", times, ones, ones, false);
    var order =
        new Order(
            "SH600000",
            random.nextBoolean() ? Side.BUY : Side.SELL,
            random.nextDouble(1, 1000),
            BarTime.dateTime(times[random.nextInt(ticks / 2)]),
            BarTime.dateTime(times[ticks - 1]));
    var simulator =
        SimpleSimulatorConfig.DEFAULT.withMinutesPerStep(4).over(_ -> market).create(order);
    var states = new ArrayList<>(List.of(simulator.state()));
    while (!simulator.isDone()) {
      double share = random.nextDouble(0.1, 0.5);
      simulator.step(ChildOrder.market(share * simulator.state().remaining()));
      states.add(simulator.state());
    }
    return states;
  }

  private static float[] features(SplittableRandom random, int rows) {
    float[] features = new float[rows * WIDTH];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) random.nextDouble(-1, 1);
    }
    return features;
  }

  private static DayFeatures day(int rows, int minutes, float[] today, float[] yesterday) {
    long[] times = new long[rows];
    Arrays.setAll(times, i -> OPEN + 60L * minutes * i);
    return DayFeatures.wrap("SH600000", DATE, COLUMNS, times, today, yesterday);
  }

  /// Returns the policy's observation.
  FullHistoryObservation observation() {
    return on(day);
  }

  private FullHistoryObservation on(DayFeatures features) {
    return new FullHistoryInterpreter(MAX_STEPS, features.ticks(), WIDTH, new One(features))
        .interpret(state);
  }

  /// Returns the same, on a day of its own on which everything still to come is `filler`: with 0,
  /// as Qlib shows it.
  FullHistoryObservation alone(float filler) {
    float[] today = new float[day.ticks() * WIDTH];
    float[] yesterday = new float[day.ticks() * WIDTH];
    day.copyToday(0, day.ticks(), today, 0);
    day.copyYesterday(0, day.ticks(), yesterday, 0);
    Arrays.fill(today, observation().visibleTicks() * WIDTH, today.length, filler);
    return on(day(day.ticks(), minutes, today, yesterday));
  }

  /// Returns the same with one feature of each matrix replaced, in the first row.
  FullHistoryObservation withFirst(float today, float yesterday) {
    float[] todays = new float[day.ticks() * WIDTH];
    float[] yesterdays = new float[day.ticks() * WIDTH];
    day.copyToday(0, day.ticks(), todays, 0);
    day.copyYesterday(0, day.ticks(), yesterdays, 0);
    todays[0] = today;
    yesterdays[0] = yesterday;
    return on(day(day.ticks(), minutes, todays, yesterdays));
  }

  /// Returns the same where all but one row of features is missing.
  FullHistoryObservation withOneRow() {
    DayFeatures first = day(1, minutes, new float[WIDTH], new float[WIDTH]);
    return new FullHistoryInterpreter(MAX_STEPS, day.ticks(), WIDTH, new One(first))
        .interpret(state);
  }

  /// A source that has one day.
  private record One(DayFeatures only) implements FeatureSource {

    @Override
    public FeatureColumns columns() {
      return COLUMNS;
    }

    @Override
    public DayFeatures day(String instrument, LocalDate date) {
      return only;
    }
  }
}
