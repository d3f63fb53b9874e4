package io.tranche.policy.learn;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Frictions;
import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.env.vector.Collector;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.VectorConfig;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.Dialect;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.execution.reward.AdvantagePenaltyReward;
import io.tranche.execution.reward.AdvantagePenaltyReward.Weight;
import io.tranche.market.BarSource;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.feature.provider.FeatureProvider;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticConfig.Incidents;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.policy.experience.ReplayBuffer;
import io.tranche.policy.experience.Transitions;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Orders of the embedded market, several on each day, with all that they need in memory.
public final class SmallMarket {

  public static final int CHOICES = 5;
  public static final int FEATURES = 3;

  private static final int STEPS = 8;
  private static final int DAYS = 6;
  private static final int INSTRUMENTS = 3;
  private static final int ENVIRONMENTS = 4;

  private final List<Order> orders;
  private final Problem<Order, ExecutionState, ChildOrder, FullHistoryObservation> problem;

  public SmallMarket(int orderCount) {
    this(orderCount, DAYS);
  }

  public SmallMarket(int orderCount, int days) {
    BarSource bars =
        new CachedBars(
            new SyntheticMarket(
                SyntheticConfig.DEFAULT.withSize(INSTRUMENTS, days).withIncidents(Incidents.NONE)),
            INSTRUMENTS);
    orders = orders(bars, orderCount);
    int kept = 2 * INSTRUMENTS * days;
    problem =
        new Problem<>(
            new SimulatorFactory(
                new SimpleSimulatorConfig(30, 5, Frictions.NONE, Dialect.NATIVE),
                CachedTicks.of(bars, DealPrice.CLOSE, kept)),
            new FullHistoryInterpreter(
                STEPS,
                bars.calendar().dayEnd(0),
                FEATURES,
                ComputedFeatures.of(bars, List.of(new Shape()), 0, kept)),
            CategoricalInterpreter.of(CategoricalInterpreter.evenShares(CHOICES - 1)),
            new AdvantagePenaltyReward(4, 0.01, Weight.FILLED));
  }

  private static List<Order> orders(BarSource bars, int count) {
    var random = new SplittableRandom(1);
    return Stream.generate(
            () -> {
              LocalDate date = bars.calendar().date(random.nextInt(bars.calendar().days()));
              return new Order(
                  bars.instruments().get(random.nextInt(INSTRUMENTS)),
                  random.nextBoolean() ? Side.BUY : Side.SELL,
                  random.nextInt(1, 100) * 100,
                  date.atTime(9, 30),
                  date.atTime(14, 59));
            })
        .limit(count)
        .toList();
  }

  /// Returns what `policy` experiences with all orders while it explores.
  @SuppressWarnings("exports") // the tests of policy alone use execution
  public Transitions<FullHistoryObservation> experience(Policy<FullHistoryObservation> policy) {
    var buffer = new ReplayBuffer<FullHistoryObservation>(100_000, ENVIRONMENTS);
    try (var environments =
        new FiniteVectorEnv<>(
            problem, orders.iterator(), VectorConfig.of(ENVIRONMENTS), List.of(), 1)) {
      new Collector<>(
              policy, Policy.Mode.TRAIN, environments, buffer, Collector.Resets.NEEDED, 1, 0)
          .collectAll();
    }
    var steps = new Transitions<FullHistoryObservation>();
    buffer.copyTo(steps);
    return steps;
  }

  /// The shape of each bar, about as large as normalised features are.
  private record Shape() implements FeatureProvider {

    @Override
    public String name() {
      return "shape";
    }

    @Override
    public List<String> columns() {
      return List.of("$rise", "$range", "$move");
    }

    @Override
    public List<String> fields() {
      return List.of("open", "high", "low", "close");
    }

    @Override
    public void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
      float first = day.value(day.fieldIndex("open"), 0);
      for (int tick = 0; tick < day.ticks(); tick++) {
        float open = day.value(day.fieldIndex("open"), tick);
        float close = day.value(day.fieldIndex("close"), tick);
        float high = day.value(day.fieldIndex("high"), tick);
        float low = day.value(day.fieldIndex("low"), tick);
        target[FEATURES * tick] = 1000 * (close / open - 1);
        target[FEATURES * tick + 1] = 1000 * (high / low - 1);
        target[FEATURES * tick + 2] = 100 * (close / first - 1);
      }
    }
  }
}
