package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.RandomTree;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.Minibatches;
import io.tranche.policy.experience.Slice;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.network.Model;
import io.tranche.tensor.AdamConfig;
import io.tranche.tensor.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Teaches a network to forecast before it learns to act: its features, through a linear head that
/// is thrown away afterwards, come near some targets (least squares). Rewards say little of what
/// the market did; targets say it at every step.
public final class Pretraining<O extends Observation> implements SlicedModel.Visitor<O> {

  private static final String HEAD = "forecast";
  private static final int BATCH = 1024;
  private static final double LEARNING_RATE = 1e-3;
  private static final double MAX_NORM = 1;

  private final float[] targets;
  private final int width;
  private final double[] sums = new double[SlicedModel.maxTasks()];
  private int count;

  private Pretraining(float[] targets, int width) {
    this.targets = targets;
    this.width = width;
  }

  /// Changes the weights of a model's network; its heads stay.
  ///
  /// @param samples the observations
  /// @param targets as many numbers for each of them as for any other, in units of their deviations
  /// @param key of all draws
  /// @return the mean squared error of each pass over the samples, before its updates
  /// @throws DivergenceException if numbers are no longer finite
  public static <O extends Observation> List<Double> run(
      Model<O> model,
      Transitions<O> samples,
      float[] targets,
      int epochs,
      long key,
      ParallelFor parallel) {
    int width = targets.length / Math.max(1, samples.size());
    if (samples.size() == 0 || width < 1 || targets.length % samples.size() != 0) {
      throw new IllegalArgumentException(
          "targets must be some for each sample, was %d for %d"
              .formatted(targets.length, samples.size()));
    }
    Model<O> forecaster = model.withHeads(List.of(new Model.Head(HEAD, width)));
    forecaster.initialise(RandomTree.generator(RandomTree.child(key, 0)));
    forecaster.copyNetwork(model);
    var sliced = new SlicedModel<>(forecaster, parallel);
    sliced.index(samples);
    var optimiser = new Optimiser(forecaster.weights(), AdamConfig.of(LEARNING_RATE), MAX_NORM);
    var loss = new Pretraining<O>(targets, width);
    var minibatches = new Minibatches();
    var errors = new ArrayList<Double>();
    for (int epoch = 1; epoch <= epochs; epoch++) {
      minibatches.shuffle(samples, Batching.EPISODES, BATCH, RandomTree.child(key, epoch));
      double squares = 0;
      for (int i = 0; i < minibatches.count(); i++) {
        loss.begin(minibatches.end(i) - minibatches.start(i));
        float[] gradients =
            sliced.gradients(
                samples, minibatches.rows(), minibatches.start(i), minibatches.end(i), loss);
        squares += Arrays.stream(loss.sums).sum();
        optimiser.step(gradients, i);
      }
      errors.add(squares / targets.length);
    }
    model.copyNetwork(forecaster);
    return errors;
  }

  private void begin(int rows) {
    count = rows;
    Arrays.fill(sums, 0);
  }

  @Override
  public void visit(Slice<O> slice, Model<O>.Pass pass, int task) {
    Rows outputs = pass.output(0);
    Rows slopes = pass.outputGradient(0);
    for (int i = 0; i < slice.size(); i++) {
      for (int j = 0; j < width; j++) {
        float error = outputs.data()[outputs.offset(i) + j] - targets[slice.row(i) * width + j];
        sums[task] += error * error;
        slopes.data()[slopes.offset(i) + j] = 2 * error / (count * width);
      }
    }
  }
}
