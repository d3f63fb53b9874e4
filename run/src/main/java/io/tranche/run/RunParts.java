package io.tranche.run;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Costs;
import io.tranche.backtest.FillRule;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.SimulatorSetup;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.catalog.StateDefaults;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.execution.interpreter.TeacherPermit;
import io.tranche.market.Order;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.network.Network;
import io.tranche.run.PreparedData.DayShape;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The parts of a run as objects: its problem and its network. Any process that can open the same
/// data makes the same parts of the same run.
///
/// @param network null if there is none
/// @param <O> what the agent sees
public record RunParts<O extends Observation>(
    ExecutionRun run,
    PreparedData data,
    SimulatorSetup simulator,
    Problem<Order, ExecutionState, ChildOrder, O> problem,
    Network.@Nullable Factory<O> network) {

  /// Makes the parts of `run` over its data.
  ///
  /// @throws ConfigException if a part is unknown, or wrong, or does not go with the others
  public static RunParts<?> of(ExecutionRun run, PreparedData data) {
    ProblemSettings settings = run.problem();
    SimulatorSetup simulator =
        withCosts(
            settings.simulator().make(ExecutionCatalog.simulators(data.minutesPerTick())), run);
    StateInterpreter<ExecutionState, ?> states =
        settings
            .stateInterpreter()
            .make(ExecutionCatalog.stateInterpreters(defaults(data, simulator)));
    if (states instanceof FullHistoryInterpreter history) {
      FullHistoryInterpreter shown =
          settings.hindsight()
              ? history.inHindsight(new TeacherPermit("a teacher's run"))
              : history;
      return new RunParts<>(
          run, data, simulator, problem(run, data, simulator, shown), network(run, shown));
    }
    if (settings.hindsight()) {
      throw new ConfigException(
          "hindsight", "false, or a state_interpreter that shows the full history", true);
    }
    if (run.agent().network() != null) {
      throw new ConfigException(
          run.agent().network().where(),
          "a state_interpreter that shows the full history, or no network",
          states.getClass().getSimpleName());
    }
    return withoutNetwork(run, data, simulator, states);
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
    int step = simulator instanceof SimpleSimulatorConfig simple ? simple.minutesPerStep() : 30;
    return day == null
        ? null
        : new StateDefaults(
            day.ticks(),
            Math.ceilDiv(day.ticks() * day.minutesPerTick(), step),
            () -> data.features().make(ExecutionCatalog.featureSources(1)));
  }

  private static <O extends Observation> RunParts<O> withoutNetwork(
      ExecutionRun run,
      PreparedData data,
      SimulatorSetup simulator,
      StateInterpreter<ExecutionState, O> states) {
    return new RunParts<>(run, data, simulator, problem(run, data, simulator, states), null);
  }

  private static <O extends Observation> Problem<Order, ExecutionState, ChildOrder, O> problem(
      ExecutionRun run,
      PreparedData data,
      SimulatorSetup simulator,
      StateInterpreter<ExecutionState, O> states) {
    ProblemSettings settings = run.problem();
    return new Problem<>(
        simulator.over(data.openTicks()),
        states,
        settings.actionInterpreter().make(ExecutionCatalog.actionInterpreters()),
        settings.reward() == null ? null : settings.reward().make(ExecutionCatalog.rewards()));
  }

  private static Network.@Nullable Factory<FullHistoryObservation> network(
      ExecutionRun run, FullHistoryInterpreter states) {
    var network = run.agent().network();
    return network == null ? null : network.make(PolicyCatalog.networks(states.dimension()));
  }

  /// Returns the state interpreter with everything that it takes from the data written out, for
  /// places that have no data to ask.
  public ConfigNode describeStates() {
    ConfigNode given = run.problem().stateInterpreter().describe();
    if (data.day() == null
        || !(problem.stateInterpreter() instanceof FullHistoryInterpreter states)) {
      return given;
    }
    ConfigNode known =
        ConfigFiles.of(
            "data",
            new TreeMap<>(
                Map.of(
                    "max_steps", states.maxSteps(),
                    "ticks", states.ticks(),
                    "dimension", states.dimension(),
                    "features", data.features().describe())));
    ConfigNode settings = ComponentSpec.from(given).kwargs();
    ConfigNode features = settings.optional("features");
    ConfigNode all = settings.over(known);
    return given.with("kwargs", features == null ? all : all.with("features", features));
  }

  /// Returns what makes the agent, and what improves it.
  public AgentSpec<O> agent() {
    return run.agent()
        .policy()
        .makeAny(PolicyCatalog.agents(network, problem.actionInterpreter().actionSpace()));
  }
}
