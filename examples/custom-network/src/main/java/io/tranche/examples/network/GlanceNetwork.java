package io.tranche.examples.network;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.experience.Slice;
import io.tranche.policy.network.Network;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.List;
import java.util.random.RandomGenerator;

/// Two layers over what remains, the time, the side, and the first feature now and at the open.
/// This is cheap, so observations share no work.
public final class GlanceNetwork implements Network<FullHistoryObservation> {

  private static final int INPUTS = 5;

  private final Linear first;
  private final Linear second;

  GlanceNetwork(Weights weights, String prefix, int hidden) {
    // Making a layer adds its parameters to the weights. The names are those in weight files.
    first = Linear.withRelu(weights, prefix + "first", INPUTS, hidden);
    second = Linear.withRelu(weights, prefix + "second", hidden, hidden);
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
  public Object lane(FullHistoryObservation observation) {
    return observation;
  }

  @Override
  public Layers newPass(int maxRows, int maxLanes) {
    return new Layers(maxRows);
  }

  @Override
  public Layers newInference(int maxRows) {
    return new Layers(maxRows);
  }

  private static void write(FullHistoryObservation seen, float[] data, int at) {
    int visible = seen.visibleTicks();
    data[at] = seen.remaining() / seen.target();
    data[at + 1] = (float) seen.step() / seen.maxSteps();
    data[at + 2] = seen.side().sign();
    data[at + 3] = visible == 0 ? 0 : seen.today(visible - 1, 0);
    data[at + 4] = seen.today(0, 0);
  }

  /// Memory for the forward and backward pass, allocated once.
  final class Layers implements Pass<FullHistoryObservation>, Inference<FullHistoryObservation> {
    private final Rows input;
    private final Rows middle;
    private final Rows middleGradients;
    private final Rows features;
    private final Rows featureGradients;
    private int count;

    private Layers(int maxRows) {
      input = Rows.zeros(maxRows, INPUTS);
      middle = Rows.zeros(maxRows, first.outputs());
      middleGradients = Rows.zeros(maxRows, first.outputs());
      features = Rows.zeros(maxRows, second.outputs());
      featureGradients = Rows.zeros(maxRows, second.outputs());
    }

    @Override
    public void forward(Slice<FullHistoryObservation> slice) {
      for (int i = 0; i < slice.size(); i++) {
        write(slice.observation(i), input.data(), input.offset(i));
      }
      forward(slice.size());
    }

    @Override
    public Rows features(List<FullHistoryObservation> observations) {
      for (int i = 0; i < observations.size(); i++) {
        write(observations.get(i), input.data(), input.offset(i));
      }
      forward(observations.size());
      return features;
    }

    private void forward(int rows) {
      count = rows;
      first.forward(count, input, middle);
      second.forward(count, middle, features);
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
      second.backward(count, middle, features, featureGradients, middleGradients, gradients);
      first.backward(count, input, middle, middleGradients, null, gradients);
    }
  }
}
