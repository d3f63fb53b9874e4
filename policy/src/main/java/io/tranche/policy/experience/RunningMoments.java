package io.tranche.policy.experience;

/// Running mean and variance of all numbers so far, updated in batches. Qlib: tianshou's
/// `RunningMeanStd`.
public final class RunningMoments {

  private double mean;
  private double variance = 1;
  private double count;

  public double mean() {
    return mean;
  }

  /// Returns the population variance; 1 before the first value.
  public double variance() {
    return variance;
  }

  public double count() {
    return count;
  }

  /// Resumes from a checkpoint.
  public void restore(double toMean, double toVariance, double toCount) {
    mean = toMean;
    variance = toVariance;
    count = toCount;
  }

  /// Adds the first `size` of `values`.
  public void update(double[] values, int size) {
    if (size == 0) {
      return;
    }
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += values[i];
    }
    double batchMean = sum / size;
    double squares = 0;
    for (int i = 0; i < size; i++) {
      double distance = values[i] - batchMean;
      squares += distance * distance;
    }
    double batchVariance = squares / size;
    double delta = batchMean - mean;
    double total = count + size;
    mean += delta * size / total;
    variance =
        (variance * count + batchVariance * size + delta * delta * count * size / total) / total;
    count = total;
  }
}
