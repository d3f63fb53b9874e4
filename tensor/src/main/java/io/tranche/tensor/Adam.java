package io.tranche.tensor;

import io.tranche.tensor.kernels.Kernels;

/// The optimiser: Adam with torch's arithmetic. Hot path: a step allocates nothing.
public final class Adam {

  private static final Kernels KERNELS = Kernels.best();

  private final Weights weights;
  private final AdamConfig config;
  private final Parameter[] trained;
  private final float[] first;
  private final float[] second;
  private long steps;

  /// @param weights must be complete: no parameter may be added or excluded afterwards
  public Adam(Weights weights, AdamConfig config) {
    this.weights = weights;
    this.config = config;
    this.trained =
        weights.parameters().stream().filter(Parameter::isTrained).toArray(Parameter[]::new);
    this.first = new float[weights.size()];
    this.second = new float[weights.size()];
  }

  /// Returns the number of steps taken so far.
  public long steps() {
    return steps;
  }

  /// Returns the running mean of the gradients, not a copy, laid out like the weights.
  public float[] first() {
    return first;
  }

  /// Returns the running mean of the squared gradients, not a copy, laid out like the weights.
  public float[] second() {
    return second;
  }

  /// Resumes from a checkpoint.
  public void restore(long stepsDone, float[] firstMoments, float[] secondMoments) {
    if (firstMoments.length != first.length || secondMoments.length != second.length) {
      throw new IllegalArgumentException(
          "moments must have length %d, was %d and %d"
              .formatted(first.length, firstMoments.length, secondMoments.length));
    }
    steps = stepsDone;
    System.arraycopy(firstMoments, 0, first, 0, first.length);
    System.arraycopy(secondMoments, 0, second, 0, second.length);
  }

  /// Moves the weights one step against `gradients`, which has their layout.
  public void step(float[] gradients) {
    step(gradients, config.learningRate());
  }

  /// [#step(float[])] with a learning rate other than the configured one, for schedules.
  public void step(float[] gradients, double learningRate) {
    steps++;
    double done = (double) steps;
    float rate = (float) (learningRate / (1 - Math.pow(config.beta1(), done)));
    float root = (float) Math.sqrt(1 - Math.pow(config.beta2(), done));
    float[] w = weights.values();
    float decay = (float) config.weightDecay();
    float beta1 = (float) config.beta1();
    float beta2 = (float) config.beta2();
    float epsilon = (float) config.epsilon();
    for (Parameter each : trained) {
      int n = each.size();
      int at = each.offset();
      KERNELS.adam(n, at, w, gradients, first, second, decay, beta1, beta2, epsilon, rate, root);
    }
    weights.changed();
  }
}
