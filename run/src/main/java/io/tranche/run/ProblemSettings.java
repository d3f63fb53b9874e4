package io.tranche.run;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.Reward;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimulatorSetup;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The problem of a run: what trading is like, what the agent sees, what its actions mean, and what
/// it is paid for.
///
/// @param hindsight whether the agent sees the whole day, as only teachers may
public record ProblemSettings(
    Part<SimulatorSetup> simulator,
    Part<StateInterpreter<ExecutionState, ?>> stateInterpreter,
    Part<ActionInterpreter<ExecutionState, ChildOrder>> actionInterpreter,
    @Nullable Part<Reward<ExecutionState>> reward,
    boolean hindsight) {

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

  public ProblemSettings withSimulator(Part<SimulatorSetup> other) {
    return new ProblemSettings(other, stateInterpreter, actionInterpreter, reward, hindsight);
  }

  public ProblemSettings withStateInterpreter(Part<StateInterpreter<ExecutionState, ?>> other) {
    return new ProblemSettings(simulator, other, actionInterpreter, reward, hindsight);
  }

  public ProblemSettings withActionInterpreter(
      Part<ActionInterpreter<ExecutionState, ChildOrder>> other) {
    return new ProblemSettings(simulator, stateInterpreter, other, reward, hindsight);
  }

  public ProblemSettings withReward(@Nullable Part<Reward<ExecutionState>> other) {
    return new ProblemSettings(simulator, stateInterpreter, actionInterpreter, other, hindsight);
  }

  public ProblemSettings withHindsight(boolean sees) {
    return new ProblemSettings(simulator, stateInterpreter, actionInterpreter, reward, sees);
  }
}
