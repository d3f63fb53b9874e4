package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.ChildOrder;
import io.tranche.config.ConfigFiles;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.EnvContext;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Policy;
import io.tranche.env.Simulator;
import io.tranche.env.space.Action;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.policy.weights.TorchFile;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunFolder;
import io.tranche.run.RunParts;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LiveOrder;
import io.tranche.trainer.InitialStates;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A run's bundle and nothing but bars decide what its checkpoint decides in the simulator, to the
/// last bit.
class ExportedDecisionsTest {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          computed | runtime.seed=0
          pipeline | data.features={start: 2024-01-08, end: 2024-01-26, day_length: 48, columns: [$open, $high, $low, $close], norm_groups: {price: 8, volume: 2}}
          """)
  void aBundleDecidesWhatItsCheckpointDecides(String kind, String setting) throws IOException {
    Path run = folder.resolve("run");
    Path bundle = folder.resolve("model.tranche");
    Path weights = folder.resolve("weights.pth");
    Run train =
        Run.of(
            "train",
            SmallTraining.write(folder).toString(),
            "--out",
            run.toString(),
            "--set",
            setting);
    assertThat(train.status()).as(train.err()).isZero();
    TorchFile.write(
        weights,
        SmallTraining.drawn(CheckpointFile.policyState(run.resolve("checkpoints/004.ckpt")), 1));
    Run export =
        Run.of(
            "export",
            weights.toString(),
            "--config",
            run.resolve("config.yml").toString(),
            "--out",
            bundle.toString());
    assertThat(export.status()).as(export.err()).isZero();
    assertThat(Run.of("inspect", bundle.toString()).out()).contains(kind);
    if (kind.equals("pipeline")) {
      Path again = folder.resolve("again.tranche");
      Run named =
          Run.of(
              "export",
              weights.toString(),
              "--config",
              run.resolve("config.yml").toString(),
              "--features",
              run.resolve("data/features").toString(),
              "--out",
              again.toString());
      assertThat(named.status()).as(named.err()).isZero();
      assertThat(again).hasSameBinaryContentAs(bundle);
    }

    ExecutionRun config = ExecutionRun.read(ConfigFiles.load(run.resolve("config.yml")), _ -> {});
    PreparedData data = PreparedData.of(config, new RunFolder(run), (_, _, _) -> {});
    Set<Integer> choices = new HashSet<>();
    try (BarSource bars = BarFiles.open(run.resolve("data/bars"), ColumnMapping.DEFAULT);
        RunParts<?> parts = RunParts.of(config, data)) {
      var simulated = new Simulated(parts, weights);
      InitialStates<Order> orders = data.orders(Tag.TEST);
      assertThat(orders.size()).isPositive();
      for (int i = 0; i < orders.size(); i++) {
        follow(orders.load().apply(i), simulated, bars, DecisionRuntime.open(bundle), choices);
      }
    }
    assertThat(choices).hasSizeGreaterThan(1);
  }

  private static void follow(
      Order order,
      Simulated simulated,
      BarSource bars,
      DecisionRuntime runtime,
      Set<Integer> choices) {
    BarSeries series = bars.series(order.instrument());
    int number = bars.calendar().dayOf(order.date());
    DayFrame frame = Objects.requireNonNull(series.day(number));
    List<DayFrame> earlier = new ArrayList<>();
    for (int day = 0; day < number; day++) {
      DayFrame past = series.day(day);
      if (past != null) {
        earlier.add(past);
      }
    }
    LiveDay day = runtime.openDay(order.instrument(), order.date(), earlier);
    LiveOrder live = day.openOrder("1", order.side(), order.amount(), order.start(), order.end());
    List<String> fields = runtime.model().spec().features().fields();
    Simulator<ExecutionState, ChildOrder> simulator = simulated.open(order);
    for (int tick = 0; tick < frame.ticks(); tick++) {
      if (live.isDue() && !simulator.isDone()) {
        int step = simulator.state().step();
        int choice = simulated.step(simulator);
        live.decide();
        assertThat(live.choice()).isEqualTo(choice);
        if (!simulator.isDone()) { // the last decision asks for all that remains
          assertThat(live.volume()).isEqualTo(simulator.state().requested(step));
        }
        choices.add(choice);
        var row = simulator.state().stepRows().getLast();
        if (row.filledAmount() > 0) {
          live.fill(Math.min(live.working(), row.filledAmount()), row.tradePrice());
        }
      }
      float[] values = new float[fields.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = frame.value(frame.fieldIndex(fields.get(i)), tick);
      }
      day.bar(frame.time(tick), values);
    }
    assertThat(simulator.isDone()).isTrue();
  }

  /// The checkpoint in the simulator of its run.
  private static final class Simulated {

    private final Simulator.Factory<Order, ExecutionState, ChildOrder> simulators;
    private final FullHistoryInterpreter states;
    private final ActionInterpreter<ExecutionState, ChildOrder> actions;
    private final Policy<FullHistoryObservation> policy;

    @SuppressWarnings("unchecked") // the run shows the full history
    Simulated(RunParts<?> parts, Path weights) {
      var problem = parts.problem();
      simulators = problem.simulators();
      states = (FullHistoryInterpreter) problem.stateInterpreter();
      actions = problem.actionInterpreter();
      policy =
          ((RunParts<FullHistoryObservation>) parts)
              .agent()
              .load(weights.toString(), CheckpointFile.policyState(weights))
              .newPolicy(1);
    }

    Simulator<ExecutionState, ChildOrder> open(Order order) {
      return simulators.create(order, EnvContext.outside(new LogCollector(LogLevel.CRITICAL)));
    }

    /// Takes a step, and returns the choice.
    int step(Simulator<ExecutionState, ChildOrder> simulator) {
      FullHistoryObservation observation = states.observe(simulator.state());
      Action action = policy.act(List.of(observation), new long[1], Policy.Mode.EVALUATE)[0];
      simulator.step(actions.act(simulator.state(), action));
      return (int) action.number();
    }
  }
}
