package io.tranche.examples.problem;

import io.tranche.env.ActionInterpreter;
import io.tranche.env.Numbers;
import io.tranche.env.Problem;
import io.tranche.env.Simulator;
import io.tranche.env.StateInterpreter;
import io.tranche.policy.dqn.DqnConfig;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.trainer.ProblemRun;
import java.util.List;
import java.util.stream.IntStream;

/// Accumulate to a target: each step adds 0 to 4 to a sum. The episode ends when the sum reaches
/// the target, or after eight steps. It pays 1 at the target, and less the further the sum is off.
public final class Accumulation {

  static final List<Integer> TARGETS = IntStream.rangeClosed(1, 20).boxed().toList();

  private Accumulation() {}

  record State(int sum, int target, int step) {

    State plus(int added) {
      return new State(sum + added, target, step + 1);
    }

    boolean isOver() {
      return sum >= target || step == 8;
    }
  }

  /// An episode begins with its target; its parts are stateless, so threads share the problem.
  static Problem<Integer, State, Integer, Numbers> problem() {
    return Problem.of(
        (target, _) -> Simulator.of(new State(0, target, 0), State::plus, State::isOver),
        StateInterpreter.numbers(2, state -> new double[] {state.target - state.sum, state.step}),
        ActionInterpreter.choices(5, (_, choice) -> choice),
        (state, env) -> env.isDone() ? 1.0 / (1 + Math.abs(state.target - state.sum)) : 0);
  }

  static ProblemRun.Result<Integer, Numbers> trainWithPpo() {
    return ProblemRun.of(problem(), TARGETS)
        .withAlgorithm(PpoConfig.DEFAULT.withLearningRate(3e-3))
        .train();
  }

  static ProblemRun.Result<Integer, Numbers> trainWithDqn() {
    return ProblemRun.of(problem(), TARGETS)
        .withAlgorithm(DqnConfig.DEFAULT.withLearningRate(3e-3))
        .train();
  }

  static void main() {
    IO.println("PPO: " + trainWithPpo().test(TARGETS));
    IO.println("DQN: " + trainWithDqn().test(TARGETS));
  }
}
