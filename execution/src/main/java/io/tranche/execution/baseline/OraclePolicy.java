package io.tranche.execution.baseline;

import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.execution.ExecutionState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Knows all prices and trades in the best steps: an upper bound for policies, for reports.
///
/// Each decision distributes what remains over the remaining steps, the best mean price first, each
/// up to the volume cap, and trades the share of the next step. Without impact and limit orders,
/// and with no cap or one that is equal in all ticks of a step, this is optimal.
///
/// @param permit states that this is an evaluation
/// @param participation the simulator's volume cap, as a fraction of each tick's volume; infinite
///   if there is none
public record OraclePolicy(EvaluationPermit permit, double participation)
    implements Policy<HindsightView> {

  public OraclePolicy {
    if (!(participation > 0)) {
      throw new IllegalArgumentException("participation must be positive, was " + participation);
    }
  }

  private record Span(int from, int to, double price) {}

  /// @throws IllegalStateException in training, where nothing may learn from the future
  @Override
  public Action[] act(List<HindsightView> observations, long[] drawKeys, Mode mode) {
    if (mode != Mode.EVALUATE) {
      throw new IllegalStateException("the oracle must only act in an evaluation, was " + mode);
    }
    var actions = new Action[observations.size()];
    for (int row = 0; row < actions.length; row++) {
      actions[row] = new Action.Continuous(volume(observations.get(row).state()));
    }
    return actions;
  }

  private double volume(ExecutionState state) {
    double left = state.remaining();
    for (Span span : bestFirst(state)) {
      double filled = filled(state, span, left);
      if (span.from() == state.tick()) {
        return filled > 0 ? left : 0;
      }
      left -= filled;
    }
    return 0;
  }

  private static List<Span> bestFirst(ExecutionState state) {
    var spans = new ArrayList<Span>();
    int width = state.ticksPerStep();
    for (int from = state.tick(); from < state.endTick(); ) {
      int to = Math.min(from + width - from % width, state.endTick());
      spans.add(new Span(from, to, state.ticks().meanPrice(from, to)));
      from = to;
    }
    int sign = state.order().side().sign();
    // A step without any price is NaN, which sorts last.
    spans.sort(Comparator.comparingDouble(span -> sign * span.price()));
    return spans;
  }

  /// Returns the part of `wanted` that the simulator would fill in a step.
  private double filled(ExecutionState state, Span span, double wanted) {
    if (Double.isNaN(span.price())) {
      return 0;
    }
    if (participation == Double.POSITIVE_INFINITY) {
      return wanted;
    }
    double share = wanted / (span.to() - span.from());
    double filled = 0;
    for (int tick = span.from(); tick < span.to(); tick++) {
      double volume = state.ticks().volume(tick);
      filled += Math.min(share, participation * (volume > 0 ? volume : 0));
    }
    return filled;
  }
}
