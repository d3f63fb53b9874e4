package io.tranche.policy.network;

import io.tranche.market.feature.DayObservation;
import io.tranche.policy.encoder.SequenceEncoder;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Rnn;
import io.tranche.tensor.Weights;
import java.util.random.RandomGenerator;

/// The part of a network that does not depend on the day encoder: a recurrent network over the
/// decisions taken, the side of the order, and two layers that join them with the day.
final class DecisionHead {

  /// The amount remaining before a decision, and the progress of the order.
  static final int DECISION_INPUTS = 2;

  private static final int SIDES = 2;

  final SequenceEncoder decisions;
  final Linear directionFirst;
  final Linear directionSecond;
  final Linear first;
  final Linear second;

  /// Adds parameters to `weights` under Qlib's names.
  ///
  /// @param rnn the recurrent network over the decisions
  /// @param dayWidth width of the encoded day
  /// @param output number of features
  DecisionHead(Weights weights, String prefix, Rnn rnn, int dayWidth, int output) {
    int hidden = rnn.hidden();
    decisions =
        new SequenceEncoder(
            Linear.withRelu(weights, prefix + "pri_fc.0", DECISION_INPUTS, hidden), rnn);
    directionFirst = Linear.withRelu(weights, prefix + "dire_fc.0", SIDES, hidden);
    directionSecond = Linear.withRelu(weights, prefix + "dire_fc.2", hidden, hidden);
    first = Linear.withRelu(weights, prefix + "fc.0", dayWidth + 2 * hidden, hidden);
    second = Linear.withRelu(weights, prefix + "fc.2", hidden, output);
  }

  /// Returns the width of the encoded decisions, which is also that of the side.
  int hidden() {
    return decisions.outputs();
  }

  void initialise(RandomGenerator random) {
    decisions.initialise(random);
    directionFirst.initialise(random);
    directionSecond.initialise(random);
    first.initialise(random);
    second.initialise(random);
  }

  /// Writes the amount remaining before decision `step` and the progress to `data`, from `at` on.
  static void write(DayObservation observation, int step, float[] data, int at) {
    data[at] = observation.remainingAt(step) / observation.target();
    data[at + 1] = (float) step / observation.maxSteps();
  }
}
