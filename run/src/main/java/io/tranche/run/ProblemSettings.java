package io.tranche.run;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.AuxInfoCollector;
import io.tranche.env.Metric;
import io.tranche.env.Reward;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimulatorSetup;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The problem of a run: what trading is like, what the agent sees, what its actions mean, and what
/// it is paid for.
///
/// @param hindsight whether the agent sees the whole day, as only teachers may
/// @param auxInfo side information for log writers; null for none
/// @param metrics what is logged besides, for every simulator
public record ProblemSettings(
    Part<SimulatorSetup> simulator,
    Part<StateInterpreter<ExecutionState, ?>> stateInterpreter,
    Part<ActionInterpreter<ExecutionState, ChildOrder>> actionInterpreter,
    @Nullable Part<Reward<ExecutionState>> reward,
    boolean hindsight,
    @Nullable Part<AuxInfoCollector<ExecutionState>> auxInfo,
    List<Part<Metric<ExecutionState>>> metrics) {

  /// The native recipe (docs/learning.md): decisions every half hour (of wider bars the next
  /// multiple), mirrored features, quarters of an order, and a reward that is paid as prices move,
  /// scaled to about 1.
  public static final ProblemSettings DEFAULT =
      new ProblemSettings(
          Part.named("SimpleSimulator", Collections.singletonMap("minutes_per_step", null)),
          Part.named("FullHistoryInterpreter", Map.of("mirror", true)),
          Part.named("CategoricalInterpreter", Map.of("shares", 4)),
          Part.named("HoldingReward", Map.of("scale", 0.01)),
          false);

  public ProblemSettings {
    metrics = List.copyOf(metrics);
  }

  /// A problem without side information and metrics.
  public ProblemSettings(
      Part<SimulatorSetup> simulator,
      Part<StateInterpreter<ExecutionState, ?>> stateInterpreter,
      Part<ActionInterpreter<ExecutionState, ChildOrder>> actionInterpreter,
      @Nullable Part<Reward<ExecutionState>> reward,
      boolean hindsight) {
    this(simulator, stateInterpreter, actionInterpreter, reward, hindsight, null, List.of());
  }

  public ProblemSettings withSimulator(Part<SimulatorSetup> other) {
    return new ProblemSettings(
        other, stateInterpreter, actionInterpreter, reward, hindsight, auxInfo, metrics);
  }

  public ProblemSettings withStateInterpreter(Part<StateInterpreter<ExecutionState, ?>> other) {
    return new ProblemSettings(
        simulator, other, actionInterpreter, reward, hindsight, auxInfo, metrics);
  }

  public ProblemSettings withActionInterpreter(
      Part<ActionInterpreter<ExecutionState, ChildOrder>> other) {
    return new ProblemSettings(
        simulator, stateInterpreter, other, reward, hindsight, auxInfo, metrics);
  }

  public ProblemSettings withReward(@Nullable Part<Reward<ExecutionState>> other) {
    return new ProblemSettings(
        simulator, stateInterpreter, actionInterpreter, other, hindsight, auxInfo, metrics);
  }

  public ProblemSettings withHindsight(boolean sees) {
    return new ProblemSettings(
        simulator, stateInterpreter, actionInterpreter, reward, sees, auxInfo, metrics);
  }

  public ProblemSettings withAuxInfo(@Nullable Part<AuxInfoCollector<ExecutionState>> other) {
    return new ProblemSettings(
        simulator, stateInterpreter, actionInterpreter, reward, hindsight, other, metrics);
  }

  public ProblemSettings withMetrics(List<Part<Metric<ExecutionState>>> others) {
    return new ProblemSettings(
        simulator, stateInterpreter, actionInterpreter, reward, hindsight, auxInfo, others);
  }
}
