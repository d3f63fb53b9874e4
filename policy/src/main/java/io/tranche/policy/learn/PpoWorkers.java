package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.tensor.Weights;
import java.util.List;

/// Those who work out the gradients of a model that is too large for one machine: each task by
/// itself, by [Ppo#work] of an agent made of the same settings.
///
/// @param <O> the observation
@FunctionalInterface
public interface PpoWorkers<O extends Observation> {

  /// How many terms a loss has.
  int TERMS = 4;

  /// Takes what was worked out.
  @FunctionalInterface
  interface Sums {

    /// @param task which of the tasks it is
    /// @param gradients the sum of the task's, laid out as the weights; only lent
    /// @param terms the sums of the [#TERMS] terms of its loss; only lent
    void put(int task, float[] gradients, double[] terms);
  }

  /// Works out all tasks of a minibatch by `weights`, and puts each sum once, in any order, on one
  /// thread at a time.
  void work(Weights weights, List<PpoTask<O>> tasks, Sums sums);
}
