package io.tranche.policy.toy;

import io.tranche.env.Observation;
import io.tranche.policy.experience.Slice;
import io.tranche.policy.network.Network;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.List;
import java.util.random.RandomGenerator;

/// Two linear layers over a row of numbers: about the smallest possible network.
///
/// @param <O> the observation
public final class DenseNetwork<O extends Observation> implements Network<O> {

  /// Turns an observation into numbers.
  ///
  /// @param <O> the observation
  @FunctionalInterface
  public interface Input<O extends Observation> {

    /// Writes all numbers of `observation` to `data`, from `at` on.
    void write(O observation, float[] data, int at);
  }

  private final Input<O> input;
  private final Linear first;
  private final Linear second;

  private DenseNetwork(Weights weights, String prefix, Input<O> input, int inputs, int hidden) {
    this.input = input;
    this.first = Linear.withRelu(weights, prefix + "first", inputs, hidden);
    this.second = Linear.withRelu(weights, prefix + "second", hidden, hidden);
  }

  /// @param inputs how many numbers `input` writes
  public static <O extends Observation> Factory<O> factory(Input<O> input, int inputs, int hidden) {
    return (weights, prefix) -> new DenseNetwork<>(weights, prefix, input, inputs, hidden);
  }

  @Override
  public int width() {
    return second.outputs();
  }

  @Override
  public void initialise(RandomGenerator random) {
    first.initialise(random);
    second.initialise(random);
  }

  @Override
  public Object lane(O observation) {
    return observation;
  }

  @Override
  public Pass<O> newPass(int maxRows, int maxLanes) {
    return new Layers(maxRows);
  }

  @Override
  public Inference<O> newInference(int maxRows) {
    return new Layers(maxRows);
  }

  private final class Layers implements Pass<O>, Inference<O> {
    private final Rows inputs;
    private final Rows hidden;
    private final Rows hiddenGradients;
    private final Rows features;
    private final Rows featureGradients;
    private int count;

    private Layers(int maxRows) {
      inputs = Rows.zeros(maxRows, first.inputs());
      hidden = Rows.zeros(maxRows, first.outputs());
      hiddenGradients = Rows.zeros(maxRows, first.outputs());
      features = Rows.zeros(maxRows, second.outputs());
      featureGradients = Rows.zeros(maxRows, second.outputs());
    }

    @Override
    public void forward(Slice<O> slice) {
      for (int i = 0; i < slice.size(); i++) {
        input.write(slice.observation(i), inputs.data(), inputs.offset(i));
      }
      forward(slice.size());
    }

    @Override
    public Rows features(List<O> observations) {
      for (int i = 0; i < observations.size(); i++) {
        input.write(observations.get(i), inputs.data(), inputs.offset(i));
      }
      forward(observations.size());
      return features;
    }

    private void forward(int rows) {
      count = rows;
      first.forward(count, inputs, hidden);
      second.forward(count, hidden, features);
    }

    @Override
    public Rows features() {
      return features;
    }

    @Override
    public Rows featureGradients() {
      return featureGradients;
    }

    @Override
    public void backward(float[] gradients) {
      second.backward(count, hidden, features, featureGradients, hiddenGradients, gradients);
      first.backward(count, inputs, hidden, hiddenGradients, null, gradients);
    }
  }
}
