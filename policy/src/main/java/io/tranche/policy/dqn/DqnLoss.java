package io.tranche.policy.dqn;

import io.tranche.env.Observation;
import io.tranche.policy.agent.ActionValues;
import io.tranche.policy.experience.Slice;
import io.tranche.policy.learn.SlicedModel;
import io.tranche.policy.network.Model;
import io.tranche.tensor.Rows;
import java.util.Arrays;

/// The distance of action values from their targets in one minibatch, and its gradients at the
/// head.
///
/// Every task sums its own part; [#mean] adds the parts in order. Hot path: allocates nothing.
final class DqnLoss<O extends Observation> implements SlicedModel.Visitor<O> {

  private final DqnConfig config;
  private final ActionValues values;
  private final int quantiles;
  private final DqnTargets<O> targets;
  private final double[] sums = new double[SlicedModel.maxTasks()];
  private int count;

  DqnLoss(DqnConfig config, ActionValues values, DqnTargets<O> targets) {
    this.config = config;
    this.values = values;
    this.quantiles = values.quantiles();
    this.targets = targets;
  }

  /// Starts on a minibatch of `size` rows.
  void begin(int size) {
    count = size;
    Arrays.fill(sums, 0);
  }

  @Override
  public void visit(Slice<O> slice, Model<O>.Pass pass, int task) {
    Rows outputs = pass.output(0);
    Rows gradients = pass.outputGradient(0);
    values.read(slice.size(), outputs);
    for (int i = 0; i < slice.size(); i++) {
      int row = slice.row(i);
      int to = gradients.offset(i);
      Arrays.fill(gradients.data(), to, to + values.width(), 0);
      int first = targets.action(row) * quantiles;
      float[] value = outputs.data();
      int at = outputs.offset(i) + first;
      sums[task] +=
          quantiles == 1
              ? plain(row, value[at], gradients.data(), to + first)
              : quantile(row, value, at, gradients.data(), to + first);
    }
    values.readBackward(slice.size(), outputs, gradients);
  }

  /// Returns the loss of one value and writes its gradient.
  private float plain(int row, float value, float[] gradients, int to) {
    float error = targets.target(row, 0) - value;
    return switch (config.loss()) {
      case SQUARED -> {
        gradients[to] = -2 * error / count;
        yield error * error;
      }
      case HUBER -> {
        gradients[to] = -huberSlope(error) / count;
        yield huber(error);
      }
    };
  }

  /// Returns the quantile Huber loss of one action (Dabney et al., 2018, equation 10) and writes
  /// the gradients of its quantiles: an error pulls a high quantile up more than it pulls it down.
  private double quantile(int row, float[] value, int at, float[] gradients, int to) {
    double sum = 0;
    for (int i = 0; i < quantiles; i++) {
      float fraction = (i + 0.5f) / quantiles;
      float slope = 0;
      for (int j = 0; j < quantiles; j++) {
        float error = targets.target(row, j) - value[at + i];
        float weight = error < 0 ? 1 - fraction : fraction;
        sum += weight * huber(error) / quantiles;
        slope -= weight * huberSlope(error) / quantiles;
      }
      gradients[to + i] = slope / count;
    }
    return sum;
  }

  private static float huber(float error) {
    float distance = Math.abs(error);
    return distance < 1 ? 0.5f * error * error : distance - 0.5f;
  }

  private static float huberSlope(float error) {
    return Math.clamp(error, -1f, 1f);
  }

  /// Returns the mean over the minibatch.
  double mean() {
    double sum = 0;
    for (double each : sums) {
      sum += each;
    }
    return sum / count;
  }
}
