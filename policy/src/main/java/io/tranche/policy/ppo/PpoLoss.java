package io.tranche.policy.ppo;

import io.tranche.env.Observation;
import io.tranche.policy.agent.ActionDistribution;
import io.tranche.policy.experience.RunningMoments;
import io.tranche.policy.experience.Slice;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.SlicedModel;
import io.tranche.policy.network.Model;
import io.tranche.tensor.Rows;
import java.util.Arrays;

/// The mathematics of PPO (Schulman et al., 2017), in the order in which an update needs it:
/// advantages and returns of the steps, then for every row of a minibatch the clipped ratio, the
/// entropy, the teacher's advice and the value, each with its gradients at the heads.
///
/// Every task sums its own part; [#total] adds the parts in order. Hot path: allocates nothing.
public final class PpoLoss<O extends Observation> implements SlicedModel.Visitor<O> {

  static final int CLIP = 0;
  static final int VALUE = 1;
  static final int ENTROPY = 2;
  static final int TEACHER = 3;

  /// Not part of the loss: how far the policy has moved from the one that acted.
  static final int KL = 4;

  private static final int TERMS = 5;

  /// Prevents a division by a variance of 0.
  private static final double EPSILON = 1e-8;

  private static final float MOST_CHANGE = 20;

  private final PpoConfig config;
  private final PpoExperience<O> experience;
  private final ActionDistribution actions;

  /// The weight of the teacher's advice; 0 if there is none.
  private final double teacherWeight;

  private final double[][] sums = new double[SlicedModel.maxTasks()][TERMS];

  /// By task: derivatives by the parameters of one row.
  private final float[][] slopes;

  private float mean;
  private float scale;
  private int count;

  PpoLoss(
      PpoConfig config,
      PpoExperience<O> experience,
      ActionDistribution actions,
      double teacherWeight) {
    this.config = config;
    this.experience = experience;
    this.actions = actions;
    this.teacherWeight = teacherWeight;
    this.slopes = new float[SlicedModel.maxTasks()][actions.outputs()];
  }

  // ---- advantages and returns, before the minibatches ----

  /// Computes how much better each step was than expected: generalised advantage estimation
  /// (Schulman et al., 2016).
  ///
  /// @param values the expected return before each step
  /// @param nextValues the expected return after it; must be 0 where the episode terminated
  /// @param discount the weight of the next step's reward
  /// @param lambda 0 trusts the values, 1 the rewards
  /// @param advantages receives one number per step
  public static void advantages(
      Transitions<?> steps,
      double[] values,
      double[] nextValues,
      double discount,
      double lambda,
      double[] advantages) {
    double carried = 0;
    for (int row = steps.size() - 1; row >= 0; row--) {
      double surprise = steps.reward(row) + discount * nextValues[row] - values[row];
      carried = steps.isEnd(row) ? surprise : surprise + discount * lambda * carried;
      advantages[row] = carried;
    }
  }

  /// Computes advantages and returns from the model's values, which are in units of the standard
  /// deviation of all returns so far, and adds the returns to `moments`.
  ///
  /// @param normalReturns receives the returns in the model's units
  static void prepare(
      PpoConfig config,
      Transitions<?> steps,
      float[] values,
      float[] nextValues,
      RunningMoments moments,
      double[] scaled,
      double[] scaledNext,
      double[] advantages,
      double[] returns,
      float[] normalReturns) {
    double deviation = config.normalizesRewards() ? Math.sqrt(moments.variance() + EPSILON) : 1;
    float unit = (float) deviation;
    for (int row = 0; row < steps.size(); row++) {
      scaled[row] = values[row] * unit;
      scaledNext[row] = steps.isTerminated(row) ? 0 : nextValues[row] * unit;
    }
    advantages(steps, scaled, scaledNext, config.discount(), config.lambda(), advantages);
    for (int row = 0; row < steps.size(); row++) {
      returns[row] = advantages[row] + scaled[row];
      normalReturns[row] = (float) (returns[row] / deviation);
    }
    if (config.normalizesRewards()) {
      moments.update(returns, steps.size());
    }
  }

  // ---- a minibatch ----

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
    Rows parameters = pass.output(0);
    actions.read(slice.size(), parameters);
    for (int i = 0; i < slice.size(); i++) {
      int row = slice.row(i);
      actor(row, parameters.data(), parameters.offset(i), pass.outputGradient(0), i, task);
      Rows value = pass.output(1);
      Rows gradient = pass.outputGradient(1);
      gradient.data()[gradient.offset(i)] = critic(row, value.data()[value.offset(i)], task);
    }
    actions.readBackward(slice.size(), parameters, pass.outputGradient(0));
  }

  /// Writes the gradients of the parameters of one row's distribution.
  private void actor(int row, float[] p, int at, Rows gradients, int index, int task) {
    float[] slope = slopes[task];
    float[] target = gradients.data();
    int to = gradients.offset(index);

    // The entropy keeps the policy curious: the loss falls as it rises.
    sums[task][ENTROPY] += actions.entropy(p, at);
    actions.entropySlopes(p, at, slope);
    float entropyPart = (float) (config.entropyWeight() / count);
    for (int i = 0; i < slope.length; i++) {
      target[to + i] = -entropyPart * slope[i];
    }

    float[] codes = experience.codes();
    int codeAt = row * actions.codeWidth();
    float advantage = (experience.advantage(row) - mean) / scale;
    float logProbability = actions.logProbability(p, at, codes, codeAt);
    // A narrow density may rise beyond what a float holds; probabilities of choices cannot.
    float change = Math.min(logProbability - experience.logProbability(row), MOST_CHANGE);
    float ratio = (float) Math.exp(change);
    sums[task][KL] += Math.expm1(change) - change;
    float free = ratio * advantage;
    float clip = (float) config.clip();
    float held = Math.clamp(ratio, 1 - clip, 1 + clip) * advantage;
    // Where both are equal, torch passes half of the gradient through each: the whole again.
    boolean moves = free <= held;
    float gain = Math.min(free, held);
    float gainSlope = moves ? free : 0;
    Double limit = config.dualClip();
    if (limit != null && advantage < 0) {
      float floor = (float) (limit * advantage);
      gainSlope = gain > floor ? gainSlope : gain == floor ? gainSlope / 2 : 0;
      gain = Math.max(gain, floor);
    }
    // NaN must propagate, although no comparison with it is true.
    sums[task][CLIP] -= Float.isNaN(free) ? free : gain;
    float moved = Float.isNaN(free) ? free : gainSlope;
    actions.logSlopes(p, at, codes, codeAt, slope);
    for (int i = 0; i < slope.length; i++) {
      if (slope[i] != 0 || !Float.isFinite(moved)) {
        target[to + i] -= moved * slope[i] / count;
      }
    }

    if (teacherWeight > 0) {
      float[] advice = experience.advice();
      sums[task][TEACHER] -= actions.logProbability(p, at, advice, codeAt);
      actions.logSlopes(p, at, advice, codeAt, slope);
      for (int i = 0; i < slope.length; i++) {
        if (slope[i] != 0) {
          target[to + i] -= (float) (teacherWeight * slope[i] / count);
        }
      }
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
