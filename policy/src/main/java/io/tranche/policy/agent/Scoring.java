package io.tranche.policy.agent;

import io.tranche.tensor.Rows;

/// Makes scores of what a model gives: probabilities, or values, of which the first of the largest
/// is the choice.
@FunctionalInterface
public interface Scoring {

  /// @param scores receives, for each row of `outputs`, one number per choice
  void score(int count, Rows outputs, float[] scores);
}
