package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Generated;
import io.tranche.env.EnvWrapper;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Problem;
import io.tranche.env.Step;
import io.tranche.env.space.Action;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.execution.reward.AdvantagePenaltyReward;
import io.tranche.execution.reward.AdvantagePenaltyReward.Weight;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureProgress;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.feature.pipeline.FeaturePipeline;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.policy.experience.Transitions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Orders executed at random, each on an instrument and day of its own, over the whole day in eight
/// decisions: the observations and experience of a policy.
///
/// The embedded market with the features of Qlib's example, normalised by our pipeline.
public final class Experience {

  public static final int DECISIONS = 8;

  /// Trading nothing, or a quarter, half, three quarters or all of the order.
  public static final int CHOICES = 5;

  public static final int MINUTES = 240;

  /// Prices and the volume.
  public static final int FEATURES = Generated.PRICES.size() + 1;

  /// Days at the beginning that the windows of the features use up.
  private static final int DAYS_CUT = 2;

  private final Transitions<FullHistoryObservation> steps = new Transitions<>();
  private final boolean isEarly;
  private final int orders;

  /// @param folder where the features go: must be empty
  /// @param days how many days each instrument has an order on
  Experience(Path folder, Frequency frequency, int instruments, int days) throws IOException {
    this(folder, frequency, instruments, days, false);
    Generated.requireRows((long) instruments * days * DECISIONS, steps.size());
  }

  /// Returns orders most of which are done before the end of the day, as in a training.
  static Experience endingEarly(Path folder, Frequency frequency, int instruments, int days)
      throws IOException {
    return new Experience(folder, frequency, instruments, days, true);
  }

  private Experience(Path folder, Frequency frequency, int instruments, int days, boolean isEarly)
      throws IOException {
    this.isEarly = isEarly;
    BarSource bars =
        new CachedBars(Generated.bars(instruments, days + DAYS_CUT, frequency), instruments);
    int minutes = frequency.seconds() / Frequency.MINUTE.seconds();
    int ticks = MINUTES / minutes;
    try (FeatureSource features = features(bars, ticks, folder.resolve("features"))) {
      SimpleSimulatorConfig usual = SimpleSimulatorConfig.DEFAULT;
      var config =
          new SimpleSimulatorConfig(
              MINUTES / DECISIONS, minutes, usual.frictions(), usual.dialect());
      var simulators = new SimulatorFactory(config, CachedTicks.of(bars, DealPrice.CLOSE, 1));
      var environment =
          new EnvWrapper<>(
              new Problem<>(
                  simulators,
                  new FullHistoryInterpreter(DECISIONS, ticks, FEATURES, features),
                  CategoricalInterpreter.of(CategoricalInterpreter.evenShares(CHOICES - 1)),
                  new AdvantagePenaltyReward(100, 1, Weight.FILLED)),
              orders(bars).iterator(),
              new LogCollector(LogLevel.PERIODIC));
      orders = work(environment);
    }
  }

  /// Returns the features of Qlib's example, those of today and of yesterday.
  public static FeatureSource features(BarSource bars, int ticks, Path target) throws IOException {
    Calendar calendar = bars.calendar();
    long start = BarTime.of(calendar.date(DAYS_CUT));
    long end = calendar.time(calendar.size() - 1);
    FeatureConfig config = Generated.features(start, end, end, ticks);
    List<String> today = Stream.concat(Generated.PRICES.stream(), Stream.of("$volume")).toList();
    return FeaturePipeline.run(bars, config, target, 1, FeatureProgress.NONE)
        .features(new FeatureColumns(today, today.stream().map(name -> name + "_1").toList()), 1);
  }

  /// Returns an order of each instrument on each day that has features.
  public static List<Order> orders(BarSource bars) {
    var random = new SplittableRandom(1);
    var orders = new ArrayList<Order>();
    for (int day = DAYS_CUT; day < bars.calendar().days(); day++) {
      LocalDate date = bars.calendar().date(day);
      for (String instrument : bars.instruments()) {
        orders.add(
            new Order(
                instrument,
                random.nextBoolean() ? Side.BUY : Side.SELL,
                random.nextInt(1, 100) * 100,
                date.atTime(9, 30),
                date.atTime(15, 0)));
      }
    }
    return orders;
  }

  /// Returns how many orders there were.
  private int work(EnvWrapper<Order, ?, ?, FullHistoryObservation> environment) {
    var random = new SplittableRandom(2);
    int episode = 0;
    FullHistoryObservation seen = environment.reset();
    for (; seen != null; seen = environment.reset()) {
      int left = CHOICES - 1;
      Step<FullHistoryObservation> step;
      do {
        // Unless orders may end early, something is left until the last decision.
        boolean isLast = environment.step() == DECISIONS - 1;
        int choice = random.nextInt(isLast || isEarly ? CHOICES : left);
        left -= choice;
        int number = environment.step();
        step = environment.step(new Action.Discrete(choice));
        steps.add(
            seen,
            new Action.Discrete(choice),
            step.reward(),
            step.done(),
            false,
            step.observation(),
            episode,
            number);
        seen = step.observation();
      } while (!step.done());
      episode++;
    }
    return episode;
  }

  /// Returns all steps, those of an order one after the other.
  Transitions<FullHistoryObservation> steps() {
    return steps;
  }

  public int orders() {
    return orders;
  }

  /// Returns how many ticks a recurrent layer must process for all decisions of a day, including
  /// the row of zeros in front.
  int ticksRun() {
    int last = 0;
    for (int row = 0; row < steps.size(); row++) {
      last = Math.max(last, steps.observation(row).tick());
    }
    return last + 1;
  }

  /// Returns the observations of `count` environments, batch after batch: they work as many orders
  /// side by side, then the next ones.
  List<List<FullHistoryObservation>> batches(int count) {
    var batches = new ArrayList<List<FullHistoryObservation>>();
    for (int first = 0; first + count <= orders(); first += count) {
      for (int decision = 0; decision < DECISIONS; decision++) {
        var batch = new ArrayList<FullHistoryObservation>();
        for (int order = first; order < first + count; order++) {
          batch.add(steps.observation(order * DECISIONS + decision));
        }
        batches.add(batch);
      }
    }
    return batches;
  }
}
