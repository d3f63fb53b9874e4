package io.tranche.examples.problem;

import io.tranche.env.ActionInterpreter;
import io.tranche.env.EnvContext;
import io.tranche.env.EpisodePlot;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.Reward;
import io.tranche.env.Simulator;
import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Accumulate to a target: each step adds 0 to 4 to a sum. The episode ends when the sum reaches
/// the target, or after eight steps. It pays 1 at the target, and less the further the sum is off.
public final class Accumulation {

  private static final int MOST_STEPS = 8;
  private static final int LARGEST_STEP = 4;

  private Accumulation() {}

  /// The initial state of an episode.
  public record Start(int target) {}

  /// What the rest of the system may see of an episode.
  public record State(int sum, int target, int step) {}

  /// What a policy sees. A record is enough for small observations; large ones are views of shared
  /// data.
  public record Seen(int missing, int stepsLeft) implements Observation {

    @Override
    public Value toValue() {
      return new Value.Dict(
          Map.of(
              "missing", new Value.Integers(ElementType.INT32, List.of(), missing),
              "steps_left", new Value.Integers(ElementType.INT32, List.of(), stepsLeft)));
    }
  }

  /// Puts the parts together. They are stateless, so one problem serves any number of environments.
  public static Problem<Start, State, Integer, Seen> problem() {
    return new Problem<>(Adding::new, new Eyes(), new Hands(), new Closeness());
  }

  /// One episode.
  private static final class Adding implements Simulator<State, Integer> {
    private final EnvContext context;
    private final List<Integer> sums = new ArrayList<>();
    private State state;

    Adding(Start start, EnvContext context) {
      this.context = context;
      this.state = new State(0, start.target(), 0);
    }

    @Override
    public State state() {
      return state;
    }

    @Override
    public boolean isDone() {
      return state.sum() >= state.target() || state.step() == MOST_STEPS;
    }

    @Override
    public void step(Integer added) {
      if (isDone()) {
        throw new IllegalStateException("episode must not be done, was done at " + state);
      }
      state = new State(state.sum() + added, state.target(), state.step() + 1);
      sums.add(state.sum());
      if (isDone()) {
        // Every logged value becomes a column of the logs.
        context.log().scalar("missed_by", Math.abs(state.target() - state.sum()));
      }
    }

    @Override
    public void draw(EpisodePlot picture) {
      picture.with("sum", sums.stream().mapToDouble(Integer::doubleValue).toArray());
    }
  }

  private record Eyes() implements StateInterpreter<State, Seen> {
    private static final Space SPACE =
        new Space.Dict(
            Map.of(
                "missing", Space.Box.scalar(ElementType.INT32, -LARGEST_STEP, 1e6),
                "steps_left", Space.Box.scalar(ElementType.INT32, 0, MOST_STEPS)));

    @Override
    public Space observationSpace() {
      return SPACE;
    }

    @Override
    public Seen interpret(State state) {
      return new Seen(state.target() - state.sum(), MOST_STEPS - state.step());
    }
  }

  private record Hands() implements ActionInterpreter<State, Integer> {
    private static final Space SPACE = new Space.Discrete(LARGEST_STEP + 1);

    @Override
    public Space actionSpace() {
      return SPACE;
    }

    @Override
    public Integer interpret(State state, Action action) {
      return (int) action.number();
    }
  }

  private record Closeness() implements Reward<State> {

    @Override
    public double reward(State state, EnvContext context) {
      return context.isDone() ? 1.0 / (1 + Math.abs(state.target() - state.sum())) : 0;
    }
  }
}
