package io.tranche.policy.network;

import io.tranche.env.Observation;
import io.tranche.policy.experience.Slice;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// A network with linear heads on its features, and the weights of both.
public final class Model<O extends Observation> {

  /// A linear map of the features.
  ///
  /// @param name name of its weights, without `.weight` and `.bias`
  /// @param width number of outputs
  public record Head(String name, int width) {}

  private final Weights weights = new Weights();
  private final Network.Factory<O> factory;
  private final String prefix;
  private final Network<O> network;
  private final List<Linear> heads = new ArrayList<>();

  /// @param prefix prefix of the names of the network's weights
  public Model(Network.Factory<O> factory, String prefix, List<Head> heads) {
    this.factory = factory;
    this.prefix = prefix;
    network = factory.create(weights, prefix);
    for (Head head : heads) {
      this.heads.add(Linear.plain(weights, head.name(), network.width(), head.width()));
    }
  }

  /// Returns a model with the same network and other heads, all of whose weights are zero.
  public Model<O> withHeads(List<Head> others) {
    return new Model<>(factory, prefix, others);
  }

  /// Takes the weights of the network of `other`, a model with the same one.
  public void copyNetwork(Model<O> other) {
    for (Parameter each : other.weights.parameters()) {
      Parameter own = weights.parameter(each.name());
      if (own != null) {
        weights.load(own, Weights.rowMajor(each, other.weights.values()));
      }
    }
  }

  public Weights weights() {
    return weights;
  }

  public Network<O> network() {
    return network;
  }

  public int width(int index) {
    return heads.get(index).outputs();
  }

  public void initialise(RandomGenerator random) {
    network.initialise(random);
    heads.forEach(head -> head.initialise(random));
  }

  /// Buffers for training, for one thread.
  public Pass newPass(int maxRows, int maxLanes) {
    return new Pass(maxRows, maxLanes);
  }

  /// Buffers for decisions, for one thread.
  public Evaluation newEvaluation(int maxRows) {
    return new Evaluation(maxRows);
  }

  /// Buffers for decisions on live days, for one thread.
  ///
  /// @throws io.tranche.config.ConfigException if the network cannot follow a day tick by tick
  public Live newLive(int maxRows) {
    return new Live(network.newLive(maxRows), maxRows);
  }

  private Rows[] outputs(int maxRows) {
    return heads.stream().map(head -> Rows.zeros(maxRows, head.outputs())).toArray(Rows[]::new);
  }

  private void applyHeads(int count, Rows features, Rows[] outputs) {
    for (int i = 0; i < outputs.length; i++) {
      heads.get(i).forward(count, features, outputs[i]);
    }
  }

  /// Forward and backward pass through a slice. Hot path: allocates nothing.
  public final class Pass {
    private final Network.Pass<O> pass;
    private final Rows[] outputs;
    private final Rows[] gradients;
    private final Rows partial;
    private int count;

    private Pass(int maxRows, int maxLanes) {
      pass = network.newPass(maxRows, maxLanes);
      outputs = outputs(maxRows);
      gradients = outputs(maxRows);
      partial = Rows.zeros(maxRows, network.width());
    }

    /// Says whether the next [#forward] is for training.
    public void training(boolean on) {
      pass.training(on);
    }

    public void forward(Slice<O> slice) {
      count = slice.size();
      pass.forward(slice);
      applyHeads(count, pass.features(), outputs);
    }

    /// Returns the outputs of head `index`, one row per observation.
    public Rows output(int index) {
      return outputs[index];
    }

    /// Returns where to write the gradients of [#output]; every row must be written.
    public Rows outputGradient(int index) {
      return gradients[index];
    }

    /// Runs the backward pass of the last [#forward], once.
    ///
    /// @param sum laid out like the weights; the gradients are added to it
    public void backward(float[] sum) {
      Rows features = pass.features();
      Rows target = pass.featureGradients();
      heads.getFirst().backward(count, features, outputs[0], gradients[0], target, sum);
      for (int i = 1; i < outputs.length; i++) {
        heads.get(i).backward(count, features, outputs[i], gradients[i], partial, sum);
        target.add(count, network.width(), partial);
      }
      pass.backward(sum);
    }
  }

  /// Outputs of the first head on live days. Hot path: allocates nothing.
  public final class Live {
    private final LiveNetwork live;
    private final Rows output;

    private Live(LiveNetwork live, int maxRows) {
      this.live = live;
      this.output = Rows.zeros(maxRows, width(0));
    }

    public LiveNetwork network() {
      return live;
    }

    /// Returns the first head's outputs for the first `count` rows put into [#network()], valid
    /// until the next call.
    public Rows evaluate(int count) {
      heads.getFirst().forward(count, live.features(count), output);
      return output;
    }
  }

  /// Outputs for single observations or batches. Hot path: allocates nothing of its own.
  public final class Evaluation {
    private final Network.Inference<O> inference;
    private final Rows[] outputs;
    private final int maxRows;
    private int count;
    private Rows features = Rows.zeros(1, network.width());

    private Evaluation(int maxRows) {
      this.maxRows = maxRows;
      inference = network.newInference(maxRows);
      outputs = outputs(maxRows);
    }

    /// Returns the maximum number of observations in a batch.
    public int maxRows() {
      return maxRows;
    }

    /// Computes in advance what later observations will share with these; there may be more than
    /// [#maxRows].
    public void expect(List<O> observations) {
      inference.expect(observations);
    }

    public void evaluate(List<O> observations) {
      count = observations.size();
      features = inference.features(observations);
    }

    /// Computes the outputs of head `index`, one row per observation, valid until the next call.
    /// Heads that are not requested cost nothing, such as the critic's during decisions.
    public Rows output(int index) {
      heads.get(index).forward(count, features, outputs[index]);
      return outputs[index];
    }
  }
}
