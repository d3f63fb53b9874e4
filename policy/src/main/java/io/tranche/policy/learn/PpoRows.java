package io.tranche.policy.learn;

/// What PPO's loss needs to know of each row of experience, besides what the model gives for it.
interface PpoRows {

  int action(int row);

  /// Returns what the teacher would have done, if there is one.
  int advice(int row);

  /// Returns what the model expected before the step, in its own units.
  float value(int row);

  float advantage(int row);

  /// Returns what the step turned out to be worth, in the model's units.
  float normalReturn(int row);

  /// Returns how likely the action was, as a logarithm.
  float logProbability(int row);
}
