package io.tranche.run;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Costs;
import io.tranche.backtest.FillRule;
import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.Augmentation;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.SimulatorSetup;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.catalog.StateDefaults;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.TeacherPermit;
import io.tranche.market.Order;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.network.BuildContext;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.PreparedData.DayShape;
import org.jspecify.annotations.Nullable;

/// The parts of a run as objects: its problem and its agent. Any process that can open the same
/// data makes the same parts of the same run. Closing them closes the features and ticks that they
/// opened, but no object from Java.
///
/// @param ticks what the simulator fills orders at
/// @param neutral the same without the market's moves; null if the run is not market-neutral
/// @param context what the agent and its network are made for
/// @param <O> what the agent sees
public record RunParts<O extends Observation>(
    ExecutionRun run,
    PreparedData data,
    SimulatorSetup simulator,
    CachedTicks ticks,
    @Nullable CachedTicks neutral,
    Problem<Order, ExecutionState, ChildOrder, O> problem,
    BuildContext context)
    implements AutoCloseable {

  private static final int CACHED_DAYS = 2048;

  /// Makes the parts of `run` over its data.
  ///
  /// @throws ConfigException if a part is unknown, or wrong, or does not go with the others
  public static RunParts<?> of(ExecutionRun stated, PreparedData data) {
    ExecutionRun run = decided(stated, data);
    SimulatorSetup simulator =
        withCosts(
            run.problem().simulator().make(ExecutionCatalog.simulators(data.minutesPerTick())),
            run);
    StateInterpreter<ExecutionState, ?> states =
        run.problem()
            .stateInterpreter()
            .make(ExecutionCatalog.stateInterpreters(defaults(data, simulator)));
    try {
      return of(run, data, simulator, states);
    } catch (RuntimeException e) {
      closeFeatures(run, states);
      throw e;
    }
  }

  /// Returns the run with what its data decided, so that other data later change nothing.
  private static ExecutionRun decided(ExecutionRun run, PreparedData data) {
    return run.data() instanceof BarData bars && data.settings() instanceof BarData made
        ? run.withData(bars.withNeutral(made.neutral()))
        : run;
  }

  private static RunParts<?> of(
      ExecutionRun run,
      PreparedData data,
      SimulatorSetup simulator,
      StateInterpreter<ExecutionState, ?> states) {
    boolean hindsight = run.problem().hindsight();
    if (!(states instanceof FullHistoryInterpreter history)) {
      if (hindsight) {
        throw new ConfigException(
            "hindsight", "false, or a state_interpreter that shows the full history", true);
      }
      return of(run, data, simulator, states, 0);
    }
    FullHistoryInterpreter shown =
        hindsight ? history.inHindsight(new TeacherPermit("a teacher's run")) : history;
    return of(run, data, simulator, shown, shown.dimension());
  }

  /// Opens the ticks after everything else that may fail.
  private static <O extends Observation> RunParts<O> of(
      ExecutionRun run,
      PreparedData data,
      SimulatorSetup simulator,
      StateInterpreter<ExecutionState, O> states,
      int features) {
    ProblemSettings settings = run.problem();
    var actions = settings.actionInterpreter().make(ExecutionCatalog.actionInterpreters());
    var reward =
        settings.reward() == null ? null : settings.reward().make(ExecutionCatalog.rewards());
    var context =
        new BuildContext(
            states.observationSpace(),
            actions.actionSpace(),
            features,
            run.trainer().threadCount(),
            run.trainer().seed());
    AgentSpec<O> _ = run.agent().spec(context); // fails before anything is opened
    CachedTicks ticks = data.openTicks();
    var problem =
        new Problem<>(
            simulator.over(ticks),
            states,
            actions,
            reward,
            settings.auxInfo() == null
                ? null
                : settings.auxInfo().make(ExecutionCatalog.auxInfos()),
            settings.metrics().stream()
                .map(metric -> metric.make(ExecutionCatalog.metrics()))
                .toList());
    return new RunParts<>(run, data, simulator, ticks, data.openNeutralTicks(), problem, context);
  }

  /// Returns the simulator with the costs of the run.
  private static SimulatorSetup withCosts(SimulatorSetup simulator, ExecutionRun run) {
    if (run.costs().equals(Costs.NONE)) {
      return simulator;
    }
    String name = run.problem().simulator().where();
    if (!(simulator instanceof SimpleSimulatorConfig simple)
        || simple.dialect().fillRule() != FillRule.NATIVE) {
      throw new ConfigException(
          name, "a simulator that charges costs, such as SimpleSimulator", simulator);
    }
    if (!simple.frictions().costs().equals(Costs.NONE)) {
      throw new ConfigException(
          name,
          "no costs or impact, because the section costs has them",
          simple.frictions().costs());
    }
    return simple.withFrictions(simple.frictions().withCosts(run.costs()));
  }

  private static @Nullable StateDefaults defaults(PreparedData data, SimulatorSetup simulator) {
    DayShape day = data.day();
    return day == null
        ? null
        : new StateDefaults(
            day.ticks(),
            Math.ceilDiv(day.ticks() * day.minutesPerTick(), simulator.minutesPerStep()),
            () -> data.features().make(ExecutionCatalog.featureSources(1)),
            data::completed);
  }

  private static void closeFeatures(ExecutionRun run, StateInterpreter<ExecutionState, ?> states) {
    if (run.problem().stateInterpreter() instanceof Part.Named<?>
        && states instanceof FullHistoryInterpreter history) {
      history.source().close();
    }
  }

  @Override
  public void close() {
    closeFeatures(run, problem.stateInterpreter());
    ticks.close();
    if (neutral != null) {
      neutral.close();
    }
  }

  /// Returns the problem that the agent learns: at prices without the market's moves if the run is
  /// market-neutral.
  public Problem<Order, ExecutionState, ChildOrder, O> learning() {
    return neutral == null
        ? problem
        : new Problem<>(
            simulator.over(neutral),
            problem.stateInterpreter(),
            problem.actionInterpreter(),
            problem.reward(),
            problem.auxInfo(),
            problem.metrics());
  }

  /// Returns the problem of the training orders, some of which may be variants of real days.
  ///
  /// @throws ConfigException if the agent sees nothing that could be varied so
  @SuppressWarnings("unchecked") // the interpreter shows what it showed before
  public Problem<Order, ExecutionState, ChildOrder, O> training() {
    Augmentation augmentation = run.trainer().augmentation();
    var learning = learning();
    if (!augmentation.changesDays()) {
      return learning;
    }
    long seed = run.trainer().seed();
    StateInterpreter<ExecutionState, O> states = learning.stateInterpreter();
    if ((Object) states instanceof FullHistoryInterpreter history && history.dimension() > 0) {
      states =
          (StateInterpreter<ExecutionState, O>)
              (StateInterpreter<ExecutionState, ?>)
                  history.over(augmentation.over(history.source(), seed), CACHED_DAYS);
    } else if (augmentation.noise() > 0) {
      throw new ConfigException(
          "augmentation.noise", "0, because the agent sees no features", augmentation.noise());
    }
    return new Problem<>(
        simulator.over(augmentation.over(neutral == null ? ticks : neutral, seed)),
        states,
        learning.actionInterpreter(),
        learning.reward(),
        learning.auxInfo(),
        learning.metrics());
  }

  /// Returns what makes the agent, and what improves it.
  public AgentSpec<O> agent() {
    return run.agent().spec(context);
  }
}
