package io.tranche.policy.learn;

import io.tranche.policy.weights.Tensor;
import io.tranche.tensor.Adam;
import io.tranche.tensor.AdamConfig;
import io.tranche.tensor.Gradients;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Moves the weights against gradients, and throws when a number is no longer finite. Hot path: a
/// step allocates nothing.
public final class Optimiser {

  private static final String STEPS = "optimiser.steps";
  private static final String FIRST = ".exp_avg";
  private static final String SECOND = ".exp_avg_sq";

  private final Weights weights;
  private final Adam adam;
  private final double maxNorm;
  private boolean stopsOnDivergence = true;

  /// @param maxNorm the maximum norm of the gradients; 0 for no limit
  public Optimiser(Weights weights, AdamConfig config, double maxNorm) {
    this.weights = weights;
    this.adam = new Adam(weights, config);
    this.maxNorm = maxNorm;
  }

  public void stopOnDivergence(boolean stop) {
    stopsOnDivergence = stop;
  }

  /// Requires a loss to be finite.
  ///
  /// @throws DivergenceException naming it
  public void check(String term, double value, int minibatch) {
    if (stopsOnDivergence && !Double.isFinite(value)) {
      throw new DivergenceException(term, minibatch, value);
    }
  }

  /// Takes a step and returns the norm of the gradients.
  ///
  /// @throws DivergenceException naming the first tensor whose gradient, or whose weights after the
  ///   step, are not finite
  public double step(float[] gradients, int minibatch) {
    check("gradient of ", gradients, minibatch);
    double norm = maxNorm > 0 ? Gradients.clip(gradients, maxNorm) : Gradients.norm(gradients);
    adam.step(gradients);
    check("", weights.values(), minibatch);
    return norm;
  }

  private void check(String what, float[] numbers, int minibatch) {
    @Nullable Parameter offending = stopsOnDivergence ? weights.firstNonFinite(numbers) : null;
    if (offending != null) {
      float value = 0;
      for (int i = 0; i < offending.size() && Float.isFinite(value); i++) {
        value = numbers[offending.offset() + i];
      }
      throw new DivergenceException(what + offending.name(), minibatch, value);
    }
  }

  /// Adds the optimiser's state to a checkpoint.
  public void save(Map<String, Tensor> tensors, Map<String, Double> numbers) {
    numbers.put(STEPS, (double) adam.steps());
    for (Parameter each : weights.parameters()) {
      tensors.put(each.name() + FIRST, tensor(each, adam.first()));
      tensors.put(each.name() + SECOND, tensor(each, adam.second()));
    }
  }

  /// Restores the state that [#save] added.
  public void restore(AlgorithmState state) {
    float[] first = new float[weights.size()];
    float[] second = new float[weights.size()];
    for (Parameter each : weights.parameters()) {
      load(each, state.tensor(each.name() + FIRST), first);
      load(each, state.tensor(each.name() + SECOND), second);
    }
    adam.restore((long) state.number(STEPS), first, second);
  }

  /// Writes a tensor to the place of `parameter` in `target`, which is laid out like its weights.
  public static void load(Parameter parameter, Tensor tensor, float[] target) {
    if (!tensor.shape().equals(parameter.shape())) {
      throw new IllegalArgumentException(
          "state of %s must have its shape, was %s".formatted(parameter, tensor.shape()));
    }
    Weights.inputMajor(parameter, tensor.toArray(), target);
  }

  /// Returns the part of `source`, laid out like the weights, that belongs to `parameter`.
  public static Tensor tensor(Parameter parameter, float[] source) {
    return Tensor.of(parameter.shape(), Weights.rowMajor(parameter, source));
  }
}
