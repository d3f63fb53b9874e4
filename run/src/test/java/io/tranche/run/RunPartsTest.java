package io.tranche.run;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Costs;
import io.tranche.config.ConfigException;
import io.tranche.env.EnvContext;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Problem;
import io.tranche.env.Simulator;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.SimulatorSetup;
import io.tranche.execution.TickSource;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.run.DataSettings.BarData;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunPartsTest {

  private static final SyntheticConfig MARKET = SyntheticConfig.DEFAULT.withSize(2, 12);

  @TempDir private Path folder = Path.of("");

  private final List<String> closed = new ArrayList<>();

  private static ExecutionRun small() {
    return ExecutionRun.DEFAULT.withData(BarData.DEFAULT.withMarket(MARKET));
  }

  private PreparedData prepare(ExecutionRun run) {
    return PreparedData.of(run, new RunFolder(folder), (_, _, _) -> {});
  }

  /// Features that tell when they are closed.
  private final class ToldFeatures implements FeatureSource {

    private final FeatureSource source;

    ToldFeatures(FeatureSource source) {
      this.source = source;
    }

    @Override
    public FeatureColumns columns() {
      return source.columns();
    }

    @Override
    public DayFeatures day(String instrument, LocalDate date) {
      return source.day(instrument, date);
    }

    @Override
    public void close() {
      source.close();
      closed.add("features");
    }
  }

  /// Bars that tell when they are closed.
  private final class ToldBars implements BarSource {

    private final BarSource source = new SyntheticMarket(MARKET);

    @Override
    public Calendar calendar() {
      return source.calendar();
    }

    @Override
    public List<String> instruments() {
      return source.instruments();
    }

    @Override
    public List<String> fields() {
      return source.fields();
    }

    @Override
    public BarSeries series(String instrument) {
      return source.series(instrument);
    }

    @Override
    public void close() {
      source.close();
      closed.add("bars");
    }
  }

  /// Returns the parts of `run` over features and bars that tell when they are closed.
  private RunParts<FullHistoryObservation> told(ExecutionRun run) {
    RunParts<?> made = RunParts.of(run, prepare(run));
    var states = (FullHistoryInterpreter) made.problem().stateInterpreter();
    CachedTicks ticks = CachedTicks.of(new ToldBars(), DealPrice.CLOSE, 4);
    var shown =
        new FullHistoryInterpreter(
            states.maxSteps(),
            states.ticks(),
            states.dimension(),
            new ToldFeatures(states.source()));
    return new RunParts<>(
        run,
        made.data(),
        made.simulator(),
        ticks,
        null,
        new Problem<>(
            made.simulator().over(ticks),
            shown,
            made.problem().actionInterpreter(),
            made.problem().reward()),
        made.context());
  }

  @Test
  void aNeutralRunLearnsAtPricesWithoutTheMarketsMovesAndIsJudgedAtRealOnes() {
    BarData market = BarData.DEFAULT.withMarket(MARKET.withSize(12, 12));
    ExecutionRun run = ExecutionRun.DEFAULT.withData(market.withNeutral(true));

    try (RunParts<?> parts = RunParts.of(run, prepare(run))) {
      Order order = parts.data().orders(Tag.TRAIN).load().apply(0);
      assertThat(last(parts.learning(), order)).isNotEqualTo(last(parts.problem(), order));
      assertThat(parts.run().toConfig().required("data").required("neutral").asBoolean()).isTrue();
    }
    ExecutionRun usual = ExecutionRun.DEFAULT.withData(market);
    try (RunParts<?> parts = RunParts.of(usual, prepare(usual))) {
      assertThat(parts.learning()).isSameAs(parts.problem());
    }
    ExecutionRun own = ExecutionRun.DEFAULT.withBars(folder.resolve("data").resolve("bars"));
    try (RunParts<?> parts =
        RunParts.of(
            own, PreparedData.of(own, new RunFolder(folder.resolve("own")), (_, _, _) -> {}))) {
      assertThat(parts.neutral()).as("12 instruments are not enough by default").isNull();
    }
  }

  private static double last(Problem<Order, ExecutionState, ChildOrder, ?> problem, Order order) {
    var ticks =
        problem
            .simulators()
            .create(order, EnvContext.outside(new LogCollector(LogLevel.CRITICAL)))
            .state()
            .ticks();
    return ticks.price(ticks.count() - 1);
  }

  @Test
  void tooFewInstrumentsHaveNoMarket() {
    ExecutionRun run =
        ExecutionRun.DEFAULT.withData(BarData.DEFAULT.withMarket(MARKET).withNeutral(true));

    assertThatExceptionOfType(DataException.class)
        .isThrownBy(() -> prepare(run))
        .withMessage(
            "data.neutral: expected bars of at least 10 instruments, or with a column 'market', was"
                + " 2 instruments");
    assertDocumented("expected bars of at least 10 instruments");
  }

  @Test
  void theSimulatorChargesTheRunsCosts() {
    ExecutionRun run = small().withCosts(Costs.preset("cn_stocks"));

    try (RunParts<?> parts = RunParts.of(run, prepare(run))) {
      assertThat(parts.simulator())
          .isInstanceOfSatisfying(
              SimpleSimulatorConfig.class,
              simulator -> assertThat(simulator.frictions().costs()).isEqualTo(run.costs()));
    }
  }

  @Test
  void refusesCostsInTwoPlacesOrForASimulatorThatHasNone() {
    ExecutionRun run = small().withCosts(Costs.preset("cn_stocks"));
    PreparedData data = prepare(run);
    Part<SimulatorSetup> costly =
        Part.named("SimpleSimulator", Map.of("costs", Map.of("commission", 0.1)));
    Part<SimulatorSetup> qlib = Part.named("SingleAssetOrderExecutionSimple", Map.of());

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> RunParts.of(run.withProblem(run.problem().withSimulator(costly)), data))
        .withMessageContaining("expected no costs or impact, because the section costs has them");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> RunParts.of(run.withProblem(run.problem().withSimulator(qlib)), data))
        .withMessageContaining("expected a simulator that charges costs, such as SimpleSimulator");
  }

  @Test
  void closesWhatItOpened() {
    told(small()).close();

    assertThat(closed).containsExactlyInAnyOrder("features", "bars");
  }

  @Test
  void featuresOfAnInterpreterFromJavaStayOpen() {
    ExecutionRun run = small();
    try (RunParts<?> named = RunParts.of(run, prepare(run))) {
      told(run.withProblem(
              run.problem().withStateInterpreter(Part.of(named.problem().stateInterpreter()))))
          .close();
    }

    assertThat(closed).containsExactly("bars");
  }

  @Test
  void theSimulatorSaysHowManyDecisionsThereAre() {
    var setup =
        new SimulatorSetup() {
          @Override
          public int minutesPerStep() {
            return 60;
          }

          @Override
          public Simulator.Factory<Order, ExecutionState, ChildOrder> over(TickSource ticks) {
            return SimpleSimulatorConfig.DEFAULT.withMinutesPerStep(60).over(ticks);
          }
        };
    ExecutionRun run = small();

    try (RunParts<?> hourly =
            RunParts.of(
                run.withProblem(run.problem().withSimulator(Part.of(setup))), prepare(run));
        RunParts<?> byDefault = RunParts.of(run, prepare(run))) {
      assertThat(maxSteps(hourly)).isEqualTo(4);
      assertThat(maxSteps(byDefault)).isEqualTo(8);
    }
  }

  private static int maxSteps(RunParts<?> parts) {
    return ((FullHistoryInterpreter) parts.problem().stateInterpreter()).maxSteps();
  }

  @Test
  void aPolicyThatCannotBeTaughtIsNamed() {
    AgentSettings agent =
        AgentSettings.DEFAULT.withPolicy(Part.named("Dqn", Map.of("learning_rate", 0.1)));

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> agent.requireTeachable(small().problem()))
        .withMessageContaining("expected a policy that can be taught, such as Ppo, was 'Dqn'");
    AgentSettings.DEFAULT.requireTeachable(small().problem());
  }
}
