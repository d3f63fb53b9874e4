package io.tranche.trainer;

import io.tranche.env.ActionInterpreter;
import io.tranche.env.EnvContext;
import io.tranche.env.Observation;
import io.tranche.env.ObservationCodec;
import io.tranche.env.Problem;
import io.tranche.env.Simulator;
import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/// A position moves by -1, 0 or 1 per step towards a target; a step costs the remaining distance.
/// Targets from 100 on throw.
final class Walk {

  private static final int MAX_STEPS = 6;
  private static final int BROKEN = 100;

  private Walk() {}

  /// What is seen, and all there is.
  record Seen(int position, int target) implements Observation {
    @Override
    public Value toValue() {
      return new Value.Floats(ElementType.FLOAT32, List.of(2), position, target);
    }
  }

  static InitialStates<Integer> targets(int count) {
    return InitialStates.of(IntStream.range(0, count).mapToObj(i -> i % 7 - 3).toList());
  }

  static Problem<Integer, Seen, Integer, Seen> problem() {
    return new Problem<>(
        Legs::new, new Eyes(), new Choice(), (seen, _) -> -Math.abs(seen.target - seen.position));
  }

  private static final class Legs implements Simulator<Seen, Integer> {
    private final EnvContext context;
    private Seen seen;
    private int steps;

    Legs(int target, EnvContext context) {
      this.context = context;
      this.seen = new Seen(0, target);
    }

    @Override
    public Seen state() {
      return seen;
    }

    @Override
    public boolean isDone() {
      return steps == MAX_STEPS;
    }

    @Override
    public void step(Integer move) {
      if (seen.target >= BROKEN) {
        throw new ArithmeticException("tripped");
      }
      steps++;
      seen = new Seen(seen.position + move, seen.target);
      if (isDone() && seen.target > 0) {
        context.log().scalar("missed", Math.abs(seen.target - seen.position));
      }
    }
  }

  private record Eyes() implements StateInterpreter<Seen, Seen> {
    @Override
    public Space observationSpace() {
      return new Space.Box(ElementType.FLOAT32, List.of(2), -1e6, 1e6);
    }

    @Override
    public Seen interpret(Seen state) {
      return state;
    }

    @Override
    public ObservationCodec<Seen> codec() {
      return new ObservationCodec<>() {
        @Override
        public void write(Seen seen, DataOutputStream out) throws IOException {
          out.writeInt(seen.position);
          out.writeInt(seen.target);
        }

        @Override
        public Seen read(DataInputStream in) throws IOException {
          return new Seen(in.readInt(), in.readInt());
        }
      };
    }
  }

  private record Choice() implements ActionInterpreter<Seen, Integer> {
    @Override
    public Space actionSpace() {
      return new Space.Discrete(3);
    }

    @Override
    public Integer interpret(Seen state, Action action) {
      return (int) action.number() - 1;
    }
  }
}
