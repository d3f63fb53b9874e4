package io.tranche.policy.sac;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.AlgorithmState;
import io.tranche.policy.learn.Optimiser;
import io.tranche.policy.learn.SlicedModel;
import io.tranche.policy.network.Model;
import io.tranche.policy.network.Network;
import io.tranche.policy.weights.Tensor;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// The value of actions, as a network of an observation and an action, and a slow copy of it that
/// estimates targets. Hot path: after [#index] allocates only to grow.
final class Critic<O extends Observation> {

  private static final String TARGET = ".target";

  private final ActionNetwork.Inputs inputs;
  private final Model<O> model;
  private final Model<O> target;
  private final SlicedModel<O> sliced;
  private final SlicedModel<O> slicedTarget;
  private final Optimiser optimiser;
  private final double tracking;
  private float[] values = new float[0];

  /// @param name of its weights
  Critic(
      String name,
      Network.Factory<O> network,
      int actionWidth,
      SacConfig config,
      RandomGenerator random,
      ParallelFor parallel) {
    inputs = new ActionNetwork.Inputs(actionWidth);
    var joined = ActionNetwork.factory(network, config.hidden(), inputs);
    var heads = List.of(new Model.Head(name + ".value_out", 1));
    model = new Model<>(joined, name + ".extractor.", heads);
    model.initialise(random);
    target = new Model<>(joined, name + ".extractor.", heads);
    target.weights().copyFrom(model.weights());
    sliced = new SlicedModel<>(model, parallel);
    slicedTarget = new SlicedModel<>(target, parallel);
    optimiser = new Optimiser(model.weights(), config.optimiser(), config.maxNorm());
    tracking = config.tracking();
  }

  ActionNetwork.Inputs inputs() {
    return inputs;
  }

  Optimiser optimiser() {
    return optimiser;
  }

  void index(SlicedModel<O> like, int rows) {
    inputs.ensure(rows);
    if (values.length < rows) {
      values = new float[rows];
    }
    sliced.indexLike(like);
    slicedTarget.indexLike(like);
  }

  /// Computes, by row, the values of the actions in [#inputs].
  ///
  /// @param next whether of the target, in the states after the steps
  float[] values(Transitions<O> steps, int[] rows, int count, boolean next) {
    (next ? slicedTarget : sliced)
        .evaluate(
            steps,
            rows,
            count,
            next,
            (slice, pass, _) -> {
              var out = pass.output(0);
              for (int i = 0; i < slice.size(); i++) {
                values[slice.row(i)] = out.data()[out.offset(i)];
              }
            });
    return values;
  }

  /// Returns the gradients of `loss`, which sees this critic's values of the actions in [#inputs].
  float[] gradients(
      Transitions<O> steps, int[] rows, int from, int to, SlicedModel.Visitor<O> loss) {
    return sliced.gradients(steps, rows, from, to, loss);
  }

  /// Lets the target follow.
  void track() {
    float[] to = target.weights().values();
    float[] from = model.weights().values();
    for (int i = 0; i < to.length; i++) {
      to[i] += (float) (tracking * (from[i] - to[i]));
    }
    target.weights().changed();
  }

  void save(Map<String, Tensor> tensors, Map<String, Double> numbers) {
    optimiser.save(tensors, numbers);
    save(model.weights(), "", tensors);
    save(target.weights(), TARGET, tensors);
  }

  private static void save(Weights weights, String suffix, Map<String, Tensor> tensors) {
    for (Parameter each : weights.parameters()) {
      tensors.put(each.name() + suffix, Optimiser.tensor(each, weights.values()));
    }
  }

  void restore(AlgorithmState state) {
    optimiser.restore(state);
    load(model.weights(), "", state);
    load(target.weights(), TARGET, state);
  }

  private static void load(Weights weights, String suffix, AlgorithmState state) {
    for (Parameter each : weights.parameters()) {
      Optimiser.load(each, state.tensor(each.name() + suffix), weights.values());
    }
    weights.changed();
  }
}
