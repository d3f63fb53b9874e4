package io.tranche.trainer;

import io.tranche.policy.experience.Slice;
import io.tranche.policy.network.Network;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import io.tranche.trainer.Walk.Seen;
import java.util.List;
import java.util.random.RandomGenerator;

/// One linear layer on position and target.
final class TinyNetwork implements Network<Seen> {

  private static final int INPUTS = 3;
  private static final int WIDTH = 8;

  private final Linear layer;

  TinyNetwork(Weights weights, String prefix) {
    layer = Linear.plain(weights, prefix + "fc", INPUTS, WIDTH);
  }

  @Override
  public int width() {
    return WIDTH;
  }

  @Override
  public void initialise(RandomGenerator random) {
    layer.initialise(random);
  }

  @Override
  public Object lane(Seen observation) {
    return observation;
  }

  private static void write(Seen seen, int row, Rows input) {
    int at = input.offset(row);
    input.data()[at] = seen.position() / 3f;
    input.data()[at + 1] = seen.target() / 3f;
    input.data()[at + 2] = Integer.signum(seen.target() - seen.position());
  }

  @Override
  public Pass<Seen> newPass(int maxRows, int maxLanes) {
    Rows input = Rows.zeros(maxRows, INPUTS);
    Rows output = Rows.zeros(maxRows, WIDTH);
    Rows gradient = Rows.zeros(maxRows, WIDTH);
    return new Pass<>() {
      private int count;

      @Override
      public void forward(Slice<Seen> slice) {
        count = slice.size();
        for (int row = 0; row < count; row++) {
          write(slice.observation(row), row, input);
        }
        layer.forward(count, input, output);
      }

      @Override
      public Rows features() {
        return output;
      }

      @Override
      public Rows featureGradients() {
        return gradient;
      }

      @Override
      public void backward(float[] gradients) {
        layer.backward(count, input, output, gradient, null, gradients);
      }
    };
  }

  @Override
  public Inference<Seen> newInference(int maxRows) {
    Rows input = Rows.zeros(maxRows, INPUTS);
    Rows output = Rows.zeros(maxRows, WIDTH);
    return (List<Seen> observations) -> {
      for (int row = 0; row < observations.size(); row++) {
        write(observations.get(row), row, input);
      }
      layer.forward(observations.size(), input, output);
      return output;
    };
  }
}
