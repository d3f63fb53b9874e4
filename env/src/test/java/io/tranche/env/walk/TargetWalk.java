package io.tranche.env.walk;

import io.tranche.env.ActionInterpreter;
import io.tranche.env.EnvContext;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.Reward;
import io.tranche.env.Simulator;
import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import java.util.List;
import java.util.Map;

/// The simplest problem: a position moves by -1, 0 or 1 per step and should reach a target. A step
/// costs the remaining distance, so the best total from a distance `d` is `-d (d - 1) / 2`.
public final class TargetWalk {

  /// The initial state.
  public record Start(int target) {}

  /// The simulator's state.
  public record State(int position, int target, int step) {
    public int distance() {
      return Math.abs(target - position);
    }
  }

  /// What a policy sees.
  public record Seen(int position, int target) implements Observation {
    @Override
    public Value toValue() {
      return new Value.Dict(
          Map.of(
              "position", new Value.Floats(ElementType.FLOAT32, List.of(), position),
              "target", new Value.Floats(ElementType.FLOAT32, List.of(), target)));
    }
  }

  /// A side effect of each move, through which tests cause failures.
  public interface Mischief {
    void at(State state);
  }

  static final int MAX_STEPS = 20;

  private TargetWalk() {}

  public static Problem<Start, State, Integer, Seen> problem() {
    return problem(_ -> {});
  }

  public static Problem<Start, State, Integer, Seen> problem(Mischief mischief) {
    return new Problem<>(
        (start, context) -> new Walk(start, context, mischief), new Eyes(), new Legs(), new Cost());
  }

  /// Returns the best sum of rewards from `start`.
  public static double best(Start start) {
    int distance = Math.abs(start.target());
    return -distance * (distance - 1) / 2.0;
  }

  private static final class Walk implements Simulator<State, Integer> {
    private final EnvContext context;
    private final Mischief mischief;
    private State state;

    Walk(Start start, EnvContext context, Mischief mischief) {
      this.context = context;
      this.mischief = mischief;
      this.state = new State(0, start.target(), 0);
    }

    @Override
    public State state() {
      return state;
    }

    @Override
    public boolean isDone() {
      return state.distance() == 0 || state.step() == MAX_STEPS;
    }

    @Override
    public void step(Integer move) {
      if (isDone()) {
        throw new IllegalStateException("episode must not be done, was done at " + state);
      }
      state = new State(state.position() + move, state.target(), state.step() + 1);
      mischief.at(state);
      if (isDone()) {
        context.log().scalar("target", state.target());
      }
    }
  }

  private record Eyes() implements StateInterpreter<State, Seen> {
    private static final Space.Box NUMBER = Space.Box.scalar(ElementType.FLOAT32, -1e6, 1e6);
    private static final Space SPACE = new Space.Dict(Map.of("position", NUMBER, "target", NUMBER));

    @Override
    public Space observationSpace() {
      return SPACE;
    }

    @Override
    public Seen interpret(State state) {
      return new Seen(state.position(), state.target());
    }
  }

  private record Legs() implements ActionInterpreter<State, Integer> {
    private static final Space SPACE = new Space.Discrete(3);

    @Override
    public Space actionSpace() {
      return SPACE;
    }

    @Override
    public Integer interpret(State state, Action action) {
      return switch (action) {
        case Action.Discrete(int index) -> index - 1;
        case Action.Continuous(double value) -> (int) Math.signum(value);
        case Action.Vector(var values) -> (int) Math.signum(values.getFirst());
      };
    }
  }

  private record Cost() implements Reward<State> {
    @Override
    public double reward(State state, EnvContext context) {
      return -state.distance();
    }
  }
}
