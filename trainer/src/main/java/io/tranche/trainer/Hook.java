package io.tranche.trainer;

/// When callbacks are called, in the order of one iteration; those of testing are separate.
public enum Hook {
  FIT_START,
  ITERATION_START,
  TRAIN_START,
  TRAIN_END,
  VALIDATE_START,
  VALIDATE_END,
  ITERATION_END,
  FIT_END,
  TEST_START,
  TEST_END
}
