package io.tranche.policy.ppo;

import io.tranche.env.Observation;
import io.tranche.policy.agent.Categorical;
import io.tranche.policy.experience.Slice;
import io.tranche.policy.learn.SlicedModel;
import io.tranche.policy.network.Model;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Softmax;
import java.util.Arrays;

/// The loss of one minibatch (Schulman et al., 2017) and its gradients at the heads.
///
/// Every task sums its own part; [#total] adds the parts in order. Hot path: allocates nothing.
final class PpoLoss<O extends Observation> implements SlicedModel.Visitor<O> {

  static final int CLIP = 0;
  static final int VALUE = 1;
  static final int ENTROPY = 2;
  static final int TEACHER = 3;
  private static final int TERMS = 4;

  private final PpoConfig config;
  private final PpoExperience<O> experience;
  private final int choices;

  /// The weight of the teacher's advice; 0 if there is none.
  private final double teacherWeight;

  private final double[][] sums = new double[SlicedModel.maxTasks()][TERMS];
  private float mean;
  private float scale;
  private int count;

  PpoLoss(PpoConfig config, PpoExperience<O> experience, int choices, double teacherWeight) {
    this.config = config;
    this.experience = experience;
    this.choices = choices;
    this.teacherWeight = teacherWeight;
  }

  /// Starts on `rows[from]` to `rows[to - 1]`.
  void begin(int[] rows, int from, int to) {
    count = to - from;
    mean = 0;
    scale = 1;
    for (double[] sum : sums) {
      Arrays.fill(sum, 0);
    }
    if (config.normalizesAdvantages() && (count > 1 || config.advantageEpsilon() == 0)) {
      normalize(rows, from, to);
    }
  }

  private void normalize(int[] rows, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += experience.advantage(rows[i]);
    }
    double average = sum / count;
    double squares = 0;
    for (int i = from; i < to; i++) {
      double distance = experience.advantage(rows[i]) - average;
      squares += distance * distance;
    }
    mean = (float) average;
    scale = (float) (Math.sqrt(squares / (count - 1)) + config.advantageEpsilon());
  }

  @Override
  public void visit(Slice<O> slice, Model<O>.Pass pass, int task) {
    Rows probabilities = pass.output(0);
    Softmax.forward(slice.size(), choices, probabilities);
    for (int i = 0; i < slice.size(); i++) {
      int row = slice.row(i);
      actor(row, probabilities.data(), probabilities.offset(i), pass.outputGradient(0), i, task);
      Rows value = pass.output(1);
      Rows gradient = pass.outputGradient(1);
      gradient.data()[gradient.offset(i)] = critic(row, value.data()[value.offset(i)], task);
    }
    Softmax.backward(slice.size(), choices, probabilities, pass.outputGradient(0));
  }

  /// Writes the gradients of the probabilities of one row.
  private void actor(int row, float[] p, int at, Rows gradients, int index, int task) {
    float[] target = gradients.data();
    int to = gradients.offset(index);
    float entropyPart = (float) (config.entropyWeight() / count);
    for (int i = 0; i < choices; i++) {
      float held = p[at + i] * Categorical.slope(p[at + i]);
      target[to + i] = entropyPart * (Categorical.logarithm(p[at + i]) + held);
    }
    int action = experience.action(row);
    float chosen = p[at + action];
    float advantage = (experience.advantage(row) - mean) / scale;
    float ratio = (float) Math.exp(Categorical.logarithm(chosen) - experience.logProbability(row));
    float free = ratio * advantage;
    float clip = (float) config.clip();
    float held = Math.clamp(ratio, 1 - clip, 1 + clip) * advantage;
    // Where both are equal, torch passes half of the gradient through each: the whole again.
    boolean moves = free <= held;
    float gain = Math.min(free, held);
    float slope = moves ? free : 0;
    Double limit = config.dualClip();
    if (limit != null && advantage < 0) {
      float floor = (float) (limit * advantage);
      slope = gain > floor ? slope : gain == floor ? slope / 2 : 0;
      gain = Math.max(gain, floor);
    }
    // NaN must propagate, although no comparison with it is true.
    sums[task][CLIP] -= Float.isNaN(free) ? free : gain;
    sums[task][ENTROPY] += Categorical.entropy(p, at, choices);
    target[to + action] -= (Float.isNaN(free) ? free : slope) * Categorical.slope(chosen) / count;
    if (teacherWeight > 0) {
      int advised = experience.advice(row);
      float likely = p[at + advised];
      sums[task][TEACHER] -= Categorical.logarithm(likely);
      target[to + advised] -= (float) (teacherWeight * Categorical.slope(likely) / count);
    }
  }

  /// Returns the gradient of one row's value.
  private float critic(int row, float value, int task) {
    float wanted = experience.normalReturn(row);
    float free = wanted - value;
    float loss = free * free;
    float slope = -2 * free;
    if (config.valueClip()) {
      float before = experience.value(row);
      float clip = (float) config.clip();
      float moved = value - before;
      float held = wanted - (before + Math.clamp(moved, -clip, clip));
      float heldLoss = held * held;
      boolean inside = moved >= -clip && moved <= clip;
      float heldSlope = inside ? -2 * held : 0;
      if (heldLoss == loss) {
        slope = (slope + heldSlope) / 2;
      } else if (heldLoss > loss) {
        loss = heldLoss;
        slope = heldSlope;
      }
    }
    sums[task][VALUE] += loss;
    return (float) (slope * config.valueWeight() / count);
  }

  /// Returns the mean of a term over the minibatch.
  double mean(int term) {
    double sum = 0;
    for (double[] each : sums) {
      sum += each[term];
    }
    return sum / count;
  }

  double total() {
    return mean(CLIP)
        + config.valueWeight() * mean(VALUE)
        - config.entropyWeight() * mean(ENTROPY)
        + teacherWeight * mean(TEACHER);
  }
}
