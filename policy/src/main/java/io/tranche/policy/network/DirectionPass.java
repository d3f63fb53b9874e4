package io.tranche.policy.network;

import io.tranche.tensor.Rows;
import java.util.Arrays;

/// The part of a [DecisionHead] that depends only on the side: computed once per side, whatever the
/// number of observations.
final class DirectionPass {

  private static final int SIDES = 2;

  /// As [io.tranche.market.feature.DayObservation#sideCode].
  private static final int SELL = 0;

  private static final int BUY = 1;

  private final DecisionHead head;

  /// (is a buy, is a sell), one row per side.
  private final Rows input;

  private final Rows first;
  private final Rows second;
  private final Rows firstGradients;
  private final Rows secondGradients;

  DirectionPass(DecisionHead head) {
    this.head = head;
    int hidden = head.hidden();
    input = Rows.zeros(SIDES, 2);
    input.data()[input.offset(BUY)] = 1;
    input.data()[input.offset(SELL) + 1] = 1;
    first = Rows.zeros(SIDES, hidden);
    second = Rows.zeros(SIDES, hidden);
    firstGradients = Rows.zeros(SIDES, hidden);
    secondGradients = Rows.zeros(SIDES, hidden);
  }

  void forward() {
    head.directionFirst.forward(SIDES, input, first);
    head.directionSecond.forward(SIDES, first, second);
    Arrays.fill(secondGradients.data(), 0);
  }

  /// Returns one row per side, indexed by its code.
  Rows output() {
    return second;
  }

  /// Returns where to add the gradients of [#output()], which [#forward] cleared.
  Rows outputGradient() {
    return secondGradients;
  }

  void backward(float[] gradients) {
    head.directionSecond.backward(SIDES, first, second, secondGradients, firstGradients, gradients);
    head.directionFirst.backward(SIDES, input, first, firstGradients, null, gradients);
  }
}
