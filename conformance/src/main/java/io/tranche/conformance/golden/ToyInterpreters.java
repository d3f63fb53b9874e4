package io.tranche.conformance.golden;

import io.tranche.env.ActionInterpreter;
import io.tranche.env.Observation;
import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;

/// The interpreters of golden problems in which there is nothing to interpret.
public final class ToyInterpreters {

  private ToyInterpreters() {}

  /// The state is the observation.
  public record Seen<O extends Observation>(Space observationSpace)
      implements StateInterpreter<O, O> {
    @Override
    public O interpret(O state) {
      return state;
    }
  }

  /// The action is a number: 0 or 1.
  public record Chosen<S>() implements ActionInterpreter<S, Integer> {
    @Override
    public Space actionSpace() {
      return new Space.Discrete(2);
    }

    @Override
    public Integer interpret(S state, Action action) {
      return (int) action.number();
    }
  }
}
