package io.tranche.experiment.report;

/// Where training stood after one iteration. NaN where nothing was measured.
///
/// @param reward the mean of an episode of training
/// @param trainingBps the mean advantage of the orders trained on
/// @param validationBps the mean advantage of the orders held out
public record TrainingPoint(
    int iteration, double reward, double trainingBps, double validationBps) {

  public TrainingPoint {
    Known.requireNotInfinite("reward", reward);
    Known.requireNotInfinite("trainingBps", trainingBps);
    Known.requireNotInfinite("validationBps", validationBps);
  }
}
