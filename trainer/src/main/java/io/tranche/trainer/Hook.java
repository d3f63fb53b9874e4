package io.tranche.trainer;

/// The moments at which callbacks are called, in the order of one iteration or of a test.
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
