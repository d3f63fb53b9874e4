package io.tranche.policy.network;

import io.tranche.env.Observation;
import io.tranche.policy.experience.Slice;
import io.tranche.tensor.Rows;
import io.tranche.tensor.layer.Layer;
import io.tranche.tensor.layer.Layers;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Layers over a row of numbers for each observation, which share nothing: for small problems.
/// [MlpFactory] makes one over what observations show.
///
/// @param <O> the observation it understands
public final class Mlp<O extends Observation> implements Network<O> {

  /// Turns an observation into numbers.
  ///
  /// @param <O> the observation
  @FunctionalInterface
  public interface Input<O extends Observation> {

    /// Writes all numbers of `observation` to `data`, from `at` on.
    void write(O observation, float[] data, int at);
  }

  /// What the names of the parameters begin with.
  static final String LAYERS = "layers";

  /// The input is not known to be the progress of an order and the features of the newest tick.
  static final int NOT_LIVE = -1;

  private final Input<O> input;
  private final int inputs;
  private final Layer layers;
  private final int features;

  /// @param features how many features of the newest tick follow the progress of an order, or
  ///   [#NOT_LIVE]
  Mlp(Input<O> input, int inputs, Layer layers, int features) {
    this.input = input;
    this.inputs = inputs;
    this.layers = layers;
    this.features = features;
  }

  /// Returns a factory for linear layers of these widths, each followed by a ReLU.
  ///
  /// @param inputs how many numbers `input` writes
  public static <O extends Observation> Factory<O> factory(
      Input<O> input, int inputs, int... widths) {
    return factory(input, inputs, new Layers.Sequence(dense(widths)));
  }

  /// Returns linear layers of these widths, each followed by a ReLU.
  public static List<Layer.Factory> dense(int... widths) {
    var layers = new ArrayList<Layer.Factory>();
    for (int width : widths) {
      layers.add(Layers.dense(width));
      layers.add(Layers.relu());
    }
    return layers;
  }

  /// Returns a maker of networks of linear layers of these widths over what observations show, see
  /// [MlpFactory].
  public static <O extends Observation> Maker<O> flat(int... widths) {
    List<Layer.Factory> layers = dense(widths);
    return context -> new MlpFactory<>(layers, NetworkInput.of(context));
  }

  /// Returns a factory for networks of these layers. Each observation is a sequence of one step.
  ///
  /// @param inputs how many numbers `input` writes
  public static <O extends Observation> Factory<O> factory(
      Input<O> input, int inputs, Layer.Factory layers) {
    return (weights, prefix) ->
        new Mlp<>(input, inputs, layers.create(weights, prefix + LAYERS, inputs), NOT_LIVE);
  }

  @Override
  public int width() {
    return layers.outputs();
  }

  @Override
  public void initialise(RandomGenerator random) {
    layers.initialise(random);
  }

  @Override
  public Object lane(O observation) {
    return observation;
  }

  @Override
  public Pass<O> newPass(int maxRows, int maxLanes) {
    return new RowsPass(maxRows);
  }

  @Override
  public Inference<O> newInference(int maxRows) {
    var pass = new RowsPass(maxRows);
    return (List<O> observations) -> {
      for (int i = 0; i < observations.size(); i++) {
        pass.put(i, observations.get(i));
      }
      pass.forward(observations.size());
      return pass.features;
    };
  }

  @Override
  public LiveNetwork newLive(int maxRows) {
    return features == NOT_LIVE
        ? Network.super.newLive(maxRows)
        : new LiveMlp(layers, features, maxRows);
  }

  private final class RowsPass implements Pass<O> {
    private final Layer.Pass pass;
    private final Rows rows;
    private final Rows features;
    private final Rows featureGradients;

    RowsPass(int maxRows) {
      pass = layers.newPass(1, maxRows);
      rows = Rows.zeros(maxRows, inputs);
      features = Rows.zeros(maxRows, width());
      featureGradients = Rows.zeros(maxRows, width());
    }

    private void put(int row, O observation) {
      input.write(observation, rows.data(), rows.offset(row));
    }

    private void forward(int count) {
      pass.forward(1, count, rows, features);
    }

    @Override
    public void training(boolean on) {
      pass.training(on);
    }

    @Override
    public void forward(Slice<O> slice) {
      for (int i = 0; i < slice.size(); i++) {
        put(i, slice.observation(i));
      }
      forward(slice.size());
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
      pass.backward(rows, features, featureGradients, null, gradients);
    }
  }
}
