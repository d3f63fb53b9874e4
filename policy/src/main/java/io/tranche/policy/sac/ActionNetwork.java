package io.tranche.policy.sac;

import io.tranche.env.Observation;
import io.tranche.policy.experience.Slice;
import io.tranche.policy.network.Network;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A network that also sees an action: a layer joins the features of an observation with the
/// numbers of the action of its row. For training only.
final class ActionNetwork<O extends Observation> implements Network<O> {

  /// The actions that a critic is asked about, by row, and the gradients that its backward pass
  /// finds for them. Passes of several threads use different rows.
  static final class Inputs {
    private final int width;
    private float[] values = new float[0];
    private float[] gradients = new float[0];

    /// Whether a backward pass stops at the actions, because nothing else is wanted.
    private boolean stopsAtActions;

    Inputs(int width) {
      this.width = width;
    }

    void ensure(int rows) {
      if (values.length < rows * width) {
        values = Arrays.copyOf(values, Math.multiplyExact(rows, width));
        gradients = new float[values.length];
      }
    }

    /// Returns one action per row, not a copy.
    float[] values() {
      return values;
    }

    /// Returns the gradients of the last backward pass, not a copy.
    float[] gradients() {
      return gradients;
    }

    void stopAtActions(boolean stop) {
      stopsAtActions = stop;
    }
  }

  private final Network<O> inner;
  private final Linear join;
  private final Inputs inputs;

  private ActionNetwork(Network<O> inner, Linear join, Inputs inputs) {
    this.inner = inner;
    this.join = join;
    this.inputs = inputs;
  }

  static <O extends Observation> Factory<O> factory(Factory<O> inner, int hidden, Inputs inputs) {
    return (Weights weights, String prefix) -> {
      Network<O> made = inner.create(weights, prefix);
      return new ActionNetwork<>(
          made,
          Linear.withRelu(weights, prefix + "join", made.width() + inputs.width, hidden),
          inputs);
    };
  }

  @Override
  public int width() {
    return join.outputs();
  }

  @Override
  public void initialise(RandomGenerator random) {
    inner.initialise(random);
    join.initialise(random);
  }

  @Override
  public Object lane(O observation) {
    return inner.lane(observation);
  }

  @Override
  public int reach(O observation) {
    return inner.reach(observation);
  }

  @Override
  public Inference<O> newInference(int maxRows) {
    throw new IllegalStateException("a critic must be asked in training, was asked to decide");
  }

  @Override
  public Pass<O> newPass(int maxRows, int maxLanes) {
    return new JoinedPass(inner.newPass(maxRows, maxLanes), maxRows);
  }

  private final class JoinedPass implements Pass<O> {
    private final Pass<O> pass;
    private final Rows joined;
    private final Rows joinedGradients;
    private final Rows features;
    private final Rows featureGradients;
    private @Nullable Slice<O> slice;

    JoinedPass(Pass<O> pass, int maxRows) {
      this.pass = pass;
      joined = Rows.zeros(maxRows, join.inputs());
      joinedGradients = Rows.zeros(maxRows, join.inputs());
      features = Rows.zeros(maxRows, width());
      featureGradients = Rows.zeros(maxRows, width());
    }

    @Override
    public void training(boolean on) {
      pass.training(on);
    }

    @Override
    public void forward(Slice<O> rows) {
      slice = rows;
      pass.forward(rows);
      Rows seen = pass.features();
      for (int i = 0; i < rows.size(); i++) {
        joined.copyRow(i, inner.width(), seen, i);
        System.arraycopy(
            inputs.values,
            rows.row(i) * inputs.width,
            joined.data(),
            joined.offset(i) + inner.width(),
            inputs.width);
      }
      join.forward(rows.size(), joined, features);
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
      Slice<O> rows = slice;
      if (rows == null) {
        throw new IllegalStateException("a backward pass must follow a forward pass");
      }
      join.backward(rows.size(), joined, features, featureGradients, joinedGradients, gradients);
      for (int i = 0; i < rows.size(); i++) {
        System.arraycopy(
            joinedGradients.data(),
            joinedGradients.offset(i) + inner.width(),
            inputs.gradients,
            rows.row(i) * inputs.width,
            inputs.width);
      }
      if (!inputs.stopsAtActions) {
        Rows target = pass.featureGradients();
        for (int i = 0; i < rows.size(); i++) {
          target.copyRow(i, inner.width(), joinedGradients, i);
        }
        pass.backward(gradients);
      }
    }
  }
}
